"""A person at the table: what is asked, what may be typed, and what comes of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulekit.cli.table.commands import HELP_LINES
from rulekit.cli.table.person import HELP
from rulekit.cli.table.typed import COMMANDS
from rulekit.runtime.play import Event
from rulekit.runtime.play.seen.seen_events import _Reader
from rulekit.runtime.support.trace import Entry
from tests.unit.cli.running import DUEL, FERRY, Ran, rulekit

MARSH = """\
enum Side: Red
space Gate:
    members 'Fen Gate', 'Fen Mill', Tower
piece Gull:
    members Ada, Bo, Cy, Di
state seen: 0..9
choice way by Red:
    pick one gate from Gate
choice flock by Red:
    pick any gull from Gull
    forbid shy: gull is Di
        unless Ada is chosen
choice count_of by Red:
    number from 2 to 5
choice go by Red:
    decide
sequence play:
    choose way as gate
    choose flock as gulls
    choose count_of as n
    set seen to n
    choose go as wish
    finish Red
"""
"""A set for questions that the ferry does not ask."""


@pytest.fixture
def marsh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The marsh's folder."""
    folder = tmp_path_factory.mktemp("marsh")
    (folder / "marsh.rules").write_text(MARSH)
    (folder / "ruleset.yaml").write_text('id: marsh\ntitle: Marsh\nlanguage: "0.2"\nsequence: play\n')
    return folder


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saves go to the working directory."""
    monkeypatch.chdir(tmp_path)


def typed(*lines: str, folder: Path = FERRY) -> Ran:
    """A game with these lines typed, to its beginning only: it ends with the input."""
    return rulekit("play", folder, "--seed", "4", typed="".join(line + "\n" for line in lines))


def asked(ran: Ran) -> list[str]:
    """The questions, in order."""
    return re.findall(r"^(?:> )*\? (.*?)(?: {2,}.*)?$", ran.err, re.M)


def before_the_end(ran: Ran) -> str:
    """What was said until the input ended; a prompt has no line of its own, for nobody typed into it."""
    return ran.err.rpartition("> \n\nGame saved.")[0]


def replies(*lines: str, folder: Path = FERRY) -> list[str]:
    """What is said to the last of the lines."""
    before = before_the_end(typed(*lines[:-1], folder=folder))
    after = before_the_end(typed(*lines, folder=folder))
    assert after.startswith(before + "> ")
    return [line.strip() for line in after.removeprefix(before + "> ").splitlines()]


def test_a_question() -> None:
    """Who decides what by which rule, where play stands; the options; what is not legal, and why."""
    question = before_the_end(typed()).splitlines()

    assert ["? Red: landing (Swift) [2]", "A day > Landings"] == re.split(r" {2,}", question[0])
    assert ["  1 South  2 The Fen  3 none", "  unavailable, forbidden [2:1]: North"] == question[1:]


AMOUNTS = {
    "any": ", any number",
    "up to 2": ", up to 2 of these",
    "up to 4": ", any number",
    "some": ", at least 1 of these",
    "exactly 2": ", 2 of these",
    "exactly seen + 3": ", 3 of these",
    "up to seen + 1": ", up to 1 of these",
}


@pytest.mark.parametrize("amount", AMOUNTS)
def test_a_question_says_how_many_it_wants(amount: str, marsh: Path) -> None:
    """An amount that depends on the game is worked out; one of all that are offered is any number."""
    rules = marsh / "marsh.rules"
    rules.write_text(MARSH.replace("pick any gull from Gull", f"pick {amount} gull from Gull"))

    assert f"Red: flock{AMOUNTS[amount]}" == asked(typed("tower", folder=marsh))[-1]


@pytest.mark.parametrize("answer", ["2", "The_Fen", "the fen", "THE FEN", "  the   fen ", "th", "fen"])
def test_an_answer_may_be_typed_in_many_ways(answer: str) -> None:
    """Its number, its name in any case, or the beginning of a word of it."""
    ran = typed(answer)

    assert "       2  Red, landing (Swift): The Fen" in ran.out.splitlines()
    assert ["Red: landing (Swift) [2]", "Red: landing (Heron) [2]"] == asked(ran)


@pytest.mark.parametrize(
    "wrong, said",
    [
        ("0", ["choose a number from 1 to 3"]),
        ("4", ["choose a number from 1 to 3"]),
        ("99999999999999999999", ["choose a number from 1 to 3"]),
        ("zebra", ["not a legal answer: `zebra` (type `?` for help)"]),
        ("-1", ["not a legal answer: `-1` (type `?` for help)"]),
        ("Swift", ["Swift is not what this question asks for: name one of the answers above"]),
        ("north", ["forbidden [2:1]", "place of Swift is North", "2:1: No boat goes where it is"]),
        ("nor", ["forbidden [2:1]", "place of Swift is North", "2:1: No boat goes where it is"]),
    ],
)
def test_a_wrong_answer_is_told_what_is_wrong(wrong: str, said: list[str]) -> None:
    """A line, and the same question stands; a forbidden one is told with the rule's own words."""
    assert said == replies(wrong)
    assert 1 == len(asked(typed(wrong)))


