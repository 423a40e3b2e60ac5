"""From events to lines: headings with where the game stands, and under them what happened."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir import Program
from rulekit.ir.types import Member, Month, Optional, SetOf
from rulekit.ir.walk import statements
from rulekit.runtime.narrate.lines import (
    CHANGES,
    AnswerLine,
    Changes,
    DecisionSubject,
    LogLine,
    Rolls,
    Said,
    value_line,
)
from rulekit.runtime.narrate.open_steps import OpenSteps
from rulekit.runtime.narrate.state_mirror import Picture
from rulekit.runtime.narrate.words import Words, plain, state_words
from rulekit.runtime.play import Decision, Event, Game, Session
from rulekit.runtime.play.beginning.given import Given
from rulekit.runtime.play.events import ANSWERS


def about(program: Program, decision: Decision, words: Words) -> DecisionSubject:
    """The arguments in words, without sets and without the side that decides: `Alpha, North`."""
    return _subject(program, decision.choice, decision.side, decision.arguments, words)


def _subject(
    program: Program, choice: str, side: str, arguments: Mapping[str, Any], words: Words
) -> DecisionSubject:
    types = {param.name: param.type for param in program.by_name.choices[choice].params}
    texts, names = [], []
    for name, value in arguments.items():
        kind = types[name]
        inner = kind.of if isinstance(kind, Optional) else kind
        if value is None or isinstance(inner, SetOf) or value == side:
            continue
        if isinstance(value, str | int | list):
            texts.append(words.value(value, inner.domain if isinstance(inner, Member) else ""))
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
    "draw": "drawn in secret",
    "take": "drawn in secret",
    "roll": "rolled in secret",
    "reveal": "shown in secret",
}
SHOWN: Final = {
    **dict.fromkeys(("answer", "forced", "forced_all", "reveal"), "value"),
    **dict.fromkeys(("draw", "take"), "drawn"),
}
"""The field of an event with members that a side sees, and whose texts it may read."""
MOST_READ: Final = 5
"""Members whose texts the log has after one event."""
SILENT: Final = frozenset(("secret_begin", "secret_end", "unmark_all"))
"""Kinds of events without a line: their effects show elsewhere."""

EFFECTS: Final = {
    "add": "{:+d}",
    "subtract": "{:+d}",
    "times": "times {}",
    "half": "half",
    "set": "becomes {}",
    "most": "at most {}",
    "least": "at least {}",
}
"""Words for a modifier that acts, by its effect; the number is its own."""

Written = Callable[[str, int, int], str]
"""Gives the words at a file's line and column."""


@frozen
class Told:
    """One line: a heading of the outline, or what happened.

    Attributes:
        level: `phase`, `segment`, `step` or `line`.
        rule: The printed rule in the margin, or of the heading; may be empty.
        standing: Of a heading: the date and the numbers of the game as a whole.
        changes: Whether it tells nothing but changed values, which the board shows as well.
    """

    level: Literal["phase", "segment", "step", "line"]
    rule: str
    text: str
    standing: str = ""
    changes: bool = False

    @property
    def again(self) -> Told:
        """The heading once more, after steps within it."""
        if self.level != "phase":
            return self
        return Told(self.level, self.rule, f"{self.text} (continued)")

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
        rows = textwrap.wrap(self.text, room, subsequent_indent="  ", break_on_hyphens=False) or [""]
        for number, row in enumerate(rows):
            yield f"{'' if number else self.rule:>{RULE_WIDTH}}", f"  {row}"


def explanations(words: Words, event: Event, written: Written) -> Iterator[Told]:
    """A line for each modifier: its effect, or the clause that keeps it from applying."""
    for modifier in event.fields["modifiers"]:
        rule = words.rule(modifier["rules"][0]) if modifier["rules"] else ""
        name, number, clause = plain(modifier["name"]), modifier["number"], modifier["clause"]
        if clause is not None:
            reason = written(clause["file"], clause["line"], clause["column"])
            yield Told("line", rule, f"  - {name}: not, `{reason}`")
            continue
        if not modifier["counts"]:
            reason = f"{plain(modifier['stack'])} counts one of them"
            yield Told("line", rule, f"  - {name}: {number:+d}, but {reason}")
            continue
        does = EFFECTS[modifier["effect"]].format(number)
        yield Told("line", rule, f"  * {name}: {does}")


