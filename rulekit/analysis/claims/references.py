"""References: whether a printed number is there, and the thing that is meant stands under it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from rulekit.analysis.claims.verdict import ClaimVerdict, contradicted
from rulekit.analysis.verdicts import Proved
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import ReferenceModel, Title
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes

_MOST_TOLD = 3


class References:
    """What is called how in one rule set, where it stands, and which printed rules it cites."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled

    def under(self, reference: ReferenceModel) -> ClaimVerdict:
        """Whether the printed rules are in the lists, and the thing cites one of them."""
        known = {rule.id for rules in self._compiled.printed for rule in rules.rules}
        for rule in reference.rules:
            if known and rule not in known:
                return contradicted(f"no printed rule has the number `{_bare(rule)}`")
        if not reference.thing:
            return Proved()
        spans = self.places(reference.thing)
        cited = dict.fromkeys(rule for span in spans for rule in self._cited(span))
        wanted = tuple(reference.rules)
        if any(rule == one or rule.startswith((f"{one}.", f"{one}:")) for rule in cited for one in wanted):
            return Proved()
        shown = ", ".join(map(_bare, list(cited)[:_MOST_TOLD])) or "no number"
        asked = ", ".join(map(_bare, wanted))
        told = f"`{reference.thing}` stands under {shown}, not under {asked}"
        return contradicted(told, spans[0])

    def titled(self, title: Title) -> ClaimVerdict:
        """Whether anything is called so, by its name or its title."""
        if _plain(title.text) in self._called:
            return Proved()
        return contradicted(f"no rule or item is named `{title.text}`")

    def places(self, thing: str) -> list[Span]:
        """Where what has a name is declared; a name may be that of several things."""
        names = self._compiled.names
        spaces: tuple[Mapping[str, i.Item], ...] = (
            names.procedures, names.choices, names.rolls, names.tables, names.externs, names.defines,
            names.modifiers, names.events, names.populations, names.groups, names.enums, names.unions,
            names.stores, names.promises,
        )  # fmt: skip
        found = [space[thing].span for space in spaces if thing in space]
        return found + [step.span for step in self._steps.get(thing, ())]

    @cached_property
    def _steps(self) -> Mapping[str, Sequence[s.Step]]:
        found: dict[str, list[s.Step]] = {}
        bodies = tuple(procedure.body for procedure in self._compiled.names.procedures.values())
        for node in nodes(bodies, expressions=False):
            if isinstance(node, s.Step):
                found.setdefault(node.name.text, []).append(node)
        return found

    def _cited(self, span: Span) -> Iterator[str]:
        """The printed rules cited inside a span."""
        for site in self._compiled.model.sites:
            if site.file == span.file and span.line <= site.line < max(span.end_line, span.line + 1):
                yield from site.rules

    @cached_property
    def _called(self) -> frozenset[str]:
        """Names and titles of everything that is declared, members and options among it, plainly."""
        return frozenset(map(_plain, self._said()))

    def _said(self) -> Iterator[str]:
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
    """Letters and figures only, so that `De_Ruyter` is `De Ruyter`."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _bare(rule: str) -> str:
    """A printed rule without the prefix of the set."""
    return rule.split(".", 1)[-1]
