"""The fields of every kind of event, with what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_KEYS: Final = {"keys": "the keys of the state"}
_ANSWER: Final = {
    "side": "the side that decides",
    "item": "the item that the part is for, if it has one",
    "value": "the answer to the part",
    "arguments": "the arguments of the choice, by parameter",
}

FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "set": {**_KEYS, "value": "the new value"},
    "add": {**_KEYS, "amount": "how much is added", "value": "the new value; not in a `together` block"},
    "subtract": {**_KEYS, "amount": "how much is taken", "value": "the new value; not in a `together` block"},
    "land": {**_KEYS, "value": "the new value after all changes of a `together` block"},
    "mark": _KEYS,
    "unmark": _KEYS,
    "mark_all": {**_KEYS, "members": "those that get the flag"},
    "unmark_all": {**_KEYS, "members": "those that lose the flag"},
    "include": {**_KEYS, "value": "the members that the set gets"},
    "exclude": {**_KEYS, "value": "the members that the set loses"},
    "append": {**_KEYS, "value": "the new last item of the list"},
    "drop": {**_KEYS, "value": "the item whose first occurrence leaves the list"},
    "move": {"pieces": "those that move", "space": "where to; null is off the board"},
    "put_top": {**_KEYS, "values": "the items, of which the first is on top"},
    "put_under": {**_KEYS, "values": "the items, of which the first is on top"},
    "take": {**_KEYS, "drawn": "what is drawn from the cup or stack", "number": "if it is hidden: how many"},
    "shuffle": _KEYS,
    "reveal": {**_KEYS, "value": "the value that is shown"},
    "form": {"group": "the new group"},
    "dissolve": {"group": "the group that ends"},
    "roll": {
        "raw": "the sum of the dice",
        "result": "what the modifiers make of it",
        "arguments": "the arguments of the roll, by parameter",
        "modifiers": "with `explain`: every modifier, and why it applies or not",
    },
    "value": {
        "before": "with `explain`: a definition before its modifiers",
        "value": "what the modifiers make of it",
        "arguments": "the arguments of the definition, by parameter",
        "modifiers": "every modifier, and why it applies or not",
    },
    "shift": {
        "value": "with `explain`: how many columns of a table a look-up is shifted to the right",
        "arguments": "the arguments of the look-up, by parameter",
        "modifiers": "every modifier, and why it applies or not",
    },
    "draw": {"drawn": "what is drawn by lot"},
    "answer": _ANSWER,
    "forced": _ANSWER,
    "forced_all": {**_ANSWER, "value": "all members that must be picked"},
    "secret_begin": {},
    "secret_end": {},
    "phase": {},
    "segment": {},
    "step": {},
    "say": {},
    "finish": {"result": "the result of the game, if it has one"},
}
"""For each kind its fields; a side to which an event is hidden sees none of them, or those of `COUNTED`."""

COUNTED: Final = frozenset(("keys", "number"))
"""Fields of an event that a side sees if it sees only how many things a state holds."""

MODIFIER: Final[Mapping[str, str]] = {
    "name": "its name",
    "effect": "`add`, `subtract`, `times`, `half`, `set`, `most` or `least`",
    "rules": "the printed rules that it cites",
    "acts": "true if its conditions hold",
    "counts": "true if it also counts in its stacking class",
    "stack": "its stacking class",
    "number": "the number that it adds, multiplies with, sets or bounds; null if there is none",
    "clause": "the place of the clause that keeps it from acting; null if it acts",
}
"""The fields of each modifier of a roll, definition or table."""
