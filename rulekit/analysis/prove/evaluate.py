"""Conditions as closures over a situation that is found out as it is read.

The meaning is that of the interpreter (tests hold both against each other on random programs).  What
differs is that nothing is known beforehand: each reading asks the search, and sets are asked for one member
at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulekit import ir
from rulekit.analysis.prove.lazy_sets import Fixed, Less, Members, Tested, Union
from rulekit.analysis.prove.reading import Reading
from rulekit.ir.expr import Expr
from rulekit.ir.program import span_of
from rulekit.ir.semantics import operations
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import listed, no_value
from rulekit.ir.types import GAP, NONE, Member, Optional, SetOf

Env = dict[str, Any]
Made = Callable[[Env], Any]
MOST_STEPS = 10_000


class Closures:
    """Makes closures of the expressions of one program, for one reading of it."""

    def __init__(self, program: ir.Program, reading: Reading) -> None:
        self.reading = reading
        self._why = reading.why
        self._functions: Mapping[str, ir.Function] = {item.name: item for item in program.functions}
        self._tables = {table.name: table for table in program.statics}
        self._sizes = {domain.name: len(domain.members) for domain in program.domains}
        self._bodies: dict[str, Made] = {}

    def made(self, e: Expr) -> Made:
        """An expression as a closure; sets come as `Members`."""
        match e:
            case ir.Const():
                value = Fixed(e.value) if isinstance(e.type, SetOf) and isinstance(e.value, int) else e.value
                return lambda env: value
            case ir.Local():
                name = e.name
                return lambda env: env[name]
            case ir.Static():
                return self._static(e)
            case ir.Read():
                return self._read(e)
            case ir.Flagged():
                return self._flagged(e)
            case ir.At():
                return self._at(e)
            case ir.Apply():
                return self._apply(e)
            case ir.If():
                test, then, other = self.made(e.condition), self.made(e.then), self.made(e.otherwise)
                return lambda env: then(env) if test(env) else other(env)
            case ir.Op():
                return self._op(e)
            case ir.Filter():
                over, name, body = self.made(e.over), e.var.name, self.made(e.body)
                return lambda env: Tested(_set(over(env)), _tester(env, name, body), self._why)
            case ir.Fold():
                return self._fold(e)
            case ir.Best():
                return self._best(e)
            case ir.Linked():
                return self._linked(e)

    # -- what is read

    def _static(self, e: ir.Static) -> Made:
        table = self._tables[e.table]
        keys = [self.made(key) for key in e.keys]
        spans = [span_of(key, self._sizes) for key in table.keys]
        values, reading, is_set = table.values, self.reading, isinstance(e.type, SetOf)

        def look_up(env: Env) -> Any:
            at, found = 0, []
            for key, (low, high) in zip(keys, spans, strict=True):
                value = int(key(env))
                if not low <= value <= high:
                    raise Fault("no-row", table.name)
                at = at * (high - low + 1) + value - low
                found.append(value)
            if table.missing:
                return reading.missing(table, tuple(found), e.type)
            if values[at] == GAP:
                raise Fault("no-row", table.name)
            return Fixed(values[at]) if is_set else values[at]  # type: ignore[arg-type]

        return look_up

    def _read(self, e: ir.Read) -> Made:
        keys, read = [self.made(key) for key in e.keys], self.reading.state(e.state)
        if not keys:
            return lambda env: read(())
        if len(keys) == 1:
            only = keys[0]
            return lambda env: read((int(only(env)),))
        return lambda env: read(tuple([int(key(env)) for key in keys]))

    def _flagged(self, e: ir.Flagged) -> Made:
        keys, read = [self.made(key) for key in e.keys], self.reading.state(e.state)
        everyone = Fixed(self.reading.last_keys(e.state))

        def flagged(env: Env) -> Members:
            first = tuple([int(key(env)) for key in keys])
            return Tested(everyone, lambda member: read((*first, member)), self._why)

        return flagged

    def _at(self, e: ir.At) -> Made:
        space, place = self.made(e.space), self.reading.state("place")
        everyone = Fixed(self.reading.last_keys("place"))
        if e.many:

            def at_any(env: Env) -> Members:
                wanted = _set(space(env))
                return Tested(everyone, lambda piece: wanted.has(place((piece,))), self._why)

            return at_any
        certain = isinstance(e.space, ir.Const)

        def at(env: Env) -> Members:
            one = space(env)
            if one == NONE and not certain:
                no_value("no space")
            return Tested(everyone, lambda piece: place((piece,)) == one, self._why)

        return at

    def _apply(self, e: ir.Apply) -> Made:
        function = self._functions[e.function]
        arguments = [self.made(part) for part in e.arguments]
        names = [param.name for param in function.params]
        if e.function not in self._bodies:
            self._bodies[e.function] = self.made(function.body)
        body = self._bodies[e.function]
        return lambda env: body({name: part(env) for name, part in zip(names, arguments, strict=True)})

    # -- operations

    def _op(self, e: ir.Op) -> Made:
        parts = [self.made(part) for part in e.operands]
        a, b = parts[0], parts[-1]
        match e.op:
            case "and":
                return lambda env: self._decided(parts, env, by=False)
            case "or":
                return lambda env: self._decided(parts, env, by=True)
            case "not":
                return lambda env: not a(env)
            case "or_else":
                return lambda env: b(env) if (x := a(env)) == NONE else x
            case "has":
                return lambda env: _has(a(env), b(env))
            case "is_empty":
                return lambda env: not self._some(_set(a(env)), lambda member: True)
            case "within":
                return lambda env: self._within(_set(a(env)), _set(b(env)))
            case "union":
                return lambda env: Union([_set(part(env)) for part in parts], self._why)
            case "inter" | "diff":
                without = e.op == "diff"
                return lambda env: Less(_set(a(env)), _set(b(env)), without, self._why)
            case "map_get":
                return lambda env: _get(a(env), b(env))
            case "map_has":
                return lambda env: a(env).has(b(env))
            case _:
                return self._eager(e, parts)

    def _decided(self, parts: list[Made], env: Env, *, by: bool) -> bool:
        """Of `and` and `or`: the first part that is `by` decides, and then nothing else mattered."""
        why = self._why
        start = len(why)
        for part in parts:
            middle = len(why)
            if bool(part(env)) is by:
                del why[start:middle]
                return by
        return not by

    def _some(self, over: Any, test: Callable[[int], bool]) -> bool:
        """Whether a member of a set (an item of a list) passes a test; one that does is all that mattered.

        Of a member that does not pass, that it fails is enough, whether or not it belongs.
        """
        why = self._why
        start = len(why)
        if not isinstance(over, Members):
            return self._some_item(_each(over), test)
        for member in over.bound():
            begun = len(why)
            self.reading.step()
            if not over.has(member):
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

    def _within(self, part: Members, whole: Members) -> bool:
        return not self._some(part, lambda member: not whole.has(member))

    def _eager(self, e: ir.Op, parts: list[Made]) -> Made:
        """An operation that wants its operands whole."""
        work = self._work(e)
        is_set = isinstance(e.type, SetOf)

        if len(parts) == 2 and not is_set:
            a, b = parts
            return lambda env: work(_whole(a(env)), _whole(b(env)))

        def done(env: Env) -> Any:
            value = work(*[_whole(part(env)) for part in parts])
            return Fixed(value) if is_set else value

        return done

    def _work(self, e: ir.Op) -> Callable[..., Any]:
        detail = e.detail
        match e.op:
            case "div_down" | "div_up" | "div_nearest":
                way = e.op.removeprefix("div_")
                return lambda a, b: operations.divide(a, b, way)
            case "mod":
                return operations.modulo
            case "ranged":
                return _ranged
            case "at_most":
                return lambda a, most: operations.at_most(a, most, detail)
            case "single":
                return lambda a: 1 << a if a >= 0 else no_value("none as a member")
            case "smaller" | "larger":
                return min if e.op == "smaller" else max
            case "union":
                return operations.joined
            case "joined":
                return lambda *lists: tuple(one for part in lists for one in part)
            case "list_of":
                return lambda *values: values
            case "times_ratio":
                return lambda a, b: a * b
            case "ratio_column":
                return lambda value, columns: operations.ratio_column(value, columns, detail or "down")
            case "successor" | "predecessor":
                return self._beside(e)
            case _:
                return _PLAIN.get(e.op) or operations.PURE[e.op]

    def _beside(self, e: ir.Op) -> Callable[..., Any]:
        kind = e.operands[0].type
        step = 1 if e.op == "successor" else -1
        if not isinstance(kind, Member):
            return lambda value: value + step
        size, optional = self._sizes[kind.domain], isinstance(e.type, Optional)
        return lambda value: operations.beside(value, step, size, optional)

    # -- over members

    def _fold(self, e: ir.Fold) -> Made:
        over, name, body = self.made(e.over), e.var.name, self.made(e.body)

        def values(env: Env) -> Iterator[Any]:
            for one in _each(over(env)):
                self.reading.step()
                env[name] = one
                yield body(env)

        match e.kind:
            case "any":
                return lambda env: self._some(over(env), _tester(env, name, body))
            case "all":
                return lambda env: not self._some(over(env), _failing(env, name, body))
            case "no":
                return lambda env: not self._some(over(env), _tester(env, name, body))
            case "total":
                return lambda env: sum(values(env))
            case "lowest" | "highest":
                pick: Any = min if e.kind == "lowest" else max
                return lambda env: pick(values(env), default=NONE)

    def _best(self, e: ir.Best) -> Made:
        over, name, key = self.made(e.over), e.var.name, self.made(e.key)
        pick: Any = min if e.kind == "lowest" else max

        def best(env: Env) -> Members:
            keys: dict[int, Any] = {}
            for one in _each(over(env)):
                self.reading.step()
                env[name] = one
                keys[one] = key(env)
            top = pick(keys.values(), default=None)
            return Fixed(sum(1 << one for one, value in keys.items() if value == top))

        return best

    def _linked(self, e: ir.Linked) -> Made:
        over, start, relation = self.made(e.over), self.made(e.start), self.made(e.relation)
        within = self.made(e.within) if e.within is not None else None
        name = e.var.name

        def linked(env: Env) -> Members:
            inside = _set(over(env))
            found = edge = set(_set(start(env)).members())
            steps = MOST_STEPS if within is None else within(env)
            while edge and steps > 0:
                steps -= 1
                touched: set[int] = set()
                for at in sorted(edge):
                    self.reading.step()
                    env[name] = at
                    touched.update(_set(relation(env)).members())
                edge = {one for one in touched - found if inside.has(one)}
                found = found | edge
            return Fixed(sum(1 << one for one in found if inside.has(one)))

        return linked


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


def _set(value: Any) -> Members:
    return value if isinstance(value, Members) else Fixed(value)


def _each(value: Any) -> Iterator[int]:
    """The members of a set, or the items of a list."""
    if isinstance(value, Members):
        return value.members()
    return iter(value) if isinstance(value, tuple) else iter(listed(value))


def _has(value: int, values: Any) -> bool:
    return value >= 0 and _set(values).has(value)


def _get(values: Any, key: int) -> Any:
    return values.get(key) if hasattr(values, "get") else no_value("no map")


def _whole(value: Any) -> Any:
    return value.mask() if isinstance(value, Members) else value


def _ranged(value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise Fault("out-of-range", "a number beyond its range")
    return value


_PLAIN: dict[str, Callable[..., Any]] = {
    "only": operations.only,
    "item": operations.item,
    "index_of": operations.index_of,
    "without": operations.without,
    "ratio": operations.ratio,
}
