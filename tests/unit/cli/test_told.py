"""How a game is told: what belongs together stands on one line, and every line has its rule."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from rulekit.runtime.narrate import Narrator
from rulekit.runtime.play import Game
from rulekit.runtime.support.wording import Speech, Wording
from rulekit.testing import compile_text
from tests.unit.cli.running import DUEL, FERRY, rulekit

MANIFEST = 'id: t\ntitle: T\nlanguage: "0.2"\nsequence: play\n'
WORLD = """\
enum Side: Red, Blue
space Area:
    members North, South, 'The Fen'
piece Ship:
    members Alpha, Beta, Gamma
    state damage: 0..9
    state lame: flag
    state orders: Area = South
state lead: 0..9
track score: -3..3
state flagship: Ship or none
state hunted: set of Ship
"""


def told(sequence: str, more: str = "", speech: Speech | None = None, seed: int = 0) -> list[str]:
    """A game of a few lines in which nothing is asked, told; `speech` has the set's own words."""
    game, narrator = narrated(sequence, more, speech)
    lines = [*narrator.tell(game.start(seed=seed).events), *narrator.finish()]
    return [str(line).strip() for line in lines]


def narrated(sequence: str, more: str = "", speech: Speech | None = None) -> tuple[Game, Narrator]:
    """A game of a few lines and its narrator; as for `told`."""
    body = "".join(f"    {line}\n" for line in sequence.strip("\n").split("\n"))
    made = compile_text(f"{WORLD}{more}\nsequence play:\n{body}", {"ruleset.yaml": MANIFEST})
    assert made.program is not None, made.findings
    game = Game(made.program)
    return game, Narrator(made.program, "T", game, wording=Wording(made.program, speech))


SECRET = "state aim(side): Area or none, known to side"


CHANGES = [
    ("move Ship to North  [1]", ["1  Alpha, Beta, Gamma to North"]),
    ("move Alpha to North\nmove Beta to 'The Fen'", ["Alpha to North", "Beta to The Fen"]),
    ("move Alpha to North\nremove Alpha", ["Alpha to North; off the board"]),
    (
        'move Beta to North\nadd 2 to Beta.damage\nsay "x"\nset Beta.damage to 0  [1]\nremove Beta  [2]',
        ["Beta to North; damage 0 → 2", "x", "2  Beta off the board"],
    ),
    (
        'move Beta to North\nset Beta.orders to North\nsay "x"\nset Beta.orders to South\nremove Beta',
        ["Beta to North; orders: North", "x", "Beta off the board"],
    ),
    ("mark Ship as lame  [2]", ["2  Alpha, Beta, Gamma lame"]),
    ("mark Alpha as lame\nunmark Alpha as lame", ["Alpha lame; no longer lame"]),
    ("unmark Alpha as lame", []),
    ("add 2 to Beta.damage", ["Beta damage 0 → 2"]),
    ("add 3 to lead  [1]\ntake 1 from lead  [2]", ["1  lead 0 → 3", "2  lead 3 → 2"]),
    ("add 0 to lead", []),
    ("add 3 to lead  [1]\nadd -2 to lead  [2]", ["1  lead 0 → 3", "2  lead 3 → 1"]),
    ("add 5 to score\nadd 1 to score", ["score 0 → 3", "score still 3"]),
    ("add 5 to score\ntogether:\n    add 1 to score", ["score 0 → 3", "score still 3"]),
    ("together:\n    add -2 to score\n    add 3 to lead", ["score 0 → -2", "lead 0 → 3"]),
    ("set lead to 4\nset lead to 4", ["lead: 4"]),
    ("set flagship to Gamma", ["flagship: Gamma"]),
    ("set flagship to none", []),
    ("add {Alpha, Beta} to hunted", ["hunted: Alpha, Beta added"]),
    ("add (Ship where it is lame) to hunted", []),
    ('say "the bell rings"  [7]', ["7  the bell rings"]),
    ("when lead > 0: set lead to 1  [1]\notherwise: set lead to 2", ["lead: 2"]),
    ("together:  [9]\n    when lead > 0: set lead to 1  [1]\n    otherwise: set lead to 2", ["9  lead: 2"]),
    ("when lead > 0: set lead to 1  [1]\notherwise:  [2]\n    set lead to 2", ["2  lead: 2"]),
    ('when lead > 0: say "a"  [1]\notherwise when lead = 0:  [3]\n    set lead to 2', ["3  lead: 2"]),
]
"""Statements, and how what they do is told."""


