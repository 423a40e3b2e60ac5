"""`ruleset.yaml`: what it may say, and what is told when it says it wrong."""

from __future__ import annotations

import pytest

from tests.unit.ruleset.helpers import codes, manifest, underlined

LEAST = """\
id: duel
title: Dice duel
language: "0.2"
"""

FULL = """\
id: dice-duel
title: Dice duel
edition: 2nd edition, 1981
language: 0.2
authors: [A. Designer, B. Helper]
licence: CC-BY-4.0
about: two players, one die each
prefix: DD
sequence: Game
sides: Side
options: [fog, long_duel]
presets:
  full: [fog, long_duel]
  none: []
data: [data/corrected.yaml]
not_encodable:
  - {rule: D.1, reason: it lists the box's contents}
accept:
  - {finding: "RK411:claim three", reason: the box counts one twice}
check:
  select: [RK4, broken-claim]
  ignore: [RK410]
  level: {RK411: error}
"""


def test_a_full_manifest_is_read() -> None:
    """Every key has its place."""
    found, told = manifest(FULL)

    assert [] == told
    assert found is not None
    assert ("dice-duel", "Dice duel", "2nd edition, 1981", "0.2") == (
        found.id,
        found.title,
        found.edition,
        found.language,
    )
    assert ("A. Designer", "B. Helper") == found.authors
    assert found.sequence is not None and found.sides is not None
    assert ("DD", "Game", "Side") == (found.prefix, found.sequence.name, found.sides.name)
    assert ["fog", "long_duel"] == [option.name for option in found.options]
    assert {"full": ("fog", "long_duel"), "none": ()} == found.presets
    assert ["data/corrected.yaml"] == [each.name for each in found.data]
    assert [("D.1", "it lists the box's contents")] == [(e.what, e.reason) for e in found.not_encodable]
    assert [("RK411:claim three", "the box counts one twice")] == [(e.what, e.reason) for e in found.accept]
    wish = found.check
    assert (["RK4", "broken-claim"], ["RK410"]) == tuple(
        [each.name for each in listed] for listed in (wish.select, wish.ignore)
    )
    assert [("RK411", "error")] == [(code.name, level.name) for code, level in wish.level]


def test_three_keys_are_enough() -> None:
    """Everything else is empty when it is not said."""
    found, told = manifest(LEAST)

    assert [] == told
    assert found is not None
    assert ("", "", "") == (found.edition, found.licence, found.about)
    assert [0] * 5 == list(
        map(len, (found.authors, found.options, found.data, found.not_encodable, found.accept))
    )
    assert found.sequence is None and found.sides is None
    assert "DUEL" == found.prefix


@pytest.mark.parametrize("name", ["id", "title", "language"])
def test_what_must_be_said_is_missed(name: str) -> None:
    """Without one of the three there is no manifest."""
    text = "".join(line for line in LEAST.splitlines(keepends=True) if not line.startswith(name))
    found, told = manifest(text)

    assert found is None
    assert ["missing-key"] == codes(told)
    assert name in told[0].message


@pytest.mark.parametrize(
    ("text", "name", "under", "hint"),
    [
        (LEAST + "optoins: []", "unknown-key", "optoins", "did you mean `options`?"),
        (LEAST + "id: again", "duplicate-key", "id", "keep one"),
        (LEAST.replace("duel", "Dice Duel", 1), "wrong-shape", "Dice Duel", "lower-case letters"),
        (LEAST.replace('"0.2"', "newest"), "wrong-shape", "newest", "version"),
        (LEAST.replace("Dice duel", "[Dice, duel]"), "wrong-shape", "[Dice, duel]", ""),
        (LEAST.replace("Dice duel", "~"), "wrong-shape", "~", ""),
        (LEAST + "options: fog", "wrong-shape", "fog", "[...]"),
        (LEAST + "options: [fog, fog]", "duplicate-key", "fog", "keep one"),
        (LEAST + "options: [../fog]", "wrong-shape", "../fog", "lower-case letters"),
        (LEAST + "options: [fog]\npresets: {all: [fgo]}", "preset-unknown-option", "fgo", "`fog`"),
        (LEAST + "presets: [a]", "wrong-shape", "[a]", ""),
        (LEAST + "accept: [{finding: x}]", "missing-key", "", "reason"),
        (
            LEAST + "accept: [{finding: x, reason: a}, {finding: x, reason: b}]",
            "duplicate-key",
            "x",
            "keep one",
        ),
        (LEAST + "not_encodable: [{rule: x, reason: ~}]", "wrong-shape", "~", ""),
        (LEAST + "accept: [{finding: x, reason: ' '}]", "wrong-shape", "' '", "another reader"),
        (LEAST + "check: [x]", "wrong-shape", "[x]", "key: value"),
        (LEAST + "check: {selct: [x]}", "unknown-key", "selct", "did you mean `select`?"),
        (LEAST + "check: {level: {RK4: grave}}", "wrong-shape", "grave", "write `error`, `warning`, `note`"),
        (LEAST + "not_encodable: [x]", "wrong-shape", "x", ""),
    ],
)
def test_a_mistake_is_told_where_it_is(text: str, name: str, under: str, hint: str) -> None:
    """The finding underlines the mistake and says what to do."""
    _, told = manifest(text)

    assert [name] == codes(told)
    assert under == underlined(text, told[0])
    assert hint in (told[0].hint or "")


@pytest.mark.parametrize("text", ["", "- 1", "word", "[", "\x00"])
def test_what_is_no_manifest_is_told(text: str) -> None:
    """Any text gives a manifest or findings."""
    found, told = manifest(text)

    assert found is None
    assert told
