"""Saves: at every decision, restored elsewhere, damaged, of other rules; their size; and what they keep."""

from __future__ import annotations

import copy
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.base.resources import schema
from rulekit.runtime.play import Game, SaveError, Session
from rulekit.runtime.play.saved.saves import check
from rulekit.runtime.play.saved.schema_predicate import predicate
from rulekit.testing import MANIFEST, compile_text, manifest
from tests.unit.runtime.play.games import answer, fate, game, going_on, played, program, seen

ROOT = Path(__file__).parents[4]
NAMES = ["duel", "ferry", "fair"]


def saves(name: str, seed: int, every: int = 1) -> list[dict[str, Any]]:
    """The saves of a random game at each so many decisions and at its end, as they come from a file."""
    session, draw = game(name).start(seed), random.Random(seed)
    found = []
    while session.machine.asked is not None:
        if session.answered % every == 0:
            found.append(session.save())
        answer(session, draw)
    found.append(session.save())
    return [json.loads(json.dumps(data)) for data in found]


def in_another_process(name: str, found: list[dict[str, Any]]) -> list[Any]:
    """How each save goes on in a process of its own, with another seed for its hashes."""
    script = (
        "import json, sys\n"
        "from tests.unit.runtime.play.games import fate, game\n"
        f"found = [fate(game({name!r}).restore(data)) for data in json.load(sys.stdin)]\n"
        "json.dump(found, sys.stdout)\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(found),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=environment,
        check=True,
    )
    answers: list[Any] = json.loads(done.stdout)
    return answers


@pytest.mark.parametrize("name", NAMES)
def test_a_save_stands_where_it_was_made(name: str) -> None:
    """At every decision, also between the parts of an answer: the same question, and the same save again."""
    session, draw = game(name).start(1), random.Random(1)
    while True:
        restored = game(name).restore(json.loads(json.dumps(session.save())))
        look, other = seen(session), seen(restored)
        assert {**look, "events": None} == {**other, "events": None}
        assert session.save() == restored.save()
        assert not restored.undo(past_chance=True)
        if session.machine.asked is None:
            break
        answer(session, draw)


