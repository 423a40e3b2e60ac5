"""The lines of a game log: events that belong together share a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from rulekit.base.frozen import frozen
from rulekit.runtime.narrate.state_mirror import UNKNOWN
from rulekit.runtime.narrate.words import Words, plain, state_words
from rulekit.runtime.play.events import ANSWERS, Event
from rulekit.runtime.play.spelling import SEVERAL

MANY_PARTS = frozenset(("pick_set", "assign", "assign_set", "split", "arrange", "share"))
"""Verbs whose answers come part by part."""

NO_LONGER = "no longer"


@frozen
class DecisionSubject:
    """The subject of a decision, in words, and the names among its arguments."""

    text: str = ""
    names: frozenset[str] = frozenset()


class LogLine(Protocol):
    """A line that is being written; `rule` is for its margin."""

    rule: str

    def absorb(self, event: Event) -> bool:
        """Take one more event into the line, if it belongs there."""

    @property
    def text(self) -> str:
        """The text of the line."""


class Said:
    """A line that nothing can be added to."""

    def __init__(self, rule: str, text: str) -> None:
        self.rule, self.text = rule, text

    def absorb(self, event: Event) -> bool:
        """Nothing belongs here."""
        return False


class Changes:
    """Whom something happens to, and what: several to whom the same happens, or one after another to one.

    `Hiei, Tone to Hawaiian Islands`; `Hiei is no longer disabled; damage 0 [12.3]; off the board [7.61]`.
    """

    def __init__(self, words: Words, event: Event) -> None:
        self._words = words
        self._who = _who(words, event)
        self._what = [_what(words, event)]
        self.rule = _rule(words, event)
        self._rules = [self.rule]
        self._site = event.site

    def absorb(self, event: Event) -> bool:
        """The same thing to others by the same line of the rules, or something more to the same ones."""
        if event.kind not in CHANGES or not event.fields or not self._who:
            return False
        who, what = _who(self._words, event), _what(self._words, event)
        if who == self._who:
            self._what.append(what)
            self._rules.append(_rule(self._words, event))
            return True
        if who and self._what == [what] and event.site == self._site:
            self._who += who
            return True
        return False

    @property
    def text(self) -> str:
        """Each change with its rule, where that is not the one of the change before."""
        parts: list[str] = []
        last = self.rule
        for what, rule in zip(self._what, self._rules, strict=True):
            parts.append(what if rule in (last, "") else f"{what} [{rule}]")
            last = rule or last
        text = "; ".join(parts)
        if not self._who:
            return text
        verb = ("is " if len(self._who) == 1 else "are ") if text.startswith(NO_LONGER) else ""
        return f"{self._words.several(self._who)} {verb}{text}"


class AnswerLine:
    """The answer of one side to one choice, with all its parts and its immediate consequences.

    `Red, berths: Alpha, Beta -> North`; `Red, patrol (Alpha): North [6.21]; strained [6.221]`.  Of a move
    that only carries out the answer, the line shows the rule alone; whatever else happens to those whom the
    choice is about goes on the same line.
    """

    def __init__(self, words: Words, event: Event, verb: str, asked: DecisionSubject) -> None:
        self._words, self._verb, self._asked = words, verb, asked
        self._choice, self._side = event.subject, event.fields["side"]
        self._answers: list[tuple[Any, Any]] = []
        self._finished: list[Any] = []
        """Items of which no other part comes."""
        self._recorded: list[Any] = []
        """The values of a record that is the answer."""
        self._chosen = False
        self._whole = False
        self._carried: list[str] = []
        self._after = _Tail(words, brief=True)
        self.rule = _rule(words, event)
        self._take(event)

    def absorb(self, event: Event) -> bool:
        """One more part of the same answer, or what comes of it."""
        if not event.fields:
            return False
        if event.kind in CHANGES:
            return self._follow(event)
        if event.kind not in ANSWERS or self._whole or self._verb not in MANY_PARTS:
            return False
        item = event.fields.get("item")
        if (event.subject, event.fields["side"]) != (self._choice, self._side):
            return False
        if item in self._finished:
            return False
        self._take(event)
        return True

    def _take(self, event: Event) -> None:
        value = event.fields["value"]
        if isinstance(value, Mapping):
            self._recorded = list(value.values())
            value = self._words.record(self._choice, value)
        self._chosen |= event.kind == "answer"
        item, done = event.fields.get("item"), value == "done" and self._verb in SEVERAL
        self._whole = self._verb == "pick_set" and (done or event.kind == "forced_all")
        if item is not None and (done or self._verb != "assign_set"):
            self._finished.append(item)
        if event.kind == "forced_all":
            self._answers += [(None, one) for one in value]
        elif not done:
            self._answers.append((item, value))
        elif item is not None and all(item != known for known, _ in self._answers):
            self._answers.append((item, None))

    def _follow(self, event: Event) -> bool:
        """Take a change that the answer has caused, if it belongs on the same line."""
        if event.kind == "move" and self._says(event.fields["pieces"], event.fields["space"]):
            self._carried.append(_rule(self._words, event))
        elif self._verb not in MANY_PARTS and set(_names_in(event)) & self._asked.names:
            if not self._after.take(event):
                return False
        else:
            return False
        self._whole = True
        return True

    def _says(self, pieces: list[Any], space: Any) -> bool:
        """Whether the answer itself tells that these pieces go there."""
        if self._verb in MANY_PARTS:
            return all((piece, space) in self._answers for piece in pieces)
        if self._recorded:
            return space in self._recorded and set(pieces) <= {*self._recorded, *self._asked.names}
        return [(None, space)] == self._answers and set(pieces) <= self._asked.names

    @property
    def text(self) -> str:
        """Side, choice and answer; items with one answer stand together.

        Empty where nothing could be chosen and nothing is.
        """
        if not self._chosen and not self._after and all(value is None for _, value in self._answers):
            return ""
        about = f" ({self._asked.text})" if self._asked.text else ""
        only = "" if self._chosen else " (only legal choice)"
        side = self._words.name(self._side)
        text = f"{side}, {state_words(self._choice)}{about}: {self._answer_text()}{only}"
        rules = [rule for rule in dict.fromkeys(self._carried) if rule not in (self.rule, "")]
        if rules:
            text += f" [{', '.join(rules)}]"
        return text + self._after.text(self.rule)

    @property
    def so_far(self) -> str:
        """The answer as far as it goes, if more may come; empty if not."""
        return "" if self._whole or self._verb not in MANY_PARTS else self._answer_text()

    def _answer_text(self) -> str:
        offered = self._words.domain_of(self._choice)
        if any(item is not None for item, _ in self._answers):
            by_item: dict[Any, list[Any]] = {}
            for item, value in self._answers:
                by_item.setdefault(item, []).append(value)
            together: dict[tuple[Any, ...], list[Any]] = {}
            for item, values in by_item.items():
                together.setdefault(tuple(values), []).append(item)
            arrow = "group " if self._verb == "split" else ""
            return "; ".join(
                f"{self._words.several(items)} -> {arrow}{self._words.several(values, offered)}"
                for values, items in together.items()
            )
        return self._words.value([value for _, value in self._answers], offered)


def value_line(words: Words, event: Event) -> Said:
    """A value that modifiers change, or by how many columns they shift a look-up."""
    about = ", ".join(map(words.value, _arguments(event)))
    head = plain(event.subject) + (f" ({about})" if about else "")
    value = event.fields["value"]
    if event.kind == "shift":
        columns = f"{abs(value)} {'column' if abs(value) == 1 else 'columns'}"
        return Said(_rule(words, event), f"{head}: {columns} to the {'left' if value < 0 else 'right'}")
    before = event.fields["before"]
    changed = "" if value == before else f" → {words.value(value)}"
    return Said(_rule(words, event), f"{head}: {words.value(before)}{changed}")


class Rolls:
    """Rolls of one point for the same things, and what comes of the last of them.

    `attack (Alpha, Beta): 2, 5, 6 (+1 each)`; `speed roll for Alpha: 6; raiding [6.41]`.  Those that only
    numbers tell apart stand together by these: `attack (Red, 4): 3, 5; (2): 1`.
    """

    def __init__(self, words: Words, event: Event) -> None:
        self._words = words
        self._point, self._about = event.subject, _arguments(event)
        self._site = event.site
        self._shown: list[tuple[list[Any], list[tuple[int, Any]]]] = []
        self._after = _Tail(words, brief=len(self._about) == 1)
        self.rule = _rule(words, event)
        self.absorb(event)

    def absorb(self, event: Event) -> bool:
        """Take one more roll of the same kind, or a change to a member that the roll is about."""
        if not event.fields:
            return False
        if event.kind in CHANGES:
            return self._is_consequence(event) and self._after.take(event)
        if event.kind != "roll" or self._after:
            return False
        about = _arguments(event)
        if (event.subject, event.site) != (self._point, self._site) or not self._alike(about):
            return False
        raw = event.fields["raw"]
        fallen = (raw, event.fields.get("result", raw))
        same = [dice for others, dice in self._shown if others == about]
        if same:
            same[0].append(fallen)
        else:
            self._shown.append((about, [fallen]))
        return True

    def _alike(self, about: list[Any]) -> bool:
        """Whether these things are those of the first roll, except for numbers."""
        pairs = zip(about, self._about, strict=True)
        return all(one == other or _is_number(one) and _is_number(other) for one, other in pairs)

    def _is_consequence(self, event: Event) -> bool:
        """Whether a change seems to come of the roll: to one it is about, in the same chapter."""
        named = set(_names_in(event))
        chapter = _rule(self._words, event).partition(".")[0]
        return bool(named) and named <= set(map(str, self._about)) and chapter == self.rule.partition(".")[0]

    @property
    def text(self) -> str:
        """The dice as they fell, and what modifiers made of them."""
        parts = [f"{self._subject_text(about)}: {_dice(shown)}" for about, shown in self._shown]
        return f"{plain(self._point)}{'; '.join(parts)}{self._after.text(self.rule)}"

    def _subject_text(self, about: list[Any]) -> str:
        """The subject of a roll; after the first, only the differences."""
        first = about == self._about
        shown = [one for one, other in zip(about, self._about, strict=True) if first or one != other]
        if first and len(shown) == 1 and isinstance(shown[0], str):
            return f" for {self._words.value(shown[0])}"
        space = " " if first else ""
        return f"{space}({', '.join(map(self._words.value, shown))})" if shown else ""


def _dice(shown: list[tuple[int, Any]]) -> str:
    """Dice as they fell, and what modifiers made of them."""
    changes = {result - raw for raw, result in shown}
    if len(shown) > 1 and len(changes) == 1 and changes != {0}:
        return f"{', '.join(str(raw) for raw, _ in shown)} ({changes.pop():+d} each)"
    return ", ".join(
        str(raw) if raw == result else f"{raw} {result - raw:+d} = {result}" for raw, result in shown
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class _Tail:
    """Changes to one of the members that a line is about; `brief` if the line names only that one."""

    def __init__(self, words: Words, *, brief: bool) -> None:
        self._words, self._brief = words, brief
        self._who: list[str] = []
        self._what: list[tuple[str, str]] = []

    def __bool__(self) -> bool:
        return bool(self._what)

    def take(self, event: Event) -> bool:
        """Take a change, unless it is of another one than the change before."""
        who = _who(self._words, event)
        if len(who) != 1 or self._what and self._who != who:
            return False
        self._who = who
        self._what.append((_what(self._words, event), _rule(self._words, event)))
        return True

    def text(self, rule: str) -> str:
        """The changes, each with its rule where that is not the one before."""
        text, last = "", rule
        for number, (what, by) in enumerate(self._what):
            whom = "" if self._brief or number else f"{self._who[0]} "
            text += f"; {whom}{what}" + ("" if by in (last, "") else f" [{by}]")
            last = by or last
        return text


CHANGES = frozenset(
    (
        *("set", "add", "subtract", "mark", "unmark", "mark_all", "include", "exclude", "append", "drop"),
        *("move", "put_top", "put_under", "take", "shuffle", "form", "dissolve", "reveal"),
    )
)
"""Kinds of events that tell a change."""


def _rule(words: Words, event: Event) -> str:
    return words.rule(event.rules[0]) if event.rules else ""


def _arguments(event: Event) -> list[Any]:
    return list(event.fields.get("arguments", {}).values())


def _names_in(event: Event) -> list[Any]:
    """The names a change is about."""
    fields = event.fields
    return [*fields.get("pieces", ()), *fields.get("keys", ()), *fields.get("members", ())]


def _who(words: Words, event: Event) -> list[str]:
    """Whom a change is about, in words; empty for the game as a whole."""
    fields = event.fields
    match event.kind:
        case "move":
            return [words.name(piece, "piece") for piece in fields["pieces"]]
        case "form" | "dissolve":
            return [words.name(fields["group"])]
        case "mark_all":
            outer = [words.value(key) for key in fields["keys"]]
            return [" ".join([*outer, words.value(one)]) for one in fields["members"]]
        case _:
            keys = fields.get("keys", ())
            return [" ".join(map(words.value, keys))] if keys else []


def _what(words: Words, event: Event) -> str:
    """The change, in words."""
    fields = event.fields
    state, held = state_words(event.subject), words.domain_of(event.subject)
    match event.kind:
        case "move":
            where = fields["space"]
            return "off the board" if where is None else f"to {words.name(where, 'space')}"
        case "form":
            return "formed"
        case "dissolve":
            return "dissolved"
        case "mark" | "mark_all":
            return state
        case "unmark":
            return f"{NO_LONGER} {state}"
        case "set":
            return _set(words, state, held, fields)
        case "add" | "subtract":
            return _count_change(state, fields, "up" if event.kind == "add" else "down")
        case "include" | "append":
            return f"{state}: {words.value(fields['value'], held)} added"
        case "exclude" | "drop":
            return f"{state}: {words.value(fields['value'], held)} taken out"
        case "put_top" | "put_under":
            where = "on top" if event.kind == "put_top" else "underneath"
            return f"{state}: {words.value(fields['values'], held)} put {where}"
        case "take":
            return f"{state}: {words.value(fields['drawn'], held)} drawn"
        case "shuffle":
            return f"{plain(event.subject.removeprefix('shuffle.'))} shuffled"
        case _:
            value = fields["value"]
            if isinstance(value, bool):
                return f"{state if value else f'not {state}'} (revealed)"
            return f"{state} revealed: {words.value(value, held)}"


def _set(words: Words, state: str, held: str, fields: Mapping[str, Any]) -> str:
    value = fields["value"]
    if isinstance(value, bool):
        return state if value else f"{NO_LONGER} {state}"
    return f"{state}: {words.value(value, held)}"


def _count_change(state: str, fields: Mapping[str, Any], way: str) -> str:
    """`damage 1 → 3`; where the value before is unknown, `damage up 2 to 3`."""
    before, value = fields.get("was", UNKNOWN), fields["value"]
    by = fields.get("amount")
    if by is None and before is not UNKNOWN:
        by = abs(value - before)
    if by == 0 and value is not UNKNOWN:
        return f"{state} still {value}"
    if before is not UNKNOWN and value is not UNKNOWN:
        return f"{state} {before} → {value}"
    parts = [f"{state} {way}"]
    if by is not None:
        parts.append(str(by))
    if value is not UNKNOWN:
        parts.append(f"to {value}")
    return " ".join(parts)