@pytest.mark.parametrize("word", ["?", "help", "", "why"])
def test_help(word: str) -> None:
    """What can be typed, each with a line."""
    assert [line.strip() for line in [*HELP.splitlines(), *HELP_LINES.splitlines()]] == replies(word)


def test_help_names_every_word() -> None:
    """What is understood is told."""
    told = set(re.findall(r"^  (\w+|\?)", f"{HELP}\n{HELP_LINES}", re.M))

    assert {"why", "show", "undo", "save", "quit", "?"} <= told
    assert told - {"NUMBER", "NAME", "?"} <= set(COMMANDS)


def test_why() -> None:
    """Of something legal too."""
    assert ["The Fen is legal"] == replies("why fen")
    assert ["forbidden [2:1]", "place of Swift is North", "2:1: No boat goes where it is"] == replies(
        "why North"
    )


def test_several_that_begin_alike(marsh: Path) -> None:
    """The person is asked which."""
    assert ["which one: Fen Gate, Fen Mill?"] == replies("fen", folder=marsh)


def test_undo_goes_back_to_the_last_answer() -> None:
    """And asks it again; another answer may be given."""
    ran = typed("south", "undo", "fen")

    assert ["Red: landing (Swift) [2]", "Red: landing (Heron) [2]"] * 2 == asked(ran)
    assert "  undone\n" in ran.err
    assert "landing (Swift): The Fen" in ran.out


def test_undo_stops_where_play_begins_and_at_dice() -> None:
    """What is known cannot be unknown."""
    nothing = ["cannot undo: dice were rolled or something was revealed since, or the game starts here"]

    assert nothing == replies("undo")
    assert nothing == replies("south", "none", "swift", "done", "undo")


def test_undo_in_the_middle_of_an_answer() -> None:
    """What was given of it before is kept; the beginning of the answer can be taken back too."""
    once, twice = (
        typed("south", "none", "swift", "heron", "undo"),
        typed("south", "none", "swift", "undo", "undo"),
    )

    assert "so far: Swift" in once.err.rpartition("undone")[2]
    assert ["Red: crew, any number [3]", "Red: crew, any number [3]", "Red: landing (Heron) [2]"] == asked(
        twice
    )[-3:]


def test_an_answer_of_several_parts_is_shown_as_it_grows(marsh: Path) -> None:
    """And told once it is whole."""
    ran = typed("tower", "bo", "cy", "done", folder=marsh)

    assert "so far: Bo, Cy" in ran.err
    assert "          Red, flock: Bo, Cy" in ran.out.splitlines()


@pytest.mark.parametrize("line", ["ada, bo, done", "1, 2, done", "Bo,1 , done", " ada ,, b,done"])
def test_several_answers_on_one_line(line: str, marsh: Path) -> None:
    """Names, and numbers of the list that is shown; the questions between are not asked."""
    ran = typed("tower", line, folder=marsh)

    assert ["Red: way", "Red: flock, any number", "Red: count of"] == asked(ran)
    assert re.search(r"Red, flock: (Ada, Bo|Bo, Ada)$", ran.out, re.MULTILINE)


