"""A set with options, compiled with what is known of the set as it stands, is what it is without that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulekit import ir
from rulekit.analysis.compile import compile_without_clashes
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import run_lints
from rulekit.analysis.prove.answer_cache import answer_table
from rulekit.base.results import ResultTable
from rulekit.compiler.driver import Compiled
from rulekit.compiler.incremental import BaseModel, Recorded, Workspace
from rulekit.compiler.trace import InputMapping, OutputMapping
from rulekit.compiler.typecheck import Checker
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.diagnostics import Diagnostic, Report, RulesError
from rulekit.ruleset import read_manifest
from tests.unit.analysis.check.edits import several
from tests.unit.cli.running import ROOT

VITP = ROOT / "rules" / "vitp"
SLOW = [pytest.param(folder, marks=pytest.mark.slow) for folder in (VITP, ROOT / "rules" / "pacwar")]
GAMES = [ROOT / "tests" / "sets" / "harbour", *SLOW]
NAMED = ("domains", "kinds", "statics", "states", "functions", "points", "choices", "procedures", "modifiers")
MOST_ALONE = 30
Told = tuple[list[Diagnostic], dict[str, Any]]


def told(folder: Path, options: Iterable[str], workspace: Workspace) -> Told:
    """What is found, and the program, whatever numbers its sites have, and in whatever order it stands."""
    report = Report()
    try:
        compiled = compile_without_clashes(folder, report, options=options, workspace=workspace)
    except RulesError:
        return list(report), {}
    return [*report, *run_lints(Inspection(compiled, offered=True))], plain(compiled)


def plain(compiled: Compiled) -> dict[str, Any]:
    """The named parts of a program, with their sites instead of numbers."""
    program = compiled.program

    def made(value: Any) -> Any:
        if is_dataclass(value):
            return type(value).__name__, *(placed(value, each.name) for each in fields(value))
        return tuple(map(made, value)) if isinstance(value, tuple) else value

    def placed(record: Any, name: str) -> Any:
        value = getattr(record, name)
        if name in ("site", "verb_site"):
            return program.sites[value]
        if isinstance(record, ir.Modifier) and name == "clauses":
            return [program.sites[each] for each in value]
        return made(value)

    found = {f"{sort} {each.name}": made(each) for sort in NAMED for each in getattr(program, sort)}
    found["conditions"] = sorted(map(repr, compiled.model.conditions))
    found["tables"] = {name: made(each) for name, each in compiled.model.tables.items()}
    cited = [site for site in program.sites if site.rules]
    return found | {"cited": sorted(map(repr, cited)), "invariants": made(program.invariants)}


def options_of(folder: Path) -> list[str]:
    """Those of the manifest."""
    manifest = read_manifest(folder, Report())
    assert manifest is not None
    return [option.name for option in manifest.options]


def with_before(folder: Path, answers: ResultTable[Any] | None = None) -> Workspace:
    """What a compile of the set as it stands leaves."""
    workspace = Workspace(answers)
    workspace.base_model = BaseModel(workspace.trees)
    compile_without_clashes(folder, Report(), workspace=workspace)
    return workspace


def compare(folder: Path, groups: Iterable[Iterable[str]]) -> int:
    """Each group of options, compiled in both ways; how many have a program.

    What is proved of the one program serves the other: the prover goes by what it reads.
    """
    answers = answer_table()
    known, anew = with_before(folder, answers), Workspace(answers)
    sound = 0
    for group in groups:
        made = told(folder, group, anew)
        assert made == told(folder, group, known), group
        sound += bool(made[1])
    return sound


@pytest.mark.parametrize("folder", GAMES)
def test_each_option_of_a_game(folder: Path) -> None:
    """Alone (of many by lot), some by lot together, and all, as far as they can be chosen."""
    names, draw = options_of(folder), Random(0)

    alone = draw.sample(names, min(MOST_ALONE, len(names)))
    some = [draw.sample(names, min(3, len(names))) for _ in range(4)]
    compare(folder, [*([name] for name in alone), *some, names])


def test_options_of_all_sorts(tmp_path: Path) -> None:
    """Those that widen, borrow, shadow a name, change a modifier, or break something."""
    folder = several(tmp_path / "set")
    more = {
        "shadow": "define turn_now -> 0..9: 3\nstate S1: flag\n",
        "taken": "define luck -> 0..9: 1\n",
        "by_type": "    widen value of define luck to 0..20\n",
        "modified": "    remove modifier modifier_0\n",
        "another": "modifier lucky on define luck: +1 when turn > 2 [4.9]\n",
        "wrong": "    redefine define luck: no_such_name\n",
        "warned": "    redefine define luck: 3 when 1 = 2 otherwise 4\n",
        "eventful": "event late: as soon as turn > 7:\n    set turn to 7\n",
        "member": "    add to piece Ship:\n        members Ship_99\n",
    }
    for name, text in more.items():
        head = f"option {name}:\n" if text.startswith(" ") else ""
        (folder / "options" / f"{name}.rules").write_text(head + text)
    manifest = folder / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace("options: [", f"options: [{', '.join(more)}, "))

    names = options_of(folder)
    groups = [*([name] for name in names), *([name, "field"] for name in names if name != "field"), names]
    assert len(names) < compare(folder, groups)


def test_little_is_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an option cannot reach is taken over."""
    workspace, reached = with_before(VITP), dict[str, int]()
    affected = Recorded.affected_units
    monkeypatch.setattr(
        Recorded,
        "affected_units",
        lambda self, now: (units := affected(self, now), reached.update({name: len(units)}))[0],
    )

    for name in options_of(VITP):
        compile_without_clashes(VITP, Report(), options=[name], workspace=workspace)

    assert workspace.base_model is not None and workspace.base_model._typed is not None
    assert sum(reached.values()) < len(workspace.base_model._typed.units) * len(reached) / 5