class Narrator:
    """Tells the events of one program.

    A line follows once nothing more can belong to it, so `finish` yields the last ones. A heading of a
    segment or step comes with the first line under it.
    """

    def __init__(
        self, program: ir.Program, prefix: str, game: Game | None = None, written: Written | None = None
    ) -> None:
        """
        Args:
            prefix: The part of printed rules' ids that is the set's own.
            game: Works out the date for headings; without it they have none.
            written: Gives what is written at a place of the rules, for rolls that are explained.
        """
        self._written = written or (lambda file, line, column: f"{file}:{line}")
        self.words = Words(program, prefix)
        self._program, self._game = program, game
        self._picture = Picture(program)
        self._verbs = {choice.name: choice.verb for choice in program.choices}
        self._titles: dict[tuple[str, str], str] = {}
        for procedure in program.procedures:
            for stmt in statements(procedure.body):
                if isinstance(stmt, ir.Step):
                    self._titles[stmt.word, stmt.name] = stmt.title or plain(stmt.name)
        months = [f for f in program.functions if not f.params and isinstance(f.result, Month)]
        self._calendar = months[0] if len(months) == 1 else None
        self._steps = OpenSteps(program)
        self._under: list[Told] = []
        self._open: LogLine | None = None
        self._headings: list[Told] = []
        self._read: set[tuple[str, str]] = set()
        self._to_read: list[Told] = []

    def look(self, session: Session) -> None:
        """Take up a session that was restored or taken back, at its present decision."""
        self._picture.look(session)
        self._steps.leave_all()
        self._under.clear()
        self._open = None
        self._headings.clear()

    def begin_with(self, cells: Given, *, else_known: bool) -> None:
        """Say which values there are before the first event, and whether all others are as declared."""
        self._picture.begin_with(cells, else_known=else_known)

    def tell(self, events: Iterable[Event]) -> Iterator[Told]:
        """The lines that some events complete."""
        for event in events:
            if event.is_hidden and event.kind in CHANGES | ANSWERS | {"roll", "draw"}:
                yield from self._leave_steps(event)
                yield from self._begin(Said(self._rule(event), self._hidden_words(event)))
                continue
            changed = self._picture.take(event)
            if changed is None or event.kind in SILENT or event.subject.startswith(OWN):
                continue
            if event.kind in LEVELS:
                yield from self._heading(changed)
                continue
            yield from self._leave_steps(event)
            if self._open is None or not self._open.absorb(changed):
                line = self._line(changed)
                if line is not None:
                    yield from self._begin(line)
                if "modifiers" in event.fields:
                    yield from self._close()
                    yield from explanations(self.words, event, self._written)
            self._take_texts(event)

    def finish(self) -> Iterator[Told]:
        """The remaining lines: the headings and the line that are open."""
        yield from self._close()
        yield from self._headings
        self._headings.clear()

    @property
    def so_far(self) -> str:
        """The parts answered so far of an open choice; empty if it has no parts."""
        return self._open.so_far if isinstance(self._open, AnswerLine) else ""

    def title(self, name: str) -> str:
        """The title of a phase, segment or step."""
        return next(
            (self._titles[level, name] for level in LEVELS if (level, name) in self._titles), plain(name)
        )

    # -- writing

    def _begin(self, line: LogLine) -> Iterator[Told]:
        yield from self._close()
        self._open = line

    def _close(self) -> Iterator[Told]:
        line, self._open = self._open, None
        if line is not None and line.text:
            yield from self._headings
            self._headings.clear()
            yield Told("line", line.rule, line.text, changes=isinstance(line, Changes))
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
                self._to_read.append(Told("line", "", f"  {self.words.name(name, domain)}: {text}"))

    def _heading(self, event: Event) -> Iterator[Told]:
        yield from self._close()
        del self._under[self._steps.depth_at(event.site) :]
        self._steps.enter(event.site)
        level = LEVELS.index(event.kind)
        title = self._titles.get((event.kind, event.subject), plain(event.subject))
        standing = "" if level else self._standing()
        self._under.append(Told(LEVELS[level], self._rule(event), title, standing))
        self._await(self._under[-1])
        if not level:
            yield from self._headings
            self._headings.clear()

    def _leave_steps(self, event: Event) -> Iterator[Told]:
        """Go back to the heading of the step around those that have ended before an event."""
        depth = self._steps.depth_at(event.site)
        if depth < len(self._under):
            yield from self._close()
            del self._under[depth:]
            if self._under:
                self._await(self._under[-1].again)

    def _await(self, heading: Told) -> None:
        """Tell a heading with the first line under it, in the place of those that had none."""
        level = LEVELS.index(heading.level)
        self._headings = [other for other in self._headings if LEVELS.index(other.level) < level]
        self._headings.append(heading)

    def _standing(self) -> str:
        date = self._date()
        return " · ".join([*([date] if date else []), *self._picture.standing()])

    def _date(self) -> str:
        """The date, if the calendar reads only states without keys."""
        if self._game is None or self._calendar is None:
            return ""
        from rulekit.ir.types import month_text
        from rulekit.runtime.play.beginning.given import set_cells

        cells = self._game.module.layout.initial()
        try:
            set_cells(self._game.named_values, cells, self._picture.whole())
            return month_text(self._game.module.expression(self._calendar.body, ())(cells))
        except (ValueError, IndexError, KeyError, TypeError):
            return ""

    def _rule(self, event: Event) -> str:
        return self.words.rule(event.rules[0]) if event.rules else ""

    def _line(self, event: Event) -> LogLine | None:
        fields: Any = event.fields
        rule = self._rule(event)
        match event.kind:
            case "roll":
                return Rolls(self.words, event)
            case "answer" | "forced" | "forced_all":
                subject = _subject(
                    self._program, event.subject, fields["side"], fields["arguments"], self.words
                )
                return AnswerLine(self.words, event, self._verbs.get(event.subject, ""), subject)
            case "value" | "shift":
                return value_line(self.words, event)
            case "draw":
                return self._draw_line(event)
            case "say":
                return Said(rule, event.subject)
            case "finish":
                result = fields.get("result")
                return Said(
                    rule, "the game ends" + (f": {self.words.value(result)}" if result is not None else "")
                )
            case _:
                return Changes(self.words, event)

    def _hidden_words(self, event: Event) -> str:
        """The words for an event of which all but a few sides learn only that it happened."""
        number = event.fields.get("number", "")
        what = [*map(self.words.value, event.fields.get("keys", ())), state_words(event.subject)]
        return f"{' '.join(what)}: {f'{number} ' if number else ''}{SECRET.get(event.kind, 'hidden')}"

    def _draw_line(self, event: Event) -> LogLine | None:
        """The line of a draw; none if nothing was drawn."""
        drawn = event.fields.get("drawn")
        if isinstance(drawn, list | tuple) and not drawn:
            return None
        routine, _, own = event.subject.rpartition(".")
        point = f"{plain(own)} drawn at random" if routine else plain(event.subject)
        return Said(self._rule(event), f"{point}: {self.words.value(drawn)}" + ("" if routine else " drawn"))
