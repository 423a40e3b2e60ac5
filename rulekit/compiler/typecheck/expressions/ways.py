"""Ways from member to member by a relation: reachable members and distances (spec 12.5, 12.6)."""

from __future__ import annotations

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.conversions import (
    ANY,
    FLAG,
    emptiness,
    if_some,
    join,
    mask,
    negation,
    without_none,
)
from rulekit.compiler.typecheck.expressions.builtins import counted_steps, fixed_relation
from rulekit.compiler.typecheck.expressions.calls import CallChecker
from rulekit.compiler.typecheck.scope import Inference, Scope, bind_name
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x

MOST_COST_OF_STEP = 99
MOST_STEPS = 10_000
FAR = ir.Const(MOST_STEPS + 1, t.Int(MOST_STEPS + 1, MOST_STEPS + 1))
STEPS = t.Int(0, MOST_STEPS)
ONE_STEP = ir.Const(1, t.Int(1, 1))


@frozen
class Whereabouts:
    """Where something is: a member, a set of members, or none.

    Attributes:
        kind: The kind of the members.
        needed: Values that are not none if there is such a place, in the order in which they are read.
    """

    value: ir.Expr
    kind: t.Member
    needed: tuple[ir.Expr, ...]

    @property
    def as_set(self) -> ir.Expr:
        """The place as a set; not to be evaluated where it is none."""
        kind = t.SetOf(self.kind)
        return self.value if isinstance(self.value.type, t.SetOf) else ir.Op("single", (self.value,), kind)


