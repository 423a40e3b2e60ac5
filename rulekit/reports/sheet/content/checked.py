"""What is wrong with a rule set's own files for sheets, for those who check it."""

from __future__ import annotations

from contextlib import suppress

from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report, RulesError
from rulekit.reports.sheet.model.errors import SheetError
from rulekit.reports.sheet.model.settings import FILE


def of_sheets(compiled: Compiled) -> Report:
    """The findings of `sheet.yaml`: what is not as it should be, and what it names that is not there."""
    report = Report()
    if (compiled.rule_set.folder / FILE).exists():
        from rulekit.reports.sheet.content.build import look_over

        with suppress(RulesError, SheetError):
            look_over(compiled, report)
    return report
