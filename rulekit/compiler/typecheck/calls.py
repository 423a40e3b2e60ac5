"""Names, fields and calls: what a name means where it stands."""

from __future__ import annotations

from abc import abstractmethod

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.resolve import BUILT_IN
from rulekit.compiler.typecheck import builtins
from rulekit.compiler.typecheck.context import Context, Signature, Wrong
from rulekit.compiler.typecheck.joins import ANY, fits, mask, none_of
from rulekit.compiler.typecheck.meant import meant_for
from rulekit.compiler.typecheck.scope import Scope
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x

FLAG = t.Flag()


class Calls:
    """The part of the expression checker that looks names up."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    @abstractmethod
    def infer(self, node: x.Expr, scope: Scope, expected: t.Type | None = None) -> ir.Expr: ...

    @abstractmethod
    def check(self, node: x.Expr, scope: Scope, want: t.Type) -> ir.Expr: ...

    @abstractmethod
    def fit(self, made: ir.Expr, want: t.Type, span: Span) -> ir.Expr: ...

    @abstractmethod
    def signature(self, name: str) -> Signature | None:
        """Of a define, value or table; None if there is none of that name."""

    def fits(self, have: t.Type, want: t.Type) -> bool:
        return fits(self.ctx.world, have, want)

    # -- names

    def is_bare_member(self, node: x.Expr, scope: Scope) -> bool:
        """Whether an expression is a name that only its surroundings can tell (a member's)."""
        if not isinstance(node, x.Reference):
            return False
        name = node.name.text
        return name not in scope.names and not self._is_value(name) and name in self.ctx.world.members

    def _is_value(self, name: str) -> bool:
        names = self.ctx.names
        return name in names.stores or name in names.defines or name in names.calendars

    def reference(self, node: x.Reference, scope: Scope, expected: t.Type | None) -> ir.Expr:
        """A name on its own: a local, a state or definition without parameters, a kind, a member."""
        name, world, names = node.name.text, self.ctx.world, self.ctx.names
        if name in scope.names:
            local = scope.names[name]
            if local is None or isinstance(local.type, t.Nothing):
                raise Wrong
            return scope.known(local)
        if name in names.stores or name in names.defines or name in names.calendars or name in names.tables:
            wanted = self.params_of(name)
            if not wanted:
                return self.value(name, (), node.span, scope)
            if not self._candidates(name, expected):
                whole = f"write `{name}({', '.join(param.name for param in wanted)})`"
                self.ctx.fail(
                    kinds.WRONG_ARGUMENTS, f"`{name}` needs {len(wanted)} arguments", node.span, whole
                )
        if name in world.kinds and not self._candidates(name, none_of(expected) if expected else None):
            kind = world.kinds[name]
            type_ = t.SetOf(t.Member(kind.domain, name))
            if name in names.groups:
                return ir.Flagged(f"exists:{name}", (), type_)
            return ir.Const(kind.members, type_)
        if name in world.members:
            return self.member(node, expected)
        known = [*scope.names, *names.stores, *names.defines, *world.kinds, *world.members]
        hint = self._statement_hint(name) or self.ctx.near(name, known)
        self.ctx.fail(kinds.UNKNOWN_NAME, f"unknown name `{name}`", node.span, hint)

    def _statement_hint(self, name: str) -> str | None:
        """What to do where the name of a roll, choice or procedure stands for its result."""
        names = self.ctx.names
        if name in names.rolls:
            return f"name its result, on a line of its own: `roll {name} as shown`"
        if name in names.choices:
            return f"name its answer, on a line of its own: `choose {name} as wanted`"
        procedure = names.procedures.get(name)
        if procedure is not None and procedure.result is None:
            return f"it gives nothing: run it on a line of its own, `do {name}`"
        return f"name its result, on a line of its own: `do {name} as made`" if procedure else None

    def _candidates(self, name: str, expected: t.Type | None) -> list[tuple[str, int]]:
        """The members a name can mean where a type is expected."""
        want = none_of(expected) if expected else None
        want = want.of if isinstance(want, t.SetOf | t.ListOf) else want
        if not isinstance(want, t.Member) or want == ANY:
            return []
        inside = mask(self.ctx.world, want)
        found = self.ctx.world.members.get(name, ())
        return [
            (domain, number) for domain, number in found if domain == want.domain and inside >> number & 1
        ]

    def member(self, node: x.Reference, expected: t.Type | None) -> ir.Expr:
        """A member by its name, told from its namesakes by the type expected."""
        name, world = node.name.text, self.ctx.world
        found = self._candidates(name, expected) or list(world.members[name])
        if len(found) > 1:
            whole = [f"`{self._kind_of(domain, number)}.{name}`" for domain, number in found]
            message = f"`{name}` is the name of {len(found)} things"
            self.ctx.fail(kinds.AMBIGUOUS_NAME, message, node.span, f"write {' or '.join(whole)}")
        domain, number = found[0]
        return ir.Const(number, t.Member(domain, self._kind_of(domain, number)))

    def _kind_of(self, domain: str, number: int) -> str:
        """The population (or enum) a member was declared in."""
        return self.ctx.world.homes.get((domain, number), domain)

    # -- values with parameters

    def params_of(self, name: str) -> tuple[ir.Param, ...]:
        """The parameters of a state, define, calendar or table."""
        names = self.ctx.names
        if name in names.stores:
            return self.ctx.params(names.stores[name].params)
        if name in names.calendars:
            return ()
        signature = self.signature(name)
        return signature.params if signature else ()

    def value(self, name: str, arguments: tuple[ir.Expr, ...], span: Span, scope: Scope) -> ir.Expr:
        """A state, define, calendar or table, its arguments checked already."""
        names = self.ctx.names
        if name in names.stores:
            type_ = self.ctx.reader.read(names.stores[name].type)
            if isinstance(type_, t.Nothing):
                raise Wrong
            return ir.Read(name, arguments, type_)
        signature = self.signature(name)
        assert signature is not None
        if isinstance(signature.result, t.Nothing):
            raise Wrong
        function = f"table:{name}" if name in names.tables or name in names.externs else name
        self.ctx.ask(function, tuple(arguments))
        return ir.Apply(function, arguments, signature.result)

    def call(self, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
        """`f(a, b)`: a map's value, a built-in, a definition, a table, a state with keys."""
        name, names = node.name.text, self.ctx.names
        local = scope.names.get(name)
        if local is not None and isinstance(local.type, t.MapOf):
            return self._map_value(node, local, local.type, scope)
        if name == "original":
            name = self._original(node, scope)
        if name in names.stores or name in names.defines or name in names.tables or name in names.externs:
            arguments = self.arguments(name, self.params_of(name), node.arguments, node.span, scope)
            return self.value(name, arguments, node.span, scope)
        made = builtins.call(self, node, scope, expected)
        if made is not None:
            return made
        known = [*names.defines, *names.tables, *names.stores, *BUILT_IN]
        hint = self._statement_hint(name) or self.ctx.near(name, known)
        self.ctx.fail(kinds.UNKNOWN_NAME, f"nothing to call is named `{name}`", node.name.span, hint)

    def _map_value(self, node: x.Call, local: ir.Local, type_: t.MapOf, scope: Scope) -> ir.Expr:
        if len(node.arguments) != 1:
            self.ctx.fail(kinds.WRONG_ARGUMENTS, f"`{node.name.text}` is a map: it takes one key", node.span)
        key = self.check(node.arguments[0], scope, type_.key)
        return ir.Op("map_get", (local, key), type_.value)

    def _original(self, node: x.Call, scope: Scope) -> str:
        original = self.ctx.names.originals.get(scope.routine.owner)
        if original is None:
            hint = "`original` is what an amendment replaced"
            self.ctx.fail(kinds.UNKNOWN_NAME, "nothing is replaced here", node.name.span, hint)
        return original

    def arguments(
        self, name: str, params: tuple[ir.Param, ...], nodes: tuple[x.Expr, ...], span: Span, scope: Scope
    ) -> tuple[ir.Expr, ...]:
        """Arguments, each of its parameter's type."""
        if len(nodes) != len(params):
            wanted = ", ".join(f"{param.name}: {param.type}" for param in params)
            message = f"`{name}` takes {len(params)} arguments, and {len(nodes)} are given"
            self.ctx.fail(kinds.WRONG_ARGUMENTS, message, span, f"it is declared `{name}({wanted})`")
        return tuple(
            meant_for(f"`{param.name}` of `{name}`", self.check(node, scope, param.type))
            for node, param in zip(nodes, params, strict=True)
        )

    # -- fields

    def field(self, node: x.Field, scope: Scope, expected: t.Type | None) -> ir.Expr:
        """`x.f`; or `Kind.Member`, which tells namesakes apart."""
        base = node.base
        if (
            isinstance(base, x.Reference)
            and base.name.text not in scope.names
            and not self._is_value(base.name.text)
        ):
            kind = self.ctx.world.kinds.get(base.name.text)
            if kind is not None and node.arguments is None:
                return self._qualified(node, base.name.text, kind)
        return self.field_of(self.infer(base, scope), node.name, node.arguments, node.span, scope, expected)

    def _qualified(self, node: x.Field, name: str, kind: ir.Kind) -> ir.Expr:
        for domain, number in self.ctx.world.members.get(node.name.text, ()):
            if domain == kind.domain and kind.members >> number & 1:
                return ir.Const(number, t.Member(domain, name))
        titles = self.ctx.world.domains[kind.domain].members
        known = [member.rsplit(".", 1)[-1] for k, member in enumerate(titles) if kind.members >> k & 1]
        message = f"no `{name}` is called `{node.name.text}`"
        self.ctx.fail(kinds.UNKNOWN_NAME, message, node.name.span, self.ctx.near(node.name.text, known))

    def field_of(
        self,
        base: ir.Expr,
        name: x.Name,
        given: tuple[x.Expr, ...] | None,
        span: Span,
        scope: Scope,
        expected: t.Type | None = None,
    ) -> ir.Expr:
        """A field of a value: declared, built in, a column, or a definition that takes it first."""
        made = self.try_field(base, name, given, span, scope)
        if made is not None:
            return made
        type_ = base.type
        if isinstance(type_, t.Optional):
            test = "test it first (`when x is not none`, x a parameter or `let`), or write `(x otherwise y)`"
            self.ctx.fail(kinds.MAYBE_NONE, f"this may be none, which has no `{name.text}`", span, test)
        hint: str | None = None
        if isinstance(type_, t.Member):
            hint = self.ctx.near(name.text, self._fields_of(type_))
        elif isinstance(type_, t.SetOf):
            hint = f"of a set: `total {name.text} in ..`, `lowest`, `highest`, or `for each`"
        self.ctx.fail(kinds.UNKNOWN_FIELD, f"a `{type_}` has no `{name.text}`", name.span, hint)

    def _fields_of(self, type_: t.Member) -> list[str]:
        parts = (*self.ctx.world.parts(type_.name), type_.name)
        return [field for kind, field in self.ctx.world.fields if kind in parts] + list(
            self.ctx.names.defines
        )

    def try_field(
        self, base: ir.Expr, name: x.Name, given: tuple[x.Expr, ...] | None, span: Span, scope: Scope
    ) -> ir.Expr | None:
        """As `field_of`, or None where there is nothing of that name for it."""
        type_ = base.type
        if isinstance(type_, t.Row):
            return self._column(base, type_, name)
        if isinstance(type_, t.Member) and type_ != ANY:
            if name.text == "place" and type_.domain == "piece":
                return ir.Read("place", (base,), self.ctx.world.place_type(type_.name))
            info = self.ctx.world.field(type_.name, name.text)
            if info is not None:
                keys = tuple(ir.Param(key, key_type) for key, key_type in info.keys)
                rest = self.arguments(name.text, keys, given or (), span, scope)
                if info.changes:
                    return ir.Read(info.store, (base, *rest), info.type)
                return ir.Static(info.store, (base, *rest), info.type)
        if isinstance(type_, t.Optional):
            return None
        return self._method(base, name, given, span, scope)

    def _method(
        self, base: ir.Expr, name: x.Name, given: tuple[x.Expr, ...] | None, span: Span, scope: Scope
    ) -> ir.Expr | None:
        """A definition, table or state called with `base` as its first argument."""
        names = self.ctx.names
        if not (name.text in names.defines or name.text in names.tables or name.text in names.stores):
            return None
        params = self.params_of(name.text)
        if not params or not self.fits(base.type, params[0].type) or len(params) - 1 != len(given or ()):
            return None
        rest = self.arguments(name.text, params[1:], given or (), span, scope)
        return self.value(name.text, (base, *rest), span, scope)

    def _column(self, base: ir.Expr, type_: t.Row, name: x.Name) -> ir.Expr:
        table = self.ctx.names.tables.get(type_.table) or self.ctx.names.externs[type_.table]
        for column in table.columns:
            if column.name == name.text:
                return ir.Static(
                    f"table:{type_.table}.{name.text}", (base,), self.ctx.reader.read(column.type)
                )
        known = [column.name for column in table.columns]
        message = f"the table `{type_.table}` has no column `{name.text}`"
        hint = self.ctx.near(name.text, known) or f"it has {', '.join(known)}"
        self.ctx.fail(kinds.UNKNOWN_FIELD, message, name.span, hint, Label(table.span, "declared here"))

    @abstractmethod
    def set_expression(
        self,
        node: x.SetLiteral | x.PlacedAt | x.Count | x.Aggregate | x.Where | x.With | x.LinkedTo,
        scope: Scope,
        expected: t.Type | None,
    ) -> ir.Expr: ...

    @abstractmethod
    def set_arithmetic(self, node: x.Binary | x.Divide, left: ir.Expr, scope: Scope) -> ir.Expr: ...

    @abstractmethod
    def quantified(self, node: x.Quantified, scope: Scope) -> ir.Expr: ...
