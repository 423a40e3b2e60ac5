"""From lark's trees to our own: claims and errata."""

from __future__ import annotations

from typing import Any

from rulekit.syntax.parse.builder.base import Node, word
from rulekit.syntax.parse.builder.choices import ChoiceBuilder
from rulekit.syntax.parse.tree import Token
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

_OUTSIDE = ("name", "params", "needed", "claim_kind", "cite")


class ClaimBuilder(ChoiceBuilder):
    """Adds claims and errata."""

    def on_claim(self, node: Node) -> i.Item:
        content = next(c for c in self.children(node) if c.data not in _OUTSIDE)
        return self._claim(node, self.build(content))

    def on_claim_case(self, node: Node) -> i.Item:
        return self._claim(node, self.example(node, self.head(node).text))

    def _claim(self, node: Node, content: Any) -> i.Item:
        needs = self.needed(node)
        return i.Claim(self.span(node), self.cite(node), self.head(node), self.params(node), needs, content)

    def needed(self, node: Node) -> tuple[x.Name, ...]:
        """The options that must be chosen for it to be asked."""
        line = self.first(node, "needed")
        return self.names(self.first(line, "names")) if line else ()

    # -- what is claimed

    def on_claim_holds(self, node: Node) -> i.Stated:
        condition, *when = self.all(self.children(node))
        return i.Stated(self.span(node), "holds", condition, when[0] if when else None)

    def on_claim_always(self, node: Node) -> i.Stated:
        return i.Stated(self.span(node), "always", self.build(self.children(node)[0]), None)

    def on_claim_never(self, node: Node) -> i.Stated:
        return i.Stated(self.span(node), "never", self.build(self.children(node)[0]), None)

    def on_claim_ruling(self, node: Node) -> i.Ruling:
        choice, ruling, condition, *clauses = self.children(node)
        kind: Any = word(ruling)
        norm = i.Norm(self.span(node), None, kind, None, self.build(condition), self.all_clauses(clauses))
        return i.Ruling(self.span(node), self.on_name(choice), norm)

    def on_claim_see(self, node: Node) -> i.Pointer:
        cite, *thing = self.children(node)
        return i.Pointer(self.span(node), self.on_cite(cite), self.on_name(thing[0]) if thing else None)

    def on_claim_named(self, node: Node) -> i.Named:
        return i.Named(self.span(node), self.text(node))

    def on_claim_before(self, node: Node) -> i.Before:
        first, second = (self.point(part) for part in self.children(node))
        return i.Before(self.span(node), first, second)

    def point(self, node: Node) -> i.Point:
        kind: Any = word(node).removeprefix("point_")
        inner = self.children(node)
        if kind == "cited":
            return i.Point(self.span(node), kind, None, self.on_cite(inner[0]))
        return i.Point(self.span(node), kind, self.on_name(inner[-1]), None)

    # -- errata

    def on_errata(self, node: Node) -> i.Item:
        lines = self.children(node)
        reasons = [line for line in lines if line.data == "reason_line"]
        author = self.first(node, "by_line")
        settled = [name for line in lines if line.data == "settles_line" for name in self._settled(line)]
        return i.Errata(
            self.span(node),
            self.cite(node),
            self.head(node),
            self.text(self.first(node, "title")),
            self.needed(node),
            self.readings([c for c in lines if c.data in ("printed_line", "printed_text")]),
            self.readings([c for c in lines if c.data in ("play_line", "play_text")]),
            tuple(settled),
            self.head(author).text if author else "",
            " ".join(map(self.text, reasons)),
        )

    def _settled(self, line: Node) -> tuple[x.Name, ...]:
        return self.names(self.first(line, "names"))

    def readings(self, lines: list[Node]) -> Any:
        readings = []
        for line in lines:
            words = str(line.data).endswith("_text")
            statement = str(_string(line))[1:-1] if words else self.build(self.children(line)[0])
            readings.append((statement, self.cite(line)))
        return tuple(readings)


def _string(line: Node) -> Token:
    return next(part for part in line.children if isinstance(part, Token) and part.type == "STRING")
