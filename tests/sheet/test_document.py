"""What sheets say, before anything is laid out."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rulekit.base.resources import rules_folder
from rulekit.compiler.driver import compile_rule_set
from rulekit.compiler.options.combinations import RuleOptions
from rulekit.diagnostics import Report, RulesError, kinds
from rulekit.diagnostics.pages import find
from rulekit.reports.sheet.blocks.data import MemberRow, members
from rulekit.reports.sheet.content.build import Request, ids, look_over, sheet_and_gaps, sheet_of
from rulekit.reports.sheet.content.changes import Force
from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.content.moods import mood_of
from rulekit.reports.sheet.content.style import faults
from rulekit.reports.sheet.content.wording import SheetWords
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import (
    Area,
    Card,
    Counters,
    FormName,
    List,
    Map,
    Modifiers,
    Norms,
    Outline,
    Roster,
    Run,
    Sheet,
    SheetLine,
    TableBlock,
    Timeline,
)
from rulekit.reports.sheet.model.messages import Messages
from rulekit.reports.sheet.model.serial import numbers_in, schema_text, to_json
from rulekit.reports.sheet.model.stray_names import StrayNames
from rulekit.reports.sheet.render.html import html
from tests.sheet.helpers import SMALL, block, compiled, folder, lines_of, made, plain, sheet

SCHEMA = rules_folder().parent / "schemas" / "sheet.schema.json"


def test_schema_is_that_of_the_classes() -> None:
    """The file was made of the document's classes as they are."""
    assert schema_text() == SCHEMA.read_text(encoding="utf-8")


def test_sheets_are_as_the_schema_says() -> None:
    """Every set's sheet, full and on one page, as JSON."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for name in ("vitp", "pacwar"):
        data = json.loads(json.dumps(to_json(sheet(name))))
        jsonschema.validate(data, schema)


def test_small_set_without_wishes(tmp_path: Path) -> None:
    """Without `sheet.yaml` a set gets its sequence, table, modifiers and limits, with printed numbers."""
    found = made(folder(tmp_path))

    outline = block(found, "sequence")
    assert isinstance(outline, Outline)
    line = outline.groups[0].lines[0]
    assert ("1.2", "Fire", "Red fires, then Blue") == (line.number, plain(line.title), plain(line.text))
    assert line.who is not None and ("then", (0, 1)) == (line.who.joint, line.who.sides)
    assert ("shot",) == line.rolls
    table = block(found, "table:effect")
    assert isinstance(table, TableBlock)
    assert ["4 or less", "0", "0", "2.3"] == [plain(cell) for cell in table.rows[0].cells]
    modifiers = block(found, "modifiers")
    assert isinstance(modifiers, Modifiers)
    assert "Red adds one" == plain(modifiers.rolls[0].lines[0].text)
    norms = block(found, "norms")
    assert isinstance(norms, Norms)
    assert "Planes are no targets" == plain(norms.groups[0].limits[0].text)


def test_option_is_marked(tmp_path: Path) -> None:
    """What an option brings has a bar, its tag, and its own block with author and reason."""
    option = """
option armour "Thick plates" by Mst, change: [3]
    replace row 5.. of table effect:
        | 5.. | 1 | 1 | [3]
    reason "ships sink too fast"
modifier far on roll shot: -1 when side is Blue [3]
"""
    at = folder(tmp_path, printed="".join((PRINTED_3,)), options_in_armour__rules=option)
    found = made(at, ("armour",))

    modifiers = block(found, "modifiers")
    assert isinstance(modifiers, Modifiers)
    line = modifiers.rolls[0].lines[1]
    assert ("added", ("Mst",), ("3",)) == (line.status, line.by, line.see)
    listed = block(found, "option:armour")
    assert isinstance(listed, List)
    assert ("Thick plates", ("Mst",), "change") == (listed.head.title, listed.head.by, listed.head.remark)
    assert "ships sink too fast" in plain(listed.head.notes[0].text)
    table = block(found, "table:effect")
    assert isinstance(table, TableBlock)
    assert any(row.status and row.by == ("Mst",) for row in table.rows)
    assert found.foot.options


def test_name_of_two_enums(tmp_path: Path) -> None:
    """A member's title is its own: that of a namesake in another enum never stands for it."""
    rules = SMALL + 'enum Plan:\n    feint "Feint (2)"\n    dive\nenum Other: feint, rush\n'
    settings = "format: 1\nparts:\n  - title: All\n    blocks: [{counters: [Plan]}, {counters: [Other]}]\n"
    found = made(folder(tmp_path, rules, sheet__yaml=settings))
    names = {}
    for kind in ("Plan", "Other"):
        counters = block(found, f"counters:{kind}")
        assert isinstance(counters, Counters)
        names[kind] = [c.name for _, group, _ in counters.groups for c in group]
    assert {"Plan": ["Feint (2)", "Dive"], "Other": ["Feint", "Rush"]} == names


