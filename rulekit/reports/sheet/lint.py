"""A lint of `sheet.yaml` and of message files, which the command `check` hands to the check."""

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
    """The findings of these files: their faults, and names in them that do not exist."""
    from rulekit.reports.sheet.model.messages import look_over_messages
    from rulekit.reports.sheet.model.settings import FILE
    from rulekit.reports.sheet.model.stray_names import StrayNames

    report, stray = Report(), StrayNames(rules.compiled)
    look_over_messages(rules.compiled, stray, report)
    if exists_inside(rules.compiled.rule_set.folder, FILE):
        from rulekit.reports.sheet.content.build import look_over
        from rulekit.reports.sheet.model.document import SheetError

        with suppress(RulesError, SheetError):
            look_over(rules.compiled, stray, report)
    yield from report
