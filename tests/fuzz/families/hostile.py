"""Rule sets of hostile sizes: nesting, doubling, long lists, big numbers.  Each command on them must end.

An input names a shape and a size, as in `doubling definitions 60`; so it stays small.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from tests.fuzz.bundle import folder_of
from tests.fuzz.family import Family, expect
from tests.fuzz.promises import check_printable
from tests.unit.cli.running import rulekit

MANIFEST: Final = 'id: t\ntitle: T\nlanguage: "0.2"\nsequence: play\nsides: Side\n'
HEAD: Final = "enum Side: Red, Blue\n"
PIECES: Final = "piece P:\n    members {}\n    state d: 0..9\n"
COMMANDS: Final = (
    ("check",),
    ("play", "--agents", "random", "--seed", "1", "--quiet"),
    ("options",),
    ("show", "model"),
)

Shape = Callable[[int], str]
INDENT: Final = "    "


def _sequence(lines: Iterable[str]) -> str:
    return "sequence play:\n" + "".join(f"{INDENT}{line}\n" for line in lines)


def _nested(opener: str, inner: str) -> Shape:
    """Blocks in blocks."""

    def text(size: int) -> str:
        lines = [f"{INDENT * level}{opener.format(level)}" for level in range(size)]
        return f"{HEAD}state n: 0..9999\n{_sequence([*lines, INDENT * size + inner, 'finish Red'])}"

    return text


def _quantifiers(word: str) -> Shape:
    """Conditions over members in conditions over members."""

    def text(size: int) -> str:
        depth = 1 + size % 4
        condition = "".join(f"{word} p{at} in P has " for at in range(depth)) + "p0.d + p0.d < 99"
        return HEAD + PIECES.format(size) + _sequence([f"when {condition}: finish Red", "finish Blue"])

    return text


def _doubling_definitions(size: int) -> str:
    lines = ["state c: 0..9", "define f0 -> 0..999999999: c"]
    lines += [f"define f{at} -> 0..999999999: smaller(f{at - 1}, f{at - 1} + c)" for at in range(1, size)]
    return (
        HEAD
        + "\n".join(lines)
        + "\nstate x: 0..999999999\n"
        + _sequence([f"set x to f{size - 1}", "finish Red"])
    )


def _doubling_procedures(size: int) -> str:
    lines = ["state c: 0..9", "procedure p0:", f"{INDENT}set c to 1"]
    for at in range(1, size):
        lines += [f"procedure p{at}:", f"{INDENT}do p{at - 1}", f"{INDENT}do p{at - 1}"]
    return HEAD + "\n".join(lines) + "\n" + _sequence([f"do p{size - 1}", "finish Red"])


def _invariant(size: int) -> str:
    rule = "invariant small: every p in P has every q in P has p.d + q.d < 19\n"
    return HEAD + PIECES.format(size) + rule + _sequence(["for each p in P: set p.d to 1", "finish Red"])


def _events(size: int) -> str:
    lines = ["state c: 0..9"]
    for at in range(size):
        lines += [f"event e{at} as soon as c = {at % 9}:", f"{INDENT}set c to {(at + 1) % 9}"]
    return HEAD + "\n".join(lines) + "\n" + _sequence(["set c to 1", "finish Red"])


def _long_sum(size: int) -> str:
    return HEAD + "state n: 0..9999999\n" + _sequence([f"set n to {' + '.join(['1'] * size)}", "finish Red"])


def _brackets(size: int) -> str:
    return HEAD + "state n: 0..9\n" + _sequence([f"set n to {'(' * size}1{')' * size}", "finish Red"])


def _nots(size: int) -> str:
    return HEAD + "state n: 0..9\n" + _sequence([f"when {'not ' * size}n = 1: finish Red", "finish Blue"])


def _definitions(size: int) -> str:
    return (
        HEAD + "".join(f"define f{at} -> 0..9: {at % 10}\n" for at in range(size)) + _sequence(["finish Red"])
    )


def _modifiers(size: int) -> str:
    states = "".join(f"state c{at}: flag\nmodifier m{at} on roll r: +1 when c{at}\n" for at in range(size))
    return f"{HEAD}roll r: d6\n{states}{_sequence(['roll r as x', 'finish Red'])}"


def _members(size: int) -> str:
    names = ", ".join(f"m{at}" for at in range(size))
    return f"{HEAD}enum Big: {names}\nstate b(Big): set of Big\n{_sequence(['finish Red'])}"


def _numbers(size: int) -> str:
    big = "9" * min(size, 9)
    roll = f"roll r: {min(size, 100)}d{min(int(big), 1_000_000)}\n"
    lines = ["roll r as x", f"set n to {big}", "finish Red"]
    return f"{HEAD}state n: 0..{big}\n{roll}{_sequence(lines)}"


def _choice(size: int) -> str:
    choice = (
        f"choice c(side) by side:\n{INDENT}pick exactly {size // 2} p from P\n{INDENT}forbid f: p.d > 3\n"
    )
    return HEAD + PIECES.format(size) + choice + _sequence(["choose c(Red) as x", "finish Red"])


def _assignment(size: int) -> str:
    choice = f"choice c(side) by side:\n{INDENT}assign each p in P one q from P, at most 1 each\n"
    return HEAD + PIECES.format(size) + choice + _sequence(["choose c(Red) as x", "finish Red"])


def _table(size: int) -> str:
    rows = "".join(f"{INDENT}| {at} | {at} |\n" for at in range(size))
    head = f"table t(n: 0..{size - 1}) -> 0..{size}:\n{INDENT}| n | result |\n"
    return f"{HEAD}{head}{rows}{_sequence(['finish Red'])}"


SHAPES: Final[Mapping[str, tuple[Shape, int]]] = {
    "nested when": (_nested("when n > {}:", 'say "x"'), 130),
    "nested repeat": (_nested("repeat 2 times:", 'say "x"'), 40),
    "nested for": (_nested("for each s{} in Side:", 'say "x"'), 40),
    "nested together": (_nested("together:", "set n to 1"), 130),
    "every in every": (_quantifiers("every"), 3000),
    "some in some": (_quantifiers("some"), 3000),
    "doubling definitions": (_doubling_definitions, 130),
    "doubling procedures": (_doubling_procedures, 130),
    "invariant": (_invariant, 2500),
    "events": (_events, 300),
    "long sum": (_long_sum, 20_000),
    "brackets": (_brackets, 200),
    "nots": (_nots, 200),
    "definitions": (_definitions, 3000),
    "modifiers": (_modifiers, 300),
    "members": (_members, 4000),
    "numbers": (_numbers, 100),
    "choice": (_choice, 60),
    "assignment": (_assignment, 60),
    "table": (_table, 3000),
}
"""Shapes by name, each with the largest size that is tried."""


def generate(chance: random.Random) -> bytes:
    """Return a shape, a size, and which command."""
    name = chance.choice(list(SHAPES))
    most = SHAPES[name][1]
    size = chance.choice((1, 2, most, chance.randint(1, most), int(most ** chance.random())))
    return f"{name} {size} {' '.join(chance.choice(COMMANDS))}\n".encode()


def run(data: bytes) -> None:
    """The command ends in time, within the memory, without a traceback."""
    line = data.decode("utf-8", "replace").strip()
    name = next((name for name in SHAPES if line.startswith(f"{name} ")), "")
    size, _, command = line.removeprefix(name).strip().partition(" ")
    if not name or not size.isdecimal() or not 1 <= int(size) <= SHAPES[name][1]:
        return
    words = tuple(command.split())
    if words not in COMMANDS:
        return
    files = {"ruleset.yaml": MANIFEST.encode(), "t.rules": SHAPES[name][0](int(size)).encode()}
    with folder_of(files) as folder:
        ran = rulekit(*words, folder)
    expect(ran.code in (0, 1, 2, 3), "an exit code is one of those documented", ran.code)
    expect("internal" not in ran.err, "no internal error", ran.err[-500:])
    check_printable(ran.out + ran.err)


FAMILY = Family("hostile", generate, run, weight=0, seconds=60)
