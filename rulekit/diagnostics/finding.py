"""One finding, as data: no colour, no layout."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics.conflict import Conflict
from rulekit.diagnostics.kinds import Kind

MAX_ID = 160
"""Characters of an id; the end of a longer one is a digest."""
_QUOTED = re.compile(r"`([^`]*)`")


@frozen
class Label:
    """Another place that matters, with its word."""

    span: Span
    text: str


@frozen
class Edit:
    """Text that replaces a span; an empty span is a place between two characters."""

    span: Span
    text: str


@frozen
class Fix:
    """A certain fix of a finding: edits that belong together.  `title`: an order, such as "write `a`"."""

    title: str
    edits: tuple[Edit, ...]


@frozen
class Replay:
    """A game that ends in a fault: in words, and as the file of answers that plays it again."""

    words: tuple[str, ...]
    log: str


@frozen
class Diagnostic:
    """One finding.

    `message`: this case, naming the author's things; lower case, one sentence, no full stop, the author's
    text in backticks.  `hint`: the action, never the message again.  `under`: the word beside the underline.
    `key` identifies it from run to run: the point it is about (`choice aim`), then the names at fault there.
    `fix`: only where it is certain.  `accepted`: why the rule set accepts it.  `example`: a situation that
    shows it, as an `example` of the language, which holds as long as the finding does.  `replay`: a game that
    ends in it.  `conflict`: the printed statements that contradict each other.
    """

    kind: Kind
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    hint: str | None = None
    under: str = ""
    key: tuple[str, ...] = ()
    fix: Fix | None = None
    accepted: str = ""
    example: str = ""
    replay: Replay | None = None
    conflict: Conflict | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The words in backticks of the message: the names at fault, where no key has them."""
        return tuple(_QUOTED.findall(self.message))

    @property
    def id(self) -> str:
        """`CODE:point:names`: stays when files, lines and wording change."""
        point, names = (self.key[:1], self.key[1:]) if self.key else ((), self.names)
        parts = [self.kind.code, *point, "+".join(sorted(set(_plain(names))))]
        return _bounded_id(":".join(_plain(parts)))


def _plain(texts: Iterable[str]) -> list[str]:
    """Return the texts with single spaces and without control characters; none is empty."""
    printable = (text if text.isprintable() else "".join(map(_printable, text)) for text in texts)
    return [short for text in printable if (short := " ".join(text.split()))]


def _printable(sign: str) -> str:
    return sign if sign.isprintable() else " "


def _bounded_id(text: str) -> str:
    if len(text) <= MAX_ID:
        return text
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
    return f"{text[: MAX_ID - len(digest) - 1].rstrip()}~{digest}"
