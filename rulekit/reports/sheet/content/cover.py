"""The cover of a folder, with the meaning of the signs that its sheets use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.model.document import (
    JOINTS,
    Block,
    FrontPage,
    Head,
    Norms,
    Outline,
    Part,
    Run,
    RunKind,
    Runs,
    SheetLine,
    text,
)
from rulekit.reports.sheet.model.serial import values_in

MOODS = ("may", "must", "only", "not")
EXPLAINED: tuple[RunKind, ...] = ("odds", "circled", "ticked")
"""Kinds of runs that a key shows by the first of them."""


def cover(ctx: Context, parts: Sequence[Part]) -> Part:
    """Return the cover of these parts, with a key of their signs."""
    title = ctx.catalogue("key")
    blocks = tuple(block for part in parts for block in part.blocks)
    return Part("cover", title, (), 1, (FrontPage(Head("cover", title), tuple(_key(ctx, blocks))),), True)


def _key(ctx: Context, blocks: tuple[Block, ...]) -> Iterator[tuple[Runs, str]]:
    word = ctx.catalogue
    lines, runs = list(values_in(blocks, SheetLine)), list(values_in(blocks, Run))
    yield from _acting(ctx, blocks)
    if rolls := [roll for line in lines for roll in line.rolls]:
        yield (Run("die", rolls[0]),), word("key-die")
    if numbers := [number for line in lines for number in line.numbers]:
        yield (Run("ref", numbers[0]),), word("key-ref")
    norms = tuple(block for block in blocks if isinstance(block, Norms))
    used = {*(line.mood for line in values_in(norms, SheetLine)), *(r.text for r in runs if r.kind == "mood")}
    for mood in (mood for mood in MOODS if mood in used):
        yield (Run("mood", mood),), word(f"mood-{mood}")
    for kind in EXPLAINED:
        if first := next((run for run in runs if run.kind == kind), None):
            yield (first,), word(f"key-{kind}")
    if tags := [tag for line in lines if line.status for tag in line.by]:
        yield (Run("tag", tags[0]),), word("changed")
    if any(line.soft for line in lines):
        yield text("°"), word("soft")


def _acting(ctx: Context, blocks: Iterable[Block]) -> Iterator[tuple[Runs, str]]:
    """The marks of those who act, and each way in which they act together, once."""
    acting = [line.who for block in blocks if isinstance(block, Outline) for line in block.lines if line.who]
    for place, side in enumerate(ctx.sides):
        if any(place in who.sides for who in acting):
            yield (Run("side", str(place)),), side.name
    for who in {who.joint: who for who in reversed(acting) if who.joint != "alone"}.values():
        first, second = who.sides[:2]
        names = (ctx.sides[first].name, ctx.sides[second].name)
        sign = (Run("side", str(first)), *text(f" {JOINTS[who.joint]} "), Run("side", str(second)))
        yield sign, ctx.catalogue("then", *names) if who.joint == "then" else ctx.catalogue(who.joint)
