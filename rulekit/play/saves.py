"""Sessions as JSON, and back.

A save names everything: cells by state and keys, as differences from the start; frames by the choice or
call at which they wait; locals by name.  A restore trusts nothing: first the schema, then names, types,
ranges and the chain of calls are checked; only then is anything built, and the open choice is asked anew
and answered part by part, each part being held against its options.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from rulekit import chance
from rulekit.interpret import late
from rulekit.interpret.faults import Fault, Finished
from rulekit.interpret.frames import Cut, Label
from rulekit.interpret.layout import Layout, Slots
from rulekit.interpret.machine import Machine, Streams
from rulekit.interpret.naming import Naming, NamingError
from rulekit.interpret.operations import members
from rulekit.interpret.writes import span
from rulekit.play.events import item_type, read_part, shown_part
from rulekit.types import NONE, Int, ListOf, Member, Optional, SetOf

if TYPE_CHECKING:
    from rulekit.play.game import Game
    from rulekit.play.session import Session

FORMAT = 1
ANY = Int(-(2**40), 2**40)
"""A number before its state's range is looked at."""

CHANGES = ("set", "add", "mark", "unmark", "append", "drop", "top", "under", "place", "dissolve")
"""Names of late changes, by number."""


class SaveError(Exception):
    """A save that cannot be restored; the message says why."""


# ---------------------------------------------------------------- save


def save(session: Session, *, log: bool) -> dict[str, Any]:
    """The session as JSON."""
    game, machine = session.game, session.machine
    program, layout = game.program, game.compiled.plan.layout
    base, cells = game.base(session.scenario)
    data: dict[str, Any] = {
        "format": FORMAT,
        "program": program.name,
        "rules": program.source_hash,
        "options": list(program.options),
        "scenario": session.scenario,
        "seed": str(machine.streams.seed),
        "base": base,
        "state": _state(layout, game.naming, machine.M, cells),
        "counters": {
            name: machine.M[address] for name, address in layout.counters.items() if machine.M[address]
        },
        "reveals": machine.M[layout.reveals],
        "revealed": _revealed(layout, game.naming, machine.M),
        "together": [_change(layout, game.naming, *entry) for entry in late.entries(machine.late)],
        "stages": list(session.stages),
        "frames": [_frame(session, frame) for frame in machine.stack[:-1]] if machine.asked else [],
        "choice": _choice(session),
        "over": session.over,
        "result": session.result,
    }
    if log:
        data["choices"] = [dict(entry) for entry in session.log]
    return data


def _state(layout: Layout, naming: Naming, cells: list[Any], base: list[Any]) -> dict[str, Any]:
    """The cells that differ from the base, by state."""
    found: dict[str, Any] = {}
    for slots in layout.slots.values():
        span = slice(slots.base, slots.base + slots.size)
        if cells[span] == base[span]:
            continue
        found[slots.state.name] = [
            [naming.keys(slots.state.keys[: len(keys)], keys), _shown_cell(naming, slots, cells[address])]
            for keys, address in slots.each()
            if cells[address] != base[address]
        ]
    return found


def _shown_cell(naming: Naming, slots: Slots, value: Any) -> Any:
    if slots.bits is None:
        return naming.shown(slots.state.type, value)
    low, domain = slots.bits.low, slots.state.keys[-1]
    return [naming.keys((domain,), (bit + low,))[0] for bit in members(value)]


def _revealed(layout: Layout, naming: Naming, cells: list[Any]) -> dict[str, Any]:
    """The keys of revealed values, by state."""
    found: dict[str, Any] = {}
    for name, address in layout.revealed.items():
        slots = layout.slots[name]
        width = slots.bits.size if slots.bits is not None else 1
        keys = []
        for place in members(cells[address]):
            cell, bit = divmod(place, width)
            values = layout.keys_of(slots.base + cell)
            values += (bit + slots.bits.low,) if slots.bits is not None else ()
            keys.append(naming.keys(slots.state.keys, values))
        if keys:
            found[name] = keys
    return found


def _change(layout: Layout, naming: Naming, what: int, where: int, value: Any, event: int) -> dict[str, Any]:
    """A change that waits for the end of a `together` block."""
    if what == late.PLACE:
        space = naming.shown(Optional(Member("space", "")), value)
        return {"change": "place", "piece": naming.member("piece", where), "value": space}
    slots = layout.owner(where)
    keys = naming.keys(slots.state.keys[: len(slots.keys)], layout.keys_of(where))
    if what == late.DISSOLVE:
        return {"change": "dissolve", "state": slots.state.name, "value": str(value)}
    return {
        "change": CHANGES[what],
        "state": slots.state.name,
        "keys": keys,
        "value": _shown_change(naming, slots, what, value),
    }


