"""Names, fields and calls: the meaning of a name at its place."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.language import quoted_name
from rulekit.base.source import Span
from rulekit.base.spelling import has_hints, meant, nearest
from rulekit.compiler.names import BUILT_IN
from rulekit.compiler.typecheck.context import CheckContext, Params, Wrong
from rulekit.compiler.typecheck.conversions import ANY, MAY_BE_NONE, fits, mask, with_label, without_none
from rulekit.compiler.typecheck.expressions.builtins import BuiltInCall, built_in
from rulekit.compiler.typecheck.scope import Inference, Scope
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x

_NEAR_MEMBERS = 4
"""Members that a hint names."""
FOREIGN_VALUES = {
    **dict.fromkeys(("None", "null", "nil", "nothing", "NULL"), "write `none`"),
    **dict.fromkeys(("True", "TRUE", "yes"), "write `true`"),
    **dict.fromkeys(("False", "FALSE"), "write `false`"),
}
"""Values as other languages write them."""
_CHANCE = ("random", "rand", "randint", "roll", "dice", "die")
"""Functions of chance in other languages."""


def definition_hint(name: str, types: Iterable[t.Type]) -> str | None:
    """Return a hint with the first line of a definition over these types; None if one is too rich."""
    params: dict[str, t.Type] = {}
    for type_ in map(without_none, types):
        if not isinstance(type_, t.Member | t.Int) or type_ == ANY:
            return None
        letter = type_.name[0].lower() if isinstance(type_, t.Member) else "n"
        params[f"{letter}{len(params) + 1}" if letter in params else letter] = type_
    listed = ", ".join(f"{param}: {type_}" for param, type_ in params.items())
    return f"define it: `define {quoted_name(name)}({listed}):` and its value"


@frozen
class CallChecker:
    """Looks names up."""

    ctx: CheckContext
    inference: Inference

    # -- names

    def is_bare_member(self, node: x.Expr, scope: Scope) -> bool:
        """Whether an expression is the bare name of a member, which may need an expected type."""
        if not isinstance(node, x.Reference):
            return False
        name = node.name.text
        return name not in scope.names and not self.is_value(name) and name in self.ctx.world.members

    def is_value(self, name: str) -> bool:
        """Whether a state, define or calendar has a name."""
        names = self.ctx.names
        return name in names.stores or name in names.defines or name in names.calendars

    def reference(self, node: x.Reference, scope: Scope, expected: t.Type | None) -> ir.Expr:
        """A name on its own: a local, a state or definition without parameters, a kind, a member."""
        name, world, names = node.name.text, self.ctx.world, self.ctx.names
        if name in scope.names:
            local = scope.names[name]
            if local is None or isinstance(local.type, t.Nothing):
                raise Wrong
            return scope.narrow(local)
        if name in names.stores or name in names.defines or name in names.calendars or name in names.tables:
            params = self.params_of(name)
            if not params:
                return self.value(name, ())
            if not self._candidates(name, expected):
                example = f"write `{name}({', '.join(param.name for param in params)})`"
                message = f"`{name}` needs {len(params)} argument{'' if len(params) == 1 else 's'}"
                self.ctx.fail(kinds.WRONG_ARGUMENTS, message, node.span, example)
        if name in world.kinds and not self._candidates(name, without_none(expected) if expected else None):
            kind = world.kinds[name]
            type_ = t.SetOf(t.Member(kind.domain, name))
            if name in names.groups:
                return ir.Flagged(f"exists:{name}", (), type_)
            return ir.Const(kind.members, type_)
        if name in world.members:
            return self.member(node, expected)
        hint = (
            FOREIGN_VALUES.get(name)
            or self._statement_hint(name)
            or self._needs(name)
            or _quantified_hint(name, scope)
            or self._its_hint(name, scope)
            or self._meant(name, scope)
            or self._near_members(name, expected)
        )
        self.ctx.fail(kinds.UNKNOWN_NAME, f"unknown name `{name}`", node.span, hint)

    def is_unheard_of(self, name: str, scope: Scope) -> bool:
        """True if no name is like this one, so that the author most likely meant to declare it."""
        return self._statement_hint(name) is None and self._meant(name, scope) is None

    def _needs(self, name: str) -> str | None:
        """Where a member may be named that not every owner's data have."""
        world = self.ctx.world
        for domain, number in world.data_members.get(name, ()):
            kind = world.homes[domain, number]
            return f"only data have it: add the line `needs {quoted_name(name)}` to `{kind}`"
        return None

    def _meant(self, name: str, scope: Scope) -> str | None:
        names, world = self.ctx.names, self.ctx.world
        if not has_hints():
            return None
        known = (*scope.names, *names.stores, *names.defines, *world.kinds, *world.members)
        return None if name in known else meant(name, known)

    def _its_hint(self, name: str, scope: Scope) -> str | None:
        """How to read a field of the member in question."""
        of = scope.it.type if scope.it is not None else None
        if not isinstance(of, t.Member) or self.ctx.world.field(of.name, name) is None:
            return None
        return f"write `its {quoted_name(name)}`"

    def _near_members(self, name: str, expected: t.Type | None) -> str | None:
        """The members that look most like a name: of the type expected; any, if the name has other signs."""
        if not has_hints():
            return None
        fitting = [member for member in self.ctx.world.members if self._candidates(member, expected)]
        if not fitting and name.isidentifier():
            return None
        folded = {member.lower(): member for member in fitting or self.ctx.world.members}
        near = nearest(name.lower(), folded, _NEAR_MEMBERS, 0 if fitting else 0.5)
        members = ", ".join(f"`{quoted_name(folded[member])}`" for member in near)
        return f"write a member, such as {members}" if near else None

    def _statement_hint(self, name: str) -> str | None:
        """What to write instead of the bare name of a roll, choice or procedure."""
        names = self.ctx.names
        if name in names.rolls:
            return f"roll it on a line of its own: `roll {name} as shown`"
        if name in names.choices:
            return f"ask it on a line of its own: `choose {name} as wanted`"
        procedure = names.procedures.get(name)
        if procedure is not None and procedure.result is None:
            return f"it has no result: run it on a line of its own, `do {name}`"
        return f"run it on a line of its own: `do {name} as made`" if procedure else None

    def _candidates(self, name: str, expected: t.Type | None) -> list[tuple[str, int]]:
        """The members a name can mean where a type is expected."""
        type_ = without_none(expected) if expected else None
        type_ = type_.of if isinstance(type_, t.SetOf | t.ListOf) else type_
        if not isinstance(type_, t.Member) or type_ == ANY:
            return []
        inside = mask(self.ctx.world, type_)
        return [
            (domain, number)
            for domain, number in self.ctx.world.members.get(name, ())
            if domain == type_.domain and inside >> number & 1
        ]

    def member(self, node: x.Reference, expected: t.Type | None) -> ir.Expr:
        """A member by its name; the expected type decides between namesakes."""
        name, world = node.name.text, self.ctx.world
        members = self._candidates(name, expected) or list(world.members[name])
        if len(members) > 1:
            qualified = [f"`{self._kind_of(domain, number)}.{name}`" for domain, number in members]
            message = f"ambiguous name `{name}`: it has {len(members)} meanings"
            self.ctx.fail(kinds.AMBIGUOUS_NAME, message, node.span, f"write {' or '.join(qualified)}")
        domain, number = members[0]
        return ir.Const(number, t.Member(domain, self._kind_of(domain, number)))

    def _kind_of(self, domain: str, number: int) -> str:
        """The population (or enum) a member was declared in."""
        return self.ctx.world.homes.get((domain, number), domain)

    # -- values with parameters

    def params_of(self, name: str) -> Params:
        """The parameters of a state, define, calendar or table."""
        names = self.ctx.names
        if name in names.stores:
            return self.ctx.params(names.stores[name].params)
        if name in names.calendars:
            return ()
        signature = self.ctx.signature(name)
        return signature.params if signature else ()

    def value(self, name: str, arguments: tuple[ir.Expr, ...]) -> ir.Expr:
        """A state, define, calendar or table with checked arguments."""
        names = self.ctx.names
        if name in names.stores:
            type_ = self.ctx.reader.read(names.stores[name].type)
            if isinstance(type_, t.Nothing):
                raise Wrong
            return ir.Read(name, arguments, type_)
        signature = self.ctx.signature(name)
        assert signature is not None
        if isinstance(signature.result, t.Nothing):
            raise Wrong
        function = f"table:{name}" if name in names.tables or name in names.externs else name
        self.ctx.note("call", function, arguments)
        return ir.Apply(function, arguments, signature.result)

    def call(self, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
        """`f(a, b)`: a map's value, a built-in, a definition, a table, a state with keys."""
        name, names = node.name.text, self.ctx.names
        local = scope.names.get(name)
        if local is not None and isinstance(local.type, t.MapOf):
            return self._map_value(node, local, local.type, scope)
        if name == "original":
            name = self.original(node, scope)
        if name in names.stores or name in names.defines or name in names.tables or name in names.externs:
            arguments = self.arguments(name, self.params_of(name), node.arguments, node.span, scope)
            return self.value(name, arguments)
        result = built_in(BuiltInCall(self.ctx, self.inference, node, scope, expected))
        if result is not None:
            return result
        known = [*names.defines, *names.tables, *names.stores, *BUILT_IN]
        hint = self._statement_hint(name) or meant(name, known)
        if name in _CHANCE:
            hint = "declare `roll cast: d6` outside, and roll it on a line of its own: `roll cast as shown`"
        types: list[t.Type] = []
        with self.ctx.recovering():
            types += (self.inference.infer(argument, scope).type for argument in node.arguments)
        hint = hint or (definition_hint(name, types) if types else None)
        self.ctx.fail(kinds.UNKNOWN_NAME, f"unknown function or table `{name}`", node.name.span, hint)

    def _map_value(self, node: x.Call, local: ir.Local, type_: t.MapOf, scope: Scope) -> ir.Expr:
        if len(node.arguments) != 1:
            self.ctx.fail(kinds.WRONG_ARGUMENTS, f"`{node.name.text}` is a map: it takes one key", node.span)
        key = self.inference.check(node.arguments[0], scope, type_.key)
        return ir.Op("map_get", (local, key), type_.value)

    def original(self, node: x.Call, scope: Scope) -> str:
        """The name under which the item that an amendment replaced lives on."""
        original = self.ctx.names.originals.get(scope.routine.owner)
        if original is None:
            hint = "use `original` in an amendment that replaces something"
            self.ctx.fail(kinds.UNKNOWN_NAME, "no amendment replaces anything here", node.name.span, hint)
        return original

    def arguments(
        self, name: str, params: Params, nodes: tuple[x.Expr, ...], span: Span, scope: Scope
    ) -> tuple[ir.Expr, ...]:
        """Arguments, each of its parameter's type."""
        if len(nodes) != len(params):
            declared = ", ".join(f"{param.name}: {param.type}" for param in params)
            takes = f"takes {len(params)} argument{'' if len(params) == 1 else 's'}"
            message = f"`{name}` {takes}, found {len(nodes)}"
            self.ctx.fail(kinds.WRONG_ARGUMENTS, message, span, f"declared as `{name}({declared})`")
        return tuple(
            with_label(self.inference.check(node, scope, param.type), f"`{param.name}` of `{name}`")
            for node, param in zip(nodes, params, strict=True)
        )

    # -- fields

    def field(self, node: x.Field, scope: Scope) -> ir.Expr:
        """`x.f`; or `Kind.Member`, which distinguishes namesakes."""
        base = node.base
        if (
            isinstance(base, x.Reference)
            and base.name.text not in scope.names
            and not self.is_value(base.name.text)
        ):
            kind = self.ctx.world.kinds.get(base.name.text)
            if kind is not None and node.arguments is None:
                return self._qualified_member(node, base.name.text, kind)
        return self.field_of(self.inference.infer(base, scope), node.name, node.arguments, node.span, scope)

    def _qualified_member(self, node: x.Field, name: str, kind: ir.NamedSet) -> ir.Expr:
        for domain, number in self.ctx.world.members.get(node.name.text, ()):
            if domain == kind.domain and kind.members >> number & 1:
                return ir.Const(number, t.Member(domain, name))
        titles = self.ctx.world.domains[kind.domain].members
        known = [member.rsplit(".", 1)[-1] for k, member in enumerate(titles) if kind.members >> k & 1]
        message = f"`{name}` has no member `{node.name.text}`"
        self.ctx.fail(kinds.UNKNOWN_NAME, message, node.name.span, meant(node.name.text, known))

    def field_of(
        self, base: ir.Expr, name: x.Name, given: tuple[x.Expr, ...] | None, span: Span, scope: Scope
    ) -> ir.Expr:
        """A field of a value: declared, built in, a column, or a definition that takes it first."""
        field = self.try_field(base, name, given, span, scope)
        if field is not None:
            return field
        type_ = base.type
        if isinstance(type_, t.Optional):
            message = f"cannot read `{name.text}`: this value may be none"
            self.ctx.fail(kinds.MAYBE_NONE, message, span, MAY_BE_NONE)
        hint: str | None = None
        if isinstance(type_, t.Member) and not type_.name:
            message = f"cannot read `{name.text}`: the set `{{}}` has no members"
            self.ctx.fail(kinds.UNKNOWN_FIELD, message, name.span, "name the set that is meant")
        if isinstance(type_, t.Member):
            owners = (k for k in self.ctx.world.made_of[type_.name] if self.ctx.world.field(k, name.text))
            owner = next(owners, None)
            hint = f"test the kind first: `is {owner}`" if owner else meant(name.text, self._fields_of(type_))
        elif isinstance(type_, t.SetOf):
            hint = f"for a set, use `total {name.text} in ..`, `lowest`, `highest`, or `for each`"
        self.ctx.fail(kinds.UNKNOWN_FIELD, f"`{type_}` has no field `{name.text}`", name.span, hint)

    def _fields_of(self, type_: t.Member) -> list[str]:
        parts = (*self.ctx.world.made_of[type_.name], type_.name)
        fields = [field for kind, field in self.ctx.world.fields if kind in parts]
        return [*fields, *self.ctx.names.defines]

    def try_field(
        self, base: ir.Expr, name: x.Name, given: tuple[x.Expr, ...] | None, span: Span, scope: Scope
    ) -> ir.Expr | None:
        """As `field_of`; None if the value has nothing of that name."""
        type_ = base.type
        if isinstance(type_, t.Row):
            return self._column(base, type_, name)
        if isinstance(type_, t.Record):
            return self._part_of(base, type_, name)
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
        if (
            not params
            or not fits(self.ctx.world, base.type, params[0].type)
            or len(params) - 1 != len(given or ())
        ):
            return None
        rest = self.arguments(name.text, params[1:], given or (), span, scope)
        return self.value(name.text, (base, *rest))

    def _column(self, base: ir.Expr, type_: t.Row, name: x.Name) -> ir.Expr:
        table = self.ctx.names.tables.get(type_.table) or self.ctx.names.externs[type_.table]
        for column in table.columns:
            if column.name == name.text:
                return ir.Static(
                    f"table:{type_.table}.{name.text}", (base,), self.ctx.reader.read(column.type)
                )
        known = [column.name for column in table.columns]
        message = f"the table `{type_.table}` has no column `{name.text}`"
        hint = meant(name.text, known) or f"its columns are {', '.join(known)}"
        self.ctx.fail(kinds.UNKNOWN_FIELD, message, name.span, hint, Label(table.span, "declared here"))

    def _part_of(self, base: ir.Expr, type_: t.Record, name: x.Name) -> ir.Expr:
        """A value of an answer that has several."""
        if name.text in type_.names:
            return ir.Op("field", (base,), type_.types[type_.names.index(name.text)], name.text)
        hint = meant(name.text, type_.names) or f"it has {', '.join(f'`{known}`' for known in type_.names)}"
        self.ctx.fail(kinds.UNKNOWN_FIELD, f"this answer has no `{name.text}`", name.span, hint)


def _quantified_hint(name: str, scope: Scope) -> str | None:
    """How to say more of the member that a quantifier names."""
    if name not in scope.routine.quantified:
        return None
    return f"an `and` or `or` ends the test in which `{quoted_name(name)}` is known: write `has (.. and ..)`"
