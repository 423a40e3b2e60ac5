"""Which mutants are tried: by operator, by what they are in, or some by lot."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rulekit.analysis.mutate.mutant import Mutant
from rulekit.base.cache import key_of


def choose_mutants(
    mutants: Iterable[Mutant],
    *,
    operators: Collection[str] = (),
    only: str | None = None,
    sample: int | None = None,
    seed: str = "0",
) -> tuple[Mutant, ...]:
    """Those that are meant, in their order.

    Args:
        operators: Names of operators; without any, all of them.
        only: A part of the item's name or of the file's, or a printed rule.
        sample: At most so many, by lot; a lot depends on a mutant's id and the seed alone, so that an edit
            elsewhere leaves the others in.
    """
    found = [each for each in mutants if not operators or each.operator in operators]
    if only is not None:
        found = [each for each in found if _is_meant(each, only)]
    if sample is not None and len(found) > sample:
        by_lot = sorted(found, key=lambda each: key_of(seed, each.id))
        drawn = {each.id for each in by_lot[:sample]}
        found = [each for each in found if each.id in drawn]
    return tuple(found)


def _is_meant(mutant: Mutant, only: str) -> bool:
    wanted = only.casefold()
    return only in mutant.rules or any(wanted in text.casefold() for text in (mutant.owner, mutant.span.file))
