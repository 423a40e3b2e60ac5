"""Samplers: made-up members and numbers, because the owner's file is missing."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.diagnostics import Diagnostic
from rulekit.diagnostics.kinds import MADE_UP_MEMBERS
from rulekit.ir.missing_tables import name_of

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """A note for each sampler in use: games, tests and proofs rely on what it makes up."""
    yield from _members(rules)
    yield from _numbers(rules)


def _members(rules: Inspection) -> Iterator[Diagnostic]:
    """A note for each extern population with made-up members."""
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


def _numbers(rules: Inspection) -> Iterator[Diagnostic]:
    """A note for each missing file of the owner in whose place tables have made-up numbers."""
    tables: dict[str, list[str]] = {}
    for table in rules.compiled.program.made_up_tables:
        tables.setdefault(table.made_up_for, []).append(name_of(table))
    for file, names in tables.items():
        span = rules.compiled.names.externs[names[0]].name.span
        what = f"`{names[0]}` has" if len(names) == 1 else f"{len(names)} tables have"
        message = f"{what} made-up numbers: the owner's file `{file}` is missing"
        hint = f"`rulekit show owner SET {file}` prints it, to be filled in"
        yield Diagnostic(MADE_UP_MEMBERS, message, span, hint=hint, key=(f"file {file}",))
