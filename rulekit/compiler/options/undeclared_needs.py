"""Options that use a word which only others declare: they may not stand alone, which is tried."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from rulekit.base.source import Span
from rulekit.compiler.names import name_of
from rulekit.compiler.options.combinations import RuleOption, RuleOptions
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as st
from rulekit.syntax.tree.expr import Aggregate, Name, Quantified
from rulekit.syntax.tree.walk import nodes

_NO_NAMES = re.compile(
    r'"[^"\n]*"|#[^\n]*|\[[^\[\]\n]*\]|\bin force\b|^ +given with(?:out)? .*', re.MULTILINE
)
"""Texts, comments, citations, words of the language that may be names elsewhere, and options that an example
is for: none of them names."""
_WORD = re.compile(r"\w+")
_PART = "part of something: "
"""Stands before the names of steps, norms and classes, and before printed numbers."""
_NAMING: Mapping[type, tuple[str, ...]] = {
    **dict.fromkeys((i.Param, i.CaseLet, i.Also), ("name",)),
    **dict.fromkeys((st.Let, st.Do, st.Choose, st.RollDice, st.Draw, st.Form), ("name",)),
    **dict.fromkeys((Aggregate, Quantified, st.Loop), ("var",)),
    i.Verb: ("item", "option"),
}
"""Where nodes name something for the piece of syntax around them alone."""


def borrowing(options: RuleOptions) -> Iterator[str]:
    """Options with a word that only others declare which they do not need: they may not stand alone."""
    words = {name: _words(option.items) for name, option in options.all.items()}
    homes: dict[str, set[str]] = {}
    for name, (declared, _) in words.items():
        for word in declared:
            homes.setdefault(word, set()).add(name)
    always, _ = _words(options.base)
    for name in options.possible:
        option, around = options.all[name], options.around[name]
        own = {variant.name.text for variant in option.variants}
        used = {*_WORD.findall("\n".join(_lines(option))), *words[name][1]} - own - always
        strange = {word for word in used if word in homes and not around & homes[word]}
        if strange and not strange <= set(_own(option, strange)):
            yield name


def _own(option: RuleOption, words: Iterable[str]) -> Iterator[str]:
    """Those of some words that an option names itself wherever it uses them: parameters, `let`s, answers."""
    lines = _lines(option)
    pieces = [
        (piece.span, set(_locals(piece)))
        for item in option.items
        for piece in (item.amendments if isinstance(item, i.Variant) else (item,))
    ]
    for word in words:
        pattern = re.compile(rf"(\.)?\b{re.escape(word)}\b(\()?")
        uses = [(number, use) for number, line in enumerate(lines, 1) for use in pattern.finditer(line)]
        named = (any(_in(span, number) and word in names for span, names in pieces) for number, _ in uses)
        # A local is neither a field nor called.
        if uses and all(named) and not any(use.group(1) or use.group(2) for _, use in uses):
            yield word


def _in(span: Span, line: int) -> bool:
    return span.line <= line <= span.end_line


def _locals(tree: object) -> Iterator[str]:
    """What a piece of syntax names for itself alone."""
    for node in nodes(tree):
        for part in _NAMING.get(type(node), ()):
            name: Name | None = getattr(node, part)
            if name is not None:
                yield name.text


def _lines(option: RuleOption) -> list[str]:
    """The text of an option, without what names nothing, and examples that are for other options too."""
    lines = option.source.text.split("\n")
    for item in option.items:
        if isinstance(item, i.Example) and any(given.kind == "with" for given in item.given):
            lines[item.span.line - 1 : item.span.end_line - 1] = [""] * (item.span.end_line - item.span.line)
    return _NO_NAMES.sub("", "\n".join(lines)).split("\n")


def _words(items: Iterable[i.Item]) -> tuple[set[str], set[str]]:
    """The words that a file declares, and those that its amendments and clauses speak of.

    The first are the names of items and of what is in them, and the printed rules that it cites.  What only
    an amendment or a clause may speak of has a mark before its name.
    """
    declared: set[str] = set()
    addressed: set[str] = set()
    cited: set[int] = set()  # the identities of citations that are addresses
    for item in items:
        if not isinstance(item, i.Example | i.Claim | i.Errata | i.Variant):
            declared.add(name_of(item))
        if isinstance(item, i.Enum | i.Population):
            declared.update(member.name.text for member in item.members)
        for node in nodes(item, expressions=False):
            match node:
                case i.FieldDecl():
                    declared.add(node.name.text)
                case st.Step(name=Name()) | i.Stacking() | i.Norm(name=Name()):
                    assert node.name is not None
                    declared.add(_PART + node.name.text)
                case i.Amendment(address=address):
                    declared.update(name.text for name in node.members)
                    names = (name.text for name in (address.name, address.of_name) if name is not None)
                    addressed.update(
                        _PART + word for word in (*names, *(address.cite.ids if address.cite else ()))
                    )
                    cited.add(id(address.cite))
                case st.Cite() if id(node) not in cited:
                    declared.update(_PART + rule for rule in node.ids)
                case i.StacksClause() | i.OverClause():
                    addressed.add(_PART + node.name.text)
    return declared, addressed
