"""A game in progress: its decisions, their answers, and the way back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from rulekit.ir.semantics.faults import Fault, Finished, out_of_events
from rulekit.ir.types import Type
from rulekit.runtime.codegen.routines.frames import STOP
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.play.answering.answers import ANSWER, Answer, LegalAnswer
from rulekit.runtime.play.answering.chance_questions import chance_answer, is_chance
from rulekit.runtime.play.answering.decisions import (
    AnyAnswer,
    Decision,
    answers_without_norms,
    decision,
    legal_value,
    parts_so_far,
    why,
)
from rulekit.runtime.play.answering.reasons import Reason
from rulekit.runtime.play.checkpoints import AGAIN, Checkpoint, Checkpoints
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.play.saved import saving
from rulekit.runtime.play.seen.changes import SessionChange, SessionMark, mark, since, subscribe
from rulekit.runtime.play.view import View, state, states, value
from rulekit.runtime.support.build import MOST_TRACE
from rulekit.runtime.support.layout import FUEL

MOST_NEW: Final = 100_000
"""Values of new events after which a point is kept, and those of all events are counted."""


class Session(Moment):
    """A game in progress; made by `Game.start` and `Game.restore`.

    Attributes:
        notes: Remarks of a restore, if there are any.
    """

    def __init__(self, game: PreparedGame, machine: Machine, scenario: str | None, stages: list[str]) -> None:
        super().__init__(game, machine, scenario, stages)
        self.notes: tuple[str, ...] = ()
        self._first = 0
        self._points = Checkpoints(len(machine.M))
        self._due = 0
        self.returns: Type | None = None
        self._attach()

    def _attach(self) -> None:
        """Let the machine write to this session's trace, and answers to its log."""
        machine = self.machine
        machine.events = self.trace.live
        machine.trace = self.trace.live.extend
        self._note = self._log.live.extend
        tools = (machine.M, machine.trace, machine.stack, machine.functions, self.game.fuel, self._note)
        self._tools = tools

    # ------------------------------------------------------------ what is asked

    @property
    def decision(self) -> Decision | None:
        """The decision that waits for an answer; None when the game is over."""
        asked = self.machine.asked
        return None if asked is None else decision(self, asked)

    def legal_answer(self, answer: AnyAnswer) -> LegalAnswer:
        """Return the legal answer that a name, a value or JSON stands for.

        Raises:
            Refused: It stands for none, or the game is over.
        """
        asked, value = legal_value(self, answer)
        if is_chance(asked):
            return chance_answer(self, asked, value)
        return self.game.legal_answers.of_values(asked[0], parts_so_far(self), (value,))[0]

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the answers that the decision would have without norms; empty if it has no norms."""
        return answers_without_norms(self)

    def why(self, answer: AnyAnswer, language: str = "en") -> tuple[Reason, ...]:
        """Return what rules out an answer to the decision; empty if it is legal.

        Raises:
            Refused: This choice has no such answer, legal or not.
            ValueError: There is no such language.
        """
        return why(self, answer, language=language)

    # ------------------------------------------------------------ going on

    def choose(self, answer: AnyAnswer) -> None:
        """Answer what is asked, with an answer, its value, name or JSON, and go on to the next decision.

        Raises:
            Refused: The answer is not legal, or the game is over; nothing has changed.
            Fault: The rules cannot go on from there; the session is back at the decision.
        """
        machine = self.machine
        asked = machine.asked
        if type(answer) is int and asked is not None and asked[0] >= 0 and answer in asked[3]:
            value: Any = answer
        else:
            asked, value = legal_value(self, answer)
        if not self._due or len(self.trace.live) > MOST_NEW:
            if len(self.trace) > MOST_TRACE:
                raise out_of_events()
            self._keep()
        self._due -= 1
        cells, tell, stack, functions, fuel, note = self._tools
        note((asked[0], asked[2], value))
        cells[FUEL] = fuel
        try:
            # `Machine.run`, written out: a question more or less is what a session's time is made of.
            while stack:
                frame = stack.pop()
                value = functions[frame[0]](machine, cells, tell, value, frame)
                if value is STOP:
                    break
            else:
                self._next_stage(value)
            if self.over:
                self._check_unused()
        except Finished as finished:
            self._finish(finished.result)
        except BaseException as error:
            wrong = machine.fault(error) if isinstance(error, Exception) else error
            if isinstance(wrong, Fault):
                wrong.labels = (*self.steps(), *wrong.labels)
            self._back(len(self._log) // ANSWER - 1)
            raise wrong from error
        if self.listeners:
            self.announce()

    def _finish(self, result: Any) -> None:
        """End the game with the result that `finish` gives; go back if a strict game has something left."""
        self.close(self._shown_result(result))
        try:
            self._check_unused()
        except Fault:
            self._back(len(self._log) // ANSWER - 1)
            raise

    def begin(self) -> None:
        """Run up to the first decision; `Game` calls this once.

        Raises:
            Fault: The rules cannot get there.
        """
        self.machine.setting_up = len(self._stages) > 1
        self._begin(self._next_stage)

    def begin_with(self, procedure: str, arguments: tuple[Any, ...], result: Type | None) -> None:
        """Run a procedure up to its first decision, in place of scenario and sequence; `result` is its type.

        Raises:
            Fault: The rules cannot get there.
        """
        self.returns = result

        def first() -> None:
            if not self._run(procedure, *arguments):
                self._next_stage(self.machine.value)

        self._begin(first)

    def _begin(self, run: Callable[[], None]) -> None:
        self.machine.refuel(self.game.fuel)
        try:
            run()
        except Finished as finished:
            self.close(self._shown_result(finished.result))
        self._keep()
        self._check_unused()

    def _run(self, name: str, *arguments: Any) -> bool:
        """Run a procedure until a choice stops it (true) or to its end."""
        machine = self.machine
        if self.game.module.stops(("procedure", name, False)):
            machine.push(name, *arguments)
            return machine.run()
        machine.value = machine.call(name, *arguments)
        return False

    def _next_stage(self, value: Any = None) -> None:
        """Run what is still to be run after what was running, which has given a value."""
        machine = self.machine
        machine.asked = None
        while True:
            if machine.setting_up and len(self._stages) < 2:
                self._end_set_up()
            if not self._stages:
                kind = self.returns
                self.close(None if kind is None else self.game.naming.to_json(kind, value))
                return
            if self._run(self._stages.pop(0)):
                return

    def _end_set_up(self) -> None:
        self.machine.setting_up = False
        self.machine.check(range(len(self.game.program.invariants)))

    @property
    def unused(self) -> Mapping[str, int]:
        """How many of the given dice and things each roll, draw and shuffle has not used yet."""
        return self.machine.streams.count_unused(self.game.module.layout.counters, self.machine.M)

    def _check_unused(self) -> None:
        """Raise the fault of a strict game that has ended with dice or things left."""
        if self.over and self.machine.streams.given.strict and (left := self.unused):
            shown = ", ".join(f"{number} of `{name}`" for name, number in left.items())
            raise Fault("given-not-used", f"the game has ended, and this was not used: {shown}")

    def _shown_result(self, result: Any) -> Any:
        """A result as JSON; its type stands with the last event."""
        if result is None:
            return None
        kind = self.game.teller.kind(tuple(self.trace.since(len(self.trace) - 2)))
        return self.game.naming.to_json(kind.fields[0][1], result)

    def close(self, result: Any) -> None:
        """End the game."""
        self.machine.stack.clear()
        self.machine.asked = None
        self._stages.clear()
        self.over, self.result = True, result

    # ------------------------------------------------------------ the way back

    def _keep(self, every: int | None = None) -> None:
        """Keep the present as a point to come back to; the next one is due after so many answers."""
        machine = self.machine
        point = Checkpoint(
            len(self._log) // ANSWER,
            len(self.trace),
            machine.M[:],
            tuple(machine.stack),
            tuple(machine.late),
            machine.asked,
            machine.choosing,
            self.trace.base + machine.opened,
            machine.setting_up,
            tuple(self._stages),
            machine.streams,
        )
        self._points.add(point)
        self._due = every or self._points.every
        self._freeze()

    def _freeze(self) -> None:
        """Begin new lists for events and answers."""
        self.machine.opened -= self.trace.freeze()
        self._log.freeze()
        self._attach()

    def _back(self, answers: int) -> None:
        """Be where one was after so many answers."""
        machine = self.machine
        streams = machine.streams
        point = self._points.back_to(answers)
        again = self._log.since(point.answers * ANSWER)[: (answers - point.answers) * ANSWER]
        self.trace.cut(point.trace)
        self._log.cut(point.answers * ANSWER)
        self._attach()
        machine.M[:] = point.cells
        machine.stack[:] = point.stack
        machine.late[:] = point.late
        machine.asked, machine.choosing = point.asked, point.choosing
        machine.opened, machine.setting_up = point.opened - self.trace.base, point.setting_up
        machine.use(point.streams)
        self._stages[:] = point.stages
        self.over, self.result, self._due = False, None, AGAIN
        self._again(again, point.streams)
        machine.use(streams)
        known = bisect_right(self._ends, len(self.trace))
        del self._events[known:], self._ends[known:]
        length = len(self.trace)
        self.readers = {side: read for side, read in self.readers.items() if read.position <= length}

    def _again(self, answers: list[Any], streams: Streams) -> None:
        """Give answers that were given before, under the dice of that time."""
        machine = self.machine
        machine.use(streams)
        for start in range(0, len(answers), ANSWER):
            if not self._due:
                self._keep(AGAIN)
            self._due -= 1
            self._note(answers[start : start + ANSWER])
            value = answers[start + ANSWER - 1]
            machine.refuel(self.game.fuel)
            try:
                if not machine.run(value):
                    self._next_stage(machine.value)
            except Finished as finished:
                self.close(self._shown_result(finished.result))

    def undo(self, *, past_chance: bool = False) -> bool:
        """Go back one decision; false if there is none, or if something was learned since.

        A die, a draw or a reveal is learned; `past_chance` goes back even past these, and the same
        dice will fall again.
        """
        count = len(self._log) // ANSWER
        if count == self._first:
            return False
        last, learned = self._log.since((count - 1) * ANSWER), self._knowledge()
        points, streams = self._points.copy(), self.machine.streams
        self._back(count - 1)
        if past_chance or learned == self._knowledge():
            self._keep()
            self._undone += 1
            self._turns = [turn for turn in self._turns if turn[1] < len(self.trace)]
            self._turns.append((self.revision, len(self.trace)))
            self.announce()
            return True
        self._again(last, self._points.back_to(count).streams)
        self.machine.use(streams)
        self._points, self._due = points, 0
        return False

    def _knowledge(self) -> list[int]:
        """How much of each point of chance was seen, and how often something was revealed."""
        layout = self.game.module.layout
        return self.machine.M[layout.first_counter : layout.reveals + 1]

    def clone(self, reseed: int | str | None = None) -> Session:
        """A session that goes its own way from here; with `reseed`, under other dice.

        A search must reseed its clones, or it knows what the dice will be.
        """
        mine = self.machine
        self._freeze()
        other = Session.__new__(Session)
        other.game, other.scenario, other.notes = self.game, self.scenario, self.notes
        other.over, other.result, other._events, other._ends = self.over, self.result, [], []
        other._stages, other._points, other._due = self._stages[:], self._points.copy(), self._due
        other.trace, other._log = self.trace.copy(), self._log.copy()
        other._before, other._first = self._before, self._first
        other.returns, other.begun = self.returns, self.begun
        other.secret_depth, other._undone, other._turns = self.secret_depth, self._undone, self._turns[:]
        other.readers, other.listeners = self.readers.copy(), []
        machine = other.machine = Machine(mine.module, mine.streams, mine.M[:])
        machine.stack, machine.late = mine.stack[:], mine.late[:]
        machine.asked, machine.choosing, machine.setting_up = mine.asked, mine.choosing, mine.setting_up
        machine.opened = mine.opened
        other._attach()
        if reseed is not None:
            machine.use(Streams(self.game.module, reseed))
            other._keep()
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Session:
        """Return a clone, which shares what belongs to the game."""
        return self.clone()

    __copy__ = clone

    # ------------------------------------------------------------ what has changed

    @property
    def mark(self) -> SessionMark:
        """The present moment, for `since`."""
        return mark(self, None)

    def since(self, before: SessionMark) -> SessionChange:
        """Return what has changed since a mark: events, values, and answers that were taken back.

        Raises:
            ValueError: The mark is of another session, or of a view.
        """
        return since(self, before, None)

    def subscribe(self, callback: Callable[[SessionChange], object]) -> Callable[[], None]:
        """Call with each change after an answer or `undo`, until the function that is returned is called.

        An exception of the callback leaves `choose` or `undo`, after the session has gone on.
        """
        return subscribe(self, callback, None)

    # ------------------------------------------------------------ what happened, what is

    def state(self, name: str, *keys: str | int) -> Any:
        """The value of a state for keys given by name, as JSON; of a field, by its own name: `damage`.

        A flag state may be asked without its last key: for all that have the flag.

        Raises:
            UnknownName: There is no such state; this is a KeyError.
            ValueError: A key is missing, or none of its domain.
        """
        return state(self, name, keys)

    def value(self, name: str, *keys: Any, **arguments: Any) -> Any:
        """The value of anything that has a name: a definition, table, field or state, as JSON.

        Args:
            keys: Its arguments or keys, as JSON, in their order.
            arguments: Those of a definition by parameter.

        Raises:
            UnknownName: Nothing has this name; this is a KeyError.
            ValueError: An argument is missing, or none of its type.
            Fault: It has no value, as a row that a table does not have.
        """
        return value(self, name, keys, arguments)

    @property
    def states(self) -> dict[str, list[tuple[list[Any], Any]]]:
        """Every value, hidden ones too: by state, the keys and the value."""
        return states(self)

    @property
    def names(self) -> Mapping[str, str]:
        """Everything that `value` reads, by name, with its parameters and type: `damage(Ship): 0..18`."""
        return self.game.named_values.signatures

    def view(self, side: str | None = None) -> View:
        """The game as a side may see it; without one, as a watcher may, who sees what is public."""
        program, naming = self.game.program, self.game.naming
        if side is not None:
            return View(self, naming.number(program.sides, side))
        sides = program.by_name.domains.get(program.sides)
        return View(self, len(sides.members) if sides else 0)

    def save(self, *, log: bool = True) -> dict[str, Any]:
        """The session as JSON that `Game.restore` takes; see `schemas/save.schema.json`.

        Its size does not grow with the game's length, except for the log of answers, which may be left out.
        """
        return saving.save(self, log=log)

    # ------------------------------------------------------------ for saves

    def resume(self, answered: int, log: Iterable[Answer]) -> None:
        """Begin where a save ends, with so many answers before, of which these are known."""
        for answer in log:
            self._note(answer)
        self._first = len(self._log) // ANSWER
        self._before = answered - self._first
        labels = (self.label(frame) for frame in self.machine.stack)
        sites = self.game.sites_of_each
        self.secret_depth = sum(label is not None and label.site in sites for label in labels)
        self._keep()
