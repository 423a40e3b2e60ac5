"""The files that `rulekit check` writes: baselines, examples and replays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from rulekit.cli import shared
from rulekit.cli.checking.outcome import CheckOutcome
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
    shared.say(f"saved {_counted(sum(len(of_set) for _, of_set in findings), 'finding')} to `{path}`")


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
    shared.say(f"saved {_counted(len(with_example), 'example')} to `{path}`")


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


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