@pytest.mark.parametrize("line", ["1-2, done", "1 - 2,done", "1-2,5"])
def test_a_range_of_numbers(line: str, marsh: Path) -> None:
    """Stands for the answers with these numbers in the list that is shown."""
    ran = typed("tower", line, folder=marsh)

    assert "Red, flock: Ada, Bo" in ran.out
    assert "Red: count of" == asked(ran)[-1]


def test_a_range_that_is_none(marsh: Path) -> None:
    """The list has no such numbers; nothing is answered."""
    assert ["choose a number from 1 to 5"] == replies("tower", "2-9", folder=marsh)
    assert ["choose a number from 1 to 5"] == replies("tower", "3-2", folder=marsh)


def test_one_answer_for_the_rest() -> None:
    """It answers this question and all like it; another choice is asked again."""
    ran = typed("rest none")

    assert ["Red: landing (Swift) [2]", "Red: crew, any number [3]"] == asked(ran)
    assert 2 == ran.out.count("Red, landing") and ran.out.count(": none") >= 2


def test_one_answer_for_the_rest_of_a_choice_of_several(marsh: Path) -> None:
    """It is given once, and nothing more; where more must be picked, the question is asked again."""
    more = MARSH.replace("pick any gull", "pick at least 2 gull")
    ended = typed("tower", "rest ada", folder=marsh)
    (marsh / "marsh.rules").write_text(more)
    asks = typed("tower", "rest ada", folder=marsh)

    assert ["Red: way", "Red: flock, any number", "Red: count of"] == asked(ended)
    assert "Red, flock: Ada" in ended.out
    assert "so far: Ada" in asks.err and "typed before" not in asks.err


def test_an_answer_for_the_rest_that_is_not_legal_there() -> None:
    """The question is asked, and the rule told, after the answer that it forbids."""
    ran = typed("rest fen")

    assert ["Red: landing (Swift) [2]", "Red: landing (Heron) [2]"] == asked(ran)
    assert "Heron" in ran.err and "2:2" in ran.err
    assert 1 == ran.err.count("\n  typed before: The Fen\n")


def test_one_answer_for_several_names() -> None:
    """Each question about one of them is answered when it comes; others are asked."""
    ran = typed("heron, swift -> south", "swift, done")

    assert ["Red: landing (Swift) [2]", "Red: crew, any number [3]"] == asked(ran)[:2]
    assert "Red, landing (Heron): South" in ran.out


def test_names_whose_question_comes_later() -> None:
    """They are kept, and this question is still open; one that nobody has is refused."""
    kept = typed("heron -> south", "none")
    wrong = replies("heron, swif -> south", "eve -> south")

    assert "kept for their questions" in kept.err and "Red, landing (Heron): South" in kept.out
    assert "unknown name `eve`; nothing is kept" in wrong


def test_names_are_kept_while_a_person_looks_around() -> None:
    """Not after a wrong answer, for then the person may mean something else."""
    kept = typed("heron -> south", "why fen", "show", "?", "none")
    wrong = typed("heron -> south", "eve", "none", "none")

    assert "Red, landing (Heron): South" in kept.out
    assert "Red, landing (Heron): none" in wrong.out


def test_a_wrong_answer_among_several(marsh: Path) -> None:
    """Those before it stand, those behind it are dropped, and the question is asked."""
    ran = typed("tower", "ada, eve, bo", folder=marsh)

    assert ["Red: way", "Red: flock, any number", "Red: flock, any number"] == asked(ran)
    assert "not a legal answer: `eve`" in ran.err and "so far: Ada" in ran.err


def test_an_answer_too_many(marsh: Path) -> None:
    """What is left over is not taken for an answer to something else."""
    ran = typed("tower", "done, 3", folder=marsh)

    assert "not used: Cy\n" in ran.err
    assert "Red: count of" == asked(ran)[-1]


