"""The cache: results in a folder of the user's, which may be deleted, shared or damaged at any time.

The address of an entry is its kind and a key, which names its content (a hash of everything it was made
from).  Values are JSON bytes, or WebAssembly modules, which rulekit writes to a file and never runs; readers
check them like any file of a stranger.  Every fault of the disk is a miss.  `RULEKIT_CACHE` names another
folder, or turns the cache `off`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_ENTRY = 32 * 1024 * 1024
MAX_TOTAL = 128 * 1024 * 1024
MAX_ENTRIES = 20_000
PRUNE_AFTER = MAX_TOTAL // 16
"""Bytes one process writes before it looks at the folder's size again."""
PRUNE_EVERY = 600
"""Seconds in which no process that begins to write looks at it, if another has."""
STALE_SECONDS = 3600
"""Age at which another process's unfinished file counts as abandoned."""

_MAGIC = b"rulekit-cache 1 "
_LOOKED = ".looked-at"
"""A file without content, as old as the last look at the folder's size."""
_KIND = re.compile(r"[a-z][a-z0-9-]{0,39}")
_since_prune: dict[Path, int] = {}


def folder() -> Path | None:
    """Return the cache's folder, which may not exist yet; None if the cache is off or there is no home."""
    wish = os.environ.get("RULEKIT_CACHE", "")
    if wish.lower() in ("off", "0", "no"):
        return None
    if wish:
        return Path(wish).absolute()
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG convention: a relative path is to be ignored
        base = os.path.expanduser("~/.cache")
    return Path(base, "rulekit") if os.path.isabs(base) else None


def get(kind: str, key: str) -> bytes | None:
    """Return the value kept for `key`; None if there is none, or a damaged one.

    Raises:
        ValueError: `kind` is not the name of a kind.
    """
    path = _path(kind, key)
    if path is None:
        return None
    try:
        data = _read_own(path)
    except OSError:
        return None
    if data is None or not data.startswith(_MAGIC):
        return None
    head, _, value = data.partition(b"\n")
    return value if head == _head(kind, key, value) else None


def put(kind: str, key: str, value: bytes) -> None:
    """Keep `value` for `key`, if the disk allows; readers see all of it or nothing.

    Raises:
        ValueError: `kind` is not the name of a kind.
    """
    path = _path(kind, key)
    if path is None or len(value) > MAX_ENTRY:
        return
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_whole(path, _head(kind, key, value) + b"\n" + value)
        _prune_sometimes(path.parent.parent, len(value))


def key_of(*parts: str | bytes) -> str:
    """Return a key for something made from `parts`, in that order: differs as soon as one of them does."""
    digest = hashlib.blake2b(digest_size=32)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def _path(kind: str, key: str) -> Path | None:
    if not _KIND.fullmatch(kind):
        raise ValueError(f"not a kind of cache entry: {kind!r}")
    root = folder()
    return None if root is None else root / kind / key_of(key)


def _head(kind: str, key: str, value: bytes) -> bytes:
    """First line of an entry: a value moved to another key, or cut short, no longer fits it."""
    return _MAGIC + key_of(kind, key, value).encode("ascii")


def _read_own(path: Path) -> bytes | None:
    """Return the file's bytes, if it is a plain file of this user's and no larger than an entry may be."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or not _is_ours(about) or about.st_size > 2 * MAX_ENTRY:
            return None
        return file.read(2 * MAX_ENTRY)


def _is_ours(about: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or about.st_uid == os.geteuid()


def _write_whole(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name[:16]}-{os.getpid()}-{os.urandom(6).hex()}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


@dataclass(frozen=True, slots=True, order=True)
class _Entry:
    written: float
    size: int
    path: str


def _prune_sometimes(root: Path, size: int) -> None:
    since = _since_prune.get(root)
    if since is None:
        since = 0 if _looked_at(root) else PRUNE_AFTER
    since += size
    _since_prune[root] = 0 if since >= PRUNE_AFTER else since
    if since >= PRUNE_AFTER:
        prune(root, MAX_TOTAL, MAX_ENTRIES)


def _looked_at(root: Path) -> bool:
    """True if a process has looked at the folder's size not long ago."""
    try:
        return 0 <= time.time() - (root / _LOOKED).stat().st_mtime < PRUNE_EVERY
    except OSError:
        return False


def prune(root: Path, max_total: int, max_entries: int) -> None:
    """Delete the oldest entries under `root` until it holds at most so many bytes and entries."""
    with contextlib.suppress(OSError):
        (root / _LOOKED).touch(mode=0o600)
    entries = sorted(_entries(root), reverse=True)
    total = 0
    for count, entry in enumerate(entries, start=1):
        total += entry.size
        if total > max_total or count > max_entries:
            with contextlib.suppress(OSError):
                os.unlink(entry.path)


def _entries(root: Path) -> Iterator[_Entry]:
    """Yield finished entries; delete abandoned unfinished ones."""
    now = time.time()
    for kind in _listing(root):
        if not kind.is_dir(follow_symlinks=False) or not _KIND.fullmatch(kind.name):
            continue
        for entry in _listing(kind.path):
            with contextlib.suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                if not entry.name.startswith("."):
                    yield _Entry(about.st_mtime, about.st_size, entry.path)
                elif now - about.st_mtime > STALE_SECONDS:
                    os.unlink(entry.path)


def _listing(folder: Path | str) -> list[os.DirEntry[str]]:
    """Return the entries of the folder; none if another process has just removed it."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
