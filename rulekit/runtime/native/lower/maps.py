"""Maps in memory: the set of the keys that have a value, then room for a value of each key.

So a map is emptied and copied in the time of what it holds, however many keys it may have.
"""

from __future__ import annotations

from rulekit.ir.types import ListOf, MapOf, Type
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import lists
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.lowerer import Lowerer, Place, word_offset
from rulekit.runtime.native.lower.memory import CELL


def empty(x: Lowerer, kind: MapOf, whole: int) -> None:
    """Empty the map in a buffer."""
    x.store((whole, None), tuple(lir.ZERO for _ in range(x.unit.shapes.key_words(kind))))


def place_of(x: Lowerer, kind: MapOf, whole: lir.Expr, key: lir.Expr) -> Place:
    """The address of the value of a key."""
    size = CELL * x.unit.shapes.room(kind.value)
    return CELL * x.unit.shapes.key_words(kind), b.add(whole, b.times(key, size))


def _mask(x: Lowerer, kind: MapOf, whole: lir.Expr, key: lir.Expr) -> lir.Expr:
    """The address of the word that says whether a key has a value."""
    return whole if x.unit.shapes.key_words(kind) == 1 else b.add(whole, word_offset(key))


def has(x: Lowerer, kind: MapOf, whole: lir.Expr, key: lir.Expr) -> lir.Expr:
    """Whether a key has a value; both may be used more than once."""
    word = lir.Load(0, _mask(x, kind, whole, key))
    return b.binary("and", lir.LowBinary("shr_u", word, key), lir.ONE)


def put(x: Lowerer, kind: MapOf, whole: lir.Expr, key: lir.Expr, words: Words) -> None:
    """Give a key a value; the map and the key may be used more than once."""
    at = x.build.bind(_mask(x, kind, whole, key))
    x.store((0, at), (b.binary("or", lir.Load(0, at), b.binary("shl", lir.ONE, key)),))
    place = place_of(x, kind, whole, key)
    x.keep(place, b.pad(words, x.unit.shapes.words(kind.value)), kind.value)


def equal(x: Lowerer, kinds: tuple[MapOf, MapOf], addresses: tuple[lir.Expr, lir.Expr]) -> lir.Expr:
    """Whether maps have equal keys and values; their addresses may be used more than once."""
    build = x.build
    count = x.unit.shapes.key_words(kinds[0])
    held, others = (tuple(lir.Load(CELL * n, whole) for n in range(count)) for whole in addresses)
    keys = build.bind_all(held, "keys")
    result = build.variables((b.zero(b.any_word(b.each("xor", keys, others))),), "equal")[0]
    with build.when(lir.Get(result)), x.members(keys, "key") as (key, label):
        one, two = (
            build.bind_all(x.load(place_of(x, kind, whole, key), kind.value))
            for kind, whole in zip(kinds, addresses, strict=True)
        )
        with build.when(b.zero(_same(x, (kinds[0].value, kinds[1].value), one, two))):
            build.set(result, lir.ZERO)
            build.emit(lir.LowBreak(label))
    return lir.Get(result)


def _same(x: Lowerer, kinds: tuple[Type, Type], one: Words, two: Words) -> lir.Expr:
    """Whether two values in maps are equal."""
    match kinds:
        case (ListOf() as left, ListOf() as right):
            return lists.same(x, (left, right), (one[0], two[0]))
        case (MapOf() as left, MapOf() as right):
            return equal(x, (left, right), (one[0], two[0]))
        case _:
            return b.zero(b.any_word(b.each("xor", one, two)))
