"""Functions shared by commands: finding a rule set, options, colour, printing findings."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import signal
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

import click

from rulekit.base import resources
from rulekit.base.files import excerpt
from rulekit.base.frozen import frozen
from rulekit.base.spelling import suggestion
from rulekit.cli import terminal
from rulekit.diagnostics import Diagnostic, Severity
from rulekit.diagnostics.capping import cap_findings

if TYPE_CHECKING:
    from rulekit.agents import PythonAgent
    from rulekit.base.source import Span
    from rulekit.compiler.driver import Compiled
    from rulekit.ir import Program
    from rulekit.runtime.narrate import NarratedLine
    from rulekit.runtime.play import Fault
    from rulekit.runtime.support.wording import Wording

FINDINGS, FAILED, UNDECIDED, STOPPED, UNREAD = 1, 2, 3, 130, 141
"""Exit codes other than 0."""

BASE = "base"
"""Stands for the rules without options, for `--compare`."""

NARROWEST, WIDEST = 60, 100
"""Cells of a line of a game log."""

MANY = 20
"""Fewest items for which a progress bar is shown."""

MANIFEST = "ruleset.yaml"

FILE = click.Path(path_type=Path)
"""The type of an option whose value is a path."""

Command = Callable[..., Any]
T = TypeVar("T")


class Process:
    """Facts about this process; `own`: it runs a single command and then ends."""

    own = False


class Failure(click.ClickException):
    """The command could not run; the message is one line, without a full stop."""

    exit_code = FAILED

    def show(self, file: Any = None) -> None:
        """Write the message to standard error, which may be closed or full."""
        message = f"rulekit: {self.format_message()}"
        lines = (fold_line(line, 2, sys.stderr) for line in message.split("\n"))
        with contextlib.suppress(OSError):
            terminal.echo("\n".join(lines), err=True)


def unknown(message: str, name: str, known: Iterable[str]) -> Failure:
    """Return the failure for a name that does not exist, with the nearest known one as a hint."""
    from rulekit.ruleset.findings import did_you_mean

    hint = did_you_mean(name, tuple(known))
    return Failure(f"{message}; {hint}" if hint else message)


# ---------------------------------------------------------------- rule sets


def known_sets() -> list[str]:
    """Return the ids of the bundled rule sets, sorted."""
    folder = resources.rules_folder()
    return sorted(path.parent.name for path in folder.glob(f"*/{MANIFEST}")) if folder.is_dir() else []


def locate(name: str) -> Path:
    """Return the folder of a rule set named by path or id; an id wins over a folder without a manifest.

    Raises:
        Failure: There is no such rule set.
    """
    path = Path(name)
    known = known_sets()
    if os.path.isdir(path) and (os.path.lexists(path / MANIFEST) or name not in known):
        return path
    if name in known:
        return _near(resources.rules_folder() / name)
    if path.name == MANIFEST and os.path.isfile(path):
        return path.parent
    if os.path.lexists(path):
        raise Failure(f"`{name}` is a file; name the folder that contains `{MANIFEST}`")
    hint = suggestion(name, known, f"bundled rule sets: {', '.join(known) or 'none'}")
    raise Failure(f"unknown rule set `{name}`; {hint}")


def _near(folder: Path) -> Path:
    """Return a folder below the working directory as a relative path, as a user would type it."""
    try:
        return folder.relative_to(Path.cwd())
    except (ValueError, OSError):
        return folder


def compared_options(others: Sequence[str]) -> tuple[str, ...] | None:
    """Return the options that `--compare` asks for; None if it is not given."""
    return tuple(option for option in others if option != BASE) if others else None


def known_scenario(program: Program, wanted: str | None) -> None:
    """Check that a scenario exists, if one is named.

    Raises:
        Failure: It does not.
    """
    from rulekit.runtime.machine.simulate import scenario_of
    from rulekit.runtime.play import Fault

    try:
        scenario_of(program, wanted)
    except Fault as unknown:
        raise Failure(unknown.message) from None


def agent_of(text: str, known: Iterable[str]) -> str | PythonAgent:
    """An agent by its name, or one that `FILE.py:NAME` defines.

    Raises:
        Failure: There is no such agent, or its file does not give one.
    """
    from rulekit.agents import BadAgent, python_agent

    names = list(known)
    if text in names:
        return text
    if ".py:" not in text:
        hint = suggestion(text, names, f"choose from {', '.join(names)}, or name `FILE.py:NAME`")
        raise Failure(f"unknown agent `{text}`; {hint}")
    try:
        return python_agent(text)
    except BadAgent as bad:
        raise Failure(str(bad)) from bad


# ---------------------------------------------------------------- options


def with_options(command: Command) -> Command:
    """Add `--with`, `--reading` and `--data` to a command, which receives readings among its `options`."""

    @functools.wraps(command)
    def choose(*, options: tuple[str, ...], readings: tuple[str, ...], **arguments: Any) -> Any:
        if readings:
            sets = arguments.get("sets") or filter(None, (arguments.get("set_name"),))
            options = (*options, *(name for folder in sets for name in _known_readings(folder, readings)))
        return command(options=options, **arguments)

    existing = click.Path(exists=True, dir_okay=False, path_type=Path)
    text = "Use values from your own copy of the game."
    wrapped: Command = option("--data overlays", "FILE", text, multiple=True, type=existing)(choose)
    text = "Play this reading of an unclear passage."
    wrapped = option("--reading readings", "NAME", text, multiple=True)(wrapped)
    return option("--with options", "OPTION", "Turn on an option, variant or preset.", multiple=True)(wrapped)


def _known_readings(set_name: str, wanted: Iterable[str]) -> Iterator[str]:
    """Yield readings as options.

    Raises:
        Failure: One of them is not a reading of the rule set.
    """
    from rulekit.diagnostics import Report, RulesError
    from rulekit.reports.options import catalogue

    folder = locate(set_name)
    try:
        options = {option.id: option for option in catalogue(folder, Report()).options}
    except RulesError as error:
        stop_with(error.diagnostics, folder)
    known = [name for name, option in options.items() if option.reading_of]
    for name in wanted:
        chosen = name if name in options else name.replace("_", "-")
        if chosen in known:
            yield chosen
        elif chosen in options:
            raise Failure(f"`{name}` is an option, not a reading; turn it on with `--with {chosen}`")
        elif not known:
            raise Failure(f"`{set_name}` offers no readings")
        else:
            raise unknown(f"unknown reading `{name}`", name, known)


@frozen
class ChosenRules:
    """A rule set as the user names it, with the arguments of `--with`, `--reading` and `--data`."""

    name: str
    options: tuple[str, ...]
    overlays: tuple[Path, ...]

    @property
    def folder(self) -> Path:
        """The folder of the rule set."""
        return locate(self.name)

    def compile(self, output_format: str = "full") -> Compiled:
        """Compile the rule set; if errors stop it, print them and end the command."""
        from rulekit.analysis.compile import compile_without_clashes
        from rulekit.diagnostics import Report, RulesError

        folder = self.folder
        try:
            return compile_without_clashes(folder, Report(), options=self.options, overlays=self.overlays)
        except RulesError as error:
            stop_with(error.diagnostics, folder, output_format)


def with_rule_set(command: Command) -> Command:
    """Add `SET`, `--with`, `--reading` and `--data` to a command, which receives them as `rules`."""

    @functools.wraps(command)
    def choose(
        *, set_name: str, options: tuple[str, ...], overlays: tuple[Path, ...], **arguments: Any
    ) -> Any:
        return command(rules=ChosenRules(set_name, options, overlays), **arguments)

    return click.argument("set_name", metavar="SET")(with_options(choose))


def option(
    names: str, metavar: str | Sequence[str], text: str, **settings: Any
) -> Callable[[Command], Command]:
    """Add an option to a command.

    Args:
        names: The option's names, and its parameter's if that is another, with spaces between them.
        metavar: What its value stands for, or the values to choose from.
        text: The help; whether the option is repeatable, and its default, are added.
    """
    text = f"{text[:-1]} (repeatable)." if settings.get("multiple") else text
    settings.setdefault("show_default", bool(settings.get("default")))
    kind = {"metavar": metavar} if isinstance(metavar, str) else {"type": click.Choice(metavar)}
    return click.option(*names.split(), help=text, **kind, **settings)


def flag(names: str, text: str) -> Callable[[Command], Command]:
    """Add an option without a value to a command."""
    return click.option(*names.split(), is_flag=True, help=text)


def with_explain(command: Command) -> Command:
    """Add `--explain` to a command."""
    return flag("--explain", "Show which modifiers apply to a roll or value, and why others do not.")(command)


def line_reader(compiled: Compiled) -> Callable[[str, int, int], str]:
    """Return a function that gives the text of a line of the rules from a column on, without citations."""
    from rulekit.syntax.parse.comments import without_citation

    sources = {source.file: source for source in compiled.rule_set.sources}

    def words(file: str, line: int, column: int) -> str:
        return without_citation(sources[file].line(line)[column - 1 :])

    return words


def wording_of(compiled: Compiled) -> Wording:
    """Return the words of play in English, where the rule set has its own in `messages/en.yaml`.

    A message file with faults ends the command.
    """
    from rulekit.diagnostics import RulesError
    from rulekit.reports.sheet.model.messages import speech
    from rulekit.runtime.support.wording import Wording

    folder = compiled.rule_set.folder
    try:
        return Wording(compiled.program, speech("en", folder))
    except RulesError as error:
        stop_with(error.diagnostics, folder)


def with_format(
    *formats: str, text: str = "Output for people or for programs."
) -> Callable[[Command], Command]:
    """Add `--output-format` with some of full, concise, json, sarif, github; the first is the default."""
    return option("--output-format", formats, text, default=formats[0])


# ---------------------------------------------------------------- findings


def tell(
    diagnostics: Iterable[Diagnostic], output_format: str, *, to_error: bool = False, whole: bool = False
) -> None:
    """Print findings, in colour only at a terminal; `whole`: all of them, else some of each kind."""
    findings = tuple(diagnostics) if whole else cap_findings(diagnostics)
    if output_format == "full":
        from rulekit.diagnostics import render_full

        paint = terminal.style if terminal.has_colour(err=to_error) else None
        screen = terminal.is_terminal(sys.stderr if to_error else sys.stdout)
        room = width() if screen else render_full.WIDTH
        text = render_full.render(findings, excerpt, paint, width=room, fold=screen)
    else:
        from importlib import import_module

        text = import_module(f"rulekit.diagnostics.render_{output_format}").render(findings, excerpt)
    if text:
        echo = terminal.echo_exactly if output_format in ("json", "sarif") else terminal.echo
        echo(text.rstrip("\n"), err=to_error)


def unreadable(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether the rule set or an option does not exist or cannot be read."""

    def of_manifest(span: Span) -> bool:
        return Path(span.file).name == MANIFEST and (span.line, span.column) == (1, 1)

    return any(
        d.kind.code in ("RK220", "RK222", "RK294") or d.kind.code == "RK290" and of_manifest(d.span)
        for d in diagnostics
    )


