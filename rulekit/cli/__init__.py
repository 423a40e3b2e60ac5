"""The command line: one thin file a verb, which reads, calls the library, and renders.

Results go to standard output, talk to standard error.  Exit codes: 0 done and clean, 1 findings, 2 could not
do it, 3 undecided.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import click

VERBS = {
    "check": "Find what a rule set gets wrong.",
    "compile": "Write a rule set's program as JSON.",
    "coverage": "Count which printed rules are cited and exercised.",
    "explain": "Explain a finding, a printed rule or a name.",
    "play": "Play a whole game.",
    "run": "Run one procedure with given values.",
    "test": "Run a rule set's own examples.",
}


class Lazy(click.Group):
    """Loads a verb's module when it is asked for, so that `--help` and a warm check start fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"rulekit.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, VERBS[name]) for name in sorted(VERBS)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS:
            from difflib import get_close_matches

            near = get_close_matches(args[0], VERBS, n=1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"There is no command `{args[0]}`.{hint}", ctx)
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        from rulekit.language import LANGUAGE

        click.echo(f"rulekit {version('rulekit')}, language {LANGUAGE}")
        ctx.exit()


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Print versions."
)
def group() -> None:
    """Write a board game's rules once; check, play and embed them from that one source.

    SET is a folder that holds a `ruleset.yaml`, or the id of a set that comes with rulekit (such as one
    that `rulekit play` without a name lists).
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """The console script."""
    group(arguments, prog_name="rulekit")
