"""Amendments inside procedures: before, after, in place of a step or of the statement that cites a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft, Patch, conjunction, under
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.blocks import with_blocks

Body = tuple[s.Statement, ...]


@dataclass(slots=True)
class _Edits:
    """What is done to one statement."""

    before: list[Patch] = field(default_factory=list)
    after: list[Patch] = field(default_factory=list)
    instead: list[Patch] = field(default_factory=list)


def amend_statements(draft: Draft, patches: Sequence[Patch]) -> None:
    """`insert before` and `after`, `replace`, `remove`, wherever the statement stands by now.

    A procedure that another amendment replaced lives on beside the new one, and is amended there; so is what
    amendments bring.
    """
    edits: dict[Span, _Edits] = {}
    for patch in patches:
        place, op = patch.target.part, patch.amendment.op
        assert place is not None
        at = edits.setdefault(place, _Edits())
        if op in ("before", "after"):
            (at.before if op == "before" else at.after).append(patch)
        elif op == "remove" or (op == "replace" and patch.amendment.body):
            at.instead.append(patch)
        else:
            hint = "use `insert before`, `insert after`, `replace` or `remove`"
            draft.refuse(patch.amendment, f"{op} does not apply to a step", hint)
    if not edits:
        return
    for space in ("procedures", "events"):
        routines = draft.space(space)
        for name, routine in routines.items():
            body = _edited(routine.body, edits)
            if body != routine.body:
                routines[name] = replace(routine, body=body)


def _edited(body: Body, edits: dict[Span, _Edits]) -> Body:
    """A block with the statements in it edited, the inner ones first."""
    block: list[s.Statement] = []
    for statement in body:
        inner = with_blocks(statement, lambda body: _edited(body, edits))
        edit = edits.get(statement.span)
        block += _around(inner, edit, edits) if edit is not None else (inner,)
    return tuple(block)


def _around(statement: s.Statement, edit: _Edits, edits: dict[Span, _Edits]) -> Body:
    """What stands for a statement; insertions in the order of the variants, which `over` and `with` give."""
    core: Body = (statement,)
    for patches in _acting_together(edit.instead):
        core = _instead(core, patches, edits)
    return (
        *(inserted for patch in edit.before for inserted in _bringing(patch, edits)),
        *core,
        *(inserted for patch in edit.after for inserted in _bringing(patch, edits)),
    )


def _bringing(patch: Patch, edits: dict[Span, _Edits]) -> Body:
    return under(patch.condition(), _edited(patch.amendment.body, edits), (), patch.amendment.span)


def _acting_together(patches: list[Patch]) -> list[list[Patch]]:
    """Patches in their order, with those that act with one another in one group."""
    groups: list[list[Patch]] = []
    for patch in patches:
        if groups and any(other.activation.variant in patch.beside for other in groups[-1]):
            groups[-1].append(patch)
        else:
            groups.append([patch])
    return groups


def _instead(core: Body, patches: list[Patch], edits: dict[Span, _Edits]) -> Body:
    """What stands for a statement once what one amendment brings, or several together, is worked in."""
    amendment, condition = patches[0].amendment, _any(patches)
    if amendment.op == "remove":
        return () if condition is None else under(condition, (), core, amendment.span)
    if len(patches) == 1:
        brought = _edited(amendment.body, edits)
    else:
        brought = tuple(inserted for patch in patches for inserted in _bringing(patch, edits))
    if len(core) == 1 and isinstance(core[0], s.Step):
        step = core[0]
        return (replace(step, body=under(condition, brought, step.body, amendment.span)),)
    return under(condition, brought, core, amendment.span)


def _any(patches: list[Patch]) -> x.Expr | None:
    """When one of some amendments acts, or more of them."""
    conditions = [patch.condition() for patch in patches]
    return None if None in conditions else conjunction(conditions, "or")
