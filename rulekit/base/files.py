"""The only way to files that others may have written: regular files, inside one folder, of bounded size.

A path inside a folder is opened part by part, each part from the descriptor of the one before, so that no
link leads out of the folder and nothing can be exchanged between a test and the opening that it is for.
Where the system has no such calls (Windows), the path is resolved before and after the file is opened.

A `snapshot` keeps the bytes: a file that is read again, or shown in an excerpt, has those of the first time.
All files of a folder have a bound together.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import unicodedata
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import Literal

MAX_BYTES = 4 * 1024 * 1024
"""Bytes of one file of a folder."""
MAX_FOLDER = 64 * 1024 * 1024
"""Bytes of all files that are read of one folder."""
MAX_NAMED = 64 * 1024 * 1024
"""Bytes of an answer file or a log, which the user names."""
MAX_ENTRIES = 200_000
"""Entries of a folder and the folders below it that are looked at."""
MAX_DEPTH = 64
"""Folders within folders that are looked into."""
MAX_LINKS = 40
"""Links that one path may follow."""
STDIN = "-"

Reason = Literal["missing", "outside", "irregular", "too large", "too much", "unreadable"]

_BY_PARTS = {os.open, os.stat, os.readlink} <= os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class UnreadableFile(OSError):
    """A file that cannot be read, or may not be; `strerror` is a phrase for messages."""

    def __init__(self, reason: Reason, words: str, number: int = errno.EINVAL) -> None:
        super().__init__(number, words)
        self.reason = reason


def read_inside(folder: Path | str, name: str, limit: int) -> bytes:
    """Return the bytes of a regular file inside a folder.

    Args:
        folder: Any folder, which may itself be a link.
        name: Path inside it, with `/`; links on it are followed as long as they stay in the folder.
        limit: Bytes the file may have.

    Raises:
        UnreadableFile: There is no such file, or it may not be read.
    """
    key = os.path.abspath(folder)
    kept = _read.get(key, name)
    if kept is not None:
        return _within_bound(kept, limit)
    try:
        handle = _open_inside(folder, name)
        try:
            data = _read_open(handle, limit)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise _read.refuse(key, name, _unreadable(error, os.path.join(folder, name))) from None
    _read.keep(key, name, data)
    return data


def exists_inside(folder: Path, name: str) -> bool:
    """Return whether something has this name inside a folder, be it readable or not."""
    try:
        os.close(_open_inside(folder, name))
    except (UnreadableFile, OSError, ValueError) as error:
        return not isinstance(error, FileNotFoundError)
    return True


def read_named(path: Path | str, limit: int = MAX_NAMED, *, keep: bool = False) -> bytes:
    """Return the bytes of a regular file that the user names, from anywhere; `-` is standard input.

    Args:
        path: The file.
        limit: Bytes it may have.
        keep: Whether it belongs to the snapshot, and excerpts may show it.

    Raises:
        UnreadableFile: There is no such file, or it may not be read.
    """
    outer, _, name = os.path.abspath(path).rpartition(os.sep)
    kept = _read.get(outer, name) if keep else None
    if kept is not None:
        return _within_bound(kept, limit)
    try:
        if str(path) == STDIN:
            return _within_bound(_standard_input(limit + 1), limit)
        if not stat.S_ISREG(os.stat(path).st_mode):  # opening a device may already do something
            raise _irregular()
        handle = os.open(path, _FILE)
        try:
            data = _read_open(handle, limit)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise _unreadable(error, path) from None
    if keep:
        _read.keep(outer, name, data)
    return data


def _standard_input(limit: int) -> bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise FileNotFoundError
    return sys.stdin.buffer.read(limit)


def list_files(folder: Path, under: str = "", suffixes: Collection[str] = ()) -> list[str]:
    """Return the names of the files in a folder and the folders below it, sorted.

    Args:
        folder: The folder; folders below it that are links are not looked into.
        under: Only the files of this folder inside it; none if there is no such folder.
        suffixes: Only files whose names end so, as in `.rules`.

    Raises:
        UnreadableFile: A folder cannot be read, or there are too many.
    """
    return [name for name in _read.list(folder, under) if name.endswith(tuple(suffixes) or ("",))]


def list_beside(folder: Path, name: str) -> tuple[str, ...] | None:
    """Return the names in the folder that a file would be in; None if there is no such folder."""
    try:
        return _read.beside(folder, name.rpartition("/")[0])
    except OSError:
        return None


def excerpt(path: str) -> str:
    """Return the text of a file as it was read, for excerpts; empty if it was not."""
    return normal_text(_read.at(os.path.abspath(path)).decode("utf-8-sig", "replace"))


def normal_text(text: str) -> str:
    """Return a text in one normal form: a name is one name however its accents were typed."""
    return unicodedata.normalize("NFC", with_line_feeds(text))


def with_line_feeds(text: str) -> str:
    """Return a text with a line feed at each line's end, whichever way its lines ended."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _open_inside(folder: Path | str, name: str) -> int:
    """Return a descriptor of a regular file.

    Raises:
        UnreadableFile: It is outside, or not a regular file.
        OSError: It cannot be opened.
    """
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or {"..", "\\", "\0", ":"} & {*parts, *name}:
        raise _outside()
    return _open_by_parts(folder, parts) if _BY_PARTS else _open_resolved(folder, parts)


