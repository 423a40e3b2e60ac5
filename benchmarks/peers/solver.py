"""z3, used by hand: whoever asks must know what to ask, and writes every rule as a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.peers.said import Heard, Pair, Said, clean
from benchmarks.peers.tables import Table

Formula = Callable[[Any], Any]
"""Gives a formula, with the module at hand."""


def by_hand() -> Mapping[str, Pair]:
    """Questions about the conditions of rules: whether two can hold together, or one at all."""
    return {**_together(), **_dead(), **_totals()}


def _together() -> dict[str, Pair]:
    """A fault where the formula can hold."""
    return {
        "RK234/two-redefine": _can(lambda z: z.BoolVal(True), lambda z: z.BoolVal(False)),
        "RK234/at-times": _can(
            lambda z: z.And(_turn(z), _turn(z, 4), _turn(z, 6)),
            lambda z: z.And(_turn(z, 1, 3), _turn(z, 6)),
        ),
        "RK234/two-months": _can(
            lambda z: z.And(_turn(z, 1, 7), _turn(z, 6, 24)), lambda z: z.And(_turn(z, 1, 5), _turn(z, 6, 24))
        ),
        "RK234/only-with-a-third": _can(
            lambda z: z.And(_turn(z, 10, 12), _turn(z, 9, 12)),
            lambda z: z.And(_turn(z, 11, 12), _turn(z, 8, 10)),
        ),
        "RK236/two-set": _can(
            lambda z: z.And(_turn(z, 4), _turn(z, 6)),
            lambda z: z.And(_turn(z, 4), _turn(z, 6), z.BoolVal(False)),  # an order is said
        ),
        "RK236/behind-definitions": _can(
            lambda z: z.And(_wind(z, 0, 3), _wind(z, 3)), lambda z: z.And(_wind(z, 0, 3), _wind(z, 4))
        ),
        "RK510/yes-and-no": _can(
            lambda z: z.And(_lead(z), z.Int("lead") > 3, _turn(z, 8)),
            lambda z: z.And(_lead(z), z.Int("lead") > 3, _turn(z, 1, 7), _turn(z, 8)),
        ),
        "RK510/two-months": _can(
            lambda z: z.And(_turn(z, 1, 3), _turn(z, 2, 24)), lambda z: z.And(_turn(z, 1, 1), _turn(z, 2, 24))
        ),
        "RK510/no-number-left": _can(
            lambda z: _no_bid(z, z.BoolVal(True)), lambda z: _no_bid(z, z.Int("gold") > 2)
        ),
        "RK511/for-one-month": _can(
            lambda z: z.And(_turn(z, 6, 12), _turn(z, 1, 6)), lambda z: z.And(_turn(z, 6, 12), _turn(z, 1, 5))
        ),
    }


def _dead() -> dict[str, Pair]:
    """A fault where the formula can not hold."""
    return {
        "RK445/off-by-one": _cannot(
            lambda z: z.And(_lead(z), z.Int("lead") > 9), lambda z: z.And(_lead(z), z.Int("lead") > 8)
        ),
        "RK501/wrong-order": _cannot(
            lambda z: z.And(_damage(z), z.Int("damage") <= 3, z.Int("damage") > 6),
            lambda z: z.And(_damage(z), z.Int("damage") <= 6, z.Int("damage") > 3),
        ),
        "RK501/covered-by-two": _cannot(
            lambda z: z.And(_turn(z, 1, 5), _wind(z, 0, 3), z.Or(_turn(z, 8), _wind(z, 7))),
            lambda z: z.And(_turn(z, 1, 5), _wind(z, 0, 3), z.Or(_turn(z, 4), _wind(z, 7))),
        ),
        "RK502/contradiction": _cannot(
            lambda z: z.And(_damage(z), z.Int("damage") > 5, z.Int("damage") < 3),
            lambda z: z.And(_damage(z), z.Int("damage") > 5),
        ),
        "RK503/two-exceptions": _cannot(
            lambda z: z.And(_damage(z), z.Int("damage") <= 5, z.Int("damage") > 7),
            lambda z: z.And(_damage(z), z.Int("damage") <= 5, z.Int("damage") > 3, z.Bool("burning")),
        ),
        "RK504/two-clauses": _cannot(
            lambda z: z.And(z.Bool("night"), z.Not(z.Bool("night"))), lambda z: z.Bool("night")
        ),
        "RK504/three-definitions-deep": _cannot(lambda z: _gale(z, 12), lambda z: _gale(z, 10)),
    }


def _totals() -> dict[str, Pair]:
    """A roll with what is added, off its table."""

    def sight(z: Any, add: Any, low: int, high: int) -> Any:
        die, total = z.Int("die"), z.Int("die") + add
        return z.And(die >= 1, die <= 6, z.Or(total < low, total > high))

    def both(z: Any) -> Any:
        return z.If(z.Bool("night"), 1, 0) + z.If(z.Bool("storm"), 1, 0)

    def one(z: Any) -> Any:
        return z.If(z.Or(z.Bool("night"), z.Bool("storm")), 1, 0)

    def from_march(z: Any) -> Any:
        return z.If(z.Int("turn") >= 3, 1, 0)

    return {
        "RK520/only-together": _can(lambda z: sight(z, both(z), 1, 7), lambda z: sight(z, one(z), 1, 7)),
        "RK520/in-some-months": _can(
            lambda z: z.And(_turn(z, 1, 12), sight(z, from_march(z), 1, 6)),
            lambda z: z.And(_turn(z, 1, 12), sight(z, from_march(z), 1, 9)),
        ),
        "RK520/what-is-added-outside": _can(lambda z: _fleet(z, sight, 3), lambda z: _fleet(z, sight, 2)),
    }


def _fleet(z: Any, sight: Callable[..., Any], most: int) -> Any:
    guns = z.Int("guns")
    return z.And(z.Or(guns == 1, guns == most), sight(z, guns, 1, 8))


def _turn(z: Any, low: int = 1, high: int = 9) -> Any:
    return z.And(z.Int("turn") >= low, z.Int("turn") <= high)


def _wind(z: Any, low: int = 0, high: int = 9) -> Any:
    return z.And(z.Int("wind") >= low, z.Int("wind") <= high)


def _damage(z: Any) -> Any:
    return z.And(z.Int("damage") >= 0, z.Int("damage") <= 9)


def _lead(z: Any) -> Any:
    return z.And(z.Int("lead") >= -9, z.Int("lead") <= 9)


def _gale(z: Any, more_than: int) -> Any:
    return z.And(_wind(z), _turn(z), z.Int("wind") + z.If(z.Int("turn") > 5, 2, 0) > more_than)


def _no_bid(z: Any, mean: Any) -> Any:
    gold, bid = z.Int("gold"), z.Int("bid")
    broken = z.Or(bid > gold, z.And(mean, bid < 3))
    every = z.ForAll([bid], z.Implies(z.And(bid >= 0, bid <= 9), broken))
    return z.And(gold >= 0, gold <= 9, every)


def _can(faulty: Formula, twin: Formula) -> Pair:
    return Pair(lambda: _told(faulty, holds=True), lambda: _told(twin, holds=True))


def _cannot(faulty: Formula, twin: Formula) -> Pair:
    return Pair(lambda: _told(faulty, holds=False), lambda: _told(twin, holds=False))


def _told(formula: Formula, *, holds: bool) -> Said:
    import z3

    solver = z3.Solver()
    solver.add(formula(z3))
    found = solver.check()
    words = f"sat: {solver.model()}" if found == z3.sat else str(found)
    fault = found == (z3.sat if holds else z3.unsat)
    return Said(Heard.AT_ONCE if fault else Heard.NEVER, clean(words))


def in_table(table: Table) -> Said:
    """Whether every combination of keys is in one row of a table of the corpus."""
    import z3

    keys = [z3.Int(name) for name in table.names]
    wanted = z3.And(*(z3.And(key >= 1, key <= size) for key, size in zip(keys, table.sizes, strict=True)))
    rows = [
        z3.And(*(z3.Or(*(key == value for value in cell)) for key, cell in zip(keys, row.keys, strict=True)))
        for row in table.rows
    ]
    gap = z3.Not(z3.Or(*rows))
    double = z3.Or(*(z3.And(a, b) for n, a in enumerate(rows) for b in rows[:n]), z3.BoolVal(False))
    for question, what in ((gap, "no row"), (double, "two rows")):
        solver = z3.Solver()
        solver.add(wanted, question)
        if solver.check() == z3.sat:
            return Said(Heard.AT_ONCE, clean(f"{what}: {solver.model()}"))
    return Said(Heard.NEVER, "unsat")
