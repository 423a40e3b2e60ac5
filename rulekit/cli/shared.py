"""What several verbs share: finding a rule set, options, and telling findings."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from rulekit import resources
from rulekit.diagnostics import Diagnostic, Severity

FINDINGS, FAILED, UNDECIDED = 1, 2, 3
"""Exit codes beside 0."""

MANY = 20
"""Items from which on a progress bar is worth its line."""

Command = Callable[..., Any]
T = TypeVar("T")


class Failure(click.ClickException):
    """The job could not be done."""

    exit_code = FAILED

    def show(self, file: Any = None) -> None:
        click.echo(f"rulekit: {self.format_message()}", file=file or sys.stderr)


def known_sets() -> list[str]:
    """Ids of the rule sets that come with rulekit."""
    folder = resources.rules_folder()
    return sorted(path.parent.name for path in folder.glob("*/ruleset.yaml")) if folder.is_dir() else []


def locate(name: str) -> Path:
    """The folder of a rule set named by path or id.

    Raises:
        Failure: There is none.
    """
    path = Path(name)
    if path.is_dir():
        return path
    if path.exists():
        raise Failure(f"`{name}` is a file: name the folder that holds `ruleset.yaml`")
    if name in known_sets():
        return _near(resources.rules_folder() / name)
    from difflib import get_close_matches

    near = get_close_matches(name, known_sets(), n=1)
    hint = (
        f"did you mean `{near[0]}`?"
        if near
        else f"sets that come with rulekit: {', '.join(known_sets()) or 'none'}"
    )
    raise Failure(f"there is no rule set `{name}`; {hint}")


def _near(folder: Path) -> Path:
    """A folder below the working directory as a relative path, as one would type it."""
    try:
        return folder.relative_to(Path.cwd())
    except ValueError:
        return folder


def with_options(command: Command) -> Command:
    """Adds `--with` and `--data`."""
    command = click.option(
        "--data",
        "overlays",
        multiple=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Lay the numbers of your own copy over the set's data.",
    )(command)
    return click.option(
        "--with", "options", multiple=True, metavar="OPTION", help="Switch an option, variant or preset on."
    )(command)


def with_format(command: Command) -> Command:
    """Adds `--output-format`."""
    return click.option(
        "--output-format",
        type=click.Choice(["full", "concise", "json"]),
        default="full",
        show_default=True,
        help="How findings are written.",
    )(command)


def tell(diagnostics: Iterable[Diagnostic], output_format: str, *, to_error: bool = False) -> None:
    """Write findings; colour only on a terminal."""
    from rulekit.diagnostics import render_concise, render_full, render_json

    stream = sys.stderr if to_error else sys.stdout
    found = tuple(diagnostics)
    match output_format:
        case "json":
            text = render_json.render(found, text_of)
        case "concise":
            text = render_concise.render(found, text_of)
        case _:
            text = render_full.render(found, text_of, colour=stream.isatty())
    if text:
        click.echo(text.rstrip("\n"), file=stream)


def text_of(file: str) -> str:
    """A file's text for an excerpt; empty where it cannot be read any more."""
    try:
        return Path(file).read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


def stop_with(diagnostics: Iterable[Diagnostic], folder: Path, output_format: str = "full") -> NoReturn:
    """Tell what stops the job, and end: 2 where the set could not be read at all, else 1."""
    from rulekit.checking import located

    found = located(diagnostics, folder)
    tell(found, output_format, to_error=output_format == "full")
    unreadable = all(d.kind.code in ("RK220", "RK290") for d in found if d.kind.severity is Severity.ERROR)
    sys.exit(FAILED if unreadable else FINDINGS)


@contextlib.contextmanager
def progress(items: Sequence[T], what: str) -> Iterator[Iterable[T]]:
    """The items, with a bar on a terminal where there are many; a pipe gets none."""
    if len(items) < MANY or not sys.stderr.isatty():
        yield items
        return
    from rich.console import Console
    from rich.progress import track

    yield track(items, description=what, console=Console(stderr=True), transient=True)
