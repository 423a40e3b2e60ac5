"""Findings about a rule set, for its author.  Knows nothing of the language."""

from rulekit.diagnostics.finding import Diagnostic, Edit, Fix, Label, Replay
from rulekit.diagnostics.kinds import Kind, Severity, all_kinds
from rulekit.diagnostics.report import Report, RulesError

__all__ = [
    "Diagnostic", "Edit", "Fix", "Kind", "Label", "Replay", "Report", "RulesError", "Severity",
    "all_kinds",
]  # fmt: skip
