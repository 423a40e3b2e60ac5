"""Links that are remembered: the same as those of a flood from each start, in any order and for any sets."""

from __future__ import annotations

from random import Random

import pytest

from rulekit.base.bits import member_ids
from rulekit.runtime.support import connected
from rulekit.runtime.support.connected import ConnectedSets, holds_both_ways


def relation(draw: Random, size: int, density: float) -> tuple[int, ...]:
    """A relation that holds both ways."""
    touching = [0] * size
    for one in range(size):
        for other in range(one):
            if draw.random() < density:
                touching[one] |= 1 << other
                touching[other] |= 1 << one
    return tuple(touching)


def flood(touching: tuple[int, ...], over: int, start: int) -> int:
    """All that is linked to the start, one member after the other; a start counts wherever it is."""
    reached, waiting = start, list(member_ids(start))
    while waiting:
        for to in member_ids(touching[waiting.pop()]):
            if over >> to & 1 and not reached >> to & 1:
                reached |= 1 << to
                waiting.append(to)
    return reached & over


@pytest.mark.parametrize("seed", range(12))
def test_links_are_those_of_a_flood(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one member or many, inside the set and outside, while little room is left to remember them."""
    draw = Random(seed)
    size = draw.randint(1, 90)
    for name in ("MOST_SETS", "MOST_STARTS", "MOST_PARTS"):
        monkeypatch.setattr(connected, name, draw.randint(1, 6))
    touching = relation(draw, size, draw.choice((0.01, 0.03, 0.1)))
    assert holds_both_ways(touching)
    links = ConnectedSets(touching)
    overs = [draw.getrandbits(size) | draw.getrandbits(size) for _ in range(4)]
    for _ in range(200):
        over, start = draw.choice(overs), 1 << draw.randrange(size)
        if draw.random() < 0.3:
            start = draw.getrandbits(size) & draw.getrandbits(size)
        assert flood(touching, over, start) == links[over][start]


def test_a_relation_that_holds_one_way() -> None:
    """One step that leads back to nowhere is enough."""
    assert holds_both_ways((0b010, 0b101, 0b010))
    assert not holds_both_ways((0b010, 0b101, 0b000))
    assert not holds_both_ways((0b100, 0b000, 0b000))
