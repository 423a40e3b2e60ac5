"""Commands on rules that would run for years end within minutes of a processor and a gigabyte of memory."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from tests.unit.cli.running import COMMAND, environment
from tests.unit.runtime.play.test_budget import HOSTILE, MANIFEST

SECONDS, BYTES = 180, 2**30
"""A game may take all of its budget, which is work, not time: a slow machine needs longer for it."""
QUICK = ("every in every", "doubling definitions of a state", "doubling procedures that change")
LOOKING = ("check", "compile", "show ir", "show python", "show model", "options")
"""Commands that do not play."""
PLAYING = (
    ("run", "play"),
    ("play", "--agents random"),
)
"""Commands that play one game, and what follows the set."""
PLAYING_MORE = (
    ("check", "--play 1"),
    ("coverage", "--games 2"),
    ("test", ""),
    ("test", "--mutate --sample 2 --jobs 1"),
    ("test", "--vacuous"),
)
"""Commands that play several games, or examples."""
EXAMPLE = """
example "a game":
    when do play
    then 1 = 1
"""


def limit() -> None:
    """Limit the process that is about to begin."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def ended(folder: Path, name: str, before: str, after: str = "") -> tuple[int, str]:
    """The code and the errors of a command on a hostile set, under the limits."""
    (folder / "a.rules").write_text(HOSTILE[name], encoding="utf-8")
    if before == "test":
        (folder / "examples").mkdir()
        (folder / "examples" / "a.rules").write_text(EXAMPLE, encoding="utf-8")
    (folder / "ruleset.yaml").write_text(MANIFEST["ruleset.yaml"], encoding="utf-8")
    command = [*COMMAND, *before.split(), str(folder), *after.split()]
    run = subprocess.run(
        command, env=environment(), preexec_fn=limit, capture_output=True, text=True, check=False
    )
    return run.returncode, run.stderr


@pytest.mark.parametrize("command", LOOKING)
def test_commands_that_do_not_play(tmp_path: Path, command: str) -> None:
    """They work nothing out that the rules make large."""
    for name in QUICK[1:]:
        code, errors = ended(tmp_path, name, command)

        assert code in (0, 1), errors
        assert "Traceback" not in errors


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), PLAYING)
@pytest.mark.parametrize("name", QUICK)
def test_commands_that_play(tmp_path: Path, name: str, before: str, after: str) -> None:
    """They end in the fault, or report it."""
    code, errors = ended(tmp_path, name, before, after)

    assert code in (1, 2), errors
    assert "Traceback" not in errors and "MemoryError" not in errors


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), PLAYING_MORE)
def test_commands_that_play_more(tmp_path: Path, before: str, after: str) -> None:
    """They end too: in the fault, with a sentence about it, or with an example that is not judged."""
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "text.tsv").write_text("id\tkind\tsummary\n1\trule\tA rule.\n", encoding="utf-8")
    code, errors = ended(tmp_path, "doubling procedures that change", before, after)

    assert code in ((0,) if "vacuous" in after else (1, 2)), errors
    assert "Traceback" not in errors and "MemoryError" not in errors
