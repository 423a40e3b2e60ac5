"""A second implementation of the generator, written from chapter 7 alone, agrees with the first."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from rulekit.runtime import chance
from tests.unit.spec.pages import DOCS

ALL = 2**64
G = 0x9E3779B97F4A7C15

SEEDS = st.integers(0, ALL - 1)
NAMES = st.text(max_size=20)


def mix(z: int) -> int:
    """7.6, `mix`."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % ALL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % ALL
    return z ^ (z >> 31)


def fnv(text: str) -> int:
    """7.6, `fnv`."""
    h = 0xCBF29CE484222325
    for c in text.encode("utf-8"):
        h = (h ^ c) * 0x100000001B3 % ALL
    return h


def base(seed: int, point: str) -> int:
    """7.6, `base`."""
    return mix(mix((seed + G) % ALL) ^ fnv(point))


def bounded(b: int, j: int, n: int) -> int:
    """7.6, `word` and `bounded`."""
    a = 0
    while True:
        m = mix((b + (j + 1 + a * 2**40) * G) % ALL) * n
        if m % ALL >= ALL % n:
            return m // ALL
        a += 1


def die(b: int, k: int, n: int, lowest: int = 1) -> int:
    """7.6, dice: number k of n sides."""
    c = max([1, *(c for c in range(1, 9) if n**c <= 2**21)])
    r = bounded(b, k // c, n**c)
    return r // n ** (c - 1 - k % c) % n + lowest


def shuffle(b: int, j: int, m: int) -> list[int]:
    """7.6, shuffles: of the numbers 0 to m - 1."""
    things = list(range(m))
    for step, i in enumerate(range(m - 1, 0, -1)):
        other = bounded(b, j + step, i + 1)
        things[i], things[other] = things[other], things[i]
    return things


def vectors() -> dict[str, str]:
    """The test vectors of 7.8: what, and its value without the words around it."""
    text = (DOCS / "spec" / "07-chance.md").read_text(encoding="utf-8")
    part = text[text.index("## 7.8") : text.index("## 7.9")]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", part, re.MULTILINE)
    return {what.replace("`", ""): value.replace("`", "") for what, value in rows}


def test_the_chapters_vectors() -> None:
    """Those printed are those that the text gives."""
    b = base(7, "attack")
    words = [mix((b + (j + 1) * G) % ALL) for j in range(3)]
    found = {
        "mix(G)": f"{mix(G):x}",
        "mix(0)": f"{mix(0):x}",
        'fnv("")': f"{fnv(''):x}",
        'base(7, "attack")': f"{b:x}",
        "words 0 to 2 of it": " ".join(f"{word:x}" for word in words),
        "d6, seed 7, point attack": " ".join(str(die(b, k, 6)) for k in range(20)),
        "d10, seed 7, point search": " ".join(str(die(base(7, "search"), k, 10)) for k in range(14)),
        "shuffle of 0 to 7, seed 7, point cup": " ".join(map(str, shuffle(base(7, "cup"), 0, 8)))
        + ", with 7 words",
    }

    assert found == {what: value for what, value in vectors().items() if what in found}
    assert set(found) == set(vectors()) - {"expression", "---"}


def test_the_table_of_dice() -> None:
    """How many dice share a word, as 7.6 lists it."""
    text = (DOCS / "spec" / "07-chance.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:d\d+(?:, )?)+) \| (\d) \|$", text, re.MULTILINE)
    said = {int(sides[1:]): int(count) for listed, count in rows for sides in listed.split(", ")}

    assert said == {sides: chance.dice_a_word(sides) for sides in said}


@given(SEEDS, NAMES, st.integers(0, 400), st.sampled_from((2, 3, 6, 10, 100, 1_000_000)), st.integers(0, 1))
def test_dice_agree(seed: int, name: str, number: int, sides: int, lowest: int) -> None:
    """Any die of any point."""
    first = chance.Dice(chance.stream_base(seed, name), sides, lowest)

    assert die(base(seed, name), number, sides, lowest) == first[number]


@given(SEEDS, NAMES, st.integers(0, 1000), st.integers(2, 40), st.data())
def test_lots_agree(seed: int, name: str, position: int, many: int, data: st.DataObject) -> None:
    """Any shuffle and any draw."""
    b = base(seed, name)
    count = data.draw(st.integers(1, many - 1))
    left, drawn = list(range(many)), []
    for turn in range(count):
        drawn.append(left.pop(bounded(b, position + turn, len(left))))

    assert tuple(shuffle(b, position, many)) == chance.shuffle(b, position, tuple(range(many)))
    assert tuple(drawn) == chance.draw(b, position, tuple(range(many)), count)
