"""Reading each file of a rule set once, for who compiles it several times."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from rulekit.base.source import Source
from rulekit.compiler.options.relations import variants_in_options
from rulekit.diagnostics import Diagnostic, Report
from rulekit.ir.memo import Trees
from rulekit.ruleset import DataFile, Manifest
from rulekit.syntax.parse import parse
from rulekit.syntax.tree.items import Module

if TYPE_CHECKING:
    from rulekit.analysis.prove.answer_cache import Answers  # who only compiles proves nothing
    from rulekit.compiler.incremental.base_model import Before

T = TypeVar("T")


class Once:
    """What was read of one folder; findings are told every time.

    Args:
        answers: What is known of its conditions from other days.
    """

    def __init__(self, answers: Answers | None = None) -> None:
        self.answers = answers
        self._parsed: dict[Source, tuple[Module, tuple[Diagnostic, ...]]] = {}
        self._read: dict[Hashable, tuple[Any, tuple[Diagnostic, ...]]] = {}
        self.data: dict[str, DataFile] = {}
        self.trees = Trees()
        self.before: Before | None = None
        """What of one compile serves the next; the first is of the set as it stands."""
        self.beside = False
        """Whether a text was asked for that takes no part."""

    def read(self, what: Hashable, reads: Callable[[Report], T], report: Report) -> T:
        """What `reads` gives, which is called the first time that it is asked for."""
        if what not in self._read:
            own = Report()
            self._read[what] = reads(own), tuple(own)
        made, findings = self._read[what]
        for found in findings:
            report.add(found)
        return made  # type: ignore[no-any-return]  # what stands under `what` is what such a call gave

    def variants(self, manifest: Manifest) -> Collection[str]:
        """The names of the variants in the files of all options."""
        return self.read("variants", lambda own: variants_in_options(manifest), Report())

    def parse(self, source: Source, report: Report) -> Module:
        """The module of a text."""
        if source not in self._parsed:
            own = Report()
            self._parsed[source] = parse(source, own), tuple(own)
        module, findings = self._parsed[source]
        for found in findings:
            report.add(found)
        return module

    def parse_beside(self, source: Source, report: Report) -> Module:
        """The module of a text that takes no part, where it matters what it has."""
        self.beside = True
        return self.parse(source, report)

    def modules(self) -> Iterator[Module]:
        """Everything parsed so far."""
        return (module for module, _ in self._parsed.values())
