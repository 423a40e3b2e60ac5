"""Commands on rules that would run for years end within a minute of a processor and a gigabyte of memory."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from tests.unit.cli.running import COMMAND, environment
from tests.unit.runtime.play.test_budget import HOSTILE, MANIFEST

SECONDS, BYTES = 60, 2**30
QUICK = ("every in every", "doubling definitions of a state", "doubling procedures that change")
LOOKING = (("check",), ("compile",), ("show", "ir"), ("show", "python"))
"""Commands that do not play."""
PLAYING = ((("run",), ("play",)), (("play",), ("--agents", "random")))


def limit() -> None:
    """Limit the process that is about to begin."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def ended(folder: Path, name: str, before: tuple[str, ...], after: tuple[str, ...]) -> tuple[int, str]:
    """The code and the errors of a command on a hostile set, under the limits."""
    (folder / "a.rules").write_text(HOSTILE[name], encoding="utf-8")
    (folder / "ruleset.yaml").write_text(MANIFEST["ruleset.yaml"], encoding="utf-8")
    command = [*COMMAND, *before, str(folder), *after]
    run = subprocess.run(
        command, env=environment(), preexec_fn=limit, capture_output=True, text=True, check=False
    )
    return run.returncode, run.stderr


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
def test_commands_that_do_not_play(tmp_path: Path, command: tuple[str, ...]) -> None:
    """They work nothing out that the rules make large."""
    for name in QUICK[1:]:
        code, errors = ended(tmp_path, name, command, ())

        assert code in (0, 1), errors
        assert "Traceback" not in errors


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), PLAYING)
@pytest.mark.parametrize("name", QUICK)
def test_commands_that_play(
    tmp_path: Path, name: str, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """They end in the fault, or report it."""
    code, errors = ended(tmp_path, name, before, after)

    assert code in (1, 2), errors
    assert "Traceback" not in errors and "MemoryError" not in errors
