"""libyaml against ruamel.yaml's own reader: on data files, and on pieces with something out of place."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from rulekit.ruleset.yaml import quick_events

ROOT = Path(__file__).parents[3]
FILES = sorted(path for folder in ("rules", "tests") for path in (ROOT / folder).rglob("*.yaml"))
PLACE = ("line", "column")


def plain(events: Iterable[Any]) -> list[object]:
    """What is read of events."""
    return [
        (
            type(event).__name__,
            getattr(event, "value", None),
            bool(getattr(event, "style", None)),
            [getattr(mark, name) for mark in (event.start_mark, event.end_mark) for name in PLACE],
        )
        for event in events
    ]


def slowly(text: str) -> list[object] | None:
    try:
        return plain(YAML(typ="safe", pure=True).parse(text))
    except (YAMLError, ValueError):
        return None


def test_every_data_file() -> None:
    read = [quick_events(path.read_text(encoding="utf-8")) for path in FILES]

    for path, quick in zip(FILES, read, strict=True):
        if quick is not None:
            assert plain(quick) == slowly(path.read_text(encoding="utf-8")), path
    assert sum(quick is not None for quick in read) > len(FILES) * 0.8


@pytest.mark.parametrize("seed", range(4))
def test_spoiled_pieces(seed: int) -> None:
    luck = random.Random(seed)
    texts = [path.read_text(encoding="utf-8").split("\n") for path in FILES]
    signs = (*" \t\n[]{}'\"#,:-&*!|>%@`?~=é\\", ": ", "- ", "\n  ", "")
    agreed = 0
    for _ in range(250):
        lines = luck.choice(texts)
        first = luck.randrange(len(lines))
        text = "\n".join(lines[first : first + 8]) + "\n"
        begin = luck.randrange(len(text))
        end = begin + luck.choice((0, 1, 1, 4))
        text = text[:begin] + luck.choice(signs) + text[end:]
        quick = quick_events(text)
        if quick is not None:
            assert plain(quick) == slowly(text), text
            agreed += 1
    assert agreed > 60
