"""Rolls that, with all their modifiers, leave the range of the table or the number that they are given to.

A roll is used in the procedure that rolls, and in procedures that it hands the result to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from rulekit import ir
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.situation import Situation, find_situation
from rulekit.analysis.verdicts import Judged, NotChecked, Obligation, Proved, Refuted, Undecided, Verdict
from rulekit.base.frozen import frozen
from rulekit.diagnostics import kinds
from rulekit.ir import walk
from rulekit.ir.conditions import FLAG, conjunction, negation
from rulekit.ir.memo import Trees
from rulekit.ir.types import Int, Member, SetOf, Type

BUDGET: Final = 40_000
_LEAVING = (ir.Leave, ir.Next, ir.Return, ir.Finish)
Rolls = Mapping[str, ir.Roll]
"""Rolls by the local that has their result."""


@frozen
class Use:
    """A number that is held to a range, where it is made of one roll's result, the local `name`.

    `given` holds wherever it is; `plain`: nothing else is read that is bound outside, and the roll itself is
    modified.  `certain`: `given` is all that is asked before it comes to this.
    """

    roll: ir.Roll
    name: str
    value: ir.Op
    given: tuple[ir.Expr, ...]
    site: int
    plain: bool
    certain: bool


@frozen
class _Way:
    """What holds at a place: conditions that read no state; `certain`: there are no others."""

    rolls: Rolls
    params: frozenset[str]
    given: tuple[ir.Expr, ...] = ()
    certain: bool = True
    inside: tuple[str, ...] = ()

    def when(self, condition: ir.Expr) -> _Way:
        """The same where a condition holds, too."""
        if _steady(condition):
            return replace(self, given=(*self.given, condition))
        return replace(self, certain=False)

    def unless(self, condition: ir.Expr) -> _Way:
        """The same where it does not."""
        return self.when(negation(condition))


class Rolled:
    """The uses of rolls in one program.

    Args:
        trees: What is known of trees of the program.
    """

    def __init__(self, program: ir.Program, trees: Trees | None = None) -> None:
        self._procedures = program.by_name.procedures
        self._trees = trees or Trees()
        self._met: dict[str, ir.Procedure | None] = {}

    def uses(self, procedure: ir.Procedure) -> Sequence[Use]:
        """Those of the rolls of a procedure.

        Those that are not plain and certain are left out: it takes more than this to know what comes to them.
        """
        known = self._trees.get("uses", procedure)
        if known is None or any(self._procedures.get(name) is not callee for name, callee in known[0]):
            self._met = {}
            uses = tuple(self._uses(procedure))
            known = tuple(self._met.items()), uses
            self._trees.put("uses", procedure, known)
        result: Sequence[Use] = known[1]
        return result

    def _uses(self, procedure: ir.Procedure) -> Iterator[Use]:
        bound = [stmt for stmt in walk.statements(procedure.body) if isinstance(stmt, ir.Roll)]
        names = [_result_name(stmt) for stmt in bound]
        rolls = {_result_name(stmt): stmt for stmt in bound if names.count(_result_name(stmt)) == 1}
        if rolls:
            params = frozenset(param.name for param in procedure.params)
            way = _Way(rolls, params, inside=(procedure.name,))
            yield from (use for use in self._block(procedure.body, way) if use.plain or use.certain)

    def _block(self, block: ir.Block, way: _Way) -> Iterator[Use]:
        for stmt in block:
            for e in walk.expressions(stmt):
                yield from _within(e, way, stmt.site)
            if isinstance(stmt, ir.When):
                yield from self._block(stmt.then, way.when(stmt.condition))
                yield from self._block(stmt.otherwise, way.unless(stmt.condition))
                if _leaves(stmt.then):
                    way = way.unless(stmt.condition)
                elif _leaves(stmt.otherwise):
                    way = way.when(stmt.condition)
                elif any(_leaves((part,)) for part in walk.statements((*stmt.then, *stmt.otherwise))):
                    way = replace(way, certain=False)
                continue
            for inner in walk.blocks(stmt):
                yield from self._block(inner, way)
            if isinstance(stmt, ir.Do):
                yield from self._uses_in_call(stmt, way)

    def _uses_in_call(self, stmt: ir.Do, way: _Way) -> Iterator[Use]:
        """The uses in a procedure that gets a result as it is."""
        callee = self._met[stmt.procedure] = self._procedures.get(stmt.procedure)
        if callee is None or callee.name in way.inside:
            return
        rolls: dict[str, ir.Roll] = {}
        for param, argument in zip(callee.params, stmt.arguments, strict=True):
            if isinstance(argument, ir.Local) and argument.name in way.rolls:
                rolls[param.name] = way.rolls[argument.name]
        rebound = {inner.local.name for inner in walk.statements(callee.body) if isinstance(inner, ir.Let)}
        if not rolls or rebound & set(rolls):
            return
        there = _Way(rolls, frozenset(), (), way.certain and not way.given, (*way.inside, callee.name))
        yield from (replace(use, plain=False) for use in self._block(callee.body, there))

    def members(self, procedure: ir.Procedure, name: str) -> int | None:
        """The members that a parameter has in play; all of its type where nobody does the procedure.

        None: that depends on more than is looked at.
        """
        number = next(n for n, param in enumerate(procedure.params) if param.name == name)
        members, called = 0, False
        for what, argument in self._arguments.get(procedure.name, {}).get(number, ()):
            called = True
            if what is None:
                return None
            members |= what if argument is None else 1 << argument
        return members if called else -1

    @cached_property
    def _arguments(self) -> Mapping[str, Mapping[int, list[tuple[int | None, int | None]]]]:
        """For each procedure and parameter what it gets: members, or one, or (None) nobody knows."""
        gets: dict[str, dict[int, list[tuple[int | None, int | None]]]] = {}

        def look(block: ir.Block, loops: Mapping[str, int], *, sure: bool) -> None:
            for stmt in block:
                if isinstance(stmt, ir.Do):
                    own = gets.setdefault(stmt.procedure, {})
                    for number, argument in enumerate(stmt.arguments):
                        own.setdefault(number, []).append(
                            _argument_value(argument, loops) if sure else (None, None)
                        )
                inner = dict(loops)
                if isinstance(stmt, ir.ForEach) and isinstance(stmt.over, ir.Const):
                    if isinstance(stmt.over.value, int) and stmt.alternating is None:
                        inner[stmt.var.name] = stmt.over.value
                for part in walk.blocks(stmt):
                    look(part, inner, sure=sure and not isinstance(stmt, ir.When))
                sure = sure and not any(_leaves((inside,)) for inside in walk.statements((stmt,)))

        for procedure in self._procedures.values():
            if not procedure.name.startswith("example:"):
                look(procedure.body, {}, sure=True)
        return gets


def _argument_value(argument: ir.Expr, loops: Mapping[str, int]) -> tuple[int | None, int | None]:
    if isinstance(argument, ir.Const) and isinstance(argument.value, int):
        return 0, argument.value
    if isinstance(argument, ir.Local) and argument.name in loops:
        return loops[argument.name], None
    return None, None


def _result_name(stmt: ir.Roll) -> str:
    return stmt.raw.name if stmt.local is None else stmt.local.name


def _leaves(block: ir.Block) -> bool:
    return bool(block) and isinstance(block[-1], _LEAVING)


def _within(e: ir.Expr, way: _Way, site: int) -> Iterator[Use]:
    if isinstance(e, ir.If):
        yield from _within(e.condition, way, site)
        yield from _within(e.then, way.when(e.condition), site)
        yield from _within(e.otherwise, way.unless(e.condition), site)
        return
    if isinstance(e, ir.Op) and e.op == "ranged":
        names = walk.free(e.operands[0])
        of = names & set(way.rolls)
        if len(of) == 1 and names - of <= way.params:
            (name,) = of
            roll = way.rolls[name]
            plain = len(names) == 1 and roll.modified is not None
            certain = way.certain and _steady(e.operands[0])
            yield Use(roll, name, e, way.given, site, plain, certain)
    for part in walk.children(e):
        yield from _within(part, way, site)


def _steady(e: ir.Expr) -> bool:
    """Whether an expression reads no state, and so keeps its value while locals stay."""
    return not any(isinstance(n, ir.Read | ir.Flagged | ir.At | ir.Apply) for n in walk.nodes(e))


def among(param: ir.Param, members: int) -> ir.Expr | None:
    """That a parameter is one of some members; None where any will do."""
    if members < 0 or not isinstance(param.type, Member):
        return None
    return ir.Op("has", (ir.Local(param.name, param.type), ir.Const(members, SetOf(param.type))), FLAG)


@frozen
class OutOfRange:
    """A use of a roll, and a situation in which it comes to less or more than there is room for.

    `procedure` is that which rolls; `use` says what the roll is given to; `end` is the bound that it passes.
    `because` are the modifiers that do it: the first that does so alone, else all of the roll's, of which
    there may be none.
    """

    procedure: ir.Procedure
    roll: ir.Roll
    use: str
    end: int
    above: bool
    site: int
    situation: Situation
    because: tuple[ir.Modifier, ...]


JudgedUse = Judged[Use, tuple[OutOfRange, ...]]


def judge_uses(prover: Prover, rolled: Rolled, procedure: ir.Procedure) -> Iterator[JudgedUse]:
    """Prove of each use of the rolls of a procedure that no roll leaves its range.

    Uses that read one roll are judged, and else at most what the procedure is given; conditions around them
    count as far as they read no state, which might have changed between.
    """
    for use in rolled.uses(procedure):
        name = use.value.detail.replace("`", "")
        subject = f"{use.roll.point} for {name}" if name else use.roll.point
        span = prover.program.sites[use.site].span
        obligation = Obligation("roll", use, subject, span, kinds.OFF_THE_TABLE)
        yield Judged(obligation, _judge_use(prover, rolled, procedure, use))


def _judge_use(
    prover: Prover, rolled: Rolled, procedure: ir.Procedure, use: Use
) -> Verdict[tuple[OutOfRange, ...]]:
    known = use.given if use.plain else _conditions_at(rolled, procedure, use)
    if known is None:
        return NotChecked("it depends on more than the roll and the parameters of the procedure")
    ends = [_beyond(prover, procedure, replace(use, given=known), above=above) for above in (False, True)]
    beyond = tuple(end for end in ends if isinstance(end, OutOfRange))
    if beyond:
        return Refuted(beyond)
    return next((end for end in ends if isinstance(end, Undecided)), Proved())


def _conditions_at(rolled: Rolled, procedure: ir.Procedure, use: Use) -> tuple[ir.Expr, ...] | None:
    """What is known where a use is that reads more than the roll; None: too little to ask."""
    known = list(use.given)
    read = frozenset().union(*map(walk.free, (use.value.operands[0], *known)))
    for param in procedure.params:
        if param.name not in read:
            continue
        members = rolled.members(procedure, param.name)
        if members is None:
            return None
        one = among(param, members)
        if one is None and members >= 0:
            return None
        known += [] if one is None else [one]
    return tuple(known)


def _beyond(
    prover: Prover, procedure: ir.Procedure, use: Use, *, above: bool
) -> OutOfRange | Undecided | None:
    value, low, high = use.value.operands
    end = high if above else low
    if not isinstance(end, ir.Const) or not isinstance(end.value, int):
        return None
    kind = value.type
    if isinstance(kind, Int) and not (kind.high > end.value if above else kind.low < end.value):
        return None
    roll = use.roll
    test = conjunction(*use.given, ir.Op("gt" if above else "lt", (value, end), FLAG))
    test = walk.substitute(test, {use.name: roll.modified or roll.raw})
    point = ("roll", roll.point)
    modifiers = tuple(item for item in prover.program.modifiers if (item.of, item.point) == point)
    for alone in modifiers:
        idle = [_idle(other, roll) for other in modifiers if other is not alone]
        answer = _situation(prover, conjunction(*idle, test), roll)
        if isinstance(answer, Refuted):
            situation = answer.evidence
            return OutOfRange(
                procedure, roll, use.value.detail, end.value, above, use.site, situation, (alone,)
            )
    answer = _situation(prover, test, roll)
    if not isinstance(answer, Refuted):
        return answer if isinstance(answer, Undecided) else None
    return OutOfRange(
        procedure, roll, use.value.detail, end.value, above, use.site, answer.evidence, modifiers
    )


def _idle(modifier: ir.Modifier, roll: ir.Roll) -> ir.Expr:
    """That a modifier does not act on a roll."""
    if not modifier.acts:
        return ir.Const(False, FLAG)
    kind = Int(0, len(modifier.clauses))
    clause = ir.Apply(modifier.acts, (roll.raw, *roll.arguments), kind)
    return ir.Op("ne", (clause, ir.Const(0, kind)), FLAG)


def _situation(prover: Prover, test: ir.Expr, roll: ir.Roll) -> Refuted[Situation] | Proved | Undecided:
    params = [_rename(ir.Param(name, type_), roll) for name, type_ in _locals(test).items()]
    test = walk.substitute(test, {roll.raw.name: ir.Local("rolled", roll.raw.type)})
    return find_situation(prover, params, test, BUDGET)


def _rename(param: ir.Param, roll: ir.Roll) -> ir.Param:
    return ir.Param("rolled", param.type) if param.name == roll.raw.name else param


def _locals(test: ir.Expr) -> dict[str, Type]:
    wanted = walk.free(test)
    nodes = (node for node in walk.nodes(test) if isinstance(node, ir.Local) and node.name in wanted)
    return {node.name: node.declared or node.type for node in nodes}
