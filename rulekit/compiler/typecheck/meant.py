"""What a number is given to, for the fault of one that does not fit there."""

from __future__ import annotations

from dataclasses import replace

from rulekit import ir


def meant_for(what: str, value: ir.Expr) -> ir.Expr:
    """The value; where its range is tested in play, the test knows what the number is given to."""
    if isinstance(value, ir.Op) and value.op in ("ranged", "at_most"):
        return replace(value, detail=what)
    return value
