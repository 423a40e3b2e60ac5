"""The commands that every question at the table takes: undo, save, quit and help."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from rulekit.cli.shared import fold_line
from rulekit.cli.table.prompt import Quit, say
from rulekit.runtime.play import Session

QUIT: Final = frozenset({"quit", "q", "exit"})
HELP: Final = frozenset({"", "?", "help"})

HANGING: Final = 17
"""By how much a folded line of the help text is indented further: its words are a column of their own."""

HELP_LINES: Final = """\
  save [FILE]      save the game and continue
  quit             save the game and end (also Ctrl-C)
  ?                show this help"""
"""The end of every help text, about these commands."""


class Followup(Enum):
    """The consequence of a typed line."""

    ANSWER = auto()
    """The line is left to the question: an answer, or a command of one kind of question."""
    ASK_AGAIN = auto()
    """The command is carried out, and the question is asked again."""
    GONE_BACK = auto()
    """An answer is taken back: something else is asked."""


class TableCommands:
    """Carries out what may be typed at any question, once the game has said how to save and to go back.

    Attributes:
        save: Called with a file's name, or None, when the person wants to save.
        back: Called to go back to the last answer of a person; says whether it could.
    """

    def __init__(self, help_text: str, no_way_back: str) -> None:
        """Take `no_way_back`: the reason why nothing can be undone."""
        self._help, self._no_way_back = f"{help_text}\n{HELP_LINES}", no_way_back
        self.save: Callable[[Session, str | None], None] = lambda session, name: None
        self.back: Callable[[Session], bool] = lambda session: False

    def print_help(self) -> None:
        """Print the help text, about these commands and those of one kind of question."""
        for line in self._help.splitlines():
            say(fold_line(line, HANGING, sys.stderr))

    def carry_out(self, session: Session, text: str) -> Followup:
        """Carry out a typed line, if it is such a command.

        Raises:
            Quit: The person has had enough.
        """
        word, _, rest = text.partition(" ")
        word = word.lower()
        if word in QUIT:
            raise Quit
        if word == "undo":
            if self.back(session):
                return Followup.GONE_BACK
            say(f"  {self._no_way_back}")
        elif word == "save":
            self.save(session, rest.strip() or None)
        elif word in HELP:
            self.print_help()
        else:
            return Followup.ANSWER
        return Followup.ASK_AGAIN
