"""A side as a reader of events, each seen by itself (spec 13.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir import Program, Site
from rulekit.ir.semantics.hidden import HiddenFrom
from rulekit.ir.semantics.names import Naming
from rulekit.runtime.play.answering.spelling import SEVERAL
from rulekit.runtime.play.events import ANSWERS, Event
from rulekit.runtime.play.seen.sight import Sight
from rulekit.runtime.support.layout import Layout

OF_SEVERAL: Final = {"mark_all": "members", "unmark_all": "members", "move": "pieces"}
"""The kinds of events that change a state for several members, and the field that names these."""


@frozen
class ReadTo:
    """How far a side has read the events, and what it waits for.

    Attributes:
        position: Where the next event begins in the trace.
        number: How many events the side has seen up to there, as it sees them by then.
        depth: How many `choose .. for each` are open, whose answers nobody may see yet.
        held: The events of these answers, as the side will see them; it has seen `veiled` in their place.
        last: The choice and site of the hidden answer that came last, if nothing came after it.
    """

    position: int = 0
    number: int = 0
    depth: int = 0
    held: tuple[Event, ...] = ()
    veiled: int = 0
    last: tuple[str, Site] | None = None


class Seer:
    """One side, with what it may know of the program's choices and modifiers at any moment."""

    def __init__(self, program: Program, naming: Naming, layout: Layout, hidden: HiddenFrom) -> None:
        self.name = naming.side(program.sides, hidden.side)
        self._naming, self._slots = naming, layout.slots
        self._choices, self._counted = program.by_name.choices, hidden.counted
        self._unforced = {item.name for item in program.choices if hidden.in_choice(item)}
        rolls = [item for item in program.modifiers if item.of == "roll"]
        self._stacks = {(item.point, item.stack, item.policy) for item in rolls if hidden.in_modifier(item)}
        self._modifiers = {
            (item.point, item.name)
            for item in rolls
            if hidden.in_modifier(item)
            or item.policy != "sum"
            and (item.point, item.stack, item.policy) in self._stacks
        }
        self._tells_values = not hidden.anything

    def is_secret(self, event: Event) -> bool:
        """True if the event is of a secret choice."""
        return self._choices[event.subject].secret

    def leaves_out(self, event: Event) -> bool:
        """True if the side must not even learn that the event happened: the rules work values out unseen."""
        return event.kind in ("value", "shift") and not self._tells_values

    def answers(self, event: Event) -> tuple[Event, ...]:
        """The answer of another side; where it depends on hidden values, not whether it was forced."""
        if event.subject not in self._unforced:
            return (event,)
        if self._choices[event.subject].verb not in SEVERAL:
            return (replace(event, kind="answer"),)
        value = event.fields["value"]
        values = value if event.kind == "forced_all" else [] if value == "done" else [value]
        return tuple(replace(event, kind="answer", fields={**event.fields, "value": one}) for one in values)

    def event(self, event: Event, noted: Any, sight: Sight) -> Event:
        """An event other than an answer of another side; `noted`: the sides that knew of it, if noted."""
        if isinstance(noted, int) and not noted >> sight.side & 1:
            return self._veil(event)
        if event.kind == "roll":
            return self._roll(event)
        of_several = OF_SEVERAL.get(event.kind)
        if event.kind in ANSWERS or event.kind == "reveal" or not {"keys", of_several} & event.fields.keys():
            return event
        slots = self._slots[event.subject]
        if slots.state.known_to is None or isinstance(noted, int):
            return event
        fields = event.fields
        if noted is not None:
            assert of_several is not None
            shown = zip(fields[of_several], noted, strict=True)
            known = [one for one, sides in shown if sides >> sight.side & 1]
            return replace(event, fields={**fields, of_several: known} if known else {})
        keys = tuple(
            self._naming.key(domain, key)
            for domain, key in zip(slots.state.keys, fields.get("keys", ()), strict=False)
        )
        if of_several is not None:
            known = [one for one in fields[of_several] if self._tells_of(event, keys, one, sight)]
            return replace(event, fields={**fields, of_several: known} if known else {})
        return event if sight.is_told(slots, keys) else self._veil(event)

    def _veil(self, event: Event) -> Event:
        """Return an event without what is hidden; of a counted state, with keys and how many are drawn."""
        if event.subject not in self._counted or "keys" not in event.fields:
            return replace(event, fields={})
        fields = {"keys": event.fields["keys"]}
        if event.kind == "take":
            drawn = event.fields["drawn"]
            fields["number"] = len(drawn) if isinstance(drawn, list) else 1
        return replace(event, fields=fields)

    def _tells_of(self, event: Event, keys: tuple[int, ...], member: Any, sight: Sight) -> bool:
        slots = self._slots[event.subject]
        return sight.is_told(slots, (*keys, self._naming.key(slots.state.keys[-1], member)))

    def _roll(self, event: Event) -> Event:
        """A roll without the modifiers that depend on hidden values."""
        listed = event.fields.get("modifiers")
        if listed is None or not self._modifiers:
            return event
        rows = [row for row in listed if (event.subject, row["name"]) not in self._modifiers]
        return replace(event, fields={**event.fields, "modifiers": rows})
