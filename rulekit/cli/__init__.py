"""The command line: one thin module for each command, which reads arguments, calls the library and renders.

Results go to standard output, everything else to standard error.  `CODES` lists the exit codes.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from rulekit.base import deep_stack, interrupts
from rulekit.base.files import UnreadableFile, snapshot
from rulekit.base.spelling import suggestion
from rulekit.cli import shared, terminal

VERBS = {
    "build": "Build a rule set as a WebAssembly module, as C, as an ES module, or as a page that plays.",
    "check": "Check rule sets for mistakes and contradictions.",
    "compile": "Export a rule set as a JSON program.",
    "coverage": "Report which printed rules play exercises.",
    "diff": "Compare the rules with and without options.",
    "explain": "Explain a finding, a printed rule, an errata entry or a name.",
    "odds": "Work out the chances of what can happen.",
    "options": "List the optional rules of a rule set.",
    "play": "Play a game.",
    "run": "Run one procedure, definition or table.",
    "serve": "Let programs in any language play, over JSON-RPC 2.0.",
    "sheet": "Create reference sheets.",
    "simulate": "Play many games, and count how they end.",
    "show": "Print the rules that apply, with their sources.",
    "test": "Run the examples in a rule set.",
}

CODES = """\b
Exit codes:
  0    success
  1    problems found: a finding, a failed example, a missing rule
  2    the command could not run: wrong usage, unknown set, fault in play
  3    check: nothing worse than undecided findings
  130  interrupted (Ctrl-C)
  141  the reader of the output went away, for example a closed pager
"""


class Lazy(click.Group):
    """Loads a command's module on demand, so that `--help` and a warm check start fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, sorted."""
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"rulekit.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line for each command, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, VERBS[name]) for name in sorted(VERBS)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the named command; for an unknown name, raise an error that suggests the nearest one."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            hint = suggestion(args[0], sorted(VERBS))
            raise click.UsageError(f"unknown command `{args[0]}`; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the arguments before the command; interruption and closed output end it as in `invoke`."""
        with _no_traceback():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; flush its output however it ends, and show no traceback."""
        ctx.color = None if terminal.may_colour() else False
        with _no_traceback(), interrupts.raised():
            try:
                with snapshot():
                    return super().invoke(ctx)
            finally:
                terminal.flush()


@contextlib.contextmanager
def _no_traceback() -> Iterator[None]:
    """End the command with a message where the world outside fails it; a bug keeps its traceback."""
    try:
        yield
    except click.UsageError as error:
        raise _usage_failure(error) from None
    except click.ClickException:
        raise
    except BrokenPipeError:
        terminal.discard(sys.stdout, sys.stderr)
        sys.exit(shared.UNREAD)
    except OSError as error:
        raise _io_failure(error) from error
    except MemoryError:
        raise shared.Failure("not enough memory") from None
    except RecursionError:
        raise shared.Failure("the input is nested too deeply") from None
    except BaseException as error:
        if not interrupts.is_interruption(error):
            if (failure := _size_failure(error)) is not None:
                raise failure from None
            raise
        shared.say("\nrulekit: interrupted", plain=True)
        sys.exit(shared.STOPPED)


def _size_failure(error: BaseException) -> shared.Failure | None:
    """Return the failure for rules beyond what the interpreter takes; None for other errors."""
    from rulekit.runtime.support.build import TooLarge

    if not isinstance(error, TooLarge):
        return None
    return shared.Failure(f"the rules are too large to play: {error}")


def _io_failure(error: OSError) -> shared.Failure:
    """Return the failure for a fault of the system that no command expects."""
    reason = (error.strerror or str(error)).lower()
    if isinstance(error, UnreadableFile):
        return shared.Failure(f"`{error.filename}` {reason}")
    if isinstance(error, terminal.LostOutput):
        terminal.discard(sys.stdout)
        return shared.Failure(f"cannot write the output: {reason}")
    if error.filename is None:
        return shared.Failure(f"the system refuses: {reason}")
    return shared.Failure(f"cannot use `{error.filename}`: {reason}")


_WORDS_OF_CLICK = {
    "missing option": "missing argument",
    "a valid integer range": "a whole number",
    "a valid float range": "a number",
}


def _usage_failure(error: click.UsageError) -> click.ClickException:
    """Return a usage error in the style of all other errors; the help for a bare command stays as it is."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error
    if isinstance(error, click.NoSuchOption):
        near = f"; did you mean `{error.possibilities[0]}`?" if error.possibilities else ""
        message = f"unknown argument `{error.option_name}`{near}"
    else:
        text = error.format_message()
        message = text[:1].lower() + text[1:].removesuffix(".")
        for theirs, ours in _WORDS_OF_CLICK.items():
            message = message.replace(theirs, ours)
    where = f"\n  see `{error.ctx.command_path} --help`" if error.ctx is not None else ""
    return shared.Failure(message + where)


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from rulekit.base.language import LANGUAGE
        from rulekit.base.resources import own_version

        terminal.echo(f"rulekit {own_version() or '(not installed)'}, language {LANGUAGE}")
        ctx.exit()


@click.group(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"Bundled rule sets: {', '.join(shared.known_sets()) or 'none'}.\n\n{CODES}",
)
@click.option(
    "--version",
    is_flag=True,
    callback=_version,
    expose_value=False,
    is_eager=True,
    help="Show the versions of rulekit and of its language, and exit.",
)
def group() -> None:
    """Write a board game's rules once. Check, play, print and embed them from that single source.

    SET is a folder that contains `ruleset.yaml`, or the name of a bundled rule set. Run `rulekit COMMAND
    --help` for help with one command.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """The console script."""
    # At exit the system takes all memory back: a last garbage collection would be wasted.
    atexit.register(gc.freeze)
    shared.Process.own = True
    deep_stack.allow_usual_depth()
    terminal.prepare_streams()
    group(arguments, prog_name="rulekit")
