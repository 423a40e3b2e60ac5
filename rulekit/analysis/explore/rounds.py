"""Games that can go on for ever: answers that lead back to where they began, with nothing changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulekit.analysis.explore.course import Course, CourseAnswer
from rulekit.base.frozen import frozen
from rulekit.ir import Program
from rulekit.runtime.codegen.routines.frames import Frame
from rulekit.runtime.codegen.statements.iteration import COUNT, RUNS
from rulekit.runtime.play import Fault, Game, Session

MOST_LOOKED = 5
"""Games of one scenario that are looked at."""


@frozen
class Round:
    """A game up to where it has gone round once: its last `answers` lead from a situation to the same."""

    course: Course
    answers: int


def round_of(game: Game, course: Course) -> Round | None:
    """The first round of a game; None if it never comes back to where it was.

    The whole situation is compared: the state, what was drawn and rolled so far, and where in the rules the
    game stands with all that is bound there; not how often a loop has run, which ends it as a fault at last.
    The round is gone once more before it counts.
    """
    try:
        session = game.start(course.seed, course.scenario, dice=course.faces)
        seen = {_situation(session): 0}
        for number, answer in enumerate(course.answers, 1):
            if not _give(session, answer):
                return None
            situation = _situation(session)
            if situation in seen:
                return _again(session, course, seen[situation], number)
            seen[situation] = number
    except Fault:
        return None
    return None


def _again(session: Session, course: Course, first: int, last: int) -> Round | None:
    """The round between two numbers of answers, if it can be gone once more."""
    before = _situation(session)
    if not all(_give(session, answer) for answer in course.answers[first:last]):
        return None
    if _situation(session) != before:
        return None
    first_die = session.game.module.layout.first_counter
    thrown = {
        point.name: session.machine.M[first_die + number]
        for number, point in enumerate(session.game.program.points)
    }
    faces = {name: shown[: thrown[name]] for name, shown in course.faces.items() if thrown[name]}
    return Round(replace(course, answers=course.answers[:last], faces=faces), last - first)


def _give(session: Session, answer: CourseAnswer) -> bool:
    """Give an answer, if it is one to what is asked."""
    asked = session.machine.asked
    if asked is None or (asked[0], asked[2]) != answer.key or answer.value not in asked[3]:
        return False
    session.choose(answer.value)
    return True


def _situation(session: Session) -> tuple[int, int]:
    """All that decides how the game goes on, as two numbers."""
    machine = session.machine
    frames = [_without_runs(session, frame) for frame in machine.stack]
    place: Any = (frames, machine.late, machine.asked, machine.choosing, session.stages)
    return hash(repr(machine.M[1:])), hash(repr(place))


def _without_runs(session: Session, frame: Frame) -> list[Any]:
    """What a frame holds, but for how often its loops have run: that is counted for the fault of one."""
    place = session.label(frame)
    kept = () if place is None else place.kept
    counts = {slot for slot, local in kept if local.type == COUNT and local.name.startswith(RUNS)}
    return [value for slot, value in enumerate(frame) if slot not in counts]


def choices_of(program: Program, found: Round) -> list[str]:
    """The choices that are asked on the way round, each once."""
    asked = found.course.answers[-found.answers :]
    return list(dict.fromkeys(program.choices[answer.key[0]].name for answer in asked))
