"""Recognisers of mistakes in items and citations."""

from __future__ import annotations

import re
from typing import Final

from rulekit.syntax.parse.advice.refusal import CITATION, NAME, Recogniser, Refusal

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


def _several_citations(refusal: Refusal) -> str | None:
    """`[4.2] [4.3]`."""
    before = CITATION.search(refusal.before)
    if not refusal.text.startswith("[") or before is None:
        return None
    return f"combine both: `[{before[0].strip()[1:-1]}, {refusal.text[1:-1]}]`"


def _play_line(refusal: Refusal) -> str | None:
    """`play as "three"`, `by "House rules"` in an entry of errata."""
    if not refusal.text.startswith('"'):
        return None
    if re.fullmatch(r"\s*play\s+\w+\s*", refusal.before):
        return f"write `play {refusal.text}`"
    author = refusal.text[1:-1]
    name = author if author.isidentifier() else f"'{author}'"
    return f"an author is a name: `by {name}`" if refusal.before.split() == ["by"] else None


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
    """`pick one a from S, b from T`, `.. and one b from T`, `pick one (a, b)`, `pick one a, b`."""
    if not re.match(r"\s*pick\b", refusal.before):
        return None
    if refusal.text == "(" and re.search(r"\b(?:one|any)\s*$", refusal.before):
        inside = re.match(rf"\s*({NAME})\s*,\s*({NAME})\s*(?:,\s*({NAME})\s*)?\)", refusal.behind)
        names = inside.groups() if inside else ("a", "b", None)
        parts = (f"one {name} from {chosen}" for name, chosen in zip(names, "STU", strict=True) if name)
        return f"write `pick {', '.join(parts)}`"
    if refusal.text == "," and re.search(rf"\bone\s+{NAME}\s*$", refusal.before):
        return "write a set for each name: `pick one a from S, one b from T`"
    named = re.match(rf"\s*({NAME})?\s*from\s+([^,[#]+)", refusal.behind)
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


def _number_named(refusal: Refusal) -> str | None:
    """`number k from 2 to 5`."""
    if refusal.before.strip() != "number" or refusal.could != {"from"} or not refusal.behind:
        return None
    return f"write `number {refusal.behind.strip()}`; norms call the number `answer`"


def _verb_without_none(refusal: Refusal) -> str | None:
    """`number from 1 to 6, if able`: only some verbs know no answer."""
    verb = re.match(r"\s*(number|decide|split|arrange|share)\b", refusal.before)
    ending = re.match(r"\s*(?:if able|or none)\b", refusal.behind)
    if refusal.text != "," or verb is None or ending is None:
        return None
    return f"`{verb[1]}` is always answered: leave out `,{ending[0]}`"


def _lines_of_a_board(refusal: Refusal) -> str | None:
    """`enum Four: lines of 4 in Square`."""
    header = re.fullmatch(rf"\s*(enum\s+{NAME})\s*:\s*lines\s*", refusal.before)
    if header is None or refusal.text != "of":
        return None
    return f"write `{header[1]}, lines {refusal.statement}`"


def _union(refusal: Refusal) -> str | None:
    """`kind Unit is Ship, Plane`."""
    if refusal.text != "," or not re.match(r"\s*kind\b.*\bis\b", refusal.before):
        return None
    return "write `or` between the kinds, and no comma"


def _number_of_hidden(refusal: Refusal) -> str | None:
    """`known to side, count`."""
    return "write `counted`" if refusal.text.startswith("count") and "counted" in refusal.could else None


def _last_odds(refusal: Refusal) -> str | None:
    """`| 3-1+ |` over a column."""
    odds = re.search(r"\|\s*(\d+[-:]\d+)$", refusal.before)
    if refusal.text != "+" or odds is None:
        return None
    return f"odds beyond the last column count as that one: write `{odds[1]}`"


def _set_in_a_cell(refusal: Refusal) -> str | None:
    """`| Bay | {North, South} |`."""
    rest = re.match(r"[^{}|]*\}", refusal.behind)
    if refusal.text != "{" or rest is None or not re.search(r"\|\s*$", refusal.before):
        return None
    return f"write `({{{rest[0]})`"


def _parts_in_a_note(refusal: Refusal) -> str | None:
    """`note *: 0/0 when C`."""
    if refusal.text != "when" or not re.match(r"\s*note\s+\S\s*:\s*\w+\s*/\s*\w+\s*$", refusal.before):
        return None
    return "a mark stands for the part before it: give the value of that part alone"


def _nothing_in_a_note(refusal: Refusal) -> str | None:
    """`note *: -`, `note *: - when C`, `note *: —`."""
    before = refusal.before + ("—" if refusal.text == "—" else "")
    if not re.match(r"\s*note\s+\S\s*:\s*[-—]\s*(?:when\s*)?$", before):
        return None
    return "write the value that the mark gives: `0`, `none`, `{}` or `no_effect`"


def _members_on_the_line(refusal: Refusal) -> str | None:
    """`space Area: members North, South`, `enum Side: Red "The Reds", Blue`."""
    if refusal.text in ("members", "state") and re.match(r"\s*\w.*:\s*$", refusal.before):
        return f"begin a new line, indented, before `{refusal.text}`"
    titled = refusal.text.startswith('"') and re.match(r"\s*enum\s+\w+\s*:\s*\S", refusal.before)
    return "members with titles are each on a line of their own, indented" if titled else None


def _length(refusal: Refusal) -> str | None:
    """`list of Ship up to 3`, `list of Ship`."""
    listed = re.search(rf"\blist\s+of\s+{NAME}(?=\s*,?\s*$)", refusal.before)
    if listed is None:
        return None
    most = re.match(r"[a-z ]*?(\d+)", refusal.statement)
    if most is not None and refusal.text in ("up", "max", "maximum", "of", "length"):
        return f"write `{listed[0]}, at most {most[1]}`"
    return f"say how many it may hold: `{listed[0]}, at most 9`" if refusal.could == {","} else None


ITEMS: Final[tuple[Recogniser, ...]] = (
    _several_names,
    _amount_of_each,
    _number_named,
    _verb_without_none,
    _lines_of_a_board,
    _union,
    _number_of_hidden,
    _last_odds,
    _set_in_a_cell,
    _parts_in_a_note,
    _nothing_in_a_note,
    _members_on_the_line,
    _length,
    _several_results,
    _board,
    _decider,
    _missing_address,
    _several_citations,
    _play_line,
    _lone_citation,
)
