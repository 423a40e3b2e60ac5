"""From events to lines: headings with where the game stands, and under them what happened."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir import Choice, Point, Program
from rulekit.ir.types import Flag, Member, Month, Optional, SetOf
from rulekit.ir.walk import statements
from rulekit.runtime.narrate.dice import DiceMeanings
from rulekit.runtime.narrate.lines import (
    CHANGES,
    AnswerLine,
    Changes,
    DecisionSubject,
    LogLine,
    Rolls,
    Said,
    names_in,
    value_line,
)
from rulekit.runtime.narrate.open_steps import OpenSteps
from rulekit.runtime.narrate.state_mirror import Picture
from rulekit.runtime.narrate.words import Words
from rulekit.runtime.play import Decision, Event, Session, View
from rulekit.runtime.play.answering.chance_questions import ChanceAsked
from rulekit.runtime.play.beginning.given import Given
from rulekit.runtime.play.events import ANSWERS
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.support.wording import Wording, plain


def about(program: Program, decision: Decision, words: Words) -> DecisionSubject:
    """The arguments in words, without sets, flags and the side that decides: `Alpha, North`."""
    asks_chance, name = decision.chance is not None, decision.choice
    item = _point(program, name) if asks_chance else program.by_name.choices[name]
    return _subject(item, decision.side, decision.arguments, words)


def _point(program: Program, name: str) -> Point:
    return next(point for point in program.points if point.name == name)


def _subject(item: Point | Choice, side: str, arguments: Mapping[str, Any], words: Words) -> DecisionSubject:
    types = {param.name: param.type for param in item.params}
    texts, names = [], []
    for name, value in arguments.items():
        kind = types[name]
        inner = kind.of if isinstance(kind, Optional) else kind
        if value is None or isinstance(inner, Flag | SetOf) or value == side:
            continue
        if isinstance(value, str | int | list):
            domain = inner.domain if isinstance(inner, Member) else ""
            texts.append(words.argument(item.name, name, value, domain))
        if isinstance(value, str):
            names.append(value)
    return DecisionSubject(", ".join(texts), frozenset(names))


RULE_WIDTH: Final = 8
"""Cells of the margin in which the printed rule stands."""

WIDTH: Final = 100
"""Cells of a line; longer ones go on under their text."""

LEVELS: Final = ("phase", "segment", "step")
MARKS: Final = {"phase": "==", "segment": "--", "step": "-"}
OWN: Final = "event:"
"""Prefix of the states that remember for an event whether its condition held."""
SECRET: Final = {
    "draw": "drawn-in-secret",
    "take": "drawn-in-secret",
    "roll": "rolled-in-secret",
    "reveal": "shown-in-secret",
}
"""Words for what happened unseen, by the kind of event."""
SHOWN: Final = {
    **dict.fromkeys(("answer", "forced", "forced_all", "reveal"), "value"),
    **dict.fromkeys(("draw", "take"), "drawn"),
}
"""The field of an event with members that a side sees, and whose texts it may read."""
MOST_READ: Final = 5
"""Members whose texts the log has after one event."""
WITHOUT_LINE: Final = frozenset(("unmark_all", "land"))
"""Kinds of events that change a state and have no line."""
SILENT: Final = WITHOUT_LINE | {"secret_begin", "secret_end"}
"""Kinds of events without a line: their effects show elsewhere."""

EFFECTS: Final = {"times": "times", "half": "half", "set": "becomes", "most": "at-most", "least": "at-least"}
"""Words for a modifier that acts, by its effect; of others the number says enough."""

Written = Callable[[str, int, int], str]
"""Gives the words at a file's line and column."""