def test_card_of_a_roll(tmp_path: Path) -> None:
    """A card has the die, the modifiers, the table with odds for each sum of modifiers, and what follows."""
    settings = (
        "format: 1\nparts:\n  - title: All\n    blocks:\n"
        '      - {card: shot, table: effect, then: ["2.5"], title: A shot}\n'
    )
    card = block(made(folder(tmp_path, sheet__yaml=settings)), "card:shot")
    assert isinstance(card, Card) and card.table is not None
    assert ("A shot", "d6", "Red adds one") == (
        card.head.title,
        card.roll.dice,
        plain(card.roll.lines[0].text),
    )
    assert ["±0", "+1"] == [plain(column.title) for column in card.table.columns if column.kind == "odds"]
    assert [".333", ".500"] == [plain(cell) for cell in card.table.rows[-1].cells if cell[0].kind == "odds"]
    assert ["2.5"] == [line.number for line in card.follows]


def test_card_with_values_and_chances(tmp_path: Path) -> None:
    """A card has the modifiers of values as well; the die alone may give no odds, or those of each number."""
    rules = SMALL + "define power(side) -> 0..9: 4\nmodifier big on value power: +2 when side is Blue [2.2]\n"
    settings = "format: 1\nparts:\n  - title: All\n    blocks:\n      - {CARD}\n      - modifiers\n"

    def sheet_with(card: str) -> Sheet:
        return made(folder(tmp_path, rules, sheet__yaml=settings.replace("CARD", f"card: shot, {card}")))

    with_table = sheet_with("table: effect, odds: none, modifiers: [power]")
    card = block(with_table, "card:shot")
    assert isinstance(card, Card) and card.table is not None
    assert ["+1", "+2"] == [plain(line.title) for line in card.roll.lines]
    assert not any(column.kind == "odds" for column in card.table.columns)
    assert "modifiers" not in [b.head.id for b in with_table.blocks]

    for needs, chances in (("at most", [".167", ".833", "1"]), ("at least", ["1", ".333", ".167"])):
        found = sheet_with(f"needs: {needs}")
        strip = block(found, "chances:shot")
        assert isinstance(strip, TableBlock)
        cells = [plain(cell) for cell in strip.rows[0].cells]
        assert chances == [cells[1], cells[5], cells[6]]
        assert ["modifiers"] == [b.head.id for b in found.blocks if isinstance(b, Modifiers)]


def test_rules_of_a_kind_are_left_out(tmp_path: Path) -> None:
    """`kind NAME` selects all printed rules of that kind; lists leave out modifiers that a card has."""
    settings = "format: 1\nparts:\n  - title: All\n    blocks:\n      - {rules: ['2'], leave: [kind table]}\n"
    card = "      - {card: shot, table: effect}\n"

    def numbers(text: str) -> list[str]:
        found = block(made(folder(tmp_path, sheet__yaml=text)), "rules:2")
        assert isinstance(found, List)
        return [line.number for line in found.lines]

    assert ["2.1", "2.2", "2.5", "2.6"] == numbers(settings)
    assert ["2.1", "2.5", "2.6"] == numbers(settings + card)


def test_steps_of_a_procedure() -> None:
    """Each line has who acts, the rolls on its way, and a bar where it repeats; one alone is no box."""
    box = block(sheet("vitp"), "steps:8.1..8.3")
    assert isinstance(box, Outline)
    lines = {line.number: line for line in box.lines}

    assert "8.1 8.2 8.3 8.32 8.33 8.4 8.41 8.42 8.43 8.44 8.45".split() == list(lines)
    assert all(line.who is not None and line.text for line in box.lines)
    assert ("day or night", "attack", "damage") == lines["8.41"].rolls
    assert [0, 0, 1, 1] == [lines[number].depth for number in ("8.1", "8.33", "8.4", "8.45")]


def test_steps_know_their_loops(tmp_path: Path) -> None:
    """Without `repeat`, the loops of the rules say what repeats: the rounds of a combat, not its area."""
    at = tmp_path / "vitp"
    shutil.copytree(rules_folder() / "vitp", at)
    settings = "format: 1\nparts:\n  - title: All\n    blocks:\n      - {steps: ['=5.31', '5.32..5.35']}\n"
    (at / "sheet.yaml").write_text(settings, encoding="utf-8")
    box = block(made(at), "steps:=5.31")
    assert isinstance(box, Outline)

    assert {"5.31": False, "5.33": True, "5.35": True} == {
        line.number: line.depth > box.lines[0].depth
        for line in box.lines
        if line.number in ("5.31", "5.33", "5.35")
    }


def test_matrix_of_restrictions() -> None:
    """Cases by action: signs, few words and numbers in a cell; a dash where nothing is said."""
    table = block(sheet("vitp"), "matrix:Moves by nation")
    assert isinstance(table, TableBlock)
    rows = {plain(row.cells[0]): row.cells for row in table.rows}

    assert ["Case", "A second area", "A third area", "Return", "Arrival"] == [
        plain(c.title) for c in table.columns
    ]
    third = rows["US raiders"][2]
    assert [
        ("mood", "may"),
        ("text", " "),
        ("text", "with a speed roll"),
        ("text", " "),
        ("ref", "17.13"),
    ] == [(run.kind, run.text) for run in third]
    assert "–" == plain(rows["British raiders"][2])
    assert ["only", "only"] == [cell[0].text for cell in rows["British raiders"] if cell[0].kind == "mood"]


def rows_of(name: str, id_: str) -> list[list[str]]:
    """The cells of a table of a sheet, its headings first."""
    table = block(sheet(name), id_)
    assert isinstance(table, TableBlock)
    heads = [plain(column.title) for column in table.columns]
    return [heads, *([plain(cell) for cell in row.cells] for row in table.rows)]


