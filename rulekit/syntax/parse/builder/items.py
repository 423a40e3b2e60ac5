"""From trees of the grammar to our own: components, definitions, tables, chance."""

from __future__ import annotations

from typing import cast

from rulekit.base.source import Span
from rulekit.diagnostics.kinds import TOO_DEEP
from rulekit.ir.types import month_number
from rulekit.syntax.parse.builder.base import (
    LEAVES,
    MAX_CASES,
    RULES,
    Builder,
    Node,
    all_of,
    builds,
    child,
    children,
    first,
    item,
    own_word,
    parts_of,
    plain,
    text_of,
    tokens,
    word,
)
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import types as t

_FIELDS = ("state_field", "fixed_field")
_CASES = ("when_case", "otherwise_case", "date_case", "let_case")
_CELL_KINDS = {
    "true": "flag",
    "false": "flag",
    "plus": "signed",
    "minus": "signed",
    "between": "range",
    "from": "range",
    "to": "range",
    "upwards": "range",
    "from_date": "dates",
    "until_date": "dates",
    "name": "names",
    "bound": "int",
    "negative_bound": "int",
}


def _member(name: x.Name) -> i.Member:
    return i.Member(name.span, name, "", None)


def _landmarks(b: Builder, line: Node) -> tuple[x.Name, ...]:
    return b.names(line) if line.data == "needed_members" else ()


def _lines(b: Builder, node: Node) -> i.LinesDecl:
    _, kind = b.build_all(node, "name")
    return i.LinesDecl(b.span(node), b.number(tokens(node, "INT")[0]), kind)


def fields_of(b: Builder, node: Node) -> tuple[i.FieldDecl, ...]:
    """The fields that the lines of a node declare."""
    return tuple(field for line in children(node) if line.data in _FIELDS for field in fields_in(b, line))


def fields_in(b: Builder, line: Node) -> tuple[i.FieldDecl, ...]:
    """The fields of a line, which share their type and what they begin with."""
    slots, type_, *_ = [c for c in children(line) if c.data not in ("initial", "known", "counted", "cite")]
    declared, changes, cite = b.build(type_), line.data == "state_field", b.cite(line)
    initial, known = b.build_in(first(line, "initial")), b.build_in(first(line, "known"))
    counted = first(line, "counted") is not None
    return tuple(
        i.FieldDecl(
            b.span(slot), cite, b.head(slot), b.params(slot), declared, changes, initial, known, counted
        )
        for slot in children(slots)
    )


def months(b: Builder, node: Node) -> tuple[int, ...]:
    """The months that are written in a node."""
    return tuple(month_number(str(token)) for token in tokens(node))


# ---------------------------------------------------------------- components

RULES |= {
    "param": plain(i.Param),
    "bare_param": plain(i.Param),
    "enum": item(i.Enum, members=lambda b, node: tuple(map(_member, b.names(node)))),
    "enum_block": item(i.Enum, members=all_of("member")),
    "enum_lines": item(i.Enum, members=(), lines=_lines),
    "member": item(i.Member),
    "group": item(i.Group, most=lambda b, node: b.number(tokens(node, "INT")[0]), fields=fields_of),
}


@builds("kind")
def kind(b: Builder, node: Node) -> i.KindUnion:
    name, *kinds = b.build_all(node, "name")
    return i.KindUnion(b.span(node), b.cite(node), name, tuple(kinds), fields_of(b, node))


