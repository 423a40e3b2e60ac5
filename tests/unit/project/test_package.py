"""What is built and installed works from any directory, and carries all it needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PROBE = """
import json, rulekit
from rulekit.base import resources
from rulekit.diagnostics.pages import find
tables = resources.parser_tables()
print(json.dumps({
    "package": rulekit.__file__,
    "grammar": resources.grammar_text(),
    "rules": str(resources.rules_folder()),
    "schema": resources.schema("data")["title"],
    "page": (find("duplicate-row") or "").splitlines()[:1],
    "tables": tables is not None and len(tables),
}))
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run([*command, "--disable-pip-version-check"], check=True)
    (wheel,) = folder.glob("rulekit-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


@pytest.mark.slow
def test_the_wheel_finds_its_own_files(unpacked: Path, tmp_path: Path) -> None:
    """Grammar, rule sets, schemas, pages and parser tables come from inside the package."""
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    shown = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found = json.loads(shown)

    assert str(unpacked / "rulekit" / "__init__.py") == found["package"]
    assert (ROOT / "grammar" / "rules.lark").read_text() == found["grammar"]
    assert str(unpacked / "rulekit" / "_share" / "rules") == found["rules"]
    assert "A data file of a rule set" == found["schema"]
    assert ["# RK641 duplicate-row"] == found["page"]
    assert (ROOT / "rulekit" / "syntax" / "parse" / "write_tables.py").is_file() == bool(found["tables"])


@pytest.mark.slow
def test_the_wheel_carries_every_shared_file(unpacked: Path) -> None:
    """Nothing of the shared folders is left behind, and no rule set's cache or save comes along."""
    for name in ("grammar", "rules", "schemas", "docs/diagnostics"):
        here = {path.relative_to(ROOT / name) for path in (ROOT / name).rglob("*") if path.is_file()}
        there = unpacked / "rulekit" / "_share" / name
        assert here == {path.relative_to(there) for path in there.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_wheel_is_typed_and_has_its_command(unpacked: Path) -> None:
    """`py.typed` is there, and `rulekit` is installed as a command."""
    (about,) = unpacked.glob("rulekit-*.dist-info")

    assert (unpacked / "rulekit" / "py.typed").is_file()
    assert "rulekit = rulekit.__main__:main" in (about / "entry_points.txt").read_text()
    assert (about / "licenses" / "LICENSE").is_file()