@pytest.mark.parametrize("sequence, lines", CHANGES, ids=[each[0].split("\n")[0] for each in CHANGES])
def test_changes(sequence: str, lines: list[str]) -> None:
    """The same to several, or one after another to one; what changes nothing is not told."""
    assert lines == told(sequence)


def test_headings_come_with_what_is_under_them() -> None:
    """A phase is told at once, with where the game stands; a step only if something happens in it."""
    sequence = """
set lead to 2
phase first "The first":  [5]
    step empty "Nothing here":  [5.1]
        unmark Alpha as lame
    step full "Something":  [5.2]
        mark Alpha as lame
"""

    assert ["lead: 2", "== 5 The first", "- 5.2 Something", "5.2  Alpha lame"] == [
        line.split("   ")[0].strip() for line in told(sequence)
    ]
    assert told(sequence)[1].endswith("  lead 2 · score 0")


def test_what_follows_a_step_is_told_under_the_heading_around_it() -> None:
    """A step ends with its block; a phase is taken up again as one that goes on."""
    sequence = """
phase first "The first":  [5]
    step inner "Something":  [5.1]
        mark Alpha as lame
    mark Beta as lame
    step again "More":  [5.2]
        do part
mark Gamma as lame
"""
    more = """
procedure part:
    step deep "Deep":  [5.3]
        set lead to 3
    set flagship to Beta
"""

    assert [
        "== 5 The first",
        "- 5.1 Something",
        "5.1  Alpha lame",
        "== 5 The first (continued)",
        "5  Beta lame",
        "- 5.3 Deep",
        "5.3  lead: 3",
        "- 5.2 More",
        "flagship: Beta",
        "Gamma lame",
    ] == [line.split("   ")[0].strip() for line in told(sequence, more)]


def test_a_step_after_an_inner_phase_is_told_under_the_phase_around_both() -> None:
    """Otherwise its lines would stand under the phase that has ended."""
    sequence = """
phase outer "Outside":  [5]
    step first "First":
        mark Alpha as lame
    phase inner "Inside":  [6]
        mark Beta as lame
    step again "More":  [5.2]
        mark Gamma as lame
"""

    assert [
        "== 5 Outside",
        "- 5 First",
        "5  Alpha lame",
        "== 6 Inside",
        "6  Beta lame",
        "== 5 Outside (continued)",
        "- 5.2 More",
        "5.2  Gamma lame",
    ] == [line.split("   ")[0].strip() for line in told(sequence)]


def test_a_heading_is_not_told_again_after_inner_steps_without_a_line() -> None:
    """Its lines go on; a step that is run for each side has one heading until another one follows."""
    sequence = """
phase first "The first":  [5]
    step mission "Mission":  [5.1]
        mark Alpha as lame
        step way "On the way":
            unmark Beta as lame
        mark Gamma as lame
    step turns "Turns" for each side in Side:
        when side is Red: set lead to 1
        otherwise: add 2 to Beta.damage
"""

    assert [
        "== 5 The first",
        "- 5.1 Mission",
        "5.1  Alpha lame",
        "5.1  Gamma lame",
        "- 5 Turns",
        "5  lead: 1",
        "5  Beta damage 0 → 2",
    ] == [line.split("   ")[0].strip() for line in told(sequence)]


@pytest.mark.parametrize(
    "words, lines",
    [
        ({"weeks": "weeks", "duration": "weeks"}, ["Red, weeks: 3 [2]"]),
        ({"weeks": "weeks", "duration": "how long"}, ["Red, how long: 3", "2  weeks: 3"]),
    ],
)
def test_a_state_of_the_same_words_does_not_repeat_the_answer(
    words: dict[str, str], lines: list[str]
) -> None:
    """The answer says it all, and has the rule; a state of other words says what the answer is for."""
    more = "state weeks: 0..9\nchoice duration(side) by side:\n    number from 1 to 4\n"
    game, narrator = narrated(
        "choose duration(Red) as answer\nset weeks to answer  [2]", more, Speech(names=words)
    )
    session = game.start()
    session.choose("3")

    assert lines == [str(line).strip() for line in (*narrator.tell(session.events), *narrator.finish())]


