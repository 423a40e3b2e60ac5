"""A mutant as a program: the passes from amendments on, for the items that a mutant or an example needs.

Names alone decide which items need which, so there may be more than is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from rulekit import ir
from rulekit.analysis.mutate.mutant import Mutant
from rulekit.compiler.amend import amend
from rulekit.compiler.driver import Compiled
from rulekit.compiler.in_force import examples_in_force, with_beginnings
from rulekit.compiler.lower import heading_of, lower
from rulekit.compiler.names import Names
from rulekit.compiler.populate import populate
from rulekit.compiler.typecheck import typecheck
from rulekit.compiler.weave_events import weave_events
from rulekit.diagnostics import Report, RulesError
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name
from rulekit.syntax.tree.walk import nodes

_MODIFIED = {"rolls": "roll", "defines": "define", "tables": "table"}
"""The word for the target of a modifier, by where it is declared."""
_PRUNED = ("defines", "tables", "rolls", "modifiers", "choices", "procedures")
"""Mappings of which only what is reached is kept.  Events are part of whatever is run."""

Key = tuple[str, str]
"""A mapping of `Names`, and a name in it."""


class Reach:
    """The items that each item of a rule set mentions, before or after amendments."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._by_name: dict[str, list[Key]] = {}
        for space in _PRUNED:
            for name in getattr(names, space):
                self._by_name.setdefault(name, []).append((space, name))
        self._needs: dict[Key, frozenset[Key]] = {}
        self._always = self._mentions(names.events.values()) | self._mentions(names.calendars.values())

    def restrict(self, roots: Collection[Key], examples: Collection[str]) -> Names:
        """The declarations with what these items and examples need, directly or not; no promises."""
        chosen = {title: self.names.examples[title] for title in examples}
        given = [line for example in chosen.values() for line in example.given if line.kind == "scenario"]
        waiting = [*roots, *self._always, *self._mentions(chosen.values())]
        waiting += [("procedures", line.name.text) for line in given if line.name is not None]
        reached: set[Key] = set()
        while waiting:
            key = waiting.pop()
            if key not in reached and key[1] in getattr(self.names, key[0]):
                reached.add(key)
                waiting += self.needs(key)
        kept: dict[str, Any] = {}
        for space in _PRUNED:
            items = getattr(self.names, space).items()
            kept[space] = {name: item for name, item in items if (space, name) in reached}
        return replace(self.names, **kept, examples=chosen, promises={})

    def needs(self, key: Key) -> frozenset[Key]:
        """The items that an item mentions, and those that belong to it: modifiers, alternative tables."""
        if key not in self._needs:
            space, name = key
            needed = self._mentions([getattr(self.names, space)[name]])
            if (word := _MODIFIED.get(space)) is not None:
                needed |= {
                    ("modifiers", modifier.name.text)
                    for modifier in self.names.modifiers.values()
                    if modifier.on == word and modifier.target.text == name
                }
            if space == "tables":
                for clause, other in self.names.alternatives.get(name, ()):
                    needed |= {("tables", other)} | self._mentions([clause])
            self._needs[key] = needed
        return self._needs[key]

    def typed_after(self, key: Key) -> frozenset[Key]:
        """The item, and those whose types may depend on its own."""
        after: set[Key] = set()
        waiting = [key]
        while waiting:
            one = waiting.pop()
            if one not in after:
                after.add(one)
                if not self._declares_its_type(one):
                    waiting += self._users.get(one, ())
        return frozenset(after)

    def _declares_its_type(self, key: Key) -> bool:
        item = getattr(self.names, key[0]).get(key[1])
        return (
            isinstance(item, i.Procedure | i.Table) or isinstance(item, i.Define) and item.result is not None
        )

    @cached_property
    def _users(self) -> Mapping[Key, list[Key]]:
        users: dict[Key, list[Key]] = {}
        for space in _PRUNED:
            for name in getattr(self.names, space):
                for needed in self.needs((space, name)):
                    users.setdefault(needed, []).append((space, name))
        for modifier in self.names.modifiers.values():
            space = f"{modifier.on}s"
            users.setdefault(("modifiers", modifier.name.text), []).append((space, modifier.target.text))
        return users

    def _mentions(self, trees: Iterable[object]) -> frozenset[Key]:
        names = {node.text for tree in trees for node in nodes(tree) if isinstance(node, Name)}
        return frozenset(key for name in names for key in self._by_name.get(name, ()))


class MutantCompiler:
    """Compiles programs of one rule set, without reading or parsing it again.

    Claims and errata are left out: they do not test play.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        report = Report()
        examples = examples_in_force(with_beginnings(compiled.declared, report), compiled.rule_set, report)
        self.names = replace(examples, claims={}, errata={})
        self._base = Reach(amend(self.names, report))

    def whole(self, mutant: Mutant | None, examples: Collection[str] = ()) -> ir.Program | None:
        """The program with a change and some of its examples; None if it does not compile."""
        names = self._amend(mutant)
        if names is None:
            return None
        kept = {title: names.examples[title] for title in examples}
        return self._lower(replace(names, examples=kept), mutant)

    def part(self, mutant: Mutant, examples: Collection[str]) -> ir.Program | None:
        """The part of the program with the change, what its type decides, and what these examples need."""
        names = self._amend(mutant)
        if names is None:
            return None
        program = None
        if mutant.space != "variants":
            changed = self._base.typed_after((mutant.space, mutant.name))
            program = self._lower(Reach(names).restrict(changed, examples), mutant)
        return program or self.whole(mutant, examples)

    def _amend(self, mutant: Mutant | None) -> Names | None:
        report = Report()
        try:
            amended = amend(self.names if mutant is None else mutant.apply(self.names), report)
            report.stop_on_error()
        except RulesError:
            return None
        return amended

    def _lower(self, names: Names, mutant: Mutant | None) -> ir.Program | None:
        compiled, base = self._compiled, self._compiled.program
        world, report = compiled.model.world, Report()
        try:
            if mutant is not None and mutant.space == "variants":
                world = populate(names, compiled.data.load, report)
                report.stop_on_error()
            model = typecheck(names, world, report, compiled.rule_set.manifest, compiled.data.externs)
            report.stop_on_error()
        except RulesError:
            return None
        return lower(model, weave_events(model, base.entry), heading_of(base, base.entry))
