"""Possible values of expressions, and the tables, definitions and modifiers they use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from rulekit import ir
from rulekit.base.bits import members
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.reports.sheet.reachability.guess import (
    EITHER,
    MOST,
    NO,
    NOTHING,
    YES,
    Guess,
    Kinds,
    Members,
    join,
    join_all,
    mask_of,
    number,
    of_ids,
)
from rulekit.reports.sheet.reachability.memory import Memory
from rulekit.reports.sheet.reachability.operations import MOST_PAIRS, operation_guess

MOST_ENTRIES = 100_000
"""Entries of a table that are read when its keys may be anything."""
Env = Mapping[str, Guess]
BOARD = "@"
"""The name under which pieces on the board count as something to depend on."""
DEEP = 24
"""Calls inside of calls."""
FUEL = 8_000_000
"""Expressions that are looked at in all."""


class Spent(Exception):
    """The rules are too large to be looked through."""


class Reader:
    """Reads expressions against what states may hold.

    Attributes:
        asked: For each function (a table's is `table:NAME`) what its arguments may be.
        looked: The same for tables of fixed fields.
        acting: Modifiers whose conditions may hold.
        tested: Conditions that were asked, by their identity, and whether they may hold.
        sure: Functions of which it is known what they give.
        appearing: Pieces that may be on the board, as a mask.
        narrowed: States without keys, as conditions around a statement narrow them.
        needs: Names of what the results since it was emptied depend on.
        fuel: Expressions that may still be looked at.
    """

    def __init__(self, program: ir.Program, memory: Memory, kinds: Kinds, appearing: int) -> None:
        self.kinds, self.memory, self.appearing = kinds, memory, appearing
        self._functions = program.by_name.functions
        self._statics = program.by_name.statics
        self.asked: dict[str, tuple[Guess, ...]] = {}
        self.looked: dict[str, tuple[Guess, ...]] = {}
        self.acting: set[str] = set()
        self.sure: dict[str, Guess] = {}
        self.tested: dict[int, bool] = {}
        self.narrowed: dict[str, Guess] = {}
        self._memo: dict[tuple[str, tuple[Guess, ...]], tuple[Guess, frozenset[str], int]] = {}
        self._entries: dict[tuple[object, ...], Guess] = {}
        self.needs: set[str] = set()
        self._open: set[tuple[str, tuple[Guess, ...]]] = set()
        self._inside = 0
        self.fuel = FUEL

    def flag(self, e: ir.Expr, env: Env) -> frozenset[Value]:
        """Return the possible values of a condition."""
        guess = self.value(e, env)
        return guess if isinstance(guess, frozenset) else EITHER

    def ids(self, e: ir.Expr, env: Env) -> int:
        """The members that an expression may name, as a mask."""
        return self.kinds.ids(self.value(e, env), e.type)

    def value(self, e: ir.Expr, env: Env) -> Guess:
        """Return the possible values of an expression."""
        self.fuel -= 1
        if self.fuel < 0:
            raise Spent
        match e:
            case ir.Const():
                return _constant(e)
            case ir.Local():
                return env.get(e.name)
            case ir.Op():
                if e.op in ("and", "or"):
                    return self._logic(e, env)
                return operation_guess(self.kinds, e, [self.value(operand, env) for operand in e.operands])
            case ir.Static():
                return self._static(e, [self.value(key, env) for key in e.keys])
            case ir.Read():
                self.needs.add(e.state)
                guess = self.memory.read(e.state, [self.value(key, env) for key in e.keys])
                if not e.keys and not self._inside and e.state in self.narrowed:
                    return _both(guess, self.narrowed[e.state])
                return guess
            case ir.Flagged():
                self.needs.add(e.state)
                return self.memory.flag_members(e.state, [self.value(key, env) for key in e.keys])
            case ir.At():
                self.value(e.space, env)
                self.needs.add(BOARD)
                return Members(self.appearing & self.kinds.all_of(e.type), False)
            case ir.Apply():
                return self.call(e.function, [self.value(argument, env) for argument in e.arguments])
            case ir.If():
                holds = self.flag(e.condition, env)
                self.tested[id(e.condition)] = self.tested.get(id(e.condition), False) or True in holds
                sure: Guess = self.value(e.then, env) if True in holds else NOTHING
                return join(sure, self.value(e.otherwise, env)) if False in holds else sure
            case ir.Filter():
                return self._filter(e, env)
            case ir.Fold():
                return self._fold(e, env)
            case ir.Best():
                over = self.value(e.over, env)
                self.value(e.key, {**env, e.var.name: self._any_of(over, e.var.type)})
                return _some_of(over)
            case ir.Linked():
                over = self.value(e.over, env)
                self.value(e.start, env)
                self.value(e.relation, {**env, e.var.name: None})
                if e.within is not None:
                    self.value(e.within, env)
                return _some_of(over)
            case ir.BestWay():
                over = self.value(e.over, env)
                for part in (e.start, e.goal, e.within):
                    if part is not None:
                        self.value(part, env)
                self.value(e.relation, {**env, e.var.name: None})
                return None

    def call(self, name: str, arguments: Sequence[Guess]) -> Guess:
        """Return the possible results of a function."""
        function = self._functions[name]
        given = tuple(
            self.kinds.spread(guess, p.type) for guess, p in zip(arguments, function.params, strict=False)
        )
        key = (name, given)
        if key in self._memo:
            value, needs, when = self._memo[key]
            if not self.memory.grown(needs, when):
                self.needs |= needs
                return value
        else:
            known = self.asked.get(name)
            self.asked[name] = given if known is None else tuple(map(join, known, given))
        if name in self.sure:
            return self.sure[name]
        if key in self._open or self._inside > DEEP:
            return None
        self._open.add(key)
        self._inside += 1
        outer, self.needs, now = self.needs, set(), self.memory.clock
        env = {p.name: guess for p, guess in zip(function.params, given, strict=False)}
        body = function.body
        if name.startswith("modifier:") and (
            not isinstance(body, ir.If) or True in self.flag(body.condition, env)
        ):
            self.acting.add(name.removeprefix("modifier:"))
        result = self.value(body, env)
        self._inside -= 1
        self._open.discard(key)
        self._memo[key] = (result, frozenset(self.needs), now)
        self.needs |= outer
        return result

    # -- tables

    def _static(self, e: ir.Static, keys: Sequence[Guess]) -> Guess:
        asked = (id(e), *keys)
        if asked not in self._entries:
            given = tuple(self.kinds.spread(k, key.type) for k, key in zip(keys, e.keys, strict=True))
            before = self.looked.get(e.table)
            self.looked[e.table] = given if before is None else tuple(map(join, before, given))
            self._entries[asked] = self._entries_of(e, keys)
        return self._entries[asked]

    def _entries_of(self, e: ir.Static, keys: Sequence[Guess]) -> Guess:
        """Return what a table may hold for these keys."""
        table = self._statics[e.table]
        if table.missing or not any(value != t.GAP for value in table.values):  # an owner's copy has it
            return self.kinds.spread(None, e.type)
        known = [k for k in keys if isinstance(k, frozenset)]
        values: set[Value] = set()
        if len(known) == len(keys) and prod(map(len, known)) <= MOST_PAIRS:
            for cells in product(*known):
                at = ir.program.position_of(table.keys, [*map(number, cells)], self.kinds.sizes)
                if at is not None:
                    values.add(table.values[at])
        elif len(table.values) > MOST_ENTRIES:
            return self.kinds.spread(None, e.type)
        else:
            values = set(table.values)
        values.discard(t.GAP)
        if isinstance(e.type, t.SetOf):
            return join_all(Members(number(value), True) for value in values)
        if isinstance(e.type, t.ListOf) or len(values) > MOST:
            return self.kinds.spread(None, e.type)
        return frozenset(values)

    # -- sets

    def _any_of(self, over: Guess, type_: t.Type) -> Guess:
        return of_ids(over.mask) if isinstance(over, Members) else self.kinds.spread(None, type_)

    def _filter(self, e: ir.Filter, env: Env) -> Guess:
        over = self.kinds.spread(self.value(e.over, env), e.type)
        if not isinstance(over, Members) or not over.mask:
            return over
        all_ = self.flag(e.body, {**env, e.var.name: self._any_of(over, e.var.type)})
        if all_ == NO:
            return Members(0, True)
        if all_ == YES:
            return over
        kept, exact = over.mask, False
        if not self._nested:
            self._nested = True
            exact = over.exact
            for id_ in members(over.mask):
                holds = self.flag(e.body, {**env, e.var.name: frozenset((id_,))})
                if holds == NO:
                    kept &= ~(1 << id_)
                exact = exact and len(holds) == 1
            self._nested = False
        return Members(kept, exact)

    _nested = False

    def _fold(self, e: ir.Fold, env: Env) -> Guess:
        over = self.value(e.over, env)
        empty = isinstance(over, Members) and not over.mask
        if empty:
            none: dict[str, Guess] = {
                "any": NO, "all": YES, "no": YES, "total": frozenset((0,)), "join": Members(0, True),
                "grouped": None, "map": None,
            }  # fmt: skip
            return none.get(e.kind, frozenset((t.NONE,)))
        body = self.value(e.body, {**env, e.var.name: self._any_of(over, e.var.type)})
        match e.kind:
            case "any":
                return NO if body == NO else EITHER
            case "all":
                return YES if body == YES else EITHER
            case "no":
                return YES if body == NO else EITHER
            case "total" | "grouped" | "map":
                return None
            case "join":
                return Members(body.mask, False) if isinstance(body, Members) else None
            case _:
                return join(body, frozenset((t.NONE,)))

    def _logic(self, e: ir.Op, env: Env) -> Guess:
        """`and` and `or` stop early, so that later operands may never be evaluated."""
        ends = e.op == "or"
        open_ = False
        for part in e.operands:
            holds = self.flag(part, env)
            if holds == NOTHING:  # it faults, if it is reached
                return frozenset((ends,)) if open_ else NOTHING
            if holds == frozenset((ends,)):
                return holds
            open_ = open_ or ends in holds
        return EITHER if open_ else frozenset((not ends,))


def _constant(e: ir.Const) -> Guess:
    if isinstance(e.type, t.SetOf):
        return Members(number(e.value), True)
    if isinstance(e.type, t.ListOf):
        return Members(mask_of(e.value), False) if isinstance(e.type.of, t.Member) else None
    return frozenset((e.value,))


def _some_of(over: Guess) -> Guess:
    return Members(over.mask, False) if isinstance(over, Members) else over


def _both(one: Guess, other: Guess) -> Guess:
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return one & other
    return one if other is None else other
