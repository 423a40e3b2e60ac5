"""Cases of findings: a rule set with its marks, and what the hint of each finding says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulekit.diagnostics import Diagnostic, Severity
from rulekit.testing import RULES, compile_text, differences


@dataclass(frozen=True)
class Case:
    """A text whose findings are marked `#! CODE "part of the message"`, and words of their hints in order.

    An empty text stands for a finding whose hint is of no interest.
    """

    name: str
    text: str
    hints: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    def found(self) -> tuple[Diagnostic, ...]:
        """Its findings, but for notes, in the order of their places."""
        made = compile_text(self.text, self.files, options=self.options)
        return tuple(each for each in made.findings if each.kind.severity is not Severity.NOTE)

    def holds(self) -> None:
        """Assert that the findings are those that are marked, and that the hints say what they must."""
        found = self.found()
        assert [] == list(differences({RULES: self.text, **self.files}, found))
        assert len(self.hints) == len(found)
        assert [] == [
            (words, each.hint)
            for words, each in zip(self.hints, found, strict=True)
            if words not in (each.hint or "")
        ]