EFFECTS = """
enum Effect: miss, hit
roll fire(s: Ship): d6  [3]
table effect(roll: 1..6, damage: 0..9) -> Effect or none:  [3.1]
    | roll | damage | effect |
    | 1..3 | 0      | miss   |
    | 4..5 | 0      | hit    |
    | 6    | 0      | -      |
    | 1..6 | 1..9   | miss   |
procedure score(effect: Effect or none):
    when effect is hit: add 1 to lead
procedure test(s: Ship) -> flag:
    roll fire(s) as die
    result die > s.damage
"""


def test_dice_say_what_the_table_says() -> None:
    """The row that the rules read next, in the set's own words; also where a state decides which row."""
    names = {"miss": "short", "table effect none": "a shell stuck"}
    sound = "roll fire(Alpha) as die\ndo score(effect(die, Alpha.damage))"
    rows = {told(sound, EFFECTS, Speech(names=names), seed)[0] for seed in range(40)}

    assert {f"fire for Alpha: {n} → short" for n in (1, 2, 3)} <= rows
    assert {f"fire for Alpha: {n} → hit" for n in (4, 5)} <= rows
    assert "fire for Alpha: 6 → a shell stuck" in rows
    for seed in range(10):
        assert told(f"set Alpha.damage to 1\n{sound}", EFFECTS, None, seed)[1].endswith("→ miss")


def test_dice_say_what_their_procedure_results_in_where_the_set_words_it() -> None:
    """Flags and numbers have no words of their own."""
    names = {"result test true": "passes", "result test false": "fails"}
    tested = "set Alpha.damage to 3\ndo test(Alpha) as passed"

    for seed in range(20):
        die = int(told(tested, EFFECTS, None, seed)[1].removeprefix("fire for Alpha: "))
        told_line = told(tested, EFFECTS, Speech(names=names), seed)[1]
        assert told_line == f"fire for Alpha: {die} → {'passes' if die > 3 else 'fails'}"


def test_a_roll_says_nothing_where_its_meaning_depends_on_what_the_log_cannot_know() -> None:
    """A local that is no argument of the roll is in no event."""
    sequence = "let worn = Beta.damage\nroll fire(Alpha) as die\ndo score(effect(die, worn))"

    assert all("→ miss" not in line and "→ hit" not in line for line in told(sequence, EFFECTS))


def test_a_set_words_what_leaves_the_board_and_leaves_changes_out() -> None:
    """`off-board NUMBER` names what the rule of that number does; `quiet` states have no lines."""
    speech = Speech(names={"off-board 7": "sunk"}, quiet=frozenset(("lame", "lead")))
    sequence = "move Ship to North\nset lead to 2\nmark Beta as lame\nremove Alpha  [7]\nremove Beta  [8]"

    assert ["Alpha, Beta, Gamma to North", "7  Alpha sunk", "8  Beta off the board"] == told(
        sequence, "", speech
    )


def test_a_set_words_what_leaves_the_board_by_the_procedure_that_removes_it() -> None:
    """`off-board PROCEDURE` is for removals without a printed rule."""
    speech = Speech(names={"off-board scrap": "scrapped"})
    procedure = "procedure scrap(s: Ship):\n    remove s\n"

    assert ["Alpha, Beta, Gamma to North", "Alpha scrapped", "Beta off the board"] == told(
        "move Ship to North\ndo scrap(Alpha)\nremove Beta", procedure, speech
    )


@pytest.mark.parametrize("key", ["berth none", "Boat.berth none"])
def test_a_set_words_a_state_that_becomes_none(key: str) -> None:
    """`STATE none` says both the name and the value, with the kind or without; other values keep the name."""
    speech = Speech(names={key: "at sea", "berth": "berth at", "flagship none": "without a flagship"})
    sequence = "set Skiff.berth to South\nset Skiff.berth to none\nset flagship to Beta\nset flagship to none"
    berths = "piece Boat:\n    members Skiff\n    state berth: Area or none\n"

    assert ["Skiff berth at: South; at sea", "flagship: Beta", "without a flagship"] == told(
        sequence, berths, speech
    )


def test_a_state_of_a_kind_has_its_own_words_for_none() -> None:
    """Words for one kind alone are for no other state of the name, and none are made up."""
    speech = Speech(names={"Ship.flagship none": "without a flagship"})

    assert ["flagship: Beta", "flagship: none"] == told(
        "set flagship to Beta\nset flagship to none", "", speech
    )


