"""From what went wrong in generated code to a fault that names the rules."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from rulekit.ir import Site
from rulekit.ir.semantics.faults import NOT_A_VALUE, Fault, Unfed

if TYPE_CHECKING:
    from rulekit.runtime.codegen.assemble import Compiled

VALUES = (IndexError, ValueError, OverflowError)
"""What Python raises where none is used as a value: none is far outside every range."""


def as_fault(compiled: Compiled, error: Exception) -> Exception:
    """The fault for an error, with the site of the innermost generated line."""
    if isinstance(error, Unfed):
        return error
    site = _site(compiled, error.__traceback__)
    if isinstance(error, Fault):
        if error.site is None or error.name == "broken-invariant" and site is not None:
            error.site = site
        return error
    if isinstance(error, KeyError) and _generated(compiled, error.__traceback__):
        # Generated code subscripts nothing but tuples, lists that fill themselves, and maps of answers.
        return Fault(NOT_A_VALUE, "nothing was answered for this one", site)
    if isinstance(error, VALUES):
        return Fault(NOT_A_VALUE, "none is used where a value is needed", site)
    if isinstance(error, ZeroDivisionError):
        return Fault("division-by-zero", "a number is divided by zero", site)
    return Fault("internal", f"{type(error).__name__}: {error}", site)


def _generated(compiled: Compiled, trace: TracebackType | None) -> bool:
    """Whether an error was raised by generated code itself."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename == compiled.filename


def _site(compiled: Compiled, trace: TracebackType | None) -> Site | None:
    found = -1
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == compiled.filename and trace.tb_lineno < len(compiled.sites):
            found = compiled.sites[trace.tb_lineno]
        trace = trace.tb_next
    return compiled.program.sites[found] if 0 <= found < len(compiled.program.sites) else None


def no_legal_option(
    compiled: Compiled, cells: list[Any], choice: int, own: tuple[Any, ...], item: Any
) -> Fault:
    """The fault of a choice that must be answered and cannot be."""
    asked, words = compiled.program.choices[choice], compiled.plan.words
    norms = ", ".join(f"`{norm.name}`" for norm in asked.norms)
    because = f"its norms {norms} leave nothing" if norms else "there is nothing to choose from"
    called = words.call(asked.name, asked.params, own)
    part = "" if item is None or asked.item is None else f" for {words.value(asked.item.type, item)}"
    return Fault(
        "no-legal-option",
        f"{called} has no legal option{part}: {because}",
        compiled.program.sites[asked.site],
    )


def nothing_to_draw(compiled: Compiled, point: int) -> Fault:
    """The fault of a draw of one where there is none; the point of a cup has the cup's name."""
    name = compiled.program.points[point].name
    if name in compiled.plan.layout.slots:
        return Fault("empty-draw", f"one is drawn from `{name}`, which is empty")
    return Fault("empty-draw", f"one is drawn by lot from an empty set (`{name}`)")


def broken(compiled: Compiled, number: int) -> Fault:
    """The fault of a promise that does not hold; `as_fault` finds the statement that broke it."""
    item = compiled.program.invariants[number]
    return Fault("broken-invariant", f"`{item.name}` does not hold", compiled.program.sites[item.site])


def promise_of(fault: Fault) -> str:
    """The name of the promise that such a fault tells of."""
    return fault.message.split("`")[1]
