"""The files that `rulekit check` writes: baselines, examples, replays and fixes."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rulekit.analysis.fixes import ChangedFile, FixResult, apply_fixes
from rulekit.base.files import MAX_BYTES, UnreadableFile, forget, read_inside
from rulekit.cli import shared, terminal
from rulekit.cli.check.outcome import CheckOutcome
from rulekit.cli.files import write_whole
from rulekit.diagnostics import Diagnostic, Severity

_UNNAMED = re.compile(r"[^\w.-]+")
MOST_NAME = 80
"""Characters of the name of a file."""


def write_baseline(path: Path, outcomes: Iterable[CheckOutcome]) -> None:
    """Save the findings of rule sets as a baseline; notes never fail and are left out."""
    from rulekit.diagnostics import baseline

    findings = [
        (outcome.name, [finding for finding in outcome.new if finding.kind.severity is not Severity.NOTE])
        for outcome in outcomes
    ]
    write_whole(str(path), baseline.text(findings))
    shared.say(f"saved {shared.number_of(sum(len(of_set) for _, of_set in findings), 'finding')} to `{path}`")


def write_examples(path: Path, findings: Iterable[Diagnostic]) -> None:
    """Save the situations of findings as examples, each under its finding; without any, write no file."""
    with_example = [finding for finding in findings if finding.example]
    if not with_example:
        shared.say(f"`{path}` not written: no finding has a situation that can be an example")
        return
    titles: Counter[str] = Counter()
    parts = []
    for finding in with_example:
        first, _, rest = finding.example.partition("\n")
        titles[first] += 1
        if titles[first] > 1:  # titles of examples are unique in a rule set
            first = first.removesuffix('":') + f' ({titles[first]})":'
        parts.append(f"# {finding.id}\n# {finding.message}\n{first}\n{rest}")
    write_whole(str(path), "\n".join(parts))
    shared.say(f"saved {shared.number_of(len(with_example), 'example')} to `{path}`")


def write_replays(folder: Path, findings: Iterable[Diagnostic]) -> None:
    """Save the games of findings, a file each, named after the finding; without any, write no file."""
    written: Counter[str] = Counter()
    for finding in findings:
        if finding.replay is None:
            continue
        name = _UNNAMED.sub("-", finding.id.replace("play ", "")).strip("-")[:MOST_NAME]
        written[name] += 1
        path = folder / f"{name}{'' if written[name] == 1 else f'-{written[name]}'}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise shared.Failure(f"cannot create `{folder}`: {error.strerror}") from error
        write_whole(str(path), finding.replay.log)
        shared.say(f"saved a replay to `{path}`")
    if not written:
        shared.say(f"no replay saved to `{folder}`: no game ended in a fault")


# ---------------------------------------------------------------- fixes

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
    result = apply_fixes(folder, find)
    for change in result.changes:
        path = folder / change.file
        forget(folder)
        try:
            unchanged = read_inside(folder, change.file, MAX_BYTES) == change.before.encode("utf-8")
        except UnreadableFile:
            unchanged = False
        if not unchanged:
            raise shared.Failure(f"`{path}` changed during the fix; run it again")
        write_whole(str(path), change.after)
    forget(folder)
    if result.changes:
        shared.say(f"fixed {_extent(result)}")
    return result


def show_fixes(folder: Path, find: Find) -> FixResult:
    """Print what `write_fixes` would write, as a unified diff."""
    result = apply_fixes(folder, find)
    for change in result.changes:
        for line in _diff(folder, change):
            terminal.echo_exactly(line)
    if result.changes:
        shared.say(f"would fix {_extent(result)}")
    return result


def _extent(result: FixResult) -> str:
    return f"{shared.number_of(result.mended, 'finding')} in {shared.number_of(len(result.changes), 'file')}"


def _diff(folder: Path, change: ChangedFile) -> Iterator[str]:
    name = str(folder / change.file)
    before, after = _LINE.findall(change.before), _LINE.findall(change.after)
    for line in difflib.unified_diff(before, after, name, name):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"
