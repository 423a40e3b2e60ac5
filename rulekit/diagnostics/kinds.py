"""The registry: every kind of finding, its code and its name, sorted by code; neither is ever reused."""

from __future__ import annotations

import enum
from functools import partial

from rulekit.base.frozen import frozen


class Severity(enum.StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    """It has no meaning: later stages stop."""
    WARNING = "warning"
    """It has a meaning, maybe not the author's."""
    UNDECIDED = "undecided"
    """Neither proved nor refuted: a check that finds nothing worse exits with 3, not with 1."""
    NOTE = "note"
    """Worth knowing; never makes a check fail."""


@frozen
class Kind:
    """A kind of finding.

    `code`: `RK` and three digits: 1xx syntax, 2xx names and files, 3xx types, 4xx lint, 5xx proof, 6xx data,
    7xx faults of play.  `name` reads well after "accept ...".  `title`: one line, no full stop.  `since`: the
    release that first reported it.  `gathers`: findings with one id and message have one cause elsewhere (an
    undeclared name, for example) and are reported once, with every place.
    """

    code: str
    name: str
    title: str
    severity: Severity
    since: str
    gathers: bool = False


_by_code: dict[str, Kind] = {}
_names: set[str] = set()


def _declare(
    severity: Severity, code: str, name: str, title: str, *, since: str = "0.1.0", gathers: bool = False
) -> Kind:
    """Register a kind.

    Raises:
        ValueError: The code or the name is taken.
    """
    if code in _by_code or name in _names:
        raise ValueError(f"kind {code} {name} is declared twice")
    _names.add(name)
    _by_code[code] = Kind(code, name, title, severity, since, gathers)
    return _by_code[code]


def all_kinds() -> tuple[Kind, ...]:
    """Return every kind, by code."""
    return tuple(_by_code[code] for code in sorted(_by_code))


_error = partial(_declare, Severity.ERROR)
_warning = partial(_declare, Severity.WARNING)
_undecided = partial(_declare, Severity.UNDECIDED)
_note = partial(_declare, Severity.NOTE)

# 1xx: the text itself

SYNTAX_ERROR = _error("RK101", "syntax-error", "text that the grammar does not allow here")
TAB_INDENTATION = _error("RK102", "tab-indentation", "a line indented with a tab")
CONTROL_CHARACTER = _error("RK103", "control-character", "a text with control characters")
TOO_LARGE = _error("RK104", "too-large", "an item or a number beyond the limits")
UNCLOSED_BRACKET = _error("RK105", "unclosed-bracket", "a bracket without its partner")
UNEVEN_INDENTATION = _error("RK106", "uneven-indentation", "a line indented like no line before it")
TOO_DEEP = _error("RK107", "too-deep", "nesting beyond the limit")
MISSING_COLON = _error("RK108", "missing-colon", "a block's first line without its colon")
NO_KEYWORD = _error("RK109", "no-keyword", "a line that begins with no keyword")
FOREIGN_CHARACTER = _error(
    "RK110", "foreign-character", "a character from a page layout, not from the language"
)
MISSING_BLOCK = _error("RK111", "missing-block", "a header with nothing under it")
MISPLACED_CITATION = _error("RK112", "misplaced-citation", "a citation that does not end its line")
CITATION_IN_COMMENT = _warning("RK113", "citation-in-comment", "a citation at the end of a comment")

# 2xx: names and files

DECLARED_TWICE = _error("RK201", "declared-twice", "a name declared twice")
NAME_TAKEN = _error("RK202", "name-taken", "a name that the language keeps for itself")
UNKNOWN_TYPE = _error("RK203", "unknown-type", "a type that nothing declares", gathers=True)
UNKNOWN_KIND = _error("RK204", "unknown-kind", "a union of something that is no kind")
MEMBER_TWICE = _error("RK205", "member-twice", "two members of one kind with the same name")
NO_MEMBERS = _error("RK206", "no-members", "a kind that no data and no line gives members")
UNKNOWN_NAME = _error("RK210", "unknown-name", "a name that nothing declares", gathers=True)
AMBIGUOUS_NAME = _error("RK211", "ambiguous-name", "a name that means several things here")
UNKNOWN_FIELD = _error("RK212", "unknown-field", "a field that its owner does not have", gathers=True)
SHADOWED_NAME = _error("RK213", "shadowed-name", "a local with the name of another")
NO_RULE_SET = _error("RK220", "no-rule-set", "a rule set that is not there")
NO_RULES = _error("RK221", "no-rules", "a rule set without rules")
UNKNOWN_OPTION = _error("RK222", "unknown-option", "an option that the rule set does not have")
LANGUAGE_VERSION = _error("RK223", "language-version", "a rule set in another version of the language")
NO_ENTRY = _error("RK224", "no-entry", "a sequence or sides that the rules do not declare")
TOO_MANY_FILES = _error("RK225", "too-many-files", "more files of rules than a set may have")
IMPOSSIBLE_PRESET = _error("RK226", "impossible-preset", "a preset whose options cannot be chosen together")
UNLISTED_OPTION = _warning("RK227", "unlisted-option", "a file of an option that the manifest does not list")
NOTHING_TO_AMEND = _error("RK230", "nothing-to-amend", "an amendment of something that is not there")
AMBIGUOUS_CITATION = _error(
    "RK231", "ambiguous-citation", "an amendment by a number that several things cite"
)
IMPOSSIBLE_AMENDMENT = _error("RK232", "impossible-amendment", "an amendment that its target cannot take")
EXCLUDED_TOGETHER = _error(
    "RK233", "excluded-together", "two variants chosen together that exclude each other"
)
UNORDERED_AMENDMENTS = _error("RK234", "unordered-amendments", "two amendments of one point without an order")
NEEDED_VARIANT = _error("RK235", "needed-variant", "a variant without one that it needs")
UNORDERED_MODIFIERS = _error(
    "RK236", "unordered-modifiers", "two modifiers whose order matters and is not said"
)
IMPOSSIBLE_RELATIONS = _error("RK237", "impossible-relations", "a variant that can never be chosen")
IDLE_AMENDMENT = _warning("RK238", "idle-amendment", "an amendment that says what is so already")
IDLE_VARIANT = _warning("RK239", "idle-variant", "a variant of which another that it needs leaves nothing")
IDLE_BESIDE = _note("RK240", "idle-beside", "a variant of which another leaves nothing")
UNTRIED_PAIRS = _undecided("RK241", "untried-pairs", "options that were not looked at together")
MISSING_FILE = _error("RK290", "missing-file", "a file that is not there")
OUTSIDE_FOLDER = _error("RK291", "outside-folder", "a path that leaves the rule set's folder")
FILE_NOT_TEXT = _error("RK292", "file-not-text", "a file that is not UTF-8 text")
FILE_TOO_LARGE = _error("RK293", "file-too-large", "a file beyond the limit of bytes")
FILE_UNREADABLE = _error("RK294", "file-unreadable", "a file that cannot be read")

# 3xx: types

IMPOSSIBLE_TYPE = _error("RK301", "impossible-type", "a type that cannot be made")
MIXED_KINDS = _error("RK302", "mixed-kinds", "a union of kinds from different domains")
NO_PLACE = _error("RK303", "no-place", "a place where no piece can stand")
WRONG_TYPE = _error("RK310", "wrong-type", "a value of another type than is wanted")
MAYBE_NONE = _error("RK311", "maybe-none", "a value that may be none where one is needed")
WRONG_ARGUMENTS = _error("RK312", "wrong-arguments", "a call with other arguments than are declared")
UNTOLD_TYPE = _error("RK313", "untold-type", "a value whose type nothing tells")
RECURSION = _error("RK314", "recursion", "a definition or procedure that needs itself")
NEVER_NONE = _warning("RK315", "never-none", "a test for none of what is never none")
ALWAYS_OUT_OF_RANGE = _error("RK316", "always-out-of-range", "a number that can never be in its range")
NOT_CHANGEABLE = _error("RK317", "not-changeable", "a change of something that does not change")
NO_CALENDAR = _error("RK318", "no-calendar", "a date in a rule set without a calendar")
OUTSIDE_LOOP = _error("RK319", "outside-loop", "a `leave` or `next` outside a loop")
WRONG_RESULT = _error("RK320", "wrong-result", "a result where none is declared, or none where one is")
NO_OTHERWISE = _error("RK321", "no-otherwise", "a definition that may end without a value")
NOT_CONSTANT = _error("RK322", "not-constant", "a beginning that only play could tell")
ANSWER_IN_PERMIT = _error("RK323", "answer-in-permit", "a permission that reads the finished answer")
TABLE_SHAPE = _error("RK330", "table-shape", "a table whose head or rows do not fit its keys")
TABLE_SIZE = _error("RK331", "table-size", "a table with too many keys")
EXAMPLE_SHAPE = _error("RK340", "example-shape", "an example that cannot be run as written")

# 4xx: rules as they are written: tables, norms, sequence, claims

TABLE_GAP = _error("RK401", "table-gap", "keys that no row of a table covers")
TABLE_OVERLAP = _error("RK402", "table-overlap", "keys that two rows of a table cover")
SAME_RESULT_TWICE = _note("RK403", "same-result-twice", "keys that two rows of a table cover with one result")
UNREACHED_ROW = _warning("RK404", "unreached-row", "a row of a table that no look-up reaches")
ROW_OUT_OF_ORDER = _warning("RK405", "row-out-of-order", "a row of a table that stands out of order")
BROKEN_TREND = _note("RK406", "broken-trend", "a cell that alone breaks its table's trend")
UNKNOWN_CITATION = _warning(
    "RK410", "unknown-citation", "a citation of a rule that no list of printed rules has"
)
BROKEN_CLAIM = _warning("RK411", "broken-claim", "a claim that the rules and data contradict")
READING_NOT_PLAYED = _warning("RK412", "reading-not-played", "a reading said to be played that does not hold")
BROKEN_EXAMPLE = _warning("RK413", "broken-example", "a claimed example that comes out otherwise")
WRONG_REFERENCE = _warning(
    "RK414", "wrong-reference", "a printed number or name under which what is meant does not stand"
)
STALE_ERRATA = _warning("RK415", "stale-errata", "an errata entry that settles what is in no need of it")
UNDECIDED_CLAIM = _undecided("RK416", "undecided-claim", "a claim that is neither proved nor denied")
STALE_ACCEPTANCE = _warning("RK420", "stale-acceptance", "an acceptance of a finding that is not there")
ACCEPTED_ERROR = _warning("RK421", "accepted-error", "an acceptance of an error, which cannot be accepted")
UNKNOWN_CODE = _warning("RK422", "unknown-code", "a code that no kind of finding has")
UNUSED = _warning("RK430", "unused", "something declared that nothing uses")
NEVER_READ = _warning("RK431", "never-read", "a state that is changed and never read")
NEVER_CHANGED = _warning("RK432", "never-changed", "a state that is read and never changed")
UNNAMED_MEMBER = _note("RK433", "unnamed-member", "a member of an enum that nothing names")
EMPTY_CLASS = _warning("RK434", "empty-class", "a class of modifiers that no modifier is of")
UNREACHED_PROCEDURE = _warning("RK440", "unreached-procedure", "a procedure or sequence that nothing does")
IDLE_LOOP = _warning("RK441", "idle-loop", "a loop whose condition it never changes")
AFTER_LEAVING = _warning("RK442", "after-leaving", "a statement that nothing can reach")
STEP_NUMBER_TWICE = _warning("RK443", "step-number-twice", "two steps with the same printed number")
STEPS_BACKWARDS = _note("RK444", "steps-backwards", "steps whose printed numbers run backwards")
IMPOSSIBLE_EVENT = _warning("RK445", "impossible-event", "an event that never happens")
SIGN_TWICE = _warning("RK446", "sign-twice", "a number below nothing that is taken away")
BEYOND_THE_CAP = _warning("RK447", "beyond-the-cap", "a modifier of which a part never counts")
COUNTED_TWICE = _warning("RK448", "counted-twice", "one bonus under two numbers, and both count")

# 5xx: what can be proved or refuted

UNREACHABLE_CASE = _warning("RK501", "unreachable-case", "a case that is never reached")
IDLE_NORM = _warning("RK502", "idle-norm", "a norm that never speaks")
IDLE_EXCEPTION = _warning("RK503", "idle-exception", "an exception that never applies")
IDLE_CLAUSE = _warning("RK504", "idle-clause", "a clause that never holds, so that what it limits never acts")
EXHAUSTED_CHOICE = _note("RK510", "exhausted-choice", "a choice that can run out of options")
DUTY_AGAINST_BAN = _warning("RK511", "duty-against-ban", "a duty where bans leave nothing")
UNDECIDED_DUTY = _undecided("RK512", "undecided-duty", "a duty that bans may make impossible")
OFF_THE_TABLE = _warning("RK520", "off-the-table", "a modified roll that leaves the range of its table")

# 6xx: data, sheets and lists of printed rules

UNDECLARED_COLUMN = _error("RK601", "undeclared-column", "a column of data that no field takes")
MISSING_FIELD = _error("RK602", "missing-field", "a fixed field without data")
WRONG_CELL = _error("RK603", "wrong-cell", "a cell of data that is not of its field's type")
DANGLING_NAME = _error("RK604", "dangling-name", "a name in data that nothing declares", gathers=True)
OWNER_COLUMN = _error("RK605", "owner-column", "an owner's table without a declared column")
OWNER_GAP = _error("RK606", "owner-gap", "an owner's table without a declared row or cell")
OWNER_KEY = _error("RK607", "owner-key", "an owner's row outside the declared keys")
NOWHERE = _error("RK608", "nowhere", "a piece that is always somewhere and begins nowhere")
ONE_WAY_RELATION = _warning("RK609", "one-way-relation", "a relation that goes one way between a few")
YAML_SYNTAX = _error("RK631", "yaml-syntax", "a data file that is not YAML")
DUPLICATE_KEY = _error("RK632", "duplicate-key", "a key or a column given twice")
UNKNOWN_KEY = _error("RK633", "unknown-key", "a key or a column that is not known here")
MISSING_KEY = _error("RK634", "missing-key", "a key that must be given")
WRONG_SHAPE = _error("RK635", "wrong-shape", "something else than is expected here")
CELL_COUNT = _error("RK636", "cell-count", "a row with too few or too many cells")
CONFIDENCE_WORD = _error("RK637", "confidence-word", "not a word of confidence")
UNSUPPORTED_YAML = _error("RK638", "unsupported-yaml", "YAML that data files do without")
DATA_LIMIT = _error("RK639", "data-limit", "data beyond a limit")
NOT_A_DATA_FILE = _error("RK640", "not-a-data-file", "a file of another kind")
DUPLICATE_ROW = _error("RK641", "duplicate-row", "two rows with one name or key")
UNKNOWN_SOURCE = _warning("RK642", "unknown-source", "a source the file does not list", gathers=True)
OVERLAY_UNKNOWN_NAME = _error("RK643", "overlay-unknown-name", "an overlay of nothing")
FACTS_ON_TRUST = _note("RK644", "facts-on-trust", "facts taken on trust")
AMBIGUOUS_NUMBER = _error("RK645", "ambiguous-number", "a number that may be meant as a name")
PRESET_UNKNOWN_OPTION = _error("RK646", "preset-unknown-option", "a preset with an option that is not listed")
SOURCES_HEADER = _error("RK647", "sources-header", "a list of printed rules with a wrong first line")
SOURCES_COLUMNS = _error("RK648", "sources-columns", "a printed rule with too few or too many columns")
DUPLICATE_RULE_ID = _error("RK649", "duplicate-rule-id", "two printed rules with one id")
MANY_FINDINGS = _note("RK650", "many-findings", "findings not shown")
MISSING_COLUMN = _error("RK651", "missing-column", "a column that is not there")
SHEET_UNKNOWN_NAME = _error(
    "RK660", "sheet-unknown-name", "a sheet of something that is not there", since="0.2.0"
)
STRAY_MESSAGE = _error(
    "RK661", "stray-message", "a wording of a printed rule that is not there", since="0.2.0"
)

# 7xx: faults of play (spec 14.2)

OUT_OF_RANGE = _error("RK701", "out-of-range", "a number beyond the range of what it is kept in")
NO_ROW = _error("RK702", "no-row", "a table without a row for its keys")
MISSING_DATA = _error("RK703", "missing-data", "a table of the owner's without its numbers")
NO_VALUE = _error("RK704", "no-value", "something is needed that is not there")
DIVISION_BY_ZERO = _error("RK705", "division-by-zero", "a division by zero")
EMPTY_DRAW = _error("RK706", "empty-draw", "a draw where there is nothing to draw")
NO_GROUP_LEFT = _error("RK707", "no-group-left", "a group is formed and all are in use")
SIMULTANEOUS_CONFLICT = _error("RK708", "simultaneous-conflict", "changes at one moment that disagree")
NO_LEGAL_OPTION = _error("RK709", "no-legal-option", "a choice that must be answered and cannot be")
UNDECIDED_CHOICE = _error("RK710", "undecided-choice", "options that were not found within the budget")
TOO_MANY_OPTIONS = _error("RK711", "too-many-options", "more options than there may be")
ENDLESS_LOOP = _error("RK712", "endless-loop", "a loop that does not come to its end")
BUDGET = _error("RK713", "budget", "a step beyond its budget")
BROKEN_INVARIANT = _error("RK714", "broken-invariant", "a promise that does not hold")
NOT_REACHED = _note("RK720", "not-reached", "what no game of a search came to")
SEARCH_BOUND = _undecided("RK721", "search-bound", "a search of play that a limit has ended")
OPEN_LOOP = _note("RK722", "open-loop", "a loop of which no proof is found that it ends")
ENDLESS_PLAY = _warning("RK723", "endless-play", "answers that lead back to where they began")
