"""The lines of a definition as one expression: cases, dated lines, and names for parts."""

from __future__ import annotations

from typing import Any

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import Signature
from rulekit.compiler.typecheck.joins import facts
from rulekit.compiler.typecheck.meant import meant_for
from rulekit.compiler.typecheck.scope import Routine, Scope
from rulekit.compiler.typecheck.statements import Statements
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

FLAG = t.Flag()


class Cases(Statements):
    """Makes the bodies of definitions."""

    def keep(
        self, name: str, params: tuple[ir.Param, ...], body: ir.Expr, site: int, result: t.Type | None = None
    ) -> Signature:
        """Register a function."""
        made = result or body.type
        self.ctx.functions[name] = ir.Function(name, params, made, body, site)
        self.ctx.signatures[name] = Signature(params, made)
        return self.ctx.signatures[name]

    def opening(self, owner: str, params: tuple[ir.Param, ...], cite: Any) -> Scope:
        """The scope of a function's body: its parameters."""
        routine = Routine(owner, self.ctx.rules(cite))
        names = {param.name: routine.fresh(param.name, param.type) for param in params}
        return Scope(routine, names)

    def cases(self, decl: i.Define, scope: Scope, result: t.Type | None, site: int) -> ir.Expr:
        """The first case that holds gives the value; of dated lines side by side, the one that began last.

        What follows a `let` is a function of its own, which takes the named value: so it is worked out once.
        """
        dated = [case.test for case in decl.cases if isinstance(case, i.Case)]
        first = next((test for test in dated if isinstance(test, i.DateSpan)), None)
        if first is not None:
            self._calendar_for(first)
        known = tuple(ir.Param(local.name, local.type) for local in scope.names.values() if local)
        return self._from(_by_start(decl.cases), 0, decl, scope, result, site, known)

    def _from(
        self,
        cases: list[i.Case | i.CaseLet],
        start: int,
        decl: i.Define,
        scope: Scope,
        result: t.Type | None,
        site: int,
        known: tuple[ir.Param, ...],
    ) -> ir.Expr:
        """The value that the cases from `start` on give; `known` are the parameters and names so far."""
        tests: list[tuple[ir.Expr | None, ir.Expr, Span]] = []
        failed: list[ir.Expr] = []
        for at in range(start, len(cases)):
            case = cases[at]
            if isinstance(case, i.CaseLet):
                value = self.infer(case.value, scope)
                self.told(value.type, case.value.span)
                local = scope.routine.fresh(case.name.text, value.type)
                more = (*known, ir.Param(local.name, value.type))
                name = f"{decl.name.text}'{local.name}"
                inside = self.naming(scope, case.name, local)
                body = self._from(cases, at + 1, decl, inside, result, site, more)
                self.keep(name, more, body, site)
                given = (*(ir.Local(param.name, param.type) for param in known), value)
                tests.append((None, ir.Apply(name, given, body.type), case.value.span))
                break
            test = self._test(case, scope)
            inner = scope.knowing(facts(self.ctx.world, test, True)) if test is not None else scope
            value = self.infer(case.value, inner, result)
            if result is not None:
                value = meant_for(f"`{decl.name.text}`", self.fit(value, result, case.value.span))
            tests.append((test, value, case.value.span))
            self._case_asked(case, test, failed, decl)
            if test is not None:
                failed.append(ir.Op("not", (test,), FLAG))
                scope = scope.knowing(facts(self.ctx.world, test, False))
        if not tests:
            self.ctx.fail(kinds.NO_OTHERWISE, f"`{decl.name.text}` has no value", decl.span)
        if tests[-1][0] is not None and not self._covers(cases):
            hint = "add `otherwise: ...` as its last line"
            self.ctx.fail(kinds.NO_OTHERWISE, f"`{decl.name.text}` may end without a value", decl.span, hint)
        made = tests[-1][1]
        for test, value, span in reversed(tests[:-1]):
            made = self.either(test, value, made, span) if test is not None else value
        return made

    def _case_asked(self, case: i.Case, test: ir.Expr | None, given: list[ir.Expr], decl: i.Define) -> None:
        """Note when a case is reached."""
        if test is not None:
            span = case.test.span if case.test is not None else case.value.span
            self.ctx.condition("case", decl.name.text, test, span, given)
        elif given:
            always = ir.Const(True, FLAG)
            self.ctx.condition("otherwise", decl.name.text, always, case.value.span, given)

    def _test(self, case: i.Case, scope: Scope) -> ir.Expr | None:
        if case.test is None:
            return None
        if isinstance(case.test, i.DateSpan):
            return self.during(case.test)
        return self.flag(case.test, scope)

    def during(self, dates: x.During | i.DateSpan) -> ir.Expr:
        """Whether today is in a stretch of the calendar."""
        calendar = self._calendar_for(dates)
        signature = self.signature(calendar)
        assert signature is not None
        self._within_calendar(dates)
        today = ir.Apply(calendar, (), signature.result)
        tests: list[ir.Expr] = []
        if dates.first is not None:
            tests.append(ir.Op("ge", (today, ir.Const(dates.first, signature.result)), FLAG))
        if dates.last is not None:
            tests.append(ir.Op("le", (today, ir.Const(dates.last, signature.result)), FLAG))
        return tests[0] if len(tests) == 1 else ir.Op("and", tuple(tests), FLAG)

    def _calendar_for(self, dates: x.During | i.DateSpan) -> str:
        """The name of the calendar that a date is of; a date without one is refused."""
        calendar = next(iter(self.ctx.names.calendars), None)
        if calendar is None:
            hint = "declare one: `calendar today from Dec 1941 to Aug 1945: EXPRESSION`"
            self.ctx.fail(kinds.NO_CALENDAR, "a date needs a calendar", dates.span, hint)
        return calendar

    def _within_calendar(self, dates: x.During | i.DateSpan) -> None:
        """Refuse a stretch that ends before it begins, or that has no month of the calendar."""
        low, high = self.ctx.world.months
        first = dates.first if dates.first is not None else min(low, dates.last or low)
        last = dates.last if dates.last is not None else max(high, first)
        if first > last:
            self.ctx.fail(
                kinds.IMPOSSIBLE_TYPE,
                "this ends before it begins",
                dates.span,
                "the earlier month goes first",
            )
        if last < low or first > high:
            named = " to ".join(self.ctx.world.text(t.Month(low, high), month) for month in (low, high))
            hint = f"the calendar goes from {named}"
            self.ctx.fail(kinds.ALWAYS_OUT_OF_RANGE, "no month of the calendar is in this", dates.span, hint)

    def _covers(self, cases: list[i.Case | i.CaseLet]) -> bool:
        """Whether dated lines leave no month of the calendar without a value."""
        low, high = self.ctx.world.months
        spans = [
            case.test for case in cases if isinstance(case, i.Case) and isinstance(case.test, i.DateSpan)
        ]
        at = low
        for span in sorted(spans, key=lambda s: s.first if s.first is not None else low):
            if (span.first if span.first is not None else low) > at:
                return False
            at = max(at, (span.last if span.last is not None else high) + 1)
        return at > high and bool(spans)


def _by_start(cases: tuple[i.Case | i.CaseLet, ...]) -> list[i.Case | i.CaseLet]:
    """The cases with each run of dated lines put latest start first."""
    made: list[i.Case | i.CaseLet] = []
    run: list[i.Case | i.CaseLet] = []

    def start(case: i.Case | i.CaseLet) -> int:
        assert isinstance(case, i.Case) and isinstance(case.test, i.DateSpan)
        return case.test.first if case.test.first is not None else -1

    for case in cases:
        if isinstance(case, i.Case) and isinstance(case.test, i.DateSpan):
            run.append(case)
            continue
        made += sorted(run, key=start, reverse=True)
        run.clear()
        made.append(case)
    return made + sorted(run, key=start, reverse=True)
