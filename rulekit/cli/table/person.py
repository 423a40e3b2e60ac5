"""A person at the terminal: reads typed answers, shows what is legal and why another answer is not."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rulekit.cli import shared, terminal
from rulekit.cli.table.ahead import TypedAhead
from rulekit.cli.table.board import StateView
from rulekit.cli.table.commands import Followup, TableCommands
from rulekit.cli.table.prompt import columns, say, typed_line, wrap
from rulekit.cli.table.stopping import Stopping
from rulekit.cli.table.typed import (
    COMMANDS,
    ENDING,
    ENDS,
    LOOKS,
    Meaning,
    asked_types,
    candidates,
    has_meaning,
    members,
    numbers,
)
from rulekit.ir.types import Int, Member
from rulekit.runtime.narrate import Narrator, Words, about
from rulekit.runtime.play import Amount, Decision, LegalAnswer, Reason, Refused, Session, Term
from rulekit.runtime.play.answering.spelling import ARROW
from rulekit.runtime.support.wording import plain

RANGE = re.compile(r"(\d{1,6}) ?- ?(\d{1,6})")
"""Numbers of the list, from one to another."""

COORDINATE = re.compile(r"([^\W\d]*)(\d+)")
"""A place without a name of its own: letters, if any, and a number."""

PIECE = Member("piece", "piece")
"""The type of all pieces."""

MOST_READ = 20
"""Legal answers that are listed with their texts; of more, `show` prints them."""

MOST_LISTED = 60
"""Names and runs of numbers that a question lists; `list` prints all."""

MOST_SINGLE = 12
"""Numbers that a question lists one by one; of more, those that follow one another are a run."""
MOST_REFUSED = 6
"""Refused answers that are named unasked."""

MOST_MEANT = 20
"""Answers that are named where a typed text may mean several."""

HELP = """\
  NUMBER or NAME   answer; the beginning of a name, or of a word in it, is enough; \
separate several answers with commas; 3-7 are the numbers 3 to 7
  NAME -> ANSWER   answer the question about this one when it comes; separate several names \
