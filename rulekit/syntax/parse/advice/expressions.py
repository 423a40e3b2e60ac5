"""Recognisers of mistakes in expressions."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from rulekit.syntax.parse.advice.refusal import (
    ARGUMENTS,
    CITATION,
    NAME,
    OPERATORS,
    TERM,
    Recogniser,
    Refusal,
)
from rulekit.syntax.parse.advice.statements import DICE, undeclared_dice

_CALL = re.compile(rf"\s*{ARGUMENTS}")
_TO_BRACKET = re.compile(r"((?:[^()]|\([^()]*\))*)\)")
"""The text inside a bracket, and the closing bracket."""
_LAST_TERM = re.compile(r"[\w.']+(?:\([^()]*\))?\s*$")
_VALUE = re.compile(
    rf"\s*(?:(?:define|value|redefine)\s[^:(]*{ARGUMENTS}[^:(]*:|(?:when\s.*|otherwise):"
    r"|let\s[^=]*=|set\s.*?\sto\b|result\b)\s+(\S.*?)\s+"
)
"""The head of a line that gives a value, and the value."""
_FILTER = re.compile(r"[\w.']+ +(?:where|with|linked)\b")
_VALUELESS = {
    "roll": ("a roll", "shown"), "choose": ("a choice", "wanted"),
    "do": ("a procedure", "made"), "draw": ("a draw", "drawn"),
}  # fmt: skip
"""Statements that are often written as values: in words, and a name for the result."""
_SIGNS = {
    "!=": "write `not (a = b)` or `is not` instead of `!=`",
    "<>": "write `not (a = b)` or `is not` instead of `<>`",
    "==": "write one `=`", "===": "write one `=`", "=>": "write `>=`", "=<": "write `<=`",
    "&": "write `and`", "&&": "write `and`", "|": "write `or`", "||": "write `or`", "%": "write `mod`",
    "//": "write `#` before a comment", "/*": "write `#` before a comment",
}  # fmt: skip
"""Signs of other languages."""
_SIGN = r"[-+=!<>&|:%/]*"
_COUNTED = {"number": "count of", "amount": "count of", "sum": "total of", "union": "join of"}
"""Words before `of`, and how the language begins instead."""
_BETWEEN = r"(?:\s*,\s*(?:or\s+)?|\s+or\s+)"
_LISTED = re.compile(
    rf"(=|\b(?:is not|is|not in|in|to|from))\s+"
    rf"({TERM}(?:{_BETWEEN}{TERM}(?!\s*[=<>]|\s+(?:is|in|has)\b))+)"
)


def _filter_in_brackets(refusal: Refusal) -> str | None:
    """`some s in Ship where ..`: a filter inside another expression."""
    ended = bool(refusal.could & {"or", "and", "+"})
    if refusal.text in ("where", "with", "linked") and ended:
        of = _LAST_TERM.search(refusal.before)
        return f"add parentheses: `({of[0].strip() if of else '..'} {refusal.text} ..)`"
    match = _FILTER.search(re.split(r"[(){}]", refusal.before)[-1])
    if match is not None and refusal.text in OPERATORS:
        return f"add parentheses around the set: `({match[0]} ..) {refusal.text}`"
    return None


def _sign(refusal: Refusal) -> str | None:
    """`n != 3`, `a && b`."""
    before, behind = (
        re.search(rf"{_SIGN}$", refusal.before),
        re.match(rf"({_SIGN})\s*({TERM})?", refusal.behind),
    )
    assert before is not None and behind is not None
    sign = before[0] + refusal.text + behind[1]
    return f"write `not {behind[2]}`" if sign == "!" and behind[2] else _SIGNS.get(sign)


def _owner(refusal: Refusal) -> str | None:
    """`damage of s`: a field follows its owner, an argument is in parentheses."""
    name, owner = re.search(rf"({NAME})\s*$", refusal.before), re.match(rf"\s+({TERM})", refusal.behind)
    if refusal.text != "of" or name is None or owner is None:
        return None
    if counted := _COUNTED.get(name[1]):
        return f"write `{counted} {owner[1]}`"
    if name[1] in ("all", "any", "each", "half", "one"):
        return None
    return (
        f"write `{owner[1]}.{name[1]}` for a field, or `{name[1]}({owner[1]})` for a state with a parameter"
    )


def _members(refusal: Refusal) -> str | None:
    """`s in Alpha, Beta`: several members are a set."""
    if refusal.text != "," and not refusal.before.rstrip().endswith(",") and "first" not in refusal.could:
        return None
    start, line = len(refusal.before), refusal.before + refusal.text + refusal.behind
    lists = (match for match in _LISTED.finditer(line) if match.start() < start <= match.end())
    return next((f"write `{_set_text(match, line)}`" for match in lists), None)


def _set_text(match: re.Match[str], line: str) -> str:
    """Return the set that a list of members should be, with the word before it."""
    word = match[1]
    if word in ("is", "=") and not line.lstrip().startswith("let"):
        word = "in"
    word = "not in" if word == "is not" else word
    members = re.split(_BETWEEN, match[2])
    return f"{word} {{{', '.join(members)}}}"


def _line_of_its_own(refusal: Refusal) -> str | None:
    """`let shot = roll fire`: chance, choices and procedures are statements, not values."""
    match = re.search(r"\S\s*\b(roll|choose|do|draw)\s*$", refusal.before)
    if match is None or not (refusal.is_name or refusal.text.isdigit()):
        return None
    verb = match[1]
    if verb == "roll" and re.fullmatch(DICE, refusal.text):
        return undeclared_dice(refusal.text)
    what, default = _VALUELESS[verb]
    named = re.match(r"\s*let\s+(\w+)", refusal.before)
    rest = _CALL.match(refusal.behind)
    behind = CITATION.sub("", refusal.behind).rstrip(": ") if verb == "draw" else rest[0] if rest else ""
    return f"{what} needs its own line: `{verb} {refusal.text}{behind} as {named[1] if named else default}`"


def _range(refusal: Refusal) -> str | None:
    """`1-3` or `1 to 3` where a range is meant."""
    low, high = re.search(r"-?\d+\s*$", refusal.before), re.match(r"\s*-?\d+", refusal.behind)
    if refusal.text not in ("-", "to", ",") or ".." not in refusal.could or low is None or high is None:
        return None
    return f"write the range as `{low[0].strip()}..{high[0].strip()}`"


def _odds(refusal: Refusal) -> str | None:
    """`combat(force:foe.strength, die)`: odds of numbers that only play knows."""
    above, below = re.search(rf"({TERM})\s*$", refusal.before), re.match(rf"\s*({TERM})", refusal.behind)
    if refusal.text != ":" or above is None or below is None:
        return None
    inside = refusal.before.count("(") > refusal.before.count(")") or re.match(r"\s*let\b", refusal.before)
    return f"write `ratio({above[1]}, {below[1]})`" if inside else None


def _conditional(refusal: Refusal) -> str | None:
    """`let x = n > 2 ? 1 : 2`."""
    values = re.match(r"\s*([^:?]+?)\s*:\s*([^:?]+)", refusal.behind)
    condition = re.search(r"(?:=|\bto|\bresult|\()\s+(\S.*?)\s*$", refusal.before)
    if refusal.text != "?" or values is None or condition is None:
        return None
    return f"write `({values[1]} when {condition[1]} otherwise {CITATION.sub('', values[2]).strip()})`"


def _chained_condition(refusal: Refusal) -> str | None:
    """`(1 when a otherwise 2 when b otherwise 3)`."""
    value = re.search(rf"\botherwise\s+({TERM})\s*$", refusal.before)
    rest = _TO_BRACKET.match(refusal.behind)
    if refusal.text != "when" or value is None or rest is None:
        return None
    return f"put the second condition in parentheses: `otherwise ({value[1]} when{rest[1]})`"


def _bare_condition(refusal: Refusal) -> str | None:
    """`define f(n: 0..9) -> 0..9: n otherwise 2`, `set n to 1 when a otherwise 2`."""
    value = _VALUE.fullmatch(refusal.before)
    rest = re.fullmatch(r"(?:when\s+\S.*?\s+)?otherwise\s+[^\s:].*", refusal.statement)
    return f"add parentheses: `({value[1]} {rest[0]})`" if value and rest else None


def _left_side(refusal: Refusal) -> str | None:
    """`n >= 3 and <= 5`, `s is Red and is Blue`: each comparison names both its sides."""
    line = refusal.before if refusal.text not in OPERATORS else refusal.before + refusal.text
    match = re.search(
        rf"({TERM})\s+(?:[<>]=?|=|is(?: not)?|in|has)\s+{TERM}\s+(and|or)\s+([<>]=?|=|is|in|has)\s*$", line
    )
    if match is None:
        return None
    right = re.match(rf"\s*(?:not\s+)?{TERM}", line[match.end() :] + _after(refusal))
    return (
        f"name the left side again: `{match[2]} {match[1]} {match[3]} {right[0].strip()}`" if right else None
    )


def _after(refusal: Refusal) -> str:
    """The refused word, unless it is an operator, and what follows it."""
    return refusal.behind if refusal.text in OPERATORS else refusal.text + refusal.behind


def _counting(refusal: Refusal) -> str | None:
    """`count(Ship)`, `Ship.count`."""
    owner = re.search(rf"({TERM})\.\s*$", refusal.before)
    if refusal.text == "count" and owner is not None:
        return f"write `count of {owner[1].rstrip('.')}`"
    argument = _TO_BRACKET.match(refusal.behind)
    if refusal.text != "(" or argument is None or not re.search(r"\bcount\s*$", refusal.before):
        return None
    whole = argument[1].strip()
    return f"write `count of {whole if re.fullmatch(TERM, whole) else f'({whole})'}`"


def _all_of(refusal: Refusal) -> str | None:
    """`move all Ship to North`."""
    fits = re.search(r"\ball\s*$", refusal.before) and refusal.is_name
    return f"write `{refusal.text}` without `all`: the name of a kind is all of it" if fits else None


def _decimal(refusal: Refusal) -> str | None:
    """`3.5`."""
    before = re.search(r"(?<![\w.])(\d+)\.$", refusal.before)
    if before is None or not refusal.text.isdigit():
        return None
    number = Fraction(f"{before[1]}.{refusal.text}")
    above, below = number.numerator, number.denominator
    return f"numbers are whole: write a ratio, `{above}:{below}`, or divide, `{above} / {below} rounded down`"


def _negation(refusal: Refusal) -> str | None:
    """`s not sunk`."""
    fits = refusal.could == {"in"} and refusal.is_name and re.search(r"\bnot\s*$", refusal.before)
    return f"write `is not {refusal.text}`" if fits else None


def _missing_of(refusal: Refusal) -> str | None:
    """`join s.borders for s in S`, `map s.damage for s in S`."""
    word = re.search(r"\b(join|map)\s+$", refusal.before)
    return f"write `{word[1]} of {refusal.statement}`" if word and refusal.is_name else None


def _within(refusal: Refusal) -> str | None:
    """`s within 2 of t by R`; `linked to .. costing E within N`."""
    subject = re.search(rf"({TERM})\s*$", refusal.before)
    if refusal.text != "within" or subject is None:
        return None
    if re.search(r"\bcosting\b", refusal.before):
        return "write `within` before `costing`"
    near = re.match(rf"within\s.+?\bof\s+{TERM}(?:\s+by\s+{NAME})?", refusal.statement)
    return f"write `{subject[1]} is {near[0]}`" if near is not None else None


EXPRESSIONS: Final[tuple[Recogniser, ...]] = (
    _sign,
    _conditional,
    _chained_condition,
    _bare_condition,
    _left_side,
    _counting,
    _all_of,
    _decimal,
    _negation,
    _missing_of,
    _within,
    _filter_in_brackets,
    _line_of_its_own,
    _range,
    _odds,
    _owner,
    _members,
)
