"""The files of one folder, each read and parsed once, for callers that compile it several times."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar

from rulekit.base.source import Source
from rulekit.diagnostics import Diagnostic, Report
from rulekit.ruleset.model import DataFile
from rulekit.syntax.parse import parse
from rulekit.syntax.tree.items import Module

T = TypeVar("T")


class Inputs:
    """Everything read of one folder; findings are reported on every reading.

    Attributes:
        data: The data files without findings, by their path.
        read_inactive: Whether a text has been parsed that is not part of the rules being compiled.
    """

    def __init__(self) -> None:
        self._parsed: dict[Source, tuple[Module, tuple[Diagnostic, ...]]] = {}
        self._read: dict[Hashable, tuple[Any, tuple[Diagnostic, ...]]] = {}
        self.data: dict[str, DataFile] = {}
        self.read_inactive = False

    def read(self, key: Hashable, reader: Callable[[Report], T], report: Report) -> T:
        """Return the result of `reader`, which is called only for the first request with this key."""
        if key not in self._read:
            own = Report()
            self._read[key] = reader(own), tuple(own)
        value, findings = self._read[key]
        for finding in findings:
            report.add(finding)
        return value  # type: ignore[no-any-return]  # every request with this key has the same reader

    def parse(self, source: Source, report: Report) -> Module:
        """Return the module of a text."""
        if source not in self._parsed:
            own = Report()
            self._parsed[source] = parse(source, own), tuple(own)
        module, findings = self._parsed[source]
        for finding in findings:
            report.add(finding)
        return module

    def parse_inactive(self, source: Source, report: Report) -> Module:
        """Return the module of a text outside the rules being compiled, and note that it was needed."""
        self.read_inactive = True
        return self.parse(source, report)

    def modules(self) -> Iterator[Module]:
        """Yield every module parsed so far."""
        return (module for module, _ in self._parsed.values())
