"""What ships with rulekit is found from anywhere: grammar, rule sets, schemas, pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulekit.base import resources


def test_the_grammar_is_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory does not matter."""
    monkeypatch.chdir(tmp_path)

    assert "start:" in resources.grammar_text()
    assert "Findings of rulekit" == resources.schema("diagnostics")["title"]


def test_an_installed_package_uses_its_own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `_share` is, everything is read from there."""
    share = tmp_path / "rulekit" / "_share"
    (share / "grammar").mkdir(parents=True)
    (share / "grammar" / "rules.lark").write_text("start: installed\n")
    (share / "schemas").mkdir()
    (share / "schemas" / "x.schema.json").write_text(json.dumps({"title": "x"}))
    (share / "parser-tables").write_bytes(b"tables")
    monkeypatch.setattr(resources, "PACKAGE", tmp_path / "rulekit")

    assert "start: installed\n" == resources.grammar_text()
    assert {"title": "x"} == resources.schema("x")
    assert b"tables" == resources.parser_tables()
    assert share / "rules" == resources.rules_folder()


def test_an_editable_install_has_its_tables_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They lie with the environment's data; without them they are worked out and kept in the cache."""
    monkeypatch.setattr(resources.sys, "prefix", str(tmp_path))
    assert not (resources.PACKAGE / "_share").is_dir()
    assert resources.parser_tables() is None

    (tmp_path / "share" / "rulekit").mkdir(parents=True)
    (tmp_path / "share" / "rulekit" / "parser-tables").write_bytes(b"tables")
    assert b"tables" == resources.parser_tables()


def test_a_schema_that_is_not_there_is_an_error() -> None:
    """Asking for one is a mistake of ours, not of a user."""
    with pytest.raises(FileNotFoundError):
        resources.schema("nothing")
