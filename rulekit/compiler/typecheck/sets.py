"""Sets: literals, filters, aggregates, reach and quantifiers."""

from __future__ import annotations

from typing import Literal

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.populate.type_reader import MAX_SET
from rulekit.compiler.typecheck.expressions import Expressions
from rulekit.compiler.typecheck.joins import ANY, facts, in_sets, join, mask, none_of
from rulekit.compiler.typecheck.scope import Scope
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x

FLAG = t.Flag()
PIECE = t.Member("piece", "Piece")


class Sets(Expressions):
    """The whole expression checker but for signatures."""

    def set_expression(
        self,
        node: x.SetLiteral | x.PlacedAt | x.Count | x.Aggregate | x.Where | x.With | x.LinkedTo,
        scope: Scope,
        expected: t.Type | None,
    ) -> ir.Expr:
        match node:
            case x.SetLiteral():
                return self._literal(node, scope, expected)
            case x.PlacedAt():
                return self._placed(node, scope)
            case x.Count():
                return self._count(node, scope)
            case x.Aggregate():
                return self._aggregate(node, scope)
            case x.Where():
                return self._where(node, scope, expected)
            case x.With():
                return self._with(node, scope, expected)
            case x.LinkedTo():
                return self._linked(node, scope, expected)

    def set_of(
        self, node: x.Expr, scope: Scope, expected: t.Type | None = None
    ) -> tuple[ir.Expr, t.Member | t.Int]:
        """An expression that must be a set, and the type of its members."""
        made = self.infer(node, scope, expected)
        if isinstance(made.type, t.SetOf):
            return made, made.type.of
        hint = "`as_set(list)` is its set" if isinstance(made.type, t.ListOf) else None
        if isinstance(made.type, t.Member | t.Optional):
            hint = "one member as a set is written `{x}`"
        if isinstance(node, x.Quantified | x.Count | x.Aggregate):
            hint = "put the set in brackets, as in `count of (S where ..)`"
        self.ctx.fail(kinds.WRONG_TYPE, f"this is a `{made.type}`, and a set is wanted", node.span, hint)

    # -- literals and arithmetic

    def _literal(self, node: x.SetLiteral, scope: Scope, expected: t.Type | None) -> ir.Expr:
        of = expected.of if isinstance(expected, t.SetOf | t.ListOf) else expected
        if isinstance(expected, t.ListOf):
            return self._list_literal(node, scope, expected)
        whole, parts, type_ = 0, [], None
        for item in node.items:
            made = self.infer(item, scope, of)
            if isinstance(made.type, t.Int) and not in_sets(made.type):
                message = f"numbers in sets are from 0 to {MAX_SET}"
                self.ctx.fail(kinds.WRONG_TYPE, message, item.span)
            if isinstance(made.type, t.Member | t.Int):
                made = self.adapt(made, t.SetOf(made.type))
            if not isinstance(made.type, t.SetOf):
                self.ctx.fail(kinds.WRONG_TYPE, f"a set cannot hold a `{made.type}`", item.span)
            joined = made.type.of if type_ is None else join(self.ctx.world, type_, made.type.of)
            if not isinstance(joined, t.Member | t.Int):
                self.ctx.fail(kinds.WRONG_TYPE, f"a `{made.type.of}` among `{type_}`", item.span)
            type_ = joined
            if isinstance(made, ir.Const):
                whole |= int(made.value)  # type: ignore[arg-type]
            else:
                parts.append(made)
        if type_ is None:
            element = of if isinstance(of, t.Member | t.Int) else ANY
            return ir.Const(0, t.SetOf(element))
        result: ir.Expr = ir.Const(whole, t.SetOf(type_))
        for part in parts:
            empty = isinstance(result, ir.Const) and result.value == 0
            result = part if empty else ir.Op("union", (result, part), t.SetOf(type_))
        return result

    def _list_literal(self, node: x.SetLiteral, scope: Scope, want: t.ListOf) -> ir.Expr:
        """Where a list is wanted, braces hold its items in order."""
        items = tuple(self.check(item, scope, want.of) for item in node.items)
        if len(items) > want.most:
            self.ctx.fail(kinds.WRONG_TYPE, f"{len(items)} items where at most {want.most} fit", node.span)
        if all(isinstance(item, ir.Const) for item in items):
            return ir.Const(tuple(int(item.value) for item in items), want)  # type: ignore[union-attr, arg-type]
        return ir.Op("list_of", items, want)

    def set_arithmetic(self, node: x.Binary | x.Divide, left: ir.Expr, scope: Scope) -> ir.Expr:
        """`+` and `-` of sets (a single member counts as a set of one), `+` of lists."""
        right = self.infer(node.right, scope, none_of(left.type))
        op = node.op if isinstance(node, x.Binary) else "/"
        if isinstance(left.type, t.ListOf) and isinstance(right.type, t.ListOf) and op == "+":
            joined = join(self.ctx.world, left.type.of, right.type.of)
            if isinstance(joined, t.Optional | t.ListOf | t.MapOf | t.Nothing | None):
                self.ctx.fail(kinds.WRONG_TYPE, f"a `{left.type}` + a `{right.type}`", node.span)
            return ir.Op("joined", (left, right), t.ListOf(joined, left.type.most + right.type.most))
        sides = [self.adapt(s, t.SetOf(s.type)) if isinstance(s.type, t.Member) else s for s in (left, right)]
        left, right = self.adapt(sides[0], sides[1].type), self.adapt(sides[1], sides[0].type)
        if not (isinstance(left.type, t.SetOf) and isinstance(right.type, t.SetOf)) or op not in ("+", "-"):
            self.ctx.fail(kinds.WRONG_TYPE, f"a `{left.type}` {op} a `{right.type}`", node.span)
        joined = join(self.ctx.world, left.type.of, right.type.of)
        if not isinstance(joined, t.Member | t.Int):
            message = f"a `{left.type}` and a `{right.type}` have nothing in common"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.span)
        if op == "+":
            return ir.Op("union", (left, right), t.SetOf(joined))
        return ir.Op("diff", (left, right), left.type)

    # -- places and numbers

    def _placed(self, node: x.PlacedAt, scope: Scope) -> ir.Expr:
        pieces, of = self.set_of(node.pieces, scope)
        if not (isinstance(of, t.Member) and of.domain == "piece"):
            self.ctx.fail(
                kinds.WRONG_TYPE, f"a `{pieces.type}` is at no place", node.pieces.span, "only pieces are"
            )
        where = self.infer(node.place, scope, t.Member("space", "Space"))
        want = where.type.of if isinstance(where.type, t.SetOf) else where.type
        if isinstance(want, t.Optional):
            hint = "test it first, or write `(x otherwise y)`"
            self.ctx.fail(kinds.MAYBE_NONE, "this may be none, and a place is needed", node.place.span, hint)
        if not (isinstance(want, t.Member) and want.domain == "space"):
            self.ctx.fail(kinds.WRONG_TYPE, f"a `{where.type}` is no place", node.place.span)
        at = ir.At(where, isinstance(where.type, t.SetOf), t.SetOf(PIECE))
        return ir.Op("inter", (pieces, at), t.SetOf(of))

    def _count(self, node: x.Count, scope: Scope) -> ir.Expr:
        made = self.infer(node.over, scope)
        if isinstance(made.type, t.ListOf):
            return ir.Op("length", (made,), t.Int(0, made.type.most))
        if not isinstance(made.type, t.SetOf):
            self.ctx.fail(kinds.WRONG_TYPE, f"a count of a `{made.type}`", node.over.span)
        return ir.Op("count", (made,), t.Int(0, self._size(made.type.of)))

    def _size(self, of: t.Member | t.Int) -> int:
        return mask(self.ctx.world, of).bit_count()

    def _aggregate(self, node: x.Aggregate, scope: Scope) -> ir.Expr:
        made = self.infer(node.over, scope)
        if isinstance(made.type, t.SetOf):
            of: t.Type = made.type.of
            most = self._size(made.type.of)
        elif isinstance(made.type, t.ListOf):
            of, most = made.type.of, made.type.most
        else:
            self.ctx.fail(kinds.WRONG_TYPE, f"a {node.kind} over a `{made.type}`", node.over.span)
        var = scope.routine.fresh(node.var.text if node.var else "it", of)
        if node.var is not None and node.body is not None:
            body = self.infer(node.body, self.naming(scope, node.var, var))
        else:
            assert node.field is not None
            body = self.field_of(var, node.field, None, node.field.span, scope.with_it(var))
        if not isinstance(body.type, t.Int):
            self.ctx.fail(kinds.WRONG_TYPE, f"a {node.kind} of a `{body.type}`", node.span)
        return ir.Fold(node.kind, made, var, body, self._folded(node.kind, body.type, most))

    def _folded(self, kind: Literal["total", "lowest", "highest"], body: t.Int, most: int) -> t.Type:
        if kind == "total":
            return t.Int(min(0, most * body.low), max(0, most * body.high))
        return t.Optional(body)

    def naming(self, scope: Scope, name: x.Name, local: ir.Local) -> Scope:
        """The scope with a new name, which may hide none."""
        spans, earlier = scope.routine.spans, scope.names.get(name.text)
        if earlier is not None:
            message = f"`{name.text}` is the name of something else here"
            labels = [Label(spans[earlier.name], "named here")] if earlier.name in spans else []
            self.ctx.tell(kinds.SHADOWED_NAME, message, name.span, "choose another name", *labels)
        spans.setdefault(local.name, name.span)
        return scope.with_name(name.text, local)

    # -- filters

    def _where(self, node: x.Where, scope: Scope, expected: t.Type | None) -> ir.Expr:
        over, of = self.set_of(node.over, scope, expected)
        it = scope.routine.fresh("it", of)
        body = self.flag(node.condition, scope.with_it(it))
        narrowed = none_of(facts(self.ctx.world, body, True).get(it.name, of))
        element = narrowed if isinstance(narrowed, t.Member | t.Int) else of
        return ir.Filter(over, it, body, t.SetOf(element))

    def _with(self, node: x.With, scope: Scope, expected: t.Type | None) -> ir.Expr:
        over, of = self.set_of(node.over, scope, expected)
        it = scope.routine.fresh("it", of)
        key = self.infer(node.key, scope.with_it(it))
        if not isinstance(none_of(key.type), t.Int | t.Month | t.Ratio):
            self.ctx.fail(
                kinds.WRONG_TYPE,
                f"the {node.kind} of a `{key.type}`",
                node.key.span,
                "order is by a number",
            )
        return ir.Best(node.kind, over, it, key, t.SetOf(of))

    def _linked(self, node: x.LinkedTo, scope: Scope, expected: t.Type | None) -> ir.Expr:
        over, of = self.set_of(node.over, scope, expected)
        start = self.infer(node.start, scope, t.SetOf(of))
        start = self.adapt(start, t.SetOf(of)) if isinstance(start.type, t.Member) else start
        if not isinstance(start.type, t.SetOf):
            self.ctx.fail(kinds.WRONG_TYPE, f"a `{start.type}` is no place to start from", node.start.span)
        var = scope.routine.fresh("step", join(self.ctx.world, of, start.type.of) or of)
        relation = self.relation(node.relation, var, over, scope)
        within = self.check(node.within, scope, t.Int(0, 10_000)) if node.within is not None else None
        return ir.Linked(over, start, var, relation, within, t.SetOf(of))

    def relation(self, name: x.Name, var: ir.Local, over: ir.Expr, scope: Scope) -> ir.Expr:
        """What a member touches, as a set: a set-valued field or define, or a flag define of two members."""
        params = self.params_of(name.text) if name.text in self.ctx.names.defines else ()
        if len(params) == 2 and isinstance(over.type, t.SetOf):
            other = scope.routine.fresh("next", over.type.of)
            joined = self.value(name.text, (var, other), name.span, scope)
            if isinstance(joined.type, t.Flag):
                return ir.Filter(over, other, joined, over.type)
        made = self.field_of(var, name, None, name.span, scope)
        if not isinstance(made.type, t.SetOf):
            hint = "a relation is a set-valued field, or a define of two members that holds or not"
            self.ctx.fail(kinds.WRONG_TYPE, f"`{name.text}` is a `{made.type}`, no relation", name.span, hint)
        return made

    # -- quantifiers

    def quantified(self, node: x.Quantified, scope: Scope) -> ir.Expr:
        made = self.infer(node.over, scope)
        if not isinstance(made.type, t.SetOf | t.ListOf):
            self.ctx.fail(kinds.WRONG_TYPE, f"this is a `{made.type}`, and a set is wanted", node.over.span)
        if node.test is None:
            return self._existence(node, made, node.span)
        var = scope.routine.fresh(node.var.text, made.type.of)
        inner = self.naming(scope, node.var, var)
        if isinstance(node.test, x.Predicate):
            body = self.holds(var, node.test, node.test.span, inner)
            if not isinstance(body.type, t.Flag):
                self.ctx.fail(kinds.WRONG_TYPE, f"`is` with a `{body.type}`", node.test.span)
        else:
            body = self.flag(node.test, inner)
        if node.negated:
            body = ir.Op("not", (body,), FLAG)
        kind: Literal["all", "any", "no"] = {"every": "all", "some": "any", "no": "no"}[node.quantifier]  # type: ignore[assignment]
        return ir.Fold(kind, made, var, body, FLAG)

    def _existence(self, node: x.Quantified, made: ir.Expr, span: Span) -> ir.Expr:
        if node.quantifier == "every":
            self.ctx.fail(kinds.WRONG_TYPE, "`every` of what?", span, "add `is ...` or `has ...`")
        empty = self._is_empty(made, span)
        return empty if node.quantifier == "no" else ir.Op("not", (empty,), FLAG)
