"""What decides the result of a check: what the user asks for, and the files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rulekit.base import cache
from rulekit.base.files import MAX_BYTES, UnreadableFile, list_files, read_inside, read_named
from rulekit.base.frozen import frozen
from rulekit.base.resources import grammar_text
from rulekit.base.results import code_digest
from rulekit.base.source import option_of

if TYPE_CHECKING:
    from rulekit.analysis.lints import Lint

SUFFIXES: Final = (".rules", ".yaml", ".yml", ".tsv")
"""The files that a check reads."""


@frozen
class CheckMode:
    """How a rule set is checked.

    Attributes:
        options: Those that the user chose, sorted.
        overlays: The owner's data files.
        each_option: Whether every option is also checked alone, and every preset, where none is chosen.
        as_printed: Without errata.
        play: Games of each scenario to play, with these options; `seed`: of these games.
        proofs: Whether the verdicts on all obligations are listed.
        lints: Lints that packages above hand in.
    """

    options: tuple[str, ...] = ()
    overlays: tuple[Path, ...] = ()
    each_option: bool = False
    as_printed: bool = False
    play: int = 0
    seed: str = "0"
    proofs: bool = False
    lints: tuple[Lint, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether all options are checked, since none was chosen."""
        return not self.options and not self.as_printed

    def words(self) -> Iterator[str]:
        """What decides the result beside the files."""
        yield from ("as printed",) if self.as_printed else ()
        yield from ("each option",) if self.each_option else ()
        yield from ("proofs",) if self.proofs else ()
        yield from (f"play {self.play} {self.seed}",) if self.play else ()
        yield from self.lint_names()
        yield from self.options

    def lint_names(self) -> Iterator[str]:
        """The lints handed in, by name."""
        return (f"lint {lint.__name__}" for lint in self.lints)

    def ways(self) -> set[str]:
        """The options, and the ways of checking as an acceptance names them."""
        special = {"as-printed": self.as_printed, "all-options": self.each_option, "play": bool(self.play)}
        return {*self.options, *(name for name, holds in special.items() if holds)}


class Files:
    """The files that a check reads, each as a digest of its bytes.

    Args:
        overlays: The owner's data files.

    Raises:
        OSError: One of them cannot be read.
    """

    def __init__(self, folder: Path, overlays: Iterable[Path]) -> None:
        self.base, self.options = hashlib.blake2b(digest_size=32), dict[str, bytes]()
        for name in list_files(folder, suffixes=SUFFIXES):
            digest = _digest(partial(read_inside, folder, name, MAX_BYTES))
            if option := option_of(name):
                self.options[option] = digest
            else:
                self.base.update(f"{name}\0".encode("utf-8", "surrogatepass") + digest)
        for path in overlays:
            digest = _digest(partial(read_named, path, MAX_BYTES, keep=True))
            self.base.update(f"\0{path}\0".encode("utf-8", "surrogatepass") + digest)

    def whole(self) -> str:
        """A digest of all of them."""
        return cache.key_of(self.base.digest(), *(f"{option}" for option in sorted(self.options.items())))

    def of(self, group: frozenset[str]) -> str | None:
        """A digest of those that take part with some options; None where one of them is not there."""
        if not group <= self.options.keys():
            return None
        parts = (part for name in sorted(group) for part in (name, self.options[name]))
        return cache.key_of(self.base.digest(), *parts)


def place_key(folder: Path) -> str:
    """Return what names a rule set, and this rulekit's code, which may make other things of its files."""
    return cache.key_of(code_digest(), grammar_text(), str(folder), str(folder.resolve()))


def _digest(read: Callable[[], bytes]) -> bytes:
    """Return a digest of the content, or of the reason why it cannot be read.

    Raises:
        UnreadableFile: It cannot be read now, or the folder has too much to be read.
    """
    try:
        data = read()
    except UnreadableFile as error:
        if error.reason in ("unreadable", "too much"):
            raise
        data = str(error).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(data, digest_size=32).digest()
