"""A session from a save.

A restore trusts nothing: first the schema, then names, types, ranges and the chain of calls are checked; only
then is anything built, and the open choice is asked anew and answered part by part, each part being held
against its options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from rulekit.ir import Choice, Param
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.ir.semantics.names import Naming, NamingError
from rulekit.ir.types import Int, ListOf, Member, Optional, SetOf
from rulekit.runtime import chance
from rulekit.runtime.codegen.routines.frames import Cut, Frame, StopPoint
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.play.answering.answers import Answer
from rulekit.runtime.play.answering.spelling import read_part
from rulekit.runtime.play.beginning.given import Given, give
from rulekit.runtime.play.beginning.starting import Begin, FirstCall, first_call
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.play.saved.saves import (
    CHANGES,
    SaveError,
    address_of,
    cell_value,
    check,
    shape,
    short,
)
from rulekit.runtime.play.saved.starts import StartKeys
from rulekit.runtime.play.session import Session
from rulekit.runtime.support import together
from rulekit.runtime.support.asked import ONE, ORDER, ROLL, SET
from rulekit.runtime.support.layout import Layout, Revealed, Slots
from rulekit.runtime.support.state_changes import span

MOST_NAMED: Final = 12
"""States that a note or an error lists."""

ANY: Final = Int(-(2**40), 2**40)
"""A number before its state's range is looked at."""


class Contents:
    """Reads what a save that fits the schema says of one program's state.

    All methods raise `SaveError` or `NamingError` for what the program does not have.
    """

    def __init__(self, layout: Layout, naming: Naming, sides: str) -> None:
        self.layout = layout
        self.naming = naming
        self.sides = sides

    def fill(self, cells: list[Any], data: Mapping[str, Any]) -> None:
        """Write into cells, which are those of the start, what the save says of them."""
        for name, entries in data["state"].items():
            slots = self._slots(name)
            for keys, value in entries:
                cells[address_of(slots, self.naming, keys)] = cell_value(slots, self.naming, value)
        self.layout.derive(cells)
        for name, count in data["counters"].items():
            if name not in self.layout.counters:
                raise SaveError(f"unknown point `{short(name)}`")
            cells[self.layout.counters[name]] = int(count)
        cells[self.layout.reveals] = int(data["reveals"])
        for name, keys in data["revealed"].items():
            revealed = self._mask_of(name)
            cells[revealed.address] |= self._revealed_mask(self._slots(name), keys) * revealed.everyone
        for side, states in data.get("revealed_to", {}).items():
            for name, keys in states.items():
                revealed, number = self._mask_of(name), self.naming.number(self.sides, side)
                if revealed.sides == 1:
                    raise SaveError(f"`{short(name)}` is never revealed to some sides alone")
                mask = self._revealed_mask(self._slots(name), keys)
                cells[revealed.address] |= mask * revealed.to(1 << number)

    def _slots(self, name: str) -> Slots:
        if name not in self.layout.slots:
            raise SaveError(f"unknown state `{short(name)}`")
        return self.layout.slots[name]

    def _mask_of(self, name: str) -> Revealed:
        if name not in self.layout.revealed:
            raise SaveError(f"`{short(name)}` is never revealed")
        return self.layout.revealed[name]

    def _revealed_mask(self, slots: Slots, revealed: list[list[Any]]) -> int:
        mask = 0
        for keys in revealed:
            if len(keys) != len(slots.state.keys):
                raise SaveError(f"`{slots.state.name}` has {len(slots.state.keys)} keys")
            mask |= 1 << slots.revealed_bit(tuple(map(self.naming.key, slots.state.keys, keys)))
        return mask

    # ------------------------------------------------------------ together

    def late(self, data: Mapping[str, Any]) -> list[Any]:
        """The changes that wait, as the machine keeps them."""
        changes: list[Any] = []
        for entry in data["together"]:
            changes += [*self._late_change(entry), -1]
        return changes

    def _late_change(self, entry: Mapping[str, Any]) -> tuple[int, int, Any]:
        what = CHANGES.index(entry["change"])
        value = entry["value"]
        if what == together.PLACE:
            if "place" not in self.layout.slots:
                raise SaveError("the save moves a piece, but the game has none")
            piece = self.naming.number("piece", entry.get("piece"))
            return what, piece, self.naming.read(Optional(Member("space", "")), value)
        slots = self._slots(entry.get("state", ""))
        if what == together.DISSOLVE:
            key = slots.state.keys[0] if slots.state.keys else ""
            if slots.state.name != f"exists:{key}" or not str(value).isdecimal() or len(str(value)) > 9:
                raise SaveError("the save dissolves an unknown group")
            if int(value) >= self.layout.sizes[str(key)]:
                raise SaveError("the save dissolves an unknown group")
            return what, slots.base, int(value)
        return (
            what,
            address_of(slots, self.naming, entry.get("keys", [])),
            self._late_value(slots, what, value),
        )

    def _late_value(self, slots: Slots, what: int, value: Any) -> Any:
        kind = slots.state.type
        marks = isinstance(kind, SetOf) or slots.bits is not None
        if what in (together.MARK, together.UNMARK) and marks:
            return cell_value(slots, self.naming, value)
        if isinstance(kind, ListOf):
            if what in (together.APPEND, together.DROP):
                return self.naming.read(kind.of, value)
            if what in (together.SET, together.TOP, together.UNDER):
                return self.naming.read(kind, value)
        elif what == together.SET and span(slots.state) is not None:
            # Ends of tracks and ranges are looked at when the change lands.
            return self.naming.read(Optional(ANY) if isinstance(kind, Optional) else ANY, value)
        elif what == together.SET and slots.bits is None:
            return self.naming.read(kind, value)
        elif what == together.ADD and isinstance(value, int) and not isinstance(value, bool) and not marks:
            return value
        raise SaveError(f"`{slots.state.name}` cannot be changed like this")


