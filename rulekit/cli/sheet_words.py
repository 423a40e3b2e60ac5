"""The messages of `rulekit sheet`: missing translations, files out of date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rulekit.cli import shared

MOST_NAMED = 12
"""Wordings of one sort that are named; the rest is counted."""
_SORTS = {
    "rules": "printed rules",
    "names": "names",
    "texts": "other wordings",
    "words": "words of the sheet itself",
}
_READ = (".html", ".md", ".csv", ".json", ".svg")
"""Endings of files that are lines of text."""


def tell_missing(language: str, lacking: Mapping[str, Mapping[str, str]]) -> None:
    """List to standard error the wordings that are printed in English."""
    told = [line for part, wordings in lacking.items() if wordings for line in _lacks(part, list(wordings))]
    if told:
        shared.say(f"no `{language}` wording; printed in English:")
        for line in told:
            shared.say(f"  {line}")


def _lacks(part: str, keys: list[str]) -> Iterator[str]:
    named = ", ".join(key if len(key) <= 40 else key[:39] + "…" for key in keys[:MOST_NAMED])
    more = (
        f" and {len(keys) - MOST_NAMED} more; `--missing FILE` lists them" if len(keys) > MOST_NAMED else ""
    )
    yield f"{len(keys)} {_SORTS[part]}: {named}{more}"


def compare(files: Mapping[str, bytes]) -> None:
    """Compare files with the new contents; if any differs, show where and end the command with 1."""
    stale = [said for name, wanted in files.items() for said in _differs(Path(name), wanted)]
    if not stale:
        return
    for said in stale:
        shared.say(said)
    shared.say("  to update it, run the same command without `--check`")
    raise SystemExit(shared.FINDINGS)


def _differs(path: Path, wanted: bytes) -> Iterable[str]:
    try:
        there = path.read_bytes()
    except FileNotFoundError:
        yield f"`{path}` does not exist"
        return
    except OSError as error:
        raise shared.Failure(f"cannot read `{path}`: {(error.strerror or str(error)).lower()}") from error
    if there == wanted:
        return
    yield f"`{path}` is out of date"
    if path.suffix.lower() in _READ:
        yield from _first(there.decode(errors="replace"), wanted.decode(errors="replace"))


def _first(there: str, wanted: str) -> Iterator[str]:
    """The first lines that differ, each as far as it is short."""
    old, new = there.splitlines(), wanted.splitlines()
    at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    for sign, lines in (("-", old), ("+", new)):
        if at < len(lines):
            other = _other(old, new, lines, at)
            pairs = enumerate(zip(lines[at], other, strict=False))
            before = next((n for n, (a, b) in pairs if a != b), 0)
            yield f"  {at + 1}{sign} {_cut(lines[at], before)}"


def _other(old: list[str], new: list[str], lines: list[str], at: int) -> str:
    other = new if lines is old else old
    return other[at] if at < len(other) else ""


def _cut(line: str, at: int) -> str:
    """A stretch of a long line with the place where it differs."""
    start = max(0, at - 30)
    return ("…" if start else "") + line[start : start + 80].strip() + ("…" if len(line) > start + 80 else "")
