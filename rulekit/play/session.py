"""A game in progress: its decisions, their answers, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulekit.interpret.choices.parts import DONE
from rulekit.interpret.faults import Fault, Finished
from rulekit.interpret.frames import Label
from rulekit.interpret.machine import Machine, Streams
from rulekit.interpret.tape import Tape
from rulekit.ir import Choice
from rulekit.play import saving
from rulekit.play.events import Event, item_type, part_name, shown_part, side_name
from rulekit.play.reasons import Position, Reason, Refused, reasons
from rulekit.play.saves import SaveError
from rulekit.play.view import View, state
from rulekit.types import NONE

if TYPE_CHECKING:
    from rulekit.play.game import Game


@dataclass(frozen=True, slots=True)
class Option:
    """One legal answer to what is asked: its value as the IR has it, and its name."""

    value: int
    name: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What is asked now, and of whom.

    Attributes:
        choice: The choice's name.
        side: Who decides.
        part: The item that is asked for; None where the part has none.
        options: All legal answers.
        may_decline: Whether none is one of them.
        rules: The printed rules that the choice cites.
        steps: The phases, segments and steps that are open, outermost first.
    """

    choice: str
    side: str
    part: str | None
    options: tuple[Option, ...]
    may_decline: bool
    rules: tuple[str, ...]
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Mark:
    """Everything at a decision that the journal does not hold."""

    journal: int
    trace: int
    log: int
    stack: tuple[tuple[Any, ...], ...]
    late: tuple[Any, ...]
    asked: tuple[int, int, Any, tuple[int, ...]]
    choosing: tuple[Any, ...]
    parts: tuple[int, ...]
    opened: int
    stages: tuple[str, ...]