def test_rows_that_repeat_the_last_are_left_out() -> None:
    """A row of several names that gives what the last row gives for everything else says nothing."""
    rows = rows_of("fcn", "table:plan_bonus")
    assert [
        ["Air Combat", "dogfight, bomb run", "3", "2"],
        ["Infantry Combat", "infantry", "3", "2"],
        ["Ship Combat", "naval guns", "3", "2"],
        ["Ship Combat", "AAA", "3", "2"],
        ["Submarine Warfare", "torpedo, depth charge", "4", "2"],
        ["Attack Plan", "–", "1", "0"],
        ["otherwise", "–", "0", "0"],
    ] == [row[:4] for row in rows[1:]]


def test_results_of_each_year_are_a_grid() -> None:
    """Where each value of one key has each result once, the results are rows and the values columns."""
    rows = rows_of("fcn", "table:evaluation")
    assert ["Level", "42", "43", "44", "45"] == rows[0]
    assert ["Historical", "5–6", "6–7", "9–11", "15–17"] == rows[3]
    assert 6 == len(rows)


def test_columns_that_say_nothing_are_left_out() -> None:
    """A key that never matters has no column, and a heading that all rows cite is above the table."""
    orders = rows_of("fcn", "table:orders")
    assert ["Roll", "Order", "Ships", "Troops", "Aircraft", "Chance", "See"] == orders[0]
    assert ["1–2", "Hold", "6", "2", "3", ".200", "Hold Order"] == orders[1]
    forces = block(sheet("fcn"), "table:new_japanese_forces")
    assert isinstance(forces, TableBlock)
    assert "ref" not in [column.kind for column in forces.columns]
    assert "Japanese Reinforces" in forces.head.see


def test_a_column_with_one_result_is_a_note(tmp_path: Path) -> None:
    """In a long table, with at least two columns left; a short table keeps it."""

    def shots(most: int) -> TableBlock:
        rules = f"""\
enum Range: near, middle, far
table shot_at(roll: 0..{most}, reach: Range) -> 0..9:
    | roll | near | middle | far |
"""
        rows = "".join(f"    | {n} | {n} | {n // 2} | 0 |\n" for n in range(most + 1))
        found = block(made(folder(tmp_path / str(most), SMALL + rules + rows)), "table:shot_at")
        assert isinstance(found, TableBlock)
        return found

    long, short = shots(9), shots(5)
    assert ["Roll", "Near", "Middle"] == [plain(column.title) for column in long.columns]
    assert ["9", "9", "4"] == [plain(cell) for cell in long.rows[-1].cells]
    assert ["Far: always 0"] == [plain(note.text) for note in long.head.notes]
    assert "Far" == plain(short.columns[3].title) and not short.head.notes


def test_an_empty_column_of_references_is_left_out() -> None:
    """Of tracks and of modifiers that cite no printed rule."""
    tracks = block(sheet("pacwar"), "tracks")
    assert isinstance(tracks, TableBlock)
    assert ["Track", "From", "To", "Begins"] == [plain(column.title) for column in tracks.columns]
    (page,) = html(sheet("pacwar"), Setup())
    heads = re.findall(rb'<table class="modifiers".*?</thead>', page, re.DOTALL)
    assert heads and all(b">See<" not in head for head in heads)


def test_phases_of_a_sequence_are_blocks() -> None:
    """With `apart`, each phase is a block with its letter, and no line of the short form is empty."""
    found = sheet("pacwar", (), Request(form="one-page"))
    outlines = [block for block in found.blocks if isinstance(block, Outline)]
    assert ["A Sequence of play", "B Income", "C Arrivals"] == [b.head.title for b in outlines[:3]]
    assert all(len(b.groups) == 1 and not b.groups[0].title for b in outlines)
    assert all(plain(line.title) for b in outlines for line in b.groups[0].lines)


def test_who_acts_where_either_decides() -> None:
    """In a box, a step in which one side may decide something and the other something else names both."""
    _, *lines = lines_of(sheet("atp"), "steps:12.2..12.2")
    assert all(line.who is not None and line.who.joint == "either" for line in lines)


@pytest.mark.parametrize("form", ["full", "one-page"])
def test_who_acts_in_every_step(form: FormName) -> None:
    """Also where nobody decides, a state alone changes, or a rule that no step comes to holds for both."""
    for name in ("vitp", "atp") if form == "one-page" else ("vitp", "atp", "fcn", "pacwar"):
        lines = lines_of(sheet(name, (), Request(form=form)), "sequence")
        assert [] == [line.number for line in lines if line.who is None]


def test_the_first_line_of_a_box_has_somebody_who_acts() -> None:
    """A rule that the sequence does not meet belongs to the one after it where there is none before."""
    first, second, *_ = lines_of(sheet("fcn"), "steps:battle-setup.23")
    assert first.who is not None and first.who == second.who


def test_a_step_in_which_only_options_act_is_left_out() -> None:
    """Ships at sea need nothing in the base; with the fleet train, their upkeep is a step."""
    plain_titles, others = (
        {plain(line.title) for line in lines_of(sheet("pacwar", options), "sequence")}
        for options in ((), ("house-fleet-train",))
    )
    assert "Ships at sea" in others - plain_titles


def test_who_acts_in_a_fight_of_whoever_meets() -> None:
    """In a box, a choice of a side that only play knows is a step of both."""
    lines = lines_of(sheet("atp"), "steps:12.12:2")
    assert "12.12" == lines[0].number and all(line.who for line in lines)
    assert {"either"} == {line.who.joint for line in lines if line.who is not None}


