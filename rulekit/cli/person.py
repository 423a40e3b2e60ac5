"""A person at the terminal: shown what is legal, told why something is not."""

from __future__ import annotations

import contextlib
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

from rulekit.cli import shared
from rulekit.cli.board import Board
from rulekit.cli.stopping import Stopping
from rulekit.narrate import Narrator, about
from rulekit.narrate.words import plain
from rulekit.play import Decision, Option, Reason, Refused, Session

MOST_REFUSED = 6
"""Refused options that are named unasked."""

MOST_TRIED = 200
"""Members among which refused options are looked for."""

COMMANDS = ("undo", "save", "show", "why", "quit", "q", "exit", "help")

HELP = """\
  NUMBER or NAME   answer; the beginning of a name, or of a word in it, will do
  why NAME         which rules forbid it
  show [NAME]      a piece, a place or a state; without a name, the game as a whole
  undo             take your last answer back, unless dice were rolled or something was shown since
  save [FILE]      save the game and go on
  quit             save the game and end; so does Ctrl-C
  ?                this"""

NO_WAY_BACK = "nothing to take back: dice were rolled or something was shown since, or play begins here"


class Quit(Exception):
    """The person wants to stop here; `ended` says that there is no more input."""

    def __init__(self, *, ended: bool = False) -> None:
        super().__init__()
        self.ended = ended


class Person:
    """Answers by asking.

    Attributes:
        save: Called with a file's name, or None, when the person wants to save.
        back: Called to go back to a person's last decision; says whether it could.
    """

    def __init__(
        self, narrator: Narrator, board: Board, stopping: Stopping, summaries: Mapping[str, str]
    ) -> None:
        """
        Args:
            summaries: What is printed under a rule's id, in the list's words.
        """
        self._narrator, self._words = narrator, narrator.words
        self._board, self._stopping, self._summaries = board, stopping, summaries
        self.save: Callable[[Session, str | None], None] = lambda session, name: None
        self.back: Callable[[Session], bool] = lambda session: False

    def __call__(self, session: Session, decision: Decision) -> Option | None:
        """The option that is chosen; None after an undo, when something else is asked.

        Raises:
            Quit: The person has had enough.
        """
        _say("\n".join(self._question(session, decision)))
        while True:
            text = self._line()
            option = self._find(decision, text)
            if option is not None:
                return option
            word, _, rest = text.partition(" ")
            match word.lower():
                case "quit" | "q" | "exit":
                    raise Quit
                case "undo":
                    if self.back(session):
                        return None
                    _say(f"  {NO_WAY_BACK}")
                case "save":
                    self.save(session, rest.strip() or None)
                case "show":
                    view = session.view(decision.side)
                    _say("\n".join(_folded(line) for line in self._board.show(rest.strip(), view)))
                case "why" if rest.strip():
                    self._why(session, decision, rest.strip())
                case "" | "?" | "help" | "why":
                    _say(HELP)
                case _:
                    self._unmatched(session, decision, text)

    def _line(self) -> str:
        with self._stopping.waiting():
            try:
                line = _input()
            except (EOFError, OSError, ValueError):
                _say("")
                raise Quit(ended=True) from None
        return " ".join(line.split())

    # -- asking

    def _question(self, session: Session, decision: Decision) -> Iterator[str]:
        words = self._words
        asked = about(session.game.program, decision, words).text
        parts = [f"? {words.name(decision.side)}: {decision.choice.rpartition('.')[2].replace('_', ' ')}"]
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
        yield click.style(head, bold=True)
        so_far = self._narrator.so_far
        if so_far:
            yield _folded(f"so far: {so_far}")
        yield from _columns(list(self._listed(decision)))
        if not so_far:
            for row in self._refused(session, decision):
                yield click.style(row, dim=True)

    def _listed(self, decision: Decision) -> Iterator[str]:
        """The options as they may be typed; numbers stand for themselves."""
        numbers = _numbers(decision)
        for place, option in enumerate(decision.options, 1):
            yield option.name if numbers else f"{place} {self._words.name(option.name)}"

    def _refused(self, session: Session, decision: Decision) -> Iterator[str]:
        """What might have been chosen but for a rule, with the rule."""
        offered = {option.name for option in decision.options}
        found: dict[str, list[str]] = {}
        for name in _candidates(session)[:MOST_TRIED]:
            if name not in offered:
                with contextlib.suppress(Refused, ValueError, KeyError):
                    reason = next((reason for reason in session.why(name) if reason.norm), None)
                    if reason is not None:
                        found.setdefault(self._told(reason), []).append(self._words.name(name))
        for said, names in found.items():
            more = f" and {len(names) - MOST_REFUSED} more" if len(names) > MOST_REFUSED else ""
            yield _folded(f"not {', '.join(names[:MOST_REFUSED])}{more}: {said}")

    def _told(self, reason: Reason) -> str:
        """What a reason says, with its rule behind it as in the told game."""
        message = reason.message
        if reason.uncovered:
            message = f"only if chosen too: {', '.join(map(self._words.name, reason.uncovered))}"
        if reason.rules:
            return f"{message} [{self._words.rules(reason.rules)}]"
        return f"{message} ({plain(reason.norm)})" if reason.norm else message

    # -- answers

    def _find(self, decision: Decision, text: str) -> Option | None:
        """The option a text means: its name, its place in the list, or the beginning of its name."""
        if not text:
            return None
        if text.isdecimal() and not _numbers(decision):
            place = int(text[:9])
            return decision.options[place - 1] if 1 <= place <= len(decision.options) else None
        named = self._named(decision, text)
        return named[0] if len(named) == 1 else None

    def _named(self, decision: Decision, text: str) -> list[Option]:
        wanted = _plain(text)
        said = [(option, self._called(option.name)) for option in decision.options]
        exact = [option for option, names in said if wanted in names]
        if exact or wanted in COMMANDS:
            return exact[:1]
        return [option for option, names in said if _begins(names, wanted)]

    def _called(self, name: str) -> set[str]:
        """What a member may be called: its name, or its title."""
        return {_plain(name), _plain(self._words.name(name))}

    def _unmatched(self, session: Session, decision: Decision, text: str) -> None:
        several = self._named(decision, text)
        if several:
            _say(_folded(f"which one: {', '.join(self._words.name(option.name) for option in several)}?"))
        elif text.isdecimal() and _numbers(decision):
            _say(_folded(f"legal are {', '.join(option.name for option in decision.options)}"))
        elif text.isdecimal():
            _say(f"  there are options 1 to {len(decision.options)}")
        else:
            self._why(session, decision, text)

    def _why(self, session: Session, decision: Decision, text: str) -> None:
        """Say what stands against an answer, and what is printed under those rules."""
        named = self._named(decision, text)
        if named:
            _say(f"  {self._words.name(named[0].name)} is legal")
            return
        known = {each: self._called(each) for each in _candidates(session)}
        meant = [each for each, names in known.items() if _plain(text) in names]
        meant = meant or [each for each, names in known.items() if _begins(names, _plain(text))]
        name = meant[0] if len(meant) == 1 else "_".join(text.split())
        try:
            reasons = session.why(name) if _could_be_meant(session, name) else ()
        except (Refused, ValueError, KeyError):
            reasons = ()
        if not reasons:
            _say(f"  `{text}` is no answer to this; `?` tells what can be typed")
            return
        for reason in reasons:
            _say(_folded(self._told(reason)))
            for rule in reason.rules:
                if rule in self._summaries:
                    _say(_folded(f"  {self._words.rule(rule)}: {self._summaries[rule]}"))


