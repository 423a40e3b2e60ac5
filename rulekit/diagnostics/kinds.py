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
CONTROL_CHARACTER = _error("RK103", "control-character", "control characters in a file of rules")
TOO_LARGE = _error("RK104", "too-large", "an item or a number beyond the limits")
UNCLOSED_BRACKET = _error("RK105", "unclosed-bracket", "a bracket without its partner")
UNEVEN_INDENTATION = _error("RK106", "uneven-indentation", "inconsistent indentation")
TOO_DEEP = _error("RK107", "too-deep", "nesting beyond the limit")
MISSING_COLON = _error("RK108", "missing-colon", "a missing colon")
NO_KEYWORD = _error("RK109", "no-keyword", "a line without a keyword")
FOREIGN_CHARACTER = _error("RK110", "foreign-character", "a typographic character in place of a plain one")
MISSING_BLOCK = _error("RK111", "missing-block", "a missing block")
MISPLACED_CITATION = _error("RK112", "misplaced-citation", "a misplaced citation")
CITATION_IN_COMMENT = _warning("RK113", "citation-in-comment", "a citation inside a comment")
DIRECTION_MARK = _warning("RK114", "direction-mark", "a mark that turns the direction of text", since="0.2.0")

# 2xx: names and files

DECLARED_TWICE = _error("RK201", "declared-twice", "a name declared twice")
NAME_TAKEN = _error("RK202", "name-taken", "a name that belongs to the language")
UNKNOWN_TYPE = _error("RK203", "unknown-type", "an unknown type", gathers=True)
UNKNOWN_KIND = _error("RK204", "unknown-kind", "a union of something other than kinds")
MEMBER_TWICE = _error("RK205", "member-twice", "two members of one kind with the same name")
NO_MEMBERS = _error("RK206", "no-members", "a kind without members")
IMPOSSIBLE_BOARD = _error(
    "RK207", "impossible-board", "a board that cannot be laid out as written", since="0.2.0"
)
UNKNOWN_NAME = _error("RK210", "unknown-name", "an unknown name", gathers=True)
AMBIGUOUS_NAME = _error("RK211", "ambiguous-name", "an ambiguous name")
UNKNOWN_FIELD = _error("RK212", "unknown-field", "an unknown field", gathers=True)
SHADOWED_NAME = _error("RK213", "shadowed-name", "a local with the name of another local")
MIXED_SCRIPTS = _warning("RK214", "mixed-scripts", "a name with letters of several scripts", since="0.2.0")
LOOKALIKE_NAMES = _warning("RK215", "lookalike-names", "two names that look alike", since="0.2.0")
INVISIBLE_CHARACTER = _warning(
    "RK216", "invisible-character", "an invisible character in a name", since="0.2.0"
)
NO_RULE_SET = _error("RK220", "no-rule-set", "an unknown rule set")
NO_RULES = _error("RK221", "no-rules", "a rule set without rules")
UNKNOWN_OPTION = _error("RK222", "unknown-option", "an unknown option")
LANGUAGE_VERSION = _error("RK223", "language-version", "a rule set in another version of the language")
NO_ENTRY = _error("RK224", "no-entry", "an undeclared sequence or enum of sides")
TOO_MANY_FILES = _error("RK225", "too-many-files", "too many files of rules")
IMPOSSIBLE_PRESET = _error("RK226", "impossible-preset", "a preset whose options cannot be used together")
UNLISTED_OPTION = _warning("RK227", "unlisted-option", "an option file that the manifest does not list")
CHANGED_MEANING = _warning(
    "RK228", "changed-meaning", "a line that a later version of the language reads otherwise", since="0.2.0"
)
NOTHING_TO_AMEND = _error("RK230", "nothing-to-amend", "an amendment of something that does not exist")
AMBIGUOUS_CITATION = _error(
    "RK231", "ambiguous-citation", "an amendment by a rule number that several things cite"
)
IMPOSSIBLE_AMENDMENT = _error("RK232", "impossible-amendment", "an amendment that its target does not allow")
EXCLUDED_TOGETHER = _error("RK233", "excluded-together", "two variants that exclude each other")
UNORDERED_AMENDMENTS = _error("RK234", "unordered-amendments", "two amendments of one point without an order")
NEEDED_VARIANT = _error("RK235", "needed-variant", "a variant without another one that it needs")
UNORDERED_MODIFIERS = _error("RK236", "unordered-modifiers", "two modifiers that need an order")
IMPOSSIBLE_RELATIONS = _error("RK237", "impossible-relations", "a variant that can never be turned on")
IDLE_AMENDMENT = _warning("RK238", "idle-amendment", "an amendment with no effect")
IDLE_VARIANT = _warning("RK239", "idle-variant", "a variant overridden by one it needs")
IDLE_BESIDE = _note("RK240", "idle-beside", "a change with no effect beside another variant")
UNTRIED_PAIRS = _undecided("RK241", "untried-pairs", "option pairs that were not checked")
CHANGED_TWICE = _warning("RK242", "changed-twice", "one change made by two variants", since="0.2.0")
IDLE_OPTION = _note(
    "RK243", "idle-option", "an option that changes nothing with the data of the set", since="0.2.0"
)
MISSING_FILE = _error("RK290", "missing-file", "a missing file")
OUTSIDE_FOLDER = _error("RK291", "outside-folder", "a path outside the rule set's folder")
FILE_NOT_TEXT = _error("RK292", "file-not-text", "a file that is not UTF-8 text")
FILE_TOO_LARGE = _error("RK293", "file-too-large", "a file that is too large")
FILE_UNREADABLE = _error("RK294", "file-unreadable", "a file that cannot be read")