def test_a_flag_is_not_among_what_a_roll_is_about() -> None:
    """A bare yes or no says nothing."""
    (line,) = told("roll fire(Alpha, true) as shot", "roll fire(s: Ship, hot: flag): d6\n")

    assert re.fullmatch(r"fire for Alpha: \d", line)


def test_quiet_numbers_are_not_in_headings() -> None:
    """A heading says where the game stands, but for states that the log leaves out."""
    sequence = 'set lead to 2\nphase one "One":\n    set score to 1'

    assert "lead 2" in told(sequence)[1] and "score 0" in told(sequence)[1]
    quiet = told(sequence, "", Speech(quiet=frozenset(("lead",))))
    assert quiet[0].startswith("== One") and quiet[0].endswith("score 0")
    assert "lead" not in quiet[0]


def test_an_unseen_change_is_said_once() -> None:
    """Of a value that one side knows the other reads that it changed; not, how often in a row."""
    sequence = "set aim(Red) to North\nset aim(Red) to South\nset lead to 2\nset aim(Red) to none"
    game, narrator = narrated(sequence, SECRET)
    seen = [e for row in game.start().view("Blue").events_by_number for e in row]
    lines = [str(line).strip() for line in (*narrator.tell(seen), *narrator.finish())]

    assert ["aim: hidden", "lead: 2", "aim: hidden"] == lines


def test_a_flag_that_several_lose_unseen_has_no_line() -> None:
    """Nor has it one where it is seen: the effects show elsewhere."""
    sequence = "mark Boat as deep\nset lead to 2\nunmark Boat as deep\nset lead to 3"
    game, narrator = narrated(
        sequence, "piece Boat:\n    members Uno, Due\n    state deep: flag, known to Red"
    )
    seen = [e for row in game.start().view("Blue").events_by_number for e in row]
    lines = [line.text for line in (*narrator.tell(seen), *narrator.finish())]

    assert ["unmark_all"] == [event.kind for event in seen if event.subject == "Boat.deep"][1:]
    assert ["deep: hidden", "lead: 2", "lead: 3"] == lines


def test_a_quiet_state_is_quiet_unseen() -> None:
    """That something hidden has changed is left out of the log with the rest."""
    speech = Speech(quiet=frozenset(("aim",)))
    game, narrator = narrated("set aim(Red) to North\nset lead to 2", SECRET, speech)
    lines = [*narrator.tell(game.start().view("Blue").events), *narrator.finish()]

    assert ["lead: 2"] == [line.text for line in lines]
    assert all(line.changes for line in lines)


ROLLS = """
roll fire(s: Ship): d6  [3]
modifier close on roll fire: +1  [3.1]
    when s is Alpha
"""


def test_rolls() -> None:
    """Rolls of one kind stand together; a modifier is shown as it was added."""
    (one,) = told("roll fire(Alpha) as x", ROLLS)
    (three,) = told("repeat 3 times: roll fire(Beta) as x", ROLLS)
    (two,) = told("repeat 2 times: roll fire(Alpha) as x", ROLLS)

    assert _matches(r"fire for Alpha: (\d) \+1 = (\d)", one)
    assert _matches(r"fire for Beta: \d, \d, \d", three)
    assert _matches(r"fire for Alpha: \d, \d \(\+1 each\)", two)


def _matches(pattern: str, text: str) -> bool:
    return re.search(pattern + "$", text) is not None


def test_numbers_that_something_is_about_say_what_they_count() -> None:
    """By the name of the parameter, or as the set words it: with a gap for the number, if it likes."""
    procedure = "procedure p(n: 0..9):\n    roll aim(Red, n) as die\n    add die to lead"
    more = f"roll aim(side, guns: 0..9): d6\n{procedure}"
    plain, worded, placed = (
        told("do p(4)\ndo p(2)", more, Speech(names=names))[0].partition(":")[0]
        for names in ({}, {"guns": "cannon"}, {"guns": "cannon", "aim.guns": "{} to fire"})
    )

    assert ["aim (Red, guns 4)", "aim (Red, cannon 4)", "aim (Red, 4 to fire)"] == [plain, worded, placed]


