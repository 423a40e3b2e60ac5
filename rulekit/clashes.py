"""Whether two that clash can act in one situation: decided on the program, with the situation as evidence.

Only what is proved never to act together is acquitted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rulekit import ir
from rulekit.diagnostics import Report
from rulekit.names import Names
from rulekit.prove import Prover, Unknown
from rulekit.prove.situation import Situation, looked_for

BUDGET: Final = 100_000
"""Readings for one clash."""


def settle(names: Names, program: ir.Program, report: Report) -> ir.Program:
    """Report the clashes that can happen; the program without the definitions made to find out."""
    probes = {clash.probe: clash for clash in names.clashes}
    both = {item.name: item for item in program.functions if item.name in probes}
    bare = replace(program, functions=tuple(item for item in program.functions if item.name not in probes))
    prover = Prover(bare, solver=True)
    for clash in names.clashes:
        item, finding = both[clash.probe], clash.finding
        found = looked_for(prover, item.params, item.body, BUDGET)
        if isinstance(found, Situation):
            said = f"; so when {found.words}" if found.words else ""
            report.add(replace(finding, message=f"{finding.message}{said}"))
        elif isinstance(found, Unknown):
            hint = f"{finding.hint}; no situation was found, and not all could be tried ({found.reason})"
            report.add(replace(finding, hint=hint))
    return bare
