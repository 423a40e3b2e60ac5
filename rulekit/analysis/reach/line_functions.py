"""A copy of the program for coverage, in which rows, cases and modifiers are functions: their runs are noted.

These are the cited rows of tables, the cited cases of definitions, and modifiers where they act.  Games play
the program itself, which costs nothing for this.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from rulekit import ir
from rulekit.base import bits
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import TableModel
from rulekit.compiler.typecheck.conversions import FLAG
from rulekit.compiler.typecheck.definitions import by_start
from rulekit.ir import walk
from rulekit.ir.program import UNMODIFIED, span_of
from rulekit.ir.types import Int
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Cite

_Lines = Sequence[i.Case | i.CaseLet]


def with_line_functions(compiled: Compiled) -> ir.Program:
    """Return the program with a function for each cited row and case, and for each modifier that acts."""
    tracer = _Tracer(compiled)
    for name, define in compiled.names.defines.items():
        tracer.trace_cases(
            name if f"{name}{UNMODIFIED}" not in tracer.functions else f"{name}{UNMODIFIED}", define
        )
    for name, table in compiled.model.tables.items():
        tracer.trace_rows(name, table)
    for name, modifier in compiled.names.modifiers.items():
        tracer.trace_modifier(f"modifier:{name}", modifier)
    return tracer.program()


class _Tracer:
    """The functions, sites and tables of the copy."""

    def __init__(self, compiled: Compiled) -> None:
        self._program, self._manifest = compiled.program, compiled.rule_set.manifest
        self.functions = dict(compiled.program.by_name.functions)
        self._statics = dict(compiled.program.by_name.statics)
        self._sites = list(compiled.program.sites)

    def program(self) -> ir.Program:
        """Return the copy."""
        return replace(
            self._program,
            functions=tuple(self.functions.values()),
            statics=tuple(self._statics.values()),
            sites=tuple(self._sites),
        )

    def _site(self, function: ir.Function, rules: tuple[str, ...], span: Span) -> int:
        owner = self._sites[function.site].owner
        self._sites.append(ir.Site(owner, rules, span.file, span.line, span.column))
        return len(self._sites) - 1

    def _call(self, function: ir.Function, body: ir.Expr, rules: tuple[str, ...], span: Span) -> ir.Expr:
        """Return a call of a new function for a part of another one; it takes the same arguments."""
        site = self._site(function, rules, span)
        name = f"{function.name}'run {site}"
        self.functions[name] = ir.Function(name, function.params, body.type, body, site)
        arguments = tuple(ir.Local(param.name, param.type) for param in function.params)
        return ir.Apply(name, arguments, body.type)

    def _rules(self, cite: Cite) -> tuple[str, ...]:
        return tuple(self._manifest.rule_id(id_) for id_ in cite.ids)

    # -- cases

    def trace_cases(self, name: str, define: i.Define) -> None:
        """Make functions of the cited cases of a definition."""
        lines = by_start(define.cases)
        if name in self.functions and any(line.cite is not None for line in lines):
            self._trace_lines(name, lines)

    def _trace_lines(self, name: str, lines: _Lines) -> None:
        function = self.functions[name]
        self.functions[name] = replace(function, body=self._with_cases(function, function.body, lines))

    def _with_cases(self, function: ir.Function, e: ir.Expr, lines: _Lines) -> ir.Expr:
        """The ladder of cases with calls; the cases after a `let` are a function already."""
        case, *rest = lines
        if isinstance(case, i.CaseLet):
            if isinstance(e, ir.Apply) and rest:
                self._trace_lines(e.function, rest)
            return e
        if case.test is None or not rest:
            return self._case(function, case, e)
        if not isinstance(e, ir.If):
            return e
        then = self._case(function, case, e.then)
        return replace(e, then=then, otherwise=self._with_cases(function, e.otherwise, rest))

    def _case(self, function: ir.Function, case: i.Case, value: ir.Expr) -> ir.Expr:
        return value if case.cite is None else self._call(function, value, self._rules(case.cite), case.span)

    # -- rows

    def trace_rows(self, name: str, table: TableModel) -> None:
        """Make functions of the cited rows of a table; rows that cite the same rules share one."""
        cites = {row.span: row.cite for row in table.decl.rows[1:] if row.cite is not None}
        static = self._statics.get(f"table:{name}")
        base = self.functions.get(f"table:{name}'base") or self.functions.get(f"table:{name}")
        if not cites or static is None or base is None:
            return
        lookup = next((e for e in walk.nodes(base.body) if _looks_up(e, static)), None)
        if not isinstance(lookup, ir.Static):
            return
        groups = {self._rules(cite): span for span, cite in reversed(cites.items())}
        numbers = {rules: number for number, rules in enumerate(groups, 1)}
        rows = tuple(
            (numbers[self._rules(cites[span])] if span in cites else 0, box) for span, box in table.rows
        )
        kind = Int(0, len(numbers))
        by_row = replace(static, name=f"{static.name}'cited", type=kind, values=self._dense(static, rows))
        self._statics[by_row.name] = by_row
        calls = [self._call(base, base.body, rules, groups[rules]) for rules in groups]
        number = ir.Static(by_row.name, lookup.keys, kind)
        self.functions[base.name] = replace(base, body=_switch(number, [base.body, *calls], 0))

    def _dense(self, static: ir.StaticTable, rows: Sequence[tuple[int, tuple[int, ...]]]) -> tuple[int, ...]:
        """The number of the row of each combination of keys: of several rows the first, 0 without one."""
        sizes = self._program.by_name.sizes
        lengths = [high - low + 1 for low, high in (span_of(key, sizes) for key in static.keys)]
        dense = [0] * math.prod(lengths)
        for number, box in reversed(rows):
            for positions in itertools.product(*map(bits.member_ids, box)):
                at = 0
                for length, position in zip(lengths, positions, strict=True):
                    at = at * length + position
                dense[at] = number
        return tuple(dense)

    # -- modifiers

    def trace_modifier(self, name: str, modifier: i.Modifier) -> None:
        """Make a function of what a modifier does where it acts; the one around it runs with each roll."""
        waits = any(
            isinstance(clause, i.WhenClause | i.UnlessClause | i.SpanClause) for clause in modifier.clauses
        )
        function = self.functions.get(name)
        if function is None or not waits or not isinstance(function.body, ir.If):
            return
        rules, span = self._sites[function.site].rules, modifier.span
        acting = self._call(function, function.body.then, rules, span)
        body = replace(function.body, then=acting)
        self.functions[name] = replace(function, body=body, site=self._site(function, (), span))


def _looks_up(e: ir.Expr, static: ir.StaticTable) -> bool:
    return isinstance(e, ir.Static) and e.table == static.name


def _switch(number: ir.Expr, parts: Sequence[ir.Expr], low: int) -> ir.Expr:
    """The part with a number, which is `low` for the first, found by halves."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    last = low + half - 1
    test = ir.Op("le", (number, ir.Const(last, Int(last, last))), FLAG)
    one, other = _switch(number, parts[:half], low), _switch(number, parts[half:], low + half)
    return ir.If(test, one, other, parts[0].type)
