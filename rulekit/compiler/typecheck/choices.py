"""Choices: who decides, what is asked, and which answers the norms allow.

Norms are taken apart into what is judged for each option and what is judged of the finished answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from typing import Literal, assert_never

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.compiler.typecheck.context import CheckContext, Params
from rulekit.compiler.typecheck.conversions import FLAG, facts, fits, require_type
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.expressions.numbers import during
from rulekit.compiler.typecheck.scope import Scope, bind_name, opening_scope
from rulekit.compiler.typecheck.verbs import VerbChecker, VerbParts
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.ir.program import COUNTED
from rulekit.ir.walk import free
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

TRUE = ir.Const(True, FLAG)


@frozen
class _Terms:
    """A norm's parts: when it applies, what it says, and its exceptions, one of which excuses a breach."""

    conditions: tuple[ir.Expr, ...]
    stated: ir.Expr
    exceptions: tuple[ir.Expr, ...]


def is_on_declining(norm: i.Norm) -> bool:
    """Whether a norm is about declining to answer."""
    return isinstance(norm.condition, x.Reference) and norm.condition.name.text == "declining"


@frozen
class NormChecker:
    """Makes norms."""

    ctx: CheckContext
    expressions: ExpressionChecker

    def norms(self, choice: i.Choice, parts: VerbParts, scope: Scope) -> Iterator[ir.Norm]:
        """The norms of a choice, except faulty ones."""
        for number, norm in enumerate(choice.norms, 1):
            with self.ctx.recovering():
                yield self._norm(norm, number, parts, scope, choice)

    def _norm(self, norm: i.Norm, number: int, parts: VerbParts, scope: Scope, choice: i.Choice) -> ir.Norm:
        name = norm.name.text if norm.name else f"{norm.word}_{number}"
        rules = self.ctx.rules(norm.cite, scope.routine.rules)
        site = self.ctx.site(f"{choice.name.text}.{name}", rules, norm.span)
        if is_on_declining(norm):
            return self._on_declining(norm, name, parts, scope, choice, site)
        terms = self._terms(norm, scope, site)
        if norm.word == "permit":
            return self._permit(norm, name, terms, parts, site)
        return self._limit(norm.word, name, terms, parts, site)

    def _permit(self, norm: i.Norm, name: str, terms: _Terms, parts: VerbParts, site: int) -> ir.Norm:
        test = _all((*terms.conditions, *map(_opposite, terms.exceptions), terms.stated))
        if free(test) & _finished_locals(parts):
            hint = "forbid the other answers instead"
            message = "a permission cannot read the finished answer"
            self.ctx.fail(kinds.ANSWER_IN_PERMIT, message, norm.span, hint)
        return ir.Norm(name, "permit", test, None, None, True, site)

    def _limit(
        self, word: Literal["forbid", "require"], name: str, terms: _Terms, parts: VerbParts, site: int
    ) -> ir.Norm:
        """A norm as a test that finds a breach in one option, and what excuses it in the finished answer.

        Where a `when` keeps a norm from applying nothing else is evaluated: the rest may rely on the clause.
        """
        finished = _finished_locals(parts)
        breach, exceptions = [*terms.conditions], [*terms.exceptions]
        if word == "forbid":
            breach.append(terms.stated)
        elif free(terms.stated) & finished:
            exceptions.append(terms.stated)
        else:
            breach.append(_opposite(terms.stated))
        at_once = [part for part in breach if not free(part) & finished]
        at_once += [_opposite(e) for e in exceptions if not free(e) & finished]
        later = [part for part in breach if free(part) & finished]
        whole = [e for e in exceptions if free(e) & finished]
        if later:
            whole.append(_opposite(_all(later)))
        test = _all(at_once)
        own = {local.name for local in parts.of_a_part}
        cover = _cover(whole, parts, own)
        return ir.Norm(
            name, word, test, cover, None if cover is not None or not whole else _any(whole),
            bool((free(test) | free(_any(whole))) & own), site,
        )  # fmt: skip

    def _on_declining(
        self, norm: i.Norm, name: str, parts: VerbParts, scope: Scope, choice: i.Choice, site: int
    ) -> ir.Norm:
        """`forbid declining when C unless D`: a norm on the answer none."""
        if norm.word != "forbid" or choice.verb.able == "must":
            may_decline = choice.verb.word in ("pick", "assign")
            hint = (
                "end the verb in `, or none`" if may_decline else "remove it: this verb always has an answer"
            )
            message = "only a choice that may be declined can forbid declining"
            self.ctx.fail(kinds.WRONG_TYPE, message, norm.span, hint)
        conditions, exceptions, _ = self._clauses(norm.clauses, scope)
        self._note_conditions(norm, site, _Terms(conditions, TRUE, exceptions))
        test = _all((*conditions, *map(_opposite, exceptions)))
        answered = {local.name for local in parts.of_a_part if local is not parts.item}
        if free(test) & (answered | _finished_locals(parts)):
            self.ctx.fail(kinds.ANSWER_IN_PERMIT, "a norm on declining cannot read an answer", norm.span)
        return ir.Norm(name, "forbid", test, None, None, False, site, declining=True)

    def _terms(self, norm: i.Norm, scope: Scope, site: int) -> _Terms:
        conditions, exceptions, inner = self._clauses(norm.clauses, scope)
        terms = _Terms(conditions, self.expressions.flag(norm.condition, inner), exceptions)
        self._note_conditions(norm, site, terms)
        return terms

    def _note_conditions(self, norm: i.Norm, site: int, terms: _Terms) -> None:
        """Collect a norm's conditions in the order of their evaluation: clauses, statement, exceptions."""
        owner = self.ctx.sites[site].owner
        spans = [c.span for c in norm.clauses if isinstance(c, i.WhenClause | i.SpanClause)]
        for number, (test, span) in enumerate(zip(terms.conditions, spans, strict=True)):
            self.ctx.note_condition("when", owner, test, span, terms.conditions[:number])
        broken = _opposite(terms.stated) if norm.word == "require" else terms.stated
        self.ctx.note_condition("norm", owner, broken, norm.condition.span, terms.conditions)
        given = [*terms.conditions, broken]
        spans = [c.span for c in norm.clauses if isinstance(c, i.UnlessClause)]
        for exception, span in zip(terms.exceptions, spans, strict=True):
            self.ctx.note_condition("unless", owner, exception, span, given)
            given.append(_opposite(exception))

    def _clauses(
        self, clauses: tuple[i.Clause, ...], scope: Scope
    ) -> tuple[tuple[ir.Expr, ...], tuple[ir.Expr, ...], Scope]:
        """When a norm applies, its exceptions, and the scope in which it applies."""
        conditions: list[ir.Expr] = []
        exceptions: list[ir.Expr] = []
        for clause in clauses:
            match clause:
                case i.WhenClause():
                    test = self.expressions.flag(clause.condition, scope)
                    conditions.append(test)
                    scope = scope.knowing(facts(self.ctx.world, test, True))
                case i.SpanClause():
                    conditions.append(during(self.ctx, clause.dates))
                case i.UnlessClause():
                    exceptions.append(self.expressions.flag(clause.condition, scope))
                case i.StacksClause():
                    self.ctx.report(kinds.WRONG_TYPE, "norms do not stack", clause.span)
                case i.OverClause():
                    pass
                case _:
                    assert_never(clause)
        return tuple(conditions), tuple(exceptions), scope


