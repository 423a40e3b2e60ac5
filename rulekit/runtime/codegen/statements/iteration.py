"""Loops as flows: over the members of a set, so many times, and as long as a test holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from rulekit.base.bits import member_ids
from rulekit.ir import Best, Block, Const, Expr, Filter, ForEach, Local, Repeat
from rulekit.ir.types import Int, ListOf, Member, Scalar, SetOf, Type
from rulekit.runtime.codegen.expressions.expressions import ExpressionWriter
from rulekit.runtime.codegen.expressions.loops import sort_call, split_call
from rulekit.runtime.codegen.expressions.writer import ATOM, Writer
from rulekit.runtime.codegen.module_writer import charge, charge_loop
from rulekit.runtime.codegen.routines import flow as f
from rulekit.runtime.codegen.routines.flow import Code, Flow, code
from rulekit.runtime.codegen.statements import chance_statements
from rulekit.runtime.codegen.statements.scope import RoutineScope
from rulekit.runtime.support.build import LOOP_LIMIT

LowerBody = Callable[[Block], Flow]
"""Lowers the body of a loop."""

COUNT = Int(0, 2**31 - 1)
RUNS = "runs"


def for_each(scope: RoutineScope, lower_body: LowerBody, stmt: ForEach) -> Flow:
    """Once for each member of a set or item of a list."""
    if stmt.order is not None and stmt.order.kind == "chosen":
        return _each_chosen(scope, lower_body, stmt)
    if stmt.order is not None and stmt.order.kind == "lot" and scope.asks_chance:
        return _each_by_lot(scope, lower_body, stmt)
    site = stmt.site
    writer = scope.writer(site, stmt.over)
    values = writer.text(stmt.over) if isinstance(stmt.over.type, ListOf) else writer.members(stmt.over)
    if stmt.order is not None and not isinstance(stmt.over.type, ListOf):
        values = _members_in_order(scope, stmt, values)
    var = scope.local(stmt.var)
    kept = scope.variable(f"{stmt.var.name}.list", members_of(stmt.var.type))
    index = scope.variable(f"{stmt.var.name}.index", COUNT)
    if stmt.alternating is not None:
        return _alternating(scope, lower_body, stmt, values, kept, index)
    body = lower_body(stmt.body)
    flow: Flow = []
    paid = _charge(scope, stmt, kept, f"len({kept})")
    if paid:
        flow.append(code(site, f"{kept} = {values}", *paid))
        values = kept
    return [*flow, f.Each(var, values, body, site, kept, index)]


def _members_in_order(scope: RoutineScope, stmt: ForEach, values: str) -> str:
    """The members in the order that the loop asks for."""
    order = stmt.order
    assert order is not None
    writer = scope.writer(stmt.site, *order.keys)
    if order.kind == "first":
        ahead = _ahead(stmt)
        if ahead is not None:
            return repr(ahead)
        heads = ", ".join(
            f"*{writer.members(key)}" if isinstance(key.type, SetOf) else writer.text(key)
            for key in order.keys
        )
        return f"firsts({values}, ({heads},))"
    if order.kind == "lot":
        point = chance_statements.point_index(scope, order.name)
        if not order.ranks:
            return f"S.shuffle({point}, {values})"
        return f"lots(S, {point}, {_groups_of_equals(writer, stmt, values)})"
    for end, number in reversed(order.numbers):
        values = sort_call(writer, values, stmt.var, number, end == "highest")
    return values


def _groups_of_equals(writer: Writer, stmt: ForEach, values: str) -> str:
    """The members in groups of those that are equal by the loop's numbers, in order."""
    assert stmt.order is not None
    groups = f"({values},)"
    for end, number in stmt.order.numbers:
        groups = split_call(writer, groups, stmt.var, number, end == "highest")
    return groups


