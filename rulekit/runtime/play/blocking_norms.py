"""Which norms keep an option from every legal answer, where none of them speaks against it by itself.

Found by leaving norms out: a norm bars the option if, of the choice as it would be without some norms, this
one cannot be put back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulekit.ir import Choice, Norm
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine, Streams
from rulekit.runtime.support.build import Build

ASKING_ALL = Build(ask_all=True)


class _Offered(Exception):
    """The part was reached, with these options."""

    def __init__(self, options: Sequence[int]) -> None:
        self.options = options


def barring(
    module: GeneratedModule,
    cells: list[Any],
    choice: Choice,
    arguments: tuple[Any, ...],
    given: Sequence[int],
    option: int,
) -> tuple[Norm, ...]:
    """The norms that together rule an answer out: without them it would be legal; none of them could stay.

    Args:
        cells: The state; it is not changed.
        arguments: The arguments of the choice.
        given: The values of the parts answered so far, asked or forced.

    Returns:
        None at all if the option would not be offered without any norms either.
    """

    def offered(norms: tuple[Norm, ...]) -> bool:
        return option in _options(module, cells, replace(choice, norms=norms), arguments, given)

    norms = choice.norms
    if not offered(()):
        return ()
    kept: tuple[Norm, ...] = ()
    barred: list[Norm] = []
    for norm in norms:
        if offered((*kept, norm)):
            kept = (*kept, norm)
        else:
            barred.append(norm)
    return tuple(barred)


def _options(
    module: GeneratedModule,
    cells: list[Any],
    choice: Choice,
    arguments: tuple[Any, ...],
    given: Sequence[int],
) -> Sequence[int]:
    """The legal answers of a changed choice after some parts are answered; empty where that is unknown."""
    program = replace(module.program, procedures=(), invariants=(), choices=(choice,))
    trial = GeneratedModule(program, ASKING_ALL, module.optimised.with_choice(choice))
    machine = Machine(trial, Streams(trial, 0), cells[:])
    left = list(given)

    def answer(number: int, side: int, item: Any, options: Sequence[int]) -> int:
        if left:
            return left.pop(0)
        raise _Offered(options)

    machine.agent = answer
    try:
        trial.routine(("choice", choice.name, False))(machine, machine.M, *arguments)
    except _Offered as reached:
        return reached.options
    except Fault:
        return ()
    return ()
