"""How much work the parts of a program may take at most, and which of them pay for it (spec 14.3).

Work is counted in *nodes*: one for each part of an expression that is evaluated, more for statements and for
large sets and lists.  What may take more than `LIGHT` nodes (`LIGHT_STEPS`, where it is statements) pays by
itself whenever it runs, and counts for nothing in what is around it; all else counts in what is around it.
All of it follows from the program as it is written, so that every back end can charge the same at the same
places.
"""

from __future__ import annotations

from math import prod
from typing import Final

from rulekit.ir import expr as x
from rulekit.ir import stmt as s
from rulekit.ir import walk
from rulekit.ir.program import Choice, Norm, Program, span_of
from rulekit.ir.semantics.most_members import ENDLESS, MostMembers
from rulekit.ir.steps import MOST_ALL_KEPT, Steps, Ways
from rulekit.ir.types import Int, ListOf, MapOf, Optional, SetOf, Type

LIGHT: Final = 100_000
"""Most nodes of a loop in an expression, or of a definition, that does not pay by itself."""
LIGHT_STEPS: Final = 3_000_000
"""The same for a loop of statements, a procedure or a choice."""
UNIT: Final = 16
"""Nodes for which one unit of the budget is paid."""
CALL: Final = 8
"""Nodes that the call of a function counts for."""
STEP: Final = 16
"""Nodes that a statement counts for."""
EVENT: Final = 512
"""Nodes that a statement which puts an event into the log counts for."""
WIDE_SET: Final = 1024
"""Members of a set for which an operation on it counts as one node more."""
WIDE_LIST: Final = 16
"""The same for the items of a list, and for the keys of a map that is changed."""
KEPT: Final = 64
"""Nodes for each `WIDE_SET` members of a set of which an event holds the value."""
ITEM: Final = 4
"""Nodes for each item of a list of which an event holds the value."""
MOST_OPTIONS: Final = 10_000
"""Most numbers that a choice can offer."""
BY_PARTS: Final = frozenset(("assign", "assign_set", "split", "arrange", "share", "pick_record"))
"""Verbs of choices whose options are worked out for each of several things: see `Work.parts`."""


