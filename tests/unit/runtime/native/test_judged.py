"""Answers judged as a whole: the search finds the same options as in Python, and pays as much for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import compile_rules
from rulekit.ir.reachable import for_play
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeSession
from tests.unit.runtime.native.test_stops import Player

WORLD = """\
enum Side: Red, Blue
piece Ship:
    members Alpha, Beta, Gamma, Delta, Epsilon
    size: 1..5 = (3 when it is Gamma otherwise (2 when it is Alpha otherwise 1))
piece Berth:
    members 70
    state full: 0..99
define quay(s: Ship) -> set of Berth:
    when s.size > 1: {Berth_1, Berth_2, Berth_69, Berth_70}
    otherwise: {Berth_1, Berth_2, Berth_3, Berth_69}
define chain(s: Ship) -> set of Berth:
    when s in {Alpha, Gamma}: {Berth_70}
    when s is Beta: {Berth_1, Berth_2}
    when s is Delta: {Berth_2, Berth_3}
    otherwise: {Berth_3, Berth_70}
define load(ships: set of Ship) -> 0..40: total of s.size for s in ships
define rank_of(s: Ship or none) -> 0..5: (s.size when s is not none otherwise 0)
choice question(side) by side:
CHOICE
procedure turn(side):
    choose question(side) as answer
KEEP
sequence play:
    for each side in Side: do turn(side)
    for each side in Side: do turn(side)
