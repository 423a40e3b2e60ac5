"""From trees of the grammar to our own: choices, procedures, promises, examples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulekit.diagnostics import kinds
from rulekit.syntax.parse.builder.base import (
    RULES,
    Builder,
    Node,
    all_of,
    builds,
    child,
    children,
    first,
    has,
    inside,
    item,
    parts_of,
    plain,
    text_of,
    tokens,
    word,
)
from rulekit.syntax.parse.builder.items import clauses
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s

_OUTSIDE = ("name", "params", "result", "deep", "title", "cite")


_VERB_PARTS = {
    "pick": ("amount", "option", "candidates"),
    "assign": ("item", "items", "amount", "option", "candidates"),
    "split": ("candidates", "high", "option"),
    "arrange": ("candidates", "option"),
    "share": ("bound", "item", "items", "high"),
    "decide": (),
    "number": ("low", "high"),
}
"""The parts of each verb, in the order of the grammar."""
_VERB_FIELDS = ("amount", "bound", "item", "items", "option", "candidates", "low", "high", "each")


def verb(b: Builder, node: Node) -> i.Verb:
    """The verb of a choice."""
    parts = [part for part in parts_of(node) if part.data not in ("or_none", "if_able")]
    able: Any = "none" if first(node, "or_none") else "if_able" if first(node, "if_able") else "must"
    kind = word(node)
    fields: dict[str, Any] = dict.fromkeys(_VERB_FIELDS)
    for name, part in zip(_VERB_PARTS[kind], parts, strict=False):
        if name == "amount":
            fields |= {"amount": word(part, "amount_"), "bound": b.build_in(part) if children(part) else None}
        else:
            fields[name] = b.build(part)
    if kind == "assign":
        fields["each"] = _each(b, parts[5:])
    return i.Verb(b.span(node), b.cite(node), kind, able=able, also=b.build_all(node, "also"), **fields)


RULES["also"] = plain(i.Also)


def _each(b: Builder, parts: list[Node]) -> x.Expr | None:
    """How often one option may be given: `each once`, `at most N each`; None is any number of times."""
    if not parts:
        return None
    bound: x.Expr = x.Integer(b.span(parts[0]), 1) if parts[0].data == "each_once" else b.build_in(parts[0])
    return bound


RULES["choice"] = item(
    i.Choice,
    decider=child(1),
    verb=lambda b, node: verb(b, parts_of(node)[2]),
    lets=all_of("let_line"),
    norms=all_of("norm"),
    secret=has("secret_line"),
    default=inside("default_line"),
)


@builds("norm")
def norm(b: Builder, node: Node) -> i.Norm:
    kind, condition, *rest = [part for part in parts_of(node) if part.data != "norm_name"]
    test = b.build(condition)
    name = b.head_of(first(node, "norm_name"))
    return i.Norm(b.span(node), b.cite(node), word(kind), name, test, clauses(b, rest))


# ---------------------------------------------------------------- procedures, promises


@builds("procedure", "sequence", "scenario")
def routine(b: Builder, node: Node) -> i.Procedure:
    header = children(node)[: next(n for n, part in enumerate(children(node)) if part.data not in _OUTSIDE)]
    cite = b.cite_of(header[-1])
    result = b.build_in(first(node, "result"))
    body = b.block(children(node)[len(header) :])
    title, bound = text_of(first(node, "title")), first(node, "deep")
    deep = b.number(tokens(bound, "INT")[0]) if bound is not None else None
    params = b.params(node)
    return i.Procedure(b.span(node), cite, word(node), b.head(node), title, params, result, body, deep)


@builds("event")
def event(b: Builder, node: Node) -> i.EventDecl:
    name, condition, suite = [part for part in children(node) if part.data != "title"]
    title, test = text_of(first(node, "title")), b.build(condition)
    body, cite = b.suite(suite)
    return i.EventDecl(b.span(node), cite, b.name(name), title, test, body)


RULES |= {
    "invariant": item(i.Promise, word="invariant", condition=child(1)),
    "assume": item(i.Promise, word="assume", condition=child(1)),
}

# ---------------------------------------------------------------- examples


@builds("example")
def titled_example(b: Builder, node: Node) -> i.Example:
    return example(b, node, tokens(node, "STRING")[0][1:-1])


def example(b: Builder, node: Node, title: str) -> i.Example:
    """The lines of an example under a node."""

    def of(*rules: str) -> list[Node]:
        return [line for line in children(node) if line.data in rules]

    given = [part for line in of("given_line") for part in _given_facts(b, line)]
    when: list[Any] = []
    then: list[i.Then] = []
    measures: list[i.Measure] = []
    for line in of("when_line", "let_line", *_THEN, *_MEASURES):
        if line.data in _MEASURES:
            measures.append(_measure(b, line, len(when)))
            continue
        if line.data in _THEN:
            then.append(replace(b.build(line), after=len(when)))
            continue
        b.line_cite = b.cite(line)
        when.append(_let_line(b, line) if line.data == "let_line" else b.build_in(line))
    return i.Example(
        b.span(node),
        b.cite(node),
        title,
        tuple(given),
        tuple(when),
        tuple((b.head(line), tuple(map(b.number, tokens(line, "INT")))) for line in of("dice_line")),
        tuple((_dotted_name(b, line), _values(b, line)) for line in of("draws_line")),
        tuple((_dotted_name(b, line), _answers(b, line)) for line in of("answers_line")),
        tuple(then),
        tuple(measures),
    )


def _measure(b: Builder, line: Node, after: int) -> i.Measure:
    of, *stated = parts_of(line)
    kind: Any = word(line).removesuffix("_line")
    printed: tuple[Any, tuple[int, int] | None, bool] = ("", None, False)
    if stated:
        printed = _stated_number(b, stated[0])
    return i.Measure(b.span(line), b.cite(line), kind, b.build(of), *printed, after)


def _stated_number(b: Builder, node: Node) -> tuple[Any, tuple[int, int], bool]:
    """How a printed number bounds what it is of, the number, and whether it is rounded."""
    (number,) = children(node)
    if node.data == "stated_whole":
        return "is", (b.build(number), 1), False
    above = b.build(children(number)[0])
    below = next((b.number(token) for token in tokens(number, "INT")), 1)
    if not below:
        b.refuse(kinds.EXAMPLE_SHAPE, "a fraction cannot have 0 parts", number)
    return word(node, "stated_"), (above, below), number.data == "fraction_rounded"


def _let_line(b: Builder, line: Node) -> s.Let:
    cite = b.take_cite()
    name, value = parts_of(line)
    return s.Let(b.span(line), cite, b.name(name), None, b.build(value))


def _dotted_name(b: Builder, line: Node) -> x.Name:
    """`carry_out.planes`: the name of a point that has no declaration of its own."""
    parts = first(line, "dotted")
    assert parts is not None
    names = b.build_all(parts)
    return x.Name(names[0].span, ".".join(name.text for name in names))


def _values(b: Builder, line: Node) -> tuple[x.Expr, ...]:
    return tuple(b.build(part) for part in children(line)[1:] if part.data != "cite")


def _answers(b: Builder, line: Node) -> tuple[i.Answer, ...]:
    answers: list[i.Answer] = []
    by = b.build_in(first(line, "asked_of"))
    for part in children(line)[1:]:
        if part.data in ("answer_of_several", "answer_done_with", "answer_done"):
            done = part.data != "answer_of_several"
            answers.append(i.Answer(b.span(part), b.build_all(part), done, by))
        elif part.data not in ("cite", "asked_of"):
            answers.append(i.Answer(b.span(part), (b.build(part),), False, by))
    return tuple(answers)


def _given_facts(b: Builder, line: Node) -> list[i.Given]:
    """The facts of a line; pieces before an `at` share its place (`Akagi, Kaga at Coral_Sea`)."""
    givens: list[i.Given] = []
    waiting: list[x.Expr] = []
    for part in (part for part in children(line) if part.data != "cite"):
        kind = word(part, "given_")
        match kind:
            case "scenario" | "with" | "without":
                givens.append(i.Given(b.span(part), kind, (), None, b.head(part)))
            case "example":
                title = tokens(part, "STRING")[0]
                name = x.Name(b.span(title), title[1:-1])
                givens.append(i.Given(b.span(part), kind, (), None, name))
            case "sampler":
                givens.append(i.Given(b.span(part), kind, (), None, None))
            case "equal":
                target, value = b.build_all(part)
                givens.append(i.Given(b.span(part), "value", (target,), value, None))
            case "flag" | "no_flag":
                subject, name = b.build_all(part)
                givens.append(i.Given(b.span(part), kind, (subject,), None, name))
            case _:
                waiting.append(b.build_in(part))
                last = waiting[-1]
                if isinstance(last, x.PlacedAt):
                    pieces = (*waiting[:-1], last.pieces)
                    givens.append(i.Given(b.span(part), "place", pieces, last.place, None))
                    waiting.clear()
    givens.extend(i.Given(left.span, "place", (left,), None, None) for left in waiting)
    return givens


RULES |= {
    "then_line": item(i.Then, condition=child(0), fault=False),
    "then_refused": item(i.Then, cite=None, refused=Builder.cite, fault=False),
    "then_fault": item(i.Then, fault=True),
    "then_breaks": item(i.Then, fault=False, breaks=Builder.head),
    "then_asks": item(i.Then, fault=False, asks=_dotted_name, by=inside("asked_of")),
}
_MEASURES = ("chance_line", "mean_line")
_THEN = ("then_line", "then_refused", "then_fault", "then_breaks", "then_asks")
