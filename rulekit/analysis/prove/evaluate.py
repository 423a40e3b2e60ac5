"""Conditions as closures over a situation that is found out as it is read.

The meaning is that of the interpreter (tests hold both against each other on random programs).  What
differs is that nothing is known beforehand: each reading asks the search, and sets are asked for one member
at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, reduce
from operator import or_
from typing import Any, Final

from rulekit import ir
from rulekit.analysis.prove.lazy_sets import DifferenceSet, FilteredSet, KnownSet, LazySet, UnionSet
from rulekit.analysis.prove.reading import ReadMap, StateReader
from rulekit.base.bits import member_ids
from rulekit.ir.expr import Expr, OpName
from rulekit.ir.program import span_of
from rulekit.ir.semantics.constant import outside
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import meaning_of, no_value
from rulekit.ir.steps import MOST_COST, cheapest_way, reached_at_cost, touched_together
from rulekit.ir.types import GAP, NONE, ListOf, SetOf

Env = dict[str, Any]
Made = Callable[[Env], Any]
MOST_STEPS = 10_000


class Closures:
    """Makes closures of the expressions of one program, for one reading of it."""

    def __init__(self, program: ir.Program, reading: StateReader) -> None:
        self.reading = reading
        self._why = reading.why
        self._functions: Mapping[str, ir.Function] = program.by_name.functions
        self._tables = program.by_name.statics
        self._sizes = program.by_name.sizes
        self._bodies: dict[str, Made] = {}

    def closure(self, e: Expr) -> Made:
        """An expression as a closure; sets come as `Members`."""
        match e:
            case ir.Const():
                value = (
                    KnownSet(e.value) if isinstance(e.type, SetOf) and isinstance(e.value, int) else e.value
                )
                return lambda env: value
            case ir.Local():
                name = e.name
                return lambda env: env[name]
            case ir.Static():
                return self._static(e)
            case ir.Read():
                return self._read(e)
            case ir.Flagged():
                return self._flag_set(e)
            case ir.At():
                return self._at(e)
            case ir.Apply():
                return self._apply(e)
            case ir.If():
                test, then, other = self.closure(e.condition), self.closure(e.then), self.closure(e.otherwise)
                return lambda env: then(env) if test(env) else other(env)
            case ir.Op():
                return self._op(e)
            case ir.Filter():
                over, name, body = self.closure(e.over), e.var.name, self.closure(e.body)
                return lambda env: FilteredSet(_set(over(env)), _tester(env, name, body), self._why)
            case ir.Fold():
                return self._fold(e)
            case ir.Best():
                return self._best(e)
            case ir.Linked():
                return self._linked_set(e)
            case ir.BestWay():
                return self._way(e)

    # -- what is read

    def _static(self, e: ir.Static) -> Made:
        table = self._tables[e.table]
        keys = [self.closure(key) for key in e.keys]
        spans = [span_of(key, self._sizes) for key in table.keys]
        values, reading, is_set = table.values, self.reading, isinstance(e.type, SetOf)
        if len(keys) == 1 and not table.missing:
            (only,), (domain,), ((lowest, highest),) = keys, table.keys, spans

            def look_up_one(env: Env) -> Any:
                key = int(only(env))
                if not lowest <= key <= highest:
                    raise outside(table, domain)
                value = values[key - lowest]
                if value == GAP:
                    raise Fault("no-row", table.name)
                return KnownSet(value) if is_set else value  # type: ignore[arg-type]

            return look_up_one

        def look_up(env: Env) -> Any:
            at, given = 0, []
            for key, domain, (low, high) in zip(keys, table.keys, spans, strict=True):
                value = int(key(env))
                if not low <= value <= high:
                    raise outside(table, domain)
                at = at * (high - low + 1) + value - low
                given.append(value)
            if table.missing:
                return reading.missing(table, tuple(given), e.type)
            if values[at] == GAP:
                raise Fault("no-row", table.name)
            return KnownSet(values[at]) if is_set else values[at]  # type: ignore[arg-type]

        return look_up

    def _read(self, e: ir.Read) -> Made:
        keys, read = [self.closure(key) for key in e.keys], self.reading.state(e.state)
        if not keys:
            return lambda env: read(())
        if len(keys) == 1:
            only = keys[0]
            return lambda env: read((int(only(env)),))
        return lambda env: read(tuple([int(key(env)) for key in keys]))

    def _flag_set(self, e: ir.Flagged) -> Made:
        keys, read = [self.closure(key) for key in e.keys], self.reading.state(e.state)
        everyone = KnownSet(self.reading.last_keys(e.state))

        def flag_set(env: Env) -> LazySet:
            first = tuple([int(key(env)) for key in keys])
            return FilteredSet(everyone, lambda member: read((*first, member)), self._why)

        return flag_set

    def _at(self, e: ir.At) -> Made:
        space, place = self.closure(e.space), self.reading.state("place")
        everyone = KnownSet(self.reading.last_keys("place"))
        if e.many:

            def at_any(env: Env) -> LazySet:
                wanted = _set(space(env))
                return FilteredSet(everyone, lambda piece: wanted.has(place((piece,))), self._why)

            return at_any
        certain = isinstance(e.space, ir.Const)

        def at(env: Env) -> LazySet:
            one = space(env)
            if one == NONE and not certain:
                no_value("no space")
            return FilteredSet(everyone, lambda piece: place((piece,)) == one, self._why)

        return at

    def _apply(self, e: ir.Apply) -> Made:
        function = self._functions[e.function]
        arguments = [self.closure(part) for part in e.arguments]
        names = [param.name for param in function.params]
        if e.function not in self._bodies:
            self._bodies[e.function] = self.closure(function.body)
        body = self._bodies[e.function]
        return lambda env: body({name: part(env) for name, part in zip(names, arguments, strict=True)})

    # -- operations

    def _op(self, e: ir.Op) -> Made:
        parts = [self.closure(part) for part in e.operands]
        form = IN_PART.get(e.op)
        return self._eager(e, parts) if form is None else form(self, *parts)

    def conjunction(self, *parts: Made) -> Made:
        """Of `and`: the first part that is false decides, and then nothing else mattered."""
        why = self._why

        def every(env: Env) -> bool:
            start = len(why)
            for part in parts:
                middle = len(why)
                if not part(env):
                    del why[start:middle]
                    return False
            return True

        return every

    def disjunction(self, *parts: Made) -> Made:
        """Of `or`: the first part that is true decides, and then nothing else mattered."""
        why = self._why

        def any_part(env: Env) -> bool:
            start = len(why)
            for part in parts:
                middle = len(why)
                if part(env):
                    del why[start:middle]
                    return True
            return False

        return any_part

    def some(self, over: Any, test: Callable[[int], bool]) -> bool:
        """Whether a member of a set (an item of a list) passes a test; one that does is all that mattered.

        Of a member that does not pass, that it fails is enough, whether or not it belongs.
        """
        why = self._why
        start = len(why)
        if not isinstance(over, LazySet):
            return self._some_item(_each(over), test)
        step, belongs = self.reading.step, over.within_superset()
        for member in over.superset():
            begun = len(why)
            step()
            if not belongs(member):
                continue
            middle = len(why)
            if test(member):
                del why[start:begun]
                return True
            del why[begun:middle]
        return False

    def _some_item(self, items: Iterator[int], test: Callable[[int], bool]) -> bool:
        start = len(self._why)
        for item in items:
            begun = len(self._why)
            self.reading.step()
            if test(item):
                del self._why[start:begun]
                return True
        return False

    def _eager(self, e: ir.Op, parts: list[Made]) -> Made:
        """An operation that wants its operands whole."""
        work = meaning_of(e, self._sizes)
        is_set = isinstance(e.type, SetOf)

        if len(parts) == 2 and not is_set:
            a, b = parts
            if not any(isinstance(part.type, SetOf) for part in e.operands):
                return lambda env: work(a(env), b(env))
            return lambda env: work(_whole(a(env)), _whole(b(env)))

        def apply(env: Env) -> Any:
            value = work(*[_whole(part(env)) for part in parts])
            return KnownSet(value) if is_set else value

        return apply

    # -- over members

    def _fold(self, e: ir.Fold) -> Made:
        over, name, body = self.closure(e.over), e.var.name, self.closure(e.body)

        def values(env: Env) -> Iterator[Any]:
            for one in _each(over(env)):
                self.reading.step()
                env[name] = one
                yield body(env)

        match e.kind:
            case "any":
                return lambda env: self.some(over(env), _tester(env, name, body))
            case "all":
                return lambda env: not self.some(over(env), _failing(env, name, body))
            case "no":
                return lambda env: not self.some(over(env), _tester(env, name, body))
            case "total":
                return lambda env: sum(values(env))
            case "grouped":
                return lambda env: self._groups_of(e, zip(_each(over(env)), values(env), strict=True))
            case "map":
                return lambda env: self._map_of(e, zip(_each(over(env)), values(env), strict=True))
            case "join":
                return lambda env: KnownSet(reduce(or_, map(_whole, values(env)), 0))
            case "lowest" | "highest":
                pick: Any = min if e.kind == "lowest" else max
                return lambda env: pick(values(env), default=NONE)

    def _map_of(self, e: ir.Fold, valued: Iterable[tuple[int, Any]]) -> ReadMap:
        """The values of a map, its sets worked out at once: later they would read another member."""
        of_sets = isinstance(e.body.type, SetOf)
        known = {one: KnownSet(_whole(value)) if of_sets else value for one, value in valued}
        return ReadMap(known.__contains__, known.__getitem__)

    def _groups_of(self, e: ir.Fold, valued: Iterable[tuple[int, Any]]) -> tuple[int, ...]:
        assert isinstance(e.type, ListOf)
        groups = [0] * e.type.most
        for one, value in valued:
            if value != NONE:
                groups[value] |= 1 << one
        return tuple(groups)

    def _best(self, e: ir.Best) -> Made:
        over, name, key = self.closure(e.over), e.var.name, self.closure(e.key)
        pick: Any = min if e.kind == "lowest" else max

        def best(env: Env) -> LazySet:
            keys: dict[int, Any] = {}
            for one in _each(over(env)):
                self.reading.step()
                env[name] = one
                keys[one] = key(env)
            top = pick(keys.values(), default=None)
            return KnownSet(sum(1 << one for one, value in keys.items() if value == top))

        return best

    def _linked_set(self, e: ir.Linked) -> Made:
        over, start, relation = self.closure(e.over), self.closure(e.start), self.closure(e.relation)
        within = self.closure(e.within) if e.within is not None else None
        name = e.var.name

        def linked_at_cost(env: Env) -> LazySet:
            def steps(at: int) -> Any:
                self.reading.step()
                env[name] = at
                return relation(env)

            most = MOST_COST if within is None else within(env)
            touched = partial(touched_together, steps=steps)
            return KnownSet(reached_at_cost(_whole(over(env)), _whole(start(env)), most, touched))

        if isinstance(e.relation.type, ListOf):
            return linked_at_cost

        def linked_set(env: Env) -> LazySet:
            inside = _set(over(env))
            reached = edge = set(_set(start(env)).members())
            steps = MOST_STEPS if within is None else within(env)
            while edge and steps > 0:
                steps -= 1
                touched: set[int] = set()
                for at in sorted(edge):
                    self.reading.step()
                    env[name] = at
                    touched.update(_set(relation(env)).members())
                edge = {one for one in touched - reached if inside.has(one)}
                reached = reached | edge
            return KnownSet(sum(1 << one for one in reached if inside.has(one)))

        return linked_set

    def _way(self, e: ir.BestWay) -> Made:
        ends = [self.closure(part) for part in (e.over, e.start, e.goal)]
        relation, name = self.closure(e.relation), e.var.name
        within = self.closure(e.within) if e.within is not None else None

        def way(env: Env) -> tuple[int, ...]:
            def steps(at: int) -> Any:
                self.reading.step()
                env[name] = at
                return relation(env)

            over, start, goal = (_whole(end(env)) for end in ends)
            most = MOST_COST if within is None else within(env)
            return cheapest_way(over, start, goal, most, steps)

        return way


def _tester(env: Env, name: str, body: Made) -> Callable[[int], bool]:
    def test(member: int) -> bool:
        env[name] = member
        return bool(body(env))

    return test


def _failing(env: Env, name: str, body: Made) -> Callable[[int], bool]:
    def test(member: int) -> bool:
        env[name] = member
        return not body(env)

    return test


def _set(value: Any) -> LazySet:
    return value if isinstance(value, LazySet) else KnownSet(value)


def _each(value: Any) -> Iterator[int]:
    """The members of a set, or the items of a list."""
    if isinstance(value, LazySet):
        return value.members()
    return iter(value) if isinstance(value, tuple) else iter(member_ids(value))


def _whole(value: Any) -> Any:
    return value.mask() if isinstance(value, LazySet) else value


# -- operations that read no more of their operands than they need


def _not(of: Closures, a: Made) -> Made:
    return lambda env: not a(env)


def _or_else(of: Closures, a: Made, b: Made) -> Made:
    return lambda env: b(env) if (value := a(env)) == NONE else value


def _has(of: Closures, a: Made, b: Made) -> Made:
    def has(env: Env) -> bool:
        value, values = a(env), _set(b(env))  # the set too where the value is none: it may fault
        return value >= 0 and values.has(value)

    return has


def _is_empty(of: Closures, a: Made) -> Made:
    return lambda env: not of.some(_set(a(env)), lambda member: True)


def _within(of: Closures, a: Made, b: Made) -> Made:
    def within(env: Env) -> bool:
        part, whole = _set(a(env)), _set(b(env))
        return not of.some(part, lambda member: not whole.has(member))

    return within


def _map_with(of: Closures, a: Made, b: Made, c: Made) -> Made:
    def map_with(env: Env) -> ReadMap:
        values, key, value = a(env), b(env), c(env)
        return ReadMap(
            lambda one: one == key or values.has(one), lambda one: value if one == key else values.get(one)
        )

    return map_with


def _union(of: Closures, *parts: Made) -> Made:
    return lambda env: UnionSet([_set(part(env)) for part in parts], of.reading.why)


def _inter(of: Closures, a: Made, b: Made) -> Made:
    return lambda env: DifferenceSet(_set(a(env)), _set(b(env)), False, of.reading.why)


def _diff(of: Closures, a: Made, b: Made) -> Made:
    return lambda env: DifferenceSet(_set(a(env)), _set(b(env)), True, of.reading.why)


IN_PART: Final[Mapping[OpName, Callable[..., Made]]] = {
    "and": Closures.conjunction,
    "or": Closures.disjunction,
    "not": _not,
    "or_else": _or_else,
    "has": _has,
    "is_empty": _is_empty,
    "within": _within,
    "union": _union,
    "inter": _inter,
    "diff": _diff,
    "no_map": lambda of: lambda env: ReadMap(lambda key: False, lambda key: NONE),
    "map_get": lambda of, a, b: lambda env: a(env).get(b(env)),
    "map_has": lambda of, a, b: lambda env: a(env).has(b(env)),
    "map_with": _map_with,
}
"""Operations with a form of their own; any other takes its operands whole, by the table of operations."""