def _shown_change(naming: Naming, slots: Slots, what: int, value: Any) -> Any:
    kind = slots.state.type
    if what in (late.MARK, late.UNMARK):
        return _shown_cell(naming, slots, value)
    if what in (late.APPEND, late.DROP) and isinstance(kind, ListOf):
        return naming.shown(kind.of, value)
    if what == late.ADD or what == late.SET and span(slots.state) is not None:
        return None if value == NONE else int(value)
    return naming.shown(kind, value)


def _frame(session: Session, frame: list[Any]) -> dict[str, Any]:
    """A frame that waits at a call."""
    compiled, naming = session.game.compiled, session.game.naming
    cut = compiled.cuts[frame[0]]
    label = cut.labels[frame[1]]
    assert label is not None
    kept = {variable.name: (variable.type, frame[slot]) for slot, variable in label.kept}
    return {
        "procedure": cut.key[1],
        "together": cut.key[2],
        "at": label.name,
        "shape": _shape(cut, label),
        "locals": {
            name: naming.shown(kind, value) for name, (kind, value) in kept.items() if value is not None
        },
        "unset": [name for name, (_, value) in kept.items() if value is None],
    }


def _shape(cut: Cut, label: Label) -> str:
    """A digest of what a frame at this label holds: equal where the same code waits there."""
    kept = ", ".join(f"{variable.name}: {variable.type}" for _, variable in label.kept)
    return f"{chance.name_key(f'{cut.key} {label.name} {label.calls} ({kept})'):016x}"


def _choice(session: Session) -> dict[str, Any] | None:
    """The open choice: its arguments and the parts answered."""
    machine, naming = session.machine, session.game.naming
    if machine.asked is None:
        return None
    choice = session.game.program.choices[machine.asked[0]]
    arguments = zip(choice.params, machine.choosing, strict=True)
    return {
        "name": choice.name,
        "arguments": {param.name: naming.shown(param.type, value) for param, value in arguments},
        "parts": [shown_part(naming, choice, value) for value in machine.parts],
    }


# ---------------------------------------------------------------- restore


@cache
def _validator() -> Any:
    """The schema's validator; loaded at the first restore, for it takes a while."""
    import jsonschema

    from rulekit.resources import schema

    return jsonschema.Draft202012Validator(schema("save"))


def restore(game: Game, data: Mapping[str, Any]) -> Session:
    """The session that a save describes; see `Game.restore`."""
    try:
        error = next(iter(_validator().iter_errors(data)), None)
    except RecursionError:
        raise SaveError("the save is nested too deeply") from None
    if error is not None:
        place = "/".join(map(str, error.absolute_path)) or "the top"
        raise SaveError(f"this is no save: at {place}: {_short(error.message)}")
    if data["program"] != game.program.name:
        raise SaveError(f"the save is of `{_short(data['program'])}`, not of `{game.program.name}`")
    if data["options"] != list(game.program.options):
        raise SaveError("the save is of a game with other options")
    try:
        return _Restore(game, data).session()
    except NamingError as wrong:
        raise SaveError(f"the save does not fit the rules: {wrong}") from wrong
    except (Fault, Finished) as fault:
        raise SaveError(f"the saved game cannot go on: {fault}") from fault