with commas
  rest ANSWER      answer this question and all like it, until the next roll or draw
  why ANSWER       show which rules forbid an answer
  list             list all legal answers, where a question has only some
  show [NAME]      show a piece, a place or a state; without a name, the whole game
  undo             undo your last answer, unless dice were rolled or something was revealed since"""

NO_WAY_BACK = "cannot undo: dice were rolled or something was revealed since, or the game starts here"


def _how_many(amount: Amount | None, offered: int) -> str:
    """Words for how many things a question wants, where that is not one."""
    if amount is None:
        return ""
    least, most = amount.least, amount.most
    if not amount.is_known:
        return ", several"
    if most is not None and most >= offered:
        most = None
    if most is None:
        return f", at least {least} of these" if least else ", any number"
    if least in (0, most):
        return f", {most} of these" if least else f", up to {most} of these"
    return f", {least} to {most} of these"


class Person:
    """Answers by asking.

    Attributes:
        commands: The commands that every question takes.
    """

    def __init__(
        self, narrator: Narrator, board: StateView, stopping: Stopping, summaries: Mapping[str, str]
    ) -> None:
        """Take `summaries`: the text of printed rules, by id."""
        self._narrator, self._words = narrator, narrator.words
        self._meaning = Meaning(narrator.words)
        self._board, self._stopping, self._summaries = board, stopping, summaries
        self.commands = TableCommands(HELP, NO_WAY_BACK)
        self._drawn: list[str] = []
        self._ahead = TypedAhead()

    def __call__(self, session: Session, decision: Decision) -> LegalAnswer | None:
        """The answer that is chosen; None after an undo, when something else is asked.

        Raises:
            Quit: The person has had enough.
        """
        if left := list(self._ahead.left_over(session, decision)):
            say(f"  not used: {', '.join(map(self._words.name, left))}")
        subject = _subject(session, decision, self._words)
        shown = False
        while True:
            text = before = self._ahead.take(subject)
            if not text:
                if not shown:
                    say("\n".join(self._question(session, decision)))
                shown = True
                text = self._read(session, decision, subject)
            answer = self._meaning.answer(decision, text)
            if answer is None and self._ahead.repeated == text and _is_given(decision, text):
                text, before = "done", ""  # the same once more has no meaning here
                answer = self._meaning.answer(decision, text)
                if answer is None:
                    self._ahead.clear()
                    continue
            if answer is not None:
                return answer
            if text.partition(" ")[0].lower() not in LOOKS:
                self._ahead.clear()
            if not shown:
                say("\n".join(self._question(session, decision)))
                shown = True
            if before:
                say(wrap(f"typed before: {self._words.name(before)}"))
            then = self.commands.carry_out(session, text)
            if then is Followup.GONE_BACK:
                return None
            if then is Followup.ANSWER:
                self._show(session, decision, text)

    def _show(self, session: Session, decision: Decision, text: str) -> None:
        """Show what is asked for; of an illegal answer, the reasons."""
        word, _, rest = text.partition(" ")
        match word.lower():
            case "show":
                view = session.view(decision.side)
                say("\n".join(wrap(line) for line in self._board.show(rest.strip(), view)))
            case "list":
                say("\n".join(columns(self._with_figures(session, decision))))
            case "why" if rest.strip():
                self._why(session, decision, rest.strip())
            case "why":
                self.commands.print_help()
            case _:
                self._explain_unmatched(session, decision, text)

    def _read(self, session: Session, decision: Decision, subject: Sequence[str]) -> str:
        """Read a line; return what answers this question, and keep what answers later ones."""
        text = typed_line(self._stopping)
        word, _, rest = text.partition(" ")
        self._ahead.begin(session, decision)
        if word.lower() == "rest" and rest.strip():
            self._ahead.repeat(self._named_answer(decision, rest.strip()))
            return self._ahead.take(subject)
        if word.lower() in COMMANDS:
            return text
        things, arrow, answer = text.rpartition(ARROW.strip())
        if arrow and len(asked_types(session)) < 2:
            return self._keep_for_names(session, decision, subject, things, answer.strip())
        parts = [part for part in map(str.strip, text.split(",")) if part]
        answers = [name for part in parts for name in self._answers_in(decision, part)]
        if len(answers) < 2:
            return text
        self._ahead.add(answers)
        return self._ahead.take(subject)

    def _answers_in(self, decision: Decision, part: str) -> list[str]:
        """The names of the answers in a part of a line: one, or those of a range of numbers in the list."""
        span = RANGE.fullmatch(part)
        if span is None or numbers(decision) or self._meaning.answer(decision, part) is not None:
            return [self._named_answer(decision, part)]
        first, last = map(int, span.groups())
        named = [answer.name for answer in decision.legal_answers[max(first - 1, 0) : last]]
        return named if 1 <= first <= last <= len(decision.legal_answers) else [part]

    def _named_answer(self, decision: Decision, text: str) -> str:
        """The name of the answer that is meant, so that its number means the same later; else the text."""
        answer = self._meaning.answer(decision, text)
        return text if answer is None else answer.name

    def _keep_for_names(
        self, session: Session, decision: Decision, subject: Sequence[str], things: str, answer: str
    ) -> str:
        """Keep an answer for the questions about some things; return it if this is one of them."""
        named = {
            text.strip(): self._meaning.thing(session, text) for text in things.split(",") if text.strip()
        }
        unknown = [text for text, name in named.items() if name is None]
        if unknown:
            say(wrap(f"unknown name `{unknown[0]}`; nothing is kept"))
            return self._read(session, decision, subject)
        self._ahead.name([name for name in named.values() if name], self._named_answer(decision, answer))
        if text := self._ahead.take(subject):
            return text
        say("  kept for their questions")
        return self._read(session, decision, subject)

    # -- asking

    def _question(self, session: Session, decision: Decision) -> Iterator[str]:
        words = self._words
        asked = about(session.game.program, decision, words).text
        picked = sum(entry.get("item") == decision.part for entry in decision.so_far)
        offered = picked + sum(answer.name not in ENDS for answer in decision.legal_answers)
        how_many = _how_many(session.view(decision.side).amount, offered)
        parts = [f"? {words.name(decision.side)}: {words.term(decision.choice)}{how_many}"]
        if asked:
            parts.append(f"({asked})")
        if decision.part:
            parts.append(f"for {words.name(decision.part)}")
        if decision.rules:
            parts.append(f"[{words.rules(decision.rules[:3])}]")
        head = " ".join(parts)
        steps = " > ".join(map(self._narrator.title, decision.steps))
        if steps and len(head) + len(steps) < shared.width() - 2:
            head += " " * (shared.width() - len(head) - len(steps)) + steps
        drawn = self._board.boards.small(session.view(decision.side))
        if drawn != self._drawn:
            yield from drawn
            self._drawn = drawn
        yield terminal.style(shared.fold_line(head, 4, sys.stderr), "head")
        so_far = self._narrator.so_far
        if so_far:
            yield wrap(f"so far: {so_far}")
        if figures := self._subject_figures(session, decision):
            yield terminal.style(wrap(figures), "quiet")
        listed = self._with_texts(session, decision)
        entries = [] if listed else self._with_figures(session, decision)
        yield from listed or columns(_first(entries))
        if len(entries) > MOST_LISTED:
            yield wrap(f"and more: of {len(decision.legal_answers):,} legal answers, `list` prints all")
        if key := self._figures_key(session, decision):
            yield terminal.style(wrap(f"figures: {key}"), "quiet")
        if not so_far:
            for row in self._list_refused(session, decision):
                yield terminal.style(row, "quiet")

    def _list_answers(self, decision: Decision) -> Iterator[str]:
        """The legal answers as they may be typed, numbered unless they are numbers."""
        plain_numbers = numbers(decision)
        for place, answer in enumerate(decision.legal_answers, 1):
            words = self._words_for(decision, answer.name)
            yield words if plain_numbers else f"{place} {words}"

    def _runs(self, decision: Decision) -> list[str]:
        """The numbers that are legal: `2 to 5`, `8`."""
        legal = sorted(int(answer.name) for answer in decision.legal_answers)
        return [run for run, _ in self._words.runs(legal)]

    def _by_coordinates(self, decision: Decision) -> list[str]:
        """The legal answers, some of them coordinates; of many, names come first, and coordinates as runs."""
        listed = list(self._list_answers(decision))
        if len(listed) <= MOST_SINGLE:
            return listed
        named, coordinates = list[str](), dict[tuple[str, int], list[int]]()
        for answer, text in zip(decision.legal_answers, listed, strict=True):
            parts = self._coordinate(decision, answer.name)
            if parts is None:
                named.append(text)
            else:
                stem, digits = parts
                coordinates.setdefault((stem, len(digits)), []).append(int(digits))
        runs = (
            run
            for (stem, digits), numbers in coordinates.items()
            for run, _ in self._words.runs(sorted(numbers), digits, stem)
        )
        return [*named, *runs]

    def _coordinate(self, decision: Decision, name: str) -> tuple[str, str] | None:
        """The letters and the digits of a coordinate: of a name that is also the title."""
        parts = COORDINATE.fullmatch(name)
        if parts is None or self._words_for(decision, name) != name:
            return None
        return parts[1], parts[2]

    def _names_coordinates(self, session: Session, decision: Decision) -> bool:
        """Return whether answers are places most of which have no name but their coordinate."""
        kinds, legal = asked_types(session), decision.legal_answers
        if len(kinds) != 1 or not isinstance(kinds[0], Member) or kinds[0].domain != "space":
            return False
        return 2 * sum(self._coordinate(decision, answer.name) is not None for answer in legal) > len(legal)

    def _with_figures(self, session: Session, decision: Decision) -> list[str]:
        """The legal answers, each piece with its figures; many numbers or coordinates as runs."""
        if len(decision.legal_answers) > MOST_SINGLE and _asks_for_number(session, decision):
            return self._runs(decision)
        if numbers(decision) and not _asks_for_number(session, decision):
            return self._by_coordinates(decision)
        if len(decision.legal_answers) > MOST_SINGLE and self._names_coordinates(session, decision):
            return self._by_coordinates(decision)
        listed, kinds = list(self._list_answers(decision)), asked_types(session)
        if len(kinds) != 1 or not isinstance(kinds[0], Member):
            return listed
        view, known = session.view(decision.side), set(members(session, kinds[0]))
        figures = (
            self._board.figures(answer.name, kinds[0], view) if answer.name in known else ""
            for answer in decision.legal_answers
        )
        return [f"{answer} {more}".rstrip() for answer, more in zip(listed, figures, strict=True)]

    def _subject_figures(self, session: Session, decision: Decision) -> str:
        """The pieces that a question is about, with their figures; empty if none has any."""
        view = session.view(decision.side)
        figures = ((name, self._board.figures(name, PIECE, view)) for name in self._pieces(session, decision))
        return ", ".join(f"{self._words.name(name, PIECE.domain)} {text}" for name, text in figures if text)

    def _pieces(self, session: Session, decision: Decision) -> list[str]:
        """The names of the pieces that a question is about."""
        domain = session.game.naming.domains.get(PIECE.domain)
        names = _subject(session, decision, self._words)
        return [name for name in names if domain is not None and name in domain.members]

    def _figures_key(self, session: Session, decision: Decision) -> str:
        """The words for the figures of the answers and of pieces asked about; empty if none has any."""
        kinds, shown = asked_types(session), self._pieces(session, decision)
        if len(kinds) == 1 and isinstance(kinds[0], Member) and kinds[0].domain == PIECE.domain:
            known = set(members(session, kinds[0]))
            shown += [answer.name for answer in decision.legal_answers if answer.name in known]
        return self._board.figures_key(shown, PIECE, session.view(decision.side))

    def _with_texts(self, session: Session, decision: Decision) -> list[str]:
        """The legal answers, one below the other, each member's texts once; none, if there are no texts."""
        texts = [self._texts(session, answer.name) for answer in decision.legal_answers]
        if not any(texts) or len(texts) > MOST_READ:
            return []
        listed: list[str] = []
        read: set[str] = set()
        for answer, own in zip(self._list_answers(decision), texts, strict=True):
            fresh = [text for member, text in own if member not in read]
            read.update(member for member, _ in own)
            listed.append(wrap(f"{answer}: {' / '.join(fresh)}" if fresh else answer))
        return listed

    def _texts(self, session: Session, name: str) -> list[tuple[str, str]]:
        """The texts of the members in a legal answer, each with its member."""
        kinds = asked_types(session)
        names = name.split(ARROW) if len(kinds) > 1 else [name]
        return [
            (one, text)
            for one, kind in zip(names, kinds, strict=False)
            if isinstance(kind, Member)
            for text in self._words.texts(one, kind.domain)
        ]

    def _words_for(self, decision: Decision, name: str) -> str:
        return self._words.answer(decision.choice, name)

    def _list_refused(self, session: Session, decision: Decision) -> Iterator[str]:
        """List answers that a rule makes illegal, with the rule."""
        offered = {answer.name for answer in decision.legal_answers}
        view = session.view(decision.side)
        refused: dict[str, list[str]] = {}
        for name in candidates(session):
            if name not in offered:
                with contextlib.suppress(Refused, ValueError, KeyError):
                    for reason in view.why(name, norms_only=True)[:1]:
                        refused.setdefault(self._reason_text(reason), []).append(
                            self._words_for(decision, name)
                        )
        for words, names in refused.items():
            listed = ", ".join(names[:MOST_REFUSED])
            yield wrap(f"unavailable, {words}: {listed}{_and_more(names, MOST_REFUSED)}")

    def _reason_text(self, reason: Reason) -> str:
        """Return the words of a reason, followed by its rule as in the game log."""
        message = reason.message
        if reason.uncovered:
            message = f"allowed only together with {', '.join(map(self._words.name, reason.uncovered))}"
        if reason.rules:
            return f"{message} [{self._words.rules(reason.rules)}]"
        return f"{message} ({plain(reason.norm)})" if reason.norm else message

    def _list_terms(self, terms: Sequence[Term], known: Sequence[str], depth: int = 0) -> Iterator[str]:
        """List the terms of a reason, each with its rules, where those are not the `known` ones."""
        for term in terms:
            rules = f" [{self._words.rules(term.rules)}]" if term.rules and term.rules != known else ""
            yield f"{'  ' * depth}{term.text}{rules}"
            yield from self._list_terms(term.because, term.rules, depth + 1)

    # -- answers

    def _explain_unmatched(self, session: Session, decision: Decision, text: str) -> None:
        several = self._meaning.answers(decision, text)
        if several:
            names = [self._words_for(decision, answer.name) for answer in several]
            say(wrap(f"which one: {', '.join(names[:MOST_MEANT])}{_and_more(names, MOST_MEANT)}?"))
        elif _asks_for_number(session, decision):
            say(wrap(f"choose a number: {', '.join(self._runs(decision))}"))
        elif numbers(decision) and (text.isdecimal() or _all_numbers(decision)):
            entries = self._by_coordinates(decision)
            few = ", ".join(entries) if len(entries) <= MOST_LISTED else "`list` prints all"
            say(wrap(f"legal answers: {few}"))
        elif text.isdecimal() or RANGE.fullmatch(text):
            say(f"  choose a number from 1 to {len(decision.legal_answers)}")
        else:
            self._why(session, decision, text)

    def _why(self, session: Session, decision: Decision, text: str) -> None:
        """Print the rules that forbid an answer, with their text."""
        numbered = self._meaning.answer(decision, text)
        named = [numbered] if numbered is not None else self._meaning.answers(decision, text)
        if named:
            say(f"  {self._words_for(decision, named[0].name)} is legal")
            return
        name = self._meaning.name(session, text)
        if name in ENDING:
            name = next((end for end in ENDS if has_meaning(session, end)), "")
        if not name:
            say(wrap(f"`{text}` is not possible here: name one of the answers above"))
            return
        try:
            reasons = session.view(decision.side).why(name)
        except (Refused, ValueError, KeyError):
            reasons = ()
        if not reasons:
            other = self._meaning.thing(session, text)
            if other is None:
                say(f"  not a legal answer: `{text}` (type `?` for help)")
            else:
                what = self._words.name(other)
                say(wrap(f"{what} is not what this question asks for: name one of the answers above"))
            return
        for reason in reasons:
            if reason.norm or not reason.terms:
                say(wrap(self._reason_text(reason)))
            terms = () if reason.uncovered else reason.terms
            for row in self._list_terms(terms, reason.rules if reason.norm else ()):
                say(wrap(row))
            for summary, rules in groupby(filter(self._summaries.get, reason.rules), self._summaries.get):
                say(wrap(f"  {self._words.rules(rules)}: {summary}"))
        for _, text in self._texts(session, name):
            say(wrap(f"  {self._words_for(decision, name)}: {text}"))


def _is_given(decision: Decision, name: str) -> bool:
    """Return whether an answer is in the open choice already, for the part that is asked for."""
    given = ((entry.get("item"), entry.get("value")) for entry in decision.so_far)
    return (decision.part, name) in given


def _first(entries: list[str]) -> list[str]:
    """The first entries of a long list, and those that end the answer."""
    return entries[:MOST_LISTED] + [one for one in entries[MOST_LISTED:] if one.rpartition(" ")[2] in ENDS]


def _and_more(names: Sequence[str], most: int) -> str:
    """Words for how many names come after those that are listed."""
    return f" and {len(names) - most} more" if len(names) > most else ""


def _asks_for_number(session: Session, decision: Decision) -> bool:
    """Return whether the answers are numbers, and not names of digits only."""
    return _all_numbers(decision) and all(isinstance(kind, Int) for kind in asked_types(session))


def _all_numbers(decision: Decision) -> bool:
    return all(answer.name.lstrip("-").isdecimal() for answer in decision.legal_answers)


def _subject(session: Session, decision: Decision, words: Words) -> tuple[str, ...]:
    """The names in a question: its part, and the arguments of the choice."""
    named = about(session.game.program, decision, words).names
    return (*([decision.part] if decision.part else []), *sorted(named))