# 3xx: types

IMPOSSIBLE_TYPE = _error("RK301", "impossible-type", "an impossible type")
MIXED_KINDS = _error("RK302", "mixed-kinds", "a union of kinds from different domains")
NO_PLACE = _error("RK303", "no-place", "a place outside the spaces of the board")
WRONG_TYPE = _error("RK310", "wrong-type", "a value of the wrong type")
MAYBE_NONE = _error("RK311", "maybe-none", "a value that may be none where a value is required")
WRONG_ARGUMENTS = _error("RK312", "wrong-arguments", "a call with the wrong arguments")
UNTOLD_TYPE = _error("RK313", "untold-type", "a value of unknown type")
RECURSION = _error("RK314", "recursion", "a definition or procedure that depends on itself")
NEVER_NONE = _warning("RK315", "never-none", "a test for none of a value that is never none")
ALWAYS_OUT_OF_RANGE = _error("RK316", "always-out-of-range", "a number that is always outside its range")
NOT_CHANGEABLE = _error("RK317", "not-changeable", "a change to something that cannot change")
NO_CALENDAR = _error("RK318", "no-calendar", "a date in a rule set without a calendar")
OUTSIDE_LOOP = _error("RK319", "outside-loop", "a `leave` or `next` outside a loop")
WRONG_RESULT = _error("RK320", "wrong-result", "an undeclared or missing result")
NO_OTHERWISE = _error("RK321", "no-otherwise", "a definition that may end without a value")
NOT_CONSTANT = _error("RK322", "not-constant", "a starting value that is not constant")
ANSWER_IN_PERMIT = _error("RK323", "answer-in-permit", "a permission that reads the finished answer")
SHOWN_DRAW = _error("RK324", "shown-draw", "a secret draw from something that all may see", since="0.2.0")
HIDDEN_KNOWLEDGE = _error("RK325", "hidden-knowledge", "`known to` that reads what is hidden", since="0.2.0")
TABLE_SHAPE = _error("RK330", "table-shape", "a table that does not match its declaration")
TABLE_SIZE = _error("RK331", "table-size", "a table that is too large")
IMPOSSIBLE_DEPTH = _error("RK332", "impossible-depth", "a procedure with an impossible depth", since="0.2.0")
EXAMPLE_SHAPE = _error("RK340", "example-shape", "an example that cannot be run as written")

# 4xx: rules as they are written: tables, norms, sequence, claims

