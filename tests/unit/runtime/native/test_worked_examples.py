"""Worked examples in a module, with their dice, draws and answers: each ends as it ends in Python.

One that ends where a module answers for itself, as one option is left, has the events of Python up to there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulekit import compile_rules, ir
from rulekit.ir import types as t
from rulekit.ir.reachable import for_examples
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeSession
from rulekit.runtime.play import examples as play
from tests.unit.runtime.native.test_games import ROOT

NUMBER = "number of the example"
Events = list[dict[str, Any]]


class Noting(play.FedMachine):
    """Notes what is drawn, and the questions with their answers, of the example that runs."""

    made: list[Noting]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.answers: list[tuple[str, int, tuple[int, ...], int]] = []
        self.things: dict[str, list[int]] = {}
        self.chancy = False
        Noting.made.append(self)

    def feed(self, example: ir.Example) -> None:
        rolls = [point.name for point in self.module.program.points if point.dice]
        self.chancy = any(self.M[self.module.layout.counters[name]] for name in rolls)
        super().feed(example)

    def run(self, answer: Any = None) -> bool:
        if self.asked is not None and answer is not None:
            number, _, item, options = self.asked
            name = self.module.program.choices[number].name
            self.answers.append((name, t.NONE if item is None else item, options, answer))
        return super().run(answer)

    def draw(self, point: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
        drawn = super().draw(point, things, count)
        self.things.setdefault(self.module.program.points[point].name, []).extend(drawn)
        return drawn

    def mix(self, point: int, things: tuple[int, ...]) -> tuple[int, ...]:
        order = super().mix(point, things)
        noted = self.things.setdefault(self.module.program.points[point].name, [])
        if self.fed:  # then its things have been drawn one by one
            del noted[-len(order) :]
        noted.append(list(order))
        return order


def with_examples_as_scenarios(program: ir.Program) -> ir.Program:
    """Each scenario of the program that is returned runs the example with its number."""
    kind = t.Int(0, len(program.examples))
    scenarios: list[ir.Scenario] = []
    procedures: list[ir.Procedure] = []
    branches: list[ir.Stmt] = []
    for number, example in enumerate(program.examples):
        begin = f"begin {number}"
        chosen = ir.Write("set", NUMBER, (), ir.Const(number, kind), example.site)
        procedures.append(ir.Procedure(begin, (), t.Nothing(), (), (chosen,), example.site))
        scenarios.append(ir.Scenario(f"example_{number}", "", begin))
        names = [item.procedure for item in program.scenarios if item.name == example.scenario]
        steps = tuple(ir.Do(name, (), None, example.site) for name in (*names, example.given, example.when))
        mine = ir.Op("eq", (ir.Read(NUMBER, (), kind), ir.Const(number, kind)), t.Flag())
        branches.append(ir.When(mine, steps, (), example.site))
    entry = ir.Procedure("one example", (), t.Nothing(), (), tuple(branches), -1)
    state = ir.State(NUMBER, (), kind, 0, None, False, None, -1)
    return replace(
        program,
        entry=entry.name,
        procedures=(*program.procedures, *procedures, entry),
        scenarios=tuple(scenarios),
        states=(*program.states, state),
        examples=(),
    )


def begin(session: NativeSession, number: int, example: ir.Example, ran: Noting) -> None:
    """Begin an example in a module with its dice, and with what was drawn in Python."""
    domains = {point["name"]: point.get("things", "") for point in session.names["points"]}

    def named(domain: str, thing: Any) -> Any:
        if isinstance(thing, list):
            return [named(domain, one) for one in thing]
        return session.names["domains"][domain][thing] if domain else thing

    draws = {name: [named(domains[name], one) for one in things] for name, things in ran.things.items()}
    dice = {name: faces for name, faces in play.merge_lines(example.dice).items() if name in domains}
    session.start(0, f"example_{number}", dice=dice, draws=draws)


def replay(
    session: NativeSession, number: int, example: ir.Example, ran: Noting, events: Events | None = None
) -> bool:
    """Play an example in a module with the answers that it had in Python; whether it ended in a fault.

    An example is asked for each part of an answer; a module takes the only one that is left by itself, and
    all that are left where all are needed.

    Args:
        events: Gets all events.
    """
    answers, choices = iter(ran.answers), ran.module.program.by_name.choices
    events = [] if events is None else events
    try:
        begin(session, number, example, ran)
        while session.numbers:
            events += session.events()
            choice, _, item, *options = session.numbers
            for asked in answers:
                if asked[:3] == (session.names["choices"][choice]["name"], item, tuple(options)):
                    session.answer(options.index(asked[3]))
                    break
                forced = len(asked[2]) == 1 or choices[asked[0]].verb == "pick_set"
                assert forced, f"{example.name}: {asked} was not asked, but {session.question}"
            else:
                return False
    except Fault:
        return True
    finally:
        events += session.events()
    return False


def told(events: Iterable[dict[str, Any]]) -> Events:
    """Events without answers: an example is asked for those that a module takes by itself."""
    return [one for one in events if one["kind"] not in ("answer", "forced") and one["subject"] != NUMBER]


def cells_of(layout: Any, cells: list[Any]) -> dict[str, list[Any]]:
    """The values of each state."""
    return {name: cells[at.base : at.base + at.size] for name, at in layout.slots.items() if name != NUMBER}


def check_examples(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> int:
    """Hold the end of each example in a module against its end in Python; how many there were."""
    monkeypatch.setattr(play, "FedMachine", Noting)
    monkeypatch.setattr(play, "MOST_EVENTS", 10**6)
    program = for_examples(compile_rules(folder, options=options))
    examples = play.Examples(program)
    module = build(with_examples_as_scenarios(program), stops=True, log=True)
    session, held = NativeSession(module), 0
    session.budget = examples.game.fuel
    for number, example in enumerate(program.examples):
        if example.measures or example.breaks is not None:
            continue
        Noting.made = []
        result = examples.run(example)
        assert result.passed
        ran = Noting.made[-1]
        if ran.chancy:
            continue  # What is given takes dice.
        if ran.asked is not None and len(ran.asked[3]) == 1:  # a module answers that itself, and goes on
            found: Events = []
            replay(session, number, example, ran, found)
            expected = told(event.as_json for event in result.events)
            assert expected == told(found)[: len(expected)], example.name
            held += 1
            continue
        assert replay(session, number, example, ran) == example.fault, example.name
        if not example.fault:
            layout = ran.module.layout
            cells, own = cells_of(layout, ran.M), cells_of(layout, session.cells())
            differing = {name: own[name] for name, value in cells.items() if value != own[name]}
            assert differing == {}, example.name
        held += 1
    return held


@pytest.mark.parametrize(
    ("name", "least"), [("tests/sets/ferry", 3), ("examples/cards/two-lanterns", 11), ("rules/vitp", 256)]
)
def test_worked_examples(name: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a set but those about chances and promises: odds and sessions have those."""
    assert check_examples(ROOT / name, monkeypatch) >= least


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "least"),
    [
        ("rules/fcn", (), 348),
        ("rules/pacwar", (), 475),
        ("rules/pacwar", ("authors",), 500),
        ("rules/atp", (), 543),
    ],
)
def test_worked_examples_of_large_sets(
    name: str, options: tuple[str, ...], least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same of the other games that ship."""
    assert check_examples(ROOT / name, monkeypatch, *options) >= least
