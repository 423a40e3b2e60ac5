"""A condition as a formula over the cells that it may read.

Every construct is either said exactly, or is anything of its type, as the package promises.  A part that
faults is anything, too: what faults does not hold, and the search that looks at the answer knows that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, Final

from rulekit import ir
from rulekit.analysis.prove.smt import values as v
from rulekit.ir import walk
from rulekit.ir.expr import Expr
from rulekit.ir.program import Key, span_of
from rulekit.ir.types import GAP, NONE, Flag, Int, MapOf, Member, Optional, SetOf, Type

MOST_PARTS: Final = 20_000
"""Expressions worked out for one question, and cells and members looked at."""
MOST_CELLS: Final = 400
"""Cells that one reading with an unknown key may mean."""
Env = dict[str, v.Value]


class FormulaTooLarge(Exception):
    """The formula would have more parts than are worth it."""


class Formula:
    """Formulas over the same cells, with the bounds that their types set."""

    def __init__(self, program: ir.Program) -> None:
        self._states = program.by_name.states
        self._tables = program.by_name.statics
        self._functions = program.by_name.functions
        self._sizes = program.by_name.sizes
        self.cells = v.Cells(program.by_name)
        self._free: dict[int, tuple[Expr, list[str]]] = {}
        self._known: dict[object, tuple[v.Value, Sequence[v.Value]]] = {}
        self._parts = 0

    def of(self, test: Expr, params: Sequence[ir.Param]) -> Any:
        """A test of some parameters, as a formula that is implied by it."""
        formula = self._value(test, {param.name: self._parameter(param) for param in params})
        return self._scalar(formula, Flag())

    def _parameter(self, param: ir.Param) -> v.Value:
        if isinstance(param.type, MapOf):
            return v.ANYTHING
        return self.cells.state_cell(f"parameter {param.name}", (), param.type)

    # -- expressions

    def _scalar(self, value: v.Value, kind: Type) -> Any:
        """A number or flag, whatever the value."""
        return self.cells.any_of(kind) if isinstance(value, v.Anything | v.Many) else value

    def _flag(self, e: Expr, env: Env) -> Any:
        return self._scalar(self._value(e, env), Flag())

    def _set(self, e: Expr, env: Env) -> v.Many:
        value = self._value(e, env)
        if isinstance(value, v.Many):
            return value
        if isinstance(e.type, SetOf) and v.is_known(value):
            return v.of_mask(int(value))
        if isinstance(e.type, SetOf):
            value = self.cells.any_of(e.type)
            assert isinstance(value, v.Many)
            return value
        raise FormulaTooLarge

    def _value(self, e: Expr, env: Env) -> v.Value:
        """The value of an expression; that of one that reads the same is the same."""
        if isinstance(e, ir.Local):
            return env[e.name]
        if id(e) not in self._free:
            self._free[id(e)] = e, sorted(walk.free(e))
        read = [env[name] for name in self._free[id(e)][1]]
        key = id(e), tuple(map(_sign, read))
        if key not in self._known:
            self._spend(1)
            # What was read is kept beside: the sign of a value that is gone could become another's.
            value = self._worked_out(e, env)
            self._spend(len(value.members) if isinstance(value, v.Many) else 0)
            self._known[key] = value, read
        return self._known[key][0]

    def _spend(self, parts: int) -> None:
        self._parts += parts
        if self._parts > MOST_PARTS:
            raise FormulaTooLarge

    def _worked_out(self, e: Expr, env: Env) -> v.Value:
        match e:
            case ir.Const():
                return self._const(e)
            case ir.Local():
                return env[e.name]
            case ir.Static():
                return self._static(e, env)
            case ir.Read():
                return self._read(e, env)
            case ir.Flagged():
                return self._flag_set(e, env)
            case ir.At():
                return self._at(e, env)
            case ir.Apply():
                return self._apply(e, env)
            case ir.If():
                test = self._flag(e.condition, env)
                if isinstance(test, bool):
                    return self._value(e.then if test else e.otherwise, env)
                both_ways = self._value(e.then, env), self._value(e.otherwise, env)
                value = v.choose(test, *both_ways)
                return self.cells.any_of(e.type) if isinstance(value, v.Anything) else value
            case ir.Op():
                return self._op(e, env)
            case ir.Filter():
                over = self._set(e.over, env)
                name, body = e.var.name, e.body
                return v.Many(dict(self._passing(over, name, lambda env: self._flag(body, env), env)))
            case ir.Fold():
                return self._fold(e, env)
            case ir.Best():
                over, name, key = self._set(e.over, env), e.var.name, e.key
                valued = list(self._values_of(over, name, key, env))
                best = _extreme(e.kind, (item[1:] for item in valued))
                return v.Many({m: v.both((inside, value == best)) for m, inside, value in valued})
            case ir.Linked() | ir.BestWay():
                return self.cells.any_of(e.type)

    def _const(self, e: ir.Const) -> v.Value:
        if isinstance(e.type, SetOf) and isinstance(e.value, int):
            return v.of_mask(e.value)
        return e.value if isinstance(e.value, int) else v.ANYTHING

    def _keys_of(
        self, keys: Sequence[Expr], domains: Sequence[Key], env: Env
    ) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """Every combination of keys that there may be, with when it is that.

        Raises:
            TooLarge: There are too many.
        """
        choices: list[list[tuple[Any, int]]] = []
        for key, domain in zip(keys, domains, strict=True):
            value = self._scalar(self._value(key, env), key.type)
            low, high = span_of(domain, self._sizes)
            if v.is_known(value):
                choices.append([(True, int(value))] if low <= value <= high else [])
                continue
            of = key.type.of if isinstance(key.type, Optional) else key.type
            numbers = self.cells.numbers(of) if isinstance(of, Member) else range(low, high + 1)
            choices.append([(value == number, number) for number in numbers if low <= number <= high])
        if (many := prod(map(len, choices))) > MOST_CELLS:
            raise FormulaTooLarge
        self._spend(many)
        for picked in product(*choices):
            yield v.both(when for when, _ in picked), tuple(number for _, number in picked)

    def _looked_up(
        self, e: ir.Static | ir.Read, domains: Sequence[Key], of: Callable[..., v.Value], env: Env
    ) -> v.Value:
        """What stands under keys; anything where there is nothing."""
        result: v.Value | None = None
        for when, keys in self._keys_of(e.keys, domains, env):
            value = of(keys)
            if when is True:
                return value
            result = v.choose(when, value, self.cells.any_of(e.type) if result is None else result)
            if isinstance(result, v.Anything):
                break
        return self.cells.any_of(e.type) if result is None or isinstance(result, v.Anything) else result

    def _static(self, e: ir.Static, env: Env) -> v.Value:
        table = self._tables[e.table]
        spans = [span_of(key, self._sizes) for key in table.keys]

        def value_of(keys: tuple[int, ...]) -> v.Value:
            at = 0
            for key, (low, high) in zip(keys, spans, strict=True):
                at = at * (high - low + 1) + key - low
            value = GAP if table.missing else table.values[at]
            if value == GAP or not isinstance(value, int):
                return self.cells.any_of(e.type)
            return v.of_mask(int(value)) if isinstance(e.type, SetOf) else value

        return self._looked_up(e, table.keys, value_of, env)

    def _read(self, e: ir.Read, env: Env) -> v.Value:
        state = self._states[e.state]
        return self._looked_up(
            e, state.keys, lambda keys: self.cells.state_cell(e.state, keys, state.type), env
        )

    def _flag_set(self, e: ir.Flagged, env: Env) -> v.Value:
        state = self._states[e.state]
        last = state.keys[-1]
        low, high = span_of(last, self._sizes)
        members: dict[int, Any] = {}
        for when, keys in self._keys_of(e.keys, state.keys[:-1], env):
            for member in range(max(low, 0), high + 1):
                flag = v.both((when, self.cells.cell((e.state, (*keys, member)), state.type)))
                members[member] = v.either((members.get(member, False), flag))
        return v.Many(members)

    def _at(self, e: ir.At, env: Env) -> v.Value:
        place = self._states["place"]
        assert isinstance(place.keys[0], str)
        where = self._set(e.space, env) if e.many else self._scalar(self._value(e.space, env), e.space.type)
        members = {}
        pieces = range(self._sizes[place.keys[0]])
        self._spend(len(pieces) * len(where.members) if isinstance(where, v.Many) else 0)
        for piece in pieces:
            here = self.cells.cell(("place", (piece,)), place.type)
            members[piece] = v.belongs(here, where) if isinstance(where, v.Many) else here == where
        return v.Many(members)

    def _apply(self, e: ir.Apply, env: Env) -> v.Value:
        function = self._functions[e.function]
        arguments = [self._value(part, env) for part in e.arguments]
        names = [param.name for param in function.params]
        return self._value(function.body, dict(zip(names, arguments, strict=True)))

    def _op(self, e: ir.Op, env: Env) -> v.Value:
        match e.op:
            case "and":
                return v.both(self._lazily(e.operands, env, stop=False))
            case "or":
                return v.either(self._lazily(e.operands, env, stop=True))
            case "not":
                return v.negation(self._flag(e.operands[0], env))
            case "single":
                return self._single(e.operands[0], env)
            case _:
                parts: list[Any] = [
                    self._set(part, env) if isinstance(part.type, SetOf) else self._value(part, env)
                    for part in e.operands
                ]
                self._spend(sum(len(part.members) for part in parts if isinstance(part, v.Many)))
                value = v.operation_value(e, parts, self._sizes)
                return self.cells.any_of(e.type) if isinstance(value, v.Anything) else value

    def _single(self, of: Expr, env: Env) -> v.Value:
        value = self._scalar(self._value(of, env), of.type)
        if v.is_known(value):
            return v.Many({int(value): True})
        kind = of.type.of if isinstance(of.type, Optional) else of.type
        numbers = self.cells.numbers(kind) if isinstance(kind, Member | Int) else ()
        return v.Many({number: value == number for number in numbers})

    def _lazily(self, parts: Sequence[Expr], env: Env, *, stop: bool) -> Iterator[Any]:
        for part in parts:
            flag = self._flag(part, env)
            yield flag
            if flag is stop:
                return

    # -- over members

    def _passing(
        self, over: v.Many, name: str, test: Callable[[Env], Any], env: Env
    ) -> Iterator[tuple[int, Any]]:
        for member, inside in over.members.items():
            if inside is not False:
                yield member, v.both((inside, test({**env, name: member})))

    def _fold(self, e: ir.Fold, env: Env) -> v.Value:
        if not isinstance(e.over.type, SetOf):
            return self.cells.any_of(e.type)
        over, name = self._set(e.over, env), e.var.name
        match e.kind:
            case "any" | "no":
                some = v.either(
                    flag for _, flag in self._passing(over, name, lambda env: self._flag(e.body, env), env)
                )
                return some if e.kind == "any" else v.negation(some)
            case "all":
                failing = self._passing(over, name, lambda env: v.negation(self._flag(e.body, env)), env)
                return v.negation(v.either(flag for _, flag in failing))
            case "total":
                valued = self._values_of(over, name, e.body, env)
                return v.total(v.choose(inside, value, 0) for _, inside, value in valued)
            case "grouped" | "map":
                return self.cells.any_of(e.type)
            case "join":
                return self._join(over, name, e.body, env)
            case "lowest" | "highest":
                return _extreme(e.kind, (item[1:] for item in self._values_of(over, name, e.body, env)))

    def _join(self, over: v.Many, name: str, body: Expr, env: Env) -> v.Many:
        """The members of the sets of those that pass."""
        joined: dict[int, list[Any]] = {}
        for member, inside in over.members.items():
            if inside is not False:
                for one, belongs in self._set(body, {**env, name: member}).members.items():
                    joined.setdefault(one, []).append(v.both((inside, belongs)))
        return v.Many({one: v.either(ways) for one, ways in joined.items()})

    def _values_of(self, over: v.Many, name: str, body: Expr, env: Env) -> Iterator[tuple[int, Any, Any]]:
        """The members that may belong to a set, with whether they do, and the body's value for each."""
        for member, inside in over.members.items():
            if inside is not False:
                value = self._value(body, {**env, name: member})
                yield member, inside, self._scalar(value, body.type)


def _extreme(kind: str, valued: Iterable[tuple[Any, Any]]) -> Any:
    """The lowest or highest of the values that count; none where none does."""
    best: Any = NONE
    for inside, value in valued:
        beats = v.either((best == NONE, value < best if kind == "lowest" else value > best))
        best = v.choose(v.both((inside, beats)), value, best)
    return best


def _sign(value: v.Value) -> object:
    """What is the same for the same argument."""
    if isinstance(value, v.Many):
        return "many", id(value)
    if v.is_known(value):
        return type(value), value
    return "anything" if isinstance(value, v.Anything) else ("formula", value.number)
