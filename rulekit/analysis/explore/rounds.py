"""Games that can go on forever: answers that lead back to the same position."""

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
"""Games of one scenario that are searched."""


@frozen
class Round:
    """A game up to the end of its first round: its last `answers` lead from a position back to it."""

    course: Course
    answers: int


def round_of(game: Game, course: Course) -> Round | None:
    """Return the first round of a game; None if it never reaches a position again.

    A position is the state, the draws and rolls so far, and the place in the rules with its locals; not how
    often a loop has run, which ends the game as a fault at last.  A round counts if it can be repeated.
    """
    try:
        session = game.start(course.seed, course.scenario, dice=course.faces)
        positions = {_position(session): 0}
        for number, answer in enumerate(course.answers, 1):
            if not _give(session, answer):
                return None
            position = _position(session)
            if position in positions:
                return _again(session, course, positions[position], number)
            positions[position] = number
    except Fault:
        return None
    return None


def _again(session: Session, course: Course, first: int, last: int) -> Round | None:
    """The round between two numbers of answers, if it can be repeated."""
    before = _position(session)
    if not all(_give(session, answer) for answer in course.answers[first:last]):
        return None
    if _position(session) != before:
        return None
    first_die = session.game.module.layout.first_counter
    thrown = {
        point.name: session.machine.M[first_die + number]
        for number, point in enumerate(session.game.program.points)
    }
    faces = {name: shown[: thrown[name]] for name, shown in course.faces.items() if thrown[name]}
    return Round(replace(course, answers=course.answers[:last], faces=faces), last - first)


def _give(session: Session, answer: CourseAnswer) -> bool:
    """Give an answer, if it is a legal answer to the question."""
    question = session.machine.asked
    if question is None or (question[0], question[2]) != answer.key or answer.value not in question[3]:
        return False
    session.choose(answer.value)
    return True


def _position(session: Session) -> tuple[int, int]:
    """All that decides how the game goes on, as two hashes."""
    machine = session.machine
    frames = [_without_runs(session, frame) for frame in machine.stack]
    place: Any = (frames, machine.late, machine.asked, machine.choosing, session.stages)
    return hash(repr(machine.M[1:])), hash(repr(place))


def _without_runs(session: Session, frame: Frame) -> list[Any]:
    """The values of a frame, without the counts of its loops."""
    place = session.label(frame)
    kept = () if place is None else place.kept
    counts = {slot for slot, local in kept if local.type == COUNT and local.name.startswith(RUNS)}
    return [value for slot, value in enumerate(frame) if slot not in counts]


def choices_of(program: Program, circle: Round) -> list[str]:
    """The choices of a round."""
    return [program.choices[answer.key[0]].name for answer in circle.course.answers[-circle.answers :]]
