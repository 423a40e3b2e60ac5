"""`rulekit check --fix` and `--diff`: safe fixes, written or shown."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click

from rulekit.analysis.fixes import ChangedFile, FixResult, apply_fixes
from rulekit.cli import shared
from rulekit.cli.files import write_whole
from rulekit.diagnostics import Diagnostic
from rulekit.diagnostics.render_text import printable

Find = Callable[[Path], Iterable[Diagnostic]]
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def write_fixes(folder: Path, find: Find) -> FixResult:
    """Write the fixes of the findings in a rule set.

    Raises:
        Failure: The set is bundled with rulekit, or a file cannot be written or has changed meanwhile.
    """
    import rulekit

    if folder.resolve().is_relative_to(Path(rulekit.__file__).resolve().parent):
        raise shared.Failure(
            f"`{folder}` is bundled with rulekit and cannot be changed; copy it to your own folder"
        )
    made = apply_fixes(folder, find)
    for change in made.changes:
        path = folder / change.file
        if path.read_bytes() != change.before.encode("utf-8"):
            raise shared.Failure(f"`{path}` changed during the fix; run it again")
        write_whole(str(path), change.after)
    if made.changes:
        shared.say(f"fixed {_counted(made)}")
    return made


def show_fixes(folder: Path, find: Find) -> FixResult:
    """Print what `write_fixes` would write, as a unified diff."""
    made = apply_fixes(folder, find)
    plain = not shared.is_terminal(sys.stdout)
    for change in made.changes:
        for line in _diff(folder, change):
            click.echo(line if plain else printable(line))
    if made.changes:
        shared.say(f"would fix {_counted(made)}")
    return made


def _counted(made: FixResult) -> str:
    files = len(made.changes)
    one = f"{made.mended} finding{'' if made.mended == 1 else 's'}"
    return f"{one} in {files} file{'' if files == 1 else 's'}"


def _diff(folder: Path, change: ChangedFile) -> Iterator[str]:
    """The lines of a unified diff, without their ends."""
    name = str(folder / change.file)
    before, after = _LINE.findall(change.before), _LINE.findall(change.after)
    for line in difflib.unified_diff(before, after, name, name):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"
