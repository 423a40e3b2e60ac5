"""What the prover answers to the question whether a condition ever holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.analysis.verdicts import Proved, Refuted, Undecided

Cell = tuple[str, tuple[int, ...]]
"""Something that a condition reads: a state and its keys, or a parameter and no keys (with one, a member of
the set, or the value for a key of the map, that the parameter is)."""

CellValues = Mapping[Cell, Any]
"""A situation in which a condition holds; cells that it does not name do not matter to the condition.

Parts of the condition that need not be read may fault there, so `situation` replays it before it is shown.
"""

Answer = Proved | Refuted[CellValues] | Undecided
"""Proved: the condition never holds, whatever the state; everything it may read has been tried."""
