"""Frozen records are what `dataclass(frozen=True, slots=True)` would make of the same classes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from rulekit.base.frozen import frozen


@frozen
class Point:
    """Where something is."""

    x: int
    y: int = 0
    names: list[str] = field(default_factory=list)


@frozen
class Tall(Point):
    height: int = 3


@frozen
class Empty:
    pass


@frozen
class Odd:
    """Equal to others of the same parity."""

    number: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odd) and self.number % 2 == other.number % 2

    def __hash__(self) -> int:
        return self.number % 2

    def __repr__(self) -> str:
        return "odd" if self.number % 2 else "even"


def standard() -> Any:
    """`Point` as the standard library makes it."""

    @dataclass(frozen=True, slots=True)
    class Point:
        """Where something is."""

        x: int
        y: int = 0
        names: list[str] = field(default_factory=list)

    return Point


@pytest.mark.parametrize(
    "ask",
    [
        lambda make: [(each.name, each.type) for each in fields(make)],
        lambda make: make.__match_args__,
        lambda make: make.__slots__,
        lambda make: make.__doc__,
        lambda make: make(1) == make(1, 0, []),
        lambda make: make(1) == make(2),
        lambda make: make(1) == (1, 0, []),
        lambda make: make(1).names is make(1).names,
        lambda make: replace(make(1), y=4).y,
        lambda make: make(y=2, x=1).x,
        lambda make: is_dataclass(make),
        lambda make: repr(make("a", names=["b"])).rpartition(".")[2],
        lambda make: hasattr(make(1), "__dict__"),
        lambda make: copy.deepcopy(make(1, 2, ["n"])) == make(1, 2, ["n"]),
    ],
)
def test_they_are_as_the_standard_ones(ask: Callable[[Any], object]) -> None:
    """Fields, equality, defaults, replacing, copies."""
    assert ask(standard()) == ask(Point)


@pytest.mark.parametrize("arguments", [(), (1, 2, [], 4)])
def test_what_is_wrong_is_refused_as_there(arguments: tuple[Any, ...]) -> None:
    """Too few, too many."""
    for make in (standard(), Point):
        with pytest.raises(TypeError):
            make(*arguments)


def test_nothing_can_be_changed() -> None:
    """Neither set nor taken away."""
    point: Any = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2
    with pytest.raises(FrozenInstanceError):
        del point.x
    with pytest.raises(FrozenInstanceError):
        point.new = 2
    assert 1 == point.x


def test_hashes_are_of_the_fields() -> None:
    """Equal ones are one key; what cannot be hashed is told."""
    assert {Tall(1, 2, (), 4), Tall(1, 2, (), 4)} == {Tall(1, 2, (), 4)}  # type: ignore[arg-type]
    assert hash(Empty()) == hash(Empty())
    with pytest.raises(TypeError):
        hash(Point(1))


def test_they_inherit_match_and_travel() -> None:
    """Fields of the base come first; a pickle comes back equal."""
    tall = Tall(1, height=9)
    match tall:
        case Point(x, y):
            assert (1, 0) == (x, y)
    assert Point(1) != tall
    assert tall == pickle.loads(pickle.dumps(tall)) == copy.copy(tall)
    assert "Tall(height)" == Tall.__doc__


def test_what_a_class_says_itself_holds() -> None:
    """Its own equality, hash and words are kept."""
    assert Odd(1) == Odd(3) != Odd(2)
    assert {Odd(1)} == {Odd(5)}
    assert "odd" == repr(Odd(1))
