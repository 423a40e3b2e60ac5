"""Names and a world to a model: every expression gets its type, every statement its meaning.

Before: amended `Names` and the `World` made of them.  After: a `Model` on which `lower` cannot fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from rulekit import ir
from rulekit.compiler.model import EventModel, Model, flag_of
from rulekit.compiler.names import Names
from rulekit.compiler.populate.type_reader import TypeReader
from rulekit.compiler.trace import Units, plain, watched_record
from rulekit.compiler.typecheck.chains import Chains
from rulekit.compiler.typecheck.choices import ChoiceChecker
from rulekit.compiler.typecheck.claims import ClaimChecker
from rulekit.compiler.typecheck.context import CheckContext, ModifiersOn, Params, Results
from rulekit.compiler.typecheck.conversions import fits
from rulekit.compiler.typecheck.definitions import DefinitionChecker
from rulekit.compiler.typecheck.examples import ExampleChecker
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.modifiers import ModifierChecker
from rulekit.compiler.typecheck.statements.blocks import StatementChecker
from rulekit.compiler.typecheck.statements.procedures import (
    ProcedureChecker,
    finite_procedures,
    report_recursion,
)
from rulekit.compiler.typecheck.states import StateChecker, report_hidden_knowledge
from rulekit.compiler.typecheck.tables.externs import ExternChecker
from rulekit.compiler.typecheck.tables.lookups import TableChecker
from rulekit.compiler.world import World
from rulekit.diagnostics import Report
from rulekit.ir import types as t
from rulekit.ruleset import DataFile, Manifest
from rulekit.syntax.tree import items as i


def typecheck(
    names: Names,
    world: World,
    report: Report,
    manifest: Manifest,
    owner: Mapping[str, DataFile],
    units: Units | None = None,
) -> Model:
    """The typed model; it is complete only if nothing was reported as an error.

    Args:
        owner: Files with the numbers of extern tables, by the table's name.
        units: How the units of the check are run; see `trace`.
    """
    units = units or Units()
    seen, report = watched_record(world, units, "world."), units.report(report)
    ctx = CheckContext(
        world=seen,
        names=watched_record(names, units, "names."),
        modifiers_on=units.input("modifiers_on", modifiers_on(names)),
        findings=report,
        chains=Chains(names),
        prefix=manifest.prefix,
        sides=manifest.sides_name,
        reader=TypeReader(seen.kinds, world.months, report),
        units=units,
        results=Results(units),
        sites=list(units.sites),
    )
    units.leave = ctx.leave
    model = Checker(ctx, units.input("owner", owner)).model()
    return replace(model, world=world, names=names)


def modifiers_on(names: Names) -> ModifiersOn:
    """The modifiers of each roll and define that has any."""
    grouped: dict[tuple[str, str], list[i.Modifier]] = {}
    for modifier in names.modifiers.values():
        grouped.setdefault((modifier.on, modifier.target.text), []).append(modifier)
    return {on: tuple(modifiers) for on, modifiers in grouped.items()}


NOWHERE = ir.Site("", (), "", 1, 1)


class Checker:
    """Makes a model of everything a rule set declares."""

    def __init__(self, ctx: CheckContext, owner: Mapping[str, DataFile]) -> None:
        self.ctx = ctx
        self.expressions = ExpressionChecker(ctx)
        self.modifiers = ModifierChecker(ctx, self.expressions)
        self.definitions = DefinitionChecker(ctx, self.expressions, self.modifiers)
        self.tables = TableChecker(ctx, self.expressions, self.modifiers)
        self.externs = ExternChecker(ctx, owner)
        self.choices = ChoiceChecker(ctx, self.expressions)
        self.statements = StatementChecker(ctx, self.expressions, self.choices)
        self.procedures = ProcedureChecker(ctx, self.expressions, self.statements)
        self.states = StateChecker(ctx, self.expressions)
        self.examples = ExampleChecker(ctx, self.expressions, self.statements, self.choices)
        self.claims = ClaimChecker(ctx, self.expressions, self.choices, self.examples)
        ctx.makers = {
            "rolls": self.modifiers.roll,
            "defines": self.definitions.define,
            "calendars": self.definitions.calendar,
            "tables": self.tables.table,
            "shifts": self.modifiers.shift,
            "externs": self.externs.table,
        }

    def model(self) -> Model:
        """Check everything."""
        ctx, names, run = self.ctx, self.ctx.names, self.ctx.units.run
        run(("statics", ""), self.states.statics)
        self._report_narrowed()
        self._report_unknown_targets()
        for name in [*names.defines, *names.calendars, *names.tables, *names.externs]:
            with ctx.recovering():
                self.ctx.signature(name)
        states = dict(run(("states", ""), self.states.states))
        for name in names.rolls:
            run(("roll", name), partial(self._roll, name))
        for name in names.choices:
            with ctx.recovering():
                self.choices.signature(name)
        for name in names.procedures:
            with ctx.recovering():
                run(("procedure", name), partial(self.procedures.procedure, name))
        events = tuple(self._events(states))
        report_recursion(ctx)
        report_hidden_knowledge(ctx, states, ctx.results.functions)
        called = frozenset(ctx.calls)
        examples = tuple(self._examples())
        promises = tuple(self._promises())
        steps = tuple(ctx.results.steps)
        claims = self.claims.claims()
        tables = self.tables.models(called)
        ctx.units.finish()
        return Model(
            world=ctx.world,
            names=names,
            statics=plain(ctx.results.statics),
            steps=steps,
            claim_steps=tuple(relation for relation in ctx.results.steps if relation not in steps),
            states=states,
            functions=plain(ctx.results.functions),
            points=plain(ctx.results.points),
            choices=plain(ctx.results.choices),
            procedures=finite_procedures(ctx),
            scenarios=self._scenarios(),
            events=events,
            invariants=promises,
            examples=examples,
            claims=claims,
            sites=self._sites(),
            modifiers=tuple(ctx.modifiers),
            conditions=tuple(ctx.conditions),
            tables=tables,
        )

    def _sites(self) -> tuple[ir.Site, ...]:
        """The sites by their numbers; `NOWHERE` for those no longer in use."""
        sites, live = self.ctx.sites, set(self.ctx.live_sites)
        if len(live) == len(sites):
            return tuple(sites)
        return tuple(site if number in live else NOWHERE for number, site in enumerate(sites))

    def _scenarios(self) -> tuple[ir.Scenario, ...]:
        """The scenarios in the order of the files; those of options come last."""
        scenarios = [item for item in self.ctx.names.procedures.values() if item.sort == "scenario"]
        scenarios.sort(key=lambda item: item.span.file.startswith("options/"))
        return tuple(ir.Scenario(item.name.text, item.title, item.name.text) for item in scenarios)

    # -- amendments

    def _report_unknown_targets(self) -> None:
        """Report modifiers of something that is not declared."""
        names = self.ctx.names
        for modifier in names.modifiers.values():
            what, known = {
                "roll": ("roll", names.rolls),
                "define": ("value", names.defines),
                "table": ("table", names.tables),
            }[modifier.on]
            if modifier.target.text not in known:
                owned = modifier.on == "table" and modifier.target.text in names.externs
                hint = "the columns of an owner's table cannot be shifted" if owned else None
                self.ctx.unknown(what, modifier.target, known, hint)

    def _report_narrowed(self) -> None:
        """Report widened types that do not hold all that they held before."""
        world, reader = self.ctx.world, self.ctx.reader
        for widening in self.ctx.names.widened:
            old = widening.old
            before = reader.param(old) if isinstance(old, i.Param) else reader.read(old)
            now = reader.read(widening.new)
            unreadable = isinstance(before, t.Nothing) or isinstance(now, t.Nothing)
            if not unreadable and not fits(world, before, now):
                self.ctx.findings.add(widening.finding)

    # -- units

    def _roll(self, name: str) -> None:
        roll = self.ctx.names.rolls[name]
        site = self.ctx.site(name, self.ctx.rules(roll.cite), roll.span)
        params: Params = ()
        with self.ctx.recovering():
            params = self.ctx.params(roll.params)
            self.ctx.signature(f"roll:{name}")
        self.ctx.point(name, roll.dice, roll.sides, site, roll.lowest, params)

    def _events(self, states: dict[str, ir.State]) -> Iterator[EventModel]:
        """Events, their bodies as procedures, and the flags that remember whether their conditions held."""
        for name in self.ctx.names.events:
            with self.ctx.recovering():
                event = self.ctx.units.run(("event", name), partial(self.procedures.event, name))
                flag = flag_of(event)
                states[flag] = ir.State(flag, (), t.Flag(), False, None, False, None, event.site)
                yield event

    def _promises(self) -> Iterator[ir.Invariant]:
        for name in self.ctx.names.promises:
            with self.ctx.recovering():
                yield self.ctx.units.run(("promise", name), partial(self.procedures.promise, name))

    def _examples(self) -> Iterator[ir.Example]:
        for number, decl in enumerate(self.ctx.names.examples.values(), 1):
            with self.ctx.recovering():
                example, procedures = self.examples.example(decl, number)
                for procedure in procedures:
                    self.ctx.results.procedures[procedure.name] = procedure
                yield example
