"""States and fixed fields: their starting values, which are known before play, and who may see them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.populate.fields import fields_of, key_of, key_size
from rulekit.compiler.populate.type_reader import MAX_CELLS
from rulekit.compiler.typecheck.context import CheckContext, Params
from rulekit.compiler.typecheck.conversions import ANY, adapt, without_none
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.scope import RoutineLocals, Scope, opening_scope
from rulekit.compiler.world import FieldInfo, StoreInfo
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.conditions import FLAG
from rulekit.ir.expr import Value
from rulekit.ir.semantics.constant import NotConstant
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.outline import reads_of, reads_of_function
from rulekit.ir.walk import nodes
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


def evaluate(ctx: CheckContext, value: ir.Expr, locals_: Mapping[str, Value], node: x.Expr) -> Value:
    """The value of a constant expression.

    Raises:
        Wrong: It is not constant.
    """
    try:
        return ctx.constants.value(value, locals_)  # type: ignore[no-any-return]
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
        case t.Text():
            return t.TextValue("")
        case t.SetOf() | t.MapOf() | t.Ratio() | t.Row() | t.Record() | t.Nothing():
            return 0


Keys = tuple[str | tuple[int, int], ...]


class StateChecker:
    """Makes the states, and the static tables of fixed fields."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker) -> None:
        self.ctx = ctx
        self._expressions = expressions
        self._cells = 0
        """Values of all states so far."""

    def statics(self) -> None:
        """Make the tables of fixed fields; starting values of states may read them."""
        for store in self.ctx.world.stores.values():
            if not store.changes:
                with self.ctx.recovering():
                    self._require_open(store)
                    values = self._field_values(store)
                    static = ir.StaticTable(store.name, store.keys, store.type, values)
                    self.ctx.results.statics[store.name] = static

    def _require_open(self, store: StoreInfo) -> None:
        """Refuse to hide a fixed field: it is printed on the component."""
        for info in store.fields:
            if info.decl.known_to is not None:
                hint = f"write `state {info.name}: ..` if it changes in play, or leave out `known to`"
                message = f"`{info.name}` is fixed, so it cannot be hidden"
                self.ctx.fail(kinds.NOT_CHANGEABLE, message, info.decl.known_to.span, hint)

    def states(self) -> dict[str, ir.State]:
        """Make every state: fields that change, game-wide states, and the built-in ones."""
        states: dict[str, ir.State] = {}
        if self.ctx.world.domains["piece"].members:
            space = t.Optional(t.Member("space", "Space"))
            places = tuple(self._places())
            site = self.ctx.site("place", (), next(iter(self.ctx.world.spans.values())))
            known = self._knowledge_of_places()
            states["place"] = ir.State("place", ("piece",), space, t.NONE, places, False, known, site)
        for group in self.ctx.names.groups.values():
            name = f"exists:{group.name.text}"
            site = self.ctx.site(name, self.ctx.rules(group.cite), group.span)
            states[name] = ir.State(name, (group.name.text,), t.Flag(), False, None, False, None, site)
        for store in self.ctx.world.stores.values():
            if store.changes:
                with self.ctx.recovering():
                    states[store.name] = self._field_state(store)
        for decl in self.ctx.names.stores.values():
            with self.ctx.recovering():
                states[decl.name.text] = self._state(decl)
        return states

    def _places(self) -> Iterator[Value]:
        """Where each piece begins: by the data, or else by the line of its kind; none without either."""
        places: list[Value | None] = list(self.ctx.world.places)
        for owner, decl in _place_lines(self.ctx):
            kind = owner.name.text
            info = FieldInfo(kind, "place", (), self.ctx.world.place_type(kind), True, "place", decl)
            initial = self._field_initial(info)
            if initial is None:
                continue
            with self.ctx.recovering():
                for member in self.ctx.world.kind_members(kind):
                    if places[member] is None:
                        places[member] = self._own_value(info, initial, member)
        return (t.NONE if place is None else place for place in places)

    # -- game-wide states

    def _state(self, decl: i.StateDecl) -> ir.State:
        name = decl.name.text
        params = self.ctx.params(decl.params)
        for param in params:
            if not isinstance(param.type, t.Member | t.Int | t.Month | t.Flag):
                self.ctx.fail(kinds.WRONG_TYPE, f"a state's key cannot be `{param.type}`", decl.span)
        keys: Keys = tuple(key_of(param.type) for param in params)
        type_ = self.ctx.reader.read_stored(decl.type)
        sizes: list[int] = [key_size(key, self.ctx.world.domains) for key in keys]
        self._require_small(math.prod(sizes), decl.span, name)
        site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
        initial = self._initial(decl.initial, type_)
        known = self._knowledge(decl.known_to, params, None, name)
        counted = self._is_counted(decl, type_)
        return ir.State(name, keys, type_, initial, None, decl.sort == "track", known, site, counted)

    def _require_small(self, cells: int, span: Span, name: str) -> None:
        """Refuse a state with too many values; report the first with which all have too many (spec 4.8)."""
        if cells > MAX_CELLS:
            message = f"`{name}` has {cells:,} values (limit: {MAX_CELLS:,})"
            self.ctx.fail(kinds.IMPOSSIBLE_TYPE, message, span)
        self._cells += cells
        if self._cells - cells <= MAX_CELLS < self._cells:
            message = f"all states up to `{name}` have more than {MAX_CELLS:,} values"
            self.ctx.report(kinds.IMPOSSIBLE_TYPE, message, span)

    def _initial(self, initial: x.Expr | None, type_: t.Type) -> Value:
        if initial is None:
            return default(self.ctx, type_)
        value = self._expressions.check(initial, opening_scope(self.ctx, "beginning", (), None), type_)
        return evaluate(self.ctx, value, {}, initial)

    # -- fields

    def _field_state(self, store: StoreInfo) -> ir.State:
        first = store.fields[0]
        site = self.ctx.site(store.name, self.ctx.rules(first.decl.cite), first.decl.span)
        values = self._field_values(store)
        self._require_small(len(values), first.decl.span, first.name)
        same = all(value == values[0] for value in values) if values else False
        return ir.State(
            name=store.name,
            keys=store.keys,
            type=store.type,
            initial=values[0] if same else default(self.ctx, store.type),
            initial_each=None if same or not values else values,
            clamp=False,
            known_to=self._knowledge_of_field(store),
            site=site,
            counted=self._is_counted(first.decl, store.type),
        )

    def _knowledge_of_field(self, store: StoreInfo) -> ir.program.Known | None:
        """Return the sides that see a field; of one that several kinds share, by the line of each kind."""
        first = store.fields[0]
        keys = tuple(ir.Param(name, type_) for name, type_ in first.keys)
        if len(store.fields) > 1 and first.decl.known_to is not None:
            lines = [(info.kind, info.decl.known_to) for info in store.fields]
            return self._knowledge_by_kind(store.name, lines, str(store.keys[0]), keys)
        member = ir.Param("it", t.Member(str(store.keys[0]), first.kind))
        return self._knowledge(first.decl.known_to, (member, *keys), first, store.name)

    def _field_values(self, store: StoreInfo) -> tuple[Value, ...]:
        """The value of a field for every combination of keys; `GAP` for members that do not have it."""
        given = self.ctx.world.values[store.name]
        absent: Value = t.GAP if not store.changes else default(self.ctx, store.type)
        values: list[Value] = [absent] * len(given)
        block = len(given) // max(1, len(self.ctx.world.domains[str(store.keys[0])].members))
        for info in store.fields:
            initial = self._field_initial(info)
            for member in self.ctx.world.kind_members(info.kind):
                for at in range(member * block, (member + 1) * block):
                    datum = given[at]
                    values[at] = datum if datum is not None else self._own_value(info, initial, member)
        return tuple(values)

    def _field_initial(self, info: FieldInfo) -> tuple[ir.Expr, ir.Local] | None:
        """A field's declared starting value, and the member it reads; None if it declares none."""
        if info.decl.initial is None:
            return None
        routine = RoutineLocals(f"{info.kind}.{info.name}", ())
        it = routine.fresh("it", t.Member(self.ctx.world.kinds[info.kind].domain, info.kind))
        with self.ctx.recovering():
            return self._expressions.check(info.decl.initial, Scope(routine, it=it), info.type), it
        return None

    def _own_value(self, info: FieldInfo, initial: tuple[ir.Expr, ir.Local] | None, member: int) -> Value:
        if initial is None or info.decl.initial is None:
            return default(self.ctx, info.type)
        value, it = initial
        return evaluate(self.ctx, value, {it.name: member}, info.decl.initial)

    # -- knowledge

    def _knowledge(
        self, node: x.Expr | None, params: Params, field: FieldInfo | None, name: str
    ) -> ir.program.Known | None:
        """Who may see a state: an expression over its keys (`its` is the member a field belongs to)."""
        if node is None:
            return None
        routine = RoutineLocals(name, ())
        locals_ = tuple(routine.fresh(param.name, param.type) for param in params)
        names = {param.name: local for param, local in zip(params, locals_, strict=True)}
        scope = Scope(routine, names, it=locals_[0] if field is not None else None)
        sides = sides_of(self.ctx, self._expressions, node, scope)
        return ir.program.Known(locals_, sides, isinstance(sides.type, t.SetOf))

    def _is_counted(self, decl: i.StateDecl | i.FieldDecl, type_: t.Type) -> bool:
        """True if all see how many things a state holds; refused of what holds no things."""
        if decl.counted and not isinstance(type_, t.SetOf | t.ListOf):
            message, hint = f"expected a set or list to count, found `{type_}`", "leave out `, counted`"
            self.ctx.report(kinds.WRONG_TYPE, message, decl.name.span, hint)
        return decl.counted

    def _knowledge_of_places(self) -> ir.program.Known | None:
        """Return the sides that see where a piece is, by the `place` line of its kind; None if all may."""
        lines = [(owner, decl) for owner, decl in _place_lines(self.ctx) if decl.known_to is not None]
        for _, decl in lines:
            self._is_counted(decl, self.ctx.world.whole("piece"))
        known = [(owner.name.text, decl.known_to) for owner, decl in lines]
        return self._knowledge_by_kind("place", known, "piece", ()) if known else None

    def _knowledge_by_kind(
        self, name: str, lines: Sequence[tuple[str, x.Expr | None]], domain: str, keys: Params
    ) -> ir.program.Known | None:
        """Return the sides that see a value of a member, by the line of its kind; without a line, all."""
        world, side = self.ctx.world, self.ctx.side
        if side is None:
            return None
        routine = RoutineLocals(name, ())
        it = routine.fresh("it", world.whole(domain))
        rest = tuple(routine.fresh(param.name, param.type) for param in keys)
        names = {param.name: local for param, local in zip(keys, rest, strict=True)}
        of = t.SetOf(side)
        everyone = ir.Const((1 << len(world.domains[side.name].members)) - 1, of)
        known: ir.Expr = everyone
        for owner, node in lines:
            with self.ctx.recovering():
                kind = t.Member(domain, owner)
                own = ir.Local(it.name, kind)
                assert node is not None
                sides = sides_of(self.ctx, self._expressions, node, Scope(routine, names, it=own))
                is_own = ir.Op("has", (it, ir.Const(world.kinds[owner].members, t.SetOf(kind))), FLAG)
                if isinstance(sides.type, t.Optional):
                    one = routine.fresh("side", side)
                    sides = ir.Filter(everyone, one, ir.Op("eq", (one, sides), FLAG), of)
                known = ir.If(is_own, adapt(sides, of), known, of)
        return ir.program.Known((it, *rest), known, True)


