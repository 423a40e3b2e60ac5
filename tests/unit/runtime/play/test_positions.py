"""Sessions that begin in the middle: at a procedure or step, in a given state, with given chance."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import rulekit
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.play import Game, SaveError, Session
from rulekit.testing import MANIFEST, compile_text, manifest
from tests.unit.runtime.play.games import answer, to_the_end
from tests.unit.runtime.play.games import game as loaded

RULES = """
enum Side: Red, Blue
space Area:
    members North, South, West
    state closed: flag
piece Ship:
    members Ada, Bea, Cid
    side: Side = (Blue when it is Cid otherwise Red)
    state damage: 0..4
    state ready: flag
    place: Area or none = North
state turn: 1..3 = 1
state won: 0..99
cup bag of Ship
stack pile of Ship
roll attack(s: Ship): d6                                        [7.1]
choice fire(s: Ship) by s.side:                                 [5.1]
    decide
choice target(area, worth: 0..9) by Red:                        [5.3]
    pick one s from Ship at area, or none
procedure battle(area, worth: 0..9):
    let bonus: 0..9 = larger(0, worth - 1)
    step shots "Shots" for each s in Ship at area, by lowest its damage:    [5.1]
        choose fire(s) as shot
        when shot:
            roll attack(s) as hit
            add hit to won
    step choosing "Choosing":                                   [5.3]
        choose target(area, bonus) as t
        when t is not none: mark t as ready
procedure count_up(first: 0..9) -> 0..99:
    choose fire(Ada) as shot
    when shot: add first to won
    result won
procedure aside:
    step apart "Apart": choose fire(Bea)                        [9]
scenario late "Late":                                           [3]
    set turn to 2
    move Bea to South
    add Ship to bag
sequence play:                                                  [4]
    phase begin "Begin":                                        [4.1]
        put Ship on top of pile
        shuffle pile
        choose fire(Ada)
    repeat 3 times:
        phase fighting "Fighting":                              [4.2]
            when turn > 1:
                step areas "Areas" for each area in (Area where it is not closed), as Red chooses:   [4.3]
                    let worth: 0..9 = 3
                    do battle(area, worth)
                    mark area as closed
        phase ending "Ending":                                  [4.4]
            step fire "Fire": choose fire(Bea)                  [4.5]
            step draws "Draws":                                 [4.6]
                when bag is not empty:
                    draw 1 from bag as s
                    mark s as ready
        when turn < 3: add 1 to turn
    finish won
invariant sound: every s in Ship has s.damage < 4
invariant early: won < 90
"""


AREA, SOUTH = {"area": "North", "worth": 3}, {"area": "South", "worth": 3}
CHOOSING = ("fighting", "areas", "choosing")


@cache
def game() -> Game:
    """The rules above."""
    made = compile_text(RULES, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None, made.findings
    return Game(made.program)


def asked(session: Session) -> tuple[str, dict[str, Any], tuple[str, ...]]:
    """The open choice, its arguments, and the open steps."""
    decision = session.decision
    assert decision is not None
    return decision.choice, dict(decision.arguments), decision.steps


@pytest.mark.parametrize(
    ("at", "more", "expected"),
    [
        ("begin", {}, ("fire", {"s": "Ada"}, ("begin",))),
        ("4.1", {}, ("fire", {"s": "Ada"}, ("begin",))),
        ("Ending", {}, ("fire", {"s": "Bea"}, ("ending", "fire"))),
        ("play.fire", {"run": 3, "given": {"turn": 3}}, ("fire", {"s": "Bea"}, ("ending", "fire"))),
        ("areas", {"locals": {"area": "South"}}, ("fire", {"s": "Bea"}, ("fighting", "areas", "shots"))),
        ("shots", {"locals": {"area": "North"}}, ("fire", {"s": "Ada"}, ("fighting", "areas", "shots"))),
        ("shots", {"locals": AREA | {"s": "Cid"}}, ("fire", {"s": "Cid"}, ("fighting", "areas", "shots"))),
        ("5.3", {"locals": SOUTH}, ("target", {"area": "South", "worth": 2}, CHOOSING)),
        ("choosing", {"locals": AREA | {"bonus": 9}}, ("target", {"area": "North", "worth": 9}, CHOOSING)),
        ("battle", {"locals": SOUTH}, ("fire", {"s": "Bea"}, ("shots",))),
        ("count_up", {"locals": {"first": 3}}, ("fire", {"s": "Ada"}, ())),
    ],
)
def test_a_position_begins_where_it_is_told(at: str, more: dict[str, Any], expected: Any) -> None:
    """By name, title or number; loops with the member that is given, and conditions on the way as true."""
    assert asked(game().position(at, scenario="late", **more)) == expected


def test_play_goes_on_after_the_step_as_the_rules_say() -> None:
    """The loop's other members, then the other phases, and the remaining runs of the whole."""
    session = game().position("shots", locals={"area": "West"}, scenario="late")
    assert asked(session)[:2] == ("play.area", {"left": ["North", "South"], "who": "Red"})
    assert asked(game().position("fire", run=3, given={"turn": 3}))[0] == "fire"
    last = to_the_end(game().position("fire", run=3, given={"turn": 3, "won": 7}), 1)
    assert (last.over, last.result) == (True, 7)
    more = to_the_end(game().position("fire", run=2, given={"turn": 2}), 1)
    phases = [event.subject for event in more.events if event.kind == "phase"]
    assert phases == ["ending", "fighting", "ending"]


