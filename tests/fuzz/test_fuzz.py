"""The fuzzer itself: inputs follow from numbers, faults are found and made small; and a sample of inputs."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzz import grammar
from tests.fuzz.bundle import pack, unpack
from tests.fuzz.families.commands import is_harmless
from tests.fuzz.family import Broken, Family, expect, failure_of
from tests.fuzz.runner import BY_NAME, FAMILIES, Run, input_of, own_environment
from tests.fuzz.shrink import shrink

ROOT = Path(__file__).parents[2]
SAMPLE = 10
"""Inputs of each family in the quick tests."""
MANY = 3_000
"""Inputs of each slow test; there are eight."""


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in own_environment().items():
        monkeypatch.setenv(name, value)


def _fails(data: bytes) -> None:
    expect(b"bad" not in data, "nothing is bad", data)


def _letters(chance: random.Random) -> bytes:
    words = [chance.choice((b"good", b"fine", b"bad")) for _ in range(6)]
    return b"\n".join(words)


def _hangs(data: bytes) -> None:
    end = time.process_time() + 60
    while time.process_time() < end:
        pass


PLANTED = Family("planted", _letters, _fails, weight=1)


def test_a_planted_fault_is_found_and_made_small(tmp_path: Path) -> None:
    """What is kept is the part that matters, three times at most."""
    run = Run(only=PLANTED, corpus=tmp_path)
    for _ in range(40):
        run.step()

    assert {b"bad"} == {path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert run.tallies["planted"].failures == len(run.failed) > 3
    assert ["broken: nothing is bad"] == list(run.kept)


def test_an_input_that_takes_too_long_fails() -> None:
    """After the CPU seconds of its family."""
    failure = failure_of(Family("slow", _letters, _hangs, weight=1, seconds=0.2), b"")

    assert failure is not None and failure.signature.startswith("OverTime")


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """With its counts."""
    first, second = Run(only=PLANTED, corpus=tmp_path), Run(only=PLANTED, corpus=tmp_path)
    for _ in range(5):
        first.step()
    first.save(tmp_path / "state.json")
    second.load(tmp_path / "state.json")

    assert (5, first.tallies, first.failed) == (second.next, second.tallies, second.failed)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_an_input_follows_from_its_number(family: Family) -> None:
    """Whatever ran before it."""
    before = [input_of(number, family)[1] for number in range(8)]

    assert before == [input_of(number, family)[1] for number in range(8)]
    assert len(set(before)) > 1


@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.weight], ids=lambda family: family.name
)
def test_a_sample_keeps_the_promises(family: Family) -> None:
    """The first inputs of each family."""
    failures = [failure_of(family, input_of(number, family)[1]) for number in range(SAMPLE)]

    assert [None] * SAMPLE == failures


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_many_inputs_keep_the_promises(part: int, tmp_path: Path) -> None:
    """As `make fuzz`, from other numbers."""
    run = Run(10_000_000 + part * MANY, corpus=tmp_path)
    for _ in range(MANY):
        run.step()

    assert {} == run.kept, run.table()


def test_generated_texts_are_of_the_grammar() -> None:
    """Most of them; names that are keywords and numbers beyond bounds make others."""
    from rulekit.syntax.parse.grammar import quick_parser

    words = grammar.Words(names=("n", "Ship"), numbers=("1", "2"), cites=("[1]",), texts=('"x"',))
    texts = [grammar.generate("start", random.Random(number), words, 24) for number in range(60)]
    read = [quick_parser().read(text) is not None for text in texts]

    assert sum(read) > 50


@pytest.mark.parametrize("name", ["../x", "/x", "a/../b", "a//b", ".hidden", "a/b/c/d"])
def test_files_of_a_bundle_stay_in_its_folder(name: str) -> None:
    """Others are no files."""
    assert {"a.rules": b"x\n"} == unpack(pack({"a.rules": "x", name: "y"}))


@pytest.mark.parametrize(
    "word", ["/etc/passwd", "--log=/x", "out/../../x", "~/x", "--jobs", "x.PDF", "--play=999"]
)
def test_commands_stay_in_their_folder(word: str) -> None:
    """Others are not run."""
    assert not is_harmless(["check", "set", word])


def _needs(*parts: bytes) -> Callable[[bytes], bool]:
    def fails(data: bytes) -> bool:
        places = [data.find(part) for part in parts]
        return -1 not in places and all(one < other for one, other in itertools.pairwise(places))

    return fails


@pytest.mark.parametrize("parts", [(b"x",), (b"ab", b"cd"), (b"begin", b"end")])
def test_shrinking_leaves_what_is_needed(parts: tuple[bytes, ...]) -> None:
    """And nothing else."""
    data = b"\n".join((b"line one", *parts, b"line two")) * 3

    assert b"".join(parts) == shrink(data, _needs(*parts), 5)


def test_a_broken_promise_says_which() -> None:
    """And shows what broke it."""
    with pytest.raises(Broken, match="small"):
        expect(False, "numbers are small", 7)


def test_the_command_line(tmp_path: Path) -> None:
    """A few inputs, with a state to go on from and a table."""
    words = ["-m", "tests.fuzz", "--family", "text", "--count", "20", "--corpus", str(tmp_path)]
    state = tmp_path / "state.json"
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, *words, "--state", str(state)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=120,
        )

    assert (0, "") == (done.returncode, done.stderr)
    assert 20 == json.loads(state.read_text())["next"]
    assert "all               20" in done.stdout
    assert "text" in BY_NAME
