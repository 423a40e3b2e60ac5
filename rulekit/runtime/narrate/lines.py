"""The lines of a game log: events that belong together share a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from rulekit.base.frozen import frozen
from rulekit.runtime.narrate.state_mirror import UNKNOWN
from rulekit.runtime.narrate.words import Words
from rulekit.runtime.play.answering.spelling import SEVERAL
from rulekit.runtime.play.events import ANSWERS, Event

MANY_PARTS = frozenset(("pick_set", "assign", "assign_set", "split", "arrange", "share"))
"""Verbs whose answers come part by part."""


@frozen
class DecisionSubject:
    """The subject of a decision, in words, and the names among its arguments."""

    text: str = ""
    names: frozenset[str] = frozenset()


class LogLine(Protocol):
    """A line that is being written."""

    @property
    def rule(self) -> str:
        """The printed rule for the margin."""

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

    `Hiei, Tone to Hawaiian Islands`; `Hiei is no longer disabled; damage 0 [12.3]; to Truk [10.1]`.
    """

    def __init__(self, words: Words, event: Event) -> None:
        self._words = words
        self._who = _who(words, event)
        self._what = [_change(words, event)]
        self._site = event.site

    def absorb(self, event: Event) -> bool:
        """The same thing to others by the same line of the rules, or something more to the same ones."""
        if event.kind not in CHANGES or not event.fields or not self._who:
            return False
        who, what = _who(self._words, event), _change(self._words, event)
        if who == self._who:
            self._what.append(what)
            return True
        if who and [one.text for one in self._what] == [what.text] and event.site == self._site:
            self._who += who
            return True
        return False

    @property
    def rule(self) -> str:
        """The printed rule of the first change."""
        return _worth_telling(self._what)[0].rule

    @property
    def text(self) -> str:
        """Each change with its rule, where that is not the one of the change before."""
        kept = _worth_telling(self._what)
        text = "; ".join(_with_rules(kept, self.rule))
        if not self._who:
            return text
        key = ("is" if len(self._who) == 1 else "are") if kept[0].ends else "change"
        return self._words.say(key, self._words.several(self._who), text)


@frozen
class _Change:
    """A change in words.

    Attributes:
        ends: Whether a flag is taken away.
        resets: Whether a flag, a number or a name is taken away, or is again what it was at first.
        removes: Whether what it happens to is gone.
    """

    text: str
    rule: str
    ends: bool
    resets: bool
    removes: bool


def _change(words: Words, event: Event) -> _Change:
    ends = event.kind == "unmark" or event.kind == "set" and event.fields["value"] is False
    removes = event.kind == "dissolve" or event.kind == "move" and event.fields["space"] is None
    resets = ends or event.kind in ("set", "subtract") and _is_nothing(event.fields)
    return _Change(_what(words, event), _rule(words, event), ends, resets, removes)


def _is_nothing(fields: Mapping[str, Any]) -> bool:
    """Whether a state has its first value after an event, or none."""
    return fields.get("resets", False) or fields.get("value") in (None, 0, [])


def _worth_telling(changes: Sequence[_Change]) -> Sequence[_Change]:
    """The changes without those that take something away from what is gone: they go without saying."""
    gone = any(one.removes for one in changes)
    return [one for one in changes if not one.resets] if gone else changes


def _with_rules(changes: Iterable[_Change], last: str) -> Iterator[str]:
    """The changes in words, each with its rule where that is not the one before."""
    for one in changes:
        yield one.text if one.rule in (last, "") else f"{one.text} [{one.rule}]"
        last = one.rule or last


