"""Collecting findings, and stopping between stages."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.kinds import Severity


class RulesError(Exception):
    """A rule set has findings that stop it; the only exception a compile raises for what a user wrote."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        first = next((d for d in self.diagnostics if d.kind.severity is Severity.ERROR), None)
        super().__init__(f"{first.span}: {first.message}" if first else "findings")


class Report:
    """Findings of a run, in the order of their places; equal ones are kept once."""

    def __init__(self) -> None:
        self._findings: dict[Diagnostic, None] = {}

    def add(self, diagnostic: Diagnostic) -> None:
        """Note one finding."""
        self._findings.setdefault(diagnostic)

    def withdraw(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take findings back, as of a reading that another one has replaced."""
        for diagnostic in diagnostics:
            self._findings.pop(diagnostic, None)

    def since(self, number: int) -> tuple[Diagnostic, ...]:
        """Return the findings that were added after the first so many."""
        return tuple(itertools.islice(self._findings, number, None))

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._findings, key=lambda d: (d.span, d.kind.code, d.message)))

    def __len__(self) -> int:
        return len(self._findings)

    @property
    def has_errors(self) -> bool:
        """True if a finding stops later stages."""
        return any(d.kind.severity is Severity.ERROR for d in self._findings)

    def stop_on_error(self) -> None:
        """End the run between stages.

        Raises:
            RulesError: A finding is an error; it carries all findings so far.
        """
        if self.has_errors:
            raise RulesError(self)
