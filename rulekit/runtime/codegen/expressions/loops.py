"""Expressions that walk a collection, as functions of their own.

Each takes the free locals it reads (and the state, if it reads any).  Equal loops share one function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rulekit.ir import Best, BestWay, Const, Expr, Filter, Fold, Linked, Local, Op, Static, walk
from rulekit.ir.steps import MOST_COST, cheapest_way, reach_of, reached_at_cost, touched_together
from rulekit.ir.types import Int, ListOf, Member, SetOf
from rulekit.runtime.codegen.expressions.writer import AND, MULTIPLY, OR, UNARY, Py, Writer, call
from rulekit.runtime.codegen.module_writer import Lines, PyLine, charge_loop
from rulekit.runtime.optimise import sets, sharing, tabulate
from rulekit.runtime.support.connected import ConnectedSets, holds_both_ways
from rulekit.runtime.support.costly_steps import ReachAtCost
from rulekit.runtime.support.remembered import Remembered

Loop = Filter | Fold | Best | Linked | BestWay

NOTHING_OF_NONE = ("any", "join", "total")
"""The folds that give 0 over an empty set."""


def value(writer: Writer, e: Loop) -> Py:
    """A call of the function that runs the loop, unless the set is empty."""
    if _from_set(e) and (isinstance(e, Filter) or isinstance(e, Fold) and e.kind in NOTHING_OF_NONE):
        test, run = _over_any(writer, e)
        return Py(f"{test} and {run}", AND)
    names = _arguments(e)
    return _call_of(writer, e, e.var, names, _Body(writer, e, names).lines())


def members(writer: Writer, e: Filter | Fold) -> str:
    """A call of the function that lists the members which pass a test, or what each gives, in order."""
    if _from_set(e):
        test, run = _over_any(writer, e, listed=True)
        return f"({run} if {test} else ())"
    names = _arguments(e)
    return _call_of(writer, e, e.var, names, _Body(writer, e, names, listed=True).lines()).text


def gives_one_each(e: Fold) -> bool:
    """Whether a loop joins sets of one member."""
    return e.kind == "join" and isinstance(e.body, Op) and e.body.op == "single"


def _from_set(e: Loop) -> bool:
    """Whether a loop runs over a set that is worked out: not one known now, nor a list."""
    return not isinstance(e.over, Const | Local) and not isinstance(e.over.type, ListOf)


def _over_any(writer: Writer, e: Loop, *, listed: bool = False) -> tuple[str, str]:
    """A test that names the set of a loop and asks whether it holds anything, and the call with that name."""
    name, rest = writer.temp(), replace(e, over=Const(0, e.over.type))
    test = f"({name} := {writer.text(e.over)})"
    names = _arguments(rest)
    lines = _Body(writer, e, names, listed=listed, given="BITS[s]").lines()
    return test, _call_of(writer, rest, e.var, names, lines, name).text


def _arguments(e: Expr) -> dict[str, str]:
    """The names of free locals in the function of an expression."""
    return {name: f"a{number}" for number, name in enumerate(sorted(walk.free(e)))}


def apart(writer: Writer, e: Expr) -> Py:
    """A call of a function with the value of an expression that is too deep to be written in its place."""
    names = _arguments(e)
    lines = [PyLine(1, f"return {writer.within(names).text(e)}", writer.site)]
    return _call_of(writer, e, Local("", e.type), names, lines)


def paying_loop(writer: Writer, e: Loop, price: int, paid: Expr) -> Lines:
    """The lines of a function that is one loop, each run of which is paid for.

    Args:
        paid: The value of the loop once all its runs are paid, perhaps with a shorter loop or none.
    """
    if paid == e:
        return _Body(writer, e, writer.names, price).lines()
    lines = [PyLine(1, f"s = {writer.text(e.over)}", writer.site)]
    lines += [PyLine(1, text, writer.site) for text in charge_loop("s", "s.bit_count()", price)]
    return [*lines, PyLine(1, f"return {writer.text(paid)}", writer.site)]


def _call_of(
    writer: Writer, e: Expr, var: Local, names: dict[str, str], lines: Lines, values: str | None = None
) -> Py:
    """A call of the function with these lines; `values` is what it walks as `s`, if that is handed over."""
    state = ["M"] if writer.unit.stateful(e) else []
    over = [] if values is None else [values]
    text = tuple((line.depth, line.text) for line in lines)

    def put(name: str) -> None:
        header = f"def {name}({', '.join([*state, *('s' for _ in over), *names.values()])}):"
        writer.unit.locals[name] = {text: local for local, text in names.items()} | {
            f"x{len(names)}": var.name
        }
        writer.unit.add([PyLine(0, header, writer.site), *lines])

    name = writer.unit.name(("loop" if values is None else "values", text, len(names)), "h", put)
    return call(name, *state, *over, *(writer.names[local] for local in names))


def sort_call(writer: Writer, values: str, var: Local, key: Expr, highest: bool) -> str:
    """The values sorted by a key, ties as they stood: a call, as text."""
    tail = ", reverse=True" if highest else ""
    return _over_values(
        writer, values, var, key, lambda inner, x: f"sorted(s, key=lambda {x}: {inner.text(key)}{tail})"
    )


def split_call(writer: Writer, groups: str, var: Local, key: Expr, highest: bool) -> str:
    """Groups of values, each split into those that have equal keys, in order: a call, as text."""
    return _over_values(
        writer, groups, var, key, lambda inner, x: f"splits(s, lambda {x}: {inner.text(key)}, {highest})"
    )


def filter_call(writer: Writer, values: str, var: Local, test: Expr) -> str:
    """The values for which a test holds, as a tuple: a call, as text."""
    return _over_values(
        writer, values, var, test, lambda inner, x: f"[{x} for {x} in s if {inner.truth(test).at(OR)}]"
    )


def map_call(writer: Writer, values: str, var: Local, e: Expr) -> str:
    """The values of an expression for each of some values, as a tuple: a call, as text."""
    return _over_values(writer, values, var, e, lambda inner, x: f"[{inner.text(e)} for {x} in s]")


def _over_values(
    writer: Writer, values: str, var: Local, e: Expr, result: Callable[[Writer, str], str]
) -> str:
    """A call of a function of some values, with the free locals that an expression over them reads."""
    names = {name: f"a{number}" for number, name in enumerate(sorted(walk.free(e) - {var.name}))}
    x = f"x{len(names)}"
    text = result(writer.within({**names, var.name: x}), x)
    lines = [PyLine(1, f"return tuple({text})", writer.site)]
    return _call_of(writer, e, var, names, lines, values).text


@dataclass
class _Body:
    """The lines of one loop's function; a set is a mask, or a tuple if it is `listed`.

    `given` has the text of the members that the loop walks, if the caller works them out."""

    outer: Writer
    e: Loop
    names: dict[str, str]
    price: int = 0
    listed: bool = False
    given: str = ""
    written: Lines = field(default_factory=list)

    def lines(self) -> Lines:
        e = self.e
        self.var = f"x{len(self.names)}"
        self.writer = self.outer.within({**self.names, e.var.name: self.var})
        body = walk.inner(e)
        assert body is not None
        self.body = body
        self.shared: list[str] = []
        if not isinstance(e, Linked | BestWay) and not self.outer.optimised.plain:
            self._share()
        match e:
            case Filter():
                self._filter(e)
            case Fold():
                self._fold(e)
            case Best():
                self._best(e)
            case Linked():
                self._flood(e)
            case BestWay():
                self._way(e)
        return self.written

    def _share(self) -> None:
        """Work out before the loop what is dear and the same for all, once for each what is read often."""
        context, known = self.outer.optimised.context, frozenset(self.names)
        for n, part in enumerate(sharing.invariant(context, self.body, known)):
            self.put(1, f"i{n} = {self.writer.text(part)}")
            self._name(part, f"i{n}")
        named: dict[Expr, Expr] = {}
        for n, part in enumerate(sharing.common(context, (self.body,), known | {self.e.var.name}, 1)):
            part = walk.with_parts_replaced(part, named)  # smaller ones have names already
            self.shared.append(f"y{n} = {self.writer.text(part)}")
            named[part] = self._name(part, f"y{n}")

    def _name(self, part: Expr, name: str) -> Local:
        local = Local(f"#{name}", part.type)
        self.writer.names[local.name] = name
        self.body = walk.with_parts_replaced(self.body, {part: local})
        return local

    def put(self, depth: int, text: str) -> None:
        self.written.append(PyLine(depth, text, self.outer.site))

    def walk(self, over: Expr) -> None:
        """The head of the loop, which pays for all its runs before the first."""
        writer = self.writer
        listed = isinstance(over.type, ListOf)
        values = self.given or (writer.text(over) if listed else writer.members(over))
        if self.price:
            self.put(1, f"s = {values}")
            self._charge("s", "len(s)")
            values = "s"
        self.put(1, f"for {self.var} in {values}:")
        for text in self.shared:
            self.put(2, text)

    def _charge(self, some: str, runs: str) -> None:
        for text in charge_loop(some, runs, self.price):
            self.put(1, text)

    def _filter(self, e: Filter) -> None:
        self.put(1, "r = []" if self.listed else "r = 0")
        self.walk(e.over)
        more = f"r.append({self.var})" if self.listed else f"r |= 1 << {self.var}"
        self.put(2, f"if {self.writer.test(self.body)}: {more}")
        self.put(1, "return tuple(r)" if self.listed else "return r")

    def _fold(self, e: Fold) -> None:
        match e.kind:
            case "any" | "no" | "all":
                test = self.writer.truth(self.body)
                self.walk(e.over)
                wanted = "not " + test.at(UNARY) if e.kind == "all" else test.text
                self.put(2, f"if {wanted}: return {e.kind == 'any'}")
                self.put(1, f"return {e.kind != 'any'}")
            case "grouped":
                assert isinstance(e.type, ListOf)
                self.put(1, f"r = [0] * {e.type.most}")
                self.walk(e.over)
                self.put(2, f"k = {self.writer.text(self.body)}")
                self.put(2, f"if k != NONE: r[k] |= 1 << {self.var}")
                self.put(1, "return r")
            case "total":
                self.put(1, "r = 0")
                self.walk(e.over)
                self.put(2, f"r += {self.writer.text(self.body)}")
                self.put(1, "return r")
            case "join" if self.listed and isinstance(self.body, Op):
                self.put(1, "r = {}")
                self.walk(e.over)
                self.put(2, f"r[{self.writer.text(self.body.operands[0])}] = 1")
                self.put(1, "return tuple(sorted(r))")
            case "join":
                self.put(1, "r = 0")
                self.walk(e.over)
                self.put(2, f"r |= {self.writer.text(self.body)}")
                self.put(1, "return r")
            case "map":
                self.put(1, "r = {}")
                self.walk(e.over)
                self.put(2, f"r[{self.var}] = {self.writer.text(self.body)}")
                self.put(1, "return r")
            case "lowest" | "highest":
                self.put(1, "r = NONE")
                self.walk(e.over)
                self.put(2, f"k = {self.writer.text(self.body)}")
                self.put(2, f"if k {'<' if e.kind == 'lowest' else '>'} r or r == NONE: r = k")
                self.put(1, "return r")

    def _best(self, e: Best) -> None:
        self.put(1, "r = 0; b = NONE")
        self.walk(e.over)
        self.put(2, f"k = {self.writer.text(self.body)}")
        self.put(2, f"if k == b: r |= 1 << {self.var}")
        self.put(2, f"elif b == NONE or k {'<' if e.kind == 'lowest' else '>'} b: b = k; r = 1 << {self.var}")
        self.put(1, "return r")

    def _flood(self, e: Linked) -> None:
        """A flood from the start; each round takes the step from what the last one added."""
        if not self.price and (known := self._reach(e)) is not None:
            self.put(1, f"return {known}")
            return
        self.put(1, f"o = {self.writer.text(e.over)}; f = r = {self.writer.text(e.start)}")
        if self.price:
            self._charge("o | f", "(o | f).bit_count()")
        if e.within is not None:
            self.put(1, f"w = {self.writer.text(e.within)}")
        if isinstance(e.relation.type, ListOf):
            self._flood_at_cost(e)
            return
        if e.within is None and (links := self._links(e)) is not None:
            self.put(1, f"return {links}[o][f]")
            return
        rows = sets.rows(self.outer.optimised.context, e.relation, e.var)
        self.put(1, "while f" + (" and w > 0:" if e.within is not None else ":"))
        if e.within is not None:
            self.put(2, "w -= 1")
        if rows is None or not isinstance(e.type, SetOf):
            self.put(2, "n = 0")
            self.put(2, f"for {self.var} in BITS[f]: n |= {self.writer.text(e.relation)}")
        else:
            front = Local("#front", e.type)
            names = {**self.writer.names, front.name: "f"}
            writer = self.outer.within(names)
            image = sets.image(self.outer.optimised.context, rows, front, e.type)
            self.put(2, f"n = {writer.text(image)}")
        self.put(2, "f = n & o & ~r; r |= f")
        self.put(1, "return r & o")

    def _flood_at_cost(self, e: Linked) -> None:
        """The same by steps that have costs; remembered, if little in play changes them."""
        unit = self.outer.unit
        most = "w" if e.within is not None else str(MOST_COST)
        known = tabulate.costs_of_steps(self.outer.optimised.context, e)
        if known is None:
            reached = unit.helper("reached_at_cost", reached_at_cost)
            together = unit.helper("touched_together", touched_together)
            steps = f"lambda {self.var}: {self.writer.text(e.relation)}"
            self.put(1, f"return {reached}(o, f, {most}, lambda front: {together}(front, {steps}))")
            return
        key = "".join(f"[{self.writer.text(part)}]" for part in known.parts)
        reach = _reach_by(known.rows, len(known.parts))
        reaches = unit.helper(f"reach by {unit.constant(known.rows)}", reach) + key
        if known.closed is None:
            self.put(1, f"return {reaches}[o, f, {most}]")
        else:  # those of the start are reached without a step
            open_ = f"o & ~{self.writer.value(known.closed).at(UNARY)}"
            self.put(1, f"return {reaches}[{open_}, f, {most}] | f & o")

    def _way(self, e: BestWay) -> None:
        """A search for the cheapest way."""
        over, start, goal = (self.writer.text(part) for part in (e.over, e.start, e.goal))
        self.put(1, f"o = {over}; f = {start}; g = {goal}")
        if self.price:
            self._charge("o | f", "(o | f).bit_count()")
        most = str(MOST_COST) if e.within is None else self.writer.text(e.within)
        steps = f"lambda {self.var}: {self.writer.text(e.relation)}"
        name = self.outer.unit.helper("cheapest_way", cheapest_way)
        self.put(1, f"return {name}(o, f, g, {most}, {steps})")

    def _links(self, e: Linked) -> str | None:
        """The object that remembers what is linked in a set, if the relation is fixed and holds both ways."""
        rows = sets.rows(self.outer.optimised.context, e.relation, e.var)
        if rows is None or not isinstance(e.relation, Static) or not holds_both_ways(rows):
            return None
        return self.outer.unit.helper(f"links by {e.relation.table}", ConnectedSets(rows))

    def _reach(self, e: Linked) -> str | None:
        """A look-up of all within some steps of a member, if no state can change them."""
        match e:
            case Linked(
                over=Const(value=int(over)),
                start=Op(op="single", operands=(start,)),
                relation=Static(table=table),
            ) if e.within is not None and isinstance(start.type, Member):
                rows = sets.rows(self.outer.optimised.context, e.relation, e.var)
                most = e.within.type
                if rows is None or not isinstance(most, Int) or most.low < 0:
                    return None
                size = most.high + 1
                reached = Remembered(partial(reach_of, rows, over), (size,))
                name = self.outer.unit.helper(f"reached by {table} in {over:x} within {size}", reached)
                first, within = (self.writer.value(part).at(MULTIPLY) for part in (start, e.within))
                return f"{name}[{first} * {size} + {within}]"
        return None


def _reach_by(rows: tuple[Any, ...], levels: int) -> Any:
    """The reach by each table of costs; the tables are in so many levels of tuples, some of them empty."""
    if levels or not rows:
        return tuple(_reach_by(part, levels - 1) for part in rows)
    return ReachAtCost(rows)
