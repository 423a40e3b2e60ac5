"""The state as far as events have shown it, so that a line reports only changes.

Events are all that is looked at, so that the picture at an event is the one of that moment, not of the
decision that play has reached meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, Final

from rulekit import ir
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import Flag, Int, Type
from rulekit.runtime.narrate.words import Words
from rulekit.runtime.play import Event, Session, View
from rulekit.runtime.play.beginning.given import Given

UNKNOWN: Final = object()
"""Stands for a value that no event has told."""

Keys = tuple[Any, ...]


class Picture:
    """The states of one program, as events leave them."""

    def __init__(self, program: ir.Program) -> None:
        self._naming = Naming(program)
        self._states = program.by_name.states
        self._sizes = program.by_name.sizes
        self._fresh = True
        self._told: dict[tuple[str, Keys], Any] = {}
        self._forgotten: set[str] = set()
        """States of which something unseen has changed."""

    def look(self, session: Session | View) -> None:
        """Know the states that nobody hides, of a session that was restored or taken back."""
        self._fresh = False
        self._told = {}
        for name, cells in session.states.items():
            state = self._states[name]
            if state.known_to is not None:
                continue
            if isinstance(state.type, Flag) and state.keys:
                self._told |= {(name, keys): False for keys in self._keys_of(state)}
                self._told |= {(name, (*keys, one)): True for keys, those in cells for one in those}
            else:
                self._told |= {(name, tuple(keys)): value for keys, value in cells}

    def _keys_of(self, state: ir.State) -> Iterator[Keys]:
        """All keys of a state."""
        domains = self._naming.domains
        names = (
            domains[key].members if isinstance(key, str) else range(key[0], key[1] + 1) for key in state.keys
        )
        return product(*names)

    def begin_with(self, cells: Given, *, else_known: bool) -> None:
        """Begin with these values, as `evaluate` takes them; all else is as declared, or unknown."""
        self._fresh = else_known
        for name, entries in cells.items():
            for keys, value in entries:
                if len(keys) < len(self._states[name].keys):  # a flag: for its last key, all that have it
                    self._told |= {(name, (*keys, one)): True for one in value}
                else:
                    self._told[name, tuple(keys)] = value

    def forget(self, state: str) -> None:
        """Know nothing of a state from now on: something unseen has changed it."""
        self._forgotten.add(state)
        self._told = {at: value for at, value in self._told.items() if at[0] != state}

    def value(self, name: str, *keys: Any) -> Any:
        """A state's value as JSON, or `UNKNOWN`."""
        at = (name, keys)
        if at not in self._told:
            known = self._fresh and name not in self._forgotten
            self._told[at] = self._beginning(self._states[name], keys) if known else UNKNOWN
        return self._told[at]

    def take(self, event: Event) -> Event | None:
        """Let an event change the picture; the event with what it changed, or None if that is nothing."""
        fields = event.fields
        match event.kind:
            case "set":
                keys = tuple(fields["keys"])
                if not self._put(event.subject, keys, fields["value"]):
                    return None
                state = self._states.get(event.subject)
                resets = state is not None and fields["value"] == self._beginning(state, keys)
                return replace(event, fields={**fields, "resets": resets})
            case "add" | "subtract":
                return self._count(event)
            case "mark" | "unmark":
                on = event.kind == "mark"
                return event if self._put(event.subject, tuple(fields["keys"]), on) else None
            case "mark_all" | "unmark_all":
                on, keys = event.kind == "mark_all", tuple(fields["keys"])
                changed = [one for one in fields["members"] if self._put(event.subject, (*keys, one), on)]
                return replace(event, fields={**fields, "members": changed}) if changed else None
            case "move":
                moved = [one for one in fields["pieces"] if self._put("place", (one,), fields["space"])]
                return replace(event, fields={**fields, "pieces": moved}) if moved else None
            case "land":
                self._told[event.subject, tuple(fields["keys"])] = fields["value"]
                return None
            case "reveal":
                self._told[event.subject, tuple(fields["keys"])] = fields["value"]
            case "form":
                self._begin(event.subject, fields["group"])
            case "include" | "exclude" | "append" | "drop" if fields["value"] == []:
                return None
            case "include" | "exclude" | "append" | "drop" | "take" | "put_top" | "put_under" | "shuffle":
                self._told[event.subject, tuple(fields.get("keys", ()))] = UNKNOWN
        return event

    def _put(self, name: str, keys: Keys, value: Any) -> bool:
        changed = self.value(name, *keys) != value
        self._told[name, keys] = value
        return bool(changed)

    def _count(self, event: Event) -> Event | None:
        """A number that went up or down, with what it was before as the field `was`; None if by nothing.

        In a `together` block an event tells by how much alone; the sum is worked out here.
        """
        if event.fields["amount"] < 0:  # `add -7` takes 7 away
            kind = "subtract" if event.kind == "add" else "add"
            event = replace(event, kind=kind, fields={**event.fields, "amount": -event.fields["amount"]})
        fields, keys = event.fields, tuple(event.fields["keys"])
        before, given = self.value(event.subject, *keys), fields["amount"]
        if given == 0:
            return None
        after = fields["value"] if "value" in fields else self._sum(event, before)
        self._told[event.subject, keys] = after
        if after is UNKNOWN:
            return replace(event, fields={**fields, "value": after, "was": UNKNOWN})
        others = {name: value for name, value in fields.items() if name != "amount"}
        return replace(event, fields={**others, "value": after, "was": before})

    def _sum(self, event: Event, before: Any) -> Any:
        """A number after a change by an amount, within its range as clamped states are."""
        type_ = self._states[event.subject].type if event.subject in self._states else None
        if not isinstance(before, int) or not isinstance(type_, Int):
            return UNKNOWN
        given = event.fields["amount"]
        return min(max(before + (given if event.kind == "add" else -given), type_.low), type_.high)

    def _begin(self, domain: str, group: str) -> None:
        """A group has come into being: its fields are as declared.

        The log tells its first values even so, except numbers and flags: nobody has seen them.
        """
        for state in self._states.values():
            if state.keys == (domain,):
                plain = isinstance(state.type, Int | Flag)
                known = self._beginning(state, (group,)) if plain else UNKNOWN
                self._told[state.name, (group,)] = known

    def _beginning(self, state: ir.State, keys: Keys) -> Any:
        """A cell's value as declared."""
        value = state.initial
        if state.initial_each is not None:
            place = 0
            for domain, key in zip(state.keys, keys, strict=True):
                number = self._naming.key(domain, key)
                if isinstance(domain, str):
                    place = place * self._sizes[domain] + number
                else:
                    place = place * (domain[1] - domain[0] + 1) + number - domain[0]
            value = state.initial_each[place]
        return self._naming.to_json(state.type, value)

    # -- the game as a whole

    def standing(self, words: Words) -> Iterator[str]:
        """The numbers of the game as a whole: every track, and every other number that is not zero.

        Quiet states are left out.
        """
        for state in self._states.values():
            if state.keys or state.known_to is not None or not isinstance(state.type, Int):
                continue
            value = self.value(state.name)
            if isinstance(value, int) and (value or state.clamp) and not words.say.is_quiet(state.name):
                yield f"{words.term(state.name)} {_with_sign(value, state.type)}"

    def whole(self) -> Given:
        """The values of all states without keys that are known, as `evaluate` takes what is given."""
        named = ((name, self.value(name)) for name, state in self._states.items() if not state.keys)
        return {name: [([], value)] for name, value in named if value is not UNKNOWN}

    def values_of(self, states: frozenset[str]) -> Given | None:
        """The values of some states that differ from those declared; None if any value is not known.

        Where pieces are is the state `place`.
        """
        if not states:
            return {}
        if not self._fresh or states & self._forgotten:
            return None
        values: dict[str, list[tuple[list[Any], Any]]] = {}
        for (name, keys), value in self._told.items():
            if name in states:
                if value is UNKNOWN:
                    return None
                values.setdefault(name, []).append((list(keys), value))
        return values


def _with_sign(value: int, kind: Type) -> str:
    """A number, with its sign if it may be negative."""
    return f"{value:+d}" if value and isinstance(kind, Int) and kind.low < 0 else str(value)
