"""The intermediate representation: an amended, typed rule set, ready to run.

Made by `lower`, read by `interpret` (and later by odds, other back ends); written as JSON by
`rulekit compile` against `schemas/ir.schema.json`.  Everything refers by name, is frozen and total:
on a `Program` nothing is left to check but what only play can show (ranges, gaps, budgets).
"""

from rulekit.ir.expr import (
    Apply,
    At,
    Best,
    Const,
    Expr,
    Filter,
    Flagged,
    Fold,
    If,
    Linked,
    Local,
    Op,
    Read,
    Static,
)
from rulekit.ir.program import (
    Choice,
    Domain,
    Example,
    Function,
    Invariant,
    Measure,
    Modifier,
    NamedSet,
    Norm,
    Param,
    Point,
    Procedure,
    Program,
    Scenario,
    Site,
    State,
    StaticTable,
)
from rulekit.ir.stmt import (
    Block,
    Choose,
    ChooseEach,
    Dissolve,
    Do,
    DrawLot,
    DrawTop,
    Fail,
    Finish,
    ForEach,
    Form,
    LateChange,
    Leave,
    Let,
    MarkAll,
    Next,
    Order,
    Place,
    Put,
    Repeat,
    Return,
    Reveal,
    Roll,
    Say,
    Shuffle,
    Step,
    Stmt,
    Tell,
    Together,
    When,
    Write,
)

__all__ = [
    "Apply", "At", "Best", "Block", "Choice", "Choose", "ChooseEach", "Const", "Dissolve", "Do", "Domain",
    "DrawLot", "DrawTop", "Example", "Expr", "Fail", "Filter", "Finish", "Flagged", "Fold", "ForEach",
    "Form", "Function", "If", "Invariant", "LateChange", "NamedSet", "Leave", "Let", "Linked", "Local",
    "MarkAll", "Measure", "Modifier", "Next", "Norm", "Op", "Order", "Param", "Place", "Point", "Procedure",
    "Program", "Put", "Read", "Repeat", "Return", "Reveal", "Roll", "Say", "Scenario", "Shuffle", "Site",
    "State", "Static", "StaticTable", "Step", "Tell", "Stmt", "Together", "When", "Write",
]  # fmt: skip
