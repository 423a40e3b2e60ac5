"""Operations of the IR in the low-level IR; `rulekit.ir.semantics.operations` defines what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from rulekit.ir import Const, Expr, Flagged, Local, Op, Read, walk
from rulekit.ir.expr import OpName
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import NOT_A_VALUE
from rulekit.ir.semantics.operations import rounding_of
from rulekit.ir.semantics.records import field_of
from rulekit.ir.types import Int, ListOf, MapOf, Member, Month, Optional, Ratio, Record
from rulekit.runtime.native import lir, messages
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import lists, maps
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.library import floor
from rulekit.runtime.native.lower.lowerer import NONE_WORD, Lowerer, move_by, word_offset
from rulekit.runtime.native.lower.memory import is_ratio
from rulekit.runtime.native.messages import Why
from rulekit.runtime.native.refusals import CannotLower
from rulekit.runtime.optimise import sets

Form = Callable[[Lowerer, Op], Words]


def _chain(op: lir.BinaryName) -> Form:
    """One operation of numbers, from the left."""

    def form(x: Lowerer, e: Op) -> Words:
        x.unit.shapes.words(e.type)
        first, *rest = e.operands
        value = x.one(first)
        for part in rest:
            value = b.binary(op, value, x.one(part))
        return (value,)

    return form


MOST_OF_RATIO = 1 << 30
"""Numbers of a ratio are nearer to 0 than this, so that two ratios are compared without a wrap."""


def _is_ratio(e: Op) -> bool:
    return any(is_ratio(part.type) for part in e.operands)


def _compare(op: lir.BinaryName, x: Lowerer, e: Op) -> lir.Expr:
    """A comparison of two numbers, of which either may be a ratio."""
    if not _is_ratio(e):
        return b.binary(op, *map(x.one, e.operands))
    for part in e.operands:
        if isinstance(part.type, Int) and max(abs(part.type.low), abs(part.type.high)) >= MOST_OF_RATIO:
            raise CannotLower(f"a ratio compared with {part.type}", x.site)
    left, right = (x.build.bind_all(x.words_as(part, Ratio())) for part in e.operands)
    return b.compare(op, left, right)


def _ratio(x: Lowerer, e: Op) -> Words:
    """A fraction of two whole numbers, in lowest terms; the lower one is made more than 0."""
    for part in e.operands:
        kind = part.type
        if not isinstance(kind, Int) or max(abs(kind.low), abs(kind.high)) >= MOST_OF_RATIO:
            raise CannotLower(f"a ratio of {kind}", x.site)
    upper, lower = map(x.once, e.operands)
    x.fail_if(b.zero(lower), "division-by-zero", None, Why(texts.RATIO_TO_ZERO))
    divisor = x.build.bind(lir.LowCall("gcd", (upper, lower)))
    return tuple(lir.LowBinary("div_s", part, divisor) for part in (upper, lower))


def _comparison(op: lir.BinaryName) -> Form:
    def form(x: Lowerer, e: Op) -> Words:
        return (_compare(op, x, e),)

    return form


def _extreme(op: lir.BinaryName) -> Form:
    def form(x: Lowerer, e: Op) -> Words:
        first, *rest = e.operands
        value = x.once(first)
        for part in rest:
            other = x.once(part)
            value = x.build.bind(b.pick(b.binary(op, other, value), other, value))
        return (value,)

    return form


# -- numbers


def _negative(x: Lowerer, e: Op) -> Words:
    return (b.binary("sub", lir.ZERO, x.one(e.operands[0])),)


def _absolute(x: Lowerer, e: Op) -> Words:
    value = x.once(e.operands[0])
    return (b.pick(b.binary("lt_s", value, lir.ZERO), b.binary("sub", lir.ZERO, value), value),)


def _divisor(x: Lowerer, e: Op) -> tuple[lir.Expr, lir.Expr]:
    """Both operands of a division; a fault, if the divisor is 0."""
    value, by = map(x.once, e.operands)
    x.fail_if(b.zero(by), "division-by-zero")
    return value, by


def _quotient(x: Lowerer, e: Op) -> Words:
    value, by = _divisor(x, e)
    build = x.build
    if e.op == "div_up":
        less = build.bind(b.binary("sub", lir.ZERO, value))
        return (b.binary("sub", lir.ZERO, floor(build, less, by)),)
    if e.op == "div_nearest":
        value = build.bind(b.add(b.times(value, 2), by))
        by = build.bind(b.times(by, 2))
    return (floor(build, value, by),)


def _modulo(x: Lowerer, e: Op) -> Words:
    value, by = _divisor(x, e)
    left = x.build.bind(lir.LowBinary("rem_s", value, by))
    unequal = b.binary("lt_s", b.binary("xor", left, by), lir.ZERO)
    return (b.pick(b.both(b.binary("ne", left, lir.ZERO), unequal), b.add(left, by), left),)


def _range_test(x: Lowerer, e: Op) -> Words:
    number, low, high = e.operands
    assert isinstance(low, Const) and isinstance(high, Const)
    kind = (Month if isinstance(e.type, Month) else Int)(int(low.value), int(high.value))  # type: ignore[arg-type]

    def why(value: lir.Expr) -> Why:
        return messages.beyond(e.detail or "a number", kind, value)

    return (x.within(x.one(number), kind.low, kind.high, "out-of-range", why),)


def _beside(x: Lowerer, e: Op) -> Words:
    step, kind = 1 if e.op == "successor" else -1, e.operands[0].type
    value = x.once(e.operands[0])
    neighbour = b.plus(value, step)
    if not isinstance(kind, Member):
        return (neighbour,)
    neighbour = x.build.bind(neighbour)
    size = x.unit.shapes.sizes[kind.domain]
    inside = b.both(
        b.binary("ge_s", neighbour, lir.ZERO),
        b.both(b.binary("lt_s", neighbour, lir.Num(size)), b.binary("ge_s", value, lir.ZERO)),
    )
    if isinstance(e.type, Optional):
        return (b.pick(inside, neighbour, NONE_WORD),)
    x.fail_if(b.zero(inside), NOT_A_VALUE)
    return (neighbour,)


def _ratio_column(x: Lowerer, e: Op) -> Words:
    """The column of a number or ratio among columns that are known."""
    value, columns = e.operands
    if not isinstance(columns, Const) or not isinstance(columns.value, tuple):
        raise CannotLower("a chart whose columns are not known", x.site)
    ratios = [Fraction(column) for column in columns.value]
    upper, *lower = x.build.bind_all(x.words(value))
    way, last = rounding_of(e), len(ratios) - 1
    column: lir.Expr = lir.Num(last)
    for place in range(last, 0, -1):
        below, above = ratios[place - 1], ratios[place]
        # The first value that belongs to the column at `place`, and whether it does so itself.
        edge = {"down": above, "up": below, "nearest": (below + above) / 2}[way]
        if max(abs(edge.numerator), edge.denominator) >= MOST_OF_RATIO:
            raise CannotLower(f"a column of {edge}", x.site)
        left = b.times(upper, edge.denominator)
        right = b.times(lower[0], edge.numerator) if lower else lir.Num(edge.numerator)
        before = b.binary("le_s" if way == "up" else "lt_s", left, right)
        column = x.build.bind(b.pick(before, lir.Num(place - 1), column))
    return (column,)


def _field(x: Lowerer, e: Op) -> Words:
    record = e.operands[0].type
    assert isinstance(record, Record)
    digit = field_of(record, e.detail, x.unit.shapes.sizes)
    value = x.one(e.operands[0])
    if digit.weight > 1:
        value = lir.LowBinary("div_u", value, lir.Num(digit.weight))
    if e.detail != record.names[0]:
        value = lir.LowBinary("rem_u", value, lir.Num(digit.count))
    return (b.plus(value, digit.low),)


# -- equality, flags, optional values


def _equal(x: Lowerer, e: Op) -> Words:
    left, right = e.operands
    if isinstance(left.type, MapOf) or isinstance(right.type, MapOf):
        kinds = _map_kind(left), _map_kind(right)
        same = maps.equal(x, kinds, (x.once(left), x.once(right)))
        return (same if e.op == "eq" else b.zero(same),)
    if isinstance(left.type, ListOf) or isinstance(right.type, ListOf):
        equal = lists.equal(x, left, right)
        return (equal if e.op == "eq" else b.zero(equal),)
    if _is_ratio(e):
        return (_compare("eq" if e.op == "eq" else "ne", x, e),)
    one, other = x.words(left), x.words(right)
    if len(one) == len(other) == 1:
        return (b.binary("eq" if e.op == "eq" else "ne", one[0], other[0]),)
    different = b.any_word(b.each("xor", one, other))
    return (b.zero(different) if e.op == "eq" else b.zero(b.zero(different)),)


def _junction(x: Lowerer, e: Op) -> Words:
    """`and` and `or`: later operands are evaluated only if they must be."""
    deciding = e.op == "or"
    build = x.build
    *parts, last = e.operands
    value = x.one(parts[0])
    for part in (*parts[1:], last):
        with build.inner() as code:
            then = x.one(part)
        if not code and not _relies_on_a_test(part):
            value = b.binary("or" if deciding else "and", value, then)
            continue
        result = build.variables((value,), "holds")[0]
        test = lir.Get(result)
        code.append(lir.Set(result, then))
        build.emit(lir.LowIf(b.zero(test) if deciding else test, tuple(code)))
        value = lir.Get(result)
    return (value,)


def _relies_on_a_test(e: Expr) -> bool:
    """Whether something in it is known to be there by a test before it: without that its address is none."""
    return any(isinstance(part, Local) and isinstance(part.declared, Optional) for part in walk.nodes(e))


def _not(x: Lowerer, e: Op) -> Words:
    return (b.zero(x.one(e.operands[0])),)


def _is_none(x: Lowerer, e: Op) -> Words:
    return (b.binary("eq", x.words(e.operands[0])[0], NONE_WORD),)


def _or_else(x: Lowerer, e: Op) -> Words:
    first, second = e.operands
    build = x.build
    value = build.bind_all(x.words_as(first, e.type))
    with build.inner() as code:
        other = x.words_as(second, e.type)
    none = b.binary("eq", value[0], NONE_WORD)
    if not code:
        return tuple(b.pick(none, *pair) for pair in zip(other, value, strict=True))
    results = build.variables(value, "value")
    code += map(lir.Set, results, other)
    build.emit(lir.LowIf(none, tuple(code)))
    return b.gets(results)


# -- sets


def _single(x: Lowerer, e: Op) -> Words:
    kind = e.operands[0].type
    value = x.once(e.operands[0])
    if isinstance(kind, Optional) or isinstance(kind, Int) and kind.low < 0:
        x.fail_if(b.binary("lt_s", value, lir.ZERO), NOT_A_VALUE)
    return x.bit_words(value, x.unit.shapes.words(e.type))


def _union(x: Lowerer, e: Op) -> Words:
    first, *rest = e.operands
    value = x.words(first)
    for part in rest:
        value = b.each("or", value, x.words(part))
    return value


def _inter(x: Lowerer, e: Op) -> Words:
    """The meeting of sets; a set that is dear is worked out only where the first one holds anything."""
    first, *rest = e.operands
    value = x.words(first)
    late = not isinstance(first, Const) and sets.dear(rest[0]) and not sets.dear(first)
    for part in rest:
        if not late:
            value = b.each("and", value, x.words(part))
            continue
        late = False
        results = x.build.variables(value, "met")
        with x.build.when(b.any_word(b.gets(results))):
            for local, word in zip(results, b.each("and", b.gets(results), x.words(part)), strict=False):
                x.build.set(local, word)
        value = b.gets(results)
    return value


def _diff(x: Lowerer, e: Op) -> Words:
    left, right = map(x.words, e.operands)
    return b.without(left, right)


def has(x: Lowerer, e: Op) -> Words:
    """Whether a set has a member; no set has none."""
    member, group = e.operands
    value = x.once(member)
    kind = member.type
    tests: list[lir.Expr] = []
    count = x.unit.shapes.words(group.type)
    if isinstance(kind, Optional):
        tests.append(b.binary("ge_s", value, lir.ZERO))
        kind = kind.of
    elif isinstance(kind, Int) and kind.low < 0:
        x.fail_if(b.binary("lt_s", value, lir.ZERO), NOT_A_VALUE)
    if isinstance(kind, Int) and kind.high >= 64 * count:
        tests.append(b.binary("lt_s", value, lir.Num(64 * count)))
    if not tests:
        return (_bit_of(x, group, value, count),)
    test = x.build.bind(tests[0] if len(tests) == 1 else b.both(*tests))
    if count == 1:
        return (b.both(test, _bit_of(x, group, value, count)),)
    result = x.build.variables((lir.ZERO,), "has")[0]
    with x.build.when(test):
        x.build.set(result, _bit_of(x, group, value, count))
    return (lir.Get(result),)


def _bit_of(x: Lowerer, group: Expr, value: lir.Expr, count: int) -> lir.Expr:
    """The bit of a member in a set, where it is a value that the set may hold."""
    if count == 1:
        word: lir.Expr = x.one(group)
    elif isinstance(group, Const) and isinstance(group.value, int):
        address = x.unit.memory.keep_words([_number(word) for word in x.known_set(group.value, group.type)])
        word = lir.Load(address, word_offset(value))
    elif isinstance(group, Read | Flagged) and x.unit.shapes.words(group.type) == count:
        word = lir.Load(*move_by(x.cell(group.state, group.keys), word_offset(value)))
    else:
        words = x.build.bind_all(x.words(group))
        place = x.build.bind(b.binary("shr_u", value, lir.Num(6)))
        word = words[-1]
        for number in range(count - 2, -1, -1):
            word = b.pick(b.binary("eq", place, lir.Num(number)), words[number], word)
    return b.binary("and", lir.LowBinary("shr_u", word, value), lir.ONE)


def _number(word: lir.Expr) -> int:
    assert isinstance(word, lir.Num)
    return word.value


def _count(x: Lowerer, e: Op) -> Words:
    return (b.count(x.words(e.operands[0])),)


def _is_empty(x: Lowerer, e: Op) -> Words:
    return (b.zero(b.any_word(x.words(e.operands[0]))),)


def _within(x: Lowerer, e: Op) -> Words:
    left, right = map(x.words, e.operands)
    return (b.zero(b.any_word(b.without(left, right))),)


def _only(x: Lowerer, e: Op) -> Words:
    words = x.build.bind_all(x.words(e.operands[0]))
    count = x.build.bind(b.count(words))
    some = b.pick(b.zero(count), NONE_WORD, count)
    x.fail_if(b.binary("ne", count, lir.ONE), NOT_A_VALUE, None, messages.not_one(some))
    return (lowest(words),)


def lowest(words: Words) -> lir.Expr:
    """The first member of a set that is not empty, whose words may be used more than once."""
    first: lir.Expr = b.plus(lir.LowUnary("ctz", words[-1]), 64 * (len(words) - 1))
    for number in range(len(words) - 2, -1, -1):
        first = b.pick(words[number], b.plus(lir.LowUnary("ctz", words[number]), 64 * number), first)
    return first


# -- maps


def _map_get(x: Lowerer, e: Op) -> Words:
    values, key = e.operands
    kind = _map_kind(values)
    whole, at = x.once(values), x.build.bind(x.some(key))
    why = Why(texts.NOT_IN_MAP)
    x.fail_if(b.zero(maps.has(x, kind, whole, at)), NOT_A_VALUE, None, why)
    offset, index = maps.place_of(x, kind, whole, at)
    return x.load((offset, index), kind.value)


def _map_kind(e: Expr) -> MapOf:
    assert isinstance(e.type, MapOf)
    return e.type


def _map_has(x: Lowerer, e: Op) -> Words:
    values, key = e.operands
    whole, at = x.once(values), x.build.bind(x.some(key))
    return (maps.has(x, _map_kind(values), whole, at),)


def _no_map(x: Lowerer, e: Op) -> Words:
    buffer = x.temporary(e.type, "map")
    maps.empty(x, _map_kind(e), buffer)
    return (b.address(buffer),)


def _map_with(x: Lowerer, e: Op) -> Words:
    values, key, value = e.operands
    kind = _map_kind(e)
    whole, at, words = x.once(values), x.build.bind(x.some(key)), x.build.bind_all(x.words(value))
    buffer = x.temporary(kind, "map")
    x.keep((buffer, None), (whole,), kind)
    maps.put(x, kind, b.address(buffer), at, words)
    return (b.address(buffer),)


FORMS: Final[Mapping[OpName, Form]] = {
    "add": _chain("add"),
    "sub": _chain("sub"),
    "mul": _chain("mul"),
    "neg": _negative,
    "abs": _absolute,
    "div_down": _quotient,
    "div_up": _quotient,
    "div_nearest": _quotient,
    "mod": _modulo,
    "smaller": _extreme("lt_s"),
    "larger": _extreme("gt_s"),
    "ranged": _range_test,
    "eq": _equal,
    "ne": _equal,
    "lt": _comparison("lt_s"),
    "le": _comparison("le_s"),
    "gt": _comparison("gt_s"),
    "ge": _comparison("ge_s"),
    "and": _junction,
    "or": _junction,
    "not": _not,
    "single": _single,
    "union": _union,
    "inter": _inter,
    "diff": _diff,
    "has": has,
    "count": _count,
    "is_empty": _is_empty,
    "within": _within,
    "only": _only,
    "list_of": lists.list_of,
    "length": lists.length_of,
    "item": lists.item_at,
    "index_of": lists.index_of,
    "list_has": lists.index_of,
    "rest": lists.all_but_first,
    "joined": lists.join_lists,
    "to_set": lists.to_set,
    "to_list": lists.to_list,
    "at_most": lists.at_most,
    "without": lists.without,
    "is_none": _is_none,
    "or_else": _or_else,
    "map_get": _map_get,
    "map_has": _map_has,
    "map_with": _map_with,
    "no_map": _no_map,
    "ratio": _ratio,
    "successor": _beside,
    "predecessor": _beside,
    "ratio_column": _ratio_column,
    "field": _field,
}
