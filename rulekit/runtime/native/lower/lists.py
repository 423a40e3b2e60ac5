"""Lists in the low-level IR: a length, and then the items one after the other."""

from __future__ import annotations

from rulekit.ir import Expr, Op
from rulekit.ir.semantics.faults import NOT_A_VALUE
from rulekit.ir.types import Int, ListOf, Optional
from rulekit.runtime.native import lir, messages
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.lowerer import NONE_WORD, Lowerer
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.refusals import CannotLower


def _list_kind(x: Lowerer, e: Expr) -> ListOf:
    assert isinstance(e.type, ListOf)
    x.unit.shapes.room(e.type)
    return e.type


def list_of(x: Lowerer, e: Op) -> Words:
    kind = _list_kind(x, e)
    stride = x.unit.shapes.words(kind.of)
    values = [x.build.bind_all(x.words_as(part, kind.of)) for part in e.operands]
    buffer = x.unit.buffer(x.build.name, x.build.fresh("list"), 1 + stride * len(values))
    x.store((buffer, None), (lir.Num(len(values)),))
    for number, words in enumerate(values):
        x.store((buffer + CELL * (1 + number * stride), None), words)
    return (b.address(buffer),)


def equal(x: Lowerer, left: Expr, right: Expr) -> lir.Expr:
    """Whether two lists have the same items in the same order."""
    kinds = _list_kind(x, left), _list_kind(x, right)
    return same(x, kinds, (x.once(left), x.once(right)))


def same(x: Lowerer, kinds: tuple[ListOf, ListOf], addresses: tuple[lir.Expr, lir.Expr]) -> lir.Expr:
    """The same for the addresses of lists, which may be used more than once."""
    stride, other = (x.unit.shapes.words(kind.of) for kind in kinds)
    if stride != other:
        raise CannotLower("a comparison of these lists", x.site)
    one, two = addresses
    count = b.plus(b.times(lir.Load(0, one), stride), 1)
    return x.build.bind(lir.LowCall("same", (one, two, count)))


def length_of(x: Lowerer, e: Op) -> Words:
    return (lir.Load(0, x.one(e.operands[0])),)


def item_at(x: Lowerer, e: Op) -> Words:
    kind = _list_kind(x, e.operands[0])
    whole, number = x.once(e.operands[0]), x.once(e.operands[1])
    beyond = b.binary("gt_s", number, lir.Load(0, whole))
    outside = b.binary("or", b.binary("lt_s", number, lir.ONE), beyond)
    x.fail_if(outside, NOT_A_VALUE, None, messages.no_item(lir.Load(0, whole), number))
    stride = x.unit.shapes.words(kind.of) * CELL
    index = b.add(whole, b.times(b.plus(number, -1), stride))
    return x.load((CELL, index), kind.of)


def index_of(x: Lowerer, e: Op) -> Words:
    value, whole = e.operands
    kind = _list_kind(x, whole)
    wanted, address = x.build.bind_all(x.words_as(value, kind.of)), x.once(whole)
    place, index = x.build.variables((lir.ZERO, NONE_WORD), "place")
    with x.items(address, kind) as (item, label):
        x.build.set(place, b.plus(lir.Get(place), 1))
        with x.build.when(b.zero(b.any_word(b.each("xor", item, wanted)))):
            x.build.set(index, lir.Get(place))
            x.build.emit(lir.LowBreak(label))
    if e.op == "list_has":
        return (b.binary("ne", lir.Get(index), NONE_WORD),)
    return (lir.Get(index),)


def all_but_first(x: Lowerer, e: Op) -> Words:
    """A list without its first item."""
    kind = _list_kind(x, e.operands[0])
    whole = x.once(e.operands[0])
    stride = x.unit.shapes.words(kind.of)
    buffer = x.temporary(kind, "rest")
    length = b.pick(lir.Load(0, whole), b.plus(lir.Load(0, whole), -1), lir.ZERO)
    x.store((buffer, None), (length,))
    room = b.times(lir.Load(buffer), stride)
    source = b.plus(whole, CELL * (1 + stride))
    x.build.emit(lir.LowRun("copy", (b.address(buffer + CELL), source, room)))
    return (b.address(buffer),)