def test_what_must_be_chosen_too_is_told(marsh: Path) -> None:
    """Di was picked: without Ada the answer cannot end; the norm that says so is named."""
    said, term = replies("tower", "di", "done", folder=marsh)

    assert "(shy)" in said
    assert "Ada is not in chosen (Di)" == term


def test_none_of_those_left_is_done(marsh: Path) -> None:
    """After a pick, where nothing more is `done`, `none` is that."""
    done = typed("tower", "ada", "done", folder=marsh).out

    assert done == typed("tower", "ada", "none", folder=marsh).out
    assert done == typed("tower", "ada", "no", folder=marsh).out


@pytest.mark.parametrize("word", ["none", "done", "no"])
def test_any_word_that_ends_declines(word: str) -> None:
    """One need not remember which of them the question lists; `no` begins no name there."""
    assert "Red, landing (Swift): none" in typed(word).out


def test_a_question_that_cannot_be_declined(marsh: Path) -> None:
    """The person reads so, whichever word was typed."""
    for word in ("none", "done", "no"):
        assert [f"`{word}` is not possible here: name one of the answers above"] == replies(
            word, folder=marsh
        )


def test_a_question_for_a_number_gives_the_range(marsh: Path) -> None:
    """Whatever was typed."""
    for wrong in ("9", "many", "2-3", "none"):
        assert ["choose a number: 2 to 5"] == replies("tower", "ada", "done", wrong, folder=marsh)


def test_many_numbers_are_shown_as_runs(marsh: Path) -> None:
    """A few are listed one by one; of many, those that follow one another are one run."""
    rules = MARSH.replace("number from 2 to 5", "number from 2 to 40\n    forbid gone: answer = 30")
    (marsh / "marsh.rules").write_text(rules)

    assert "  2 to 29  31 to 40" in before_the_end(typed("tower", "done", folder=marsh)).splitlines()


def test_many_coordinates_are_shown_as_runs(marsh: Path) -> None:
    """After the places that have names; also where a number is none of them."""
    spots = ", ".join(f"'{number:04}'" for number in (*range(998, 1010), 1205))
    rules = MARSH.replace("'Fen Gate', 'Fen Mill', Tower", f"Fen_Gate, {spots}, Tower")
    (marsh / "marsh.rules").write_text(rules)

    assert "  Fen Gate  Tower  0998 to 1009  1205" in before_the_end(typed(folder=marsh)).splitlines()
    assert ["legal answers: Fen Gate, Tower, 0998 to 1009, 1205"] == replies("7", folder=marsh)


def test_a_very_long_list_is_cut(marsh: Path) -> None:
    """The words that end the answer stay, and `list` prints all; a name that is cut is as good as any."""
    names = ", ".join(
        f"'{letter} {word}'" for letter in "ABCDEFG" for word in "red grey blue white pink".split()
    )
    more = ", ".join(
        f"'{letter} {word}'" for letter in "HIJKLMN" for word in "red grey blue white pink".split()
    )
    (marsh / "marsh.rules").write_text(MARSH.replace("Ada, Bo, Cy, Di", f"Ada, Di, {names}, {more}"))
    question = " ".join(before_the_end(typed("tower", folder=marsh)).split())

    assert " 60 L blue 73 done and more: of 73 legal answers, `list` prints all" in question
    assert any(line.endswith("72 N pink  73 done") for line in replies("tower", "list", folder=marsh))
    assert "Red, flock: N pink" in typed("tower", "n pink, done", folder=marsh).out


def test_coordinates_with_letters_are_shown_as_runs(marsh: Path) -> None:
    """By their letters; those with a name keep their number in the list."""
    spots = ", ".join(f"{column}{row}" for column in "ab" for row in range(118, 125))
    rules = MARSH.replace("'Fen Gate', 'Fen Mill', Tower", f"Fen_Gate, {spots}, Tower, c7")
    (marsh / "marsh.rules").write_text(rules)

    listed = "  1 Fen Gate  16 Tower  a118 to a124  b118 to b124  c7"
    assert listed in before_the_end(typed(folder=marsh)).splitlines()
    assert "Red, way: b119" in typed("B119", folder=marsh).out
    assert "Red, way: Tower" in typed("16", folder=marsh).out