def attributes(part: object) -> dict[str, Any]:
    """What an object keeps, in slots or not."""
    slots = getattr(part, "__slots__", None)
    return vars(part) if slots is None else {name: getattr(part, name) for name in slots}


def parts_of(checker: object) -> dict[str, Any]:
    """All that the parts of a checker keep, by class and name."""
    kept: dict[str, Any] = {}
    seen, waiting = [checker], [checker]
    while waiting:
        part = waiting.pop()
        for name, value in attributes(part).items():
            if not type(value).__name__.endswith("Checker"):
                kept[f"{type(part).__name__}.{name}"] = value
            elif all(value is not other for other in seen):
                seen.append(value)
                waiting.append(value)
    return kept


def test_units_share_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of a checker keep recorded mappings, data of one unit, or of claims, which are no units."""
    checkers: list[Checker] = []
    model = Checker.model
    monkeypatch.setattr(Checker, "model", lambda self: (model(self), checkers.append(self))[0])

    with_before(VITP)

    kept = parts_of(checkers[0])
    recorded = {name for name, value in kept.items() if isinstance(value, InputMapping)}
    common = {name for name in kept if name.endswith(".ctx")}
    own = {"StateChecker._cells", "ClaimChecker._steps"}
    assert {"ExternChecker.owner", "TableChecker._covered"} == recorded
    assert recorded | common | own == set(kept)
    assert all(isinstance(value, OutputMapping) for value in vars(checkers[0].ctx.results).values())
    shared = {"world", "names", "modifiers_on", "results", "reader", "findings"}
    left = {"sites", "live_sites", "modifiers", "conditions", "calls", "in_progress", "makers"}
    order = {"chains", "deep_from"}  # which of several definitions is checked first
    unsound = {"settled"}  # findings: a unit with any is run again
    counts = {"table_entries", "constants"}  # against bounds that a base whose units are repeated has kept
    assert {part.name for part in fields(CheckContext)} == shared | left | order | unsound | counts | {
        "prefix",
        "sides",
        "units",
    }