def _finished_locals(parts: VerbParts) -> set[str]:
    """The locals that hold the finished answer."""
    return {local.name for local in (parts.chosen, parts.assigned) if local is not None}


def _cover(whole: list[ir.Expr], parts: VerbParts, own: set[str]) -> ir.Expr | None:
    """The set that must be covered, if `every e in S is chosen` is the only excuse."""
    if len(whole) != 1 or parts.verb not in COUNTED or parts.chosen is None:
        return None
    fold, chosen = whole[0], parts.chosen.name
    if not (isinstance(fold, ir.Fold) and fold.kind == "all"):
        return None
    if not (isinstance(fold.body, ir.Op) and fold.body.op == "has"):
        return None
    if [e.name for e in fold.body.operands if isinstance(e, ir.Local)] != [fold.var.name, chosen]:
        return None
    return None if free(fold.over) & ({chosen} | own) else fold.over


def _opposite(test: ir.Expr) -> ir.Expr:
    """The negation of a condition, without a double `not`."""
    if isinstance(test, ir.Op) and test.op == "not":
        return test.operands[0]
    return ir.Op("not", (test,), FLAG)


def _all(tests: Sequence[ir.Expr], op: Literal["and", "or"] = "and") -> ir.Expr:
    """All tests at once, or any of them; none are true, or false."""
    if not tests:
        return ir.Const(op == "and", FLAG)
    return reduce(lambda left, right: ir.Op(op, (left, right), FLAG), tests)


