"""The files of options, whether or not they are turned on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rulekit.base.source import Source
from rulekit.diagnostics import Report
from rulekit.ruleset.files import read_text
from rulekit.ruleset.folder import RuleSet
from rulekit.ruleset.manifest import Manifest
from rulekit.syntax.parse import parse
from rulekit.syntax.tree.walk import citations


def option_sources(manifest: Manifest) -> Iterator[tuple[str, Source]]:
    """Yield each option that the manifest lists with its file; those that cannot be read are left out."""
    for option in manifest.options if manifest.home else ():
        assert manifest.home is not None
        source = read_text(manifest.home, f"options/{option.name}.rules", Report())
        if source is not None:
            yield option.name, source


def rules_cited_by_inactive_options(rule_set: RuleSet) -> set[str]:
    """Return the ids of the printed rules that options cite which are turned off."""
    manifest, active = rule_set.manifest, rule_set.options
    inactive = (source for name, source in option_sources(manifest) if name not in active)
    return {manifest.rule_id(cited) for source in inactive for cited in _cited_in(source)}


@lru_cache(maxsize=1000)
def _cited_in(source: Source) -> frozenset[str]:
    return frozenset(
        cited for item in parse(source, Report()).items for c in citations(item) for cited in c.ids
    )
