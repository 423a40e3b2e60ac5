"""Recognisers of mistakes in statements."""

from __future__ import annotations

import re
from typing import Final

from rulekit.base.spelling import nearest
from rulekit.syntax.parse.advice.refusal import ARGUMENTS, NAME, OPERATORS, TERM, Recogniser, Refusal

DICE = r"\d*d\d+"
_JOINING = {
    "set": "to", "add": "to", "take": "from", "move": "to",
    "mark": "as", "unmark": "as", "draw": "from", "form": "as",
}  # fmt: skip
"""Statements of two parts, each with the word between them."""
STATEMENT_WORDS: Final = frozenset(
    "add choose dissolve do draw finish for form leave let mark move next put"
    " remove repeat result return reveal roll say set shuffle take unmark when".split()
)
_PREPOSITIONS = frozenset(("as", "at", "by", "for", "from", "in", "into", "of", "on", "onto", "to", "with"))
_GROWING = frozenset(("increase", "increment", "inc", "raise"))
_SHRINKING = frozenset(("decrease", "decrement", "dec", "deduct", "lower", "reduce", "subtract"))
_RUNNING = "call|execute|invoke|perform|run"
_REMOVING = frozenset(("delete", "destroy", "eliminate", "kill", "sink"))
_BLOCKS = frozenset(("for", "repeat", "together", "when", "choose", "phase", "segment", "step"))
_ENDING = frozenset(("done", "end", "endfor", "endif", "fi", "pass"))
_SAYING = frozenset(("print", "write", "log", "echo", "show", "display", "message", "tell"))


def _assignment(refusal: Refusal) -> str | None:
    """`fuel = 3`, `fuel += 3` at the start of a line."""
    whole = re.sub(r"(\+|-)\1$", r"\1=1", refusal.statement)
    match = re.fullmatch(rf"({TERM})\s*(\+|-|:)?=\s*([^=].*)", whole)
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
    if match[1] == "draw" and " as " not in rest:
        rest = f"{rest} as drawn"
    return f"write `{match[1]} {first} {word} {rest}`" if rest else None


def _binding(refusal: Refusal) -> str | None:
    """`let x := 3`, `let x be 3`."""
    match = re.fullmatch(rf"\s*let\s+({NAME})\s*(:?)\s*", refusal.before)
    if match is None or not (refusal.could == {":", "="} or (match[2] and refusal.text == "=")):
        return None
    value = re.sub(r"^(?:=|(?:as|be|is|to)\b)\s*", "", refusal.statement)
    return f"write `let {match[1]} = {value}`"


def _change(refusal: Refusal) -> str | None:
    """`increase n by 1`, `subtract 1 from n`, `remove 1 from n`."""
    line = (refusal.before + refusal.statement).strip()
    if refusal.text == "from" and (match := re.fullmatch(rf"remove\s+({TERM})\s+from\s+(.+)", line)):
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
    match = re.fullmatch(rf"(?:(?:{_RUNNING})\s+)?({NAME}{ARGUMENTS}(?:\s+as\s+{NAME})?)", refusal.statement)
    if match is None or not refusal.begins_line or "do" not in refusal.could:
        return None
    if match[1] in _ENDING:
        return "remove it: a block ends where the indentation does"
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
    if ":" not in refusal.could or refusal.text not in STATEMENT_WORDS | {"then"}:
        return None
    rest = re.sub(r"^(?:then\b|do\s*:)", "", refusal.statement).lstrip(": ")
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
    if refusal.text in OPERATORS:
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


def _value_below(refusal: Refusal) -> str | None:
    """`when n > 3:` in a definition, with the value or further cases on the lines below."""
    if refusal.text or not re.fullmatch(r"\s+(?:when\s.*|otherwise)\s*:\s*", refusal.before):
        return None
    return "write the value on this line, after the `:`; join the conditions of nested cases with `and`"


def _case_in_the_head(refusal: Refusal) -> str | None:
    """`define f(n: 0..9): when n > 3: 4`."""
    fits = re.fullmatch(r"\s*(?:define|value|redefine)\s.*:\s*when\s+", refusal.before)
    return "begin a new line, indented, before `when`" if fits else None


def _case_behind(refusal: Refusal) -> str | None:
    """`define f(n: 0..9): 3 when n > 3:`, `otherwise: 3 when n > 3` in a definition."""
    value = re.fullmatch(
        r"(?:(?:define|value|redefine)\s.*|\s+(?:when\s.*|otherwise)):\s+([^:]+?)\s+", refusal.before
    )
    condition = refusal.statement.removeprefix(refusal.text).strip().rstrip(":")
    if refusal.text != "when" or value is None or not condition:
        return None
    if value[1].partition(" ")[0] in STATEMENT_WORDS:
        return None
    return f"write `when {condition}: {value[1]}` as a line of its own"


def _spaced_call(refusal: Refusal) -> str | None:
    """`do wound side 2`."""
    name = re.fullmatch(rf"\s*do\s+({NAME})\s*", refusal.before)
    arguments = refusal.statement.split()
    if name is None or "(" not in refusal.could or not all(re.fullmatch(TERM, one) for one in arguments):
        return None
    return f"write `do {name[1]}({', '.join(arguments)})`"