@frozen
class WayChecker:
    """Types `is within`, and the steps of `linked to` and `cheapest way`."""

    ctx: CheckContext
    inference: Inference
    calls: CallChecker

    def is_within(self, subject: ir.Expr, node: x.WithinPredicate, span: Span, scope: Scope) -> ir.Expr:
        """`x is within N of y by R`: false if either is none, nowhere or empty."""
        start = self._places(subject, span, scope)
        goal = self._places(self.inference.infer(node.goal, scope, start.kind), node.goal.span, scope)
        kind = join(self.ctx.world, start.kind, goal.kind)
        if not isinstance(kind, t.Member):
            message = f"no steps lead from `{start.kind}` to `{goal.kind}`"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.goal.span)
        within = self.inference.check(node.within, scope, STEPS)
        related = self._kind_of_relation(node.relation, (start.kind, goal.kind))
        fixed = fixed_relation(self.ctx, related, node.relation)
        if fixed and not any(isinstance(place.value.type, t.SetOf) for place in (start, goal)):
            steps = counted_steps(self.ctx, fixed, start.value, goal.value, kind.domain)
            near: ir.Expr = ir.Op("le", (ir.Op("or_else", (steps, FAR), STEPS), within), FLAG)
        else:
            over, _ = self.all_of(node.relation, (start.kind, goal.kind))
            var = scope.routine.fresh("step", related)
            relation = self.relation(node.relation, var, over, scope)
            begin = ir.Op("inter", (start.as_set, over), over.type)
            reached = ir.Linked(over, begin, var, relation, within, over.type)
            near = negation(emptiness(self.ctx, ir.Op("inter", (reached, goal.as_set), over.type), span))
        for value in reversed(start.needed + goal.needed):
            near = if_some(value, near)
        return near

    def all_of(self, relation: x.Name, ends: tuple[t.Member, t.Member]) -> tuple[ir.Expr, t.Member]:
        """All members that a relation leads between, and their kind."""
        related = self._kind_of_relation(relation, ends)
        return ir.Const(mask(self.ctx.world, related), t.SetOf(related)), related

    def _kind_of_relation(self, relation: x.Name, kinds_of_ends: tuple[t.Member, ...]) -> t.Member:
        """The kind that a relation is a field of: that of an end, or else the only one in its domain."""
        world, name = self.ctx.world, relation.text
        params = self.calls.params_of(name) if name in self.ctx.names.defines else ()
        if params and isinstance(params[0].type, t.Member):
            return params[0].type
        domain = kinds_of_ends[0].domain
        owners = [
            kind for kind, field in world.fields if field == name and world.kinds[kind].domain == domain
        ]
        known = [end for end in kinds_of_ends if world.field(end.name, name) is not None]
        return known[0] if known else t.Member(domain, owners[0]) if len(owners) == 1 else kinds_of_ends[0]

    def _places(self, value: ir.Expr, span: Span, scope: Scope) -> Whereabouts:
        """Where a value is: pieces are at their places, members of other kinds are places themselves."""
        of = value.type.of if isinstance(value.type, t.SetOf) else without_none(value.type)
        if not isinstance(of, t.Member) or of == ANY:
            hint = "name a piece, a place, or a set of them"
            self.ctx.fail(kinds.WRONG_TYPE, f"`{value.type}` has no place", span, hint)
        if of.domain != "piece":
            return Whereabouts(value, of, (value,))
        if not isinstance(value.type, t.SetOf):
            place = ir.Read("place", (value,), self.ctx.world.place_type(of.name))
            return Whereabouts(place, self._kind_of(place), (value, place))
        piece = scope.routine.fresh("piece", of)
        place = ir.Read("place", (piece,), self.ctx.world.place_type(of.name))
        kind = self._kind_of(place)
        own = ir.Op("single", (place,), t.SetOf(kind))
        nowhere = ir.Op("is_none", (place,), FLAG)
        known = (
            own if isinstance(place.type, t.Member) else ir.If(nowhere, ir.Const(0, own.type), own, own.type)
        )
        return Whereabouts(ir.Fold("join", value, piece, known, own.type), kind, ())

    def _kind_of(self, place: ir.Expr) -> t.Member:
        kind = without_none(place.type)
        assert isinstance(kind, t.Member)
        return kind

    def with_limits(
        self, node: x.LinkedTo | x.CheapestWay, relation: ir.Expr, var: ir.Local, start: ir.Expr, scope: Scope
    ) -> ir.Expr:
        """A relation with the costs of its steps, and without the steps from where a way stops."""
        assert isinstance(relation.type, t.SetOf)
        of = relation.type.of
        if node.cost is not None or isinstance(node, x.CheapestWay):
            it = scope.routine.fresh("it", of)
            cost, most = (ONE_STEP, 1) if node.cost is None else self._cost(node.cost, var, it, scope)
            relation = ir.Fold("grouped", relation, it, cost, t.ListOf(t.SetOf(of), most + 1))
        if node.stop is None:
            return relation
        stops = self.inference.flag(node.stop, scope.with_it(var))
        goes_on = ir.Op("or", (ir.Op("has", (var, start), FLAG), negation(stops)), FLAG)
        kind = relation.type
        nothing = ir.Const((0,) * kind.most if isinstance(kind, t.ListOf) else 0, kind)
        return ir.If(goes_on, relation, nothing, kind)

    def _cost(self, node: x.Expr, start: ir.Local, end: ir.Local, scope: Scope) -> tuple[ir.Expr, int]:
        """The cost of a step, perhaps none, and the most that it may be."""
        name = x.Name(node.span, "from")
        cost = self.inference.infer(node, bind_name(self.ctx, scope, name, start).with_it(end))
        number = without_none(cost.type)
        if not isinstance(number, t.Int) or number.low < 0 or number.high > MOST_COST_OF_STEP:
            message = f"expected a cost from 0 to {MOST_COST_OF_STEP}, or none, found `{cost.type}`"
            hint = "none closes a step; a definition `-> 0..9` bounds the cost"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.span, hint)
        return cost, number.high

    def relation(
        self, name: x.Name, var: ir.Local, over: ir.Expr, scope: Scope, given: tuple[x.Expr, ...] = ()
    ) -> ir.Expr:
        """The members linked to one: a field or define of one or a set, or a flag define of two members."""
        params = self.calls.params_of(name.text) if name.text in self.ctx.names.defines else ()
        if len(params) == 2 and not given and isinstance(over.type, t.SetOf):
            other = scope.routine.fresh("next", over.type.of)
            joined = self.calls.value(name.text, (var, other))
            if isinstance(joined.type, t.Flag):
                return ir.Filter(over, other, joined, over.type)
        members = self.calls.field_of(var, name, given or None, name.span, scope)
        of = without_none(members.type)
        if isinstance(of, t.Member):
            alone = ir.Op("single", (members,), t.SetOf(of))
            if isinstance(members.type, t.Member):
                return alone
            return ir.If(ir.Op("is_none", (members,), FLAG), ir.Const(0, alone.type), alone, alone.type)
        if not isinstance(members.type, t.SetOf):
            message = f"`{name.text}` is `{members.type}`, not a relation"
            hint = "use a field that holds a member or a set, or a flag define of two members"
            self.ctx.fail(kinds.WRONG_TYPE, message, name.span, hint)
        return members
