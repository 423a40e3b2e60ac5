"""Sets of all that some members touch, by a relation that never changes.

The union of `near[x]` over the members x of a set is looked up by the set's mask, remembered as the members
of masks are; the same for the relation turned round, which says who touches some member of a set.  In the
IR such a union is a `Static` whose one key is the set; `context.images` says which tables are of this kind.
"""

from __future__ import annotations

from rulekit.base.bits import Bits
from rulekit.ir import Const, Expr, Linked, Local, Op, Static, StaticTable, walk
from rulekit.ir.types import Member, SetOf
from rulekit.runtime.optimise import sets
from rulekit.runtime.optimise.context import OptimiserContext

Rows = tuple[int, ...]


class Image(dict[int, int]):
    """The union of rows over the members of a mask, remembered; bounded as `Bits` is."""

    __slots__ = ("_bits", "_rows")

    def __init__(self, rows: Rows, bits: Bits) -> None:
        super().__init__()
        self._rows = rows
        self._bits = bits

    def __missing__(self, mask: int) -> int:
        if len(self) >= Bits.MOST:
            self.clear()
        found = 0
        for member in self._bits[mask]:
            found |= self._rows[member]
        self[mask] = found
        return found


def rows(context: OptimiserContext, relation: Expr, var: Local) -> Rows | None:
    """The members that each one touches, if the relation is a look-up of the variable in a table of sets."""
    match relation:
        case Static(table=table, keys=(Local(name=key),), type=SetOf(of=Member())) if key == var.name:
            if table in context.images or not isinstance(context.facts.tables[table].keys[0], str):
                return None
            # A member without the field is never looked up.
            values = context.facts.tables[table].values
            return tuple(value if isinstance(value, int) and value > 0 else 0 for value in values)
        case _:
            return None


def image(context: OptimiserContext, of: Rows, members: Expr, kind: SetOf) -> Expr:
    """The union of rows over the members of a set."""
    if isinstance(members, Const) and isinstance(members.value, int):
        return Const(Image(of, Bits())[members.value], kind)
    for name, known in context.images.items():
        if known == of:
            return Static(name, (members,), kind)
    name = context.fresh("image")
    context.images[name] = of
    context.facts.tables[name] = StaticTable(name, (), kind, ())
    return Static(name, (members,), kind)


def linked(context: OptimiserContext, e: Linked) -> Expr:
    """The members reached in one step: the start and all that it touches, in one look-up."""
    found = rows(context, e.relation, e.var)
    one = isinstance(e.within, Const) and e.within.value == 1
    if found is None or not one or context.facts.fallible(e) or not isinstance(e.type, SetOf):
        return e
    reached = tuple(row | 1 << member for member, row in enumerate(found))
    return sets.met(context, Op("inter", (image(context, reached, e.start, e.type), e.over), e.type))


def touching(context: OptimiserContext, var: Local, meeting: Expr, kind: SetOf) -> Expr | None:
    """The values of `var` for which a meeting is not empty: one of its sets is what `var` touches."""
    parts = factors(meeting)
    own = [part for part in parts if var.name in walk.free(part)]
    rest = [part for part in parts if var.name not in walk.free(part)]
    if len(own) != 1 or not rest:
        return None
    found = rows(context, own[0], var)
    of = own[0].type
    if found is None or not isinstance(of, SetOf) or not isinstance(of.of, Member):
        return None
    members = rest[0]
    for part in rest[1:]:
        members = sets.met(context, Op("inter", (members, part), of))
    return image(context, _turned(found, context.layout.sizes[of.of.domain]), members, kind)


def factors(e: Expr) -> list[Expr]:
    """The sets that meet in an expression."""
    if isinstance(e, Op) and e.op == "inter":
        return [part for operand in e.operands for part in factors(operand)]
    return [e]


def _turned(of: Rows, size: int) -> Rows:
    """For each member, who touches it."""
    return tuple(sum(1 << one for one, row in enumerate(of) if row >> member & 1) for member in range(size))
