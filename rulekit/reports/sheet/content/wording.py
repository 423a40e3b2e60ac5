"""Words of a rule set for a sheet: printed rules, names, numbers, and expressions said plainly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from rulekit.compiler.driver import Compiled
from rulekit.reports.sheet.model.messages import Messages
from rulekit.reports.show.rows import Texts
from rulekit.ruleset.printed_rules import PrintedRule
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Cite

_PART = re.compile(r":\d+$")
SIGNS = {"=": "=", "<": "<", ">": ">", "<=": "≤", ">=": "≥", "+": "+", "-": "−", "*": "×", "mod": "mod"}


KIND = "kind "
"""Before a kind of printed rules, where a selection is all of that kind."""
LETTERS = 3
"""Letters of a name from which on it is a word; `u` and `c.hex` are program text."""


class Unsayable(Exception):
    """An expression has no plain words: on a sheet it would be program text."""


def plain(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


def signed_number(number: int) -> str:
    """A number with its sign, a real minus."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


class SheetWords:
    """The words of one compiled rule set.

    Args:
        names: Wordings on the sheet of names of the rules, and of titles of their items (`table effect`).
        short: Wordings of printed rules that fit a line, by their numbers, and of steps without a rule, by
            their names (`step aiming`).
        references: The column that says where a rule is printed, in place of its number.
    """

    def __init__(
        self,
        compiled: Compiled,
        catalogue: Messages,
        names: Mapping[str, str],
        short: Mapping[str, str],
        references: str = "",
    ) -> None:
        self.compiled, self.catalogue, self.references = compiled, catalogue, references
        self._names, self._short, self._messages = names, short, catalogue.messages
        self._prefix = compiled.rule_set.manifest.prefix + "."
        self.texts = Texts(compiled.rule_set.sources, compiled.declared)

    # -- printed rules

    @cached_property
    def printed(self) -> Mapping[str, PrintedRule]:
        """Every printed rule, by its id without the set's prefix, in the order of the booklet."""
        rules = (rule for printed in self.compiled.printed for rule in printed.rules)
        return {rule.id.removeprefix(self._prefix): rule for rule in rules}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The order of the booklet."""
        return {id_: place for place, id_ in enumerate(self.printed)}

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """The order of printed numbers: of rules that share one, the first counts."""
        return {number: rank for rank, number in enumerate(self.numbers(self.printed))}

    def number(self, id_: str) -> str:
        """A printed number: without the set's prefix, and without which sentence of a rule it is.

        Or, in a booklet without numbers, what its list of rules has instead: a heading, a page.
        """
        if self.references:
            known = self.printed.get(id_.removeprefix(self._prefix))
            return known.extra.get(self.references, "") if known is not None else ""
        return _PART.sub("", id_.removeprefix(self._prefix))

    def numbers(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Several, each once, in their order."""
        return tuple(dict.fromkeys(filter(None, map(self.number, ids))))

    def numbers_cited(self, *cites: Cite | None) -> tuple[str, ...]:
        """The printed numbers of citations."""
        return self.numbers(id_ for cite in cites if cite is not None for id_ in cite.ids)

    def rule(self, id_: str) -> str:
        """Return the shortest wording of a printed rule; empty if the rule is not listed."""
        if id_ in self._messages.rules:
            return self._messages.rules[id_]
        return self._in_language("rules", id_, self.english(id_))

    def english(self, id_: str) -> str:
        """The same in English, of which the mood of a sentence follows."""
        known = self.printed.get(id_)
        return self._short.get(id_) or (known.summary if known else "")

    def step(self, key: str) -> str:
        """Return what is done in a step without a printed rule (`step aiming`); empty if not said."""
        words = self._short.get(key, "")
        return self._in_language("texts", words, words) if words else ""

    def is_heading(self, id_: str) -> bool:
        """Return whether a printed rule is only a heading, by its kind in the list of printed rules."""
        known = self.printed.get(id_)
        return known is not None and known.kind == "heading"

    def rules(self, ids: Iterable[str]) -> str:
        """Several printed rules, a sentence each."""
        words = [words for id_ in ids if (words := self.rule(id_))]
        return ". ".join(words) + ("." if len(words) > 1 else "")

    def rules_selected(self, wanted: str) -> tuple[str, ...]:
        """The printed rules of `8` (with all below), `=8.3` (it alone), `8.3..8.45` (a stretch), `kind x`."""
        ids = list(self.printed)
        if wanted.startswith(KIND):
            return tuple(id_ for id_ in ids if self.printed[id_].kind == wanted.removeprefix(KIND))
        if wanted.startswith("="):
            alone = wanted[1:]
            return tuple(id_ for id_ in ids if id_ == alone or ":" not in alone and self.number(id_) == alone)
        if ".." in wanted:
            first, _, last = wanted.partition("..")
            if first in self.places and last in self.places:
                return tuple(ids[self.places[first] : self.places[last] + 1])
            return ()
        exact = wanted if wanted in self.places else None
        below = tuple(id_ for id_ in ids if exact is None and (id_.startswith((wanted + ".", wanted + ":"))))
        if exact is not None and ":" not in wanted:
            below = tuple(id_ for id_ in ids if id_.startswith(wanted + ":") or _below(id_, wanted))
        return ((exact,) if exact is not None else ()) + below

    # -- names

    def name(self, name: str, domain: str = "") -> str:
        """A name as words: the sheet's, or its printed title, or itself.

        Args:
            domain: Where it belongs, such as an enum; without it, a title counts if no other domain has
                another one for the same name.
        """
        if name in self._messages.names:
            return self._messages.names[name]
        known = self._names.get(name) or self._titles.get((domain, name))
        return self._in_language("names", name, known or plain(name).strip())

    def of_data(self, value: object) -> str:
        """The words for a name as a data file writes it, with spaces."""
        return self.name(str(value).replace(" ", "_"))

    def title(self, word: str, name: str) -> str:
        """Return the title of an item: `title("table", "effect")`."""
        return self.own_title(word, name) or self._in_language(
            "names", f"{word} {name}", _capital(plain(name).strip())
        )

    def own_title(self, word: str, name: str) -> str:
        """The same, but nothing where the set does not say."""
        key = f"{word} {name}"
        if key in self._messages.names:
            return self._messages.names[key]
        return self._in_language("names", key, self._names[key]) if key in self._names else ""

    def english_title(self, word: str, name: str) -> str:
        """The same in English."""
        return self._names.get(f"{word} {name}", "")

    def message(self, english: str) -> str:
        """A wording of the set in the sheet's language, where it has that."""
        return self._messages.texts.get(english, english)

    def _in_language(self, part: str, key: str, english: str) -> str:
        """A wording by its English; if it is missing, the English, which is then listed."""
        translated = self._messages.texts.get(english)
        return self.catalogue.lacks(part, key, english) if translated is None else translated

    @cached_property
    def _titles(self) -> Mapping[tuple[str, str], str]:
        titles: dict[tuple[str, str], str] = {}
        for domain in self.compiled.model.world.domains.values():
            for name, title in zip(domain.members, domain.titles, strict=True):
                titles[domain.name, name] = title
                known = titles.setdefault(("", name), title)
                if known != title:
                    titles["", name] = plain(name)
        return titles

    # -- expressions

    def source_text(self, e: x.Expr) -> str:
        """The source text of an expression, for the author who must word it; never for a sheet."""
        return self.texts.condition(e)

    def plain_words(self, e: x.Expr | i.DateSpan | x.Predicate) -> str:
        """An expression in plain words; empty if it has none."""
        try:
            return self.expression_text(e)
        except Unsayable:
            return ""

    def expression_text(self, e: x.Expr | i.DateSpan | x.Predicate) -> str:
        """An expression in plain words.

        Raises:
            Unsayable: It has none.
        """
        words, text = self.catalogue, self.expression_text
        match e:
            case x.Outside() | x.ExprPredicate():
                return text(e.value)
            case x.Logic():
                return words(e.op, text(e.left), text(e.right))
            case x.Not():
                return words("not", text(e.value))
            case x.Compare() | x.Binary():
                return f"{text(e.left)} {SIGNS[e.op]} {text(e.right)}"
            case x.Is():
                return words("is-not" if e.negated else "is", text(e.subject), text(e.predicate))
            case x.NamePredicate() if not e.arguments:
                return self.name(e.name.text)
            case x.NonePredicate() | x.NoneLiteral():
                return words("none")
            case x.EmptyPredicate():
                return words("empty")
            case x.AtPredicate():
                return words("at", text(e.place))
            case x.WithinPredicate():
                way = self.name(e.relation.text)
                return words("within-of", text(e.within), text(e.goal), way)
            case x.FlagPredicate() | x.FlagLiteral():
                return words("yes" if e.value else "no")
            case x.Reference():
                if len(e.name.text) < LETTERS and e.name.text not in self.compiled.names.defines:
                    raise Unsayable
                return self.name(e.name.text)
            case x.Call() if not e.arguments:
                return self.name(e.name.text.partition("'")[0])
            case x.Its():
                return words("its", self.name(e.name.text))
            case x.Integer():
                return str(e.value)
            case x.TextLiteral():
                return e.text
            case x.Negative():
                return f"−{text(e.value)}"
            case x.SetLiteral():
                return ", ".join(map(text, e.items))
            case x.In():
                return words("not-in" if e.negated else "in", text(e.value), text(e.members))
            case x.Range():
                return "–".join(text(end) if end else "" for end in (e.low, e.high))
            case x.During() | i.DateSpan():
                return self.stretch(e.first, e.last)
            case (
                x.NamePredicate() | x.Date() | x.RatioLiteral() | x.It() | x.Unmodified() | x.Coalesce()
                | x.Conditional() | x.Divide() | x.PlacedAt() | x.Count() | x.Aggregate() | x.Where()
                | x.With() | x.LinkedTo() | x.CheapestWay() | x.Quantified() | x.Call() | x.Field()
            ):  # fmt: skip
                raise Unsayable

    def stretch(self, first: int | None, last: int | None) -> str:
        """A stretch of months."""
        month = self.catalogue.month
        if first is not None and last is not None:
            return month(first) if first == last else f"{month(first)} – {month(last)}"
        if first is not None:
            return self.catalogue("since", month(first))
        return self.catalogue("until", month(last)) if last is not None else ""


def _below(id_: str, wanted: str) -> bool:
    """True if a number is below another: 7.42 and 7.424 below 7.4, 18.2 below 18, 10.2-A below 10.2."""
    if not id_.startswith(wanted):
        return False
    rest = id_[len(wanted) :]
    return rest.startswith((".", "-")) or ("." in wanted and rest[:1].isdigit())


def _capital(words: str) -> str:
    """Words with a capital; a name put together of several in capitals is parted: `AirUnit`."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", words)
    if parted != words:
        parted = parted[:1] + parted[1:].lower()
    return parted[:1].upper() + parted[1:]
