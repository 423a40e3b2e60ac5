"""Functions of every module, written by hand: copies, the random streams, the policy, picks out of sets.

`rulekit.runtime.chance` defines the streams, and `rulekit.runtime.machine.simulate` the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rulekit.ir.program import Point
from rulekit.runtime import chance
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import LowBuilder
from rulekit.runtime.native.lower.memory import (
    ABOUT_AT,
    ASKING,
    CELL,
    DECISIONS_AT,
    FAULT_AT,
    FAULTY,
    RESUMING,
    RUNNING,
    SITE_AT,
    STATUS_AT,
)
from rulekit.runtime.native.lower.tape import ModuleTape
from rulekit.runtime.native.lower.unit import ModuleUnit

LOW_HALF: Final = lir.Num((1 << 32) - 1)


class ModuleStreams:
    """The random streams of a module: those of its points, and one of the policy for each choice."""

    def __init__(self, unit: ModuleUnit) -> None:
        program, reserve = unit.program, unit.memory.reserve
        names = [f"{program.name}.{point.name}" for point in program.points]
        names += [f"policy.{choice.name}" for choice in program.choices]
        self.points, self.count = len(program.points), len(names)
        self.bases = reserve(self.count)
        self.keys = unit.memory.keep_words([chance.name_key(name) for name in names])
        self.answered = reserve(max(len(program.choices), 1))
        self.choices = len(program.choices)
        self.drawn = reserve(2 * max(self.points, 1))
        """For each point the position of the word that was taken last, and the number that it gave."""
        self.tape = ModuleTape(self.points) if unit.stops else None
        """The values from a host; a module that plays whole games has no tape."""


def functions(unit: ModuleUnit, streams: ModuleStreams) -> Iterator[lir.LowFunction]:
    """All functions of the library."""
    yield _fault()
    yield copy()
    yield clear()
    yield copy_map()
    yield _same()
    yield _gcd()
    yield mix()
    yield uniform()
    yield _begin_streams(streams)
    yield _ask() if unit.stops else _policy(streams)
    yield nth()
    for number, point in enumerate(unit.program.points):
        if point.dice:
            yield _die(streams, number, point)


def _fault() -> lir.LowFunction:
    build = LowBuilder("fault", ("fault", "site", "about"))
    for address, local in ((FAULT_AT, "fault"), (SITE_AT, "site"), (ABOUT_AT, "about")):
        build.emit(lir.Store(address, None, lir.Get(local)))
    build.emit(lir.Store(STATUS_AT, None, lir.Num(FAULTY)))
    return build.finish()


def copy() -> lir.LowFunction:
    """Copy words, the lowest first: the two places may overlap if the target is the lower one."""
    target, source = lir.Get("target"), lir.Get("source")
    return _each_word("copy", ("target", "source"), lambda at: lir.Store(at, target, lir.Load(at, source)))


def clear() -> lir.LowFunction:
    return _each_word("clear", ("target",), lambda at: lir.Store(at, lir.Get("target"), lir.ZERO))


def _each_word(name: str, places: tuple[str, ...], work: Callable[[int], lir.Stmt]) -> lir.LowFunction:
    """Work on `count` words from some places on, eight in a round as long as there are so many."""
    build = LowBuilder(name, (*places, "count"))
    for many in (8, 1):
        with build.loop() as label:
            with build.when(b.binary("lt_s", lir.Get("count"), lir.Num(many))):
                build.emit(lir.LowBreak(label))
            build.emit(*(work(number * CELL) for number in range(many)))
            for place in places:
                build.set(place, b.plus(lir.Get(place), many * CELL))
            build.set("count", b.plus(lir.Get("count"), -many))
    return build.finish()


def _same() -> lir.LowFunction:
    """Whether two places have the same words; the first that differ end the comparison."""
    build = LowBuilder("same", ("one", "other", "count"))
    with build.loop() as label:
        with build.when(b.zero(lir.Get("count"))):
            build.emit(lir.LowReturn(lir.ONE))
        with build.when(b.binary("ne", lir.Load(0, lir.Get("one")), lir.Load(0, lir.Get("other")))):
            build.emit(lir.LowReturn(lir.ZERO))
        build.set("one", b.plus(lir.Get("one"), CELL))
        build.set("other", b.plus(lir.Get("other"), CELL))
        build.set("count", b.plus(lir.Get("count"), -1))
        build.emit(lir.LowNext(label))
    return build.finish(gives=True)


def _gcd() -> lir.LowFunction:
    """The greatest common divisor of two numbers, with the sign of the second, which is not 0."""
    build = LowBuilder("gcd", ("one", "other"))
    build.set("negative", b.binary("lt_s", lir.Get("other"), lir.ZERO))
    with build.loop() as label:
        with build.when(b.zero(lir.Get("other"))):
            build.emit(lir.LowBreak(label))
        build.set("rest", lir.LowBinary("rem_s", lir.Get("one"), lir.Get("other")))
        build.set("one", lir.Get("other"))
        build.set("other", lir.Get("rest"))
    unlike = b.binary("ne", b.binary("lt_s", lir.Get("one"), lir.ZERO), lir.Get("negative"))
    build.emit(lir.LowReturn(b.pick(unlike, b.binary("sub", lir.ZERO, lir.Get("one")), lir.Get("one"))))
    return build.finish(gives=True)


def copy_map() -> lir.LowFunction:
    """Copy a map: the set of its keys, and the values that these have."""
    build = LowBuilder("copy_map", ("target", "source", "key_words", "value_words"))
    target, source, size = lir.Get("target"), lir.Get("source"), lir.Get("value_words")
    build.set("place", lir.ZERO)
    first = build.bind(b.times(lir.Get("key_words"), CELL), "first")
    with build.loop("words") as label:
        with build.when(b.binary("ge_s", lir.Get("place"), first)):
            build.emit(lir.LowBreak(label))
        build.set("rest", lir.Load(0, b.add(source, lir.Get("place"))))
        build.emit(lir.Store(0, b.add(target, lir.Get("place")), lir.Get("rest")))
        with build.loop("keys") as inner:
            with build.when(b.zero(lir.Get("rest"))):
                build.emit(lir.LowBreak(inner))
            key = b.add(lir.LowUnary("ctz", lir.Get("rest")), b.times(lir.Get("place"), 8))
            step = b.times(lir.LowBinary("mul", key, size), CELL)
            at = build.bind(b.add(step, first))
            build.emit(lir.LowRun("copy", (b.add(target, at), b.add(source, at), size)))
            build.set("rest", b.binary("and", lir.Get("rest"), b.plus(lir.Get("rest"), -1)))
        build.set("place", b.plus(lir.Get("place"), CELL))
    return build.finish()


def _shift(local: str, by: int) -> lir.Expr:
    return lir.LowBinary("xor", lir.Get(local), lir.LowBinary("shr_u", lir.Get(local), lir.Num(by)))


def mix() -> lir.LowFunction:
    build = LowBuilder("mix", ("z",))
    build.set("z", lir.LowBinary("mul", _shift("z", 30), lir.Num(0xBF58476D1CE4E5B9)))
    build.set("z", lir.LowBinary("mul", _shift("z", 27), lir.Num(0x94D049BB133111EB)))
    build.emit(lir.LowReturn(_shift("z", 31)))
    return build.finish(gives=True)


def uniform() -> lir.LowFunction:
    """A number below `count`, from a word of a stream: the high half of a product of 128 bits.

    The count is less than 2^32: the two halves of the word are multiplied one after the other.
    Whether a word is rejected takes a division, which is needed only where the low half is below the count.
    """
    build = LowBuilder("uniform", ("base", "position", "count"))
    count = lir.Get("count")
    build.set("at", b.plus(lir.Get("position"), 1))
    with build.loop() as label:
        step = lir.LowBinary("mul", lir.Get("at"), lir.Num(chance.GOLDEN))
        build.set("word", lir.LowCall("mix", (b.add(lir.Get("base"), step),)))
        build.set("low", lir.LowBinary("mul", lir.LowBinary("and", lir.Get("word"), LOW_HALF), count))
        high = lir.LowBinary("mul", lir.LowBinary("shr_u", lir.Get("word"), lir.Num(32)), count)
        build.set("high", b.add(high, lir.LowBinary("shr_u", lir.Get("low"), lir.Num(32))))
        upper = lir.LowBinary("shl", lir.Get("high"), lir.Num(32))
        build.set("low", lir.LowBinary("or", upper, lir.LowBinary("and", lir.Get("low"), LOW_HALF)))
        with build.when(lir.LowBinary("ge_u", lir.Get("low"), count)):
            build.emit(lir.LowBreak(label))
        least = lir.LowBinary("rem_u", lir.Num(chance.WORD), count)
        least = lir.LowBinary("rem_u", b.plus(least, 1), count)
        with build.when(lir.LowBinary("ge_u", lir.Get("low"), least)):
            build.emit(lir.LowBreak(label))
        build.set("at", b.plus(lir.Get("at"), chance.ATTEMPT))
    build.emit(lir.LowReturn(lir.LowBinary("shr_u", lir.Get("high"), lir.Num(32))))
    return build.finish(gives=True)


def _begin_streams(streams: ModuleStreams) -> lir.LowFunction:
    """Make the base of every stream from a seed."""
    build = LowBuilder("begin_streams", ("seed",))
    build.set("seed", lir.LowCall("mix", (b.plus(lir.Get("seed"), chance.GOLDEN),)))
    build.set("at", lir.ZERO)
    with build.loop() as label:
        with build.when(b.binary("ge_s", lir.Get("at"), lir.Num(streams.count * CELL))):
            build.emit(lir.LowBreak(label))
        key = lir.Load(streams.keys, lir.Get("at"))
        base = lir.LowCall("mix", (lir.LowBinary("xor", lir.Get("seed"), key),))
        build.emit(lir.Store(streams.bases, lir.Get("at"), base))
        build.set("at", b.plus(lir.Get("at"), CELL))
    for number in range(streams.points):
        build.emit(lir.Store(streams.drawn + 2 * number * CELL, None, lir.Num(-1)))
    build.emit(lir.LowRun("clear", (lir.Num(streams.answered), lir.Num(streams.choices))))
    return build.finish()


def _ask() -> lir.LowFunction:
    """Stop at a question; on the way back, which option the host takes, counted from 0."""
    build = LowBuilder("ask", ("choice", "count"))
    with build.when(b.binary("eq", lir.Load(STATUS_AT), lir.Num(RESUMING))):
        build.emit(lir.Store(STATUS_AT, None, lir.Num(RUNNING)), _count_decision())
        build.emit(lir.LowReturn(lir.Load(ABOUT_AT)))
    build.emit(lir.Store(STATUS_AT, None, lir.Num(ASKING)), lir.LowReturn(lir.ZERO))
    return build.finish(gives=True)


def _count_decision() -> lir.Stmt:
    return lir.Store(DECISIONS_AT, None, b.plus(lir.Load(DECISIONS_AT), 1))


def _policy(streams: ModuleStreams) -> lir.LowFunction:
    """Which of several options the random policy takes, counted from 0."""
    build = LowBuilder("policy", ("choice", "count"))
    build.emit(_count_decision())
    index = build.bind(b.times(lir.Get("choice"), CELL))
    position = build.bind(lir.Load(streams.answered, index))
    build.emit(lir.Store(streams.answered, index, b.plus(position, 1)))
    base = lir.Load(streams.bases + streams.points * CELL, index)
    build.emit(lir.LowReturn(lir.LowCall("uniform", (base, position, lir.Get("count")))))
    return build.finish(gives=True)


def nth() -> lir.LowFunction:
    """The member of one word of a set before which there are so many."""
    build = LowBuilder("nth", ("word", "number"))
    with build.loop():
        with build.when(b.zero(lir.Get("number"))):
            build.emit(lir.LowReturn(lir.LowUnary("ctz", lir.Get("word"))))
        build.set("word", lir.LowBinary("and", lir.Get("word"), b.plus(lir.Get("word"), -1)))
        build.set("number", b.plus(lir.Get("number"), -1))
    return build.finish(gives=True)


def _die(streams: ModuleStreams, number: int, point: Point) -> lir.LowFunction:
    """A die of a point by its number, from 0; several share a word, the first in its highest digit."""
    build = LowBuilder(die_name(number), ("number",))
    if streams.tape is not None:
        with build.when(streams.tape.has(number, lir.Get("number"))):
            build.emit(lir.LowReturn(streams.tape.value(number, lir.Get("number"))))
    together = chance.dice_a_word(point.sides)
    drawn = streams.drawn + 2 * number * CELL
    position = build.bind(lir.LowBinary("div_u", lir.Get("number"), lir.Num(together)))
    place = build.bind(lir.LowBinary("rem_u", lir.Get("number"), lir.Num(together)))
    with build.when(b.binary("ne", lir.Load(drawn), position)):
        base = lir.Load(streams.bases + number * CELL)
        taken = lir.LowCall("uniform", (base, position, lir.Num(point.sides**together)))
        build.emit(lir.Store(drawn + CELL, None, taken), lir.Store(drawn, None, position))
    value: lir.Expr = lir.Load(drawn + CELL)
    scale: lir.Expr = lir.ONE
    for at in range(together - 1):
        weight = lir.Num(point.sides ** (together - 1 - at))
        scale = b.pick(b.binary("eq", place, lir.Num(at)), weight, scale)
    face = lir.LowBinary("rem_u", lir.LowBinary("div_u", value, scale), lir.Num(point.sides))
    build.emit(lir.LowReturn(b.plus(face, point.lowest)))
    return build.finish(gives=True)


def die_name(point: int) -> str:
    """The name of the function that gives the dice of a point."""
    return f"die {point}"


def floor(build: LowBuilder, value: lir.Expr, by: lir.Expr) -> lir.Expr:
    """A quotient rounded down, in line; both sides may be used more than once, and `by` is not 0."""
    left = build.bind(lir.LowBinary("rem_s", value, by))
    unequal = b.binary("lt_s", b.binary("xor", left, by), lir.ZERO)
    lower = b.both(b.binary("ne", left, lir.ZERO), unequal)
    return b.binary("sub", lir.LowBinary("div_s", value, by), lower)
