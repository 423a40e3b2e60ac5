"""Answers of several values, and several for each item: by name, as JSON, in saves, logs, files and views."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulekit import agents
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.runtime.narrate import Narrator
from rulekit.runtime.play import Game, Refused, Session
from rulekit.testing import MANIFEST, compile_text, manifest

BREAKTHROUGH = Path(__file__).parents[4] / "examples" / "boards" / "breakthrough"

RULES = """
enum Side: Red, Blue
space Port:
    members 'Old Port', Bergen, Calais
    near: set of Port = (Port - {it})
piece Ship:
    members Ada, Bea
    side: Side = Red
    place: Port or none
    speed: 1..3 = 2
piece Crate:
    members 3
    state aboard: Ship or none
state fuel: 0..9 = 3, known to Red
choice sail(side) by side:                                  [1]
    pick one ship from Ship where its side is side, one port from Port - (Port where ship is at it),
        one speed from 1..3, or none
    forbid too_fast: speed > ship.speed                     [2]
choice load(side) by side:                                  [3]
    assign each ship in Ship up to fuel crate from Crate, each once
    forbid apart: crate is Crate_3                          [4]
        unless Crate_1 is chosen
choice stow(side) by side:
    assign each ship in Ship some crate from Crate, or none
    secret
sequence play:
    choose sail(Red) as m
    when m is not none: move m.ship to m.port
    choose load(Red) as cargo
    for each s in Ship:
        for each c in cargo(s): set c.aboard to s
    choose stow(Red) as more
    when more(Ada) is not empty and m is not none: remove m.ship
    finish Red
