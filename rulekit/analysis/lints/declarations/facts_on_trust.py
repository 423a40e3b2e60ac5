"""Facts that nobody vouches for: reconstructed, missing, or of unsaid confidence."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.diagnostics import Diagnostic
from rulekit.ruleset import on_trust

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """A note for each population and table, with its counts by column."""
    compiled = rules.compiled
    for file in compiled.data.files.values():
        if file is not None:
            yield from compiled.workspace.trees.of("trust", file, lambda file: tuple(on_trust((file,))))
