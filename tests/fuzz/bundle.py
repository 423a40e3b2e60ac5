"""Several files as one input, so that one small file of the corpus can be a whole rule set.

Each file follows a line `=== its/path`.  Only plain relative paths are files.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

_HEAD = re.compile(rb"^=== ([\w./-]{1,80})\n", re.MULTILINE | re.ASCII)
_PATH = re.compile(r"(?:[\w-][\w.-]*/){0,2}[\w-][\w.-]*", re.ASCII)


def pack(files: Mapping[str, str | bytes]) -> bytes:
    """Return files as one input."""
    parts = (
        b"=== %s\n%s" % (name.encode(), content if isinstance(content, bytes) else content.encode())
        for name, content in files.items()
    )
    return b"".join(part if part.endswith(b"\n") else part + b"\n" for part in parts)


def unpack(data: bytes) -> dict[str, bytes]:
    """Return the files of an input by their paths, of which none leads anywhere else."""
    parts = _HEAD.split(data)[1:]
    files = {name.decode(): content for name, content in zip(parts[::2], parts[1::2], strict=True)}
    plain: dict[str, bytes] = {}
    for name, content in files.items():
        folders = {name[:at] for at, sign in enumerate(name) if sign == "/"}
        if _PATH.fullmatch(name) and not folders & plain.keys() and not _is_folder(name, plain):
            plain[name] = content
    return plain


def _is_folder(name: str, files: Mapping[str, bytes]) -> bool:
    return any(other.startswith(f"{name}/") for other in files)


@cache
def scratch() -> Path:
    """Return this process's folder for files, in memory where the system has such a place."""
    memory = "/dev/shm"
    folder = Path(
        tempfile.mkdtemp(prefix="rulekit-fuzz-", dir=memory if os.access(memory, os.W_OK) else None)
    )
    _remove_at_end(folder)
    return folder


def _remove_at_end(folder: Path) -> None:
    import atexit

    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)


@contextlib.contextmanager
def folder_of(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Write files to a folder that is removed again."""
    folder = scratch() / "set"
    folder.mkdir()
    try:
        for name, content in files.items():
            path = folder / name
            if "/" in name:
                path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield folder
    finally:
        shutil.rmtree(folder)
