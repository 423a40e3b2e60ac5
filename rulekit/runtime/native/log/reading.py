"""The log of a module: how its section describes events, and how a host reads them (specification 15.7).

Events come out as `rulekit.runtime.play.events.Event.as_json` gives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from rulekit.ir import Program
from rulekit.ir.semantics.records import digits_of
from rulekit.ir.types import (
    DONE,
    NONE,
    Flag,
    Int,
    ListOf,
    MapOf,
    Member,
    Month,
    Nothing,
    Optional,
    Ratio,
    Record,
    Row,
    SetOf,
    Text,
    Type,
    month_text,
)
from rulekit.runtime.chance import WORD
from rulekit.runtime.native.log.table import EventTable, Fields, LoggedEvent
from rulekit.runtime.native.lower.memory import Shapes

Described = list[Any]
"""A type as the section has it: its sort, and what is needed to read its words."""

PART = ("answer", "forced")
"""Kinds of events whose value may also be none or done."""


# ------------------------------------------------------------ the section


def describe_events(program: Program, log: EventTable, shapes: Shapes) -> dict[str, Any]:
    """Return the part of the section that describes a log: events by number, types of words, and texts."""
    describing = _Describing(program, shapes)
    events = [describing.event(event) for event in log.events]
    return {"events": events, "types": describing.types, "texts": list(shapes.texts)}


class _Describing:
    """Describes the events of one module."""

    def __init__(self, program: Program, shapes: Shapes) -> None:
        self.program, self.shapes = program, shapes
        self.types: list[Described] = []

    def event(self, event: LoggedEvent) -> dict[str, Any]:
        entry: dict[str, Any] = {"kind": event.kind, "subject": event.subject, "site": event.site}
        if event.keys is not None:
            entry["keys"] = [domain if isinstance(domain, str) else "" for domain in event.keys]
        part = event.kind in PART
        entry["fields"] = self._fields(event.fields, part=part)
        if event.arguments is not None:
            entry["arguments"] = self._fields(event.arguments)
        return entry | ({} if event.open else {"open": False})

    def _fields(self, fields: Fields, *, part: bool = False) -> list[list[Any]]:
        """Names with the numbers of their types."""
        return [[name, self._number(kind, part=part and name == "value")] for name, kind in fields]

    def _number(self, kind: Type, *, part: bool) -> int:
        described = ["part", _optional(self.type(kind))] if part else self.type(kind)
        if described not in self.types:
            self.types.append(described)
        return self.types.index(described)

    def type(self, kind: Type) -> Described:
        """A type; see chapter 15 of the specification."""
        shapes = self.shapes
        match kind:
            case Optional(of=of):
                return _optional(self.type(of))
            case Int() | Row():
                return ["number"]
            case Member(domain=domain):
                return ["optional", ["member", domain]]
            case Flag() | Month() | Ratio() | Text() | Nothing():
                return [type(kind).__name__.lower()]
            case SetOf(of=of):
                return ["set", shapes.words(kind), self._item(of)]
            case ListOf(of=of):
                return ["list", shapes.words(of), self._item(of)]
            case MapOf(key=key, value=value):
                size = shapes.sizes[key.domain]
                return ["map", shapes.key_words(kind), size, shapes.room(value), key.domain, self.type(value)]
            case Record():
                digits = digits_of(kind, shapes.sizes)
                return ["record", [
                    [name, of.domain if isinstance(of, Member) else "", digit.weight, digit.count, digit.low]
                    for name, of, digit in zip(kind.names, kind.types, digits, strict=True)
                ]]  # fmt: skip

    def _item(self, kind: Type) -> Described:
        return ["member", kind.domain] if isinstance(kind, Member) else self.type(kind)


def describe_messages(
    program: Program, messages: Iterable[tuple[str, tuple[Type, ...]]], shapes: Shapes
) -> list[list[Any]]:
    """The messages of faults by number, from 1: their texts, and the types of the values in them."""
    describing = _Describing(program, shapes)
    return [[text, [describing.type(kind) for kind in types]] for text, types in messages]


def _optional(described: Described) -> Described:
    return described if described[0] == "optional" else ["optional", described]


# ------------------------------------------------------------ hosts


def events_of(words: Sequence[int], names: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of the words of a log; `names` is the section."""
    reading = _Reading(words, names)
    events = []
    while reading.at < len(words):
        events.append(reading.event())
    return events


