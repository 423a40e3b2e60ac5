"""Names and a world to a model: every expression gets its type, every statement its meaning.

Before: amended `Names` and the `World` made of them.  After: a `Model` on which `lower` cannot fail.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulekit import ir
from rulekit import types as t
from rulekit.annotations import TypeReader
from rulekit.data import DataFile
from rulekit.diagnostics import Report
from rulekit.model import ClaimModel, Model
from rulekit.names import Names
from rulekit.syntax import items as i
from rulekit.typecheck.context import Context
from rulekit.typecheck.examples import Examples
from rulekit.typecheck.scope import Routine, Scope
from rulekit.world import World


def typecheck(
    names: Names, world: World, report: Report, *, prefix: str, owner: Mapping[str, DataFile]
) -> Model:
    """The typed model; every fault found is in `report`, and the model is whole only without errors.

    Args:
        prefix: What stands before the ids of printed rules (`SET` in `SET.7.55`).
        owner: Files for extern tables, by the path their declarations name.
    """
    ctx = Context(world, names, report, prefix, TypeReader(world.kinds, world.months, report))
    return Checker(ctx, owner).model()


class Checker(Examples):
    """All parts of the check together; the order below is that of what needs what."""

    def __init__(self, ctx: Context, owner: Mapping[str, DataFile]) -> None:
        super().__init__(ctx, owner)
        self.procedures: dict[str, ir.Procedure] = {}

    def model(self) -> Model:
        """Check everything."""
        names = self.ctx.names
        self.make_statics()
        for name in [*names.defines, *names.calendars, *names.tables, *names.externs]:
            with self.ctx.mending():
                self.signature(name)
        states = self.make_states()
        for roll in names.rolls.values():
            self._roll_point(roll)
        for name in names.choices:
            with self.ctx.mending():
                self.choice_signature(name)
        for procedure in names.procedures.values():
            with self.ctx.mending():
                self.procedures[procedure.name.text] = self._procedure(procedure)
        self._refuse_recursion()
        examples = self._examples()
        return Model(
            self.ctx.world,
            names,
            self.statics,
            states,
            self.ctx.functions,
            self.ctx.points,
            self.choices,
            self.procedures,
            tuple(
                ir.Scenario(p.name.text, p.title, p.name.text)
                for p in names.procedures.values()
                if p.sort == "scenario"
            ),
            self._promises(),
            examples,
            self._claims(),
            tuple(self.ctx.sites),
        )

    def _roll_point(self, roll: i.Roll) -> None:
        rules = self.ctx.rules(roll.cite)
        self.ctx.point(roll.name.text, roll.dice, roll.sides, self.ctx.site(roll.name.text, rules, roll.span))
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

    def _procedure(self, decl: i.Procedure) -> ir.Procedure:
        name, rules = decl.name.text, self.ctx.rules(decl.cite)
        found = self.procedure_signature(name)
        assert found is not None
        params, result = found
        routine = Routine(name, rules, result)
        scope = Scope(routine, {param.name: routine.fresh(param.name, param.type) for param in params})
        site = self.ctx.site(name, rules, decl.span)
        body = self.block(decl.body, scope)
        locals_ = tuple(ir.Param(local, type_) for local, type_ in routine.locals.items())
        return ir.Procedure(name, params, result, locals_, body, site)

    def _refuse_recursion(self) -> None:
        """The call graph of procedures has no cycle."""
        from rulekit.interpret.walk import statements
        from rulekit.typecheck.kinds import RECURSION

        calls = {
            name: [stmt.procedure for stmt in statements(made.body) if isinstance(stmt, ir.Do)]
            for name, made in self.procedures.items()
        }
        done: set[str] = set()

        def visit(name: str, path: list[str]) -> None:
            if name in path:
                cycle = " -> ".join([*path[path.index(name) :], name])
                decl = self.ctx.names.procedures[name]
                self.ctx.tell(
                    RECURSION,
                    f"`{name}` runs itself: {cycle}",
                    decl.span,
                    "procedures do not recurse: use `repeat`",
                )
                return
            if name in done:
                return
            for callee in calls.get(name, ()):
                visit(callee, [*path, name])
            done.add(name)

        for name in calls:
            visit(name, [])

    # -- promises, examples, claims

    def _promises(self) -> tuple[ir.Invariant, ...]:
        made = []
        for promise in self.ctx.names.promises.values():
            with self.ctx.mending():
                rules = self.ctx.rules(promise.cite)
                site = self.ctx.site(promise.name.text, rules, promise.span)
                scope = Scope(Routine(promise.name.text, rules))
                made.append(ir.Invariant(promise.name.text, self.flag(promise.condition, scope), site))
        return tuple(made)

    def _examples(self) -> tuple[ir.Example, ...]:
        made = []
        for number, decl in enumerate(self.ctx.names.examples.values(), 1):
            with self.ctx.mending():
                example, procedures = self.example(decl, number)
                made.append(example)
                for procedure in procedures:
                    self.procedures[procedure.name] = procedure
        return tuple(made)

    def _claims(self) -> tuple[ClaimModel, ...]:
        made: list[ClaimModel] = []
        for claim in self.ctx.names.claims.values():
            with self.ctx.mending():
                rules = self.ctx.rules(claim.cite)
                site = self.ctx.site(claim.name.text, rules, claim.span)
                scope = Scope(Routine(claim.name.text, rules))
                made.append(ClaimModel(claim.name.text, self.flag(claim.condition, scope), site, None, claim))
        for errata in self.ctx.names.errata.values():
            for played, readings in ((False, errata.printed), (True, errata.play)):
                for node, cite in readings:
                    rules = self.ctx.rules(cite, self.ctx.rules(errata.cite))
                    if isinstance(node, str):
                        self.ctx.site(errata.name.text, rules, errata.span)
                        continue
                    with self.ctx.mending():
                        site = self.ctx.site(errata.name.text, rules, node.span)
                        scope = Scope(Routine(errata.name.text, rules))
                        made.append(
                            ClaimModel(errata.name.text, self.flag(node, scope), site, played, errata)
                        )
        return tuple(made)
