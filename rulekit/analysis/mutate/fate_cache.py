"""What became of mutants before: remembered as long as nothing that it depends on is other.

That is rulekit itself, the rules and their data, the mutant, and the examples that come to it, in their
order.  So an example more or less makes those mutants be tried again that it comes to, and no others.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from functools import cache as once
from pathlib import Path

import rulekit
from rulekit.analysis.mutate.example_coverage import ExampleCoverage
from rulekit.analysis.mutate.fate import FATES, MutantFate
from rulekit.analysis.mutate.mutant import Mutant
from rulekit.base import cache
from rulekit.compiler.driver import Compiled
from rulekit.ruleset.manifest import FILE

_KIND = "mutant"


class FateCache:
    """Verdicts of one rule set's mutants, in the user's cache."""

    def __init__(self, compiled: Compiled, exercise: ExampleCoverage) -> None:
        self._exercise = exercise
        self._rules = cache.key_of(_engine(), *_content(compiled))
        lines = {source.file: source.text.split("\n") for source in compiled.rule_set.sources}
        self._examples = {
            title: "\n".join(lines[each.span.file][each.span.line - 1 : each.span.end_line - 1])
            for title, each in compiled.declared.examples.items()
        }

    def recall(self, mutant: Mutant) -> MutantFate | None:
        """What became of it, if that is known."""
        names = self._exercise.noticing(mutant)
        stored = cache.get(_KIND, self._key(mutant, names))
        if stored is None:
            return None
        try:
            fate, by, reason = json.loads(stored)
        except (ValueError, TypeError):
            return None
        if fate not in FATES or not isinstance(by, str) or not isinstance(reason, str):
            return None
        return MutantFate(fate, by, reason, tuple(names) if fate == "survived" else ())

    def keep(self, mutant: Mutant, verdict: MutantFate) -> None:
        """Remember it."""
        names = self._exercise.noticing(mutant)
        value = json.dumps([verdict.fate, verdict.by, verdict.reason])
        cache.put(_KIND, self._key(mutant, names), value.encode())

    def _key(self, mutant: Mutant, names: list[str]) -> str:
        told = [part for name in names for part in (name, self._examples.get(name, ""))]
        return cache.key_of(self._rules, mutant.id, repr(mutant.path), mutant.now, *told)


def _content(compiled: Compiled) -> list[str]:
    """The rules without examples, their data and options, as text."""
    names = compiled.declared
    kept = [
        repr(getattr(names, space))
        for space in (field.name for field in fields(names))
        if space not in ("examples", "claims", "errata")
    ]
    folder = compiled.rule_set.folder
    paths = [folder / name for name in sorted(compiled.data.files)] + [*compiled.rule_set.overlays]
    data = [path.read_bytes().hex() for path in paths if path.is_file()]
    manifest = (folder / FILE).read_text(encoding="utf-8", errors="replace")
    return [*kept, *data, manifest, *compiled.rule_set.options]


@once
def _engine() -> str:
    """A digest of rulekit's own code."""
    digest = hashlib.sha256()
    folder = Path(rulekit.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
