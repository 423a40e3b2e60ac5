"""The events as one side may see them, without a word, number or field about hidden things (spec 13.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rulekit.runtime.play.events import ANSWERS, SEVERAL, Event
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.play.sight import Sight

OF_SEVERAL: Final = {"mark_all": "members", "unmark_all": "members", "move": "pieces"}
"""The kinds of events that change a state for several members, and the field that names these."""


def seen_events(moment: Moment, side: int) -> list[tuple[Event, ...]]:
    """Return for each event of a session what a side sees of it: often itself, perhaps nothing.

    The parts of an answer that is hidden are one event together, so that nobody can count them.
    """
    events = moment.events
    seer = _Seer(moment, side)
    open_since, shown = _answered_together(events)
    seen: list[tuple[Event, ...]] = []
    last: Event | None = None
    for number, (event, entry) in enumerate(zip(events, moment.trace_from(), strict=True)):
        if event.kind in ANSWERS and event.fields["side"] != seer.name:
            if number >= open_since or seer.is_secret(event) and number not in shown:
                again = last is not None and (last.subject, last.site) == (event.subject, event.site)
                seen.append(() if again else (replace(event, kind="answer", fields={}),))
                last = event
                continue
            seen.append(seer.answers(event))
        else:
            noted = entry[-1] if moment.game.teller.kind(entry).notes_known else None
            seen.append((seer.event(event, noted),))
        last = None
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


class _Seer:
    """One side, with what it knows of the program's choices and modifiers."""

    def __init__(self, moment: Moment, side: int) -> None:
        program = moment.game.program
        self.name = moment.game.naming.member(program.sides, side)
        self._naming = moment.game.naming
        self._slots = moment.game.module.layout.slots
        self._choices = program.by_name.choices
        self._sight = Sight(moment, side)
        hidden = self._sight.rules
        self._unforced = {item.name for item in program.choices if hidden.in_choice(item)}
        self._stacks = {
            (item.point, item.stack, item.policy) for item in program.modifiers if hidden.in_modifier(item)
        }
        self._modifiers = {
            (item.point, item.name)
            for item in program.modifiers
            if hidden.in_modifier(item)
            or item.policy != "sum"
            and (item.point, item.stack, item.policy) in self._stacks
        }

    def is_secret(self, event: Event) -> bool:
        """True if the event is of a secret choice."""
        return self._choices[event.subject].secret

    def answers(self, event: Event) -> tuple[Event, ...]:
        """The answer of another side; where it depends on hidden values, not whether it was forced."""
        if event.subject not in self._unforced:
            return (event,)
        if self._choices[event.subject].verb not in SEVERAL:
            return (replace(event, kind="answer"),)
        value = event.fields["value"]
        values = value if event.kind == "forced_all" else [] if value == "done" else [value]
        return tuple(replace(event, kind="answer", fields={**event.fields, "value": one}) for one in values)

    def event(self, event: Event, noted: Any) -> Event:
        """An event other than an answer of another side; `noted`: the sides that knew of it, if noted."""
        if isinstance(noted, int) and not noted >> self._sight.side & 1:
            return replace(event, fields={})
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
            known = [one for one, sides in shown if sides >> self._sight.side & 1]
            return replace(event, fields={**fields, of_several: known} if known else {})
        keys = tuple(
            self._naming.key(domain, key)
            for domain, key in zip(slots.state.keys, fields.get("keys", ()), strict=False)
        )
        if of_several is not None:
            known = [one for one in fields[of_several] if self._tells_of(event, keys, one)]
            return replace(event, fields={**fields, of_several: known} if known else {})
        return event if self._sight.is_told(slots, keys) else replace(event, fields={})

    def _tells_of(self, event: Event, keys: tuple[int, ...], member: Any) -> bool:
        slots = self._slots[event.subject]
        return self._sight.is_told(slots, (*keys, self._naming.key(slots.state.keys[-1], member)))

    def _roll(self, event: Event) -> Event:
        """A roll without the modifiers that depend on hidden values."""
        listed = event.fields.get("modifiers")
        if listed is None or not self._modifiers:
            return event
        rows = [row for row in listed if (event.subject, row["name"]) not in self._modifiers]
        return replace(event, fields={**event.fields, "modifiers": rows})
