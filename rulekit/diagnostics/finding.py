"""One finding, as data: no colour, no layout."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics.kinds import Kind

MAX_ID = 160
"""Characters of an id; of a longer one the end is told by a digest."""
_QUOTED = re.compile(r"`([^`]*)`")


@frozen
class Label:
    """Another place that matters, with its word."""

    span: Span
    text: str


@frozen
class Edit:
    """Text to stand in the place of a span; an empty span is a place between two characters."""

    span: Span
    text: str


@frozen
class Fix:
    """What certainly mends a finding: edits that belong together.  `title`: what is done, as an order."""

    title: str
    edits: tuple[Edit, ...]


@frozen
class Replay:
    """A game that comes to a fault: in words, and as the file of answers that plays it again."""

    told: tuple[str, ...]
    log: str


@frozen
class Diagnostic:
    """What is wrong here.

    `message`: this case, naming the author's things; lower case, one sentence, no full stop, the author's
    text in backticks.  `hint`: what to do; never the message again.  `under`: the word beside the underline.
    `key`: what makes it the same finding tomorrow: the point it is about (`choice aim`), then the names of
    what is at fault there.  `fix`: only where it is certain.  `accepted`: why the rule set accepts it.
    `example`: the situation that shows it as an `example` of the language, which holds as long as the finding
    does.  `replay`: the game that comes to it.
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

    @property
    def names(self) -> tuple[str, ...]:
        """What the message has in backticks: names what is at fault where no key does."""
        return tuple(_QUOTED.findall(self.message))

    @property
    def id(self) -> str:
        """`CODE:point:names`: as long as the names last, whatever happens to files, lines and wording."""
        point, names = (self.key[:1], self.key[1:]) if self.key else ((), self.names)
        parts = [self.kind.code, *point, "+".join(sorted(set(_plain(names))))]
        return _bounded_id(":".join(_plain(parts)))


def _plain(texts: Iterable[str]) -> list[str]:
    """Texts without what an id would lose on its way through a manifest or a terminal; none is empty."""
    shown = ("".join(sign if sign.isprintable() else " " for sign in text) for text in texts)
    return [text for text in (" ".join(each.split()) for each in shown) if text]


def _bounded_id(text: str) -> str:
    if len(text) <= MAX_ID:
        return text
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
    return f"{text[: MAX_ID - len(digest) - 1].rstrip()}~{digest}"