def message_of(number: int, words: Sequence[int], names: dict[str, Any]) -> str:
    """Return the message of a fault with the words of its values; empty if it has none."""
    if number == 0:
        return ""
    text, types = names["messages"][number - 1]
    reading = _Reading(words, names)
    for place, kind in enumerate(types):
        value = reading.value(kind)
        text = text.replace(f"{{{place}}}", _plain(value))
        if isinstance(value, int):
            text = text.replace(f"{{{place}:,}}", f"{value:,}")
    return str(text)


def _plain(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, list):
        return f"{{{', '.join(map(_plain, value))}}}"
    return str(value).lower() if isinstance(value, bool) else "none" if value is None else str(value)


class _Reading:
    """Reads values: of one log, or of a message."""

    def __init__(self, words: Sequence[int], names: dict[str, Any]) -> None:
        self.words, self.names = words, names
        self.at = 0

    def take(self, count: int) -> Sequence[int]:
        """The next words."""
        self.at += count
        return self.words[self.at - count : self.at]

    def event(self) -> dict[str, Any]:
        """The next event."""
        about = self.names["events"][self.take(1)[0]]
        site = about["site"] if about["site"] >= 0 else self.take(1)[0]
        rules = self.names["sites"][str(site)][1]
        event = {"kind": about["kind"], "subject": about["subject"], "rules": rules}
        if "keys" in about:
            event["keys"] = [self._name(domain, self.take(1)[0]) for domain in about["keys"]]
        fields = self._fields(about["fields"])
        if about["kind"] == "say" and fields:
            return event | {"subject": fields["text"]}
        event |= fields
        if "arguments" in about:
            event["arguments"] = self._fields(about["arguments"])
        return event

    def _fields(self, fields: list[list[Any]]) -> dict[str, Any]:
        return {name: self.value(self.names["types"][number]) for name, number in fields}

    def value(self, kind: Described) -> Any:
        """The next value, of a type, as JSON."""
        match kind:
            case ["part", _] if self.words[self.at] == DONE:
                self.take(1)
                return "done"
            case ["part", of]:
                return self.value(of)
            case ["optional", of]:
                if self.words[self.at] != NONE:
                    return self.value(of)
                self.take(2 if of == ["ratio"] else 1)
                return None
            case ["set", count, of]:
                mask = sum((word & WORD) << 64 * place for place, word in enumerate(self.take(count)))
                return [self._of_word(of, n) for n in range(mask.bit_length()) if mask >> n & 1]
            case ["list", _, of]:
                return [self.value(of) for _ in range(self.take(1)[0])]
            case ["map", *_]:
                return self._map(kind)
            case ["ratio"]:
                ratio = Fraction(*self.take(2))
                return f"{ratio.numerator}:{ratio.denominator}"
            case _:
                return self._of_word(kind, self.take(1)[0])

    def _map(self, kind: Described) -> dict[str, Any]:
        _, keys, size, room, domain, of = kind
        mask = sum((word & WORD) << 64 * place for place, word in enumerate(self.take(keys)))
        begin, values = self.at, {}
        for number in range(size):
            if mask >> number & 1:
                self.at = begin + number * room
                values[str(self._name(domain, number))] = self.value(of)
        self.at = begin + size * room
        return values

    def _of_word(self, kind: Described, word: int) -> Any:
        match kind:
            case ["flag"]:
                return bool(word)
            case ["member", domain]:
                return self._name(domain, word)
            case ["month"]:
                return month_text(word)
            case ["text"]:
                return self.names["texts"][word]
            case ["nothing"]:
                return None
            case ["record", fields]:
                return {
                    name: self._name(domain, word // weight % count + low)
                    for name, domain, weight, count, low in fields
                }
            case _:
                return word

    def _name(self, domain: str, number: int) -> str | int:
        return self.names["domains"][domain][number] if domain else number
