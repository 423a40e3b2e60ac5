"""A game that was played, as the lines of an example: what is run, dice, lots, answers, how it ends."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulekit import ir
from rulekit.analysis.explore.course import Course
from rulekit.base.language import quoted
from rulekit.diagnostics import Replay
from rulekit.ir.semantics.effects import effects
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import ListOf, SetOf, Type
from rulekit.ir.walk import statements
from rulekit.runtime.machine.fault_reports import promise_of
from rulekit.runtime.machine.simulate import scenario_of
from rulekit.runtime.play import Game

MOST_WRITTEN = 2_000
"""Answers, dice and lots of a game that is written as an example."""
ROOM = 96
"""Characters of a line; what is given for one name goes on in a line of its own."""


def lines(game: Game, course: Course, replay: Replay, end: Fault | str) -> tuple[str, ...]:
    """What an example would say of a game; nothing where it would be too long.

    Parts of one choice stand together, in the order in which they were asked.

    Args:
        end: The fault that it comes to, or the choice that is asked in the end.
    """
    answers, drawn = _answers(replay), _drawn(game, course)
    given = (*course.faces.values(), *drawn.values(), *answers.values())
    if sum(map(len, given)) > MOST_WRITTEN:
        return ()
    if not isinstance(end, Fault):
        end = f"then asks {_dotted(end)}"
    elif end.name == "broken-invariant":
        end = f"then breaks {quoted(promise_of(end))}"
    else:
        end = "then fault"
    return (
        *_run(game, course),
        *_listed("dice", course.faces),
        *_listed("draws", drawn),
        *_listed("answers", answers),
        end,
    )


def _run(game: Game, course: Course) -> Iterator[str]:
    """The set-up and the game; a set-up with chance or choice is run with them, for what is given is not."""
    if course.scenario is not None:
        scenario, facts = scenario_of(game.program, course.scenario), game.module.facts
        assert scenario is not None
        plain = scenario.procedure not in facts.chancy | facts.suspending
        yield f"{'given scenario' if plain else 'when do'} {quoted(scenario.name)}"
    yield f"when do {quoted(game.program.entry)}"


def _answers(replay: Replay) -> dict[str, list[str]]:
    """What each choice was answered, part by part."""
    parts: dict[str, list[str]] = {}
    for line in replay.log.splitlines()[1:]:
        entry = json.loads(line)
        item = f"{_value(entry['item'])} -> " if "item" in entry else ""
        parts.setdefault(entry["choice"], []).append(f"{item}{_value(entry['value'])}")
    return parts


def _drawn(game: Game, course: Course) -> dict[str, list[str]]:
    """What each point gave, by name, up to what is asked after the last answer."""
    kinds, last = dict(_kinds(game)) if course.drawn else {}, len(course.answers)
    return {
        name: [
            _value(game.naming.shown(kinds[name], one))
            for before, things in drawn
            if before <= last
            for one in things
        ]
        for name, drawn in course.drawn.items()
    }


def _kinds(game: Game) -> Iterator[tuple[str, Type]]:
    """For each point of lots the type of what it draws."""
    states = game.module.facts.states
    for procedure in game.program.procedures:
        for stmt in statements(procedure.body):
            if isinstance(stmt, ir.DrawLot | ir.ForEach):
                kind = stmt.over.type
            elif isinstance(stmt, ir.DrawTop | ir.Shuffle):
                kind = states[stmt.state].type
            else:
                continue
            point = effects(stmt, {}).draws
            if point and isinstance(kind, SetOf | ListOf):
                yield point, kind.of


def _listed(word: str, given: Mapping[str, Iterable[Any]]) -> Iterator[str]:
    """A line for each name, or several where one would be long."""
    for name, values in given.items():
        head = f"{word} {_dotted(name)}:"
        row = head
        for value in map(str, values):
            if row != head and len(row) + 2 + len(value) > ROOM:
                yield row
                row = head
            row += f"{' ' if row == head else ', '}{value}"
        if row != head:
            yield row


def _dotted(name: str) -> str:
    """The name of a point or a choice, perhaps that of a statement in a procedure."""
    return ".".join(map(quoted, name.split(".")))


def _value(value: Any) -> str:
    """A value of a log as rules write it."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case str():
            return quoted(value)
        case _:
            return str(value)
