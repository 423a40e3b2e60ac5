"""Kinds of findings about the text itself (1xx)."""

from __future__ import annotations

from rulekit.diagnostics import Severity, declare

_E = Severity.ERROR

SYNTAX = declare("RK101", "syntax-error", "text that the grammar does not allow here", _E, since="0.1.0")
TABS = declare("RK102", "tab-indentation", "a line indented with a tab", _E, since="0.1.0")
CONTROL = declare("RK103", "control-character", "a text with control characters", _E, since="0.1.0")
TOO_LARGE = declare("RK104", "too-large", "an item or a number beyond the limits", _E, since="0.1.0")
BRACKETS = declare("RK105", "unclosed-bracket", "a bracket without its partner", _E, since="0.1.0")
UNEVEN = declare("RK106", "uneven-indentation", "a line indented like no line before it", _E, since="0.1.0")
TOO_DEEP = declare("RK107", "too-deep", "nesting beyond the limit", _E, since="0.1.0")
COLON = declare("RK108", "missing-colon", "a block's first line without its colon", _E, since="0.1.0")
NO_KEYWORD = declare("RK109", "no-keyword", "a line that begins with no keyword", _E, since="0.1.0")
FOREIGN = declare(
    "RK110", "foreign-character", "a character from a page layout, not from the language", _E, since="0.1.0"
)
NO_BLOCK = declare("RK111", "missing-block", "a header with nothing under it", _E, since="0.1.0")
CITATION = declare("RK112", "misplaced-citation", "a citation that does not end its line", _E, since="0.1.0")
SWALLOWED = declare(
    "RK113", "citation-in-comment", "a citation at the end of a comment", Severity.WARNING, since="0.1.0"
)
