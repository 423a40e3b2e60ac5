"""Picks within budgets: what is offered, in every build, and which norms are no budgets."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rulekit.base.bits import members
from rulekit.ir import Program
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.optimise import budgets, norms
from rulekit.runtime.support import search
from rulekit.runtime.support.build import Build
from rulekit.runtime.support.spending import affordable
from rulekit.testing import compile_text
from tests.unit.runtime.agree import by_direct, by_native, by_oracle, by_session

RULES = """
enum Side: Red, Blue
piece Crate:
    members A, B, C, D, E, F
    weight: 0..9 = (0 when it is A otherwise (5 when it in {D, F} otherwise 3))
    heavy: flag = it in {C, D, F}
    state worn: 0..3
state strength: 0..20 = 11
state least: 0..9 = 4
state carried(side): set of Crate
define spare -> 0..9: strength - 12
define worth(crate) -> 0..5: crate.weight - crate.worn
choice load(side) by side:
    pick any crate from Crate
    NORMS
sequence play:
    for each side in Side:
        choose load(side) as crates
        set carried(side) to crates
        for each c in crates: add 1 to c.worn
        set strength to 8
"""
BUDGETS = {
    "a total": ["require light: (total of c.weight for c in chosen) <= strength"],
    "a share": ["forbid too_many: 2 * count of chosen > strength - 5"],
    "some of them": [
        "require few: (count of (chosen where it is heavy)) + (1 when side is Red otherwise 0) <= 2",
        "forbid dear: 3 + total of c.weight for c in (chosen where it.worn = 0) > strength",
    ],
    "one cost, two limits": [
        "require light: (total of c.weight for c in chosen) <= strength",
        "require lighter: (total of u.weight for u in chosen) <= least",
    ],
    "nothing fits": ["require less: 12 + count of chosen <= strength"],
    "a cost that faults": [
        "require few: count of chosen <= 2",
        "require cheap: (total of worth(c) for c in chosen) <= strength",
    ],
}
OTHERS = {
    "a floor": ["require enough: (total of c.weight for c in chosen) >= strength"],
    "the dearest": ["require light: (highest weight in chosen otherwise 0) <= least"],
    "by the number": ["forbid crowd: (total of c.weight * count of chosen for c in chosen) > strength"],
    "what is left": ["forbid light: (total of c.weight for c in (Crate where it not in chosen)) > strength"],
    "a factor that faults": [
        "require nobody: 11 + count of chosen <= strength",
        "require few: spare * count of chosen <= 5",
    ],
    "with another": [
        "require light: (total of c.weight for c in chosen) <= strength",
        "require somebody: some c in chosen is heavy",
    ],
}


def program(lines: list[str]) -> Program:
    """The rules with some norms."""
    made = compile_text(RULES.replace("NORMS", "\n    ".join(lines)))
    assert made.program is not None, made.findings
    return replace(made.program, entry="play")


def spending(one: Program) -> int:
    """How many budgets the norms of the choice are."""
    optimised = generate(one, Build()).optimised
    load = optimised.choice("load")
    return len(budgets.budgets(optimised.context, load, norms.sort(optimised.context, load)))


@pytest.mark.parametrize("kind", BUDGETS | OTHERS)
def test_the_same_is_offered(kind: str) -> None:
    """As the oracle and the native back end, which search, so do the builds, whatever the norms are."""
    one = program((BUDGETS | OTHERS)[kind])
    for seed in range(12):
        expected = by_oracle(one, seed)
        assert expected == by_direct(one, seed, Build(trace="operands"))
        for other in (by_session(one, seed, saving=2), by_native(one, seed)):
            assert expected.end == other.end
            assert expected.end[0] == "fault" or expected.state == other.state


@pytest.mark.parametrize("kind", BUDGETS)
def test_budgets_are_known(kind: str) -> None:
    """Two norms of one cost are one budget."""
    assert spending(program(BUDGETS[kind])) == (2 if kind in ("some of them", "a cost that faults") else 1)


@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_no_budget(kind: str) -> None:
    """A norm that a pick may heal, or whose costs depend on other picks, is searched, with all beside it."""
    assert spending(program(OTHERS[kind])) == 0


@pytest.mark.parametrize("seed", range(40))
def test_what_is_affordable_is_what_a_search_finds(seed: int) -> None:
    """For every set of picks, legal or not to begin with."""
    rnd = Random(seed)
    rooms = [rnd.randint(-1, 12) for _ in range(rnd.randint(1, 3))]
    prices = {one: tuple(rnd.randint(0, 6) for _ in rooms) for one in rnd.sample(range(9), 6)}
    costs = {one: cost for one, cost in prices.items() if all(map(int.__le__, cost, rooms))}
    candidates = sum(1 << one for one in prices)

    def broken(_state: list[int], chosen: int) -> bool:
        spent = [prices[one] for one in members(chosen)]
        return any(sum(paid) > room for room, *paid in zip(rooms, *spent, strict=True))

    reached = [0]
    for chosen in reached:
        mask, done = affordable(costs, chosen, rooms)
        by_search = search.pick_set([], (), candidates, chosen, 0, 9, broken, lambda s, c, _: broken(s, c))
        assert (mask, done) == by_search
        reached += [more for one in members(mask) if (more := chosen | 1 << one) not in reached]
