"""References: does a printed number exist, and does the named thing cite it?"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from rulekit import ir
from rulekit.analysis.claims.booklet import Booklet
from rulekit.analysis.claims.verdict import ClaimVerdict, Contradiction, contradiction
from rulekit.analysis.verdicts import Proved
from rulekit.base.resources import rules_folder
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import CaseModel, ClaimModel, ReferenceModel, Title
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.walk import citations, nodes

_MOST_TOLD = 3


class References:
    """The names of one rule set, their places, and the printed rules that they cite."""

    def __init__(self, compiled: Compiled, booklet: Booklet) -> None:
        self._compiled, self._booklet = compiled, booklet

    def under(self, reference: ReferenceModel) -> ClaimVerdict:
        """The verdict that the printed rules are in the lists, and the thing cites one of them."""
        for rule in reference.rules:
            if not self._booklet.has(rule):
                return contradiction(f"no printed rule has the number `{self._booklet.bare(rule)}`")
        if not reference.thing:
            return Proved()
        spans = self.places(reference.thing)
        cited = dict.fromkeys(rule for span in spans for rule in self._citations_in(span))
        wanted = tuple(reference.rules)
        if any(rule == one or rule.startswith((f"{one}.", f"{one}:")) for rule in cited for one in wanted):
            return Proved()
        shown = self._booklet.cite(list(cited)[:_MOST_TOLD]) or "no number"
        return contradiction(
            f"`{reference.thing}` is under {shown}, not under {self._booklet.cite(wanted)}", spans[0]
        )

    def title_verdict(self, title: Title) -> ClaimVerdict:
        """The verdict that something has this name or title."""
        if _plain(title.text) in self._called:
            return Proved()
        return contradiction(f"no rule or item is named `{title.text}`")

    def places(self, thing: str) -> list[Span]:
        """The declarations of a name; several things may have it."""
        names = self._compiled.names
        spaces: tuple[Mapping[str, i.Item], ...] = (
            names.procedures, names.choices, names.rolls, names.tables, names.externs, names.defines,
            names.modifiers, names.events, names.populations, names.groups, names.enums, names.unions,
            names.stores, names.promises,
        )  # fmt: skip
        spans = [space[thing].span for space in spaces if thing in space]
        return spans + [step.span for step in self._steps.get(thing, ())]

    @cached_property
    def _steps(self) -> Mapping[str, Sequence[s.Step]]:
        steps: dict[str, list[s.Step]] = {}
        for node in nodes(tuple(self._compiled.names.procedures.values()), expressions=False):
            if isinstance(node, s.Step):
                steps.setdefault(node.name.text, []).append(node)
        return steps

    def _citations_in(self, span: Span) -> Iterator[str]:
        """The printed rules cited inside a span."""
        for site in self._compiled.model.sites:
            if site.file == span.file and span.line <= site.line < max(span.end_line, span.line + 1):
                yield from site.rules

    @cached_property
    def _called(self) -> frozenset[str]:
        """Names and titles of all declarations, members and options, in letters and figures only."""
        return frozenset(map(_plain, self._titles()))

    def _titles(self) -> Iterator[str]:
        names = self._compiled.names
        for space in (
            names.enums, names.unions, names.populations, names.groups, names.stores, names.defines,
            names.tables, names.externs, names.rolls, names.modifiers, names.choices, names.procedures,
            names.events, names.variants,
        ):  # fmt: skip
            for name, item in space.items():
                yield name
                yield getattr(item, "title", "")
        for domain in self._compiled.model.world.domains.values():
            yield from domain.members
            yield from domain.titles
        for steps in self._steps.values():
            for step in steps:
                yield step.name.text
                yield step.title
        for field in nodes(tuple(names.populations.values()) + tuple(names.unions.values())):
            if isinstance(field, i.FieldDecl):
                yield field.name.text
        yield from (option.name for option in self._compiled.rule_set.manifest.options)


def _plain(text: str) -> str:
    """Letters and figures only: `De_Ruyter` is `De Ruyter`."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


_MOST = 4
"""Printed rules that are named as contradicting a claim."""


