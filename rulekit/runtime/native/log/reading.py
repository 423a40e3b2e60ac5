"""How a host reads the words of a log or of a message, by the section of the module (specification 15.7).

Events come out as `rulekit.runtime.play.events.Event.as_json` gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from rulekit.base.bits import members
from rulekit.ir.semantics.fault_texts import and_list
from rulekit.ir.semantics.names import in_plain_text
from rulekit.ir.semantics.records import Digit
from rulekit.ir.types import DONE, NONE, month_text, ratio_text
from rulekit.runtime.native.log.describing import Described
from rulekit.runtime.native.lower.memory import mask_of_words

PLACE_OF_VALUE: Final = re.compile(r"\{(\d+)(:,|:and)?\}")
"""A value in a message by its number, perhaps with commas between thousands, or a set as names with `and`."""


def events_of(words: Sequence[int], names: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of the words of a log; `names` is the section."""
    return list(_ValueReader(words, names).events())


def message_of(number: int, words: Sequence[int], names: dict[str, Any]) -> str:
    """Return the message of a fault with the words of its values; empty if it has none."""
    if number == 0:
        return ""
    text, types = names["messages"][number - 1]
    reader = _ValueReader(words, names)
    values = [reader.value(kind) for kind in types]

    def text_of(place: re.Match[str]) -> str:
        value = values[int(place[1])]
        if place[2] == ":and":
            return and_list(list(map(str, value)))
        return f"{value:,}" if place[2] else in_plain_text(value)

    return PLACE_OF_VALUE.sub(text_of, text) if values else str(text)


def name_of(names: dict[str, Any], domain: str, number: int) -> str | int:
    """Return the name of a member; a number as it is, whose domain is empty."""
    return names["domains"][domain][number] if domain else number


class _ValueReader:
    """Reads values one after the other: of one log, or of a message."""

    def __init__(self, words: Sequence[int], names: dict[str, Any]) -> None:
        self.words, self.names = words, names
        self.at = 0

    def events(self) -> Iterator[dict[str, Any]]:
        """All events to the last word."""
        while self.at < len(self.words):
            yield self.event()

    def event(self) -> dict[str, Any]:
        """The next event."""
        about = self.names["events"][self._word()]
        site = about["site"] if about["site"] >= 0 else self._word()
        rules = self.names["sites"][str(site)][1]
        event = {"kind": about["kind"], "subject": about["subject"], "rules": rules}
        if "keys" in about:
            event["keys"] = [name_of(self.names, domain, self._word()) for domain in about["keys"]]
        fields = self._fields(about["fields"])
        if about["kind"] == "say" and fields:
            return event | {"subject": fields["text"]}
        event |= fields
        if "arguments" in about:
            event["arguments"] = self._fields(about["arguments"])
        return event

    def value(self, kind: Described) -> Any:
        """The next value, of a type, as JSON."""
        match kind:
            case ["part", _] if self.words[self.at] == DONE:
                self._word()
                return "done"
            case ["part", of]:
                return self.value(of)
            case ["optional", of]:
                if self.words[self.at] != NONE:
                    return self.value(of)
                self._take(2 if of == ["ratio"] else 1)
                return None
            case ["set", count, of]:
                return [self._of_word(of, one) for one in members(mask_of_words(self._take(count)))]
            case ["list", _, of]:
                return [self.value(of) for _ in range(self._word())]
            case ["map", *_]:
                return self._map(kind)
            case ["ratio"]:
                return ratio_text(Fraction(*self._take(2)))
            case _:
                return self._of_word(kind, self._word())

    def _take(self, count: int) -> Sequence[int]:
        """The next words."""
        self.at += count
        return self.words[self.at - count : self.at]

    def _word(self) -> int:
        """The next word."""
        return self._take(1)[0]

    def _fields(self, fields: list[list[Any]]) -> dict[str, Any]:
        return {name: self.value(self.names["types"][number]) for name, number in fields}

    def _map(self, kind: Described) -> dict[str, Any]:
        _, keys, size, room, domain, of = kind
        own = members(mask_of_words(self._take(keys)))
        begin, values = self.at, {}
        for number in own:
            self.at = begin + number * room
            values[str(name_of(self.names, domain, number))] = self.value(of)
        self.at = begin + size * room
        return values

    def _of_word(self, kind: Described, word: int) -> Any:
        """A value of one word."""
        match kind:
            case ["flag"]:
                return bool(word)
            case ["member", domain]:
                return name_of(self.names, domain, word)
            case ["month"]:
                return month_text(word)
            case ["text"]:
                return self.names["texts"][word]
            case ["nothing"]:
                return None
            case ["record", fields]:
                return {
                    name: name_of(self.names, domain, Digit(*digit).value(word))
                    for name, domain, *digit in fields
                }
            case _:
                return word
