"""The checker: all parts of the check together, in the order of what needs what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from functools import partial

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.model import EventModel, Model, StateModel, flag_of
from rulekit.compiler.trace import plain
from rulekit.compiler.typecheck.claims import Claims
from rulekit.compiler.typecheck.context import Context
from rulekit.compiler.typecheck.joins import fits
from rulekit.compiler.typecheck.missing_result import tell_missing_result
from rulekit.compiler.typecheck.scope import Routine, Scope
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.walk import nodes, statements
from rulekit.ruleset import DataFile
from rulekit.syntax.tree import items as i

NOWHERE = ir.Site("", (), "", 1, 1)


class Checker(Claims):
    """Makes a model of everything a rule set declares."""

    def __init__(self, ctx: Context, owner: Mapping[str, DataFile]) -> None:
        super().__init__(ctx, owner)
        self.procedures: MutableMapping[str, ir.Procedure] = ctx.units.output("procedures")

    def model(self) -> Model:
        """Check everything."""
        names, run = self.ctx.names, self.ctx.units.run
        run(("statics", ""), self.make_statics)
        self._check_widened()
        self._check_modifiers()
        for name in [*names.defines, *names.calendars, *names.tables, *names.externs]:
            with self.ctx.mending():
                self.signature(name)
        states = dict(run(("states", ""), self.make_states))
        for name in names.rolls:
            run(("roll", name), partial(self._roll_point, name))
        for name in names.choices:
            with self.ctx.mending():
                self.choice_signature(name)
        for name in names.procedures:
            with self.ctx.mending():
                run(("procedure", name), partial(self._procedure, name))
        events = tuple(self._events(states))
        self._refuse_recursion()
        asked = frozenset(self.ctx.asked)
        examples = self._examples()
        promises = tuple(self._promises())
        claims = self.claims()
        tables = self.table_models(asked)
        self.ctx.units.finish()
        return Model(
            self.ctx.world,
            names,
            plain(self.statics),
            states,
            plain(self.ctx.functions),
            plain(self.ctx.points),
            plain(self.choices),
            plain(self.procedures),
            self._scenarios(),
            events,
            promises,
            examples,
            claims,
            self._sites(),
            tuple(self.ctx.modifiers),
            tuple(self.ctx.conditions),
            tables,
        )

    def _sites(self) -> tuple[ir.Site, ...]:
        """The sites by their numbers; those of what is not there any more are of nothing."""
        sites, standing = self.ctx.sites, set(self.ctx.standing)
        if len(standing) == len(sites):
            return tuple(sites)
        return tuple(site if number in standing else NOWHERE for number, site in enumerate(sites))

    def _roll_point(self, name: str) -> None:
        roll = self.ctx.names.rolls[name]
        rules = self.ctx.rules(roll.cite)
        site = self.ctx.site(roll.name.text, rules, roll.span)
        self.ctx.point(roll.name.text, roll.dice, roll.sides, site, roll.lowest)
        with self.ctx.mending():
            self.ctx.params(roll.params)
            self.signature(f"roll:{roll.name.text}")

    # -- procedures

    def procedure_signature(self, name: str) -> tuple[tuple[ir.Param, ...], t.Type] | None:
        decl = self.ctx.names.procedures.get(name)
        if decl is None:
            return None
        result = self.ctx.reader.read(decl.result) if decl.result is not None else t.Nothing()
        return self.ctx.params(decl.params), result

    def _procedure(self, name: str) -> None:
        decl = self.ctx.names.procedures[name]
        rules = self.ctx.rules(decl.cite)
        found = self.procedure_signature(name)
        assert found is not None
        params, result = found
        routine = Routine(name, rules, result).noting(decl.params)
        scope = Scope(routine, {param.name: routine.fresh(param.name, param.type) for param in params})
        site = self.ctx.site(name, rules, decl.span)
        body = self.block(decl.body, scope)
        tell_missing_result(self.ctx, decl)
        locals_ = tuple(ir.Param(local, type_) for local, type_ in routine.locals.items())
        self.procedures[name] = ir.Procedure(name, params, result, locals_, body, site)

    def _refuse_recursion(self) -> None:
        """Neither procedures nor functions call themselves, by whatever way round."""
        trees = self.ctx.units.trees
        runs = {name: trees.of("runs", made, _runs) for name, made in self.procedures.items()}
        calls = {name: trees.of("calls", made, _calls) for name, made in self.ctx.functions.items()}
        for graph in (runs, calls):
            for cycle in _cycles(graph):
                span = self._declared_at(cycle[0])
                if span is not None:
                    message = f"`{cycle[0]}` needs itself: {' -> '.join(cycle)}"
                    self.ctx.tell(
                        kinds.RECURSION, message, span, "nothing recurses: use `repeat`, or `linked to`"
                    )

    def _declared_at(self, name: str) -> Span | None:
        """Where a procedure or function was declared."""
        names = self.ctx.names
        spaces: tuple[tuple[Mapping[str, i.Item], str], ...] = (
            (names.procedures, ""),
            (names.defines, ""),
            (names.calendars, ""),
            (names.tables, "table:"),
            (names.modifiers, "modifier:"),
        )
        for space, prefix in spaces:
            found = space.get(name.removeprefix(prefix))
            if found is not None:
                return found.span
        return None

    def _scenarios(self) -> tuple[ir.Scenario, ...]:
        """The scenarios in the order of the files; those that options bring come last."""
        found = [item for item in self.ctx.names.procedures.values() if item.sort == "scenario"]
        found.sort(key=lambda item: item.span.file.startswith("options/"))
        return tuple(ir.Scenario(item.name.text, item.title, item.name.text) for item in found)

    def _check_modifiers(self) -> None:
        """What a modifier is on is declared."""
        names = self.ctx.names
        for modifier in names.modifiers.values():
            known = names.rolls if modifier.on == "roll" else names.defines
            if modifier.target.text not in known:
                message = (
                    f"no {'roll' if modifier.on == 'roll' else 'value'} is named `{modifier.target.text}`"
                )
                hint = self.ctx.near(modifier.target.text, known)
                self.ctx.tell(kinds.UNKNOWN_NAME, message, modifier.target.span, hint)

    def _check_widened(self) -> None:
        """What an amendment widened holds all that it held before."""
        world, reader = self.ctx.world, self.ctx.reader
        for widening in self.ctx.names.widened:
            old = widening.old
            before = reader.param(old) if isinstance(old, i.Param) else reader.read(old)
            now = reader.read(widening.new)
            untold = isinstance(before, t.Nothing) or isinstance(now, t.Nothing)
            if not untold and not fits(world, before, now):
                self.ctx.report.add(widening.finding)

    # -- events, promises, examples

    def _events(self, states: dict[str, StateModel]) -> Iterator[EventModel]:
        """Events, their bodies as procedures, and the flags that remember whether they held."""
        for name in self.ctx.names.events:
            with self.ctx.mending():
                made = self.ctx.units.run(("event", name), partial(self._event, name))
                flag = flag_of(made)
                states[flag] = StateModel(flag, (), t.Flag(), False, None, False, None, made.site)
                yield made

    def _event(self, name: str) -> EventModel:
        event = self.ctx.names.events[name]
        rules = self.ctx.rules(event.cite)
        site = self.ctx.site(name, rules, event.span)
        condition = self.flag(event.condition, Scope(Routine(name, rules)))
        routine = Routine(name, rules, t.Nothing())
        body = self.block(event.body, Scope(routine))
        locals_ = tuple(ir.Param(local, type_) for local, type_ in routine.locals.items())
        procedure = f"event:{name}"
        self.procedures[procedure] = ir.Procedure(procedure, (), t.Nothing(), locals_, body, site)
        return EventModel(name, condition, procedure, site)

    def _promises(self) -> Iterator[ir.Invariant]:
        for name in self.ctx.names.promises:
            with self.ctx.mending():
                yield self.ctx.units.run(("promise", name), partial(self._promise, name))

    def _promise(self, name: str) -> ir.Invariant:
        promise = self.ctx.names.promises[name]
        rules = self.ctx.rules(promise.cite)
        site = self.ctx.site(name, rules, promise.span)
        scope = Scope(Routine(name, rules))
        return ir.Invariant(name, self.flag(promise.condition, scope), site)

    def _examples(self) -> tuple[ir.Example, ...]:
        made = []
        for number, decl in enumerate(self.ctx.names.examples.values(), 1):
            with self.ctx.mending():
                example, procedures = self.example(decl, number)
                made.append(example)
                for procedure in procedures:
                    self.procedures[procedure.name] = procedure
        return tuple(made)


def _runs(made: ir.Procedure) -> list[str]:
    return [stmt.procedure for stmt in statements(made.body) if isinstance(stmt, ir.Do)]


def _calls(made: ir.Function) -> list[str]:
    return [node.function for node in nodes(made.body) if isinstance(node, ir.Apply)]


def _cycles(graph: Mapping[str, list[str]]) -> list[list[str]]:
    """One cycle for each way round that a walk meets: names in order, the first again at the end."""
    found: list[list[str]] = []
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            found.append([*path[path.index(name) :], name])
            return
        if name in done:
            return
        for callee in graph.get(name, ()):
            visit(callee, [*path, name])
        done.add(name)

    for name in graph:
        visit(name, [])
    return found
