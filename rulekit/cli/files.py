"""Writing files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import click

from rulekit.base.files import UnreadableFile, read_named
from rulekit.cli.shared import Failure

MOST_JSON = 16 * 1024 * 1024
"""Bytes of a saved game."""


class WholeFile:
    """A file that is written beside its place and put there at the end, or not at all.

    Anything but a regular file (a pipe, a device) is written to directly.
    """

    def __init__(self, name: str) -> None:
        """Raise Failure if the file cannot be written."""
        self.name = name
        self._path = os.path.realpath(name)  # a link stays a link: what it points to is written
        self._temporary = ""
        try:
            if os.path.exists(self._path) and not stat.S_ISREG(os.stat(self._path).st_mode):
                self.file: IO[bytes] = open(self._path, "wb")
                return
            handle, self._temporary = tempfile.mkstemp(
                dir=os.path.dirname(self._path), prefix=f".{os.path.basename(self._path)[:60]}."
            )
            self.file = os.fdopen(handle, "wb")
        except OSError as error:
            raise _unwritable(name, error) from error

    def write(self, content: bytes) -> None:
        """Write the content.

        Raises:
            Failure: The disk refuses it.
        """
        try:
            self.file.write(content)
            self.file.flush()
        except OSError as error:
            raise _unwritable(self.name, error) from error

    def finish(self) -> None:
        """The text is whole: put it in its place.

        Raises:
            Failure: It cannot be written; what was there before still is.
        """
        try:
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
        if self._temporary:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)
            self._temporary = ""


def write_whole(name: str, text: str) -> None:
    """Write a text to a file (`-`: standard output).

    Raises:
        Failure: It cannot be written; what was there before still is.
    """
    if name == "-":
        click.echo(text, nl=False)
    else:
        write_bytes({name: text.encode()})


def write_bytes(files: Mapping[str, bytes]) -> None:
    """Write files that belong together: all of them are whole beside their places before one is put there.

    Raises:
        Failure: One cannot be written; what was there before still is.
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


def _unwritable(name: str, error: OSError) -> Failure:
    return Failure(f"cannot write `{name}`: {(error.strerror or str(error)).lower()}")


def readable_json(path: Path, what: str) -> object:
    """A file's JSON.

    Raises:
        Failure: It cannot be read, or is none.
    """
    import json

    try:
        return json.loads(read_named(path, MOST_JSON).decode("utf-8"))
    except UnreadableFile as error:
        raise Failure(f"`{path}` {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise Failure(f"not a {what}: `{path}` is not JSON") from error
