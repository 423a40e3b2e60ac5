"""The meaning of names at one place: locals, `it`, and their types there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import CheckContext, Params
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree.items import Param
from rulekit.syntax.tree.stmt import Cite


@dataclass(slots=True)
class RoutineLocals:
    """The locals of the function, procedure or choice being checked; each gets a name of its own.

    `spans`: where locals were named, as far as known.  `lets`: those made by `let`.  `quantified`: the names
    of quantifiers so far, as written.
    """

    owner: str
    rules: tuple[str, ...]
    result: t.Type | None = None
    locals: dict[str, t.Type] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    lets: set[str] = field(default_factory=set)
    quantified: set[str] = field(default_factory=set)

    def fresh(self, name: str, type_: t.Type) -> ir.Local:
        """A local named like `name`, unlike every other of this routine."""
        text, number = name, 1
        while text in self.locals:
            number += 1
            text = f"{name}_{number}"
        self.locals[text] = type_
        return ir.Local(text, type_)

    def params(self) -> Params:
        """All its locals with their types."""
        return tuple(ir.Param(name, type_) for name, type_ in self.locals.items())


@frozen
class Scope:
    """Names at one place.

    `names` maps each written name to its local, or to None if its declaration is faulty (its uses are not
    reported again).  `narrowed` maps locals to a type known here that is narrower than the declared one.
    `raw` maps a modified roll to its dice.  `narrowed` also has what tests tell of reads of the state, and
    `reads` says whether an expression relies on it: None outside expressions.
    """

    routine: RoutineLocals
    names: Mapping[str, ir.Local | None] = field(default_factory=dict)
    it: ir.Local | None = None
    narrowed: Mapping[str | ir.Expr, t.Type] = field(default_factory=dict)
    raw: Mapping[str, ir.Local] = field(default_factory=dict)
    changeable: frozenset[str] = frozenset()
    in_loop: bool = False
    reads: bool | None = None

    def with_name(self, name: str, local: ir.Local | None) -> Scope:
        """With one more name."""
        return replace(self, names={**self.names, name: local})

    def relying(self, reads: bool) -> Scope:
        """Return the scope of an expression; made field by field, as nearly every expression has one."""
        return Scope(
            self.routine, self.names, self.it, self.narrowed, self.raw, self.changeable, self.in_loop, reads
        )

    def with_it(self, it: ir.Local) -> Scope:
        """With `it` bound."""
        return replace(self, it=it)

    def knowing(self, facts: Mapping[str | ir.Expr, t.Type]) -> Scope:
        """Return the scope with narrower types of some locals and expressions."""
        return replace(self, narrowed={**self.narrowed, **facts}) if facts else self

    def forgetting(self, local: str) -> Scope:
        """With a local at its declared type again, as after a change."""
        return replace(self, narrowed={k: v for k, v in self.narrowed.items() if k != local})

    def narrow(self, local: ir.Local) -> ir.Local:
        """The local with the type that is known here."""
        type_ = self.narrowed.get(local.name, local.type)
        return local if type_ == local.type else ir.Local(local.name, type_, local.type)

    def looping(self) -> Scope:
        """The scope of a loop's body."""
        return replace(self, in_loop=True)


class Inference(Protocol):
    """Types an expression, whatever its class: what the parts of the expression checker know of it."""

    def infer(self, node: x.Expr, scope: Scope, expected: t.Type | None = None) -> ir.Expr:
        """The typed expression; `expected` only helps to find the meaning of names and of `{}`."""

    def check(self, node: x.Expr, scope: Scope, expected: t.Type) -> ir.Expr:
        """The expression as a value of the expected type."""

    def flag(self, node: x.Expr, scope: Scope) -> ir.Expr:
        """The expression as a condition."""


def opening_scope(
    ctx: CheckContext,
    owner: str,
    params: Params,
    cite: Cite | None,
    decls: Iterable[Param] = (),
    result: t.Type | None = None,
) -> Scope:
    """The scope at the start of a routine: its parameters; `decls` are those whose place is known."""
    routine = RoutineLocals(owner, ctx.rules(cite), result)
    routine.spans.update((param.name.text, param.name.span) for param in decls)
    return Scope(routine, {param.name: routine.fresh(param.name, param.type) for param in params})


def bind_name(ctx: CheckContext, scope: Scope, name: x.Name, local: ir.Local) -> Scope:
    """The scope with a new name; a name that hides another is reported."""
    spans, earlier = scope.routine.spans, scope.names.get(name.text)
    if earlier is not None:
        message = f"`{name.text}` already names something here"
        labels = [Label(spans[earlier.name], "named here")] if earlier.name in spans else []
        ctx.report(kinds.SHADOWED_NAME, message, name.span, "choose another name", *labels)
    spans.setdefault(local.name, name.span)
    return scope.with_name(name.text, local)
