"""No command opens a file outside the rule set, the cache, the outputs and what the user names."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from rulekit.cli import VERBS
from tests.unit.cli.commands import COMMANDS, add_links, working_folder
from tests.unit.cli.running import ROOT, driven

SYSTEM = (
    "/proc",
    "/dev/null",
    "/dev/urandom",
    "/etc/localtime",
    "/usr/share",
    "/usr/lib",
    "/lib",
    "/etc/mime.types",
)
OWN = (
    "rulekit",
    "grammar",
    "rules",
    "schemas",
    "docs/diagnostics",
    ".venv",
    "build",
    "tests/unit/cli/watch.py",
)


OPENING = re.compile(
    r"(?<![\w.])(?:os\.)?open\(|\.open\(|\.read_text\(|\.read_bytes\(|\bscandir\(|\blistdir\(|\.r?glob\(|\.iterdir\("
)
OPENERS = {
    "analysis/fixes.py": "its own copy of a rule set",
    "analysis/new.py": "rulekit's own files, for who develops it",
    "base/cache.py": "the cache",
    "base/files.py": "the reader",
    "base/forks.py": "a pipe to a fork",
    "base/resources.py": "rulekit's own files",
    "base/results.py": "rulekit's own code",
    "cli/files.py": "what a command writes",
    "cli/shared.py": "the bundled rule sets",
    "cli/terminal.py": "the null device",
    "diagnostics/pages.py": "rulekit's own pages",
    "reports/sheet/layout/press.py": "bytes in memory",
    "reports/sheet/model/messages.py": "rulekit's own languages",
    "reports/sheet/render/html.py": "rulekit's own style sheet",
    "reports/sheet/render/known_heights.py": "the names and dates of templates and fonts",
    "reports/sheet/render/theme.py": "rulekit's own themes",
    "reports/sheet/render/typesetting.py": "rulekit's own templates",
    "ruleset/folder.py": "the bundled rule sets",
    "runtime/native/web.py": "rulekit's own host of modules",
    "runtime/simulation/saved.py": "the games of a simulation, which the user names",
}
"""The modules that open or list files, with what these are."""


def test_one_module_reads_what_others_wrote() -> None:
    """Any other reads its own files alone; a new one joins the list with a reason."""
    package = ROOT / "rulekit"
    modules = (path for path in package.rglob("*.py") if OPENING.search(path.read_text(encoding="utf-8")))
    assert OPENERS.keys() == {path.relative_to(package).as_posix() for path in modules}


def test_no_command_is_missing() -> None:
    """A new command joins the table, and with it these tests."""
    assert set(VERBS) == {words.split()[0] for words in COMMANDS.values()}


def watched(folder: Path) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Run every command; how each ended, and which files it opened."""
    done = driven("watch.py", folder / "record", folder=folder, lines="\n".join(COMMANDS.values()))
    assert "SECRET" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    names = list(COMMANDS)
    ends = [line.split() for line in done.stdout.splitlines() if line.startswith("RK-END")]
    opened: dict[str, list[str]] = {}
    for line in (folder / "record").read_text().splitlines():
        number, _, path = line.partition("\t")
        opened.setdefault(names[int(number)], []).append(path)
    return {names[int(number)]: code for _, number, code in ends}, opened


def test_nothing_outside_is_opened(tmp_path: Path) -> None:
    """Not by any command, though links in the rule set lead out of it."""
    folder = working_folder(tmp_path.resolve())
    add_links(folder)
    ends, opened = watched(folder)

    inside = ("set", "out", "given", "cache", "temporary", "record")
    allowed = (
        *(str(folder / name) for name in inside),
        *(str((ROOT / name).resolve()) for name in OWN),
        *map(str, {Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()}),
        *SYSTEM,
    )
    imports = {*map(os.path.realpath, sys.path), str(ROOT / "tests/unit/cli")}
    foreign = {
        name: sorted({path for path in paths if not path.startswith(allowed)} - imports)
        for name, paths in opened.items()
    }
    assert {} == {name: paths for name, paths in foreign.items() if paths}
    assert COMMANDS.keys() == ends.keys()
    assert {"0", "1", "2"} == set(ends.values())
    assert "1" == ends["check"]  # a warning of the option that no manifest lists
    assert "0" == ends["compile"] == ends["play"] == ends["sheet pdf"]
