"""Lookup of errata entries in a rule set and its options, for `rulekit show errata` and `rulekit explain`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.compiler.driver import Compiled
    from rulekit.reports.show.errata import ErrataEntry


class ErrataLookup:
    """The errata of a rule set; without chosen options, also those of its options."""

    def __init__(self, rules: shared.ChosenRules, compiled: Compiled) -> None:
        self._rules, self._compiled = rules, compiled

    @cached_property
    def names(self) -> Collection[str]:
        """The names of all entries; reads the files of options."""
        from rulekit.reports.show.errata import errata_names

        return errata_names(self._compiled)

    def entries(self, name: str = "") -> Sequence[ErrataEntry]:
        """All entries, or the one of a name; compiles the rule set with the options that they belong to."""
        from rulekit.reports.show.errata import compilations, entries

        def compile_with(options: Collection[str]) -> Compiled:
            return replace(self._rules, options=tuple(options)).compile()

        return entries(compilations(self._compiled, compile_with), name)

    def lines(self, name: str) -> Sequence[str]:
        """One entry as text; none if there is no such entry."""
        from rulekit.reports.show.errata import plain

        if name not in self.names:
            return ()
        (entry,) = self.entries(name)
        return plain(entry, str(self._rules.folder), self._rules.name).splitlines()