def test_a_very_long_list_is_not_in_a_refusal(marsh: Path) -> None:
    """A number that is none of hundreds of coordinates."""
    spots = ", ".join(f"'{number:04}'" for number in range(1000, 1200, 2))
    rules = MARSH.replace("'Fen Gate', 'Fen Mill', Tower", f"Fen_Gate, {spots}, Tower")
    (marsh / "marsh.rules").write_text(rules)

    assert ["legal answers: `list` prints all"] == replies("7", folder=marsh)


@pytest.mark.parametrize("word", ["done", "none", "no"])
def test_too_few_are_counted(word: str, marsh: Path) -> None:
    """Whichever word ends the answer, the person reads how many must be picked."""
    (marsh / "marsh.rules").write_text(MARSH.replace("pick any gull", "pick at least 2 gull"))

    assert ["at least 2 must be picked; so far 1"] == replies("tower", "ada", word, folder=marsh)


def test_legal_answers_are_listed_in_words(marsh: Path) -> None:
    """Where a number may be the name of a place."""
    rules = MARSH.replace("'Fen Gate', 'Fen Mill', Tower", "Fen_Gate, '1132', Tower")
    (marsh / "marsh.rules").write_text(rules)

    assert ["legal answers: Fen Gate, 1132, Tower"] == replies("7", folder=marsh)


def test_a_number_is_typed_as_it_is(marsh: Path) -> None:
    """It is no place in a list."""
    ran = typed("tower", "done", "3", folder=marsh)

    assert "          Red, count of: 3" in ran.out.splitlines()
    assert [True] == [
        "no answer" in line or "5" in line for line in replies("tower", "done", "9", folder=marsh)
    ]


def test_questions_and_names_are_in_words(marsh: Path) -> None:
    """The set's words for a choice, names beside numbers in words, and the reason that `none` is refused."""
    (marsh / "messages").mkdir()
    (marsh / "messages" / "en.yaml").write_text(
        "format: 1\nlanguage: en\nnames:\n  way: gate to go through\n", encoding="utf-8"
    )
    rules = MARSH.replace("'Fen Gate', 'Fen Mill', Tower", "Fen_Gate, '1132', Tower")
    (marsh / "marsh.rules").write_text(rules, encoding="utf-8")

    question = before_the_end(typed(folder=marsh)).splitlines()
    assert ["? Red: gate to go through", "  Fen Gate  1132  Tower"] == question
    assert ["`none` is not possible here: name one of the answers above"] == replies("none", folder=marsh)
    assert "Red, gate to go through: Fen Gate" in typed("fen gate", folder=marsh).out


def test_yes_or_no(marsh: Path) -> None:
    """A decision may be made with a letter, and the game ends."""
    ran = typed("tower", "done", "3", "y", folder=marsh)

    assert (0, "result: Red") == (ran.code, ran.out.splitlines()[-1])
    assert "          Red, go: yes" in ran.out.splitlines()


def test_show() -> None:
    """A piece with what is fixed and what changed; a place and who is there; a state; the game as a whole."""
    assert ["Swift  (Boat)  at North", "side Red; load 1"] == replies("show swift")
    assert ["North  (Harbour)", "here: Swift, Heron, Otter"] == replies("show North")
    assert ["The Fen  (Harbour)", "here: nobody"] == replies("show fen")
    assert ["tolls:", "Red: 0", "Blue: 0"] == replies("show tolls")
    assert ["North: Swift, Heron, Otter", "day: 1"] == replies("show")
    assert ["unknown name `swfit`; similar: Swift"] == replies("show swfit")


