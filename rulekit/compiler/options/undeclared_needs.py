"""Options that use a word which only others declare: they may not stand alone, which is tried."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulekit.base.source import Span
from rulekit.compiler.names import name_of
from rulekit.compiler.options.combinations import RuleOption, RuleOptions
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as st
from rulekit.syntax.tree.expr import Aggregate, Name, Quantified
from rulekit.syntax.tree.stmt import Cite, Step
from rulekit.syntax.tree.walk import nodes

_NO_NAMES = re.compile(
    r'"[^"\n]*"|#[^\n]*|\[[^\[\]\n]*\]|\bin force\b|^ +given with(?:out)? .*', re.MULTILINE
)
"""Texts, comments, citations, words of the language that may be names elsewhere, and options that an example
is for: none of them names."""
_WORD = re.compile(r"\w+")
_PART = "part of something: "
"""Stands before the names of steps, norms and classes, and before printed numbers."""


def borrowing(options: RuleOptions) -> Iterator[str]:
    """Options with a word that only others declare which they do not need: they may not stand alone."""
    homes: dict[str, set[str]] = {}
    for name, each in options.all.items():
        for word in _declared(each.items):
            homes.setdefault(word, set()).add(name)
    always = set(_declared(options.base))
    for name in options.possible:
        each, around = options.all[name], options.around[name]
        called = {made.name.text for made in each.variants}
        said = {*_WORD.findall("\n".join(_lines(each))), *_addressed(each.items)} - called - always
        strange = {word for word in said if word in homes and not around & homes[word]}
        if strange and not strange <= set(_own(each, strange)):
            yield name


def _own(option: RuleOption, words: Iterable[str]) -> Iterator[str]:
    """Those of some words that an option names itself wherever it uses them: parameters, `let`s, answers."""
    lines = _lines(option)
    pieces = [
        (made.span, set(_locals(made)))
        for item in option.items
        for made in (_amendments(item) if isinstance(item, i.Variant) else (item,))
    ]
    for word in words:
        pattern = re.compile(rf"(\.)?\b{re.escape(word)}\b(\()?")
        found = [(number, use) for number, line in enumerate(lines, 1) for use in pattern.finditer(line)]
        named = (any(_in(span, number) and word in names for span, names in pieces) for number, _ in found)
        # A local is neither a field nor called.
        if found and all(named) and not any(use.group(1) or use.group(2) for _, use in found):
            yield word


def _in(span: Span, line: int) -> bool:
    return span.line <= line <= span.end_line


def _locals(tree: object) -> Iterator[str]:
    """What a piece of syntax names for itself alone."""
    for node in nodes(tree):
        names: tuple[Name | None, ...] = ()
        match node:
            case (
                i.Param()
                | i.CaseLet()
                | st.Let()
                | st.Do()
                | st.Choose()
                | st.RollDice()
                | st.Draw()
                | st.Form()
            ):
                names = (node.name,)
            case Aggregate() | Quantified() | st.Loop():
                names = (node.var,)
            case i.Verb():
                names = (node.item, node.option)
            case _:
                pass
        yield from (name.text for name in names if name is not None)


def _lines(option: RuleOption) -> list[str]:
    """The text of an option, without what names nothing, and examples that are for other options too."""
    lines = option.source.text.split("\n")
    for item in option.items:
        if isinstance(item, i.Example) and any(given.kind == "with" for given in item.given):
            lines[item.span.line - 1 : item.span.end_line - 1] = [""] * (item.span.end_line - item.span.line)
    return _NO_NAMES.sub("", "\n".join(lines)).split("\n")


def _declared(items: Iterable[i.Item]) -> Iterator[str]:
    """The names that a file brings, of items and of what is in them, and the printed rules it cites.

    What only an amendment or a clause may speak of has a mark before its name.
    """
    for item in items:
        if not isinstance(item, i.Example | i.Claim | i.Errata | i.Variant):
            yield name_of(item)
        if isinstance(item, i.Enum | i.Population):
            yield from (member.name.text for member in item.members)
        addressed = {id(made.address.cite) for made in _amendments(item)}
        for node in nodes(item, expressions=False):
            match node:
                case i.FieldDecl():
                    yield node.name.text
                case (
                    Step(name=Name(text=text))
                    | i.Stacking(name=Name(text=text))
                    | i.Norm(name=Name(text=text))
                ):
                    yield _PART + text
                case i.Amendment():
                    yield from (name.text for name in node.members)
                case Cite() if id(node) not in addressed:
                    yield from (_PART + rule for rule in node.ids)


def _addressed(items: Iterable[i.Item]) -> Iterator[str]:
    """What amendments and clauses speak of, by name or by printed number, with the mark of a part."""
    for item in items:
        for made in _amendments(item):
            address = made.address
            yield from (_PART + rule for rule in (address.cite.ids if address.cite else ()))
            yield from (_PART + name.text for name in (address.name, address.of_name) if name is not None)
        clauses = (i.StacksClause, i.OverClause)
        yield from (
            _PART + node.name.text for node in nodes(item, expressions=False) if isinstance(node, clauses)
        )


def _amendments(item: i.Item) -> tuple[i.Amendment, ...]:
    return item.amendments if isinstance(item, i.Variant) else ()
