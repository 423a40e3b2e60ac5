"""From lark's trees to our own: components, definitions, tables, chance."""

from __future__ import annotations

from typing import Any, cast

from rulekit.base.source import Span
from rulekit.diagnostics.kinds import TOO_DEEP
from rulekit.ir.types import month_number
from rulekit.syntax.parse.builder.base import MAX_CASES, Node, way_of, word
from rulekit.syntax.parse.builder.statements import StatementBuilder
from rulekit.syntax.parse.tree import Token
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import types as t


class ItemBuilder(StatementBuilder):
    """Adds the items that declare things."""

    def token(self, node: Node, kind: str) -> Token | None:
        return next((c for c in node.children if isinstance(c, Token) and c.type == kind), None)

    def head(self, node: Node) -> x.Name:
        """The name after the item's keyword."""
        return self.on_name(next(child for child in self.children(node) if child.data == "name"))

    def params(self, node: Node) -> tuple[i.Param, ...]:
        child = self.first(node, "params")
        return self.all(self.children(child)) if child else ()

    def on_param(self, node: Node) -> i.Param:
        name, type_ = self.children(node)
        return i.Param(self.span(node), self.on_name(name), self.build(type_))

    def on_bare_param(self, node: Node) -> i.Param:
        return i.Param(self.span(node), self.on_name(self.children(node)[0]), None)

    def wrapped(self, node: Node, rule: str) -> Any:
        """What stands in the first child made by `rule` (`initial`, `known`, `result`), built; or None."""
        child = self.first(node, rule)
        return self.build(self.children(child)[0]) if child else None

    # -- components

    def on_enum(self, node: Node) -> i.Item:
        names = self.names(self.first(node, "names"))
        members = tuple(i.Member(name.span, name, "", None) for name in names)
        return i.Enum(self.span(node), self.cite(node), self.head(node), members)

    def on_enum_block(self, node: Node) -> i.Item:
        members = self.all([child for child in self.children(node) if child.data == "member"])
        return i.Enum(self.span(node), self.cite(node), self.head(node), members)

    def on_member(self, node: Node) -> i.Member:
        title = self.text(self.first(node, "title"))
        return i.Member(self.span(node), self.head(node), title, self.cite(node))

    def on_kind(self, node: Node) -> i.Item:
        name, *kinds = [child for child in self.children(node) if child.data == "name"]
        parts = tuple(self.on_name(kind) for kind in kinds)
        fields = [
            parts for child in self.children(node) if child.data in _FIELDS for parts in self.fields(child)
        ]
        return i.KindUnion(self.span(node), self.cite(node), self.on_name(name), parts, tuple(fields))

    def population(self, node: Node, sort: Any) -> i.Item:
        source = self.first(node, "source")
        members = self.first(node, "members")
        count = self.first(node, "member_count")
        names = self.names(self.first(members, "names")) if members else ()
        fields = [
            made for child in self.children(node) if child.data in _FIELDS for made in self.fields(child)
        ]
        return i.Population(
            self.span(node),
            self.cite(node),
            sort,
            self.head(node),
            self.text(source) if source else None,
            self.span(source) if source else None,
            tuple(i.Member(name.span, name, "", None) for name in names),
            self.number(count.children[0]) if count else None,
            tuple(fields),
        )

    def on_piece(self, node: Node) -> i.Item:
        return self.population(node, "piece")

    def on_space(self, node: Node) -> i.Item:
        return self.population(node, "space")

    on_bare_piece = on_piece
    on_bare_space = on_space

    def fields(self, node: Node) -> tuple[i.FieldDecl, ...]:
        slots, type_, *_ = [c for c in self.children(node) if c.data not in ("initial", "known", "cite")]
        made, changes = self.build(type_), node.data == "state_field"
        initial, known = self.wrapped(node, "initial"), self.wrapped(node, "known")
        return tuple(
            i.FieldDecl(
                self.span(slot),
                self.cite(node),
                self.head(slot),
                self.params(slot),
                made,
                changes,
                initial,
                known,
            )
            for slot in self.children(slots)
        )

    def on_group(self, node: Node) -> i.Item:
        most = self.number(self.token(node, "INT"))
        fields = [made for c in self.children(node) if c.data in _FIELDS for made in self.fields(c)]
        return i.Group(self.span(node), self.cite(node), self.head(node), most, tuple(fields))

    def store(self, node: Node, sort: Any, type_: t.TypeExpr) -> i.Item:
        slot = self.children(node)[0]
        initial, known = self.wrapped(node, "initial"), self.wrapped(node, "known")
        name, params = self.head(slot), self.params(slot)
        return i.StateDecl(self.span(node), self.cite(node), sort, name, params, type_, initial, known)

    def on_state(self, node: Node) -> i.Item:
        return self.store(node, "state", self.build(self.children(node)[1]))

    def on_track(self, node: Node) -> i.Item:
        return self.store(node, "track", self.build(self.children(node)[1]))

    def on_cup(self, node: Node) -> i.Item:
        name = self.on_name(self.children(node)[1])
        return self.store(node, "cup", t.SetType(name.span, t.NamedType(name.span, name.text)))

    def on_stack(self, node: Node) -> i.Item:
        name = self.on_name(self.children(node)[1])
        return self.store(node, "stack", t.ListType(name.span, t.NamedType(name.span, name.text), None))

    def on_calendar(self, node: Node) -> i.Item:
        first, last = self.months(node)
        value = self.build([c for c in self.children(node) if c.data not in ("name", "cite")][0])
        return i.Calendar(self.span(node), self.cite(node), self.head(node), first, last, value)

    # -- definitions

    def on_define(self, node: Node) -> i.Item:
        value = self.children(node)[-2 if self.cite(node) else -1]
        case = i.Case(self.span(value), None, None, self.build(value))
        return self.definition(node, (case,))

    def on_define_block(self, node: Node) -> i.Item:
        return self.definition(node, self.cases(node))

    def cases(self, node: Node) -> tuple[i.Case | i.CaseLet, ...]:
        return self.all([child for child in self.children(node) if child.data in _CASES])

    def definition(self, node: Node, cases: tuple[i.Case | i.CaseLet, ...]) -> i.Item:
        if len(cases) > MAX_CASES:
            self.refuse(TOO_DEEP, f"more than {MAX_CASES} lines", node, "use a table")
        result = self.wrapped(node, "result")
        return i.Define(self.span(node), self.cite(node), self.head(node), self.params(node), result, cases)

    def on_when_case(self, node: Node) -> i.Case:
        test, value, *_ = self.children(node)
        return i.Case(self.span(node), self.cite(node), self.build(test), self.build(value))

    on_date_case = on_when_case

    def on_otherwise_case(self, node: Node) -> i.Case:
        return i.Case(self.span(node), self.cite(node), None, self.build(self.children(node)[0]))

    def on_let_case(self, node: Node) -> i.CaseLet:
        name, value, *_ = self.children(node)
        return i.CaseLet(self.span(node), self.cite(node), self.on_name(name), self.build(value))

    def on_span_from(self, node: Node) -> i.DateSpan:
        return i.DateSpan(self.span(node), month_number(str(node.children[0])), None)

    def on_span_until(self, node: Node) -> i.DateSpan:
        return i.DateSpan(self.span(node), None, month_number(str(node.children[0])))

    def on_span_at(self, node: Node) -> i.DateSpan:
        at = month_number(str(node.children[0]))
        return i.DateSpan(self.span(node), at, at)

    def on_span_between(self, node: Node) -> i.DateSpan:
        first, last = (month_number(str(child)) for child in node.children)
        return i.DateSpan(self.span(node), first, last)

    # -- tables

    def columns(self, node: Node) -> tuple[i.Column, ...]:
        child = next(c for c in self.children(node) if c.data in ("columns", "one_column"))
        if child.data == "one_column":
            type_ = self.children(child)[0]
            return (i.Column(self.span(child), "", self.build(type_)),)
        return self.all(self.children(child))

    def on_column(self, node: Node) -> i.Column:
        name, type_ = self.children(node)
        return i.Column(self.span(node), self.on_name(name).text, self.build(type_))

    def on_table(self, node: Node) -> i.Item:
        rows = self.all([c for c in self.children(node) if c.data == "row"])
        notes = self.all([c for c in self.children(node) if c.data == "note"])
        return i.Table(
            self.span(node),
            self.cite(node),
            self.head(node),
            self.params(node),
            self.columns(node),
            rows,
            notes,
        )

    def on_row(self, node: Node) -> i.TableRow:
        cells = tuple(self.cell(c, self.span(node)) for c in self.children(node) if c.data == "cell")
        return i.TableRow(self.span(node), self.cite(node), cells)

    def on_note(self, node: Node) -> i.Note:
        mark, value, *rest = self.children(node)
        condition = next((self.build(c) for c in rest if c.data != "cite"), None)
        made = self.build(value)
        return i.Note(self.span(node), self.cite(node), str(mark.children[0]), made, condition)

    def cell(self, node: Node, row: Span) -> i.Cell:
        """A cell of a row: its body, if any, and its note mark.  An empty cell has the row's span."""
        body = next((c for c in self.children(node) if c.data != "mark"), None)
        mark = self.first(node, "mark")
        text = str(mark.children[0]) if mark else ""
        if body is None:
            return i.Cell(self.span(node) if mark else row, "empty", None, None, (), None, text)
        return self.cell_body(body, text)

    def cell_body(self, body: Node, mark: str = "") -> i.Cell:
        kind = str(body.data).removeprefix("cell_")
        low, high = self.cell_numbers(body, kind)
        names = self.names(self.first(body, "names")) if kind == "names" else ()
        if kind == "name":
            names = (self.on_name(self.children(body)[0]),)
        expr = self.build(self.children(body)[0]) if kind == "expr" else None
        return i.Cell(self.span(body), _CELL_KINDS.get(kind, kind), low, high, names, expr, mark)

    def cell_numbers(self, body: Node, kind: str) -> tuple[int | None, int | None]:
        """The numbers of a cell: value, or low and high of a range."""
        tokens = [c for c in body.children if isinstance(c, Token)]
        bounds = [self.on_bound(c) for c in self.children(body) if c.data in ("bound", "negative_bound")]
        match kind:
            case "bound" | "negative_bound":
                value = self.on_bound(body)
                return value, value
            case "int" | "plus":
                return self.number(tokens[-1]), self.number(tokens[-1])
            case "true" | "false":
                return int(kind == "true"), int(kind == "true")
            case "minus":
                return -self.number(tokens[-1]), -self.number(tokens[-1])
            case "between":
                return bounds[0], bounds[1]
            case "from":
                return bounds[0], None
            case "to":
                return None, bounds[0]
            case "ratio":
                return self.ratio_of(tokens[0])
            case "date":
                return month_number(tokens[0]), month_number(tokens[0])
            case "dates":
                return month_number(tokens[0]), month_number(tokens[1])
            case "from_date":
                return month_number(tokens[0]), None
            case "until_date":
                return None, month_number(tokens[0])
            case _:
                return None, None

    def on_bound(self, node: Node) -> int:
        value = self.number(next(c for c in node.children if isinstance(c, Token)))
        return -value if node.data == "negative_bound" else value

    def on_extern_table(self, node: Node) -> i.Item:
        lines = {str(c.data): c for c in self.children(node)}
        keys = tuple(
            (self.head(c), tuple(self.cell_body(k) for k in self.children(c)[1:] if k.data != "cite"))
            for c in self.children(node)
            if c.data == "extern_keys"
        )
        file, rounding, rising = (lines.get(k) for k in ("extern_file", "extern_round", "extern_rising"))
        return i.ExternTable(
            self.span(node),
            self.cite(node),
            self.head(node),
            self.params(node),
            self.columns(node),
            self.text(file),
            keys,
            way_of(self.children(rounding)[1]) if rounding else "down",
            self.head(rising) if rising else None,
        )

    # -- chance

    def on_roll(self, node: Node) -> i.Item:
        dice, sides = self.dice_of(self.token(node, "DICE"))
        stacking = self.all([c for c in self.children(node) if c.data == "stack_line"])
        favours = self.first(node, "favours_line")
        who = self.head(favours) if favours else None
        zero = self.first(node, "zero")
        lowest = self.number(zero.children[0]) if zero else 1
        return i.Roll(
            self.span(node),
            self.cite(node),
            self.head(node),
            self.params(node),
            dice,
            sides,
            lowest,
            stacking,
            who,
        )

    def on_stack_line(self, node: Node) -> i.Stacking:
        name, *rest = self.children(node)
        return self.stacking(node, self.on_name(name), rest)

    def stacking(self, node: Node, name: x.Name, rest: list[Node]) -> i.Stacking:
        policy, *limits = rest
        most = next((self.build(self.children(c)[0]) for c in limits if c.data == "limit_most"), None)
        least = next((self.build(self.children(c)[0]) for c in limits if c.data == "limit_least"), None)
        made = cast(Any, word(policy).removeprefix("policy_"))
        return i.Stacking(self.span(node), self.cite(node), name, made, most, least)

    def on_modifier(self, node: Node) -> i.Item:
        name, modified, effect, *rest = self.children(node)
        clauses = self.all_clauses(rest)
        value = next((c for c in self.children(effect) if not str(c.data).startswith("round_")), None)
        way = next((way_of(c) for c in self.children(effect) if str(c.data).startswith("round_")), "down")
        return i.Modifier(
            self.span(node),
            self.cite(node),
            self.on_name(name),
            "roll" if modified.data == "on_roll" else "define",
            self.head(modified),
            cast(Any, word(effect).removeprefix("effect_")),
            self.build(value) if value is not None else None,
            cast(Any, way),
            clauses,
        )

    # -- clauses of modifiers and norms

    def all_clauses(self, parts: list[Node]) -> tuple[i.Clause, ...]:
        """Clauses on the line, and those on the lines below with their own citations."""
        clauses: list[i.Clause] = []
        for part in parts:
            if part.data == "clauses":
                inner = self.children(part)
                for index, clause in enumerate(inner):
                    if clause.data != "cite":
                        after = inner[index + 1] if index + 1 < len(inner) else None
                        cite = self.on_cite(after) if after is not None and after.data == "cite" else None
                        clauses.append(self.clause(clause, cite))
            elif part.data != "cite":
                clauses.append(self.clause(part, None))
        return tuple(clauses)

    def clause(self, node: Node, cite: Any) -> i.Clause:
        match str(node.data):
            case "when_clause":
                return i.WhenClause(self.span(node), cite, self.build(self.children(node)[0]))
            case "unless_clause":
                return i.UnlessClause(self.span(node), cite, self.build(self.children(node)[0]))
            case "span_clause":
                return i.SpanClause(self.span(node), cite, self.build(self.children(node)[0]))
            case "stacks_clause":
                return i.StacksClause(self.span(node), cite, self.head(node))
            case _:
                return i.OverClause(self.span(node), cite, self.head(node))


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
    "from_date": "dates",
    "until_date": "dates",
    "name": "names",
    "bound": "int",
    "negative_bound": "int",
}
