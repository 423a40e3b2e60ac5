"""A copy of the program in which each construct that cites a rule has a switch that empties it.

Emptied, a statement or a procedure does nothing, a norm and a modifier do not act, and a definition, a case,
a row of a table, a roll or an answer gives another value.  A second switch makes a construct with a condition
act where the condition does not hold.  The value of one state says which switch is on: so one program serves
all of them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Literal

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir import expr as x
from rulekit.ir import types as t
from rulekit.ir import walk

STATE = "'switch"
"""The state with the number of the switch that is on; 0 for none."""
_NUMBERS = t.Int(0, 999_999)
_FLAG = t.Flag()

_Binds = (ir.Do, ir.Roll, ir.DrawLot, ir.DrawTop, ir.Choose, ir.ChooseEach, ir.Form)


@frozen
class Switch:
    """A way to change one construct.

    Attributes:
        number: The value of the state that does it; 0 if the construct cannot be changed.
        always: True if the construct acts without its condition; False if it is emptied.
        site: The construct.
        noted: The site that a run notes when it reaches the construct.
    """

    number: int
    always: bool
    site: int
    noted: int


class SwitchedProgram:
    """The copy, and its switches by the printed rule that their construct cites."""

    def __init__(self, program: ir.Program) -> None:
        self._before = program
        self._sites = program.sites
        self._next = 1
        self.by_rule: dict[str, list[Switch]] = defaultdict(list)
        self._functions = program.by_name.functions
        self._explaining = {name for item in program.modifiers for name in (item.acts, item.number)}
        self._statics = dict(program.by_name.statics)
        self._of_examples = {name for item in program.examples for name in (item.given, item.when)}
        state = ir.State(STATE, (), _NUMBERS, 0, None, False, None, 0)
        self.program = replace(
            program,
            functions=tuple(map(self._function, program.functions)),
            choices=tuple(map(self._choice, program.choices)),
            procedures=tuple(map(self._procedure, program.procedures)),
            states=(*program.states, state),
            statics=tuple(self._statics.values()),
        )

    # -- conditions on the switch

    def _acts(self, site: int, noted: int) -> ir.Expr:
        """Return the condition that a new switch does not empty the construct."""
        return self._compare("ne", self._add(site, noted, always=False))

    def _always(self, site: int, noted: int) -> ir.Expr:
        """Return the condition that a new switch makes the construct act always."""
        return self._compare("eq", self._add(site, noted, always=True))

    def _compare(self, op: Literal["eq", "ne"], number: int) -> ir.Expr:
        return ir.Op(op, (ir.Read(STATE, (), _NUMBERS), _number(number)), _FLAG)

    def _add(self, site: int, noted: int, *, always: bool) -> int:
        number, self._next = self._next, self._next + 1
        self._keep(Switch(number, always, site, noted))
        return number

    def _keep(self, switch: Switch) -> None:
        for rule in self._sites[switch.site].rules:
            self.by_rule[rule].append(switch)

    def _test(self, test: ir.Expr, site: int, noted: int) -> ir.Expr:
        """Return a condition with both switches: one by which it never holds, one by which it always does."""
        acts = ir.Op("and", (self._acts(site, noted), test), _FLAG)
        return ir.Op("or", (acts, self._always(site, noted)), _FLAG)

    def _value(self, value: ir.Expr, site: int, noted: int) -> ir.Expr:
        """Return a value that is another one with the construct emptied; for most types there are two."""
        others = self._others(value)
        if not others:
            self._keep(Switch(0, False, site, noted))
        switched = value
        for other in others:
            switched = ir.If(self._acts(site, noted), switched, other, value.type)
        return switched

    def _others(self, value: ir.Expr) -> list[ir.Expr]:
        """Return other values of the same type; none if there are none, or none can be written."""
        match value.type:
            case t.Flag():
                return [ir.Op("not", (value,), _FLAG)]
            case t.Row(table):
                name = self._add_other_rows(table)
                return [] if name is None else [ir.Static(name, (value,), value.type)]
            case t.Optional(of) as type_:
                ends, is_none = self._ends_of(of), ir.Op("is_none", (value,), _FLAG)
                none = ir.Const(t.NONE, type_)
                return [ir.If(is_none, ir.Const(end, type_), none, type_) for end in ends[:1]]
        ends = self._ends_of(value.type)
        one, other = ([ir.Const(end, value.type) for end in order] for order in (ends, ends[::-1]))
        return [_unless(value, *pair) for pair in zip(one, other, strict=True)]

    def _ends_of(self, type_: t.Type) -> tuple[int, ...]:
        """Return two values of a type that are far apart, the first a 0 if possible; or none."""
        match type_:
            case t.Int(low, high) | t.Month(low, high) if low < high:
                first = 0 if low <= 0 < high else low
                return first, high
            case t.Member():
                mask = self._before.by_name.members_of(type_)
                ends = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
                return ends if ends[0] < ends[1] else ()
            case t.SetOf(t.Member() as kind):
                return 0, self._before.by_name.members_of(kind)
        return ()

    def _add_other_rows(self, table: str) -> str | None:
        """Add a table with the row that differs most from each; None for a table of one row."""
        name, start = f"'other row of {table}", f"table:{table}."
        columns = [item.values for item in self._before.statics if item.name.startswith(start)]
        columns = [values for values in columns if len(values) == len(columns[0])]
        rows = list(zip(*columns, strict=True))
        if len(rows) < 2:
            return None
        others = tuple(
            max(range(len(rows)), key=lambda other: _differences(row, rows[other])) for row in rows
        )
        self._statics[name] = ir.StaticTable(name, ((0, len(rows) - 1),), t.Row(table), others)
        return name

    # -- functions

    def _function(self, item: ir.Function) -> ir.Function:
        if item.name in self._explaining:
            return item
        if item.name.startswith("modifier:"):
            return self._modifier(item)
        body = self._with_cases(item.body, item.site)
        if self._sites[item.site].rules:
            body = self._value(body, item.site, item.site)
        return replace(item, body=body)

    def _with_cases(self, e: ir.Expr, noted: int) -> ir.Expr:
        """A ladder of cases, of which each that cites a rule can be made never to hold, or always."""
        if not isinstance(e, ir.If):
            return e
        site, condition = self._site_of_part(e.then), e.condition
        if site is not None:
            condition = self._test(condition, site, noted)
        return replace(e, condition=condition, otherwise=self._with_cases(e.otherwise, noted))

    def _site_of_part(self, e: ir.Expr) -> int | None:
        """The site of the part of a definition or modifier whose runs this copy notes."""
        traced = isinstance(e, ir.Apply) and "'run " in e.function
        return self._functions[e.function].site if isinstance(e, ir.Apply) and traced else None

    def _modifier(self, item: ir.Function) -> ir.Function:
        body = item.body
        site = self._site_of_part(body.then) if isinstance(body, ir.If) else None
        if isinstance(body, ir.If) and site is not None:
            return replace(item, body=replace(body, condition=self._test(body.condition, site, item.site)))
        if "'run " in item.name or not self._sites[item.site].rules:
            return item
        first = item.params[0] if item.params else None
        now = first is not None and first.name == "now"
        idle = ir.Local(first.name, first.type) if first is not None and now else _number(0)
        return replace(item, body=ir.If(self._acts(item.site, item.site), body, idle, body.type))

    # -- choices

    def _choice(self, item: ir.Choice) -> ir.Choice:
        norms = tuple(self._norm(norm, item.site) for norm in item.norms)
        if not self._sites[item.site].rules:
            return replace(item, norms=norms)

        def without_members(e: ir.Expr) -> ir.Expr:
            acts, empty = self._acts(item.site, item.site), ir.Const(0, e.type)
            return ir.If(acts, e, empty, e.type) if isinstance(e.type, t.SetOf) else e

        candidates = None if item.candidates is None else without_members(item.candidates)
        fields = tuple((local, without_members(e)) for local, e in item.fields)
        return replace(item, norms=norms, candidates=candidates, fields=fields)

    def _norm(self, norm: ir.Norm, noted: int) -> ir.Norm:
        """A norm that acts always holds of each option, and no finished answer heals a breach of it."""
        if not self._sites[norm.site].rules:
            return norm
        acts, always = self._acts(norm.site, noted), self._always(norm.site, noted)
        test = ir.Op("or", (ir.Op("and", (acts, norm.test), _FLAG), always), _FLAG)
        whole, cover = norm.whole, norm.cover
        if whole is not None:
            whole = ir.Op("and", (ir.Op("not", (always,), _FLAG), whole), _FLAG)
        if cover is not None and isinstance(cover.type, t.SetOf) and isinstance(cover.type.of, t.Member):
            every = ir.Const(self._before.by_name.members_of(cover.type.of), cover.type)
            cover = ir.If(always, every, cover, cover.type)
        return replace(norm, test=test, whole=whole, cover=cover)

    # -- procedures

    def _procedure(self, item: ir.Procedure) -> ir.Procedure:
        if item.name in self._of_examples:
            return item
        rules = self._sites[item.site].rules
        if not isinstance(item.result, t.Nothing):
            end = ir.Fail("no-result", f"`{item.name}` ends without a result", item.site)
            return replace(item, body=(*self._block(item.body, ()), end))
        body = self._block(item.body, rules)
        if rules and body:
            noted = item.body[0].site
            body = (ir.When(self._acts(item.site, noted), body, (), item.site),)
        return replace(item, body=body)

    def _block(self, block: ir.Block, around: tuple[str, ...]) -> ir.Block:
        """The statements; those that cite other rules than what is around them can be emptied."""
        return tuple(part for stmt in block for part in self._statement(stmt, around))

    def _statement(self, stmt: ir.Stmt, around: tuple[str, ...]) -> ir.Block:
        rules, site = self._sites[stmt.site].rules, stmt.site
        own = bool(rules) and rules != around
        inner = walk.map_parts(stmt, lambda e: e, lambda part: self._block(part, rules if own else around))
        if not own or isinstance(inner, ir.Say):
            return (inner,)
        local = getattr(inner, "local", None) or getattr(inner, "raw", None)
        match inner:
            case ir.Let():
                return (replace(inner, value=self._value(inner.value, site, site)),)
            case ir.Return(value) if value is not None:
                return (replace(inner, value=self._value(value, site, site)),)
            case _ if isinstance(inner, _Binds) and isinstance(local, ir.Local):
                return inner, ir.Let(local, self._value(local, site, site), site)
            case ir.When():
                always = self._always(site, site)
                inner = replace(inner, condition=ir.Op("or", (inner.condition, always), _FLAG))
        return (ir.When(self._acts(site, site), (inner,), (), site),)


def _number(number: int) -> ir.Expr:
    return ir.Const(number, t.Int(number, number))


def _differences(row: tuple[x.Value, ...], other: tuple[x.Value, ...]) -> int:
    """The number of columns in which two rows differ."""
    return sum(a != b for a, b in zip(row, other, strict=True))


def _unless(value: ir.Expr, one: ir.Expr, two: ir.Expr) -> ir.Expr:
    """The first of two values, unless the value is that one."""
    return ir.If(ir.Op("eq", (value, one), _FLAG), two, one, value.type)
