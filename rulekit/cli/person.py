"""A person at the terminal: shown what is legal, told why something is not."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from rulekit.play import Decision, Option, Reason, Refused, Session

WIDE = 100
"""Cells within which options are listed side by side."""
HELP = "a number or a name; `why NAME`; `undo`; `quit` saves and ends"


class Quit(Exception):
    """The person wants to stop here."""


class Person:
    """Answers by asking; `words` turns a name of the program into the printed one."""

    def __init__(self, words: Callable[[str], str], prefix: str) -> None:
        self._words = words
        self._prefix = prefix + "."

    def __call__(self, session: Session, decision: Decision) -> Option | None:
        self._show(decision)
        while True:
            click.echo("> ", nl=False, err=True)
            line = sys.stdin.readline()
            if not line:
                raise Quit
            text = line.strip()
            if text in ("quit", "q", "exit"):
                raise Quit
            if text == "undo":
                if session.undo():
                    return None
                click.echo(
                    "  nothing to take back: dice have been rolled, or something was revealed", err=True
                )
            elif text.startswith("why "):
                self._why(session, text.removeprefix("why ").strip())
            elif text in ("", "?", "help"):
                click.echo(f"  {HELP}", err=True)
            else:
                found = self._find(decision, text)
                if found is not None:
                    return found
                self._why(session, text)

    def _show(self, decision: Decision) -> None:
        rules = ", ".join(rule.removeprefix(self._prefix) for rule in decision.rules[:3])
        part = f" for {self._words(decision.part)}" if decision.part else ""
        head = f"? {self._words(decision.side)}: {decision.choice.replace('_', ' ')}{part}  [{rules}]"
        click.echo(click.style(head, bold=True), err=True)
        line = " "
        for number, option in enumerate(decision.options, 1):
            said = f" {number} {self._words(option.name)} "
            if len(line) + len(said) > WIDE:
                click.echo(line, err=True)
                line = " "
            line += said
        click.echo(line, err=True)

    def _find(self, decision: Decision, text: str) -> Option | None:
        if text.isdigit() and 1 <= int(text) <= len(decision.options):
            return decision.options[int(text) - 1]
        wanted = text.lower().replace(" ", "_")
        named = [
            o
            for o in decision.options
            if o.name.lower() == wanted or self._words(o.name).lower() == text.lower()
        ]
        begins = [o for o in decision.options if o.name.lower().startswith(wanted)]
        return named[0] if named else begins[0] if len(begins) == 1 else None

    def _why(self, session: Session, text: str) -> None:
        try:
            reasons = session.why("_".join(text.split()))
        except (Refused, ValueError, KeyError) as error:
            click.echo(f"  {error}", err=True)
            return
        if not reasons:
            click.echo("  that is legal", err=True)
        for reason in reasons:
            self._reason(reason)

    def _reason(self, reason: Reason) -> None:
        rule = ", ".join(each.removeprefix(self._prefix) for each in reason.rules) or reason.norm
        click.echo(f"  {rule}  {reason.message}", err=True)
        if reason.uncovered:
            click.echo(f"     legal after: {', '.join(map(self._words, reason.uncovered))}", err=True)