class AnswerLine:
    """The answer of one side to one choice, with all its parts and its immediate consequences.

    `Red, berths: Alpha, Beta -> North`; `Red, patrol (Alpha): North [6.21]; strained [6.221]`.  Of a move
    that only carries out the answer, and of a state of the same words that takes it, the line shows the rule
    alone; whatever else happens to those whom the choice is about goes on the same line.
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
        moved = event.kind == "move" and self._says(event.fields["pieces"], event.fields["space"])
        if moved or self._repeats(event):
            self._carried.append(_rule(self._words, event))
        elif self._verb not in MANY_PARTS and set(_changed_by(event)) & self._asked.names:
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

    def _repeats(self, event: Event) -> bool:
        """Return whether an event only stores the answer, under the choice's name or in what it was about."""
        if event.kind != "set" or self._verb in MANY_PARTS or self._after:
            return False
        value, keys = event.fields["value"], set(event.fields["keys"])
        if [(None, value)] != self._answers:
            return False
        if isinstance(value, str) and keys and keys <= self._asked.names:
            return True
        return keys <= {self._side} and self._words.term(event.subject) == self._words.term(self._choice)

    @property
    def text(self) -> str:
        """Side, choice and answer; items with one answer stand together.

        Empty where nothing could be chosen and nothing is, or the only legal answer was no.
        """
        declined = all(value is None or value is False for _, value in self._answers)
        if not self._chosen and not self._after and declined:
            return ""
        say = self._words.say
        choice = say("side-choice", self._words.name(self._side), self._words.term(self._choice))
        asked = say("with", choice, self._asked.text) if self._asked.text else choice
        answer = self._answer_text()
        text = say("says", asked, answer if self._chosen else say("only-choice", answer))
        rules = [rule for rule in dict.fromkeys(self._carried) if rule not in (self.rule, "")]
        if rules:
            text += f" [{', '.join(rules)}]"
        return text + self._after.text(rules[-1] if rules else self.rule)

    @property
    def so_far(self) -> str:
        """The answer as far as it goes, if more may come; empty if not."""
        return "" if self._whole or self._verb not in MANY_PARTS else self._answer_text()

    def _values_text(self, values: Sequence[Any]) -> str:
        """The names or numbers that items get, or the part that they are put into."""
        if self._verb == "split":
            return ", ".join(self._words.part(self._choice, value) for value in values)
        return self._words.several(values, self._words.domain_of(self._choice))

    def _answer_text(self) -> str:
        if any(item is not None for item, _ in self._answers):
            by_item: dict[Any, list[Any]] = {}
            for item, value in self._answers:
                by_item.setdefault(item, []).append(value)
            together: dict[tuple[Any, ...], list[Any]] = {}
            for item, values in by_item.items():
                together.setdefault(tuple(values), []).append(item)
            return "; ".join(
                self._words.say("to-each", self._words.several(items), self._values_text(values))
                for values, items in together.items()
            )
        offered = self._words.domain_of(self._choice)
        return self._words.value([value for _, value in self._answers], offered)


def value_line(words: Words, event: Event) -> Said:
    """A value that modifiers change, or by how many columns they shift a look-up."""
    say, value = words.say, event.fields["value"]
    about = ", ".join(words.argument(event.subject, *one) for one in _arguments(event).items())
    head = say("with", words.term(event.subject), about) if about else words.term(event.subject)
    if event.kind == "shift":
        way = "left" if value < 0 else "right"
        key = f"column-{way}" if abs(value) == 1 else f"columns-{way}"
        return Said(_rule(words, event), say(key, head, abs(value)))
    before = words.value(event.fields["before"])
    text = before if value == event.fields["before"] else say("changed", before, words.value(value))
    return Said(_rule(words, event), say("says", head, text))


class Rolls:
    """Rolls of one point for the same things, and what comes of the last of them.

    `attack (Alpha, Beta): 2, 5, 6 (+1 each)`; `speed roll for Alpha: 6; raiding [6.41]`.  Those that only
    numbers tell apart stand together by these: `attack (Red, force 4): 3, 5; (force 2): 1`.  `means` has
    words for what a roll means: `attack (Alpha): 2, 6 → no effect, hit`.
    """

    def __init__(self, words: Words, event: Event, means: Callable[[Event], str]) -> None:
        self._words, self._means = words, means
        self._point, self._names = event.subject, tuple(_arguments(event))
        self._about = list(_arguments(event).values())
        self._site = event.site
        self._shown: list[tuple[list[Any], list[_Fallen]]] = []
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
        about = list(_arguments(event).values())
        if (event.subject, event.site) != (self._point, self._site) or not self._alike(about):
            return False
        raw = event.fields["raw"]
        fallen = _Fallen(raw, event.fields.get("result", raw), self._means(event))
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
        named = set(_changed_by(event))
        chapter = _rule(self._words, event).partition(".")[0]
        return bool(named) and named <= set(map(str, self._about)) and chapter == self.rule.partition(".")[0]

    @property
    def text(self) -> str:
        """The dice as they fell, and what modifiers made of them."""
        say = self._words.say
        parts = [say("says", self._subject_text(about), self._dice(shown)) for about, shown in self._shown]
        return f"{'; '.join(parts)}{self._after.text(self.rule)}"

    def _subject_text(self, about: list[Any]) -> str:
        """The point and the subject of a roll; after the first, only the differences."""
        say, words = self._words.say, self._words
        first = about == self._about
        shown = ", ".join(
            words.argument(self._point, name, one)
            for name, one, other in zip(self._names, about, self._about, strict=True)
            if first or one != other
        )
        if not first:
            return f"({shown})" if shown else ""
        point = words.term(self._point)
        if len(about) == 1 and isinstance(about[0], str):
            return say("roll-for", point, shown)
        return say("with", point, shown) if shown else point

    def _dice(self, shown: list[_Fallen]) -> str:
        """Dice as they fell, what modifiers made of them, and what that means."""
        say = self._words.say
        changes = {one.result - one.raw for one in shown}
        if len(shown) > 1 and len(changes) == 1 and changes != {0}:
            dice = say("dice-each", ", ".join(str(one.raw) for one in shown), f"{changes.pop():+d}")
        else:
            dice = ", ".join(map(str, shown))
        means = [one.means for one in shown if one.means]
        alike = len(set(means)) == 1
        return say("dice-mean", dice, means[0] if alike else ", ".join(means)) if means else dice