@frozen
class NarratedLine:
    """One line: a heading of the outline, or something that happened.

    Attributes:
        level: `phase`, `segment`, `step` or `line`.
        rule: The printed rule in the margin, or of the heading, without the set's prefix; may be empty.
        text: The words of the line.
        standing: Of a heading: the date and the numbers of the game as a whole.
        changes: Whether it tells nothing but changed values, which the board shows as well, or that values
            changed unseen by no printed rule.
        what: The kind of its first event, such as `roll`, and its subject, such as the name of the roll.
        who: The names of the side and the members in its events, each once.
        rules: The ids of all printed rules that its events cite, each once.
    """

    level: Literal["phase", "segment", "step", "line"]
    rule: str
    text: str
    standing: str = ""
    changes: bool = False
    what: tuple[str, str] = ("", "")
    who: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """A heading's mark, rule and title."""
        return " ".join(part for part in (MARKS[self.level], self.rule, self.text) if part)

    def __str__(self) -> str:
        return "\n".join(f"{left}{right}" for left, right in self.rows())

    def rows(self, width: int = WIDTH) -> Iterator[tuple[str, str]]:
        """Margin and text of each row the line takes; of a heading, itself and where the game stands."""
        if self.level != "line":
            yield self.head, f"  {self.standing:>{width - len(self.head) - 2}}" if self.standing else ""
            return
        room = width - RULE_WIDTH - 2
        longer = " " * (len(self.rule) - RULE_WIDTH)
        rows = textwrap.wrap(
            self.text,
            room,
            initial_indent=longer,
            subsequent_indent="  ",
            break_on_hyphens=False,
        )
        for number, row in enumerate(rows or [longer]):
            yield f"{'' if number else self.rule:>{RULE_WIDTH}}", f"  {row if number else row[len(longer) :]}"


def explanations(words: Words, event: Event, written: Written) -> Iterator[NarratedLine]:
    """A line for each modifier: its effect, or the clause that keeps it from applying."""
    say = words.say
    for modifier in event.fields["modifiers"]:
        rule = words.rule(modifier["rules"][0]) if modifier["rules"] else ""
        name, number, clause = words.term(modifier["name"]), modifier["number"], modifier["clause"]
        if clause is not None:
            reason = written(clause["file"], clause["line"], clause["column"])
            text = f"  - {say('applies-not', name, reason)}"
        elif not modifier["counts"]:
            text = f"  - {say('applies-but', name, f'{number:+d}', words.term(modifier['stack']))}"
        else:
            key = EFFECTS.get(modifier["effect"])
            text = f"  * {say('says', name, f'{number:+d}' if key is None else say(key, number))}"
        what = ("modifier", modifier["name"])
        yield NarratedLine("line", rule, text, what=what, rules=tuple(modifier["rules"]))


