"""Nothing cites a rule that is not printed, and all 705 are listed."""

from __future__ import annotations

from rulekit.compiler.driver import Compiled
from rulekit.syntax.tree.walk import citations


def test_all_705_rules_are_listed(atp: Compiled) -> None:
    """Each once, with a summary that is a sentence of its own."""
    (printed,) = atp.printed
    ids = [rule.id for rule in printed.rules]

    assert 705 == len(ids) == len(set(ids))
    assert all(len(rule.summary) > 15 and not rule.summary.endswith(".") for rule in printed.rules)


def test_no_citation_is_made_up(atp: Compiled) -> None:
    """What is cited is in the list, and what is excused is not cited."""
    items = tuple(item for module in atp.modules for item in module.items)
    cited = {f"ATP.{each}" for cite in citations(items) for each in cite.ids}
    listed = {rule.id for printed in atp.printed for rule in printed.rules}
    excused = {excuse.what for excuse in atp.rule_set.manifest.not_encodable}

    assert [] == sorted(cited - listed)
    assert [] == sorted(excused & cited) and excused <= listed
