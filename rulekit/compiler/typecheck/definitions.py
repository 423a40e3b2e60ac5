"""Definitions, values, the calendar, rolls and modifiers: everything that becomes a pure function."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.amend.stacking import prevailing
from rulekit.compiler.typecheck import numbers
from rulekit.compiler.typecheck.cases import Cases
from rulekit.compiler.typecheck.context import Signature, Wrong
from rulekit.compiler.typecheck.joins import facts, none_of
from rulekit.compiler.typecheck.scope import Scope
from rulekit.compiler.typecheck.state_statements import dice_range
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

FLAG = t.Flag()
ZERO = ir.Const(0, t.Int(0, 0))
_STAGES = (("set",), ("times", "half"), ("add", "subtract"), ("least", "most"))


class Definitions(Cases):
    """Makes functions on demand, so that a result's type is known where it is first needed."""

    def signature(self, name: str) -> Signature | None:
        """Of a define, value, calendar, table, or `roll:NAME` where something modifies the roll."""
        known = self.ctx.signatures.get(name)
        if known is not None:
            return known
        names = self.ctx.names
        spaces = (names.defines, names.calendars, names.tables, names.externs)
        there = (
            ("roll", name[5:]) in self.ctx.laid
            if name.startswith("roll:")
            else any(name in s for s in spaces)
        )
        return self.ctx.units.run(("signature", name), partial(self._made, name)) if there else None

    def _made(self, name: str) -> Signature | None:
        names = self.ctx.names
        if name.startswith("roll:"):
            return self._roll(names.rolls[name[5:]], self.ctx.laid["roll", name[5:]])
        if name in names.defines:
            return self._define(names.defines[name])
        if name in names.calendars:
            return self._calendar(names.calendars[name])
        return self.table_signature(name)

    @abstractmethod
    def table_signature(self, name: str) -> Signature | None:
        """Of a table; see `tables`."""

    # -- definitions

    def _define(self, decl: i.Define) -> Signature:
        name = decl.name.text
        with self.ctx.entering(name, decl.span):
            params = self.ctx.params(decl.params)
            result = self.ctx.reader.read(decl.result) if decl.result is not None else None
            if result is not None:
                self.ctx.signatures[name] = Signature(params, result)
            site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
            try:
                scope = self.opening(name, params, decl.cite)
                scope.routine.noting(decl.params)
                body = self.cases(decl, scope, result, site)
                self.told(body.type, decl.name.span, f"define {name} -> TYPE: VALUE")
            except Wrong:
                self.ctx.signatures.setdefault(name, Signature(params, t.Nothing()))
                raise
            return self._modified(name, params, body, site, result)

    def _modified(
        self, name: str, params: tuple[ir.Param, ...], body: ir.Expr, site: int, result: t.Type | None
    ) -> Signature:
        """A define with its modifiers laid over it, if it has any."""
        modifiers = self.ctx.laid.get(("define", name))
        if not modifiers:
            return self.keep(name, params, body, site, result)
        plain = f"{name}'unmodified"
        self.keep(plain, params, body, site, result)
        arguments = tuple(ir.Local(param.name, param.type) for param in params)
        base = ir.Apply(plain, arguments, self.ctx.signatures[plain].result)
        inner = "rolled"
        made = self.modified(modifiers, (), (ir.Param(inner, base.type), *params), f"value:{name}")
        assert made is not None
        whole = ir.Apply(f"value:{name}", (base, *arguments), made.result)
        return self.keep(name, params, whole, site)

    def _calendar(self, decl: i.Calendar) -> Signature:
        name = decl.name.text
        with self.ctx.entering(name, decl.span):
            if decl.first > decl.last:
                hint = "the earlier month goes first"
                self.ctx.fail(kinds.IMPOSSIBLE_TYPE, "the calendar ends before it begins", decl.span, hint)
            site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
            month = t.Month(*self.ctx.world.months)
            self.ctx.signatures[name] = Signature((), month)
            return self.keep(
                name, (), self.check(decl.value, self.opening(name, (), decl.cite), month), site, month
            )

    # -- modifiers

    def _roll(self, decl: i.Roll, modifiers: Sequence[i.Modifier]) -> Signature | None:
        name = f"roll:{decl.name.text}"
        with self.ctx.entering(name, decl.span):
            params = (ir.Param("rolled", dice_range(decl)), *self.ctx.params(decl.params))
            made = self.modified(modifiers, decl.stacking, params, name)
            for stage in _STAGES:
                for modifier in prevailing(m for m in modifiers if m.effect in stage):
                    self._explained(modifier, decl, params)
            return made

    def _explained(self, modifier: i.Modifier, decl: i.Roll, params: tuple[ir.Param, ...]) -> None:
        """What is said of a modifier to those who ask why a roll came to what it did."""
        name = modifier.name.text
        site = self.ctx.site(name, self.ctx.rules(modifier.cite), modifier.span)
        acts, clauses = self._acting(modifier, params)
        number = ""
        if modifier.value is not None:
            number = f"number:{name}"
            scope = self.opening(number, params, modifier.cite)
            sums = modifier.effect in ("add", "subtract")
            value = self._added(modifier, scope) if sums else self.infer(modifier.value, scope)
            self.keep(number, params, value, site)
        named = {clause.name.text for clause in modifier.clauses if isinstance(clause, i.StacksClause)}
        stack = next((each for each in decl.stacking if each.name.text in named), None)
        class_ = "" if stack is None else stack.name.text
        self.ctx.modify(
            ir.Modifier(
                name=name,
                point=decl.name.text,
                effect=modifier.effect,
                acts=acts,
                number=number,
                clauses=clauses,
                stack=class_,
                policy="sum" if stack is None else stack.policy,
                site=site,
            )
        )

    def _acting(self, modifier: i.Modifier, params: tuple[ir.Param, ...]) -> tuple[str, tuple[int, ...]]:
        """The function that tells which clause keeps a modifier from acting, and those clauses."""
        name = f"acts:{modifier.name.text}"
        scope = self.opening(name, params, modifier.cite)
        tests: list[ir.Expr] = []
        sites: list[int] = []
        for clause in modifier.clauses:
            test = self.applies((clause,), scope, tests)
            if test is not None:
                tests.append(test)
                sites.append(self.ctx.site(modifier.name.text, (), clause.span))
                scope = scope.knowing(facts(self.ctx.world, test, True))
        if not tests:
            return "", ()
        kind = t.Int(0, len(tests))
        made: ir.Expr = ir.Const(0, kind)
        for number, test in reversed(list(enumerate(tests, 1))):
            made = ir.If(test, made, ir.Const(number, kind), kind)
        self.keep(name, params, made, sites[0])
        return name, tuple(sites)

    def modified(
        self,
        modifiers: Sequence[i.Modifier],
        stacking: tuple[i.Stacking, ...],
        params: tuple[ir.Param, ...],
        name: str,
    ) -> Signature | None:
        """The function that lays modifiers over its first parameter, `rolled`.

        Stages: becomes; times and half; plus and minus, by stacking class; at least and at most.  Within a
        stage those that are over others come last; `amend` has seen to it that nothing else matters.
        """
        locals_ = tuple(ir.Local(param.name, param.type) for param in params)
        value: ir.Expr = locals_[0]
        site = self.ctx.site(name, (), modifiers[0].span)
        for stage in _STAGES:
            chosen = prevailing(m for m in modifiers if m.effect in stage)
            if stage == ("add", "subtract"):
                value = self._sums(value, chosen, stacking, params, name)
                continue
            for modifier in chosen:
                value = self._one(modifier, value, params)
        return self.keep(name, params, value, site)

    def _one(self, modifier: i.Modifier, value: ir.Expr, params: tuple[ir.Param, ...]) -> ir.Expr:
        """One modifier that is no sum, as a function of the value so far and the parameters."""
        now = ir.Param("now", value.type)
        scope = self.opening(f"modifier:{modifier.name.text}", params, modifier.cite)
        site = self.ctx.site(modifier.name.text, self.ctx.rules(modifier.cite), modifier.span)
        condition = self.applies(modifier.clauses, scope)
        before = ir.Local("now", value.type)
        after = self._effect(modifier, before, scope)
        body = self.either(condition, after, before, modifier.span) if condition is not None else after
        name = f"modifier:{modifier.name.text}"
        signature = self.keep(name, (now, *params), body, site)
        arguments = tuple(ir.Local(param.name, param.type) for param in params)
        return ir.Apply(name, (value, *arguments), signature.result)

    def _effect(self, modifier: i.Modifier, now: ir.Expr, scope: Scope) -> ir.Expr:
        have = now.type
        if modifier.effect == "set" and modifier.value is not None:
            return self.infer(modifier.value, scope, have)
        if not isinstance(have, t.Int):
            self.ctx.fail(
                kinds.WRONG_TYPE, f"a modifier on a `{have}`", modifier.span, "only numbers are modified"
            )
        if modifier.effect == "half":
            two = ir.Const(2, t.Int(2, 2))
            op: Any = f"div_{modifier.way}"
            return ir.Op(
                op, (now, two), t.Int(min(have.low, have.low // 2), max(have.high, -(-have.high // 2)))
            )
        assert modifier.value is not None
        number = self.infer(modifier.value, scope)
        of = number.type
        if not isinstance(of, t.Int):
            self.ctx.fail(kinds.WRONG_TYPE, f"a modifier by a `{of}`", modifier.value.span)
        match modifier.effect:
            case "times":
                ends = [a * b for a in (have.low, have.high) for b in (of.low, of.high)]
                return ir.Op("mul", (now, number), t.Int(min(ends), max(ends)))
            case "least":
                return ir.Op("larger", (now, number), t.Int(max(have.low, of.low), max(have.high, of.high)))
            case _:
                return ir.Op("smaller", (now, number), t.Int(min(have.low, of.low), min(have.high, of.high)))

    def _sums(
        self,
        value: ir.Expr,
        modifiers: Sequence[i.Modifier],
        stacking: tuple[i.Stacking, ...],
        params: tuple[ir.Param, ...],
        owner: str,
    ) -> ir.Expr:
        """Plus and minus: those of no class all add; each class by its policy."""
        classes = {stack.name.text: stack for stack in stacking}
        members: dict[str, list[i.Modifier]] = {}
        for modifier in modifiers:
            class_ = self._class_of(modifier, classes)
            if class_:
                members.setdefault(class_, []).append(modifier)
            else:
                value = self._plus(value, self._amount(modifier, params), modifier.span)
        for name in sorted(members):
            number = self._stacked(classes[name], members[name], params, owner)
            value = self._plus(value, number, classes[name].span)
        return value

    def _class_of(self, modifier: i.Modifier, classes: dict[str, i.Stacking]) -> str:
        for clause in modifier.clauses:
            if isinstance(clause, i.StacksClause):
                if clause.name.text in classes:
                    return clause.name.text
                hint = "declare it under the roll: `stack NAME: highest`"
                message = f"`{modifier.target.text}` has no stacking class `{clause.name.text}`"
                self.ctx.tell(kinds.UNKNOWN_NAME, message, clause.name.span, hint)
        return ""

    def _amount(self, modifier: i.Modifier, params: tuple[ir.Param, ...], idle: int = 0) -> ir.Expr:
        """What a modifier adds, as a call of its own function; `idle` where it does not act."""
        name = f"modifier:{modifier.name.text}"
        scope = self.opening(name, params, modifier.cite)
        site = self.ctx.site(modifier.name.text, self.ctx.rules(modifier.cite), modifier.span)
        number = self._added(modifier, scope)
        condition = self.applies(modifier.clauses, scope)
        other = ir.Const(idle, t.Int(idle, idle))
        body = number if condition is None else self.either(condition, number, other, modifier.span)
        signature = self.keep(name, params, body, site)
        return ir.Apply(name, tuple(ir.Local(p.name, p.type) for p in params), signature.result)

    def _added(self, modifier: i.Modifier, scope: Scope) -> ir.Expr:
        """What a modifier adds where it acts."""
        assert modifier.value is not None
        number = self.infer(modifier.value, scope)
        if not isinstance(number.type, t.Int):
            self.ctx.fail(kinds.WRONG_TYPE, f"a modifier by a `{number.type}`", modifier.value.span)
        if modifier.effect == "subtract":
            number = numbers.negative(self.ctx, number, modifier.value.span)
        return number

    def _plus(self, value: ir.Expr, amount: ir.Expr, span: Span) -> ir.Expr:
        a, b = none_of(value.type), none_of(amount.type)
        if not (isinstance(a, t.Int) and isinstance(b, t.Int)):
            self.ctx.fail(
                kinds.WRONG_TYPE, f"a modifier on a `{value.type}`", span, "only numbers are modified"
            )
        return ir.Op("add", (value, amount), t.Int(a.low + b.low, a.high + b.high))

    def _stacked(
        self, stack: i.Stacking, members: list[i.Modifier], params: tuple[ir.Param, ...], owner: str
    ) -> ir.Expr:
        """One class of modifiers by its policy and limits; those that do not act do not count."""
        if stack.policy == "sum":
            made, *more = (self._amount(modifier, params) for modifier in members)
            for amount in more:
                made = self._plus(made, amount, stack.span)
        else:
            made = self._chosen(stack, members, params, owner)
        scope = self.opening(f"stack:{stack.name.text}", params, stack.cite)
        limits: tuple[tuple[x.Expr | None, Any], ...] = ((stack.most, "smaller"), (stack.least, "larger"))
        for bound, op in limits:
            if bound is not None:
                limit = self.check(bound, scope, t.Int(-1000, 1000))
                have, at = made.type, limit.type
                assert isinstance(have, t.Int) and isinstance(at, t.Int)
                pick = min if op == "smaller" else max
                made = ir.Op(op, (made, limit), t.Int(pick(have.low, at.low), pick(have.high, at.high)))
        return made

    def _chosen(
        self, stack: i.Stacking, members: list[i.Modifier], params: tuple[ir.Param, ...], owner: str
    ) -> ir.Expr:
        """The one number of a class that counts one: the highest, the lowest, or that of who prevails.

        A number that none of them can give stands for those that do not act.
        """
        scope = self.opening(stack.name.text, params, stack.cite)
        given = [self._added(modifier, scope).type for modifier in members]
        ends = [end for kind in given if isinstance(kind, t.Int) for end in (kind.low, kind.high)]
        idle = max(ends) + 1 if stack.policy == "lowest" else min(ends) - 1
        none = ir.Const(idle, t.Int(idle, idle))
        made, *more = (self._amount(modifier, params, idle) for modifier in members)
        for amount in more:
            a, b = made.type, amount.type
            assert isinstance(a, t.Int) and isinstance(b, t.Int)
            if stack.policy in ("highest", "lowest"):
                op: Any = "larger" if stack.policy == "highest" else "smaller"
                pick = max if stack.policy == "highest" else min
                made = ir.Op(op, (made, amount), t.Int(pick(a.low, b.low), pick(a.high, b.high)))
            else:  # the later one is over the others
                made = self.either(ir.Op("eq", (amount, none), FLAG), made, amount, stack.span)
        name = f"{owner}:{stack.name.text}"
        site = self.ctx.site(stack.name.text, self.ctx.rules(stack.cite), stack.span)
        signature = self.keep(name, params, made, site)
        call = ir.Apply(name, tuple(ir.Local(p.name, p.type) for p in params), signature.result)
        whole = t.Int(min(0, *ends), max(0, *ends))
        return ir.If(ir.Op("eq", (call, none), FLAG), ZERO, call, whole)

    # -- clauses

    def applies(
        self, clauses: tuple[i.Clause, ...], scope: Scope, known: Sequence[ir.Expr] = ()
    ) -> ir.Expr | None:
        """When a modifier applies: all of its `when`s and dates, none of its `unless`es; None is always.

        `known` are those of its clauses that hold already.
        """
        made: ir.Expr | None = None
        given = list(known)
        owner = scope.routine.owner
        for clause in clauses:
            match clause:
                case i.WhenClause():
                    test = self.flag(clause.condition, scope)
                    self.ctx.condition("when", owner, test, clause.span, given)
                case i.UnlessClause():
                    but = self.flag(clause.condition, scope)
                    test = ir.Op("not", (but,), FLAG)
                    self.ctx.condition("unless", owner, but, clause.span, given)
                case i.SpanClause():
                    test = self.during(clause.dates)
                    self.ctx.condition("dates", owner, test, clause.span, given)
                case _:
                    continue
            given.append(test)
            made = test if made is None else ir.Op("and", (made, test), FLAG)
            scope = scope.knowing(facts(self.ctx.world, test, True))
        return made