FLEET = """\
enum Side: Red
space Sea:
    members Bay, Sound, Strait
piece Ship from "ships.yaml":
    gunnery, speed: 0..9
    state damage: 0..9
    state seen: flag
choice course(s: Ship) by Red:
    pick one goal from Sea
choice lead by Red:
    pick one ship from Ship, or none
scenario war "War":
    for each s in Ship:
        move s to Bay
        set s.damage to 1
        move s to Sound
        set s.damage to 2
sequence play:
    phase sailing "Sailing":
        choose lead as flag_ship
        for each s in Ship:
            choose course(s) as goal
            move s to goal
        set Alpha.damage to 4
        mark Beta as seen
        choose lead as other
        finish Red
"""
SHIPS = """\
format: 1
about: Ships.
source: {BOOK: the booklet}
populations:
  Ship:
    columns: [name, gunnery, speed]
    confidence: {default: printed}
    rows:
"""


@pytest.fixture
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ships with figures on them, that are set up by many changes."""
    folder = tmp_path_factory.mktemp("fleet")
    (folder / "fleet.rules").write_text(FLEET)
    names = ("Alpha", "Beta", "Gamma", *(f"Sloop {n}" for n in range(4, 14)))
    (folder / "ships.yaml").write_text(
        SHIPS + "".join(f"      - [{name}, {n % 9}, {9 - n % 9}]\n" for n, name in enumerate(names, 1))
    )
    (folder / "ruleset.yaml").write_text('id: fleet\ntitle: Fleet\nlanguage: "0.2"\nsequence: play\n')
    block = "{roster: [Ship], by: place, factors: [gunnery, speed]}"
    (folder / "sheet.yaml").write_text(f"format: 1\nparts: [{{title: Ships, blocks: [{block}]}}]\n")
    return folder


def test_figures_are_beside_names(fleet: Path) -> None:
    """What is printed on a piece, and what is not as it was when play began; below, what the figures are."""
    ran = typed("none", "rest sound", folder=fleet)
    _, first, course, last = re.split(r"\? Red: (?:lead|course)", ran.err)

    assert (
        " (Alpha)" in course and "  Alpha 1-8" in course.splitlines() and "figures: gunnery-speed" in course
    )
    assert "1 Alpha 1-8  2 Beta 2-7  3 Gamma 3-6" in first
    assert "1 Alpha 1-8, damage 4  2 Beta 2-7, seen  3 Gamma 3-6" in last
    assert "figures: gunnery-speed" in first and "figures: gunnery-speed" in last


def test_one_figure_has_its_name(fleet: Path) -> None:
    """So nobody takes it for a part of the piece's name; a block that no sheet prints will do."""
    (fleet / "sheet.yaml").write_text(
        "format: 1\nfigures: [{counters: [Ship], factors: [speed]}]\nparts: []\n"
    )
    ran = typed("none", folder=fleet)

    assert "1 Alpha speed 8  2 Beta speed 7  3 Gamma speed 6" in ran.err
    assert "figures:" not in ran.err


def test_a_figure_below_zero_is_in_brackets(fleet: Path) -> None:
    """A sign is not taken for the mark between two figures."""
    path = fleet / "ships.yaml"
    path.write_text(path.read_text().replace("[Alpha, 1, 8]", "[Alpha, 1, -8]"))
    (fleet / "fleet.rules").write_text(FLEET.replace("speed: 0..9", "speed: -9..9"))

    assert "1 Alpha 1-(-8)  2 Beta 2-7" in typed("none", folder=fleet).err


def test_a_long_set_up_is_short(fleet: Path) -> None:
    """A person reads how long it was, and looks at it with `show`; the log of other players has it all."""
    person = typed("show", folder=fleet)
    others = rulekit("play", fleet, "--seed", "4", "--agents", "first-legal")

    assert "set up, in 13 lines of the log; `show` prints who is where" in person.out
    assert "damage" not in person.out and "damage" in others.out
    assert "Sound: Alpha, Beta, Gamma, Sloop 4" in person.err


def test_save_and_go_on(tmp_path: Path) -> None:
    """`save` writes at once, under the name that is given; play goes on."""
    ran = typed("south", "save here.json", "none")

    assert "  saved as here.json" in ran.err
    assert ["Red: landing (Swift) [2]", "Red: landing (Heron) [2]", "Red: crew, any number [3]"] == asked(ran)
    saved = rulekit("play", FERRY, "--resume", "here.json", typed="")
    assert ["Red: landing (Heron) [2]"] == asked(saved)


