"""Files of a rule set: nothing outside its folder, nothing but plain text, nothing too large."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

from rulekit.base import files
from rulekit.base.files import (
    MAX_BYTES,
    UnreadableFile,
    excerpt,
    exists_inside,
    list_files,
    read_inside,
    read_named,
    snapshot,
)
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Report
from rulekit.ruleset import read_text
from tests.unit.ruleset.helpers import codes

ASKED = Span("a.rules", 3, 17, 3, 30)


def read(folder: Path, name: str, **limits: int) -> tuple[str | None, list[Diagnostic]]:
    """The text, if it can be had, and what was told."""
    report = Report()
    source = read_text(folder, name, report, at=ASKED, **limits)
    return None if source is None else source.text, list(report)


@pytest.fixture(params=[True, False], ids=["by parts", "resolved"])
def folder(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A rule set's folder with a data file, beside a file that is none of its business; on both systems."""
    monkeypatch.setattr(files, "_BY_PARTS", request.param and files._BY_PARTS)
    (tmp_path / "secret.yaml").write_text("secret")
    (tmp_path / "set-two").mkdir()
    (tmp_path / "set-two" / "other.yaml").write_text("secret")
    folder = tmp_path / "set"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "ships.yaml").write_text("é: 1\r\n", encoding="utf-8", newline="")
    return folder


def test_a_file_inside_is_read(folder: Path) -> None:
    """Spans name it by its path inside the folder."""
    report = Report()
    source = read_text(folder, "data/ships.yaml", report)

    assert source is not None
    assert ("data/ships.yaml", "é: 1\n") == (source.file, source.text)
    assert [] == list(report)


@pytest.mark.parametrize(
    "name",
    [
        "../secret.yaml",
        "data/../../secret.yaml",
        "data/../data/ships.yaml",
        "/etc/passwd",
        "//etc/passwd",
        "..\\secret.yaml",
        "C:/secret.yaml",
        "",
        ".",
        "..",
        "data/ships.yaml\0",
        "../set-two/other.yaml",
    ],
)
def test_a_path_that_may_leave_is_refused(folder: Path, name: str) -> None:
    """Even where it would come back: what cannot be seen at a glance is not read."""
    text, found = read(folder, name)

    assert text is None
    assert ["outside-folder"] == codes(found)
    assert ASKED == found[0].span


def test_links_are_followed_only_inside(folder: Path) -> None:
    """A link to a file or a folder outside is refused, also through another link; one inside is not."""
    (folder / "file.yaml").symlink_to("../secret.yaml")
    (folder / "up").symlink_to("..")
    (folder / "over").symlink_to("file.yaml")
    (folder / "two").symlink_to("../set-two")
    (folder / "inside.yaml").symlink_to("data/ships.yaml")

    for name in ("file.yaml", "up/secret.yaml", "over", "two/other.yaml"):
        assert (None, ["outside-folder"]) == (read(folder, name)[0], codes(read(folder, name)[1]))
    assert ("é: 1\n", []) == read(folder, "inside.yaml")


def test_the_folder_itself_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    """Where the rule set lies is its user's business."""
    (tmp_path / "link").symlink_to("set")

    assert [] == read(tmp_path / "link", "data/ships.yaml")[1]


def test_a_missing_file_names_its_neighbour(folder: Path) -> None:
    """The finding stands where the file was asked for."""
    text, found = read(folder, "data/shpis.yaml")

    assert text is None
    assert ["missing-file"] == codes(found)
    assert ASKED == found[0].span
    assert "did you mean `ships.yaml` in the same folder?" == found[0].hint
    assert "folder `dta` not found either" == read(folder, "dta/ships.yaml")[1][0].hint


def test_what_is_no_plain_file_is_refused(folder: Path) -> None:
    """A folder, and a pipe that would keep a reader waiting."""
    os.mkfifo(folder / "pipe.yaml")

    for name in ("data", "pipe.yaml"):
        assert ["file-unreadable"] == codes(read(folder, name)[1])
    assert ["file-unreadable"] == codes(read(folder, "data/ships.yaml/x")[1])


def test_a_link_in_a_circle_is_refused(folder: Path) -> None:
    """It leads nowhere."""
    (folder / "round.yaml").symlink_to("round.yaml")

    assert [] != read(folder, "round.yaml")[1]


def test_a_large_file_is_not_read(folder: Path) -> None:
    """The limit is a number, and exactly that."""
    (folder / "full.yaml").write_bytes(b"#" * MAX_BYTES)
    (folder / "more.yaml").write_bytes(b"#" * (MAX_BYTES + 1))

    assert [] == read(folder, "full.yaml")[1]
    assert ["file-too-large"] == codes(read(folder, "more.yaml")[1])
    assert ["file-too-large"] == codes(read(folder, "data/ships.yaml", limit=3)[1])


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"a: 1\nb: \xff\n", 2, 4),
        ("é: 1\n".encode() + b"\x00", 2, 1),
        ("a: 1".encode("utf-16"), 1, 1),
        (b"\x89PNG\r\n\x1a\n\x00", 1, 1),
        (b"\xef\xbb\xbfa: \xff", 1, 4),
    ],
    ids=["byte", "nul", "utf-16", "picture", "mark"],
)
def test_what_is_not_text_is_told_where(folder: Path, data: bytes, line: int, column: int) -> None:
    """The place is that of the first byte that is no text."""
    (folder / "x.yaml").write_bytes(data)
    text, found = read(folder, "x.yaml")

    assert text is None
    assert ["file-not-text"] == codes(found)
    assert ("x.yaml", line, column) == (found[0].span.file, found[0].span.line, found[0].span.column)


