"""A question at the terminal: wrapped lines, and a line of input."""

from __future__ import annotations

import contextlib
import sys
import textwrap
from collections.abc import Iterator

from rulekit.cli import shared, terminal
from rulekit.cli.table.stopping import Stopping


class Quit(Exception):
    """The person wants to stop here; `ended` says that there is no more input."""

    def __init__(self, *, ended: bool = False) -> None:
        super().__init__()
        self.ended = ended


def columns(entries: list[str]) -> Iterator[str]:
    """Entries one after the other, in as many lines as they need."""
    line = " "
    for entry in entries:
        if len(line) + len(entry) + 2 > shared.width() and line.strip():
            yield line.rstrip()
            line = " "
        line += f" {entry} "
    yield line.rstrip()


def wrap(text: str) -> str:
    """A text in lines of the terminal's width, indented further after the first."""
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.fill(
        text.strip(),
        shared.width(),
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_on_hyphens=False,
    )


def say(text: str) -> None:
    """Print to the person, apart from the log of the game."""
    terminal.echo(text, err=True)


def typed_line(stopping: Stopping) -> str:
    """Read a line, its words with single spaces between them.

    Raises:
        Quit: There is no more input.
    """
    with stopping.waiting():
        try:
            line = _input()
        except (EOFError, OSError, ValueError):
            say("")
            raise Quit(ended=True) from None
    return " ".join(line.split())


def _input() -> str:
    """Read a line of input, with a terminal's editing if there is one; raise EOFError at its end."""
    if sys.stdin is None:
        raise EOFError
    if terminal.is_terminal(sys.stdin) and terminal.is_terminal(sys.stdout):
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (loading it is what makes `input` edit)
        return input("> ")
    terminal.echo("> ", nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
