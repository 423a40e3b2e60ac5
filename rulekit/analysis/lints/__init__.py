"""Lints: what a rule set that compiles may still get wrong.

Each module in the folders beside this one is a lint, found by itself: it has `lint(rules)`, which reads an
`Inspection` and changes nothing, and `WHEN`, which says when it runs.  `python -m rulekit.analysis.new`
writes a new one.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol, cast

from rulekit.base.frozen import frozen
from rulekit.diagnostics import Diagnostic

if TYPE_CHECKING:
    from rulekit.analysis.inspection import Inspection


@frozen
class Occasion:
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
    def WHEN(self) -> Occasion:
        """When it runs."""

    def lint(self, rules: Inspection, /) -> Iterator[Diagnostic]:
        """Return its findings."""


@functools.cache
def all_lints() -> tuple[Lint, ...]:
    """Return the modules in the folders of this package, by name."""
    import pkgutil  # only where lints run: a check that is known must start quickly

    packages = [package.name for package in pkgutil.iter_modules(__path__, f"{__name__}.") if package.ispkg]
    names = [
        module.name
        for package in packages
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}.")
    ]
    return tuple(cast(Lint, importlib.import_module(name)) for name in sorted(names))


def run_lints(rules: Inspection, more: Iterable[Lint] = ()) -> Iterator[Diagnostic]:
    """Return the findings of every lint that applies, and of those that a caller hands in."""
    for lint in (*all_lints(), *more):
        if lint.WHEN.applies(rules):
            yield from lint.lint(rules)
