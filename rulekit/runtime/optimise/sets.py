"""The most that a set can hold; meetings of sets; and sets of all that some members touch.

A meeting is taken apart into what must be in it (masks read from the state), one constant, and what must not
be in it. The constant goes where what is left cannot hold anything else. Only meetings in which nothing may
fault are put together anew: then every order of evaluation gives the same.

The union of `near[x]` over the members x of a set, by a relation that never changes, is looked up by the
set's mask, remembered as the members of masks are; the same for the relation turned round, which says who
touches some member of a set. In the IR such a union is a `Static` whose one key is the set; `context.images`
says which tables are of this kind.
"""

from __future__ import annotations

from rulekit.base.bits import Bits
from rulekit.ir import StaticTable, walk
from rulekit.ir import expr as x
from rulekit.ir.conditions import conjunction
from rulekit.ir.types import Flag, Int, Member, SetOf, Type
from rulekit.runtime.optimise.context import OptimiserContext


def top(context: OptimiserContext, e: x.Expr) -> int | None:
    """A mask of everything that a set may hold; None if nothing is known."""
    match e:
        case x.Const(value=int(value)):
            return value
        case x.Op(op="inter", operands=(left, right)):
            a, b = top(context, left), top(context, right)
            return a & b if a is not None and b is not None else b if a is None else a
        case x.Op(op="union", operands=(left, right)):
            return _union(top(context, left), top(context, right))
        case x.Op(op="diff", operands=(left, _)):
            return top(context, left)
        case x.Op(op="single", operands=(member,)):
            return _of_kind(context, SetOf(member.type)) if isinstance(member.type, Member) else None
        case x.If():
            return _union(top(context, e.then), top(context, e.otherwise))
        case x.Filter() | x.Best() | x.Linked():
            return top(context, e.over)
        case x.Local() | x.Apply():
            return _of_kind(context, e.type)
        case x.Static():
            return _of_table(context, e.table)
        case x.Read():
            return None if not isinstance(e.type, SetOf) else _of_domain(context, e.type)
        case x.Flagged(state=state) if state in context.tops:
            return context.tops[state]
        case x.Flagged():
            domain = context.facts.states[e.state].keys[-1]
            return (1 << context.layout.sizes[domain]) - 1 if isinstance(domain, str) else None
        case x.At():
            return (1 << context.layout.sizes["piece"]) - 1
        case x.Const() | x.Op() | x.Fold() | x.BestWay():
            return None


