"""Pairs of which one effect outweighs the other by a stated rule, or whose names decide an order."""

from __future__ import annotations

from itertools import product
from typing import Final

from rulekit.base.frozen import frozen
from tests.unit.analysis.options.matrix.ways import WAYS


def of_family(*families: str) -> frozenset[str]:
    """Return the names of the ways of some families."""
    return frozenset(way.name for way in WAYS if way.family in families)


@frozen
class Outweighing:
    """A rule of the specification by which one effect outweighs another: both apply, one is seen."""

    reason: str
    these: frozenset[str]
    those: frozenset[str]

    @property
    def pairs(self) -> frozenset[frozenset[str]]:
        """Every pair of the two."""
        return frozenset(frozenset(pair) for pair in product(self.these, self.those))


_IN_CLASS: Final = frozenset(
    (
        "set modifier", "set another modifier", "remove modifier", "remove winning modifier",
        "set clause of modifier", "set class", "set numbered class", "remove class", "new modifier in class",
    )
)  # fmt: skip
_ADDED_NORMS: Final = frozenset(
    ("forbid", "require", "permit", "forbid by state")
    + ("require number", "forbid number", "forbid low number", "forbid by state number")
)
OUTWEIGHED: Final = (
    Outweighing(
        "`at least` and `at most` limit the sum of all other modifiers (7.3)",
        frozenset(("new modifier at least", "new modifier at most")),
        of_family("rolls") | {"no marked row"},
    ),
    Outweighing(
        "`becomes` puts a number in place of what the definition gives (7.3)",
        frozenset(("modifier becomes on define",)),
        of_family("definitions"),
    ),
    Outweighing("one modifier of a `highest` class counts (7.4)", _IN_CLASS, _IN_CLASS),
    Outweighing(
        "norms all apply: a stricter one, or a narrower verb, hides a laxer one (8.5)",
        _ADDED_NORMS,
        of_family("choices", "numbers"),
    ),
    Outweighing(
        "a narrower verb no longer offers what a norm forbids (8.5)",
        frozenset(("replace number verb",)),
        frozenset(("remove number norm", "replace number norm")),
    ),
    Outweighing(
        "a norm that is removed for good is removed at times, and without its clause, too",
        frozenset(("remove norm",)),
        frozenset(("remove norm at times", "remove clause of norm")),
    ),
)
_MEMBERS: Final = frozenset(("add enum member", "add piece member", "add space member", "add kind member"))
ORDERED: Final = frozenset(frozenset(pair) for pair in product(_MEMBERS, _MEMBERS))
"""Pairs whose order the options' names decide: added members (11.5); nothing is lost by it."""
