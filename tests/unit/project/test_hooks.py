"""The hooks that other repositories take from this one run, and find what is wrong."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.unit.analysis.check.sets import BROKEN, doubtful, write
from tests.unit.cli.running import DUEL, ROOT, Ran, alone, rulekit

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook
    for hook in YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}


def run(hook: str, *arguments: Path) -> Ran:
    """A hook as it is run: its entry, then the `args` of who uses it; it is given no names of files."""
    program, *words = shlex.split(HOOKS[hook]["entry"])
    assert "rulekit" == program
    return rulekit(*words, *arguments)


def test_hooks_say_what_is_needed() -> None:
    """Each has what must be said; all are whole-set hooks that look where rule sets have files."""
    assert ["rulekit-check", "rulekit-test"] == list(HOOKS)
    for hook in HOOKS.values():
        assert {"id", "name", "description", "entry", "language"} <= set(hook)
        assert ("python", False, True) == (hook["language"], hook["pass_filenames"], hook["require_serial"])
        looks = [
            path.name
            for path in DUEL.rglob("*")
            if path.is_file() and not re.search(hook["files"], path.name)
        ]
        assert [] == looks


@pytest.mark.parametrize("hook", HOOKS)
def test_hooks_pass_what_is_sound(hook: str) -> None:
    """Exit code 0 lets a commit through."""
    assert 0 == run(hook, DUEL).code


def test_hooks_stop_what_is_not(tmp_path: Path) -> None:
    """Another exit code stops it, with the finding; so does a configuration without a set."""
    folder = doubtful(tmp_path / "set")
    failing = 'state fuel: 0..9\nexample "no fuel":\n    when add 1 to fuel\n    then fuel = 0\n'

    assert (1, True) == ((ran := run("rulekit-check", folder)).code, "RK411" in ran.out)
    assert 1 == run("rulekit-check", write(tmp_path / "broken", {"text.rules": "\n".join(BROKEN)})).code
    assert 1 == run("rulekit-test", write(tmp_path / "failing", {"text.rules": failing})).code
    assert (2, True) == ((ran := run("rulekit-check")).code, "missing rule set" in ran.err)


def test_the_entry_is_a_command_of_its_own(tmp_path: Path) -> None:
    """As a process in somebody's working directory."""
    doubtful(tmp_path / "set")

    _, *words = shlex.split(HOOKS["rulekit-check"]["entry"])
    ran = alone(*words, "set", cwd=tmp_path)

    assert (1, True) == (ran.code, "set/text.rules" in ran.out)
