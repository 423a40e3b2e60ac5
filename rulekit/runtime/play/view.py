"""The view of one side: states known to it, and events that give nothing away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.runtime.play.decisions import Decision, decision
from rulekit.runtime.play.events import ANSWERS, Event
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.support.layout import Slots


class _Hidden:
    """Stands for a value that a side may not see."""

    def __repr__(self) -> str:
        return "HIDDEN"


HIDDEN: Final = _Hidden()


@frozen
class View:
    """A session seen by one side; `side` is its number."""

    moment: Moment
    side: int

    def state(self, name: str, *keys: str | int) -> Any:
        """The value of a state as JSON, or `HIDDEN`; a list of flags leaves out what is hidden."""
        return state(self.moment, name, keys, self.side)

    @property
    def states(self) -> dict[str, list[tuple[list[Any], Any]]]:
        """Every value that this side may see: by state, the keys and the value."""
        by_state: dict[str, list[tuple[list[Any], Any]]] = {}
        moment, naming = self.moment, self.moment.game.naming
        for slots in moment.game.module.layout.slots.values():
            entries = []
            for keys, address in slots.each():
                value = _cell(moment, slots, keys, address, self.side)
                if value is not HIDDEN:
                    entries.append((naming.keys(slots.state.keys[: len(keys)], keys), value))
            by_state[slots.state.name] = entries
        return by_state

    @property
    def decision(self) -> Decision | None:
        """The decision of this side; None while another side decides, or none."""
        asked = self.moment.machine.asked
        return decision(self.moment, asked) if asked is not None and asked[1] == self.side else None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, without the operands that this side may not see."""
        return tuple(_seen_events(self.moment, self.side))


def state(moment: Moment, name: str, keys: tuple[str | int, ...], side: int | None = None) -> Any:
    """A value by names; see `Session.state` and `View.state`."""
    layout, naming = moment.game.module.layout, moment.game.naming
    slots = layout.slots[name]
    domains = slots.state.keys
    wanted = (len(domains), len(domains) - 1) if slots.bits is not None else (len(domains),)
    if len(keys) not in wanted:
        raise ValueError(f"`{name}` has {len(domains)} keys")
    values = tuple(naming.key(domain, key) for domain, key in zip(domains, keys, strict=False))
    outer = values[: len(slots.keys)]
    if slots.bits is not None and len(values) == len(domains):
        if side is not None and not is_known(moment, slots, values, side):
            return HIDDEN
        return bool(moment.machine.M[slots.address(outer)] >> values[-1] - slots.bits.low & 1)
    return _cell(moment, slots, outer, slots.address(outer), side)


def _cell(moment: Moment, slots: Slots, keys: tuple[int, ...], address: int, side: int | None) -> Any:
    """A cell as JSON; for flags, all that have the flag (and are known)."""
    naming, value = moment.game.naming, moment.machine.M[address]
    if slots.bits is None:
        if side is not None and not is_known(moment, slots, keys, side):
            return HIDDEN
        return naming.to_json(slots.state.type, value)
    domain = slots.state.keys[-1]
    marked = [bit + slots.bits.low for bit in members(value)]
    if side is not None:
        marked = [one for one in marked if is_known(moment, slots, (*keys, one), side)]
    return [naming.keys((domain,), (one,))[0] for one in marked]


def is_known(moment: Moment, slots: Slots, keys: tuple[int, ...], side: int) -> bool:
    """Whether a side may see the value for these keys."""
    secret = slots.state.known_to
    if secret is None:
        return True
    layout = moment.game.module.layout
    mask = layout.revealed.get(slots.state.name)
    if mask is not None and moment.machine.M[mask] >> slots.revealed_bit(keys) & 1:
        return True
    names = tuple(param.name for param in secret.params)
    sides = moment.game.module.expression(secret.sides, names)(moment.machine.M, *keys[: len(names)])
    return bool(sides >> side & 1) if secret.many else sides == side


def _seen_events(moment: Moment, side: int) -> list[Event]:
    """The events, those of hidden things without their fields."""
    events = moment.events
    naming, program = moment.game.naming, moment.game.program
    name = naming.member(program.sides, side)
    choices = program.by_name.choices
    open_since, shown = _answered_together(events)
    seen: list[Event] = []
    for number, event in enumerate(events):
        secret = False
        if event.kind in ANSWERS and event.fields["side"] != name:
            secret = number >= open_since or choices[event.subject].secret and number not in shown
        elif event.kind == "move":
            secret = not _moved_in_sight(moment, event, side)
        elif event.kind not in ANSWERS and "keys" in event.fields:
            secret = not _may_see(moment, event, side)
        seen.append(replace(event, fields={}) if secret else event)
    return seen


def _answered_together(events: tuple[Event, ...]) -> tuple[int, set[int]]:
    """Where the answers begin that nobody may see yet; and those that all were given, and are shown."""
    opened: list[int] = []
    shown: set[int] = set()
    for number, event in enumerate(events):
        if event.kind == "secret_begin":
            opened.append(number)
        elif event.kind == "secret_end" and opened:
            shown.update(range(opened.pop(), number))
    return opened[0] if opened else len(events), shown


def _may_see(moment: Moment, event: Event, side: int) -> bool:
    """Whether a side may see what an event about a state says."""
    slots = moment.game.module.layout.slots[event.subject]
    if slots.state.known_to is None:
        return True
    naming, domains = moment.game.naming, slots.state.keys
    keys = tuple(naming.key(domain, key) for domain, key in zip(domains, event.fields["keys"], strict=False))
    if len(keys) == len(domains):
        return is_known(moment, slots, keys, side)
    last = domains[-1]
    return all(
        is_known(moment, slots, (*keys, naming.key(last, one)), side)
        for one in event.fields.get("members", ())
    )


def _moved_in_sight(moment: Moment, event: Event, side: int) -> bool:
    """Whether a side may see where all the moved pieces are."""
    slots = moment.game.module.layout.slots["place"]
    if slots.state.known_to is None:
        return True
    naming = moment.game.naming
    return all(
        is_known(moment, slots, (naming.number("piece", one),), side) for one in event.fields["pieces"]
    )
