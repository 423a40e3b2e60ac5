"""The JSON schema of programs follows the classes of the IR."""

from __future__ import annotations

from pathlib import Path

from rulekit.ir import schema

FILE = Path(__file__).parents[3] / "schemas" / "ir.schema.json"


def test_the_file_is_what_the_classes_give() -> None:
    """After a change of the IR, write `rulekit.ir.schema.text()` to the file."""
    assert schema.text() == FILE.read_text(encoding="utf-8")
