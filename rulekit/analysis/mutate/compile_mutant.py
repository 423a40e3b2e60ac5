"""A changed rule set as a program: the passes from amendments on, for as little as is asked of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from rulekit import ir
from rulekit.analysis.mutate.mutant import Mutant
from rulekit.analysis.mutate.reach import Key, Reach
from rulekit.compiler.amend import amend
from rulekit.compiler.driver import Compiled
from rulekit.compiler.in_force import examples_in_force
from rulekit.compiler.lower import heading_of, lower
from rulekit.compiler.names import Names
from rulekit.compiler.populate import populate
from rulekit.compiler.typecheck import typecheck
from rulekit.compiler.weave_events import weave_events
from rulekit.diagnostics import Report, RulesError


class MutantCompiler:
    """Makes programs of one rule set, whole or changed; nothing is read or parsed again.

    Claims and errata are left out: what is printed twice is no test of what is played.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        report = Report()
        examples = examples_in_force(compiled.declared, compiled.rule_set, report)
        self.names = replace(examples, claims={}, errata={})
        self._base = Reach(amend(self.names, report))

    def whole(self, mutant: Mutant | None, examples: Collection[str] = ()) -> ir.Program | None:
        """The program with a change and some of its examples; None where it is no rule set any more."""
        names = self._amended(mutant)
        if names is None:
            return None
        kept = {title: names.examples[title] for title in examples}
        return self._lowered(replace(names, examples=kept), mutant)

    def part(self, mutant: Mutant, examples: Collection[str]) -> ir.Program | None:
        """As much of the program as the change is in, or typed after, and as these examples need."""
        names = self._amended(mutant)
        if names is None:
            return None
        key: Key = (mutant.space, mutant.name)
        if mutant.space == "variants":
            return self.whole(mutant, examples)
        reach = Reach(names)
        found = self._lowered(reach.kept(self._base.typed_after(key), examples), mutant)
        return found or self.whole(mutant, examples)

    def _amended(self, mutant: Mutant | None) -> Names | None:
        report = Report()
        try:
            amended = amend(self.names if mutant is None else mutant.applied(self.names), report)
            report.stop_on_error()
        except RulesError:
            return None
        return amended

    def _lowered(self, names: Names, mutant: Mutant | None) -> ir.Program | None:
        compiled, base = self._compiled, self._compiled.program
        world, report = compiled.model.world, Report()
        manifest = compiled.rule_set.manifest
        try:
            if mutant is not None and mutant.space == "variants":
                world = populate(names, compiled.data.load, report)
                report.stop_on_error()
            model = typecheck(
                names, world, report, prefix=manifest.prefix, sides=base.sides, owner=compiled.data.externs
            )
            report.stop_on_error()
        except RulesError:
            return None
        return lower(model, weave_events(model, base.entry), heading_of(base, base.entry))
