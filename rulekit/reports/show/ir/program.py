"""The items of a compiled program as text, each with its place and the printed rules it cites."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.ir.program import Key
from rulekit.reports.show.ir.expressions import Binding, Expressions, key_text, name_text
from rulekit.reports.show.ir.statements import IrLine, Statements
from rulekit.reports.show.rows import INDENT, RuleLine

WIDE = 76
"""Cells of a line of text; longer ones go on below, further in."""


@frozen
class IrItem:
    """An item as text; `names` are its name in the program and its source in the rules."""

    names: frozenset[str]
    rows: tuple[RuleLine, ...]


def entries(program: ir.Program, prefix: str = "") -> Iterator[IrItem]:
    """All items, in order; citations leave out `prefix`, that of the ids of printed rules."""
    items = _Items(program)
    of_examples = {name for example in program.examples for name in (example.given, example.when)}
    tables: Sequence[tuple[str, Iterable[IrLine]]] = [
        *((domain.name, items.domain(domain)) for domain in program.domains),
        *((kind.name, items.kind(kind)) for kind in program.kinds),
        *((static.name, items.static(static)) for static in program.statics),
        *((state.name, items.state(state)) for state in program.states),
        *((function.name, items.function(function)) for function in program.functions),
        *((point.name, items.point(point)) for point in program.points),
        *((modifier.name, items.modifier(modifier)) for modifier in program.modifiers),
        *((choice.name, items.choice(choice)) for choice in program.choices),
        *((p.name, items.procedure(p)) for p in program.procedures if p.name not in of_examples),
        *((scenario.name, items.scenario(scenario)) for scenario in program.scenarios),
        *((invariant.name, items.invariant(invariant)) for invariant in program.invariants),
        *((example.name, items.example(example)) for example in program.examples),
    ]
    for name, lines in tables:
        yield IrItem(frozenset((name, source_name(name))), tuple(_rows(program.sites, prefix, lines)))


def source_name(name: str) -> str:
    """The name in the rules: `effect` of `table:effect`, `side` of `piece.side`."""
    return name.rpartition(":")[2].partition("'")[0].rpartition(".")[2] or name


def _rows(sites: Sequence[ir.Site], prefix: str, lines: Iterable[IrLine]) -> Iterator[RuleLine]:
    """Lines with their places; a citation is left out where a line around it has the same."""
    around: list[tuple[str, ...]] = []
    for line in lines:
        indent = INDENT * line.depth
        text = textwrap.wrap(
            line.text, WIDE, initial_indent=indent, subsequent_indent=indent + INDENT * 2,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        site = None if line.site is None else sites[line.site]
        file, number, cited = ("", 0, ()) if site is None else (site.file, site.line, site.rules)
        del around[line.depth :]
        shown = cited and cited not in around[-1:]
        around += [cited or (around[-1] if around else ())] * (line.depth + 1 - len(around))
        ids = ", ".join(rule.removeprefix(f"{prefix}.") for rule in cited)
        yield RuleLine(text[0], file, number, cited=f"[{ids}]" if shown else "")
        yield from (RuleLine(more, "", 0, cited="") for more in text[1:])


class _Items:
    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._x = Expressions(program)
        self._statements = Statements(self._x)
        self._procedures = program.by_name.procedures
        self._choices = program.by_name.choices

    def domain(self, domain: ir.Domain) -> Iterator[IrLine]:
        """Members in order, from number 0."""
        yield IrLine(0, f"domain {name_text(domain.name)} ({domain.sort}, {len(domain.members)})")
        if domain.members:
            yield IrLine(1, ", ".join(map(name_text, domain.members)))

    def kind(self, kind: ir.NamedSet) -> Iterator[IrLine]:
        """Some members of a domain."""
        of = t.SetOf(t.Member(kind.domain, kind.domain))
        yield IrLine(0, f"kind {name_text(kind.name)} of {name_text(kind.domain)}")
        yield IrLine(1, self._x.members(of, kind.members))

    def static(self, table: ir.StaticTable) -> Iterator[IrLine]:
        """A table of constants."""
        missing = f', from the missing file "{table.missing}"' if table.missing else ""
        steps = f", steps by {name_text(table.steps_by)}" if table.steps_by else ""
        yield IrLine(0, f"table {name_text(table.name)}{_keys(table.keys)} -> {table.type}{missing}{steps}")
        if not (table.missing or table.steps_by):
            yield from self._values(table.keys, table.type, table.values)

    def _values(self, keys: tuple[Key, ...], kind: t.Type, values: Sequence[Value]) -> Iterator[IrLine]:
        """A line for each combination of all keys but the last; gaps are left out."""
        if not keys:
            yield IrLine(1, self._x.value(kind, values[0]))
            return
        *outer, last = keys
        width = len(self._x.key_values(last))
        for n, combination in enumerate(product(*map(self._x.key_values, outer))):
            row = values[n * width : (n + 1) * width]
            cells = [
                f"{self._x.key(last, number)}: {self._x.value(kind, value)}"
                for number, value in zip(self._x.key_values(last), row, strict=True)
                if value != t.GAP
            ]
            named = ", ".join(map(self._x.key, outer, combination))
            if cells:
                yield IrLine(1, (f"({named}) " if named else "") + "; ".join(cells))

    def state(self, state: ir.State) -> Iterator[IrLine]:
        """A state, with its initial values."""
        known = ""
        if state.known_to is not None:
            params = ", ".join(local.name for local in state.known_to.params)
            known = f", known to {self._x.text(state.known_to.sides)}" + (
                f" for ({params})" if params else ""
            )
        word = "track" if state.clamp else "state"
        initial = "" if state.initial_each else f" = {self._x.value(state.type, state.initial)}"
        known += ", counted" if state.counted else ""
        text = f"{word} {name_text(state.name)}{_keys(state.keys)}: {state.type}{initial}{known}"
        yield IrLine(0, text, state.site)
        if state.initial_each:
            yield from self._values(state.keys, state.type, state.initial_each)

    def function(self, function: ir.Function) -> Iterator[IrLine]:
        """A pure function; the cases of its body one below the other."""
        yield IrLine(0, f"function {self._signature(function)}:", function.site)
        body = function.body
        while isinstance(body, ir.If):
            then, condition = self._x.text(body.then), self._x.text(body.condition)
            yield IrLine(1, f"when {condition}: {then}")
            body = body.otherwise
        word = "otherwise: " if isinstance(function.body, ir.If) else ""
        yield IrLine(1, word + self._x.text(body))

    def _signature(self, item: ir.Function | ir.Procedure) -> str:
        result = "" if isinstance(item.result, t.Nothing) else f" -> {item.result}"
        return name_text(item.name) + _params(item.params) + result

    def point(self, point: ir.Point) -> Iterator[IrLine]:
        """A point of chance."""
        if not point.dice:
            yield IrLine(0, f"draw {name_text(point.name)}", point.site)
            return
        number = "" if point.dice == 1 else point.dice
        zero = "" if point.lowest == 1 else f" from {point.lowest}"
        yield IrLine(0, f"roll {name_text(point.name)}: {number}d{point.sides}{zero}", point.site)

    def modifier(self, modifier: ir.Modifier) -> Iterator[IrLine]:
        """A modifier, as `--explain` reads it."""
        stack = f", stacks as {name_text(modifier.stack)}" if modifier.stack else ""
        on = f"on {modifier.of} {name_text(modifier.point)}"
        head = f"modifier {name_text(modifier.name)} {on}: {modifier.effect}"
        yield IrLine(0, f"{head}{stack} ({modifier.policy})", modifier.site)
        if modifier.number:
            yield IrLine(1, f"number {name_text(modifier.number)}")
        if modifier.acts:
            yield IrLine(1, f"applies if {name_text(modifier.acts)} is 0")
        for number, clause in enumerate(modifier.clauses, 1):
            yield IrLine(1, f"clause {number}", clause)

    def choice(self, choice: ir.Choice) -> Iterator[IrLine]:
        """A point of choice: its side, its parameters and its norms."""
        x = self._x
        head = f"choice {name_text(choice.name)}{_params(choice.params)} by {x.text(choice.decider)}"
        yield IrLine(0, f"{head} -> {choice.answer}:", choice.site)
        yield from self._statements.lets(choice.lets, 1)
        yield IrLine(
            1, self._verb(choice) + {"must": "", "none": ", or none", "if_able": ", if able"}[choice.able]
        )
        parts = (
            ("items", choice.items), ("candidates", choice.candidates), ("each", choice.each),
            *((f"{local.name} of", of) for local, of in choice.fields),
            ("at least", choice.low), ("at most", choice.high), ("total", choice.total),
            ("default", choice.default),
        )  # fmt: skip
        for word, part in parts:
            if part is not None:
                yield IrLine(1, f"{word} {x.text(part)}")
        if choice.secret:
            yield IrLine(1, "secret")
        for norm in choice.norms:
            yield from self._norm(norm)

    def _verb(self, choice: ir.Choice) -> str:
        named = (
            ("item", choice.item), ("option", choice.option), ("chosen", choice.chosen),
            ("before", choice.before), ("assigned", choice.assigned),
        )  # fmt: skip
        bound = [f"{word} {local.name}: {local.type}" for word, local in named if local is not None]
        return f"{choice.verb}, {', '.join(bound)}"

    def _norm(self, norm: ir.Norm) -> Iterator[IrLine]:
        about = " declining" if norm.declining else "" if norm.per_option else " the answer"
        breach = "permitted" if norm.word == "permit" else "broken"
        yield IrLine(1, f"{norm.word}{about} {name_text(norm.name)}: {breach} when", norm.site)
        yield IrLine(2, self._x.text(norm.test))
        if norm.cover is not None:
            yield IrLine(
                2, f"unless every member of {self._x.text(norm.cover, Binding.SUM)} is in the answer"
            )
        if norm.whole is not None:
            yield IrLine(2, f"unless {self._x.text(norm.whole)}")

    def procedure(self, procedure: ir.Procedure) -> Iterator[IrLine]:
        """Statements under a name."""
        word = "sequence" if procedure.name == self._program.entry else "procedure"
        yield IrLine(0, f"{word} {self._signature(procedure)}:", procedure.site)
        yield from self._statements.block(procedure.body, 1)

    def scenario(self, scenario: ir.Scenario) -> Iterator[IrLine]:
        """A start."""
        text = f'scenario {name_text(scenario.name)} "{scenario.title}": do {name_text(scenario.procedure)}'
        yield IrLine(0, text)

    def invariant(self, invariant: ir.Invariant) -> Iterator[IrLine]:
        """An invariant."""
        yield IrLine(
            0, f"invariant {name_text(invariant.name)}: {self._x.text(invariant.body)}", invariant.site
        )

    def example(self, example: ir.Example) -> Iterator[IrLine]:
        """A worked example; its two procedures are part of it."""
        yield IrLine(0, f'example "{example.name}":', example.site)
        if example.scenario is not None:
            yield IrLine(1, f"scenario {name_text(example.scenario)}")
        for word, name in (("given", example.given), ("when", example.when)):
            procedure = self._procedures[name]
            if procedure.body:
                yield IrLine(1, f"{word}:", procedure.site)
                yield from self._statements.block(procedure.body, 2)
        for point, faces in example.dice:
            yield IrLine(1, f"dice {name_text(point)}: {', '.join(map(str, faces))}")
        for point, ids in example.draws:
            yield IrLine(1, f"draws {name_text(point)}: numbers {', '.join(map(str, ids))}")
        for number, (choice, parts) in enumerate(example.answers):
            of = example.sides[number] if number < len(example.sides) else ()
            asked = [self._side(side) for side in of if side != t.NONE]
            by = f" by {', '.join(asked)}" if asked else ""
            yield IrLine(1, f"answers {name_text(choice)}{by}: {self._answer(self._choices[choice], parts)}")
        for condition, site in example.then[example.between :]:
            yield IrLine(1, f"then {self._x.text(condition)}", site)
        yield from self._ends(example)

    def _ends(self, example: ir.Example) -> Iterator[IrLine]:
        if example.refused:
            yield IrLine(1, f"then refused by {', '.join(example.refused)}")
        if example.fault:
            yield IrLine(1, "then fault")
        if example.breaks is not None:
            yield IrLine(1, f"then breaks {self._x.text(example.breaks.body)}", example.breaks.site)
        if example.asks:
            by = "" if example.asked == t.NONE else f" by {self._side(example.asked)}"
            yield IrLine(1, f"then asks {name_text(example.asks)}{by}")

    def _side(self, number: int) -> str:
        return self._x.key(self._program.sides, number)

    def _answer(self, choice: ir.Choice, parts: Iterable[tuple[int, ...]]) -> str:
        """The parts of an answer: `item: value`, or the value alone where the items take theirs in order."""
        of = _part_types(choice.answer)
        return ", ".join(": ".join(map(self._x.value, of[-len(part) :], part)) for part in parts) or "nothing"


def _part_types(answer: t.Type) -> tuple[t.Type, ...]:
    if isinstance(answer, t.MapOf):
        return answer.key, (answer.value.of if isinstance(answer.value, t.SetOf) else answer.value)
    return (answer.of if isinstance(answer, t.SetOf | t.ListOf) else answer,)


def _keys(keys: Iterable[Key]) -> str:
    inside = ", ".join(map(key_text, keys))
    return f"[{inside}]" if inside else ""


def _params(params: Iterable[ir.Param]) -> str:
    inside = ", ".join(f"{name_text(param.name)}: {param.type}" for param in params)
    return f"({inside})" if inside else "()"
