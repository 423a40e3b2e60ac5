"""The compiled program as text: a page for people where `rulekit compile` writes JSON for programs.

Operators, conditions and statements look as in the rules.  Cells are in square brackets, whether a state's
(`hits[Red]`) or a table's of constants (`piece.side[u]`); functions and procedures take parentheses.
"""

from rulekit.reports.show.ir.expressions import Expressions
from rulekit.reports.show.ir.program import IrItem, entries
from rulekit.reports.show.ir.statements import IrLine, Statements

__all__ = ["IrItem", "Expressions", "IrLine", "Statements", "entries"]
