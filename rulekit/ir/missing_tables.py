"""Owner data that is missing: tables without numbers, or with those of a sampler; their columns and rows."""

from __future__ import annotations

import itertools
import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from rulekit.ir import Program, StaticTable

WIDTH = 100
MOST_ROWS = 1_000
"""Rows of a table that are written one by one; a larger table has a row for each run of numbers."""
EMPTY = "~"
_HELD = "\N{NO-BREAK SPACE}"

_PLAIN = re.compile(r"[A-Za-z0-9][\w./'&() +-]*", re.ASCII)
_READ_OTHERWISE = re.compile(r"[+-]?[\d.][\d._]*([eE][+-]?\d+)?|0[xXoO].*|true|false|null|~", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+")
_READ_AS_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)")


def without_numbers(tables: Iterable[StaticTable], file: str = "") -> tuple[StaticTable, ...]:
    """Return the tables without numbers, in their order: all, or those of one file."""
    return tuple(one for one in tables if one.missing and file in ("", one.missing))


def made_up_or_missing(tables: Iterable[StaticTable]) -> tuple[StaticTable, ...]:
    """Return the tables that want the owner's numbers, in their order: with a sampler's, or without any."""
    return tuple(one for one in tables if owner_file(one))


def owner_file(table: StaticTable) -> str:
    """Return the missing owner's file that would hold a table; empty where none is missing."""
    return table.missing or table.made_up_for


def made_up_files(program: Program) -> tuple[str, ...]:
    """Return the missing files of the owner that samplers replace, each once."""
    kinds = (kind.missing for kind in program.kinds)
    tables = (table.made_up_for for table in program.made_up_tables)
    return tuple(dict.fromkeys(file for file in (*kinds, *tables) if file))


def made_up_words(program: Program) -> tuple[str, ...]:
    """Return what is made up: the names of extern kinds, and how many tables."""
    number = len(program.made_up_tables)
    tables = (f"{number} tables",) if number > 1 else map(name_of, program.made_up_tables)
    return (*program.made_up, *tables)


def name_of(table: StaticTable) -> str:
    """Return the name that the rules and the file give a table."""
    return table.name.removeprefix("table:")


def describe(tables: Sequence[StaticTable]) -> str:
    """Describe the file that would hold some tables: each with its columns and the keys of its rows."""
    rows = sum(_rows(table) for table in tables)
    numbers = sum(_rows(table) * _results(table) for table in tables)
    files = ", ".join(f"`{file}`" for file in dict.fromkeys(table.missing for table in tables))
    many = "a table" if len(tables) == 1 else f"{len(tables)} tables"
    lines = [f"{files} is to hold {many}: {rows:,} rows with {numbers:,} numbers", "", FORMAT_LINE, "tables:"]
    for table in tables:
        lines += _head(table)
        lines.append(f"    rows:  # {_rows(table):,}, {_each(table)}")
        for key, values in zip(table.columns, table.listed, strict=False):
            lines += _comment(key, _runs(values))
    return "\n".join(lines)


def template(tables: Sequence[StaticTable], populations: Sequence[str] = ()) -> str:
    """Return a data file with these tables to fill in: a row of empty cells for each combination of keys.

    Args:
        populations: Lines of populations to fill in, which come first.
    """
    lines = [FORMAT_LINE, *(("populations:", *populations) if populations else ())]
    lines += ["tables:"] if tables else ()
    for table in tables:
        lines += [*_head(table), "    rows:"]
        blank = [EMPTY] * _results(table)
        lines += [f"      - [{', '.join([*map(yaml_cell, keys), *blank])}]" for keys in _combinations(table)]
    return "\n".join(lines) + "\n"


FORMAT_LINE = "format: 1"


def _head(table: StaticTable) -> Iterator[str]:
    """Yield the lines with a table's name and its columns."""
    yield f"  {name_of(table)}:"
    if _results(table) > 1:
        yield f"    keys: {len(table.listed)}"
    columns = f"    columns: [{', '.join(table.columns)}]"
    yield from textwrap.wrap(columns, WIDTH, subsequent_indent=" " * 6, break_long_words=False)


def _results(table: StaticTable) -> int:
    return len(table.columns) - len(table.listed)


def _rows(table: StaticTable) -> int:
    return math.prod(map(len, table.listed))


def _each(table: StaticTable) -> str:
    """Return the words for one row."""
    keys = table.columns[: len(table.listed)]
    return f"one for each `{keys[0]}`" if len(keys) == 1 else f"one for each combination of {', '.join(keys)}"


def _comment(key: str, values: Iterable[str]) -> list[str]:
    """Return values as comments of a readable width, without a break inside a name."""
    text = f"{key}: " + ", ".join(value.replace(" ", _HELD) for value in values)
    rows = textwrap.wrap(text, WIDTH - 10, break_long_words=False, break_on_hyphens=False)
    return [f"      # {'  ' if number else ''}{row.replace(_HELD, ' ')}" for number, row in enumerate(rows)]


def _combinations(table: StaticTable) -> Iterator[tuple[str, ...]]:
    short = _rows(table) <= MOST_ROWS
    return itertools.product(*(values if short else _runs(values) for values in table.listed))


def _runs(values: Sequence[str]) -> list[str]:
    """Return the values; three and more numbers in sequence become a range."""
    runs: list[list[str]] = []
    for value in values:
        if runs and _follows(runs[-1][-1], value):
            runs[-1].append(value)
        else:
            runs.append([value])
    return [text for run in runs for text in ([f"{run[0]}..{run[-1]}"] if len(run) > 2 else run)]


def _follows(one: str, other: str) -> bool:
    return bool(_NUMBER.fullmatch(one) and _NUMBER.fullmatch(other)) and int(other) == int(one) + 1


def yaml_cell(text: str) -> str:
    """Return a cell in YAML: in quotes where it would be read as something else."""
    if _READ_AS_NUMBER.fullmatch(text) or ".." in text or text in ("true", "false"):
        return text
    plain = _PLAIN.fullmatch(text) and not _READ_OTHERWISE.fullmatch(text) and not text.endswith(" ")
    return text if plain else "'" + text.replace("'", "''") + "'"
