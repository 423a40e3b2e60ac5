"""Kinds of findings about files and data, and the findings themselves in words."""

from __future__ import annotations

from collections.abc import Collection

from rulekit.base.source import Span
from rulekit.base.spelling import meant
from rulekit.diagnostics import Diagnostic, Label, Severity, declare

_ERROR, _SINCE = Severity.ERROR, "0.1.0"

MISSING_FILE = declare("RK290", "missing-file", "a file that is not there", _ERROR, since=_SINCE)
OUTSIDE_FOLDER = declare(
    "RK291", "outside-folder", "a path that leaves the rule set's folder", _ERROR, since=_SINCE
)
NOT_TEXT = declare("RK292", "file-not-text", "a file that is not UTF-8 text", _ERROR, since=_SINCE)
FILE_TOO_LARGE = declare("RK293", "file-too-large", "a file beyond the limit of bytes", _ERROR, since=_SINCE)
UNREADABLE_FILE = declare("RK294", "file-unreadable", "a file that cannot be read", _ERROR, since=_SINCE)

YAML_SYNTAX = declare("RK631", "yaml-syntax", "a data file that is not YAML", _ERROR, since=_SINCE)
DUPLICATE_KEY = declare("RK632", "duplicate-key", "a key or a column given twice", _ERROR, since=_SINCE)
UNKNOWN_KEY = declare(
    "RK633", "unknown-key", "a key or a column that is not known here", _ERROR, since=_SINCE
)
MISSING_KEY = declare("RK634", "missing-key", "a key that must be given", _ERROR, since=_SINCE)
WRONG_SHAPE = declare("RK635", "wrong-shape", "something else than is expected here", _ERROR, since=_SINCE)
CELL_COUNT = declare("RK636", "cell-count", "a row with too few or too many cells", _ERROR, since=_SINCE)
CONFIDENCE_WORD = declare("RK637", "confidence-word", "not a word of confidence", _ERROR, since=_SINCE)
UNSUPPORTED_YAML = declare(
    "RK638", "unsupported-yaml", "YAML that data files do without", _ERROR, since=_SINCE
)
DATA_LIMIT = declare("RK639", "data-limit", "data beyond a limit", _ERROR, since=_SINCE)
NOT_A_DATA_FILE = declare("RK640", "not-a-data-file", "a file of another kind", _ERROR, since=_SINCE)
DUPLICATE_ROW = declare("RK641", "duplicate-row", "two rows with one name or key", _ERROR, since=_SINCE)
UNKNOWN_SOURCE = declare(
    "RK642",
    "unknown-source",
    "a source the file does not list",
    Severity.WARNING,
    since=_SINCE,
    gathers=True,
)
OVERLAY_NAME = declare("RK643", "overlay-unknown-name", "an overlay of nothing", _ERROR, since=_SINCE)
ON_TRUST = declare("RK644", "facts-on-trust", "facts taken on trust", Severity.NOTE, since=_SINCE)
AMBIGUOUS_NUMBER = declare(
    "RK645", "ambiguous-number", "a number that may be meant as a name", _ERROR, since=_SINCE
)
UNKNOWN_OPTION = declare(
    "RK646", "preset-unknown-option", "a preset with an option that is not listed", _ERROR, since=_SINCE
)
SOURCES_HEADER = declare(
    "RK647", "sources-header", "a list of printed rules with a wrong first line", _ERROR, since=_SINCE
)
SOURCES_COLUMNS = declare(
    "RK648", "sources-columns", "a printed rule with too few or too many columns", _ERROR, since=_SINCE
)
DUPLICATE_RULE = declare("RK649", "duplicate-rule-id", "two printed rules with one id", _ERROR, since=_SINCE)
MANY_FINDINGS = declare("RK650", "many-findings", "findings not shown", Severity.NOTE, since=_SINCE)
MISSING_COLUMN = declare("RK651", "missing-column", "a column that is not there", _ERROR, since=_SINCE)


def did_you_mean(name: str, known: Collection[str]) -> str | None:
    """A hint naming the known name nearest to `name`, or all of them when they are few."""
    if hint := meant(name, known):
        return hint
    if 0 < len(known) <= 12:
        return "known here: " + ", ".join(f"`{each}`" for each in sorted(known))
    return None


def short(text: str) -> str:
    """The author's text in backticks, cut where it gets long."""
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"


def unknown_key(name: str, span: Span, known: Collection[str], where: str) -> Diagnostic:
    """`where` names what has no such key: "a data file"."""
    message = f"{where} has no {short(name)}"
    return Diagnostic(UNKNOWN_KEY, message, span, hint=did_you_mean(name, known), under="unknown")


def missing_key(name: str, span: Span, where: str) -> Diagnostic:
    """`where` names what lacks it: "a data file"."""
    return Diagnostic(MISSING_KEY, f"{where} must have `{name}`", span, hint=f"add `{name}: ...`")


def duplicate(name: str, span: Span, first: Span) -> Diagnostic:
    """A key of a mapping, or a column, that was given before."""
    return Diagnostic(
        DUPLICATE_KEY,
        f"{short(name)} is given twice",
        span,
        (Label(first, "given here first"),),
        hint="keep one of them; nothing here is read twice, and none silently replaces another",
        under="given again",
    )


def wrong_shape(message: str, span: Span, hint: str | None = None) -> Diagnostic:
    """What stands here is not what must stand here; `message` says both."""
    return Diagnostic(WRONG_SHAPE, message, span, hint=hint)


def missing_column(name: str, span: Span, where: str) -> Diagnostic:
    """`where` names the population or table, as its author does."""
    return Diagnostic(
        MISSING_COLUMN,
        f"{short(where)} has no column `{name}`",
        span,
        hint=f"add `{name}` to `columns`, and its cell to every row",
    )


def beyond(limit: str, most: int, span: Span) -> Diagnostic:
    """More than `most` of something a limit bounds."""
    return Diagnostic(
        DATA_LIMIT,
        f"more than {most:,} {limit}",
        span,
        hint="split the file, or make it simpler",
        under="here",
    )
