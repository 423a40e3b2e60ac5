"""What became of mutants before: remembered as long as nothing that it depends on is other.

That is rulekit itself, the rules and their data, the mutant, and the examples that come to it, in their
order.  So an example more or less makes those mutants be tried again that it comes to, and no others.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from rulekit.analysis.mutate.example_coverage import ExampleCoverage
from rulekit.analysis.mutate.fate import FATES, MutantFate
from rulekit.analysis.mutate.mutant import Mutant
from rulekit.base import cache
from rulekit.base.results import ResultStore, code_digest
from rulekit.compiler.driver import Compiled
from rulekit.ruleset.manifest import FILE


class FateCache:
    """Verdicts of one rule set's mutants, in the user's cache."""

    def __init__(self, compiled: Compiled, exercise: ExampleCoverage) -> None:
        self._exercise = exercise
        self._rules = cache.key_of(code_digest(), *_content(compiled))
        lines = {source.file: source.text.split("\n") for source in compiled.rule_set.sources}
        self._examples = {
            title: "\n".join(lines[each.span.file][each.span.line - 1 : each.span.end_line - 1])
            for title, each in compiled.declared.examples.items()
        }

    def recall(self, mutant: Mutant) -> MutantFate | None:
        """Return what became of a mutant, if that is known."""
        names = self._exercise.noticing(mutant)
        known = _FATES.get(self._key(mutant, names))
        return (
            replace(known, unaware=tuple(names)) if known is not None and known.fate == "survived" else known
        )

    def keep(self, mutant: Mutant, verdict: MutantFate) -> None:
        """Keep what became of a mutant."""
        _FATES.put(self._key(mutant, self._exercise.noticing(mutant)), verdict)

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


def _to_plain(verdict: MutantFate) -> list[str]:
    return [verdict.fate, verdict.by, verdict.reason]


def _from_plain(plain: Any) -> MutantFate:
    fate, by, reason = plain
    if fate not in FATES or not isinstance(by, str) or not isinstance(reason, str):
        raise ValueError("not the fate of a mutant")
    return MutantFate(fate, by, reason)


_FATES = ResultStore("mutant", _to_plain, _from_plain)
