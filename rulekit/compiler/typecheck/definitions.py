"""Definitions and the calendar: functions of the IR, with their cases, dated lines and modifiers."""

from __future__ import annotations

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import CheckContext, Params, Signature, Wrong
from rulekit.compiler.typecheck.conversions import (
    FLAG,
    either,
    facts,
    negation,
    require_type,
    with_label,
)
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.expressions.numbers import calendar_for, during
from rulekit.compiler.typecheck.modifiers import ModifierChecker
from rulekit.compiler.typecheck.scope import Scope, bind_name, opening_scope
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.program import UNMODIFIED
from rulekit.syntax.tree import items as i

Lines = list[i.Case | i.CaseLet]


@frozen
class _Definition:
    """A definition: its lines in the order of their precedence, its declared result and its site."""

    decl: i.Define
    lines: Lines
    result: t.Type | None
    site: int

    @property
    def name(self) -> str:
        return self.decl.name.text


@frozen
class DefinitionChecker:
    """Makes the functions of defines and of the calendar."""

    ctx: CheckContext
    expressions: ExpressionChecker
    modifiers: ModifierChecker

    def define(self, name: str) -> Signature:
        """Make the function of a define."""
        decl = self.ctx.names.defines[name]
        with self.ctx.entering(name, decl.span):
            params = self.ctx.params(decl.params)
            result = self.ctx.reader.read(decl.result) if decl.result is not None else None
            if result is not None:
                self.ctx.results.signatures[name] = Signature(params, result)
            site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
            try:
                scope = opening_scope(self.ctx, name, params, decl.cite, decl.params)
                body = self._body(decl, scope, result, site)
                require_type(self.ctx, body.type, decl.name.span, f"define {name} -> TYPE: VALUE")
            except Wrong:
                self.ctx.results.signatures.setdefault(name, Signature(params, t.Nothing()))
                raise
            return self._with_modifiers(name, params, body, site, result)

    def _with_modifiers(
        self, name: str, params: Params, body: ir.Expr, site: int, result: t.Type | None
    ) -> Signature:
        """A define with its modifiers applied, if it has any."""
        if ("define", name) not in self.ctx.modifiers_on:
            return self.ctx.add_function(name, params, body, site, result)
        plain = f"{name}{UNMODIFIED}"
        unmodified = self.ctx.add_function(plain, params, body, site, result)
        arguments = tuple(ir.Local(param.name, param.type) for param in params)
        base = ir.Apply(plain, arguments, unmodified.result)
        rolled = ir.Param("rolled", base.type)
        modified = self.modifiers.definition(name, (rolled, *params))
        whole = ir.Apply(f"value:{name}", (base, *arguments), modified.result)
        return self.ctx.add_function(name, params, whole, site)

    def calendar(self, name: str) -> Signature:
        """Make the function of a calendar."""
        decl: i.Calendar = self.ctx.names.calendars[name]
        with self.ctx.entering(name, decl.span):
            if decl.first > decl.last:
                hint = "put the earlier month first"
                self.ctx.fail(kinds.IMPOSSIBLE_TYPE, "the calendar ends before it begins", decl.span, hint)
            site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
            month = t.Month(*self.ctx.world.months)
            self.ctx.results.signatures[name] = Signature((), month)
            value = self.expressions.check(decl.value, opening_scope(self.ctx, name, (), decl.cite), month)
            return self.ctx.add_function(name, (), value, site, month)

    # -- the lines of a definition

    def _body(self, decl: i.Define, scope: Scope, result: t.Type | None, site: int) -> ir.Expr:
        """The first case that holds gives the value; of dated lines side by side, the one that began last.

        The lines after a `let` become a function that takes the named value, so that it is worked out once.
        """
        tests = [case.test for case in decl.cases if isinstance(case, i.Case)]
        dated = next((test for test in tests if isinstance(test, i.DateSpan)), None)
        if dated is not None:
            calendar_for(self.ctx, dated)
        known = tuple(ir.Param(local.name, local.type) for local in scope.names.values() if local)
        definition = _Definition(decl, by_start(decl.cases), result, site)
        return self._from(0, scope, definition, known)

    def _from(self, start: int, scope: Scope, definition: _Definition, known: Params) -> ir.Expr:
        """The value that the lines from `start` on give; `known` are the parameters and names so far."""
        values: list[tuple[ir.Expr | None, ir.Expr, Span]] = []
        failed: list[ir.Expr] = []
        for at, case in enumerate(definition.lines[start:], start + 1):
            if isinstance(case, i.CaseLet):
                rest = self._from_let(case, at, scope, definition, known)
                values.append((None, rest, case.value.span))
                break
            test = self._test(case, scope)
            values.append((test, self._value(case, test, scope, definition), case.value.span))
            self._note_case(case, test, failed, definition.name)
            if test is not None:
                failed.append(negation(test))
                scope = scope.knowing(facts(self.ctx.world, test, False))
        self._require_value(definition, values)
        (_, body, _) = values[-1]
        for test, value, span in reversed(values[:-1]):
            body = either(self.ctx, test, value, body, span) if test is not None else value
        return body

    def _from_let(
        self, let: i.CaseLet, rest: int, scope: Scope, definition: _Definition, known: Params
    ) -> ir.Expr:
        """The lines after a `let`, from `rest` on, as a call of a function that takes the named value."""
        value = self.expressions.infer(let.value, scope)
        require_type(self.ctx, value.type, let.value.span)
        local = scope.routine.fresh(let.name.text, value.type)
        params = (*known, ir.Param(local.name, value.type))
        body = self._from(rest, bind_name(self.ctx, scope, let.name, local), definition, params)
        name = f"{definition.name}'{local.name}"
        self.ctx.add_function(name, params, body, definition.site)
        arguments = (*(ir.Local(param.name, param.type) for param in known), value)
        return ir.Apply(name, arguments, body.type)

    def _value(self, case: i.Case, test: ir.Expr | None, scope: Scope, definition: _Definition) -> ir.Expr:
        inner = scope.knowing(facts(self.ctx.world, test, True)) if test is not None else scope
        if definition.result is None:
            return self.expressions.infer(case.value, inner)
        value = self.expressions.check(case.value, inner, definition.result)
        return with_label(value, f"`{definition.name}`")

    def _require_value(
        self, definition: _Definition, values: list[tuple[ir.Expr | None, ir.Expr, Span]]
    ) -> None:
        """Refuse a definition that may end without a value."""
        name, span = definition.name, definition.decl.span
        if not values:
            self.ctx.fail(kinds.NO_OTHERWISE, f"`{name}` has no value", span)
        if values[-1][0] is not None and not self._cover_calendar(definition.lines):
            hint = "add a last line `otherwise: ...`"
            self.ctx.fail(kinds.NO_OTHERWISE, f"`{name}` has no value if no case matches", span, hint)

    def _note_case(self, case: i.Case, test: ir.Expr | None, failed: list[ir.Expr], owner: str) -> None:
        """Collect the condition under which a case is reached."""
        if test is not None:
            span = case.test.span if case.test is not None else case.value.span
            self.ctx.note_condition("case", owner, test, span, failed)
        elif failed:
            self.ctx.note_condition("otherwise", owner, ir.Const(True, FLAG), case.value.span, failed)

    def _test(self, case: i.Case, scope: Scope) -> ir.Expr | None:
        if case.test is None:
            return None
        if isinstance(case.test, i.DateSpan):
            return during(self.ctx, case.test)
        return self.expressions.flag(case.test, scope)

    def _cover_calendar(self, lines: Lines) -> bool:
        """Whether dated lines leave no month of the calendar without a value."""
        low, high = self.ctx.world.months
        tests = [case.test for case in lines if isinstance(case, i.Case)]
        dates = [test for test in tests if isinstance(test, i.DateSpan)]
        at = low
        for span in sorted(dates, key=lambda span: span.first if span.first is not None else low):
            if (span.first if span.first is not None else low) > at:
                return False
            at = max(at, (span.last if span.last is not None else high) + 1)
        return at > high and bool(dates)


def by_start(cases: tuple[i.Case | i.CaseLet, ...]) -> Lines:
    """The lines with each run of dated lines sorted, latest start first."""
    lines: Lines = []
    run: Lines = []

    def start(case: i.Case | i.CaseLet) -> int:
        assert isinstance(case, i.Case) and isinstance(case.test, i.DateSpan)
        return case.test.first if case.test.first is not None else -1

    for case in cases:
        if isinstance(case, i.Case) and isinstance(case.test, i.DateSpan):
            run.append(case)
            continue
        lines += sorted(run, key=start, reverse=True)
        run.clear()
        lines.append(case)
    return lines + sorted(run, key=start, reverse=True)
