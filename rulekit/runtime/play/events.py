"""Events in the game's own names, each with its rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Modifier, Param, Site
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import Type
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.play.answering.spelling import shown_part
from rulekit.runtime.play.event_fields import COUNTED, FIELDS
from rulekit.runtime.support.trace import KNOWN, EventKind

ANSWERS = frozenset(("answer", "forced", "forced_all"))
_OF_NO_STATE = ANSWERS | {
    *("move", "roll", "draw", "form", "dissolve", "phase", "segment", "step", "say", "finish"),
    *("secret_begin", "secret_end", "value", "shift"),
}
"""Kinds of events whose subject is not a state, though a state may have the same name."""

EXPLAINED: Mapping[str, str] = {"roll": "roll", "value": "define", "shift": "table"}
"""Kinds of events that list modifiers, each with what those are on."""


@frozen
class Event:
    """One thing that happened.

    Attributes:
        kind: One of `rulekit.runtime.play.event_fields.FIELDS`.
        subject: The state, point, choice, group, step or text it is about.
        site: Where in the rules; `rules` are the printed rules cited there.
        fields: What `FIELDS` lists for its kind, as JSON (see `rulekit.ir.semantics.names`).
    """

    kind: str
    subject: str
    site: Site
    rules: tuple[str, ...]
    fields: Mapping[str, Any]

    @property
    def is_hidden(self) -> bool:
        """True if its side learns only that it happened, and of what is counted where and how many."""
        names = FIELDS[self.kind].keys()
        return bool(names) and (names - COUNTED or names).isdisjoint(self.fields)

    @property
    def as_json(self) -> dict[str, Any]:
        """The event as one JSON object, as logs, views and the protocol have it."""
        return {"kind": self.kind, "subject": self.subject, "rules": list(self.rules), **self.fields}


class Teller:
    """Makes events from the trace of one program."""

    def __init__(self, module: GeneratedModule, naming: Naming) -> None:
        self.module = module
        self.naming = naming

    def kind(self, entry: tuple[Any, ...]) -> EventKind:
        """The kind of event of an entry of the trace."""
        number: int = entry[0]
        return self.module.events[number]

    def event(self, entry: tuple[Any, ...]) -> Event:
        """The event for an entry of the trace."""
        kind = self.kind(entry)
        site = self.module.program.sites[kind.site]
        operands = dict(zip((name for name, _ in kind.fields), entry[1:], strict=True))
        operands.pop(KNOWN, None)
        types = dict(kind.fields)
        if kind.kind in ANSWERS:
            fields = self._answer(kind, operands, types)
        else:
            fields = {name: self.naming.to_json(types[name], value) for name, value in operands.items()}
        if kind.kind in EXPLAINED:
            fields = self._with_arguments(kind, fields)
            if any(name.startswith("acts ") for name in fields):
                fields = self._explain(kind, fields)
        if kind.kind == "say" and "text" in fields:
            return Event(kind.kind, fields["text"], site, site.rules, {})
        named = {name: value for name, value in fields.items() if not name.startswith("key ")}
        state = self.module.facts.states.get(kind.subject)
        if state is not None and kind.kind not in _OF_NO_STATE:
            keys = tuple(value for name, value in operands.items() if name.startswith("key "))
            named = {"keys": self.naming.keys(state.keys[: len(keys)], keys), **named}
        return Event(kind.kind, kind.subject, site, site.rules, named)

    def _with_arguments(self, kind: EventKind, fields: dict[str, Any]) -> dict[str, Any]:
        """A roll's fields, or a value's, with what it is about under the names of its parameters."""
        given = [fields.pop(name) for name in list(fields) if name.startswith("argument ")]
        names = [param.name for param in self._params(kind)] or map(str, range(1, len(given) + 1))
        return {**fields, "arguments": dict(zip(names, given, strict=True))}

    def _params(self, kind: EventKind) -> tuple[Param, ...]:
        """The parameters of the roll, definition or table of an event."""
        if kind.kind == "roll":
            return self.module.facts.points[kind.subject].params
        modifiers = self._modifiers(kind)
        params = self.module.facts.functions[modifiers[0].function].params
        return params if kind.kind == "value" else params[1:]

    def _modifiers(self, kind: EventKind) -> list[Modifier]:
        """The modifiers of the roll, definition or table of an event."""
        of = (EXPLAINED[kind.kind], kind.subject)
        return [one for one in self.module.program.modifiers if (one.of, one.point) == of]

    def _explain(self, kind: EventKind, fields: dict[str, Any]) -> dict[str, Any]:
        """A roll's fields, or a value's, with what is said of each modifier brought together."""
        sites = self.module.program.sites
        modifiers = self._modifiers(kind)
        entries = []
        for modifier in modifiers:
            kept = fields.pop(f"acts {modifier.name}")
            clause = sites[modifier.clauses[kept - 1]] if kept else None
            entries.append(
                {
                    "name": modifier.name,
                    "effect": modifier.effect,
                    "rules": list(sites[modifier.site].rules),
                    "acts": clause is None,
                    "number": fields.pop(f"number {modifier.name}", None),
                    "clause": None
                    if clause is None
                    else {"file": clause.file, "line": clause.line, "column": clause.column},
                }
            )
        _tell_who_counts(entries, modifiers)
        return {**fields, "modifiers": entries}

    def _answer(self, kind: EventKind, operands: dict[str, Any], types: dict[str, Type]) -> dict[str, Any]:
        choice = self.module.facts.choices[kind.subject]
        value = operands["value"]
        fields: dict[str, Any] = {"side": self.naming.to_json(types["side"], operands["side"])}
        if operands["item"] is not None:
            fields["item"] = self.naming.to_json(types["item"], operands["item"])
        if kind.kind == "forced_all":
            assert choice.candidates is not None
            fields["value"] = self.naming.to_json(choice.candidates.type, value)
        else:
            fields["value"] = shown_part(self.naming, choice, value)
        arguments: dict[str, Any] = {}
        for param, argument in zip(choice.params, operands["arguments"], strict=True):
            arguments[param.name] = self.naming.to_json(param.type, argument)
        return {**fields, "arguments": arguments}


def _tell_who_counts(entries: list[dict[str, Any]], modifiers: list[Modifier]) -> None:
    """Say of each modifier whether it counts: of some classes only one of those that act does."""
    counting: dict[str, int] = {}
    for place, (entry, modifier) in enumerate(zip(entries, modifiers, strict=True)):
        if not entry["acts"] or modifier.policy == "sum":
            continue
        best = counting.get(modifier.stack)
        worse = best is not None and (
            modifier.policy == "highest"
            and entry["number"] <= entries[best]["number"]
            or modifier.policy == "lowest"
            and entry["number"] >= entries[best]["number"]
        )
        if not worse:
            counting[modifier.stack] = place
    for place, (entry, modifier) in enumerate(zip(entries, modifiers, strict=True)):
        one = modifier.policy != "sum"
        entry["counts"] = entry["acts"] and (not one or counting[modifier.stack] == place)
        entry["stack"] = modifier.stack


def side_name(naming: Naming, sides: str, number: int) -> str:
    """The name of a side."""
    return naming.member(sides, number) if number >= 0 else "nobody"
