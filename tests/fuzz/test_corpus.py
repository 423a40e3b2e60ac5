"""Every input that ever failed, and those of known attacks, keep the promises now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.family import failure_of
from tests.fuzz.runner import BY_NAME, CORPUS, own_environment

INPUTS = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in own_environment().items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_input_of_the_corpus_keeps_the_promises(path: Path) -> None:
    """Its folder names its family."""
    assert failure_of(BY_NAME[path.parent.name], path.read_bytes()) is None


def test_every_family_has_inputs() -> None:
    """So that each is at least run."""
    assert set(BY_NAME) == {path.parent.name for path in INPUTS}
