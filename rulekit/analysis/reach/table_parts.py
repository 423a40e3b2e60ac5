"""Which columns and rows of a table the reached items read, as far as names tell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from rulekit.analysis.uses import uses_of
from rulekit.compiler.amend.targets import parts_of
from rulekit.compiler.names import Names
from rulekit.ir.memo import Trees
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import nodes

Place = tuple[str, str]
Keys = tuple[frozenset[str] | None, ...]
"""The members that a row has for each parameter of its table; None where it names none."""


def keys_of(table: i.Table, row: i.TableRow) -> Keys:
    """Return the keys of a row that are names."""
    heads = [{name.text for name in cell.names} for cell in table.rows[0].cells]
    cells = dict(zip(map(frozenset, heads), row.cells, strict=False))
    return tuple(
        frozenset(name.text for name in cell.names) if cell is not None and cell.kind == "names" else None
        for cell in (cells.get(frozenset((param.name.text,))) for param in table.params)
    )


def row_place(table: i.Table, keys: Keys) -> Place:
    """Return the place that stands for all rows of a table with these names as keys."""
    words = " or ".join(sorted(name for names in keys if names is not None for name in names))
    return "rows", f"{table.name.text} {words}"


def parts_read(
    tables: Iterable[i.Table], reached: Collection[Place], names: Names, trees: Trees
) -> Iterator[Place]:
    """Yield the columns of tables that a reached item names, and the rows that a call of one can look up."""
    if not (tables := list(tables)):
        return
    items = [item for space, name in reached if (item := getattr(names, space, {}).get(name)) is not None]
    read = set().union(*(trees.of("uses", item, uses_of).read for item in items))
    members = {member.name.text for enum in names.enums.values() for member in enum.members}
    for table in tables:
        name = table.name.text
        yield from (("columns", f"{name} {part}") for part in parts_of("column", table) if part in read)
        calls = [call for item in items for call in trees.of("calls", item, _calls).get(name, ())]
        for keys in {keys_of(table, row) for row in table.rows[1:]}:
            if any(_can_look_up(call, keys, members) for call in calls):
                yield row_place(table, keys)


def _calls(item: i.Item) -> Mapping[str, list[x.Call]]:
    calls: dict[str, list[x.Call]] = {}
    for node in nodes(item):
        if isinstance(node, x.Call):
            calls.setdefault(node.name.text, []).append(node)
    return calls


def _can_look_up(call: x.Call, keys: Keys, members: Collection[str]) -> bool:
    """True unless an argument is a member that the row does not have."""
    return len(call.arguments) != len(keys) or not any(
        isinstance(argument, x.Reference) and argument.name.text in members and argument.name.text not in key
        for argument, key in zip(call.arguments, keys, strict=True)
        if key is not None
    )