def _union(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left | right


def _of_kind(context: OptimiserContext, kind: Type) -> int | None:
    return context.everyone(kind.of) if isinstance(kind, SetOf) else None


def _of_domain(context: OptimiserContext, kind: SetOf) -> int:
    of = kind.of
    return (1 << context.layout.sizes[of.domain]) - 1 if isinstance(of, Member) else context.everyone(of)


def _of_table(context: OptimiserContext, name: str) -> int:
    """Everything in any entry of a table of sets; a gap in it is never read."""
    if name not in context.tops:
        members = 0
        for value in context.images.get(name, context.facts.tables[name].values):
            if isinstance(value, int) and value > 0:
                members |= value
        context.tops[name] = members
    return context.tops[name]


# ---------------------------------------------------------------- meetings


def meet(context: OptimiserContext, e: x.Op) -> x.Expr:
    """An `inter` or `diff` as the shortest meeting that is equal to it."""
    if context.facts.fallible(e):
        return e
    parts = _Parts(context)
    parts.take(e)
    return parts.meeting(e)


class _Parts:
    """A meeting taken apart."""

    def __init__(self, context: OptimiserContext) -> None:
        self.context = context
        self.inside: list[x.Expr] = []
        self.outside: list[x.Expr] = []
        self.constant: int | None = None
        self.conditions: list[x.Expr] = []

    def take(self, e: x.Expr) -> None:
        """Note a factor: its members alone can be in the meeting."""
        match e:
            case x.Op(op="inter", operands=(left, right)):
                self.take(left)
                self.take(right)
            case x.Op(op="diff", operands=(left, right)):
                self.take(left)
                self.leave(right)
            case x.Const(value=int(value)):
                self.constant = value if self.constant is None else self.constant & value
            case x.If(then=then, otherwise=x.Const(value=0)):
                self.conditions.append(e.condition)
                self.take(then)
            case part if part not in self.inside:
                self.inside.append(part)

    def leave(self, e: x.Expr) -> None:
        """Note a set whose members must not be in the meeting."""
        if isinstance(e, x.Op) and e.op == "union":
            for part in e.operands:
                self.leave(part)
        elif e not in self.outside:
            self.outside.append(e)

    def meeting(self, e: x.Op) -> x.Expr:
        """All parts put together again."""
        most = self._most()
        constant = self.constant if self.constant is not None else most
        outside: list[x.Expr] = []
        for part in self.outside:
            if isinstance(part, x.Const) and isinstance(part.value, int) and constant is not None:
                constant &= ~part.value
                continue
            held = top(self.context, part)
            if held is None or constant is None or held & constant:
                outside.append(part)
        whole: x.Expr | None = None
        for part in self.inside:
            if not dear(part):
                whole = part if whole is None else x.Op("inter", (whole, part), e.type)
        if constant is not None and (most is None or most & constant == 0):
            if constant == 0 or most is not None:
                return x.Const(0, e.type)
        if constant is not None and (most is None or most & ~constant):
            mask = x.Const(constant, e.type)
            whole = mask if whole is None else x.Op("inter", (whole, mask), e.type)
        for part in self.inside:
            if dear(part):
                whole = part if whole is None else x.Op("inter", (whole, part), e.type)
        assert whole is not None
        for part in outside:
            whole = x.Op("diff", (whole, part), e.type)
        return self._conditional(whole, e.type)

    def _most(self) -> int | None:
        """Everything that the variable factors may hold together."""
        most: int | None = None
        for part in self.inside:
            held = top(self.context, part)
            if held is not None:
                most = held if most is None else most & held
        return most

    def _conditional(self, whole: x.Expr, kind: Type) -> x.Expr:
        """The meeting under all conditions; without them nothing."""
        return (
            x.If(conjunction(*self.conditions), whole, x.Const(0, kind), kind) if self.conditions else whole
        )


def met_once(context: OptimiserContext, tests: list[x.Expr], some: bool) -> list[x.Expr]:
    """Tests whether one set meets constants, as one test whether it meets any of them.

    They are joined by `or`, with `some`, where each says that they meet; by `and` where each says that they
    do not.  All go where the first stands, which no run can tell, for none of them may fault.
    """
    joined: list[x.Expr] = []
    for test in tests:
        meeting = None if context.facts.fallible(test) else _meeting(test, some)
        for place, other in enumerate(joined):
            known = None if meeting is None else _meeting(other, some)
            if meeting is not None and known is not None and known[0] == meeting[0]:
                both = x.Const(known[1] | meeting[1], known[0].type)
                empty = x.Op("is_empty", (x.Op("inter", (known[0], both), both.type),), Flag())
                joined[place] = x.Op("not", (empty,), Flag()) if some else empty
                break
        else:
            joined.append(test)
    return joined


def _meeting(test: x.Expr, some: bool) -> tuple[x.Expr, int] | None:
    """The set and the constant of which a test says that they meet, or else that they do not."""
    if some:
        return _meeting(test.operands[0], False) if isinstance(test, x.Op) and test.op == "not" else None
    match test:
        case x.Op(op="is_empty", operands=(x.Op(op="inter", operands=(of, x.Const(value=int(value)))),)):
            return of, value
    return None


DEAR = x.Apply | x.Filter | x.Fold | x.Best | x.Linked | x.BestWay


def dear(e: x.Expr) -> bool:
    """Whether a set costs more than a few look-ups, so that it pays to look first whether it is needed."""
    return any(isinstance(node, DEAR) or isinstance(node, x.At) and node.many for node in walk.nodes(e))


def membership_of(context: OptimiserContext, member: x.Expr, group: int) -> bool | None:
    """Whether a member is surely in a set by its type, or surely not; None if that depends."""
    if not isinstance(member.type, Member | Int) or isinstance(member.type, Int) and member.type.low < 0:
        return None
    kind = context.everyone(member.type)
    if not kind & ~group:
        return True
    return None if kind & group else False


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
        union = 0
        for member in self._bits[mask]:
            union |= self._rows[member]
        self[mask] = union
        return union


def rows(context: OptimiserContext, relation: x.Expr, var: x.Local) -> Rows | None:
    """The members that each one touches, if the relation is a look-up of the variable in a table of sets."""
    match relation:
        case x.Static(table=table, keys=(x.Local(name=key),), type=SetOf(of=Member())) if key == var.name:
            if table in context.images or not isinstance(context.facts.tables[table].keys[0], str):
                return None
            # A member without the field is never looked up.
            values = context.facts.tables[table].values
            return tuple(value if isinstance(value, int) and value > 0 else 0 for value in values)
    return None


def image(context: OptimiserContext, of: Rows, members: x.Expr, kind: SetOf) -> x.Expr:
    """The union of rows over the members of a set."""
    if isinstance(members, x.Const) and isinstance(members.value, int):
        return x.Const(Image(of, Bits())[members.value], kind)
    for name, known in context.images.items():
        if known == of:
            return x.Static(name, (members,), kind)
    name = context.fresh("image")
    context.images[name] = of
    context.facts.tables[name] = StaticTable(name, (), kind, ())
    return x.Static(name, (members,), kind)


def simplify_linked(context: OptimiserContext, e: x.Linked) -> x.Expr:
    """The members reached in one step: the start and all that it touches, in one look-up."""
    neighbours = rows(context, e.relation, e.var)
    one = isinstance(e.within, x.Const) and e.within.value == 1
    if neighbours is None or not one or context.facts.fallible(e) or not isinstance(e.type, SetOf):
        return e
    reached = tuple(row | 1 << member for member, row in enumerate(neighbours))
    return meet(context, x.Op("inter", (image(context, reached, e.start, e.type), e.over), e.type))


def touching(context: OptimiserContext, var: x.Local, meeting: x.Expr, kind: SetOf) -> x.Expr | None:
    """The values of `var` for which a meeting is not empty: one of its sets is what `var` touches."""
    parts = factors(meeting)
    own = [part for part in parts if var.name in walk.free(part)]
    rest = [part for part in parts if var.name not in walk.free(part)]
    if len(own) != 1 or not rest:
        return None
    neighbours = rows(context, own[0], var)
    of = own[0].type
    if neighbours is None or not isinstance(of, SetOf) or not isinstance(of.of, Member):
        return None
    members = rest[0]
    for part in rest[1:]:
        members = meet(context, x.Op("inter", (members, part), of))
    return image(context, _inverse(neighbours, context.layout.sizes[of.of.domain]), members, kind)


def factors(e: x.Expr) -> list[x.Expr]:
    """The sets that meet in an expression."""
    if isinstance(e, x.Op) and e.op == "inter":
        return [part for operand in e.operands for part in factors(operand)]
    return [e]


def _inverse(of: Rows, size: int) -> Rows:
    """For each member, who touches it."""
    return tuple(sum(1 << one for one, row in enumerate(of) if row >> member & 1) for member in range(size))
