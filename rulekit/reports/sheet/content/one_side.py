"""A sheet for one side: without what only other sides do or have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulekit.reports.sheet.content.context import Context, Tell, existing
from rulekit.reports.sheet.model.document import (
    Block,
    Counters,
    Outline,
    Part,
    Roster,
    Run,
    Runs,
    Sheet,
    TableBlock,
)
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes

SORTS = ("choice", "norm", "step")
"""Sorts of names in the rules that may concern one side alone, written as under `names`: `step raids`."""


def is_of_rules(name: str) -> bool:
    """Return whether something that concerns one side is a name in the rules, and not a printed rule."""
    return name.partition(" ")[0] in SORTS and " " in name


def check_one_side(ctx: Context, names: Sequence[str], tell: Tell) -> None:
    """Report unknown choices, norms and steps among what concerns one side."""
    choices = ctx.compiled.names.choices
    norms = (
        f"{choice}.{norm.name.text if norm.name else norm.word}"
        for choice, item in choices.items()
        for norm in item.norms
    )
    steps = (
        node.name.text
        for procedure in ctx.compiled.names.procedures.values()
        for node in nodes(procedure.body, expressions=False)
        if isinstance(node, s.Step)
    )
    known = {"choice": (*choices,), "norm": (*norms,), "step": (*steps,)}
    for sort, _, name in (name.partition(" ") for name in names if is_of_rules(name)):
        existing(tell, sort, (name,), known[sort])


def for_side(sheet: Sheet, side: int) -> Sheet:
    """Return the sheet for a side, a place in `Sheet.sides`.

    It lacks steps in which only others act, counters of others, and rows and columns with the mark of another
    side alone; a block or part with nothing left is left out.
    """
    parts = [_part(part, side) for part in sheet.parts]
    title = f"{sheet.title} · {sheet.sides[side].name}"
    return replace(sheet, title=title, parts=tuple(part for part in parts if part.blocks))


def _part(part: Part, side: int) -> Part:
    blocks = (_block(block, side) for block in part.blocks)
    return replace(part, blocks=tuple(block for block in blocks if block is not None))


def _block(block: Block, side: int) -> Block | None:
    """Return a block as far as it concerns a side; None if nothing of it does."""
    match block:
        case Outline():
            groups = [
                replace(
                    group,
                    lines=tuple(one for one in group.lines if one.who is None or side in one.who.sides),
                )
                for group in block.groups
            ]
            left = tuple(
                group for group, whole in zip(groups, block.groups, strict=True)
                if group.lines or not whole.lines
            )  # fmt: skip
            return replace(block, groups=left) if left else None
        case TableBlock():
            rows = tuple(row for row in block.rows if not _of_others((row.title, *row.cells[:1]), side))
            return replace(block, rows=rows) if rows or not block.rows else None
        case Counters():
            kept = [
                (title, tuple(one for one in counters if one.side in (None, side)), words)
                for title, counters, words in block.groups
                if not _of_others((title,), side)
            ]
            groups_left = tuple(group for group in kept if group[1])
            return replace(block, groups=groups_left) if groups_left or not block.groups else None
        case Roster():
            return _roster(block, side)
        case _:
            return block


def _roster(block: Roster, side: int) -> Roster | None:
    places = [at for at, title in enumerate(block.columns) if not _of_others((title,), side)]
    rows = []
    for title, stands in block.rows:
        own = [stands[at] for at in places] if block.columns else list(stands)
        if not block.columns:
            own = [stand for stand in own if not _of_others((stand.title,), side)]
        if not _of_others((title,), side) and (own or not stands):
            rows.append((title, tuple(own)))
    if block.columns and not places or block.rows and not rows:
        return None
    return replace(block, columns=tuple(block.columns[at] for at in places), rows=tuple(rows))


def _of_others(texts: Sequence[Runs], side: int) -> bool:
    """Return whether texts have marks of sides, none of them that of this one."""
    marks = {run.text for runs in texts for run in runs if _is_mark(run)}
    return bool(marks) and str(side) not in marks


def _is_mark(run: Run) -> bool:
    return run.kind == "side"
