"""Events in words: who did what under which printed rule, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulekit import ir
from rulekit.interpret.walk import statements
from rulekit.play import Event

RULE_WIDTH = 8
"""Cells of the margin in which the printed rule stands."""
MOST_NAMED = 12
"""Members of a set that a line names; the rest is counted."""
HEADINGS = ("phase", "segment", "step")
SILENT = frozenset(("secret_begin", "secret_end", "unmark_all"))
"""Kinds of events that tell a reader nothing."""


class Narrator:
    """Tells the events of one program.

    Events that belong together (the same rule moves several pieces to one place, marks several members) make
    one line.
    """

    def __init__(self, program: ir.Program, prefix: str) -> None:
        self._prefix = prefix + "."
        self._titles = {d.name: dict(zip(d.members, d.titles, strict=True)) for d in program.domains}
        named: dict[str, set[str]] = {}
        for titles in self._titles.values():
            for name, title in titles.items():
                named.setdefault(name, set()).add(title)
        # A name that members of several domains share has no title where nothing tells the domain.
        self._certain = {name: next(iter(found)) for name, found in named.items() if len(found) == 1}
        self._steps: dict[tuple[str, str], str] = {}
        for procedure in program.procedures:
            for stmt in statements(procedure.body):
                if isinstance(stmt, ir.Step):
                    self._steps[stmt.word, stmt.name] = stmt.title or _plain(stmt.name)
        self._dice = {point.name: (point.dice, point.sides) for point in program.points}

    def tell(self, events: Iterable[Event]) -> Iterator[str]:
        """The lines of some events, in order."""
        waiting: list[Event] = []
        for event in events:
            if waiting and _belong(waiting[0], event):
                waiting.append(event)
                continue
            yield from self._line(waiting)
            waiting = [event]
        yield from self._line(waiting)

    def _line(self, events: list[Event]) -> Iterator[str]:
        if not events or events[0].kind in SILENT:
            return
        event = events[0]
        if event.kind in HEADINGS:
            yield self._heading(event)
            return
        text = self._text(event, events)
        if text:
            yield f"{self.rule(event):>{RULE_WIDTH}}  {text}"

    def rule(self, event: Event) -> str:
        """The first printed rule of an event, without the set's prefix."""
        return event.rules[0].removeprefix(self._prefix) if event.rules else ""

    def _heading(self, event: Event) -> str:
        title = self._steps.get((event.kind, event.subject), _plain(event.subject))
        rule = self.rule(event)
        mark = {"phase": "==", "segment": "--", "step": "-"}[event.kind]
        return f"{'' if event.kind != 'phase' else chr(10)}{mark} {rule + ' ' if rule else ''}{title}"

    # -- what happened

    def _text(self, event: Event, events: list[Event]) -> str:
        fields = event.fields
        match event.kind:
            case "move":
                pieces = [piece for each in events for piece in each.fields["pieces"]]
                where = fields["space"]
                to = "off the board" if where is None else f"to {self.name(where, 'space')}"
                return f"{self._several(pieces, 'piece')} {to}"
            case "mark" | "unmark":
                members = [key for each in events for key in each.fields["keys"]]
                return self._flag(event.subject, members, event.kind == "mark")
            case "mark_all":
                return self._flag(event.subject, fields["members"], True) if fields["members"] else ""
            case "roll":
                return self._roll(event)
            case "answer" | "forced" | "forced_all":
                return self._answer(event)
            case "draw" | "take":
                return f"{_plain(event.subject)}: {self.value(fields.get('drawn'))} drawn"
            case "shuffle":
                return f"{_plain(event.subject.removeprefix('shuffle.'))} shuffled"
            case "form":
                return f"{self.name(fields['group'])} formed"
            case "dissolve":
                return f"{self.name(fields['group'])} dissolved"
            case "say":
                return event.subject
            case "finish":
                result = fields.get("result")
                return "the game ends" + (f": {self.value(result)}" if result is not None else "")
            case _:
                return self._change(event)

    def _change(self, event: Event) -> str:
        """A state's change: `Argo damage up to 4`."""
        fields = event.fields
        keys = [self.value(key) for key in fields.get("keys", ())]
        subject = " ".join([*keys, _plain(event.subject.split(".")[-1])])
        value = self.value(fields.get("value"))
        match event.kind:
            case "set":
                return f"{subject}: {value}"
            case "add":
                return f"{subject} up to {value}"
            case "subtract":
                return f"{subject} down to {value}"
            case "include" | "append" | "put_top" | "put_under":
                return f"{subject}: {value} added"
            case "exclude" | "drop":
                return f"{subject}: {value} taken out"
            case "reveal":
                return f"{subject} revealed"
            case _:
                return f"{subject} {event.kind}"

    def _flag(self, state: str, members: list[Any], on: bool) -> str:
        flag = _plain(state.split(".")[-1])
        word = flag if on else f"no longer {flag}"
        return f"{self._several(members)} {word}" if members else word

    def _roll(self, event: Event) -> str:
        fields = event.fields
        arguments = [self.value(v) for name, v in fields.items() if name.startswith("argument ")]
        about = f" ({', '.join(arguments)})" if arguments else ""
        raw, result = fields["raw"], fields.get("result", fields["raw"])
        changed = f", modified {result}" if result != raw else ""
        return f"{_plain(event.subject)}{about}: {raw}{changed}"

    def _answer(self, event: Event) -> str:
        fields = event.fields
        what = _plain(event.subject.split(".")[-1])
        value = self.value(fields["value"])
        item = f"{self.value(fields['item'])} -> " if "item" in fields else ""
        only = " (nothing else is legal)" if event.kind != "answer" else ""
        return f"{self.name(fields['side'])}, {what}: {item}{value}{only}"

    # -- words

    def _several(self, names: list[Any], domain: str = "") -> str:
        said = [self.value(name, domain) for name in names[:MOST_NAMED]]
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        return ", ".join(said) + more

    def value(self, value: Any, domain: str = "") -> str:
        """A value of an event in words; `domain` is what its names are members of, where that is known."""
        match value:
            case None:
                return "none"
            case bool():
                return "yes" if value else "no"
            case str():
                return self.name(value, domain)
            case list() | tuple():
                return self._several(list(value)) if value else "nothing"
            case Mapping():
                return ", ".join(f"{self.value(k)}: {self.value(v)}" for k, v in value.items())
            case _:
                return str(value)

    def name(self, name: str, domain: str = "") -> str:
        """A member's title; its name in plain words where that could be several."""
        known = self._titles.get(domain, self._certain)
        return known.get(name, _plain(name))


def _belong(first: Event, event: Event) -> bool:
    """Whether an event goes on what a line has begun."""
    if event.kind != first.kind or event.site != first.site:
        return False
    if event.kind == "move":
        return bool(event.fields["space"] == first.fields["space"])
    return event.kind in ("mark", "unmark") and event.subject == first.subject and bool(event.fields["keys"])


def _plain(name: str) -> str:
    return name.replace("_", " ")