RULES |= dict.fromkeys(
    ("piece", "space", "bare_piece", "bare_space"),
    item(
        i.Population,
        sort=own_word("bare_"),
        source=lambda b, node: text_of(source) if (source := first(node, "source")) else None,
        source_span=lambda b, node: b.span(source) if (source := first(node, "source")) else None,
        members=lambda b, node: tuple(map(_member, b.names(first(node, "members")))),
        count=lambda b, node: b.number(count.children[0]) if (count := first(node, "member_count")) else None,
        board=lambda b, node: next(iter(b.build_all(node, "squares", "hexes")), None),
        fields=fields_of,
        owner="",
        needed=(),
    ),
)
RULES |= dict.fromkeys(
    ("extern_piece", "extern_space"),
    item(
        i.Population,
        sort=own_word("extern_"),
        source=lambda b, node: text_of(first(node, "sampler")),
        source_span=lambda b, node: b.span(first(node, "sampler") or node),
        members=(),
        count=None,
        board=lambda b, node: next(iter(b.build_all(node, "squares", "hexes")), None),
        fields=fields_of,
        owner=lambda b, node: text_of(first(node, "source")),
        needed=lambda b, node: tuple(name for line in children(node) for name in _landmarks(b, line)),
    ),
)


@builds("squares", "hexes")
def board(b: Builder, node: Node) -> i.BoardDecl:
    axes, *staggers = children(node)
    rows_first = axes.data == "rows_first"
    first, second = b.build_all(axes)
    columns, rows = (second, first) if rows_first else (first, second)
    return i.BoardDecl(b.span(node), columns, rows, rows_first, _stagger(staggers[0]) if staggers else "")


def _stagger(node: Node) -> i.Stagger:
    """Which lines of hexes are set off: `odd rows`, `each column`."""
    lines = str(node.data).split("_")[:-1]
    parity = [str(part.children[0]) for part in children(node)]
    return cast(i.Stagger, " ".join((*parity, *lines)))


@builds("labels")
def axis(b: Builder, node: Node) -> i.Axis:
    first, last = map(str, tokens(node))
    return i.Axis(b.span(node), first, last)


@builds("state", "track", "cup", "stack")
def store(b: Builder, node: Node) -> i.StateDecl:
    slot, content, *_ = children(node)
    declared = b.build(content)
    if isinstance(declared, x.Name):
        of = t.NamedType(declared.span, declared.text)
        declared = t.SetType(of.span, of) if node.data == "cup" else t.ListType(of.span, of, None)
    initial, known = b.build_in(first(node, "initial")), b.build_in(first(node, "known"))
    name, params, counted = b.head(slot), b.params(slot), first(node, "counted") is not None
    return i.StateDecl(
        b.span(node), b.cite(node), word(node), name, params, declared, initial, known, counted
    )


@builds("calendar")
def calendar(b: Builder, node: Node) -> i.Calendar:
    first, last = months(b, node)
    return i.Calendar(b.span(node), b.cite(node), b.head(node), first, last, b.build(parts_of(node)[1]))


# ---------------------------------------------------------------- definitions

RULES |= {
    "when_case": item(i.Case, test=child(0), value=child(1)),
    "date_case": item(i.Case, test=child(0), value=child(1)),
    "otherwise_case": item(i.Case, value=child(0)),
    "let_case": item(i.CaseLet, value=child(1)),
    "let_line": item(i.CaseLet, value=child(1)),
}


def cases(b: Builder, node: Node) -> tuple[i.Case | i.CaseLet, ...]:
    """The cases of a block."""
    return b.build_all(node, *_CASES)


def only_case(b: Builder, value: Node) -> tuple[i.Case | i.CaseLet, ...]:
    """The one case of a definition on a line."""
    return (i.Case(b.span(value), None, None, b.build(value)),)


@builds("define", "define_block")
def define(b: Builder, node: Node) -> i.Define:
    lines = only_case(b, parts_of(node)[-1]) if node.data == "define" else cases(b, node)
    if len(lines) > MAX_CASES:
        b.refuse(TOO_DEEP, f"more than {MAX_CASES} lines", node, "use a table")
    result = b.build_in(first(node, "result"))
    return i.Define(b.span(node), b.cite(node), b.head(node), b.params(node), result, lines)


@builds("span_from", "span_until", "span_at", "span_between")
def date_span(b: Builder, node: Node) -> i.DateSpan:
    first, *_, last = months(b, node) * 2
    starts, ends = node.data != "span_until", node.data != "span_from"
    return i.DateSpan(b.span(node), first if starts else None, last if ends else None)