def test_parts_have_the_word_of_the_rules() -> None:
    """In the question, in the answers that are offered, and in the log."""
    more = "choice fleets by Red:\n    split Ship into at most 3 squadron\n"
    game, narrator = narrated("choose fleets as parts", more)
    session = game.start()
    titles = []
    while (asked := session.decision) is not None:
        titles.append([one["title"] for one in narrator.decision(asked)["answers"]])
        session.choose("new part" if asked.part != "Gamma" else "part 1")
    (line,) = [*narrator.tell(session.events), *narrator.finish()]

    assert ["squadron 1", "squadron 2", "new squadron"] == titles[-1]
    assert "Red, fleets: Alpha, Gamma -> squadron 1; Beta -> squadron 2" == line.text


def test_rolls_about_sets() -> None:
    """A roll for several units together names them all."""
    (one,) = told("roll volley({Alpha, Beta}) as x", "roll volley(ships: set of Ship): d6\n")

    assert _matches(r"volley \(Alpha, Beta\): \d", one)


def test_what_comes_of_a_roll_stands_behind_it() -> None:
    """What happens to the one whom the roll is about, with the rule if that is another."""
    (line,) = told("roll fire(Beta) as x  [3]\nmark Beta as lame  [3.2]", ROLLS)

    assert _matches(r"^3  fire for Beta: \d; lame \[3\.2\]", line)


def test_a_title_that_the_rules_write_prevails() -> None:
    """The wording of a name, which may be that of a state, does not replace it; that of the step does."""
    rules = 'state supply: 0..3\nsequence play:\n    step supply "Resupply": add 1 to supply\n'
    made = compile_text(rules, {"ruleset.yaml": MANIFEST})
    assert made.program is not None, made.findings
    program = made.program
    bare = Wording(program, Speech(names={"supply": "points left"}))
    own = Wording(program, Speech(names={"supply": "points left", "step supply": "Supplies"}))

    assert ("points left", "Resupply") == (bare.name("supply"), bare.title("step", "supply", "Resupply"))
    assert "points left" == bare.title("step", "supply")
    assert "Supplies" == own.title("step", "supply", "Resupply")


def test_a_state_of_what_is_asked_about_does_not_repeat_the_answer() -> None:
    """Whatever its words are: the question names whose it is, and the answer its value."""
    more = "state bound: Area or none\nchoice course(ship: Ship) by Red:\n    pick one area from Area\n"
    more = more.replace("state bound", "state bound(s: Ship)")
    game, narrator = narrated("choose course(Beta) as answer\nset bound(Beta) to answer  [2]", more)
    session = game.start(seed=0)
    session.choose("North")

    assert ["Red, course (Beta): North [2]"] == [
        str(line).strip() for line in (*narrator.tell(session.events), *narrator.finish())
    ]


def test_a_question_whose_only_answer_is_no_has_no_line() -> None:
    """Nothing was decided; an only answer that is yes is told."""
    more = "choice {0} by Red:\n    decide\n    forbid x: answer is {1}\n"
    rules = more.format("stay", "true") + more.format("flee", "false")

    assert ["Red, flee: yes (only legal choice)"] == told("choose stay as a\nchoose flee as b", rules)


def test_a_set_words_a_value_of_a_state() -> None:
    """With the state's name and the value's, as for a state that is none."""
    names = {"mood calm": "at peace", "mood none": "without a mood"}
    more = "enum Mood: calm, wild\nstate mood: Mood or none\n"
    lines = told(
        "set mood to wild  [1]\nset mood to calm  [2]\nset mood to none  [3]", more, Speech(names=names)
    )

    assert ["1  mood: wild", "2  at peace", "3  without a mood"] == lines


def test_a_long_rule_takes_its_room_from_the_first_row() -> None:
    """No row is wider than the screen."""
    game, narrator = narrated(f'say "{"again and " * 20}again"  [23.11-B1a:2]')
    (line,) = (*narrator.tell(game.start(seed=0).events), *narrator.finish())
    rows = [left + right for left, right in line.rows(60)]

    assert rows[0].startswith("23.11-B1a:2  again and ") and rows[1].startswith(" " * 12 + "and again")
    assert all(len(row) <= 60 for row in rows)


GOLDEN = {"duel": DUEL, "ferry": FERRY}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_whole_game(name: str, golden: Callable[[str, str], None]) -> None:
    """Two small games, as they are printed."""
    golden(f"cli/game-{name}.txt", rulekit("play", GOLDEN[name], "--agents", "random", "--seed", "7").out)
