"""The codec of kept results: everything comes back, and nothing that is not of its type."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from typing import Any, Literal

import pytest

from rulekit.base.codec import Codec, Encoding
from rulekit.base.frozen import frozen
from rulekit.base.source import Source


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


@frozen
class Leaf:
    number: int
    word: Literal["one", "two"] = "one"


@frozen
class Fork:
    left: Leaf | Fork
    right: Leaf | Fork | None
    colour: Colour = Colour.RED


@frozen
class Whole:
    trees: tuple[Leaf | Fork, ...]
    pair: tuple[str, bool] | None
    named: Mapping[str, tuple[int, ...]]
    text: str | None = None


WHOLE: Codec[Whole] = Codec(Whole)
EXAMPLES = [
    Whole((), None, {}),
    Whole((Leaf(1), Fork(Leaf(2, "two"), None)), ("x", True), {"a": (1, 2)}, "t"),
    Whole((Fork(Fork(Leaf(1), Leaf(2)), Leaf(3), Colour.BLUE),), ("", False), {"": ()}),
]


@pytest.mark.parametrize("value", EXAMPLES)
def test_values_come_back(value: Whole) -> None:
    """As JSON carries them."""
    assert value == WHOLE.decode(json.loads(json.dumps(WHOLE.encode(value))))


WRONG: list[Any] = [
    None,
    [],
    [[[1, "three", 0]], None, {}, None],
    [[["1", "one", 0]], None, {}, None],
    [[[1, "one", 7]], None, {}, None],
    [[[[1, "one", 0], None, "green", 1]], None, {}, None],
    [[], ["x"], {}, None],
    [[], ["x", 1], {}, None],
    [[], None, {"a": [True]}, None],
    [[], None, [], None],
    [[], None, {}, 5],
]


@pytest.mark.parametrize("plain", WRONG, ids=str)
def test_other_json_is_refused(plain: Any) -> None:
    """A value of another type, a word or number of no alternative, fields that are missing."""
    with pytest.raises((ValueError, TypeError, IndexError, KeyError, AttributeError)):
        WHOLE.decode(plain)


def test_leaves_use_the_context() -> None:
    """A class may be written in a form of its own, such as without what callers know."""
    form = Encoding(Source, str, lambda source, file: source.text, lambda plain, file: Source(file, plain))
    codec: Codec[tuple[Source, ...]] = Codec(tuple[Source, ...], form)

    assert ["a", "b"] == codec.encode((Source("x", "a"), Source("x", "b")), "x")
    assert (Source("y", "a"),) == codec.decode(["a"], "y")
