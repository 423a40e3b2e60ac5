"""The texts of a rule set that its program does not have, for those who play it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report
from rulekit.reports.options import Choosable, catalogue
from rulekit.reports.sheet.model.document import SheetError
from rulekit.reports.sheet.model.messages import languages, speech
from rulekit.runtime.support.wording import Speech
from rulekit.syntax.parse.comments import without_citation


class SetBackground:
    """The background of a compiled rule set; see `rulekit.runtime.play.background.Background`."""

    def __init__(self, compiled: Compiled) -> None:
        self._rule_set, self._lists = compiled.rule_set, compiled.printed
        self._spoken: dict[str, Speech] = {}

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """Authors, licence, and the options and presets that there are."""
        manifest = self._rule_set.manifest
        known = catalogue(self._rule_set.folder, Report())
        return {
            "id": manifest.id,
            "authors": list(manifest.authors),
            "licence": manifest.licence,
            "about": manifest.about,
            "available": [_option(option) for option in known.options],
            "presets": {name: list(options) for name, options in known.presets.items()},
        }

    @property
    def prefix(self) -> str:
        """The part of printed rules' ids that is the set's own."""
        return self._rule_set.manifest.prefix

    @cached_property
    def printed(self) -> Mapping[str, Mapping[str, str]]:
        """The printed rules, by id."""
        rules = (rule for listed in self._lists for rule in listed.rules)
        return {rule.id: {"kind": rule.kind, "summary": rule.summary} for rule in rules}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """English, the languages of rulekit's own words, and those of the set's message files."""
        return languages(self._rule_set.folder)

    def speech(self, language: str) -> Speech:
        """The words of a language.

        Raises:
            ValueError: There is no such language.
            RulesError: The set's message file has faults.
        """
        if language not in self._spoken:
            try:
                self._spoken[language] = speech(language, self._rule_set.folder)
            except SheetError as unknown:
                raise ValueError(str(unknown)) from unknown
        return self._spoken[language]

    @cached_property
    def _sources(self) -> Mapping[str, Any]:
        return {source.file: source for source in self._rule_set.sources}

    def text_at(self, file: str, line: int, column: int) -> str:
        """The text of a line of the rules from a column on, without citations."""
        return without_citation(self._sources[file].line(line)[column - 1 :])


def _option(option: Choosable) -> dict[str, Any]:
    """An option as JSON; relations are lists of other options' ids."""
    return {
        "id": option.id,
        "title": option.title,
        "author": option.author,
        "status": option.status,
        "reason": option.reason,
        "favours": option.favours,
        "reading_of": option.reading_of,
        "needs": list(option.needs),
        "excludes": list(option.excludes),
        "over": list(option.over),
        "with": list(option.beside),
        "force": list(option.force),
        "rules": list(option.numbers),
    }
