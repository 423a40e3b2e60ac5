"""The rules, pieces and lines that apply in a scenario or a month.

Parts that play cannot reach from there are left out; parts in doubt are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from rulekit import ir
from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.ir import types as t
from rulekit.ir.reachable import of_procedures
from rulekit.ir.walk import expressions, nodes, statements
from rulekit.reports.sheet.reachability.expressions import Spent
from rulekit.reports.sheet.reachability.guess import Guess, Kinds, join, number
from rulekit.reports.sheet.reachability.memory import Cells, Memory
from rulekit.reports.sheet.reachability.start import (
    MonthReader,
    Start,
    start_of,
    states_that_invariants_leave,
)
from rulekit.reports.sheet.reachability.statements import Walker
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import nodes as syntax_nodes

Place = tuple[str, int, int]
_NO_RULES = (i.Example, i.Claim, i.Errata, i.Promise, i.Variant)


@frozen
class Applies:
    """The parts of a rule set that apply; without a scenario and a date, all of it.

    Attributes:
        gone: Unreachable places in the rules: statements, norms, modifiers, definitions, tables.
        rows: Rows of tables that no look-up can find.
        rules: Printed rules that nothing else cites, by their ids.
        choices, rolls: Those that are never asked or made.
        pieces: Those that can be in play, by their names with spaces; None for all.
        placed: Those that are on the board at the beginning.
        keys: For each field with keys the values of its keys that are ever asked.
        now: The values of states that the sheet's month determines.
        begins: States without keys, as they are at the beginning.
        months: Those of the beginning, where the rules keep one.
        later: Whether the sheet's month comes after the beginning, so that the set-up is over.
        undecided: Whether the search reached its limit, so that everything counts as applicable.
    """

    gone: frozenset[Place] = frozenset()
    rows: frozenset[Place] = frozenset()
    rules: frozenset[str] = frozenset()
    choices: frozenset[str] = frozenset()
    rolls: frozenset[str] = frozenset()
    pieces: frozenset[str] | None = None
    placed: frozenset[str] = frozenset()
    keys: Mapping[str, tuple[Guess, ...]] = field(default_factory=dict)
    now: Mapping[str, Guess] = field(default_factory=dict)
    begins: Mapping[str, ir.expr.Value] = field(default_factory=dict)
    months: tuple[int, ...] = ()
    later: bool = False
    undecided: bool = False

    def at(self, span: Span) -> bool:
        """True if a place is reachable."""
        return place(span) not in self.gone

    def row(self, span: Span) -> bool:
        """Return whether a row of a table can be looked up."""
        return place(span) not in self.rows


EVERYTHING = Applies()
UNDECIDED = Applies(undecided=True)


def place(span: Span) -> Place:
    """The value something begins with."""
    return span.file, span.line, span.column


def applies(compiled: Compiled, scenario: str, date: int | None) -> Applies:
    """Return the parts that apply in a scenario (by its name) and a month; `""` and None mean any."""
    program = compiled.program
    chosen = scenario_named(program, scenario)
    if chosen is None and date is None or not program.entry:
        return EVERYTHING
    try:
        return _Finder(compiled, chosen, date).result()
    except Spent:
        return UNDECIDED


def scenario_named(program: ir.Program, name: str) -> ir.Scenario | None:
    """A scenario by its name, also with hyphens or spaces."""
    names = (name, "_".join(name.replace("-", " ").split()))
    return next((scenario for scenario in program.scenarios if scenario.name in names), None)


class _Finder:
    def __init__(self, compiled: Compiled, chosen: ir.Scenario | None, date: int | None) -> None:
        self._compiled, self._program = compiled, compiled.program
        self._kinds = Kinds(self._program)
        calendar = next(iter(compiled.names.calendars), "")
        self._calendar = MonthReader(self._program, self._kinds, calendar)
        self._fixed = {} if date is None else self._calendar.states_in(date)
        if date is not None:
            self._fixed |= states_that_invariants_leave(self._program, self._kinds, self._fixed)
        self._sure: dict[str, Guess] = {} if date is None else {calendar: frozenset((date,))}
        self._start = None if chosen is None else start_of(self._program, chosen)
        set_ups = [scenario.procedure for scenario in self._program.scenarios]
        self._setting_up = [chosen.procedure] if chosen is not None else set_ups
        self.later = date is not None and date > self._first_month()
        if self.later:  # the set-up is over
            self._setting_up = []
        self._walkers = list(self._walk(self._start))

    def _walk(self, start: Start | None) -> Iterator[Walker]:
        size = self._kinds.sizes.get("piece", 0)
        cells: Mapping[str, Cells] = start.cells if start is not None else {}
        on = (1 << size) - 1
        if start is not None:
            on = sum(1 << piece for piece in self._begin_on_board())
        whole = start is not None and start.whole
        memory = Memory(self._program, self._kinds, cells, self._fixed)
        walker = Walker(self._program, memory, self._kinds, on, self._sure)
        walker.walk([self._program.entry] if whole else [*self._setting_up, self._program.entry])
        yield walker
        if whole and start is not None and self._setting_up:
            empty = Memory(self._program, self._kinds, {}, self._fixed)
            setter = Walker(self._program, empty, self._kinds, (1 << size) - 1, self._sure, start.ran)
            setter.walk(self._setting_up)
            yield setter

    def result(self) -> Applies:
        main = self._walkers[0]
        could, functions, choices, points = self._reachable()
        live = {self._place(site) for w in self._walkers for site in w.live}
        sites = {function.name: function.site for function in self._program.functions}
        asked = {name for w in self._walkers for name in w.reader.asked}
        acting = {f"modifier:{name}" for w in self._walkers for name in w.reader.acting}
        unread = {n for n in functions if n not in (acting if n.startswith("modifier:") else asked)}
        live |= {self._place(sites[name]) for name in functions - unread}
        gone = (could | {self._place(sites[name]) for name in unread}) - live
        # what lays the modifiers of a roll together stands where the first of them does
        gone |= {self._place(sites[name]) for name in unread if name.startswith("modifier:")}
        rows = frozenset(self._rows(functions - unread))
        on = main.reader.appearing
        placed = self._begin_on_board()
        named = next((d.members for d in self._program.domains if d.name == "piece"), ())
        pieces = tuple(name.replace("_", " ") for name in named)
        walked = {name for w in self._walkers for name in w.choices}
        not_made = frozenset(points - {name for w in self._walkers for name in w.points})
        return Applies(
            frozenset(gone),
            rows,
            frozenset(
                self._rules_not_played(
                    gone | rows | self._never(), self._idle_exceptions(could, live), not_made
                )
            ),
            frozenset(choices - walked),
            not_made,
            None
            if self._start is None
            else frozenset(pieces[n] for n in members(on | main.memory.held_pieces())),
            frozenset(pieces[n] for n in placed),
            self._keys(),
            self._fixed,
            self._begins(),
            tuple(self._months()),
            self.later,
        )

    def _first_month(self) -> int:
        """The month in which the scenario begins; without one, the first of the calendar."""
        first = min((calendar.first for calendar in self._compiled.names.calendars.values()), default=0)
        return min(self._months(), default=first)

    def _place(self, site: int) -> Place:
        at = self._program.sites[site]
        return at.file, at.line, at.column

    # -- what could come about in any game

    def _reachable(self) -> tuple[set[Place], set[str], set[str], set[str]]:
        """Places, functions, choices and rolls that are reachable from any scenario."""
        program = self._program
        own = of_procedures(program, [program.entry, *(scenario.procedure for scenario in program.scenarios)])
        places: set[Place] = set()
        asked: list[ir.Expr] = []
        points: set[str] = set()
        for procedure in own.procedures:
            places.add(self._place(procedure.site))
            for stmt in statements(procedure.body):
                places.add(self._place(stmt.site))
                asked += expressions(stmt)
                if isinstance(stmt, ir.Roll):
                    points.add(stmt.point)
        for choice in own.choices:
            places.add(self._place(choice.site))
            places |= {self._place(norm.site) for norm in choice.norms}
            asked += _of_choice(choice)
        return places, self._functions(asked), {choice.name for choice in own.choices}, points

    def _functions(self, asked: Iterable[ir.Expr]) -> set[str]:
        functions = self._program.by_name.functions
        used: set[str] = set()
        waiting = list(asked)
        while waiting:
            for node in nodes(waiting.pop()):
                if isinstance(node, ir.Apply) and node.function not in used:
                    used.add(node.function)
                    waiting.append(functions[node.function].body)
        return used

    # -- tables

    def _rows(self, functions: set[str]) -> Iterator[Place]:
        for name, table in self._compiled.model.tables.items():
            if f"table:{name}" not in functions:
                continue
            given = self._keys_asked(f"table:{name}", len(table.params))
            for span, covered in table.rows:
                for key, mask in zip(table.keys, covered, strict=True):
                    type_ = table.params[key].type
                    wanted = _positions(given[key], type_)
                    if wanted is not None and not wanted & mask:
                        yield place(span)
                        break

    def _keys_asked(self, name: str, count: int) -> tuple[Guess, ...]:
        keys: tuple[Guess, ...] = (frozenset(),) * count
        for walker in self._walkers:
            if name in walker.reader.asked:
                keys = tuple(map(join, keys, walker.reader.asked[name]))
        return keys

    def _keys(self) -> dict[str, tuple[Guess, ...]]:
        by_field: dict[str, tuple[Guess, ...]] = {}
        for walker in self._walkers:
            for name, keys in walker.reader.looked.items():
                by_field[name] = tuple(map(join, by_field[name], keys)) if name in by_field else keys
        return by_field

    def _begins(self) -> dict[str, ir.expr.Value]:
        cells = self._start.cells if self._start is not None else {}
        sure = {name: held[()] for name, held in cells.items() if len(held.get((), ())) == 1}
        return {name: next(iter(values)) for name, values in sure.items()}

    def _begin_on_board(self) -> Iterator[int]:
        """The pieces that may be on the board at the beginning."""
        cells = self._start.cells.get("place", {}) if self._start is not None else {}
        return (keys[0] for keys, values in cells.items() if any(number(value) >= 0 for value in values))

    def _months(self) -> Iterator[int]:
        """The month in which the scenario begins, if the rules set one."""
        months = self._calendar.at({k: frozenset((v,)) for k, v in self._begins().items()})
        if isinstance(months, frozenset) and len(months) == 1:
            yield from map(number, months)

    def _never(self) -> set[Place]:
        """Conditions of cases that never hold or are never reached, though their definition is used."""
        asked: dict[int, bool] = {}
        for walker in self._walkers:
            for test, holds in walker.reader.tested.items():
                asked[test] = asked.get(test, False) or holds
        cases = (condition for condition in self._compiled.model.conditions if condition.role == "case")
        used = {name for walker in self._walkers for name in walker.reader.asked}
        return {place(case.span) for case in cases if not asked.get(id(case.test), case.owner not in used)}

    # -- printed rules

    def _idle_exceptions(self, could: set[Place], live: set[Place]) -> list[i.Variant]:
        """The exceptions of which no statement and no norm can matter, where play could come to some."""
        idle = []
        for variant in self._compiled.names.variants.values():
            heads = {place(amendment.span) for amendment in variant.amendments}  # these ask if it is in force
            inside = (at for at in could - heads if _is_inside(at, variant.span))
            own = [*inside] if variant.word == "exception" else []
            if own and live.isdisjoint(own):
                idle.append(variant)
        return idle

    def _rules_not_played(
        self, gone: set[Place] | frozenset[Place], idle: Sequence[i.Variant], not_made: frozenset[str]
    ) -> Iterator[str]:
        """Printed rules that are cited, but only in unreachable places or in exceptions that are idle."""
        dead: set[str] = set()
        alive: set[str] = set()
        names = self._compiled.names
        for space in ("choices", "procedures", "defines", "tables", "modifiers", "rolls", "events"):
            for item in getattr(names, space).values():
                if not isinstance(item, _NO_RULES):
                    by = item.name.text.partition("'")[2]
                    whole = place(item.span) in gone or any(by == variant.name.text for variant in idle)
                    whole |= space == "rolls" and item.name.text in not_made
                    for ids, *at in _citations(item):
                        never = any(place(span) in gone for span in at)
                        never |= any(_is_inside(place(span), variant.span) for span in at for variant in idle)
                        (dead if whole or never else alive).update(ids)
        for space in ("enums", "populations", "unions", "groups", "externs", "calendars"):
            for item in getattr(names, space).values():
                for ids, *_ in _citations(item):
                    alive.update(ids)
        return iter(dead - alive)


def _is_inside(at: Place, span: Span) -> bool:
    file, line, _ = at
    return file == span.file and span.line <= line <= span.end_line


def _citations(item: object) -> Iterator[tuple[Sequence[str], *tuple[Span, ...]]]:
    for node in syntax_nodes(item):
        cite = getattr(node, "cite", None)
        if cite is not None:
            test = node.test if isinstance(node, i.Case) else None
            more = () if test is None else (test.span,)
            yield cite.ids, node.span, *more  # type: ignore[attr-defined]


def _of_choice(choice: ir.Choice) -> Iterator[ir.Expr]:
    yield choice.decider
    yield from (value for _, value in choice.lets)
    parts = (choice.items, choice.candidates, choice.low, choice.high, choice.total, choice.each)
    yield from (part for part in (*parts, choice.default) if part is not None)
    for norm in choice.norms:
        yield from (part for part in (norm.test, norm.cover, norm.whole) if part is not None)


def _positions(guess: Guess, type_: t.Type) -> int | None:
    """Return the positions of values along a table's key as a mask; None if they are unknown."""
    inner = type_.of if isinstance(type_, t.Optional) else type_
    if not isinstance(guess, frozenset) or isinstance(inner, t.Ratio | t.Row):
        return None
    low = inner.low if isinstance(inner, t.Int | t.Month) else 0
    mask = 0
    for value in map(number, guess):
        mask |= 1 << value - low if value >= low else 0
    return mask
