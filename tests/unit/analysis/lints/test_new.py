"""A new lint: what the generator writes works at once, in a copy of the working directory."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulekit.analysis.new import NewLint, NotPossible, write_lint

ROOT = Path(__file__).parents[4]
PARTS = ("rulekit", "grammar", "docs", "tests", "benchmarks", "pyproject.toml", "schemas")
TESTS = (
    "tests/unit/analysis/lints/test_nameless_state.py",
    "tests/unit/diagnostics",
    "tests/unit/spec/test_numbers.py",
    "tests/unit/benchmarks/test_faults.py::test_fault[RK499/nameless-state]",
    "tests/language/test_language.py",
)
REGISTRY = "rulekit/diagnostics/kinds.py"
SELECTED = "nameless or RK499 or every or kind or registry or found_in or chapter or sorted"
LINT = NewLint("nameless-state", "RK499", "declarations", "a state without a name", "0.2.0")


def copy(folder: Path) -> Path:
    """A copy of what the generator reads, and its tests need."""
    left_out = shutil.ignore_patterns("__pycache__", ".*", "sheets-of")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=left_out)
        else:
            shutil.copyfile(ROOT / part, folder / part)
    return folder


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with a new lint."""
    folder = copy(tmp_path_factory.mktemp("copy"))
    write_lint(LINT, folder)
    return folder


@pytest.mark.slow
def test_what_it_writes_passes_its_tests(written: Path) -> None:
    """Registry, page, specification, language test, unit test and seeded fault agree from the start."""
    environment = {**os.environ, "PYTHONPATH": str(written)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", SELECTED, *TESTS]
    ran = subprocess.run(command, cwd=written, env=environment, capture_output=True, text=True, check=False)

    assert 0 == ran.returncode, ran.stdout[-3000:] + ran.stderr[-1000:]
    assert re.search(r"\d+ passed", ran.stdout)


def test_the_kind_is_at_the_place_of_its_code(written: Path) -> None:
    """Between the kinds of the codes around it."""
    registry = (written / REGISTRY).read_text()
    codes = re.findall(r'^\w+ = _\w+\(\s*"(RK\d{3})"', registry, re.MULTILINE)

    assert codes == sorted(codes) and "RK499" in codes


@pytest.mark.parametrize(
    ("name", "code"), [("table-gap", "RK499"), ("other", "RK401"), ("Other", "RK499"), ("other", "RK9")]
)
def test_it_refuses_what_is_taken(name: str, code: str, tmp_path: Path) -> None:
    """A code or a name that another kind has, or that is none, changes nothing."""
    (tmp_path / "rulekit/diagnostics").mkdir(parents=True)
    (tmp_path / "docs/diagnostics").mkdir(parents=True)
    (tmp_path / "docs/spec").mkdir()
    for file in (REGISTRY, "docs/diagnostics/_template.md", "docs/spec/04-components.md"):
        shutil.copyfile(ROOT / file, tmp_path / file)
    before = (tmp_path / REGISTRY).read_text()

    with pytest.raises(NotPossible):
        write_lint(NewLint(name, code, "declarations", "something", "0.2.0"), tmp_path)
    assert before == (tmp_path / REGISTRY).read_text()
