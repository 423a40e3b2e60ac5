"""How a rule set is checked: what the user asks of one check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.base.frozen import frozen

if TYPE_CHECKING:
    from rulekit.analysis.lints import Lint


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
