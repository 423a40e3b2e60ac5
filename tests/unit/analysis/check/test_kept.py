"""What is kept of groups of options serves the next check, which tells what one without it would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rulekit.analysis.acceptance import Checked
from rulekit.analysis.check import check
from rulekit.analysis.options import groups
from rulekit.analysis.options.group_cache import GroupScope
from tests.unit.analysis.check.edits import Editor, several
from tests.unit.cli.running import ROOT

PACWAR = ROOT / "rules" / "pacwar"
DOZEN = (
    "house-boats",
    "house-coastal-defense",
    "house-landings",
    "house-map-edge",
    "house-monsoon",
    "house-rally",
    "m80-battle-line",
    "m80-fortifications",
    "mst-amphibious-assault",
    "mst-gunnery-limits",
    "mst-manila",
    "mst-singapore",
)
"""Options of Pacific War, some of which change one thing."""
FOUND = ["RK210", "RK504"]
"""Of the set of several: an option that borrows a name, and one that is never in force."""
EDIT = "\ndefine somebody_edits(n: 0..9) -> 0..9: n\n"


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[frozenset[str]]:
    """Grows with every group that is compiled."""
    found: list[frozenset[str]] = []
    work = groups.GroupChecker._check

    def counted(self: groups.GroupChecker, group: frozenset[str], scope: GroupScope) -> groups.GroupResult:
        found.append(group)
        return work(self, group, scope)

    monkeypatch.setattr(groups.GroupChecker, "_check", counted)
    return found


def same(one: Checked, other: Checked) -> bool:
    """Whether two checks tell the same."""
    return (one.diagnostics, one.accepted, one.name) == (other.diagnostics, other.accepted, other.name)


def codes(made: Checked) -> list[str]:
    """The codes of what was found."""
    return [each.kind.code for each in made.diagnostics]


def anew(folder: Path, **ways: bool) -> Checked:
    """A check with an empty cache, in which nothing of one compile serves another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEKIT_CACHE", "off")
        patch.setattr(groups, "BaseModel", lambda seen: None)
        return check(folder, **ways)  # type: ignore[arg-type]


def compare(original: Path, folder: Path, seed: int, edits: int, damage: int) -> int:
    """Edit a copy at random, and check it with what is kept and without; how many checks found something."""
    shutil.copytree(original, folder)
    editor, told = Editor(folder, original, Random(seed), damage), []
    some = 0
    for number in range(edits):
        told.append(editor.edit())
        if number % 3 == 2:
            check(folder)  # it shares what is kept, and leaves most of it alone
        made = check(folder, each_option=True)
        assert same(anew(folder, each_option=True), made), told
        some += bool(made.diagnostics)
    return some


@pytest.mark.parametrize("seed", range(3))
def test_edits_at_random(seed: int, tmp_path: Path) -> None:
    """Base and options, sound and not, in a set with options of all sorts."""
    found = compare(several(tmp_path / "original"), tmp_path / "copy", seed, edits=8, damage=6)

    assert found > 0


@pytest.mark.slow
def test_edits_of_a_game(tmp_path: Path) -> None:
    """The same, with a dozen options of a large game, which meet each other."""
    compare(some_options(tmp_path / "original"), tmp_path / "copy", seed=0, edits=2, damage=2)


def some_options(folder: Path) -> Path:
    """The game without its other options, its presets and its accepted findings."""
    shutil.copytree(PACWAR, folder, ignore=shutil.ignore_patterns("examples"))
    for path in (folder / "options").iterdir():
        if path.stem not in DOZEN:
            path.unlink()
    manifest = folder / "ruleset.yaml"
    text = re.sub(r"(?ms)^(accept|options|presets|readings):.*?(?=^\w|\Z)", "", manifest.read_text())
    manifest.write_text(f"{text}options: [{', '.join(DOZEN)}]\n")
    return folder


def test_an_option_costs_its_groups(tmp_path: Path, looked: list[frozenset[str]]) -> None:
    """After its edit only groups with it are compiled; after one of the base all are."""
    folder = several(tmp_path / "set")
    check(folder, each_option=True)
    everything = len(set(looked))
    looked.clear()

    with (folder / "options" / "tabled.rules").open("a") as file:
        file.write(EDIT)
    check(folder, each_option=True)
    assert 0 < len(looked) < everything / 2
    assert all("tabled" in group for group in looked)

    looked.clear()
    with (folder / "rules.rules").open("a") as file:
        file.write(EDIT)
    check(folder, each_option=True)
    assert everything <= len(looked)