class Places:
    """Printed places of one rule set's claims."""

    def __init__(self, compiled: Compiled, booklet: Booklet) -> None:
        self._compiled, self._booklet = compiled, booklet
        self._names = compiled.names
        self._references = References(compiled, booklet)

    @property
    def rule_set(self) -> str:
        """The rule set as users name it on the command line."""
        rule_set = self._compiled.rule_set
        own, folder = rule_set.manifest.id, rule_set.folder
        return own if folder.resolve() == (rules_folder() / own).resolve() else shlex.quote(str(folder))

    def of(self, claim: ClaimModel) -> Span:
        """The place of a claim, or of the reading of an errata entry."""
        if not isinstance(claim.decl, i.Claim):
            site = self._compiled.model.sites[claim.site]
            for reading, _ in (*claim.decl.printed, *claim.decl.play):
                if not isinstance(reading, str):
                    if (reading.span.line, reading.span.column) == (site.line, site.column):
                        return reading.span
        return claim.decl.name.span

    def citations_of(self, claim: ClaimModel) -> tuple[str, ...]:
        """The printed rules that a claim cites, without the set's prefix."""
        return tuple(map(self._booklet.bare, self._compiled.model.sites[claim.site].rules))

    def against(self, claim: ClaimModel) -> tuple[str, ...]:
        """The printed rules that contradict a claim: from errata, else those of the things it names."""
        own, errata = set(self.citations_of(claim)), self._names.errata.get(claim.settled)
        if errata is not None:
            rules = self._of_errata(errata)
        else:
            rules = (rule for rule in self._of_things(claim) if not self._booklet.is_heading(rule))
        return tuple(dict.fromkeys(rule for rule in rules if rule not in own))[:_MOST]

    def _of_errata(self, errata: i.Errata) -> Iterable[str]:
        for _, cite in (*errata.play, *errata.printed):
            yield from _ids(cite)
        for name in errata.settles:
            settled = self._names.claims.get(name.text)
            yield from _ids(settled.cite) if settled is not None else ()
        yield from _ids(errata.cite)

    def _of_things(self, claim: ClaimModel) -> Iterable[str]:
        for span in self._things(claim):
            yield from self._head(span)

    def _things(self, claim: ClaimModel) -> Iterator[Span]:
        """The declarations of the things that a claim names."""
        if not isinstance(claim.decl, i.Claim):
            return
        own = {param.name.text for param in claim.decl.params}
        for node in nodes(claim.decl.content):
            if isinstance(node, x.Name) and node.text not in own:
                yield from self._references.places(node.text)

    def _head(self, span: Span) -> Iterable[str]:
        """The printed rules cited on the first line of a span."""
        for site in self._compiled.model.sites:
            if (site.file, site.line) == (span.file, span.line):
                yield from map(self._booklet.bare, site.rules)

    def rule(self, claim: ClaimModel, contradiction: Contradiction) -> Span | None:
        """The rule that contradicts a claim, or one that cites what is printed against it."""
        if contradiction.place is not None:
            return contradiction.place
        refused = claim.content.example.refused if isinstance(claim.content, CaseModel) else ()
        rules = (*map(self._booklet.bare, refused), *self.against(claim))
        sites = list(enumerate(self._compiled.model.sites))
        ran = [site for number, site in sites if number in contradiction.ran]
        places = (self._citing(rules, ran), self._citing(rules, [site for _, site in sites]))
        return next(filter(None, (*places, self._declaring(rules), *self._things(claim))), None)

    def _declaring(self, rules: Iterable[str]) -> Span | None:
        """The first citation of one of some printed rules, such as that of a field."""
        for rule in rules:
            for cite in self._citations:
                at = cite.span
                if rule in map(self._booklet.bare, cite.ids) and (at.file, at.line) not in self._inert:
                    return at
        return None

    def _citing(self, rules: Iterable[str], sites: Sequence[ir.Site]) -> Span | None:
        """The first of some places that cites one of some printed rules."""
        for rule in rules:
            for site in sites:
                if rule in map(self._booklet.bare, site.rules) and (site.file, site.line) not in self._inert:
                    return site.span
        return None

    @cached_property
    def _citations(self) -> Sequence[Cite]:
        return [cite for module in self._compiled.modules for cite in citations(module.items)]

    @cached_property
    def _inert(self) -> frozenset[tuple[str, int]]:
        """The lines of claims, errata and examples, which rule nothing."""
        names = self._names
        items: Iterable[i.Item] = (*names.claims.values(), *names.errata.values(), *names.examples.values())
        return frozenset(
            (at.file, n) for at in (item.span for item in items) for n in range(at.line, at.end_line)
        )


def _ids(cite: Cite | None) -> Iterable[str]:
    return cite.ids if cite is not None else ()