def test_sides_that_act_in_no_order_stand_in_one() -> None:
    """Whether a step begins with the one or the other, the key explains one mark for both."""
    lines = [
        line
        for block in sheet("atp").blocks
        if isinstance(block, Outline)
        for group in block.groups
        for line in group.lines
    ]
    unordered = [line.who.sides for line in lines if line.who and line.who.joint in ("either", "together")]
    assert {(0, 1)} == set(unordered)


def test_a_line_does_not_repeat_its_heading() -> None:
    """Where headings stand for numbers, the first line of each does not begin with it again."""
    plans = block(sheet("fcn"), "rules:plans-us")
    assert isinstance(plans, List)
    envelop = next(line for line in plans.lines if plain(line.title) == "Envelop (1)")
    assert "Reroll one US infantry attack" == plain(envelop.text)


def test_wording_of_no_result() -> None:
    """A row without a result says what that means where the sheet words it."""
    location = block(sheet("vitp"), "table:location")
    assert isinstance(location, TableBlock)
    assert ["4–6", "arrives on turn 2"] == [plain(cell) for cell in location.rows[-1].cells[:2]]


def test_replaced_rule_is_struck_before_the_new_one() -> None:
    """With `struck`, what an option put something else in the place of is struck, and that follows."""
    request = Request(struck=True)
    struck = block(sheet("vitp", ("pearl-harbor",), request), "rules:18.2..18.33")
    usual = block(sheet("vitp", ("pearl-harbor",)), "rules:18.2..18.33")
    assert isinstance(struck, List) and isinstance(usual, List)
    assert not any(line.status == "removed" for line in usual.lines)
    place = next(n for n, line in enumerate(struck.lines) if line.status == "removed")
    assert "18.2" == struck.lines[place].number
    assert ("added", ("opt 20",)) == (struck.lines[place + 1].status, struck.lines[place + 1].by)


STEPS = """
enum Side: Red, Blue
roll shot(side): d6                                                             [2.1]
choice aim(side) by side:                                                       [2.2]
    pick one n from {1, 2}
procedure fire(side):
    choose aim(side) as n
    roll shot(side) as die
sequence play:                                                                  [1]
    phase turn "The turn":                                                      [1.1]
        step firing "Fire" for each side in Side, Red first: do fire(side)      [1.2]
        step hiding "Hide": do fire(Blue)
        step chasing "Chase": do fire(Red)                                      [1.3]
        step resting "Rest": do fire(Red)                                       [1.4]
        step ending "End": do fire(Blue)
"""
PRINTED_STEPS = """id\tkind\tsummary
T.1\tprocedure\tA turn is this
T.1.1\theading\tTurn group
T.1.2\tprocedure\tRed fires, then Blue
T.1.3\tprocedure\tRed chases
T.1.4\tprocedure\tRed rests
T.2.1\tprocedure\tRoll one die
T.2.2\tprocedure\tName a target
T.3\theading\tCalm group
T.3.1\tprocedure\tNobody fires; Blue alone aims
T.3.2\tprocedure\tThere is never time to rest
"""
CALM = """option calm "Calm":                                                             [3]
    reason "a test"
    replace step firing:                                                        [3.1]
        choose aim(Blue) as n
    remove step hiding
    remove step resting                                                         [3.2]
    insert before step ending:
        step waiting "Wait": do fire(Red)
    replace step ending:
        do fire(Red)
"""


@pytest.mark.parametrize(
    ("struck", "expected"),
    [
        (
            True,
            [
                ("1.2", "Fire: Red fires, then Blue", "removed"),
                ("3.1", "Fire: Nobody fires; Blue alone aims", "added"),
                ("", "Hide", "removed"),
                ("1.3", "Chase: Red chases", ""),
                ("1.4", "Rest: Red rests", "removed"),
                ("3.2", "There is never time to rest", "added"),
                ("", "Wait", "added"),
                ("", "End", "removed"),
                ("", "End", "changed"),
            ],
        ),
        (
            False,
            [
                ("1.2", "Fire: Red fires, then Blue", "changed"),
                ("1.3", "Chase: Red chases", ""),
                ("", "Wait", "added"),
                ("", "End", "changed"),
            ],
        ),
    ],
    ids=["struck", "marked"],
)
def test_steps_that_an_option_changes(
    tmp_path: Path, struck: bool, expected: list[tuple[str, str, str]]
) -> None:
    """With `struck`, an old step is struck and the new one follows; without it, old steps are gone."""
    option = folder(tmp_path, STEPS, PRINTED_STEPS, options_in_calm__rules=CALM)
    lines = lines_of(made(option, ("calm",), Request(struck=struck)), "sequence")
    assert all((line.by == ("opt 3",)) == bool(line.status) for line in lines)
    assert expected == [
        (line.number, f"{plain(line.title)}: {plain(line.text)}".strip(": "), line.status) for line in lines
    ]