TABLE_GAP = _error("RK401", "table-gap", "inputs that no row of a table covers")
TABLE_OVERLAP = _error("RK402", "table-overlap", "inputs that two rows of a table cover")
SAME_RESULT_TWICE = _note(
    "RK403", "same-result-twice", "inputs that two rows of a table cover with the same result"
)
UNREACHED_ROW = _warning("RK404", "unreached-row", "an unreachable table row")
ROW_OUT_OF_ORDER = _warning("RK405", "row-out-of-order", "a table row out of order")
BROKEN_TREND = _note("RK406", "broken-trend", "a cell that breaks the trend of its table")
UNKNOWN_CITATION = _warning("RK410", "unknown-citation", "an unknown rule number")
BROKEN_CLAIM = _warning("RK411", "broken-claim", "a claim that the rules and data contradict")
READING_NOT_PLAYED = _warning("RK412", "reading-not-played", "a declared reading that the rules do not play")
BROKEN_EXAMPLE = _warning("RK413", "broken-example", "a claimed example with another result")
WRONG_REFERENCE = _warning("RK414", "wrong-reference", "a reference to the wrong rule or name")
STALE_ERRATA = _warning("RK415", "stale-errata", "an errata entry without a contradiction")
UNDECIDED_CLAIM = _undecided("RK416", "undecided-claim", "an undecided claim")
DENIED_BY_OPTION = _note(
    "RK417", "denied-by-option", "a claim of the base that an option contradicts", since="0.2.0"
)
STALE_ACCEPTANCE = _warning("RK420", "stale-acceptance", "an accepted finding that no longer occurs")
ACCEPTED_ERROR = _warning("RK421", "accepted-error", "an accepted error")
UNKNOWN_CODE = _warning("RK422", "unknown-code", "an unknown code")
UNUSED = _warning("RK430", "unused", "an unused declaration")
NEVER_READ = _warning("RK431", "never-read", "a state that is changed but never read")
NEVER_CHANGED = _warning("RK432", "never-changed", "a state that is read but never changed")
UNNAMED_MEMBER = _note("RK433", "unnamed-member", "an unused member of an enum")
EMPTY_CLASS = _warning("RK434", "empty-class", "an unused stacking class")
IDLE_IN_PLAY = _note("RK435", "idle-in-play", "states that play does not both change and read", since="0.2.0")
UNREACHED_PROCEDURE = _warning("RK440", "unreached-procedure", "a procedure or sequence that is never run")
IDLE_LOOP = _warning("RK441", "idle-loop", "a loop that never changes its condition")
AFTER_LEAVING = _warning("RK442", "after-leaving", "an unreachable statement")
STEP_NUMBER_TWICE = _warning("RK443", "step-number-twice", "two steps with the same rule number")
STEPS_BACKWARDS = _note("RK444", "steps-backwards", "steps whose rule numbers run backwards")
IMPOSSIBLE_EVENT = _warning("RK445", "impossible-event", "an event that never happens")
SIGN_TWICE = _warning("RK446", "sign-twice", "a subtracted negative number")
BEYOND_THE_CAP = _warning("RK447", "beyond-the-cap", "a modifier above its stacking limit")
COUNTED_TWICE = _warning("RK448", "counted-twice", "a bonus counted twice")
OUT_OF_REACH = _note("RK449", "out-of-reach", "items that no play can reach", since="0.2.0")
LOOP_ORDER = _warning(
    "RK450", "loop-order", "a loop that runs in another order than it is written", since="0.2.0"
)
IDLE_DEPTH = _warning("RK451", "idle-depth", "the depth of a procedure that never runs itself", since="0.2.0")

# 5xx: what can be proved or refuted

UNREACHABLE_CASE = _warning("RK501", "unreachable-case", "an unreachable case")
IDLE_NORM = _warning("RK502", "idle-norm", "a restriction with no effect")
IDLE_EXCEPTION = _warning("RK503", "idle-exception", "an exception that never applies")
IDLE_CLAUSE = _warning("RK504", "idle-clause", "a condition that is never true")
EXHAUSTED_CHOICE = _note("RK510", "exhausted-choice", "a choice that can run out of legal answers")
DUTY_AGAINST_BAN = _warning("RK511", "duty-against-ban", "a requirement that cannot be met")
UNDECIDED_DUTY = _undecided("RK512", "undecided-duty", "a requirement that may be impossible")
EXHAUSTED_TOGETHER = _warning(
    "RK513", "exhausted-together", "options that together leave no legal answer", since="0.2.0"
)
UNBOUNDED_NORM = _note(
    "RK514", "unbounded-norm", "a norm that can judge only finished answers", since="0.2.0"
)
LONG_SEARCH = _warning("RK515", "long-search", "legal answers that take a long search", since="0.2.0")
OFF_THE_TABLE = _warning("RK520", "off-the-table", "a modified roll that leaves the range of its table")
OVER_BUDGET = _warning(
    "RK521", "over-budget", "rules that always take more work than a step may", since="0.2.0"
)
DISCLOSURE = _warning(
    "RK530", "disclosure", "a rule that gives away what is hidden from a side", since="0.2.0"
)
UNDECIDED_DISCLOSURE = _undecided(
    "RK531", "undecided-disclosure", "a rule that may give away what is hidden from a side", since="0.2.0"
)

# 6xx: data, sheets and lists of printed rules

