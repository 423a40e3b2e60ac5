"""Builds: from a program to the bytes of a module, or to a file of C."""

from __future__ import annotations

from typing import Literal

from rulekit.base.deep_stack import with_room
from rulekit.ir import Program
from rulekit.ir.reachable import for_play
from rulekit.runtime.codegen.assemble import optimised_program
from rulekit.runtime.native.c import print_c
from rulekit.runtime.native.lower.module import lower
from rulekit.runtime.native.names import names
from rulekit.runtime.native.verify import verify
from rulekit.runtime.native.wasm import encode

FAULT = "fault"
"""The function of the library that notes a fault."""


Target = Literal["wasm", "c"]


@with_room
def build(
    program: Program,
    *,
    target: Target = "wasm",
    stops: bool = False,
    log: bool = False,
    invariants: bool = False,
) -> bytes:
    """Return a program as a WebAssembly module, or as the text of a file of C.

    Args:
        stops: Whether it stops at each question for its host; else it plays whole games by the random policy.
        log: Whether it leaves events.
        invariants: Whether it tests invariants after each change; else after a scenario's set-up only.

    Raises:
        BuildRefused: Something in it cannot be lowered yet; it has every place and reason.
    """
    played = for_play(program)
    lowered = lower(optimised_program(played, plain=False), stops=stops, log=log, invariants=invariants)
    verify(lowered.module)
    if target == "c":
        return print_c(lowered.module, names(played, lowered), FAULT).encode()
    return encode(lowered.module, names(played, lowered), FAULT)
