"""Expressions of the rules in words, their locals by value: `speed of Akagi`, `pieces at Truk`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, assert_never

from rulekit.base.bits import member_ids
from rulekit.ir import expr as x
from rulekit.ir import types as t
from rulekit.ir.expr import OpName
from rulekit.ir.types import GAP, NONE
from rulekit.runtime.explain.named import Named, name_of
from rulekit.runtime.explain.scope import ValueScope
from rulekit.runtime.support.wording import Wording

MOST_LISTED: Final = 4
"""Members of a set that a phrase names; the others are counted."""

MOST_CHARACTERS: Final = 100
"""Characters of the words for one expression; longer ones end in an ellipsis."""

CUT: Final = "…"
"""Stands for words that are left out."""

MOST_DEPTH: Final = 5
"""Expressions inside one another that are put into words."""

SIGNS: Final[dict[OpName, str]] = {
    "add": "+", "sub": "−", "mul": "×", "div_down": "/", "div_up": "/", "div_nearest": "/", "mod": "mod",
    "eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥", "ratio": ":",
}  # fmt: skip

RELATIONS: Final[dict[tuple[OpName, bool], str]] = {
    ("lt", True): "less", ("lt", False): "not-less", ("le", True): "not-more", ("le", False): "more",
    ("gt", True): "more", ("gt", False): "not-more", ("ge", True): "not-less", ("ge", False): "less",
}  # fmt: skip
"""How a number is to another, by the comparison and whether it holds."""

MIRRORED: Final[dict[OpName, OpName]] = {
    "lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne",
}  # fmt: skip

LINKS: Final = frozenset(("of", "in", "at", "to", "by", "for", "from", "on"))
"""Words at the end of a name that what it is about may follow as it is: `ships of`."""

Evaluate = Callable[[x.Expr, ValueScope], Any]
"""Gives the value of an expression; raises any exception where there is none."""


class Phrases:
    """Puts expressions of one program into words."""

    def __init__(self, wording: Wording, evaluate: Evaluate) -> None:
        self._words = wording
        self._evaluate = evaluate

    # ------------------------------------------------------------ values

    def value(self, kind: t.Type, value: Any) -> str:
        """A value of a type."""
        words = self._words
        if value in (NONE, GAP) and not isinstance(kind, t.SetOf):
            return words("none")
        match kind:
            case t.Optional(of=of):
                return self.value(of, value)
            case t.Flag():
                return words("yes") if value else words("no")
            case t.Month():
                return words.month(value)
            case t.Ratio():
                return t.ratio_text(value)
            case t.Member(domain=domain):
                return words.member(domain, value)
            case t.SetOf(of=of):
                known = words.kind(of, value) if isinstance(of, t.Member) else ""
                return known or self._several(self.value(of, one) for one in member_ids(value))
            case t.ListOf(of=of):
                return self._several(self.value(of, one) for one in value)
            case t.MapOf() | t.Record() | t.Nothing():
                return words("nothing")
            case t.Int() | t.Row() | t.Text():
                return str(value)
            case _:
                assert_never(kind)

    def _several(self, texts: Iterable[str]) -> str:
        return self._words.list_of(list(texts), MOST_LISTED)

    # ------------------------------------------------------------ expressions

    def text(self, e: x.Expr, scope: ValueScope) -> str:
        """An expression in words; of a local or constant, its value."""
        text = self._text(e, scope, MOST_DEPTH)
        return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}{CUT}"

    def _text(self, e: x.Expr, scope: ValueScope, depth: int) -> str:
        if depth == 0:
            return CUT
        inner = depth - 1
        match e:
            case x.Const():
                return self.value(e.type, e.value)
            case x.Local():
                return self._local(e, scope)
            case x.Static(table=name, keys=keys) | x.Read(state=name, keys=keys):
                return self._cell(name, keys, scope)
            case x.Flagged():
                return self._cell(e.state, e.keys, scope)
            case x.At():
                return self._words("pieces-at", self._words("pieces"), self._text(e.space, scope, inner))
            case x.Apply():
                return self._cell(e.function, e.arguments, scope)
            case x.Op():
                return self._operation(e, scope, inner)
            case x.If():
                parts = (self._text(part, scope, inner) for part in (e.then, e.otherwise))
                return self._words("otherwise", *parts)
            case x.Filter():
                return self._words("where", *self._over(e, e.body, scope, inner))
            case x.Best():
                over, key = self._over(e, e.key, scope, inner)
                return self._words("best", over, e.kind, key)
            case x.Linked():
                parts = (self._text(part, scope, inner) for part in (e.over, e.start))
                return self._words("linked", *parts)
            case x.BestWay():
                parts = (self._text(part, scope, inner) for part in (e.start, e.goal))
                return self._words("way", *parts)
            case x.Fold():
                over, body = self._over(e, e.body, scope, inner)
                if e.kind in ("any", "all", "no"):
                    key = {"any": "some", "all": "every", "no": "no-such-where"}[e.kind]
                    return self._words(key, over, body)
                return self._words("fold", e.kind, body, over)
            case _:
                assert_never(e)

    def _over(
        self, e: x.Filter | x.Best | x.Fold, body: x.Expr, scope: ValueScope, depth: int
    ) -> tuple[str, str]:
        """A set, and what is said of each of its members."""
        inner = replace(scope, subject=None, unnamed=e.var.name)
        return self._collection(e.over, self._text(e.over, scope, depth)), self._text(body, inner, depth)

    def _collection(self, e: x.Expr, text: str) -> str:
        """A collection that is counted or walked: a local by its name."""
        return self._words.name(e.name.partition(" ")[0]) if isinstance(e, x.Local) else text

    def _local(self, e: x.Local, scope: ValueScope) -> str:
        value = scope.values.get(e.name)
        many = isinstance(e.type, t.SetOf) and isinstance(value, int) and value.bit_count() > MOST_LISTED
        if value is None or many or isinstance(value, dict):
            return self._words.name(e.name.partition(" ")[0])
        return self.value(e.type, value)

    def among(self, e: x.Expr, text: str) -> str:
        """The predicate of a member of a set: `in touches of Truk`; of a kind or a single member its name."""
        single = isinstance(e, x.Const) and isinstance(e.value, int) and e.value.bit_count() == 1
        return text if single or self.is_kind(e) else self._words("in", text)

    def is_kind(self, e: x.Expr) -> bool:
        """True if a set is that of all members of a kind."""
        if (
            not isinstance(e, x.Const)
            or not isinstance(e.type, t.SetOf)
            or not isinstance(e.type.of, t.Member)
        ):
            return False
        return isinstance(e.value, int) and bool(self._words.kind(e.type.of, e.value))

    def key(self, e: x.Expr, scope: ValueScope) -> tuple[str, bool]:
        """An expression by its value where it has one, and whether it is the subject of the scope."""
        if isinstance(e, x.Local) and e.name == scope.unnamed:
            return self._words.name(e.name.partition(" ")[0]), True
        try:
            value = self._evaluate(e, scope)
        except Exception:
            return self._text(e, scope, 2), False
        kind = e.type.of if isinstance(e.type, t.Optional) else e.type
        is_subject = isinstance(kind, t.Member) and scope.subject == (kind.domain, value)
        return self.value(e.type, value), is_subject

    def _cell(self, name: str, keys: tuple[x.Expr, ...], scope: ValueScope) -> str:
        """A cell with its keys, without the subject of the scope: `speed of Akagi`, `effect (5, Ship)`."""
        return self._with_keys(self._words.name(name), keys, scope)

    def _with_keys(self, word: str, keys: tuple[x.Expr, ...], scope: ValueScope) -> str:
        known = [self.key(key, scope) for key in keys]
        texts = [text for text, is_subject in known if not is_subject]
        if not texts:
            return word
        if len(texts) == 1 and word.rpartition(" ")[2] in LINKS:
            return f"{word} {texts[0]}"
        if len(keys) == 1 and isinstance(keys[0].type, t.Member):
            return self._words("of-what", word, texts[0])
        return self._words("with", word, ", ".join(texts))

    def _negation(self, e: x.Expr, text: str, scope: ValueScope) -> str:
        """A condition that fails: `does not fit in (Truk)`, `not (A or B)`."""
        if isinstance(e, Named):
            keys = e.arguments if isinstance(e, x.Apply) else e.keys
            predicate, is_said = self._words.predicate(name_of(e), holds=False)
            if not is_said:
                return self._with_keys(predicate, keys, scope)
        return self._words("not", text)

    def _operation(self, e: x.Op, scope: ValueScope, depth: int) -> str:
        words, op = self._words, e.op
        if isinstance(e.type, t.Member):
            with suppress(Exception):  # what it reads may have no value here
                return self.value(e.type, self._evaluate(e, scope))
        texts = [self._text(part, scope, depth) for part in e.operands]
        if op in SIGNS and len(texts) > 1:
            return f" {SIGNS[op]} ".join(texts)
        match op, texts:
            case "not", [inner]:
                return self._negation(e.operands[0], inner, scope)
            case (("and" | "or"), _):
                text = texts[0]
                for other in texts[1:]:
                    text = words(op, text, other)
                return text
            case "union", _:
                text = texts[0]
                for other in texts[1:]:
                    text = words("or", text, other)
                return text
            case "inter", [first, second]:
                if isinstance(e.operands[1], x.At):
                    return words("pieces-at", first, self._text(e.operands[1].space, scope, depth))
                return words("among", first, second)
            case "diff", [first, second]:
                return words("without", first, second)
            case (("single" | "to_set" | "to_list" | "ranged" | "at_most" | "only" | "list_of"), _):
                return texts[0] if texts else words("nothing")
            case (("count" | "length"), [inner]):
                return words("count-of", self._collection(e.operands[0], inner))
            case (("has" | "list_has"), [_, values]):
                value, is_subject = self.key(e.operands[0], scope)
                predicate = self.among(e.operands[1], values)
                return predicate if is_subject else words("is", value, predicate)
            case "is_none", [inner]:
                return words("is", inner, words("none"))
            case "is_empty", [inner]:
                return words("no-such", inner)
            case (("item" | "map_get"), [values, key]):
                return words("with", values, key)
            case _:
                return words("with", words.name(op), ", ".join(texts))
