"""The steps that play is in: an event tells where a step begins, and none where it ends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulekit.ir import Block, Do, Program, Site, Step
from rulekit.ir.reachable import of_procedures
from rulekit.ir.semantics.effects import effects
from rulekit.ir.walk import statements


class OpenSteps:
    """The open steps, outermost first, as far as the places of events show them.

    A step has ended when a statement runs, or a choice is asked, that neither it nor a procedure that it runs
    contains.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._open: list[frozenset[Site]] = []
        self._inside: dict[Site, frozenset[Site]] = {}

    def depth_at(self, site: Site) -> int:
        """Close the steps that cannot reach a site; return how many stay open."""
        if site in self._anywhere:
            while self._open and site not in self._open[-1]:
                self._open.pop()
        return len(self._open)

    def enter(self, site: Site) -> None:
        """Open the step at a site."""
        if site not in self._inside:
            self._inside[site] = frozenset(self._reachable_from(self._steps[site].body))
        self._open.append(self._inside[site])

    def leave_all(self) -> None:
        """Close every step."""
        self._open.clear()

    @cached_property
    def _anywhere(self) -> frozenset[Site]:
        bodies = (procedure.body for procedure in self._program.procedures)
        return frozenset(site for body in bodies for site in self._sites(body))

    @cached_property
    def _steps(self) -> dict[Site, Step]:
        bodies = (procedure.body for procedure in self._program.procedures)
        steps = (stmt for body in bodies for stmt in statements(body) if isinstance(stmt, Step))
        return {self._program.sites[step.site]: step for step in steps}

    def _reachable_from(self, body: Block) -> Iterator[Site]:
        yield from self._sites(body)
        called = [stmt.procedure for stmt in statements(body) if isinstance(stmt, Do)]
        for procedure in of_procedures(self._program, called).procedures:
            yield from self._sites(procedure.body)

    def _sites(self, body: Block) -> Iterator[Site]:
        """The sites of the statements of a block, and of the choices that they ask."""
        sites, choices = self._program.sites, self._program.by_name.choices
        for stmt in statements(body):
            yield sites[stmt.site]
            asked = effects(stmt, {}).asks
            if asked:
                yield sites[choices[asked].site]