class _Restore:
    """Builds one session from a save that fits the schema."""

    def __init__(self, game: Game, data: Mapping[str, Any]) -> None:
        self.game = game
        self.data = data
        self.naming = game.naming
        self.layout = game.compiled.plan.layout
        names = [scenario.name for scenario in game.program.scenarios]
        if data["scenario"] is not None and data["scenario"] not in names:
            raise SaveError(f"there is no scenario `{_short(data['scenario'])}`")
        streams = Streams(game.compiled, self._seed())
        self.machine = Machine(game.compiled, streams, self._cells())

    def session(self) -> Session:
        """The session at its decision."""
        from rulekit.play.session import Session

        machine, data = self.machine, self.data
        machine.late = self._late()
        machine.stack = self._frames()
        session = Session(self.game, machine, data["scenario"], self._stages())
        for entry in data.get("choices", ()):
            session.remember(*self._logged(entry))
        if data["rules"] != self.game.program.source_hash:
            session.notes = ("saved under other rules, which agree in all that is saved",)
        if data["over"]:
            if machine.stack or data["choice"] is not None:
                raise SaveError("the save is of a game that is over and yet goes on")
            session.close(data["result"])
            return session
        self._ask(session)
        return session

    def _seed(self) -> int:
        seed = int(self.data["seed"])
        if seed > chance.WORD:
            raise SaveError("the seed is too large")
        return seed

    def _stages(self) -> list[str]:
        """What is still to be run after what is running."""
        scenario = next((s for s in self.game.program.scenarios if s.name == self.data["scenario"]), None)
        possible: list[list[str]] = [[]]
        if scenario is not None:
            possible.append([self.game.program.entry])
        stages = list(self.data["stages"])
        if stages not in possible:
            raise SaveError("the save names stages that the game does not have")
        return stages

    # ------------------------------------------------------------ state

    def _cells(self) -> list[Any]:
        base, cells = self.game.base(self.data["scenario"])
        if base != self.data["base"]:
            raise SaveError("the save is written as a difference from another start")
        for name, entries in self.data["state"].items():
            slots = self._slots(name)
            for keys, value in entries:
                cells[self._address(slots, keys)] = self._cell(slots, value)
        self.layout.derive(cells)
        for name, count in self.data["counters"].items():
            if name not in self.layout.counters:
                raise SaveError(f"there is no point `{_short(name)}`")
            cells[self.layout.counters[name]] = count
        cells[self.layout.reveals] = self.data["reveals"]
        for name, revealed in self.data["revealed"].items():
            cells[self._revealed_cell(name)] = self._revealed(self._slots(name), revealed)
        return cells

    def _slots(self, name: str) -> Slots:
        if name not in self.layout.slots:
            raise SaveError(f"there is no state `{_short(name)}`")
        return self.layout.slots[name]

    def _address(self, slots: Slots, keys: list[Any]) -> int:
        domains = slots.state.keys[: len(slots.keys)]
        if len(keys) != len(domains):
            raise SaveError(f"`{slots.state.name}` has {len(domains)} keys")
        return slots.address(tuple(map(self.naming.key, domains, keys)))

    def _cell(self, slots: Slots, value: Any) -> Any:
        if slots.bits is None:
            return self.naming.read(slots.state.type, value)
        if not isinstance(value, list):
            raise SaveError(f"`{slots.state.name}` is saved as a list of those that are marked")
        mask = 0
        for one in value:
            mask |= 1 << self.naming.key(slots.state.keys[-1], one) - slots.bits.low
        return mask

    def _revealed_cell(self, name: str) -> int:
        if name not in self.layout.revealed:
            raise SaveError(f"`{_short(name)}` is never revealed")
        return self.layout.revealed[name]

    def _revealed(self, slots: Slots, revealed: list[list[Any]]) -> int:
        mask = 0
        for keys in revealed:
            if len(keys) != len(slots.state.keys):
                raise SaveError(f"`{slots.state.name}` has {len(slots.state.keys)} keys")
            place = self._address(slots, keys[: len(slots.keys)]) - slots.base
            if slots.bits is not None:
                bit = self.naming.key(slots.state.keys[-1], keys[-1]) - slots.bits.low
                place = place * slots.bits.size + bit
            mask |= 1 << place
        return mask

    # ------------------------------------------------------------ together

    def _late(self) -> list[Any]:
        found: list[Any] = []
        for entry in self.data["together"]:
            found += [*self._late_change(entry), -1]
        return found

    def _late_change(self, entry: dict[str, Any]) -> tuple[int, int, Any]:
        what = CHANGES.index(entry["change"])
        value = entry["value"]
        if what == late.PLACE:
            piece = self.naming.number("piece", entry.get("piece"))
            return what, piece, self.naming.read(Optional(Member("space", "")), value)
        slots = self._slots(entry.get("state", ""))
        if what == late.DISSOLVE:
            key = slots.state.keys[0] if slots.state.keys else ""
            if slots.state.name != f"exists:{key}" or not str(value).isdigit() or len(str(value)) > 9:
                raise SaveError("a group is dissolved that is none")
            if int(value) >= self.layout.sizes[str(key)]:
                raise SaveError("a group is dissolved that is none")
            return what, slots.base, int(value)
        return what, self._address(slots, entry.get("keys", [])), self._late_value(slots, what, value)

    def _late_value(self, slots: Slots, what: int, value: Any) -> Any:
        kind = slots.state.type
        marks = isinstance(kind, SetOf) or slots.bits is not None
        if what in (late.MARK, late.UNMARK) and marks:
            return self._cell(slots, value)
        if isinstance(kind, ListOf):
            if what in (late.APPEND, late.DROP):
                return self.naming.read(kind.of, value)
            if what in (late.SET, late.TOP, late.UNDER):
                return self.naming.read(kind, value)
        elif what == late.SET and span(slots.state) is not None:
            # Ends of tracks and ranges are looked at when the change lands.
            return self.naming.read(Optional(ANY) if isinstance(kind, Optional) else ANY, value)
        elif what == late.SET and slots.bits is None:
            return self.naming.read(kind, value)
        elif what == late.ADD and isinstance(value, int) and not isinstance(value, bool) and not marks:
            return value
        raise SaveError(f"`{slots.state.name}` cannot be changed like this")

    # ------------------------------------------------------------ frames

    def _frames(self) -> list[list[Any]]:
        """The stack without the choice, each frame standing where the next one was called."""
        game, frames = self.game, self.data["frames"]
        found: list[list[Any]] = []
        wanted: tuple[str, str, bool] | None = None
        together = False
        for entry in frames:
            key = ("procedure", entry["procedure"], entry["together"])
            if wanted is not None and key != wanted:
                raise SaveError(f"`{_short(entry['procedure'])}` is not called where the save says")
            if not game.compiled.stops(key):
                raise SaveError(
                    f"there is no procedure `{_short(entry['procedure'])}` that waits for a choice"
                )
            number = game.compiled.frame_number(key)
            place, label = self._label(game.compiled.cuts[number], entry)
            found.append(self._frame(number, place, label, entry))
            wanted, together = label.calls, together or label.late
        self._check_chain(wanted, bool(frames))
        if self.machine.late and not together:
            raise SaveError("changes wait for the end of a `together` block that is not open")
        return found

    def _check_chain(self, wanted: tuple[str, str, bool] | None, running: bool) -> None:
        """The stack begins with what the game runs now and ends at the choice that is open."""
        choice = self.data["choice"]
        if choice is None:
            if running or not self.data["over"]:
                raise SaveError("the save has no open choice")
            return
        if not running or wanted != ("choice", choice["name"], False):
            raise SaveError(f"`{_short(choice['name'])}` is not asked where the save says")
        first = self.data["frames"][0]
        scenario = next((s for s in self.game.program.scenarios if s.name == self.data["scenario"]), None)
        setting_up = bool(self.data["stages"])
        begins = scenario.procedure if setting_up and scenario is not None else self.game.program.entry
        if first["procedure"] != begins or first["together"]:
            raise SaveError(f"the game does not run `{_short(first['procedure'])}`")

    def _label(self, cut: Cut, entry: Mapping[str, Any]) -> tuple[int, Label]:
        for number, label in enumerate(cut.labels):
            if label is not None and label.name == entry["at"]:
                if _shape(cut, label) != entry["shape"]:
                    raise SaveError(f"`{_short(entry['procedure'])}` has changed since the save was made")
                return number, label
        raise SaveError(f"`{_short(entry['procedure'])}` does not wait at `{_short(entry['at'])}`")

    def _frame(self, number: int, place: int, label: Label, entry: Mapping[str, Any]) -> list[Any]:
        cut = self.game.compiled.cuts[number]
        frame: list[Any] = [number, place, *[None] * (cut.size - 2)]
        saved, unset = dict(entry["locals"]), set(entry["unset"])
        for slot, variable in label.kept:
            if variable.name in saved:
                frame[slot] = self.naming.read(variable.type, saved.pop(variable.name))
            elif variable.name not in unset or variable.python not in cut.unset:
                raise SaveError(f"`{variable.name}` is missing in `{_short(entry['procedure'])}`")
            else:
                unset.discard(variable.name)
        if saved or unset:
            raise SaveError(f"`{_short(str(next(iter([*saved, *unset]))))}` is no local that is kept there")
        return frame

    # ------------------------------------------------------------ the open choice

    def _ask(self, session: Session) -> None:
        """Ask the open choice again and give the parts that were answered."""
        saved = self.data["choice"]
        choice = self.game.compiled.plan.facts.choices[saved["name"]]
        arguments = []
        for param in choice.params:
            if param.name not in saved["arguments"]:
                raise SaveError(f"`{param.name}` is missing in `{choice.name}`")
            arguments.append(self.naming.read(param.type, saved["arguments"][param.name]))
        if len(saved["arguments"]) != len(choice.params):
            raise SaveError(f"`{choice.name}` has other parameters")
        key = ("choice", choice.name, False)
        session.reopen(self.game.compiled.frame(key, tuple(arguments)))
        for shown in saved["parts"]:
            session.give_again(choice.name, read_part(self.naming, choice, shown))
        asked = self.machine.asked
        if asked is None or self.game.program.choices[asked[0]] is not choice:
            raise SaveError(f"`{choice.name}` has nothing left to ask")

    def _logged(self, entry: Mapping[str, Any]) -> tuple[int, int | None, int]:
        choices = self.game.compiled.plan.facts.choices
        if entry["choice"] not in choices:
            raise SaveError(f"there is no choice `{_short(entry['choice'])}`")
        choice = choices[entry["choice"]]
        kind = item_type(choice)
        item = self.naming.read(kind, entry["item"]) if "item" in entry and kind is not None else None
        value = read_part(self.naming, choice, entry["value"])
        return self.game.compiled.plan.choice_index(choice.name), item, value


def _short(text: object) -> str:
    shown = str(text)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."
