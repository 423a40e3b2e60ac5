"""The texts of a rule set's files, and of the owner's; an unreadable file is a finding."""

from __future__ import annotations

import errno
from pathlib import Path

from rulekit.base.characters import DIRECTION
from rulekit.base.files import (
    MAX_BYTES,
    UnreadableFile,
    list_beside,
    list_files,
    normal_text,
    read_inside,
    read_named,
    with_line_feeds,
)
from rulekit.base.source import Source, Span
from rulekit.base.spelling import nearest
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset.findings import direction_mark, short

_KINDS = {
    "missing": kinds.MISSING_FILE,
    "outside": kinds.OUTSIDE_FOLDER,
    "irregular": kinds.FILE_UNREADABLE,
    "too large": kinds.FILE_TOO_LARGE,
    "too much": kinds.FILE_TOO_LARGE,
    "unreadable": kinds.FILE_UNREADABLE,
}
_HINTS = {
    "outside": "name a file inside the folder: a relative path with `/`, without `..`",
    "too large": "split it, or leave out what the rules do not need",
    "too much": "leave out what the rules do not need",
}


def read_text(
    folder: Path, name: str, report: Report, *, at: Span | None = None, limit: int = MAX_BYTES
) -> Source | None:
    """The text of a file of the rule set; None, and a finding, if it cannot be had.

    Args:
        folder: The rule set's folder; nothing outside it is ever opened, nor through a link.
        name: Path inside the folder, with `/`.
        at: The place that names the file, for findings; without it they are about the file itself.
        limit: Bytes it may have.
    """
    try:
        return _source(name, name, read_inside(folder, name, limit), folder, report)
    except UnreadableFile as error:
        report.add(_finding(error, name, at or Span(name, 1, 1, 1, 1), folder))
        return None


def read_if_text(folder: Path, name: str) -> Source | None:
    """The text of a file of the rule set; None if it cannot be had."""
    try:
        return _source(name, name, read_inside(folder, name, MAX_BYTES), folder, Report())
    except UnreadableFile:
        return None


def read_owner_text(path: Path, report: Report) -> Source | None:
    """The text of a data file that the owner names, from anywhere; None, and a finding, without one."""
    file = str(path.absolute())
    try:
        return _source(file, path.name, read_named(path, MAX_BYTES, keep=True), path.parent, report)
    except UnreadableFile as error:
        report.add(_finding(error, path.name, Span(file, 1, 1, 1, 1), path.parent))
        return None


def list_names(folder: Path, report: Report, under: str = "", suffixes: tuple[str, ...] = ()) -> list[str]:
    """Return the names of files as `list_files` does; none, and a finding, if a folder cannot be read."""
    try:
        return list_files(folder, under, suffixes)
    except UnreadableFile as error:
        name = under or str(folder)
        report.add(_finding(error, name, Span(name, 1, 1, 1, 1), folder))
        return []


def _source(file: str, name: str, data: bytes, home: Path, report: Report) -> Source | None:
    """The text of a file's bytes; None, and a finding, if they are not text.

    Args:
        file: The file's name in spans; `name`: its name in messages.
    """
    wrong = data.find(b"\0")
    try:
        text = data.decode("utf-8-sig")
        if wrong < 0:
            source = Source(file, normal_text(text), str(home))
            _report_direction(source, report)
            return source
    except UnicodeDecodeError as error:
        start = error.start + (len(data) - len(error.object))  # its count leaves out a byte order mark
        wrong = start if wrong < 0 else min(wrong, start)
    before = with_line_feeds(data[:wrong].decode("utf-8-sig", "replace"))
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    what = f"is not UTF-8 text: byte {data[wrong]:#04x} at line {line}, column {column}"
    hint = "save it as UTF-8, the default of most editors"
    span = Span(file, line, column, line, column)
    report.add(Diagnostic(kinds.FILE_NOT_TEXT, f"{short(name)} {what}", span, hint=hint))
    return None


def _report_direction(source: Source, report: Report) -> None:
    """Report the first mark on each line that turns the direction of text."""
    if source.text.isascii() or not DIRECTION.search(source.text):
        return
    for number, line in enumerate(source.text.split("\n"), 1):
        if mark := DIRECTION.search(line):
            column = mark.start() + 1
            report.add(direction_mark(mark[0], line, Span(source.file, number, column, number, column + 1)))


def _finding(error: UnreadableFile, name: str, span: Span, folder: Path) -> Diagnostic:
    """The finding for a file that cannot be read; `name` is its name in the folder."""
    what, hint = error.strerror, _HINTS.get(error.reason)
    if error.reason == "outside":
        what = "is outside the rule set's folder"
    elif error.reason == "missing":
        hint = _similar(folder, name)
    elif error.errno in (errno.EACCES, errno.EPERM):
        hint = "you have no permission to read it"
    return Diagnostic(_KINDS[error.reason], f"{short(name)} {what}", span, hint=hint)


def _similar(folder: Path, name: str) -> str | None:
    names = list_beside(folder, name)
    inner, _, last = name.rpartition("/")
    if names is None:
        return f"folder `{(folder / inner).name}` not found either"
    near = nearest(last, names[:1000])
    if near:
        return f"did you mean `{near[0]}` in the same folder?"
    return "every rule set needs one" if last == "ruleset.yaml" else None