def _could_be_meant(session: Session, name: str) -> bool:
    """Whether an answer has a meaning there: not every choice can be ended, or declined."""
    asked = session.machine.asked
    choice = None if asked is None else session.game.program.choices[asked[0]]
    match name:
        case "done":
            return choice is not None and choice.verb == "pick_set"
        case "none":
            return choice is not None and choice.able != "must"
        case _:
            return True


def _candidates(session: Session) -> list[str]:
    """The names of everything of the kind that is asked for."""
    asked = session.machine.asked
    if asked is None:
        return []
    from rulekit.types import Member, Optional

    kind: Any = session.game.program.choices[asked[0]].option.type
    if isinstance(kind, Optional):
        kind = kind.of
    if not isinstance(kind, Member):
        return []
    domain = session.game.naming.domains[kind.domain]
    named = session.game.naming.kinds.get(kind.name)
    members = named.members if named is not None and named.domain == kind.domain else -1
    return [name for number, name in enumerate(domain.members) if members >> number & 1]


def _numbers(decision: Decision) -> bool:
    """Whether the options are numbers, which are typed as they are."""
    return any(option.name.lstrip("-").isdecimal() for option in decision.options)


def _plain(name: str) -> str:
    return name.replace("_", " ").casefold()


def _begins(names: set[str], wanted: str) -> bool:
    """Whether a name, or a word in it, begins so."""
    return any(f" {name}".find(f" {wanted}") >= 0 for name in names)


def _columns(entries: list[str]) -> Iterator[str]:
    """Short entries side by side."""
    line = " "
    for entry in entries:
        if len(line) + len(entry) + 2 > shared.width() and line.strip():
            yield line.rstrip()
            line = " "
        line += f" {entry} "
    yield line.rstrip()


def _folded(text: str) -> str:
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.fill(
        text.strip(),
        shared.width(),
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_on_hyphens=False,
    )


def _say(text: str) -> None:
    click.echo(text, err=True)


def _input() -> str:
    """A line of input; with a terminal's editing where there is a terminal.

    Raises:
        EOFError: There is no more.
    """
    if sys.stdin is None:
        raise EOFError
    if shared.is_terminal(sys.stdin) and shared.is_terminal(sys.stdout):
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (loading it is what makes `input` edit)
        return input("> ")
    click.echo("> ", nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
