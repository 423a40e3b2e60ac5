"""Nothing cites a rule that is not printed, and the chapters of the campaign turn have examples."""

from __future__ import annotations

from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report
from rulekit.ruleset import read_sources
from rulekit.syntax.tree.walk import citations

WITH_EXAMPLES = (
    "victory", "forces", "setup", "resupply", "repair", "movement", "orders", "resolve", "reinforce",
    "return-to-port", "supply", "defeat", "special",
)  # fmt: skip
"""Chapters of the campaign turn in which the booklet says "Example:"."""


def printed(fcn: Compiled) -> set[str]:
    """Ids of the list of printed rules."""
    report = Report()
    rules = read_sources(fcn.rule_set.folder, "sources/fcn.tsv", report)
    assert rules is not None and not report.has_errors
    return {rule.id for rule in rules.rules}


def cited(fcn: Compiled, *, examples: bool) -> set[str]:
    """Ids cited in the rules proper, or in the examples."""
    items = [
        item
        for module in fcn.modules
        for item in module.items
        if item.span.file.startswith("examples/") == examples
    ]
    return {f"FCN.{each}" for cite in citations(tuple(items)) for each in cite.ids}


def test_no_citation_is_made_up(fcn: Compiled) -> None:
    """What is cited is in the list of printed rules."""
    found = cited(fcn, examples=False) | cited(fcn, examples=True)

    assert [] == sorted(found - printed(fcn))


def test_examples_cover_the_booklets(fcn: Compiled) -> None:
    """Each of these chapters has examples."""
    chapters = {each.split(".")[1] for each in cited(fcn, examples=True)}

    assert [] == [chapter for chapter in WITH_EXAMPLES if chapter not in chapters]
