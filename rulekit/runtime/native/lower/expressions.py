"""Expressions of the IR in the low-level IR; the families of operations and loops are next door."""

from __future__ import annotations

from rulekit.ir import expr as x
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.steps import Ways
from rulekit.ir.types import GAP, NONE, ListOf, MapOf, Ratio, SetOf
from rulekit.runtime.native import lir, messages
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import loops, operations
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.lowerer import Lowerer, Place, address_of
from rulekit.runtime.native.lower.memory import CELL, value_words
from rulekit.runtime.native.messages import Why
from rulekit.runtime.native.refusals import CannotLower

UNROLLED = 8
"""Up to so many spaces that are known are read one after the other."""


class ExpressionLowerer(Lowerer):
    """Lowers every kind of expression."""

    def words(self, e: x.Expr) -> Words:
        match e:
            case x.Const():
                return self._constant(e)
            case x.Local():
                return self.names[e.name]
            case x.Static():
                return self._look_up(e)
            case x.Read() if self._flags(e.state):
                place, bit = self.flag(e.state, e.keys)
                return (b.binary("and", lir.LowBinary("shr_u", lir.Load(*place), bit), lir.ONE),)
            case x.Read():
                return self.load(self.cell(e.state, e.keys), e.type)
            case x.Flagged():
                return self._flags_set(e)
            case x.At():
                return self._pieces_at(e)
            case x.Apply():
                return self._apply(e)
            case x.Op():
                return operations.FORMS[e.op](self, e)
            case x.If():
                return self._either(e)
            case x.Filter() | x.Fold() | x.Best() | x.Linked() | x.BestWay():
                return loops.value(self, e)

    def _flags(self, state: str) -> bool:
        """Whether a state keeps flags in masks."""
        layout = self.unit.layout
        slots = layout.derived[state] if state in layout.derived else layout.slots[state]
        return slots.bits is not None

    def _constant(self, e: x.Const) -> Words:
        if isinstance(e.type, ListOf):
            return (
                lir.FixedAddress(self.unit.memory.keep_words(value_words(self.unit.shapes, e.type, e.value))),
            )
        if isinstance(e.type, SetOf):
            assert isinstance(e.value, int)
            return self.known_set(e.value, e.type)
        if isinstance(e.value, tuple):
            raise CannotLower(f"a {e.type}", self.site)
        return tuple(map(lir.Num, value_words(self.unit.shapes, e.type, e.value)))

    def _flags_set(self, e: x.Flagged) -> Words:
        layout = self.unit.layout
        slots = layout.derived[e.state] if e.state in layout.derived else layout.slots[e.state]
        if slots.bits is None or slots.bits.low:
            raise CannotLower(f"a set of flags of `{e.state}`", self.site)
        offset, index = self.cell(e.state, e.keys)
        count = self.unit.shapes.cell(slots)
        if index is not None and count > 1:
            index = self.build.bind(index)
        words = tuple(lir.Load(offset + CELL * n, index) for n in range(count))
        return b.pad(words, self.unit.shapes.words(e.type))

    # ------------------------------------------------------------ tables

    def _look_up(self, e: x.Static) -> Words:
        context = self.unit.optimised.context
        if e.table in context.images:
            return loops.image(self, context.images[e.table], self.words(e.keys[0]), e.type)
        table = self.unit.facts.tables[e.table]
        values: object = table.values
        if isinstance(values, Ways) and isinstance(table.type, ListOf):
            start, goal = map(self.some, e.keys)
            return self.copy_result(self.unit.way(e.table), (start, goal), table.type)
        where = self.unit.table(e.table)
        index: lir.Expr = lir.ZERO
        for key, domain in zip(e.keys, table.keys, strict=True):
            size = self.unit.shapes.sizes[domain] if isinstance(domain, str) else domain[1] - domain[0] + 1
            index = b.add(b.times(index, size), self._row(key, domain, e.table))
        index = b.times(index, where.step)
        place: Place = (where.address, index)
        if isinstance(index, lir.Num):
            place = (where.address + index.value, None)
        fallible = e.fallible and self.unit.facts.has_gap(e.table)
        if isinstance(e.type, ListOf | SetOf | Ratio):
            if fallible:
                raise CannotLower(f"the table `{e.table}`, whose rows may be missing,", self.site)
            return self._row_of_words(e, place)
        value = lir.Load(*place, where.width)
        if not fallible:
            return (value,)
        value_ = self.build.bind(value)
        missing = "missing-data" if table.missing else "no-row"
        why = Why(texts.no_data(table) if table.missing else texts.no_row(e.table))
        self.fail_if(b.binary("eq", value_, lir.Num(GAP)), missing, None, why)
        return (value_,)

    def _row_of_words(self, e: x.Static, place: Place) -> Words:
        if isinstance(e.type, ListOf):
            return (address_of(place),)
        kind = self.unit.facts.tables[e.table].type
        return b.pad(self.load(place, kind), self.unit.shapes.words(e.type))

    def _row(self, key: x.Expr, domain: str | tuple[int, int], table: str) -> lir.Expr:
        """The place of a key among those of a table."""
        if isinstance(domain, str):
            return self.some(key)
        low, high = domain
        value = self.one(key)
        known = isinstance(value, lir.Num) and low <= value.value <= high
        if not known and not self.unit.facts.fits(key, domain):

            def why(number: lir.Expr) -> Why:
                return messages.no_row_for(table, (low, high), number)

            value = self.within(value, low, high, "no-row", why)
        return b.plus(value, -low)

    # ------------------------------------------------------------ pieces, calls, alternatives

    def at_space(self, space: lir.Expr) -> Words:
        """The pieces at a space, which is not none."""
        layout, cells = self.unit.layout, self.unit.cells
        count = cells.words[layout.off_board]
        index = b.times(space, count * CELL)
        if isinstance(index, lir.Num):
            return tuple(
                lir.Load(cells.at[layout.first_derived] + index.value + CELL * n) for n in range(count)
            )
        index = self.build.bind(index)
        return tuple(lir.Load(cells.at[layout.first_derived] + CELL * n, index) for n in range(count))

    def _pieces_at(self, e: x.At) -> Words:
        layout, cells = self.unit.layout, self.unit.cells
        count = cells.words[layout.off_board]
        if not e.many:
            if isinstance(e.space, x.Const) and e.space.value == NONE:
                return tuple(lir.Load(cells.at[layout.off_board] + CELL * n) for n in range(count))
            return self.at_space(self.some(e.space))
        if isinstance(e.space, x.Const) and isinstance(e.space.value, int):
            mask = e.space.value
            if mask.bit_count() <= UNROLLED:
                words: Words = tuple(lir.ZERO for _ in range(count))
                for space in range(mask.bit_length()):
                    if mask >> space & 1:
                        words = b.each("or", words, self.at_space(lir.Num(space)))
                return words
        result = self.build.variables(tuple(lir.ZERO for _ in range(count)), "pieces")
        with self.members(self.words(e.space), "space") as (space_, _):
            for local, word in zip(result, self.at_space(space_), strict=True):
                self.build.set(local, b.binary("or", lir.Get(local), word))
        return b.gets(result)

    def _apply(self, e: x.Apply) -> Words:
        """A call; a result of several words is taken from its buffer at once, before another call."""
        unit = self.unit
        item = unit.facts.functions[e.function]
        arguments: list[lir.Expr] = []
        for part, param in zip(e.arguments, item.params, strict=True):
            arguments += self.words_as(part, param.type)
        name = unit.name_of_call(e)
        if not unit.apart(item.result):
            return (self.build.bind(lir.LowCall(name, tuple(arguments))),)
        if isinstance(item.result, ListOf | MapOf):
            return self.copy_result(name, tuple(arguments), item.result)
        self.build.emit(lir.LowRun(name, tuple(arguments)))
        place = (unit.result(name, item.result), None)
        return self.build.bind_all(b.pad(self.load(place, item.result), unit.shapes.words(e.type)))

    def copy_result(self, name: str, arguments: Words, kind: ListOf | MapOf) -> Words:
        """Call a function that leaves a list or map in its buffer, and copy that before another call."""
        self.build.emit(lir.LowRun(name, arguments))
        own = self.temporary(kind)
        self.keep((own, None), (b.address(self.unit.result(name, kind)),), kind)
        return (b.address(own),)

    def _either(self, e: x.If) -> Words:
        count = self.unit.shapes.words(e.type)
        condition = self.one(e.condition)
        with self.build.inner() as then:
            first = self.words_as(e.then, e.type)
        with self.build.inner() as otherwise:
            second = self.words_as(e.otherwise, e.type)
        if isinstance(condition, lir.Num):
            self.build.emit(*(then if condition.value else otherwise))
            return first if condition.value else second
        if not then and not otherwise and count == 1 and _cheap(first[0]) and _cheap(second[0]):
            return (b.pick(condition, first[0], second[0]),)
        names = tuple(self.build.fresh("either") for _ in range(count))
        then += map(lir.Set, names, first)
        otherwise += map(lir.Set, names, second)
        self.build.emit(lir.LowIf(condition, tuple(then), tuple(otherwise)))
        return b.gets(names)


def _cheap(e: lir.Expr) -> bool:
    """Whether evaluating an expression costs no more than a branch."""
    return isinstance(e, lir.Num | lir.Get | lir.FixedAddress)
