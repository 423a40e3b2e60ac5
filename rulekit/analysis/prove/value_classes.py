"""Which values of a type a question tells apart: one of each class is tried.

Numbers that are only ever compared with constants fall into the stretches between these.  Members of a
domain that no table, kind or constant of the question tells apart are alike until the situation names
them, so of those not named yet one is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Final

from rulekit.base.bits import member_ids
from rulekit.ir import Apply, Const, Expr, Fold, Function, Local, Op, Program, Read, Static, StaticTable, walk
from rulekit.ir.program import span_of
from rulekit.ir.types import Int, ListOf, Member, Month, Optional, SetOf, Type

MOST_VALUES: Final = 400
"""A number with more values that are told apart is tried with some of them."""
SOME_VALUES: Final = 16
"""So many from the low end, and as many over the whole range."""
MOST_COMPARED: Final = 100
"""A number compared with something of a wider range has all its values told apart."""
_COMPARED: Final = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
_ORDERED: Final = frozenset(("to_list", "successor", "predecessor", "lt", "le", "gt", "ge", "add", "sub"))
"""Operations on members that mind how they are numbered."""


@dataclass(slots=True)
class _Cuts:
    """Where the values of one state or parameter are cut: `whole` if all of them matter."""

    at: set[int] = field(default_factory=set)
    whole: bool = False


@dataclass(slots=True)
class ClassCache:
    """What questions of one program have found, and others will."""

    slices: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """For a table and a domain that is one of its keys, the number of each member: one where its part is."""
    classes: dict[tuple[object, ...], list[int]] = field(default_factory=dict)
    """For a domain, sets of its members and tables that a question reads, the class of each member."""


class ValueClasses:
    """What one question tells apart."""

    def __init__(
        self, program: Program, functions: Mapping[str, Function], asked: Expr, found: ClassCache
    ) -> None:
        """`found`: what questions of the same program have found, and this one will."""
        self._program = program
        self._found = found
        self._tables: Mapping[str, StaticTable] = program.by_name.statics
        self._sizes = program.by_name.sizes
        self._cuts: dict[str, _Cuts] = {}
        self._read: set[str] = set()
        self._pinned: set[str] = set()
        self._marks: dict[str, set[int]] = {}
        seen: set[str] = set()
        waiting = [asked]
        while waiting:
            e = waiting.pop()
            own = e is asked
            self._note(e, own, alone=True)
            for name in {node.function for node in walk.nodes(e) if isinstance(node, Apply)} - seen:
                seen.add(name)
                waiting.append(functions[name].body)
        self._classes: dict[str, list[int] | None] = {}
        self._groups: dict[tuple[str, str], list[int] | None] = {}
        self._tried: dict[tuple[str, str, int], Sequence[int]] = {}

    # -- what the question looks at

    def _note(self, e: Expr, own: bool, *, alone: bool = False) -> None:
        """Take in an expression; `alone` if its value is used in a way that tells all its values apart."""
        if alone:
            self._whole(e, own)
        self._of_domains(e)
        # The other side of a comparison is looked at there.
        compared = isinstance(e, Op) and e.op in _COMPARED and self._compare(e, own)
        tested = isinstance(e, Op) and e.op == "is_none"
        for part in walk.children(e):
            self._note(part, own, alone=not compared and not tested)

    def _whole(self, e: Expr, own: bool) -> None:
        name = _name_of(e, own)
        if name:
            self._cuts.setdefault(name, _Cuts()).whole = True

    def _compare(self, e: Op, own: bool) -> bool:
        """Note a comparison of something read with a constant; false if it is none."""
        for left, right in (e.operands, e.operands[::-1]):
            name = _name_of(left, own)
            if not name:
                continue
            cuts = self._cuts.setdefault(name, _Cuts())
            if isinstance(right, Const) and isinstance(right.value, int):
                cuts.at.add(right.value)
                return True
            # Beyond the range of what it is compared with, all numbers compare alike.
            if isinstance(right.type, Int) and right.type.high - right.type.low < MOST_COMPARED:
                cuts.at.update(range(right.type.low, right.type.high + 1))
                self._note(right, own, alone=True)
                return True
        return False

    def _of_domains(self, e: Expr) -> None:
        match e:
            case Static():
                self._read.add(e.table)
            case Const(type=SetOf(of=Member(domain=domain))) if isinstance(e.value, int):
                self._marks.setdefault(domain, set()).add(e.value)
            case Const(type=Member(domain=domain) | Optional(of=Member(domain=domain))):
                if isinstance(e.value, int) and e.value >= 0:
                    self._marks.setdefault(domain, set()).add(1 << e.value)
            case Op(op=op) if op in _ORDERED:
                for part in e.operands:
                    self._pinned.update(_domains(part.type))
            case Fold(kind="lowest" | "highest"):
                self._pinned.update(_domains(e.body.type))
        if isinstance(e.type, ListOf):
            self._pinned.update(_domains(e.type.of))

    # -- values

    def numbers(self, name: str, kind: Int | Month, first: int) -> tuple[list[int], bool]:
        """One number of each class of a state or parameter, `first` in front; and whether these are all.

        Of more than can be listed, some are taken.
        """
        cuts = self._cuts.get(name, _Cuts())
        complete = True
        if cuts.whole and kind.high - kind.low < MOST_VALUES:
            numbers = list(range(kind.low, kind.high + 1))
        elif cuts.whole:
            complete = False
            step = (kind.high - kind.low) // SOME_VALUES
            some = {*range(kind.low, kind.low + SOME_VALUES), *range(kind.low, kind.high, step), kind.high}
            numbers = sorted(some | {at for at in cuts.at if kind.low <= at <= kind.high})
        else:
            ends = {kind.low, kind.high}
            for at in cuts.at:
                ends.update((at - 1, at, at + 1))
            numbers = sorted(one for one in ends if kind.low <= one <= kind.high)
        if kind.low <= first <= kind.high:
            numbers = [first, *(one for one in numbers if one != first)]
        return numbers, complete

    def members(self, kind: Member, named: int) -> Sequence[int]:
        """The members to try where some (a mask) are named: those, and one of each class of the others."""
        grouped = self._groups_of(kind)
        allowed = self.mask_of(kind)
        if grouped is None:
            named = allowed
        key = kind.domain, kind.name, named
        if key not in self._tried:
            members = named & allowed
            for alike in grouped or ():
                others = alike & ~named
                members |= others & -others
            self._tried[key] = member_ids(members)
        return self._tried[key]

    def _groups_of(self, kind: Member) -> list[int] | None:
        """The members of a kind by class, as masks; None if each is a class of its own."""
        key = kind.domain, kind.name
        if key not in self._groups:
            classes = self._classes_of(kind.domain)
            groups: dict[int, int] = {}
            for member in member_ids(self.mask_of(kind)) if classes is not None else ():
                number = classes[member] if classes else 0
                groups[number] = groups.get(number, 0) | 1 << member
            self._groups[key] = None if classes is None else list(groups.values())
        return self._groups[key]

    def mask_of(self, kind: Member) -> int:
        """The members of a kind, as a mask."""
        return self._program.by_name.members_of(kind)

    def _classes_of(self, domain: str) -> list[int] | None:
        """For each member of a domain the number of its class; None if each is a class of its own."""
        if domain not in self._classes:
            classes = self._classify(domain)
            self._classes[domain] = classes if len(set(classes)) < len(classes) else None
        return self._classes[domain]

    def _classify(self, domain: str) -> list[int]:
        size = self._sizes[domain]
        tables = [self._tables[name] for name in sorted(self._read)]
        pinned = domain in self._pinned or any(self._pins(table, domain) for table in tables)
        if pinned:
            return list(range(size))
        marks = sorted(self._marks.get(domain, ()))
        keyed = [table for table in tables if domain in table.keys]
        key = (domain, *marks, *(table.name for table in keyed))
        if key not in self._found.classes:
            marks += [k.members for k in self._program.kinds if k.domain == domain]
            slices = [self._slices(table, domain) for table in keyed]
            self._found.classes[key] = _class_numbers(size, marks, slices)
        return self._found.classes[key]

    def _pins(self, table: StaticTable, domain: str) -> bool:
        return table.keys.count(domain) > 1 or domain in _domains(table.type)

    def _slices(self, table: StaticTable, domain: str) -> list[int]:
        """For each member of a domain that is a key of a table, which part of the table it has."""
        key = table.name, domain
        if key not in self._found.slices:
            place = table.keys.index(domain)
            sizes = [high - low + 1 for low, high in (span_of(one, self._sizes) for one in table.keys)]
            stride = prod(sizes[place + 1 :])
            parts: list[list[object]] = [[] for _ in range(sizes[place])]
            for at, value in enumerate(table.values):
                parts[at // stride % sizes[place]].append(value)
            signs: dict[tuple[object, ...], int] = {}
            self._found.slices[key] = [signs.setdefault(tuple(part), len(signs)) for part in parts]
        return self._found.slices[key]


def _class_numbers(size: int, marks: Iterable[int], slices: Sequence[Sequence[int]]) -> list[int]:
    """Return the class of each member: those of one class are in the same marks and parts of tables."""
    alike: dict[tuple[int, ...], int] = {}
    for one, parts in enumerate(zip(*slices, strict=True)) if slices else ():
        alike[parts] = alike.get(parts, 0) | 1 << one
    groups = list(alike.values()) or [(1 << size) - 1]
    for mark in marks:
        groups = [part for group in groups for part in (group & mark, group & ~mark) if part]
    classes = [0] * size
    for number, group in enumerate(groups):
        for member in member_ids(group):
            classes[member] = number
    return classes


def _name_of(e: Expr, own: bool) -> str:
    """The state that is read there, or the question's own parameter; empty for anything else."""
    if isinstance(e, Read):
        return e.state
    return f"parameter {e.name}" if own and isinstance(e, Local) else ""


def _domains(kind: Type) -> frozenset[str]:
    if isinstance(kind, Member):
        return frozenset((kind.domain,))
    return _domains(kind.of) if isinstance(kind, Optional | SetOf | ListOf) else frozenset()
