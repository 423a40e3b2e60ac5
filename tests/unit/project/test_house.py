"""What the house promises of itself, where it can be checked cheaply."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulekit.base.source import Source
from rulekit.diagnostics import Report
from rulekit.ruleset import parse_manifest

ROOT = Path(__file__).parents[3]
MODULES = sorted((ROOT / "rulekit").rglob("*.py"))
LONGEST_FUNCTION = 90


def test_functions_are_seen_whole() -> None:
    """Half of all functions have at most six lines of body, nine of ten at most eighteen, and none a page."""
    lengths = sorted(
        node.end_lineno - node.body[0].lineno + 1
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None
    )

    assert lengths[len(lengths) // 2] <= 6
    assert lengths[len(lengths) * 9 // 10] <= 18
    assert lengths[-1] <= LONGEST_FUNCTION


def test_the_package_names_no_game() -> None:
    """Games live in `rules/`: neither their ids nor their titles occur in the package."""
    names = set()
    for path in (ROOT / "rules").glob("*/ruleset.yaml"):
        manifest = parse_manifest(Source(path.name, path.read_text(encoding="utf-8")), Report())
        assert manifest is not None, f"{path} cannot be read"
        names |= {manifest.id.lower(), manifest.title.lower()}
    found = [
        (path.relative_to(ROOT).as_posix(), name)
        for path in MODULES
        for name in names
        if re.search(rf"\b{re.escape(name)}\b", path.read_text(encoding="utf-8").lower())
    ]

    assert [] == found


LIGHT = ["rulekit", "rulekit.ruleset", "rulekit.diagnostics", "rulekit.base.cache", "rulekit.base.resources"]
LIGHT += ["rulekit.reports.sheet", "rulekit.reports.sheet.model.document"]
LIGHT += ["rulekit.reports.sheet.model.messages", "rulekit.reports.sheet.render.formats"]


@pytest.mark.parametrize("module", LIGHT)
def test_importing_loads_nothing_heavy(module: str) -> None:
    """What only some runs need is loaded by those."""
    heavy = ["jsonschema", "ruamel", "rich", "click", "lark", "z3", "hypothesis"]
    heavy += ["typst", "jinja2", "pikepdf"]
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"

    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)

    assert "[]\n" == shown.stdout


def test_python_is_found_or_missed_in_words(tmp_path: Path) -> None:
    """A launcher for an absent version is passed over; without any Python there is one clear line."""
    fake = tmp_path / "python3"
    fake.write_text("#!/bin/sh\necho no such version >&2\nexit 127\n")
    fake.chmod(0o755)
    script = ROOT / ".ci" / "find-python"

    missed = subprocess.run(["/bin/sh", script], env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    found = subprocess.run(
        ["/bin/sh", script],
        env={"PYTHON": f"python3 {sys.executable}", "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert (1, "") == (missed.returncode, missed.stdout)
    assert 1 == len(missed.stderr.splitlines()) and "3.11" in missed.stderr
    assert (0, sys.executable) == (found.returncode, found.stdout.strip())
