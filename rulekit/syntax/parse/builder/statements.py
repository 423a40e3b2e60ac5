"""From lark's trees to our own: statements."""

from __future__ import annotations

from typing import Any, cast

from rulekit.diagnostics import kinds
from rulekit.syntax.parse.builder.base import MAX_CASES, Node, word
from rulekit.syntax.parse.builder.expressions import ExpressionBuilder
from rulekit.syntax.parse.tree import Token
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s


class StatementBuilder(ExpressionBuilder):
    """Adds statements.  A simple statement's citation stands on its line, beside it, not inside it."""

    line_cite: s.Cite | None = None

    def suite(self, node: Node) -> tuple[tuple[s.Statement, ...], s.Cite | None]:
        """The statements of a block, and the citation after the header's colon."""
        parts = self.children(node)
        if parts and parts[0].data == "cite":
            return self.block(parts[1:]), self.on_cite(parts[0])
        inline = len(parts) == 2 and parts[1].data == "cite"
        return self.block(parts), (self.on_cite(parts[1]) if inline else None)

    def block(self, parts: list[Node]) -> tuple[s.Statement, ...]:
        """Statements of a run of siblings, each with the citation that follows it."""
        statements: list[s.Statement] = []
        for index, part in enumerate(parts):
            if part.data == "cite":
                continue
            after = parts[index + 1] if index + 1 < len(parts) else None
            self.line_cite = self.on_cite(after) if after is not None and after.data == "cite" else None
            statements.append(self.build(part))
        return tuple(statements)

    def taken(self) -> s.Cite | None:
        """The citation of the line being built; taken once, before its parts are built."""
        cite, self.line_cite = self.line_cite, None
        return cite

    def as_name(self, node: Node) -> x.Name | None:
        child = self.first(node, "as_name")
        return self.on_name(self.children(child)[0]) if child else None

    def on_call(self, node: Node) -> x.Call:
        return x.Call(self.span(node), self.on_name(self.children(node)[0]), self.arguments(node) or ())

    def on_target_name(self, node: Node) -> s.Target:
        name, *rest = self.children(node)
        if rest:
            return x.Call(self.span(node), self.on_name(name), self.on_arguments(rest[0]))
        return x.Reference(self.span(node), self.on_name(name))

    def on_target_field(self, node: Node) -> s.Target:
        base, name, *_ = self.children(node)
        return x.Field(self.span(node), self.build(base), self.on_name(name), self.arguments(node))

    # -- simple statements

    def on_let(self, node: Node) -> s.Statement:
        cite = self.taken()
        name, *types, value = self.children(node)
        declared = self.build(types[0]) if types else None
        return s.Let(self.span(node), cite, self.on_name(name), declared, self.build(value))

    def change(self, node: Node, op: Any, target: Node, value: Node) -> s.Statement:
        cite = self.taken()
        return s.Change(self.span(node), cite, op, self.build(target), self.build(value))

    def on_set(self, node: Node) -> s.Statement:
        target, value = self.children(node)
        return self.change(node, "set", target, value)

    def on_add(self, node: Node) -> s.Statement:
        value, target = self.children(node)
        return self.change(node, "add", target, value)

    def on_subtract(self, node: Node) -> s.Statement:
        value, target = self.children(node)
        return self.change(node, "take", target, value)

    def mark(self, node: Node, on: bool) -> s.Statement:
        cite = self.taken()
        members, flag = self.children(node)
        return s.Mark(self.span(node), cite, on, self.build(members), self.on_name(flag))

    def on_mark(self, node: Node) -> s.Statement:
        return self.mark(node, True)

    def on_unmark(self, node: Node) -> s.Statement:
        return self.mark(node, False)

    def on_move(self, node: Node) -> s.Statement:
        cite = self.taken()
        pieces, place = self.all(self.children(node))
        return s.Move(self.span(node), cite, pieces, place)

    def on_remove(self, node: Node) -> s.Statement:
        cite = self.taken()
        return s.Move(self.span(node), cite, self.build(self.children(node)[0]), None)

    def on_do(self, node: Node) -> s.Statement:
        cite = self.taken()
        return s.Do(self.span(node), cite, self.on_call(self.children(node)[0]), self.as_name(node))

    def on_choose(self, node: Node) -> s.Statement:
        cite = self.taken()
        call = self.on_call(self.children(node)[0])
        return s.Choose(self.span(node), cite, call, None, None, self.as_name(node))

    def on_choose_each(self, node: Node) -> s.Statement:
        cite = self.taken()
        call, var, over, *_ = self.children(node)
        return s.Choose(
            self.span(node), cite, self.on_call(call), self.on_name(var), self.build(over), self.as_name(node)
        )

    def on_roll_dice(self, node: Node) -> s.Statement:
        cite = self.taken()
        return s.RollDice(self.span(node), cite, self.on_call(self.children(node)[0]), self.as_name(node))

    def on_draw_by_lot(self, node: Node) -> s.Statement:
        cite = self.taken()
        count, source, name = self.children(node)
        made = self.build(count)
        return s.Draw(
            self.span(node), cite, made, True, self.build(source), self.on_name(self.children(name)[0])
        )

    def on_draw(self, node: Node) -> s.Statement:
        cite = self.taken()
        count, source, name = self.children(node)
        made = self.build(count)
        return s.Draw(
            self.span(node), cite, made, False, self.build(source), self.on_name(self.children(name)[0])
        )

    def on_shuffle(self, node: Node) -> s.Statement:
        cite = self.taken()
        return s.Shuffle(self.span(node), cite, self.build(self.children(node)[0]))

    def put(self, node: Node, top: bool) -> s.Statement:
        cite = self.taken()
        value, stack = self.all(self.children(node))
        return s.Put(self.span(node), cite, value, top, stack)

    def on_put_top(self, node: Node) -> s.Statement:
        return self.put(node, True)

    def on_put_under(self, node: Node) -> s.Statement:
        return self.put(node, False)

    def on_form(self, node: Node) -> s.Statement:
        cite = self.taken()
        group, name = self.children(node)
        return s.Form(self.span(node), cite, self.on_name(group), self.on_name(self.children(name)[0]))

    def on_dissolve(self, node: Node) -> s.Statement:
        cite = self.taken()
        return s.Dissolve(self.span(node), cite, self.build(self.children(node)[0]))

    def on_reveal(self, node: Node) -> s.Statement:
        cite = self.taken()
        return s.Reveal(self.span(node), cite, self.build(self.children(node)[0]))

    def on_return_result(self, node: Node) -> s.Statement:
        cite = self.taken()
        return s.Return(self.span(node), cite, self.build(self.children(node)[0]))

    def on_return_plain(self, node: Node) -> s.Statement:
        return s.Return(self.span(node), self.taken(), None)

    def on_leave(self, node: Node) -> s.Statement:
        return s.Jump(self.span(node), self.taken(), "leave")

    def on_next(self, node: Node) -> s.Statement:
        return s.Jump(self.span(node), self.taken(), "next")

    def on_finish(self, node: Node) -> s.Statement:
        cite = self.taken()
        parts = self.children(node)
        return s.Finish(self.span(node), cite, self.build(parts[0]) if parts else None)

    def on_say(self, node: Node) -> s.Statement:
        return s.Say(self.span(node), self.taken(), str(cast(Token, node.children[0]))[1:-1])

    # -- loops and blocks

    def on_order_first(self, node: Node) -> s.Order:
        return s.Order(self.span(node), "first", self.build(self.children(node)[0]))

    def on_order_lowest(self, node: Node) -> s.Order:
        return s.Order(self.span(node), "lowest", self.build(self.children(node)[0]))

    def on_order_highest(self, node: Node) -> s.Order:
        return s.Order(self.span(node), "highest", self.build(self.children(node)[0]))

    def on_order_by_lot(self, node: Node) -> s.Order:
        return s.Order(self.span(node), "lot", None)

    def on_order_chosen(self, node: Node) -> s.Order:
        return s.Order(self.span(node), "chosen", self.build(self.children(node)[0]))

    def on_loop_each(self, node: Node) -> s.Loop:
        var, over, *orders = self.children(node)
        made = self.build(over)
        return s.Loop(self.span(node), self.on_name(var), made, self.all(orders), None)

    def on_loop_alternating(self, node: Node) -> s.Loop:
        var, over, *orders, condition = self.children(node)
        made = self.build(over)
        return s.Loop(self.span(node), self.on_name(var), made, self.all(orders), self.build(condition))

    def on_for_each(self, node: Node) -> s.Statement:
        loop, suite = self.children(node)
        made = self.build(loop)
        body, cite = self.suite(suite)
        return s.ForEach(self.span(node), cite, made, body)

    def on_step(self, node: Node) -> s.Statement:
        kind, name, *rest, suite = self.children(node)
        title = self.first(node, "title")
        loop = next((part for part in rest if part.data in ("loop_each", "loop_alternating")), None)
        made = self.build(loop) if loop is not None else None
        body, cite = self.suite(suite)
        name_made = self.on_name(name)
        at = word(kind).removesuffix("_kind")
        return s.Step(self.span(node), cite, at, name_made, self.text(title), made, body)

    def on_when_block(self, node: Node) -> s.Statement:
        condition, suite, *rest = self.children(node)
        made = self.build(condition)
        body, cite = self.suite(suite)
        if len(rest) > MAX_CASES:
            self.refuse(kinds.TOO_DEEP, f"more than {MAX_CASES} branches", node, "use a table")
        branches = [(made, body)]
        otherwise: tuple[s.Statement, ...] = ()
        for part in rest:
            if part.data == "otherwise_when":
                test, inner = self.children(part)
                made = self.build(test)
                branches.append((made, self.suite(inner)[0]))
            else:
                otherwise = self.suite(self.children(part)[0])[0]
        return s.When(self.span(node), cite, tuple(branches), otherwise)

    def repeat(self, node: Node, kind: Any) -> s.Statement:
        control, *limit, suite = self.children(node)
        made = self.build(control)
        bound = self.build(self.children(limit[0])[0]) if limit else None
        body, cite = self.suite(suite)
        return s.Repeat(self.span(node), cite, kind, made, bound, body)

    def on_repeat_times(self, node: Node) -> s.Statement:
        return self.repeat(node, "times")

    def on_repeat_until(self, node: Node) -> s.Statement:
        return self.repeat(node, "until")

    def on_repeat_while(self, node: Node) -> s.Statement:
        return self.repeat(node, "while")

    def on_together(self, node: Node) -> s.Statement:
        body, cite = self.suite(self.children(node)[0])
        return s.Together(self.span(node), cite, body)
