"""Sets of full size compile: a benchmark with a mistake in it would measure nothing."""

from __future__ import annotations

from pathlib import Path

from benchmarks.large import owners_map
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report


def test_an_owners_map_of_full_size_replaces_the_sampler(tmp_path: Path) -> None:
    """3,000 hexes and 500 pieces, without a finding."""
    for path, text in owners_map(3_000).items():
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    report = Report()
    program = compile_rule_set(tmp_path, report).program

    assert [] == list(report)
    assert (3_000, 500) == tuple(len(program.by_name.domains[sort].members) for sort in ("space", "piece"))
    assert {"Unit": "owner/o.yaml", "Hex": "owner/o.yaml"} == program.data
