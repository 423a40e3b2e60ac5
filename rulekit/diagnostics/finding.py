"""One finding, as data: no colour, no layout."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.diagnostics.kinds import Kind
from rulekit.source import Span


@dataclass(frozen=True, slots=True)
class Label:
    """Another place that matters, with its word."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What is wrong here.

    `message`: this case, naming the author's things; lower case, one sentence, no full stop, the author's
    text in backticks.  `hint`: what to do; never the message again.  `under`: the word beside the underline.
    """

    kind: Kind
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    hint: str | None = None
    under: str = ""