@pytest.mark.parametrize("word", ["quit", "q", "exit", "QUIT"])
def test_quit_saves_and_says_how_to_go_on(word: str, tmp_path: Path) -> None:
    """The command it names goes on where play stood."""
    ran = typed("south", word)

    (place,) = tmp_path.iterdir()
    assert 0 == ran.code
    assert f"Game saved. To resume: rulekit play {FERRY} --resume {place.name}" in ran.err
    again = rulekit("play", FERRY, "--resume", place.name, typed="")
    assert ["Red: landing (Heron) [2]"] == asked(again)


@pytest.mark.parametrize("text", [None, "", "south", "south\nnone"], ids=["closed", "empty", "one", "two"])
def test_the_input_ends(text: str | None, tmp_path: Path) -> None:
    """A standard input that is closed, or ends, ends the command; the game is saved."""
    ran = rulekit("play", FERRY, "--seed", "4", typed=text)

    assert 2 == ran.code
    assert "rulekit: the input ended before the game did" == ran.err.splitlines()[-1]
    assert ["ferry.rulekit-save.json"] == [path.name for path in tmp_path.iterdir()]


def test_a_save_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    """Another name is found, unless one was asked for."""
    typed("quit")
    typed("south", "quit")
    names = sorted(path.name for path in tmp_path.iterdir())

    assert ["ferry.rulekit-save-2.json", "ferry.rulekit-save.json"] == names


def test_going_on_saves_where_the_game_came_from(tmp_path: Path) -> None:
    """One game, one file."""
    typed("quit")
    (place,) = tmp_path.iterdir()
    before = json.loads(place.read_text())

    rulekit("play", FERRY, "--resume", place.name, typed="south\nquit\n")

    assert [place] == list(tmp_path.iterdir())
    assert before != json.loads(place.read_text())


def test_a_whole_game_against_the_dice(tmp_path: Path) -> None:
    """Two persons at one keyboard play to the end; the log of it plays again without them."""
    lines = ["south", "1", "done", "fen", "done"] + ["1", "1", "done", "1", "done"] * 3

    ran = rulekit("play", FERRY, "--seed", "4", "--log", "game.jsonl", typed="\n".join(lines) + "\n")

    assert 0 == ran.code
    assert "result: Blue" == ran.out.splitlines()[-1]
    again = rulekit("play", FERRY, "--agents", "game.jsonl", "--log", "again.jsonl")
    assert ran.out == again.out
    assert Path("game.jsonl").read_bytes() == Path("again.jsonl").read_bytes()


READING = """\
enum Side: Red, Blue
state score(side): 0..99
choice gain(side) by side:
    number from 1 to 2
sequence play:
    repeat 8 times:
        for each side in Side:
            choose gain(side) as n
            add n to score(side)
    finish Red
"""


def test_each_event_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question costs what has happened since the last: a long game is as quick as a short one."""
    (tmp_path / "reading.rules").write_text(READING)
    (tmp_path / "ruleset.yaml").write_text('id: reading\ntitle: Reading\nlanguage: "0.2"\nsequence: play\n')
    read: list[Event] = []
    take = _Reader.take

    def count(reader: _Reader, number: int, event: Event, entry: Entry) -> tuple[Event, ...]:
        read.append(event)
        return take(reader, number, event, entry)

    monkeypatch.setattr(_Reader, "take", count)

    ran = rulekit("play", tmp_path, "--log", "log.jsonl", typed="1\n" * 16)

    events = len(Path("log.jsonl").read_text().splitlines()) - 1
    assert 0 == ran.code and 32 <= events
    assert 2 * events == len(read), "each of the two sides reads each event"


def test_what_is_taken_back_is_not_in_the_log() -> None:
    """The log tells the game as it went, not how it was thought about."""
    lines = ["south", "1", "done", "fen", "done"] + ["1", "1", "done", "1", "done"] * 3
    thought = ["fen", "undo", "south", "none", "undo", *lines[1:]]
    rulekit("play", FERRY, "--seed", "4", "--log", "plain.jsonl", typed="\n".join(lines) + "\n")

    rulekit("play", FERRY, "--seed", "4", "--log", "thought.jsonl", typed="\n".join(thought) + "\n")

    assert Path("plain.jsonl").read_bytes() == Path("thought.jsonl").read_bytes()


def test_a_person_does_not_read_a_secret() -> None:
    """What another answers in secret is told when all have answered."""
    ran = rulekit("play", DUEL, "--seed", "3", "--agent", "Red=random", typed="")
    answered = rulekit("play", DUEL, "--seed", "3", "--agent", "Red=random", typed="strike\n")

    assert "act" not in ran.out and ["Blue: act [1]"] == asked(ran)
    assert 1 == answered.out.count("Red, act: ") == answered.out.count("Blue, act: Strike")


RAID = """\
enum Side: Red
piece Gull:
    members Ada, Bo, '21 Cranes'
