"""Rule sets of a few lines with options, written into a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.unit.cli.running import rulekit

BASE = """enum Side: Red, Blue
value hand: 5
value limit: 9
state turn: 1..9 = 1
table effect(roll: 1..6) -> 0..9:
    | roll | result |
    | ..3  | 0      |
    | 4..  | 1      |
sequence play:
    repeat 2 times:
        add 1 to turn
    finish hand
"""


QUIET = ("--no-notes", "--ignore", "RK43")
"""Not to be told what a set of a few lines does not use."""


def made(
    folder: Path, options: Mapping[str, str], presets: str = "", base: str = BASE, more: str = ""
) -> Path:
    """A set in a folder made for it; its options by their names, `presets` as YAML after `presets:`."""
    folder = folder / "game"
    (folder / "options").mkdir(parents=True)
    listed = f"options: [{', '.join(options)}]\n" if options else ""
    chosen = f"presets: {presets}\n" if presets else ""
    head = 'id: game\ntitle: Game\nlanguage: "0.2"\nsequence: play\nsides: Side\n'
    (folder / "ruleset.yaml").write_text(f"{head}{listed}{chosen}{more}")
    (folder / "game.rules").write_text(base)
    for name, text in options.items():
        (folder / "options" / f"{name}.rules").write_text(text)
    return folder


def checked(folder: Path, *more: str) -> list[dict[str, Any]]:
    """What a check finds, but for notes; and that its exit code says so."""
    ran = rulekit("check", folder, *QUIET, "--output-format", "json", *more)
    found: list[dict[str, Any]] = json.loads(ran.out)["findings"]
    assert (1 if found else 0, "") == (ran.code, ran.err)
    return found
