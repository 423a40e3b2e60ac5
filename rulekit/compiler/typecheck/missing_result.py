"""Whether a procedure comes to an end without the result it declares."""

from __future__ import annotations

from rulekit.compiler.typecheck.context import Context
from rulekit.diagnostics import Label, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s


def tell_missing_result(ctx: Context, decl: i.Procedure) -> None:
    """Report a procedure with a declared result that some way through it does not meet."""
    if decl.result is None or ends(decl.body):
        return
    name, originals = decl.name.text, ctx.names.originals
    if name in originals or name in originals.values():
        name = name.split("'")[0]  # amendments keep what they replace, and themselves, as `name'...`
    message = f"`{name}` declares a result and may end without one"
    labels = [Label(statement.span, "behind this") for statement in decl.body[-1:]]
    ctx.tell(kinds.WRONG_RESULT, message, decl.name.span, _hint(decl.body), *labels)


def ends(body: tuple[s.Statement, ...]) -> bool:
    """Whether every way through a block meets a `result` or `finish`; what a loop holds does not count."""
    return any(_ends(statement) for statement in body)


def _ends(statement: s.Statement) -> bool:
    match statement:
        case s.Return() | s.Finish():
            return True
        case s.When():
            return ends(statement.otherwise) and all(ends(body) for _, body in statement.branches)
        case s.Step(loop=None) | s.Together():
            return ends(statement.body)
        case _:
            return False


def _hint(body: tuple[s.Statement, ...]) -> str:
    match body[-1:]:
        case (s.When(otherwise=()),):
            return "add `otherwise: result EXPRESSION`, or a `result` behind the `when`"
        case (s.ForEach() | s.Repeat() | s.Step(loop=s.Loop()),):
            return "add `result EXPRESSION` behind the loop, which may run no time at all"
        case _:
            return "end every way through it with `result EXPRESSION`"