UNDECLARED_COLUMN = _error("RK601", "undeclared-column", "a data column without a field")
MISSING_FIELD = _error("RK602", "missing-field", "a fixed field without data")
WRONG_CELL = _error("RK603", "wrong-cell", "a data cell of the wrong type")
DANGLING_NAME = _error("RK604", "dangling-name", "an unknown name in data", gathers=True)
OWNER_COLUMN = _error("RK605", "owner-column", "an owner's table with missing or undeclared columns")
OWNER_GAP = _error("RK606", "owner-gap", "an owner's table with missing rows or cells")
OWNER_KEY = _error("RK607", "owner-key", "an owner's row outside the declared keys")
NOWHERE = _error("RK608", "nowhere", "a piece without a starting place")
ONE_WAY_RELATION = _warning("RK609", "one-way-relation", "a one-way relation among two-way ones")
MADE_UP_MEMBERS = _note("RK610", "made-up-members", "made-up data in place of the owner's", since="0.2.0")
YAML_SYNTAX = _error("RK631", "yaml-syntax", "a data file that is not YAML")
DUPLICATE_KEY = _error("RK632", "duplicate-key", "a key or column that appears twice")
UNKNOWN_KEY = _error("RK633", "unknown-key", "an unknown key or column")
MISSING_KEY = _error("RK634", "missing-key", "a missing key")
WRONG_SHAPE = _error("RK635", "wrong-shape", "a value of the wrong shape")
CELL_COUNT = _error("RK636", "cell-count", "a row with too few or too many cells")
CONFIDENCE_WORD = _error("RK637", "confidence-word", "an unknown confidence level")
UNSUPPORTED_YAML = _error("RK638", "unsupported-yaml", "YAML that data files do not support")
DATA_LIMIT = _error("RK639", "data-limit", "data beyond a limit")
NOT_A_DATA_FILE = _error("RK640", "not-a-data-file", "a file that is not a data file")
DUPLICATE_ROW = _error("RK641", "duplicate-row", "two rows with the same name or key")
UNKNOWN_SOURCE = _warning("RK642", "unknown-source", "an unknown source", gathers=True)
OVERLAY_UNKNOWN_NAME = _error("RK643", "overlay-unknown-name", "an override of something that does not exist")
FACTS_ON_TRUST = _note("RK644", "facts-on-trust", "unverified facts")
AMBIGUOUS_NUMBER = _error("RK645", "ambiguous-number", "an ambiguous number")
PRESET_UNKNOWN_OPTION = _error("RK646", "preset-unknown-option", "a preset with an unknown option")
SOURCES_HEADER = _error("RK647", "sources-header", "a list of printed rules with an invalid first line")
SOURCES_COLUMNS = _error("RK648", "sources-columns", "a printed rule with too few or too many columns")
DUPLICATE_RULE_ID = _error("RK649", "duplicate-rule-id", "two printed rules with the same id")
MANY_FINDINGS = _note("RK650", "many-findings", "findings not shown")
MISSING_COLUMN = _error("RK651", "missing-column", "a missing column")
SHEET_UNKNOWN_NAME = _error(
    "RK660", "sheet-unknown-name", "a sheet block with an unknown name", since="0.2.0"
)
STRAY_MESSAGE = _error(
    "RK661", "stray-message", "a wording for an unknown printed rule or name", since="0.2.0"
)
SHEET_WITHOUT_WORDS = _note(
    "RK662", "sheet-without-words", "a rule without words for the sheet", since="0.2.0"
)
SHEET_STYLE = _note("RK663", "sheet-style", "a line of a sheet that does not read alone", since="0.2.0")

# 7xx: faults of play (spec 14.2)

OUT_OF_RANGE = _error("RK701", "out-of-range", "a number outside its range")
NO_ROW = _error("RK702", "no-row", "a table without a row for its keys")
MISSING_DATA = _error("RK703", "missing-data", "a table whose owner data is missing")
NO_VALUE = _error("RK704", "no-value", "a missing value")
DIVISION_BY_ZERO = _error("RK705", "division-by-zero", "a division by zero")
EMPTY_DRAW = _error("RK706", "empty-draw", "a draw from nothing")
NO_GROUP_LEFT = _error("RK707", "no-group-left", "no group left to form")
SIMULTANEOUS_CONFLICT = _error("RK708", "simultaneous-conflict", "conflicting simultaneous changes")
NO_LEGAL_OPTION = _error("RK709", "no-legal-option", "a choice without a legal answer")
UNDECIDED_CHOICE = _error("RK710", "undecided-choice", "legal answers that were not found within the budget")
TOO_MANY_OPTIONS = _error("RK711", "too-many-options", "too many candidates")
ENDLESS_LOOP = _error("RK712", "endless-loop", "an endless loop")
BUDGET = _error("RK713", "budget", "a step beyond its budget")
BROKEN_INVARIANT = _error("RK714", "broken-invariant", "a broken promise")
NOT_REACHED = _note("RK720", "not-reached", "rules that no game reached")
SEARCH_BOUND = _undecided("RK721", "search-bound", "a search of play that hit its limit")
OPEN_LOOP = _note("RK722", "open-loop", "a loop not proved to end")
ENDLESS_PLAY = _warning("RK723", "endless-play", "answers that lead back to the same position")
