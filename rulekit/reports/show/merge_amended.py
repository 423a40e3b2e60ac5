"""Blocks with amendments worked in: the lines they were written in, with what came, went and changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rulekit.base.source import Span
from rulekit.reports.show.rows import INDENT, RuleLine, Texts, indent_rows
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import blocks

Node = s.Statement | i.Norm | i.TableRow | i.Note | i.Member | i.FieldDecl | i.Case | i.CaseLet | i.Verb


def inside(node: Node) -> tuple[s.Statement, ...]:
    """The statements right inside one."""
    if isinstance(node, s.Statement):
        return tuple(part for block in blocks(node) for part in block)
    return ()


def nodes_by_place(bodies: Iterable[Sequence[s.Statement]]) -> dict[Span, Node]:
    """All statements of some procedures by their places."""
    places: dict[Span, Node] = {}
    waiting: list[Node] = [statement for body in bodies for statement in body]
    while waiting:
        node = waiting.pop()
        places[node.span] = node
        waiting += inside(node)
    return places


class Weaver:
    """Merges the rules in force with the declared statements and norms, known by their places."""

    def __init__(self, texts: Texts, declared: Mapping[Span, Node]) -> None:
        self._texts = texts
        self._declared = declared

    def weave(
        self, span: Span, old: Sequence[Node], new: Sequence[Node], depth: int | None = None
    ) -> Iterator[RuleLine]:
        """The lines of a block; removed parts take their lines along, new ones follow their neighbour."""
        texts = self._texts
        first = texts.row(span.file, span.line)
        start = first.depth if depth is None else depth
        if old and old[0].span.line == span.line:  # a block on one line
            yield texts.line_for(" " * start + texts.before(old[0].span).lstrip(), span)
            for node in new:
                yield from self._part(node, start + len(INDENT))
            return
        shift = start - first.depth
        owned = {n for part in old for n in range(part.span.line, texts.last(part.span) + 1)}
        own = [n for n in range(span.line, texts.last(span) + 1) if n not in owned]
        ends = {part.span for part in old}
        inner = old[0].span.line if old else None

        def upto(line: int) -> Iterator[RuleLine]:
            while own and own[0] < line:
                row = texts.row(span.file, own.pop(0))
                yield from indent_rows((row,), max(0, row.depth + shift)) if row.text else (row,)

        yield from upto(texts.last(span) + 1 if inner is None else inner)
        for node in new:
            if node.span in ends:
                yield from upto(node.span.line)
            yield from self._part(node, start + len(INDENT))
        yield from upto(texts.last(span) + 1)

    def _part(self, node: Node, depth: int) -> Iterator[RuleLine]:
        old = self._declared.get(node.span)
        if old is not None and old != node:
            yield from self._changed_lines(old, node, depth)
        elif old is None and isinstance(node, s.When) and not self._is_written(node):
            yield from self._under(node, depth)
        elif isinstance(node, i.Norm) and old is None:
            yield from indent_rows(self._texts.rest(node.span), depth)
            yield from self._force(node.clauses, node, depth)
        else:
            yield from indent_rows(self._texts.rest(node.span), depth)

    def _changed_lines(self, old: Node, node: Node, depth: int) -> Iterator[RuleLine]:
        if isinstance(node, i.Norm) and isinstance(old, i.Norm):
            rows = self.without(self._texts.rest(node.span), old.clauses, node.clauses)
            yield from indent_rows(rows, depth)
            more = [clause for clause in node.clauses if clause not in old.clauses]
            yield from self.clauses(more, depth + len(INDENT))
        elif isinstance(node, i.TableRow) and isinstance(old, i.TableRow):
            cells = (self._texts.words(cell.span) for cell in node.cells)
            changed = next(c.span for c, before in zip(node.cells, old.cells, strict=True) if c != before)
            yield self._texts.line_for(" " * depth + f"| {' | '.join(cells)} |", changed)
        else:
            yield from self.weave(node.span, inside(old), inside(node), depth)

    def without(
        self, rows: Iterable[RuleLine], old: Iterable[i.Clause], new: Collection[i.Clause]
    ) -> Iterator[RuleLine]:
        """Lines without those of clauses that are no longer as they are written there."""
        spans = [clause.span for clause in old if clause not in new]
        gone = {(span.file, line) for span in spans for line in range(span.line, span.end_line + 1)}
        return (row for row in rows if (row.file, row.line) not in gone)

    def _force(self, clauses: Iterable[i.Clause], node: Node, depth: int) -> Iterator[RuleLine]:
        """The clauses that a norm of a variant has from when the variant is in force."""
        outside = [c for c in clauses if not node.span.line <= c.span.line <= self._texts.last(node.span)]
        yield from self.clauses(outside, depth + len(INDENT))

    def clauses(self, clauses: Iterable[i.Clause], depth: int) -> Iterator[RuleLine]:
        """Clauses that amendments add to a norm or modifier, a line each."""
        for clause in clauses:
            match clause:
                case i.WhenClause():
                    text = f"when {self._texts.condition(clause.condition)}"
                case i.UnlessClause():
                    text = f"unless {self._texts.condition(clause.condition)}"
                case i.SpanClause():
                    text = self._texts.condition(clause.dates)
                case i.StacksClause() | i.OverClause():
                    text = self._texts.words(clause.span)
            yield self._texts.line_for(" " * depth + text, clause.span)

    def _is_written(self, node: s.When) -> bool:
        """Return whether a `when` was written as that, and not put around something by an amendment."""
        return self._texts.words(node.span).startswith("when")

    def _under(self, node: s.When, depth: int) -> Iterator[RuleLine]:
        """Return what an amendment put under its condition."""
        texts, ((condition, body),) = self._texts, node.branches
        words, there = texts.condition(condition), " " * depth
        if body:
            yield texts.line_for(f"{there}when {words}:", node.span)
            for statement in body:
                yield from self._part(statement, depth + len(INDENT))
        if node.otherwise:
            yield texts.line_for(f"{there}otherwise:" if body else f"{there}when not ({words}):", node.span)
            for statement in node.otherwise:
                yield from self._part(statement, depth + len(INDENT))

    def each(self, nodes: Iterable[Node], depth: int) -> Iterator[RuleLine]:
        """Parts one after the other."""
        for node in nodes:
            yield from self._part(node, depth)
