"""The low-level IR by itself: its verifier, its printer, its encoding."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.ir.semantics import operations
from rulekit.runtime import chance
from rulekit.runtime.native import lir, show, verify, wasm
from rulekit.runtime.native.host import Loaded
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import library
from rulekit.runtime.native.lower.builder import LowBuilder

WORDS = st.integers(-(2**63), 2**63 - 1)
SMALL = st.integers(-40, 40)
FAULT = LowBuilder("fault", ("fault", "site", "about"))
FAULT.emit(lir.Store(0, None, lir.Get("fault")), lir.Store(8, None, lir.Get("site")))
FAULT_FUNCTION = FAULT.finish()


def module(*functions: lir.LowFunction, fixed: bytes = b"") -> lir.LowModule:
    """A module with these functions, all of them exported."""
    data = (lir.Data(lir.FIXED, fixed),) if fixed else ()
    names = tuple(function.name for function in functions)
    return lir.LowModule((*functions, FAULT_FUNCTION), 64, len(fixed), data, names)


class Running:
    """A verified module in an engine."""

    def __init__(self, low: lir.LowModule) -> None:
        verify.verify(low)
        self.loaded = Loaded(wasm.encode(low, b"{}", "fault"))

    def __call__(self, name: str, *arguments: int) -> int:
        return int(self.loaded.call(name, *arguments) or 0)


def value(e: lir.Expr, *params: str) -> lir.LowFunction:
    """A function that gives an expression."""
    return lir.LowFunction("value", params, True, (lir.LowReturn(e),))


X, Y = lir.Get("x"), lir.Get("y")
NUMBERS = (0, 1, -1, 63, 64, -64, -65, 127, 128, 2**31, -(2**31), 2**63 - 1, -(2**63))


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_every_length(number: int) -> None:
    """A constant has the value that was written."""
    assert number == Running(module(value(lir.Num(number))))("value")


def test_a_number_without_a_sign_has_the_same_bits() -> None:
    """2^64 - 1 stands for -1."""
    assert -1 == Running(module(value(lir.Num(2**64 - 1))))("value")


OPS = ("add", "sub", "mul", "and", "or", "xor", "shl", "eq", "ne", "lt_s", "le_s", "gt_s", "ge_s")
BINARY = Running(
    module(*(lir.LowFunction(op, ("x", "y"), True, (lir.LowReturn(lir.LowBinary(op, X, Y)),)) for op in OPS))  # type: ignore[arg-type]
)


@given(st.sampled_from(OPS), WORDS | SMALL, WORDS | SMALL)
def test_folded_operations_are_those_of_the_engine(op: Any, x: int, y: int) -> None:
    """What the builder works out is what a module would."""
    folded = b.binary(op, lir.Num(x), lir.Num(y))

    assert isinstance(folded, lir.Num)
    assert BINARY(op, x, y) == folded.value


def test_statements_run_as_they_are_printed() -> None:
    """A loop with both ways out of a run, a block, a branch and a store; and its text."""
    build = LowBuilder("odd_sum", ("n",))
    build.set("sum", lir.ZERO)
    with build.loop() as label:
        with build.when(b.zero(lir.Get("n"))):
            build.emit(lir.LowBreak(label))
        build.set("n", b.plus(lir.Get("n"), -1))
        with build.when(b.zero(b.binary("and", lir.Get("n"), lir.ONE))):
            build.emit(lir.LowNext(label))
        build.set("sum", b.add(lir.Get("sum"), lir.Get("n")))
    build.emit(lir.Store(16, None, lir.Get("sum"), 2), lir.LowReturn(lir.Load(16, None, 2)))
    function = build.finish(gives=True)

    assert 1 + 3 + 5 + 7 == Running(module(function))("odd_sum", 8)
    assert show.function_text(function) == (
        "odd_sum(n) -> value:\n"
        "    sum = 0\n"
        "    loop loop.1:\n"
        "        if eqz(n):\n"
        "            break loop.1\n"
        "        n = (n + -1)\n"
        "        if eqz((n & 1)):\n"
        "            next loop.1\n"
        "        sum = (sum + n)\n"
        "    [16]:16 = sum\n"
        "    return [16]:16\n"
    )


def test_the_fixed_part_stands_behind_the_other() -> None:
    """Loads of every width find what the data holds, with its sign."""
    content = struct.pack("<bhxiq", -3, -300, -70000, -(2**40))
    widths = ((0, 1, -3), (1, 2, -300), (4, 4, -70000), (8, 8, -(2**40)))
    loads = tuple(
        lir.LowFunction(f"load {width}", (), True, (lir.LowReturn(lir.Load(lir.FIXED + at, None, width)),))  # type: ignore[arg-type]
        for at, width, _ in widths
    )
    address = lir.LowFunction("address", (), True, (lir.LowReturn(lir.FixedAddress(lir.FIXED + 8)),))
    running = Running(module(*loads, address, fixed=content))

    assert [found for _, _, found in widths] == [running(f"load {width}") for _, width, _ in widths]
    assert 64 + 8 == running("address")


def test_a_fault_is_noted_before_the_trap() -> None:
    """The memory says which one it was, and where."""
    running = Running(module(lir.LowFunction("fail", (), True, (lir.LowFail(7, 12),))))

    with pytest.raises(running.loaded.trap):
        running("fail")
    assert (7, 12) == (running.loaded.word(0), running.loaded.word(8))


BROKEN = {
    "may be read before it is set": (
        lir.LowIf(lir.Get("x"), (lir.Set("y", lir.ONE),)),
        lir.LowReturn(lir.Get("y")),
    ),
    "its end is reached": (lir.LowIf(lir.Get("x"), (lir.LowReturn(lir.ONE),)),),
    "no open loop or block": (lir.LowBreak("nowhere"), lir.LowReturn(lir.ONE)),
    "no function has this name": (lir.LowReturn(lir.LowCall("other")),),
    "does not match": (lir.LowReturn(lir.LowCall("fault", (lir.ONE,))),),
    "outside the memory": (lir.LowReturn(lir.Load(60)),),
    "more than 64 bits": (lir.LowReturn(lir.Num(2**64)),),
    "a result is returned where none is given, or none where one is": (lir.LowReturn(),),
    "is open already": (lir.LowLoop("l", (lir.LowLoop("l", (lir.LowReturn(lir.ONE),)),)),),
}


@pytest.mark.parametrize("message", BROKEN)
def test_broken_functions_are_refused(message: str) -> None:
    """Each rule of the low-level IR, broken once."""
    broken = lir.LowFunction("value", ("x",), True, BROKEN[message])

    with pytest.raises(verify.Broken, match=message):
        verify.verify(module(broken))


def test_a_block_sets_what_every_way_out_of_it_sets() -> None:
    """A local is known after a block only if it is on every break."""
    good = lir.LowBlock("l", (lir.Set("y", lir.ONE), lir.LowBreak("l")))
    bad = lir.LowBlock("l", (lir.LowIf(X, (lir.LowBreak("l"),)), lir.Set("y", lir.ONE)))

    verify.verify(module(lir.LowFunction("value", ("x",), True, (good, lir.LowReturn(Y)))))
    with pytest.raises(verify.Broken, match="`y` may be read"):
        verify.verify(module(lir.LowFunction("value", ("x",), True, (bad, lir.LowReturn(Y)))))


# ------------------------------------------------------------ the library

LIBRARY = Running(module(library.mix(), library.uniform(), library.nth(), library.copy(), library.clear()))


def unsigned(number: int) -> int:
    """A result without its sign."""
    return number & chance.WORD


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 16, 23])
def test_words_are_copied_and_cleared(count: int) -> None:
    """So many and no more, also to a place that overlaps, if that is the lower one."""
    words = list(range(1, 41))
    LIBRARY.loaded.write_all(1024, struct.pack("<40q", *words))

    LIBRARY("copy", 1024, 1024 + 8 * 3, count)
    LIBRARY("clear", 1024 + 8 * 30, min(count, 9))

    words[:count] = words[3 : 3 + count]
    words[30 : 30 + min(count, 9)] = [0] * min(count, 9)
    assert tuple(words) == LIBRARY.loaded.words(1024, 40)


@given(WORDS)
def test_mix_is_that_of_the_specification(word: int) -> None:
    """The bits of a word are spread in the same way."""
    assert chance.mix(unsigned(word)) == unsigned(LIBRARY("mix", word))


@given(WORDS, st.integers(0, 2**40), st.integers(1, 2**22))
def test_uniform_is_that_of_the_specification(base: int, position: int, count: int) -> None:
    """Numbers below a count are the same, rejected words included."""
    assert chance.uniform(unsigned(base), position, count) == LIBRARY("uniform", base, position, count)


@given(st.sets(st.integers(0, 63), min_size=1))
def test_members_are_counted_from_the_lowest(members: set[int]) -> None:
    """The member with a number is that of the list in order."""
    word = sum(1 << member for member in members)
    word = word - (1 << 64) if word >> 63 else word

    found = [LIBRARY("nth", word, number) for number in range(len(members))]

    assert sorted(members) == found


# ------------------------------------------------------------ divisions

DIVIDE = LowBuilder("floor", ("x", "y"))
DIVIDE.emit(lir.LowReturn(library.floor(DIVIDE, X, Y)))
FLOOR = Running(module(DIVIDE.finish(gives=True)))


@given(st.integers(-(2**60), 2**60) | SMALL, st.integers(-(2**60), 2**60) | SMALL)
def test_quotients_are_rounded_down(x: int, y: int) -> None:
    """Also where a side is below zero."""
    if y:
        assert operations.divide(x, y, "down") == FLOOR("floor", x, y)


def test_long_runs_of_zeros_are_left_out() -> None:
    """Short ones stay, because a piece costs as much; so does nothing at all."""
    pieces = list(lir.without_zeros(8, bytes(20) + b"ab" + bytes(5) + b"c" + bytes(12) + b"d" + bytes(40)))

    assert [lir.Data(28, b"ab\0\0\0\0\0c"), lir.Data(48, b"d")] == pieces
    assert [] == list(lir.without_zeros(0, bytes(100)))
    assert [lir.Data(0, b"abc")] == list(lir.without_zeros(0, b"abc"))
