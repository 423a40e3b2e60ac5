"""A word that the parser refused, and the patterns that recognisers of mistakes share."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulekit.base.frozen import frozen

ARGUMENTS = r"(?:\((?:[^()]|\([^()]*\))*\))?"
TERM = rf"(?:'[^'\n]+'|[\w.])+{ARGUMENTS}"
NAME = r"(?:'[^'\n]+'|[^\W\d]\w*)"
CITATION = re.compile(r"\s*\[[^\]]*\]\s*$")
OPERATORS = frozenset(("=", "<", "<=", ">", ">=", "is", "in", "has", "not"))
_WORD = re.compile(r"\w+|'[^'\n]+'")


@frozen
class Refusal:
    """A word that the parser refused.

    `before` and `behind` are the text on its line on either side, without a comment.  `could` are the tokens
    allowed in its place: words and signs as they are written, other tokens by their names.
    """

    text: str
    before: str
    behind: str
    could: frozenset[str]

    @property
    def statement(self) -> str:
        """The refused word and the rest of its line, without a citation."""
        return CITATION.sub("", self.text + self.behind).rstrip()

    @property
    def begins_line(self) -> bool:
        return not self.before.strip()

    @property
    def is_name(self) -> bool:
        return _WORD.fullmatch(self.text) is not None


Recogniser = Callable[[Refusal], str | None]
