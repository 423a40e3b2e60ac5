"""Which findings a check reports, and how severe they are: `--select`, `--ignore`, `--level`."""

from __future__ import annotations

from collections.abc import Iterable

import click

from rulekit.cli.shared import Command, Failure
from rulekit.diagnostics import Severity
from rulekit.diagnostics.selecting import Selection, unknown

LEVELS = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def with_selection(command: Command) -> Command:
    """Add `--select`, `--ignore` and `--level` to a command."""
    for name, metavar, text in (
        ("level", "CODE=LEVEL", "Report findings of this code as `error`, `warning` or `note`."),
        ("ignore", "CODES", "Do not report these findings."),
        ("select", "CODES", "Report only these findings: codes, names, or prefixes such as `RK4`."),
    ):
        command = click.option(
            f"--{name}", multiple=True, metavar=metavar, help=f"{text[:-1]} (repeatable)."
        )(command)
    return command


def selection_of(select: Iterable[str], ignore: Iterable[str], level: Iterable[str]) -> Selection:
    """Return the selection of these arguments; codes may be separated by commas.

    Raises:
        Failure: A code or a level is unknown.
    """
    return Selection(_known(select), _known(ignore), tuple(map(_level, level)))


def _known(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(_kind(code.strip()) for text in texts for code in text.split(","))


def _kind(name: str) -> str:
    hint = unknown(name)
    if hint is not None:
        raise Failure(f"unknown code `{name}`; {hint}")
    return name


def _level(text: str) -> tuple[str, Severity]:
    code, equals, word = text.partition("=")
    if not equals or word.strip() not in LEVELS:
        words = ", ".join(f"`{level}`" for level in LEVELS)
        raise Failure(f"`--level {text}`: expected CODE=LEVEL, with one of {words} as the level")
    return _kind(code.strip()), Severity(word.strip())
