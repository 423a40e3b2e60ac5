"""Where a claim is printed, and where what it contradicts is."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.analysis.claims.references import References
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import ClaimModel
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.walk import nodes

_MOST = 4
"""Printed rules that are named as the other side."""


class Places:
    """Printed places of one rule set's claims."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._names = compiled.names
        self._references = References(compiled)

    def of(self, claim: ClaimModel) -> Span:
        """Where a claim stands, or the reading of an errata entry."""
        if isinstance(claim.decl, i.Claim):
            return claim.decl.name.span
        site = self._compiled.model.sites[claim.site]
        said = [said for said, _ in (*claim.decl.printed, *claim.decl.play) if not isinstance(said, str)]
        found = [each.span for each in said if (each.span.line, each.span.column) == (site.line, site.column)]
        return found[0] if found else claim.decl.name.span

    def cited(self, claim: ClaimModel) -> tuple[str, ...]:
        """The printed rules in which a claim stands, without the set's prefix."""
        return tuple(map(self._bare, self._compiled.model.sites[claim.site].rules))

    def against(self, claim: ClaimModel) -> tuple[str, ...]:
        """The printed rules that say otherwise: as errata tell, else those of what the claim speaks of."""
        own = set(self.cited(claim))
        errata = self._names.errata.get(claim.settled)
        found = self._of_errata(errata) if errata is not None else self._of_things(claim)
        return tuple(dict.fromkeys(rule for rule in found if rule not in own))[:_MOST]

    def _of_errata(self, errata: i.Errata) -> Iterable[str]:
        for _, cite in (*errata.play, *errata.printed):
            yield from _ids(cite)
        for name in errata.settles:
            settled = self._names.claims.get(name.text)
            yield from _ids(settled.cite) if settled is not None else ()
        yield from _ids(errata.cite)

    def _of_things(self, claim: ClaimModel) -> Iterable[str]:
        content = claim.decl.content if isinstance(claim.decl, i.Claim) else None
        own = {param.name.text for param in claim.decl.params} if isinstance(claim.decl, i.Claim) else set()
        for node in nodes(content) if content is not None else ():
            if isinstance(node, x.Name) and node.text not in own:
                for span in self._references.places(node.text):
                    yield from self._head(span)

    def _head(self, span: Span) -> Iterable[str]:
        """What is cited on the first line of something."""
        for site in self._compiled.model.sites:
            if (site.file, site.line) == (span.file, span.line):
                yield from map(self._bare, site.rules)

    def citing(self, rules: Iterable[str]) -> Span | None:
        """The first place in the rules that cites one of some printed rules."""
        wanted = list(rules)
        claims = {(at.file, line) for at in self._own_spans() for line in range(at.line, at.end_line)}
        for rule in wanted:
            for site in self._compiled.model.sites:
                if rule in map(self._bare, site.rules) and (site.file, site.line) not in claims:
                    return site.span
        return None

    def _own_spans(self) -> Iterable[Span]:
        for claim in self._names.claims.values():
            yield claim.span
        for errata in self._names.errata.values():
            yield errata.span

    def _bare(self, rule: str) -> str:
        """A printed rule as it is cited: without the set's prefix."""
        return rule.removeprefix(f"{self._compiled.rule_set.manifest.prefix}.")


def _ids(cite: Cite | None) -> Iterable[str]:
    return cite.ids if cite is not None else ()
