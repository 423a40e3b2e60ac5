"""Builds: from a program to the bytes of a module."""

from __future__ import annotations

from rulekit.base.deep_stack import with_room
from rulekit.ir import Program
from rulekit.ir.reachable import for_play
from rulekit.runtime.codegen.assemble import optimised_program
from rulekit.runtime.native.lower.module import lower
from rulekit.runtime.native.names import names
from rulekit.runtime.native.verify import verify
from rulekit.runtime.native.wasm import encode

FAULT = "fault"
"""The function of the library that notes a fault."""


@with_room
def build(program: Program, *, stops: bool = False) -> bytes:
    """Return a program as a WebAssembly module.

    Args:
        stops: Whether it stops at each question for its host; else it plays whole games by the random policy.

    Raises:
        Refused: Something in it cannot be lowered yet; it has every place and reason.
    """
    played = for_play(program)
    lowered = lower(optimised_program(played, plain=False), stops=stops)
    verify(lowered.module)
    return encode(lowered.module, names(played, lowered), FAULT)