def _each_by_lot(scope: RoutineScope, lower_body: LowerBody, stmt: ForEach) -> Flow:
    """A loop by lot where chance is asked: for one member after the other, when its turn comes.

    Members that take turns keep their order in all rounds, so that all of it is asked for at the beginning.
    """
    site, order = stmt.site, stmt.order
    assert order is not None
    writer = scope.writer(site, stmt.over, *order.keys)
    var = scope.local(stmt.var)
    members, together = members_of(stmt.var.type), SetOf(cast(Member, stmt.var.type))
    kept = scope.variable(f"{stmt.var.name}.list", members)
    start = code(site, f"{kept} = {writer.members(stmt.over)}")
    groups = _groups_of_equals(writer, stmt, kept)
    if stmt.alternating is None:
        left = scope.variable(f"{stmt.var.name}.left", ListOf(together, members.most))
        heaps = code(site, f"{left} = heaps({groups})")
        paid = code(site, *_charge(scope, stmt, kept, f"len({kept})"))
        head = scope.variable(f"{stmt.var.name}.head", together)
        drawn = chance_statements.draw_one_of(scope, order.name, head, var, site)
        taken = code(site, f"{left} = without_one({left}, {var})")
        body: Flow = [code(site, f"{head} = {left}[0]"), *drawn, taken, *lower_body(stmt.body)]
        return [start, paid, heaps, f.While(left, body, site)]
    tied = scope.variable(f"{stmt.var.name}.tied", members)
    ordered = scope.variable(f"{stmt.var.name}.ordered", members)
    index = scope.variable(f"{stmt.var.name}.index", COUNT)
    several = scope.variable(f"{stmt.var.name}.groups", ListOf(together, members.most))
    equals = scope.variable(f"{stmt.var.name}.equals", together)
    shuffled = chance_statements.shuffle_things(scope, order.name, tied, tied, site)
    kept_apart = code(site, f"{tied} = S.things({equals})")
    body = [kept_apart, *shuffled, code(site, f"{ordered} = (*{ordered}, *{tied})")]
    groups_in_order = f.Each(equals, f"heaps({groups})", body, site, several, index)
    before = code(site, f"{ordered} = ()")
    turn = scope.variable(f"{stmt.var.name}.index", COUNT)
    return [start, before, groups_in_order, *_alternating(scope, lower_body, stmt, ordered, kept, turn)]


def _ahead(stmt: ForEach) -> tuple[int, ...] | None:
    """The members with some put first, where all of that is known now."""
    assert stmt.order is not None
    if not isinstance(stmt.over, Const) or not all(isinstance(key, Const) for key in stmt.order.keys):
        return None
    heads: list[int] = []
    for key in stmt.order.keys:
        assert isinstance(key, Const) and isinstance(key.value, int)
        heads += member_ids(key.value) if isinstance(key.type, SetOf) else (key.value,)
    assert isinstance(stmt.over.value, int)
    values = member_ids(stmt.over.value)
    ahead = tuple(dict.fromkeys(head for head in heads if head in values))
    return ahead + tuple(value for value in values if value not in ahead)


def _alternating(
    scope: RoutineScope, lower_body: LowerBody, stmt: ForEach, values: str, kept: str, index: str
) -> Flow:
    """Members take turns until a whole round finds nobody who can."""
    assert stmt.alternating is not None
    site = stmt.site
    var = scope.local(stmt.var)
    idle = scope.variable(f"{stmt.var.name}.idle", COUNT)
    start = code(site, f"{kept} = {values}; {index} = {idle} = 0")
    test = scope.writer(site, stmt.alternating).test(stmt.alternating)
    step = f"{var} = {kept}[{index}]; {index} = ({index} + 1) % len({kept})"
    turn = code(site, step, *_charge_run(scope, stmt))
    skip: Flow = [code(site, f"{idle} += 1"), f.Continue(site)]
    able = f.Branch(f"not ({test})", skip, [], site)
    body: Flow = [turn, able, code(site, f"{idle} = 0"), *lower_body(stmt.body)]
    return [start, f.While(f"{idle} < len({kept})", body, site)]


