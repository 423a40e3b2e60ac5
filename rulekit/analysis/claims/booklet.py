"""The booklet of a rule set, as its lists of printed rules and its errata have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rulekit.analysis.claims.words import source_text
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics.conflict import PlayedReading, PrintedStatement, citation
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Cite

NO_WORDS: Final[Mapping[str, str]] = {}


class Booklet:
    """Printed rules by their numbers, and the words of errata for them."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._listed = {self.bare(rule.id): rule for printed in compiled.printed for rule in printed.rules}

    def is_heading(self, rule: str) -> bool:
        """Return whether a listed rule only heads others."""
        listed = self._listed.get(rule)
        return listed is not None and listed.kind == "heading"

    def bare(self, rule: str) -> str:
        """Return a printed rule as citations give it: without the set's prefix."""
        return rule.removeprefix(f"{self._compiled.rule_set.manifest.prefix}.")

    def has(self, rule: str) -> bool:
        """Return whether a rule is in the lists; true if there are none."""
        return not self._listed or self.bare(rule) in self._listed

    def statements(
        self, rules: Iterable[str], words: Mapping[str, str] = NO_WORDS
    ) -> tuple[PrintedStatement, ...]:
        """Return some printed rules as statements; `words`: their text on the point at issue."""
        return tuple(self._statement(self.bare(rule), words) for rule in rules)

    def _statement(self, rule: str, words: Mapping[str, str]) -> PrintedStatement:
        listed = self._listed.get(rule)
        summary, extra = (listed.summary, listed.extra) if listed else ("", {})
        section, page = extra.get("section", ""), extra.get("page", "")
        return PrintedStatement(rule, section, page, summary, words.get(rule, ""))

    def cite(self, rules: Iterable[str]) -> str:
        """Return the numbers of printed rules with their sections: `Guns [guns.3, guns.5]`."""
        return citation(self.statements(rules))

    # -- errata

    def printed_words(self, errata: i.Errata) -> Mapping[str, str]:
        """The words of an errata entry for printed rules; a line for several rules counts for the first."""
        words: dict[str, list[str]] = {}
        for reading, cite in errata.printed:
            ids = self._ids(errata, cite)
            words.setdefault(ids[0] if ids else "", []).append(self._text(reading))
        return {rule: "; ".join(texts) for rule, texts in words.items()}

    def reading_of(self, errata: i.Errata) -> PlayedReading:
        """The reading that an errata entry declares as played."""
        text = "; ".join(self._text(reading) for reading, _ in errata.play)
        rules = dict.fromkeys(rule for _, cite in errata.play for rule in self._ids(errata, cite))
        return PlayedReading(errata.name.text, text, tuple(rules), errata.by.replace("_", " "), errata.reason)

    def _text(self, reading: x.Expr | str) -> str:
        return reading if isinstance(reading, str) else f"`{source_text(self._compiled, reading.span)}`"

    def _ids(self, errata: i.Errata, cite: Cite | None) -> tuple[str, ...]:
        """The rules of a reading; one without a citation has those of its entry."""
        cited = cite or errata.cite
        return cited.ids if cited is not None else ()
