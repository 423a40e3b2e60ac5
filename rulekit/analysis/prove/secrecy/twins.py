"""A program with two copies of each state that is hidden from a side: one question compares two situations.

In the second situation every value that the side may see is the same, and every other one is free: an
expression and its `other` form differ only where the side could tell the situations apart by its value.
(Barthe, D'Argenio and Rezk, Secure information flow by self-composition, 2004.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import Final

from rulekit import ir
from rulekit.analysis.prove.situation import MARK
from rulekit.base.frozen import frozen
from rulekit.ir import walk
from rulekit.ir.conditions import FLAG, TRUE, conjunction, disjunction
from rulekit.ir.program import type_of_key
from rulekit.ir.semantics.effects import PLACE
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.semantics.hidden import HiddenFrom
from rulekit.ir.types import Int, Member, SetOf

MANY: Final = Int(0, 1_000_000)

SIZES: Final = ("count", "length", "is_empty")
"""Operations that read only how many things a set or list holds."""


@frozen
class RevealedValue:
    """A value of a state that a reveal has shown and nothing has written since.

    `keys` are its keys; with `over`, the values for all members of some sets, to which its locals are bound.
    It was shown to the side if `seen` holds.
    """

    state: str
    keys: tuple[ir.Expr, ...]
    over: tuple[tuple[ir.Local, ir.Expr], ...] = ()
    seen: ir.Expr = TRUE

    @property
    def parts(self) -> tuple[ir.Expr, ...]:
        """All expressions that say which value it is."""
        return (*self.keys, *(e for _, e in self.over), self.seen)

    @property
    def free(self) -> frozenset[str]:
        """The locals that it reads."""
        return frozenset().union(*map(walk.free, self.parts)) - {local.name for local, _ in self.over}

    def with_names(self, names: Mapping[str, ir.Expr]) -> RevealedValue:
        """Return the same with expressions in place of locals."""
        return self._with(lambda e: walk.substitute(e, names))

    def with_parts(self, parts: Mapping[ir.Expr, ir.Expr]) -> RevealedValue:
        """Return the same with expressions in place of others."""
        return self._with(lambda e: walk.with_parts_replaced(e, parts))

    def _with(self, change: Callable[[ir.Expr], ir.Expr]) -> RevealedValue:
        over = tuple((local, change(e)) for local, e in self.over)
        return RevealedValue(self.state, tuple(map(change, self.keys)), over, change(self.seen))


class Twin:
    """A program with a second copy of each state that is hidden from a side, and of all that reads one."""

    def __init__(self, facts: Facts, side: int) -> None:
        self.hidden = HiddenFrom(facts, side)
        self._facts = facts
        self._counted = self.hidden.counted
        self._fresh = count()
        self._functions = {
            name for name in facts.functions if not self.hidden.states.isdisjoint(facts.function_reads(name))
        }

    @property
    def states(self) -> Mapping[str, str]:
        """The second copy of each state that has one."""
        return {name: name + MARK for name in self.hidden.states}

    def program(self) -> ir.Program:
        """Return the program with the copies; promises hold in both situations."""
        program = self._facts.program
        states = [replace(item, name=name) for item in program.states if (name := self.states.get(item.name))]
        functions = [
            replace(item, name=item.name + MARK, body=self.other(item.body))
            for item in program.functions
            if item.name in self._functions
        ]
        invariants = [
            replace(item, name=item.name + MARK, body=self.other(item.body))
            for item in program.invariants
            if self.hidden.in_expression(item.body)
        ]
        invariants += map(self._same_size, sorted(self._counted))
        return replace(
            program,
            states=(*program.states, *states),
            functions=(*program.functions, *functions),
            invariants=(*program.invariants, *invariants),
        )

    def _same_size(self, name: str) -> ir.Invariant:
        """The promise that what is hidden of a counted state holds as many things in both situations."""
        state = self._facts.states[name]
        keys = tuple(self._every(domain) for domain in state.keys)
        locals_ = tuple(local for local, _ in keys)
        sizes = [size_of(ir.Read(copy, locals_, state.type)) for copy in (name, self.states[name])]
        body = disjunction(self.hidden.knows(state, locals_), ir.Op("eq", tuple(sizes), FLAG))
        for local, members in reversed(keys):
            body = ir.Fold("all", members, local, body, FLAG)
        return ir.Invariant(f"the number of {name}", body, state.site)

    def _every(self, domain: str | tuple[int, int]) -> tuple[ir.Local, ir.Const]:
        """A local that stands for any value of a key, and the set of these values; none below zero."""
        kind = type_of_key(domain)
        if isinstance(domain, str):
            mask = (1 << self._facts.program.by_name.sizes[domain]) - 1
        else:
            mask = sum(1 << number for number in range(max(domain[0], 0), domain[1] + 1))
        return ir.Local(self._name("member"), kind), ir.Const(mask, SetOf(kind))

    def other(
        self, e: ir.Expr, locals_: Mapping[str, ir.Expr] | None = None, shown: Iterable[RevealedValue] = ()
    ) -> ir.Expr:
        """Return the expression as it is in the second situation.

        Args:
            locals_: The counterparts of locals that may differ there.
            shown: Values that the side may see, or all.
        """
        other = self._other(e, locals_ or {}, tuple(shown))
        return e if other == e else walk.with_fresh_locals(other, self._name)

    def _name(self, name: str) -> str:
        return f"{name}{MARK} {next(self._fresh)}"

    def _other(self, e: ir.Expr, locals_: Mapping[str, ir.Expr], shown: tuple[RevealedValue, ...]) -> ir.Expr:
        if isinstance(e, ir.Local):
            return walk.substitute(e, locals_)
        if isinstance(e, ir.Op) and e.op in SIZES:
            (held,) = e.operands
            if isinstance(held, ir.Read) and held.state in self._counted:
                keys = tuple(self._other(key, locals_, shown) for key in held.keys)
                return replace(e, operands=(replace(held, keys=keys),))
        if isinstance(e, ir.Apply) and self._facts.function_reads(e.function) & {one.state for one in shown}:
            return self._other(self._in_line(e), locals_, shown)
        e = walk.rebuild(e, tuple(self._other(part, locals_, shown) for part in walk.children(e)))
        if isinstance(e, ir.Apply) and e.function in self._functions:
            return replace(e, function=e.function + MARK)
        if isinstance(e, ir.Read) and e.state in self.hidden.states:
            return self._read(e, shown)
        if isinstance(e, ir.Flagged) and e.state in self.hidden.states:
            return self._flag_set(e, shown)
        if isinstance(e, ir.At) and PLACE in self.hidden.states:
            return self._pieces_at(e, shown)
        return e

    def _in_line(self, call: ir.Apply) -> ir.Expr:
        function = self._facts.functions[call.function]
        values = {param.name: part for param, part in zip(function.params, call.arguments, strict=True)}
        return walk.substitute(walk.with_fresh_locals(function.body, self._name), values)

    def _read(self, e: ir.Read, shown: tuple[RevealedValue, ...]) -> ir.Expr:
        seen = [self._has(one, e.keys) for one in shown if one.state == e.state]
        if TRUE in seen:
            return e
        knows = self.hidden.knows(self._facts.states[e.state], e.keys)
        return ir.If(disjunction(knows, *seen), e, replace(e, state=e.state + MARK), e.type)

    def _has(self, shown: RevealedValue, keys: tuple[ir.Expr, ...]) -> ir.Expr:
        """Return the condition that a value with these keys is shown."""
        over = dict(shown.over)
        tests = []
        for known, key in zip(shown.keys, keys, strict=True):
            if isinstance(known, ir.Local) and known in over and self._is_among(key, over[known]):
                if not any(known.name in walk.free(other) for other in shown.parts if other is not known):
                    del over[known]
                    continue
            tests.append(ir.Op("eq", (known, key), FLAG))
        same = conjunction(*tests, *(() if shown.seen == TRUE else (shown.seen,)))
        for local, members in reversed(over.items()):
            same = ir.Fold("any", members, local, same, FLAG)
        return same

    def _is_among(self, key: ir.Expr, members: ir.Expr) -> bool:
        """True if a set has all values of a key's type."""
        if not isinstance(key.type, Member) or not isinstance(members, ir.Const):
            return False
        return (
            isinstance(members.value, int)
            and not self._facts.program.by_name.members_of(key.type) & ~members.value
        )

    def _flag_set(self, e: ir.Flagged, shown: tuple[RevealedValue, ...]) -> ir.Expr:
        """All members whose flag is set, each looked at by itself."""
        assert isinstance(e.type, SetOf)
        member, every = self._every(self._facts.states[e.state].keys[-1])
        flag = self._read(ir.Read(e.state, (*e.keys, member), FLAG), shown)
        return ir.Filter(replace(every, type=e.type), member, flag, e.type)

    def _pieces_at(self, e: ir.At, shown: tuple[RevealedValue, ...]) -> ir.Expr:
        """All pieces whose place is there, each looked at by itself."""
        state = self._facts.states[PLACE]
        piece, every = self._every(state.keys[-1])
        place = self._read(ir.Read(PLACE, (piece,), state.type), shown)
        there = ir.Op("has", (place, e.space), FLAG) if e.many else ir.Op("eq", (place, e.space), FLAG)
        return ir.Filter(replace(every, type=e.type), piece, there, e.type)


def size_of(e: ir.Expr) -> ir.Expr:
    """The number of things in a set or list."""
    return ir.Op("count" if isinstance(e.type, SetOf) else "length", (e,), MANY)
