"""From lark's trees to our own: choices, procedures, promises, examples."""

from __future__ import annotations

from typing import Any

from rulekit.syntax.parse.builder.base import Node, word
from rulekit.syntax.parse.builder.items import ItemBuilder
from rulekit.syntax.parse.tree import Token
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


class ChoiceBuilder(ItemBuilder):
    """Adds choices, procedures, promises and examples."""

    def on_choice(self, node: Node) -> i.Item:
        parts = [c for c in self.children(node) if c.data not in ("cite", "params")]
        name, decider, verb, *lines = parts
        lets = self.all([c for c in lines if c.data == "let_line"])
        norms = self.all([c for c in lines if c.data == "norm"])
        default = next((self.build(self.children(c)[0]) for c in lines if c.data == "default_line"), None)
        return i.Choice(
            self.span(node),
            self.cite(node),
            self.on_name(name),
            self.params(node),
            self.build(decider),
            self.verb(verb),
            lets,
            norms,
            any(c.data == "secret_line" for c in lines),
            default,
        )

    on_let_line = ItemBuilder.on_let_case

    def verb(self, node: Node) -> i.Verb:
        """The verb's parts, in the order of the grammar."""
        names = ("or_none", "if_able", "cite")
        parts = [c for c in self.children(node) if c.data not in names]
        able: Any = (
            "none" if self.first(node, "or_none") else "if_able" if self.first(node, "if_able") else "must"
        )
        kind: Any = str(node.data)
        fields: dict[str, Any] = dict.fromkeys(_VERB_PARTS)
        match kind:
            case "pick":
                amount = parts[0]
                bounds = self.children(amount)
                fields["amount"] = word(amount).removeprefix("amount_")
                fields["bound"] = self.build(bounds[0]) if bounds else None
                fields["option"], fields["candidates"] = (
                    self.on_name(parts[1]),
                    self.build(parts[2]),
                )
            case "assign":
                fields["item"], fields["items"] = self.on_name(parts[0]), self.build(parts[1])
                fields["option"], fields["candidates"] = (
                    self.on_name(parts[2]),
                    self.build(parts[3]),
                )
                fields["each"] = self.each(parts[4:])
            case "split":
                fields["candidates"], fields["high"] = (
                    self.build(parts[0]),
                    self.build(parts[1]),
                )
                fields["option"] = self.on_name(parts[2])
            case "arrange":
                fields["candidates"], fields["option"] = (
                    self.build(parts[0]),
                    self.on_name(parts[1]),
                )
            case "share":
                fields["bound"], fields["item"] = self.build(parts[0]), self.on_name(parts[1])
                fields["items"] = self.build(parts[2])
                fields["high"] = self.build(parts[3]) if len(parts) > 3 else None
            case "number":
                fields["low"], fields["high"] = self.build(parts[0]), self.build(parts[1])
        return i.Verb(self.span(node), self.cite(node), kind, able=able, **fields)

    def each(self, parts: list[Node]) -> x.Expr | None:
        """How often one option may be given: `each once`, `at most N each`; None is any number of times."""
        for part in parts:
            if part.data == "each_once":
                return x.Integer(self.span(part), 1)
            if part.data == "each_at_most":
                bound_value: x.Expr = self.build(self.children(part)[0])
                return bound_value
        return None

    def on_norm(self, node: Node) -> i.Norm:
        kind, *parts = self.children(node)
        named = self.first(node, "norm_name")
        rest = [c for c in parts if c.data not in ("norm_name", "cite")]
        condition, *clauses = rest
        test = self.build(condition)
        return i.Norm(
            self.span(node),
            self.cite(node),
            word(kind),
            self.head(named) if named else None,
            test,
            self.all_clauses(clauses),
        )

    # -- procedures

    def routine(self, node: Node, sort: Any) -> i.Item:
        outside = ("name", "params", "result", "title")
        parts = [c for c in self.children(node) if c.data not in outside]
        cite = self.on_cite(parts[0]) if parts and parts[0].data == "cite" else None
        result = self.wrapped(node, "result")
        body = self.block(parts[1:] if cite else parts)
        title = self.text(self.first(node, "title"))
        return i.Procedure(
            self.span(node), cite, sort, self.head(node), title, self.params(node), result, body
        )

    def on_procedure(self, node: Node) -> i.Item:
        return self.routine(node, "procedure")

    def on_sequence(self, node: Node) -> i.Item:
        return self.routine(node, "sequence")

    def on_scenario(self, node: Node) -> i.Item:
        return self.routine(node, "scenario")

    def on_event(self, node: Node) -> i.Item:
        name, condition, suite = [c for c in self.children(node) if c.data != "title"]
        title, test = self.text(self.first(node, "title")), self.build(condition)
        body, cite = self.suite(suite)
        return i.EventDecl(self.span(node), cite, self.on_name(name), title, test, body)

    # -- promises

    def promise(self, node: Node, kind: Any) -> i.Item:
        name, condition, *_ = self.children(node)
        return i.Promise(self.span(node), self.cite(node), kind, self.on_name(name), self.build(condition))

    def on_invariant(self, node: Node) -> i.Item:
        return self.promise(node, "invariant")

    def on_assume(self, node: Node) -> i.Item:
        return self.promise(node, "assume")

    # -- examples

    def on_example(self, node: Node) -> i.Item:
        title = next(str(c)[1:-1] for c in node.children if isinstance(c, Token) and c.type == "STRING")
        return self.example(node, title)

    def example(self, node: Node, title: str) -> i.Example:
        """The lines of an example under a node."""
        lines = [c for c in self.children(node) if c.data != "cite"]

        def of(*rules: str) -> list[Node]:
            return [line for line in lines if line.data in rules]

        given = [made for line in of("given_line") for made in self.given(line)]
        when: list[Any] = []
        for line in of("when_line"):
            self.line_cite = self.cite(line)
            when.append(self.build(self.children(line)[0]))
        return i.Example(
            self.span(node),
            self.cite(node),
            title,
            tuple(given),
            tuple(when),
            tuple((self.head(line), self.dice(line)) for line in of("dice_line")),
            tuple((self.dotted(line), self.values(line)) for line in of("draws_line")),
            tuple((self.dotted(line), self.answers(line)) for line in of("answers_line")),
            tuple(self.then(line) for line in of(*_THEN)),
        )

    def dice(self, line: Node) -> tuple[int, ...]:
        return tuple(self.number(c) for c in line.children if isinstance(c, Token) and c.type == "INT")

    def dotted(self, line: Node) -> x.Name:
        """`carry_out.planes`: the name of a point that has no declaration of its own."""
        names = self.names(self.first(line, "dotted"))
        return x.Name(names[0].span, ".".join(name.text for name in names))

    def values(self, line: Node) -> tuple[x.Expr, ...]:
        return self.all([c for c in self.children(line)[1:] if c.data != "cite"])

    def answers(self, line: Node) -> tuple[i.Answer, ...]:
        answers: list[i.Answer] = []
        asked = self.first(line, "asked_of")
        by = self.build(self.children(asked)[0]) if asked else None
        for part in self.children(line)[1:]:
            if part.data == "answer_pair":
                item, value = self.all(self.children(part))
                answers.append(i.Answer(self.span(part), item, value, by))
            elif part.data == "answer_done":
                answers.append(i.Answer(self.span(part), None, None, by))
            elif part.data not in ("cite", "asked_of"):
                answers.append(i.Answer(self.span(part), None, self.build(part), by))
        return tuple(answers)

    def given(self, line: Node) -> list[i.Given]:
        """What a line gives; pieces before an `at` share its place (`Akagi, Kaga at Coral_Sea`)."""
        givens: list[i.Given] = []
        waiting: list[x.Expr] = []
        for part in (c for c in self.children(line) if c.data != "cite"):
            inner = self.children(part)
            match str(part.data):
                case "given_scenario":
                    givens.append(i.Given(self.span(part), "scenario", (), None, self.on_name(inner[0])))
                case "given_with" | "given_without" as kind:
                    option: Any = kind.removeprefix("given_")
                    givens.append(i.Given(self.span(part), option, (), None, self.on_name(inner[0])))
                case "given_equal":
                    target, value = self.all(inner)
                    givens.append(i.Given(self.span(part), "value", (target,), value, None))
                case "given_flag" | "given_no_flag" as kind:
                    subject = self.build(inner[0])
                    word: Any = kind.removeprefix("given_")
                    givens.append(i.Given(self.span(part), word, (subject,), None, self.on_name(inner[1])))
                case _:
                    waiting.append(self.build(inner[0]))
                    last = waiting[-1]
                    if isinstance(last, x.PlacedAt):
                        pieces = (*waiting[:-1], last.pieces)
                        givens.append(i.Given(self.span(part), "place", pieces, last.place, None))
                        waiting.clear()
        givens.extend(i.Given(left.span, "place", (left,), None, None) for left in waiting)
        return givens

    def then(self, line: Node) -> i.Then:
        if line.data == "then_refused":
            return i.Then(self.span(line), None, None, self.cite(line), False)
        if line.data == "then_fault":
            return i.Then(self.span(line), self.cite(line), None, None, True)
        if line.data == "then_breaks":
            name = self.on_name(self.children(line)[0])
            return i.Then(self.span(line), self.cite(line), None, None, False, name)
        if line.data == "then_asks":
            asked = self.first(line, "asked_of")
            by = self.build(self.children(asked)[0]) if asked else None
            return i.Then(self.span(line), self.cite(line), None, None, False, None, self.dotted(line), by)
        return i.Then(self.span(line), self.cite(line), self.build(self.children(line)[0]), None, False)


_THEN = ("then_line", "then_refused", "then_fault", "then_breaks", "then_asks")
_VERB_PARTS = ("amount", "bound", "item", "items", "option", "candidates", "low", "high", "each")
