"""The probes: hard passages of printed games, each a rule set of its own whose examples must hold.

A probe is played without options, and with each preset its manifest names; with a preset only the examples
that stand in files of options are run, since those of the base may well be false under an option.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulekit import ir
from rulekit.analysis.compile import compile_without_clashes
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report, Severity
from rulekit.ruleset import read_manifest
from tests.language.running import failures

HERE = Path(__file__).parent
PROBES = sorted(path.parent for path in HERE.glob("*/ruleset.yaml"))
FEWEST_EXAMPLES = 3


def presets(folder: Path) -> dict[str, tuple[str, ...]]:
    """The sets of options a probe is played with, by name; the base has none."""
    manifest = read_manifest(folder, Report())
    assert manifest is not None
    return {"base": (), **{name: tuple(options) for name, options in manifest.presets.items()}}


CASES = [(folder, name, options) for folder in PROBES for name, options in presets(folder).items()]


def compiled(folder: Path, options: tuple[str, ...]) -> Compiled:
    """A probe compiled; nothing may be found but notes."""
    report = Report()
    made = compile_without_clashes(folder, report, options=options)

    assert [] == [found for found in report if found.kind.severity is not Severity.NOTE]
    return made


def in_option(program: ir.Program, example: ir.Example) -> bool:
    """Whether an example stands in a file of options."""
    return "options" in Path(program.sites[example.site].file).parts


@pytest.mark.parametrize(
    ("folder", "name", "options"), CASES, ids=[f"{folder.name}-{name}" for folder, name, _ in CASES]
)
def test_examples_hold(folder: Path, name: str, options: tuple[str, ...]) -> None:
    """A probe's examples hold: those of the base without options, those of options with them."""
    program = compiled(folder, options).program
    own = tuple(each for each in program.examples if in_option(program, each) == bool(options))

    assert own, f"nothing is shown with {name}"
    assert [] == failures(replace(program, examples=own))


@pytest.mark.parametrize("folder", PROBES, ids=lambda folder: folder.name)
def test_probe_shows_enough(folder: Path) -> None:
    """A probe has an ordinary case, an exception and an edge, and every example cites what it shows."""
    examples = [
        (compiled(folder, options).program, each)
        for options in presets(folder).values()
        for each in compiled(folder, options).program.examples
    ]

    assert len({each.name for _, each in examples}) >= FEWEST_EXAMPLES
    assert [] == [each.name for program, each in examples if not program.sites[each.site].rules]


def test_every_passage_has_a_probe() -> None:
    """Passages are numbered from 1 to 46; the first two share a probe."""
    numbers = {int(folder.name.split("-")[0]) for folder in PROBES}

    assert set(range(1, 47)) - {2} == numbers