# ---------------------------------------------------------------- tables


def columns(b: Builder, node: Node) -> tuple[i.Column, ...]:
    """The columns that a table gives."""
    named = first(node, "columns")
    if named:
        return b.build_all(named)
    one = first(node, "one_column")
    assert one is not None
    return (i.Column(b.span(one), "", b.build_in(one)),)


RULES["table"] = item(
    i.Table,
    columns=columns,
    rounding=lambda b, node: rounding_line(b, node, "table_round"),
    beyond=all_of("table_beyond"),
)


@builds("table_beyond")
def beyond(b: Builder, node: Node) -> i.Beyond:
    side, cell, *_ = children(node)
    return i.Beyond(
        b.span(node), "left" if str(side.children[0]) == "left" else "right", _cell(b, cell, b.span(node))
    )


def rounding_line(b: Builder, node: Node, rule: str) -> i.OddsRounding | None:
    """The line that says how odds are rounded."""
    line = first(node, rule)
    return i.OddsRounding(b.span(line), b.head(line), b.build(children(line)[1])) if line else None


@builds("column")
def column(b: Builder, node: Node) -> i.Column:
    name, declared = b.build_all(node)
    return i.Column(b.span(node), name.text, declared)


@builds("row")
def row(b: Builder, node: Node) -> i.TableRow:
    cells = tuple(_cell(b, part, b.span(node)) for part in children(node) if part.data == "cell")
    return i.TableRow(b.span(node), b.cite(node), cells)


@builds("note")
def note(b: Builder, node: Node) -> i.Note:
    mark, *parts = parts_of(node)
    value, condition = (*map(b.build, parts), None)[:2]
    return i.Note(b.span(node), b.cite(node), str(mark.children[0]), value, condition)


def _cell(b: Builder, node: Node, row: Span) -> i.Cell:
    """A cell of a row: one result, or several parts."""
    others = [part for part in children(node) if part.data == "part"]
    if not others:
        return _cell_part(b, node, row)
    parts = tuple(_cell_part(b, part, b.span(node)) for part in (node, *others))
    return i.Cell(b.span(node), "parts", None, None, (), None, "", parts)


def _cell_part(b: Builder, node: Node, row: Span) -> i.Cell:
    """One result of a cell: its body, if any, and its note mark.  An empty cell has the row's span."""
    body = next((part for part in children(node) if part.data not in ("mark", "part")), None)
    mark = first(node, "mark")
    text = str(mark.children[0]) if mark else ""
    if body is None:
        return i.Cell(b.span(node) if mark else row, "empty", None, None, (), None, text)
    return cell_body(b, body, text)


def cell_body(b: Builder, body: Node, mark: str = "") -> i.Cell:
    """A cell that is not empty."""
    kind = word(body, "cell_")
    low, high = _cell_numbers(b, body, kind)
    names = b.names(body) if kind == "names" else (b.head(body),) if kind == "name" else ()
    expr = b.build_in(body) if kind == "expr" else None
    if kind == "text":
        expr = x.TextLiteral(b.span(body), text_of(body))
    return i.Cell(b.span(body), _CELL_KINDS.get(kind, kind), low, high, names, expr, mark)


def _cell_numbers(b: Builder, body: Node, kind: str) -> tuple[int | None, int | None]:
    """The numbers of a cell: value, or low and high of a range."""
    written = tokens(body)
    bounds = b.build_all(body, "bound", "negative_bound")
    match kind:
        case "bound" | "negative_bound" | "int" | "plus" | "minus":
            value = _signed_number(b, body, negative=kind in ("minus", "negative_bound"))
            return value, value
        case "true" | "false":
            return int(kind == "true"), int(kind == "true")
        case "between":
            return bounds[0], bounds[1]
        case "hyphen":
            return b.number(written[0]), b.number(written[-1])
        case "from":
            return bounds[0], None
        case "upwards":
            return b.number(written[0]), None
        case "to":
            return None, bounds[0]
        case "ratio":
            return b.ratio_of(written[0])
        case "date" | "dates":
            return month_number(written[0]), month_number(written[-1])
        case "from_date":
            return month_number(written[0]), None
        case "until_date":
            return None, month_number(written[0])
        case _:
            return None, None


