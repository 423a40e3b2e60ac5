"""Looking for faults by playing: what is found, how short it is told, and that it is played again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulekit.analysis.check import check
from rulekit.analysis.explore.course import MOST_WORK
from rulekit.diagnostics import Diagnostic
from rulekit.testing import RULES
from tests.unit.cli.running import Ran, rulekit

HEAD = 'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n'
SHOP = """
enum Side: Red, Blue
state gold: 0..9 = 5
state turn: 0..9
roll storm: d6
choice buy by Red:
    number from 0 to gold
    forbid little: answer < 2
choice talk by Blue:
    decide
sequence play:
    repeat 4 times:
        add 1 to turn
        roll storm as wind
        choose talk as said
        when said and wind > 1:
            choose buy as spent
            take spent from gold
    finish turn
"""
"""Buying twice may leave less than two pieces of gold."""


STORMS = """
enum Side: Red, Blue
state losses: 0..36
roll storm: d6
choice sail(side) by side:
    decide
sequence play:
    repeat 3 times:
        for each side in Side:
            choose sail(side) as sailing
            roll storm as wind
            when sailing: add wind to losses
    finish
"""
CALM = "invariant calm: losses < 18\n"
"""Six dice, of which those count that somebody sails under."""


LONG = """
enum Side: Red, Blue
choice yield by Red:
    decide
state turn: 0..9
sequence play:
    repeat until turn = 1, at most 300 times:
        choose yield as yes_or_no
        when yes_or_no: add 1 to turn
    finish
"""
LOTS = """
enum Side: Red, Blue
space Port:
    members 'U.S. Port', South
piece Ship:
    members Alpha, '4E', Gamma
    state damage: 0..9
cup bag of Ship
stack pile(side) of Ship
roll storm: d6
choice sail(side) by side:
    decide
scenario winter:
    roll storm as cold
    choose sail(Red) as first
    when cold > 3 and first: add 2 to '4E'.damage
sequence play:
    for each ship in Ship, by lot:
        roll storm as wind
        choose sail(Red) as out
        when out: add 1 to ship.damage
    draw 2 by lot from Ship as both
    for each s in both: add 1 to s.damage
    put Ship on top of pile(Red)
    shuffle pile(Red)
    draw 1 from pile(Red) as top
    add 1 to top.damage
    add Alpha to bag
    add '4E' to bag
    draw 1 from bag as token
    add 1 to token.damage
    draw 1 by lot from Port as port
"""
"""Every kind of lot, and a set-up with chance and choice."""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder with a manifest, to be filled."""
    (tmp_path / "ruleset.yaml").write_text(HEAD)
    return tmp_path


def told(folder: Path, text: str, games: int = 30, seed: str = "0") -> tuple[Diagnostic, ...]:
    """What a check that plays tells of play."""
    (folder / RULES).write_text(text)
    found = check(folder, play=games, seed=seed, remember=False).diagnostics
    return tuple(each for each in found if each.kind.code > "RK7")


