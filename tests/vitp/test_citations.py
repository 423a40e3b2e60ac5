"""Every printed rule of sections 1 to 18 stands somewhere, and nothing cites a rule that is not printed."""

from __future__ import annotations

import re

from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report
from rulekit.ruleset import read_sources
from rulekit.syntax.tree.walk import citations

LATER = re.compile(r"VITP\.(19|2[0-3]|minor)(\.|:|$)")
"""The optional rules and the adjustments of tournaments."""


def printed(vitp: Compiled) -> set[str]:
    """Ids of the list of printed rules."""
    report = Report()
    rules = read_sources(vitp.rule_set.folder, "sources/vitp.tsv", report)
    assert rules is not None and not report.has_errors
    return {rule.id for rule in rules.rules}


def cited(vitp: Compiled, *, examples: bool) -> set[str]:
    """Ids cited in the rules proper, or in the examples."""
    prefix = vitp.rule_set.manifest.prefix
    items = [
        item
        for module in vitp.modules
        for item in module.items
        if item.span.file.startswith("examples/") == examples
    ]
    return {f"{prefix}.{each}" for cite in citations(tuple(items)) for each in cite.ids}


def test_every_printed_rule_is_cited_or_excused(vitp: Compiled) -> None:
    """The rules proper cite every printed rule of sections 1 to 18, but for those excused with a reason."""
    excused = {excuse.what for excuse in vitp.rule_set.manifest.not_encodable}
    wanted = {each for each in printed(vitp) if not LATER.match(each)}

    assert [] == sorted(wanted - cited(vitp, examples=False) - excused)
    assert [] == sorted(excused & cited(vitp, examples=False))


def test_no_citation_is_made_up(vitp: Compiled) -> None:
    """What is cited is in the list of printed rules."""
    all_cited = cited(vitp, examples=False) | cited(vitp, examples=True)

    assert [] == sorted(all_cited - printed(vitp))


def test_examples_cover_every_chapter(vitp: Compiled) -> None:
    """Each section from 2 to 18 has examples of its own."""
    chapters = {each.split(".")[1].split(":")[0] for each in cited(vitp, examples=True)}

    assert [] == [n for n in range(2, 19) if str(n) not in chapters]
