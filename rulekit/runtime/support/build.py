"""The ways to build a program, and the limits of each."""

from __future__ import annotations

from typing import Final, Literal

from rulekit.base.frozen import frozen

DEFAULT_FUEL: Final = 20_000_000_000
"""Units of work that a direct run may take; more is the fault `budget`."""

STEP_FUEL: Final = 20_000_000
"""The same between two decisions of a session."""

RUN_FUEL: Final = 5 * STEP_FUEL
"""The same for one procedure run by itself, or one part of an example, with all its decisions."""

COVERAGE_FUEL: Final = 10_000
"""The same for finding out whether a norm speaks of a candidate, which is noted in builds with coverage."""

LOOP_LIMIT: Final = 100_000
"""Runs of one `repeat` that states no limit of its own; more is the fault `endless-loop`."""

SEARCH_NODES: Final = 20_000
"""Partial answers tried to list the options of one part; more is the fault `undecided-choice`."""

MOST_OPTIONS: Final = 10_000
"""Options of one part of a choice; more is the fault `too-many-options`."""

MOST_TRACE: Final = 2_000_000
"""Values that all events of a game have, each event with one more for its kind; then `budget` (14.3)."""

MOST_CELLS: Final = 1_000_000
"""Cells of state, and entries of one table."""

MOST_SOURCE: Final = 30_000_000
"""Characters of generated Python."""

TABULATED: Final = 4096
"""Largest table made from a pure function of fixed things."""

INLINED: Final = 40
"""Largest function, in nodes, whose body replaces its calls."""


@frozen
class Build:
    """One way to compile a program; each gives its own code, so that what is off costs nothing.

    `form`: `direct` asks an agent at choices, in plain control flow; `frames` stops at choices with
    its position as plain data.  `trace`: nothing, the event's number, or the number and its operands.
    `journal` notes old values for undo.  `invariants` are tested after each event.  `coverage` notes
    each site that ran and turns off what would hide one (inlining, tables, hoisting).  `ask_all` asks
    also where there is but one option, for worked examples.  `explain` notes with each roll which of its
    modifiers act, with their numbers, and what keeps the others from acting.  With `chance` asked, `frames`
    stop also at dice, draws and shuffles, with what `support.asked` describes; `grouped`: the same, and sums
    of dice that make no difference are one answer.  Otherwise streams give them.
    """

    form: Literal["direct", "frames"] = "direct"
    trace: Literal["off", "ids", "operands"] = "off"
    journal: bool = False
    invariants: bool = False
    coverage: bool = False
    ask_all: bool = False
    explain: bool = False
    chance: Literal["drawn", "asked", "grouped"] = "drawn"

    @property
    def defers(self) -> bool:
        """Whether calls that only add may be put off."""
        return self.chance == "grouped"


SIMULATION: Final = Build()
SESSION: Final = Build(form="frames", trace="operands")


class TooLarge(Exception):
    """A program beyond what the back end takes; its message says which limit."""
