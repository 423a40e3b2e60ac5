"""A game of cards at the table: what stands on the cards is shown, and no person reads another's hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli.running import ROOT, rulekit

CARDS = ROOT / "examples" / "cards" / "two-lanterns"
SILK, GOSSIP, TEA = (
    'Silk: "Land it at low water."',
    'Harbour Gossip: "Look at the other hand."',
    'Tea: "Land it. The parson pays on Sundays."',
)


def played(*typed: str, more: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    """The log of a game with these lines typed, and what the person is asked and told."""
    lines = "".join(f"{line}\n" for line in typed)
    ran = rulekit("play", CARDS, "--seed", "3", *more, typed=lines)
    return _lines(ran.out), _lines(ran.err)


def _lines(text: str) -> list[str]:
    return [" ".join(line.removeprefix("> ").split()) for line in text.splitlines()]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saves go to the working directory."""
    monkeypatch.chdir(tmp_path)


def test_answers_have_their_texts() -> None:
    _, asked = played()
    assert [f"1 {TEA}", "7 none"] == [asked[1], asked[7]]


def test_two_persons_at_one_table() -> None:
    """All see that Fox has drawn, and how many; who draws what, nobody reads."""
    log, _ = played()
    assert ["3.1 deck: 1 drawn in secret", "3.1 Fox hand: hidden"] == log[3:5]
    assert (6, 5) == (log.count("3.1 Fox hand: hidden"), log.count("3.1 Heron hand: hidden"))
    assert not [line for line in log if '"' in line]


def test_one_person_sees_the_own_hand() -> None:
    log, _ = played(more=("--agent", "Heron=random"))
    drawn = log.index("3.1 deck: Silk drawn")
    assert [SILK, "3.1 Fox hand: Silk added"] == log[drawn + 1 : drawn + 3]
    assert 5 == log.count("3.1 Heron hand: hidden")


def test_a_card_is_read_once() -> None:
    """Its text is below the first line of the log that names it, and below no other."""
    log, _ = played("Silk", "Harbour Gossip", "Tea")
    assert SILK == log[log.index("3.2 Fox, card: Silk") + 1]
    assert GOSSIP == log[log.index("3.2 Heron, card: Harbour Gossip") + 1]
    assert TEA == log[log.index("4.3 Fox hand revealed: Tea, Coffee, Lace, Pearls, False Lantern") + 1]
    assert TEA != log[log.index("3.2 Fox, card: Tea") + 1]


def test_show() -> None:
    """A card with its text and where it lies, as far as Heron may know; hands of others by number."""
    _, told = played("Silk", "show Silk", "show Tea", "show hand", "show deck")
    silk, tea = told.index("Silk (Card)"), told.index("Tea (Card)")
    assert ['"Land it at low water."', "deed Goods; worth 4", "now: in Fox landed"] == told[
        silk + 1 : silk + 4
    ]
    assert not told[tea + 3].startswith("now:")
    assert "Fox: 5, hidden" == told[told.index("hand:") + 1]
    assert "deck: 12, hidden" in told


def test_why() -> None:
    """A card that cannot be played, with its text."""
    _, told = played("Silk", "why Silk")
    assert "not in hand of Heron [3.2]" in told
    assert SILK in told