def _open_by_parts(folder: Path | str, parts: Collection[str]) -> int:
    left, links = [*reversed(tuple(parts))], 0
    folders = [os.open(folder, _FOLDER)]
    try:
        while left:
            part = left.pop()
            if part == "..":
                if len(folders) == 1:
                    raise _outside()
                os.close(folders.pop())
                continue
            mode = os.stat(part, dir_fd=folders[-1], follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                links += 1
                if links > MAX_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
                target = os.readlink(part, dir_fd=folders[-1])
                if os.path.isabs(target):
                    target = _below(folder, target)
                    while len(folders) > 1:
                        os.close(folders.pop())
                left += reversed(PurePosixPath(target).parts)
            elif left:
                folders.append(os.open(part, _FOLDER | _NO_LINK, dir_fd=folders[-1]))
            elif stat.S_ISREG(mode):
                return os.open(part, _FILE | _NO_LINK, dir_fd=folders[-1])
        raise _irregular()
    finally:
        for handle in folders:
            os.close(handle)


def _below(folder: Path | str, target: str) -> str:
    """Return an absolute path as one from the folder on."""
    for root in (os.path.realpath(folder), os.path.abspath(folder)):
        if target.startswith(root.rstrip(os.sep) + os.sep):
            return target[len(root) :].lstrip(os.sep)
    raise _outside()


def _open_resolved(folder: Path | str, parts: Collection[str]) -> int:
    root = os.path.realpath(folder)

    def resolve() -> str:
        path = os.path.realpath(os.path.join(root, *parts))
        if not path.startswith(root.rstrip(os.sep) + os.sep):
            raise _outside()
        return path

    path = resolve()
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise _irregular()
    handle = os.open(path, _FILE)
    if resolve() == path and os.path.samestat(os.stat(path), os.fstat(handle)):
        return handle
    os.close(handle)
    raise _outside()


def _read_open(handle: int, limit: int) -> bytes:
    """Return the bytes of an open file; its size is known before any is read."""
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode):
        raise _irregular()
    if about.st_size > limit:
        raise _too_large(limit)
    with open(handle, "rb", closefd=False) as file:
        return _within_bound(file.read(limit + 1) or b"", limit)


def _within_bound(data: bytes, limit: int) -> bytes:
    if len(data) > limit:
        raise _too_large(limit)
    return data


def _names(folder: Path, under: str) -> Iterator[str]:
    """Yield the files below a folder; the number of entries and the depth are bounded."""
    waiting, number = [under], 0
    while waiting:
        inner = waiting.pop()
        try:
            entries = _entries(folder, inner)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise _unreadable(error, os.path.join(folder, inner)) from None
        number += len(entries)
        if number > MAX_ENTRIES or inner.count("/") > MAX_DEPTH:
            words = f"has more than {MAX_ENTRIES:,} entries or {MAX_DEPTH} levels of folders"
            raise UnreadableFile("too much", words)
        for last, is_folder in entries:
            name = f"{inner}/{last}" if inner else last
            if is_folder:
                waiting.append(name)
            else:
                yield name


def _entries(folder: Path, inner: str) -> list[tuple[str, bool]]:
    """Return the names in a folder inside a folder, and whether each is a folder itself, not a link to one.

    No part of `inner` may be a link.

    Raises:
        OSError: It cannot be opened, or is not a folder.
    """
    if inner.startswith("/") or ".." in inner.split("/"):
        raise NotADirectoryError
    if not _BY_PARTS:
        path = os.path.join(folder, inner)
        if os.path.realpath(path) != os.path.join(os.path.realpath(folder), *inner.split("/")).rstrip(os.sep):
            raise NotADirectoryError
        return _scan(path)
    handle = os.open(folder, _FOLDER)
    try:
        for part in PurePosixPath(inner).parts:
            outer, handle = handle, os.open(part, _FOLDER | _NO_LINK, dir_fd=handle)
            os.close(outer)
        return _scan(handle)
    finally:
        os.close(handle)


def _scan(folder: str | int) -> list[tuple[str, bool]]:
    with os.scandir(folder) as entries:
        return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]


def _outside() -> UnreadableFile:
    return UnreadableFile("outside", "is outside the folder", errno.EACCES)