def restore(game: PreparedGame, data: Mapping[str, Any], given: Given) -> Session:
    """The session that a save describes; see `Game.restore`."""
    check(data)
    if data["program"] != game.program.name:
        raise SaveError(f"the save is of `{short(data['program'])}`, not of `{game.program.name}`")
    if data["options"] != list(game.program.options):
        raise SaveError("the save is of a game with other options")
    if "chance" in data:
        game = game.with_chance("asked")
    with _meaning_in(game, data):
        begin = Begin.read(data["at"]) if "at" in data else None
        call = None if begin is None else first_call(game, begin)
        restored = _Restore(game if call is None else call.game, data, call)
    if given:
        give(restored.game, restored.machine, given)
    with _meaning_in(game, data):
        return restored.session()


@contextmanager
def _meaning_in(game: PreparedGame, data: Mapping[str, Any]) -> Iterator[None]:
    """Raise what a save does not mean in a game as SaveError."""
    try:
        yield
    except NamingError as wrong:
        what = _other_data(game.program.data, data.get("data", {}))
        what = f" (it was saved with {what})" if what else ""
        raise SaveError(f"the save does not fit the rules: {wrong}{what}") from wrong
    except (Fault, Finished) as fault:
        raise SaveError(f"the saved game cannot continue: {fault}") from fault


def _other_data(game_data: Mapping[str, str], saved: Mapping[str, str]) -> str:
    """The files of extern kinds that a save names and the game does not play with."""
    files = (f"`{short(file)}`" for kind, file in saved.items() if game_data.get(kind) != file)
    return ", ".join(dict.fromkeys(files))