@pytest.mark.parametrize(
    ("reason", "headings"), [("", []), ('    reason "so the example"\n', ["option:high"])]
)
def test_an_option_without_words_has_no_heading(tmp_path: Path, reason: str, headings: list[str]) -> None:
    """A reading that changes a definition alone is in force by its title, with no heading above nothing."""
    rules = (
        SMALL
        + """
define enough: 5                                                                [2.3]
errata fives "which rolls hit":                                                 [2.3]
    printed "five or more"                                                      [2.3]
    printed "six"                                                               [2.4]
    play "five or more"                                                         [2.3]
    by House
"""
    )
    high = f'reading high of fives "sixes alone":\n{reason}    redefine define enough: 6\n'
    found = made(folder(tmp_path, rules, options_in_high__rules=high), ("high",))
    assert headings == [each.head.id for each in found.blocks if each.head.id.startswith("option:")]
    assert "Which rolls hit: sixes alone" in str(found.foot.options)


PRINTED_3 = "id\tkind\tsummary\nT.3\tmodifier\tThick plates stop more\n"


def test_every_line_of_vitp_has_its_printed_number() -> None:
    """No line of the sequence, the limits or a list is without one."""
    found = sheet("vitp", ("damage-control", "gunnery-radar"))
    bare: list[str] = []

    def look(lines: tuple[SheetLine, ...]) -> None:
        bare.extend(plain(line.title or line.text) for line in lines if not line.number and not line.see)

    for part in found.parts:
        for each in part.blocks:
            match each:
                case Outline():
                    for group in each.groups:
                        look(group.lines)
                case List():
                    look(each.lines)
                case Norms():
                    for case in each.groups:
                        look(case.lines)
                case Modifiers():
                    for roll in each.rolls:
                        look(roll.lines)
                case _:
                    pass
    assert [] == bare


def test_numbers_are_printed_ones() -> None:
    """What a sheet gives as a number is in the list of printed rules."""
    found = sheet("vitp", ("damage-control",))
    printed = (rules_folder() / "vitp" / "sources" / "vitp.tsv").read_text(encoding="utf-8")
    known = {line.split("\t")[0].removeprefix("VITP.").split(":")[0] for line in printed.splitlines()[1:]}
    numbers = {n for part in found.parts for b in part.blocks if b.head.id != "index" for n in numbers_in(b)}
    assert set() == {n for n in numbers if n not in known and n[-1:].isdigit()}


def test_same_input_same_sheet() -> None:
    """Nothing of a run is in a sheet."""
    first, second = sheet("vitp"), sheet.__wrapped__("vitp", (), Request())  # type: ignore[attr-defined]
    assert to_json(first) == to_json(second)


def test_page_of_the_finding(tmp_path: Path) -> None:
    """What the page of RK660 avoids is told with its place and a hint; what it prefers is not."""
    text = find("RK660") or ""
    avoid, prefer = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    with pytest.raises(RulesError) as caught:
        made(folder(tmp_path / "avoid", sheet__yaml=avoid))
    (finding,) = caught.value.diagnostics
    assert ("RK660", "sheet.yaml", 5) == (finding.kind.code, finding.span.file, finding.span.line)
    assert "did you mean `effect`?" == finding.hint
    assert ["table:effect"] == list(ids(made(folder(tmp_path / "prefer", sheet__yaml=prefer))))


def test_who_acts_and_what_is_rolled() -> None:
    """Read from the rules: loops over the sides, deciders of choices, what is rolled on the way."""
    lines = {line.number: line for line in lines_of(sheet("vitp"), "sequence")}

    def who(number: str) -> tuple[str, tuple[int, ...]] | None:
        acts = lines[number].who
        return None if acts is None else (acts.joint, acts.sides)

    assert ("turns", (0, 1)) == who("5.22")
    assert ("then", (0, 1)) == who("5.23")
    assert ("alone", (0,)) == who("5.31") == who("5.34")
    assert ("alone", (1,)) == who("5.35")
    assert ("speed",) == lines["5.24"].rolls
    assert ("attack", "damage") == lines["5.35"].rolls
    assert lines["5.32"].depth > lines["5.31"].depth
    assert ["18.11", "18.12"] == [line.number for line in lines["5.21"].instead]
    assert "5.31" not in [line.number for line in lines["5.22"].instead]


def test_options_are_followed_into_what_they_replace() -> None:
    """With every option that the booklet has, a step still knows who acts, and what came is marked."""
    lines = {line.number: line for line in lines_of(sheet("vitp", ("as-printed",)), "sequence")}
    assert ("sighting",) == lines["5.32"].rolls
    assert ("changed", ("opt 23",)) == (lines["5.32"].status, lines["5.32"].by)
    assert ("attack", "damage") == lines["5.34"].rolls


def test_what_an_option_brings_is_not_there_without_it() -> None:
    """Rules of options that are off are nowhere on the sheet, and a ninth turn is not either."""
    off, on = sheet("vitp"), sheet("vitp", ("kamikaze",))

    def numbers(found: Sheet) -> set[str]:
        return {n for part in found.parts for b in part.blocks for n in numbers_in(b)}

    assert not {"19.2", "20.3", "21", "23.4"} & numbers(off)
    assert "19.2" in numbers(on) and "20.3" not in numbers(on)

    def turns(found: Sheet) -> list[str]:
        arrivals = block(found, "arrivals")
        assert isinstance(arrivals, Roster)
        return [plain(title).split()[0] for title, _ in arrivals.rows]

    assert ["2", "3", "4", "5", "6", "7", "8"] == turns(off)
    assert "9" == turns(on)[-1]


