"""Facts that nobody vouches for: reconstructed, missing, or of unsaid confidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.diagnostics import Diagnostic
from rulekit.ruleset import DataFile, on_trust

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """A note for each population and table, with its counts by column."""
    compiled = rules.compiled
    for file in compiled.data.files.values():
        if file is not None:
            yield from compiled.workspace.trees.of(
                "trust", file, lambda file: tuple(on_trust((_real(file),)))
            )


def _real(file: DataFile) -> DataFile:
    """The file without its samplers, which have a note of their own."""
    populations = {name: part for name, part in file.populations.items() if not part.sampler}
    tables = {name: part for name, part in file.tables.items() if not part.sampler}
    whole = populations.keys() == file.populations.keys() and tables.keys() == file.tables.keys()
    return file if whole else replace(file, populations=populations, tables=tables)
