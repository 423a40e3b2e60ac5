"""From trees of the grammar to our own: exceptions, variants, options, and what they change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulekit.diagnostics import kinds
from rulekit.syntax.parse.builder.base import (
    RULES,
    Builder,
    Node,
    Rule,
    children,
    first,
    item,
    tokens,
    word,
)
from rulekit.syntax.parse.builder.choices import verb
from rulekit.syntax.parse.builder.claims import author, readings, reason
from rulekit.syntax.parse.builder.items import (
    cases,
    cell_body,
    clauses,
    dice,
    fields_of,
    months,
    only_case,
    stacking,
)
from rulekit.syntax.parse.tree import Tree
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s

_VERBS = ("pick", "assign", "split", "arrange", "share", "decide", "number")
_STATEMENT_FREE = (
    "norm", "row", "note", "fixed_field", "state_field", "stack_line", "secret_line", "default_line", *_VERBS
)  # fmt: skip


def _force(b: Builder, node: Node) -> tuple[x.Expr | i.DateSpan, ...]:
    return tuple(b.build_in(line) for line in children(node) if line.data in ("force_while", "force_span"))


def _names_on(rule: str) -> Rule:
    """Reads the names on all lines of a rule."""
    return lambda b, node: tuple(name for c in children(node) if c.data == rule for name in b.names(c))


def _status(b: Builder, node: Node) -> str:
    line = first(node, "status")
    return b.head(line).text if line else ""


def _favours(b: Builder, node: Node) -> x.Name | None:
    lines = [line for line in children(node) if line.data == "favours_option"]
    return b.head(lines[-1]) if lines else None


def _amendments(b: Builder, node: Node) -> tuple[i.Amendment, ...]:
    return tuple(_amendment(b, line) for line in children(node) if line.data in _AMENDMENTS)


def _errata_of(b: Builder, node: Node) -> x.Name:
    return [b.name(child) for child in children(node) if child.data == "name"][1]


_PARTS: dict[str, Rule] = {
    "author": author,
    "status": _status,
    "force": _force,
    "needs": _names_on("needs_line"),
    "excludes": _names_on("excludes_line"),
    "over": _names_on("over_line"),
    "beside": _names_on("with_line"),
    "favours": _favours,
    "reason": reason,
    "amendments": _amendments,
    "play": readings("play_line"),
}
RULES["variant"] = item(i.Variant, word=lambda b, node: word(children(node)[0], "word_"), **_PARTS)
RULES["reading"] = item(i.Variant, word="reading", of=_errata_of, **_PARTS)


def _amendment(b: Builder, node: Node) -> i.Amendment:
    address, *rest = children(node)
    op, read = _AMENDMENTS[node.data]
    fields = read(b, node, [part for part in rest if part.data != "cite"])
    cite = b.cite(node) or fields.pop("cite", None)
    fields |= {part: _cite_all(fields[part], cite) for part in ("norms", "rows", "body") if part in fields}
    return i.Amendment(b.span(node), cite, op, _address(b, address), **fields)


def _body_cited(b: Builder, node: Node, parts: list[Node]) -> dict[str, Any]:
    body, cite = b.suite(parts[0])
    return {"body": body, "cite": cite}


def _body(b: Builder, node: Node, parts: list[Node]) -> dict[str, Any]:
    """The lines of a body, each kind on its own."""
    rest = children(node)[1:]
    lines = rest[1:] if rest and rest[0].data == "cite" else rest
    fields = fields_of(b, node)
    body = b.block([line for line in lines if line.data not in _STATEMENT_FREE])
    secret, default = first(node, "secret_line") is not None, b.build_in(first(node, "default_line"))
    choice: dict[str, Any] = {"secret": secret, "default": default}
    if verbs := [line for line in lines if line.data in _VERBS]:
        if len(verbs) > 1:
            b.refuse(kinds.SYNTAX_ERROR, "a choice asks only one thing; this is a second", verbs[1])
        choice["verb"] = verb(b, verbs[0])
        lets = [stmt for stmt in body if isinstance(stmt, s.Let)]
        choice["lets"] = tuple(i.CaseLet(let.span, let.cite, let.name, let.value) for let in lets)
        body = tuple(stmt for stmt in body if not isinstance(stmt, s.Let))
    return {
        **choice,
        "norms": b.build_all(node, "norm"),
        "rows": b.build_all(node, "row"),
        "notes": b.build_all(node, "note"),
        "fields": fields,
        "stacking": b.build_all(node, "stack_line"),
        "body": body,
    }


_AMENDMENTS: dict[str, tuple[Any, Callable[[Builder, Node, list[Node]], dict[str, Any]]]] = {
    "amend_members": ("add", lambda b, node, parts: {"members": b.names(node)}),
    "amend_add": ("add", _body),
    "amend_replace": ("replace", _body),
    "amend_redefine": ("redefine", lambda b, node, parts: {"cases": only_case(b, parts[0])}),
    "amend_redefine_block": ("redefine", lambda b, node, parts: {"cases": cases(b, node)}),
    "amend_before": ("before", _body_cited),
    "amend_after": ("after", _body_cited),
    "amend_remove": ("remove", lambda b, node, parts: {"clauses": clauses(b, parts)}),
    "amend_set": ("set", lambda b, node, parts: {"cases": only_case(b, parts[0])}),
    "amend_dice": ("set", lambda b, node, parts: {"dice": dice(b, node)}),
    "amend_stack": (
        "set",
        lambda b, node, parts: {"stacking": (stacking(b, node, x.Name(b.span(parts[0]), "")),)},
    ),
    "amend_months": ("set", lambda b, node, parts: {"months": months(b, node)}),
    "amend_widen": ("widen", lambda b, node, parts: {"type": b.build(parts[0])}),
    "amend_most": ("widen", lambda b, node, parts: {"most": b.number(tokens(node, "INT")[0])}),
    "amend_deep": ("widen", lambda b, node, parts: {"deep": b.number(tokens(node, "INT")[0])}),
}
"""The word of each sort of amendment, and what reads its fields from the parts after the address."""


def _address(b: Builder, node: Node) -> i.Address:
    """The address of an amendment; words come as rules that keep their one token."""
    words = [str(part.children[0]) for part in children(node) if part.data.endswith("_word")]
    names = list(b.build_all(node, "name"))
    cites = tokens(node, "CITE")
    cite = b.read_cite(Tree("cite", [cites[0]])) if cites else None
    row = None
    if node.data in ("by_row", "by_cell"):
        *column, row = (cell_body(b, part) for part in children(node) if part.data != "name")
        heading = [x.Name(cell.span, cell.column_name) for cell in column]
        words, names = [word(node, "by_"), "table"], [*heading, *names, names[-1]][:2]
    if node.data == "by_own_part":
        return i.Address(b.span(node), None, words[0], None, words[1], names[0], None)
    (name, of_name), (own, of_word) = [*names, None, None][:2], [*words, "", ""][:2]
    return i.Address(b.span(node), cite, own, name, of_word, of_name, row)


def _cite_all(lines: tuple[Any, ...], cite: s.Cite | None) -> tuple[Any, ...]:
    """Lines that cite for themselves, or else what is cited for all of them."""
    return tuple(replace(line, cite=line.cite or cite) for line in lines)
