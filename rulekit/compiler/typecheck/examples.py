"""Examples: given, when and then become procedures and conditions; dice, draws, answers their feed."""

from __future__ import annotations

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import Wrong
from rulekit.compiler.typecheck.scope import Routine, Scope
from rulekit.compiler.typecheck.states import States
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Change

Part = tuple[int, ...]


class Examples(States):
    """Makes examples, after everything they can name."""

    def example(self, decl: i.Example, number: int) -> tuple[ir.Example, tuple[ir.Procedure, ...]]:
        """One example and its two procedures."""
        rules = self.ctx.rules(decl.cite)
        site = self.ctx.site(f"example {decl.title}", rules, decl.span)
        scenario = next((given.name for given in decl.given if given.kind == "scenario"), None)
        if scenario is not None and not self._is_scenario(scenario.text):
            known = [p.name.text for p in self.ctx.names.procedures.values() if p.sort == "scenario"]
            hint = self.ctx.near(scenario.text, known)
            self.ctx.fail(kinds.UNKNOWN_NAME, f"no scenario is named `{scenario.text}`", scenario.span, hint)
        given = self._given(decl, f"example:{number}:given", rules)
        when, scope = self._when(decl, f"example:{number}:when", rules)
        then, refused, fault = self._then(decl, scope)
        breaks = self._breaks(decl, rules)
        made = ir.Example(
            decl.title,
            scenario.text if scenario else None,
            given.name,
            when.name,
            tuple((self._roll_name(name), numbers) for name, numbers in decl.dice),
            tuple((name.text, self._drawn(name, values, scope)) for name, values in decl.draws),
            tuple((name.text, self._answers(name, parts, scope)) for name, parts in decl.answers),
            then,
            refused,
            fault,
            site,
            tuple(
                tuple(self._asked_of(part.by, part.span, scope) for part in parts)
                for _, parts in decl.answers
            ),
            breaks,
            *self._asks(decl, scope),
        )
        return made, (given, when)

    def _is_scenario(self, name: str) -> bool:
        found = self.ctx.names.procedures.get(name)
        return found is not None and found.sort == "scenario"

    # -- given, when, then

    def _given(self, decl: i.Example, name: str, rules: tuple[str, ...]) -> ir.Procedure:
        routine = Routine(f"example {decl.title}", rules)
        scope = Scope(routine)
        body: list[ir.Stmt] = []
        for given in decl.given:
            with self.ctx.mending():
                body += self._given_one(given, scope)
        site = self.ctx.site(routine.owner, rules, decl.span)
        return ir.Procedure(name, (), t.Nothing(), _locals(routine), tuple(body), site)

    def _given_one(self, given: i.Given, scope: Scope) -> list[ir.Stmt]:
        site = self.ctx.site(scope.routine.owner, scope.routine.rules, given.span)
        match given.kind:
            case "place":
                pieces = [self._pieces(subject, scope) for subject in given.subjects]
                if given.value is None:
                    hint = "say where: `given PIECE at PLACE`"
                    self.ctx.fail(kinds.EXAMPLE_SHAPE, "nothing says where this is", given.span, hint)
                place = self.check(given.value, scope, t.Member("space", "Space"))
                return [ir.Place(made, isinstance(made.type, t.SetOf), place, site) for made in pieces]
            case "value" if given.value is not None:
                target = given.subjects[0]
                if not isinstance(target, x.Reference | x.Call | x.Field):
                    self.ctx.fail(kinds.EXAMPLE_SHAPE, "only a state can be given a value", given.span)
                changed = Change(given.span, None, "set", target, given.value)
                return self.change(changed, scope, site)[0]
            case "flag" | "no_flag" if given.name is not None:
                return self._given_is(given.subjects[0], given.name, scope, site, given)
            case _:
                return []

    def _pieces(self, node: x.Expr, scope: Scope) -> ir.Expr:
        """Pieces that are placed; a state is meant to be given a value."""
        made = self.infer(node, scope, t.Member("piece", "Piece"))
        of = made.type.of if isinstance(made.type, t.SetOf) else made.type
        if not (isinstance(of, t.Member) and of.domain == "piece"):
            name = node.name.text if isinstance(node, x.Reference) else "STATE"
            value = "true" if isinstance(of, t.Flag) else "VALUE"
            hint = f"give it a value: `given {name} = {value}`" if isinstance(made, ir.Read) else None
            self.ctx.fail(kinds.WRONG_TYPE, f"a `{made.type}` is at no place", node.span, hint)
        return made

    def _given_is(
        self, subject: x.Expr, name: x.Name, scope: Scope, site: int, given: i.Given
    ) -> list[ir.Stmt]:
        """`given Akagi is disabled` marks; `given Coral_Sea.controller is Japan` sets."""
        made = self.infer(subject, scope)
        if isinstance(made, ir.Read) and not isinstance(made.type, t.Flag) and given.kind == "flag":
            value = self.check(x.Reference(name.span, name), scope, made.type)
            return [ir.Write("set", made.state, made.keys, value, site)]
        flag = self.field_of(made, name, None, name.span, scope)
        if not isinstance(flag, ir.Read) or not isinstance(flag.type, t.Flag):
            self.ctx.fail(kinds.EXAMPLE_SHAPE, f"`{name.text}` is no flag that can be given", name.span)
        return [ir.Write("mark" if given.kind == "flag" else "unmark", flag.state, flag.keys, None, site)]

    def _when(self, decl: i.Example, name: str, rules: tuple[str, ...]) -> tuple[ir.Procedure, Scope]:
        routine = Routine(f"example {decl.title}", rules)
        scope = Scope(routine)
        body: list[ir.Stmt] = []
        for statement in decl.when:
            try:
                made, scope = self.statement(statement, scope)
                body += made
            except Wrong:
                scope = self.poisoned(statement, scope)
        site = self.ctx.site(routine.owner, rules, decl.span)
        return ir.Procedure(name, (), t.Nothing(), _locals(routine), tuple(body), site), scope

    def _then(
        self, decl: i.Example, scope: Scope
    ) -> tuple[tuple[tuple[ir.Expr, int], ...], tuple[str, ...], bool]:
        conditions: list[tuple[ir.Expr, int]] = []
        refused: tuple[str, ...] = ()
        fault = False
        for then in decl.then:
            if then.refused is not None:
                refused += self.ctx.rules(then.refused)
            elif then.condition is not None:
                with self.ctx.mending():
                    rules = self.ctx.rules(then.cite, scope.routine.rules)
                    site = self.ctx.site(scope.routine.owner, rules, then.span)
                    conditions.append((self.flag(then.condition, scope), site))
            fault = fault or then.fault
        ends = [then for then in decl.then if then.condition is None]
        if ends and len(decl.then) > 1 and not all(then.refused for then in decl.then):
            other = next(then for then in decl.then if then is not ends[0])
            hint = "what ends an example is all that it shows: make two examples"
            self.ctx.tell(kinds.EXAMPLE_SHAPE, "this stands beside another end", other.span, hint)
        if not decl.then:
            self.ctx.tell(kinds.EXAMPLE_SHAPE, "this example expects nothing", decl.span, "add a `then` line")
        return tuple(conditions), refused, fault

    def _breaks(self, decl: i.Example, rules: tuple[str, ...]) -> ir.Invariant | None:
        """What is said to be broken: a promise, or what a claim says of every moment."""
        for then in decl.then:
            if then.breaks is None:
                continue
            with self.ctx.mending():
                name = then.breaks.text
                body = self._promised(then.breaks)
                site = self.ctx.site(f"example {decl.title}", self.ctx.rules(then.cite, rules), then.span)
                return ir.Invariant(name, body, site)
        return None

    def _promised(self, name: x.Name) -> ir.Expr:
        """What is said to hold at every moment under a name."""
        names = self.ctx.names
        scope = Scope(Routine(name.text, ()))
        if (promise := names.promises.get(name.text)) is not None:
            return self.flag(promise.condition, scope)
        if (claim := names.claims.get(name.text)) is None:
            hint = self.ctx.near(name.text, [*names.promises, *names.claims])
            message = f"no promise and no claim is named `{name.text}`"
            self.ctx.fail(kinds.UNKNOWN_NAME, message, name.span, hint)
        stated = claim.content
        if not isinstance(stated, i.Stated) or stated.word == "holds" or claim.params:
            hint = "name an `invariant`, an `assume`, or a claim of what is `always` or `never` so"
            message = f"the claim `{name.text}` promises nothing of every moment"
            self.ctx.fail(kinds.EXAMPLE_SHAPE, message, name.span, hint)
        body = self.flag(stated.condition, scope)
        return ir.Op("not", (body,), t.Flag()) if stated.word == "never" else body

    def _asks(self, decl: i.Example, scope: Scope) -> tuple[str, int]:
        """The choice that is said to be open at the end, and the side that it is asked of."""
        for then in decl.then:
            if then.asks is None:
                continue
            if self._choice_named(then.asks) is None:
                break
            return then.asks.text, self._asked_of(then.by, then.span, scope)
        return "", t.NONE

    # -- dice, draws, answers

    def _roll_name(self, name: x.Name) -> str:
        if name.text not in self.ctx.names.rolls:
            hint = self.ctx.near(name.text, self.ctx.names.rolls)
            self.ctx.tell(kinds.UNKNOWN_NAME, f"no roll is named `{name.text}`", name.span, hint)
        return name.text

    def _drawn(self, name: x.Name, values: tuple[x.Expr, ...], scope: Scope) -> tuple[int, ...]:
        """What a draw gives, as ids of what it draws from."""
        type_ = self.drawn.get(name.text)
        if type_ is None:
            hint = self.ctx.near(name.text, self.drawn)
            self.ctx.tell(
                kinds.UNKNOWN_NAME, f"nothing draws by lot under the name `{name.text}`", name.span, hint
            )
            return ()
        return tuple(_whole(self.evaluate(self.check(value, scope, type_), {}, value)) for value in values)

    def _answers(self, name: x.Name, parts: tuple[i.Answer, ...], scope: Scope) -> tuple[Part, ...]:
        """Parts of answers: `(value,)`, `(item, value)`, or `()` for `done`."""
        choice = self._choice_named(name)
        if choice is None:
            return ()
        made: list[Part] = []
        for part in parts:
            with self.ctx.mending():
                made.append(self._answer(part, choice, scope))
        return tuple(made)

    def _choice_named(self, name: x.Name) -> ir.Choice | None:
        """A choice, or an order that a side chooses; None where there is none, which is told."""
        if self.choice_signature(name.text) is None and name.text not in self.choices:
            hint = self.ctx.near(name.text, [*self.ctx.names.choices, *self.choices])
            self.ctx.tell(kinds.UNKNOWN_NAME, f"no choice is named `{name.text}`", name.span, hint)
            return None
        return self.choices[name.text]

    def _answer(self, part: i.Answer, choice: ir.Choice, scope: Scope) -> Part:
        if part.value is None:
            return ()
        want: t.Type = choice.option.type
        if choice.able != "must" and not isinstance(want, t.Flag | t.SetOf):
            want = t.Optional(want)  # type: ignore[arg-type]
        if choice.verb == "split":
            return self._split_answer(part, choice, scope)
        value = _whole(self.evaluate(self.check(part.value, scope, want), {}, part.value))
        if part.item is None:
            return (value,)
        if choice.item is None:
            self.ctx.fail(kinds.EXAMPLE_SHAPE, f"`{choice.name}` gives no item an option", part.span)
        item = self.evaluate(self.check(part.item, scope, choice.item.type), {}, part.item)
        return (_whole(item), value)

    def _asked_of(self, by: x.Expr | None, span: Span, scope: Scope) -> int:
        """The side that something is said to be asked of; `NONE` where nothing is said."""
        if by is None:
            return t.NONE
        with self.ctx.mending():
            if self.ctx.side is None:
                self.ctx.fail(kinds.EXAMPLE_SHAPE, "nobody is asked in a set without sides", span)
            return _whole(self.evaluate(self.check(by, scope, self.ctx.side), {}, by))
        return t.NONE

    def _split_answer(self, part: i.Answer, choice: ir.Choice, scope: Scope) -> Part:
        """`member -> part`, parts counted from 1 in the order they come to be."""
        assert isinstance(choice.option.type, t.SetOf) and part.value is not None
        if part.item is None:
            value = self.check(part.value, scope, t.Int(1, 64))
            return (_whole(self.evaluate(value, {}, part.value)),)
        item = self.check(part.item, scope, choice.option.type.of)
        value = self.check(part.value, scope, t.Int(1, 64))
        number = _whole(self.evaluate(value, {}, part.value))
        return (_whole(self.evaluate(item, {}, part.item)), number)


def _locals(routine: Routine) -> tuple[ir.Param, ...]:
    return tuple(ir.Param(name, type_) for name, type_ in routine.locals.items())


def _whole(value: Value) -> int:
    if not isinstance(value, int):
        raise Wrong
    return int(value)