def _declaration(refusal: Refusal) -> str | None:
    """`var x = 3`, `int x = 3`."""
    match = re.fullmatch(rf"[a-z]+\s+({NAME})\s*=\s*([^=].*)", refusal.statement)
    fits = match is not None and refusal.begins_line and "let" in refusal.could
    return f"write `let {match[1]} = {match[2]}`" if match is not None and fits else None


def _removal(refusal: Refusal) -> str | None:
    """`destroy s`."""
    what = re.fullmatch(rf"\w+\s+({TERM})", refusal.statement)
    if what is None or refusal.text not in _REMOVING or "remove" not in refusal.could:
        return None
    return f"write `remove {what[1]}`" if refusal.begins_line else None


def _condition_behind(refusal: Refusal) -> str | None:
    """`add 1 to n when n = 2`, `set n to 3 unless left`."""
    statement = refusal.before.strip()
    condition = refusal.statement.removeprefix(refusal.text).strip()
    if refusal.text not in ("if", "when", "unless") or not condition:
        return None
    if statement.partition(" ")[0] not in STATEMENT_WORDS - {"when", "for", "repeat"}:
        return None
    return f"write `when {f'not ({condition})' if refusal.text == 'unless' else condition}: {statement}`"


def _quoted_words(refusal: Refusal) -> str | None:
    """`say hello to all`."""
    words = re.fullmatch(r"\s*say\s+(\w.*?)\s*", refusal.before)
    plain = words is not None and '"' not in refusal.before + refusal.behind
    return f'write `say "{words[1]} {refusal.statement}"`' if words is not None and plain else None


def _pick(refusal: Refusal) -> str | None:
    """`pick one t from Ship`, `choose one t from Ship` as statements."""
    asked = refusal.begins_line and refusal.text in ("pick", "assign", "arrange", "share")
    verb = refusal.statement
    if chosen := re.fullmatch(r"\s*choose\s+(one|any|exactly)\s*", refusal.before):
        verb, asked = f"pick {chosen[1]} {refusal.statement}", True
    if not asked or not {"choose", "as"} & refusal.could:
        return None
    return f"declare `choice wanted by SIDE:` with the line `{verb}` outside, and write `choose wanted` here"


def _endless(refusal: Refusal) -> str | None:
    """`loop:`, `until n = 3:`."""
    if not refusal.begins_line or "repeat" not in refusal.could:
        return None
    if refusal.text == "until":
        return f"write `repeat {refusal.statement}`"
    return "write `repeat while ..:` or `repeat 3 times:`" if refusal.text in ("loop", "forever") else None


def _member_of_loop(refusal: Refusal) -> str | None:
    """`for each Ship s:`, `for each ship:`: the name, then what it runs through."""
    kind = re.search(rf"\bfor\s+each\s+({NAME})\s*$", refusal.before)
    if kind is None or refusal.could != {"in"}:
        return None
    if refusal.text == ":":
        return f"write `for each {kind[1].lower()} in {kind[1].capitalize()}:`"
    return f"write `for each {refusal.text} in {kind[1]}:`" if refusal.is_name else None


def _block_on_a_line(refusal: Refusal) -> str | None:
    """`for each s in Ship: repeat 2 times: ..`: one block on the line of another."""
    fits = refusal.text in _BLOCKS and re.search(r"\S:\s*$", refusal.before)
    return f"begin a new line, indented, before `{refusal.text}`" if fits else None


def _order(refusal: Refusal) -> str | None:
    """`for each s in Ship by lot`, `.., ties by lot`."""
    order = re.match(r"\s+(?:lot|highest|lowest)\b[^:]*", refusal.behind)
    if refusal.text != "by" or order is None or not re.search(r"\bfor\s+each\b", refusal.before):
        return None
    tied = re.search(r",\s*ties\s*$", refusal.before)
    return f"{'leave out `ties`' if tied else 'put a comma before it'}: `, by{order[0].rstrip()}`"


def _given_line(refusal: Refusal) -> str | None:
    """`given {A, B} are raiding`, `given A is at North`."""
    if not re.match(r"\s*given\b", refusal.before):
        return None
    if refusal.text == "are":
        return "write `is`, also of several"
    return "write `at` without `is`" if re.search(r"\bis\s+at\s*$", refusal.before) else None


STATEMENTS: Final[tuple[Recogniser, ...]] = (
    _order,
    _given_line,
    _assignment,
    _saying,
    _binding,
    _removal,
    _endless,
    _pick,
    _condition_behind,
    _quoted_words,
    _declaration,
    _change,
    _joining,
    _each,
    _member_of_loop,
    _block_on_a_line,
    _colon,
    _dice,
    _bare_call,
    _spaced_call,
    _times,
    _advise_result,
    _single_expression,
    _value_below,
    _case_in_the_head,
    _case_behind,
)
