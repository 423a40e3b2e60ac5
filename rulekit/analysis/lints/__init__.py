"""Lints: what a rule set that compiles may still get wrong.

Each module in the folders beside this one is a lint, found by itself: it has `lint(rules)`, which reads an
`Inspection` and changes nothing, and `WHEN`, which says when it runs.  `python -m rulekit.analysis.new`
writes a new one.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from rulekit.analysis.lints.lint import Lint

if TYPE_CHECKING:
    from rulekit.analysis.inspection import Inspection
    from rulekit.diagnostics import Diagnostic


@functools.cache
def all_lints() -> tuple[Lint, ...]:
    """Return the modules in the folders of this package, by name."""
    import pkgutil  # only where lints run: a check that is known must start quickly

    packages = [found.name for found in pkgutil.iter_modules(__path__, f"{__name__}.") if found.ispkg]
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
