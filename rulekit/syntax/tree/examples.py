"""Items as written: examples."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.syntax.tree.expr import Expr, Name
from rulekit.syntax.tree.stmt import Cite, Simple


@frozen
class Given:
    """One thing given: pieces at a `place`, a `value`, a `flag` (`no_flag`: its absence), a `scenario`.

    `with` and `without` name an option that must be chosen, or must not be, for the example to be asked.
    """

    span: Span
    kind: Literal["place", "value", "flag", "no_flag", "scenario", "with", "without"]
    subjects: tuple[Expr, ...]
    value: Expr | None
    name: Name | None


@frozen
class Answer:
    """One part of an answer: a value, `item -> value`, or `done`; `by` whom, if that is said."""

    span: Span
    item: Expr | None
    value: Expr | None
    by: Expr | None = None


@frozen
class Then:
    """`refused` holds the citation of `then refused by`, `breaks` and `asks` the name behind that word."""

    span: Span
    cite: Cite | None
    condition: Expr | None
    refused: Cite | None
    fault: bool
    breaks: Name | None = None
    asks: Name | None = None
    by: Expr | None = None


@frozen
class Example:
    span: Span
    cite: Cite | None
    title: str
    given: tuple[Given, ...]
    when: tuple[Simple, ...]
    dice: tuple[tuple[Name, tuple[int, ...]], ...]
    draws: tuple[tuple[Name, tuple[Expr, ...]], ...]
    answers: tuple[tuple[Name, tuple[Answer, ...]], ...]
    then: tuple[Then, ...]
