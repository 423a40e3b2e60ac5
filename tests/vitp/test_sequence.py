"""The questions of a turn come in the order of section 5."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from rulekit.compiler.driver import Compiled
from rulekit.runtime.machine.simulate import run_direct

JAPAN, ALLIES = SIDES = (0, 1)
BOTH = -1

STEPS: tuple[tuple[int, tuple[str, ...]], ...] = (
    *((side, ("return_ports",)) for side in SIDES),
    (ALLIES, ("removal",)),
    *((side, (name,)) for side in SIDES for name in ("patrol", "repairs", "raiders")),
    (BOTH, ("air_unit", "air_area")),
    *((side, ("amphibious_move",)) for side in SIDES),
    *((side, ("raid_move",)) for side in SIDES),
    (BOTH, ("submarine_area",)),
)
"""Whose questions may stand in each step before combat: 5.1 to 5.25."""

ALIASES = {"under_repair": "repairs", "repair_shares": "repairs"}
COMBAT = len(STEPS)
LAST_TURN = 8


def step_of(choice: str, side: int) -> int:
    """The place of a question in the turn; everything from 5.3 on is combat here."""
    name = ALIASES.get(choice, choice)
    places = [n for n, (who, names) in enumerate(STEPS) if name in names and who in (side, BOTH)]
    return places[0] if places else COMBAT


def asked(vitp: Compiled, seed: int) -> list[tuple[str, int]]:
    """The questions of a random game, and whom they are put to."""
    draw, questions = random.Random(seed), []
    names = [choice.name for choice in vitp.program.choices]

    def agent(choice: int, side: int, item: object, options: tuple[int, ...]) -> int:
        questions.append((names[choice], side))
        return options[draw.randrange(len(options))]

    run_direct(vitp.program, "dec_1941", agent, seed)
    return questions


@pytest.mark.parametrize("seed", range(4))
def test_steps_come_in_the_order_of_the_booklet(vitp: Compiled, seed: int) -> None:
    """Japan before the Allies in each step, no step before its time, and eight turns of them."""
    questions = asked(vitp, seed)
    # The raid force is set up before turn 1 (4.2); a raider that fails its roll is asked for a port (6.42).
    moves = [q for q in questions if q[0] not in ("raid_force", "berths")]
    steps = [step_of(*question) for question in moves]
    back = [(now, after) for now, after in pairwise(steps) if after < now]

    assert "raid_force" == questions[0][0]
    assert LAST_TURN - 1 == len(back)
    assert {COMBAT} == {now for now, _ in back}
