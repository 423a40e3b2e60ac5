"""Items of a rule set with everything in force worked in: what `rulekit show` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.base.source import Source, Span
from rulekit.compiler.names import SPACES, Names, name_of
from rulekit.ir.types import month_text
from rulekit.reports.show.merge_amended import Node, Weaver, nodes_by_place
from rulekit.reports.show.rows import INDENT, RuleLine, Texts, indent_rows
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes


def _types(texts: Texts, old: i.Item, new: i.Item) -> Iterator[RuleLine]:
    for what, span in _changed_types(old, new):
        yield texts.line_for(f"{INDENT}{what} is {texts.words(span)}", span)


def _changed_types(old: Any, new: Any) -> Iterator[tuple[str, Span]]:
    for part in ("params", "fields", "columns"):
        for before, now in zip(getattr(old, part, ()), getattr(new, part, ()), strict=False):
            if before.type != now.type:
                name = now.name if isinstance(now.name, str) else now.name.text
                yield name or "the result", now.type.span
    if not isinstance(old, i.StateDecl) and getattr(old, "result", None) != getattr(new, "result", None):
        yield "the result", new.result.span
    if isinstance(old, i.StateDecl) and old.type != new.type:
        yield f"the {old.sort}", new.type.span


def _sizes(texts: Texts, old: i.Item, new: i.Item, variants: Iterable[i.Variant]) -> Iterator[RuleLine]:
    """A line for other dice, for more groups, or for other ends of a calendar."""
    amendments = (a for v in variants for a in v.amendments if a.dice or a.most or a.months)
    named = (a for a in amendments if a.address.name and a.address.name.text == name_of(old))
    span = next((a.span for a in named), old.span)
    if isinstance(old, i.Roll) and isinstance(new, i.Roll):
        if (old.dice, old.sides, old.lowest) != (new.dice, new.sides, new.lowest):
            zero = "" if new.lowest == 1 else f" from {new.lowest}"
            number = "" if new.dice == 1 else new.dice
            yield texts.line_for(f"{INDENT}rolls {number}d{new.sides}{zero}", span)
    if isinstance(old, i.Calendar) and isinstance(new, i.Calendar):
        if (old.first, old.last) != (new.first, new.last):
            yield texts.line_for(f"{INDENT}from {month_text(new.first)} to {month_text(new.last)}", span)
    if isinstance(old, i.Group) and isinstance(new, i.Group) and old.most != new.most:
        yield texts.line_for(f"{INDENT}at most {new.most}", span)


def _stacking_classes(texts: Texts, old: i.Roll, new: i.Roll) -> Iterator[RuleLine]:
    now = {stack_class.name.text: stack_class for stack_class in new.stacking}
    gone = [c.span for c in old.stacking if c != now.get(c.name.text)]
    lines = {line for span in gone for line in range(span.line, span.end_line + 1)}
    yield from (row for row in texts.block(old.span) if row.line not in lines)
    for stack_class in new.stacking:
        if stack_class not in old.stacking:
            limits = (("at most", stack_class.most), ("at least", stack_class.least))
            words = [f", {word} {texts.condition(limit)}" for word, limit in limits if limit is not None]
            text = f"{INDENT}stack {stack_class.name.text}: {stack_class.policy}{''.join(words)}"
            yield texts.line_for(text, stack_class.span)


def _decider(texts: Texts, old: i.Choice, new: i.Choice) -> Iterator[RuleLine]:
    if new.decider != old.decider:
        yield from _value_lines(texts, "decided by", new.decider, old.decider)


def _value_lines(texts: Texts, words: str, value: x.Expr, base: x.Expr | None) -> Iterator[RuleLine]:
    """Lines for a present value, one for each condition that amendments put it under."""
    while isinstance(value, x.Conditional) and _put_in(value):
        text = f"{INDENT}{words} {texts.words(value.then.span)} when {texts.condition(value.condition)}"
        yield texts.line_for(text, value.span)
        value = value.fallback
    if value != base:
        yield texts.line_for(f"{INDENT}{words} {texts.words(value.span)}", value.span)


def _temporary_verbs(verb: i.Verb) -> tuple[tuple[x.Expr, Span], ...]:
    """The conditions under which a verb has another subject, with that, the last one first."""
    parts = (*(getattr(verb, field.name) for field in fields(verb)), *(one.candidates for one in verb.also))
    part = next((value for value in parts if isinstance(value, x.Conditional) and _put_in(value)), None)
    conditions: list[tuple[x.Expr, Span]] = []
    while part is not None:
        conditions.append((part.condition, part.then.span if conditions else verb.span))
        rest = part.fallback
        part = rest if isinstance(rest, x.Conditional) and _put_in(rest) else None
    return tuple(conditions)


def _put_in(value: x.Conditional) -> bool:
    """True if an amendment put a value under a condition; a written one is in brackets."""
    return value.span == value.then.span


@frozen
class Shown:
    """An item in force; `amended`: whether it differs from its declaration."""

    item: i.Item
    rows: tuple[RuleLine, ...]
    amended: bool


def shown_items(declared: Names, names: Names, sources: Iterable[Source]) -> tuple[Shown, ...]:
    """Every item in force, in the order of files and lines; `names` has all amendments worked in."""
    return tuple(_Shower(declared, names, sources).all())


class _Shower:
    def __init__(self, declared: Names, names: Names, sources: Iterable[Source]) -> None:
        self._declared, self._names = declared, names
        self._texts = Texts(sources, declared)
        bodies = [item.body for item in declared.procedures.values()]
        bodies += [item.body for item in declared.events.values()]
        places = nodes_by_place(bodies)
        places |= {norm.span: norm for choice in declared.choices.values() for norm in choice.norms}
        places |= {row.span: row for table in declared.tables.values() for row in table.rows}
        for variant in declared.variants.values():
            places |= {row.span: row for amendment in variant.amendments for row in amendment.rows}
        self._weaver = Weaver(self._texts, places)
        self._cases_written = {case.span: case for item in declared.defines.values() for case in item.cases}
        for variant in declared.variants.values():
            brought = (case for amendment in variant.amendments for case in amendment.cases)
            self._cases_written |= {case.span: case for case in brought}

    def all(self) -> Iterator[Shown]:
        pairs: list[tuple[i.Item, i.Item]] = []
        for space in dict.fromkeys(SPACES.values()):
            before, now = getattr(self._declared, space), getattr(self._names, space)
            if space == "externs":  # one that has rows of its own is a table
                now = {**self._names.tables, **now}
            pairs += [(item, now[name]) for name, item in before.items() if name in now]
        for old, new in sorted(pairs, key=lambda pair: pair[0].span):
            amended = old != new or name_of(new) in self._names.alternatives
            rows = tuple(self._amended_lines(old, new)) if amended else self._texts.block(old.span)
            yield Shown(new, rows, amended)

    def _amended_lines(self, old: i.Item, new: i.Item) -> Iterator[RuleLine]:
        """The lines of an item; changes without a line of their own come last."""
        yield from self._lines(old, new)
        yield from _types(self._texts, old, new)
        yield from _sizes(self._texts, old, new, self._declared.variants.values())

    def _lines(self, old: i.Item, new: i.Item) -> Iterator[RuleLine]:
        weaver = self._weaver
        match old, new:
            case i.Choice(), i.Choice():
                yield from self._choice(old, new)
            case i.Procedure(), i.Procedure():
                yield from self._procedure(old, new)
            case i.EventDecl(), i.EventDecl():
                yield from weaver.weave(old.span, old.body, new.body)
                if new.condition != old.condition:
                    words = f"{INDENT}as soon as {self._texts.condition(new.condition)}"
                    yield self._texts.line_for(words, new.condition.span)
            case i.Promise(), i.Promise():
                yield from self._texts.block(old.span)
                yield from _value_lines(self._texts, "promises", new.condition, old.condition)
            case i.Define(), i.Define():
                yield from self._define(old, new)
            case i.Table(), i.Table():
                parts: list[Node] = sorted((*old.rows, *old.notes), key=lambda part: part.span)
                yield from weaver.weave(old.span, parts, [*new.rows, *new.notes])
                yield from self._at_times(new)
            case i.ExternTable(), i.Table():
                yield from self._texts.block(old.span)
                yield from weaver.each([*new.rows, *new.notes], len(INDENT))
                yield from self._at_times(new)
            case i.Modifier(), i.Modifier():
                yield from self._modifier(old, new)
            case i.Roll(), i.Roll():
                yield from _stacking_classes(self._texts, old, new)
            case i.Calendar(), i.Calendar():
                yield from self._texts.block(old.span)
                if new.value != old.value:
                    yield from _value_lines(self._texts, "it is", new.value, old.value)
            case i.StateDecl(), i.StateDecl():
                yield from self._texts.block(old.span)
                if new.initial is not None and new.initial != old.initial:
                    text = f"{INDENT}begins with {self._texts.words(new.initial.span)}"
                    yield self._texts.line_for(text, new.initial.span)
            case _:
                yield from self._texts.block(old.span)
                yield from self._more(_parts(old), _parts(new))

    def _more(self, old: Sequence[Node | x.Name], new: Sequence[Node | x.Name]) -> Iterator[RuleLine]:
        known = {part.span for part in old}
        lines: set[tuple[str, int]] = set()
        for part in new:
            if part.span in known:
                continue
            if not isinstance(part, i.FieldDecl):
                yield self._texts.line_for(f"{INDENT}{self._texts.words(part.span)}", part.span)
            elif (place := (part.span.file, part.span.line)) not in lines:  # a line may declare several
                lines.add(place)
                yield from indent_rows((self._texts.row(*place),), len(INDENT))

    def _modifier(self, old: i.Modifier, new: i.Modifier) -> Iterator[RuleLine]:
        yield from self._weaver.without(self._texts.block(old.span), old.clauses, new.clauses)
        yield from self._weaver.clauses((c for c in new.clauses if c not in old.clauses), len(INDENT))
        if new.value is not None and new.value != old.value:
            yield from _value_lines(self._texts, "its number is", new.value, old.value)

    def _choice(self, old: i.Choice, new: i.Choice) -> Iterator[RuleLine]:
        """A choice; a temporary verb follows the declared one."""
        texts, while_ = self._texts, _temporary_verbs(new.verb)
        changed = {let.span for let in new.lets} - {let.span for let in old.lets}
        before: list[Node] = sorted((old.verb, *old.lets, *old.norms), key=lambda part: part.span)
        verb = old.verb if while_ else new.verb
        now: list[Node] = [verb, *(let for let in new.lets if let.span not in changed), *new.norms]
        yield from self._weaver.weave(old.span, before, now)
        for number, (condition, span) in enumerate(while_):
            yield texts.line_for(f"{INDENT}when {texts.condition(condition)}:", span)
            if number:  # an earlier one, of which only the parts are left
                yield texts.line_for(f"{2 * INDENT}from {texts.words(span)}", span)
            else:
                yield from indent_rows(texts.rest(span), 2 * len(INDENT))
        known = {let.name.text: let.value for let in old.lets}
        for let in new.lets:
            if let.span in changed:
                words = f"let {let.name.text} ="
                yield from _value_lines(texts, words, let.value, known.get(let.name.text))
        yield from _decider(texts, old, new)

    # -- definitions and procedures, which live on as `original`

    def _define(self, old: i.Define, new: i.Define) -> Iterator[RuleLine]:
        texts, first = self._texts, old.cases[0]
        if first.span.line == old.span.line:
            yield texts.line_for(texts.before(first.span), old.span)
        else:
            yield from (texts.row(old.span.file, line) for line in range(old.span.line, first.span.line))
        yield from self._cases(new, len(INDENT))
        if self._calls_original(new, self._names.defines):
            yield from self._original(new.name.text, self._names.defines)

    def _cases(self, define: i.Define, depth: int) -> Iterator[RuleLine]:
        for case in define.cases:
            own = self._own(case)
            if own is None:
                yield from self._case(case, depth)
                continue
            assert isinstance(case, i.Case)
            test = case.test
            words = "otherwise:" if test is None else f"when {self._texts.condition(test)}:"
            yield self._texts.line_for(" " * depth + words, case.span)
            yield from self._cases(own, depth + len(INDENT))

    def _case(self, case: i.Case | i.CaseLet, depth: int) -> Iterator[RuleLine]:
        """A line of a definition, with what differs from its wording."""
        texts = self._texts
        yield from indent_rows(texts.rest(case.span), depth)
        old = self._cases_written.get(case.span)
        if isinstance(case, i.Case) and isinstance(old, i.Case) and case != old:
            if isinstance(case.test, x.Logic) and case.test != old.test:
                words = f"only when {texts.condition(case.test.right)}"
                yield texts.line_for(" " * depth + INDENT + words, case.test.right.span)
            for row in _value_lines(texts, "is", case.value, old.value):
                yield from indent_rows((row,), depth + len(INDENT))

    def _own(self, case: i.Case | i.CaseLet) -> i.Define | None:
        """The definition that a case of an amendment calls."""
        if isinstance(case, i.CaseLet) or not isinstance(case.value, x.Call | x.Reference):
            return None
        name = case.value.name.text
        return self._names.defines.get(name) if name in self._names.declared or "'" in name else None

    def _procedure(self, old: i.Procedure, new: i.Procedure) -> Iterator[RuleLine]:
        if new.name.text not in self._names.originals and not self._stands_for(new):
            yield from self._weaver.weave(old.span, old.body, new.body)
            return
        first = old.body[0].span
        yield from (self._texts.row(old.span.file, line) for line in range(old.span.line, first.line))
        yield from self._body(new, len(INDENT))
        if self._calls_original(new, self._names.procedures):
            yield from self._original(new.name.text, self._names.procedures)

    def _stands_for(self, procedure: i.Procedure) -> bool:
        """Return whether a procedure only chooses between the original and a variant's replacement."""
        (first, *_) = procedure.body or (None,)
        return isinstance(first, s.When) and self._procedure_called(first.otherwise) is not None

    def _procedure_called(self, body: Sequence[object]) -> i.Procedure | None:
        first = body[0] if body else None
        if isinstance(first, s.Do) and "'" in first.call.name.text:
            return self._names.procedures.get(first.call.name.text)
        return None

    def _body(self, procedure: i.Procedure, depth: int) -> Iterator[RuleLine]:
        if not self._stands_for(procedure):
            yield from self._weaver.each(procedure.body, depth)
            return
        when = procedure.body[0]
        assert isinstance(when, s.When)
        ((condition, body),) = when.branches
        first = f"when {self._texts.condition(condition)}:"
        for words, inner in ((first, body), ("otherwise:", when.otherwise)):
            yield self._texts.line_for(" " * depth + words, when.span)
            called = self._procedure_called(inner)
            if called is not None:
                yield from self._body(called, depth + len(INDENT))

    def _calls_original(
        self, item: i.Define | i.Procedure, space: Mapping[str, i.Define] | Mapping[str, i.Procedure]
    ) -> bool:
        """Return whether an item that was replaced, or what an amendment made for it, calls `original`."""
        called = {node.text for node in nodes(item) if isinstance(node, x.Name)}
        own = (name for name in called if "'" in name and name in space and name != name_of(item))
        return "original" in called or any(self._calls_original(space[name], space) for name in own)

    def _original(self, name: str, space: object) -> Iterator[RuleLine]:
        """Lines for the meaning of `original` in an item that was replaced."""
        base = self._names.originals.get(name)
        if base is None:
            return
        define, procedure = self._names.defines.get(base), self._names.procedures.get(base)
        if space is self._names.defines and define is not None:
            yield self._texts.line_for("original:", define.span)
            yield from self._cases(define, len(INDENT))
        elif procedure is not None:
            yield self._texts.line_for("original:", procedure.span)
            yield from self._body(procedure, len(INDENT))
        yield from self._original(base, space)

    def _at_times(self, new: i.Table) -> Iterator[RuleLine]:
        """The tables that replace this one while amendments are in force."""
        for clause, name in self._names.alternatives.get(new.name.text, ()):
            table = self._names.tables[name]
            assert isinstance(clause, i.WhenClause)
            words = f"{INDENT}while {self._texts.condition(clause.condition)}:"
            yield self._texts.line_for(words, clause.span)
            yield from self._weaver.each([*table.rows, *table.notes], 2 * len(INDENT))


def _parts(item: i.Item) -> Sequence[Node | x.Name]:
    match item:
        case i.Enum():
            return item.members
        case i.Population():
            return (*item.members, *item.needed, *item.fields)
        case i.Group():
            return item.fields
        case i.KindUnion():
            return (*item.kinds, *item.fields)
        case (
            i.StateDecl() | i.Calendar() | i.Define() | i.Table() | i.ExternTable() | i.Roll() | i.Modifier()
            | i.Choice() | i.Procedure() | i.EventDecl() | i.Promise() | i.Example() | i.Claim() | i.Errata()
            | i.Variant()
        ):  # fmt: skip
            return ()
