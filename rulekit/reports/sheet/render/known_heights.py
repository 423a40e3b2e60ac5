"""Heights of blocks that were measured before, in this process or an earlier one.

A height follows from the block's own words, its width, and what the whole sheet has in common: the theme, the
paper, the words around the rules, the templates, the fonts, and Typst itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

import typst

from rulekit.base.cache import key_of
from rulekit.base.results import ResultStore, ResultTable, plain_table, same
from rulekit.reports.sheet.render.theme import FONTS, HOME

MOST = 2_000
"""Measurements that are kept of the sheets that have all but their blocks in common."""
TABLES = 32
"""Tables of measurements that a process keeps in memory."""


@lru_cache(TABLES)
def known_heights(common: str, scale: float, fonts: tuple[Path, ...] = ()) -> ResultTable[Sequence[float]]:
    """Return what is known of blocks in a size of type, by the keys under which it was put there.

    Args:
        common: All that heights depend on beside the block, its width and the size of type.
        fonts: Folders with fonts of the theme's own.
    """
    folders = (HOME / "typst", Path(typst.__file__).parent, FONTS, *fonts)
    return ResultTable(_STORE, key_of(common, str(scale), *_files(folders)), MOST)


def _decode(plain: Any) -> Mapping[str, Sequence[float]]:
    table = plain_table(plain)
    for numbers in table.values():
        if not numbers or not all(
            isinstance(number, (int, float)) and isfinite(number) for number in numbers
        ):
            raise ValueError("not a table of measurements")
    return table


_STORE: ResultStore[Mapping[str, Sequence[float]]] = ResultStore("heights", same, _decode)


@lru_cache(TABLES)
def _files(folders: tuple[Path, ...]) -> tuple[str, ...]:
    """The files of folders, with what changes when one is replaced."""
    paths = (path for folder in folders for path in sorted(folder.rglob("*")))
    files = ((path, path.stat()) for path in paths)
    return tuple(f"{path}:{about.st_size}:{about.st_mtime_ns}" for path, about in files)