def test_removed_is_struck_or_gone() -> None:
    """What an option removed is left out, or kept as removed where that is asked for."""
    gone, struck = (sheet("pacwar", ("authors",), Request(struck=asked)) for asked in (False, True))

    def removed(found: Sheet) -> int:
        norms = block(found, "norms")
        assert isinstance(norms, Norms)
        lines = [line for group in norms.groups for line in group.lines]
        return sum(line.status == "removed" for line in lines)

    assert 0 == removed(gone) and removed(struck) > 0


def test_date() -> None:
    """For a month, only what holds in it."""
    options = ("jsis-flak-phase-in",)
    whole = block(sheet("pacwar", options), "timeline:allied_improved_flak")
    month = block(sheet("pacwar", options, Request(date=12 * 1942 + 8)), "timeline:allied_improved_flak")
    assert isinstance(whole, Timeline) and isinstance(month, Timeline)
    assert [5, 6] == [len(track.stretches) for track in whole.tracks]
    assert ["+3", "–"] == [plain(track.stretches[0].text) for track in month.tracks]
    assert sheet("pacwar", options, Request(date=12 * 1942 + 8)).foot.remark.startswith("Sep 1942 · made up")


def test_the_map_says_what_the_data_say() -> None:
    """Areas that share an edge touch, and no others; a site lies on the areas it touches."""
    drawn = block(sheet("vitp"), "map")
    assert isinstance(drawn, Map)
    for a in drawn.areas:
        shared = {b.name for b in drawn.areas if b is not a and edge(a, b) > 0.01}
        assert set(a.borders) == shared, a.name
    places = {m.title: m for kind in ("Port", "Base") for m in members_of(kind)}
    for site in drawn.sites:
        on = {a.name for a in drawn.areas if within(site.x, a.x, a.width) and within(site.y, a.y, a.height)}
        member = next(m for m in places.values() if site.name in (m.title, m.values.get("title")))
        assert set(member.values["touches"]) == on, site.name


def within(at: float, low: float, length: float) -> bool:
    """Whether a place is on a stretch, its ends included."""
    return low - 0.01 <= at <= low + length + 0.01


def edge(a: Area, b: Area) -> float:
    """The length of the edge that two areas share."""
    wide = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    high = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return max(wide, high) if abs(min(wide, high)) < 1e-6 else 0


def members_of(kind: str) -> tuple[MemberRow, ...]:
    """What the data say of a kind."""
    made = compiled("vitp")
    words = SheetWords(made, Messages(), {}, {})
    return members(Context(made, words, Force(made, words), Messages(), (), None, False), kind)


def test_rows_that_are_open_below(tmp_path: Path) -> None:
    """Only one row of a table is `or less`: where one is open below already, the next one is a stretch."""
    rules = SMALL + (
        "table bands(sum: -9..9) -> 0..3: [2.3]\n    | sum  | hits |\n    | ..0  | 0    |\n"
        "    | 1..2 | 1    |\n    | 3..  | 2    |\n"
    )
    found = block(made(folder(tmp_path, rules)), "table:bands")
    assert isinstance(found, TableBlock)
    assert ["0 or less", "1–2", "3 or more"] == [plain(row.cells[0]) for row in found.rows]


BATTLE = """format: 1
parts:
  - title: Combat
    blocks:
      - {table: battle}
"""
GRID = """format: 1
tables:
  battle:
    keys: 2
    columns: [roll, odds, lost, deck_lost, retreats]
    rows:
      - [1, '1:2', 0, 0, false]
      - [1, '1:1', 0, 0, true]
      - [2, '1:2', 1, 0, false]
      - [2, '1:1', 2, 1, true]
      - [3, '1:2', 1, 1, false]
      - [3, '1:1', 3, 0, false]
"""


def test_a_data_table_with_two_keys_is_a_grid(tmp_path: Path) -> None:
    """The key with fewer values heads the columns; several results share a cell, as far as they are any."""
    rules = SMALL + (
        "extern table battle(roll: 1..3, odds: ratio) -> (lost: 0..9, deck_lost: 0..9, retreats: flag):\n"
        '    file "data/battle.yaml"\n    keys odds: 1:2, 1:1\n    beyond ends: nearest\n'
    )
    found = block(
        made(folder(tmp_path, rules, data_in_battle__yaml=GRID, sheet__yaml=BATTLE)), "table:battle"
    )

    assert isinstance(found, TableBlock)
    assert ["Roll°", "1:2", "1:1"] == [plain(column.title) for column in found.columns]
    assert ["", "Odds", "Odds"] == [column.group for column in found.columns]
    shown = [
        ["●" if run.kind == "yes" else run.text for cell in row.cells for run in cell] for row in found.rows
    ]
    assert [
        ["1", "–", "–", "/", "–", "/", "●"],
        ["2", "1", "2", "/", "1", "/", "●"],
        ["3", "1", "/", "1", "3"],
    ] == shown
    assert "lost / deck lost / retreats" == plain(found.head.notes[0].text)


def test_a_data_table_with_other_rows_in_each_column_is_a_list(tmp_path: Path) -> None:
    """Without a row for each pair of what its keys say it is no grid."""
    rules = SMALL + "extern table battle(roll: 1..3, kind: Kind) -> 0..9:\n" + '    file "data/battle.yaml"\n'
    pairs = (("1..3", "ship"), ("1..2", "plane"), (3, "plane"))
    rows = "".join(f"      - [{roll}, {kind}, 0]\n" for roll, kind in pairs)
    data = f"format: 1\ntables:\n  battle:\n    keys: 2\n    columns: [roll, kind, lost]\n    rows:\n{rows}"
    found = block(
        made(folder(tmp_path, rules, data_in_battle__yaml=data, sheet__yaml=BATTLE)), "table:battle"
    )

    assert isinstance(found, TableBlock)
    assert (3, 3) == (len(found.columns), len(found.rows))


