"""Modifiers of rolls and definitions, as functions; and the clauses that say when they apply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from typing import Final, Literal, NoReturn, assert_never

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.amend.rolls import prevailing
from rulekit.compiler.typecheck.context import SHIFT, CheckContext, Params, Signature
from rulekit.compiler.typecheck.conversions import FLAG, conjunction, either, facts, negation, without_none
from rulekit.compiler.typecheck.expressions import numbers
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.expressions.numbers import during
from rulekit.compiler.typecheck.scope import Scope, opening_scope
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

ZERO = ir.Const(0, t.Int(0, 0))
IN_A_ROW: Final = 40
"""Modifiers whose numbers are joined one by one."""

_Modified = tuple[Literal["roll", "define", "table"], str, str]
"""A kind, name and function, as `Modifier` of the IR has them."""
_STAGES = (("set",), ("times", "half"), ("add", "subtract"), ("least", "most"))


def dice_range(roll: i.Roll) -> t.Int:
    """The range of the sum of a roll's dice."""
    return t.Int(roll.dice * roll.lowest, roll.dice * (roll.lowest + roll.sides - 1))


def _locals(params: Params) -> tuple[ir.Local, ...]:
    return tuple(ir.Local(param.name, param.type) for param in params)


@frozen
class ModifierChecker:
    """Makes the functions that modify rolls and definitions."""

    ctx: CheckContext
    expressions: ExpressionChecker

    def roll(self, name: str) -> Signature:
        """Make the function that applies a roll's modifiers to its dice."""
        decl, modifiers = self.ctx.names.rolls[name], self.ctx.modifiers_on["roll", name]
        with self.ctx.entering(f"roll:{name}", decl.span):
            params = (ir.Param("rolled", dice_range(decl)), *self.ctx.params(decl.params))
            signature = self.apply(modifiers, decl.stacking, params, f"roll:{name}")
            self._explain(modifiers, decl.stacking, params, ("roll", name, f"roll:{name}"))
            return signature

    def shift(self, name: str) -> Signature:
        """Make the function of how many columns to the right the modifiers of a table shift a lookup."""
        decl = self.ctx.names.tables[name]
        with self.ctx.entering(f"{SHIFT}{name}", decl.span):
            params = (ir.Param("rolled", ZERO.type), *self.ctx.params(decl.params))
            modifiers = self.ctx.modifiers_on["table", name]
            signature = self.apply(modifiers, (), params, f"{SHIFT}{name}")
            self._explain(modifiers, (), params, ("table", name, f"{SHIFT}{name}"))
            return signature

    def definition(self, name: str, params: Params) -> Signature:
        """Make the function that applies a definition's modifiers to its value, the first parameter."""
        modifiers = self.ctx.modifiers_on["define", name]
        signature = self.apply(modifiers, (), params, f"value:{name}")
        self._explain(modifiers, (), params, ("define", name, name))
        return signature

    def apply(
        self, modifiers: Sequence[i.Modifier], stacking: tuple[i.Stacking, ...], params: Params, name: str
    ) -> Signature:
        """Make the function that applies modifiers to its first parameter, `rolled`.

        Stages: becomes; times and half; plus and minus, by stacking class; at least and at most.  Within a
        stage those that are over others come last; `amend` makes sure that no other order matters.
        """
        value: ir.Expr = _locals(params)[0]
        site = self.ctx.site(name, (), modifiers[0].span)
        for stage in _STAGES:
            ordered = prevailing(m for m in modifiers if m.effect in stage)
            if stage == ("add", "subtract"):
                value = self._sum(value, ordered, stacking, params, name)
                continue
            for modifier in ordered:
                value = self._one(modifier, value, params)
        return self.ctx.add_function(name, params, value, site)

    # -- explanations

    def _explain(
        self, modifiers: Sequence[i.Modifier], stacking: tuple[i.Stacking, ...], params: Params, of: _Modified
    ) -> None:
        """Collect modifiers for those who ask why a roll, a definition or a shift has its result."""
        for stage in _STAGES:
            for modifier in prevailing(m for m in modifiers if m.effect in stage):
                self._explain_one(modifier, stacking, params, of)

    def _explain_one(
        self, modifier: i.Modifier, stacking: tuple[i.Stacking, ...], params: Params, of: _Modified
    ) -> None:
        name = modifier.name.text
        site = self.ctx.site(name, self.ctx.rules(modifier.cite), modifier.span)
        acts, clauses = self._acting(modifier, params)
        stack = next((stack for stack in stacking if stack.name.text in _classes(modifier)), None)
        kind, point, function = of
        self.ctx.note(
            "modifier",
            ir.Modifier(
                name=name,
                of=kind,
                point=point,
                function=function,
                effect=modifier.effect,
                acts=acts,
                number=self._number(modifier, params, site),
                clauses=clauses,
                stack="" if stack is None else stack.name.text,
                policy="sum" if stack is None else stack.policy,
                site=site,
            ),
        )

    def _number(self, modifier: i.Modifier, params: Params, site: int) -> str:
        """The function of a modifier's number; empty if it has none."""
        if modifier.value is None:
            return ""
        name = f"number:{modifier.name.text}"
        scope = opening_scope(self.ctx, name, params, modifier.cite)
        sums = modifier.effect in ("add", "subtract")
        value = self._addend(modifier, scope) if sums else self.expressions.infer(modifier.value, scope)
        self.ctx.add_function(name, params, value, site)
        return name

    def _acting(self, modifier: i.Modifier, params: Params) -> tuple[str, tuple[int, ...]]:
        """The function that gives the clause which keeps a modifier from acting, and those clauses' sites."""
        name = f"acts:{modifier.name.text}"
        scope = opening_scope(self.ctx, name, params, modifier.cite)
        tests: list[ir.Expr] = []
        sites: list[int] = []
        for clause in modifier.clauses:
            test = self.condition((clause,), scope, tests)
            if test is not None:
                tests.append(test)
                sites.append(self.ctx.site(modifier.name.text, (), clause.span))
                scope = scope.knowing(facts(self.ctx.world, test, True))
        if not tests:
            return "", ()
        kind = t.Int(0, len(tests))
        failing: ir.Expr = ir.Const(0, kind)
        for number, test in reversed(list(enumerate(tests, 1))):
            failing = ir.If(test, failing, ir.Const(number, kind), kind)
        self.ctx.add_function(name, params, failing, sites[0])
        return name, tuple(sites)

    # -- one modifier

    def _one(self, modifier: i.Modifier, value: ir.Expr, params: Params) -> ir.Expr:
        """A modifier that does not add, as a function of the value so far and the parameters."""
        name = f"modifier:{modifier.name.text}"
        scope = opening_scope(self.ctx, name, params, modifier.cite)
        site = self.ctx.site(modifier.name.text, self.ctx.rules(modifier.cite), modifier.span)
        condition = self.condition(modifier.clauses, scope)
        now = ir.Local("now", value.type)
        body = self._effect(modifier, now, scope)
        if condition is not None:
            body = either(self.ctx, condition, body, now, modifier.span)
        signature = self.ctx.add_function(name, (ir.Param("now", value.type), *params), body, site)
        return ir.Apply(name, (value, *_locals(params)), signature.result)

    def _effect(self, modifier: i.Modifier, now: ir.Expr, scope: Scope) -> ir.Expr:
        type_ = now.type
        if modifier.effect == "set" and modifier.value is not None:
            return self.expressions.infer(modifier.value, scope, type_)
        if not isinstance(type_, t.Int):
            self._refuse_type(type_, modifier.span)
        if modifier.effect == "half":
            return _half(now, type_, modifier.way)
        assert modifier.value is not None
        number = self._number_in(modifier.value, scope)
        if modifier.effect == "times":
            return numbers.product(now, number)
        return numbers.extreme("larger" if modifier.effect == "least" else "smaller", now, number)

    def _number_in(self, node: x.Expr, scope: Scope) -> ir.Expr:
        number = self.expressions.infer(node, scope)
        if not isinstance(number.type, t.Int):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected a number, found `{number.type}`", node.span)
        return number

    def _addend(self, modifier: i.Modifier, scope: Scope) -> ir.Expr:
        """The number that a modifier adds where it acts."""
        assert modifier.value is not None
        number = self._number_in(modifier.value, scope)
        if modifier.effect == "subtract":
            number = numbers.negative(self.ctx, number, modifier.value.span)
        return number

    def _amount(self, modifier: i.Modifier, params: Params, idle: int = 0) -> ir.Expr:
        """The number that a modifier adds, as a call of its own function; `idle` where it does not act."""
        name = f"modifier:{modifier.name.text}"
        scope = opening_scope(self.ctx, name, params, modifier.cite)
        site = self.ctx.site(modifier.name.text, self.ctx.rules(modifier.cite), modifier.span)
        body = self._addend(modifier, scope)
        condition = self.condition(modifier.clauses, scope)
        if condition is not None:
            nothing = ir.Const(idle, t.Int(idle, idle))
            body = either(self.ctx, condition, body, nothing, modifier.span)
        signature = self.ctx.add_function(name, params, body, site)
        return ir.Apply(name, _locals(params), signature.result)

    def _refuse_type(self, type_: t.Type, span: Span) -> NoReturn:
        self.ctx.fail(kinds.WRONG_TYPE, f"cannot modify `{type_}`", span, "only numbers can be modified")

    # -- sums and stacking

    def _sum(
        self,
        value: ir.Expr,
        modifiers: Sequence[i.Modifier],
        stacking: tuple[i.Stacking, ...],
        params: Params,
        owner: str,
    ) -> ir.Expr:
        """Plus and minus: modifiers without a class all add; each class follows its policy."""
        classes = {stack.name.text: stack for stack in stacking}
        members: dict[str, list[i.Modifier]] = {}
        terms, spans = [value], []
        for modifier in modifiers:
            class_ = self._class_of(modifier, classes)
            if class_:
                members.setdefault(class_, []).append(modifier)
            else:
                terms.append(self._amount(modifier, params))
                spans.append(modifier.span)
        for name in sorted(members):
            terms.append(self._class_total(classes[name], members[name], params, owner))
            spans.append(classes[name].span)
        return _join(terms, lambda a, b: self._plus(a, b, spans[0]))

    def _class_of(self, modifier: i.Modifier, classes: dict[str, i.Stacking]) -> str:
        for clause in modifier.clauses:
            if isinstance(clause, i.StacksClause):
                if clause.name.text in classes:
                    return clause.name.text
                hint = "declare it under the roll: `stack NAME: highest`"
                message = f"`{modifier.target.text}` has no stacking class `{clause.name.text}`"
                self.ctx.report(kinds.UNKNOWN_NAME, message, clause.name.span, hint)
        return ""

    def _plus(self, value: ir.Expr, amount: ir.Expr, span: Span) -> ir.Expr:
        a, b = without_none(value.type), without_none(amount.type)
        if not (isinstance(a, t.Int) and isinstance(b, t.Int)):
            self._refuse_type(value.type, span)
        return ir.Op("add", (value, amount), t.Int(a.low + b.low, a.high + b.high))

    def _class_total(
        self, stack: i.Stacking, members: list[i.Modifier], params: Params, owner: str
    ) -> ir.Expr:
        """One class of modifiers by its policy and limits; those that do not act do not count."""
        if stack.policy == "sum":
            amounts = [self._amount(modifier, params) for modifier in members]
            value = _join(amounts, lambda a, b: self._plus(a, b, stack.span))
        else:
            value = self._counting_number(stack, members, params, owner)
        scope = opening_scope(self.ctx, f"stack:{stack.name.text}", params, stack.cite)
        limits: tuple[tuple[numbers.Extreme, x.Expr | None], ...]
        limits = ("smaller", stack.most), ("larger", stack.least)
        for op, node in limits:
            if node is not None:
                limit = self.expressions.check(node, scope, t.Int(-1000, 1000))
                value = numbers.extreme(op, value, limit)
        return value

    def _counting_number(
        self, stack: i.Stacking, members: list[i.Modifier], params: Params, owner: str
    ) -> ir.Expr:
        """The one number of a class that counts: the highest, the lowest, or that of the prevailing modifier.

        A number that none of them can give marks those that do not act.
        """
        scope = opening_scope(self.ctx, stack.name.text, params, stack.cite)
        types = [self._addend(modifier, scope).type for modifier in members]
        ends = [end for type_ in types if isinstance(type_, t.Int) for end in (type_.low, type_.high)]
        idle = max(ends) + 1 if stack.policy == "lowest" else min(ends) - 1
        none = ir.Const(idle, t.Int(idle, idle))
        amounts = [self._amount(modifier, params, idle) for modifier in members]
        if stack.policy == "highest" or stack.policy == "lowest":
            value = _join(
                amounts, partial(numbers.extreme, "larger" if stack.policy == "highest" else "smaller")
            )
        else:  # the later one is over the others
            value = amounts[0]
            for amount in amounts[1:]:
                value = either(self.ctx, ir.Op("eq", (amount, none), FLAG), value, amount, stack.span)
        name = f"{owner}:{stack.name.text}"
        site = self.ctx.site(stack.name.text, self.ctx.rules(stack.cite), stack.span)
        signature = self.ctx.add_function(name, params, value, site)
        call = ir.Apply(name, _locals(params), signature.result)
        whole = t.Int(min(0, *ends), max(0, *ends))
        return ir.If(ir.Op("eq", (call, none), FLAG), ZERO, call, whole)

    # -- clauses

    def condition(
        self, clauses: Iterable[i.Clause], scope: Scope, known: Sequence[ir.Expr] = ()
    ) -> ir.Expr | None:
        """When clauses allow something: every `when` and date, and no `unless`; None is always.

        `known`: conditions of earlier clauses, which hold already.
        """
        tests: list[ir.Expr] = []
        for clause in clauses:
            test = self._clause(clause, scope, (*known, *tests))
            if test is not None:
                tests.append(test)
                scope = scope.knowing(facts(self.ctx.world, test, True))
        condition: ir.Expr | None = None
        for test in tests:
            condition = test if condition is None else conjunction(condition, test)
        return condition

    def _clause(self, clause: i.Clause, scope: Scope, given: Sequence[ir.Expr]) -> ir.Expr | None:
        """The condition that one clause sets, if it sets one."""
        owner = scope.routine.owner
        match clause:
            case i.WhenClause():
                test = self.expressions.flag(clause.condition, scope)
                self.ctx.note_condition("when", owner, test, clause.span, given)
                return test
            case i.UnlessClause():
                exception = self.expressions.flag(clause.condition, scope)
                self.ctx.note_condition("unless", owner, exception, clause.span, given)
                return negation(exception)
            case i.SpanClause():
                test = during(self.ctx, clause.dates)
                self.ctx.note_condition("dates", owner, test, clause.span, given)
                return test
            case i.StacksClause() | i.OverClause():
                return None
            case _:
                assert_never(clause)


def _join(parts: Sequence[ir.Expr], join: Callable[[ir.Expr, ir.Expr], ir.Expr]) -> ir.Expr:
    """The parts joined from the left; many of them in halves, so that hundreds nest little."""
    if len(parts) <= IN_A_ROW:
        return reduce(join, parts)
    half = len(parts) // 2
    return join(_join(parts[:half], join), _join(parts[half:], join))


def _classes(modifier: i.Modifier) -> set[str]:
    return {clause.name.text for clause in modifier.clauses if isinstance(clause, i.StacksClause)}


def _half(value: ir.Expr, type_: t.Int, way: x.Way) -> ir.Expr:
    ends = t.Int(min(type_.low, type_.low // 2), max(type_.high, -(-type_.high // 2)))
    op: Literal["div_down", "div_up", "div_nearest"] = f"div_{way}"  # type: ignore[assignment]
    return ir.Op(op, (value, ir.Const(2, t.Int(2, 2))), ends)