def test_a_byte_order_mark_is_passed_over(folder: Path) -> None:
    """Some editors write one."""
    (folder / "x.yaml").write_bytes(b"\xef\xbb\xbfformat: 1")

    assert ("format: 1", []) == read(folder, "x.yaml")


def test_lists_stay_inside(folder: Path) -> None:
    """Links to folders are not looked into, nor is a folder outside, whatever it is called."""
    (folder / "linked").symlink_to("../set-two")
    (folder / "link.yaml").symlink_to("../secret.yaml")

    assert ["data/ships.yaml", "link.yaml"] == list_files(folder, suffixes=(".yaml",))
    assert ["data/ships.yaml"] == list_files(folder, "data")
    for under in ("linked", "..", "../set-two", "data/..", "/etc", "nowhere"):
        assert [] == list_files(folder, under), under


def test_what_is_outside_exists_in_no_way_that_shows(folder: Path) -> None:
    """A path that leaves the folder is refused alike, with and without a file at its end."""
    assert exists_inside(folder, "../secret.yaml") and exists_inside(folder, "../nothing.yaml")
    assert exists_inside(folder, "data/ships.yaml") and not exists_inside(folder, "data/boats.yaml")


def test_a_link_may_be_absolute_inside(folder: Path) -> None:
    """A link may go up and down again, as long as it never leaves."""
    (folder / "absolute.yaml").symlink_to(folder / "data" / "ships.yaml")
    (folder / "data" / "round.yaml").symlink_to("../data/../data/ships.yaml")
    (folder / "data" / "out.yaml").symlink_to("../../set/data/ships.yaml")

    assert ("é: 1\n", []) == read(folder, "absolute.yaml")
    assert ("é: 1\n", []) == read(folder, "data/round.yaml")


def test_a_sparse_file_is_refused_by_its_size(folder: Path) -> None:
    """No byte of it is read."""
    with (folder / "sparse.yaml").open("wb") as file:
        file.truncate(20 * 2**30)

    assert ["file-too-large"] == codes(read(folder, "sparse.yaml")[1])


def test_all_files_together_have_a_bound(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is over it is refused; a file read again does not count again."""
    monkeypatch.setattr(files, "MAX_FOLDER", 10)
    for name in "abc":
        (folder / f"{name}.yaml").write_bytes(b"#" * 4)
    with snapshot():
        assert [[], [], [], ["file-too-large"]] == [codes(read(folder, f"{name}.yaml")[1]) for name in "abac"]


def test_a_snapshot_has_what_was_read_first(folder: Path) -> None:
    """Of a file that changes meanwhile, and of one that comes to be; excerpts show the same."""
    path = folder / "data" / "ships.yaml"
    with snapshot():
        assert "é: 1\r\n".encode() == read_inside(folder, "data/ships.yaml", MAX_BYTES)
        assert ["data/ships.yaml"] == list_files(folder)
        path.write_bytes(b"other")
        (folder / "more.yaml").write_bytes(b"")
        assert ("é: 1\n", "é: 1\n") == (read(folder, "data/ships.yaml")[0], excerpt(str(path)))
        assert ["data/ships.yaml"] == list_files(folder)
    assert ("other", "") == (read(folder, "data/ships.yaml")[0], excerpt(str(path)))


def test_nothing_is_exchanged_between_test_and_opening(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, or a folder on the way, that becomes a link after it was looked at is not followed."""
    real, path = os.stat, folder / "data"

    def stat(*arguments: Any, **named: Any) -> os.stat_result:
        about = real(*arguments, **named)
        if arguments[0] in ("data", str(path / "ships.yaml")) and not path.is_symlink():
            path.rename(folder / "away")
            path.symlink_to("../set-two")
            (folder.parent / "set-two" / "ships.yaml").write_bytes(b"secret")
        return about

    monkeypatch.setattr(os, "stat", stat)
    with pytest.raises(UnreadableFile):
        read_inside(folder, "data/ships.yaml", MAX_BYTES)


def test_named_files_may_be_anywhere(folder: Path) -> None:
    """But they are regular and bounded, too."""
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("../secret.yaml")

    assert b"secret" == read_named(folder / "link", 6)
    for path, reason in (
        (folder / "pipe", "irregular"),
        ("/dev/zero", "irregular"),
        (folder / "no", "missing"),
    ):
        with pytest.raises(UnreadableFile) as refused:
            read_named(path)
        assert reason == refused.value.reason
    with pytest.raises(UnreadableFile, match="has more than 5 bytes"):
        read_named(folder / "link", 5)


MISSING = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY")
"""Constants that Windows lacks."""


def test_a_system_without_these_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader loads, reads and lists inside the folder, and refuses what is outside."""
    for name in MISSING:
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(os, "supports_dir_fd", set())
    path = files.__file__
    spec = importlib.util.spec_from_file_location("files_without", path)
    assert spec is not None and spec.loader is not None
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    (tmp_path / "set" / "data").mkdir(parents=True)
    (tmp_path / "set" / "data" / "a.yaml").write_text("a")
    (tmp_path / "secret.yaml").write_text("secret")
    (tmp_path / "set" / "out.yaml").symlink_to("../secret.yaml")
    (tmp_path / "set" / "in.yaml").symlink_to("data/a.yaml")

    assert not reader._BY_PARTS
    assert b"a" == reader.read_inside(tmp_path / "set", "data/a.yaml", 9)
    assert b"a" == reader.read_inside(tmp_path / "set", "in.yaml", 9)
    assert ["data/a.yaml", "in.yaml", "out.yaml"] == reader.list_files(tmp_path / "set")
    for name, reason in (("out.yaml", "outside"), ("data", "irregular"), ("none.yaml", "missing")):
        with pytest.raises(reader.UnreadableFile) as refusal:
            reader.read_inside(tmp_path / "set", name, 9)
        assert reason == refusal.value.reason
