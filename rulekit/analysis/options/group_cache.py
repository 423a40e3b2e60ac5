"""What was found with some options chosen, kept from one check to the next by the files that it is from.

Only what the compile of a group of options can read decides what is found of it: the files that always take
part, the owner's, the files of its options; and, of the options left out, which there are, and, where
something names a modifier or norm that is not here, all that they have.  So an edit of one option leaves
what is known of every group without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rulekit.base import cache
from rulekit.base.results import ResultStore, ResultTable
from rulekit.diagnostics import Diagnostic, serial

MOST: Final = 2_000
"""Groups kept for one rule set: those that were asked for last."""
_READ: Final = (".rules", ".yaml", ".yml", ".tsv")

Group = frozenset[str]
GroupFindings = tuple[tuple[Diagnostic, ...], str]
"""What was found of a group, and a digest of what options have that are not in it, if that was looked at."""


class Files:
    """The files that a check reads, each as a digest of its bytes.

    Raises:
        OSError: One of them cannot be read.
    """

    def __init__(self, folder: Path, overlays: Iterable[Path]) -> None:
        self._folder, self._overlays = folder, tuple(overlays)
        self.base, self.options = hashlib.blake2b(digest_size=32), dict[str, bytes]()
        for path in sorted(path for path in folder.rglob("*") if path.suffix in _READ and path.is_file()):
            name = path.relative_to(folder).as_posix()
            if name.startswith("options/") and name.endswith(".rules"):
                self.options[name.removeprefix("options/").removesuffix(".rules")] = _digest(path)
            else:
                self.base.update(f"{name}\0".encode("utf-8", "surrogatepass") + _digest(path))
        for path in self._overlays:
            self.base.update(f"\0{path}\0".encode("utf-8", "surrogatepass") + _digest(path))

    def whole(self) -> str:
        """A digest of all of them."""
        return cache.key_of(self.base.digest(), *(f"{each}" for each in sorted(self.options.items())))

    def of(self, group: Group) -> str | None:
        """A digest of those that take part with some options; None where one of them is not there."""
        if not group <= self.options.keys():
            return None
        parts = (part for name in sorted(group) for part in (name, self.options[name]))
        return cache.key_of(self.base.digest(), *parts)

    def unchanged(self) -> bool:
        """Whether they are still what they were."""
        try:
            return Files(self._folder, self._overlays).whole() == self.whole()
        except OSError:
            return False


def _digest(path: Path) -> bytes:
    return hashlib.blake2b(path.read_bytes(), digest_size=32).digest()


class GroupCache:
    """What is known of groups of options of one rule set.

    Args:
        key: Names the set, and all else that gives the same files other findings (this rulekit's code).
        files: As they are now.
        beside: Gives a digest of what options have that others can name without needing them.
    """

    def __init__(self, key: str, files: Files, beside: Callable[[], str]) -> None:
        self._files, self._beside = files, beside
        self._table: ResultTable[GroupFindings] = ResultTable(_GROUPS, key, MOST)

    def get(self, group: Group, *more: str) -> tuple[Diagnostic, ...] | None:
        """What was found of a group, in the order in which it was; None if that is not known.

        Args:
            more: What else decides it.
        """
        name = self._name(group, more)
        known = self._table.get(name) if name is not None else None
        if known is None or (known[1] and known[1] != self._beside()):
            return None
        return known[0]

    def put(self, group: Group, found: Sequence[Diagnostic], *more: str, beside: bool) -> None:
        """Keep what was found of a group, unless it shows a file that does not take part.

        Args:
            beside: Whether it was looked at what the options left out have.
        """
        name = self._name(group, more)
        others = {f"options/{option}.rules" for option in self._files.options.keys() - group}
        if name is not None and not any(others & set(_shown(each)) for each in found):
            self._table.put(name, (tuple(found), self._beside() if beside else ""))

    def _name(self, group: Group, more: Sequence[str]) -> str | None:
        files = self._files.of(group)
        return None if files is None else cache.key_of(files, *more)

    def save(self) -> None:
        """Write what is known now, if anything is new and the files are what they were when it began."""
        if self._table.new and self._files.unchanged():
            self._table.save()


def _shown(found: Diagnostic) -> Iterator[str]:
    """The files that a finding shows."""
    yield found.span.file
    yield from (label.span.file for label in found.labels)
    yield from (edit.span.file for edit in (found.fix.edits if found.fix else ()))


def _to_plain(groups: Mapping[str, GroupFindings]) -> Any:
    """Groups as plain JSON; a finding of several is written once."""
    numbers: dict[Diagnostic, int] = {}
    listed = {
        name: [[numbers.setdefault(each, len(numbers)) for each in found], beside]
        for name, (found, beside) in groups.items()
    }
    return {"found": [serial.to_plain(each) for each in numbers], "groups": listed}


def _from_plain(plain: Any) -> Mapping[str, GroupFindings]:
    found = list(map(serial.from_plain, plain["found"]))
    return {
        name: (tuple(found[number] for number in numbers), str(beside))
        for name, (numbers, beside) in plain["groups"].items()
    }


_GROUPS: Final = ResultStore("groups", _to_plain, _from_plain)