"""


def game() -> Game:
    """The game of ships, ports and crates."""
    compiled = compile_text(RULES, {MANIFEST: manifest(()) + "sequence: play\nsides: Side\n"})
    assert compiled.program is not None, [one.message for one in compiled.findings]
    return Game(compiled.program)


def asked(*answers: str) -> Session:
    """A game after these answers."""
    session = game().start(1)
    for answer in answers:
        session.choose(answer)
    return session


def names(session: Session) -> list[str]:
    """The names of the legal answers."""
    assert session.decision is not None
    return [answer.name for answer in session.decision.legal_answers]


def test_combinations_are_in_the_order_of_their_names() -> None:
    session = asked()
    assert names(session)[:5] == [
        "Ada -> Old_Port -> 1", "Ada -> Old_Port -> 2", "Ada -> Bergen -> 1", "Ada -> Bergen -> 2",
        "Ada -> Calais -> 1",
    ]  # fmt: skip
    assert names(session)[-1] == "none" and len(names(session)) == 13
    assert session.decision is not None
    assert session.decision.legal_answers[1].parts == ("Ada", "Old_Port", "2")


def test_an_answer_is_an_object_in_the_log_and_the_trace() -> None:
    session = asked("Bea -> Calais -> 1")
    expected = {"ship": "Bea", "port": "Calais", "speed": 1}
    assert [expected] == [event.fields["value"] for event in session.events if event.kind == "answer"]
    assert [{"choice": "sail", "value": expected}] == session.save(log=True)["choices"]


def test_none_of_the_values_is_wrong_alone() -> None:
    session = asked()
    with pytest.raises(Refused) as refused:
        session.choose("Ada -> Bergen -> 3")
    assert refused.value.rules == ("TEXT.2",)
    assert [reason.rules for reason in session.why("Ada -> Bergen -> 3")] == [("TEXT.2",)]
    for wrong in ("Ada -> Bergen", "Ada -> Dover -> 1", "Ada -> Bergen -> 1 -> 1", "Bergen -> Ada -> 1"):
        with pytest.raises(Refused):
            session.choose(wrong)


@pytest.mark.parametrize("parts", range(7))
def test_a_save_in_the_middle_goes_on_as_the_game_would_have(parts: int) -> None:
    """The record waits in a local, the sets in parts of an open choice."""
    answers = ["Ada -> Calais -> 2", "Crate_2", "Crate_3", "done", "Crate_1", "Crate_2", "done"]
    session = asked(*answers[:parts])
    again = game().restore(json.loads(json.dumps(session.save())))
    for answer in answers[parts:]:
        assert names(session) == names(again)
        session.choose(answer)
        again.choose(answer)
    assert names(session) == names(again) and session.save() == again.save()


@pytest.mark.parametrize(
    "broken",
    [{"ship": "Ada", "port": "Calais"}, {"ship": "Ada", "port": "Ada", "speed": 1}, ["Ada"], "Ada", 4],
)
def test_a_save_with_another_answer_is_refused(broken: Any) -> None:
    session = asked("Ada -> Calais -> 2")
    save = session.save(log=True)
    save["choices"][0]["value"] = broken
    with pytest.raises(Exception, match="save"):
        game().restore(save)


@pytest.mark.parametrize(
    "value",
    [
        {"speed": 2, "ship": "Ada", "port": "Calais"},
        "Ada -> Calais -> 2",
        {"ship": "Ada", "port": "Calais", "speed": 2},
    ],
)
def test_a_file_of_answers_names_the_values_in_any_order(value: Any, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"choice": "sail", "value": value}) + "\n")
    session = asked()
    assert session.decision is not None
    answer = agents.scripted(file)(session, session.decision)
    assert answer is not None and answer.name == "Ada -> Calais -> 2"


@pytest.mark.parametrize(
    "value", [{"ship": "Ada"}, {"ship": "Ada", "port": "Calais", "speed": 3}, {}, ["Ada"]]
)
def test_a_file_with_other_values_is_refused(value: Any, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"choice": "sail", "value": value}) + "\n")
    session = asked()
    assert session.decision is not None
    with pytest.raises(agents.BadScript):
        agents.scripted(file)(session, session.decision)


def test_a_set_is_answered_by_one_more_until_done() -> None:
    session = asked("none")
    assert names(session) == ["Crate_1", "Crate_2", "Crate_3", "done"]
    session.choose("Crate_3")
    assert names(session) == ["Crate_1", "Crate_2", "done"]
    session.choose("done")
    assert session.decision is not None and session.decision.part == "Bea"
    assert names(session) == ["Crate_1", "Crate_2"]  # the third crate needs the first
    session.choose("Crate_2")
    assert session.decision is not None and session.decision.choice == "stow"  # the first was forced


def test_reasons_of_sets() -> None:
    session = asked("none", "Crate_1", "Crate_2", "done")
    assert session.decision is not None and session.decision.part == "Bea"
    (again,) = session.why("Crate_1")
    assert "given to Ada already" in again.message
    session = asked("none", "Crate_2")
    (twice,) = session.why("Crate_2")
    assert twice.message == "it is in the answer already"


def test_other_sides_do_not_count_the_parts_of_a_secret_set() -> None:
    def seen(*stowed: str) -> list[tuple[str, str, Any]]:
        session = asked("none", "done", "done", *stowed)
        view = session.view("Blue")
        return [(event.kind, event.subject, event.fields) for event in view.events if event.subject == "stow"]

    assert seen("Crate_1", "done", "done") == seen("Crate_1", "Crate_2", "Crate_3", "Crate_2", "done")


def test_other_sides_see_no_done_where_what_is_legal_is_hidden() -> None:
    session = asked("none", "Crate_1", "done", "Crate_2", "done")
    told = [event.fields for event in session.view("Blue").events if event.subject == "load"]
    assert [(fields["item"], fields["value"]) for fields in told] == [("Ada", "Crate_1"), ("Bea", "Crate_2")]


def test_the_log_names_values_and_sets() -> None:
    session = asked("Ada -> Old_Port -> 2", "Crate_1", "Crate_2", "done", "done")
    narrator = Narrator(session.game.program, "TEXT")
    text = "\n".join(line.text for line in (*narrator.tell(session.events), *narrator.finish()))
    assert "Red, sail: Ada -> Old Port -> 2" in text
    assert "Red, load: Ada -> Crate 1, 2; Bea -> none" in text


def test_why_a_combination_is_none_is_told_down_to_the_board() -> None:
    """The set of the second name is explained with the first name in place."""
    session = Game(compile_rule_set(BREAKTHROUGH, Report()).program).start(1)
    (reason,) = session.why("d2 -> d4")
    assert reason.terms[0].text == "d4 is not in goals (d2, White)"
    assert "d3 is not d4" in [deeper.text for term in reason.terms[0].because for deeper in term.because]
