"""Kinds of findings about names and types inside items (2xx, 3xx)."""

from __future__ import annotations

from rulekit.diagnostics import Severity, declare

_E = Severity.ERROR
_W = Severity.WARNING

UNKNOWN_NAME = declare(
    "RK210", "unknown-name", "a name that nothing declares", _E, since="0.1.0", gathers=True
)
AMBIGUOUS = declare("RK211", "ambiguous-name", "a name that means several things here", _E, since="0.1.0")
UNKNOWN_FIELD = declare(
    "RK212", "unknown-field", "a field that its owner does not have", _E, since="0.1.0", gathers=True
)
SHADOWED = declare("RK213", "shadowed-name", "a local with the name of another", _E, since="0.1.0")
WRONG_TYPE = declare("RK310", "wrong-type", "a value of another type than is wanted", _E, since="0.1.0")
MAYBE_NONE = declare("RK311", "maybe-none", "a value that may be none where one is needed", _E, since="0.1.0")
ARGUMENTS = declare(
    "RK312", "wrong-arguments", "a call with other arguments than are declared", _E, since="0.1.0"
)
NO_SUCH_TYPE = declare("RK313", "untold-type", "a value whose type nothing tells", _E, since="0.1.0")
RECURSION = declare("RK314", "recursion", "a definition or procedure that needs itself", _E, since="0.1.0")
NEVER = declare("RK315", "never-none", "a test for none of what is never none", _W, since="0.1.0")
OUT_OF_RANGE = declare(
    "RK316", "always-out-of-range", "a number that can never be in its range", _E, since="0.1.0"
)
NOT_PLACE = declare(
    "RK317", "not-changeable", "a change of something that does not change", _E, since="0.1.0"
)
NO_CALENDAR = declare("RK318", "no-calendar", "a date in a rule set without a calendar", _E, since="0.1.0")
NO_LOOP = declare("RK319", "outside-loop", "a `leave` or `next` outside a loop", _E, since="0.1.0")
NO_RESULT = declare(
    "RK320", "wrong-result", "a result where none is declared, or none where one is", _E, since="0.1.0"
)
NO_VALUE = declare("RK321", "no-otherwise", "a definition that may end without a value", _E, since="0.1.0")
NOT_CONSTANT = declare("RK322", "not-constant", "a beginning that only play could tell", _E, since="0.1.0")
ANSWER_READ = declare(
    "RK323", "answer-in-permit", "a permission that reads the finished answer", _E, since="0.1.0"
)
TABLE_SHAPE = declare(
    "RK330", "table-shape", "a table whose head or rows do not fit its keys", _E, since="0.1.0"
)
TABLE_GAP = declare("RK401", "table-gap", "keys that no row of a table covers", _E, since="0.1.0")
TABLE_OVERLAP = declare("RK402", "table-overlap", "keys that two rows of a table cover", _E, since="0.1.0")
SAME_RESULT = declare(
    "RK403",
    "same-result-twice",
    "keys that two rows of a table cover with one result",
    Severity.NOTE,
    since="0.1.0",
)
TABLE_SIZE = declare("RK331", "table-size", "a table with too many keys", _E, since="0.1.0")
EXAMPLE_SHAPE = declare(
    "RK340", "example-shape", "an example that cannot be run as written", _E, since="0.1.0"
)
