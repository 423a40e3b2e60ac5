"""Random programs, well typed: every build of the generated code does what the tree walker does.

The input is the number that the program is made from.
"""

from __future__ import annotations

import random
from typing import Any

from rulekit import ir
from tests.fuzz.family import Family
from tests.unit.runtime.test_agreement import check_direct, check_frames
from tests.unit.runtime.worlds import Maker


class RandomMaker(Maker):
    """Makes programs from random numbers, without hypothesis."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(None)
        self._chance = chance

    def pick(self, *options: Any) -> Any:
        """Return one of some things."""
        return self._chance.choice(options)

    def number(self, low: int, high: int) -> int:
        """Return a number within bounds."""
        return self._chance.randint(low, high)


def generate(chance: random.Random) -> bytes:
    """Return a number."""
    return b"%d" % chance.getrandbits(48)


def program_of(data: bytes) -> tuple[ir.Program, int]:
    """Return the program of a number, and the seed of its dice."""
    number = int(data) if data.isdigit() and len(data) < 20 else 0
    return RandomMaker(random.Random(number)).made(), number % 2**32


def run(data: bytes) -> None:
    """The builds agree with the oracle, and sessions with the builds, also when saved at each decision."""
    program, seed = program_of(data)
    check_direct(program, seed)
    check_frames(program, seed)


FAMILY = Family("program", generate, run, weight=2, seconds=60)