def _signed_number(b: Builder, node: Node, negative: bool) -> int:
    value = b.number(tokens(node)[-1])
    return -value if negative else value


RULES |= {
    "bound": lambda b, node: _signed_number(b, node, negative=False),
    "negative_bound": lambda b, node: _signed_number(b, node, negative=True),
}
LEAVES.update(("bound", "negative_bound"))


@builds("extern_table")
def extern_table(b: Builder, node: Node) -> i.ExternTable:
    lines = {str(line.data): line for line in children(node)}
    keys = tuple(
        (b.head(line), tuple(cell_body(b, part) for part in children(line)[1:] if part.data != "cite"))
        for line in children(node)
        if line.data == "extern_keys"
    )
    rising = lines.get("extern_rising")
    sampler = first(lines["extern_file"], "sampler") if "extern_file" in lines else None
    return i.ExternTable(
        b.span(node),
        b.cite(node),
        b.head(node),
        b.params(node),
        columns(b, node),
        text_of(lines.get("extern_file")),
        text_of(sampler),
        b.span(sampler) if sampler else None,
        keys,
        rounding_line(b, node, "extern_round"),
        b.head_of(rising),
    )


# ---------------------------------------------------------------- chance


def dice(b: Builder, node: Node) -> tuple[int, int, int]:
    """The dice of a roll: how many, their sides, and the lowest number on them."""
    zero = first(node, "zero")
    return *b.dice_of(tokens(node, "DICE")[0]), b.number(zero.children[0]) if zero else 1


@builds("roll")
def roll(b: Builder, node: Node) -> i.Roll:
    shown = dice(b, node)
    stacking = b.build_all(node, "stack_line")
    favours = b.head_of(first(node, "favours_line"))
    return i.Roll(b.span(node), b.cite(node), b.head(node), b.params(node), *shown, stacking, favours)


@builds("stack_line")
def stack_line(b: Builder, node: Node) -> i.Stacking:
    return stacking(b, node, b.head(node))


def stacking(b: Builder, node: Node, name: x.Name) -> i.Stacking:
    """How much of a class counts."""
    policy = next(word(part, "policy_") for part in children(node) if part.data.startswith("policy_"))
    most, least = b.build_in(first(node, "limit_most")), b.build_in(first(node, "limit_least"))
    return i.Stacking(b.span(node), b.cite(node), name, policy, most, least)


@builds("modifier")
def modifier(b: Builder, node: Node) -> i.Modifier:
    name, modified, effect, *rest = children(node)
    span, cite, held, amount = b.span(node), b.cite(node), clauses(b, rest), b.build_in(effect)
    on, of, kind = word(modified, "on_"), b.head(modified), word(effect, "effect_")
    kind = {"left": "subtract", "right": "add"}.get(kind, kind)
    value = None if kind == "half" else amount
    way: x.Way = amount if kind == "half" else "down"
    return i.Modifier(span, cite, b.name(name), on, of, kind, value, way, held)


# ---------------------------------------------------------------- clauses of modifiers and norms

_CLAUSES = {
    "when_clause": i.WhenClause,
    "unless_clause": i.UnlessClause,
    "span_clause": i.SpanClause,
    "stacks_clause": i.StacksClause,
    "over_clause": i.OverClause,
}


def clauses(b: Builder, parts: list[Node]) -> tuple[i.Clause, ...]:
    """Clauses on the line, and those on the lines below with their own citations."""
    built: list[i.Clause] = []
    for part in parts:
        inner = children(part) if part.data == "clauses" else [part]
        for clause, after in zip(inner, [*inner[1:], None], strict=False):
            if clause.data != "cite":
                kind = _CLAUSES[clause.data]
                built.append(kind(b.span(clause), b.cite_of(after), b.build_in(clause)))
    return tuple(built)
