"""How the section of a module describes values, events and messages (specification 15.1 and 15.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulekit.ir import types as t
from rulekit.ir.semantics.records import digits_of
from rulekit.runtime.native.log.table import EventTable, Fields, LoggedEvent
from rulekit.runtime.native.lower.memory import Shapes

Described = list[Any]
"""A type as the section has it: its sort, and what is needed to read its words."""

PART = ("answer", "forced")
"""Kinds of events whose value may also be none or done."""


def describe_type(kind: t.Type, shapes: Shapes) -> Described:
    """A type."""
    match kind:
        case t.Optional(of=of):
            return _optional(describe_type(of, shapes))
        case t.Int() | t.Row():
            return ["number"]
        case t.Member(domain=domain):
            return ["optional", ["member", domain]]
        case t.Flag() | t.Month() | t.Ratio() | t.Text() | t.Nothing():
            return [type(kind).__name__.lower()]
        case t.SetOf(of=of):
            return ["set", shapes.words(kind), _item(of, shapes)]
        case t.ListOf(of=of):
            return ["list", shapes.words(of), _item(of, shapes)]
        case t.MapOf(key=key, value=value):
            size, room = shapes.sizes[key.domain], shapes.room(value)
            return ["map", shapes.key_words(kind), size, room, key.domain, describe_type(value, shapes)]
        case t.Record():
            return ["record", record_fields(kind, shapes.sizes)]


def _item(kind: t.Type, shapes: Shapes) -> Described:
    """The type of the things in a set or list, where a member is never *none*."""
    return ["member", kind.domain] if isinstance(kind, t.Member) else describe_type(kind, shapes)


def _optional(described: Described) -> Described:
    return described if described[0] == "optional" else ["optional", described]


def record_fields(kind: t.Record, sizes: Mapping[str, int]) -> list[list[Any]]:
    """The fields of a combination: the name of each, its domain (empty for numbers), and its digit."""
    return [
        [name, of.domain if isinstance(of, t.Member) else "", digit.weight, digit.count, digit.low]
        for name, of, digit in zip(kind.names, kind.types, digits_of(kind, sizes), strict=True)
    ]


def describe_messages(messages: Iterable[tuple[str, tuple[t.Type, ...]]], shapes: Shapes) -> list[list[Any]]:
    """The messages of faults by number, from 1: their texts, and the types of the values in them."""
    return [[text, [describe_type(kind, shapes) for kind in types]] for text, types in messages]


def describe_events(log: EventTable, shapes: Shapes) -> dict[str, Any]:
    """Return the part of the section that describes a log: events by number, types of words."""
    describing = _Describing(shapes)
    events = [describing.event(event) for event in log.events]
    return {"events": events, "types": describing.types}


class _Describing:
    """Describes the events of one module, and collects their types."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.types: list[Described] = []

    def event(self, event: LoggedEvent) -> dict[str, Any]:
        entry: dict[str, Any] = {"kind": event.kind, "subject": event.subject, "site": event.site}
        if event.keys is not None:
            entry["keys"] = [domain if isinstance(domain, str) else "" for domain in event.keys]
        entry["fields"] = self._fields(event.fields, part=event.kind in PART)
        if event.arguments is not None:
            entry["arguments"] = self._fields(event.arguments)
        return entry | ({} if event.open else {"open": False})

    def _fields(self, fields: Fields, *, part: bool = False) -> list[list[Any]]:
        """Names with the numbers of their types."""
        return [[name, self._number(kind, part=part and name == "value")] for name, kind in fields]

    def _number(self, kind: t.Type, *, part: bool) -> int:
        described = describe_type(kind, self.shapes)
        if part:
            described = ["part", _optional(described)]
        if described not in self.types:
            self.types.append(described)
        return self.types.index(described)
