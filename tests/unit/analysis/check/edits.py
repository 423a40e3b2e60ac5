"""Rule sets that are edited at random, as somebody at work does it: mostly sound, now and then not."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from random import Random

from benchmarks.growth import write
from rulekit.base.language import LANGUAGE

ITEMS = (
    "define more(n: 0..9) -> 0..9: n",
    "define limit_9 -> 0..9: limit_0",
    "state spare: 0..9",
    "enum Weather: Calm, Storm",
    "procedure rest:\n    set turn to 1",
    "modifier calm on roll fire: -1 when turn > 5 [4.7]",
    "table spare_hits(n: 0..9) -> 0..9:\n    | n    | hits |\n    | 0..4 | 0    |\n    | 6..9 | 1    |",
    "invariant late: turn <= 40",
)
"""What somebody writes at the end of a file."""
_BASE = "define hits_now -> 0..9: hits(limit_0)\ndefine luck -> 0..9: hits_now\ndefine plenty -> 0..9: luck\n"
_NUMBER = re.compile(r"\b\d+\b")
_WORD = re.compile(r"\b[a-z]\w*\b")
RICH = {
    "own_side": "    add to enum Side: Green\n",
    "deeper": "    needs lender\n    over lender\n    redefine define hits_now: original() + 2\n",
    "field": "    add to piece Ship:\n        state crew: 0..9\ndefine manned(s: Ship) -> flag: s.crew > 1\n",
    "borrower": "    redefine define luck: 1 + (1 when turn > fuel_mark otherwise 0)\n",
    "lender": "    redefine define hits_now: 2\nvalue fuel_mark: 3\n",
    "never": "    in force while turn < 5 and turn > 7\n    redefine define plenty: 2\n",
    "over_it": "    add to choice target:\n        permit open: ship.damage < 3 over norm_1\n",
    "tabled": "    replace row 0..4 of table hits:\n        | 0..4 | 3 |\n",
}
"""Options that need, widen, borrow, name what others have, or do nothing."""


def several(folder: Path, number: int = 3) -> Path:
    """A set with many options of all sorts."""
    folder.mkdir(parents=True)
    write(folder, number)
    rules = folder / "rules.rules"
    rules.write_text(rules.read_text() + _BASE)
    for name, text in RICH.items():
        (folder / "options" / f"{name}.rules").write_text(f"option {name}:\n{text}")
    names = sorted(path.stem for path in (folder / "options").iterdir())
    manifest = f'id: several\ntitle: Several\nlanguage: "{LANGUAGE}"\noptions: [{", ".join(names)}]\n'
    (folder / "ruleset.yaml").write_text(f"{manifest}presets: {{two: [{names[0]}, {names[-1]}]}}\n")
    return folder


class Editor:
    """Edits a copy of a rule set.

    Args:
        original: What it was copied from.
        damage: How many of ten edits change something that stands there, and mostly break it.
    """

    def __init__(self, folder: Path, original: Path, draw: Random, damage: int = 6) -> None:
        self._folder, self._original, self._draw, self._damage = folder, original, draw, damage

    def edit(self) -> str:
        """One edit; it tells which."""
        draw = self._draw
        files = sorted(path for path in self._original.rglob("*.rules") if "examples" not in path.parts)
        name = draw.choice(files).relative_to(self._original)
        path = self._folder / name
        if draw.random() < 0.3:
            for each in files:
                shutil.copy(each, self._folder / each.relative_to(self._original))
        if not path.exists():
            shutil.copy(self._original / name, path)
            return f"{name} is there again"
        text = path.read_text()
        if draw.randrange(10) >= self._damage:
            item = draw.choice((*ITEMS, f"value number_{draw.randrange(5)}: 3", "# a remark"))
            path.write_text(f"{text}\n{item}\n" if draw.random() < 0.7 else f"{item}\n\n{text}")
            return f"{name}: {item}"
        if draw.random() < 0.05:
            path.unlink()
            return f"{name} is gone"
        lines = text.split("\n")
        place = draw.randrange(len(lines))
        before = lines[place]
        match draw.randrange(4):
            case 0:
                lines[place] = _NUMBER.sub(lambda found: str(int(found[0]) + 1), before, count=1)
            case 1:
                words = _WORD.findall(text)
                lines[place] = _WORD.sub(lambda found: draw.choice(words), before, count=1)
            case 2:
                del lines[place]
            case _:
                lines.insert(place, before)
        path.write_text("\n".join(lines))
        return f"{name}:{place + 1}: {before}"
