"""States and fixed fields: where they begin, and who may see them."""

from __future__ import annotations

import math

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.model import StateModel
from rulekit.compiler.populate.stores import key_of, key_size
from rulekit.compiler.populate.type_reader import MAX_CELLS
from rulekit.compiler.typecheck.externs import Externs
from rulekit.compiler.typecheck.scope import Routine, Scope
from rulekit.compiler.world import FieldInfo, Sizes, StoreInfo
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.ir.semantics.constant import Constants, NotConstant
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.walk import nodes
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

Keys = tuple[str | tuple[int, int], ...]


class States(Externs):
    """Makes the states, and the static tables of fixed fields."""

    cells = 0
    """Values of all states so far."""

    def make_statics(self) -> None:
        """Fixed fields first: beginnings of states may read them."""
        for store in self.ctx.world.stores.values():
            if not store.changes:
                with self.ctx.mending():
                    values = self._field_values(store)
                    self.statics[store.name] = ir.StaticTable(store.name, store.keys, store.type, values)

    def make_states(self) -> dict[str, StateModel]:
        """Every state: fields that change, game-wide states, and the built-in ones."""
        made: dict[str, StateModel] = {}
        if self.ctx.world.domains["piece"].members:
            where = t.Optional(t.Member("space", "Space"))
            places: tuple[Value, ...] = self.ctx.world.places
            site = self.ctx.site("place", (), next(iter(self.ctx.world.spans.values())))
            made["place"] = StateModel("place", ("piece",), where, t.NONE, places, False, None, site)
        for group in self.ctx.names.groups.values():
            name = f"exists:{group.name.text}"
            site = self.ctx.site(name, self.ctx.rules(group.cite), group.span)
            made[name] = StateModel(name, (group.name.text,), t.Flag(), False, None, False, None, site)
        for store in self.ctx.world.stores.values():
            if store.changes:
                with self.ctx.mending():
                    made[store.name] = self._field_state(store)
        for decl in self.ctx.names.stores.values():
            with self.ctx.mending():
                made[decl.name.text] = self._state(decl)
        return made

    # -- game-wide

    def _state(self, decl: i.StateDecl) -> StateModel:
        name = decl.name.text
        params = self.ctx.params(decl.params)
        for param in params:
            if not isinstance(param.type, t.Member | t.Int | t.Month | t.Flag):
                self.ctx.fail(kinds.WRONG_TYPE, f"a `{param.type}` cannot be a state's key", decl.span)
        keys: Keys = tuple(key_of(param.type) for param in params)
        type_ = self.ctx.reader.read(decl.type)
        sizes: list[int] = [key_size(key, self.ctx.world.domains) for key in keys]
        self._small(math.prod(sizes), decl.span, name)
        site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
        initial = self._beginning(decl.initial, type_)
        known = self._seen_by(decl.known_to, params, None, name)
        return StateModel(name, keys, type_, initial, None, decl.sort == "track", known, site)

    def _small(self, cells: int, span: Span, name: str) -> None:
        """Refuse a state with too many values, or one too many (spec 4.8)."""
        if cells > MAX_CELLS:
            message = f"`{name}` has {cells:,} values, and at most {MAX_CELLS:,} are kept"
            self.ctx.fail(kinds.IMPOSSIBLE_TYPE, message, span)
        self.cells += cells
        if self.cells - cells <= MAX_CELLS < self.cells:
            self.ctx.tell(
                kinds.IMPOSSIBLE_TYPE, f"with `{name}` all states have more than {MAX_CELLS:,} values", span
            )

    def _beginning(self, initial: x.Expr | None, type_: t.Type) -> Value:
        if initial is None:
            return self.default(type_)
        scope = Scope(Routine("beginning", ()))
        made = self.check(initial, scope, type_)
        return self.evaluate(made, {}, initial)

    def default(self, type_: t.Type) -> Value:
        """Where a state begins if nothing says it (spec 4.7)."""
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
                members = self.ctx.world.kinds[type_.name].members
                return (members & -members).bit_length() - 1 if members else t.NONE
            case _:
                return 0

    def evaluate(self, made: ir.Expr, locals_: dict[str, Value], node: x.Expr) -> Value:
        """A constant expression's value."""
        try:
            return Constants(self.statics, Sizes(self.ctx.world.domains)).value(made, locals_)  # type: ignore[no-any-return]
        except Fault as fault:
            self.ctx.fail(kinds.NOT_CONSTANT, f"this has no value: {fault.message}", node.span)
        except NotConstant:
            parts = list(nodes(made))
            hint = "numbers, names and fixed fields may stand here"
            if any(isinstance(part, ir.Read | ir.Flagged | ir.At) for part in parts):
                message = "only play could tell this"
            elif any(isinstance(part, ir.Apply) for part in parts):
                message = "definitions and tables are not read here"
                hint = "write the value itself, or `set` it in a scenario"
            else:
                message = "this is not worked out before play"
            self.ctx.fail(kinds.NOT_CONSTANT, message, node.span, hint)

    # -- fields

    def _field_state(self, store: StoreInfo) -> StateModel:
        first = store.fields[0]
        site = self.ctx.site(store.name, self.ctx.rules(first.decl.cite), first.decl.span)
        values = self._field_values(store)
        self._small(len(values), first.decl.span, first.name)
        same = all(value == values[0] for value in values) if values else False
        initial = values[0] if same else self.default(store.type)
        params = (ir.Param("it", t.Member(*self._whole(store))), *(ir.Param(n, k) for n, k in first.keys))
        known = self._seen_by(first.decl.known_to, params, first, store.name)
        return StateModel(
            store.name,
            store.keys,
            store.type,
            initial,
            None if same or not values else values,
            False,
            known,
            site,
        )

    def _whole(self, store: StoreInfo) -> tuple[str, str]:
        """The domain of a store's members, and the narrowest kind that has the fields."""
        domain = str(store.keys[0])
        if len(store.fields) == 1:
            return domain, store.fields[0].kind
        return domain, domain.capitalize() if domain in ("piece", "space") else domain

    def _field_values(self, store: StoreInfo) -> tuple[Value, ...]:
        """The value of a field for every combination of keys; `GAP` where a member does not have it."""
        given = self.ctx.world.values[store.name]
        absent: Value = t.GAP if not store.changes else self.default(store.type)
        values: list[Value] = [absent] * len(given)
        block = len(given) // max(1, len(self.ctx.world.domains[str(store.keys[0])].members))
        for info in store.fields:
            made = self._field_beginning(info)
            for member in self.ctx.world.kind_members(info.kind):
                for offset in range(block):
                    at = member * block + offset
                    told = given[at]
                    values[at] = told if told is not None else self._own_value(info, made, member)
        return tuple(values)

    def _field_beginning(self, info: FieldInfo) -> tuple[ir.Expr, ir.Local] | None:
        if info.decl.initial is None:
            return None
        routine = Routine(f"{info.kind}.{info.name}", ())
        it = routine.fresh("it", t.Member(self.ctx.world.kinds[info.kind].domain, info.kind))
        with self.ctx.mending():
            return self.check(info.decl.initial, Scope(routine, it=it), info.type), it
        return None

    def _own_value(self, info: FieldInfo, made: tuple[ir.Expr, ir.Local] | None, member: int) -> Value:
        if made is None or info.decl.initial is None:
            return self.default(info.type)
        return self.evaluate(made[0], {made[1].name: member}, info.decl.initial)

    # -- knowledge

    def _seen_by(
        self, node: x.Expr | None, params: tuple[ir.Param, ...], field: FieldInfo | None, name: str
    ) -> ir.program.Known | None:
        """Who may see a state: an expression over its keys (`its` is the member a field belongs to)."""
        if node is None:
            return None
        routine = Routine(name, ())
        locals_ = tuple(routine.fresh(param.name, param.type) for param in params)
        names = {param.name: local for param, local in zip(params, locals_, strict=True)}
        scope = Scope(routine, names, it=locals_[0] if field is not None else None)
        sides = self.infer(node, scope)
        if not isinstance(sides.type, t.Member | t.SetOf | t.Optional):
            self.ctx.fail(
                kinds.WRONG_TYPE,
                f"a `{sides.type}` sees nothing",
                node.span,
                "name a side, or a set of them",
            )
        return ir.program.Known(locals_, sides, isinstance(sides.type, t.SetOf))
