"""Reading a rule set's files: only inside its folder, only plain files, only so much, only text."""

from __future__ import annotations

import os
import stat
import unicodedata
from pathlib import Path, PurePosixPath

from rulekit.base.source import Source, Span
from rulekit.base.spelling import nearest
from rulekit.diagnostics import Diagnostic, Kind, Report, kinds
from rulekit.ruleset.findings import short

MAX_BYTES = 4 * 1024 * 1024


def read_text(
    folder: Path,
    name: str,
    report: Report,
    *,
    at: Span | None = None,
    limit: int = MAX_BYTES,
    called: str = "",
) -> Source | None:
    """The text of a file of the rule set; None, and a finding, if it cannot be had.

    Args:
        folder: The rule set's folder; nothing outside it is ever opened, nor through a link.
        name: Path inside the folder, with `/`.
        at: The place that names the file, for findings; without it they are about the file itself.
        limit: Bytes it may have.
        called: The file's name in spans; empty for `name`.
    """
    called = called or name
    try:
        data = _read(_inside(folder, name), limit)
        if len(data) > limit:
            hint = "split it, or leave out what the rules do not need"
            raise _Refused(kinds.FILE_TOO_LARGE, f"has more than {limit:,} bytes", hint)
        return Source(called, _decode(data, called), str(folder))
    except _Refused as why:
        span = why.span or at or Span(called, 1, 1, 1, 1)
        report.add(Diagnostic(why.kind, f"{short(name)} {why.what}", span, hint=why.hint))
        return None


class _Refused(Exception):
    """Why a file is not read; `what` goes on after the file's name."""

    def __init__(self, kind: Kind, what: str, hint: str | None = None, span: Span | None = None) -> None:
        super().__init__(what)
        self.kind, self.what, self.hint, self.span = kind, what, hint, span


def _inside(folder: Path, name: str) -> Path:
    """The file's real path, links followed."""
    root = os.path.realpath(folder)
    parts = PurePosixPath(name).parts
    if parts and not name.startswith("/") and not {"..", "\\", "\0", ":"} & {*parts, *name}:
        real = os.path.realpath(os.path.join(root, *parts))
        if real.startswith(root.rstrip(os.sep) + os.sep):
            return Path(real)
    hint = "name a file inside the folder: a relative path with `/`, without `..`"
    raise _Refused(kinds.OUTSIDE_FOLDER, "is outside the rule set's folder", hint)


def _read(path: Path, limit: int) -> bytes:
    """At most one byte more than `limit`."""
    try:
        # Without O_NONBLOCK, opening a pipe that somebody left in the folder would wait for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise _Refused(kinds.FILE_UNREADABLE, "is not a regular file")
            with open(handle, "rb", closefd=False) as file:
                return file.read(limit + 1)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise _Refused(kinds.MISSING_FILE, "not found", _similar(path)) from None
    except OSError as error:
        reason = (error.strerror or "no reason given").lower()
        raise _Refused(kinds.FILE_UNREADABLE, f"cannot be read: {reason}") from None


def _decode(data: bytes, name: str) -> str:
    """The text in one normal form: a name is one name however its accents were typed, and lines are lines."""
    wrong = data.find(b"\0")
    try:
        text = data.decode("utf-8-sig")
        if wrong < 0:
            return unicodedata.normalize("NFC", _lines(text))
    except UnicodeDecodeError as error:
        start = error.start + (len(data) - len(error.object))  # its count leaves out a byte order mark
        wrong = start if wrong < 0 else min(wrong, start)
    before = _lines(data[:wrong].decode("utf-8-sig", "replace"))
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    what = f"is not UTF-8 text: byte {data[wrong]:#04x} at line {line}, column {column}"
    hint = "save it as UTF-8, the default of most editors"
    raise _Refused(kinds.FILE_NOT_TEXT, what, hint, Span(name, line, column, line, column))


def _lines(text: str) -> str:
    """The text with a line feed at each line's end, whichever way its lines ended."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _similar(path: Path) -> str | None:
    try:
        names = sorted(os.listdir(path.parent))[:1000]
    except OSError:
        return f"folder `{path.parent.name}` not found either"
    near = nearest(path.name, names)
    if near:
        return f"did you mean `{near[0]}` in the same folder?"
    return "every rule set needs one" if path.name == "ruleset.yaml" else None
