"""A lint of `sheet.yaml`, which the command `check` hands to the check."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from rulekit.analysis.lints import Occasion
from rulekit.base.files import exists_inside
from rulekit.diagnostics import Diagnostic, Report, RulesError

if TYPE_CHECKING:
    from rulekit.analysis.inspection import Inspection

WHEN = Occasion(as_printed=False)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """The findings of `sheet.yaml`: its faults, and names in it that do not exist."""
    from rulekit.reports.sheet.model.settings import FILE

    if not exists_inside(rules.compiled.rule_set.folder, FILE):
        return
    from rulekit.reports.sheet.content.build import look_over
    from rulekit.reports.sheet.model.document import SheetError

    report = Report()
    with suppress(RulesError, SheetError):
        look_over(rules.compiled, report)
    yield from report
