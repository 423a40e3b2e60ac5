"""A moment of a game: its open steps, answers and events; nothing here changes it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulekit.ir import Choice
from rulekit.runtime.codegen.routines.frames import Frame, StopPoint
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.play.answering.answers import ANSWER
from rulekit.runtime.play.events import Event
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.play.seen.seer import ReadTo
from rulekit.runtime.play.seen.sight import Sight
from rulekit.runtime.support.trace import Entry, Tape, entries


class Moment:
    """Where a game stands; `Session` goes on from it.

    Attributes:
        scenario: The scenario's name, or None.
        begun: The arguments of `Game.position`; None if the game began at its beginning.
        secret_depth: How many `choose .. for each` were open where the trace begins.
        readers: For some sides, and None for the host, a place in the trace that they have read to.
        listeners: Called after each change.
        over: Whether the game has ended.
        result: The result of the game as JSON; None without a result.
        trace: All events, as the machine wrote them.
    """

    def __init__(self, game: PreparedGame, machine: Machine, scenario: str | None, stages: list[str]) -> None:
        self.game = game
        self.machine = machine
        self.scenario = scenario
        self.over = False
        self.result: Any = None
        self.trace = Tape()
        self._stages = stages
        self._events: list[Event] = []
        self._ends: list[int] = []
        """For each event, where its entry ends in the trace."""
        self._log = Tape()
        self._before = 0
        """How many answers were given before the first one of the log."""
        self.secret_depth = 0
        self.begun: Mapping[str, Any] | None = None
        self._undone = 0
        self._turns: list[tuple[int, int]] = []
        """Where the way back has led: the revision after it, and how long the trace was then."""
        self.readers: dict[int | None, ReadTo] = {}
        self.listeners: list[Callable[[], None]] = []

    def sight(self, side: int) -> Sight:
        """The knowledge of a side now."""
        return Sight(self.game.module, self.game.hidden_from(side), self.machine.M)

    # ------------------------------------------------------------ what is running

    @property
    def stages(self) -> tuple[str, ...]:
        """Procedures to be run after those that are running."""
        return tuple(self._stages)

    def label(self, frame: Frame) -> StopPoint | None:
        """The place where a frame waits."""
        number, place = int(frame[0]), int(frame[1])
        return self.game.module.cuts[number].labels[place]

    def steps(self) -> tuple[str, ...]:
        """The phases, segments and steps that are open, outermost first."""
        labels = (self.label(frame) for frame in self.machine.stack)
        return tuple(step for label in labels if label is not None for step in label.steps)

    # ------------------------------------------------------------ the open choice

    @property
    def choice(self) -> Choice | None:
        """The open choice; None if the game is over, or if chance is asked."""
        asked = self.machine.asked
        return None if asked is None or asked[0] < 0 else self.game.program.choices[asked[0]]

    @property
    def opened(self) -> int:
        """How long the trace was when the open choice was first asked."""
        if self.choice is None or self._is_inlined():
            return len(self.trace)
        return self.trace.base + self.machine.opened

    def _is_inlined(self) -> bool:
        """Whether the open choice has one part, and no frame of its own."""
        label = self.label(self.machine.stack[-1])
        return label is not None and label.instead is not None

    def _parts(self) -> list[tuple[Entry, str]]:
        """The events of the open choice's parts, each with its kind."""
        kind = self.game.teller.kind
        kinds = ((entry, kind(entry).kind) for entry in self.trace_from(self.opened))
        return [(entry, word) for entry, word in kinds if word in ("answer", "forced")]

    @property
    def answers(self) -> list[tuple[int | None, int]]:
        """The parts of the open choice that are answered, with their items: asked and forced ones."""
        return [(entry[2], entry[3]) for entry, _ in self._parts()]

    @property
    def parts(self) -> tuple[int, ...]:
        """The parts of the open choice that were asked and answered."""
        return tuple(entry[3] for entry, kind in self._parts() if kind == "answer")

    # ------------------------------------------------------------ what has changed

    @property
    def revision(self) -> int:
        """A number that grows with every answer, and with every answer that is taken back."""
        return self.answered + 2 * self._undone

    def lowest_since(self, revision: int) -> int:
        """How long the trace was at the shortest since a revision."""
        return min((length for after, length in self._turns if after > revision), default=len(self.trace))

    def announce(self) -> None:
        """Call all that subscribed; an error of one of them is raised after the others."""
        errors: list[Exception] = []
        for tell in tuple(self.listeners):
            try:
                tell()
            except Exception as error:
                errors.append(error)
        if errors:
            raise errors[0]

    # ------------------------------------------------------------ what has happened

    def trace_from(self, start: int = 0, end: int | None = None) -> Iterator[Entry]:
        """The trace from a place on, as the machine wrote it; up to another place, if there is one."""
        tape = self.trace.since(start)
        return entries(self.game.module.events, tape if end is None else tape[: end - start])

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order; after a restore, from there on."""
        return tuple(self._all_events())

    def events_from(self, number: int) -> tuple[Event, ...]:
        """The events from a number on; its cost does not grow with the events before."""
        return tuple(self._all_events()[number:])

    @property
    def event_count(self) -> int:
        """How many events there are."""
        return len(self._all_events())

    def _all_events(self) -> list[Event]:
        """The events, of which those that are new are decoded."""
        end = self._ends[-1] if self._ends else 0
        for entry in self.trace_from(end):
            end += len(entry)
            self._ends.append(end)
            self._events.append(self.game.teller.event(entry))
        return self._events

    def last_events(self, most: int) -> tuple[Event, ...]:
        """Return the last events, so many at most: a step may leave more than a reader wants."""
        return tuple(map(self.game.teller.event, deque(self.trace_from(), most)))

    @property
    def answered(self) -> int:
        """How many answers were given since the start of the game."""
        return self._before + len(self._log) // ANSWER

    @property
    def log(self) -> tuple[Mapping[str, Any], ...]:
        """Every answer given, in order; after a restore without them, from there on."""
        shown, log = self.game.answer_codec.to_json, iter(self._log)
        return tuple(shown(*answer) for answer in zip(log, log, log, strict=True))
