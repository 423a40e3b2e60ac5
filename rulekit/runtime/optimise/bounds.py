"""Bounds of a test while the answer that it reads is not finished.

Each expression over the finished answer gets two versions over the partial one: the least and the most
it can be, whatever is still to be answered (for flags: surely, and possibly).  That lets a search give
up a partial answer that nothing can complete, and accept one which nothing can spoil.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from rulekit.base.frozen import frozen
from rulekit.ir import (
    Apply,
    At,
    Best,
    BestWay,
    Choice,
    Const,
    Expr,
    Filter,
    Flagged,
    Fold,
    Function,
    If,
    Linked,
    Local,
    Op,
    Read,
    Static,
    walk,
)
from rulekit.ir.expr import OpName
from rulekit.ir.types import Flag, Int, SetOf

FLAG = Flag()
SURELY = Const(True, FLAG)
NEVER = Const(False, FLAG)
ZERO = Const(0, Int(0, 0))
Pair = tuple[Expr, Expr]

SIGNS = {
    **dict.fromkeys(
        ("add", "smaller", "larger", "count", "union", "inter", "and", "or", "joined", "length"), "+"
    ),
    **dict.fromkeys(("not", "is_empty", "neg"), "-"),
    **dict.fromkeys(("sub", "diff", "gt", "ge"), "+-"),
    **dict.fromkeys(("within", "lt", "le"), "-+"),
}
"""For each operation whether it rises or falls with its operands; the last sign is for all that follow."""


MORE = "most of "
"""Before a local's name: the most that it can still become."""


class Unbounded(Exception):
    """Nothing is known about an expression before the answer is finished."""


@frozen
class Partial:
    """How the locals of an answer are known while it is partial.

    `sets` gives the least and most for locals that are sets, or maps to sets; `maps` names the locals that
    are maps to single values, which hold what was answered so far.
    """

    functions: Mapping[str, Function]
    fresh: Callable[[str], str]
    sets: Mapping[str, Pair]
    maps: frozenset[str]

    def flag(self, e: Expr) -> Pair:
        """A flag's two versions; always known, if only to be one or the other."""
        try:
            return self.both(e)
        except Unbounded:
            return NEVER, SURELY

    def both(self, e: Expr) -> Pair:
        """The least and the most that an expression may come to."""
        if not self._free(e):
            return e, e
        match e:
            case Local() if e.name in self.sets:
                return self.sets[e.name]
            case Local() | Const() | Static() | Read() | Flagged() | At() | Best() | BestWay():
                raise Unbounded
            case Linked():
                return self._reached_set(e)
            case Apply():
                return self.both(self._body_of(e))
            case Op():
                return self._operation(e)
            case If():
                return self._branches(e)
            case Filter():
                return _versions(e, over=self.both(e.over), body=self.flag(e.body))
            case Fold():
                return self._fold(e)

    def _body_of(self, e: Apply) -> Expr:
        """A call as the body of its function."""
        function = self.functions[e.function]
        names = [param.name for param in function.params]
        values = dict(zip(names, e.arguments, strict=True))
        return walk.substitute(walk.with_fresh_locals(function.body, self.fresh), values)

    def _branches(self, e: If) -> Pair:
        """The branch that is taken; where the answer decides which, a flag's branches as alternatives."""
        if not self._free(e.condition):
            return _versions(e, then=self.both(e.then), otherwise=self.both(e.otherwise))
        if not isinstance(e.type, Flag):
            raise Unbounded
        first = Op("and", (e.condition, e.then), FLAG)
        second = Op("and", (Op("not", (e.condition,), FLAG), e.otherwise), FLAG)
        return self.flag(Op("or", (first, second), FLAG))

    def _operation(self, e: Op) -> Pair:
        match e.op:
            case "ranged":
                return self._number_in_range(e)
            case "has":
                return self._has(e)
            case "eq":
                return self._equal(e)
            case "is_none" if self._looked_up(e.operands[0]):
                return self._once_answered(e.operands[0], e)
            case "map_get" | "map_has":
                return self._of_key(e)
            case "ne":
                low, high = self.both(replace(e, op="eq"))
                return Op("not", (high,), FLAG), Op("not", (low,), FLAG)
            case "mul" if all(isinstance(p.type, Int) and p.type.low >= 0 for p in e.operands):
                return self._monotone(e, "+")
            case op if op in SIGNS:
                return self._monotone(e, SIGNS[op])
            case _:
                raise Unbounded

    def _number_in_range(self, e: Op) -> Pair:
        """A number that is in its range once the answer is finished: before, its bounds may lie outside."""
        number, lowest, highest = e.operands
        low, high = (
            Op("larger", (lowest, Op("smaller", (highest, bound), e.type)), e.type)
            for bound in self.both(number)
        )
        return low, high

    def _of_key(self, e: Op) -> Pair:
        """The set of a key in a map of growing sets, or that there is one: all items are its keys."""
        answers, key = e.operands
        if not isinstance(answers, Local) or answers.name not in self.sets or self._free(key):
            raise Unbounded
        low, high = self.sets[answers.name]
        return self._with(e, [low, key]), self._with(e, [high, key])

    def _free(self, e: Expr) -> frozenset[str]:
        """The locals of the answer that an expression reads."""
        return walk.free(e) & (frozenset(self.sets) | self.maps)

    def _monotone(self, e: Op, signs: str) -> Pair:
        """An operation that rises or falls with each operand: its least comes of their least or most."""
        pairs = [self.flag(p) if isinstance(p.type, Flag) else self.both(p) for p in e.operands]
        signs = signs.ljust(len(pairs), signs[-1])
        turned = [(a, b) if sign == "+" else (b, a) for sign, (a, b) in zip(signs, pairs, strict=False)]
        return self._with(e, [a for a, _ in turned]), self._with(e, [b for _, b in turned])

    def _with(self, e: Op, parts: list[Expr]) -> Expr:
        return replace(e, operands=tuple(parts))

    def _has(self, e: Op) -> Pair:
        member, group = e.operands
        if self._looked_up(member):
            return self._once_answered(member, e)
        if self._free(member):
            raise Unbounded
        low, high = self.both(group)
        return self._with(e, [member, low]), self._with(e, [member, high])

    def _equal(self, e: Op) -> Pair:
        """Equality of an answer already given, or of two numbers or sets known within bounds."""
        left, right = e.operands
        for part in (left, right):
            if self._looked_up(part):
                return self._once_answered(part, e)
        if isinstance(left.type, Int) and isinstance(right.type, Int):
            below: OpName = "le"
        elif isinstance(left.type, SetOf) and isinstance(right.type, SetOf):
            below = "within"
        else:
            raise Unbounded
        a, b = self.both(left), self.both(right)
        meets = Op("and", (Op(below, (a[0], b[1]), FLAG), Op(below, (b[0], a[1]), FLAG)), FLAG)
        settled = Op("and", (Op("eq", (a[0], a[1]), FLAG), Op("eq", (b[0], b[1]), FLAG)), FLAG)
        return Op("and", (settled, Op("eq", (a[0], b[0]), FLAG)), FLAG), meets

    def _reached_set(self, e: Linked) -> Pair:
        """The members that are reached, which grow with the set and with the start."""
        if self._free(e.relation) or e.within is not None and self._free(e.within):
            raise Unbounded
        return _versions(e, over=self.both(e.over), start=self.both(e.start))

    def _looked_up(self, e: Expr) -> bool:
        """Whether an expression is what the answer's map holds for a key that does not depend on it."""
        match e:
            case Op(op="map_get", operands=(Local(name=name), key)):
                return name in self.maps and not self._free(key)
        return False

    def _once_answered(self, look_up: Expr, test: Expr) -> Pair:
        """A test of what a map holds: unknown until it holds something."""
        assert isinstance(look_up, Op)
        rest = walk.free(test) - walk.free(look_up)
        if rest & (frozenset(self.sets) | self.maps):
            raise Unbounded
        answers, key = look_up.operands
        known = Op("map_has", (answers, key), FLAG)
        surely = Op("and", (known, test), FLAG)
        return surely, Op("or", (Op("not", (known,), FLAG), test), FLAG)

    def _fold(self, e: Fold) -> Pair:
        over = self.both(e.over)
        match e.kind:
            case "any":
                return _versions(e, over=over, body=self.flag(e.body))
            case "all":
                return _versions(e, over=over[::-1], body=self.flag(e.body))
            case "no":
                return _versions(e, over=over[::-1], body=self.flag(e.body)[::-1])
            case "total" if isinstance(e.body.type, Int):
                low, high = self.both(e.body)
                return _total(e, e.body.type, over, low), _total(e, e.body.type, over[::-1], high)
            case "join":
                return _versions(e, over=over, body=self.both(e.body))
            case _:
                raise Unbounded


