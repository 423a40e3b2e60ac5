"""A sheet for a scenario, or for a month, holds what can come about there and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir.walk import statements
from rulekit.reports.sheet.content.build import Request, month
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import (
    Counters,
    Modifiers,
    Norms,
    Outline,
    Roster,
    Sheet,
    TableBlock,
)
from rulekit.reports.sheet.model.serial import numbers_in
from rulekit.reports.sheet.reachability import expressions
from rulekit.reports.sheet.reachability.applies import EVERYTHING, applies
from rulekit.reports.sheet.render.markdown import markdown
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.support.build import SIMULATION
from tests.sheet.helpers import block, compiled, folder, made, plain, sheet
from tests.unit.cli.running import rulekit

RULES = """
enum Side: Red, Blue
enum Weather: clear, fog
calendar today from Jan 1942 to Dec 1943: now
space Place:
    members Harbour, Sea
piece Ship from "data/ships.yaml":
    side: Side
    guns: 0..9
    start(year: 42..43): Place or none = none
state year: 42..43 = 42
state now: month
state weather: Weather
state rain: 0..9
roll shot(side): d6                                   [2.1]
modifier haze on roll shot: -1 when weather is fog    [2.2]
modifier late on roll shot: +1                        [2.3]
    from Jan 1943
table effect(year: 42..43, roll: -1..7) -> 0..3:      [2.4]
    | year | roll | hits |
    | 42   | ..4  | 0    |                            [2.5]
    | 42   | 5..  | 1    |                            [2.5]
    | 43   | ..3  | 0    |                            [2.6]
    | 43   | 4..  | 2    |                            [2.6]
choice aim(side) by side:                             [2.7]
    pick one ship from Ship where its side is not side
    forbid hidden: weather is fog                     [2.8]
    forbid own: ship.side is side                     [2.9]
procedure set_up(wanted: 42..43):                     [1.1]
    set year to wanted
    for each s in Ship:
        let spot = s.start(wanted)
        when spot is not none: move s to spot
scenario early "The early war":                       [1.2]
    do set_up(42)
scenario late_war "The late war, in fog":             [1.3]
    set weather to fog
    set now to Mar 1943
    do set_up(43)
define shells -> 0..3:
    when year = 42: 1                                 [2.10]
    when year = 43: 0                                 [2.11]
    otherwise: 0
procedure fire(side):                                 [1.5]
    roll shot(side) as die
    add effect(year, die) + shells to rain
procedure sweep:                                      [1.6]
    set rain to 0
sequence play:                                        [1]
    repeat 2 times:
        phase turn "The turn":                        [1.4]
            step firing "Fire" for each side in Side, Red first: do fire(side) [1.5]
            when year = 43:
                step sweeping "Sweep": do sweep       [1.6]
            when weather is clear:
                step aiming "Aim" for each side in Side:
                    choose aim(side)
"""
PRINTED = "id\tkind\tsummary\n" + "".join(
    f"T.{number}\tprocedure\t{said}\n"
    for number, said in {
        "1": "A turn is this", "1.1": "How a year is set up", "1.2": "The early war", "1.3": "The late war",
        "1.4": "The turn", "1.5": "Red fires, then Blue", "1.6": "In 1943 mines are swept",
        "2.1": "Roll one die", "2.2": "Fog takes one off", "2.3": "In 1943 add one", "2.4": "Hits",
        "2.5": "The early guns", "2.6": "The late guns", "2.7": "Name a target",
        "2.8": "In fog nobody is seen", "2.9": "Not your own",
        "2.10": "A shell more in 1942", "2.11": "None in 1943",
    }.items()
)  # fmt: skip
SHIPS = """
format: 1
source: {B: booklet}
populations:
  Ship:
    source: B
    confidence: printed
    columns: [name, side, guns, start]
    rows:
      - [Ajax, Red, 3, {42: Harbour}]
      - [Bold, Blue, 4, {42: Sea, 43: Harbour}]
      - [Comet, Red, 5, {43: Sea}]
"""
WISHES = """
format: 1
parts:
  - title: All
    blocks:
      - sequence: ["1"]
      - modifiers
      - {table: effect}
      - choices
      - {roster: [Ship], by: start, factors: [guns]}
      - {rules: ["1", "2"], title: Rules}
