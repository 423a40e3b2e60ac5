"""Results kept from one run to the next: found again under their key, bounded, and never trusted blindly."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rulekit.base import cache, results
from rulekit.base.results import ResultStore, ResultTable, code_digest, plain_table, same

SQUARES: ResultStore[int] = ResultStore("squares", str, int)
TABLE: ResultStore[Mapping[str, Any]] = ResultStore("table", same, plain_table)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def no_digests() -> Iterator[None]:
    """No digest of code is known."""
    code_digest.cache_clear()
    yield
    code_digest.cache_clear()


def test_a_result_is_found_under_its_key() -> None:
    """And under no other."""
    SQUARES.put("3", 9)

    assert (9, None) == (SQUARES.get("3"), SQUARES.get("4"))


@pytest.mark.parametrize("entry", [b"", b"{", b'"nine"', b"[1, 2]", b"null"])
def test_what_does_not_decode_is_a_miss(entry: bytes) -> None:
    """Whoever wrote it."""
    cache.put("squares", "3", entry)

    assert SQUARES.get("3") is None


def test_a_table_is_written_when_something_is_new() -> None:
    """With what was there before."""
    first = ResultTable(TABLE, "set", 10)
    first.put("a", 1)
    first.save()
    second = ResultTable(TABLE, "set", 10)
    second.put("b", 2)
    second.save()

    third = ResultTable(TABLE, "set", 10)
    assert [1, 2, None] == [third.get(name) for name in "abc"]


def test_a_table_keeps_those_asked_for_last() -> None:
    """Up to its bound."""
    first = ResultTable(TABLE, "set", 2)
    for name in "ab":
        first.put(name, name)
    first.save()
    second = ResultTable(TABLE, "set", 2)
    second.get("a")
    second.put("c", "c")
    second.save()

    third = ResultTable(TABLE, "set", 2)
    assert ["a", None, "c"] == [third.get(name) for name in "abc"]


def test_a_table_without_a_bound_keeps_what_this_run_used() -> None:
    """Such as the items that a file still has."""
    first = ResultTable(TABLE, "file")
    for name in "ab":
        first.put(name, name)
    first.save()
    second = ResultTable(TABLE, "file")
    second.get("a")
    second.put("c", "c")
    second.save()

    third = ResultTable(TABLE, "file")
    assert ["a", None, "c"] == [third.get(name) for name in "abc"]


def test_a_table_without_a_key_is_never_written(tmp_path: Path) -> None:
    """It knows what this run has put."""
    table = ResultTable(TABLE, None, 10)
    table.put("a", 1)
    table.save()

    assert 1 == table.get("a")
    assert not (tmp_path / "cache").exists()


def test_a_table_takes_over_what_another_process_adds() -> None:
    """It is new here, too."""
    table = ResultTable(TABLE, "set", 10)
    table.add({"a": 1})
    table.save()

    assert 1 == ResultTable(TABLE, "set", 10).get("a")


def test_a_digest_of_code_follows_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_digests: None
) -> None:
    """Not its times; it differs as soon as the text of a module does, or its name."""
    monkeypatch.setattr(results, "PACKAGE", tmp_path / "code")
    module = tmp_path / "code" / "part" / "module.py"
    module.parent.mkdir(parents=True)

    def digest(text: str, time: int, path: Path = module) -> str:
        path.write_text(text)
        os.utime(path, ns=(time, time))
        code_digest.cache_clear()
        return code_digest("part")

    first = digest("1", 10)
    assert first == digest("1", 20)
    assert first != digest("2", 30)
    assert first == digest("1", 40)
    assert first != digest("1", 10, module.with_name("other.py"))
