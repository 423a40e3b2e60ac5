"""From lark's trees to our own: exceptions, variants, options, and what they change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rulekit.diagnostics import kinds
from rulekit.syntax.parse.builder.base import Node, word
from rulekit.syntax.parse.builder.claims import ClaimBuilder
from rulekit.syntax.parse.tree import Token, Tree
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s

_LINES = {
    "force_while", "force_span", "needs_line", "excludes_line", "over_line", "with_line", "favours_option",
    "reason_line",
}  # fmt: skip
_OPS = {
    "amend_members": "add",
    "amend_add": "add",
    "amend_replace": "replace",
    "amend_redefine": "redefine",
    "amend_redefine_block": "redefine",
    "amend_before": "before",
    "amend_after": "after",
    "amend_remove": "remove",
    "amend_set": "set",
    "amend_dice": "set",
    "amend_stack": "set",
    "amend_months": "set",
    "amend_widen": "widen",
    "amend_most": "widen",
}
_VERBS = ("pick", "assign", "split", "arrange", "share", "decide", "number")
_STATEMENT_FREE = (
    "norm", "row", "note", "fixed_field", "state_field", "stack_line", "secret_line", "default_line", *_VERBS
)  # fmt: skip


class Builder(ClaimBuilder):
    """The whole builder: every rule of the grammar has its method."""

    def on_variant(self, node: Node) -> i.Item:
        kind, *rest = self.children(node)
        lines: dict[str, list[Node]] = {kind: [] for kind in _LINES}
        for line in rest:
            if line.data in lines:
                lines[str(line.data)].append(line)
        force = tuple(
            self.build(self.children(c)[0]) for c in rest if c.data in ("force_while", "force_span")
        )
        author, status = self.by_and_status(node)
        favours = lines["favours_option"]
        return i.Variant(
            self.span(node),
            self.cite(node),
            word(kind).removeprefix("word_"),
            self.head(node),
            self.text(self.first(node, "title")),
            author,
            status,
            force,
            self.line_names(lines["needs_line"]),
            self.line_names(lines["excludes_line"]),
            self.line_names(lines["over_line"]),
            self.line_names(lines["with_line"]),
            self.head(favours[-1]) if favours else None,
            " ".join(map(self.text, lines["reason_line"])),
            tuple(self.amendment(c) for c in rest if c.data in _OPS),
        )

    def by_and_status(self, node: Node) -> tuple[str, str]:
        """Who wrote it and what it calls itself: the name after `by`, and the one after the comma."""
        by = self.first(node, "by_author")
        status = self.first(node, "status")
        return (self.head(by).text if by else ""), (self.head(status).text if status else "")

    def line_names(self, lines: Iterable[Node]) -> tuple[x.Name, ...]:
        return tuple(name for line in lines for name in self.names(self.first(line, "names")))

    def amendment(self, node: Node) -> i.Amendment:
        address, *rest = self.children(node)
        fields: dict[str, Any] = {}
        cite = self.cite(node)
        parts = [c for c in rest if c.data != "cite"]
        match str(node.data):
            case "amend_members":
                fields["members"] = self.names(parts[0])
            case "amend_add" | "amend_replace":
                fields = self.bodies(rest)
            case "amend_redefine" | "amend_set":
                value = parts[0]
                fields["cases"] = (i.Case(self.span(value), None, None, self.build(value)),)
            case "amend_redefine_block":
                fields["cases"] = self.cases(node)
            case "amend_before" | "amend_after":
                fields["body"], cite = self.suite(parts[0])
                cite = self.cite(node) or cite
            case "amend_remove":
                fields["clauses"] = self.all_clauses(parts)
            case "amend_dice":
                zero = self.first(node, "zero")
                lowest = self.number(zero.children[0]) if zero else 1
                fields["dice"] = (*self.dice_of(self.token(node, "DICE")), lowest)
            case "amend_stack":
                fields["stacking"] = (self.stacking(node, x.Name(self.span(parts[0]), ""), parts),)
            case "amend_months":
                fields["months"] = self.months(node)
            case "amend_widen":
                fields["type"] = self.build(parts[0])
            case "amend_most":
                fields["most"] = self.number(self.token(node, "INT"))
        op: Any = _OPS[str(node.data)]
        fields |= {part: covered(fields[part], cite) for part in ("norms", "rows", "body") if part in fields}
        return i.Amendment(self.span(node), cite, op, self.address(address), **fields)

    def bodies(self, parts: list[Node]) -> dict[str, Any]:
        """The lines of a body, each kind on its own."""
        lines = parts[1:] if parts and parts[0].data == "cite" else parts
        fields = [made for c in lines if c.data in ("fixed_field", "state_field") for made in self.fields(c)]
        body = self.block([c for c in lines if c.data not in _STATEMENT_FREE])
        asked: dict[str, Any] = {
            "secret": any(c.data == "secret_line" for c in lines),
            "default": next(
                (self.build(self.children(c)[0]) for c in lines if c.data == "default_line"), None
            ),
        }
        if verbs := [c for c in lines if c.data in _VERBS]:
            if len(verbs) > 1:
                self.refuse(kinds.SYNTAX_ERROR, "a choice asks only one thing; this is a second", verbs[1])
            lets = [each for each in body if isinstance(each, s.Let)]
            asked["verb"] = self.verb(verbs[0])
            asked["lets"] = tuple(i.CaseLet(let.span, let.cite, let.name, let.value) for let in lets)
            body = tuple(each for each in body if not isinstance(each, s.Let))
        return {
            **asked,
            "norms": self.all([c for c in lines if c.data == "norm"]),
            "rows": self.all([c for c in lines if c.data == "row"]),
            "notes": self.all([c for c in lines if c.data == "note"]),
            "fields": tuple(fields),
            "stacking": self.all([c for c in lines if c.data == "stack_line"]),
            "body": body,
        }

    def address(self, node: Node) -> i.Address:
        """What is addressed; words come as rules that keep their one token."""
        words = [str(c.children[0]) for c in self.children(node) if c.data.endswith("_word")]
        names = [self.on_name(c) for c in self.children(node) if c.data == "name"]
        cites = [c for c in node.children if isinstance(c, Token) and c.type == "CITE"]
        cite = self.on_cite(node_of(cites[0])) if cites else None
        row = None
        if node.data in ("by_row", "by_cell"):
            body = next(c for c in self.children(node) if c.data != "name")
            first = "row" if node.data == "by_row" else "cell"
            row, words, names = self.cell_body(body), [first, "table"], [names[0], names[-1]]
        if node.data == "by_own_part":
            return i.Address(self.span(node), None, words[0], None, words[1], names[0], None)
        return i.Address(
            self.span(node),
            cite,
            words[0] if words else "",
            names[0] if names else None,
            words[1] if len(words) > 1 else "",
            names[1] if len(names) > 1 else None,
            row,
        )


def covered(lines: tuple[Any, ...], cite: s.Cite | None) -> tuple[Any, ...]:
    """Lines that cite for themselves, or else what is cited for all of them."""
    return tuple(replace(line, cite=line.cite or cite) for line in lines)


def node_of(token: Token) -> Node:
    """A citation token as the tree that `on_cite` reads."""
    return Tree("cite", [token])
