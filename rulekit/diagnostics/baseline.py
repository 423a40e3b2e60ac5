"""Known findings: a file with which an old rule set adopts the check, so that only new ones fail.

`schemas/baseline.schema.json` describes it: for each rule set, how often each id of a finding occurs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rulekit.base.files import UnreadableFile, read_named
from rulekit.base.frozen import frozen
from rulekit.diagnostics import Diagnostic, Severity

FORMAT = 1
MOST = 16 * 1024 * 1024
"""Bytes of a file that is read."""

Known = Mapping[str, Mapping[str, int]]
"""How often an id is known, by the id of its rule set."""


class BadBaseline(Exception):
    """The file is not a baseline; the text says what it is instead, and what to do."""


@frozen
class Comparison:
    """Findings of one rule set beside a baseline; `gone`: known ids without a finding."""

    new: tuple[Diagnostic, ...]
    known: tuple[Diagnostic, ...]
    gone: tuple[str, ...]


def compare(findings: Iterable[Diagnostic], known: Mapping[str, int]) -> Comparison:
    """Return which findings are new: those of an id beyond the number known, and all errors."""
    left = Counter(known)
    new, old = [], []
    for finding in findings:
        if finding.kind.severity is not Severity.ERROR and left[finding.id] > 0:
            left[finding.id] -= 1
            old.append(finding)
        else:
            new.append(finding)
    return Comparison(tuple(new), tuple(old), tuple(sorted(set(known) - {finding.id for finding in old})))


def text(by_set: Iterable[tuple[str, Iterable[Diagnostic]]]) -> str:
    """Return a baseline of the findings of some rule sets, sorted: an edit changes few lines of it.

    Args:
        by_set: The id of each rule set with its findings; of two with one id, the higher counts are taken.
    """
    sets: dict[str, Counter[str]] = {}
    for name, findings in by_set:
        sets[name] = sets.get(name, Counter()) | Counter(finding.id for finding in findings)
    plain = {name: dict(sorted(ids.items())) for name, ids in sorted(sets.items())}
    return json.dumps({"format": FORMAT, "sets": plain}, indent=2, ensure_ascii=False) + "\n"


def read(path: Path) -> Known:
    """Read the findings of a baseline.

    Raises:
        BadBaseline: The file is not a baseline, or cannot be read.
    """
    try:
        plain = json.loads(read_named(path, MOST))
    except UnreadableFile as error:
        raise BadBaseline(f"`{path}` {error.strerror}; `--write-baseline {path}` writes a baseline") from None
    except (ValueError, RecursionError):
        raise BadBaseline(f"`{path}` is not JSON; `--write-baseline {path}` writes a baseline") from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT or not _sound(plain.get("sets")):
        raise BadBaseline(f"`{path}` is not a baseline; `--write-baseline {path}` writes one")
    known: Known = plain["sets"]
    return known


def _sound(sets: Any) -> bool:
    return isinstance(sets, dict) and all(
        isinstance(ids, dict) and all(type(times) is int and times > 0 for times in ids.values())
        for ids in sets.values()
    )
