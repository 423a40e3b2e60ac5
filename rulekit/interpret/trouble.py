"""From what went wrong in generated code to a fault that names the rules."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from rulekit.interpret.faults import NOT_A_VALUE, Fault, Unfed
from rulekit.ir import Site

if TYPE_CHECKING:
    from rulekit.interpret.assemble import Compiled

VALUES = (IndexError, ValueError, OverflowError)
"""What Python raises where none is used as a value: none is far outside every range."""


def as_fault(compiled: Compiled, error: Exception) -> Exception:
    """The fault for an error, with the site of the innermost generated line."""
    if isinstance(error, Unfed):
        return error
    site = _site(compiled, error.__traceback__)
    if isinstance(error, Fault):
        if error.site is None:
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
    asked = compiled.program.choices[choice]
    norms = ", ".join(f"`{norm.name}`" for norm in asked.norms)
    because = f"its norms {norms} leave nothing" if norms else "it has no candidates"
    return Fault(
        "no-legal-option",
        f"`{asked.name}` has no legal option: {because}",
        compiled.program.sites[asked.site],
    )
