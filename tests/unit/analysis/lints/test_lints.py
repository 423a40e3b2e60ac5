"""Lints are found by themselves, and share what they ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis import lints
from rulekit.analysis.check import check
from rulekit.analysis.lints import all_lints
from rulekit.analysis.prove import Prover
from rulekit.reports.sheet import lint as lint_of_sheets

ROOT = Path(__file__).parents[4]
FOLDER = Path(lints.__file__).parent


def test_every_module_in_a_folder_is_a_lint() -> None:
    """A new module needs no entry in any list."""
    modules = [path for path in sorted(FOLDER.glob("*/*.py")) if path.name != "__init__.py"]

    assert [path.stem for path in modules] == [lint.__name__.rpartition(".")[2] for lint in all_lints()]
    assert all(isinstance(lint.WHEN, lints.Occasion) for lint in all_lints())


def test_lints_handed_in_run_beside_them(tmp_path: Path) -> None:
    """The lint of sheets comes from a package above: whoever checks hands it in."""
    (tmp_path / "ruleset.yaml").write_text('id: text\ntitle: Text\nlanguage: "0.2"\n')
    (tmp_path / "rules.rules").write_text("state fuel: 0..9\n")
    (tmp_path / "sheet.yaml").write_text("sides:\n  - parts:\n      - no_such_part\n")

    assert () == check(tmp_path).diagnostics
    assert () != check(tmp_path, lints=(lint_of_sheets,)).diagnostics


@pytest.mark.parametrize("folder", ["harbour", pytest.param("vitp", marks=pytest.mark.slow)])
def test_proofs_ask_nothing_twice(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check with a list of proofs searches no more than one without: both work with the same verdicts."""
    searches: list[object] = []
    search = Prover._find

    def counted(self: Prover, *arguments: object, **more: object) -> object:
        searches.append(arguments)
        return search(self, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Prover, "_find", counted)
    home = next(path for path in (ROOT / "tests/sets" / folder, ROOT / "rules" / folder) if path.is_dir())
    check(home, remember=False)
    alone = len(searches)
    proofs = check(home, remember=False, proofs=True).proofs

    assert proofs
    assert alone == len(searches) - alone
