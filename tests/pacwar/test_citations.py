"""Every printed row stands somewhere, and nothing cites a row that is not printed."""

from __future__ import annotations

from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report
from rulekit.ruleset import read_sources
from rulekit.syntax.tree.walk import citations

from .conftest import Compile

ALL = ("authors",)


def printed(compiled: Compiled) -> list[str]:
    """Ids of the list of printed rows."""
    report = Report()
    rules = read_sources(compiled.rule_set.folder, "sources/pacwar.tsv", report)
    assert rules is not None and not report.has_errors
    return [rule.id for rule in rules.rules]


def cited(compiled: Compiled) -> set[str]:
    """Ids cited by rules and examples of all options."""
    items = [item for module in compiled.modules for item in module.items]
    return {f"PW.{each}" for cite in citations(tuple(items)) for each in cite.ids}


def test_all_361_rows_are_listed(pacwar: Compile) -> None:
    """As many as the house rules have, with their examples and reasons, each once."""
    rows = printed(pacwar(ALL))

    assert 361 == len(rows) == len(set(rows))


def test_every_row_is_encoded_or_excused(pacwar: Compile) -> None:
    """An option or the base cites it, or the manifest says why not; never both."""
    compiled = pacwar(ALL)
    excused = {excuse.what for excuse in compiled.rule_set.manifest.not_encodable}

    assert [] == sorted(set(printed(compiled)) - cited(compiled) - excused)
    assert [] == sorted(excused & cited(compiled))


def test_no_citation_is_made_up(pacwar: Compile) -> None:
    """What is cited is in the list."""
    compiled = pacwar(ALL)

    assert [] == sorted(cited(compiled) - set(printed(compiled)))


def test_the_base_cites_almost_nothing(pacwar: Compile) -> None:
    """The booklet is no part of this: but for errata, only the row that tells what is in play is cited."""
    compiled = pacwar(())
    items = [
        item
        for module in compiled.modules
        for item in module.items
        if item.span.file not in ("errata.rules",)
    ]

    assert {"general.1"} == {each for cite in citations(tuple(items)) for each in cite.ids}
