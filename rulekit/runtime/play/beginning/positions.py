"""Play from the middle of the sequence: a program whose procedures begin at a step of the rules.

The procedures from the sequence to the step get a twin that skips the statements before it until the step is
reached.  Conditions on the way count as true; a loop begins with the member that is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.base.spelling import suggestion
from rulekit.ir import (
    Block,
    Const,
    Do,
    Expr,
    Fail,
    ForEach,
    If,
    Let,
    Local,
    Next,
    Op,
    Param,
    Procedure,
    Program,
    Repeat,
    Step,
    Stmt,
    Together,
    When,
    walk,
)
from rulekit.ir.conditions import FALSE, FLAG, TRUE, conjunction, disjunction, negation
from rulekit.ir.semantics.names import NamingError
from rulekit.ir.types import Int, Optional, SetOf, Type

SKIPPING: Final = Local("from:skipping", FLAG)
"""True until the step is reached."""

RUN: Final = Param("from:run", Int(1, 1_000_000))
"""Which run of the innermost `repeat N times` around the step play begins in."""

_RANKS: Final = Int(0, 1)

GIVEN: Final = "from:given "
"""Before the name of a local: the parameter that it is given by."""

NOT_REACHED: Final = "step-not-reached"


@frozen
class Way:
    """One statement inside a procedure: the procedure, and the statements around it, itself last."""

    procedure: Procedure
    path: tuple[Stmt, ...]


@frozen
class Entry:
    """A procedure that begins at a step.

    Attributes:
        program: The program that has it.
        procedure: Its name.
        params: The locals that may be given, by name, with their types.
    """

    program: Program
    procedure: str
    params: tuple[Param, ...]


def entry_at(program: Program, step: str, given: Sequence[str]) -> Entry:
    """A program that begins at a step.

    Args:
        step: Its name, title, or printed number without the set's prefix; where several have the name, with
            that of its procedure and a full stop before it.
        given: The names of locals that will be given.

    Raises:
        NamingError: There is no such step, or there are several; it needs a local that is not given; or no
            local on the way has such a name.
    """
    ways = _ways_to(program, step)
    params: list[Param] = []
    for name in given:
        params.append(_param(ways, name))
    twins: list[Procedure] = []
    for number in reversed(range(len(ways))):
        inner = twins[-1].name if twins else ""
        twins.append(_Twin(ways[number], step, params, inner).procedure())
    changed = replace(program, procedures=(*program.procedures, *twins))
    return Entry(changed, twins[-1].name, tuple(params))


# ---------------------------------------------------------------- finding


def _ways_to(program: Program, step: str) -> tuple[Way, ...]:
    """The statements that lead to a step, one in each procedure, from the sequence on."""
    known = list(_chains(program))
    by_name = [chain for chain in known if step in _names(chain[-1])]
    by_number = [chain for chain in known if step in _numbers(program, chain[-1])]
    fitting = by_name or by_number
    if not fitting:
        names = sorted({_names(chain[-1])[0] for chain in known})
        raise NamingError(f"unknown procedure or step `{step[:60]}`; {suggestion(step, names)}")
    if len({chain[-1].path[-1].site for chain in fitting}) > 1:
        owners = sorted({f"`{_names(chain[-1])[-1]}`" for chain in fitting})
        raise NamingError(f"several steps are called `{step}`: choose from {', '.join(owners)}")
    return fitting[0]


def _chains(program: Program) -> Iterator[tuple[Way, ...]]:
    """Yield the ways to all steps that the sequence runs, those with the fewest calls first."""
    procedures = program.by_name.procedures
    waiting: list[tuple[Way, ...]] = [()]
    seen: set[str] = set()
    while waiting:
        chain = waiting.pop(0)
        last = chain[-1].path[-1] if chain else None
        name = last.procedure if isinstance(last, Do) else program.entry
        if name in seen or name not in procedures:
            continue
        seen.add(name)
        procedure = procedures[name]
        for path in _paths(procedure.body, ()):
            if isinstance(path[-1], Step):
                yield (*chain, Way(procedure, path))
            else:
                waiting.append((*chain, Way(procedure, path)))


def _paths(block: Block, around: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, ...]]:
    """Yield every step and every call in a block, each with the statements around it."""
    for stmt in block:
        path = (*around, stmt)
        if isinstance(stmt, Step | Do):
            yield path
        for inner in walk.blocks(stmt):
            yield from _paths(inner, path)


def _names(way: Way) -> tuple[str, ...]:
    """The names of a step; the last one is with its procedure."""
    step = way.path[-1]
    assert isinstance(step, Step)
    titles = (step.title,) if step.title else ()
    return (step.name, *titles, f"{way.procedure.name}.{step.name}")


def _numbers(program: Program, way: Way) -> tuple[str, ...]:
    """The printed numbers that a step cites, without the set's prefix."""
    return tuple(rule.partition(".")[2] for rule in program.sites[way.path[-1].site].rules)