def _place_lines(ctx: CheckContext) -> Iterator[tuple[i.Population, i.FieldDecl]]:
    """Yield the lines about where the pieces of a kind are."""
    for owner in ctx.names.populations.values():
        for decl in fields_of(owner, ctx.names):
            if owner.sort == "piece" and decl.name.text == "place":
                yield owner, decl


def sides_of(ctx: CheckContext, expressions: ExpressionChecker, node: x.Expr, scope: Scope) -> ir.Expr:
    """Return the sides after `known to`: a side, a set of sides, or none."""
    sides = expressions.infer(node, scope)
    of = without_none(sides.type)
    of = of.of if isinstance(of, t.SetOf) else of
    is_side = isinstance(of, t.Member) and (of == ANY or ctx.side is None or of.domain == ctx.side.domain)
    if not is_side:
        message = f"expected a side or a set of sides, found `{sides.type}`"
        ctx.fail(kinds.WRONG_TYPE, message, node.span, "name a side, or a set of sides")
    return sides


def report_hidden_knowledge(
    ctx: CheckContext, states: Mapping[str, ir.State], functions: Mapping[str, ir.Function]
) -> None:
    """Report each `known to` that reads something hidden: a side that sees the state learns of that too."""
    hidden = {name: state.known_to for name, state in states.items() if state.known_to is not None}
    for name, known in hidden.items():
        secret = sorted(_read_by(known.sides, functions) & hidden.keys())
        node = known_to(ctx, name)
        if secret and node is not None:
            message = f"which sides know `{name}` depends on `{secret[0]}`, which is hidden"
            hint = "after `known to`, read only what all sides may see"
            ctx.report(kinds.HIDDEN_KNOWLEDGE, message, node.span, hint)


def _read_by(e: ir.Expr, functions: Mapping[str, ir.Function]) -> set[str]:
    """Return the states that an expression reads, calls included."""
    read, followed, waiting = set[str](), set[str](), [reads_of(e)]
    while waiting:
        reads = waiting.pop()
        read |= reads.states
        fresh = (reads.calls & functions.keys()) - followed
        followed |= fresh
        waiting += [reads_of_function(functions[name]) for name in sorted(fresh)]
    return read


def known_to(ctx: CheckContext, name: str) -> x.Expr | None:
    """Return who may see a state, as it is declared; None if all may.  Of places, the first such line."""
    if name == "place":
        return next((decl.known_to for _, decl in _place_lines(ctx) if decl.known_to is not None), None)
    decl = ctx.names.stores.get(name)
    return ctx.world.stores[name].fields[0].decl.known_to if decl is None else decl.known_to
