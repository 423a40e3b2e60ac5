"""Claims, errata and examples as written: statements that a booklet repeats, and its worked cases."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.syntax.tree.components import Param
from rulekit.syntax.tree.expr import Expr, Name
from rulekit.syntax.tree.rules import Norm
from rulekit.syntax.tree.stmt import Cite, Simple


@frozen
class Given:
    """One thing given: pieces at a `place`, a `value`, a `flag` (`no_flag`: its absence), a `scenario`.

    `with` and `without` name an option that must be chosen, or must not be, for the example to be asked.
    `sampler`: it is asked only while every sampler is in use, and may name members of samplers.
    `example` names by its title the example that this one begins as.
    """

    span: Span
    kind: Literal["place", "value", "flag", "no_flag", "scenario", "with", "without", "example", "sampler"]
    subjects: tuple[Expr, ...]
    value: Expr | None
    name: Name | None


@frozen
class Answer:
    """One part of an answer: a value, `item -> value`, the values of a record; `by`: the side that answers.

    With `done`, the word stands for the last value.
    """

    span: Span
    values: tuple[Expr, ...]
    done: bool
    by: Expr | None


@frozen
class Then:
    """`refused` holds the citation of `then refused by`, `breaks` and `asks` the name behind that word.

    `after`: how many steps (`when` and `let` lines) of the example come before it.
    """

    span: Span
    cite: Cite | None
    condition: Expr | None
    refused: Cite | None
    fault: bool
    breaks: Name | None = None
    asks: Name | None = None
    by: Expr | None = None
    after: int = 0


@frozen
class Measure:
    """A question about all outcomes: the chances of the values of an expression, or its mean.

    `stated` is what is printed of it, as numerator and denominator, and `relation` whether it is this, at
    least or at most; None if nothing is.  `rounded`: whether 38 in 100 stands for all that is nearest to it
    among the hundredths.
    """

    span: Span
    cite: Cite | None
    word: Literal["chance", "mean"]
    of: Expr
    relation: Literal["", "is", "at_least", "at_most"]
    stated: tuple[int, int] | None
    rounded: bool
    after: int


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
    measures: tuple[Measure, ...] = ()

    @property
    def for_sampler(self) -> bool:
        """True if it is asked only with the members and numbers of samplers."""
        return any(given.kind == "sampler" for given in self.given)


@frozen
class Stated:
    """A condition: of the beginning or, with parameters, of every case (`holds`); of every moment of play."""

    span: Span
    word: Literal["holds", "always", "never"]
    condition: Expr
    when: Expr | None


@frozen
class Ruling:
    """A statement that a choice forbids, permits or requires: the norm that it would have."""

    span: Span
    choice: Name
    norm: Norm


@frozen
class Pointer:
    """`see [5.5] for raiders`: a printed number, and the subject expected under it."""

    span: Span
    cite: Cite
    thing: Name | None


@frozen
class Named:
    """`there is "Navy Yard"`: something has this name or title."""

    span: Span
    text: str


@frozen
class Point:
    """A point of the sequence of play: something by its name, or what cites a printed number."""

    span: Span
    word: Literal["step", "procedure", "choice", "roll", "cited"]
    name: Name | None
    cite: Cite | None


@frozen
class Before:
    """One point of the sequence of play comes before another."""

    span: Span
    first: Point
    second: Point


@frozen
class Claim:
    """`content` is an example where the claim is one."""

    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    needs: tuple[Name, ...]
    content: Stated | Ruling | Pointer | Named | Before | Example


@frozen
class Errata:
    """Readings as printed and the one played; a reading is a condition, or words where none can be."""

    span: Span
    cite: Cite | None
    name: Name
    title: str
    needs: tuple[Name, ...]
    printed: tuple[tuple[Expr | str, Cite | None], ...]
    play: tuple[tuple[Expr | str, Cite | None], ...]
    settles: tuple[Name, ...]
    by: str
    reason: str