def stop_with(diagnostics: Iterable[Diagnostic], folder: Path, output_format: str = "full") -> NoReturn:
    """Print what stops the command and end it: with 2 if the set could not be read at all, else with 1."""
    from rulekit.analysis.check import relocate
    from rulekit.diagnostics.render_text import count

    findings = relocate(diagnostics, folder)
    errors = [d for d in findings if d.kind.severity is not Severity.NOTE]
    tell(errors, output_format, to_error=output_format != "json")
    if output_format != "json":
        terminal.echo(count(errors), err=True)
    sys.exit(FAILED if unreadable(errors) else FINDINGS)


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Pause garbage collection for short work that keeps nearly all it makes: a fifth of its time."""
    import gc

    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        # What is there now counts as old, so that the next collection does not look through all of it.
        gc.freeze()
        gc.unfreeze()
        if was:
            gc.enable()


# ---------------------------------------------------------------- talk


def say(text: str, *, plain: bool = False) -> None:
    """Write a message to standard error, which may be closed."""
    with contextlib.suppress(OSError):
        terminal.echo(text if plain else f"rulekit: {text}", err=True)


def say_untried(untried: int, thing: str, minutes: int) -> None:
    """Say how many examples or changes were not tried in time."""
    time = f"{number_of(minutes, 'minute')} of processor time"
    say(f"{number_of(untried, thing)} not tried within {time}; use `--minutes` to allow more")


def number_of(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural if it is not 1."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def fold(text: str) -> str:
    """Return a name as it is compared with what users type: lower case, single spaces, no underscores."""
    return " ".join(text.strip("'").replace("_", " ").casefold().split())


def fault_text(
    fault: Fault, folder: Path, rules: Callable[[Iterable[str]], str], title: Callable[[str], str]
) -> str:
    """Return the text of a fault, with its place in the rules and in play."""
    lines = [f"{fault.message} ({f'{fault.code} {fault.name}'.strip()})"]
    if fault.site is not None:
        cited = rules(fault.site.rules)
        where = f"{folder / fault.site.file}:{fault.site.line}"
        lines.append(f"  at {where}, {fault.site.owner}" + (f" [{cited}]" if cited else ""))
    if fault.labels:
        lines.append(f"  in {' > '.join(map(title, fault.labels))}")
    if fault.more:
        lines += ["", fault.more]
    if fault.file:
        show = f"rulekit show owner {folder} {fault.file}"
        lines += ["", f"`{show} > FILE` writes the file with empty cells; fill it in and"]
        lines.append(f"use it with `--data FILE`, or save it as `{folder / fault.file}`")
    return "\n".join(lines)


def seed_of(text: str) -> int | str:
    """Return a seed as a number if it looks like one, else as text."""
    digits = text.lstrip("0") or text[:1]
    is_number = digits.isdecimal() and digits.isascii() and len(digits) <= 20 and int(digits) < 2**64
    return int(digits) if is_number else text


def width(stream: TextIO | None = None, most: int = WIDEST) -> int:
    """Return the cells of a line: those of the terminal, within bounds, or `most`."""
    if not terminal.is_terminal(stream or sys.stdout):
        return most
    return min(max(shutil.get_terminal_size().columns, NARROWEST), most)


def fold_line(line: str, indent: int = 4, stream: TextIO | None = None) -> str:
    """Return a line as it fits a terminal: broken between words, its rest indented further; else as it is.

    Args:
        stream: Where it is written; without one, standard output.
    """
    if not terminal.is_terminal(stream or sys.stdout) or len(line) <= width(stream):
        return line
    start = len(line) - len(line.lstrip())
    rows = textwrap.wrap(
        line,
        width(stream),
        subsequent_indent=" " * (start + indent),
        break_on_hyphens=False,
        break_long_words=False,
    )
    return "\n".join(rows)


def write(line: NarratedLine) -> None:
    """Print a line of a game log."""
    if line.level == "phase":
        terminal.echo()
    for left, right in line.rows(width()):
        if line.level == "line":
            terminal.echo(terminal.style(left, "place") + right)
        else:
            terminal.echo(terminal.style(left, "head") + terminal.style(right, "quiet"))


# ---------------------------------------------------------------- long work


@contextlib.contextmanager
def progress(items: Sequence[T], what: str) -> Iterator[Iterable[T]]:
    """Iterate over items, with a progress bar at a terminal if there are many."""
    if len(items) < MANY or not _shows_progress():
        yield items
        return
    from rich.console import Console
    from rich.progress import track

    yield track(items, description=what, console=Console(stderr=True), transient=True)


@contextlib.contextmanager
def elapsed(what: str) -> Iterator[None]:
    """At a terminal, show from the first second on what is being done, and for how long.

    A timer of the process does it, not a thread: work that forks must be the only thread.
    """
    if not _shows_progress() or not hasattr(signal, "setitimer") or not _in_main_thread():
        yield
        return
    begun, shown = time.monotonic(), False

    def show(*_: object) -> None:
        nonlocal shown
        shown = True
        text = f"{what} · {time.monotonic() - begun:.0f} s"
        with contextlib.suppress(OSError, ValueError):  # nobody looks any more
            os.write(sys.stderr.fileno(), f"\r{text[: width()]}\x1b[K".encode(sys.stderr.encoding, "replace"))

    before = signal.signal(signal.SIGALRM, show)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if shown:
            with contextlib.suppress(OSError, ValueError):
                os.write(sys.stderr.fileno(), b"\r\x1b[K")


def _shows_progress() -> bool:
    return terminal.is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def progress_of(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function that shows how much has been done, of how much, with the time left; at a terminal."""
    if not _shows_progress():
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
