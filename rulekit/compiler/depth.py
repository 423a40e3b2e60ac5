"""The depth of a program: how far its expressions nest, and how many calls and loops play has open at once.

One item nests little (spec 2.7), but modifiers, amendments and chains of definitions join many.  What goes
beyond the limits is refused here, with its place, so that play never fails for its depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, get_args

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ir import walk
from rulekit.ir.expr import Binding
from rulekit.ir.memo import Trees

MOST_LEVELS: Final = 300
"""Levels of one expression once modifiers and amendments are joined (spec 2.7)."""

MOST_CALLS: Final = 400
"""Calls that are open at once; a loop of an expression counts as two, ten blocks as one (spec 2.7)."""

BLOCKS_A_CALL: Final = 10

LEAVES: Final = frozenset((ir.Const, ir.Local))
"""Expressions without operands; one level more or less does not matter for them."""
BINDING: Final = frozenset(get_args(Binding))

Name = tuple[str, str]
"""A sort of item (`function`, `procedure`, `choice`), and its name."""

Item = ir.Function | ir.Procedure | ir.Choice


@frozen
class _Depth:
    """Of one item: the levels of its deepest expression, and the calls open where it calls others."""

    levels: int
    calls: Mapping[Name, int]


def check_depth(program: ir.Program, trees: Trees, report: Report) -> None:
    """Report the items that go beyond a limit, but not those that only use such an item."""
    items: dict[Name, Item] = {("function", item.name): item for item in program.functions}
    items |= {("procedure", item.name): item for item in program.procedures}
    items |= {("choice", item.name): item for item in program.choices}
    depths = {name: trees.of("depth", item, _depth_of) for name, item in items.items()}
    for name, depth in depths.items():
        if depth.levels > MOST_LEVELS:
            message = f"`{_plain(name)}` nests expressions more than {MOST_LEVELS} levels deep"
            _refuse(program, items[name], message, "name parts of it with `let` or `define`", report)
    open_calls = _open_calls(depths)
    for name, calls in open_calls.items():
        if calls > MOST_CALLS and all(open_calls[used] <= MOST_CALLS for used in depths[name].calls):
            message = f"`{_plain(name)}` needs more than {MOST_CALLS} calls and loops inside one another"
            _refuse(
                program, items[name], message, "use a table, or join some of the definitions it uses", report
            )


def _plain(name: Name) -> str:
    """The name in the rules, without what the compiler puts before it, such as `roll:`."""
    return name[1].rpartition(":")[2]


def _refuse(program: ir.Program, item: Item, message: str, hint: str, report: Report) -> None:
    report.add(Diagnostic(kinds.TOO_DEEP, message, program.sites[item.site].span, hint=hint))


def _open_calls(depths: Mapping[Name, _Depth]) -> dict[Name, int]:
    """How many calls are open at most while each item runs, the callees of each before it."""
    most: dict[Name, int] = {}
    for start in depths:
        path = [(start, iter(depths[start].calls))] if start not in most else []
        while path:
            name, callees = path[-1]
            used = next(callees, None)
            if used is None:
                most[name] = max((at + most[used] for used, at in depths[name].calls.items()), default=1)
                path.pop()
            elif used not in most:
                path.append((used, iter(depths[used].calls)))
    return most


def _depth_of(item: Item) -> _Depth:
    match item:
        case ir.Function():
            return _measure([(item.body, 1)], ())
        case ir.Procedure():
            statements = list(_statements(item.body))
            expressions = [(e, calls) for stmt, calls in statements for e in walk.expressions(stmt)]
            return _measure(expressions, statements)
        case ir.Choice():
            norms = (part for norm in item.norms for part in (norm.test, norm.cover, norm.whole))
            parts = (item.decider, item.default, *item.asked, *norms, *(value for _, value in item.lets))
            return _measure([(e, 2) for e in parts if e is not None], ())


def _measure(expressions: Iterable[tuple[ir.Expr, int]], statements: Sequence[tuple[ir.Stmt, int]]) -> _Depth:
    """The depth of expressions and statements, each with the calls that are open there."""
    levels, calls = 0, dict[Name, int]()

    def note(sort: str, name: str, at: int) -> None:
        calls[sort, name] = max(at, calls.get((sort, name), 0))

    waiting = [(e, 1, at) for e, at in expressions]
    while waiting:
        e, level, at = waiting.pop()
        if level > levels:
            levels = level
        kind = e.__class__
        if kind is ir.Apply:
            note("function", e.function, at)  # type: ignore[union-attr]
        elif kind in BINDING:
            at += 2
        for part in walk.children(e):
            if part.__class__ not in LEAVES:
                waiting.append((part, level + 1, at))
    for stmt, at in statements:
        if isinstance(stmt, ir.Do):
            note("procedure", stmt.procedure, at)
        elif isinstance(stmt, ir.Choose | ir.ChooseEach):
            note("choice", stmt.choice, at)
    return _Depth(levels, calls)


def _statements(block: ir.Block) -> Iterator[tuple[ir.Stmt, int]]:
    """All statements of a block, with the calls that are open where they run."""
    waiting = [(block, BLOCKS_A_CALL)]
    while waiting:
        block, blocks = waiting.pop()
        for stmt in block:
            yield stmt, blocks // BLOCKS_A_CALL
            waiting += [(part, blocks + 1) for part in walk.blocks(stmt)]