def _irregular() -> UnreadableFile:
    return UnreadableFile("irregular", "is not a regular file")


def _too_large(limit: int) -> UnreadableFile:
    return UnreadableFile("too large", f"has more than {limit:,} bytes", errno.EFBIG)


def _unreadable(error: OSError | ValueError, path: Path | str) -> UnreadableFile:
    unreadable = _as_unreadable(error)
    unreadable.filename = str(path)
    return unreadable


def _as_unreadable(error: OSError | ValueError) -> UnreadableFile:
    match error:
        case UnreadableFile():
            return error
        case FileNotFoundError():
            return UnreadableFile("missing", "not found", errno.ENOENT)
        case OSError():
            phrase = (error.strerror or "no reason given").lower()
            return UnreadableFile("unreadable", f"cannot be read: {phrase}", error.errno or 0)
        case ValueError():
            return UnreadableFile("unreadable", "cannot be read: its name is not a path")


# ---------------------------------------------------------------- what was read


class _Snapshot:
    """The first answers of the system, by folder: bytes of files, why others cannot be read, lists of names.

    Nothing is kept while `depth`, the number of those who rely on it, is 0.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.files: dict[str, dict[str, bytes]] = {}
        self.sizes: dict[str, int] = {}
        self.refusals: dict[str, dict[str, UnreadableFile]] = {}
        self.names: dict[str, dict[str, tuple[str, ...]]] = {}
        self.inner_names: dict[str, dict[str, tuple[str, ...] | OSError]] = {}

    def keep(self, folder: str, name: str, data: bytes) -> None:
        """Keep the bytes of a file.

        Raises:
            UnreadableFile: The files of the folder are too large together.
        """
        files = self.files.setdefault(folder, {})
        if self.sizes.get(folder, 0) + len(data) > MAX_FOLDER:
            words = f"brings the files of the folder to more than {MAX_FOLDER:,} bytes"
            raise UnreadableFile("too much", words, errno.EFBIG)
        if self.depth:
            self.sizes[folder] = self.sizes.get(folder, 0) + len(data) - len(files.get(name, b""))
            files[name] = data

    def refuse(self, folder: str, name: str, error: UnreadableFile) -> UnreadableFile:
        """Keep why a file cannot be read, unless another limit might allow it."""
        if self.depth and error.reason != "too large":
            self.refusals.setdefault(folder, {})[name] = error
        return error

    def get(self, folder: str, name: str) -> bytes | None:
        """Return the bytes of a file; None if nobody has tried to read it.

        Raises:
            UnreadableFile: It could not be read.
        """
        if refusal := self.refusals.get(folder, {}).get(name):
            raise refusal.with_traceback(None)
        return self.files.get(folder, {}).get(name)

    def list(self, folder: Path, under: str) -> tuple[str, ...]:
        """Return the names of the files below a folder, sorted."""
        lists = self.names.setdefault(os.path.abspath(folder), {}) if self.depth else {}
        if under not in lists:
            lists[under] = tuple(sorted(_names(folder, under), key=lambda name: name.split("/")))
        return lists[under]

    def beside(self, folder: Path, inner: str) -> tuple[str, ...]:
        """Return the names in one folder, sorted.

        Raises:
            OSError: There is no such folder.
        """
        lists = self.inner_names.setdefault(os.path.abspath(folder), {}) if self.depth else {}
        if inner not in lists:
            try:
                lists[inner] = tuple(sorted(name for name, _ in _entries(folder, inner)))
            except OSError as error:
                lists[inner] = error
        names = lists[inner]
        if isinstance(names, OSError):
            raise names.with_traceback(None)
        return names

    def forget(self, folder: str) -> None:
        """Leave out what is known of a folder."""
        for kept in (self.files, self.sizes, self.refusals, self.names, self.inner_names):
            kept.pop(folder, None)

    def clear(self) -> None:
        """Leave out everything."""
        for folder in {*self.files, *self.refusals, *self.names, *self.inner_names}:
            self.forget(folder)

    def at(self, path: str) -> bytes:
        """Return the bytes of a file by its absolute path; none if it was not read."""
        for folder, files in self.files.items():
            inside = path.removeprefix(folder.rstrip(os.sep) + os.sep).replace(os.sep, "/")
            if inside in files:
                return files[inside]
        return b""


_read = _Snapshot()


@contextlib.contextmanager
def snapshot() -> Iterator[None]:
    """Read each file once, and list each folder once: all who ask meanwhile get the first answer."""
    _read.depth += 1
    try:
        yield
    finally:
        _read.depth -= 1
        if not _read.depth:
            _read.clear()


def forget(folder: Path) -> None:
    """Read the files of a folder again, since they have changed."""
    _read.forget(os.path.abspath(folder))
