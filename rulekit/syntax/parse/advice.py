"""Hints about a refused word: one small recogniser for each common mistake.

A recogniser gets the refused word, the text around it on its line, and the words allowed in its place; it
returns the hint, or None for another mistake.  `advice` tries them in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulekit.base.frozen import frozen
from rulekit.base.spelling import nearest

_CALL = re.compile(r"\s*(?:\((?:[^()]|\([^()]*\))*\))?")
_WORD = re.compile(r"\w+|'[^'\n]+'")
_LAST_TERM = re.compile(r"[\w.']+(?:\([^()]*\))?\s*$")
_FILTER = re.compile(r"[\w.']+ +(?:where|with|linked)\b")
_CITATION = re.compile(r"\s*\[[^\]]*\]\s*$")
_OPERATORS = frozenset(("=", "<", "<=", ">", ">=", "is", "in", "has", "not"))
_JOINING = {
    "set": "to", "add": "to", "take": "from", "move": "to",
    "mark": "as", "unmark": "as", "draw": "from", "form": "as",
}  # fmt: skip
"""Statements of two parts, each with the word between them."""
_VALUELESS = {
    "roll": ("a roll", "shown"), "choose": ("a choice", "wanted"),
    "do": ("a procedure", "made"), "draw": ("a draw", "drawn"),
}  # fmt: skip
"""Statements that are often written as values: in words, and a name for the result."""
_SAYING = frozenset(("print", "write", "log", "echo", "show", "display", "message", "tell"))
_ADDRESSED = {
    "set": ("value", "modifier", "state", "track"),
    "redefine": ("define", "value"),
    "remove": ("modifier", "norm", "step"),
    "replace": ("step", "procedure", "table", "choice"),
    "widen": ("parameter", "field", "state", "result"),
    "add to": ("choice", "table", "enum", "piece"),
    "insert before": ("step",),
    "insert after": ("step",),
}
"""The targets of each sort of amendment, the likeliest first."""


@frozen
class Refusal:
    """A word that the parser refused.

    `before` and `behind` are the text on its line on either side, without a comment.  `could` are the tokens
    allowed in its place: words and signs as they are written, other tokens by their names.
    """

    text: str
    before: str
    behind: str
    could: frozenset[str]

    @property
    def begins_line(self) -> bool:
        return not self.before.strip()

    @property
    def is_name(self) -> bool:
        return _WORD.fullmatch(self.text) is not None


Recogniser = Callable[[Refusal], str | None]


def advice(refusal: Refusal) -> str | None:
    """The hint of the first recogniser that knows the mistake."""
    return next((hint for recogniser in _RECOGNISERS if (hint := recogniser(refusal))), None)


# ---------------------------------------------------------------- expressions


def _filter_in_brackets(refusal: Refusal) -> str | None:
    """`some s in Ship where ..`: a filter inside another expression."""
    ended = bool(refusal.could & {"or", "and", "+"})
    if refusal.text in ("where", "with", "linked") and ended:
        of = _LAST_TERM.search(refusal.before)
        return f"add parentheses: `({of[0].strip() if of else '..'} {refusal.text} ..)`"
    match = _FILTER.search(re.split(r"[(){}]", refusal.before)[-1])
    if match is not None and refusal.text in _OPERATORS:
        return f"add parentheses around the set: `({match[0]} ..) {refusal.text}`"
    return None


def _line_of_its_own(refusal: Refusal) -> str | None:
    """`let shot = roll fire`: chance, choices and procedures are statements, not values."""
    match = re.search(r"\S\s*\b(roll|choose|do|draw)\s*$", refusal.before)
    if match is None or not (refusal.is_name or refusal.text.isdigit()):
        return None
    verb = match[1]
    what, default = _VALUELESS[verb]
    named = re.match(r"\s*let\s+(\w+)", refusal.before)
    rest = _CALL.match(refusal.behind)
    behind = _CITATION.sub("", refusal.behind).rstrip(": ") if verb == "draw" else rest[0] if rest else ""
    return f"{what} needs its own line: `{verb} {refusal.text}{behind} as {named[1] if named else default}`"


def _range(refusal: Refusal) -> str | None:
    """`1-3` or `1 to 3` where a range is meant."""
    low, high = re.search(r"-?\d+\s*$", refusal.before), re.match(r"\s*-?\d+", refusal.behind)
    if refusal.text not in ("-", "to", ",") or ".." not in refusal.could or low is None or high is None:
        return None
    return f"write the range as `{low[0].strip()}..{high[0].strip()}`"


# ---------------------------------------------------------------- statements


def _assignment(refusal: Refusal) -> str | None:
    """`fuel = 3`, `fuel += 3` at the start of a line."""
    whole = _CITATION.sub("", refusal.text + refusal.behind).rstrip()
    match = re.fullmatch(r"([\w.']+(?:\([^()]*\))?)\s*(\+|-|:)?=\s*([^=].*)", whole)
    if match is None or not refusal.begins_line or "set" not in refusal.could:
        return None
    target, sign, value = match.groups()
    by_sign = {"+": f"add {value} to {target}", "-": f"take {value} from {target}"}
    return f"write `{by_sign.get(sign, f'set {target} to {value}')}`"


def _saying(refusal: Refusal) -> str | None:
    """`print "x"`."""
    fits = refusal.begins_line and refusal.text in _SAYING and "say" in refusal.could
    return 'write `say "..."`' if fits else None


def _joining(refusal: Refusal) -> str | None:
    """`add 1 fuel`: the word between the parts of a statement is missing."""
    match = re.fullmatch(r"\s*(\w+)\s+(.*\S)\s*", refusal.before)
    word = _JOINING.get(match[1]) if match else None
    if match is None or word is None or word not in refusal.could:
        return None
    if refusal.text == "=":
        return f"write `{match[1]} {match[2]} {word} {_CITATION.sub('', refusal.behind).strip()}`"
    if refusal.is_name or refusal.text[:1] in '("{':
        return f"write `{match[1]} {match[2]} {word} {refusal.text}`"
    return None


def _times(refusal: Refusal) -> str | None:
    """`repeat 3:`, and `repeat` with a condition."""
    if "times" not in refusal.could or not refusal.before.lstrip().startswith("repeat"):
        return None
    if refusal.text == ":":
        return f"write `{refusal.before.strip()} times:`"
    if refusal.text in _OPERATORS:
        return "with a condition, write `repeat while ..:` or `repeat until ..:`"
    return None


def _advise_result(refusal: Refusal) -> str | None:
    """`return 3`."""
    return "write `result` before a value" if refusal.before.strip() == "return" else None


def _single_expression(refusal: Refusal) -> str | None:
    """A bare expression under the head of a definition; a misspelt word has a nearest one."""
    near = nearest(refusal.text, refusal.could)
    if refusal.begins_line and {"otherwise", "until", "let"} <= refusal.could and not near:
        return (
            "write a single expression on the first line, after the `:`;"
            " lines under it start with `when`, `otherwise`, `let` or a stretch of the calendar"
        )
    return None


# ---------------------------------------------------------------- items


def _decider(refusal: Refusal) -> str | None:
    """`choice target(side):` without its decider."""
    return "name the decider: `by SIDE` before the `:`" if refusal.could == {"by"} else None


def _missing_address(refusal: Refusal) -> str | None:
    """`set v to 4` in an option, without the sort of thing that `v` is."""
    if not (refusal.is_name and {"modifier", "procedure", "choice"} <= refusal.could):
        return None
    verb = " ".join(refusal.before.split())
    kinds = _ADDRESSED.get(verb)
    if kinds is None:
        return None
    others = f", or `{'`, `'.join(kinds[1:])}` in place of `{kinds[0]}`" if kinds[1:] else ""
    return f"say what `{refusal.text}` is: `{verb} {kinds[0]} {refusal.text}`{others}"


# ---------------------------------------------------------------- citations


def _several_citations(refusal: Refusal) -> str | None:
    """`[4.2] [4.3]`."""
    before = _CITATION.search(refusal.before)
    if not refusal.text.startswith("[") or before is None:
        return None
    return f"combine both: `[{before[0].strip()[1:-1]}, {refusal.text[1:-1]}]`"


def _lone_citation(refusal: Refusal) -> str | None:
    """A citation alone on its line."""
    alone = refusal.text.startswith("[") and refusal.begins_line and not refusal.behind.strip()
    return "move it to the end of the line it refers to" if alone else None


_RECOGNISERS: tuple[Recogniser, ...] = (
    _filter_in_brackets,
    _line_of_its_own,
    _range,
    _assignment,
    _saying,
    _joining,
    _times,
    _advise_result,
    _single_expression,
    _decider,
    _missing_address,
    _several_citations,
    _lone_citation,
)
