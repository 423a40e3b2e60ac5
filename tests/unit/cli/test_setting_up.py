"""A long set-up that no printed rule stands behind is told in short."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli.running import rulekit

RULES = """\
piece Ship:
    members {ships}
    state armor: 0..999
scenario year:
    for each s in Ship: add 1 + count of (Ship where its armor > 0) to s.armor
    set Ship_1.armor to 9                                   [1]
sequence play:
    step one: add 1 to Ship_1.armor
"""
MANIFEST = 'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n'


@pytest.mark.parametrize(("ships", "more"), [(40, ""), (55, "          and 15 more; a log has them all")])
def test_a_long_set_up_is_cut(tmp_path: Path, ships: int, more: str) -> None:
    """Forty lines are told, of the others their number; what has a rule, and what is played, is told."""
    (tmp_path / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "play.rules").write_text(RULES.format(ships=ships))

    lines = rulekit("play", tmp_path, "--seed", "1").out.splitlines()

    assert lines[41:43] == (
        [more, "       1  Ship 1 armor: 9"] if more else ["       1  Ship 1 armor: 9", "- one"]
    )
    assert "          Ship 1 armor 9 → 10" in lines