def test_a_procedure_alone_gives_its_result() -> None:
    """And the session is over after it."""
    session = game().position("count_up", locals={"first": 3}, given={"won": 5})
    session.choose("yes")
    assert (session.over, session.result, session.decision) == (True, 8, None)
    again = game().restore(session.save())
    assert (again.over, again.result) == (True, 8)


@pytest.mark.parametrize(
    ("at", "more", "message"),
    [
        ("nowhere", {}, "unknown procedure or step `nowhere`; choose from areas, begin,"),
        ("shot", {}, "unknown procedure or step `shot`; did you mean `shots`?"),
        ("apart", {}, "unknown procedure or step `apart`"),
        ("battle", {}, "missing value for `area`, of type `Area`"),
        ("battle", {"locals": AREA | {"s": "Ada"}}, "unknown parameter `s`"),
        ("areas", {"locals": {"x": 3}}, "no local `x` in `play`"),
        ("shots", {"locals": {"area": "Nort"}}, "`Nort` is none of `space`; did you mean `North`?"),
        ("fire", {"run": 0}, "0 is no"),
        ("fire", {"given": {"dmage": {"Ada": 1}}}, "unknown state `dmage`; did you mean `damage`?"),
        ("fire", {"given": {"damage": {"Ada": 5}}}, "5 is no `0..4`"),
        ("fire", {"given": {"ready": {"Ada": 1}}}, "must be true or false"),
        ("fire", {"draws": {"bags": ["Ada"]}}, "there is no draw or shuffle `bags`; did you mean `bag`?"),
        ("fire", {"draws": {"shuffle.pile": ["Ada"]}}, "expected a list of all things in their order, found"),
        ("fire", {"dice": {"attack": [7]}}, "`attack` has no 7 on its 6 sides"),
    ],
)
def test_what_the_rules_do_not_have_is_refused(at: str, more: dict[str, Any], message: str) -> None:
    """As a ValueError that names the nearest."""
    with pytest.raises(ValueError, match=".") as raised:
        game().position(at, **more)
    assert message in str(raised.value)


def test_several_steps_of_one_name_need_their_procedure() -> None:
    """A printed number may stand on several steps, too."""
    made = compile_text(
        """
state turn: 1..9 = 1
enum Side: Red
choice go by Red:
    decide
procedure one:
    step move "Move": choose go                       [3]
procedure second:
    step move "Move":                                 [3]
        choose go
        set turn to 2
    step more "More": choose go
sequence play:
    do one
    do second
    finish turn
""",
        {MANIFEST: f"{manifest(())}sequence: play\n"},
    )
    assert made.program is not None, made.findings
    own = Game(made.program)
    for name in ("move", "3", "Move"):
        with pytest.raises(ValueError, match=r"choose from `one\.move`, `second\.move`"):
            own.position(name)
    session = own.position("second.move")
    session.choose("no")
    assert (session.steps(), session.state("turn")) == (("more",), 2)


def test_a_local_that_is_set_before_the_step_must_be_given() -> None:
    """Where it cannot be worked out from what is known."""
    made = compile_text(
        """
enum Side: Red
choice go(many: 0..9) by Red:
    number from 0 to many
roll die: d6
sequence play:
    roll die as rolled_before
    let twice: 0..12 = rolled_before * 2
    let three: 0..9 = 3
    step move "Move": choose go(smaller(9, twice + three)) as much
    finish much
""",
        {MANIFEST: f"{manifest(())}sequence: play\n"},
    )
    assert made.program is not None, made.findings
    own = Game(made.program)
    with pytest.raises(ValueError, match="`move` needs `twice`, which the rules set before it: give it in"):
        own.position("move")
    assert asked(own.position("move", locals={"twice": 4}))[1] == {"many": 7}
    assert asked(own.position("move", locals={"rolled_before": 2}))[1] == {"many": 7}


def test_invariants_must_hold() -> None:
    """All that do not are named."""
    with pytest.raises(Fault, match="`sound`, `early` do not hold in this position") as raised:
        game().position("fire", given={"won": 95, "damage": {"Ada": 4}})
    assert raised.value.name == "broken-invariant"
    saved = game().start().save()
    with pytest.raises(Fault, match="`early` does not hold in this position"):
        game().restore(saved, given={"won": 95})


def test_a_save_can_be_changed_while_it_is_restored() -> None:
    """By the names of states; everything else goes on as it was."""
    saved = game().start(scenario="late").save()
    session = game().restore(saved, given={"won": 17, "ready": {"Ada": True}, "place": {"Cid": "West"}})
    assert (session.state("won"), session.state("ready"), session.state("turn")) == (17, ["Ada"], 2)
    assert session.state("place", "Cid") == "West"
    assert asked(session) == asked(game().start(scenario="late"))
    with pytest.raises(ValueError, match="unknown state `wun`; did you mean `won`"):
        game().restore(saved, given={"wun": 17})


