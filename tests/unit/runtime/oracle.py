"""A slow, obvious interpreter of the IR, to hold the fast one against.

Walks the trees, keeps state in a dictionary, finds legal options by listing every finished answer.  It
shares nothing with `rulekit.runtime` but the shape of the IR and the specified generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import or_
from typing import Any

from rulekit import ir
from rulekit.ir import types as t
from rulekit.runtime import chance

Env = dict[str, Any]
DONE = t.NONE + 2
Ask = Callable[[int, int, Any, tuple[int, ...]], int]


class Fault(Exception):
    """The rules cannot go on."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Leave(Exception):
    pass


class _Next(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class _Finish(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def bits(mask: int) -> list[int]:
    """The members of a mask."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


class Oracle:
    """Runs one game of a program."""

    def __init__(self, program: ir.Program, seed: int, ask: Ask) -> None:
        self.program = program
        self.seed = seed
        self.ask = ask
        self.domains = program.by_name.domains
        self.tables = program.by_name.statics
        self.states = program.by_name.states
        self.functions = program.by_name.functions
        self.procedures = program.by_name.procedures
        self.choices = program.by_name.choices
        self.points = program.by_name.points
        self.cells = {(s.name, keys): value for s in program.states for keys, value in self.declared(s)}
        self.used = {item.name: 0 for item in program.points}
        self.trace: list[tuple[Any, ...]] = []
        self.late: list[tuple[Any, ...]] | None = None
        self.runs = 0

    def size(self, domain: str) -> int:
        return len(self.domains[domain].members)

    def range_of(self, domain: str | tuple[int, int]) -> range:
        return range(self.size(domain)) if isinstance(domain, str) else range(domain[0], domain[1] + 1)

    def declared(self, state: ir.State) -> Iterator[tuple[tuple[int, ...], Any]]:
        for place, keys in enumerate(product(*map(self.range_of, state.keys))):
            yield keys, state.initial if state.initial_each is None else state.initial_each[place]

    def play(self) -> Any:
        """The whole game; its result."""
        try:
            if self.program.scenarios:
                self.do(self.program.scenarios[0].procedure, ())
            self.do(self.program.entry, ())
        except _Finish as finish:
            return finish.value
        return None

    def do(self, name: str, arguments: tuple[Any, ...]) -> Any:
        item = self.procedures[name]
        env = dict(zip((param.name for param in item.params), arguments, strict=True))
        try:
            self.block(item.body, env)
        except _Return as back:
            return back.value
        return None

    # ------------------------------------------------------------ expressions

    def value(self, e: ir.Expr, env: Env) -> Any:
        match e:
            case ir.Const():
                return e.value
            case ir.Local():
                return env[e.name]
            case ir.Static():
                return self.look_up(e, env)
            case ir.Read():
                keys = tuple(self.value(key, env) for key in e.keys)
                return self.cells[self.cell(e.state, keys)]
            case ir.Flagged():
                return self.flagged(e.state, tuple(self.value(key, env) for key in e.keys))
            case ir.At():
                space = self.value(e.space, env)
                spaces = bits(space) if e.many else [space]
                if not e.many and space == t.NONE and not isinstance(e.space, ir.Const):
                    raise Fault("no-value")
                return self.at(spaces)
            case ir.Apply():
                function = self.functions[e.function]
                values = [self.value(part, env) for part in e.arguments]
                names = [param.name for param in function.params]
                return self.value(function.body, dict(zip(names, values, strict=True)))
            case ir.If():
                return self.value(e.then if self.value(e.condition, env) else e.otherwise, env)
            case ir.Op():
                return self.operation(e, env)
            case _:
                return self.walked(e, env)

    def cell(self, state: str, keys: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
        for key, domain in zip(keys, self.states[state].keys, strict=True):
            if key == t.NONE:
                raise Fault("no-value" if isinstance(domain, str) else "out-of-range")
            if key not in self.range_of(domain):
                raise Fault("out-of-range")
        return state, keys

    def flagged(self, state: str, keys: tuple[int, ...]) -> int:
        last = self.states[state].keys[-1]
        self.cell_keys(state, keys)
        return sum(1 << one for one in self.range_of(last) if self.cells[state, (*keys, one)])

    def cell_keys(self, state: str, keys: tuple[int, ...]) -> None:
        for key, domain in zip(keys, self.states[state].keys, strict=False):
            if key not in self.range_of(domain):
                raise Fault("out-of-range")

    def at(self, spaces: list[int]) -> int:
        places = {keys[0]: value for (state, keys), value in self.cells.items() if state == "place"}
        return sum(1 << piece for piece, space in places.items() if space in spaces)

    def look_up(self, e: ir.Static, env: Env) -> Any:
        table = self.tables[e.table]
        place = 0
        for key, domain in zip((self.value(key, env) for key in e.keys), table.keys, strict=True):
            if key not in self.range_of(domain):
                raise Fault("no-value" if isinstance(domain, str) else "no-row")
            place = place * len(self.range_of(domain)) + key - self.range_of(domain).start
        value = table.values[place]
        if value == t.GAP:
            raise Fault("no-row")
        return value

    def operation(self, e: ir.Op, env: Env) -> Any:
        if e.op in ("and", "or"):
            for part in e.operands:
                if bool(self.value(part, env)) == (e.op == "or"):
                    return e.op == "or"
            return e.op == "and"
        if e.op == "or_else":
            first = self.value(e.operands[0], env)
            return self.value(e.operands[1], env) if first == t.NONE else first
        values = [self.value(part, env) for part in e.operands]
        if e.op in ("successor", "predecessor"):
            return self.beside(e, values[0])
        if e.op == "field":
            kind = e.operands[0].type
            assert isinstance(kind, t.Record)
            return self.unpacked(kind, values[0])[kind.names.index(e.detail)]
        if e.op == "single" and values[0] < 0:
            raise Fault("no-value")
        return OPERATIONS[e.op](e, *values)

    def values_of(self, kind: t.Type) -> range:
        """All values of a type in a record."""
        return self.range_of(kind.domain) if isinstance(kind, t.Member) else range(kind.low, kind.high + 1)  # type: ignore[union-attr]

    def packed(self, kind: t.Record, values: tuple[int, ...]) -> int:
        """A record as its place among all records of its type, listed in order."""
        place = 0
        for of, value in zip(kind.types, values, strict=True):
            place = place * len(self.values_of(of)) + self.values_of(of).index(value)
        return place

    def unpacked(self, kind: t.Record, number: int) -> tuple[int, ...]:
        """The values of the record with this place."""
        values: tuple[int, ...] = ()
        for of in reversed(kind.types):
            number, place = divmod(number, len(self.values_of(of)))
            values = (self.values_of(of)[place], *values)
        return values

    def beside(self, e: ir.Op, value: int) -> int:
        found = value + (1 if e.op == "successor" else -1)
        kind = e.operands[0].type
        if not isinstance(kind, t.Member) or 0 <= found < self.size(kind.domain):
            return found
        if isinstance(e.type, t.Optional):
            return t.NONE
        raise Fault("no-value")

    def walked(self, e: ir.Expr, env: Env) -> Any:
        match e:
            case ir.Filter():
                over = bits(self.value(e.over, env))
                return sum(1 << one for one in over if self.value(e.body, {**env, e.var.name: one}))
            case ir.Fold():
                return self.folded(e, env)
            case ir.Best():
                over = bits(self.value(e.over, env))
                keys = {one: self.value(e.key, {**env, e.var.name: one}) for one in over}
                best = (min if e.kind == "lowest" else max)(keys.values(), default=None)
                return sum(1 << one for one, key in keys.items() if key == best)
            case ir.Linked():
                return self.linked(e, env)
            case ir.BestWay():
                return self.way(e, env)
            case _:
                raise AssertionError(e)

    def folded(self, e: ir.Fold, env: Env) -> Any:
        over = self.value(e.over, env)
        if e.kind == "grouped":
            costs = {one: self.value(e.body, {**env, e.var.name: one}) for one in bits(over)}
            assert isinstance(e.type, t.ListOf)
            return tuple(sum(1 << one for one in costs if costs[one] == n) for n in range(e.type.most))
        if e.kind == "map":
            return {one: self.value(e.body, {**env, e.var.name: one}) for one in bits(over)}
        values = (
            self.value(e.body, {**env, e.var.name: one})
            for one in (over if isinstance(over, tuple) else bits(over))
        )
        match e.kind:
            case "total":
                return sum(values)
            case "join":
                return reduce(or_, values, 0)
            case "lowest" | "highest":
                return (min if e.kind == "lowest" else max)(values, default=t.NONE)
            case "any":
                return any(values)
            case "all":
                return all(values)
            case "no":
                return not any(values)

    def linked(self, e: ir.Linked, env: Env) -> int:
        over, start = self.value(e.over, env), self.value(e.start, env)
        steps = 10_000 if e.within is None else self.value(e.within, env)
        if isinstance(e.relation.type, t.ListOf):
            return self.linked_at_cost(e, env, over, start, steps)
        found = edge = set(bits(start))
        while edge and steps > 0:
            steps -= 1
            touched = {one for at in edge for one in bits(self.value(e.relation, {**env, e.var.name: at}))}
            edge = {one for one in touched if over >> one & 1} - found
            found = found | edge
        return sum(1 << one for one in found if over >> one & 1)

    def linked_at_cost(self, e: ir.Linked, env: Env, over: int, start: int, most: int) -> int:
        """By trying every step again and again until no way becomes cheaper (Bellman and Ford)."""
        cheapest = dict.fromkeys(bits(start), 0)
        touched: dict[int, Any] = {}
        changed = True
        while changed:
            changed = False
            for at, spent in sorted(cheapest.items()):
                if at not in touched:
                    touched[at] = self.value(e.relation, {**env, e.var.name: at})
                for cost, group in enumerate(touched[at]):
                    for one in bits(group & over):
                        if spent + cost <= min(most, cheapest.get(one, 1000) - 1):
                            cheapest[one] = spent + cost
                            changed = True
        return sum(1 << one for one in cheapest if over >> one & 1)

    def way(self, e: ir.BestWay, env: Env) -> tuple[int, ...]:
        """By trying every way that goes nowhere twice."""
        over, start, goal = (self.value(part, env) for part in (e.over, e.start, e.goal))
        most = 10_000 if e.within is None else self.value(e.within, env)
        waiting = [(0, 1, (at,)) for at in bits(start)] if most >= 0 else []
        ends = []
        while waiting:
            spent, length, way = waiting.pop()
            if goal >> way[-1] & 1:
                ends.append((spent, length, way))
                continue
            for cost, group in enumerate(self.value(e.relation, {**env, e.var.name: way[-1]}), spent):
                if cost <= most:
                    waiting += [(cost, length + 1, (*way, to)) for to in bits(group & over) if to not in way]
        return min(ends)[2] if ends else ()

    # ------------------------------------------------------------ statements

    def block(self, block: ir.Block, env: Env) -> None:
        for stmt in block:
            getattr(self, f"do_{type(stmt).__name__}")(stmt, env)

    def tell(self, kind: str, site: int, subject: str, *operands: Any) -> None:
        self.trace.append((kind, site, subject, *operands))

    def knowers(self, state: str, *keys: int) -> tuple[int, ...]:
        """The mask of those who know a state, if other states say it."""
        known = self.states[state].known_to
        if known is None or not any(isinstance(e, ir.Read) for e in ir.walk.nodes(known.sides)):
            return ()
        return (self.told(known, keys),)

    def told(self, known: ir.program.Known, keys: tuple[int, ...]) -> int:
        """The mask of those whom a state names."""
        names = (param.name for param in known.params)
        return self.mask(known.sides, dict(zip(names, keys, strict=True)))

    def mask(self, sides: ir.Expr, env: Env) -> int:
        """Sides as a mask."""
        value = self.value(sides, env)
        return value if isinstance(sides.type, t.SetOf) else 1 << value if value >= 0 else 0

    def do_Let(self, s: ir.Let, env: Env) -> None:
        env[s.local.name] = self.value(s.value, env)

    def do_Write(self, s: ir.Write, env: Env) -> None:
        keys = tuple(self.value(key, env) for key in s.keys)
        value = None if s.value is None else self.value(s.value, env)
        if s.state == "place":
            self.move(s.site, 1 << keys[0], value)
            return
        cell = self.cell(s.state, keys)
        told = value
        state = self.states[s.state]
        if self.late is not None:
            flag = isinstance(state.type, t.Flag) and s.op == "set"
            self.late.append((("mark" if value else "unmark") if flag else s.op, cell, value))
        else:
            self.cells[cell] = self.changed(
                state,
                s.op,
                self.cells[cell],
                value,
                s.check or isinstance(state.type, t.ListOf),
                s.clamp or state.clamp,
            )
            if not isinstance(state.type, t.Flag | t.SetOf | t.ListOf):
                told = self.cells[cell]
        amount = (value,) if s.op in ("add", "subtract") else ()
        result = () if s.value is None or amount and self.late is not None else (told,)
        self.tell(s.op, s.site, s.state, *keys, *amount, *result, *self.knowers(s.state, *keys))

    def changed(self, state: ir.State, op: str, old: Any, value: Any, check: bool, clamp: bool) -> Any:
        match op:
            case "set":
                new = value
            case "add":
                new = old + value
            case "subtract":
                new = old - value
            case "mark" | "unmark":
                return op == "mark"
            case "include":
                return old | value
            case "exclude":
                return old & ~value
            case "append":
                new = (*old, value)
            case "drop":
                place = old.index(value) if value in old else len(old)
                new = old[:place] + old[place + 1 :]
        return self.fitted(state, new, check, clamp)

    def fitted(self, state: ir.State, new: Any, check: bool, clamp: bool) -> Any:
        kind = state.type.of if isinstance(state.type, t.Optional) else state.type
        if isinstance(kind, t.ListOf):
            if len(new) > kind.most:
                raise Fault("out-of-range")
            return new
        if not isinstance(kind, t.Int) or new == t.NONE and isinstance(state.type, t.Optional):
            return new
        if clamp:
            return min(max(new, kind.low), kind.high)
        if check and not kind.low <= new <= kind.high:
            raise Fault("out-of-range")
        return new

    def do_MarkAll(self, s: ir.MarkAll, env: Env) -> None:
        keys = tuple(self.value(key, env) for key in s.keys)
        members = self.value(s.members, env)
        for one in bits(members):
            cell = self.cell(s.state, (*keys, one))
            if self.late is not None:
                self.late.append(("mark" if s.on else "unmark", cell, None))
            else:
                self.cells[cell] = s.on
        known = [tuple(self.knowers(s.state, *keys, one)) for one in bits(members)]
        varying = self.knowers(s.state, *keys, 0)
        known = (tuple(sides for (sides,) in known),) if varying else ()
        self.tell("mark_all" if s.on else "unmark_all", s.site, s.state, *keys, members, *known)

    def do_Place(self, s: ir.Place, env: Env) -> None:
        pieces, space = self.value(s.pieces, env), self.value(s.space, env)
        if not s.many and pieces < 0:
            raise Fault("no-value")
        self.move(s.site, pieces if s.many else 1 << pieces, space)

    def move(self, site: int, pieces: int, space: int) -> None:
        for piece in bits(pieces):
            if self.late is not None:
                self.late.append(("place", ("place", (piece,)), space))
            else:
                self.cells["place", (piece,)] = space
        known = [sides for one in bits(pieces) for sides in self.knowers("place", one)]
        varying = (tuple(known),) if self.knowers("place", 0) else ()
        self.tell("move", site, "place", pieces, space, *varying)

    def do_When(self, s: ir.When, env: Env) -> None:
        self.block(s.then if self.value(s.condition, env) else s.otherwise, env)

    def run(self, body: ir.Block, env: Env) -> bool:
        """One run of a loop; false to leave it."""
        self.runs += 1
        if self.runs > 5_000:
            raise Fault("budget")
        try:
            self.block(body, env)
        except _Next:
            pass
        except _Leave:
            return False
        return True

    def do_ForEach(self, s: ir.ForEach, env: Env) -> None:
        over = self.value(s.over, env)
        members = list(over) if isinstance(over, tuple) else bits(over)
        if s.order is not None and s.order.kind == "chosen":
            self.chosen(s, members, env)
            return
        if s.order is not None and not isinstance(over, tuple):
            members = self.ordered(s, members, env)
        if s.alternating is None:
            for one in members:
                env[s.var.name] = one
                if not self.run(s.body, env):
                    return
            return
        going = True
        while going:
            going = False
            for one in members:
                env[s.var.name] = one
                if self.value(s.alternating, env):
                    going = True
                    if not self.run(s.body, env):
                        return

    def ordered(self, s: ir.ForEach, members: list[int], env: Env) -> list[int]:
        order = s.order
        assert order is not None
        if order.kind == "lot":
            ranks = sorted({tuple(self.ranks(s, one, env)) for one in members})
            groups = [
                tuple(one for one in members if tuple(self.ranks(s, one, env)) == rank) for rank in ranks
            ]
            return [one for group in groups for one in self.shuffled(order.name, group)]
        if order.kind == "first":
            heads: list[int] = []
            for key in order.keys:
                value = self.value(key, env)
                heads += bits(value) if isinstance(key.type, t.SetOf) else [value]
            heads = list(dict.fromkeys(one for one in heads if one in members))
            return heads + [one for one in members if one not in heads]
        return sorted(members, key=lambda one: self.ranks(s, one, env))

    def ranks(self, s: ir.ForEach, one: int, env: Env) -> list[Any]:
        """The numbers of a member that order a loop, the one that comes first the lowest."""
        assert s.order is not None
        inside = {**env, s.var.name: one}
        return [(-1 if end == "highest" else 1) * self.value(e, inside) for end, e in s.order.numbers]

    def chosen(self, s: ir.ForEach, members: list[int], env: Env) -> None:
        """A side picks the next one; with turns, each round offers those who can."""
        assert s.order is not None and s.alternating is None
        left = members
        while left:
            who = tuple(self.value(key, env) for key in s.order.sides)
            params = self.choices[s.order.name].params
            best = min(self.ranks(s, one, env) for one in left)
            tied = [one for one in left if self.ranks(s, one, env) == best]
            arguments = (sum(1 << one for one in tied), *who)[: len(params)]
            one = self.choose(s.order.name, arguments)
            env[s.var.name] = one
            if one == t.NONE:
                return
            left = [other for other in left if other != one]
            if not self.run(s.body, env):
                return

    def do_Repeat(self, s: ir.Repeat, env: Env) -> None:
        if s.kind == "times":
            for _ in range(self.value(s.control, env)):
                if not self.run(s.body, env):
                    return
            return
        runs = 0
        while True:
            if s.kind == "while" and not self.value(s.control, env):
                return
            if s.kind == "until" and runs and self.value(s.control, env):
                return
            runs += 1
            limit = 100_000 if s.limit is None else self.value(s.limit, env)
            if runs > limit:
                raise Fault("endless-loop")
            if not self.run(s.body, env):
                return

    def do_Leave(self, s: ir.Leave, env: Env) -> None:
        raise _Leave

    def do_Next(self, s: ir.Next, env: Env) -> None:
        raise _Next

    def do_Return(self, s: ir.Return, env: Env) -> None:
        raise _Return(None if s.value is None else self.value(s.value, env))

    def do_Finish(self, s: ir.Finish, env: Env) -> None:
        result = None if s.result is None else self.value(s.result, env)
        if self.late is not None:
            self.land(s.site)
        self.tell("finish", s.site, "", *(() if s.result is None else (result,)))
        raise _Finish(result)

    def do_Fail(self, s: ir.Fail, env: Env) -> None:
        raise Fault(s.reason)

    def do_Do(self, s: ir.Do, env: Env) -> None:
        result = self.do(s.procedure, tuple(self.value(part, env) for part in s.arguments))
        if s.local is not None:
            env[s.local.name] = result

    def do_Step(self, s: ir.Step, env: Env) -> None:
        self.tell(s.word, s.site, s.name)
        self.block(s.body, env)

    def do_Say(self, s: ir.Say, env: Env) -> None:
        self.tell("say", s.site, str(self.value(s.text, env)))

    def do_Reveal(self, s: ir.Reveal, env: Env) -> None:
        keys = tuple(self.value(key, env) for key in s.keys)
        known: tuple[int, ...] = ()
        if s.known is not None:
            told = self.states[s.state].known_to
            known = (self.mask(s.known, env) | (0 if told is None else self.told(told, keys)),)
        self.tell("reveal", s.site, s.state, *keys, self.cells[self.cell(s.state, keys)], *known)

    # ------------------------------------------------------------ together

    def do_Together(self, s: ir.Together, env: Env) -> None:
        if self.late is not None:
            self.block(s.body, env)
            return
        self.late = []
        try:
            self.block(s.body, env)
        except (_Leave, _Next, _Return):
            self.land(s.site)
            raise
        self.land(s.site)

    def land(self, site: int) -> None:
        late, self.late = self.late or [], None
        by_cell: dict[tuple[str, tuple[int, ...]], list[tuple[str, Any]]] = {}
        for op, cell, value in late:
            if op in ("include", "exclude") and not value:
                continue
            by_cell.setdefault(cell, []).append((op, value))
        cells = [cell for cell in by_cell if cell[0] != "exists:Fight"]
        merged = {cell: self.merged(*cell, by_cell[cell]) for cell in cells}
        for (name, keys), new in merged.items():
            state = self.states[name]
            self.cells[name, keys] = self.fitted(state, new, True, state.clamp)
        for name, keys in merged:
            if any(op in ("add", "subtract") for op, _ in by_cell[name, keys]):
                self.tell("land", site, name, *keys, self.cells[name, keys], *self.knowers(name, *keys))
        for op, (name, keys), _value in late:
            if op == "dissolve":
                self.cells[name, keys] = False

    def merged(self, name: str, keys: tuple[int, ...], changes: list[tuple[str, Any]]) -> Any:
        state = self.states[name]
        old = self.cells[name, keys]
        ops = {op for op, _ in changes}
        if ops & {"set", "place"}:
            if len(ops) > 1 or any(value != changes[0][1] for _, value in changes):
                raise Fault("simultaneous-conflict")
            new = changes[0][1]
        elif ops <= {"mark", "unmark"}:
            if len(ops) > 1:
                raise Fault("simultaneous-conflict")
            new = "mark" in ops
        elif ops <= {"include", "exclude"}:
            into = out = 0
            for op, value in changes:
                into |= value if op == "include" else 0
                out |= value if op == "exclude" else 0
            if into & out:
                raise Fault("simultaneous-conflict")
            new = (old | into) & ~out
        elif ops <= {"add", "subtract"}:
            new = old + sum(value if op == "add" else -value for op, value in changes)
        else:
            new = old
            for op, value in changes:
                if op in ("top", "under"):
                    new = value + new if op == "top" else new + value
                else:
                    new = self.changed(state, op, new, value, False, False) if op == "drop" else (*new, value)
        return new

    # ------------------------------------------------------------ chance

    def base(self, point: str) -> int:
        return chance.stream_base(self.seed, f"{self.program.name}.{point}")

    def do_Roll(self, s: ir.Roll, env: Env) -> None:
        arguments = [self.value(part, env) for part in s.arguments]
        raw = self.rolled(self.points[s.point])
        known = () if s.known is None else (self.mask(s.known, env),)
        env[s.raw.name] = raw
        result = raw
        if s.local is not None:
            result = raw if s.modified is None else self.value(s.modified, env)
            env[s.local.name] = result
        self.tell("roll", s.site, s.point, raw, result, *arguments, *known)

    def rolled(self, point: ir.Point) -> int:
        raw = 0
        for _ in range(point.dice):
            each = chance.dice_a_word(point.sides)
            number = self.used[point.name]
            self.used[point.name] += 1
            word = chance.uniform(self.base(point.name), number // each, point.sides**each)
            digits = [word // point.sides ** (each - 1 - place) % point.sides for place in range(each)]
            raw += digits[number % each] + point.lowest
        return raw

    def drawn(self, point: str, things: list[int], count: int) -> list[int]:
        left, found = list(things), []
        for _ in range(count):
            found.append(left.pop(chance.uniform(self.base(point), self.used[point], len(left))))
            self.used[point] += 1
        return found

    def lot(self, point: str, mask: int, count: int, one: bool) -> int:
        things = bits(mask)
        if one:
            if not things:
                raise Fault("empty-draw")
            return things[0] if len(things) == 1 else self.drawn(point, things, 1)[0]
        if count >= len(things):
            return mask
        return sum(1 << thing for thing in self.drawn(point, things, max(count, 0)))

    def shuffled(self, point: str, things: tuple[int, ...]) -> tuple[int, ...]:
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = chance.uniform(self.base(point), self.used[point], last + 1)
            self.used[point] += 1
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def do_DrawLot(self, s: ir.DrawLot, env: Env) -> None:
        over = self.value(s.over, env)
        env[s.local.name] = self.lot(s.point, over, self.value(s.count, env), s.one)
        known = () if s.known is None else (self.mask(s.known, env),)
        self.tell("draw", s.site, s.point, env[s.local.name], *known)

    def do_DrawTop(self, s: ir.DrawTop, env: Env) -> None:
        keys = tuple(self.value(key, env) for key in s.keys)
        cell = self.cell(s.state, keys)
        held = self.cells[cell]
        count = self.value(s.count, env)
        if isinstance(held, tuple):
            if s.one and not held:
                raise Fault("empty-draw")
            found = held[0] if s.one else held[:count]
            self.cells[cell] = held[1:] if s.one else held[count:]
        else:
            found = self.lot(s.point, held, count, s.one)
            self.cells[cell] = held & ~(1 << found if s.one else found)
        env[s.local.name] = found
        known = self.knowers(s.state, *keys) if s.known is None else (self.mask(s.known, env),)
        self.tell("take", s.site, s.state, *keys, found, *known)

    def do_Put(self, s: ir.Put, env: Env) -> None:
        keys = tuple(self.value(key, env) for key in s.keys)
        value = self.value(s.value, env)
        new = tuple(bits(value)) if s.many and not isinstance(value, tuple) else value if s.many else (value,)
        cell = self.cell(s.state, keys)
        if self.late is not None:
            self.late.append(("top" if s.top else "under", cell, new))
        else:
            held = self.cells[cell]
            self.cells[cell] = self.fitted(
                self.states[s.state], new + held if s.top else held + new, True, False
            )
        self.tell(
            "put_top" if s.top else "put_under", s.site, s.state, *keys, new, *self.knowers(s.state, *keys)
        )

    def do_Shuffle(self, s: ir.Shuffle, env: Env) -> None:
        keys = tuple(self.value(key, env) for key in s.keys)
        cell = self.cell(s.state, keys)
        self.cells[cell] = self.shuffled(s.point, self.cells[cell])
        self.tell("shuffle", s.site, s.state, *keys, *self.knowers(s.state, *keys))

    def do_Form(self, s: ir.Form, env: Env) -> None:
        exists = f"exists:{s.domain}"
        free = [one for one in range(self.size(s.domain)) if not self.cells[exists, (one,)]]
        if not free:
            raise Fault("no-group-left")
        for state in self.program.states:
            for keys, value in self.declared(state):
                if any(d == s.domain and k == free[0] for d, k in zip(state.keys, keys, strict=True)):
                    self.cells[state.name, keys] = value
        self.cells[exists, (free[0],)] = True
        env[s.local.name] = free[0]
        self.tell("form", s.site, s.domain, free[0])

    def do_Dissolve(self, s: ir.Dissolve, env: Env) -> None:
        group = self.value(s.group, env)
        cell = (f"exists:{s.domain}", (group,))
        if self.late is not None:
            self.late.append(("dissolve", cell, None))
        else:
            if group < 0:
                raise Fault("no-value")
            self.cells[cell] = False
        self.tell("dissolve", s.site, s.domain, group)

    # ------------------------------------------------------------ choices

    def do_Choose(self, s: ir.Choose, env: Env) -> None:
        answer = self.choose(s.choice, tuple(self.value(part, env) for part in s.arguments))
        if s.local is not None:
            env[s.local.name] = answer

    def do_ChooseEach(self, s: ir.ChooseEach, env: Env) -> None:
        found: dict[int, Any] = {}
        over = bits(self.value(s.over, env))
        self.tell("secret_begin", s.site, s.choice)
        for one in over:
            env[s.var.name] = one
            found[one] = self.choose(s.choice, tuple(self.value(part, env) for part in s.arguments))
        self.tell("secret_end", s.site, s.choice)
        if s.local is not None:
            env[s.local.name] = found

    def choose(self, name: str, arguments: tuple[Any, ...]) -> Any:
        from tests.unit.runtime.answers import Answers

        return Answers(self, self.choices[name], arguments).asked()


def _divided(e: ir.Op, a: Any, b: Any) -> int:
    if b == 0:
        raise Fault("division-by-zero")
    exact = Fraction(a) / Fraction(b)
    floor = exact.numerator // exact.denominator
    match e.op:
        case "div_down":
            return floor
        case "div_up":
            return floor if floor == exact else floor + 1
        case _:
            return (exact + Fraction(1, 2)).numerator // (exact + Fraction(1, 2)).denominator


def _only(e: ir.Op, mask: int) -> int:
    if len(bits(mask)) != 1:
        raise Fault("no-value")
    return bits(mask)[0]


def _item(e: ir.Op, values: tuple[Any, ...], number: int) -> Any:
    if not 1 <= number <= len(values):
        raise Fault("no-value")
    return values[number - 1]


def _get(e: ir.Op, answers: dict[int, Any], key: int) -> Any:
    if key not in answers:
        raise Fault("no-value")
    return answers[key]


def _ratio(e: ir.Op, a: Any, b: Any) -> Fraction:
    if b == 0:
        raise Fault("division-by-zero")
    return Fraction(a) / Fraction(b)


def _modulo(e: ir.Op, a: int, b: int) -> int:
    if b == 0:
        raise Fault("division-by-zero")
    return a - b * _divided(ir.Op("div_down", (), e.type), a, b)


def _ranged(e: ir.Op, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise Fault("out-of-range")
    return value


def _column(e: ir.Op, value: Any, columns: tuple[Any, ...]) -> int:
    if value <= columns[0] or value >= columns[-1]:
        return 0 if value <= columns[0] else len(columns) - 1
    below = max(n for n, column in enumerate(columns) if column <= value)
    above = min(n for n, column in enumerate(columns) if column >= value)
    if e.detail == "nearest":
        return below if value - columns[below] < columns[above] - value else above
    return above if e.detail == "up" else below


def _at_most(e: ir.Op, a: tuple[Any, ...], most: int) -> tuple[Any, ...]:
    if len(a) > most:
        raise Fault("out-of-range")
    return a


OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda e, a, b: a + b,
    "sub": lambda e, a, b: a - b,
    "mul": lambda e, a, b: a * b,
    "neg": lambda e, a: -a,
    "abs": lambda e, a: abs(a),
    "mod": _modulo,
    "div_down": _divided,
    "div_up": _divided,
    "div_nearest": _divided,
    "smaller": lambda e, *a: min(a),
    "larger": lambda e, *a: max(a),
    "ranged": _ranged,
    "eq": lambda e, a, b: a == b,
    "ne": lambda e, a, b: a != b,
    "lt": lambda e, a, b: a < b,
    "le": lambda e, a, b: a <= b,
    "gt": lambda e, a, b: a > b,
    "ge": lambda e, a, b: a >= b,
    "not": lambda e, a: not a,
    "single": lambda e, a: 1 << a,
    "union": lambda e, *a: sum(1 << one for one in {bit for mask in a for bit in bits(mask)}),
    "inter": lambda e, a, b: sum(1 << one for one in set(bits(a)) & set(bits(b))),
    "diff": lambda e, a, b: sum(1 << one for one in set(bits(a)) - set(bits(b))),
    "has": lambda e, a, b: a in bits(b),
    "count": lambda e, a: len(bits(a)),
    "is_empty": lambda e, a: a == 0,
    "within": lambda e, a, b: set(bits(a)) <= set(bits(b)),
    "only": _only,
    "list_of": lambda e, *a: a,
    "length": lambda e, a: len(a),
    "item": _item,
    "index_of": lambda e, a, b: b.index(a) + 1 if a in b else t.NONE,
    "list_has": lambda e, a, b: a in b,
    "rest": lambda e, a: a[1:],
    "joined": lambda e, *a: tuple(one for part in a for one in part),
    "at_most": _at_most,
    "without": lambda e, a, b: a[: a.index(b)] + a[a.index(b) + 1 :] if b in a else a,
    "to_set": lambda e, a: sum(1 << one for one in set(a)),
    "to_list": lambda e, a: tuple(bits(a)),
    "is_none": lambda e, a: a == t.NONE,
    "map_get": _get,
    "no_map": lambda e: {},
    "map_with": lambda e, a, b, c: {one: c if one == b else a[one] for one in {*a, b}},
    "map_has": lambda e, a, b: b in a,
    "ratio": _ratio,
    "ratio_column": _column,
}
