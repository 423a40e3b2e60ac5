"""Finds the terms of an expression that decide its value at a moment of a game.

The tree of the rules as written is walked, not the optimised one; parts of it are evaluated by the generated
code of the game.  An explanation is bounded in depth, breadth and number of evaluations; what is left out by
a bound is a term without `because`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, assert_never

from rulekit.base.bits import member_ids
from rulekit.ir import expr as x
from rulekit.ir import types as t
from rulekit.ir import walk
from rulekit.ir.semantics.effects import PLACE
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import NONE
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.explain.named import Named, name_of, outermost
from rulekit.runtime.explain.phrases import CUT, MIRRORED, MOST_LISTED, RELATIONS, Phrases
from rulekit.runtime.explain.scope import ValueScope
from rulekit.runtime.explain.term import Term, TermValue
from rulekit.runtime.support.wording import Wording

MOST_DEFINITIONS: Final = 4
"""Definitions inside one another that are looked into."""

MOST_TERMS: Final = 6
"""Terms beside one another."""

MOST_EVALUATIONS: Final = 400
"""Expressions that are evaluated for one explanation."""

MOST_STEPS: Final = 20
"""Steps that are counted to a member that is too far away."""

Terms = list[Term]


class Unknown(Exception):
    """An expression has no value here, or evaluation has taken too long."""


class Explainer:
    """Explains expressions of one program at one moment; `cells` are not changed, except for the budget."""

    def __init__(self, module: GeneratedModule, naming: Naming, wording: Wording, cells: list[Any]) -> None:
        self._module, self._naming, self._words, self._cells = module, naming, wording, cells
        self._functions = module.program.by_name.functions
        self._phrases = Phrases(wording, self.value)
        self._left = MOST_EVALUATIONS
        self._deep = 0

    # ------------------------------------------------------------ evaluation

    def value(self, e: x.Expr, scope: ValueScope) -> Any:
        """The value of an expression.

        Raises:
            Unknown: It has none, or too many were asked for.
        """
        if isinstance(e, x.Const):
            return e.value
        if isinstance(e, x.Local):
            if e.name not in scope.values:
                raise Unknown
            return scope.values[e.name]
        self._left -= 1
        names = tuple(sorted(walk.free(e)))
        if self._left < 0 or not scope.values.keys() >= set(names):
            raise Unknown
        try:
            return self._module.expression(e, names)(self._cells, *(scope.values[name] for name in names))
        except Exception as error:
            raise Unknown from error

    def _holds(self, e: x.Expr, scope: ValueScope) -> bool | None:
        """Whether a condition holds; None if it has no value."""
        try:
            return bool(self.value(e, scope))
        except Unknown:
            return None

    # ------------------------------------------------------------ terms

    def condition(self, e: x.Expr, scope: ValueScope, *, holds: bool) -> tuple[Term, ...]:
        """The terms that make a condition hold, or fail; none where it is otherwise, or has no value."""
        return tuple(self._condition(e, scope, holds)) if self._holds(e, scope) is holds else ()

    def membership(self, e: x.Expr, member: x.Local, scope: ValueScope, *, inside: bool) -> tuple[Term, ...]:
        """The terms that put the value of a local into a set (or list), or keep it out."""
        try:
            return tuple(self._membership(e, member, scope, inside))
        except Unknown:
            return ()

    def _term(
        self, text: str, scope: ValueScope, values: Iterable[TermValue] = (), because: Iterable[Term] = ()
    ) -> Term:
        return Term(text, scope.site, scope.rules, tuple(values), tuple(because))

    def _in_order(self, terms: Iterable[Term]) -> Terms:
        """The terms, each once, the shortest first."""
        different = {(term.text, term.site): term for term in terms}
        return sorted(different.values(), key=lambda term: (term.size, len(term.text)))[:MOST_TERMS]

    # ------------------------------------------------------------ conditions

    def _condition(self, e: x.Expr, scope: ValueScope, holds: bool) -> Terms:
        match e:
            case x.Const():
                return []
            case x.Local():
                if e.name in scope.origins:
                    inner, around = scope.origins[e.name]
                    return self._condition(inner, around, holds)
                return [self._flag_fact(e, scope, holds, ())]
            case x.Static(keys=keys) | x.Read(keys=keys):
                return [self._flag_fact(e, scope, holds, keys)]
            case x.Apply():
                return self._definition(e, scope, holds)
            case x.If():
                return self._branch(e, scope, holds)
            case x.Fold():
                return self._quantifier(e, scope, holds)
            case x.Op():
                return self._operation(e, scope, holds)
            case x.Flagged() | x.At() | x.Filter() | x.Best() | x.Linked() | x.BestWay():
                return []  # sets and lists, no conditions
            case _:
                assert_never(e)

    def _operation(self, e: x.Op, scope: ValueScope, holds: bool) -> Terms:
        match e.op:
            case "not":
                return self._condition(e.operands[0], scope, not holds)
            case "and" | "or":
                return self._junction(e, scope, holds)
            case "has" | "list_has":
                return self._has(e, scope, holds)
            case "is_empty":
                return self._emptiness(e.operands[0], scope, holds)
            case "within":
                return self._within(e, scope, holds)
            case "is_none":
                return self._noneness(e, scope, holds)
            case "eq" | "ne" | "lt" | "le" | "gt" | "ge":
                return [self._comparison(e, scope, holds)]
            case _:
                text = self._phrases.text(e, scope)
                return [
                    self._term(text if holds else self._words("not", text), scope, self._values(e, scope))
                ]

    def _junction(self, e: x.Op, scope: ValueScope, holds: bool) -> Terms:
        """Of `and` that fails, each part that fails; of `or` that fails, every part; and so on."""
        terms: Terms = []
        for part in e.operands:
            # What follows a part that decides may rely on that it does not.
            if self._holds(part, scope) is holds and not (terms and _is_guarded(part)):
                terms += self._condition(part, scope, holds)
        return self._in_order(_telling(terms) or terms if holds is (e.op == "and") else terms)

    def _branch(self, e: x.If, scope: ValueScope, holds: bool) -> Terms:
        """The branch that is taken; where it is a constant, the condition that leads to it."""
        taken = self._holds(e.condition, scope)
        if taken is None:
            return []
        branch = e.then if taken else e.otherwise
        if isinstance(branch, x.Const):
            return self._condition(e.condition, scope, taken)
        return self._condition(branch, scope, holds)

    def _definition(self, e: x.Apply, scope: ValueScope, holds: bool) -> Terms:
        inner = self._inside(e, scope)
        because = [] if inner is None else self._condition(self._functions[e.function].body, inner, holds)
        because = _readable(because)
        self._outside(inner)
        if because and "'" in e.function:  # a `let` of a definition: what it is about has no name of its own
            return because
        here = scope if inner is None else replace(scope, site=inner.site, rules=inner.rules)
        return [_because(self._flag_fact(e, here, holds, e.arguments), because)]

    def _inside(self, e: x.Apply, scope: ValueScope) -> ValueScope | None:
        """The scope of the function that is called; None if it is too deep, or an argument has no value."""
        item = self._functions[e.function]
        if self._deep >= MOST_DEFINITIONS:
            return None
        try:
            values = [self.value(part, scope) for part in e.arguments]
        except Unknown:
            return None
        self._deep += "'" not in e.function
        site = self._module.program.sites[item.site]
        return scope.inside(site, [param.name for param in item.params], e.arguments, values)

    def _outside(self, inner: ValueScope | None) -> None:
        if inner is not None and "'" not in inner.site.owner:
            self._deep -= 1

    def _quantifier(self, e: x.Fold, scope: ValueScope, holds: bool) -> Terms:
        if e.kind not in ("any", "all", "no"):
            return []
        exists = holds is not (e.kind in ("all", "no"))
        wanted = e.kind != "all"
        try:
            over = self._each(e.over, scope)
        except Unknown:
            return []
        if exists:
            return self._witness(e, over, scope, wanted)
        values = self._set_value(e.over, scope)
        if not over and e.kind != "all":
            return [self._term(self._words("no-such", self._phrases.text(e.over, scope)), scope, values)]
        if len(over) == 1:
            return self._condition(e.body, scope.with_member(e.var, over[0]), not wanted)
        key = "no-such-where" if wanted else "every"
        text = self._words(key, self._phrases.text(e.over, scope), self._phrases.text(e.body, scope))
        return [self._term(text, scope, values)]

    def _witness(self, e: x.Fold, over: Sequence[int], scope: ValueScope, wanted: bool) -> Terms:
        """The first member for which the body holds (or, of `every`, does not), and why it does."""
        for member in over:
            inner = scope.with_member(e.var, member)
            if self._holds(e.body, inner) is wanted:
                because = self._condition(e.body, inner, wanted)
                if because:
                    return because
                text = self._phrases.value(e.var.type, member)
                text = self._words("some-such", self._phrases.text(e.over, scope), text)
                return [self._term(text, scope, self._set_value(e.over, scope))]
        return []

    def _emptiness(self, e: x.Expr, scope: ValueScope, holds: bool) -> Terms:
        values = self._set_value(e, scope)
        text = self._phrases.text(e, scope)
        if holds:
            return [self._term(self._words("no-such", text), scope, values)]
        try:
            over = self._each(e, scope)
        except Unknown:
            return []
        return [self._term(self._words("some-such", text, self._names_of(e.type, over)), scope, values)]

    def _within(self, e: x.Op, scope: ValueScope, holds: bool) -> Terms:
        part, whole = e.operands
        try:
            own, others = self.value(part, scope), self.value(whole, scope)
        except Unknown:
            return []
        if holds:
            text = f"{self._phrases.text(part, scope)} {self._words('in', self._phrases.text(whole, scope))}"
            return [self._term(text, scope, self._set_value(part, scope))]
        assert isinstance(part.type, t.SetOf)
        return self._membership(whole, *_as_local(part.type.of, member_ids(own & ~others)[0], scope), False)

    def _noneness(self, e: x.Op, scope: ValueScope, holds: bool) -> Terms:
        (operand,) = e.operands
        if isinstance(operand, x.Read) and operand.state == PLACE and holds:
            who, is_subject = self._phrases.key(operand.keys[0], scope)
            text = self._of(who, is_subject, self._words("off-board"))
            return [self._term(text, scope, self._values(operand, scope))]
        try:
            value = self._phrases.value(operand.type, self.value(operand, scope))
        except Unknown:
            return []
        text = self._words("is", self._phrases.text(operand, scope), value)
        return [self._term(text, scope, self._values(operand, scope))]

    # ------------------------------------------------------------ facts

    def _of(self, who: str, is_subject: bool, predicate: str) -> str:
        """A predicate with its subject, unless that is the subject of the scope."""
        return predicate if is_subject else self._words("is", who, predicate)

    def _flag_fact(self, e: x.Expr, scope: ValueScope, holds: bool, keys: Sequence[x.Expr]) -> Term:
        """A flag as it is: `not raiding`, `Truk is surrounded`, `not in reach (Akagi, Truk)`."""
        values = self._values(e, scope)
        if len(keys) == 1 and isinstance(keys[0].type, t.Member) and isinstance(e, Named):
            who, is_subject = self._phrases.key(keys[0], scope)
            predicate, is_said = self._words.predicate(name_of(e), holds=holds)
            if is_said or is_subject:
                return self._term(self._of(who, is_subject, predicate), scope, values)
            return self._term(f"{who} {predicate}", scope, values)
        if len(keys) > 1 and isinstance(e, Named) and self._words.verb(name_of(e)):
            return self._term(self._sentence(e, keys, scope, holds), scope, values)
        word = self._words.name(e.name) if isinstance(e, x.Local) else self._phrases.text(e, scope)
        return self._term(word if holds else self._words("not", word), scope, values)

    def _sentence(self, e: Named, keys: Sequence[x.Expr], scope: ValueScope, holds: bool) -> str:
        """A condition of several things whose name is a verb: `Akagi does not fit in Truk`."""
        (first, is_subject), *others = (self._phrases.key(key, scope) for key in keys)
        many = isinstance(keys[0].type, t.SetOf) and len(self._each(keys[0], scope)) != 1
        predicate, _ = self._words.predicate(name_of(e), holds=holds, many=many)
        rest = ", ".join(text for text, _ in others)
        words = [predicate, rest if len(others) == 1 else f"({rest})"]
        return " ".join(words if is_subject else [first, *words])

    def _comparison(self, e: x.Op, scope: ValueScope, holds: bool) -> Term:
        """Two values as they are: `speed is 4, less than 5`, `owner is Allies, not Japan`."""
        op, (left, right) = e.op, e.operands
        if self._is_bare(left) and not self._is_bare(right):
            op, left, right = MIRRORED[op], right, left
        words, values = self._words, self._values(e, scope)
        text, value = self._text_and_value(left, scope)
        other, other_value = self._text_and_value(right, scope)
        shown = self._with_value(other, other_value)
        if op in ("eq", "ne"):
            equal = (op == "eq") is holds
            if text == value:  # two members: one is the other, or not
                is_subject = self._phrases.key(left, scope)[1] or text == shown
                return self._term(
                    self._of(text, is_subject, shown if equal else words("not", shown)), scope, values
                )
            fact = words("is", text, value)
            return self._term(fact if equal else words("is-not", fact, shown), scope, values)
        fact = text if text == value else words("is", text, value)
        return self._term(words(RELATIONS[op, holds], fact, shown), scope, values)

    def _with_value(self, text: str, value: str) -> str:
        """The words for something, with its value: `points of Japan (5)`."""
        if text == value:
            return text
        return f"{text} = {value}" if text.endswith(")") else self._words("with", text, value)

    @staticmethod
    def _is_bare(e: x.Expr) -> bool:
        return isinstance(e, x.Const | x.Local)

    def _text_and_value(self, e: x.Expr, scope: ValueScope) -> tuple[str, str]:
        text = self._phrases.text(e, scope)
        try:
            return text, self._phrases.value(e.type, self.value(e, scope))
        except Unknown:
            return text, text

    def words_of(self, kind: t.Type, value: Any) -> str:
        """A value of a type in words."""
        return self._phrases.value(kind, value)

    def _names_of(self, kind: t.Type, members: Sequence[int]) -> str:
        of = kind.of if isinstance(kind, t.SetOf | t.ListOf) else kind
        return self._words.list_of([self._phrases.value(of, one) for one in members], MOST_LISTED)

    # ------------------------------------------------------------ membership

    def _has(self, e: x.Op, scope: ValueScope, holds: bool) -> Terms:
        member, values = e.operands
        try:
            number = self.value(member, scope)
        except Unknown:
            return []
        if number == NONE:
            text = self._words("is", self._phrases.text(member, scope), self._words("none"))
            return [self._term(text, scope, self._values(member, scope))]
        if isinstance(member, x.Local):
            return self._membership(values, member, scope, holds)
        kind = member.type.of if isinstance(member.type, t.Optional) else member.type
        if isinstance(values, x.Const) or e.op == "list_has":
            return [self._among(member, values, scope, holds)]
        return self._membership(values, *_as_local(kind, number, scope), holds)

    def _among(self, member: x.Expr, values: x.Expr, scope: ValueScope, holds: bool) -> Term:
        """A value that is one of some: `nation is British, not in Dutch, Australian`."""
        text, value = self._text_and_value(member, scope)
        fact = self._words("is", text, value) if text != value else text
        if not holds:
            fact = self._words("is-not", fact, self._phrases.text(values, scope))
        return self._term(fact, scope, self._values(member, scope))

    def _membership(self, e: x.Expr, member: x.Local, scope: ValueScope, inside: bool) -> Terms:
        """Why the value of a local is in a set, or is not."""
        match e:
            case x.Const() | x.Static() | x.Read() | x.BestWay():
                return [self._in_fact(e, member, scope, inside)]
            case x.Local():
                if e.name in scope.origins:
                    inner, around = scope.origins[e.name]
                    around = replace(around, subject=scope.subject)
                    return self._membership(
                        inner, *_as_local(member.type, scope.values[member.name], around), inside
                    )
                return [self._in_fact(e, member, scope, inside)]
            case x.Flagged():
                flag = x.Read(e.state, (*e.keys, member), t.Flag())
                return [self._flag_fact(flag, scope, inside, (member,) if not e.keys else flag.keys)]
            case x.At():
                return [self._at_fact(e, member, scope, inside)]
            case x.Apply():
                return self._set_definition(e, member, scope, inside)
            case x.If():
                return self._set_branch(e, member, scope, inside)
            case x.Filter():
                return self._filter(e, member, scope, inside)
            case x.Best():
                return self._best(e, member, scope, inside)
            case x.Linked():
                return self._link(e, member, scope, inside)
            case x.Fold():
                return self._join(e, member, scope, inside)
            case x.Op():
                return self._set_operation(e, member, scope, inside)
            case _:
                assert_never(e)

    def _is_in(self, e: x.Expr, member: x.Local, scope: ValueScope) -> bool | None:
        try:
            values = self.value(e, scope)
        except Unknown:
            return None
        number = scope.values[member.name]
        return number in values if isinstance(values, tuple) else bool(values >> number & 1)

    def _set_operation(self, e: x.Op, member: x.Local, scope: ValueScope, inside: bool) -> Terms:
        match e.op:
            case "union" | "inter" | "joined":
                parts = [part for part in e.operands if self._is_in(part, member, scope) is inside]
                if inside:  # of what kind something is goes without saying
                    parts = [part for part in parts if not isinstance(part, x.Const)] or parts
                if inside is (e.op == "inter"):
                    return self._alternatives(parts, member, scope, inside)
                return self._in_order(
                    term for part in parts for term in self._membership(part, member, scope, inside)
                )
            case "diff":
                whole, lacking = e.operands
                if not inside and self._is_in(whole, member, scope) is False:
                    return self._membership(whole, member, scope, False)
                return self._membership(lacking, member, scope, not inside)
            case "single":
                return [self._comparison(x.Op("eq", (member, e.operands[0]), t.Flag()), scope, inside)]
            case "or_else" | "to_set" | "to_list" | "at_most" if len(e.operands) == 1:
                return self._membership(e.operands[0], member, scope, inside)
            case _:
                return [self._in_fact(e, member, scope, inside)]

    def _alternatives(
        self, parts: Sequence[x.Expr], member: x.Local, scope: ValueScope, inside: bool
    ) -> Terms:
        """The terms of parts all of which matter, without those that are about other kinds of things."""
        terms = [self._membership(part, member, scope, inside) for part in parts]
        telling = [
            own
            for part, own in zip(parts, terms, strict=True)
            if isinstance(part, x.Const) and not self._phrases.is_kind(part) or _telling(own)
        ]
        return self._in_order(term for own in telling or terms for term in own)

    def _set_branch(self, e: x.If, member: x.Local, scope: ValueScope, inside: bool) -> Terms:
        taken = self._holds(e.condition, scope)
        if taken is None:
            return []
        branch = e.then if taken else e.otherwise
        if isinstance(branch, x.Const) and branch.value == 0:
            return self._condition(e.condition, scope, taken)
        return self._membership(branch, member, scope, inside)

    def _set_definition(self, e: x.Apply, member: x.Local, scope: ValueScope, inside: bool) -> Terms:
        inner = self._inside(e, scope)
        if inner is None:
            return [self._in_fact(e, member, scope, inside)]
        carried = _as_local(member.type, scope.values[member.name], inner)
        because = _readable(self._membership(self._functions[e.function].body, *carried, inside))
        self._outside(inner)
        if because and "'" in e.function:
            return because
        here = replace(scope, site=inner.site, rules=inner.rules)
        return [_because(self._in_fact(e, member, here, inside, listed=not because), because)]

    def _filter(self, e: x.Filter, member: x.Local, scope: ValueScope, inside: bool) -> Terms:
        among = self._is_in(e.over, member, scope)
        inner = scope.with_member(e.var, scope.values[member.name])
        if inside:
            return self._condition(e.body, inner, True)
        terms = [] if among is not False else self._membership(e.over, member, scope, False)
        # Outside the set the condition may have no meaning; inside it alone decides.
        if among or not terms:
            terms += self._condition(e.body, inner, False) if self._holds(e.body, inner) is False else []
        return self._in_order(terms)

    def _best(self, e: x.Best, member: x.Local, scope: ValueScope, inside: bool) -> Terms:
        if self._is_in(e.over, member, scope) is False:
            return self._membership(e.over, member, scope, inside)
        here = scope.with_member(e.var, scope.values[member.name])
        best = scope.with_member(e.var, self._each(e, scope)[0])
        text, value = self._text_and_value(e.key, here)
        fact = text if text == value else self._words("is", text, value)
        if not inside:
            fact = self._words(f"not-{e.kind}", fact, self._text_and_value(e.key, best)[1])
        return [self._term(fact, scope, (*self._values(e.key, here), *self._values(e.key, best)))]

    def _link(self, e: x.Linked, member: x.Local, scope: ValueScope, inside: bool) -> Terms:
        if not inside and self._is_in(e.over, member, scope) is False:
            return self._membership(e.over, member, scope, False)
        start, values = self._phrases.text(e.start, scope), self._set_value(e.start, scope)
        if inside:
            return [self._term(self._words("in", self._phrases.text(e, scope)), scope, values)]
        if e.within is None or not self._is_in(replace(e, within=None), member, scope):
            return [self._term(self._words("not-linked", start), scope, values)]
        steps = x.Local("#steps", e.within.type)
        most = int(self.value(e.within, scope))
        for number in range(most + 1, most + MOST_STEPS):
            if self._is_in(replace(e, within=steps), member, scope.with_member(steps, number)):
                return [self._term(self._words("too-far", number, start, most), scope, values)]
        return [self._term(self._words("further", most, start), scope, values)]

    def _join(self, e: x.Fold, member: x.Local, scope: ValueScope, inside: bool) -> Terms:
        """The union of a set for each of some: of one of them, its own; of several, all together."""
        over = self._each(e.over, scope) if e.kind == "join" else ()
        if e.kind == "join" and not over:
            text = self._words("no-such", self._phrases.text(e.over, scope))
            return [self._term(text, scope, self._set_value(e.over, scope))]
        for one in over:
            inner = scope.with_member(e.var, one)
            if inside and self._is_in(e.body, member, inner) or len(over) == 1:
                return self._membership(e.body, member, inner, inside)
        return [self._in_fact(e, member, scope, inside)]

    def _in_fact(
        self, e: x.Expr, member: x.Local, scope: ValueScope, inside: bool, *, listed: bool = True
    ) -> Term:
        """A member that is among others, or is not: `not in touches of Truk (Marianas)`, `not AirUnit`.

        `listed`: whether the others are named, if they are few.
        """
        who, is_subject = self._phrases.key(member, scope)
        if isinstance(e, Named) and self._words.verb(name_of(e)):
            return self._verb_fact(e, who, scope, inside, listed)
        text = self._words.name(e.name) if isinstance(e, x.Local) else self._phrases.text(e, scope)
        values: tuple[TermValue, ...] = ()
        if not isinstance(e, x.Const):
            values = self._set_value(e, scope)
            with suppress(Unknown):
                others = self._each(e, scope)
                if listed and len(others) <= MOST_LISTED:
                    text = self._words("with", text, self._names_of(e.type, others))
        predicate = self._phrases.among(e, text)
        if not inside:
            predicate = self._words("not", predicate)
        return self._term(self._of(who, is_subject, predicate), scope, values)

    def _verb_fact(self, e: Named, who: str, scope: ValueScope, inside: bool, listed: bool) -> Term:
        """A member of a set that has a verb for its name: `Truk does not touch Okinawa, only Marianas`."""
        keys = e.arguments if isinstance(e, x.Apply) else e.keys
        subject = ", ".join(self._phrases.key(key, scope)[0] for key in keys)
        predicate, _ = self._words.predicate(name_of(e), holds=inside)
        text = self._words("does", subject, predicate, who) if subject else f"{predicate} {who}"
        with suppress(Unknown):
            others = self._each(e, scope)
            if listed and not inside and 0 < len(others) <= MOST_LISTED:
                text = self._words("only", text, self._names_of(e.type, others))
        return self._term(text, scope, self._set_value(e, scope))

    def _at_fact(self, e: x.At, member: x.Local, scope: ValueScope, inside: bool) -> Term:
        """A piece that is somewhere: `at Truk, not at Okinawa`."""
        words = self._words
        who, is_subject = self._phrases.key(member, scope)
        place = x.Read(PLACE, (member,), t.Optional(t.Member("space", "")))
        number = self.value(place, scope)
        values = self._values(place, scope)
        wanted, wanted_value = self._text_and_value(e.space, scope)
        wanted = wanted if e.many else self._with_value(wanted, wanted_value)
        if number == NONE:
            return self._term(self._of(who, is_subject, words("off-board-not", wanted)), scope, values)
        there = words.member("space", number)
        predicate = words("at", there) if inside else words("at-not", there, wanted)
        return self._term(self._of(who, is_subject, predicate), scope, values)

    # ------------------------------------------------------------ values

    def _each(self, e: x.Expr, scope: ValueScope) -> Sequence[int]:
        """The members of a set, or the items of a list."""
        values = self.value(e, scope)
        return values if isinstance(values, tuple) else member_ids(values)

    def _values(self, e: x.Expr, scope: ValueScope) -> tuple[TermValue, ...]:
        """The values that an expression reads itself: of states, fields, tables and definitions."""
        values: list[TermValue] = []
        for node in outermost(e):
            keys = tuple(node.arguments if isinstance(node, x.Apply) else node.keys)
            try:
                value = self._naming.to_json(node.type, self.value(node, scope))
                shown = tuple(self._naming.to_json(key.type, self.value(key, scope)) for key in keys)
            except (Unknown, ValueError, IndexError, AttributeError):
                continue
            values.append(TermValue(name_of(node).removeprefix("table:"), shown, value))
        return tuple(values[:MOST_TERMS])

    def _set_value(self, e: x.Expr, scope: ValueScope) -> tuple[TermValue, ...]:
        """The members of a set, under its words."""
        if isinstance(e, x.Static | x.Read | x.Flagged | x.Apply):
            return self._values(e, scope)
        try:
            value = self._naming.to_json(e.type, self.value(e, scope))
        except (Unknown, ValueError, IndexError):
            return ()
        name = e.name if isinstance(e, x.Local) else self._phrases.text(e, scope)
        return (TermValue(name, (), value),)


def _because(term: Term, because: Terms) -> Term:
    """A term with what makes it so, unless that says the same."""
    if len(because) == 1 and because[0].text == term.text:
        return because[0]
    return replace(term, because=tuple(because))


def _readable(terms: Terms) -> Terms:
    """The terms with whole words; of an expression that was cut, the name of its definition says more."""
    return [term for term in terms if term.because or CUT not in term.text]


def _is_guarded(e: x.Expr) -> bool:
    """True if an expression relies on a test before it: a local has a narrower type than declared."""
    return any(isinstance(node, x.Local) and node.declared is not None for node in walk.nodes(e))


def _telling(terms: Terms) -> Terms:
    """The terms with values: the kind of a member is rarely the reason."""
    return [term for term in terms if any(leaf.values for leaf in term.leaves)]


def _as_local(kind: t.Type, member: int, scope: ValueScope) -> tuple[x.Local, ValueScope]:
    """A member as a local of another scope, under a name that no rule has."""
    local = x.Local("#member", kind)
    return local, scope.with_member(local, member)
