"""Rows of a table that no look-up in the rules can reach."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit import ir
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import elsewhere, in_scope
from rulekit.base.bits import members
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import TableModel
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ir import types as t

WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding a table, at the first such row; told of what no option can change.

    A table that nothing asks is told as unused.  An option may add to a roll: where there are options that
    are not chosen, only keys are told that are no numbers, and only of tables that no such option names.
    """
    compiled = rules.compiled
    manifest = compiled.rule_set.manifest
    numbers = set(compiled.rule_set.options) >= {option.name for option in manifest.options}
    for name, table in compiled.model.tables.items():
        if not table.asked or not in_scope(compiled, table.decl.span):
            continue
        looked_up = [_lookup(compiled, table, arguments, numbers=numbers) for arguments in table.asked]
        unreached = [
            row
            for row, box in table.rows
            if not any(all(a & b for a, b in zip(box, call, strict=True)) for call in looked_up)
        ]
        if unreached and name not in elsewhere(compiled, [name]).read:
            more = f", nor {len(unreached) - 1} more" if len(unreached) > 1 else ""
            message = f"no lookup of `{name}` can reach this row{more}"
            words = ", ".join(
                f"`{table.params[key].name}` is {_words(compiled, table, place, looked_up)}"
                for place, key in enumerate(table.keys)
                if any(call[place] != table.wanted[place] for call in looked_up)
            )
            hint = f"every lookup asks for {words}: correct the row, or the lookups" if words else None
            yield Diagnostic(kinds.UNREACHED_ROW, message, unreached[0], hint=hint, key=(f"table {name}",))


def _lookup(
    compiled: Compiled, table: TableModel, arguments: tuple[ir.Expr, ...], *, numbers: bool
) -> tuple[int, ...]:
    """The positions that an argument can have, key by key."""
    return tuple(
        _positions(compiled, arguments[key], table.params[key].type, wanted, numbers=numbers)
        for key, wanted in zip(table.keys, table.wanted, strict=True)
    )


def _positions(compiled: Compiled, e: ir.Expr, key: t.Type, wanted: int, *, numbers: bool) -> int:
    match key, e.type:
        case t.Int() | t.Month(), t.Int() | t.Month() as have if numbers:
            low, high = max(have.low, key.low) - key.low, min(have.high, key.high) - key.low
            return ((1 << high + 1) - (1 << low)) & wanted if low <= high else 0
        case t.Member(), t.Member() if isinstance(e, ir.Const) and isinstance(e.value, int):
            return 1 << e.value & wanted
        case t.Member(), t.Member() as have if have.name in compiled.model.world.kinds:
            return compiled.model.world.kinds[have.name].members & wanted
        case t.Flag(), _ if isinstance(e, ir.Const):
            return 1 << int(bool(e.value))
        case _:
            return wanted


def _words(compiled: Compiled, table: TableModel, place: int, calls: list[tuple[int, ...]]) -> str:
    """All that a key is asked for, from the lowest to the highest."""
    reached = 0
    for call in calls:
        reached |= call[place]
    type_ = table.params[table.keys[place]].type
    if isinstance(type_, t.Int | t.Month):
        low, high = (reached & -reached).bit_length() - 1, reached.bit_length() - 1
        ends = dict.fromkeys(compiled.model.world.text(type_, type_.low + end) for end in (low, high))
        return (" to " if isinstance(type_, t.Month) else "..").join(ends)
    plain = t.Flag() if isinstance(type_, t.Flag) else type_
    words = [compiled.model.world.text(plain, n) for n in members(reached)]
    return " or ".join(words[:4]) + (" or others" if len(words) > 4 else "")
