"""Sets: literals, filters, aggregates, reachable members and quantifiers."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, assert_never

from rulekit import ir
from rulekit.base.bits import mask_of
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.populate.type_reader import MAX_SET
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.conversions import (
    ANY,
    FLAG,
    MAY_BE_NONE,
    adapt,
    conjunction,
    emptiness,
    facts,
    in_sets,
    join,
    mask,
    member_facts,
    negation,
    set_size,
    without_none,
)
from rulekit.compiler.typecheck.expressions.calls import CallChecker
from rulekit.compiler.typecheck.expressions.predicates import PredicateChecker
from rulekit.compiler.typecheck.expressions.ways import STEPS, WayChecker
from rulekit.compiler.typecheck.scope import Inference, Scope, bind_name
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x

PIECE = t.Member("piece", "Piece")
SetExpr = (
    x.SetLiteral | x.Range | x.PlacedAt | x.Count | x.Aggregate | x.Where | x.With | x.LinkedTo | x.Quantified
    | x.CheapestWay
)  # fmt: skip


@frozen
class SetChecker:
    """Types what makes, filters, folds or quantifies over sets."""

    ctx: CheckContext
    inference: Inference
    calls: CallChecker
    predicates: PredicateChecker
    ways: WayChecker

    def infer(self, node: SetExpr, scope: Scope, expected: t.Type | None) -> ir.Expr:
        """The typed expression; see `Inference.infer`."""
        match node:
            case x.SetLiteral():
                return self._literal(node, scope, expected)
            case x.Range():
                return self._numbers(node, scope)
            case x.PlacedAt():
                return self._pieces_at(node, scope)
            case x.Count():
                return self._count(node, scope)
            case x.Aggregate():
                return self._aggregate(node, scope)
            case x.Where():
                return self._where(node, scope, expected)
            case x.With():
                return self._with(node, scope, expected)
            case x.LinkedTo():
                return self._reach(node, scope, expected)
            case x.CheapestWay():
                return self._way(node, scope)
            case x.Quantified():
                return self._quantify(node, scope)
            case _:
                assert_never(node)

    def set_of(
        self,
        node: x.Expr,
        scope: Scope,
        expected: t.Type | None = None,
        *,
        lists: bool = False,
        one: str = "write one member as a set: `{x}`",
    ) -> tuple[ir.Expr, t.Member | t.Int]:
        """An expression that must be a set (with `lists`, or a list), and the type of its members.

        `one` is the hint where it is a single member.
        """
        value = self.inference.infer(node, scope, expected)
        if lists and isinstance(value.type, t.ListOf) and isinstance(value.type.of, t.Member | t.Int):
            value = ir.Op("to_set", (value,), t.SetOf(value.type.of))
        if isinstance(value.type, t.SetOf):
            return value, value.type.of
        hint = "use `as_set(list)`" if isinstance(value.type, t.ListOf) else None
        if isinstance(value.type, t.Member | t.Optional):
            hint = one
        if isinstance(node, x.Quantified | x.Count | x.Aggregate):
            hint = "add parentheses, as in `count of (S where ..)`"
        self.ctx.fail(kinds.WRONG_TYPE, f"expected a set, found `{value.type}`", node.span, hint)

    def members(self, node: x.Expr, scope: Scope, what: str) -> tuple[ir.Expr, t.Member]:
        """An expression that must be a set of members, which is `what` it is for, and their type."""
        value, of = self.set_of(node, scope)
        if not isinstance(of, t.Member):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected {what}, found `{of}`", node.span)
        return value, of

    # -- literals and arithmetic

    def _literal(self, node: x.SetLiteral, scope: Scope, expected: t.Type | None) -> ir.Expr:
        of = expected.of if isinstance(expected, t.SetOf | t.ListOf) else expected
        if isinstance(expected, t.ListOf):
            return self._list_literal(node, scope, expected)
        constants = 0
        parts: list[ir.Expr] = []
        type_: t.Member | t.Int | None = None
        for item in node.items:
            part, element = self._part(item, scope, of)
            joined = element if type_ is None else join(self.ctx.world, type_, element)
            if not isinstance(joined, t.Member | t.Int):
                self.ctx.fail(kinds.WRONG_TYPE, f"`{element}` does not fit among `{type_}`", item.span)
            type_ = joined
            if isinstance(part, ir.Const):
                constants |= int(part.value)  # type: ignore[arg-type]
            else:
                parts.append(part)
        if type_ is None:
            return ir.Const(0, t.SetOf(of if isinstance(of, t.Member | t.Int) else ANY))
        result: ir.Expr = ir.Const(constants, t.SetOf(type_))
        for part in parts:
            empty = isinstance(result, ir.Const) and result.value == 0
            result = part if empty else ir.Op("union", (result, part), t.SetOf(type_))
        return result

    def _part(self, item: x.Expr, scope: Scope, of: t.Type | None) -> tuple[ir.Expr, t.Member | t.Int]:
        """One part of a literal as a set, and the type of its members."""
        part = self.inference.infer(item, scope, of)
        if isinstance(part.type, t.Int) and not in_sets(part.type):
            self.ctx.fail(kinds.WRONG_TYPE, f"sets hold numbers from 0 to {MAX_SET}", item.span)
        if isinstance(part.type, t.Member | t.Int):
            part = adapt(part, t.SetOf(part.type))
        if not isinstance(part.type, t.SetOf):
            hint = MAY_BE_NONE if isinstance(part.type, t.Optional) else None
            self.ctx.fail(kinds.WRONG_TYPE, f"a set cannot hold `{part.type}`", item.span, hint)
        return part, part.type.of

    def _numbers(self, node: x.Range, scope: Scope) -> ir.Expr:
        """`2..5`: all numbers from one to another; none if the second is less."""
        assert node.low is not None and node.high is not None  # the grammar has open ends after `in` alone
        (low, lowest), (high, highest) = self._end(node.low, scope), self._end(node.high, scope)
        if highest.high < lowest.low:
            message = f"there is no number from {lowest.low} up to {highest.high}"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.span, "write the lower number first")
        if lowest.low < 0 or highest.high > MAX_SET:
            self.ctx.fail(kinds.WRONG_TYPE, f"sets hold numbers from 0 to {MAX_SET}", node.span)
        of = t.Int(lowest.low, highest.high)
        numbers = ir.Const(mask_of(range(lowest.low, highest.high + 1)), t.SetOf(of))
        if isinstance(low, ir.Const) and isinstance(high, ir.Const):
            return numbers
        it = scope.routine.fresh("it", of)
        inside = conjunction(ir.Op("le", (low, it), FLAG), ir.Op("le", (it, high), FLAG))
        return ir.Filter(numbers, it, inside, numbers.type)

    def _end(self, node: x.Expr, scope: Scope) -> tuple[ir.Expr, t.Int]:
        """An end of a set of numbers, and its type."""
        end = self.inference.infer(node, scope)
        if not isinstance(end.type, t.Int):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected a number, found `{end.type}`", node.span)
        return end, end.type

    def _list_literal(self, node: x.SetLiteral, scope: Scope, expected: t.ListOf) -> ir.Expr:
        """Braces where a list is expected: its items in order."""
        items = tuple(self.inference.check(item, scope, expected.of) for item in node.items)
        if len(items) > expected.most:
            message = f"{len(items)} items, but the list holds at most {expected.most}"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.span)
        values = [item.value for item in items if isinstance(item, ir.Const)]
        if len(values) == len(items):
            known = (value if isinstance(value, Fraction) else int(value) for value in values)  # type: ignore[arg-type]
            return ir.Const(tuple(known), expected)
        return ir.Op("list_of", items, expected)

    def arithmetic(self, node: x.Binary | x.Divide, left: ir.Expr, scope: Scope) -> ir.Expr:
        """`+` and `-` of sets (a single member counts as a set of one), `+` of lists."""
        right = self.inference.infer(node.right, scope, without_none(left.type))
        op = node.op if isinstance(node, x.Binary) else "/"
        if isinstance(left.type, t.ListOf) and isinstance(right.type, t.ListOf) and op == "+":
            joined = join(self.ctx.world, left.type.of, right.type.of)
            if isinstance(joined, t.Optional | t.ListOf | t.MapOf | t.Nothing | None):
                self.ctx.fail(kinds.WRONG_TYPE, f"cannot compute `{left.type}` + `{right.type}`", node.span)
            return ir.Op("joined", (left, right), t.ListOf(joined, left.type.most + right.type.most))
        sides = [adapt(s, t.SetOf(s.type)) if isinstance(s.type, t.Member) else s for s in (left, right)]
        left, right = adapt(sides[0], sides[1].type), adapt(sides[1], sides[0].type)
        if not (isinstance(left.type, t.SetOf) and isinstance(right.type, t.SetOf)) or op not in ("+", "-"):
            self.ctx.fail(kinds.WRONG_TYPE, f"cannot compute `{left.type}` {op} `{right.type}`", node.span)
        joined = join(self.ctx.world, left.type.of, right.type.of)
        if not isinstance(joined, t.Member | t.Int):
            message = f"`{left.type}` and `{right.type}` have nothing in common"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.span)
        if op == "+":
            return ir.Op("union", (left, right), t.SetOf(joined))
        return ir.Op("diff", (left, right), left.type)

    # -- places and numbers

    def _pieces_at(self, node: x.PlacedAt, scope: Scope) -> ir.Expr:
        pieces, of = self.set_of(
            node.pieces, scope, one="write `x is at P` for one piece, `{x} at P` for a set"
        )
        if not (isinstance(of, t.Member) and of.domain == "piece"):
            message, hint = f"`{pieces.type}` has no place", "only pieces have a place"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.pieces.span, hint)
        where = self.inference.infer(node.place, scope, t.Member("space", "Space"))
        space = where.type.of if isinstance(where.type, t.SetOf) else where.type
        if isinstance(space, t.Optional):
            hint = "test it first, or write `(x otherwise y)`"
            self.ctx.fail(kinds.MAYBE_NONE, "expected a place, but this may be none", node.place.span, hint)
        if not (isinstance(space, t.Member) and space.domain == "space"):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected a place, found `{where.type}`", node.place.span)
        at = ir.At(where, isinstance(where.type, t.SetOf), t.SetOf(PIECE))
        return ir.Op("inter", (pieces, at), t.SetOf(of))

    def _count(self, node: x.Count, scope: Scope) -> ir.Expr:
        over = self.inference.infer(node.over, scope)
        if isinstance(over.type, t.ListOf):
            return ir.Op("length", (over,), t.Int(0, over.type.most))
        if not isinstance(over.type, t.SetOf):
            self.ctx.fail(kinds.WRONG_TYPE, f"cannot count `{over.type}`", node.over.span)
        return ir.Op("count", (over,), t.Int(0, set_size(self.ctx.world, over.type.of)))

    def _aggregate(self, node: x.Aggregate, scope: Scope) -> ir.Expr:
        over = self.inference.infer(node.over, scope)
        if isinstance(over.type, t.SetOf):
            of: t.Type = over.type.of
            most = set_size(self.ctx.world, over.type.of)
        elif isinstance(over.type, t.ListOf):
            of, most = over.type.of, over.type.most
        else:
            self.ctx.fail(kinds.WRONG_TYPE, f"cannot take the {node.kind} over `{over.type}`", node.over.span)
        var = scope.routine.fresh(node.var.text if node.var else "it", of)
        known = member_facts(self.ctx.world, over, var)
        if node.var is not None and node.body is not None:
            body = self.inference.infer(node.body, bind_name(self.ctx, scope, node.var, var).knowing(known))
        else:
            assert node.field is not None
            its = x.Its(node.field.span, node.field, None)
            body = self.inference.infer(its, scope.with_it(var).knowing(known))
        if node.kind == "join":
            return self._join(node, over, var, body)
        if node.kind == "map":
            return self._map(node, over, var, body)
        if not isinstance(body.type, t.Int):
            self.ctx.fail(kinds.WRONG_TYPE, f"cannot take the {node.kind} of `{body.type}`", node.span)
        return ir.Fold(node.kind, over, var, body, self._fold_type(node.kind, body.type, most))

    def _join(self, node: x.Aggregate, over: ir.Expr, var: ir.Local, body: ir.Expr) -> ir.Expr:
        """`join of E for x in S`: the members of all these sets; a single member counts as a set."""
        if isinstance(body.type, t.Member):
            body = adapt(body, t.SetOf(body.type))
        if not isinstance(body.type, t.SetOf):
            assert node.body is not None
            may_be_none = isinstance(body.type, t.Optional)
            hint = "leave out members without it, by a `where` of the set" if may_be_none else "join sets"
            self.ctx.fail(kinds.WRONG_TYPE, f"cannot join `{body.type}`", node.body.span, hint)
        return ir.Fold("join", over, var, body, body.type)

    def _map(self, node: x.Aggregate, over: ir.Expr, var: ir.Local, body: ir.Expr) -> ir.Expr:
        """`map of E for x in S`: the value of `E` for each member, to be read by `m(x)`."""
        if not (isinstance(over.type, t.SetOf) and isinstance(over.type.of, t.Member)):
            message = f"the keys of a map must be members of a kind, found `{over.type}`"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.over.span, "name a set of members after `in`")
        if isinstance(without_none(body.type), t.MapOf | t.Row | t.Nothing):
            assert node.body is not None
            self.ctx.fail(kinds.WRONG_TYPE, f"a map cannot hold `{body.type}`", node.body.span)
        return ir.Fold("map", over, var, body, t.MapOf(over.type.of, body.type))

    def _fold_type(self, kind: Literal["total", "lowest", "highest"], body: t.Int, most: int) -> t.Type:
        if kind == "total":
            return t.Int(min(0, most * body.low), max(0, most * body.high))
        return t.Optional(body)

    # -- filters

    def _where(self, node: x.Where, scope: Scope, expected: t.Type | None) -> ir.Expr:
        over, of = self.set_of(node.over, scope, expected)
        it = scope.routine.fresh("it", of)
        inner = scope.with_it(it).knowing(member_facts(self.ctx.world, over, it))
        body = self.inference.flag(node.condition, inner)
        narrowed = without_none(facts(self.ctx.world, body, True).get(it.name, of))
        element = narrowed if isinstance(narrowed, t.Member | t.Int) else of
        return ir.Filter(over, it, body, t.SetOf(element))

    def _with(self, node: x.With, scope: Scope, expected: t.Type | None) -> ir.Expr:
        over, of = self.set_of(node.over, scope, expected)
        it = scope.routine.fresh("it", of)
        inner = scope.with_it(it).knowing(member_facts(self.ctx.world, over, it))
        key = self.inference.infer(node.key, inner)
        if not isinstance(without_none(key.type), t.Int | t.Month | t.Ratio):
            message = f"cannot find the {node.kind} by `{key.type}`"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.key.span, "order by a number")
        return ir.Best(node.kind, over, it, key, t.SetOf(of))

    def _reach(self, node: x.LinkedTo, scope: Scope, expected: t.Type | None) -> ir.Expr:
        over, of = self.set_of(node.over, scope, expected)
        start, first = self._end_of_way(node.start, scope, t.SetOf(of), "a set to start from")
        return ir.Linked(over, start, *self._steps(node, (over, of), (start, first), scope), t.SetOf(of))

    def _way(self, node: x.CheapestWay, scope: Scope) -> ir.Expr:
        given = None if node.over is None else self.members(node.over, scope, "a set of members")
        known = None if given is None else t.SetOf(given[1])
        start, first = self._end_of_way(node.start, scope, known, "a member or a set to start from")
        goal, last = self._end_of_way(node.goal, scope, t.SetOf(first), "a member or a set to lead to")
        if not isinstance(first, t.Member) or not isinstance(last, t.Member):
            self.ctx.fail(kinds.WRONG_TYPE, "ways lead from member to member, not between numbers", node.span)
        over, of = given or self.ways.all_of(node.relation, (first, last))
        through = join(self.ctx.world, of, first)
        if not isinstance(through, t.Member) or not isinstance(join(self.ctx.world, of, last), t.Member):
            message = f"no steps lead from `{first}` to `{last}` in `{of}`"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.span)
        most = mask(self.ctx.world, through).bit_count()
        steps = self._steps(node, (over, of), (start, first), scope)
        return ir.BestWay(over, start, goal, *steps, t.ListOf(through, most))

    def _end_of_way(
        self, node: x.Expr, scope: Scope, expected: t.Type | None, what: str
    ) -> tuple[ir.Expr, t.Member | t.Int]:
        """Where ways start or lead to, as a set, which is `what` it is for, and the type of its members."""
        end = self.inference.infer(node, scope, expected)
        end = adapt(end, t.SetOf(end.type)) if isinstance(end.type, t.Member) else end
        if isinstance(end.type, t.Optional):
            message = f"expected {what}, but this may be none"
            self.ctx.fail(kinds.MAYBE_NONE, message, node.span, MAY_BE_NONE)
        if not isinstance(end.type, t.SetOf):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected {what}, found `{end.type}`", node.span)
        return end, end.type.of

    def _steps(
        self,
        node: x.LinkedTo | x.CheapestWay,
        over: tuple[ir.Expr, t.Member | t.Int],
        start: tuple[ir.Expr, t.Member | t.Int],
        scope: Scope,
    ) -> tuple[ir.Local, ir.Expr, ir.Expr | None]:
        """The member that a step leaves, what is one step away from it, and the limit of ways."""
        var = scope.routine.fresh("step", join(self.ctx.world, over[1], start[1]) or over[1])
        relation = self.ways.relation(node.relation, var, over[0], scope, node.given)
        limit = node.within
        within = self.inference.check(limit, scope, STEPS) if limit is not None else None
        return var, self.ways.with_limits(node, relation, var, start[0], scope), within

    # -- quantifiers

    def _quantify(self, node: x.Quantified, scope: Scope) -> ir.Expr:
        over = self.inference.infer(node.over, scope)
        if not isinstance(over.type, t.SetOf | t.ListOf):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected a set, found `{over.type}`", node.over.span)
        if node.test is None:
            return self._existence(node, over, node.span)
        var = scope.routine.fresh(node.var.text, over.type.of)
        known = member_facts(self.ctx.world, over, var)
        inner = bind_name(self.ctx, scope, node.var, var).knowing(known)
        scope.routine.quantified.add(node.var.text)
        if isinstance(node.test, x.Predicate):
            body = self.predicates.holds(var, node.test, node.test.span, inner)
            if not isinstance(body.type, t.Flag):
                self.ctx.fail(kinds.WRONG_TYPE, f"`is` needs a flag, found `{body.type}`", node.test.span)
        else:
            body = self.inference.flag(node.test, inner)
        if node.negated:
            body = negation(body)
        kind: Literal["all", "any", "no"] = {"every": "all", "some": "any", "no": "no"}[node.quantifier]  # type: ignore[assignment]
        return ir.Fold(kind, over, var, body, FLAG)

    def _existence(self, node: x.Quantified, over: ir.Expr, span: Span) -> ir.Expr:
        if node.quantifier == "every":
            self.ctx.fail(kinds.WRONG_TYPE, "incomplete `every`", span, "add `is ...` or `has ...`")
        empty = emptiness(self.ctx, over, span)
        return empty if node.quantifier == "no" else negation(empty)
