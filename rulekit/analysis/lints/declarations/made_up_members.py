"""Extern populations whose members are made up, because the owner's file is missing."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.diagnostics import Diagnostic
from rulekit.diagnostics.kinds import MADE_UP_MEMBERS

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """A note for each sampler in use: games, tests and proofs rely on its members."""
    names = rules.compiled.names
    for kind in rules.compiled.program.kinds:
        if kind.missing:
            population = names.populations[kind.name]
            many = kind.members.bit_count()
            members = "one made-up member" if many == 1 else f"{many:,} made-up members"
            message = f"`{kind.name}` has {members}: the owner's file `{kind.missing}` is missing"
            hint = f"`rulekit show owner SET {kind.name}` prints it, to be filled in"
            key = (f"{population.sort} {kind.name}",)
            yield Diagnostic(MADE_UP_MEMBERS, message, population.name.span, hint=hint, key=key)