def _total(e: Fold, kind: Int, over: Pair, body: Expr) -> Expr:
    """A total of the numbers from 0 over the first set, and of those below 0 over the second."""
    if kind.low >= 0:
        return replace(e, over=over[0], body=body)
    gains, losses = Int(0, max(kind.high, 0)), Int(kind.low, 0)
    most = e.type.high - e.type.low if isinstance(e.type, Int) else 0
    gained = replace(e, over=over[0], body=Op("larger", (ZERO, body), gains), type=Int(0, most))
    lost = replace(e, over=over[1], body=Op("smaller", (ZERO, body), losses), type=Int(-most, 0))
    return Op("add", (gained, lost), Int(-most, most))


def _versions(e: If | Filter | Fold | Linked, **parts: Pair) -> Pair:
    """An expression with the first versions of some of its parts, and with the second."""
    low, high = ({name: pair[version] for name, pair in parts.items()} for version in (0, 1))
    return replace(e, **low), replace(e, **high)  # type: ignore[arg-type]


def partial_answer(choice: Choice, functions: Mapping[str, Function], fresh: Callable[[str], str]) -> Partial:
    """How the locals of a choice are known while its answer is partial; `fresh` makes names of locals."""
    sets = {local.name: (local, Local(MORE + local.name, local.type)) for local in _growing(choice)}
    # Maps hold what is answered so far; of other locals nothing can be used yet.
    return Partial(functions, fresh, sets, choice.answer_locals - sets.keys())


def _growing(choice: Choice) -> Iterator[Local]:
    """The locals that are sets, or maps to sets, while the answer grows."""
    local = choice.option if choice.verb == "split" else choice.chosen
    if local is not None and isinstance(local.type, SetOf):
        yield local
    if choice.verb == "assign_set" and choice.assigned is not None:
        yield choice.assigned
