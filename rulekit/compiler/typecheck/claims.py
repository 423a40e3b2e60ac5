"""Claims and errata: what they say, typed.  A claim is inert, so nothing that is made here is played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from rulekit import ir
from rulekit.base.spelling import meant
from rulekit.compiler.model import (
    CaseModel,
    Claimed,
    ClaimModel,
    Fact,
    Law,
    PointModel,
    Precedence,
    ReferenceModel,
    RulingModel,
    Title,
)
from rulekit.compiler.typecheck.choices import ChoiceChecker, is_on_declining
from rulekit.compiler.typecheck.context import CheckContext, Wrong
from rulekit.compiler.typecheck.conversions import FLAG, facts, negation
from rulekit.compiler.typecheck.examples import ExampleChecker
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.scope import RoutineLocals, Scope, opening_scope
from rulekit.diagnostics import kinds
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.walk import nodes

_FIRST_CASE = 1_000_001
"""Number of the first claimed example; the procedures of the set's own examples are numbered from 1."""


@dataclass(eq=False)
class ClaimChecker:
    """Makes claims and the readings of errata, after everything that they can name."""

    ctx: CheckContext
    expressions: ExpressionChecker
    choices: ChoiceChecker
    examples: ExampleChecker

    def claims(self) -> tuple[ClaimModel, ...]:
        """All claims, then the conditions among the readings of errata."""
        claims: list[ClaimModel] = []
        settled = self._settling_errata()
        for number, claim in enumerate(self.ctx.names.claims.values()):
            with self.ctx.recovering():
                name, rules = claim.name.text, self.ctx.rules(claim.cite)
                site = self.ctx.site(name, rules, claim.span)
                content = self._content(claim, number)
                claims.append(ClaimModel(name, content, site, None, claim, settled.get(name, "")))
        for errata in self.ctx.names.errata.values():
            for played, readings in ((False, errata.printed), (True, errata.play)):
                for node, cite in readings:
                    with self.ctx.recovering():
                        claims += self._reading(errata, played, node, cite)
        return tuple(claims)

    def _settling_errata(self) -> dict[str, str]:
        settled: dict[str, str] = {}
        for errata in self.ctx.names.errata.values():
            for name in errata.settles:
                if name.text in self.ctx.names.claims:
                    settled.setdefault(name.text, errata.name.text)
                else:
                    self.ctx.unknown("claim", name, self.ctx.names.claims)
        return settled

    def _reading(
        self, errata: i.Errata, played: bool, node: x.Expr | str, cite: Cite | None
    ) -> list[ClaimModel]:
        """One reading of an errata entry; words are cited and claim nothing that could be tried."""
        name, rules = errata.name.text, self.ctx.rules(cite, self.ctx.rules(errata.cite))
        if isinstance(node, str):
            self.ctx.site(name, rules, errata.span)
            return []
        site = self.ctx.site(name, rules, node.span)
        fact = Fact(self.expressions.flag(node, Scope(RoutineLocals(name, rules))), node)
        return [ClaimModel(name, fact, site, played, errata, "" if played else name)]

    # -- what is claimed

    def _content(self, claim: i.Claim, number: int) -> Claimed:
        if claim.params and not isinstance(claim.content, i.Stated | i.Example):
            message = "this claim cannot have parameters"
            hint = "write parameters with a condition: `claim NAME(PARAMETERS): CONDITION`"
            self.ctx.report(kinds.WRONG_ARGUMENTS, message, claim.params[0].span, hint)
        match claim.content:
            case i.Stated() as stated:
                return self._statement(claim, stated)
            case i.Ruling() as ruling:
                return self._ruling(ruling)
            case i.Example() as example:
                return CaseModel(*self.examples.example(example, _FIRST_CASE + number))
            case i.Pointer() as pointer:
                thing = "" if pointer.thing is None else self._thing(pointer.thing)
                return ReferenceModel(self.ctx.rules(pointer.cite), thing)
            case i.Named() as named:
                return Title(named.text)
            case i.Before() as before:
                return Precedence(self._point(before.first), self._point(before.second))

    def _statement(self, claim: i.Claim, stated: i.Stated) -> Fact | Law:
        params = self.ctx.params(claim.params)
        scope = opening_scope(self.ctx, claim.name.text, params, claim.cite, claim.params)
        when: ir.Expr | None = None
        if stated.when is not None:
            when = self.expressions.flag(stated.when, scope)
            scope = scope.knowing(facts(self.ctx.world, when, True))
        condition = self.expressions.flag(stated.condition, scope)
        if stated.word == "holds" and not params:
            whole = condition if when is None else ir.If(when, condition, ir.Const(True, FLAG), FLAG)
            return Fact(whole, stated.condition)
        breach = condition if stated.word == "never" else negation(condition)
        if when is not None:
            breach = ir.Op("and", (when, breach), FLAG)
        return Law(params, condition, breach, stated.word != "holds")

    def _ruling(self, ruling: i.Ruling) -> RulingModel:
        name, norm = ruling.choice.text, ruling.norm
        decl = self.ctx.names.choices.get(name)
        if decl is None:
            raise self.ctx.unknown("choice", ruling.choice, self.ctx.names.choices)
        if is_on_declining(norm):
            return RulingModel(name, norm.word, self._declining(decl, norm))
        claimed = self._norm(decl, norm)
        if claimed.cover is not None or claimed.whole is not None:
            message = "a claim about a choice cannot read the finished answer"
            hint = "use an example, which gives a whole answer"
            self.ctx.fail(kinds.ANSWER_IN_PERMIT, message, norm.span, hint)
        return RulingModel(name, norm.word, claimed)

    def _declining(self, decl: i.Choice, norm: i.Norm) -> ir.Norm | None:
        """When a choice is claimed to be declined, or never, as a norm; None if its verb decides."""
        if decl.verb.able != "none":
            return None
        return self._norm(decl, replace(norm, word="forbid"))

    def _norm(self, decl: i.Choice, norm: i.Norm) -> ir.Norm:
        """The norm that a choice would have; its conditions are not rules, and may never hold."""
        known = len(self.ctx.conditions)
        choice = self.choices.choice(replace(decl, norms=(norm,), default=None))
        del self.ctx.conditions[known:]
        if not choice.norms:
            raise Wrong
        return choice.norms[0]

    # -- places in the rules

    def _thing(self, name: x.Name) -> str:
        """Something that has a name: an item, a step."""
        known = self._things()
        if name.text not in known:
            hint = meant(name.text, known)
            self.ctx.fail(kinds.UNKNOWN_NAME, f"no rule or item is named `{name.text}`", name.span, hint)
        return name.text

    def _things(self) -> set[str]:
        names = self.ctx.names
        items = (names.procedures, names.choices, names.rolls, names.tables, names.externs, names.defines,
                 names.modifiers, names.events, names.populations, names.groups, names.enums, names.unions,
                 names.stores, names.promises)  # fmt: skip
        return {name for space in items for name in space} | set(self._steps)

    @cached_property
    def _steps(self) -> dict[str, s.Step]:
        """Every step of every procedure, by its name."""
        bodies = [procedure.body for procedure in self.ctx.names.procedures.values()]
        written = nodes(tuple(bodies), expressions=False)
        return {node.name.text: node for node in written if isinstance(node, s.Step)}

    def _point(self, point: i.Point) -> PointModel:
        if point.cite is not None:
            rules = self.ctx.rules(point.cite)
            return PointModel("cited", "", rules, f"[{', '.join(point.cite.ids)}]")
        assert point.name is not None
        names = self.ctx.names
        known = {
            "step": self._steps,
            "procedure": names.procedures,
            "choice": names.choices,
            "roll": names.rolls,
        }[point.word]
        name = point.name.text
        if name not in known:
            raise self.ctx.unknown(point.word, point.name, known)
        return PointModel(point.word, name, (), f"{point.word} `{name}`")