class Work:
    """Bounds on the work of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._names = program.by_name
        self._most = MostMembers(program)
        self._known: dict[tuple[str, str], int] = {}

    # ------------------------------------------------------------ what pays

    def price_of_loop(self, loop: x.Binding) -> int:
        """Return the units for each run of a loop in an expression; 0 if it does not pay."""
        run = self._run(loop)
        return _units(run) if self.most_members(loop.over) * run > LIGHT else 0

    def price_of_runs(self, loop: s.ForEach | s.Repeat) -> int:
        """Return the units for each run of a statement's loop; 0 if it does not pay."""
        run = self._run_of(loop)
        return _units(run) if _is_open(loop) or self._runs(loop) * run > LIGHT_STEPS else 0

    def price_of_function(self, name: str) -> int:
        """Return the units for a call of a function; 0 if it does not pay."""
        nodes = self.function(name)
        return _units(nodes) if nodes > LIGHT else 0

    def price_of_procedure(self, name: str) -> int:
        """Return the units for a run of a procedure; 0 if it does not pay."""
        nodes = self.procedure(name)
        return _units(nodes) if nodes > LIGHT_STEPS else 0

    def price_of_choice(self, choice: Choice) -> int:
        """Return the units for asking a choice, without `price_of_part`; 0 if it does not pay."""
        nodes = self._once(choice) + (0 if choice.verb in BY_PARTS else self._part(choice))
        return _units(nodes) if self._choice(choice) > LIGHT_STEPS else 0

    def price_of_part(self, choice: Choice) -> int:
        """Return the units for each of the things whose options are worked out one by one; else 0."""
        pays = choice.verb in BY_PARTS and self._choice(choice) > LIGHT_STEPS
        return _units(self._part(choice)) if pays else 0

    def price_of_norms(self, choice: Choice) -> tuple[int, int]:
        """Return the units for judging an answer by every norm of a choice: once, and for each part.

        Norms that read neither item nor candidate are judged once.
        """
        whole, by_part = self._norms(choice)
        return _units(whole), _units(by_part)

    def price_of_test(self, e: x.Expr) -> int:
        """Return the units for an expression that is evaluated on its own, such as a promise."""
        return _units(self.expression(e))

    # ------------------------------------------------------------ expressions

    def function(self, name: str) -> int:
        """Return the most nodes of a function's body, without what pays by itself."""
        key = ("function", name)
        if key not in self._known:
            self._known[key] = LIGHT + 1
            self._known[key] = self.expression(self._names.functions[name].body)
        return self._known[key]

    def expression(self, e: x.Expr) -> int:
        """Return the most nodes that evaluating an expression takes, without what pays by itself."""
        match e:
            case x.If():
                either = max(self.expression(e.then), self.expression(e.otherwise))
                return min(1 + self.expression(e.condition) + either, ENDLESS)
            case x.Filter() | x.Fold() | x.Best() | x.Linked() | x.BestWay():
                return self._loop(e)
            case x.Apply():
                body = self.function(e.function)
                own = CALL + (0 if body > LIGHT else body)
            case x.Op():
                own = 1 + self.width(e.type) + sum(self.width(part.type) for part in e.operands)
                if e.op == "map_with":
                    own += self._keys_of(e.type) // WIDE_LIST
            case x.Static():
                own = self._look_up(e.table)
            case x.Const() | x.Local() | x.Read() | x.Flagged() | x.At():
                own = 1
        return min(own + sum(map(self.expression, walk.children(e))), ENDLESS)

    def _look_up(self, name: str) -> int:
        """Return the nodes of a look-up: a whole row for a way, and for steps where not all rows are kept."""
        table = self._names.statics.get(name)
        entries: object = None if table is None else table.values
        if isinstance(entries, Ways):
            return entries.size
        return entries.size if isinstance(entries, Steps) and entries.size > MOST_ALL_KEPT else 1

    def _loop(self, e: x.Binding) -> int:
        body = walk.inner(e)
        outside = 1 + sum(self.expression(part) for part in walk.children(e) if part is not body)
        runs = self.most_members(e.over) * self._run(e)
        return min(outside + (0 if runs > LIGHT else runs), ENDLESS)

    def _run(self, e: x.Binding) -> int:
        """Return the nodes of one run of a loop."""
        body = walk.inner(e)
        assert body is not None
        return 1 + self.expression(body) + self.width(e.type)

    def most_members(self, over: x.Expr) -> int:
        """Return the most members that a collection may have."""
        return self._most.of(over)

    def most_in_choice(self, choice: Choice, over: x.Expr) -> int:
        """Return the most members of a collection that a choice works out, after its `let`s."""
        sizes: dict[str, int] = {}
        for local, value in choice.lets:
            sizes[local.name] = self._most.of(value, sizes)
        return self._most.of(over, sizes)

    def _keys_of(self, kind: Type) -> int:
        """Return the most keys that a map has; 0 for other types."""
        return self._most.sizes[kind.key] if isinstance(kind, MapOf) else 0

    def width(self, kind: Type) -> int:
        """Return how many nodes an operation on a value counts for because of its size."""
        if isinstance(kind, SetOf):
            size = kind.of.high if isinstance(kind.of, Int) else self._names.sizes.get(kind.of.domain, 0)
            return size // WIDE_SET
        return kind.most // WIDE_LIST if isinstance(kind, ListOf) else 0

    # ------------------------------------------------------------ statements

    def procedure(self, name: str) -> int:
        """Return the most nodes of a procedure's statements, without what pays by itself."""
        key = ("procedure", name)
        if key not in self._known:
            self._known[key] = LIGHT_STEPS + 1
            self._known[key] = self.block(self._names.procedures[name].body)
        return self._known[key]

    def block(self, block: s.Block) -> int:
        """Return the most nodes of some statements, without what pays by itself."""
        return min(sum(map(self.statement, block)), ENDLESS)

    def statement(self, stmt: s.Stmt) -> int:
        """Return the most nodes of a statement and of all it runs, without what pays by itself."""
        if isinstance(stmt, s.Tell):
            return 0
        own = self._own(stmt) + sum(map(self.expression, walk.expressions(stmt)))
        if isinstance(stmt, s.When):
            return own + max(self.block(stmt.then), self.block(stmt.otherwise))
        if isinstance(stmt, s.ForEach | s.Repeat):
            runs = self._runs(stmt) * self._run_of(stmt)
            return own + (0 if _is_open(stmt) or runs > LIGHT_STEPS else runs)
        return own + sum(map(self.block, walk.blocks(stmt)))

    def _own(self, stmt: s.Stmt) -> int:
        """Return the nodes of a statement without its expressions and blocks."""
        match stmt:
            case s.Do():
                body = self.procedure(stmt.procedure)
                return STEP + (0 if body > LIGHT_STEPS else body)
            case s.Choose():
                return EVENT + self._choice_nodes(stmt.choice)
            case s.ChooseEach():
                return EVENT + self.most_members(stmt.over) * (EVENT + self._choice_nodes(stmt.choice))
            case s.Write() | s.Put():
                return EVENT + self._value_nodes(self._names.states[stmt.state].type)
            case s.MarkAll():
                return EVENT + self._value_nodes(stmt.members.type)
            case s.Place():
                return EVENT + STEP * self.most_members(stmt.pieces) + self._value_nodes(stmt.pieces.type)
            case s.Roll():
                return EVENT + STEP * self._names.points[stmt.point].dice
            case s.DrawLot():
                return EVENT + STEP * self.most_members(stmt.over) + self._value_nodes(stmt.over.type)
            case s.DrawTop() | s.Shuffle():
                kind = self._names.states[stmt.state].type
                return EVENT + STEP * self._most.of_kind(kind) + self._value_nodes(kind)
            case s.Form() | s.Dissolve():
                return EVENT + self._cells_of(stmt.domain)
            case s.Reveal() | s.Say() | s.Finish() | s.Step():
                return EVENT
            case (
                s.Let() | s.When() | s.ForEach() | s.Repeat() | s.Leave() | s.Next() | s.Return()
                | s.Together() | s.Fail() | s.Tell()
            ):  # fmt: skip
                return STEP

    def _value_nodes(self, kind: Type) -> int:
        """Return the nodes that a value counts for which an event keeps."""
        if isinstance(kind, ListOf):
            return kind.most * (ITEM + self._value_nodes(kind.of))
        return self.width(kind) * KEPT

    def _cells_of(self, domain: str) -> int:
        """Return how many values one group has."""
        sizes = self._names.sizes
        return sum(
            prod(high - low + 1 for low, high in (span_of(key, sizes) for key in state.keys)) // sizes[domain]
            for state in self.program.states
            if domain in state.keys
        )

    def _run_of(self, loop: s.ForEach | s.Repeat) -> int:
        """Return the nodes of one run of a statement's loop."""
        every = loop.control if isinstance(loop, s.Repeat) else loop.alternating
        order = loop.order.keys if isinstance(loop, s.ForEach) and loop.order else ()
        tests = sum(map(self.expression, (*order, *(() if every is None else (every,)))))
        if isinstance(loop, s.ForEach) and loop.order is not None and loop.order.kind == "chosen":
            numbers = sum(self.expression(number) for _, number in loop.order.numbers)
            tests += numbers * self.most_members(loop.over)
        return min(STEP + tests + self.block(loop.body), ENDLESS)

    def _runs(self, loop: s.ForEach | s.Repeat) -> int:
        """Return the most runs of a loop that is not open."""
        if isinstance(loop, s.ForEach):
            return self.most_members(loop.over)
        high = loop.control.type.high if isinstance(loop.control.type, Int) else 0
        return max(high, 0)

    # ------------------------------------------------------------ choices

    def _choice_nodes(self, name: str) -> int:
        """Return the most nodes for asking a choice, without what pays by itself."""
        key = ("choice", name)
        if key not in self._known:
            self._known[key] = self._choice(self._names.choices[name])
        return 0 if self._known[key] > LIGHT_STEPS else self._known[key]

    def _choice(self, choice: Choice) -> int:
        """Return the most nodes for asking a choice, without searching for legal answers."""
        many = self.parts(choice)
        parts = 1 if many is None else self.most_in_choice(choice, many)
        return min(self._once(choice) + parts * self._part(choice), ENDLESS)

    @staticmethod
    def parts(choice: Choice) -> x.Expr | None:
        """The things whose options are worked out one by one: items, or what comes first in a record."""
        if choice.fields:
            return choice.fields[0][1]
        return choice.items or choice.candidates if choice.verb in BY_PARTS else None

    def _once(self, choice: Choice) -> int:
        """Return the nodes of what is worked out before the first part of an answer."""
        once = [choice.decider, *(value for _, value in choice.lets), *(e for _, e in choice.fields[:1])]
        bounds = () if choice.verb == "assign_set" else (choice.low, choice.high)
        once += [e for e in (choice.items, *bounds, choice.total) if e is not None]
        return sum(map(self.expression, once))

    def _part(self, choice: Choice) -> int:
        """Return the nodes for the options of one part."""
        bounds = (choice.low, choice.high) if choice.verb == "assign_set" else ()
        candidates = sum(self.expression(e) for e in (choice.candidates, *bounds) if e is not None)
        whole, by_part = self._norms(choice)
        options = 1
        for _, others in choice.fields[1:]:
            candidates += options * self.expression(others)
            options = min(options * self.most_in_choice(choice, others), MOST_OPTIONS)
        if not choice.fields:
            options = self._options(choice)
        return min(EVENT + candidates + whole + options * by_part, ENDLESS)

    def _options(self, choice: Choice) -> int:
        """Return the most options of one part."""
        if choice.candidates is not None:
            return self.most_in_choice(choice, choice.candidates)
        return min(_span(choice.option.type), MOST_OPTIONS)

    def _norms(self, choice: Choice) -> tuple[int, int]:
        """Return the nodes for judging an answer once, and those for each option."""
        own = choice.part_locals
        whole, by_part = 0, 1
        for norm in choice.norms:
            if norm.per_option or (norm.whole is not None and walk.free(norm.whole) & own):
                by_part += self._norm(norm)
            else:
                whole += self._norm(norm)
        return min(whole, ENDLESS), min(by_part, ENDLESS)

    def _norm(self, norm: Norm) -> int:
        return sum(self.expression(e) for e in (norm.test, norm.cover, norm.whole) if e is not None)


def _units(nodes: int) -> int:
    """Return what is paid for some nodes: one unit at least."""
    return 1 + nodes // UNIT


def _is_open(loop: s.ForEach | s.Repeat) -> bool:
    """True if nothing bounds the runs of a loop before it begins."""
    if isinstance(loop, s.Repeat):
        return loop.kind != "times" or not isinstance(loop.control.type, Int)
    return loop.alternating is not None


def _span(kind: Type) -> int:
    if isinstance(kind, Optional):
        return _span(kind.of) + 1
    return kind.high - kind.low + 1 if isinstance(kind, Int) else 2
