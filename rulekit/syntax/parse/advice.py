"""Hints about a refused word: one small recogniser for each common mistake.

A recogniser gets the refused word, the text around it on its line, and the words allowed in its place; it
returns the hint, or None for another mistake.  `advice` tries them in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulekit.base.frozen import frozen
from rulekit.base.spelling import nearest

_ARGUMENTS = r"(?:\((?:[^()]|\([^()]*\))*\))?"
_TERM = rf"(?:'[^'\n]+'|[\w.])+{_ARGUMENTS}"
_NAME = r"(?:'[^'\n]+'|[^\W\d]\w*)"
_CALL = re.compile(rf"\s*{_ARGUMENTS}")
_WORD = re.compile(r"\w+|'[^'\n]+'")
_LAST_TERM = re.compile(r"[\w.']+(?:\([^()]*\))?\s*$")
_FILTER = re.compile(r"[\w.']+ +(?:where|with|linked)\b")
DICE = r"\d*d\d+"
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
_SIGNS = {
    "!=": "write `not (a = b)` or `is not` instead of `!=`",
    "<>": "write `not (a = b)` or `is not` instead of `<>`",
    "==": "write one `=`", "===": "write one `=`", "=>": "write `>=`", "=<": "write `<=`",
    "&": "write `and`", "&&": "write `and`", "|": "write `or`", "||": "write `or`", "%": "write `mod`",
}  # fmt: skip
"""Signs of other languages."""
_SIGN = r"[-+=!<>&|:%]*"
_STATEMENTS = frozenset(
    "add choose dissolve do draw finish for form leave let mark move next put"
    " remove repeat result return reveal roll say set shuffle take unmark when".split()
)
_PREPOSITIONS = frozenset(("as", "at", "by", "for", "from", "in", "into", "of", "on", "onto", "to", "with"))
_GROWING = frozenset(("increase", "increment", "inc", "raise"))
_SHRINKING = frozenset(("decrease", "decrement", "dec", "deduct", "lower", "reduce", "subtract"))
_RUNNING = "call|execute|invoke|perform|run"
_COUNTED = {"number": "count of", "amount": "count of", "sum": "total of"}
"""Words before `of`, and how the language begins instead."""
_BETWEEN = r"(?:\s*,\s*(?:or\s+)?|\s+or\s+)"
_LISTED = re.compile(
    rf"(=|\b(?:is not|is|not in|in|to|from))\s+"
    rf"({_TERM}(?:{_BETWEEN}{_TERM}(?!\s*[=<>]|\s+(?:is|in|has)\b))+)"
)
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
    def statement(self) -> str:
        """The refused word and the rest of its line, without a citation."""
        return _CITATION.sub("", self.text + self.behind).rstrip()

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


def _sign(refusal: Refusal) -> str | None:
    """`n != 3`, `a && b`."""
    before, behind = (
        re.search(rf"{_SIGN}$", refusal.before),
        re.match(rf"({_SIGN})\s*({_TERM})?", refusal.behind),
    )
    assert before is not None and behind is not None
    sign = before[0] + refusal.text + behind[1]
    return f"write `not {behind[2]}`" if sign == "!" and behind[2] else _SIGNS.get(sign)


def _owner(refusal: Refusal) -> str | None:
    """`damage of s`: a field follows its owner, an argument is in parentheses."""
    name, owner = re.search(rf"({_NAME})\s*$", refusal.before), re.match(rf"\s+({_TERM})", refusal.behind)
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
    whole = re.sub(r"(\+|-)\1$", r"\1=1", refusal.statement)
    match = re.fullmatch(rf"({_TERM})\s*(\+|-|:)?=\s*([^=].*)", whole)
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
    first, rest = match[2], refusal.statement
    if refusal.text in ("=", ":") or refusal.text in _PREPOSITIONS:
        rest = rest.removeprefix(refusal.text).lstrip("= ")
        if match[1] == "add" and refusal.text == "by":
            first, rest = rest, first
    elif refusal.text.isdigit() and match[1] in ("add", "take"):
        first, rest = rest, first
    elif not refusal.is_name and refusal.text[:1] not in '("{':
        return None
    return f"write `{match[1]} {first} {word} {rest}`" if rest else None


def _binding(refusal: Refusal) -> str | None:
    """`let x := 3`, `let x be 3`."""
    match = re.fullmatch(rf"\s*let\s+({_NAME})\s*(:?)\s*", refusal.before)
    if match is None or not (refusal.could == {":", "="} or (match[2] and refusal.text == "=")):
        return None
    value = re.sub(r"^(?:=|(?:as|be|is|to)\b)\s*", "", refusal.statement)
    return f"write `let {match[1]} = {value}`"


def _change(refusal: Refusal) -> str | None:
    """`increase n by 1`, `subtract 1 from n`, `remove 1 from n`."""
    line = (refusal.before + refusal.statement).strip()
    if refusal.text == "from" and (match := re.fullmatch(rf"remove\s+({_TERM})\s+from\s+(.+)", line)):
        return f"write `take {match[1]} from {match[2]}`"
    if not refusal.begins_line or refusal.text not in _GROWING | _SHRINKING or "add" not in refusal.could:
        return None
    verb, word = ("add", "to") if refusal.text in _GROWING else ("take", "from")
    if match := re.fullmatch(r"\w+\s+(.+?)\s+(?:from|to)\s+(.+)", line):
        return f"write `{verb} {match[1]} {word} {match[2]}`"
    match = re.fullmatch(r"\w+\s+(.+?)(?:\s+by\s+(.+))?", line)
    return f"write `{verb} {match[2] or 1} {word} {match[1]}`" if match else None


def _bare_call(refusal: Refusal) -> str | None:
    """`wound(side, 2)`: a call without `do`."""
    match = re.fullmatch(
        rf"(?:(?:{_RUNNING})\s+)?({_NAME}{_ARGUMENTS}(?:\s+as\s+{_NAME})?)", refusal.statement
    )
    if match is None or not refusal.begins_line or "do" not in refusal.could:
        return None
    misspelt = match[1] == refusal.text and nearest(refusal.text, refusal.could)
    return None if misspelt else f"write `do {match[1]}`"


def _each(refusal: Refusal) -> str | None:
    """`for s in Ship`, `foreach s in Ship`."""
    if refusal.begins_line and refusal.text.lower().replace("_", "") in ("foreach", "forall"):
        rest = refusal.behind
    elif refusal.before.strip() == "for" and refusal.could == {"each"}:
        rest = re.sub(r"^(?:all|any|every)\b", "", refusal.statement)
    else:
        return None
    return f"write `for each {rest.split(':')[0].strip()}:`"


def _colon(refusal: Refusal) -> str | None:
    """`when n = 3 add 1 to n`, `when n = 3 then ..`: a condition without its colon."""
    if ":" not in refusal.could or refusal.text not in _STATEMENTS | {"then"}:
        return None
    rest = refusal.statement.removeprefix("then").lstrip(": ")
    return f"write `{refusal.before.strip()}: {rest}".rstrip() + "`"


def _dice(refusal: Refusal) -> str | None:
    """`roll 2d6 as shown`."""
    fits = refusal.before.strip() == "roll" and re.fullmatch(DICE, refusal.text)
    return undeclared_dice(refusal.text) if fits else None


def undeclared_dice(dice: str) -> str:
    """Return what to write instead of a roll of bare dice."""
    return f"declare the roll outside, `roll cast: {dice}`, and write `roll cast` in place of `roll {dice}`"


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


def _board(refusal: Refusal) -> str | None:
    """`space Square, grid 8 by 8`, `hexes in rows 1..9, columns 1..9`: the header of a board."""
    header = re.match(r"\s*(?:extern\s+)?space\b.*?,", refusal.before)
    if header is None:
        return None
    if re.search(r",\s*hexes\b", refusal.before) and refusal.could <= {","}:
        return "add the lines that are half a hex further: `, odd rows right` or `, even columns down`"
    if refusal.could & {"squares", "in", "rows", "columns", "odd"}:
        return (
            "write `, squares in columns a..h, rows 8..1`, or `, hexes in rows 01..20, columns 01..30, "
            "odd rows right`"
        )
    return None


def _several_results(refusal: Refusal) -> str | None:
    """`table crt(roll: d6) -> loss: 0..3, retreat: flag:`: named results without parentheses."""
    header = re.match(r"\s*(?:extern\s+)?table\b.*->\s*(\w+\s*:\s*)$", refusal.before)
    if header is None or refusal.begins_line:
        return None
    results = (header[1] + refusal.statement).rstrip(": ")
    return f"put named results in parentheses: `-> ({results})`"


def _several_names(refusal: Refusal) -> str | None:
    """`pick one a from S, b from T`, `.. and one b from T`, `pick one (a, b)`."""
    if not re.match(r"\s*pick\b", refusal.before):
        return None
    if refusal.text == "(" and re.search(r"\b(?:one|any)\s*$", refusal.before):
        return "write `pick one a from S, one b from T`"
    named = re.match(rf"\s*({_NAME})?\s*from\s+([^,[#]+)", refusal.behind)
    if named is None:
        return None
    listed = f"`, one {named[1] or refusal.text} from {named[2].strip()}`"
    if re.search(r",\s*$", refusal.before):
        return f"write `one` before each name: {listed}"
    if re.search(r"\band\s+one\s*$", refusal.before):
        return f"write a comma instead of `and`: {listed}"
    return None


def _amount_of_each(refusal: Refusal) -> str | None:
    """`assign each a in S at least 2 b from T`."""
    if not re.match(r"\s*assign\s+each\b", refusal.before) or not {"some", "exactly"} <= refusal.could:
        return None
    number = re.match(r"[a-z ]*(\d+)", refusal.statement)
    if number is None:
        return "write `one`, `some` or `any`"
    return f"write `exactly {number[1]}`, `up to {number[1]}` or `some`; a norm can require more"


_RECOGNISERS: tuple[Recogniser, ...] = (
    _several_names,
    _amount_of_each,
    _sign,
    _several_results,
    _board,
    _filter_in_brackets,
    _line_of_its_own,
    _range,
    _owner,
    _members,
    _assignment,
    _saying,
    _binding,
    _change,
    _joining,
    _each,
    _colon,
    _dice,
    _bare_call,
    _times,
    _advise_result,
    _single_expression,
    _decider,
    _missing_address,
    _several_citations,
    _lone_citation,
)
