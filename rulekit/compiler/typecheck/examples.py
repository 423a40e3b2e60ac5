"""Examples: given, when and then become procedures and conditions; dice, draws and answers their input."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.typecheck.choices import ChoiceChecker
from rulekit.compiler.typecheck.context import CheckContext, Wrong
from rulekit.compiler.typecheck.conversions import FLAG, negation, without_none
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.scope import Scope, opening_scope
from rulekit.compiler.typecheck.statements.blocks import StatementChecker
from rulekit.compiler.typecheck.states import evaluate
from rulekit.compiler.typecheck.verbs import MOST_PARTS
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.semantics.records import digits_of, number_of
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Change, Mark

Part = tuple[int, ...]
"""A part of an answer: `(value,)`, `(item, value)`, or `()` for `done`."""


Condition = tuple[ir.Expr, int]
"""A condition and its site."""


class _Then(NamedTuple):
    """The lines of `then`: conditions with their sites, the rules that refuse, and a fault as the end."""

    conditions: tuple[Condition, ...]
    refused: tuple[str, ...]
    fault: bool


@frozen
class ExampleChecker:
    """Makes examples, after everything they can name."""

    ctx: CheckContext
    expressions: ExpressionChecker
    statements: StatementChecker
    choices: ChoiceChecker

    def example(self, decl: i.Example, number: int) -> tuple[ir.Example, tuple[ir.Procedure, ...]]:
        """Make one example and its two procedures."""
        with self.ctx.naming_all() if decl.for_sampler else nullcontext():
            return self._example(decl, number)

    def _example(self, decl: i.Example, number: int) -> tuple[ir.Example, tuple[ir.Procedure, ...]]:
        rules = self.ctx.rules(decl.cite)
        site = self.ctx.site(f"example {decl.title}", rules, decl.span)
        scenario = self._scenario(decl)
        given = self._given_procedure(decl, f"example:{number}:given")
        when, scope, between = self._when(decl, f"example:{number}:when")
        then = self._then(decl, scope)
        breaks = self._breaks(decl, rules)
        dice = tuple((self._roll_name(name), numbers) for name, numbers in decl.dice)
        draws = tuple((name.text, self._draw_results(name, values, scope)) for name, values in decl.draws)
        asked = [(name.text, self._answers(name, parts, scope)) for name, parts in decl.answers]
        answers = tuple((name, tuple(part for part, _ in parts)) for name, parts in asked)
        deciders = tuple(tuple(side for _, side in parts) for _, parts in asked)
        example = ir.Example(
            decl.title, scenario, given.name, when.name, dice, draws, answers,
            between + then.conditions, then.refused, then.fault, site, deciders, breaks,
            *self._asks(decl, scope), len(between), self._measures(decl, scope),
        )  # fmt: skip
        return example, (given, when)

    def _scenario(self, decl: i.Example) -> str | None:
        name = next((given.name for given in decl.given if given.kind == "scenario"), None)
        if name is None:
            return None
        procedure = self.ctx.names.procedures.get(name.text)
        if procedure is None or procedure.sort != "scenario":
            known = [p.name.text for p in self.ctx.names.procedures.values() if p.sort == "scenario"]
            raise self.ctx.unknown("scenario", name, known)
        return name.text

    def _procedure(self, decl: i.Example, name: str, body: list[ir.Stmt], scope: Scope) -> ir.Procedure:
        routine = scope.routine
        site = self.ctx.site(routine.owner, routine.rules, decl.span)
        return ir.Procedure(name, (), t.Nothing(), routine.params(), tuple(body), site)

    # -- given

    def _given_procedure(self, decl: i.Example, name: str) -> ir.Procedure:
        scope = opening_scope(self.ctx, f"example {decl.title}", (), decl.cite)
        body: list[ir.Stmt] = []
        for given in decl.given:
            with self.ctx.recovering():
                body += self._given_line(given, scope)
        return self._procedure(decl, name, body, scope)

    def _given_line(self, given: i.Given, scope: Scope) -> list[ir.Stmt]:
        site = self.ctx.site(scope.routine.owner, scope.routine.rules, given.span)
        match given.kind:
            case "place":
                return self._given_place(given, scope, site)
            case "value" if given.value is not None:
                target = given.subjects[0]
                if not isinstance(target, x.Reference | x.Call | x.Field):
                    self.ctx.fail(kinds.EXAMPLE_SHAPE, "only a state can be given a value", given.span)
                change = Change(given.span, None, "set", target, given.value)
                return self.statements.change(change, scope, site)
            case "flag" | "no_flag" if given.name is not None:
                return [self._given_flag(given.subjects[0], given.name, scope, site, given)]
            case _:
                return []

    def _given_place(self, given: i.Given, scope: Scope, site: int) -> list[ir.Stmt]:
        pieces = [self._pieces(subject, scope) for subject in given.subjects]
        if given.value is None:
            hint = "add the place: `given PIECE at PLACE`"
            self.ctx.fail(kinds.EXAMPLE_SHAPE, "missing place", given.span, hint)
        place = self.expressions.check(given.value, scope, t.Member("space", "Space"))
        return [ir.Place(piece, isinstance(piece.type, t.SetOf), place, site) for piece in pieces]

    def _pieces(self, node: x.Expr, scope: Scope) -> ir.Expr:
        """Pieces to place; for a state the hint shows how to give it a value."""
        pieces = self.expressions.infer(node, scope, t.Member("piece", "Piece"))
        of = pieces.type.of if isinstance(pieces.type, t.SetOf) else pieces.type
        if not (isinstance(of, t.Member) and of.domain == "piece"):
            name = node.name.text if isinstance(node, x.Reference) else "STATE"
            value = "true" if isinstance(of, t.Flag) else "VALUE"
            hint = f"give it a value: `given {name} = {value}`" if isinstance(pieces, ir.Read) else None
            self.ctx.fail(kinds.WRONG_TYPE, f"`{pieces.type}` has no place", node.span, hint)
        return pieces

    def _given_flag(self, subject: x.Expr, name: x.Name, scope: Scope, site: int, given: i.Given) -> ir.Stmt:
        """`given Akagi is disabled` marks; `given Coral_Sea.controller is Japan` sets."""
        base = self.expressions.infer(subject, scope)
        if isinstance(base.type, t.SetOf):
            return self.statements.mark(
                Mark(given.span, None, given.kind == "flag", subject, name), scope, site
            )
        if isinstance(base, ir.Read) and not isinstance(base.type, t.Flag) and given.kind == "flag":
            value = self.expressions.check(x.Reference(name.span, name), scope, base.type)
            return ir.Write("set", base.state, base.keys, value, site)
        flag = self.expressions.calls.field_of(base, name, None, name.span, scope)
        if not isinstance(flag, ir.Read) or not isinstance(flag.type, t.Flag):
            self.ctx.fail(kinds.EXAMPLE_SHAPE, f"`{name.text}` is not a flag that can be given", name.span)
        return ir.Write("mark" if given.kind == "flag" else "unmark", flag.state, flag.keys, None, site)

    # -- when

    def _when(self, decl: i.Example, name: str) -> tuple[ir.Procedure, Scope, tuple[Condition, ...]]:
        """The steps, the scope at their end, and the locals of the conditions between them."""
        scope = opening_scope(self.ctx, f"example {decl.title}", (), decl.cite)
        body: list[ir.Stmt] = []
        between: list[Condition] = []
        for number, step in enumerate(decl.when):
            for condition, site in self._conditions(decl, scope, number):
                local = scope.routine.fresh("then", FLAG)
                body.append(ir.Let(local, condition, site))
                between.append((local, site))
            block, scope = self.statements.sequence((step,), scope)
            body.extend(block)
        return self._procedure(decl, name, body, scope), scope, tuple(between)

    # -- then

    def _then(self, decl: i.Example, scope: Scope) -> _Then:
        conditions = tuple(self._conditions(decl, scope, len(decl.when)))
        refused = tuple(rule for then in decl.then if then.refused for rule in self.ctx.rules(then.refused))
        self._report_shape(decl)
        return _Then(conditions, refused, any(then.fault for then in decl.then))

    def _conditions(self, decl: i.Example, scope: Scope, after: int) -> Iterator[Condition]:
        """The conditions that are tested after so many steps."""
        for then in decl.then:
            if then.condition is not None and then.after == after:
                with self.ctx.recovering():
                    rules = self.ctx.rules(then.cite, scope.routine.rules)
                    site = self.ctx.site(scope.routine.owner, rules, then.span)
                    yield self.expressions.flag(then.condition, scope), site

    def _report_shape(self, decl: i.Example) -> None:
        """Report an example with more than one end, or without any expectation."""
        last = [then for then in decl.then if then.condition is None or then.after == len(decl.when)]
        ends = [then for then in last if then.condition is None]
        if ends and len(last) > 1 and not all(then.refused for then in last):
            other = next(then for then in last if then is not ends[0])
            hint = "an example shows one end: split it into two examples"
            self.ctx.report(kinds.EXAMPLE_SHAPE, "this example has more than one end", other.span, hint)
        if not decl.then and not decl.measures:
            message = "this example expects nothing"
            self.ctx.report(kinds.EXAMPLE_SHAPE, message, decl.span, "add a `then` line")

    def _measures(self, decl: i.Example, scope: Scope) -> tuple[ir.Measure, ...]:
        """Return the measures of an example."""
        measures: list[ir.Measure] = []
        for line in decl.measures:
            with self.ctx.recovering():
                measures.append(self._measure(line, scope))
        if decl.measures:
            self._report_single_outcome(decl)
        return tuple(measures)

    def _with_whole_number(self, line: i.Measure, scope: Scope) -> i.Measure:
        """A line as it is meant: `chance open is 1` states a chance if `open` is a condition."""
        if line.word == "chance" and line.stated is None:
            of, number = self._without_number(line.of, scope)
            if number is not None:
                return replace(line, of=of, relation="is", stated=(number, 1))
        return line

    def _without_number(self, e: x.Expr, scope: Scope) -> tuple[x.Expr, int | None]:
        """A condition without the number that it is compared with at its end, and that number."""
        if isinstance(e, x.Not):
            inner, number = self._without_number(e.value, scope)
            return replace(e, value=inner), number
        if isinstance(e, x.Logic):
            inner, number = self._without_number(e.right, scope)
            return replace(e, right=inner), number
        if isinstance(e, x.Is) and not e.negated and isinstance(e.predicate, x.ExprPredicate):
            compared = e.predicate.value
            is_flag = isinstance(self.expressions.infer(e.subject, scope).type, t.Flag)
            if is_flag and isinstance(compared, x.Integer):
                return e.subject, compared.value
        return e, None

    def _measure(self, line: i.Measure, scope: Scope) -> ir.Measure:
        line = self._with_whole_number(line, scope)
        rules = self.ctx.rules(line.cite, scope.routine.rules)
        site = self.ctx.site(scope.routine.owner, rules, line.span)
        if line.word == "mean":
            of = self.expressions.infer(line.of, scope)
            if not isinstance(of.type, t.Int | t.Ratio):
                self.ctx.fail(kinds.WRONG_TYPE, f"expected a number, found `{of.type}`", line.of.span)
        elif line.stated is not None:
            of = self.expressions.flag(line.of, scope)
            if not 0 <= Fraction(*line.stated) <= 1:
                message = "a chance is from 0 to 1"
                self.ctx.fail(kinds.EXAMPLE_SHAPE, message, line.span)
        else:
            of = self.expressions.infer(line.of, scope)
        stated = None if line.stated is None else Fraction(*line.stated)
        rounded = line.stated[1] if line.stated is not None and line.rounded else 0
        return ir.Measure(line.word, of, line.relation, stated, rounded, site)

    def _report_single_outcome(self, decl: i.Example) -> None:
        """Report what belongs to an example with one outcome, and the steps after a measure."""
        hint = "an example with `chance` or `mean` follows every outcome: put this into another example"
        for then in decl.then:
            self.ctx.report(kinds.EXAMPLE_SHAPE, "this line expects one outcome", then.span, hint)
        for name, _ in (*decl.dice, *decl.draws):
            self.ctx.report(kinds.EXAMPLE_SHAPE, f"`{name.text}` is given one result", name.span, hint)
        if decl.measures[0].after < len(decl.when):
            step = decl.when[decl.measures[0].after]
            message = "this step comes after a `chance` or `mean` line"
            self.ctx.report(kinds.EXAMPLE_SHAPE, message, step.span, "put these lines at the end")

    def _breaks(self, decl: i.Example, rules: tuple[str, ...]) -> ir.Invariant | None:
        """What an example breaks: a promise, or a claim about every moment."""
        for then in decl.then:
            if then.breaks is None:
                continue
            with self.ctx.recovering():
                body = self._promise(then.breaks)
                site = self.ctx.site(f"example {decl.title}", self.ctx.rules(then.cite, rules), then.span)
                return ir.Invariant(then.breaks.text, body, site)
        return None

    def _promise(self, name: x.Name) -> ir.Expr:
        """The condition that a promise or claim says holds at every moment."""
        names = self.ctx.names
        scope = opening_scope(self.ctx, name.text, (), None)
        if (promise := names.promises.get(name.text)) is not None:
            return self.expressions.flag(promise.condition, scope)
        if (claim := names.claims.get(name.text)) is None:
            raise self.ctx.unknown("promise or claim", name, [*names.promises, *names.claims])
        stated = claim.content
        if not isinstance(stated, i.Stated) or stated.word == "holds" or claim.params:
            hint = "name an `invariant`, an `assume`, or a claim with `always` or `never`"
            message = f"the claim `{name.text}` is not about every moment"
            self.ctx.fail(kinds.EXAMPLE_SHAPE, message, name.span, hint)
        body = self.expressions.flag(stated.condition, scope)
        return negation(body) if stated.word == "never" else body

    def _asks(self, decl: i.Example, scope: Scope) -> tuple[str, int]:
        """The choice that is open at the end, and the side that is asked."""
        for then in decl.then:
            if then.asks is None:
                continue
            if self._choice(then.asks) is None:
                break
            return then.asks.text, self._side(then.by, then.span, scope)
        return "", t.NONE

    # -- dice, draws, answers

    def _roll_name(self, name: x.Name) -> str:
        if name.text not in self.ctx.names.rolls:
            self.ctx.unknown("roll", name, self.ctx.names.rolls)
        return name.text

    def _draw_results(self, name: x.Name, values: tuple[x.Expr, ...], scope: Scope) -> tuple[int, ...]:
        type_ = self.ctx.results.drawn.get(name.text)
        if type_ is None:
            self.ctx.unknown("random draw", name, self.ctx.results.drawn)
            return ()
        return tuple(self._number(value, scope, type_) for value in values)

    def _number(self, node: x.Expr, scope: Scope, expected: t.Type) -> int:
        """A constant expression as a number or an id."""
        value = evaluate(self.ctx, self.expressions.check(node, scope, expected), {}, node)
        if not isinstance(value, int):
            raise Wrong
        return int(value)

    def _answers(self, name: x.Name, parts: tuple[i.Answer, ...], scope: Scope) -> list[tuple[Part, int]]:
        """The parts given for a choice, each with the side that is said to answer it."""
        choice = self._choice(name)
        if choice is None:
            return []
        answers: list[tuple[Part, int]] = []
        for answer in parts:
            by = self._side(answer.by, answer.span, scope)
            with self.ctx.recovering():
                answers += ((part, by) for part in self._parts(answer, choice, scope))
        return answers

    def _choice(self, name: x.Name) -> ir.Choice | None:
        """A choice, or an order that a side chooses; None, reported, if there is none of that name."""
        choices = self.ctx.results.choices
        if self.choices.signature(name.text) is None and name.text not in choices:
            self.ctx.unknown("choice", name, [*self.ctx.names.choices, *choices])
            return None
        return choices[name.text]

    def _parts(self, answer: i.Answer, choice: ir.Choice, scope: Scope) -> Iterator[Part]:
        """The parts that an answer gives, in the order in which they are asked."""
        values = answer.values
        item: Part = ()
        if choice.verb == "pick_record" and not (values and isinstance(values[0], x.NoneLiteral)):
            yield self._record(answer, choice, scope)
            return
        if len(values) + answer.done > 2:
            self.ctx.fail(kinds.EXAMPLE_SHAPE, "an answer has one item and one value", answer.span)
        if len(values) + answer.done == 2:
            item, values = (self._item(values[0], choice, answer.span, scope),), values[1:]
        if choice.verb == "assign_set" and values and isinstance(values[0], x.SetLiteral):
            for one in values[0].items:
                yield *item, self._number(one, scope, choice.option.type)
            yield *item, t.DONE
        elif answer.done:
            yield (*item, t.DONE) if item else ()
        else:
            yield *item, self._number(values[0], scope, self._answered_type(choice))

    def _item(self, node: x.Expr, choice: ir.Choice, span: Span, scope: Scope) -> int:
        """The member that a part is asked for."""
        if choice.verb == "split":
            assert isinstance(choice.option.type, t.SetOf)
            return self._number(node, scope, choice.option.type.of)
        if choice.item is None:
            self.ctx.fail(kinds.EXAMPLE_SHAPE, f"`{choice.name}` does not assign items", span)
        return self._number(node, scope, choice.item.type)

    def _answered_type(self, choice: ir.Choice) -> t.Type:
        """The type of one part; parts of `split` are numbered from 1 in the order of their first member."""
        kind = choice.option.type
        if choice.verb == "split":
            return t.Int(1, MOST_PARTS)
        if choice.able == "must" or isinstance(kind, t.Flag | t.SetOf | t.ListOf | t.MapOf):
            return kind
        return t.Optional(without_none(kind))  # type: ignore[arg-type]

    def _record(self, answer: i.Answer, choice: ir.Choice, scope: Scope) -> Part:
        """The values of a record, `pawn -> square`."""
        kind = choice.option.type
        assert isinstance(kind, t.Record)
        if answer.done or len(answer.values) != len(kind.names):
            message = f"`{choice.name}` is answered by {len(kind.names)} values"
            self.ctx.fail(kinds.EXAMPLE_SHAPE, message, answer.span, f"write `{' -> '.join(kind.names)}`")
        values = [self._number(node, scope, of) for node, of in zip(answer.values, kind.types, strict=True)]
        sizes = {name: len(domain.members) for name, domain in self.ctx.world.domains.items()}
        return (number_of(digits_of(kind, sizes), values),)

    def _side(self, by: x.Expr | None, span: Span, scope: Scope) -> int:
        """The side that is asked; `NONE` if the example does not say."""
        if by is None:
            return t.NONE
        with self.ctx.recovering():
            if self.ctx.side is None:
                self.ctx.fail(kinds.EXAMPLE_SHAPE, "this rule set has no sides to ask", span)
            return self._number(by, scope, self.ctx.side)
        return t.NONE
