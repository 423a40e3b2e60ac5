"""Knowledge of a thing just drawn, taken or chosen: before, all promises held of it.

A promise such as "no card of a hand is in the deck" tells, after a draw from the deck, that no hand has the
card drawn.  It is open what else the cup or stack held: only what holds whatever that was is kept.  A hidden
set held before what it holds now and what was taken, so that nothing is lost of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulekit import ir
from rulekit.ir import walk
from rulekit.ir.conditions import FLAG, conjunction, disjunction
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.types import Int, ListOf, Member, Optional, SetOf
from rulekit.runtime.optimise.bounds import SURELY, Partial


def known_of_drawn(facts: Facts, draw: ir.DrawTop, fresh: Callable[[str], str]) -> Iterator[ir.Expr]:
    """Yield conditions that hold after a draw, of what was drawn and of other states."""
    kind = facts.states[draw.state].type
    of = kind.of if isinstance(kind, ListOf | SetOf) else None
    if not isinstance(of, Member):
        return
    before = _Before(facts, draw, SetOf(of), fresh)
    for promise in facts.program.invariants:
        if draw.state in facts.reads(promise.body):
            known = before.most(promise.body)
            if known != SURELY:
                yield known


def known_of_taken(
    facts: Facts, take: ir.Write, held: ir.Local, known: Sequence[ir.Expr], fresh: Callable[[str], str]
) -> Iterator[ir.Expr]:
    """Yield what is known of a set after things are taken from it, in terms of its members now.

    Args:
        held: Those of the things that the set held.
        known: Conditions that held before.
    """
    assert take.value is not None
    reads = (*take.keys, take.value)
    before = [*known, *(promise.body for promise in facts.program.invariants)]
    before = [e for e in before if take.state in facts.reads(e)]
    if not before or any(take.state in facts.reads(e) for e in reads):
        return

    def with_taken(e: ir.Expr) -> ir.Expr:
        if isinstance(e, ir.Apply) and take.state in facts.function_reads(e.function):
            return with_taken(_in_line(facts, e, fresh))
        e = walk.rebuild(e, tuple(map(with_taken, walk.children(e))))
        if not isinstance(e, ir.Read) or e.state != take.state:
            return e
        pairs = zip(e.keys, take.keys, strict=True)
        same = conjunction(*(ir.Op("eq", pair, FLAG) for pair in pairs if pair[0] != pair[1]))
        taken = ir.If(same, held, ir.Const(0, held.type), held.type)
        return ir.Op("union", (e, taken), e.type)

    left = ir.Read(take.state, take.keys, held.type)
    yield ir.Op("within", (held, take.value), FLAG)
    yield ir.Op("is_empty", (ir.Op("inter", (left, take.value), held.type),), FLAG)
    for e in before:
        yield with_taken(walk.with_fresh_locals(e, fresh))


def known_of_answer(
    facts: Facts, stmt: ir.Choose, local: ir.Local, fresh: Callable[[str], str]
) -> Iterator[ir.Expr]:
    """Yield that an answer is among the candidates of its choice."""
    choice = facts.choices[stmt.choice]
    candidates = choice.candidates
    if candidates is None or not isinstance(candidates.type, SetOf) or not choice.verb.startswith("pick"):
        return
    arguments = {param.name: e for param, e in zip(choice.params, stmt.arguments, strict=True)}
    among = walk.substitute(candidates, walk.written_out(choice.lets))
    among = walk.substitute(walk.with_fresh_locals(among, fresh), arguments)
    if local.name in walk.free(among):
        return
    test = ir.Op("within" if choice.verb == "pick_set" else "has", (local, among), FLAG)
    may_be_none = isinstance(local.type, Optional)
    yield disjunction(ir.Op("is_none", (local,), FLAG), test) if may_be_none else test


def number_drawn(facts: Facts, stmt: ir.DrawLot | ir.DrawTop) -> Int:
    """Return how many things a draw may give."""
    kind = stmt.over.type if isinstance(stmt, ir.DrawLot) else facts.states[stmt.state].type
    of = kind.of if isinstance(kind, SetOf | ListOf) else kind
    most = facts.program.by_name.members_of(of).bit_count() if isinstance(of, Member) else 0
    return Int(0, min(most, stmt.count.type.high) if isinstance(stmt.count.type, Int) else most)


class _Before:
    """Expressions as they were before a draw, as far as the draw tells."""

    def __init__(self, facts: Facts, draw: ir.DrawTop, of: SetOf, fresh: Callable[[str], str]) -> None:
        self._facts, self._draw, self._of, self._fresh = facts, draw, of, fresh
        self._held = ir.Local(fresh("held"), of)
        self._others = ir.Local(fresh("others"), of)
        self._open = ir.Local(fresh("open"), of)
        assert isinstance(of.of, Member)
        everything = ir.Const(facts.program.by_name.members_of(of.of), of)
        bounds = {
            self._held.name: (self._drawn_set(), everything),
            self._others.name: (ir.Const(0, of), everything),
        }
        self._bounds = Partial(facts.functions, fresh, bounds, frozenset((self._open.name,)))

    def most(self, e: ir.Expr) -> ir.Expr:
        """Return a condition that holds wherever one held before the draw."""
        return self._bounds.flag(self._with_contents(walk.with_fresh_locals(e, self._fresh)))[1]

    def _drawn_set(self) -> ir.Expr:
        """The set of what was drawn."""
        local = self._draw.local
        if isinstance(local.type, SetOf):
            return local
        return ir.Op("single" if self._draw.one else "to_set", (local,), self._of)

    def _with_contents(self, e: ir.Expr) -> ir.Expr:
        """The expression with locals for what the cup or stack held."""
        if isinstance(e, ir.Apply) and self._draw.state in self._facts.function_reads(e.function):
            return self._with_contents(_in_line(self._facts, e, self._fresh))
        if isinstance(e, ir.Op) and e.op in ("to_set", "list_has"):
            *first, held = e.operands
            if self._is_drawn_from(held):
                contents = self._contents(held)
                return (
                    contents
                    if e.op == "to_set"
                    else ir.Op("has", (self._with_contents(first[0]), contents), FLAG)
                )
        if self._is_drawn_from(e):
            return self._contents(e) if isinstance(e.type, SetOf) else self._open
        return walk.rebuild(e, tuple(map(self._with_contents, walk.children(e))))

    def _is_drawn_from(self, e: ir.Expr) -> bool:
        return isinstance(e, ir.Read) and e.state == self._draw.state

    def _contents(self, e: ir.Expr) -> ir.Expr:
        """Return the content of a cup or stack before: of the one drawn from, at least what was drawn."""
        assert isinstance(e, ir.Read)
        pairs = zip(e.keys, self._draw.keys, strict=True)
        other = [ir.Op("eq", pair, FLAG) for pair in pairs if pair[0] != pair[1]]
        return ir.If(conjunction(*other), self._held, self._others, self._of) if other else self._held


def _in_line(facts: Facts, call: ir.Apply, fresh: Callable[[str], str]) -> ir.Expr:
    function = facts.functions[call.function]
    values = {param.name: e for param, e in zip(function.params, call.arguments, strict=True)}
    return walk.substitute(walk.with_fresh_locals(function.body, fresh), values)