class Session:
    """A game in progress; made by `Game.start` and `Game.restore`.

    Attributes:
        scenario: The scenario's name, or None.
        notes: What a restore has to say, if anything.
        over: Whether the game has ended.
        result: What it ended with, as JSON; None without a result.
    """

    def __init__(self, game: Game, machine: Machine, scenario: str | None, stages: list[str]) -> None:
        self.game = game
        self.machine = machine
        self.scenario = scenario
        self.notes: tuple[str, ...] = ()
        self.over = False
        self._stages = stages
        self._journal = Tape()
        self._trace = Tape()
        self._marks: list[_Mark] = []
        self._log: list[tuple[int, int | None, int]] = []
        self.result: Any = None
        self._told: list[Event] = []
        self._attach()

    def _attach(self) -> None:
        """Let the machine write to this session's tapes."""
        self.machine.events = self._trace
        self.machine.trace = self._trace.append
        self.machine.journal = self._journal.append

    # ------------------------------------------------------------ what is asked

    @property
    def decision(self) -> Decision | None:
        """What is asked now; None when the game is over."""
        asked = self.machine.asked
        if asked is None:
            return None
        number, side, item, values = asked
        naming, choice = self.game.naming, self.game.program.choices[number]
        parts = len(self._open_answers()) if choice.verb == "split" else 0
        if choice.verb == "split":
            parts = max((value for _, value in self._open_answers()), default=0)
        of_item = item_type(choice)
        part = None if item is None or of_item is None else naming.shown(of_item, item)
        return Decision(
            choice.name,
            side_name(naming, self.game.program.sides, side),
            None if part is None else str(part),
            tuple(Option(value, part_name(naming, choice, value, parts)) for value in values),
            NONE in values,
            self.game.program.sites[choice.site].rules,
            self.steps(),
        )

    def steps(self) -> tuple[str, ...]:
        """The phases, segments and steps that are open."""
        found: list[str] = []
        for frame in self.machine.stack:
            label = self._label(frame)
            if label is not None:
                found += label.steps
        return tuple(found)

    def _label(self, frame: list[Any]) -> Label | None:
        number, place = int(frame[0]), int(frame[1])
        return self.game.compiled.cuts[number].labels[place]

    def choose(self, option: Option | int | str) -> None:
        """Answer what is asked, with an option, its value or its name, and go on to the next decision.

        Raises:
            Refused: It is not legal, or nothing is asked; nothing has changed then.
            Fault: The rules cannot go on from there; the session stands at the decision again.
        """
        asked = self.machine.asked
        if asked is None:
            raise Refused("the game is over")
        value = self._value(option, asked)
        if value not in asked[3]:
            name = self._option_name(value)
            raise Refused(f"refused: {name} is not legal here", self.why(value))
        self._marks.append(self._mark(asked))
        self._log.append((asked[0], asked[2], value))
        self.machine.parts += (value,)
        self._go(value)

    def _value(self, option: Option | int | str, asked: tuple[int, int, Any, tuple[int, ...]]) -> int:
        if isinstance(option, Option):
            return option.value
        if isinstance(option, str):
            return self._named(option, asked)
        return int(option)

    def _named(self, name: str, asked: tuple[int, int, Any, tuple[int, ...]]) -> int:
        """The value with this name: among the options, or else anything that might be asked."""
        decision = self.decision
        assert decision is not None
        for option in decision.options:
            if option.name == name:
                return option.value
        choice = self.game.program.choices[asked[0]]
        value = _any_value(self, choice, name)
        if value is None:
            raise Refused(f"refused: `{name}` is no answer to `{choice.name}`")
        return value

    def _option_name(self, value: int) -> str:
        asked = self.machine.asked
        assert asked is not None
        try:
            return part_name(self.game.naming, self.game.program.choices[asked[0]], value)
        except (IndexError, ValueError):
            return str(value)

    def why(self, option: Option | int | str) -> tuple[Reason, ...]:
        """What stands against an option of what is asked; empty if it is legal."""
        asked = self.machine.asked
        if asked is None:
            return ()
        value = self._value(option, asked)
        if value in asked[3]:
            return ()
        at = self._position(asked)
        return reasons(self.game.compiled, self.game.naming, self.machine.M, at, value)

    def _position(self, asked: tuple[int, int, Any, tuple[int, ...]]) -> Position:
        """The open choice as far as it is answered."""
        choice = self.game.program.choices[asked[0]]
        answers = self._open_answers()
        used = [value for _, value in answers if value >= 0]
        assigned = {item: value for item, value in answers if item is not None}
        match choice.verb:
            case "pick_set" | "pick_one" | "assign":
                chosen: Any = sum(1 << value for value in set(used))
            case "share":
                chosen = assigned
            case _:
                chosen = tuple(used)
        given = tuple(value for _, value in answers)
        before = used[-1] if used else NONE
        return Position(choice, self.machine.choosing, asked[2], chosen, assigned, before, given)

    def _open_answers(self) -> list[tuple[int | None, int]]:
        """The parts of the open choice that are answered, with their items: asked and forced ones."""
        found: list[tuple[int | None, int]] = []
        for entry in self._trace.since(self.machine.opened):
            kind = self.game.teller.kind(entry)
            if kind.kind in ("answer", "forced"):
                found.append((entry[2], entry[3]))
        return found

    # ------------------------------------------------------------ going on

    def begin(self) -> None:
        """Run up to the first decision; `Game` calls this once.

        Raises:
            Fault: The rules cannot get there.
        """
        self.machine.setting_up = len(self._stages) > 1
        self._run(None, resuming=False)

    def _go(self, value: int) -> None:
        try:
            self._run(value, resuming=True)
        except Fault as fault:
            fault.labels = self.steps()
            self._back(self._marks.pop())
            raise

    def _run(self, value: int | None, *, resuming: bool) -> None:
        """Run until something is asked or the game is over."""
        machine, compiled = self.machine, self.game.compiled
        machine.refuel(self.game.fuel)
        try:
            while True:
                if resuming and machine.run(value):
                    return
                value = None
                if machine.setting_up and len(self._stages) < 2:
                    machine.setting_up = False
                    machine.check(range(len(self.game.program.invariants)))
                if not self._stages:
                    break
                name = self._stages.pop(0)
                resuming = compiled.stops(("procedure", name, False))
                if resuming:
                    machine.push(name)
                else:
                    machine.call(name)
        except Finished as finished:
            self.close(self._shown_result(finished.result))
            return
        self.close(None)

    def _shown_result(self, result: Any) -> Any:
        """A result as JSON; its type stands with the last event."""
        if result is None:
            return None
        kind = self.game.teller.kind(self._trace.since(len(self._trace) - 1)[0])
        return self.game.naming.shown(kind.fields[0][1], result)

    def close(self, result: Any) -> None:
        """End the game."""
        self.machine.stack.clear()
        self.machine.asked = None
        self._stages.clear()
        self.over, self.result = True, result

    # ------------------------------------------------------------ for `saves`

    @property
    def stages(self) -> tuple[str, ...]:
        """Procedures to be run after those that are running."""
        return tuple(self._stages)

    def remember(self, choice: int, item: int | None, value: int) -> None:
        """Put an answer into the log."""
        self._log.append((choice, item, value))

    def reopen(self, frame: list[Any]) -> None:
        """Ask a choice again, from its first part."""
        self.machine.stack.append(frame)
        self.machine.refuel(self.game.fuel)
        if not self.machine.run():
            raise Fault("no-legal-option", "the saved choice asks nothing")

    def give_again(self, choice: str, value: int) -> None:
        """Answer a part as it was answered before the save.

        Raises:
            SaveError: It is no legal answer, or another choice is asked.
        """
        asked = self.machine.asked
        if asked is None or self.game.program.choices[asked[0]].name != choice or value not in asked[3]:
            raise SaveError(f"an answer to `{choice}` is not legal")
        self.machine.parts += (value,)
        if not self.machine.run(value):
            raise SaveError(f"`{choice}` has nothing left to ask")

    def _mark(self, asked: tuple[int, int, Any, tuple[int, ...]]) -> _Mark:
        machine = self.machine
        return _Mark(
            len(self._journal),
            len(self._trace),
            len(self._log),
            tuple(map(tuple, machine.stack)),
            tuple(machine.late),
            asked,
            machine.choosing,
            machine.parts,
            machine.opened,
            tuple(self._stages),
        )

    def _back(self, mark: _Mark) -> None:
        """Be as at a mark again."""
        machine = self.machine
        entries = self._journal.since(mark.journal)
        for place in range(len(entries) - 2, -1, -2):
            machine.M[entries[place]] = entries[place + 1]
        self._journal.cut(mark.journal)
        self._trace.cut(mark.trace)
        del self._log[mark.log :]
        del self._told[mark.trace :]
        self._attach()
        machine.stack[:] = map(list, mark.stack)
        machine.late[:] = mark.late
        machine.asked, machine.choosing = mark.asked, mark.choosing
        machine.parts, machine.opened = mark.parts, mark.opened
        self._stages[:] = mark.stages
        self.over, self.result = False, None

    def undo(self, *, past_chance: bool = False) -> bool:
        """Go back one decision; false if there is none, or if something was learned since.

        What was learned is a die, a draw or a reveal; `past_chance` goes back all the same, and the same
        dice will fall again.
        """
        if not self._marks:
            return False
        mark = self._marks[-1]
        layout = self.game.compiled.plan.layout
        if not past_chance:
            addresses = self._journal.since(mark.journal)[::2]
            if any(layout.first_counter <= address < layout.first_state for address in addresses):
                return False
        self._back(self._marks.pop())
        return True

    def clone(self, reseed: int | str | None = None) -> Session:
        """A session that goes its own way from here; with `reseed`, under other dice.

        A search must reseed its clones, or it knows what the dice will be.
        """
        other = Session.__new__(Session)
        other.game, other.scenario, other.notes, other.over = self.game, self.scenario, self.notes, self.over
        other._stages, other._marks, other._log = self._stages[:], self._marks[:], self._log[:]
        other._journal, other._trace = self._journal.copy(), self._trace.copy()
        other.result, other._told = self.result, []
        mine = self.machine
        streams = mine.streams if reseed is None else Streams(self.game.compiled, reseed)
        machine = other.machine = Machine(mine.compiled, streams, mine.M[:])
        machine.stack = [frame[:] for frame in mine.stack]
        machine.late = mine.late[:]
        machine.asked, machine.choosing, machine.parts = mine.asked, mine.choosing, mine.parts
        machine.opened, machine.setting_up = mine.opened, mine.setting_up
        other._attach()
        self._attach()
        return other

    # ------------------------------------------------------------ what happened, what is

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order; after a restore, from there on."""
        for entry in self._trace.since(len(self._told)):
            self._told.append(self.game.teller.event(entry))
        return tuple(self._told)

    def state(self, name: str, *keys: str | int) -> Any:
        """The value of a state for keys given by name, as JSON.

        A flag state may be asked without its last key: for all that have the flag.

        Raises:
            KeyError: There is no such state.
            ValueError: A key is none of its domain.
        """
        return state(self, name, keys)

    def view(self, side: str) -> View:
        """The game as a side may see it."""
        return View(self, self.game.naming.number(self.game.program.sides, side))

    def save(self, *, log: bool = True) -> dict[str, Any]:
        """The session as JSON that `Game.restore` takes; see `schemas/save.schema.json`.

        Its size does not grow with the game's length, but for the log of answers, which may be left out.
        """
        return saving.save(self, log=log)

    @property
    def log(self) -> tuple[Mapping[str, Any], ...]:
        """Every answer given, in order."""
        naming, choices = self.game.naming, self.game.program.choices
        found = []
        for number, item, value in self._log:
            choice = choices[number]
            of_item = item_type(choice)
            entry = {"choice": choice.name, "value": shown_part(naming, choice, value)}
            if item is not None and of_item is not None:
                entry["item"] = naming.shown(of_item, item)
            found.append(entry)
        return tuple(found)


def _any_value(session: Session, choice: Choice, name: str) -> int | None:
    """The value that a name stands for in a choice, legal or not."""
    if name == "none":
        return NONE
    if name == "done":
        return DONE
    if choice.verb == "decide":
        return {"no": 0, "yes": 1}.get(name)
    if choice.verb in ("number", "share", "split"):
        text = name.removeprefix("part ")
        return int(text) if text.isdigit() and len(text) < 10 else None
    kind = choice.option.type
    try:
        value = session.game.naming.read(kind, int(name) if name.isdigit() and len(name) < 10 else name)
    except ValueError:
        try:
            value = session.game.naming.read(kind, name)
        except ValueError:
            return None
    return value if isinstance(value, int) else None