def test_a_segment_without_steps_is_a_line(tmp_path: Path) -> None:
    """Headings are the phases, and those segments that have steps of their own."""
    before, _, _ = SMALL.partition("sequence play:")
    rules = before + (
        'sequence play:\n    phase turn "The turn":\n'
        '        segment first "Red alone": do fire(Red)\n'
        '        segment second "Both":\n'
        '            step firing "Fire" for each side in Side, Red first: do fire(side)\n'
    )
    outline = block(made(folder(tmp_path, rules)), "sequence")

    assert isinstance(outline, Outline)
    assert [("The turn", ["Red alone"]), ("Both", ["Fire"])] == [
        (group.title, [plain(line.title) for line in group.lines]) for group in outline.groups
    ]


def test_parts_with_letters_are_below_their_rule() -> None:
    """`10.2` selects 10.2-A as well."""
    words = SheetWords(compiled("atp"), Messages(), {}, {})
    assert {"10.2", "10.2-A", "10.2-A:2", "10.2-K"} <= set(words.rules_selected("10.2"))
    assert "10.12-1" not in words.rules_selected("10.1:")


def test_a_chit_of_either_side_is_nobodys_alone() -> None:
    """A line with a choice of a side that only play knows does not name the other side alone."""
    lines = {line.number: line for line in lines_of(sheet("atp"), "sequence")}
    assert all((who := lines[number].who) and {0, 1} == set(who.sides) for number in ("4.31", "4.34", "4.35"))


@pytest.mark.parametrize(
    ("name", "options"), [("vitp", ()), ("fcn", ()), ("atp", ()), ("pacwar", ("authors",))]
)
def test_every_norm_of_a_shipped_set_has_a_sentence(name: str, options: tuple[str, ...]) -> None:
    """A printed rule or `sheet.yaml` words it: no condition reaches the paper as it is in the rules."""
    raw = ("Not allowed:", "Required:")
    norms = [found for found in sheet(name, options).blocks if isinstance(found, Norms)]
    lines = [line for found in norms for group in found.groups for line in group.lines]

    assert [] == [said for line in lines if (said := plain(line.text)).startswith(raw)]


def test_a_norm_without_words_reads_alone(tmp_path: Path) -> None:
    """Its condition follows a word that says whether it forbids or requires."""
    found = block(made(folder(tmp_path, SMALL.replace("[2.6]", ""))), "norms")

    assert isinstance(found, Norms)
    assert "Not allowed: kind is plane" == plain(found.groups[0].limits[0].text)


@pytest.mark.parametrize(
    ("words", "kind", "limits", "mood"),
    [
        ("Any ship that fires gunnery may be attacked", "permission", False, "may"),
        ("At night, ships with gunnery must attack", "obligation", False, "must"),
        ("Placement needs a friendly base", "prohibition", True, "must"),
        ("Only units in the sea area fight", "prohibition", True, "only"),
        ("A carrier cannot be attacked unless every ship is attacked", "prohibition", True, "only"),
        ("Air units cannot attack at night", "prohibition", True, "not"),
        ("An air unit whose only base is invaded cannot stay", "prohibition", True, "not"),
        ("By day, only carriers attack", "procedure", False, "only"),
        ("A ship fires as many shots as its gunnery", "procedure", False, ""),
        ("A task force cannot have more than six capital ships", "", False, "not"),
    ],
)
def test_mood_of_a_sentence(words: str, kind: str, limits: bool, mood: str) -> None:
    """The sign before a sentence follows from its words; a positive one never has a cross."""
    assert mood == mood_of(words, kind, limits=limits)


@pytest.mark.parametrize("name", ["vitp", "fcn", "atp", "pacwar"])
def test_no_cross_before_a_positive_sentence(name: str) -> None:
    """Every line under a cross says no."""
    lines = [
        plain(line.text)
        for each in sheet(name).blocks
        if isinstance(each, Norms)
        for group in each.groups
        for line in group.lines
        if line.mood == "not"
    ]
    negative = re.compile(r"\b(?:cannot|not|never|no|nor|none|without)\b|Not allowed", re.IGNORECASE)
    assert [] == [line for line in lines if not negative.search(line)]


PROGRAM = re.compile(r"\w_\w|\w\(\w|\b\w+\.\w+ (?:is|in)\b|otherwise \d|>=|<=| [<>] ")
"""Operators and calls of the language."""


def program_text(found: Sheet) -> list[str]:
    """The texts of a sheet that are written in the language of the rules."""
    texts = (text for each in found.blocks for text in _texts(each))
    return [text for text in texts if PROGRAM.search(text)]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("vitp", ()),
        ("vitp", ("as-printed",)),
        ("fcn", ()),
        ("atp", ()),
        ("pacwar", ()),
        ("pacwar", ("authors",)),
    ],
)
def test_no_program_text(name: str, options: tuple[str, ...]) -> None:
    """No line of a sheet has operators or calls of the language in it."""
    assert [] == program_text(sheet(name, options))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vitp", "fcn", "pacwar"])