def _any(tests: Sequence[ir.Expr]) -> ir.Expr:
    return _all(tests, "or")


class ChoiceChecker:
    """Makes choices."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker) -> None:
        self.ctx = ctx
        self._expressions = expressions
        self._verbs = VerbChecker(ctx, expressions)
        self._norms = NormChecker(ctx, expressions)

    def signature(self, name: str) -> tuple[Params, t.Type] | None:
        """The parameters and the answer's type of a choice; None if there is none of that name."""
        decl = self.ctx.names.choices.get(name)
        if decl is None:
            return None
        if name not in self.ctx.results.choices:
            self.ctx.units.run(("choice", name), partial(self._enter, name))
        choice = self.ctx.results.choices[name]
        return choice.params, choice.answer

    def _enter(self, name: str) -> None:
        decl = self.ctx.names.choices[name]
        with self.ctx.entering(f"choice {name}", decl.span):
            self.ctx.results.choices[name] = self.choice(decl)

    def choice(self, decl: i.Choice) -> ir.Choice:
        """Make a choice."""
        name = decl.name.text
        params = self.ctx.params(decl.params)
        scope = opening_scope(self.ctx, name, params, decl.cite, decl.params)
        site = self.ctx.site(name, scope.routine.rules, decl.span)
        verb_site = self.ctx.site(
            f"{name}.{decl.verb.word}", self.ctx.rules(decl.verb.cite, scope.routine.rules), decl.verb.span
        )
        decider = self._decider(decl, scope)
        lets, scope = self._lets(decl.lets, scope)
        parts, inner = self._verbs.verb(decl.verb, scope)
        if name in self.ctx.names.asked:
            self._require_same_answer(self.ctx.names.asked[name], decl, parts.answer, params)
        norms = tuple(self._norms.norms(decl, parts, inner))
        default: ir.Expr | None = None
        if decl.default is not None:
            default = self._expressions.check(decl.default, scope, parts.answer)
        able, secret = decl.verb.able, decl.secret
        return parts.choice(
            name,
            params,
            decider,
            able,
            site,
            verb_site,
            lets=lets,
            norms=norms,
            secret=secret,
            default=default,
        )

    def _lets(
        self, lets: tuple[i.CaseLet, ...], scope: Scope
    ) -> tuple[tuple[tuple[ir.Local, ir.Expr], ...], Scope]:
        """The values that a choice names, and the scope with their names."""
        named: list[tuple[ir.Local, ir.Expr]] = []
        for let in lets:
            with self.ctx.recovering():
                value = self._expressions.infer(let.value, scope)
                require_type(self.ctx, value.type, let.value.span)
                local = scope.routine.fresh(let.name.text, value.type)
                scope = bind_name(self.ctx, scope, let.name, local)
                named.append((local, value))
        return tuple(named), scope

    def _decider(self, decl: i.Choice, scope: Scope) -> ir.Expr:
        decider = self._expressions.infer(decl.decider, scope, self.ctx.side)
        if not (isinstance(decider.type, t.Member) and decider.type.domain == self.ctx.sides):
            hint = f"write `by side`, where side is one of `{self.ctx.sides}`"
            message = f"`{decider.type}` cannot decide a choice"
            self.ctx.report(kinds.WRONG_TYPE, message, decl.decider.span, hint)
        return decider

    def _require_same_answer(self, declared: i.Choice, now: i.Choice, answer: t.Type, params: Params) -> None:
        """Report an amended choice whose answer does not have the type that its users expect."""
        scope = opening_scope(self.ctx, now.name.text, params, None, declared.params)
        _, scope = self._lets(declared.lets, scope)
        before, _ = self._verbs.verb(declared.verb, scope)
        if not fits(self.ctx.world, answer, before.answer):
            message = (
                f"the answer becomes `{answer}`, but the statements that use it expect `{before.answer}`"
            )
            hint = "declare a separate choice, and amend the statements that ask this one"
            label = Label(declared.verb.span, "asked before")
            self.ctx.report(kinds.IMPOSSIBLE_AMENDMENT, message, now.verb.span, hint, label)
