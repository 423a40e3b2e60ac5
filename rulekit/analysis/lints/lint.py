"""What a lint is: a module with a function `lint`, and `WHEN` it runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from rulekit.base.frozen import frozen
from rulekit.diagnostics import Diagnostic

if TYPE_CHECKING:
    from rulekit.analysis.inspection import Inspection


@frozen
class When:
    """When a lint runs; every lint runs for the rules as the user has chosen them.

    Attributes:
        offered: Also for each group of options that the check itself lays over the set: only quick lints.
        claims: Also where the check judges the claims of such a group.
        as_printed: Also without errata.
        sequence: Only where the manifest names a sequence of play; else nobody knows what is of use.
    """

    offered: bool = False
    claims: bool = False
    as_printed: bool = True
    sequence: bool = False

    def applies(self, rules: Inspection) -> bool:
        """Return whether the lint runs."""
        if self.sequence and rules.compiled.rule_set.manifest.sequence is None:
            return False
        if rules.offered:
            return self.offered or (self.claims and rules.with_claims)
        return self.as_printed or not rules.as_printed


class Lint(Protocol):
    """A lint; a module is one."""

    @property
    def __name__(self) -> str:
        """Its name, unique among lints."""

    @property
    def WHEN(self) -> When:
        """When it runs."""

    def lint(self, rules: Inspection, /) -> Iterator[Diagnostic]:
        """Return its findings."""
