"""What amendments can reach: the words for it, and how its parts are told from one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.names import Names
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import blocks

SPACES = {
    "enum": "enums", "kind": "unions", "piece": "populations", "space": "populations", "group": "groups",
    "state": "stores", "track": "stores", "define": "defines", "value": "defines", "table": "tables",
    "calendar": "calendars",
    "modifier": "modifiers", "choice": "choices", "procedure": "procedures", "sequence": "procedures",
    "scenario": "procedures", "roll": "rolls", "event": "events", "invariant": "promises",
}  # fmt: skip
"""The mapping of `Names` that holds what each address word names."""
SAME = {"value": "define", "sequence": "procedure", "scenario": "procedure", "track": "state"}
"""Words for one sort of thing, and the one that stands for all."""
STEPS = ("step", "phase", "segment")

OWNERS = {
    "decider": ("choice",), "verb": ("choice",), "let": ("choice",), "norm": ("choice",),
    "stack": ("roll",), "column": ("table",), "field": ("piece", "space", "group", "kind"),
    "result": ("define", "value", "table", "procedure"),
    "parameter": ("define", "value", "table", "roll", "choice", "procedure", "state", "track"),
}  # fmt: skip
"""What each word for a part may be of."""
PARTS = {
    "let": "lets", "parameter": "params", "stack": "stacking", "field": "fields", "column": "columns",
}  # fmt: skip
"""The attribute of an item that holds its parts of one sort, which have names."""


def parts_of(word: str, item: Any) -> dict[str, Any]:
    """Return the parts of an item of one sort, by name; a column may be unnamed."""
    parts = getattr(item, PARTS[word], ())
    return {part.name if isinstance(part, i.Column) else part.name.text: part for part in parts}


@frozen
class Target:
    """A thing that an amendment reaches.

    Attributes:
        word: A word of `SPACES` or `OWNERS`, or `row`, `cell`, `case`, `clause`, `statement`.
        name: The item's.
        part: Where the part stands, if it is one that has a place of its own.
        inner: The part's name, if it is found by that.
        of: The item's word, where the part's does not tell.
    """

    word: str
    name: str
    part: Span | None = None
    inner: str = ""
    of: str = ""


Thing = i.Norm | i.TableRow | i.Case | i.Clause | i.Stacking | s.Statement | i.Item
Found = tuple[Target, set[str], Thing]
"""What is reached, the printed numbers that it cites, and the thing."""


def column_names(cell: i.Cell) -> set[str]:
    """The words by which an amendment names the column that a cell heads."""
    return {cell.column_name, *(name.text for name in cell.names)}


def same_key(one: i.Cell, other: i.Cell) -> bool:
    """Whether two cells say the same key."""
    first, second = ((cell.low, cell.high, [name.text for name in cell.names]) for cell in (one, other))
    kinds = {one.kind, other.kind}
    return first == second and (len(kinds) == 1 or kinds <= {"int", "signed"} or kinds <= {"range", "hyphen"})


Placed = tuple[str, s.Statement, tuple[s.Statement, ...]]
"""The name of what a statement is in, the statement, and the statements around it."""


def statements_in(
    owner: str, body: tuple[s.Statement, ...], around: tuple[s.Statement, ...] = ()
) -> Iterator[Placed]:
    """Every statement of a block, and of the blocks in it."""
    for statement in body:
        yield owner, statement, around
        for block in blocks(statement):
            yield from statements_in(owner, block, (*around, statement))


def ids_of(cite: s.Cite | None) -> set[str]:
    """The numbers of a citation."""
    return set(cite.ids) if cite is not None else set()


@dataclass(slots=True)
class Parts:
    """The parts of things that can be reached: of a rule set as it is declared, or what variants bring.

    `by_number` are the places of norms and rows that only their numbers reach: they stand in
    for one with a name of its own.
    """

    by_number: set[Span] = field(default_factory=set)
    norms: list[tuple[str, i.Norm]] = field(default_factory=list)
    rows: list[tuple[str, i.TableRow]] = field(default_factory=list)
    statements: list[Placed] = field(default_factory=list)
    cases: list[tuple[str, i.Case]] = field(default_factory=list)
    clauses: list[tuple[str, str, i.Clause]] = field(default_factory=list)
    classes: list[tuple[str, i.Stacking]] = field(default_factory=list)

    @classmethod
    def declared(cls, names: Names) -> Parts:
        """Those of a rule set without any amendment."""
        parts = cls()
        for name, choice in names.choices.items():
            parts.add_norms(name, choice.norms)
        for name, table in names.tables.items():
            parts.rows += [(name, row) for row in table.rows[1:]]
        routines: tuple[i.Procedure | i.EventDecl, ...]
        routines = (*names.procedures.values(), *names.events.values())
        for routine in routines:
            parts.statements += statements_in(routine.name.text, routine.body)
        for name, define in names.defines.items():
            parts.cases += [(name, case) for case in define.cases if isinstance(case, i.Case)]
        for name, modifier in names.modifiers.items():
            parts.clauses += [("modifier", name, clause) for clause in modifier.clauses]
        for name, roll in names.rolls.items():
            parts.classes += [(name, stack) for stack in roll.stacking]
        return parts

    def add_norms(self, choice: str, norms: tuple[i.Norm, ...]) -> None:
        """Norms of a choice, with their clauses."""
        for norm in norms:
            self.norms.append((choice, norm))
            self.clauses += [("norm", choice, clause) for clause in norm.clauses]

    def add(self, other: Parts) -> None:
        """Add those of another."""
        self.by_number |= other.by_number
        for part in ("norms", "rows", "statements", "cases", "clauses", "classes"):
            getattr(self, part).extend(getattr(other, part))

    def drop_misplaced(self, names: Names) -> None:
        """Drop norms of items that are not choices, rows of those that are not tables, and so on."""
        self.norms = [(name, norm) for name, norm in self.norms if name in names.choices]
        self.rows = [(name, row) for name, row in self.rows if name in names.tables]
        self.cases = [(name, case) for name, case in self.cases if name in names.defines]
        self.classes = [(name, stack) for name, stack in self.classes if name in names.rolls]
        self.clauses = [part for part in self.clauses if part[0] != "norm" or part[1] in names.choices]

    def norms_of(self, choice: str) -> list[i.Norm]:
        """The norms of a choice that their names reach."""
        return [norm for of, norm in self.norms if of == choice and norm.span not in self.by_number]

    def rows_of(self, table: str) -> list[i.TableRow]:
        """The rows of a table that their keys reach."""
        return [row for of, row in self.rows if of == table and row.span not in self.by_number]

    def citing(self) -> Iterator[Found]:
        """Norms, rows and statements with citations of their own."""
        for name, norm in self.norms:
            yield Target("norm", name, norm.span), ids_of(norm.cite), norm
        for name, row in self.rows:
            yield Target("row", name, row.span), ids_of(row.cite), row
        for owner, statement, around in self.statements:
            # A step of one line has its citation once, and so has the statement in it.
            if all(outer.cite != statement.cite for outer in around):
                yield Target("statement", owner, statement.span), ids_of(statement.cite), statement

    def fine(self) -> Iterator[Found]:
        """Lines of definitions, clauses that stand on a line of their own, and classes of modifiers."""
        for name, case in self.cases:
            yield Target("case", name, case.span), ids_of(case.cite), case
        for word, name, clause in self.clauses:
            yield Target("clause", name, clause.span, of=word), ids_of(clause.cite), clause
        for name, stack in self.classes:
            yield Target("stack", name, inner=stack.name.text, of="roll"), ids_of(stack.cite), stack


class PartIndex:
    """All that can be reached in a rule set, gathered once."""

    def __init__(self, names: Names) -> None:
        self.declared = Parts.declared(names)
        self._brought = {name: Parts() for name in names.variants}
        self._variants = names.variants
        self._bring_parts(names)

    def _bring_parts(self, names: Names) -> None:
        """Gather what variants bring, also to what others bring, which only a printed number reaches."""
        by_number = _names_by_number(self.declared)
        for space in _CITED:
            for name, item in getattr(names, space).items():
                for number in ids_of(item.cite):
                    by_number.setdefault(number, name)
        waiting = [
            (variant.name.text, amendment)
            for variant in names.variants.values()
            for amendment in variant.amendments
            if _has_owner(amendment.address, names)
        ]
        while waiting:
            rest: list[tuple[str, i.Amendment]] = []
            for variant, amendment in waiting:
                owner = _owner_of(amendment.address, by_number)
                if owner is None:
                    rest.append((variant, amendment))
                    continue
                parts = parts_brought([(owner, amendment)])
                parts.drop_misplaced(names)
                self._brought[variant].add(parts)
                for number, name in _names_by_number(parts).items():
                    by_number.setdefault(number, name)
            if len(rest) == len(waiting):
                return
            waiting = rest

    def beside(self, variant: str) -> Parts:
        """What all variants but this one bring."""
        others = Parts()
        for name, parts in self._brought.items():
            if name != variant:
                others.add(parts)
        return others

    def brings(self, place: Span) -> str:
        """The variant that brings what is at a place."""
        return next(name for name, variant in self._variants.items() if variant.span.contains(place))


_CITED = ("modifiers", "defines", "procedures", "tables", "choices")
"""The mappings of items that are reached by the number in their first line."""


def _has_owner(address: i.Address, names: Names) -> bool:
    """Whether the item that an address names is declared; true if it names none."""
    owner, word = (
        (address.name, address.word) if address.of_name is None else (address.of_name, address.of_word)
    )
    return owner is None or word not in SPACES or owner.text in getattr(names, SPACES[word])


def _owner_of(address: i.Address, by_number: Mapping[str, str]) -> str | None:
    """The name of the item that an address is in; None if nothing has its number."""
    if address.cite is not None:
        return next((by_number[number] for number in address.cite.ids if number in by_number), None)
    owner = address.of_name or address.name
    return owner.text if owner is not None else ""


def _names_by_number(parts: Parts) -> dict[str, str]:
    """The item that the first part with each printed number is in."""
    names: dict[str, str] = {}
    for target, numbers, _ in (*parts.citing(), *parts.fine()):
        for number in numbers:
            names.setdefault(number, target.name)
    return names


def parts_brought(amendments: Iterable[tuple[str, i.Amendment]]) -> Parts:
    """Return the parts that the text of some amendments has, each with the name of the item that it amends.

    What stands in for a single norm or row is meant by that one's name, whoever amends it.
    """
    parts = Parts()
    for name, amendment in amendments:
        address = amendment.address
        parts.add_norms(name, amendment.norms)
        rows = amendment.rows[1:] if address.word == "table" and amendment.op == "replace" else amendment.rows
        parts.rows += [(name, row) for row in rows]
        if address.word not in ("choice", "table"):
            parts.by_number |= {norm.span for norm in amendment.norms} | {row.span for row in rows}
        parts.statements += statements_in(name, amendment.body)
        if address.word == "roll" and amendment.op == "add":
            parts.classes += [(name, stack) for stack in amendment.stacking]
        if amendment.op == "redefine":
            parts.cases += [(name, case) for case in amendment.cases if isinstance(case, i.Case)]
    return parts
