"""Members of kinds with what the data say of them, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.data.model import ON_TRUST, Confidence, PopulationData
from rulekit.frozen import frozen
from rulekit.sheet.context import Context
from rulekit.sheet.document import Line, Runs
from rulekit.sheet.runs import text


@frozen
class Member:
    """A piece or a space; `values` are the data's, by field; `side` a place in the sheet's sides."""

    name: str
    title: str
    values: Mapping[str, Any]
    side: int | None
    confidence: Mapping[str, Confidence]

    def soft(self, field: str) -> bool:
        """Whether nobody vouches for a fact."""
        return self.confidence.get(field) in ON_TRUST and self.values.get(field) is not None

    def cell(self, ctx: Context, value: Any) -> Runs:
        """A value in words."""
        match value:
            case None | ():
                return text("–")
            case bool():
                return text(ctx.catalogue("yes" if value else "no"))
            case tuple():
                return text(", ".join(ctx.words.name(str(each)) for each in value))
            case str():
                return text(ctx.words.name(value))
            case dict():
                return text(", ".join(f"{key}: {each}" for key, each in value.items()))
            case _:
                return text(str(value).replace("-", "−"))


def members(ctx: Context, kind: str) -> tuple[Member, ...]:
    """The members of a population that come from a data file."""
    found = population(ctx, kind)
    if found is None:
        return ()
    made = []
    for row in found.rows:
        values = {column: cell.plain for column, cell in zip(found.columns, row.cells, strict=True)}
        confidence = dict(zip(found.columns, row.confidence, strict=True))
        name = str(values[found.columns[0]])
        owner = next(
            (values[f] for f in ("side", "owner", "original_owner", "controller") if values.get(f)), None
        )
        who = ctx.side(str(owner)) if owner else None
        title = ctx.words.name(name.replace(" ", "_"))
        made.append(Member(name, title, values, who.sides[0] if who else None, confidence))
    return tuple(made)


def population(ctx: Context, kind: str) -> PopulationData | None:
    """What the data files say of a kind."""
    for file in ctx.compiled.data.files.values():
        if file is not None and kind in file.populations:
            return file.populations[kind]
    return None


def soft_note(ctx: Context) -> Line:
    """What the ring behind a fact means."""
    return Line("°", text=text(ctx.catalogue("soft")))
