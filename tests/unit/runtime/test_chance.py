"""The generator gives the specified numbers, and only those."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rulekit.runtime import chance

SEEDS = st.integers(0, 2**64 - 1)


def dice(seed: int, point: str, sides: int, count: int) -> list[int]:
    """The first dice of a point."""
    faces = chance.Dice(chance.stream_base(seed, point), sides)
    return [faces[number] for number in range(count)]


def test_mix_of_the_golden_word() -> None:
    """The first vector of the specification."""
    assert 0xE220A8397B1DCDAF == chance.mix(chance.GOLDEN)
    assert 0 == chance.mix(0)


def test_base_and_words() -> None:
    """Seed 7, point `attack`: its base and first three words."""
    base = chance.stream_base(7, "attack")
    assert 0xB4FB9C39BA466757 == base
    expected = [0xC08D5DA358D09D84, 0xD481B0EE3908E44B, 0x3B8B67F1459D5AD0]
    assert expected == [chance.word(base, position) for position in range(3)]


def test_six_sided_dice() -> None:
    """Eight six-sided dice share a word, most significant first."""
    assert 8 == chance.dice_a_word(6)
    assert [5, 4, 1, 3, 5, 5, 4, 6, 5, 6, 6, 2, 5, 6, 2, 6, 2, 3, 3, 2] == dice(7, "attack", 6, 20)


def test_ten_sided_dice() -> None:
    """Six ten-sided dice share a word."""
    assert [9, 3, 4, 4, 2, 10, 10, 1, 2, 10, 2, 5, 1, 7] == dice(7, "search", 10, 14)


def test_dice_a_word() -> None:
    """How many dice share a word, by their sides."""
    expected = {2: 8, 6: 8, 8: 7, 10: 6, 12: 5, 20: 4, 100: 3}
    assert expected == {sides: chance.dice_a_word(sides) for sides in expected}


def test_shuffle() -> None:
    """Seed 7, point `cup`: eight things use seven words."""
    base = chance.stream_base(7, "cup")
    assert (3, 4, 7, 5, 1, 2, 6, 0) == chance.shuffle(base, 0, tuple(range(8)))


def test_text_seeds_are_hashed() -> None:
    """A text stands for the number its hash gives, whatever `PYTHONHASHSEED` says."""
    assert chance.stream_base(chance.name_key("salt"), "x") == chance.stream_base("salt", "x")
    assert 0xCBF29CE484222325 == chance.name_key("")


def test_draws_are_without_return() -> None:
    """Everything drawn is there once."""
    things = tuple(range(3, 20))
    for count in (0, 1, 5, 17):
        found = chance.draw(chance.stream_base(1, "draw"), 9, things, count)
        assert count == len(set(found)) and set(found) <= set(things)


@given(SEEDS, st.integers(0, 5000), st.sampled_from((2, 4, 6, 8, 10, 20, 100)))
def test_dice_by_position(seed: int, number: int, sides: int) -> None:
    """A die does not depend on which were asked for before it."""
    base = chance.stream_base(seed, "point")
    forward, alone = chance.Dice(base, sides), chance.Dice(base, sides)
    for other in range(max(0, number - 300), number):
        forward[other]
    assert 1 <= alone[number] <= sides
    assert forward[number] == alone[number]


@given(SEEDS, st.integers(1, chance.MOST_THINGS))
def test_bounded(seed: int, count: int) -> None:
    """Numbers stay below their bound."""
    assert 0 <= chance.uniform(seed, 0, count) < count


def test_cache_is_bounded() -> None:
    """A long game does not make the cache grow, and dropped dice come back the same."""
    faces = chance.Dice(chance.stream_base(3, "long"), 6)
    first = [faces[number] for number in range(20)]
    for number in range(0, 60_000, 8):
        faces[number]
    assert len(faces) <= 64 * 16 * 8
    assert first == [faces[number] for number in range(20)]


def test_faces_are_even() -> None:
    """Each face of 30,000 dice comes about as often as any other (chi-square, five degrees)."""
    counts = Counter(dice(11, "even", 6, 30_000))
    assert sum((count - 5000) ** 2 / 5000 for count in counts.values()) < 20.5
