"""The schemas of what authors and publishers write agree with what is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from rulekit.base.resources import rules_folder
from rulekit.reports.sheet.model.settings import SORTS
from rulekit.reports.sheet.render.theme import COLOURS, HOME, known_themes, read_theme

SCHEMAS = rules_folder().parent / "schemas"


def schema(name: str) -> Any:
    """A published schema."""
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


def plain(path: Path) -> Any:
    """A YAML file as plain data."""
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "path", sorted(rules_folder().glob("*/sheet.yaml")), ids=lambda path: path.parent.name
)
def test_settings_are_as_their_schema_says(path: Path) -> None:
    """Every set's wishes."""
    jsonschema.validate(plain(path), schema("sheet-settings"))


@pytest.mark.parametrize("name", known_themes())
def test_themes_are_as_their_schema_says(name: str) -> None:
    """Every theme that comes with rulekit; and it is read without fault."""
    jsonschema.validate(plain(HOME / "themes" / f"{name}.yaml"), schema("theme"))
    assert set(COLOURS) == set(read_theme(name).data["colours"])


def test_schemas_know_what_is_read() -> None:
    """Sorts of blocks, and colours."""
    blocks = schema("sheet-settings")["$defs"]["blocks"]["items"]["anyOf"]
    assert sorted(SORTS) == sorted(blocks[0]["enum"])
    assert set(SORTS) <= set(blocks[1]["properties"])
    assert sorted(COLOURS) == sorted(schema("theme")["properties"]["colours"]["properties"])


@pytest.mark.parametrize("name", known_themes())
def test_states_differ_without_colour(name: str) -> None:
    """With all tints white, and in grey, sides differ: the marks' shapes do, whatever the theme says.

    What a theme can lose is contrast: words and their ground differ by at least 4.5 to 1.
    """
    data = read_theme(name).data
    colours = data["colours"]
    for ink, ground in (
        ("ink", "#ffffff"),
        ("muted", "#ffffff"),
        ("ink", colours["tint"]),
        ("ink", colours["zebra"]),
        ("head-ink", colours["head"]),
        ("instead-ink", colours["instead"]),
    ):
        assert contrast(colours[ink], ground) >= 4.5, (ink, ground)
    for side in data["sides"]:
        assert contrast(side["ink"], side["tint"]) >= 4.5


def contrast(first: str, second: str) -> float:
    """How far two colours are apart in lightness, as WCAG counts it."""

    def light(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        line = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]

    high, low = sorted((light(first), light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
