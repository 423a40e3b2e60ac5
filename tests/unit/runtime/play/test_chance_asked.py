"""Sessions that ask for chance: dice, draws and orders are decisions, all else is as in others."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rulekit import load
from rulekit.agents import chance_agent, first_legal, play, random_agent, scripted
from rulekit.base.resources import schema
from rulekit.runtime.machine.streams import GivenChance, Streams
from rulekit.runtime.narrate import Narrator
from rulekit.runtime.play import Decision, Game, Refused, SaveError, Session
from rulekit.runtime.support import asked as a
from rulekit.testing import MANIFEST, compile_text, manifest
from tests.unit.runtime.play.games import ROOT, game

LOTS = """
enum Side: Red, Blue
enum Chit: ape, bear, cat, dog, elk, fox
cup bag of Chit, known to {}
state hand(side): set of Chit, known to side
stack pile of Chit
state score(side): 0..99
choice keep(side) by side:                                  [1]
    decide
roll luck(side): 2d6
roll secret_die: d8
procedure turn(side):                                       [2]
    choose keep(side) as kept
    roll luck(side) as found                                [2.1]
    add found to score(side)
    draw 2 from bag as pair, known to side                  [2.2]
    set hand(side) to pair
    roll secret_die as hidden_die, known to side            [2.3]
procedure race:                                             [3]
    for each c in {ape, bear, cat, fox}, by lot:
        when c is fox: leave
        add 1 to score(Red)
    alternating side in Side, by lot, while score(side) < 40:
        add 9 to score(side)
scenario all_in "All in":
    add {ape, bear, cat, dog} to bag
    put {ape, bear, cat, dog, elk} under pile
sequence play:
    step turns "Turns" for each side in Side, Red first: do turn(side)
    step race "Race":
        shuffle pile
        draw 2 from pile as top
        do race
        draw 1 by lot from Chit as last
"""


@cache
def lots() -> Game:
    made = compile_text(LOTS, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None, made.findings
    return Game(made.program)


@cache
def a_game(name: str) -> Game:
    if name == "lots":
        return lots()
    return load(ROOT / "rules" / name) if name == "fcn" else game(name)


class Recording(Streams):
    """Streams that note what they give at each point."""

    def __init__(self, module: Any, seed: int | str, given: GivenChance | None = None) -> None:
        super().__init__(module, seed, given)
        self.tape: dict[int, list[Any]] = {number: [] for number in range(len(self.bases))}
        self.lots = {number: () for number, point in enumerate(module.program.points) if not point.dice}
        self.dice = [_Noted(dice, self.tape[number]) for number, dice in enumerate(self.dice)]

    def draw(self, point: int, position: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
        drawn = super().draw(point, position, things, count)
        self.tape[point].append(drawn)
        return drawn

    def mix(self, point: int, position: int, things: tuple[int, ...]) -> tuple[int, ...]:
        order = super().mix(point, position, things)
        self.tape[point].append(order)
        return order


class _Noted:
    def __init__(self, dice: Any, tape: list[Any]) -> None:
        self._dice, self._tape = dice, tape

    def __getitem__(self, number: int) -> int:
        face: int = self._dice[number]
        self._tape.append(face)
        return face


class Replay:
    """Answers what chance is asked with what streams have given."""

    def __init__(self, tape: dict[int, list[Any]]) -> None:
        self._tape = {point: list(given) for point, given in tape.items()}
        self._loop: dict[int, list[int]] = {}

    def __call__(self, session: Session) -> Any:
        asked = session.machine.asked
        assert asked is not None
        number, kind, count, things = asked
        tape = self._tape[~number]
        if kind == a.ROLL:
            return sum(tape.pop(0) for _ in range(count))
        decision = session.decision
        assert decision is not None and decision.chance is not None
        names = dict(zip(things, decision.chance.things, strict=True))
        if kind == a.ONE:
            left = self._loop.get(~number, [])
            if not set(things) <= set(left):
                left = list(tape.pop(0))
            one = next(thing for thing in left if thing in things)
            self._loop[~number] = left[left.index(one) + 1 :]
            return names[one]
        drawn = tape.pop(0)
        return [names[thing] for thing in drawn]


def both(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Session, Session]]:
    """A session with a seed and one that asks, given the same answers and chance, at each decision."""
    own, draw = a_game(name), random.Random(seed)
    with monkeypatch.context() as patch:
        patch.setattr("rulekit.runtime.play.game.Streams", Recording)
        drawn = own.start(seed)
    streams = drawn.machine.streams
    assert isinstance(streams, Recording)
    asking = own.start(seed, chance="asked")
    begun = dict.fromkeys(streams.tape, 0)
    replay = Replay({})
    while True:
        for point, given in streams.tape.items():
            replay._tape.setdefault(point, []).extend(given[begun[point] :])
            begun[point] = len(given)
        while asking.decision is not None and asking.decision.chance is not None:
            asking.choose(replay(asking))
        yield drawn, asking
        if drawn.over:
            return
        assert drawn.machine.asked is not None
        value = draw.choice(drawn.machine.asked[3])
        drawn.choose(value)
        asking.choose(value)


WHOLE = [pytest.param(name, marks=pytest.mark.slow) for name in ("vitp", "fcn")]
"""Whole games, which take seconds to compile twice."""


@pytest.mark.parametrize("name", ["lots", "fair", "duel", "ferry", *WHOLE])
def test_the_same_chance_gives_the_same_events(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answered with what another drew from its seed, a session has equal decisions, events and states."""
    for seed in range(1, 4 if name not in ("vitp", "fcn") else 2):
        for drawn, asking in both(name, seed, monkeypatch):
            assert drawn.decision == asking.decision
        assert drawn.over and asking.over
        assert drawn.events == asking.events
        assert drawn.states == asking.states
        assert drawn.result == asking.result
        assert [entry for entry in asking.log if "choice" in entry] == list(drawn.log)
        sides = drawn.game.naming.domains[drawn.game.program.sides].members
        assert all(drawn.view(side).events == asking.view(side).events for side in sides)