def faults(found: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    """Those that are faults."""
    return [each for each in found if each.kind.code < "RK72"]


def replay(folder: Path, place: Path, *ways: str) -> tuple[Ran, Path]:
    """The replay of the only fault that games come to, and what comes of playing it."""
    rulekit("check", folder, *ways, "--play", "60", "--write-replays", place / "replays")
    (file,) = (place / "replays").glob("*.jsonl")
    return rulekit("play", folder, "--agents", file, "--save", place / "save.json"), file


def fault(ran: Ran) -> str:
    """What a game ended in."""
    assert 2 == ran.code
    return next(line for line in ran.err.splitlines() if "play stopped" in line)


class TestFaults:
    def test_the_shortest_game_is_told(self, made: Path) -> None:
        """Everything is spent at once, and one more is asked for: three answers."""
        found = told(made, SHOP)
        (fault,) = faults(found)

        assert "RK709" == fault.kind.code and fault.message.endswith("; after 3 answers")
        assert fault.replay is not None
        assert ["Red: `buy`: 5"] == [line for line in fault.replay.words if "`buy`" in line]
        assert ["RK709", "RK720"] == [each.kind.code for each in found]

    def test_the_same_seed_finds_the_same(self, made: Path) -> None:
        """And the fault is the same under any seed."""
        first, again, other = told(made, SHOP), told(made, SHOP), told(made, SHOP, seed="tea")

        assert first == again
        assert [each.id for each in first] == [each.id for each in other]

    def test_one_cause_is_one_finding(self, made: Path) -> None:
        """However many scenarios come to it; they are named."""
        scenarios = "scenario rich:\n    set gold to 6\nscenario poor:\n    set gold to 3\n"
        (fault,) = faults(told(made, SHOP + scenarios))

        assert "RK709" == fault.kind.code and "in `" in fault.message

    def test_dice_that_fall_badly(self, made: Path) -> None:
        """Seven fives and sixes in eight rolls: one fair game in four hundred."""
        text = """
state turn: 1..9 = 1
state losses: 0..6
roll storm: d6
sequence play:
    repeat while turn < 9:
        add 1 to turn
        roll storm as wind
        when wind > 4: add 1 to losses
        when losses = 6 and turn = 2: finish
    finish
"""
        (fault,) = faults(told(made, text))

        assert "RK701" == fault.kind.code
        assert fault.message.endswith("; before any answer")

    def test_who_never_gives_way(self, made: Path) -> None:
        """A loop that ends only by an answer that need not come; told in a few lines."""
        (fault,) = faults(told(made, LONG))

        assert "RK712" == fault.kind.code
        assert fault.replay is not None
        assert ("Red: `yield`: no", "300 times in all: this") == fault.replay.words

    def test_a_broken_promise_is_one(self, made: Path) -> None:
        """An invariant that a game breaks, at the statement that does."""
        text = """
enum Side: Red, Blue
state gold: 0..9 = 5
choice buy by Red:
    number from 0 to gold
sequence play:
    choose buy as spent
    take spent from gold
    finish gold
invariant thrift: gold > 0
"""
        (fault,) = faults(told(made, text))

        assert ("RK714", 8) == (fault.kind.code, fault.span.line)


class TestReplays:
    def test_play_plays_it_again(self, made: Path, tmp_path: Path) -> None:
        """With its dice and answers, up to the fault."""
        (made / RULES).write_text(SHOP)
        folder, save = tmp_path / "replays", tmp_path / "save.json"
        ran = rulekit("check", made, "--play", "30", "--write-replays", folder)
        (file,) = folder.glob("*.jsonl")
        again = rulekit("play", made, "--agents", file, "--save", save)

        assert 1 == ran.code
        assert "RK709-buy.jsonl" == file.name
        assert 2 == again.code and "RK709 no-legal-option" in again.err

    def test_a_broken_promise_is_met_again(self, made: Path, tmp_path: Path) -> None:
        """Whoever plays a replay has promises kept an eye on."""
        (made / RULES).write_text(
            "state turn: 0..9\ninvariant early: turn < 1\nsequence play:\n    add 1 to turn\n    finish\n"
        )
        rulekit("check", made, "--play", "1", "--write-replays", tmp_path / "replays")
        (file,) = (tmp_path / "replays").glob("*.jsonl")
        again = rulekit("play", made, "--agents", file)

        assert 2 == again.code and "RK714" in again.err

    def test_a_game_of_given_dice_is_kept_whole(self, made: Path, tmp_path: Path) -> None:
        """Stopped in its midst and gone on with, the same end; played from its log, the same dice."""
        (made / RULES).write_text(STORMS + CALM)
        at_once, file = replay(made, tmp_path)
        save, other, log = (tmp_path / name for name in ("save.json", "other.json", "log.jsonl"))
        seats = ("--agent", "Red=person", "--agent", f"Blue={file}")
        stopped = rulekit("play", made, *seats, "--save", save, "--log", log, typed="yes\nquit\n")
        kept = json.loads(save.read_text())["dice"]
        resumed = rulekit("play", made, "--resume", save, "--agents", file, "--save", other)
        logged = rulekit("play", made, "--agents", file, "--save", other, "--log", log)
        again = rulekit("play", made, "--agents", log, "--save", other)

        assert 0 == stopped.code and {"storm": [6, 6, 6]} == kept
        assert "RK714 broken-invariant" in at_once.err
        assert [fault(at_once)] * 2 == [fault(resumed), fault(logged)]
        assert logged.out.split("\n")[1:] == again.out.split("\n")[1:]

    def test_options_are_those_of_the_replay(self, made: Path, tmp_path: Path) -> None:
        """Whoever names none has them; they are named in the command that goes on."""
        (made / "ruleset.yaml").write_text(HEAD + "options: [calm]\n")
        (made / RULES).write_text(STORMS)
        (made / "options").mkdir()
        (made / "options" / "calm.rules").write_text(CALM)
        ran, _ = replay(made, tmp_path, "--with", "calm")

        assert "RK714 broken-invariant" in ran.err and "--with calm" in ran.err

    def test_other_rules_are_told(self, made: Path, tmp_path: Path) -> None:
        """A replay of rules that were mended since need not come to its end."""
        (made / RULES).write_text(STORMS + CALM)
        ran, file = replay(made, tmp_path)
        (made / RULES).write_text(STORMS)
        mended = rulekit("play", made, "--agents", file, "--save", tmp_path / "other.json")

        assert "other rules" not in ran.err
        assert "the rules or data have changed" in mended.err and "broken-invariant" not in mended.err

    @pytest.mark.parametrize(
        ("dice", "said"),
        [
            (3, "invalid dice in the replay"),
            ({"storm": 3}, "invalid dice in the replay"),
            ({"storm": ["x"]}, "invalid dice in the replay"),
            ([1], "invalid dice in the replay"),
            ({"storm": [7]}, "`storm` has no 7 on its 6 sides"),
            ({"gale": [1]}, "there is no roll `gale`"),
        ],
    )
    def test_dice_that_are_none(self, made: Path, tmp_path: Path, dice: object, said: str) -> None:
        """A file of a stranger's is told, whatever it has there."""
        (made / RULES).write_text(SHOP)
        file = tmp_path / "game.jsonl"
        file.write_text(json.dumps({"kind": "start", "seed": "1", "replay": {"dice": dice}}) + "\n")
        ran = rulekit("play", made, "--agents", file)

        assert 2 == ran.code and said in ran.err

    def test_replays_need_games(self, made: Path, tmp_path: Path) -> None:
        """And where no game ends in a fault, nothing is written."""
        (made / RULES).write_text("sequence play:\n    finish\n")
        wrong = rulekit("check", made, "--write-replays", tmp_path / "replays")
        none = rulekit("check", made, "--play", "2", "--write-replays", tmp_path / "replays")

        assert 2 == wrong.code
        assert 0 == none.code and not (tmp_path / "replays").exists()


class TestExamples:
    """The game of a finding as an example: it is kept beside the rules, and holds there."""

    def kept(self, folder: Path, text: str) -> str:
        """The only example that a check writes down; the tests of the set run it."""
        (folder / RULES).write_text(text)
        rulekit("check", folder, "--play", "200", "--write-examples", folder / "found.rules")
        ran = rulekit("test", folder)
        assert (0, True) == (ran.code, "1 of 1 example" in ran.out + ran.err)
        return (folder / "found.rules").read_text(encoding="utf-8")

    def test_lots_and_a_set_up_with_dice(self, made: Path) -> None:
        """What is drawn is given, and the set-up is run with its dice and answers."""
        promised = self.kept(made, LOTS + "invariant afloat: '4E'.damage < 6\n")

        assert "    when do winter\n    when do play\n    dice storm: " in promised
        for point in ("play.ship", "play.both", "shuffle.pile", "bag"):
            assert f"    draws {point}: " in promised
        assert promised.endswith("    then breaks afloat\n")

    def test_a_fault_of_lots(self, made: Path) -> None:
        """The last lot is the one that does it."""
        text = self.kept(made, LOTS + "    when port is 'U.S. Port': take 9 from '4E'.damage\n")

        assert "    draws play.port: 'U.S._Port'\n" in text and text.endswith("    then fault\n")

    def test_a_long_game(self, made: Path) -> None:
        """Lines stay short; not all of them are shown, and all are written."""
        (made / RULES).write_text(LONG)
        shown = rulekit("check", made, "--play", "5", "--select", "RK7").out
        text = self.kept(made, LONG)

        assert "lines more, which `--write-examples FILE` writes down" in shown
        assert 300 == text.count("false")
        assert max(map(len, text.splitlines()[2:])) <= 100


class TestHowFar:
    def test_all_courses_of_a_small_game(self, made: Path) -> None:
        """Six dice and two answers: twelve games, and there is no other."""
        text = """
enum Side: Red, Blue
choice talk by Blue:
    decide
roll storm: d6
sequence play:
    roll storm as wind
    choose talk as said
    when said and wind = 7: finish Red
    finish Blue
"""
        (note,) = told(made, text, 1)

        assert note.message.startswith("every course of the game was played")

    def test_a_game_that_is_left(self, made: Path) -> None:
        """Nobody knows whether it ends: a check that found nothing else ends with 3."""
        (made / RULES).write_text("""
enum Side: Red, Blue
choice talk by Blue:
    decide
sequence play:
    repeat 20000 times: choose talk
    finish Blue
""")
        ran = rulekit("check", made, "--play", "1", "--select", "RK7")

        assert 3 == ran.code and "stopped after 10,000 answers" in ran.out

    def test_games_that_take_too_long(self, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """There is an end to what a check does, whatever the rules do; it is told."""
        monkeypatch.setattr(
            "rulekit.analysis.explore.course.Player.tired",
            property(lambda self: self.left < MOST_WORK - 1_000_000),
        )
        text = """
roll storm: 6d6
state turn: 0..9
sequence play:
    roll storm as wind
    repeat 900 times:
        repeat 10 times: set turn to smaller(9, wind)
    finish
"""
        (bound,) = (each for each in told(made, text, 50) if each.kind.code == "RK721")

        assert "they take too long" in bound.message

    def test_answers_that_lead_back(self, made: Path) -> None:
        """To name a ship and no port changes nothing: two answers, that can be given again and again."""
        text = """
enum Side: Red, Blue
space Port:
    members North, South
piece Ship:
    members Alpha, Beta
state moves: 0..9
choice mover by Red:
    pick one ship from Ship
choice goal by Red:
    pick one port from Port, or none
sequence play:
    repeat while moves < 2:
        choose mover as ship
        choose goal as port
        when port is not none:
            move ship to port
            add 1 to moves
    finish
"""
        (found,) = (each for each in told(made, text, 60) if each.kind.code == "RK723")

        assert (
            "2 answers to `goal`, `mover` lead back to the same position; for example, after answer 0"
            in found.message
        )
        assert found.replay is not None and 2 == len(found.replay.words)
        assert found.example.endswith("    answers goal: none\n    then asks mover\n")
        assert "RK721" not in {each.kind.code for each in told(made, text, 60)}

    def test_what_nobody_came_to(self, made: Path) -> None:
        """Is a note; so is nothing to play a matter that is told."""
        text = """
roll storm: d6
roll gale: d6
state turn: 0..9
sequence play:
    roll storm as wind
    when wind > 6 - turn: roll gale
    finish
"""
        (note,) = told(made, text, 3)
        (made / "ruleset.yaml").write_text(HEAD.replace("sequence: play\n", ""))
        (nothing,) = told(made, text)

        assert "never reached roll `gale`" in note.message
        assert "RK721" == nothing.kind.code


class TestClaims:
    """`never C` where no proof is found: games are asked."""

    TEXT = """
state turn: 0..9
state gold: 0..9
roll storm: d6
sequence play:
    repeat while turn < LAST:
        add 1 to turn
        roll storm as wind
        when wind = 3: add 1 to gold
    finish
claim poor: never gold > MOST                   [1]
"""

    def claim(self, folder: Path, last: int, most: int) -> tuple[Diagnostic, ...]:
        """What is told of the claim, without `--play`."""
        (folder / RULES).write_text(self.TEXT.replace("LAST", str(last)).replace("MOST", str(most)))
        found = check(folder, remember=False).diagnostics
        return tuple(each for each in found if each.kind.code.startswith("RK41"))

    def test_refuted(self, made: Path) -> None:
        """Two threes: the game is told, and where it comes about."""
        (found,) = self.claim(made, 3, 1)

        assert "RK411" == found.kind.code and "in a game `gold > 1` is true" in found.message
        assert found.replay is not None
        assert any("storm" in line for line in found.replay.words)

    def test_proved(self, made: Path) -> None:
        """Three rolls give three at most: all games were played."""
        assert () == self.claim(made, 3, 3)

    def test_undecided(self, made: Path) -> None:
        """Too many games for all, and none of a few comes to it."""
        (found,) = self.claim(made, 9, 8)

        assert "RK416" == found.kind.code


SUMS = """
enum Side: Red, Blue
piece Weight:
    members {weights}
    grams: 1..500 = (400 when it is Weight_1 otherwise 1)
choice weigh by Red:
    pick any weight from Weight
    require exact: total grams in chosen mod 97 = 12
sequence play:
    choose weigh as chosen_ones
    finish
"""


def long_searches(folder: Path, weights: int) -> list[str]:
    """The findings of a check that plays which are about searches."""
    (folder / RULES).write_text(SUMS.format(weights=weights))
    found = check(folder, play=5, seed="0", remember=False).diagnostics
    return [one.message for one in found if one.kind.name in ("long-search", "unbounded-norm")]


def test_a_long_search_is_reported_with_its_length(made: Path) -> None:
    """Of so few weights no static finding speaks: what counts is what a game has seen."""
    (message,) = long_searches(made, 9)
    assert "`weigh`" in message and "judged 4,0" in message


def test_a_short_search_is_not_reported(made: Path) -> None:
    """The same with few weights."""
    assert [] == long_searches(made, 5)
