"""What variants bring, for those who amend it: norms, rows, statements, lines of definitions."""

from __future__ import annotations

from rulekit.base.source import Span
from rulekit.compiler.amend.targets import Parts, placed
from rulekit.compiler.names import Names
from rulekit.syntax.tree import items as i


class Everything:
    """All that can be reached in a rule set, gathered once."""

    def __init__(self, names: Names) -> None:
        self.declared = Parts.declared(names)
        self._brought = {name: _of(variant) for name, variant in names.variants.items()}
        self._variants = names.variants

    def beside(self, variant: str) -> Parts:
        """What all variants but this one bring."""
        made = Parts()
        for name, parts in self._brought.items():
            if name != variant:
                made.add(parts)
        return made

    def brings(self, place: Span) -> str:
        """The variant that brings what stands at a place."""
        return next(
            name
            for name, variant in self._variants.items()
            if variant.span.file == place.file and variant.span.line <= place.line <= variant.span.end_line
        )


def _of(variant: i.Variant) -> Parts:
    """What the amendments of one variant bring.

    What stands in for a single norm or row is meant by that one's name, whoever amends it.
    """
    made = Parts()
    for amendment in variant.amendments:
        address = amendment.address
        owner = address.of_name or address.name
        name = owner.text if owner is not None else ""
        made.add_norms(name, amendment.norms)
        rows = amendment.rows[1:] if address.word == "table" and amendment.op == "replace" else amendment.rows
        made.rows += [(name, row) for row in rows]
        if address.word not in ("choice", "table"):
            made.by_number |= {norm.span for norm in amendment.norms} | {row.span for row in rows}
        made.statements += placed(name, amendment.body)
        if address.word == "roll" and amendment.op == "add":
            made.classes += [(name, each) for each in amendment.stacking]
        if amendment.op == "redefine":
            made.cases += [(name, case) for case in amendment.cases if isinstance(case, i.Case)]
    return made
