"""The cache: what comes back is what was put, or nothing; whatever happens to its files."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.base import cache

KIND = "test-kind"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of this test's own, which does not exist yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("RULEKIT_CACHE", str(folder))
    return folder


def entry(folder: Path) -> Path:
    """The only entry in the folder."""
    (path,) = [path for path in (folder / KIND).iterdir() if not path.name.startswith(".")]
    return path


def test_what_was_put_comes_back(folder: Path) -> None:
    """By kind and key, and by nothing else; a second value replaces the first."""
    assert cache.get(KIND, "key") is None

    cache.put(KIND, "key", b'{"a": 1}\n')
    cache.put("other", "key", b"[]")

    assert b'{"a": 1}\n' == cache.get(KIND, "key")
    assert b"[]" == cache.get("other", "key")
    assert cache.get(KIND, "kez") is None
    cache.put(KIND, "key", b"")
    assert b"" == cache.get(KIND, "key")


@given(at=st.integers(min_value=0), byte=st.integers(min_value=0, max_value=255), cut=st.booleans())
def test_a_damaged_entry_is_a_miss(
    at: int, byte: int, cut: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A changed byte, anywhere, or a cut: nothing is given that was not put."""
    folder = tmp_path_factory.getbasetemp() / "damaged"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEKIT_CACHE", str(folder))
        cache.put(KIND, "key", b"value")
        path = entry(folder)
        whole = path.read_bytes()
        where = at % len(whole)
        path.write_bytes(whole[:where] if cut else whole[:where] + bytes([byte]) + whole[where + 1 :])

        assert cache.get(KIND, "key") in (None, b"value")
        assert (cache.get(KIND, "key") is None) == (path.read_bytes() != whole)


def test_an_entry_moved_to_another_key_is_a_miss(folder: Path) -> None:
    """An entry vouches for its own key only."""
    cache.put(KIND, "one", b"1")
    first = entry(folder)
    data = first.read_bytes()
    first.unlink()
    cache.put(KIND, "two", b"2")
    entry(folder).write_bytes(data)

    assert cache.get(KIND, "two") is None


