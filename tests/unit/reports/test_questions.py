"""Questions of a loaded game: compiled once, and asked again by whoever answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulekit
from rulekit.compiler import driver
from rulekit.reports.odds import asking
from rulekit.runtime.play import Game
from tests.unit.reports.ships import SHIPS

RULES = (
    SHIPS
    + """\
example "a hit":                                        [7.5]
    given Alpha.damage = 1
    when do shoot(Alpha)
    dice fire: 6
    then Alpha.damage = 7
example "damaged before":                               [7.5]
    given Alpha.damage = 1
    when add 1 to Alpha.damage
    then Alpha.damage = 2
"""
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small set."""
    (tmp_path / "ruleset.yaml").write_text('id: small\ntitle: Small\nlanguage: "0.2"\nsides: Side\n')
    (tmp_path / "small.rules").write_text(RULES)
    return tmp_path


@pytest.fixture
def game(folder: Path) -> Game:
    """The set, loaded."""
    return rulekit.load(folder)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The examples in each program that a question was compiled to."""
    seen: list[tuple[str, ...]] = []
    compile_rule_set: Callable[..., driver.Compiled] = asking.compile_rule_set

    def noting(*arguments: Any, **more: Any) -> driver.Compiled:
        result = compile_rule_set(*arguments, **more)
        seen.append(tuple(example.name for example in result.program.examples))
        return result

    monkeypatch.setattr(asking, "compile_rule_set", noting)
    return seen


def test_a_question_is_compiled_once(game: Game, folder: Path, compiled: list[tuple[str, ...]]) -> None:
    """Asked again, by others and as an estimate, it gives what a game gives that asks it first."""
    ways: list[dict[str, Any]] = [
        {},
        {"agents": "random"},
        {"estimate": 50, "seed": 3},
        {},
        {"agents": "random"},
    ]
    answers = [game.odds("aimed", of="Alpha.damage", **way) for way in ways]

    assert 1 == len(compiled)
    assert answers[0].rows() == answers[3].rows() != answers[1].rows() == answers[4].rows()
    for way, answer in zip(ways, answers, strict=True):
        assert answer.rows() == rulekit.load(folder).odds("aimed", of="Alpha.damage", **way).rows()


def test_a_question_does_not_compile_the_examples(game: Game, compiled: list[tuple[str, ...]]) -> None:
    """They were checked when the rules were loaded; but a question may begin as one of them."""
    plain = game.odds("shoot(Beta)", of="Beta.damage > 0")
    begun = game.odds("shoot(Alpha)", of="Alpha.damage", given='example "damaged before"')

    assert [1, 1] == [len(examples) for examples in compiled]
    assert 3 == plain[True].denominator
    assert [2, 7, 8] == sorted(begun)


def test_a_question_that_begins_as_an_example_with_dice_is_refused(game: Game) -> None:
    """With the line of the dice."""
    with pytest.raises(ValueError, match=r"`fire` is given one result \(`small.rules`:17\); an example with"):
        game.odds("shoot(Alpha)", of="Alpha.damage", given='example "a hit"')


def test_only_the_last_questions_are_kept(game: Game, compiled: list[tuple[str, ...]]) -> None:
    """Those before are compiled again."""
    for value in range(asking.MOST_KEPT + 1):
        game.odds("shoot(Alpha)", of=f"Alpha.damage > {value}")
    before = len(compiled)
    game.odds("shoot(Alpha)", of=f"Alpha.damage > {asking.MOST_KEPT}")
    assert before == len(compiled)
    game.odds("shoot(Alpha)", of="Alpha.damage > 0")
    assert before + 1 == len(compiled)
