"""Rules as deep as the specification allows (2.7), one set for each way to nest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

LEVELS: Final = 113
"""Blocks inside one another; what is around and inside them makes it 120."""

MANIFEST: Final = 'id: t\ntitle: T\nlanguage: "0.2"\nsequence: play\nsides: Side\n'
HEAD: Final = """enum Side: Red, Blue
state n: 0..999999
state c: flag = true
piece Chit:
    members 1
    state up: flag
choice more(side) by side:
    pick one what from {1, 2}
roll die: d6
"""
ASK: Final = "add 1 to n\nchoose more(Red) as y\nadd y to n"


def write(folder: Path, text: str) -> Path:
    """Write a rule set."""
    (folder / "t.rules").write_text(HEAD + text, encoding="utf-8")
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    return folder


def blocks(heads: Iterable[str], inside: str, behind: str = "") -> str:
    """A sequence of play of one block in another, with statements inside, and some behind each."""
    lines, after = ["sequence play:"], list[str]()
    for depth, head in enumerate(heads, 1):
        lines.append("    " * depth + head)
        after += ["    " * (depth + 1) + behind] if behind else []
    lines += ["    " * (len(lines)) + line for line in inside.split("\n")]
    return "\n".join([*lines, *reversed(after), "    finish Red", ""])


def expression(text: str) -> str:
    """A sequence of play that evaluates a number."""
    return f"sequence play:\n    add {text} to n\n    choose more(Red) as y\n    add y to n\n    finish Red\n"


def chain(count: int, item: Callable[[int], str], last: str) -> str:
    """Items, the first of which is 0, and a sequence of play."""
    return "".join(f"{item(number)}\n" for number in range(count)) + last


def wrapped(count: int, wrap: Callable[[str, int], str], inside: str = "n") -> str:
    """An expression in another."""
    for level in range(count):
        inside = wrap(inside, level)
    return inside


def tree(depth: int) -> str:
    """A sum of twice as many terms for each level."""
    return "n" if not depth else f"({tree(depth - 1)} + {tree(depth - 1)})"


MIXED: Final = ("when c:", "for each x{} in {{Red}}:", "repeat 1 times:", 'step s{} "S":', "repeat until c:")


def _mixed() -> list[str]:
    return [MIXED[level % len(MIXED)].format(level) for level in range(LEVELS)]


def _eaches() -> list[str]:
    return [f"for each x{level} in {'Side' if level % 20 == 3 else '{Blue}'}:" for level in range(LEVELS)]


def _results() -> str:
    heads = ["repeat 1 times:" if level % 2 else "when c:" for level in range(LEVELS)]
    lines = ["    " * depth + line for depth, line in enumerate([*heads, "result 7"], 1)]
    play = "sequence play:\n    do deep as x\n    add x to n\n    finish Red\n"
    return "\n".join(["procedure deep -> 0..9:", *lines, "    result 8", play])


def _definition(number: int) -> str:
    return f"define f{number} -> 0..9999999: " + (f"f{number - 1} + n" if number else "1")


def _procedure(number: int) -> str:
    body = f"do p{number - 1}\n    add 1 to n" if number else "choose more(Red) as y"
    return f"procedure p{number}:\n    {body}"


def _modifier(number: int) -> str:
    return f"modifier m{number} on roll die: +1 when n >= {number % 7}"


def _limit(number: int) -> str:
    return f"modifier m{number} on roll die: at least {number}" + (f" over m{number - 1}" if number else "")


def _otherwises(count: int) -> str:
    lines = ["sequence play:", "    add 150 to n", "    when n = 1: add 1 to n"]
    lines += [f"    otherwise when n = {number}: add {number} to n" for number in range(2, count)]
    return "\n".join([*lines, "    otherwise: choose more(Red) as y", "    finish Red", ""])


DEEP: Final = {
    "conditions": blocks(["when n >= 0 and c:"] * LEVELS, ASK),
    "conditions that ask nothing": blocks(["when n >= 0 and c:"] * LEVELS, "add 1 to n", "add 1 to n"),
    "conditions with more behind": blocks(["when n >= 0:"] * LEVELS, ASK, "add 1 to n"),
    "loops": blocks(["repeat 2 times:"] * 2 + ["repeat 1 times:"] * (LEVELS - 2), ASK),
    "loops with more behind": blocks(["repeat 1 times:"] * LEVELS, ASK, "choose more(Blue) as z"),
    "loops that ask nothing": blocks(["repeat 1 times:"] * LEVELS, "add 1 to n", "add 1 to n"),
    "loops over members": blocks(
        _eaches(),
        "when x3 is x23: next\nwhen n > 30: leave\n" + ASK,
        "when n > 40: leave",
    ),
    "loops over members that ask nothing": blocks(
        _eaches(),
        "when x3 is x23: next\nwhen n > 30: leave\nadd 1 to n",
        "when n > 40: leave",
    ),
    "loops with conditions": blocks(["repeat until n > 5, at most 9 times:"] * LEVELS, ASK),
    "results": _results(),
    "blocks of every kind": blocks(_mixed(), ASK, "add 1 to n"),
    "branches": _otherwises(199),
    "brackets": expression("(" * 115 + "1" + ")" * 115),
    "a sum": expression(" + ".join(["1"] * 115)),
    "a sum of a thousand": expression(tree(10)),
    "functions": expression(wrapped(57, lambda text, level: f"smaller({text}, n + {level})")),
    "alternatives": expression(wrapped(100, lambda text, level: f"({text} when n < {level} otherwise 1)")),
    "cells": "state q(k: 0..9): 0..10\n" + expression(wrapped(115, lambda text, _: f"q({text})")),
    "rows": "table t(k: 0..9) -> 0..10:\n    | k | r |\n    | 0..8 | 1 |\n    | 9 | - |\n"
    + expression(wrapped(115, lambda text, _: f"t({text})")),
    "calls": "define g(x: 0..999999) -> 0..999999: smaller(9, x + " + " + ".join(["larger(x, n)"] * 9) + ")\n"
    + expression(wrapped(115, lambda text, _: f"g({text})")),
    "quantifiers": "sequence play:\n    when "
    + wrapped(38, lambda text, level: f"some x{level} in Chit has (x{level}.up or {text})", "c")
    + ": add 1 to n\n    finish Red\n",
    "definitions": chain(390, _definition, expression("f389")),
    "procedures": chain(300, _procedure, "sequence play:\n    do p299\n    finish Red\n"),
    "modifiers": chain(1000, _modifier, "sequence play:\n    roll die as x\n    finish Red\n"),
}  # fmt: skip
"""Rules that play, by what is deep in them."""

TOO_DEEP: Final = {
    "definitions": chain(1000, _definition, expression("f999")),
    "procedures": chain(500, _procedure, "sequence play:\n    do p499\n    finish Red\n"),
    "modifiers": chain(310, _limit, "sequence play:\n    roll die as x\n    finish Red\n"),
}  # fmt: skip
"""Rules beyond a limit that no item alone breaks, by what is deep in them."""