@frozen
class _Fallen:
    """Dice of one roll: as they fell, what modifiers made of them, and the words for what that means."""

    raw: int
    result: Any
    means: str

    def __str__(self) -> str:
        return (
            str(self.raw)
            if self.raw == self.result
            else f"{self.raw} {self.result - self.raw:+d} = {self.result}"
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class _Tail:
    """Changes to one of the members that a line is about; `brief` if the line names only that one."""

    def __init__(self, words: Words, *, brief: bool) -> None:
        self._words, self._brief = words, brief
        self._who: list[str] = []
        self._what: list[_Change] = []

    def __bool__(self) -> bool:
        return bool(self._what)

    def take(self, event: Event) -> bool:
        """Take a change, unless it is of another one than the change before."""
        who = _who(self._words, event)
        if len(who) != 1 or self._what and self._who != who:
            return False
        self._who = who
        self._what.append(_change(self._words, event))
        return True

    def text(self, rule: str) -> str:
        """The changes, each with its rule where that is not the one before."""
        parts = list(_with_rules(_worth_telling(self._what), rule))
        if parts and not self._brief:
            parts[0] = f"{self._who[0]} {parts[0]}"
        return "".join(f"; {part}" for part in parts)


CHANGES = frozenset(
    (
        *("set", "add", "subtract", "mark", "unmark", "mark_all", "include", "exclude", "append", "drop"),
        *("move", "put_top", "put_under", "take", "shuffle", "form", "dissolve", "reveal"),
    )
)
"""Kinds of events that tell a change."""


def _rule(words: Words, event: Event) -> str:
    return words.rule(event.rules[0]) if event.rules else ""


def _arguments(event: Event) -> dict[str, Any]:
    """Return the arguments of an event by name, without flags: a bare yes or no has no meaning."""
    given: Mapping[str, Any] = event.fields.get("arguments", {})
    return {name: value for name, value in given.items() if not isinstance(value, bool)}


def _changed_by(event: Event) -> list[Any]:
    """The names a change is about."""
    fields = event.fields
    return [*fields.get("pieces", ()), *fields.get("keys", ()), *fields.get("members", ())]


def names_in(event: Event) -> list[str]:
    """The names of the side and the members that an event is about, and of the place or answer it tells."""
    fields = event.fields
    values = [fields.get(name) for name in ("side", "group", "item", "space", "value", "drawn")]
    several = (one if isinstance(one, list | tuple) else [one] for one in values)
    names = [*_arguments(event).values(), *_changed_by(event), *(name for some in several for name in some)]
    return [name for name in names if isinstance(name, str)]


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


def _off_board(words: Words, event: Event) -> str:
    """The meaning of a removal, by its printed rule or by its procedure."""
    procedure = event.site.owner.removeprefix("procedure ").partition("'")[0]
    own = (words.say.own(f"off-board {by}") for by in (_rule(words, event), procedure))
    return next(filter(None, own), words.say("off-board"))


def _what(words: Words, event: Event) -> str:
    """The change, in words."""
    fields, say = event.fields, words.say
    state, held = words.term(event.subject), words.domain_of(event.subject)
    match event.kind:
        case "move":
            where = fields["space"]
            if where is None:
                return _off_board(words, event)
            return say("moved", words.name(where, "space"))
        case "form":
            return say("formed")
        case "dissolve":
            return say("dissolved")
        case "mark" | "mark_all":
            return state
        case "unmark":
            return say("no-longer", state)
        case "set":
            value = fields["value"]
            if isinstance(value, bool):
                return state if value else say("no-longer", state)
            worded = say.value_of(event.subject, value)
            return worded or say("says", state, words.value(value, held))
        case "add" | "subtract":
            return _count_change(words, state, fields, "up" if event.kind == "add" else "down")
        case "include" | "append":
            return say("added", state, words.value(fields["value"], held))
        case "exclude" | "drop":
            return say("taken-out", state, words.value(fields["value"], held))
        case "put_top" | "put_under":
            key = "put-top" if event.kind == "put_top" else "put-under"
            return say(key, state, words.value(fields["values"], held))
        case "take":
            return say("drawn", state, words.value(fields["drawn"], held))
        case "shuffle":
            return say("shuffled", words.term(event.subject.removeprefix("shuffle.")))
        case _:
            value = fields["value"]
            if isinstance(value, bool):
                return say("flag-revealed", state if value else say("not", state))
            return say("revealed", state, words.value(value, held))


def _count_change(words: Words, state: str, fields: Mapping[str, Any], way: str) -> str:
    """`damage 1 → 3`; where the value before is unknown, `damage up 2 to 3`."""
    before, value = fields.get("was", UNKNOWN), fields["value"]
    by = fields.get("amount")
    if by is None and before is not UNKNOWN:
        by = abs(value - before)
    if by == 0 and value is not UNKNOWN:
        return words.say("still", state, value)
    if before is not UNKNOWN and value is not UNKNOWN:
        return f"{state} {before} → {value}"
    parts = [state, words.say(way)]
    if by is not None:
        parts.append(str(by))
    if value is not UNKNOWN:
        parts.append(words.say("to-number", value))
    return " ".join(parts)