class Narrator:
    """Tells the events of one program.

    A line follows once nothing more can belong to it, so `finish` yields the last ones. A heading of a
    segment or step comes with the first line under it.
    """

    def __init__(
        self,
        program: ir.Program,
        prefix: str,
        game: PreparedGame | None = None,
        written: Written | None = None,
        wording: Wording | None = None,
    ) -> None:
        """
        Args:
            prefix: The part of printed rules' ids that is the set's own.
            game: Works out the date for headings, and what dice mean; without it there is neither.
            written: Gives what is written at a place of the rules, for rolls that are explained.
            wording: The words of a language; without it, English.
        """
        self._written = written or (lambda file, line, column: f"{file}:{line}")
        self.words = Words(program, prefix, wording)
        self._program, self._game = program, game
        self._picture = Picture(program)
        self._meanings = DiceMeanings(game, self._picture.values_of) if game is not None else None
        self._verbs = {choice.name: choice.verb for choice in program.choices}
        self._titles: dict[tuple[str, str], str] = {}
        for procedure in program.procedures:
            for stmt in statements(procedure.body):
                if isinstance(stmt, ir.Step):
                    title = self.words.say.title(stmt.word, stmt.name, stmt.title)
                    self._titles[stmt.word, stmt.name] = title
        months = [f for f in program.functions if not f.params and isinstance(f.result, Month)]
        self._calendar = months[0] if len(months) == 1 else None
        self._steps = OpenSteps(program)
        self._under: list[NarratedLine] = []
        self._open: LogLine | None = None
        self._events: list[Event] = []
        """The events of the open line."""
        self._headings: list[NarratedLine] = []
        self._last_heading: NarratedLine | None = None
        """The heading that was written last."""
        self._read: set[tuple[str, str]] = set()
        self._to_read: list[NarratedLine] = []

    @classmethod
    def of(cls, game: PreparedGame, language: str = "en") -> Narrator:
        """Return the narrator of a game in a language.

        Raises:
            ValueError: There is no such language.
        """
        background = game.background
        return cls(game.program, background.prefix, game, background.text_at, game.wording_in(language))

    def look(self, session: Session | View) -> None:
        """Take up a session, or a view of one, that was restored or taken back, at its present decision."""
        self._picture.look(session)
        self._steps.leave_all()
        self._under.clear()
        self._open = None
        self._headings.clear()
        self._last_heading = None

    def begin_with(self, cells: Given, *, else_known: bool) -> None:
        """Say which values there are before the first event, and whether all others are as declared."""
        self._picture.begin_with(cells, else_known=else_known)

    def tell(self, events: Iterable[Event]) -> Iterator[NarratedLine]:
        """The lines that some events complete."""
        for event in events:
            if event.is_hidden and event.kind in WITHOUT_LINE:
                self._picture.forget(event.subject)
                continue
            if event.is_hidden and event.kind in CHANGES | ANSWERS | {"roll", "draw"}:
                yield from self._leave_steps(event)
                self._picture.forget(event.subject)
                if event.kind in CHANGES and self.words.say.is_quiet(event.subject):
                    continue
                text = self._hidden_words(event)
                if event.kind in CHANGES and isinstance(self._open, Said) and self._open.text == text:
                    self._events.append(event)  # how often it changes is not said
                else:
                    yield from self._begin(Said(self._rule(event), text), event)
                continue
            changed = self._picture.take(event)
            if changed is None or event.kind in SILENT or event.subject.startswith(OWN):
                continue
            if event.kind in CHANGES and self.words.say.is_quiet(event.subject):
                continue
            if event.kind in LEVELS:
                yield from self._heading(changed)
                continue
            yield from self._leave_steps(event)
            if self._open is not None and self._open.absorb(changed):
                self._events.append(changed)
            else:
                line = self._line(changed)
                if line is not None:
                    yield from self._begin(line, changed)
                if "modifiers" in event.fields:
                    yield from self._close()
                    yield from explanations(self.words, event, self._written)
            self._take_texts(event)

    def finish(self) -> Iterator[NarratedLine]:
        """The remaining lines: the headings and the line that are open."""
        yield from self._close()
        yield from self._tell_headings()

    @property
    def so_far(self) -> str:
        """The parts answered so far of an open choice; empty if it has no parts."""
        return self._open.so_far if isinstance(self._open, AnswerLine) else ""

    def title(self, name: str) -> str:
        """The title of a phase, segment or step."""
        return next(
            (self._titles[level, name] for level in LEVELS if (level, name) in self._titles),
            self.words.say.text(plain(name)),
        )

    def decision(self, asked: Decision) -> dict[str, Any]:
        """A decision as JSON, with titles in the language: see `schemas/decision.schema.json`."""
        words, chance = self.words, asked.chance
        choice = None if chance is not None else self._program.by_name.choices[asked.choice]
        return {
            "choice": asked.choice,
            "title": words.say.title("choice" if choice else "roll", asked.choice, words.term(asked.choice)),
            "about": about(self._program, asked, words).text,
            "verb": asked.verb,
            "domain": asked.domain,
            "side": asked.side,
            "side_title": words.name(asked.side, self._program.sides) if choice else words.say("chance"),
            "part": asked.part,
            "part_title": words.name(asked.part, _domain_of_item(choice)) if choice and asked.part else None,
            "answers": [
                {
                    "name": one.name,
                    "title": words.answer(asked.choice, one.name)
                    if choice
                    else ", ".join(words.name(part) for part in one.parts),
                    "parts": list(one.parts),
                }
                for one in asked.legal_answers
            ],
            **({} if chance is None else {"chance": self._chance(chance)}),
            "may_decline": asked.may_decline,
            "so_far": list(map(dict, asked.so_far)),
            "arguments": dict(asked.arguments),
            "rules": list(asked.rules),
            "steps": [{"name": name, "title": self.title(name)} for name in asked.steps],
        }

    def _chance(self, chance: ChanceAsked) -> dict[str, Any]:
        """The part of a decision that only chance has, with titles."""
        things = [{"name": one, "title": self.words.name(one)} for one in chance.things]
        return {
            "kind": chance.kind,
            "number": chance.number,
            "things": things,
            "weights": list(chance.weights),
            "outcomes": str(chance.outcomes),
            "total": str(chance.total),
        }

    # -- writing

    def _begin(self, line: LogLine, event: Event) -> Iterator[NarratedLine]:
        yield from self._close()
        self._open, self._events = line, [event]

    def _close(self) -> Iterator[NarratedLine]:
        line, self._open = self._open, None
        if line is not None and line.text:
            yield from self._tell_headings()
            unseen = not line.rule and self._events[0].is_hidden and self._events[0].kind in CHANGES
            changes = unseen or isinstance(line, Changes)
            narrated = NarratedLine("line", line.rule, line.text, changes=changes)
            yield _with_parts(narrated, self._events)
            yield from self._to_read
            self._to_read.clear()

    def _take_texts(self, event: Event) -> None:
        """Note the texts of the members that an event shows, the first time that the log names them."""
        field = SHOWN.get(event.kind)
        value = event.fields.get(field) if field is not None else None
        domain = self.words.domain_of(event.subject)
        names: list[tuple[str, Any]] = [
            (domain, one) for one in (value if isinstance(value, list) else [value])
        ]
        if isinstance(value, Mapping):
            names = list(zip(self.words.domains_of(event.subject), value.values(), strict=False))
        fresh = [one for one in names if isinstance(one[1], str) and one not in self._read]
        for domain, name in fresh[:MOST_READ]:
            self._read.add((domain, name))
            for text in self.words.texts(name, domain):
                line = f"  {self.words.say('says', self.words.name(name, domain), text)}"
                self._to_read.append(
                    NarratedLine("line", "", line, what=(event.kind, event.subject), who=(name,))
                )

    def _heading(self, event: Event) -> Iterator[NarratedLine]:
        yield from self._close()
        depth = self._steps.depth_at(event.site)
        phase_ended = any(heading.level == LEVELS[0] for heading in self._under[depth:])
        del self._under[depth:]
        if phase_ended and self._under:
            self._go_back_to(self._under[-1])
        self._steps.enter(event.site)
        level = LEVELS.index(event.kind)
        title = self._titles.get((event.kind, event.subject), self.words.say.text(plain(event.subject)))
        standing = "" if level else self._standing()
        heading = NarratedLine(LEVELS[level], self._rule(event), title, standing)
        self._under.append(_with_parts(heading, [event]))
        self._await(self._under[-1])
        if not level:
            yield from self._tell_headings()

    def _leave_steps(self, event: Event) -> Iterator[NarratedLine]:
        """Go back to the heading of the step around those that have ended before an event."""
        depth = self._steps.depth_at(event.site)
        if depth < len(self._under):
            yield from self._close()
            del self._under[depth:]
            if self._under:
                self._go_back_to(self._under[-1])

    def _tell_headings(self) -> Iterator[NarratedLine]:
        if self._headings:
            self._last_heading = self._headings[-1]
        yield from self._headings
        self._headings.clear()

    def _go_back_to(self, heading: NarratedLine) -> None:
        """Await a heading once more, unless the steps since then had no line and it is still the last."""
        again = self._again(heading)
        if self._last_heading is heading or self._last_heading == again != heading:
            level = LEVELS.index(heading.level)
            self._headings = [other for other in self._headings if LEVELS.index(other.level) < level]
        else:
            self._await(again)

    def _await(self, heading: NarratedLine) -> None:
        """Tell a heading with the first line under it, in the place of those that had none."""
        level = LEVELS.index(heading.level)
        self._headings = [other for other in self._headings if LEVELS.index(other.level) < level]
        self._headings.append(heading)

    def _again(self, heading: NarratedLine) -> NarratedLine:
        """A heading once more, after steps within it."""
        if heading.level != "phase":
            return heading
        return replace(heading, text=self.words.say("continued", heading.text), standing="")

    def _standing(self) -> str:
        date = self._date()
        return " · ".join([*([date] if date else []), *self._picture.standing(self.words)])

    def _date(self) -> str:
        """The date, if the calendar reads only states without keys."""
        if self._game is None or self._calendar is None:
            return ""
        from rulekit.runtime.play.beginning.given import set_cells

        cells = self._game.module.layout.initial()
        try:
            set_cells(self._game.named_values, cells, self._picture.whole())
            return self.words.say.month(self._game.module.expression(self._calendar.body, ())(cells))
        except (ValueError, IndexError, KeyError, TypeError):
            return ""

    def _rule(self, event: Event) -> str:
        return self.words.rule(event.rules[0]) if event.rules else ""

    def _line(self, event: Event) -> LogLine | None:
        fields: Any = event.fields
        rule = self._rule(event)
        match event.kind:
            case "roll":
                return Rolls(self.words, event, self._meaning)
            case "answer" | "forced" | "forced_all":
                choice = self._program.by_name.choices[event.subject]
                subject = _subject(choice, fields["side"], fields["arguments"], self.words)
                return AnswerLine(self.words, event, self._verbs.get(event.subject, ""), subject)
            case "value" | "shift":
                return value_line(self.words, event)
            case "draw":
                return self._draw_line(event)
            case "say":
                return Said(rule, self.words.say.text(event.subject))
            case "finish":
                result = fields.get("result")
                say = self.words.say
                return Said(
                    rule, say("ends") if result is None else say("ends-with", self.words.value(result))
                )
            case _:
                return Changes(self.words, event)

    def _meaning(self, event: Event) -> str:
        """The words for what a roll means; empty where the rules make no name of it, and nothing words it."""
        meaning = self._meanings.of(event) if self._meanings is not None else None
        if meaning is None:
            return ""
        value, say = meaning.value, self.words.say
        in_rules = "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        worded = say.own(f"{meaning.of} {in_rules}")
        return worded or (self.words.value(value, meaning.domain) if meaning.domain else "")

    def _hidden_words(self, event: Event) -> str:
        """The words for an event of which all but a few sides learn only that it happened."""
        number = event.fields.get("number", "")
        what = [*map(self.words.value, event.fields.get("keys", ())), self.words.term(event.subject)]
        hidden = self.words.say(SECRET.get(event.kind, "hidden"))
        return self.words.say("says", " ".join(what), f"{number} {hidden}" if number else hidden)

    def _draw_line(self, event: Event) -> LogLine | None:
        """The line of a draw; none if nothing was drawn."""
        drawn = event.fields.get("drawn")
        if isinstance(drawn, list | tuple) and not drawn:
            return None
        routine, _, own = event.subject.rpartition(".")
        key = "drawn-at-random" if routine else "drawn"
        text = self.words.say(key, self.words.term(own), self.words.value(drawn))
        return Said(self._rule(event), text)


def _domain_of_item(choice: ir.Choice) -> str:
    """The domain of the parts of an answer; empty if it has none."""
    kind = choice.item_type
    return kind.domain if isinstance(kind, Member) else ""


def _with_parts(line: NarratedLine, events: Iterable[Event]) -> NarratedLine:
    """A line with its parts: the subject, the names that it is about, and the rules of its events."""
    first, *others = events
    rules = dict.fromkeys(rule for event in (first, *others) for rule in event.rules)
    who = dict.fromkeys(name for event in (first, *others) for name in names_in(event))
    return replace(line, what=(first.kind, first.subject), who=tuple(who), rules=tuple(rules))