"""

MANIFEST = """\
id: berths
title: Berths
edition: first
language: "0.2"
authors: [rulekit]
licence: CC0-1.0
sequence: play
sides: Side
"""

SETS = """\
    for each s in Ship where it in answer:
        for each b in answer(s): add s.size to b.full"""
MAPS = """\
    for each s in Ship where it in answer:
        let b = answer(s)
        when b is not none: add s.size to b.full"""

ASSIGN_NORMS = {
    "room": "require every b in quay(Alpha) has load(Ship where assigned(it) is b) < 4 + 0 * b.full",
    "total": "forbid count of chosen > 2",
    "pairs": "forbid some s in Ship - {ship} has (assigned(s) is berth and s.size + ship.size = 3)",
    "together": "forbid berth is Berth_1\n        unless some s in Ship has assigned(s) is Berth_69",
    "cover": "forbid berth is Berth_2\n        unless every b in {Berth_1, Berth_69} is chosen",
    "allowed": "permit berth in {Berth_1, Berth_69}\n    permit berth is Berth_70 when ship is Gamma",
    "declining": "forbid declining when ship is Beta or side is Blue",
}
WAYS = ("", ", each once", ", at most 2 each")
ASSIGNMENTS = (
    (("room", "allowed"), "", ""),
    (("room", "declining"), "", ", or none"),
    (("room",), ", each once", ", if able"),
    (("room",), ", at most 2 each", ""),
    (("total",), "", ""),
    (("total", "declining"), ", at most 2 each", ", or none"),
    (("pairs", "total"), ", at most 2 each", ", or none"),
    (("pairs", "total"), "", ", if able"),
    (("pairs",), ", each once", ", or none"),
    (("together",), ", at most 2 each", ""),
    (("together", "declining"), "", ", or none"),
    (("room", "cover"), "", ""),
    (("room", "cover"), ", at most 2 each", ", if able"),
    (("allowed", "pairs"), "", ", if able"),
)


def rules(folder: Path, choice: str, keep: str) -> Path:
    """A rule set that asks one question of each side, twice."""
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(MANIFEST)
    (folder / "play.rules").write_text(WORLD.replace("CHOICE", choice).replace("KEEP", keep))
    return folder


def check(folder: Path, lines: list[str], keep: str, seeds: int = 12) -> None:
    """Games by both are equal, faults included; so are games that stop."""
    choice = "\n".join(f"    {line}" for line in lines)
    program = for_play(compile_rules(rules(folder, choice, keep)))
    game = NativeGame(build(program))
    stopping = Player(program, NativeSession(build(program, stops=True)))
    for seed in range(seeds):
        try:
            expected = run_direct(program, None, RandomPolicy(program, seed), seed)
        except Exception as fault:
            with pytest.raises(type(fault), match=getattr(fault, "name", "")):
                game.play(seed)
            continue
        assert expected.cells == game.play(seed).cells, f"seed {seed}"
        assert expected.cells[1:] == stopping.play(seed), f"seed {seed}, stopping"


@pytest.mark.parametrize(("norms", "way", "able"), ASSIGNMENTS)
def test_assignments_are_searched(norms: tuple[str, ...], way: str, able: str, tmp_path: Path) -> None:
    """One option for each item, with and without limits."""
    lines = [f"assign each ship in Ship one berth from quay(ship){way}{able}"]
    lines += [ASSIGN_NORMS[name] for name in norms]
    keep = MAPS if able else MAPS.replace("        when b is not none: ", "        ")
    check(tmp_path / "set", lines, keep)


SET_NORMS = {
    "room": "require every b in quay(Alpha) has load(Ship where b in assigned(it)) < 6",
    "total": "forbid count of chosen > 3",
    "pairs": "forbid some s in Ship - {ship} has (berth in assigned(s) and s.size + ship.size = 3)",
    "together": "forbid berth is Berth_1\n        unless some s in Ship has Berth_69 in assigned(s)",
    "all": "require every b in ({Berth_69} when ship.size > 1 otherwise {}) has b in chosen",
    "declining": ASSIGN_NORMS["declining"],
    "cover": ASSIGN_NORMS["cover"],
    "varying": "forbid berth is Berth_69 when ship.size = 1\n"
    "        unless every b in {Berth_3, Berth_70} is chosen",
    "always": "require every b in {Berth_3, Berth_70} is chosen",
}
SETS_OF_ITEMS = (
    (("room",), "any", "", ""),
    (("room", "declining"), "some", ", at most 2 each", ", or none"),
    (("room",), "exactly 2", ", each once", ", if able"),
    (("room", "pairs"), "up to ship.size", "", ""),
    (("total",), "any", "", ", if able"),
    (("total", "declining"), "up to 2", ", at most 2 each", ", or none"),
    (("pairs", "total"), "up to ship.size", ", at most 2 each", ", or none"),
    (("pairs", "total"), "some", "", ", if able"),
    (("together", "all"), "some", "", ""),
    (("together", "all"), "exactly 2", ", at most 3 each", ""),
    (("together", "all"), "any", ", each once", ", or none"),
    ((), "exactly 2", ", each once", ", or none"),
    ((), "any", "", ""),
    ((), "some", "", ", or none"),
    (("declining",), "exactly 4", "", ", or none"),
    ((), "exactly 3", "", ""),
    ((), "up to 2", "", ", if able"),
    ((), "exactly ship.size", "", ", if able"),
    ((), "exactly 3", ", at most 2 each", ", if able"),
    ((), "any", ", each once", ""),
    ((), "some", ", at most 2 each", ""),
    ((), "exactly 2", ", at most 3 each", ""),
    (("declining",), "up to ship.size", ", each once", ", or none"),
    (("cover",), "some", "", ""),
    (("cover",), "up to ship.size", ", at most 2 each", ", if able"),
    (("cover", "varying"), "exactly 2", ", at most 3 each", ""),
    (("cover", "varying", "declining"), "any", ", each once", ", or none"),
    (("always",), "some", "", ""),
    (("always", "varying"), "up to 2", ", at most 2 each", ", if able"),
)


@pytest.mark.parametrize(("norms", "number", "way", "able"), SETS_OF_ITEMS)
def test_sets_for_items_are_searched_or_matched(
    norms: tuple[str, ...], number: str, way: str, able: str, tmp_path: Path
) -> None:
    """Several options for each item."""
    lines = [f"assign each ship in Ship {number} berth from quay(ship){way}{able}"]
    lines += [SET_NORMS[name] for name in norms]
    check(tmp_path / "set", lines, SETS, 6)


def test_a_choice_pays_for_counting_its_options(tmp_path: Path) -> None:
    """The first set of a combination is counted to be paid for, and finding it has a price of its own."""
    choice = "pick one ship from Ship where some b in quay(it) has b.full < 9, one berth from quay(ship)"
    keep = "    let b = answer.berth\n    add 1 to b.full"
    check(tmp_path / "set", [choice], keep)


ORDER_NORMS = {
    "ranks": "forbid before is not none and rank_of(before) > ship.size",
    "first": "forbid ship is Alpha and before is none",
    "chosen": "forbid ship is Beta and last(chosen) is not Gamma",
    "apart": "forbid ship is Delta and before is Beta\n        unless first(chosen) is Epsilon",
}
ORDER = """\
    let place: 0..9 = 0
    for each s in answer:
        add 1 to place
        when s.size > 1: add place to Berth_1.full
        when s is Beta: add place to Berth_2.full
        when s is Delta: add place to Berth_3.full"""


@pytest.mark.parametrize(
    "norms", [("ranks",), ("first",), ("chosen",), ("ranks", "apart"), ("first", "chosen", "apart")]
)
def test_orders_with_rules_are_searched(norms: tuple[str, ...], tmp_path: Path) -> None:
    """Who may follow whom, and rules on the whole order."""
    lines = ["arrange Ship as ship", *(ORDER_NORMS[name] for name in norms)]
    check(tmp_path / "set", lines, ORDER)


SPLIT_NORMS = {
    "small": "require count of part < 3",
    "load": "require load(part) > 1",
    "apart": "forbid Alpha in part and Beta in part",
    "first": "forbid Gamma in first(chosen)",
    "many": "require length(chosen) > 2",
}
PARTS = """\
    let number: 0..9 = 0
    for each part in answer:
        add 1 to number
        add number * load(part) to Berth_1.full
        when Alpha in part: add number to Berth_2.full"""
SPLITS = (
    ("at most 3 part", ("small",)),
    ("at most 4 part", ("load", "apart")),
    ("at most 5 part", ("apart", "first")),
    ("at most 5 part", ("many", "small")),
    ("at most 2 part", ("small",)),
)


@pytest.mark.parametrize(("number", "norms"), SPLITS)
def test_splits_are_searched(number: str, norms: tuple[str, ...], tmp_path: Path) -> None:
    """Rules on each part, and on all of them."""
    lines = [f"split Ship into {number}", *(SPLIT_NORMS[name] for name in norms)]
    check(tmp_path / "set", lines, PARTS)


SHARE_NORMS = {
    "even": "require every s in Ship has chosen(s) <= amount + 2",
    "own": "forbid amount > ship.size",
    "pair": "forbid chosen(Alpha) = chosen(Beta)",
}
SHARES = """\
    for each s in Ship:
        add answer(s) to Berth_1.full
        when s.size = 1: add answer(s) to Berth_2.full"""


@pytest.mark.parametrize("total", [0, 4, 7])
@pytest.mark.parametrize("norms", [("even",), ("pair",), ("even", "own"), ("own", "pair")])
def test_shares_are_searched(norms: tuple[str, ...], total: int, tmp_path: Path) -> None:
    """Rules on the shares of several items."""
    lines = [f"share {total} among ship in Ship", *(SHARE_NORMS[name] for name in norms)]
    check(tmp_path / "set", lines, SHARES)


CHAIN = (
    "forbid berth is Berth_2\n        unless some s in Ship has TAKES(s, Berth_3)",
    "forbid berth is Berth_3\n        unless some s in Ship - {ship} has TAKES(s, Berth_70)",
)


@pytest.mark.parametrize(("amount", "takes"), [("one", "assigned(s) is"), ("any", "in assigned(s)")])
def test_nearness_goes_through_other_items(amount: str, takes: str, tmp_path: Path) -> None:
    """Items near to items that are near come first: the search looks as often as in Python."""
    lines = [f"assign each ship in Ship {amount} berth from chain(ship), or none"]
    for norm in CHAIN:
        text, _, rest = norm.partition("TAKES(s, ")
        member = rest.removesuffix(")")
        lines.append(text + (f"{takes} {member}" if amount == "one" else f"{member} {takes}"))
    keep = MAPS if amount == "one" else SETS
    check(tmp_path / "set", lines, keep, 40)
