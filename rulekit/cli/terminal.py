"""The one door for text: everything that a command prints passes through here.

Strangers write rule sets, answers and names of files.  What would steer a terminal or turn the direction of
text is printed as an open sign, `\\u{202e}`.  Our own styles travel in the text as lone surrogates, which no
decoded text contains, and become escapes after all else has been made printable.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TextIO

import click

from rulekit.diagnostics.render_text import open_sign, printable_character, width

Paint = Callable[[str, str], str]
"""Gives a text the style of a role, a key of `ROLES`."""

ROLES = {
    "error": "1;31",
    "warning": "1;33",
    "undecided": "1;35",
    "note": "1;34",
    "message": "1",
    "head": "1",
    "frame": "90",
    "place": "36",
    "label": "36",
    "hint": "32",
    "accepted": "32",
    "added": "32",
    "removed": "31",
    "changed": "33",
    "quiet": "2",
}
"""The numbers of each role's escape (SGR)."""

_MARKS = {role: chr(0xD800 + number) for number, role in enumerate(ROLES)}
_END = "\udbff"
_ESCAPES = {_END: "\x1b[0m"} | {mark: f"\x1b[{ROLES[role]}m" for role, mark in _MARKS.items()}
_MARK = re.compile("[\ud800-\udbff]")
_SGR = re.compile(r"\x1b\[[0-9;]*m")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]")

SUBSTITUTES = {
    "–": "-",
    "−": "-",
    "─": "-",
    "·": "-",
    "│": "|",
    "┆": ":",
    "┌": "+",
    "…": "...",
    "→": "->",
    "↔": "<->",
    "×": "x",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "±": "+-",
    "█": "#",
    **dict.fromkeys("▉▊▋▌▍▎▏", ""),
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
}
"""Replacements of our own symbols in an encoding that lacks them."""


class LostOutput(OSError):
    """Standard output or standard error takes nothing any more, for another reason than a closed pipe."""


# ---------------------------------------------------------------- printing


def style(text: str, role: str) -> str:
    """Return a text that `echo` prints in the style of a role, where there is colour."""
    return f"{_MARKS[role]}{text}{_END}"


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text, made printable, to standard output or standard error; raise LostOutput if that fails."""
    colour = has_colour(err=err)
    _write(printable_text(str(text), colour=colour), _stream(err), nl, colour=colour)


def echo_drawn(text: str, *, colour: bool) -> None:
    """Print a text of ours that has its escapes already, without them where there is no colour."""
    _write(text if colour else _SGR.sub("", text), _stream(False), True, colour=colour)


def echo_json(value: object, indent: int = 1) -> None:
    """Print a value as JSON to standard output."""
    echo_exactly(json.dumps(value, ensure_ascii=False, indent=indent))


def echo_exactly(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print JSON with its own escapes, or a text for programs, made printable at a terminal only."""
    stream = _stream(err)
    if text[:1] in ("{", "["):
        text = ascii_json(text) if _lacks_unicode(stream) else printable_json(text)
    elif is_terminal(stream):
        text = printable_text(text)
    _write(text, stream, nl)


def _write(text: str, stream: TextIO | None, nl: bool, *, colour: bool = False) -> None:
    try:
        click.echo(text, file=stream, nl=nl, color=colour or None)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise LostOutput(error.errno, error.strerror) from error


def flush() -> None:
    """Write what standard output still holds; raise LostOutput if that fails."""
    if sys.stdout is not None:
        _write("", sys.stdout, False)


# ---------------------------------------------------------------- making text printable


def printable_text(text: str, *, colour: bool = False) -> str:
    """Return lines of text, safe to print; styles become escapes with `colour`, else nothing."""
    return "\n".join(
        line if line.isprintable() else "".join(_printable_pieces(line, colour)) for line in text.split("\n")
    )


def in_one_line(text: str) -> str:
    """Return a text of a stranger's as a part of one line: line breaks become open signs."""
    return text.replace("\n", open_sign("\n")).replace("\r", open_sign("\r"))


def _printable_pieces(line: str, colour: bool) -> Iterator[str]:
    cell = 0
    for character in line:
        if _MARK.match(character):
            yield _ESCAPES.get(character, "") if colour else ""
        else:
            shown = printable_character(character, cell)
            cell += width(shown) if character == "\t" else 1
            yield shown


def printable_json(text: str) -> str:
    """Return JSON that means the same, with all that is not printable in escapes."""
    return text if text.isascii() and "\x7f" not in text else _BEYOND_ASCII.sub(_json_character, text)


def ascii_json(text: str) -> str:
    """Return JSON that means the same, in ASCII."""
    return _BEYOND_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], text)


def _json_character(match: re.Match[str]) -> str:
    character = match[0]
    return character if character.isprintable() else _json_escape(character)


@lru_cache(1000)
def _json_escape(character: str) -> str:
    escaped = json.dumps(character)[1:-1]
    return escaped if escaped != character else f"\\u{ord(character):04x}"


# ---------------------------------------------------------------- streams


def may_colour() -> bool:
    """Return whether the user allows colour at all; see no-color.org."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal; it may be closed or None."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def has_colour(*, err: bool = False) -> bool:
    """Return whether styles show on standard output, or standard error; see force-color.org."""
    return may_colour() and (is_terminal(_stream(err)) or bool(os.environ.get("FORCE_COLOR")))


def _stream(err: bool) -> TextIO | None:
    return sys.stderr if err else sys.stdout


def prepare_streams() -> None:
    """Let no character that the encoding of a standard stream lacks end the command."""
    codecs.register_error("rulekit", _substitute)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "rulekit"), (sys.stderr, "rulekit")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def discard(*streams: TextIO | None) -> None:
    """Discard what is still buffered, so that the interpreter's own last flush cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        try:
            os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        except (AttributeError, OSError, ValueError):
            continue


def _lacks_unicode(stream: TextIO | None) -> bool:
    encoding = getattr(stream, "encoding", None)
    return encoding is not None and not codecs.lookup(encoding).name.startswith("utf")


def _substitute(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks: our own symbols by plain ones, the rest by escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking: Any = error.object[error.start : error.end]
    return "".join(SUBSTITUTES.get(sign) or open_sign(sign) for sign in lacking), error.end
