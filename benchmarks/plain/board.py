"""What is printed on board and counters, read once from the rule set's data files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

JAPAN, ALLIES = SIDES = (0, 1)
SIDE_NUMBERS = {"Japan": JAPAN, "Allies": ALLIES, None: None}
SIDE_COLUMNS = ("side", "owner", "original_owner", "controller")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Board:
    """Rows of the data files, in order, with sides as numbers; everything else as printed."""

    ships: list[Row]
    air_units: list[Row]
    amphibious: list[Row]
    submarines: list[Row]
    areas: list[Row]
    ports: list[Row]
    bases: list[Row]


def read_board(folder: Path) -> Board:
    """The board of a rule set's `data` folder."""
    rows: dict[str, list[Row]] = {}
    for name in ("ships", "units", "map"):
        populations = YAML(typ="safe").load(folder / f"{name}.yaml")["populations"]
        for kind, table in populations.items():
            rows[kind] = [_row(table["columns"], row) for row in table["rows"]]
    return Board(
        rows["Ship"],
        rows["AirUnit"],
        rows["Amphibious"],
        rows["Submarine"],
        rows["Area"],
        rows["Port"],
        rows["Base"],
    )


def _row(columns: list[str], row: Row) -> Row:
    printed = dict(zip(columns, row["row"], strict=True))
    return printed | {key: SIDE_NUMBERS[printed[key]] for key in SIDE_COLUMNS if key in printed}
