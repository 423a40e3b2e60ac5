"""From what went wrong in generated code to a fault that names the rules, and the steps that were open."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from rulekit.ir import Block, Program, Site, Step, walk
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import NOT_A_VALUE, Fault, Unfed

if TYPE_CHECKING:
    from rulekit.runtime.codegen.assemble import GeneratedModule

VALUES = (IndexError, ValueError, OverflowError)
"""The errors that Python raises where none is used as a value: none is far outside every range."""


def as_fault(module: GeneratedModule, error: Exception) -> Exception:
    """The fault for an error, with the site of the innermost generated line."""
    if isinstance(error, Unfed):
        return error
    site = _site(module, error.__traceback__)
    if isinstance(error, Fault):
        if error.site is None or error.name == "broken-invariant" and site is not None:
            error.site = site
        return error
    if isinstance(error, KeyError) and _is_generated(module, error.__traceback__):
        # Generated code subscripts nothing but tuples, lists that fill themselves, and maps of answers.
        return Fault(NOT_A_VALUE, texts.NOT_IN_MAP, site)
    if isinstance(error, VALUES):
        return Fault(NOT_A_VALUE, texts.NO_VALUE, site)
    if isinstance(error, ZeroDivisionError):
        return Fault("division-by-zero", texts.DIVISION_BY_ZERO, site)
    return Fault("internal", f"{type(error).__name__}: {error}", site)


def _is_generated(module: GeneratedModule, trace: TracebackType | None) -> bool:
    """Whether an error was raised by generated code itself."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename == module.filename


def _site(module: GeneratedModule, trace: TracebackType | None) -> Site | None:
    number = -1
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == module.filename and trace.tb_lineno < len(module.sites):
            number = module.sites[trace.tb_lineno]
        trace = trace.tb_next
    return module.program.sites[number] if 0 <= number < len(module.program.sites) else None


def no_legal_option(
    module: GeneratedModule, cells: list[Any], choice: int, own: tuple[Any, ...], item: Any
) -> Fault:
    """The fault of a choice that must be answered and cannot be."""
    asked, words = module.program.choices[choice], module.fault_words
    arguments = [words.value(param.type, value) for param, value in zip(asked.params, own, strict=False)]
    part = None if item is None or asked.item is None else words.value(asked.item.type, item)
    message = texts.no_answer(asked, arguments, part)
    return Fault("no-legal-option", message, module.program.sites[asked.site])


def nothing_to_draw(module: GeneratedModule, point: int) -> Fault:
    """The fault of a draw of one where there is none; the point of a cup has the cup's name."""
    name = module.program.points[point].name
    return Fault("empty-draw", texts.nothing_to_draw(name, is_state=name in module.layout.slots))


def broken_promise(module: GeneratedModule, number: int) -> Fault:
    """The fault of a promise that does not hold; `as_fault` finds the statement that broke it."""
    item = module.program.invariants[number]
    return Fault("broken-invariant", texts.does_not_hold(item.name), module.program.sites[item.site])


def promise_of(fault: Fault) -> str:
    """The name of the promise that such a fault tells of."""
    return fault.message.split("`")[1]


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
    steps: Steps = ()
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == module.filename and trace.tb_lineno < len(module.sites):
            site = module.sites[trace.tb_lineno]
            # A choice that is asked in the place of its call has the call's steps.
            steps += by_site.get(site, asked.get(site, ()))
        trace = trace.tb_next
    return steps


def _steps(program: Program) -> dict[int, Steps]:
    """The steps around each statement of the procedures, by site."""
    by_site: dict[int, Steps] = {}
    for procedure in program.procedures:
        _collect(procedure.body, (), by_site)
    return by_site


def _collect(block: Block, around: Steps, by_site: dict[int, Steps]) -> None:
    for stmt in block:
        by_site.setdefault(stmt.site, around)
        inner = (*around, stmt.name) if isinstance(stmt, Step) else around
        for part in walk.blocks(stmt):
            _collect(part, inner, by_site)