class _Restore:
    """Builds one session from a save that fits the schema."""

    def __init__(self, game: PreparedGame, data: Mapping[str, Any], call: FirstCall | None) -> None:
        self.game, self.call = game, call
        self.data = data
        self.naming = game.naming
        self.contents = Contents(game.module.layout, game.naming, game.program.sides)
        named = (item for item in game.program.scenarios if item.name == data["scenario"])
        self.scenario = next(named, None)
        if data["scenario"] is not None and self.scenario is None:
            raise SaveError(f"unknown scenario `{short(data['scenario'])}`")
        self.machine = Machine(game.module, self._streams(), self._cells())

    def session(self) -> Session:
        """The session at its decision."""
        machine, data = self.machine, self.data
        machine.late = self.contents.late(data)
        machine.stack = self._frames()
        session = Session(self.game, machine, data["scenario"], self._stages())
        if data["rules"] != self.game.program.source_hash:
            other = _other_data(self.game.program.data, data.get("data", {}))
            what = f"with {other}; these data" if other else "under other rules, which"
            session.notes = (f"saved {what} agree on everything in the save", *self._edits())
        session.begun = data.get("at")
        if self.call is not None:
            session.returns = self.call.result
        if not data["over"]:
            if data.get("chance") is None:
                self._ask()
            else:
                self._ask_chance(data["chance"])
        elif machine.stack or data["choice"] is not None or data.get("chance") is not None:
            raise SaveError("the saved game is over, but something is still running")
        else:
            session.close(data["result"])
        session.resume(int(data["answered"]), self._log())
        return session

    def _edits(self) -> Iterator[str]:
        """Say which states and members are new or gone since the save.

        Raises:
            SaveError: A state begins with other values: those that the save does not list are not known.
        """
        saved, now = self.data.get("starts"), self.game.starts(self.data["scenario"])
        if saved is None:
            return
        layout = self.game.module.layout
        keys = StartKeys(self.naming, layout, self.data.get("keys", {}))
        _, cells = self.game.base(self.data["scenario"])
        changed = [
            name
            for name, digest in saved.items()
            if now.get(name, digest) != digest and keys.digest(layout.slots[name], cells) != digest
        ]
        if changed:
            names = ", ".join(f"`{short(name)}`" for name in changed[:MOST_NAMED])
            raise SaveError(f"other starting values, or other keys, than when the save was made: {names}")
        new = [*sorted(now.keys() - saved.keys()), *keys.news()]
        for words, some in (("new", new), ("gone", sorted(saved.keys() - now.keys()))):
            if some:
                names = ", ".join(f"`{short(name)}`" for name in some[:MOST_NAMED])
                yield f"{words} since the save, with starting values: {names}"

    def _log(self) -> list[Answer]:
        """The answers so far, if the save tells them."""
        choices = self.data.get("choices")
        if choices is not None and len(choices) != self.data["answered"]:
            raise SaveError("the save has some of its answers, but not all")
        return list(map(self.game.answer_codec.read, choices or ()))

    def _streams(self) -> Streams:
        data = self.data
        dice = {name: list(map(int, faces)) for name, faces in data.get("dice", {}).items()}
        try:
            given = self.game.given_chance(dice, data.get("draws"), strict=data.get("strict", False))
            return Streams(self.game.module, self._seed(), given)
        except ValueError as wrong:
            raise SaveError(f"the save has dice or draws that the game does not have: {wrong}") from wrong

    def _seed(self) -> int:
        seed = int(self.data["seed"])
        if seed > chance.WORD:
            raise SaveError("the seed is too large")
        return seed

    def _cells(self) -> list[Any]:
        base, cells = self.game.base(self.data["scenario"])
        if base != self.data["base"]:
            raise SaveError("the save is a difference from another start")
        self.contents.fill(cells, self.data)
        return cells

    def _stages(self) -> list[str]:
        """The procedures still to be run."""
        stages = list(self.data["stages"])
        if stages and (self.scenario is None or stages != [self.game.program.entry]):
            raise SaveError("the save has stages that the game does not have")
        return stages

    # ------------------------------------------------------------ frames

    def _frames(self) -> list[Frame]:
        """The stack without the choice, each frame standing where the next one was called."""
        game, frames = self.game, self.data["frames"]
        stack: list[Frame] = []
        wanted: tuple[str, str, bool] | None = None
        together = False
        for entry in frames:
            key = ("procedure", entry["procedure"], entry["together"])
            if wanted is not None and key != wanted:
                raise SaveError(f"`{short(entry['procedure'])}` is not called at the place in the save")
            if not game.module.stops(key):
                raise SaveError(f"unknown procedure `{short(entry['procedure'])}`, or it waits for no choice")
            number = game.module.frame_number(key)
            place, label = self._label(game.module.cuts[number], entry)
            stack.append(self._frame(number, place, label, entry))
            wanted, together = label.calls, together or label.late
        self._check_chain(wanted, bool(frames))
        if self.machine.late and not together:
            raise SaveError("changes wait for the end of a `together` block that is not open")
        return stack

    def _check_chain(self, wanted: tuple[str, str, bool] | None, running: bool) -> None:
        """The stack begins with what the game runs now and ends at the choice, or chance, that is open."""
        choice, chance = self.data["choice"], self.data.get("chance")
        if choice is None and chance is None:
            if running or not self.data["over"]:
                raise SaveError("the save has no open choice")
            return
        asked = self.data["chance"] if choice is None else choice
        waits = None if choice is None else ("choice", choice["name"], False)
        if not running or wanted != waits or choice is not None and chance is not None:
            raise SaveError(f"`{short(asked['name'])}` is not asked at the place in the save")
        first = self.data["frames"][0]
        scenario = self.scenario if self.data["stages"] else None
        if self.call is not None:
            begins = self.call.procedure
        else:
            begins = self.game.program.entry if scenario is None else scenario.procedure
        if first["procedure"] != begins or first["together"]:
            raise SaveError(f"the game does not run `{short(first['procedure'])}`")

    def _label(self, cut: Cut, entry: Mapping[str, Any]) -> tuple[int, StopPoint]:
        for number, label in enumerate(cut.labels):
            if label is not None and label.instead is None and label.name == entry["at"]:
                if shape(cut, label) != entry["shape"]:
                    raise SaveError(f"`{short(entry['procedure'])}` has changed since the save was made")
                return number, label
        raise SaveError(f"`{short(entry['procedure'])}` does not wait at `{short(entry['at'])}`")

    def _frame(self, number: int, place: int, label: StopPoint, entry: Mapping[str, Any]) -> Frame:
        cut = self.game.module.cuts[number]
        frame: list[Any] = [number, place, *[None] * (cut.size - 2)]
        saved, unset = dict(entry["locals"]), set(entry["unset"])
        for slot, variable in label.kept:
            if variable.name in saved:
                frame[slot] = self.naming.read(variable.type, saved.pop(variable.name))
            elif variable.name not in unset or variable.python not in cut.unset:
                raise SaveError(f"`{variable.name}` is missing in `{short(entry['procedure'])}`")
            else:
                unset.discard(variable.name)
        if saved or unset:
            raise SaveError(f"`{short(str(next(iter([*saved, *unset]))))}` is not a local kept there")
        return tuple(frame)

    # ------------------------------------------------------------ the open choice

    def _ask(self) -> None:
        """Ask the open choice again and give the parts that were answered."""
        saved = self.data["choice"]
        choice = self.game.module.facts.choices[saved["name"]]
        arguments = self._arguments(choice.name, choice.params, saved["arguments"])
        self._open(self.game.module.frame(("choice", choice.name, False), arguments))
        for shown in saved["parts"]:
            self._give(choice, read_part(self.naming, choice, shown))
        if not self._asks(choice):
            raise SaveError(f"`{choice.name}` has nothing left to ask")

    def _arguments(self, name: str, params: Sequence[Param], saved: Mapping[str, Any]) -> tuple[Any, ...]:
        """The arguments of what is asked."""
        for param in params:
            if param.name not in saved:
                raise SaveError(f"`{param.name}` is missing in `{name}`")
        if len(saved) != len(params):
            raise SaveError(f"`{name}` has other parameters")
        return tuple(self.naming.read(param.type, saved[param.name]) for param in params)

    def _ask_chance(self, saved: Mapping[str, Any]) -> None:
        """Ask again for what chance gives."""
        frame, name = self.machine.stack[-1], saved["name"]
        label = self.game.module.cuts[frame[0]].labels[frame[1]]
        number = next((n for n, point in enumerate(self.game.program.points) if point.name == name), None)
        if number is None or label is None or label.target is None or not _waits_for(label, name):
            raise SaveError(f"`{short(name)}` is not asked at the place in the save")
        point, count = self.game.program.points[number], saved["number"]
        kind, things = ROLL, ()
        if point.dice:
            count = point.dice
        else:
            kind = {SetOf: SET, ListOf: ORDER}.get(type(label.target.type), ONE)
            thing = self.game.lots[name].thing
            things = tuple(self.naming.read(thing, one) for one in saved["things"])
            if len(set(things)) < max(len(things), 2):
                raise SaveError(f"`{short(name)}` has nothing to draw from, or a thing twice")
            if (count is not None) != (kind == SET) or kind == SET and not 0 < count < len(things):
                raise SaveError(f"`{short(name)}` does not draw so many")
        self.machine.asked = (~number, kind, count, things)
        self.machine.choosing = self._arguments(name, point.params, saved["arguments"])

    def _open(self, frame: Frame) -> None:
        """Ask a choice again, from its first part."""
        self.machine.stack.append(frame)
        self.machine.refuel(self.game.fuel)
        if not self.machine.run():
            raise SaveError("the saved choice has nothing to ask")

    def _give(self, choice: Choice, value: int) -> None:
        """Answer a part as it was answered before the save."""
        asked = self.machine.asked
        if asked is None or not self._asks(choice) or value not in asked[3]:
            raise SaveError(f"an answer to `{choice.name}` is not legal")
        if not self.machine.run(value):
            raise SaveError(f"`{choice.name}` has nothing left to ask")

    def _asks(self, choice: Choice) -> bool:
        """True if a part of this choice is asked now."""
        asked = self.machine.asked
        return asked is not None and asked[0] >= 0 and self.game.program.choices[asked[0]].name == choice.name


def _waits_for(label: StopPoint, point: str) -> bool:
    """True if a procedure waits at a label for what chance gives at a point."""
    return label.calls is None and label.name.rpartition(".")[0] == f"chance {point}"
