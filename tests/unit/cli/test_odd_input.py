"""Numbers, seeds and characters that no rules can hold end in a sentence, and deep rules too."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.cli.shared import seed_of
from rulekit.testing import compile_text
from tests.unit.cli.running import FERRY, rulekit

HALF = "\\ud800"
"""Half of a surrogate pair, in the escapes that YAML and JSON share."""


@pytest.mark.parametrize("number", ["+-6", "--1", "9" * 5000, "٣", "1e3"])
def test_a_word_in_the_place_of_a_number(number: str) -> None:
    """Refused as a value, though Python would read some of them."""
    ran = rulekit("run", FERRY, "blow", "--given", f"Swift.load={number}", "--set", "b=Swift")

    assert 2 == ran.code
    assert ran.err.startswith("rulekit: ")


@pytest.mark.parametrize(
    ("text", "seed"), [("0" * 5000 + "7", 7), ("9" * 5000, "9" * 5000), ("000", 0), ("٣", "٣"), ("", "")]
)
def test_a_seed_is_a_number_or_a_word(text: str, seed: int | str) -> None:
    """Of whatever length."""
    assert seed == seed_of(text)


def test_half_a_character_in_a_manifest() -> None:
    """A finding, for no output could hold it."""
    manifest = f'id: t\ntitle: "T{HALF}"\nlanguage: "0.2"\n'
    found = compile_text("enum Side: Red, Blue\n", {"ruleset.yaml": manifest}).findings

    assert ["half of a surrogate pair: `U+D800`"] == [finding.message for finding in found]


def test_half_a_character_in_a_save(tmp_path: Path) -> None:
    """It is not one of ours."""
    save = tmp_path / "save.json"
    save.write_text(f'{{"format": "{HALF}"}}', encoding="utf-8")
    ran = rulekit("play", FERRY, "--resume", save)

    assert (2, f"rulekit: not a saved game: `{save}` is not JSON\n") == (ran.code, ran.err)


def test_rules_nested_deeply(tmp_path: Path) -> None:
    """They play: here 80 conditions in one another."""
    blocks = "".join(f"{'    ' * level}when n > {level}:\n" for level in range(1, 81))
    head, last = "enum Side: Red, Blue\nstate n: 0..999\nsequence play:\n", f'{"    " * 81}say "x"\n'
    (tmp_path / "t.rules").write_text(f"{head}{blocks}{last}    finish Red\n", encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text('id: t\ntitle: T\nlanguage: "0.2"\nsequence: play\nsides: Side\n')
    ran = rulekit("play", tmp_path, "--agents", "random")

    assert (0, "result: Red") == (ran.code, ran.out.splitlines()[-1])
