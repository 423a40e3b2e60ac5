"""Writing files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from rulekit.base.files import UnreadableFile, read_named
from rulekit.cli import terminal
from rulekit.cli.shared import Failure

MOST_JSON = 16 * 1024 * 1024
"""Bytes of a saved game."""
MOST_LINES = 1024 * 1024
"""Bytes of a file with facts or questions for odds."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""An escape in JSON of a character or of half of one."""


class WholeFile:
    """A file that is written beside its place and put there at the end, or not at all.

    Until then it has no name where the system has such files, so that a process that is killed leaves
    nothing; elsewhere the next one removes what it left.  Anything but a regular file (a pipe, a device) is
    written to directly.
    """

    def __init__(self, name: str) -> None:
        """Raise Failure if the file cannot be written."""
        self.name = name
        self._path = os.path.realpath(name)  # a link stays a link: what it points to is written
        self._temporary, self._unnamed, self._content = "", False, b""
        try:
            if os.path.exists(self._path) and not stat.S_ISREG(os.stat(self._path).st_mode):
                self.file: IO[bytes] = open(self._path, "wb")
                return
            self.file = os.fdopen(self._begin(), "wb")
        except (OSError, ValueError) as error:
            raise _unwritable(name, error) from error

    def _begin(self) -> int:
        """Return a descriptor of an empty file in the folder, without a name if possible."""
        folder, base = os.path.split(self._path)
        _remove_abandoned(folder, base)
        self._temporary = os.path.join(folder, f".{base[:60]}.{os.getpid()}-{os.urandom(4).hex()}.part")
        try:
            handle = os.open(folder, os.O_WRONLY | os.O_TMPFILE | os.O_CLOEXEC, 0o600)
            self._unnamed = True
        except (AttributeError, OSError):  # another system, or a file system without such files
            handle = self._begin_named()
        return handle

    def _begin_named(self) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        return os.open(self._temporary, flags, 0o600)

    def _name(self) -> None:
        """Give the unnamed file its name beside the place; a file system that cannot gets a named one."""
        handle, self._unnamed = self.file.fileno(), False
        try:  # without a `src_dir_fd`, Python would link the link itself
            os.link(f"/proc/self/fd/{handle}", self._temporary, src_dir_fd=handle, follow_symlinks=True)
        except OSError:
            self.file.close()
            self.file = os.fdopen(self._begin_named(), "wb")
            self.file.write(self._content)

    def write(self, content: bytes) -> None:
        """Write the whole content.

        Raises:
            Failure: The disk refuses it.
        """
        try:
            self._content = content
            self.file.write(content)
            self.file.flush()
        except OSError as error:
            raise _unwritable(self.name, error) from error

    def finish(self) -> None:
        """The text is whole: put it in its place.

        Raises:
            Failure: It cannot be written; the former file is unchanged.
        """
        try:
            if self._unnamed:
                self._name()
            self.file.close()
            if self._temporary:
                os.chmod(self._temporary, _mode(self._path))
                os.replace(self._temporary, self._path)
                self._temporary = ""
        except OSError as error:
            self.drop()
            raise _unwritable(self.name, error) from error

    def drop(self) -> None:
        """Leave no half-written file behind."""
        with contextlib.suppress(OSError):
            self.file.close()
        if self._temporary and not self._unnamed:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)
        self._temporary = ""


def _remove_abandoned(folder: str, base: str) -> None:
    """Remove what processes of this user that were killed have left beside a file."""
    part = re.compile(re.escape(f".{base[:60]}.") + r"([0-9]{1,9})-[0-9a-f]{8}\.part")
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            left = part.fullmatch(name)
            if left is not None and not _is_running(int(left[1])):
                os.unlink(os.path.join(folder, name))


def _is_running(number: int) -> bool:
    """Return whether a process may be alive."""
    if os.name != "posix":  # elsewhere asking would end it
        return number == os.getpid()
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def write_whole(name: str, text: str) -> None:
    """Write a text to a file (`-`: standard output).

    Raises:
        Failure: It cannot be written; the former file is unchanged.
    """
    if name == "-":
        terminal.echo_exactly(text, nl=False)
    else:
        write_bytes({name: text.encode()})


def write_bytes(files: Mapping[str, bytes]) -> None:
    """Write files that belong together: all of them are whole beside their places before one is put there.

    Raises:
        Failure: One cannot be written; the former file is unchanged.
    """
    whole: list[WholeFile] = []
    try:
        for name, content in files.items():
            whole.append(WholeFile(name))
            whole[-1].write(content)
        for file in whole:
            file.finish()
    finally:
        for file in whole:
            file.drop()


def _mode(path: str) -> int:
    """The mode of what is replaced, or that of a new file."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(os.stat(path).st_mode)
    return 0o644


def _unwritable(name: str, error: OSError | ValueError) -> Failure:
    reason = error.strerror if isinstance(error, OSError) else None
    return Failure(f"cannot write `{name}`: {(reason or str(error)).lower()}")


def from_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: It is not JSON, or a string in it has half of a surrogate pair, which no file can hold.
    """
    import json

    value = json.loads(text)
    if _SURROGATE.search(text):
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def readable_json(path: Path, what: str) -> object:
    """A file's JSON.

    Raises:
        Failure: It cannot be read, or is none.
    """
    try:
        return from_json(read_named(path, MOST_JSON).decode("utf-8"))
    except UnreadableFile as error:
        raise Failure(f"`{path}` {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise Failure(f"not a {what}: `{path}` is not JSON") from error
