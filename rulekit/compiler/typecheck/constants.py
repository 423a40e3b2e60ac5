"""Values that are known before play: starting values, and the answers and dice of examples."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit import ir
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.world import Sizes
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.ir.semantics.constant import Constants, NotConstant
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.walk import nodes
from rulekit.syntax.tree import expr as x


def evaluate(ctx: CheckContext, value: ir.Expr, locals_: Mapping[str, Value], node: x.Expr) -> Value:
    """The value of a constant expression.

    Raises:
        Wrong: It is not constant.
    """
    try:
        constants = Constants(ctx.results.statics, Sizes(ctx.world.domains))
        return constants.value(value, locals_)  # type: ignore[no-any-return]
    except Fault as fault:
        ctx.fail(kinds.NOT_CONSTANT, f"this has no value: {fault.message}", node.span)
    except NotConstant:
        parts = list(nodes(value))
        hint = "use numbers, names and fixed fields"
        if any(isinstance(part, ir.Read | ir.Flagged | ir.At) for part in parts):
            message = "this value is known only in play"
        elif any(isinstance(part, ir.Apply) for part in parts):
            message = "definitions and tables cannot be used here"
            hint = "write the value itself, or `set` it in a scenario"
        else:
            message = "this cannot be evaluated before play"
        ctx.fail(kinds.NOT_CONSTANT, message, node.span, hint)


def default(ctx: CheckContext, type_: t.Type) -> Value:
    """The starting value of a state that declares none (spec 4.7)."""
    match type_:
        case t.Int():
            return 0 if type_.low <= 0 <= type_.high else type_.low
        case t.Month():
            return type_.low
        case t.Flag():
            return False
        case t.Optional():
            return t.NONE
        case t.ListOf():
            return ()
        case t.Member():
            members = ctx.world.kinds[type_.name].members
            return (members & -members).bit_length() - 1 if members else t.NONE
        case _:
            return 0
