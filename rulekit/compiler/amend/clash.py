"""Whether two that reach one point can act in one situation: what is known of it before types are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, is_dataclass

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft, conjunction
from rulekit.compiler.names import Clash
from rulekit.diagnostics import Diagnostic
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.walk import nodes


def report_clash(
    draft: Draft, finding: Diagnostic, conditions: tuple[x.Expr | None, ...], params: tuple[i.Param, ...] = ()
) -> bool:
    """Report a clash, at once if it is certain; else leave it to be decided, by a definition made for it.

    True if it is certain.

    Args:
        conditions: Under which each of the two acts; None is always.
        params: What the conditions may read.
    """
    parts = [part for condition in conditions for part in _parts(condition)]
    if any(
        isinstance(part, x.Not) and same(_bare(part.value), _bare(other)) for part in parts for other in parts
    ):
        return False  # one holds only where the other does not
    both = conjunction(conditions)
    if both is None:
        draft.findings.add(finding)
        return True
    name = draft.free("defines", f"clash'{len(draft.clashes) + 1}")
    case = i.Case(finding.span, None, None, both)
    named = x.Name(finding.span, name)
    draft.space("defines")[name] = i.Define(finding.span, None, named, params, None, (case,))
    draft.clashes.append(Clash(finding, name))
    return False


def _parts(condition: x.Expr | None) -> list[x.Expr]:
    """What must hold, one by one."""
    if condition is None:
        return []
    bare = _bare(condition)
    return (
        [*_parts(bare.left), *_parts(bare.right)]
        if isinstance(bare, x.Logic) and bare.op == "and"
        else [bare]
    )


def _bare(e: x.Expr) -> x.Expr:
    return e.value if isinstance(e, x.Outside) else e


def same(left: object, right: object) -> bool:
    """Whether two pieces of syntax say the same, wherever they stand and whatever they cite."""
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, Span | Cite):
        return True
    if is_dataclass(left):
        return all(same(getattr(left, part.name), getattr(right, part.name)) for part in fields(left))
    return left == right


def reads_only(e: object, names: Collection[str]) -> bool:
    """Whether an expression reads none of what is known only where it stands: these names, and `its`."""
    return not any(isinstance(node, x.It | x.Its) or _named(node) in names for node in nodes(e))


def _named(node: object) -> str:
    return node.name.text if isinstance(node, x.Reference | x.Call) else ""