def asked_for(session: Session) -> Decision:
    decision = session.decision
    assert decision is not None and decision.chance is not None
    return decision


def test_a_roll_is_a_decision_of_chance() -> None:
    """With its arguments, rule, step, outcomes and weights; chance answers, and nobody's view shows it."""
    session = lots().start(chance="asked")
    session.choose("yes")
    roll = asked_for(session)

    assert ("luck", "chance", "chance", "2..12") == (roll.choice, roll.side, roll.verb, roll.domain)
    assert {"side": "Red"} == roll.arguments
    assert ("TEXT.2.1",) == roll.rules
    assert ("turns",) == roll.steps
    assert roll.chance is not None
    assert ("roll", 2, 11, 36) == (
        roll.chance.kind,
        roll.chance.number,
        roll.chance.outcomes,
        roll.chance.total,
    )
    assert [("2", 1), ("7", 6), ("12", 1)] == [
        (roll.legal_answers[n].name, roll.chance.weights[n]) for n in (0, 5, 10)
    ]
    assert session.view("Red").decision is None is session.view("Blue").decision
    session.choose(7)
    assert 7 == session.state("score", "Red")
    assert {"chance": "luck", "value": 7} == session.log[-1]


def test_draws_and_orders_are_answered_by_their_things() -> None:
    """A set by a list or by names with commas; an order by all of its things."""
    session = lots().start(chance="asked")
    play(session, {"Red": first_legal, "Blue": first_legal, "chance": lambda *_: None})
    session.choose(7)
    draw = asked_for(session)
    assert ("draw", 2, ("ape", "bear", "cat", "dog")) == (
        draw.chance.kind, draw.chance.number, draw.chance.things
    )  # fmt: skip
    assert "set of Chit" == draw.domain and "ape, bear" == draw.legal_answers[0].name
    other = session.clone()
    session.choose(["dog", "bear"])
    other.choose("bear, dog")
    assert ["bear", "dog"] == session.state("hand", "Red") == other.state("hand", "Red")
    agent = chance_agent(2)
    while asked := session.decision:
        if asked.chance is not None and asked.chance.kind == "order":
            break
        session.choose((first_legal if asked.chance is None else agent)(session, asked))
    assert 120 == asked_for(session).chance.outcomes
    session.choose("cat, ape, elk, dog, bear")
    assert ["elk", "dog", "bear"] == session.state("pile")


@pytest.mark.parametrize("wrong", [1, 13, "cat", None, True, [3], {"a": 1}, "", "7.5", 10**30])
def test_no_outcome_is_refused(wrong: Any) -> None:
    """The refusal says what may be answered, and nothing has changed."""
    session = lots().start(chance="asked")
    session.choose("yes")
    before = session.save()
    with pytest.raises(Refused, match="a result from 2 to 12"):
        session.choose(wrong)
    with pytest.raises(Refused):
        session.why(wrong)
    assert before == session.save()
    session.choose(2)
    for some in (["ape"], "ape, ape", ["ape", "fox"], "ape, bear, cat", 1, "ape", None):
        with pytest.raises(Refused):
            session.choose(some)