@pytest.mark.parametrize("name", ["atp", "vitp"])
def test_a_large_save_takes_what_is_given(name: str) -> None:
    """Its invariants count many pieces, with their own budget; a value that it has changes nothing."""
    large = rulekit.load(name)
    session = large.start(4)
    again = large.restore(session.save(), given={"turn": session.state("turn")})
    assert session.states == again.states
    assert session.decision == again.decision


@pytest.mark.parametrize("seed", range(6))
def test_a_saved_position_goes_on_alike(seed: int) -> None:
    """Restored, cloned, and gone back over."""
    at = {"at": "shots", "locals": {"area": "North"}, "scenario": "late"}
    given: dict[str, Any] = {"dice": {"attack": [6, 1]}, "draws": {"bag": ["Cid"]}}
    session = game().position(**at, **given, seed=seed)
    draw = random.Random(seed)
    for _ in range(seed):
        answer(session, draw)
    saved = session.save()
    again = session.game.restore(saved) if seed % 2 else game().restore(saved)
    other = session.clone()
    assert again.save() == saved
    for one in (session, again, other):
        to_the_end(one, seed)
    assert session.result == again.result == other.result
    assert session.save() == other.save() == again.save()
    while session.undo(past_chance=True):
        pass
    assert asked(session) == asked(game().position(**at, **given, seed=seed))
    assert to_the_end(session, 5).save() == to_the_end(game().position(**at, **given, seed=seed), 5).save()


@pytest.mark.parametrize("change", [{"run": 2}, {"locals": {}}, {"at": "areas"}, {"at": "nowhere"}])
def test_a_save_that_began_elsewhere_is_refused(change: dict[str, Any]) -> None:
    """Its frames belong to the step at which it began."""
    saved = game().position("shots", locals={"area": "North"}, scenario="late").save()
    saved["at"] = {**saved["at"], **change}
    if change == {"run": 2}:
        assert asked(game().restore(saved))[0] == "fire"  # the frame knows the run
    else:
        with pytest.raises(SaveError):
            game().restore(saved)


def test_draws_and_shuffles_take_what_is_given() -> None:
    """In their order, then the seed's."""
    order = ["Cid", "Ada", "Bea"]
    for seed in range(4):
        session = game().start(seed, "late", draws={"shuffle.pile": [order], "bag": ["Bea", "Ada"]})
        assert session.state("pile") == order
        to_the_end(session, seed)
        assert session.state("ready", "Bea")
    free = {tuple(game().start(seed, "late").state("pile")) for seed in range(20)}
    assert len(free) > 3


def test_a_strict_game_takes_nothing_from_the_seed() -> None:
    """A die or draw that is not given is a fault, before which the session stands."""
    with pytest.raises(Fault, match="`shuffle.pile` draws 2, given: 0") as raised:
        game().start(scenario="late", strict=True)
    assert raised.value.name == "not-given"
    shuffled = {"shuffle.pile": [["Ada", "Bea", "Cid"]]}
    session = game().position("shots", locals={"area": "North"}, scenario="late", strict=True)
    session.choose("yes") if asked(session)[1] == {"s": "Bea"} else None
    before = session.save()
    with pytest.raises(Fault, match="`attack` rolls a die that is not given: number 1"):
        session.choose("yes")
    assert session.save() == before
    session.choose("no")
    assert game().start(draws=shuffled, strict=True).state("pile") == ["Ada", "Bea", "Cid"]


def test_a_strict_game_uses_all_that_is_given() -> None:
    """If something is left at its end, the last answer is a fault."""
    position: dict[str, Any] = {"at": "count_up", "locals": {"first": 1}, "strict": True}
    session = game().position(**position, dice={"attack": [3]})
    assert session.unused == {"attack": 1}
    with pytest.raises(Fault, match="attack") as raised:
        session.choose("yes")
    assert raised.value.name == "given-not-used"
    assert asked(session)[0] == "fire"
    assert not session.over


def begun_like(session: Session, step: str) -> Session:
    """A position at a step of the same game, in its state; in a loop over sides at the one that decides."""
    at: dict[str, Any] = {"given": session.save(log=False)["state"], "scenario": session.scenario or ""}
    assert session.decision is not None
    try:
        return session.game.position(step, locals={"side": session.decision.side}, **at)
    except ValueError:
        return session.game.position(step, **at)


@pytest.mark.parametrize("name", ["duel", "ferry", "fair"])
def test_steps_of_whole_games_begin_alike(name: str) -> None:
    """A position at a step that has just begun, in the state of then, asks what the game asks."""
    checked = 0
    for seed in range(3):
        session, draw, known = loaded(name).start(seed), random.Random(seed), 0
        while session.decision is not None:
            new, known = session.events[known:], len(session.events)
            while new and new[-1].kind == "secret_begin":
                new = new[:-1]
            if new and new[-1].kind in ("step", "phase") and session.steps()[-1:] == (new[-1].subject,):
                assert session.decision == begun_like(session, new[-1].subject).decision
                checked += 1
            answer(session, draw)
    assert checked