def test_what_is_no_plain_file_of_ours_is_a_miss(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links, pipes, folders, and files of another user."""
    cache.put(KIND, "key", b"value")
    path = entry(folder)
    moved = path.rename(folder / "moved")

    path.symlink_to(moved)
    assert cache.get(KIND, "key") is None
    path.unlink()
    os.mkfifo(path)
    assert cache.get(KIND, "key") is None
    path.unlink()
    path.mkdir()
    assert cache.get(KIND, "key") is None
    path.rmdir()
    moved.rename(path)
    assert b"value" == cache.get(KIND, "key")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert cache.get(KIND, "key") is None


def test_a_folder_that_cannot_be_had_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file where the folder should be: nothing is kept, nothing is raised."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "file"))

    cache.put(KIND, "key", b"value")

    assert cache.get(KIND, "key") is None


def test_it_may_vanish_at_any_time(folder: Path) -> None:
    """Deleting it loses nothing but time."""
    cache.put(KIND, "key", b"value")
    entry(folder).unlink()
    (folder / KIND).rmdir()

    assert cache.get(KIND, "key") is None
    cache.put(KIND, "key", b"value")
    assert b"value" == cache.get(KIND, "key")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"RULEKIT_CACHE": "off"}, None),
        ({"RULEKIT_CACHE": "OFF", "XDG_CACHE_HOME": "/x"}, None),
        ({"RULEKIT_CACHE": "/a/b"}, "/a/b"),
        ({"XDG_CACHE_HOME": "/x"}, "/x/rulekit"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/home/me"}, "/home/me/.cache/rulekit"),
        ({"HOME": "/home/me"}, "/home/me/.cache/rulekit"),
    ],
)
def test_the_folder_follows_the_environment(
    environment: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own variable first, then the desktop's convention, then the home folder."""
    for name in ("RULEKIT_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert (Path(expected) if expected else None) == cache.folder()


def test_off_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written, nothing is found."""
    monkeypatch.setenv("RULEKIT_CACHE", "off")

    cache.put(KIND, "key", b"value")

    assert cache.get(KIND, "key") is None


@pytest.mark.parametrize("kind", ["", "..", "a/b", "A", "a_b", "x" * 41, ".hidden"])
def test_a_kind_is_a_plain_name(kind: str, folder: Path) -> None:
    """It names a folder, so it must not be able to name any other."""
    with pytest.raises(ValueError, match="not a kind"):
        cache.put(kind, "key", b"")
    with pytest.raises(ValueError, match="not a kind"):
        cache.get(kind, "key")


def test_keys_tell_parts_apart() -> None:
    """Where one part ends and the next begins matters."""
    assert cache.key_of("ab", "c") != cache.key_of("a", "bc") != cache.key_of("abc")
    assert cache.key_of("a", b"b") == cache.key_of(b"a", "b")


def test_the_oldest_go_first(folder: Path) -> None:
    """Pruning keeps the youngest within the bounds, and clears away abandoned unfinished files."""
    now = time.time()
    for age in range(5):
        cache.put(KIND, str(age), b"x" * 1000)
        (path,) = [path for path in (folder / KIND).iterdir() if path.stat().st_mtime > now - 5]
        os.utime(path, (now - 100 * (age + 1),) * 2)
    for name, age in ((".old.part", 10_000), (".new.part", 0)):
        (folder / KIND / name).write_bytes(b"")
        os.utime(folder / KIND / name, (now - age,) * 2)

    cache.prune(folder, max_total=3500, max_entries=100)
    assert [True, True, True, False, False] == [cache.get(KIND, str(age)) is not None for age in range(5)]
    cache.prune(folder, max_total=3500, max_entries=1)
    assert [True, False, False] == [cache.get(KIND, str(age)) is not None for age in range(3)]
    assert [".new.part"] == [path.name for path in (folder / KIND).iterdir() if path.name.startswith(".")]


def test_a_full_cache_is_pruned_while_writing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes much looks after the size, now and then."""
    monkeypatch.setattr(cache, "MAX_TOTAL", 20_000)
    monkeypatch.setattr(cache, "PRUNE_AFTER", 2_000)

    for number in range(200):
        cache.put(KIND, str(number), b"x" * 500)

    assert sum(path.stat().st_size for path in (folder / KIND).iterdir()) < 25_000


def test_a_look_at_the_size_serves_other_processes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a while; who writes much looks all the same."""
    looks: list[Path] = []
    prune = cache.prune
    monkeypatch.setattr(cache, "prune", lambda root, *most: (looks.append(root), prune(root, *most)))

    def process(writes: int = 1) -> int:
        looks.clear()
        monkeypatch.setattr(cache, "_since_prune", {})
        for number in range(writes):
            cache.put(KIND, str(number), b"x" * 900_000)
        return len(looks)

    assert [1, 0, 1] == [process(), process(), process(10)]
    for age, seen in ((cache.PRUNE_EVERY + 5, 1), (-1000, 1), (cache.PRUNE_EVERY - 60, 0)):
        os.utime(folder / ".looked-at", (time.time() - age,) * 2)
        assert seen == process()


def test_a_value_beyond_the_limit_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One entry may not take the whole cache."""
    monkeypatch.setattr(cache, "MAX_ENTRY", 10)

    cache.put(KIND, "key", b"x" * 11)

    assert cache.get(KIND, "key") is None


WRITER = """
import sys
from rulekit.base import cache
for number in range(200):
    value = sys.argv[1].encode() * 5000
    cache.put("test-kind", "shared", value)
    seen = cache.get("test-kind", "shared")
    assert seen is None or len(set(seen)) == 1 and len(seen) == 5000, seen
    cache.prune(cache.folder(), 6000, 1)
"""


def test_processes_do_not_see_each_others_halves(folder: Path) -> None:
    """Writers, readers and pruners at once: a value is whole or absent."""
    environment = {**os.environ, "PYTHONPATH": str(Path(cache.__file__).parents[2])}
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, letter], env=environment, stderr=subprocess.PIPE)
        for letter in "abc"
    ]

    assert [b""] * 3 == [process.communicate()[1] for process in running]
    assert [0] * 3 == [process.returncode for process in running]
