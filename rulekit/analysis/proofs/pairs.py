"""What is proved of options that nobody chose: which were compiled together, which never act together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulekit.analysis.options.group_cache import Group
from rulekit.analysis.proofs.record import Proof
from rulekit.compiler.options.combinations import MOST_GROUPS, RuleOptions

Together = Callable[[Group], tuple[Proof, ...] | None]
"""Gives the proofs about the clashes in a group of options; None if they do not compile together."""


def proofs_of_options(options: RuleOptions, together: Together) -> Iterator[Proof]:
    """The list for every two options that may be chosen together."""
    groups = tuple(options.groups())
    listed, failed = set[str](), 0
    for group in groups:
        proofs = together(group)
        failed += proofs is None
        for proof in proofs or ():
            if proof.subject not in listed:
                listed.add(proof.subject)
                yield proof
    subject, span = f"{options.pairs:,} pairs of options", options.manifest.options[0].span
    if options.untried:
        reason = f"{options.untried:,} of them were not"
        yield Proof("options", subject, "unknown", span, reason, MOST_GROUPS, len(groups))
    elif failed:
        reason = f"{failed} of {len(groups)} groups of options do not compile together"
        yield Proof("options", subject, "unknown", span, reason)
    elif options.pairs:
        number = f"{len(groups)} group{'' if len(groups) == 1 else 's'}"
        yield Proof("options", subject, "proved", span, f"in {number}", MOST_GROUPS)