# ---------------------------------------------------------------- what is given


def _own(name: str, given: Sequence[Param]) -> Param | None:
    """The given value for a local; those that share a name in the rules are numbered by the compiler."""
    return next((param for param in given if re.fullmatch(rf"{re.escape(param.name)}(_\d+)?", name)), None)


def _param(ways: Sequence[Way], name: str) -> Param:
    """A local of the procedures on the way, as a parameter."""
    wanted = (Param(name, FLAG),)
    for way in reversed(ways):
        for local in (*way.procedure.locals, *way.procedure.params):
            if _own(local.name, wanted) is not None:
                kind: Type = local.type.of if isinstance(local.type, Optional) else local.type
                return Param(name, kind)
    procedures = ", ".join(f"`{way.procedure.name}`" for way in ways)
    raise NamingError(f"no local `{name}` in {procedures}")


# ---------------------------------------------------------------- twins


class _Twin:
    """Makes the twin of one procedure on the way."""

    def __init__(self, way: Way, step: str, given: Sequence[Param], inner: str) -> None:
        self._way, self._step, self._given, self._inner = way, step, given, inner
        self._path = {id(stmt) for stmt in way.path}
        own = way.procedure
        self._known = {param.name for param in own.params} | {
            local.name for local in own.locals if _own(local.name, given) is not None
        }
        self._runs = [stmt for stmt in way.path if isinstance(stmt, Repeat) and stmt.kind == "times"]

    def procedure(self) -> Procedure:
        """The twin: it takes what is given besides its own parameters."""
        own, site = self._way.procedure, self._way.path[-1].site
        extra = (RUN, *(Param(f"{GIVEN}{param.name}", param.type) for param in self._given))
        lets = [
            Let(Local(local.name, local.type), _given_local(param), site)
            for local in (*own.params, *own.locals)
            if (param := _own(local.name, self._given)) is not None
        ]
        fault = Fail(NOT_REACHED, f"play did not reach the step `{self._step}`", site)
        missed = When(SKIPPING, (fault,), (), site)
        body = (Let(SKIPPING, TRUE, site), *lets, *self._block(own.body), missed)
        local = Param(SKIPPING.name, FLAG)
        return replace(
            own,
            name=f"{own.name} from {self._step}",
            params=(*own.params, *extra),
            locals=(*own.locals, *extra, local),
            body=body,
        )

    def _block(self, block: Block) -> Block:
        """A block of which one statement leads to the step."""
        place = next((n for n, stmt in enumerate(block) if id(stmt) in self._path), None)
        if place is None:
            return block
        stmts: list[Stmt] = []
        for stmt in block[:place]:
            if isinstance(stmt, Let) and self._can_bind(stmt):
                self._known.add(stmt.local.name)
                stmts.append(stmt)
            else:
                stmts.append(When(negation(SKIPPING), (stmt,), (), stmt.site))
        self._need(block[place], block[place + 1 :])
        return (*stmts, *self._leading(block[place]), *block[place + 1 :])

    def _can_bind(self, stmt: Let) -> bool:
        """True if a `let` before the step can be worked out from what is known, and is not given."""
        return walk.free(stmt.value) <= self._known and stmt.local.name not in self._known

    def _need(self, leading: Stmt, rest: Block) -> None:
        """Hold what is read from here on against what is known.

        Raises:
            NamingError: Something is bound by a statement that is skipped, and not given.
        """
        known = self._known | _bound_by(leading)
        last = leading is self._way.path[-1]
        if not isinstance(leading, When | Repeat) or last:
            self._need_all(walk.statements((leading,)) if last else (leading,), known)
        for stmt in rest:
            self._need_all(walk.statements((stmt,)), known | _bound_by(stmt))
            known |= _bound_by(stmt)

    def _need_all(self, stmts: Iterable[Stmt], known: Set[str]) -> None:
        for e in (e for stmt in stmts for e in walk.expressions(stmt)):
            for name in sorted(walk.free(e) - known):
                raise NamingError(
                    f"`{self._step}` needs `{name}`, which the rules set before it: give it in `locals`"
                )

    def _leading(self, stmt: Stmt) -> Block:
        """The statement that leads to the step, or is it."""
        if isinstance(stmt, Do):
            more = (Local(RUN.name, RUN.type), *map(_given_local, self._given))
            first = replace(stmt, procedure=self._inner, arguments=(*stmt.arguments, *more))
            return (When(SKIPPING, (Let(SKIPPING, FALSE, stmt.site), first), (stmt,), stmt.site),)
        if isinstance(stmt, When):
            then, otherwise = self._block(stmt.then), self._block(stmt.otherwise)
            if then is not stmt.then:
                test = disjunction(SKIPPING, stmt.condition)
            else:
                test = conjunction(negation(SKIPPING), stmt.condition)
            return (replace(stmt, condition=test, then=then, otherwise=otherwise),)
        if isinstance(stmt, ForEach):
            self._known.add(stmt.var.name)
            return (self._loop(stmt, self._block(stmt.body)),)
        if isinstance(stmt, Repeat):
            return (replace(stmt, control=self._control(stmt), body=self._block(stmt.body)),)
        assert isinstance(stmt, Step | Together)  # no other statement leads to a step
        if stmt is self._way.path[-1]:
            assert isinstance(stmt, Step)
            return self._target(stmt)
        return (replace(stmt, body=self._block(stmt.body)),)

    def _target(self, step: Step) -> Block:
        """The step itself; one that is a loop begins with the member that is given."""
        done = Let(SKIPPING, FALSE, step.site)
        match step.body:
            case (ForEach() as loop,) if _own(loop.var.name, self._given) is not None:
                return (replace(step, body=(self._loop(loop, (done, *loop.body)),)),)
            case _:
                return (done, step)

    def _loop(self, loop: ForEach, body: Block) -> ForEach:
        """A loop on the way, with another body."""
        param = _own(loop.var.name, self._given)
        changed = replace(loop, body=body)
        return changed if param is None else _begun_with(changed, _given_local(param))

    def _control(self, stmt: Repeat) -> Expr:
        """The control of a loop that leads to the step: it runs at least until that."""
        if stmt.kind == "while":
            return disjunction(SKIPPING, stmt.control)
        if stmt.kind != "times" or stmt is not self._runs[-1]:
            return stmt.control
        before = Op("sub", (Local(RUN.name, RUN.type), Const(1, Int(1, 1))), Int(0, 1_000_000))
        return Op("sub", (stmt.control, before), Int(-1_000_000, 1_000_000))


def _given_local(param: Param) -> Local:
    """The parameter by which a local is given, as an expression."""
    return Local(f"{GIVEN}{param.name}", param.type)


def _begun_with(loop: ForEach, given: Local) -> ForEach:
    """A loop that runs first for the member that is given, though its set may not have it any more.

    Where a side or a lot gives the order, all others follow; else those that come after it.
    """
    over, order = loop.over, loop.order
    if isinstance(over.type, SetOf):
        more = Op("union", (over, Op("single", (given,), over.type)), over.type)
        over = If(SKIPPING, more, over, over.type)
    other = conjunction(SKIPPING, Op("ne", (loop.var, given), FLAG))
    if order is not None and order.kind in ("chosen", "lot"):
        last = If(other, Const(1, _RANKS), Const(0, _RANKS), _RANKS)
        first = replace(order, ranks=("lowest", *order.ranks), keys=(last, *order.keys))
        return replace(loop, over=over, order=first)
    skip = When(other, (Next(loop.site),), (), loop.site)
    return replace(loop, over=over, body=(skip, *loop.body))


def _bound_by(stmt: Stmt) -> set[str]:
    """The locals that a statement binds, or one inside it."""
    return {one.name for part in walk.statements((stmt,)) for one in walk.bindings(part).values()}