"""


@pytest.fixture
def war(tmp_path: Path) -> Path:
    """A rule set with two scenarios that have little in common."""
    files = {"data_in_ships__yaml": SHIPS.lstrip(), "sheet__yaml": WISHES.lstrip()}
    return folder(tmp_path / "war", RULES, PRINTED, **files)


def titles(found: Sheet, kind: type) -> list[str]:
    """The titles of the blocks of a kind."""
    return [b.head.title for b in found.blocks if isinstance(b, kind)]


def test_without_a_scenario_everything_is_there(war: Path) -> None:
    """Nothing is worked out where nothing is asked for."""
    assert EVERYTHING is applies(compile_rule_set(war, Report()), "", None)
    found = made(war)
    effect = block(found, "table:effect")
    assert isinstance(effect, TableBlock) and 4 == len(effect.rows)


@pytest.mark.parametrize(
    ("scenario", "rows", "modifiers", "ships", "steps"),
    [
        ("early", ["42", "42"], [], {"Ajax", "Bold"}, {"1.1", "1.2", "1.4", "1.5", ""}),
        ("late_war", ["43", "43"], ["−1", "+1"], {"Bold", "Comet"}, {"1.1", "1.3", "1.4", "1.5", "1.6"}),
    ],
)
def test_only_what_applies(
    war: Path, scenario: str, rows: list[str], modifiers: list[str], ships: set[str], steps: set[str]
) -> None:
    """Rows, modifiers, pieces and steps of a scenario are those that can come about in it."""
    found = made(war, request=Request(scenario=scenario))
    effect = block(found, "table:effect")
    assert isinstance(effect, TableBlock)
    assert rows == [plain(row.cells[0]) for row in effect.rows]
    lines = [
        line for b in found.blocks if isinstance(b, Modifiers) for roll in b.rolls for line in roll.lines
    ]
    assert modifiers == [plain(line.title) for line in lines]
    roster = next(b for b in found.blocks if isinstance(b, Roster))
    named = {plain(n.text) for _, stands in roster.rows for s in stands for p in s.pieces for n in p.names}
    assert ships == named
    outline = next(b for b in found.blocks if isinstance(b, Outline))
    assert steps == {line.number for group in outline.groups for line in group.lines}


def test_a_choice_that_is_never_asked(war: Path) -> None:
    """Its limits are left out; so is a norm that can never matter."""
    early = made(war, request=Request(scenario="early"))
    (norms,) = [b for b in early.blocks if isinstance(b, Norms)]
    said = {line.number for g in norms.groups for line in g.lines} | {
        number for g in norms.groups for line in g.lines for number in line.see
    }
    assert "2.8" not in said
    assert [] == titles(made(war, request=Request(scenario="late_war")), Norms)


def test_printed_rules_that_cannot_come_about(war: Path) -> None:
    """A printed rule that is cited only where nothing comes about is not printed."""
    late = block(made(war, request=Request(scenario="late_war")), "rules:1")
    early = block(made(war, request=Request(scenario="early")), "rules:1")
    numbers = [{line.number for line in b.lines} for b in (early, late)]  # type: ignore[union-attr]
    late_ones, early_ones = {"1.6", "2.6", "2.11"}, {"2.5", "2.7", "2.10"}
    assert late_ones & numbers[0] == set() and late_ones <= numbers[1]
    assert early_ones <= numbers[0] and early_ones & numbers[1] == set()


def test_the_foot_names_scenario_and_month(war: Path) -> None:
    """Two printouts are compared by it."""
    found = made(war, request=Request(scenario="late-war"))
    assert "Scenario: The late war, in fog · Mar 1943" == found.foot.remark


def test_a_month(war: Path) -> None:
    """In a month what is bound to others is left out, in all scenarios."""
    found = applies(compile_rule_set(war, Report()), "", month("Jun 1942"))
    assert "2.3" in found.rules and "2.2" not in found.rules
    assert found.pieces is None


@pytest.mark.parametrize(
    ("wanted", "said"), [(("--scenario", "early"), "`early`"), (("--date", "Jun 1943"), "`Jun 1943`")]
)
def test_the_command_says_when_it_leaves_nothing_out(
    war: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: tuple[str, str], said: str
) -> None:
    """Rules too large to follow are printed whole; an ordinary sheet comes without a word."""
    output = str(tmp_path / "war.md")
    assert (0, "") == ((quiet := rulekit("sheet", str(war), "-o", output, *wanted)).code, quiet.err)

    monkeypatch.setattr(expressions, "FUEL", 10)
    spent = rulekit("sheet", str(war), "-o", output, *wanted)

    assert (0, 1) == (spent.code, spent.err.count("\n"))
    assert f"the sheet for {said} keeps every line" in spent.err and "reached its limit" in spent.err
    assert EVERYTHING == replace(applies(compile_rule_set(war, Report()), "early", None), undecided=False)


def test_picture_in_words(war: Path, golden: Callable[[str, str], None]) -> None:
    """The whole sheet of one scenario, as Markdown."""
    (text,) = markdown(made(war, request=Request(scenario="late_war")), Setup())
    golden("sheet/scenario.md", text.decode())


GAMES = [
    (name, options, scenario.name)
    for name, options in (("vitp", ()), ("vitp", ("kamikaze", "task-forces")), ("fcn", ()))
    for scenario in compiled(name, options).program.scenarios
] + [
    ("pacwar", (), "surface-action"),
    ("pacwar", (), "two-months"),
    ("atp", (), "remember_pearl_harbor"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "scenario"), GAMES)
def test_games_come_to_nothing_that_is_left_out(name: str, options: tuple[str, ...], scenario: str) -> None:
    """Whatever happens in whole games, and every piece that comes onto the board, is taken to apply."""
    rules = compiled(name, options)
    program, found = rules.program, applies(rules, scenario, None)
    assert not found.undecided
    written = {s.site for procedure in program.procedures for s in statements(procedure.body)}
    pieces = next(d.members for d in program.domains if d.name == "piece")
    for seed in range(3):
        policy, build = RandomPolicy(program, seed), replace(SIMULATION, coverage=True)
        played = run_direct(program, scenario, policy, seed, build=build)
        ran = (program.sites[site] for site in played.covered & written)
        assert set() == {(s.file, s.line, s.column) for s in ran} & found.gone
        from rulekit.runtime.support.layout import Layout

        slots = Layout(program).slots["place"]
        placed = {pieces[keys[0]].replace("_", " ") for keys, at in slots.each() if played.cells[at] >= 0}
        assert found.pieces is not None and placed <= found.pieces


def test_counters_are_those_of_the_scenario() -> None:
    """The ships of 1945 have no figures of 1942, and a note: theirs are made up. Each year has its title."""
    late = sheet("fcn", request=Request(scenario="1945"))
    early = sheet("fcn", request=Request(scenario="1942"))
    titles = [[b.head.title for b in made.blocks if isinstance(b, Counters)] for made in (late, early)]
    assert {"Ships of 1945", "Land-based aircraft of 1945"} <= {*titles[0]}
    assert {"Ships of 1942", "Land-based aircraft of 1942"} <= {*titles[1]}
    ships = block(late, "counters:Ship")
    assert isinstance(ships, Counters)
    assert all(c.front and not c.soft for _, counters, _ in ships.groups for c in counters)
    notes = [plain(note.text) for note in ships.head.notes]
    assert "made up, until your own copy is laid over" == notes[0]


def test_set_up_is_over_in_a_later_month() -> None:
    """A sheet for June 1943 has no set-up and nothing of the first turn; one for December 1941 has both."""
    later = sheet("vitp", request=Request(date=month("Jun 1943")))
    first = sheet("vitp", request=Request(date=month("Dec 1941")))
    outline = block(later, "sequence")
    assert isinstance(outline, Outline)
    assert "" == outline.instead and not any(line.instead for line in outline.lines)
    numbers = {number for each in later.blocks for number in numbers_in(each)}
    assert set() == {number for number in numbers if number.startswith(("18", "4.2", "4.3"))}
    assert "Set-up and turn 1" not in [part.title for part in later.parts]
    assert {"At the start", "Turn 1, first: Pearl Harbor"} <= {each.head.title for each in first.blocks}