def test_no_program_text_with_any_option(name: str) -> None:
    """The same with each option and each preset by itself; an option is on with those that it needs."""
    at, base = rules_folder() / name, compiled(name)
    declared = [item for module in base.modules for item in module.items]
    options = RuleOptions(base.rule_set.manifest, declared, base.workspace.parse, Report())
    groups = {option: (*sorted(options.around[option]),) for option in options.all}
    groups |= {preset: (preset,) for preset in base.rule_set.manifest.presets}
    found = {
        option: program_text(
            sheet_of(compile_rule_set(at, Report(), options=group, workspace=base.workspace), Report())
        )
        for option, group in groups.items()
    }
    assert {} == {option: texts for option, texts in found.items() if texts}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vitp", "fcn"])
def test_no_program_text_in_any_scenario(name: str) -> None:
    """The same in the sheet for each scenario; those of the larger sets take a minute each."""
    scenarios = [scenario.name for scenario in compiled(name).program.scenarios]
    found = {each: program_text(sheet(name, (), Request(scenario=each))) for each in scenarios}
    assert {} == {each: texts for each, texts in found.items() if texts}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Run):
        yield value.text
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _texts(getattr(value, field.name))


def test_what_nothing_words_is_left_out_and_noted(tmp_path: Path) -> None:
    """A norm whose condition is a calculation is not on the sheet; the check and the command say so."""
    rules = SMALL.replace("    forbid planes: kind is plane                      [2.6]\n", "") + (
        "state used(side): 0..9\nchoice spend(side) by side:\n    pick one kind from Kind\n"
        "    forbid too_much: used(side) > used(other(side)) + 2\nprocedure pay(side):\n"
        "    choose spend(side) as k\n    add 1 to used(side)\n"
    )
    settings = "format: 1\nparts:\n  - title: All\n    blocks: [choices]\n"
    at = folder(tmp_path, rules, sheet__yaml=settings)
    found, gaps = sheet_and_gaps(compile_rule_set(at, Report()), Report())
    assert () == found.blocks
    assert {"norm spend.too_much": "used(side) > used(other(side)) + 2"} == gaps.wordless
    report = Report()
    compiled_set = compile_rule_set(at, Report())
    look_over(compiled_set, StrayNames(compiled_set), report)
    (note,) = [each for each in report if each.kind is kinds.SHEET_WITHOUT_WORDS]
    assert "t.rules" == note.span.file and "norm spend.too_much" in (note.hint or "")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("They may hold their fire", "begins with `They`"),
        ("Night: Night attacks are made with gunnery", "repeats `Night`"),
        ("3: a garrison of three", "left over"),
        ("x" * 171, "characters long"),
    ],
)
def test_style_of_a_line(words: str, fault: str) -> None:
    """Each fault is named; a line that reads alone has none."""
    assert any(fault in each for each in faults(words))
    assert [] == list(faults("Carriers may hold their fire"))


def test_steps_without_printed_rules_have_words_and_letters(tmp_path: Path) -> None:
    """A base without a booklet: what a step does is in the settings, and its place is its number."""
    rules = SMALL.partition("sequence play:")[0] + (
        "procedure nothing:\n    return\n"
        "sequence play:\n"
        '    phase morning "Morning":\n'
        '        step dreaming "Dreaming": do nothing\n'
        '        step waking "Waking": do fire(Red)\n'
        '        step firing "Fire" for each side in Side: do fire(side) [1.2]\n'
        '    phase evening "Evening" for each side in Side: do fire(side)\n'
    )
    settings = (
        "format: 1\nshort:\n  step waking: Get up\n  step evening: All fire\n"
        "parts:\n  - title: All\n    blocks:\n      - {sequence: [], numbers: letters}\n"
    )
    found = made(folder(tmp_path / "t", rules, sheet__yaml=settings))

    outline = block(found, "sequence")
    assert isinstance(outline, Outline)
    assert [("A", "Morning"), ("B", "Evening")] == [(group.number, group.title) for group in outline.groups]
    lines = [line for group in outline.groups for line in group.lines]
    assert ["A1", "1.2", "B1"] == [line.number for line in lines]
    assert ["Waking", "Fire", ""] == [plain(line.title) for line in lines]
    assert ["Get up", "Red fires, then Blue", "All fire"] == [plain(line.text) for line in lines]


def test_options_are_beside_a_modifier_only_if_its_condition_names_what_they_change() -> None:
    """A hex that an option renames is no condition of what ground units in China cost."""
    (modified,) = (b for b in sheet("pacwar", ("authors",)).blocks if isinstance(b, Modifiers))
    (cost,) = (roll for roll in modified.rolls if roll.title == "Activation cost")

    assert ["× 3"] == [plain(line.title) for line in cost.lines]
    assert [("china.4", "china.5")] == [line.see for line in cost.lines]


def test_letters_of_flags() -> None:
    """Among several results a flag with a letter is that letter where it is set; a note explains it."""
    table = block(sheet("atp"), "card:assault")
    assert isinstance(table, Card) and table.table is not None
    cells = {plain(cell) for row in table.table.rows for cell in row.cells[1:]}

    assert {"–", "1 R", "3 A R"} <= cells
    assert "lost, A all lost, R retreats" in [plain(note.text) for note in table.table.head.notes]
