"""Dice and draws that a host gives: the games, faults and rests of sessions with the same ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.names import NamingError
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeSession
from rulekit.runtime.play import Session
from tests.unit.runtime.native.test_js_host import run, shown
from tests.unit.runtime.play.test_positions import game

ORDER = ["Cid", "Ada", "Bea"]
FEW: dict[str, Any] = {"dice": {"attack": [6, 1]}, "draws": {"shuffle.pile": [ORDER], "bag": ["Bea", "Ada"]}}
ALL: dict[str, Any] = {"dice": {"attack": [5] * 60}, "draws": FEW["draws"]}


@cache
def content() -> bytes:
    """The module of a small game with dice, a cup and a stack that is shuffled."""
    return build(for_play(game().program), stops=True)


def take(session: Session, module: NativeSession, random: Random) -> None:
    """Give both the same answer to the same question."""
    asked = session.machine.asked
    assert asked is not None
    assert (asked[0], *asked[3]) == (module.numbers[0], *module.numbers[3:])
    place = random.randrange(len(asked[3]))
    session.choose(asked[3][place])
    module.answer(place)


@pytest.mark.parametrize("given", [FEW, ALL, {}])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_given_comes_first(seed: int, given: dict[str, Any]) -> None:
    """Then the seed's; copies that are put back read it again."""
    session, module = game().start(seed, "late", **given), NativeSession(content())
    module.start(seed, "late", **given)
    copy = module.copy()
    for _ in range(3):
        module.answer(0)
    module.restore(copy)
    while module.question is not None:
        take(session, module, Random(seed))

    assert session.over
    assert session.machine.M[1:] == module.cells()[1 : len(session.machine.M)]
    assert session.unused == module.unused
    assert module.start(seed, "late") is not None
    assert module.unused == {}


@pytest.mark.parametrize(
    ("draws", "message"),
    [
        ({}, "`shuffle.pile` draws 2, given: 0"),
        ({"shuffle.pile": [["Ada", "Ada", "Bea"]]}, "`shuffle.pile` cannot draw what is given"),
    ],
)
def test_a_shuffle_that_cannot_be(draws: dict[str, Any], message: str) -> None:
    """A thing twice, or under `strict` none: the fault of a session, with its words."""
    for start in (game().start, NativeSession(content()).start):
        with pytest.raises(Fault) as raised:
            start(0, "late", draws=draws, strict=True)
        assert raised.value.name == "not-given"
        assert message in str(raised.value)


def test_strict_dice_and_draws() -> None:
    """The first one that is missing ends the game as it ends a session."""
    for given in (
        {"dice": {"attack": [2]}, "draws": FEW["draws"]},
        {**ALL, "draws": {"shuffle.pile": [ORDER]}},
    ):
        session, module = game().start(3, "late", **given, strict=True), NativeSession(content())
        module.start(3, "late", **given, strict=True)
        with pytest.raises(Fault) as expected:
            while True:
                asked = session.machine.asked
                assert asked is not None
                session.choose(asked[3][-1])
        with pytest.raises(Fault) as found:
            while module.question is not None:
                module.answer(len(module.question.options) - 1)
        assert expected.value.name == "not-given"
        assert str(expected.value) == str(found.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"dice": {"atack": [1]}}, "there is no roll `atack`; did you mean `attack`?"),
        ({"dice": {"bag": [1]}}, "there is no roll `bag`"),
        ({"dice": {"attack": [1, 7]}}, "`attack` has no face 7: its faces are 1..6"),
        ({"draws": {"attack": [1]}}, "there is no draw or shuffle `attack`"),
        ({"draws": {"bag": ["Zed"]}}, "`bag` does not draw `Zed`"),
        ({"draws": {"shuffle.pile": ["Ada"]}}, "expected a list of all things in their order, found `Ada`"),
        ({"dice": {"attack": [1] * 5000}}, "a module takes 4,096 dice and things, not 5,000"),
    ],
)
def test_what_cannot_be_given(given: dict[str, Any], message: str) -> None:
    """Names, faces and things are tested before anything changes."""
    module = NativeSession(content())
    question, cells = module.start(1, "late", **FEW), module.cells()
    with pytest.raises(NamingError) as raised:
        module.start(2, "late", **given)
    assert message in str(raised.value)
    assert (question, cells) == (module.question, module.cells())


def test_javascript_gives_the_same(tmp_path: Path) -> None:
    """Its host makes the same tape, and refuses the same."""
    module = NativeSession(content())
    question = module.start(2, "late", **FEW)
    while question is not None:
        question = module.answer(len(question.options) - 1)

    found, unused, refused = run(
        tmp_path,
        """
        const session = await host.load(modules[0]), refused = [], given = {
          dice: { attack: [6, 1] }, draws: { "shuffle.pile": [["Cid", "Ada", "Bea"]], bag: ["Bea", "Ada"] },
        };
        for (let q = session.start(2, "late", given); q; q = session.answer(q.options.length - 1));
        const cells = session.cells(), { unused } = session;
        for (const wrong of [
          { dice: { attack: [7] } }, { dice: { bag: [1] } }, { draws: { bag: ["Zed"] } },
          { draws: { "shuffle.pile": ["Ada"] } }, { dice: { attack: Array(5000).fill(1) } }, { strict: true },
        ]) {
          try { session.start(2, "late", wrong); } catch (error) { refused.push(error.message); }
        }
        return [cells, unused, refused];
        """,
        content(),
    )

    assert shown(module.cells(), module.names["cells"]) == found
    assert module.unused == unused
    assert refused[:5] == [
        "`attack` has no face 7: its faces are 1..6",
        "there is no roll `bag`",
        "`bag` does not draw `Zed`",
        "expected a list of all things in their order, found `Ada`",
        "a module takes 4096 dice and things, not 5000",
    ]
    assert refused[5].endswith("`shuffle.pile` draws 2, given: 0")
