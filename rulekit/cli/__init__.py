"""The command line: one thin file a verb, which reads, calls the library, and renders.

Results go to standard output, talk to standard error.  Exit codes: 0 done and clean, 1 findings, 2 could not
do it, 3 undecided; 130 stopped by Ctrl-C, 141 nobody reads the output any more.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from rulekit.base.spelling import suggestion
from rulekit.cli import shared

VERBS = {
    "check": "Find what a rule set gets wrong.",
    "compile": "Write a rule set's program as JSON.",
    "coverage": "Count which printed rules are cited and exercised.",
    "diff": "Say what options change.",
    "explain": "Explain a finding, a printed rule or a name.",
    "options": "List what can be switched on with `--with`.",
    "play": "Play a whole game.",
    "run": "Run one procedure with given values.",
    "sheet": "Print the reference sheets of a rule set.",
    "show": "Print rules as they stand, each line with where it comes from.",
    "test": "Run a rule set's own examples.",
}

CODES = """\b
Exit codes:
  0    done, and nothing found
  1    findings, an example that fails, a printed rule that is not cited
  2    could not be done: a wrong option, a set that is not there, a fault
  130  stopped by Ctrl-C
"""


class Lazy(click.Group):
    """Loads a verb's module when it is asked for, so that `--help` and a warm check start fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, sorted."""
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of this name."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"rulekit.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line for each verb, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, VERBS[name]) for name in sorted(VERBS)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that is meant, or the nearest one in words."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            hint = suggestion(args[0], sorted(VERBS))
            raise click.UsageError(f"there is no command `{args[0]}`; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read what stands before the verb; whoever stops it, or reads no help text, ends it as ever."""
        try:
            return super().make_context(*args, **extra)
        except KeyboardInterrupt:
            _stopped()
        except BrokenPipeError:
            _close_output()
            sys.exit(shared.UNREAD)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; however it ends, what was written so far goes out and no traceback does."""
        ctx.color = None if shared.may_colour() else False
        try:
            try:
                return super().invoke(ctx)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except BrokenPipeError:
            _close_output()
            sys.exit(shared.UNREAD)
        except KeyboardInterrupt:
            _stopped()


def _stopped() -> NoReturn:
    """End at somebody's wish."""
    click.echo("\nrulekit: stopped", err=True)
    sys.exit(shared.STOPPED)


def _close_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter's own last flush cannot complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nowhere, stream.fileno())
        except (AttributeError, OSError, ValueError):
            continue


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from rulekit.base.language import LANGUAGE
        from rulekit.base.resources import own_version

        click.echo(f"rulekit {own_version() or '(not installed)'}, language {LANGUAGE}")
        ctx.exit()


def _sets() -> str:
    return ", ".join(shared.known_sets()) or "none"


@click.group(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"Sets that come with rulekit: {_sets()}.\n\n{CODES}",
)
@click.option(
    "--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Print versions."
)
def group() -> None:
    """Write a board game's rules once; check, play and embed them from that one source.

    SET is a folder that holds a `ruleset.yaml`, or the id of a set that comes with rulekit.  `rulekit
    COMMAND --help` tells about one command.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """The console script."""
    # When it ends, nothing is looked through for garbage that the system takes back at once anyway.
    atexit.register(gc.freeze)
    shared.Process.own = True
    group(arguments, prog_name="rulekit")