state shots: 0..99
roll aim: d6
choice prey by Red:
    pick one gull from Gull
choice wing by Red:
    pick one gull from Gull
sequence play:
    repeat 2 times:
        repeat 2 times:
            choose prey as gull
        roll aim as die
        add die to shots
    choose wing as gull
    finish Red
"""


@pytest.fixture
def raid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set that asks one question twice, rolls, and asks again."""
    folder = tmp_path_factory.mktemp("raid")
    (folder / "raid.rules").write_text(RAID)
    (folder / "ruleset.yaml").write_text('id: raid\ntitle: Raid\nlanguage: "0.2"\nsequence: play\n')
    return folder


def test_answers_end_where_dice_are_rolled(raid: Path) -> None:
    """Answers typed ahead do not answer what is asked after a roll, though it is the same choice."""
    ran = typed("Ada, Bo, Ada, Bo", folder=raid)

    assert "not used: Ada, Bo" in ran.err
    assert 2 == len(asked(ran))


def test_number_in_a_name(raid: Path) -> None:
    """A number that is no place in the list is the beginning of the only name that has it."""
    assert not any("which one" in line for line in replies("21", folder=raid))
    assert 2 == len(asked(typed("21", folder=raid)))


BREAKTHROUGH = FERRY.parents[2] / "examples" / "boards" / "breakthrough"


@pytest.mark.parametrize("text", ["d2 d3", "d2 -> d3", "d2->d3", "D2  D3", "10"])
def test_both_values_of_a_move_are_typed(text: str) -> None:
    """With the arrow or without it, or by the number in the list."""
    assert "White, move: d2 -> d3" in typed(text, folder=BREAKTHROUGH).out


def test_the_first_value_alone_asks_which_is_meant() -> None:
    """All moves from there."""
    assert ["which one: d2 -> c3, d2 -> d3, d2 -> e3?"] == replies("d2", folder=BREAKTHROUGH)


def test_why_a_move_is_not_legal() -> None:
    """The reason is about both values."""
    said = " ".join(replies("why d2 d4", folder=BREAKTHROUGH))
    assert said.startswith("d4 is not in goals (d2, White) [4, 5]")
    assert ["d2 -> d3 is legal"] == replies("why d2 d3", folder=BREAKTHROUGH)
    assert ["not a legal answer: `d2 d9` (type `?` for help)"] == replies("d2 d9", folder=BREAKTHROUGH)


def test_of_a_very_large_board_the_places_with_pieces_are_shown(marsh: Path) -> None:
    """The board itself is printed where it is asked for by its name."""
    board = "space Gate, squares in columns a..c, rows 120..1\n"
    rules = MARSH.replace("space Gate:\n    members 'Fen Gate', 'Fen Mill', Tower\n", board)
    rules = rules.replace("sequence play:\n", "sequence play:\n    move {Ada, Cy} to b7\n")
    (marsh / "marsh.rules").write_text(rules)

    whole, one = (typed(asked, folder=marsh).err.splitlines() for asked in ("show", "show gate"))
    assert ">   b7: Ada, Cy" in whole and "  `show Gate` prints the whole board, in 122 lines" in whole
    assert 120 == len(one) - len(whole)
