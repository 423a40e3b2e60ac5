"""Fixes of findings, laid over the files of a rule set: as often as a new check has some, only sound ones.

Nothing is written in the rule set: a copy of what a check reads is mended, and what has become of each file
is told.  A fix whose edits meet those of an earlier one waits for the next round.  A fix that leaves a line
of rules which cannot be read is none.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rulekit.analysis.check_inputs import SUFFIXES
from rulekit.base.files import MAX_BYTES, UnreadableFile, forget, list_files, read_inside
from rulekit.base.frozen import frozen
from rulekit.base.source import Source
from rulekit.diagnostics import Diagnostic, Edit, Report
from rulekit.syntax.parse import parse

MOST_ROUNDS = 8
_END = re.compile(r"\r\n|\r|\n")
_MARK = "\ufeff"


@frozen
class ChangedFile:
    """A file by its name in the rule set, as it is and as it would be."""

    file: str
    before: str
    after: str


@frozen
class FixResult:
    """What fixes make of a rule set: the files they change, how many findings they mend, what is left."""

    changes: tuple[ChangedFile, ...]
    mended: int
    left: tuple[Diagnostic, ...]


def apply_fixes(folder: Path, find: Callable[[Path], Iterable[Diagnostic]]) -> FixResult:
    """Try the fixes of what `find` finds in a folder with the same files, as long as it has some."""
    with tempfile.TemporaryDirectory(prefix="rulekit-") as name:
        copy = Path(name, "set")
        files = _copy(folder, copy)
        mended = 0
        left = tuple(find(copy))
        for _ in range(MOST_ROUNDS):
            number = _one_round(copy, left, files)
            if number == 0:
                break
            mended += number
            left = tuple(find(copy))
        changes = [ChangedFile(file, before, _read(copy / file)) for file, before in files.items()]
    return FixResult(tuple(change for change in changes if change.before != change.after), mended, left)


def _copy(folder: Path, copy: Path) -> dict[str, str]:
    """Copy every file that a check reads, and return the texts by name, but not those of links.

    A file that cannot be read becomes one that is too large to be read.
    """
    files: dict[str, str] = {}
    copy.mkdir()
    for name in list_files(folder, suffixes=SUFFIXES):
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            data = read_inside(folder, name, MAX_BYTES)
        except UnreadableFile:
            with target.open("wb") as empty:
                empty.truncate(MAX_BYTES + 1)
            continue
        target.write_bytes(data)
        with contextlib.suppress(UnicodeDecodeError):  # such a file is reported, and stays as it is
            if not (folder / name).is_symlink():
                files[name] = data.decode("utf-8")
    return files


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _one_round(copy: Path, findings: Iterable[Diagnostic], files: Iterable[str]) -> int:
    """Make every fix that meets no earlier one; how many there were."""
    texts = {file: _read(copy / file) for file in files}
    taken: list[_Placed] = []
    number = 0
    for finding in findings:
        edits = finding.fix.edits if finding.fix is not None else ()
        placed = list(_offsets(edits, texts))
        whole = edits and len(placed) == len(edits)
        if whole and not any(_meets(one, two) for one in placed for two in taken) and _sound(finding, texts):
            taken += placed
            number += 1
    forget(copy)
    for file in {edit[0] for edit in taken}:
        (copy / file).write_bytes(_with_edits(file, texts[file], taken).encode("utf-8"))
    return number


_Placed = tuple[str, int, int, str]
"""A file, where an edit begins and ends in its text, and what is to stand there."""


def _offsets(edits: Iterable[Edit], texts: dict[str, str]) -> Iterator[_Placed]:
    """Edits by offsets; none for a place that its file does not have."""
    for edit in edits:
        span, text = edit.span, texts.get(edit.span.file)
        if text is None:
            continue
        begin = len(_MARK) if text.startswith(_MARK) else 0
        starts = [begin, *(end.end() for end in _END.finditer(text)), len(text) + 1]
        if not (1 <= span.line <= span.end_line < len(starts)):
            continue
        start, end = starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
        if start <= end < starts[span.end_line]:
            yield span.file, start, end, edit.text.replace("\n", "\r\n" if "\r\n" in text else "\n")


def _meets(one: _Placed, two: _Placed) -> bool:
    return one[0] == two[0] and one[1] <= two[2] and two[1] <= one[2]


def _with_edits(file: str, text: str, edits: Iterable[_Placed]) -> str:
    for _, start, end, new in sorted((edit for edit in edits if edit[0] == file), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _sound(found: Diagnostic, texts: dict[str, str]) -> bool:
    """Whether the lines that a fix edits can be read with it; of white space, whether it is no more amiss."""
    assert found.fix is not None
    placed = list(_offsets(found.fix.edits, texts))
    blank = all(not (texts[file][start:end] + new).strip() for file, start, end, new in placed)
    for file in {edit[0] for edit in placed if edit[0].endswith(".rules")}:
        lines = {edit.span.line for edit in found.fix.edits if edit.span.file == file}
        report = Report()
        parse(Source(file, _with_edits(file, texts[file], placed).removeprefix(_MARK)), report)
        amiss = [finding for finding in report if finding.span.line in lines]
        if any(finding.kind.code == found.kind.code or not blank for finding in amiss):
            return False
    return True
