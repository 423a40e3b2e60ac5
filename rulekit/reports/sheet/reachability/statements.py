"""Reachable statements: a walk over procedures from the start of play to a fixed point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from rulekit import ir
from rulekit.ir import stmt as s
from rulekit.ir import types as t
from rulekit.ir.walk import expressions
from rulekit.reports.sheet.reachability.expressions import BOARD, Env, Reader
from rulekit.reports.sheet.reachability.guess import (
    EITHER,
    NO,
    NOTHING,
    YES,
    Guess,
    Kinds,
    Members,
    Scalars,
    join,
    number,
    of_ids,
)
from rulekit.reports.sheet.reachability.memory import Memory

PATIENCE = 12
"""How often a local may grow before it is taken for anything."""


_TURNED = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}


class Walker:
    """Walks a program, with the possible values of its locals, parameters and results.

    Args:
        sure: Functions of which it is known what they give.
        ran: Sites that are known to be all that ran; without it, whatever conditions leave open.

    Attributes:
        live: Sites of statements that can run, and of norms that can matter.
        choices, points: Choices that can be asked; rolls that can be made.
        procedures: Those that can run.
    """

    def __init__(
        self,
        program: ir.Program,
        memory: Memory,
        kinds: Kinds,
        appearing: int,
        sure: Mapping[str, Guess],
        ran: frozenset[int] | None = None,
    ) -> None:
        self.kinds, self.memory, self._ran = kinds, memory, ran
        self.reader = Reader(program, memory, kinds, appearing)
        self.reader.sure.update(sure)
        self._program = program.by_name
        self._locals: dict[str, dict[str, Guess]] = {}
        self._results: dict[str, Guess] = {}
        self._growths: dict[tuple[str, str], int] = {}
        self._owner = ""
        self._due: dict[str, None] = {}
        self._costs: dict[str, int] = {}
        self._users: dict[str, dict[str, None]] = {}
        self.live: set[int] = set()
        self.choices: set[str] = set()
        self.points: set[str] = set()
        self.procedures: dict[str, None] = {}

    def walk(self, roots: Iterable[str]) -> None:
        """Walk everything that some procedures reach, until nothing grows.

        Cheap procedures go first: much grows in small steps, within a few of them.

        Raises:
            Spent: The rules are too large.
        """
        for root in roots:
            self._reach(root)
        while self._due:
            self._procedure(min(self._due, key=lambda name: self._costs.get(name, 0)))
            for grown in self.memory.take_grown():
                self._due |= self._users.get(grown, {})

    # -- procedures

    def _reach(self, name: str) -> None:
        if name not in self.procedures and name in self._program.procedures:
            self.procedures[name] = self._due[name] = None

    def _procedure(self, name: str) -> None:
        procedure = self._program.procedures[name]
        owner, fuel = f"procedure {name}", self.reader.fuel
        del self._due[name]
        self.live.add(procedure.site)
        self._owner, self.reader.narrowed, self.reader.needs = owner, {}, {owner}
        self._block(procedure.body, self._env(owner))
        self._costs[name] = fuel - self.reader.fuel
        for needed in self.reader.needs:
            self._users.setdefault(needed, {})[name] = None

    # -- statements

    def _block(self, block: ir.stmt.Block, env: Env) -> bool:
        """True if what follows the block is reachable."""
        for stmt in block:
            if self._ran is not None and stmt.site not in self._ran:
                continue
            self.live.add(stmt.site)
            if not self._statement(stmt, env):
                return False
        return True

    def _statement(self, stmt: s.Stmt, env: Env) -> bool:
        read = self.reader
        match stmt:
            case s.Let():
                self._local(stmt.local, read.value(stmt.value, env))
            case s.Write():
                self._write(stmt, env)
            case s.MarkAll():
                keys = [read.value(key, env) for key in stmt.keys]
                those = of_ids(read.ids(stmt.members, env))
                self._writes(stmt.state, stmt.site, [*keys, those], YES if stmt.on else NO)
            case s.Place():
                self._place(stmt, env)
            case s.When():
                return self._when(stmt, env)
            case s.ForEach():
                self._for_each(stmt, env)
            case s.Repeat():
                if stmt.limit is not None:
                    read.value(stmt.limit, env)
                if stmt.kind == "until" or read.value(stmt.control, env) not in (NO, frozenset((0,))):
                    self._block(stmt.body, env)
                if stmt.kind == "until":
                    read.value(stmt.control, env)
            case s.Leave() | s.Next():
                return False
            case s.Return():
                self._gives(NOTHING if stmt.value is None else read.value(stmt.value, env))
                return False
            case s.Finish():
                for e in expressions(stmt):
                    read.value(e, env)
                return False
            case s.Fail():
                return stmt.reason == "missing-data"  # an owner's copy has it
            case s.Do():
                self._local(stmt.local, self._call(stmt, [read.value(a, env) for a in stmt.arguments]))
                read.narrowed = {}
            case s.Roll():
                self._roll(stmt, env)
            case s.DrawLot():
                read.value(stmt.count, env)
                mask = read.ids(stmt.over, env)
                self._local(stmt.local, of_ids(mask) if stmt.one else Members(mask, False))
            case s.DrawTop():
                read.value(stmt.count, env)
                read.needs.add(stmt.state)
                keys = [read.value(key, env) for key in stmt.keys]
                held = self.memory.read(stmt.state, keys)
                self._writes(stmt.state, stmt.site, keys, Members(0, False))
                if isinstance(held, Members):
                    self._local(stmt.local, of_ids(held.mask) if stmt.one else Members(held.mask, False))
                else:
                    self._local(stmt.local, None)
            case s.Put():
                keys = [read.value(key, env) for key in stmt.keys]
                self._writes(stmt.state, stmt.site, keys, Members(read.ids(stmt.value, env), False))
            case s.Form():
                every = of_ids((1 << self.kinds.sizes[stmt.domain]) - 1)
                self._local(stmt.local, every)
                self._writes(f"exists:{stmt.domain}", stmt.site, [every], YES)
                self.memory.begins_anew(stmt.domain, stmt.site)
            case s.Choose():
                arguments = [read.value(argument, env) for argument in stmt.arguments]
                self._local(stmt.local, self._answers_of(stmt.choice, arguments))
                read.narrowed = {}
            case s.ChooseEach():
                inner = {**env, stmt.var.name: of_ids(read.ids(stmt.over, env))}
                self._answers_of(stmt.choice, [read.value(argument, inner) for argument in stmt.arguments])
                self._local(stmt.local, None)
                read.narrowed = {}
            case s.Together() | s.Step():
                return self._block(stmt.body, env)
            case s.Dissolve() | s.Reveal() | s.Shuffle() | s.Say() | s.Tell():
                for e in expressions(stmt):
                    read.value(e, env)
            case _:
                assert_never(stmt)
        return True

    # -- changes

    def _writes(self, state: str, place: int, keys: Sequence[Guess], value: Guess) -> None:
        self.memory.write(state, place, keys, value)
        self.reader.narrowed.pop(state, None)

    def _write(self, stmt: s.Write, env: Env) -> None:
        read = self.reader
        keys = [read.value(key, env) for key in stmt.keys]
        value = NOTHING if stmt.value is None else read.value(stmt.value, env)
        match stmt.op:
            case "mark" | "unmark":
                value = YES if stmt.op == "mark" else NO
            case "add" | "subtract":
                value = self._sum(stmt, keys, value)
            case "include" | "append":
                type_ = stmt.value.type if stmt.value is not None else t.Nothing()
                value = Members(self.kinds.ids(value, type_), False)
            case "exclude" | "drop":
                value = Members(0, False)
            case _:
                pass
        self._writes(stmt.state, stmt.site, keys, value)

    def _sum(self, stmt: s.Write, keys: Sequence[Guess], value: Guess) -> Guess:
        read = ir.Read(stmt.state, (), stmt.value.type if stmt.value else t.Nothing())
        self.reader.needs.add(stmt.state)
        before = self.reader.value(read, {}) if not keys else self.memory.read(stmt.state, keys)
        if not (isinstance(before, frozenset) and isinstance(value, frozenset)):
            return None
        sign = 1 if stmt.op == "add" else -1
        if len(before) * len(value) > 4096:
            return None
        return frozenset(number(a) + sign * number(b) for a in before for b in value)

    def _place(self, stmt: s.Place, env: Env) -> None:
        read = self.reader
        pieces = read.value(stmt.pieces, env)
        where = read.value(stmt.space, env)
        mask = self.kinds.ids(pieces, stmt.pieces.type)
        if where != frozenset((t.NONE,)) and where != NOTHING:
            if mask & ~read.appearing:
                read.appearing |= mask
                self.memory.touch(BOARD)
        self._writes("place", stmt.site, [of_ids(mask)], where)

    # -- ways

    def _when(self, stmt: s.When, env: Env) -> bool:
        holds = self.reader.flag(stmt.condition, env)
        before = dict(self.reader.narrowed)
        then = otherwise = False
        if True in holds:
            self._narrow(stmt.condition, env, yes=True)
            then = self._block(stmt.then, env)
        self.reader.narrowed = dict(before)
        if False in holds:
            self._narrow(stmt.condition, env, yes=False)
            otherwise = self._block(stmt.otherwise, env)
        self.reader.narrowed = {}
        return then or otherwise

    def _narrow(self, e: ir.Expr, env: Env, *, yes: bool) -> None:
        if not isinstance(e, ir.Op):
            return
        if e.op == "not":
            self._narrow(e.operands[0], env, yes=not yes)
        elif e.op == ("and" if yes else "or"):
            for part in e.operands:
                self._narrow(part, env, yes=yes)
        elif e.op in _TURNED and isinstance(e.operands[0], ir.Read) and not e.operands[0].keys:
            left, right, state = *e.operands, e.operands[0].state
            held, other = self.reader.value(left, env), self.reader.value(right, env)
            if isinstance(held, frozenset) and isinstance(other, frozenset) and len(other) == 1:
                op = e.op if yes else _TURNED[e.op]
                kept = frozenset(v for v in held if _holds(op, v, next(iter(other))))
                self.reader.narrowed[state] = kept

    def _for_each(self, stmt: s.ForEach, env: Env) -> None:
        read = self.reader
        over = read.value(stmt.over, env)
        if isinstance(over, Members):
            if not over.mask:
                return
            self._local(stmt.var, of_ids(over.mask))
        else:
            self._local(stmt.var, self.kinds.spread(None, stmt.var.type))
        if stmt.order is not None:
            for key in stmt.order.keys:
                read.value(key, env)
            if stmt.order.kind == "chosen":
                self._answers_of(stmt.order.name, [over])
        if stmt.alternating is not None:
            read.value(stmt.alternating, env)
        read.narrowed = {}
        self._block(stmt.body, env)
        read.narrowed = {}

    def _roll(self, stmt: s.Roll, env: Env) -> None:
        point = self._program.points[stmt.point]
        self.points.add(stmt.point)
        for argument in stmt.arguments:
            self.reader.value(argument, env)
        low = point.dice * point.lowest
        rolled: Scalars = frozenset(range(low, low + point.dice * (point.sides - 1) + 1))
        self._local(stmt.raw, rolled)
        self._local(stmt.local, rolled if stmt.modified is None else self.reader.value(stmt.modified, env))

    # -- locals, parameters and results

    def _env(self, owner: str) -> dict[str, Guess]:
        return self._locals.setdefault(owner, {})

    def _bind(self, owner: str, name: str, guess: Guess, type_: t.Type) -> None:
        env = self._env(owner)
        if name not in env:
            env[name] = guess
            self.memory.touch(owner)
            return
        wider = self._wider(owner, name, env[name], guess, type_)
        if wider != env[name]:
            env[name] = wider
            self.memory.touch(owner)

    def _wider(self, owner: str, name: str, known: Guess, guess: Guess, type_: t.Type) -> Guess:
        """Return the union of two guesses, or the widest one after too many rounds of growth."""
        wider = join(known, guess)
        if wider == known:
            return known
        grown = self._growths[owner, name] = self._growths.get((owner, name), 0) + 1
        return wider if grown <= PATIENCE else self.kinds.spread(None, type_)

    def _local(self, local: ir.Local | None, guess: Guess) -> None:
        if local is not None:
            self._bind(self._owner, local.name, guess, local.declared or local.type)

    def _call(self, stmt: s.Do, arguments: Sequence[Guess]) -> Guess:
        """Return the possible results of a procedure, which is walked later."""
        owner = f"procedure {stmt.procedure}"
        for param, guess in zip(self._program.procedures[stmt.procedure].params, arguments, strict=True):
            self._bind(owner, param.name, self.kinds.spread(guess, param.type), param.type)
        self._reach(stmt.procedure)
        self.reader.needs.add(f"result {stmt.procedure}")
        return self._results.get(stmt.procedure, NOTHING)

    def _gives(self, value: Guess) -> None:
        name = self._owner.removeprefix("procedure ")
        known = self._results.get(name, NOTHING)
        wider = self._wider(name, "result", known, value, self._program.procedures[name].result)
        if name not in self._results or wider != known:
            self._results[name] = wider
            self.memory.touch(f"result {name}")

    # -- choices

    def _answers_of(self, name: str, arguments: Sequence[Guess]) -> Guess:
        """Return the possible answers of a choice; its norms are reachable where they can matter."""
        choice = self._program.choices[name]
        self.choices.add(name)
        self.live.add(choice.site)
        owner, read = f"choice {name}", self.reader
        read.needs.add(owner)
        for param, guess in zip(choice.params, arguments, strict=False):
            self._bind(owner, param.name, self.kinds.spread(guess, param.type), param.type)
        env = dict(self._env(owner))
        for local, value in choice.lets:
            env[local.name] = read.value(value, env)
        read.value(choice.decider, env)
        mask = self._options(choice, env)
        for part in (choice.low, choice.high, choice.total, choice.each, choice.default):
            if part is not None:
                read.value(part, env)
        for norm in choice.norms:
            if True in read.flag(norm.test, env):
                self.live.add(norm.site)
                for part in (norm.cover, norm.whole):
                    if part is not None:
                        read.value(part, env)
        match choice.verb:
            case "pick_one":
                return join(of_ids(mask), NOTHING if choice.able == "must" else frozenset((t.NONE,)))
            case "pick_set":
                return Members(mask, False)
            case "decide":
                return EITHER
            case _:
                return None

    def _options(self, made: ir.Choice, env: dict[str, Guess]) -> int:
        """Binds what norms read of an option; those there are, as a mask."""
        read = self.reader
        if made.items is not None and made.item is not None:
            items = read.value(made.items, env)
            env[made.item.name] = of_ids(self.kinds.ids(items, made.items.type))
        for local, among in made.fields:
            env[local.name] = of_ids(self.kinds.ids(read.value(among, env), among.type))
        if made.candidates is None:
            if made.verb == "decide":
                env[made.option.name] = EITHER
            return 0
        mask = self.kinds.ids(read.value(made.candidates, env), made.candidates.type)
        several = isinstance(made.option.type, t.SetOf)
        env[made.option.name] = Members(mask, False) if several else of_ids(mask)
        return mask


def _holds(op: str, one: object, other: object) -> bool:
    if op in ("eq", "ne"):
        return (one == other) == (op == "eq")
    assert isinstance(one, int) and isinstance(other, int)
    return {"lt": one < other, "le": one <= other, "gt": one > other, "ge": one >= other}[op]