def test_what_others_have_counts_where_it_is_asked_for(tmp_path: Path, looked: list[frozenset[str]]) -> None:
    """A norm of another option, named behind `over`, is looked for when that option changes."""
    folder = several(tmp_path / "set")
    before = check(folder, each_option=True)
    assert not any("over_it.rules" in each.span.file for each in before.diagnostics)
    looked.clear()

    other = folder / "options" / "option_001.rules"
    other.write_text(other.read_text().replace("norm_1", "norm_one"))
    after = check(folder, each_option=True)

    assert frozenset(("over_it",)) in looked and frozenset(("tabled",)) not in looked
    assert ["norm_1"] == [each.names[0] for each in after.diagnostics if "over_it" in each.span.file]
    assert same(anew(folder, each_option=True), after)


@pytest.mark.parametrize("harm", ["deleted", "damaged", "foreign", "read-only"])
def test_a_cache_may_be_harmed(harm: str, tmp_path: Path) -> None:
    """Deleted, cut short, with other things in it, or closed to writing: it costs time only."""
    folder, kept = several(tmp_path / "set"), tmp_path / "cache" / "groups"
    check(folder, each_option=True)
    with (folder / "options" / "tabled.rules").open("a") as file:
        file.write("# a remark\n")
    (entry,) = kept.iterdir()
    match harm:
        case "deleted":
            shutil.rmtree(tmp_path / "cache")
        case "damaged":
            entry.write_bytes(entry.read_bytes()[:-40])
        case "foreign":
            entry.write_bytes(b'{"found": [[]], "groups": {"x": [[7], ""]}}')
        case _:
            for path in (*(tmp_path / "cache").rglob("*"), tmp_path / "cache"):
                path.chmod(0o500)

    made = check(folder, each_option=True)

    assert FOUND == codes(made)
    for path in (tmp_path / "cache").rglob("*"):
        path.chmod(0o700)


def test_what_a_wrong_version_kept_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key has the version of what a check finds, and this rulekit's code."""
    folder = several(tmp_path / "set")
    check(folder)
    for name, other in (("check.VERSION", "other"), ("check_inputs.code_digest", lambda: "other")):
        with monkeypatch.context() as patch:
            patch.setattr(f"rulekit.analysis.{name}", other)
            assert not check(folder).from_cache
    assert check(folder).from_cache


def test_folders_with_the_same_text(tmp_path: Path) -> None:
    """Two share one cache; each is told its own, whichever was changed last."""
    one = several(tmp_path / "one")
    other = shutil.copytree(one, tmp_path / "other")
    broken = (one / "options" / "tabled.rules").read_text().replace("table hits", "table hit")

    for _ in range(2):
        assert FOUND == codes(check(one, each_option=True))
        (other / "options" / "tabled.rules").write_text(broken)
        found = check(other, each_option=True)
        assert same(anew(other, each_option=True), found) and FOUND != codes(found)
        shutil.copy(one / "options" / "tabled.rules", other / "options")
        assert FOUND == codes(check(other, each_option=True))


def test_two_checks_at_a_time(tmp_path: Path) -> None:
    """Of one folder, in processes of their own: both tell what one alone would."""
    folder = several(tmp_path / "set")
    with (folder / "rules.rules").open("a") as file:
        file.write(EDIT)
    run = f"""
import sys
from pathlib import Path
from rulekit.analysis.check import check
made = check(Path({str(folder)!r}), each_option=True, jobs=2)
print([(each.id, str(each.span)) for each in made.diagnostics])
"""
    alone = [(each.id, str(each.span)) for each in anew(folder, each_option=True).diagnostics]
    both = [
        subprocess.Popen([sys.executable, "-c", run], stdout=subprocess.PIPE, text=True, env={**os.environ})
        for _ in range(2)
    ]

    assert [f"{alone}\n"] * 2 == [each.communicate()[0] for each in both]


def test_files_that_change_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check is of the files as it read them first, and so is what it keeps."""
    folder = several(tmp_path / "set")
    text = (folder / "rules.rules").read_text()
    work = groups.GroupChecker._check

    def changed(self: groups.GroupChecker, group: frozenset[str], scope: GroupScope) -> groups.GroupResult:
        (folder / "rules.rules").write_text(text + EDIT)
        return work(self, group, scope)

    with monkeypatch.context() as patch:
        patch.setattr(groups.GroupChecker, "_check", changed)
        assert FOUND == codes(check(folder, each_option=True))
    assert not check(folder, each_option=True).from_cache
    (folder / "rules.rules").write_text(text)

    made = check(folder, each_option=True)
    assert made.from_cache and FOUND == codes(made)
