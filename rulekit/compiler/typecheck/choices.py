"""Choices: the verb's parts, and norms taken apart into what is judged at once and what at the end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from rulekit import ir
from rulekit.compiler.typecheck.joins import facts
from rulekit.compiler.typecheck.meant import meant_for
from rulekit.compiler.typecheck.scope import Routine, Scope
from rulekit.compiler.typecheck.tables import Tables
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.ir.walk import free
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

FLAG = t.Flag()
TRUE = ir.Const(True, FLAG)
MOST_PARTS = 64


@dataclass(slots=True)
class _Draft:
    """A verb's parts in the making; see `ir.Choice`."""

    verb: Any
    answer: t.Type
    option: ir.Local
    item: ir.Local | None = None
    chosen: ir.Local | None = None
    before: ir.Local | None = None
    assigned: ir.Local | None = None
    items: ir.Expr | None = None
    candidates: ir.Expr | None = None
    low: ir.Expr | None = None
    high: ir.Expr | None = None
    total: ir.Expr | None = None
    each: ir.Expr | None = None


class Choices(Tables):
    """Makes choices."""

    def choice_signature(self, name: str) -> tuple[tuple[ir.Param, ...], t.Type] | None:
        decl = self.ctx.names.choices.get(name)
        if decl is None:
            return None
        if name not in self.choices:
            self.ctx.units.run(("choice", name), partial(self._enter, name))
        made = self.choices[name]
        return made.params, made.answer

    def _enter(self, name: str) -> None:
        decl = self.ctx.names.choices[name]
        with self.ctx.entering(f"choice {name}", decl.span):
            self.choices[name] = self._choice(decl)

    def _choice(self, decl: i.Choice) -> ir.Choice:
        name = decl.name.text
        params = self.ctx.params(decl.params)
        routine = Routine(name, self.ctx.rules(decl.cite)).noting(decl.params)
        scope = Scope(routine, {param.name: routine.fresh(param.name, param.type) for param in params})
        site = self.ctx.site(name, routine.rules, decl.span)
        decider = self._decider(decl, scope)
        lets: list[tuple[ir.Local, ir.Expr]] = []
        for let in decl.lets:
            with self.ctx.mending():
                value = self.infer(let.value, scope)
                self.told(value.type, let.value.span)
                local = routine.fresh(let.name.text, value.type)
                scope = self.naming(scope, let.name, local)
                lets.append((local, value))
        draft, inner = self._verb(decl.verb, scope)
        if name in self.ctx.names.asked:
            self._tell_other_answer(self.ctx.names.asked[name], decl, draft.answer, params)
        norms = []
        for number, norm in enumerate(decl.norms):
            with self.ctx.mending():
                norms.append(self._norm(norm, number, draft, inner, decl))
        default = self.check(decl.default, scope, draft.answer) if decl.default is not None else None
        return ir.Choice(
            name, params, decider, draft.verb, tuple(lets), draft.item, draft.option, draft.chosen,
            draft.before, draft.assigned,
            draft.items, draft.candidates, draft.low, draft.high, draft.total, decl.verb.able,
            tuple(norms), decl.secret, default, draft.answer, site, draft.each,
        )  # fmt: skip

    def _decider(self, decl: i.Choice, scope: Scope) -> ir.Expr:
        decider = self.infer(decl.decider, scope, self.ctx.side)
        if not (isinstance(decider.type, t.Member) and decider.type.domain == self.ctx.sides):
            hint = f"write `by side`, a member of the enum `{self.ctx.sides}`"
            self.ctx.tell(kinds.WRONG_TYPE, f"a `{decider.type}` decides nothing", decl.decider.span, hint)
        return decider

    def _tell_other_answer(
        self, declared: i.Choice, now: i.Choice, answer: t.Type, params: tuple[ir.Param, ...]
    ) -> None:
        """Report a choice that an amendment made ask for something else than whoever asks it counts on."""
        routine = Routine(now.name.text, ()).noting(declared.params)
        scope = Scope(routine, {param.name: routine.fresh(param.name, param.type) for param in params})
        for let in declared.lets:
            value = self.infer(let.value, scope)
            scope = self.naming(scope, let.name, routine.fresh(let.name.text, value.type))
        before, _ = self._verb(declared.verb, scope)
        if not self.fits(answer, before.answer):
            message = f"the answer is a `{answer}` then, and whoever asks counts on a `{before.answer}`"
            hint = "declare a choice of its own, and amend the statements that ask this one"
            label = Label(declared.verb.span, "asked before")
            self.ctx.tell(kinds.IMPOSSIBLE_AMENDMENT, message, now.verb.span, hint, label)

    # -- verbs

    def _verb(self, verb: i.Verb, scope: Scope) -> tuple[_Draft, Scope]:
        match verb.word:
            case "pick":
                return self._pick(verb, scope)
            case "assign":
                return self._assign(verb, scope)
            case "split":
                return self._split_verb(verb, scope)
            case "arrange":
                return self._arrange(verb, scope)
            case "share":
                return self._share(verb, scope)
            case "decide":
                option = scope.routine.fresh("answer", FLAG)
                return _Draft("decide", FLAG, option), scope.with_name("answer", option)
            case "number":
                return self._number(verb, scope)

    def _named(self, name: x.Name | None, type_: t.Type, scope: Scope) -> tuple[ir.Local, Scope]:
        assert name is not None
        local = scope.routine.fresh(name.text, type_)
        return local, self.naming(scope, name, local)

    def _kept(self, name: str, type_: t.Type, scope: Scope) -> tuple[ir.Local, Scope]:
        """A local under one of the language's own names."""
        local = scope.routine.fresh(name, type_)
        return local, scope.with_name(name, local)

    def _pick(self, verb: i.Verb, scope: Scope) -> tuple[_Draft, Scope]:
        assert verb.candidates is not None
        made, of = self.set_of(verb.candidates, scope)
        option, inner = self._named(verb.option, of, scope)
        if verb.amount == "one":
            answer: t.Type = of if verb.able == "must" else t.Optional(of)
            return _Draft("pick_one", answer, option, candidates=made), inner
        chosen, inner = self._kept("chosen", t.SetOf(of), inner)
        most = self._size(of)
        bound = self._bound(verb.bound, scope, t.Int(0, most)) if verb.bound is not None else None
        low = bound if verb.amount in ("at_least", "exactly") else None
        high = bound if verb.amount in ("up_to", "exactly") else None
        return _Draft(
            "pick_set", t.SetOf(of), option, chosen=chosen, candidates=made, low=low, high=high
        ), inner

    def _bound(self, node: x.Expr, scope: Scope, kind: t.Int) -> ir.Expr:
        """How many may be picked, given or made."""
        return meant_for(f"a number in the verb of `{scope.routine.owner}`", self.check(node, scope, kind))

    def _assign(self, verb: i.Verb, scope: Scope) -> tuple[_Draft, Scope]:
        assert verb.items is not None and verb.candidates is not None
        items, of = self.set_of(verb.items, scope)
        if not isinstance(of, t.Member):
            self.ctx.fail(kinds.WRONG_TYPE, f"`{of}` cannot be assigned something", verb.items.span)
        item, inner = self._named(verb.item, of, scope)
        candidates, to = self.set_of(verb.candidates, inner)
        option, inner = self._named(verb.option, to, inner)
        value: t.Type = to if verb.able == "must" else t.Optional(to)
        answer = t.MapOf(of, value)
        chosen, inner = self._kept("chosen", t.SetOf(to), inner)
        assigned, inner = self._kept("assigned", answer, inner)
        draft = _Draft("assign", answer, option, item, chosen, None, assigned, items, candidates)
        if verb.each is not None:
            draft.each = self._bound(verb.each, scope, t.Int(0, 10_000))
        return draft, inner

    def _split_verb(self, verb: i.Verb, scope: Scope) -> tuple[_Draft, Scope]:
        assert verb.candidates is not None and verb.high is not None
        whole, of = self.set_of(verb.candidates, scope)
        option, inner = self._named(verb.option, t.SetOf(of), scope)
        answer = t.ListOf(t.SetOf(of), MOST_PARTS)
        chosen, inner = self._kept("chosen", answer, inner)
        high = self._bound(verb.high, scope, t.Int(1, MOST_PARTS))
        return _Draft("split", answer, option, chosen=chosen, candidates=whole, high=high), inner

    def _arrange(self, verb: i.Verb, scope: Scope) -> tuple[_Draft, Scope]:
        assert verb.candidates is not None
        whole, of = self.set_of(verb.candidates, scope)
        option, inner = self._named(verb.option, of, scope)
        answer = t.ListOf(of, max(1, self._size(of)))
        before, inner = self._kept("before", t.Optional(of), inner)
        chosen, inner = self._kept("chosen", answer, inner)
        return _Draft("arrange", answer, option, chosen=chosen, before=before, candidates=whole), inner

    def _share(self, verb: i.Verb, scope: Scope) -> tuple[_Draft, Scope]:
        assert verb.items is not None and verb.bound is not None
        items, of = self.set_of(verb.items, scope)
        if not isinstance(of, t.Member):
            self.ctx.fail(kinds.WRONG_TYPE, f"nothing is shared among `{of}`", verb.items.span)
        total = self._bound(verb.bound, scope, t.Int(0, 10_000))
        most = total.type if isinstance(total.type, t.Int) else t.Int(0, 10_000)
        item, inner = self._named(verb.item, of, scope)
        high = self._bound(verb.high, inner, t.Int(0, 10_000)) if verb.high is not None else None
        option, inner = self._kept("amount", t.Int(0, most.high), inner)
        answer = t.MapOf(of, t.Int(0, most.high))
        chosen, inner = self._kept("chosen", answer, inner)
        return _Draft("share", answer, option, item, chosen, items=items, high=high, total=total), inner

    def _number(self, verb: i.Verb, scope: Scope) -> tuple[_Draft, Scope]:
        assert verb.low is not None and verb.high is not None
        low, high = self.infer(verb.low, scope), self.infer(verb.high, scope)
        if not (isinstance(low.type, t.Int) and isinstance(high.type, t.Int)):
            self.ctx.fail(kinds.WRONG_TYPE, "a number between what are no numbers", verb.span)
        answer = t.Int(low.type.low, max(low.type.low, high.type.high))
        option = scope.routine.fresh("answer", answer)
        return _Draft("number", answer, option, low=low, high=high), scope.with_name("answer", option)

    # -- norms

    def _norm(self, norm: i.Norm, number: int, draft: _Draft, scope: Scope, choice: i.Choice) -> ir.Norm:
        """A norm as an `ir.Norm`: a test on one option, and what heals a breach in the finished answer."""
        name = norm.name.text if norm.name else f"{norm.word}_{number + 1}"
        rules = self.ctx.rules(norm.cite, scope.routine.rules)
        site = self.ctx.site(f"{choice.name.text}.{name}", rules, norm.span)
        if isinstance(norm.condition, x.Reference) and norm.condition.name.text == "declining":
            return self._on_declining(norm, name, draft, scope, choice, site)
        finished = {local.name for local in (draft.chosen, draft.assigned) if local is not None}
        conditions, heals, inner = self._clauses(norm.clauses, scope)
        stated = self.flag(norm.condition, inner)
        self._norm_asked(norm, site, conditions, stated, heals)
        if norm.word == "permit":
            test = _all([*conditions, *(_not(heal) for heal in heals), stated])
            if free(test) & finished:
                hint = "forbid what it excludes instead"
                self.ctx.fail(
                    kinds.ANSWER_IN_PERMIT, "a permission reads the finished answer", norm.span, hint
                )
            return ir.Norm(name, "permit", test, None, None, True, site)
        breach: list[ir.Expr] = []
        if norm.word == "forbid":
            breach.append(stated)
        elif free(stated) & finished:
            heals.append(stated)
        else:
            breach.append(_not(stated))
        # What a `when` keeps from speaking is not asked at all: it may read what only the clause makes sure.
        at_once = [part for part in (*conditions, *breach) if not free(part) & finished]
        at_once += [_not(heal) for heal in heals if not free(heal) & finished]
        later = [part for part in (*conditions, *breach) if free(part) & finished]
        whole = [heal for heal in heals if free(heal) & finished]
        if later:
            whole.append(_not(_all(later)))
        test = _all(at_once)
        option_locals = {
            local.name for local in (draft.item, draft.option, draft.before) if local is not None
        }
        cover = self._cover(whole, draft, option_locals)
        return ir.Norm(
            name, norm.word, test, cover, None if cover is not None or not whole else _any(whole),
            bool((free(test) | free(_any(whole))) & option_locals), site,
        )  # fmt: skip

    def _on_declining(
        self, norm: i.Norm, name: str, draft: _Draft, scope: Scope, choice: i.Choice, site: int
    ) -> ir.Norm:
        """`forbid declining when C unless D`: a norm on the answer none."""
        if norm.word != "forbid" or choice.verb.able == "must":
            hint = "it goes with a verb that ends in `, or none`"
            self.ctx.fail(
                kinds.WRONG_TYPE, "only a choice that may be declined can forbid it", norm.span, hint
            )
        conditions, heals, _ = self._clauses(norm.clauses, scope)
        self._norm_asked(norm, site, conditions, TRUE, heals)
        test = _all([*conditions, *(_not(heal) for heal in heals)])
        if free(test) & {local.name for local in (draft.option, draft.chosen, draft.assigned) if local}:
            self.ctx.fail(kinds.ANSWER_IN_PERMIT, "a norm on declining reads an option", norm.span)
        return ir.Norm(name, "forbid", test, None, None, False, site, declining=True)

    def _norm_asked(
        self, norm: i.Norm, site: int, conditions: list[ir.Expr], stated: ir.Expr, heals: list[ir.Expr]
    ) -> None:
        """Note what a norm is asked, in the order of asking: its clauses, what it says, its exceptions."""
        owner = self.ctx.sites[site].owner
        speaks = [c.span for c in norm.clauses if isinstance(c, i.WhenClause | i.SpanClause)]
        for number, (test, span) in enumerate(zip(conditions, speaks, strict=True)):
            self.ctx.condition("when", owner, test, span, conditions[:number])
        broken = _not(stated) if norm.word == "require" else stated
        self.ctx.condition("norm", owner, broken, norm.condition.span, conditions)
        given = [*conditions, broken]
        spans = [c.span for c in norm.clauses if isinstance(c, i.UnlessClause)]
        for heal, span in zip(heals, spans, strict=True):
            self.ctx.condition("unless", owner, heal, span, given)
            given.append(_not(heal))

    def _clauses(
        self, clauses: tuple[i.Clause, ...], scope: Scope
    ) -> tuple[list[ir.Expr], list[ir.Expr], Scope]:
        """What must hold for a norm to speak, and what heals a breach of it."""
        conditions: list[ir.Expr] = []
        heals: list[ir.Expr] = []
        for clause in clauses:
            match clause:
                case i.WhenClause():
                    test = self.flag(clause.condition, scope)
                    conditions.append(test)
                    scope = scope.knowing(facts(self.ctx.world, test, True))
                case i.SpanClause():
                    conditions.append(self.during(clause.dates))
                case i.UnlessClause():
                    heals.append(self.flag(clause.condition, scope))
                case i.StacksClause():
                    self.ctx.tell(kinds.WRONG_TYPE, "norms do not stack", clause.span)
                case i.OverClause():
                    pass
        return conditions, heals, scope

    def _cover(self, whole: list[ir.Expr], draft: _Draft, option_locals: set[str]) -> ir.Expr | None:
        """The set that must be covered, where the one thing that heals is `every e in S is chosen`."""
        if len(whole) != 1 or draft.verb not in ("assign", "pick_set") or draft.chosen is None:
            return None
        match whole[0]:
            case ir.Fold(
                kind="all",
                over=over,
                var=var,
                body=ir.Op(op="has", operands=(ir.Local() as e, ir.Local() as s)),
            ):
                same = e.name == var.name and s.name == draft.chosen.name
                return over if same and not free(over) & ({draft.chosen.name} | option_locals) else None
            case _:
                return None


def _not(test: ir.Expr) -> ir.Expr:
    if isinstance(test, ir.Op) and test.op == "not":
        return test.operands[0]
    return ir.Op("not", (test,), FLAG)


def _all(tests: list[ir.Expr]) -> ir.Expr:
    made: ir.Expr | None = None
    for test in tests:
        made = test if made is None else ir.Op("and", (made, test), FLAG)
    return made if made is not None else TRUE


def _any(tests: list[ir.Expr]) -> ir.Expr:
    made: ir.Expr | None = None
    for test in tests:
        made = test if made is None else ir.Op("or", (made, test), FLAG)
    return made if made is not None else ir.Const(False, FLAG)
