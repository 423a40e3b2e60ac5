"""Which printed rules are cited: in a tree, and by options that were not chosen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rulekit.base.source import Source
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report
from rulekit.ruleset import read_text
from rulekit.syntax.parse import parse
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.walk import nodes


def citations(tree: object) -> Iterator[Cite]:
    """Every citation in a piece of syntax, or in a tuple of such."""
    return (each for each in nodes(tree, expressions=False) if isinstance(each, Cite))


def options_cite(compiled: Compiled) -> set[str]:
    """The rules that options cite which were not chosen; what cannot be read there says nothing."""
    found: set[str] = set()
    folder, chosen = compiled.rule_set.folder, compiled.rule_set.options
    for option in compiled.rule_set.manifest.options:
        name = f"options/{option.name}.rules"
        source = None if option.name in chosen else read_text(folder, name, Report())
        if source is not None:
            found.update(full(compiled, id_) for id_ in _cited_in(source))
    return found


def full(compiled: Compiled, id_: str) -> str:
    """A rule's id, from what a citation says."""
    return id_ if " " in id_ else f"{compiled.rule_set.manifest.prefix}.{id_}"


@lru_cache(maxsize=1000)
def _cited_in(source: Source) -> frozenset[str]:
    cites = (cite for item in parse(source, Report()).items for cite in citations(item))
    return frozenset(id_ for cite in cites for id_ in cite.ids)
