"""Every mutant of a rule set, in the order of the rules, and the choice of some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from rulekit.analysis.mutate.mutant import Mutant, Mutation, Path, Text, Visit, visits
from rulekit.analysis.mutate.operators import OPERATORS
from rulekit.base.cache import key_of
from rulekit.base.source import Source, Span
from rulekit.compiler.names import Names, name_of
from rulekit.syntax.parse.comments import without_citation
from rulekit.syntax.tree.items import Procedure
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.walk import nodes

SPACES: Mapping[str, str] = {
    "calendars": "calendar",
    "defines": "define",
    "tables": "table",
    "rolls": "roll",
    "modifiers": "modifier",
    "choices": "choice",
    "procedures": "procedure",
    "events": "event",
    "variants": "exception",
}
"""Mappings of `Names` that hold rules.

Pieces, spaces, how a game begins and what a scenario sets up are facts: claims hold them against print.
Invariants, assumptions, examples and claims are what mutants are held against.
"""


def mutants(names: Names, sources: Iterable[Source]) -> Iterator[Mutant]:
    """Yield all changes of all rules, by file and place."""
    text = _reader(sources)
    items = [
        (space, name, item)
        for space in SPACES
        for name, item in getattr(names, space).items()
        if not (isinstance(item, Procedure) and item.sort == "scenario")
    ]
    items.sort(key=lambda entry: (entry[2].span, entry[0]))
    for space, name, item in items:
        owner = f"{getattr(item, 'word', None) or getattr(item, 'sort', SPACES[space])} {name_of(item)}"
        numbers: Counter[str] = Counter()
        cited = _Cited()
        for operator, visit, change in _changes(item, text):
            numbers[operator] += 1
            yield Mutant(
                id=f"{operator}:{owner}:{numbers[operator]}",
                operator=operator,
                owner=owner,
                rules=cited.rules(visit, change.span),
                span=change.span,
                was=text(change.span),
                now=change.now,
                space=space,
                name=name,
                path=visit.path,
                node=change.node,
                within=tuple(_around(visit, change.span)),
            )


def _changes(item: Any, text: Text) -> Iterator[tuple[str, Visit, Mutation]]:
    """The changes of an item by their operators, sorted by place."""
    changes = [
        (name, visit, change)
        for visit in visits(item)
        for name, operator in OPERATORS.items()
        for change in operator(visit, text)
    ]
    return iter(sorted(changes, key=lambda entry: (entry[2].span.line, entry[2].span.column)))


def _around(visit: Visit, span: Span) -> Iterator[Span]:
    """The places of a change and of the nodes around it, the innermost first."""
    yield span
    for node in (visit.node, *reversed(visit.around)):
        if isinstance(getattr(node, "span", None), Span):
            yield node.span


class _Cited:
    """The citations of one item, found once: a table may have thousands of changes."""

    def __init__(self) -> None:
        self._inside: dict[Path, dict[Span, tuple[str, ...]]] = {}

    def rules(self, visit: Visit, span: Span) -> tuple[str, ...]:
        """The citation of the innermost node around a change that has one; first of parts at its place."""
        inside = self._inside.get(visit.path)
        if inside is None:
            inside = self._inside[visit.path] = {}
            parts: Iterator[Any] = nodes(visit.node)
            for node in parts:
                if (ids := _ids(node)) is not None:
                    inside.setdefault(node.span, ids)
        if span in inside:
            return inside[span]
        around = (_ids(node) for node in (visit.node, *reversed(visit.around)))
        return next((ids for ids in around if ids is not None), ())


def _ids(node: Any) -> tuple[str, ...] | None:
    cite = getattr(node, "cite", None)
    return cite.ids if isinstance(cite, Cite) else None


def _reader(sources: Iterable[Source]) -> Text:
    """Gives the text at a place, in one line, without citations."""
    by_file = {source.file: source for source in sources}

    def text(span: Span) -> str:
        rows = by_file[span.file].rows(span) if span.file in by_file else ()
        return " ".join(without_citation(row).strip() for row in rows).strip()

    return text


def choose_mutants(
    mutants: Iterable[Mutant],
    *,
    operators: Collection[str] = (),
    only: str | None = None,
    sample: int | None = None,
    seed: str = "0",
) -> tuple[Mutant, ...]:
    """Return the chosen mutants, in their order.

    Args:
        operators: Names of operators; without any, all of them.
        only: A part of the item's name or of the file's, or a printed rule.
        sample: At most so many, at random by a mutant's id and the seed alone, so that an edit elsewhere
            keeps the others in.
    """
    chosen = [mutant for mutant in mutants if not operators or mutant.operator in operators]
    if only is not None:
        chosen = [mutant for mutant in chosen if _is_meant(mutant, only)]
    if sample is not None and len(chosen) > sample:
        drawn = {mutant.id for mutant in by_lot(chosen, seed)[:sample]}
        chosen = [mutant for mutant in chosen if mutant.id in drawn]
    return tuple(chosen)


def by_lot(mutants: Iterable[Mutant], seed: str = "0") -> list[Mutant]:
    """Return mutants in an order of chance, which depends on their ids and the seed alone."""
    return sorted(mutants, key=lambda mutant: key_of(seed, mutant.id))


def _is_meant(mutant: Mutant, only: str) -> bool:
    wanted = only.casefold()
    return only in mutant.rules or any(wanted in text.casefold() for text in (mutant.owner, mutant.span.file))
