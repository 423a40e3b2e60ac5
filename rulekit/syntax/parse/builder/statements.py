"""From trees of the grammar to our own: statements."""

from __future__ import annotations

from rulekit.diagnostics import kinds
from rulekit.syntax.parse.builder.base import (
    MAX_CASES,
    RULES,
    Builder,
    Node,
    builds,
    children,
    first,
    line,
    plain,
    text_of,
    word,
)
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s

RULES |= {
    "set": line(s.Change, op="set"),
    "mark": line(s.Mark, on=True),
    "unmark": line(s.Mark, on=False),
    "move": line(s.Move),
    "remove": line(s.Move),
    "do": line(s.Do),
    "choose": line(s.Choose, var=None, over=None),
    "choose_each": line(s.Choose),
    "roll_dice": line(s.RollDice),
    "draw": line(s.Draw, by_lot=False),
    "draw_by_lot": line(s.Draw, by_lot=True),
    "shuffle": line(s.Shuffle),
    "put_top": line(s.Put, top=True),
    "put_under": line(s.Put, top=False),
    "form": line(s.Form),
    "dissolve": line(s.Dissolve),
    "reveal": line(s.Reveal),
    "return_result": line(s.Return),
    "return_plain": line(s.Return),
    "leave": line(s.Jump, word="leave"),
    "next": line(s.Jump, word="next"),
    "finish": line(s.Finish),
    "say": line(s.Say),
    "target_field": plain(x.Field),
    "order_first": plain(s.Order, kind="first"),
    "order_lowest": plain(s.Order, kind="lowest"),
    "order_highest": plain(s.Order, kind="highest"),
    "order_by_lot": plain(s.Order, kind="lot"),
    "order_chosen": plain(s.Order, kind="chosen"),
}


@builds("target_name")
def target_name(b: Builder, node: Node) -> s.Target:
    name, *arguments = b.build_all(node)
    return x.Call(b.span(node), name, *arguments) if arguments else x.Reference(b.span(node), name)


@builds("let")
def let(b: Builder, node: Node) -> s.Let:
    cite = b.take_cite()
    name, *declared, value = b.build_all(node)
    return s.Let(b.span(node), cite, name, declared[0] if declared else None, value)


@builds("add", "subtract")
def change(b: Builder, node: Node) -> s.Change:
    cite = b.take_cite()
    value, target = b.build_all(node)
    return s.Change(b.span(node), cite, "add" if node.data == "add" else "take", target, value)


# ---------------------------------------------------------------- loops and blocks


@builds("loop_each", "loop_alternating")
def loop(b: Builder, node: Node) -> s.Loop:
    var, over, *orders = b.build_all(node)
    condition = orders.pop() if node.data == "loop_alternating" else None
    return s.Loop(b.span(node), var, over, tuple(orders), condition)


@builds("for_each")
def for_each(b: Builder, node: Node) -> s.ForEach:
    loop, suite = children(node)
    header = b.build(loop)
    body, cite = b.suite(suite)
    return s.ForEach(b.span(node), cite, header, body)


@builds("step")
def step(b: Builder, node: Node) -> s.Step:
    kind, name, *rest, suite = children(node)
    header = next((b.build(part) for part in rest if part.data in ("loop_each", "loop_alternating")), None)
    body, cite = b.suite(suite)
    title = text_of(first(node, "title"))
    return s.Step(b.span(node), cite, word(kind).removesuffix("_kind"), b.name(name), title, header, body)


@builds("when_block")
def when(b: Builder, node: Node) -> s.When:
    condition, suite, *rest = children(node)
    test = b.build(condition)
    body, cite = b.suite(suite)
    if len(rest) > MAX_CASES:
        b.refuse(kinds.TOO_DEEP, f"more than {MAX_CASES} branches", node, "use a table")
    branches = [(test, body)]
    otherwise: tuple[s.Statement, ...] = ()
    below: list[s.Cite | None] = []
    for part in rest:
        *tests, inner = children(part)
        if tests:
            test = b.build(tests[0])
        body, own = b.suite(inner)
        below.append(own)
        if tests:
            branches.append((test, body))
        else:
            otherwise = body
    return s.When(b.span(node), cite, tuple(branches), otherwise, tuple(below))


@builds("repeat_times", "repeat_until", "repeat_while")
def repeat(b: Builder, node: Node) -> s.Repeat:
    control, *limit, suite = children(node)
    value = b.build(control)
    bound = b.build_in(limit[0]) if limit else None
    body, cite = b.suite(suite)
    return s.Repeat(b.span(node), cite, word(node, "repeat_"), value, bound, body)


@builds("together")
def together(b: Builder, node: Node) -> s.Together:
    body, cite = b.suite(children(node)[0])
    return s.Together(b.span(node), cite, body)