@pytest.mark.parametrize("name", NAMES)
def test_a_save_goes_on_elsewhere(name: str) -> None:
    """In another process, with other hashes, every save of a game goes on as the game itself would have."""
    found = saves(name, 2)
    expected = [fate(game(name).restore(data)) for data in found]
    assert expected == in_another_process(name, found)
    session = going_on(game(name).start(2), len(found) // 2)
    assert fate(session.clone()) == in_another_process(name, [session.save()])[0]


@pytest.mark.slow
def test_saves_of_a_large_game_go_on_elsewhere() -> None:
    """The same, sampled, for a game of two thousand answers."""
    found = saves("vitp", 3, every=97)
    expected = [fate(game("vitp").restore(data)) for data in found]
    assert expected == in_another_process("vitp", found)


def test_what_is_played_after_a_restore_can_be_taken_back() -> None:
    """Undo goes back to where the save was made, and no further."""
    restored = game("fair").restore(played("fair", 1, 20).save())
    looks = []
    while restored.machine.asked is not None:
        looks.append(seen(restored))
        answer(restored, random.Random(restored.answered))
    for look in reversed(looks):
        assert restored.undo(past_chance=True)
        assert look == seen(restored)
    assert not restored.undo(past_chance=True)


def test_without_the_log() -> None:
    """How many answers were given is known without them; a log with a gap is not saved."""
    session = played("fair", 1, 20)
    restored = game("fair").restore(session.save(log=False))
    assert (20, ()) == (restored.answered, restored.log)
    answer(restored, random.Random(1))
    assert (21, 1) == (restored.answered, len(restored.log))
    assert "choices" not in restored.save(log=True)
    assert 21 == game("fair").restore(restored.save()).answered


def test_a_game_that_is_over() -> None:
    """It is restored as one that is over, with its result."""
    session = played("duel", 1)
    restored = game("duel").restore(session.save())
    assert (True, session.result, None) == (restored.over, restored.result, restored.decision)


LONG = """
enum Side: Red, Blue
state n: 0..9
roll die: d6
choice go(side) by side:
    number from 0 to 9
sequence play:
    repeat 5000 times:
        choose go(Red) as k
        set n to k
        roll die as luck
"""


def test_size_does_not_grow() -> None:
    """After thousands of answers a save without the log is as large as after ten, but for its counters."""
    made = compile_text(LONG, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None, made.findings
    session, sizes = Game(made.program).start(1), []
    for count in (10, 500, 4000):
        while session.answered < count:
            session.choose(5)
        sizes.append(len(json.dumps(session.save(log=False))))
    assert sizes[2] - sizes[0] < 20


def test_dice_that_were_given_are_kept() -> None:
    """Those still to fall too; what the rules have no dice for is refused, here and at the beginning."""
    session = game("fair").start(1, dice={"luck": [1, 6] * 40})
    data = going_on(session, 5).save()
    assert {"luck": [1, 6] * 40} == data["dice"]
    assert fate(session) == fate(game("fair").restore(json.loads(json.dumps(data))))
    assert "there is no roll `gale`" in refused("fair", {**data, "dice": {"gale": [1]}})
    assert "has no 7 on its 6 sides" in refused("fair", {**data, "dice": {"luck": [7]}})
    with pytest.raises(ValueError, match="there is no roll `gale`"):
        game("fair").start(1, dice={"gale": [1]})


# ------------------------------------------------------------------------------ damage


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in JSON, outermost first."""
    yield path
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield from places(data[key], (*path, key))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    """What stands at a place."""
    for key in path:
        data = data[key]
    return data


def without(data: Any, path: tuple[Any, ...]) -> Any:
    """A copy with a place taken out."""
    found = copy.deepcopy(data)
    del at(found, path[:-1])[path[-1]]
    return found


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with something else at a place."""
    if not path:
        return value
    found = copy.deepcopy(data)
    at(found, path[:-1])[path[-1]] = value
    return found


OTHERS = (None, True, 0, -1, 10**30, 2.5, 3.0, "", "x", "Ox", [], ["x"], [[]], {}, {"x": 1})


def refused(name: str, data: Any) -> str:
    """The message of the refusal; empty if the save is taken, and can then be looked at and saved."""
    try:
        restored = game(name).restore(data)
    except SaveError as error:
        assert 0 < len(str(error)) < 400
        return str(error)
    seen(restored)
    restored.save()
    return ""


@pytest.mark.parametrize("name", NAMES)
def test_anything_taken_out(name: str) -> None:
    """Whatever is missing, there is a clear refusal or a session, and nothing else."""
    data = saves(name, 4)[5]
    for path in list(places(data))[1:]:
        message = refused(name, without(data, path))
        assert message or len(path) > 1 or path in (("choices",), ("starts",), ("keys",))


@pytest.mark.parametrize("name", NAMES)
def test_anything_of_another_type(name: str) -> None:
    """Whatever stands where something else should, there is a clear refusal or a session."""
    data = saves(name, 4)[5]
    data["choices"] = data["choices"][-2:]
    data["answered"] = len(data["choices"])
    for path in places(data):
        for value in OTHERS:
            refused(name, changed(data, path, value))


def test_refusals_say_why() -> None:
    """Version, program, options, seed, start, scenario, answers, locals."""
    data = saves("fair", 4)[40]
    for path, value, words in (
        (("format",), 2, "at format: 1 was expected"),
        (("program",), "duel", "the save is of `duel`, not of `text`"),
        (("options",), ["night"], "with other options"),
        (("seed",), "99999999999999999999", "the seed is too large"),
        (("base",), "declared", "another start"),
        (("scenario",), "winter", "unknown scenario `winter`"),
        (("answered",), 7, "some of its answers"),
        (("state", "speed"), [], "unknown state `speed`"),
        (("counters", "hail"), 1, "unknown point `hail`"),
        (("frames", 0, "procedure"), "sail", "unknown procedure `sail`"),
        (("frames", 0, "shape"), "0" * 16, "has changed since the save was made"),
        (("frames", -1, "at"), "away.1", "does not wait at `away.1`"),
        (("choice", "name"), "bid", "is not asked at the place in the save"),
        (("stages",), ["open"], "the game does not run `play`"),
        (("extra",), 1, "Additional properties"),
    ):
        assert words in refused("fair", changed(data, path, value)), path


def test_nesting_without_end() -> None:
    """Lists in lists in lists are refused, not followed."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert "nested too deeply" in refused("duel", {**saves("duel", 1)[0], "result": deep})


def test_other_rules() -> None:
    """A save of other rules is restored if all it speaks of agrees, and says so; else it is refused."""
    data = saves("fair", 4)[12]
    other = Game(replace(program("fair"), source_hash="sha256:other"))
    restored = other.restore(data)
    assert ("saved under other rules, which agree on everything in the save",) == restored.notes
    assert game("fair").restore(data).decision == restored.decision
    assert "the save is of" in refused("duel", data)


# ------------------------------------------------------------------------------ the schema

VALIDATOR = jsonschema.Draft202012Validator(schema("save"))
FITS = predicate(schema("save"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
SAVES = [data for name in NAMES for data in saves(name, 7, every=9)]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(SAVES), st.data())
def test_our_test_of_the_schema_is_the_schema(data: dict[str, Any], draw: st.DataObject) -> None:
    """On saves changed at random in up to three places the fast test and jsonschema have one verdict."""
    for _ in range(draw.draw(st.integers(0, 3))):
        path = draw.draw(st.sampled_from(list(places(data))))
        if path and draw.draw(st.booleans()):
            data = without(data, path)
        else:
            value = draw.draw(st.sampled_from(OTHERS) | JSON)
            data = changed(data, path, value)
    assert VALIDATOR.is_valid(data) == FITS(data)


@settings(max_examples=100, deadline=None)
@given(JSON)
def test_what_is_no_save_at_all(data: Any) -> None:
    """Any JSON is refused in words."""
    with pytest.raises(SaveError, match="not a save"):
        check(data)


def test_unknown_keywords_are_not_overlooked() -> None:
    """A schema that asks for more than the test knows makes no test."""
    with pytest.raises(ValueError, match="uniqueItems"):
        predicate({"type": "array", "uniqueItems": True})


def test_a_session_is_what_restore_gives() -> None:
    """Saves are plain JSON: what is written is what is read."""
    data = played("fair", 3, 30).save()
    assert data == json.loads(json.dumps(data))
    assert isinstance(game("fair").restore(data), Session)