def _each_chosen(scope: RoutineScope, lower_body: LowerBody, stmt: ForEach) -> Flow:
    """A side picks the next member each time, of those that have not had their turn."""
    site, order = stmt.site, stmt.order
    assert order is not None
    writer = scope.writer(site, stmt.over, *order.keys)
    kind = stmt.over.type
    left = scope.variable(f"{stmt.var.name}.left", kind)
    var = scope.local(stmt.var)
    params = scope.optimised.facts.choices[order.name].params
    offered: Expr = Local("members left", kind)
    for end, number in order.numbers:
        offered = Best(end, offered, stmt.var, number, kind)
    names = {**writer.names, "members left": left}
    open_ = ExpressionWriter(scope.unit, names, site).text(offered)
    arguments = (open_, *(writer.text(side) for side in order.sides))[: len(params)]
    start = code(site, f"{left} = {writer.text(stmt.over)}")
    paid = code(site, *_charge(scope, stmt, left, f"{left}.bit_count()"))
    ask = scope.invoke(("choice", order.name, False), arguments, var, site)
    none = f.Branch(f"{var} < 0", [f.Break(site)], [], site)
    taken = code(site, f"{left} &= ~(1 << {var})")
    body: Flow = [ask, none, taken, *lower_body(stmt.body)]
    if stmt.alternating is None:
        return [start, paid, f.While(left, body, site)]
    return _rounds(scope, stmt, start, left, body)


def _rounds(scope: RoutineScope, stmt: ForEach, start: Code, left: str, body: Flow) -> Flow:
    """Chosen order with turns: each round offers those who still can, until there is none."""
    assert stmt.alternating is not None
    site = stmt.site
    everyone = scope.variable(f"{stmt.var.name}.all", stmt.over.type)
    able = _able(scope, stmt, everyone)
    first = code(site, f"{everyone} = {left}; {left} = 0")
    again = code(site, f"{left} = {left} & {able} or {able}", *_charge_run(scope, stmt))
    done = f.Branch(f"not {left}", [f.Break(site)], [], site)
    return [start, first, f.While("True", [again, done, *body], site)]


def repeat(scope: RoutineScope, lower_body: LowerBody, stmt: Repeat) -> Flow:
    """So many times, or as long as a test says."""
    site = stmt.site
    writer = scope.writer(site, stmt.control)
    if stmt.kind == "times":
        return _times(scope, lower_body, stmt, writer.text(stmt.control))
    runs = scope.variable(RUNS, COUNT, counts_budget=stmt.limit is None)
    test = writer.truth(stmt.control)
    test_text = f"not {runs} or not ({test.text})" if stmt.kind == "until" else test.text
    limit = str(LOOP_LIMIT)
    if stmt.limit is not None:
        limit = scope.writer(site, stmt.limit).text(stmt.limit)
    start = code(site, f"{runs} = 0")
    tested = f"if {runs} > ({limit}): endless({limit})"
    count = code(site, f"{runs} += 1", tested, *_charge_run(scope, stmt))
    return [start, f.While(test_text, [count, *lower_body(stmt.body)], site)]


def _times(scope: RoutineScope, lower_body: LowerBody, stmt: Repeat, count: str) -> Flow:
    site = stmt.site
    left = scope.variable("left", COUNT)
    body = lower_body(stmt.body)
    if not scope.optimised.prices.of_runs(stmt):
        return [f.Times(count, body, site, left)]
    name = scope.variable("times", COUNT)
    start = code(site, f"{name} = {count}", *_charge(scope, stmt, f"{name} > 0", name))
    return [start, f.Times(name, body, site, left)]


def _charge(scope: RoutineScope, stmt: ForEach | Repeat, some: str, runs: str) -> tuple[str, ...]:
    """Take the runs of a loop from the budget, if `some` is true; nothing, if the loop does not pay."""
    price = scope.optimised.prices.of_runs(stmt)
    return charge_loop(some, runs, price) if price else ()


def _charge_run(scope: RoutineScope, stmt: ForEach | Repeat) -> tuple[str, ...]:
    """Take one run of a loop that pays for each as it begins."""
    return charge("1", scope.optimised.prices.of_runs(stmt))


def members_of(kind: Type) -> ListOf:
    """The type of the members a loop still has before it."""
    return ListOf(cast(Scalar, kind), 2**20)


def _able(scope: RoutineScope, stmt: ForEach, over: str) -> str:
    """The members for whom an alternating loop's condition holds, as text."""
    assert stmt.alternating is not None
    everyone = Local("loop members", stmt.over.type)
    e = Filter(everyone, stmt.var, stmt.alternating, stmt.over.type)
    names = {**scope.writer(stmt.site, stmt.alternating).names, everyone.name: over}
    return ExpressionWriter(scope.unit, names, stmt.site).value(e).at(ATOM)
