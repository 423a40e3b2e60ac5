"""Signatures on demand: a definition is checked where its type is first needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from rulekit.compiler.typecheck.context import CheckContext, Signature

Maker = Callable[[str], Signature | None]
ROLL = "roll:"
"""The prefix of the function that applies a roll's modifiers."""


class Signatures:
    """The signatures of defines, calendars, tables and modified rolls.

    Expressions need signatures, and making one takes expressions.  The checker ties this knot in one place:
    it sets `makers`, by the mapping of `Names` that holds the declaration, before anything is checked.
    """

    def __init__(self, ctx: CheckContext) -> None:
        self._ctx = ctx
        self.makers: Mapping[str, Maker] = {}

    def signature(self, name: str) -> Signature | None:
        """Of a define, calendar or table, or of `roll:NAME` if the roll has modifiers; None if unknown."""
        known = self._ctx.results.signatures.get(name)
        if known is not None:
            return known
        maker = self._maker(name)
        if maker is None:
            return None
        return self._ctx.units.run(("signature", name), partial(maker, name.removeprefix(ROLL)))

    def _maker(self, name: str) -> Maker | None:
        if name.startswith(ROLL):
            modified = ("roll", name.removeprefix(ROLL)) in self._ctx.modifiers_on
            return self.makers["rolls"] if modified else None
        for space in ("defines", "calendars", "tables", "externs"):
            if name in getattr(self._ctx.names, space):
                return self.makers[space]
        return None