def join_lists(x: Lowerer, e: Op) -> Words:
    kind = _list_kind(x, e)
    stride = x.unit.shapes.words(kind.of)
    buffer = x.temporary(kind, "joined")
    parts = [x.once(part) for part in e.operands]
    x.store((buffer, None), (lir.ZERO,))
    for part in parts:
        append_all(x, buffer, part, stride, kind.most)
    return (b.address(buffer),)


def append_all(x: Lowerer, buffer: int, part: lir.Expr, stride: int, most: int) -> None:
    """Put the items of a list behind those in a buffer."""
    length = lir.Load(0, part)
    x.fail_if(b.binary("gt_s", b.add(lir.Load(buffer), length), lir.Num(most)), "out-of-range")
    target = b.add(b.times(lir.Load(buffer), stride * CELL), b.address(buffer + CELL))
    x.build.emit(lir.LowRun("copy", (target, b.plus(part, CELL), b.times(length, stride))))
    x.store((buffer, None), (b.add(lir.Load(buffer), length),))


def to_set(x: Lowerer, e: Op) -> Words:
    kind = _list_kind(x, e.operands[0])
    count = x.unit.shapes.words(e.type)
    result = x.build.variables(tuple(lir.ZERO for _ in range(count)), "set")
    with x.items(x.once(e.operands[0]), kind) as (item, _):
        if isinstance(kind.of, Optional) or isinstance(kind.of, Int) and kind.of.low < 0:
            x.fail_if(b.binary("lt_s", item[0], lir.ZERO), NOT_A_VALUE)
        x.build.unite(result, x.bit_words(item[0], count))
    return b.gets(result)


def to_list(x: Lowerer, e: Op) -> Words:
    kind = _list_kind(x, e)
    buffer = x.temporary(kind, "list")
    list_members(x, x.words(e.operands[0]), buffer)
    return (b.address(buffer),)


def list_members(x: Lowerer, words: Words, buffer: int) -> None:
    """Put the members of a set into a buffer as a list, in their order."""
    length = x.build.variables((lir.ZERO,), "length")[0]
    with x.members(words) as (member, _):
        x.build.set(length, b.plus(lir.Get(length), 1))
        x.store((buffer, b.times(lir.Get(length), CELL)), (member,))
    x.store((buffer, None), (lir.Get(length),))


def at_most(x: Lowerer, e: Op) -> Words:
    whole, most = x.once(e.operands[0]), x.once(e.operands[1])
    length = lir.Load(0, whole)
    why = messages.would_hold(e.detail or "a list", most, length)
    x.fail_if(b.binary("gt_s", length, most), "out-of-range", None, why)
    return (whole,)


def without(x: Lowerer, e: Op) -> Words:
    kind = _list_kind(x, e.operands[0])
    stride = x.unit.shapes.words(kind.of)
    whole, wanted = x.once(e.operands[0]), x.build.bind_all(x.words_as(e.operands[1], kind.of))
    buffer = x.temporary(kind, "without")
    gone, length = x.build.variables((lir.ZERO, lir.ZERO), "found")
    with x.items(whole, kind) as (item, label):
        same = b.zero(b.any_word(b.each("xor", item, wanted)))
        with x.build.when(b.both(same, b.zero(lir.Get(gone)))):
            x.build.set(gone, lir.ONE)
            x.build.emit(lir.LowNext(label))
        x.store((buffer + CELL, b.times(lir.Get(length), stride * CELL)), item)
        x.build.set(length, b.plus(lir.Get(length), 1))
    x.store((buffer, None), (lir.Get(length),))
    return (b.address(buffer),)
