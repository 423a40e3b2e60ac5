"""Kinds of findings about populations and their data."""

from __future__ import annotations

from rulekit.diagnostics import Severity, declare

UNKNOWN_KIND = declare(
    "RK204", "unknown-kind", "a union of something that is no kind", Severity.ERROR, since="0.1.0"
)
MIXED = declare(
    "RK302", "mixed-kinds", "a union of kinds from different domains", Severity.ERROR, since="0.1.0"
)
TWICE = declare(
    "RK205", "member-twice", "two members of one kind with the same name", Severity.ERROR, since="0.1.0"
)
NO_MEMBERS = declare(
    "RK206", "no-members", "a kind that no data and no line gives members", Severity.ERROR, since="0.1.0"
)
UNDECLARED = declare(
    "RK601", "undeclared-column", "a column of data that no field takes", Severity.ERROR, since="0.1.0"
)
MISSING = declare("RK602", "missing-field", "a fixed field without data", Severity.ERROR, since="0.1.0")

PLACE_TYPE = declare("RK303", "no-place", "a place where no piece can stand", Severity.ERROR, since="0.1.0")
HOMELESS = declare(
    "RK608", "nowhere", "a piece that is always somewhere and begins nowhere", Severity.ERROR, since="0.1.0"
)
