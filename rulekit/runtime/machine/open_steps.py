"""Which phases, segments and steps were open where generated code stopped short."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from rulekit.ir import Block, Program, Step, walk

if TYPE_CHECKING:
    from rulekit.runtime.codegen.assemble import GeneratedModule

Steps = tuple[str, ...]


def open_steps(module: GeneratedModule, trace: TracebackType | None) -> Steps:
    """The steps around the lines of a traceback, outermost first."""
    by_site = _steps(module.program)
    asked = {
        label.site: label.steps
        for cut in module.cuts
        for label in cut.labels
        if label is not None and label.instead is not None
    }
    found: Steps = ()
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == module.filename and trace.tb_lineno < len(module.sites):
            site = module.sites[trace.tb_lineno]
            # A choice that is asked in the place of its call has the call's steps.
            found += by_site.get(site, asked.get(site, ()))
        trace = trace.tb_next
    return found


def _steps(program: Program) -> dict[int, Steps]:
    """The steps around each statement of the procedures, by site."""
    found: dict[int, Steps] = {}
    for procedure in program.procedures:
        _collect(procedure.body, (), found)
    return found


def _collect(block: Block, around: Steps, found: dict[int, Steps]) -> None:
    for stmt in block:
        found.setdefault(stmt.site, around)
        inner = (*around, stmt.name) if isinstance(stmt, Step) else around
        for part in walk.blocks(stmt):
            _collect(part, inner, found)