def test_a_refusal_tells_nothing_of_what_is_drawn_from() -> None:
    """What is in a bag may be a secret: neither a refusal nor a view names it."""
    session = lots().start(chance="asked")
    session.choose("yes")
    session.choose(7)
    with pytest.raises(Refused) as refused:
        session.choose(["ape", "fox"])
    assert "bear" not in str(refused.value) and () == refused.value.legal
    assert "bear" not in json.dumps(session.view("Blue").save()["decision"])


@pytest.mark.parametrize("name", ["lots", "fair", "ferry"])
def test_saves_undo_and_clones(name: str) -> None:
    """At every decision: a restored session asks the same; undo past chance asks again; so does a clone."""
    own = a_game(name)
    session, agent = own.start(4, chance="asked"), random_agent(4)
    narrator, validator = Narrator.of(own), jsonschema.Draft202012Validator(schema("decision"))
    while (decision := session.decision) is not None and session.answered < 60:
        data = json.loads(json.dumps(session.save()))
        again = own.restore(data)
        assert decision == again.decision
        assert data == again.save()
        validator.validate(narrator.decision(decision))
        answer = agent(session, decision)
        copied = copy.deepcopy(session)
        for one in (session, again, copied):
            one.choose(answer)
        assert session.states == again.states == copied.states
        assert session.undo() or decision.chance is not None or session.undo(past_chance=True)
        if session.answered > copied.answered - 1:
            assert session.undo(past_chance=True)
        assert decision == session.decision
        session.choose(answer)
        assert session.events == copied.events


def test_undo_goes_past_chance_only_if_told_to() -> None:
    """What chance has answered is learned, as a die is; past it, chance is asked again."""
    session = lots().start(chance="asked")
    session.choose("yes")
    session.choose(7)
    assert not session.undo()
    assert session.undo(past_chance=True)
    assert "luck" == asked_for(session).choice
    session.choose(3)
    assert 3 == session.state("score", "Red")


def damaged(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Saves with something wrong in the question for chance."""
    asked = data["chance"]
    for change in (
        {"name": "luck"},
        {"name": "nothing"},
        {"number": None},
        {"number": 4},
        {"things": ["ape"]},
        {"things": ["ape", "ape", "bear"]},
        {"things": ["ape", "nobody", "cat"]},
        {"arguments": {"side": "Red"}},
    ):
        yield {**data, "chance": {**asked, **change}}
    yield {**data, "chance": None}
    yield {**data, "choice": {"name": "keep", "arguments": {"side": "Red"}, "parts": []}}
    yield {key: value for key, value in data.items() if key != "chance"}


def test_damaged_questions_are_refused() -> None:
    """A restore trusts nothing that a save says of chance."""
    session = lots().start(chance="asked")
    session.choose("yes")
    session.choose(7)
    data = json.loads(json.dumps(session.save()))
    assert lots().restore(data).decision == session.decision
    for wrong in damaged(data):
        with pytest.raises(SaveError):
            lots().restore(wrong)


def test_nothing_is_given_where_chance_is_asked() -> None:
    """Dice, draws and strict belong to sessions that draw; an unknown word for chance is refused."""
    with pytest.raises(ValueError, match="takes no dice or draws"):
        lots().start(chance="asked", dice={"luck": [6]})
    with pytest.raises(ValueError, match="takes no dice or draws"):
        lots().start(chance="asked", strict=True)
    with pytest.raises(ValueError, match="`drawn` or `asked`"):
        lots().start(chance="rolled")  # type: ignore[arg-type]


def test_a_position_can_ask_for_chance() -> None:
    """At a step, or in a procedure; and it is saved with it."""
    session = lots().position("Race", given={"score": {"Red": 30}}, chance="asked")
    assert "shuffle.pile" == asked_for(session).choice
    again = lots().restore(json.loads(json.dumps(session.save())))
    assert again.decision == session.decision
    own = lots().position("turn", locals={"side": "Blue"}, chance="asked")
    own.choose("no")
    assert {"side": "Blue"} == asked_for(own).arguments


def test_agents_answer_chance(tmp_path: Path) -> None:
    """At random by weight, the first outcome, or from a file of answers; a log plays the same game again."""
    session = lots().start(chance="asked")
    assert play(session, {"Red": random_agent(1), "Blue": first_legal, "chance": chance_agent(5)})
    script = tmp_path / "answers.jsonl"
    script.write_text("".join(f"{json.dumps(entry)}\n" for entry in session.log))
    again = lots().start(chance="asked")
    assert play(again, scripted(script))
    assert session.events == again.events
    assert play(lots().start(chance="asked"), first_legal)
    sums = [0] * 13
    rolled = lots().start(chance="asked")
    rolled.choose("yes")
    for seed in range(900):
        sums[int(chance_agent(seed)(rolled, asked_for(rolled)).name)] += 1
    assert 100 < sums[7] < 200 and 5 < sums[2] < 50
