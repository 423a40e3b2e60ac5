"""Digests of the starting values of states, and the keys under which saves have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rulekit.ir import State
from rulekit.ir.semantics.names import Naming, NamingError
from rulekit.ir.types import Member, SetOf
from rulekit.runtime import chance
from rulekit.runtime.play.saved.saves import shown_cell
from rulekit.runtime.support.layout import Layout, Slots


class StartKeys:
    """The keys that states had when a save was made; those of the rules where the save has none.

    Args:
        saved: The `keys` of the save.
    """

    def __init__(self, naming: Naming, layout: Layout, saved: Mapping[str, Any]) -> None:
        self._naming, self._layout = naming, layout
        self._members: Mapping[str, Sequence[str]] = saved.get("members", {})
        self._ranges: Mapping[str, Sequence[Sequence[int] | None]] = saved.get("ranges", {})

    def digest(self, slots: Slots, cells: Sequence[Any]) -> str:
        """Return a digest of the starting values of a state under these keys, by name and in their order.

        Raises:
            NamingError: The rules do not have one of the keys.
        """
        keys = [self._of(slots.state, place) for place in range(len(slots.state.keys))]
        steps = [
            [(self._naming.key(domain, one) - key.low) * key.stride for one in ones]
            for ones, domain, key in zip(keys, slots.state.keys, slots.keys, strict=False)
        ]
        shown = [
            (list(names), self._start_value(slots, cells[slots.base + sum(offsets)], keys))
            for names, offsets in zip(product(*keys[: len(steps)]), product(*steps), strict=True)
        ]
        return f"{chance.name_key(repr(shown)) & 0xFFFFFFFF:08x}"

    def news(self) -> Iterator[str]:
        """Yield the members that the rules have besides these, and the states with more numbers for keys."""
        for domain, names in self._members.items():
            if domain in self._naming.domains:
                known = set(names)
                yield from (name for name in self._naming.domains[domain].members if name not in known)
        for name, ranges in self._ranges.items():
            slots = self._layout.slots.get(name)
            keys = () if slots is None else slots.state.keys
            if any(ends is not None and tuple(ends) != key for ends, key in zip(ranges, keys, strict=False)):
                yield name

    def _of(self, state: State, place: int) -> Sequence[str | int]:
        """One key's values, by name."""
        domain = state.keys[place]
        if isinstance(domain, str):
            return self._members_of(domain)
        ranges = self._ranges.get(state.name, ())
        saved = ranges[place] if place < len(ranges) else None
        low, high = (self._naming.key(domain, end) for end in saved or domain)
        return range(low, high + 1)

    def _members_of(self, domain: str) -> Sequence[str]:
        names = self._members.get(domain)
        if names is None:
            return self._naming.domains[domain].members
        if len({self._naming.number(domain, name) for name in names}) < len(names):
            raise NamingError(f"a member of `{domain}` is there twice")
        return names

    def _start_value(self, slots: Slots, value: Any, keys: Sequence[Sequence[str | int]]) -> Any:
        """A starting value as JSON; the members of a set are in the order of the keys."""
        shown, kind = shown_cell(self._naming, slots, value), slots.state.type
        if slots.bits is not None:
            order = keys[-1]
        elif isinstance(kind, SetOf) and isinstance(kind.of, Member):
            order = self._members_of(kind.of.domain)
        else:
            return shown
        marked = set(shown)
        return [one for one in order if one in marked]


def keys_of(naming: Naming, layout: Layout) -> dict[str, Any]:
    """Return the keys of all states, as a save has them."""
    states = [slots.state for slots in layout.slots.values()]
    domains = dict.fromkeys(key for state in states for key in state.keys if isinstance(key, str))
    ranges = {
        state.name: [None if isinstance(key, str) else list(key) for key in state.keys]
        for state in states
        if not all(isinstance(key, str) for key in state.keys)
    }
    return {"members": {name: list(naming.domains[name].members) for name in domains}, "ranges": ranges}
