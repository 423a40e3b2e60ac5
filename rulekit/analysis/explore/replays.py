"""A game that ended in a fault, played again as a session: the witness, in words and as a log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulekit import ir
from rulekit.agents import REPLAY
from rulekit.analysis.explore.course import Course
from rulekit.base.language import quoted_name
from rulekit.diagnostics import Replay
from rulekit.ir import Program
from rulekit.ir.semantics.effects import effects
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import ListOf, SetOf, Type
from rulekit.ir.walk import statements
from rulekit.runtime.machine.fault_reports import promise_of
from rulekit.runtime.machine.simulate import scenario_of
from rulekit.runtime.narrate.narrator import about
from rulekit.runtime.narrate.words import Words
from rulekit.runtime.play import Decision, Game, Session

MOST_TOLD = 30
"""Answers in words; a log has them all."""

Entry = dict[str, Any]
MOST_ROUND = 12
"""Lines that may be repeated as one block."""


class Replays:
    """Plays games again on the build that sessions have."""

    def __init__(self, program: Program, prefix: str) -> None:
        self.program = program
        self.words = Words(program, prefix)
        self.game = Game(program, invariants=True)

    def of(self, course: Course) -> tuple[Replay, Fault] | None:
        """The game with its fault; None if the replay ends otherwise."""
        replay, fault = self._replay(course)
        if replay is None or fault is None or course.fault is None or fault.code != course.fault.code:
            return None
        return replay, fault

    def going_on(self, course: Course) -> Replay | None:
        """A game that does not end; None if the replay ends."""
        replay, fault = self._replay(course)
        return replay if fault is None else None

    def _replay(self, course: Course) -> tuple[Replay | None, Fault | None]:
        """The replay, and the fault that ends it; no replay if an answer is not legal in it."""
        entries: list[Entry] = []
        words = list(self._dice(course))
        ended: Fault | None = None
        try:
            session = self.game.start(course.seed, course.scenario, dice=course.faces)
            for answer in course.answers:
                question, decision = session.machine.asked, session.decision
                if question is None or decision is None or (question[0], question[2]) != answer.key:
                    return None, None
                legal = next((one for one in decision.legal_answers if one.value == answer.value), None)
                if legal is None:
                    return None, None
                shown = self.game.answer_codec.to_json(*answer.key, answer.value)
                entries.append({"kind": "answer", "side": decision.side, **shown})
                words.append(self._answer_words(session, decision, legal.name))
                session.choose(legal)
        except Fault as fault:
            ended = fault
        return Replay(tuple(_few(words)), self._log(course, entries)), ended

    def _dice(self, course: Course) -> Iterator[str]:
        if course.scenario is not None:
            yield f"scenario `{course.scenario}`"
        for name, faces in course.faces.items():
            shown = ", ".join(map(str, faces[:MOST_TOLD]))
            more = f" and {len(faces) - MOST_TOLD} more" if len(faces) > MOST_TOLD else ""
            yield f"dice of `{name}`: {shown}{more}"

    def _answer_words(self, session: Session, decision: Decision, option: str) -> str:
        part = self.words.name(decision.part) if decision.part is not None else ""
        of = ", ".join(filter(None, (about(self.program, decision, self.words).text, part)))
        return f"{decision.side}: `{decision.choice}`{f' of {of}' if of else ''}: {self.words.name(option)}"

    def _log(self, course: Course, entries: list[Entry]) -> str:
        """The lines of a file of answers, with its dice."""
        start = {
            "kind": "start",
            "format": 1,
            "set": self.program.name,
            "options": list(self.program.options),
            "source": self.program.source_hash,
            "scenario": course.scenario,
            "seed": course.seed,
            REPLAY: {"dice": {name: list(faces) for name, faces in course.faces.items()}},
            "answers": 0,
        }
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (start, *entries))


def _few(lines: list[str]) -> list[str]:
    """Lines without repetitions, and of many the beginning and the end."""
    kept: list[str] = []
    at = 0
    while at < len(lines):
        block, times = _round(lines, at)
        kept += block
        if times > 1:
            kept.append(f"{times} times in all: {'this' if len(block) == 1 else f'these {len(block)}'}")
        at += len(block) * times
    if len(kept) <= MOST_TOLD:
        return kept
    half = MOST_TOLD // 2
    return [*kept[:half], f"and {len(kept) - 2 * half} more", *kept[-half:]]


def _round(lines: list[str], at: int) -> tuple[list[str], int]:
    """The lines from a place on that are repeated three times or more, and how often; else one line."""
    for length in range(1, MOST_ROUND + 1):
        block = lines[at : at + length]
        times = 1
        while lines[at + length * times : at + length * (times + 1)] == block:
            times += 1
        if times > 2:
            return block, times
    return lines[at : at + 1], 1


MOST_WRITTEN = 2_000
"""Answers, dice and draws of a game that is written as an example."""
ROOM = 96
"""Characters of a line; longer values continue on another line."""


def example_lines(game: Game, course: Course, replay: Replay, end: Fault | str) -> tuple[str, ...]:
    """Return a game as the lines of an example, its answers by choice; none if that would be too long.

    `end`: the fault that ends it, or the choice that it asks last.
    """
    answers, drawn = _answers_by_choice(replay), _draws(game, course)
    given = (*course.faces.values(), *drawn.values(), *answers.values())
    if sum(map(len, given)) > MOST_WRITTEN:
        return ()
    if not isinstance(end, Fault):
        end = f"then asks {_dotted_name(end)}"
    elif end.name == "broken-invariant":
        end = f"then breaks {quoted_name(promise_of(end))}"
    else:
        end = "then fault"
    return (
        *_run(game, course),
        *_lines_of("dice", course.faces),
        *_lines_of("draws", drawn),
        *_lines_of("answers", answers),
        end,
    )


def _run(game: Game, course: Course) -> Iterator[str]:
    """The set-up and the game; a set-up with chance or choice is run, since `given` cannot have them."""
    if course.scenario is not None:
        scenario, facts = scenario_of(game.program, course.scenario), game.module.facts
        assert scenario is not None
        plain = scenario.procedure not in facts.chancy | facts.suspending
        yield f"{'given scenario' if plain else 'when do'} {quoted_name(scenario.name)}"
    yield f"when do {quoted_name(game.program.entry)}"


def _answers_by_choice(replay: Replay) -> dict[str, list[str]]:
    """The answers to each choice, part by part."""
    parts: dict[str, list[str]] = {}
    for line in replay.log.splitlines()[1:]:
        entry = json.loads(line)
        item = f"{_value(entry['item'])} -> " if "item" in entry else ""
        parts.setdefault(entry["choice"], []).append(f"{item}{_value(entry['value'])}")
    return parts


def _draws(game: Game, course: Course) -> dict[str, list[str]]:
    """The results of each point, by name, up to the question after the last answer."""
    kinds, last = dict(_kinds(game)) if course.drawn else {}, len(course.answers)
    results: dict[str, list[str]] = {}
    for name, draws in course.drawn.items():
        members = [member for before, drawn in draws if before <= last for member in drawn]
        results[name] = [_value(game.naming.to_json(kinds[name], member)) for member in members]
    return results


def _kinds(game: Game) -> Iterator[tuple[str, Type]]:
    """For each point of draws the type of its results."""
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


def _lines_of(word: str, given: Mapping[str, Iterable[Any]]) -> Iterator[str]:
    """A line for each name, or several where one would be long."""
    for name, values in given.items():
        head = f"{word} {_dotted_name(name)}:"
        row = head
        for value in map(str, values):
            if row != head and len(row) + 2 + len(value) > ROOM:
                yield row
                row = head
            row += f"{' ' if row == head else ', '}{value}"
        if row != head:
            yield row


def _dotted_name(name: str) -> str:
    """The name of a point or a choice, perhaps that of a statement in a procedure."""
    return ".".join(map(quoted_name, name.split(".")))


def _value(value: Any) -> str:
    """A value of a log as rules write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else quoted_name(value) if isinstance(value, str) else str(value)
