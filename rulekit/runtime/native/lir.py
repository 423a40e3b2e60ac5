"""The low-level IR: structured functions over 64-bit integers and one memory; see decision 0086.

A value is a 64-bit integer; comparisons give 1 or 0, and a condition holds if it is not 0. An address is in
bytes: a constant offset plus an index. Expressions change nothing but what functions that they call change.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, Literal

from rulekit.base.frozen import frozen

BinaryName = Literal[
    "add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u", "and", "or", "xor", "shl", "shr_s", "shr_u",
    "eq", "ne", "lt_s", "le_s", "gt_s", "ge_s", "lt_u", "ge_u",
]  # fmt: skip
UnaryName = Literal["eqz", "clz", "ctz", "popcnt"]
COMPARISONS: Final = frozenset(("eq", "ne", "lt_s", "le_s", "gt_s", "ge_s", "lt_u", "ge_u", "eqz"))
"""Operations that give 1 or 0."""

Width = Literal[1, 2, 4, 8]
"""Bytes of a load or store; loads of fewer than 8 keep the sign."""


@frozen
class Num:
    """A number, -2^63 to 2^64 - 1; those from 2^63 on stand for the negative with the same bits."""

    value: int


@frozen
class FixedAddress:
    """An address that is known when the module is whole, as a number; see `FIXED`, `LOG` and `BUFFERS`."""

    offset: int


@frozen
class Get:
    """The value of a local."""

    local: str


@frozen
class LowUnary:
    """An operation on one value: is it 0, how many zeros are above its ones, or below, how many ones."""

    op: UnaryName
    value: Expr


@frozen
class LowBinary:
    """An operation on two values; the left one is evaluated first. Shifts count modulo 64."""

    op: BinaryName
    left: Expr
    right: Expr


@frozen
class Load:
    """The value at an address."""

    offset: int
    index: Expr | None = None
    width: Width = 8


@frozen
class LowCall:
    """The result of a function; 0 where it gives none."""

    function: str
    arguments: tuple[Expr, ...] = ()


@frozen
class Pick:
    """One of two values, both of which are evaluated, by a condition that is evaluated last."""

    condition: Expr
    then: Expr
    otherwise: Expr


Expr = Num | FixedAddress | Get | LowUnary | LowBinary | Load | LowCall | Pick


@frozen
class Set:
    """Give a local a value."""

    local: str
    value: Expr


@frozen
class Store:
    """Put a value at an address."""

    offset: int
    index: Expr | None
    value: Expr
    width: Width = 8


@frozen
class LowRun:
    """Call a function that gives nothing."""

    function: str
    arguments: tuple[Expr, ...] = ()


@frozen
class LowIf:
    """One of two blocks."""

    condition: Expr
    then: Code
    otherwise: Code = ()


@frozen
class LowLoop:
    """Run the body again and again; only `Break` and `Return` leave it, and `Next` begins its next run."""

    label: str
    body: Code


@frozen
class LowBlock:
    """Run the body once; `Break` with its label leaves it."""

    label: str
    body: Code


@frozen
class LowBreak:
    """Leave a loop or block."""

    label: str


@frozen
class LowNext:
    """Begin the next run of a loop."""

    label: str


@frozen
class LowReturn:
    """End the function, with its result if it gives one."""

    value: Expr | None = None


@frozen
class LowFail:
    """End everything with a fault: its number, the site in the rules, and a number that it tells of."""

    fault: int
    site: int
    about: Expr | None = None


Stmt = Set | Store | LowRun | LowIf | LowLoop | LowBlock | LowBreak | LowNext | LowReturn | LowFail
Code = tuple[Stmt, ...]


@frozen
class LowFunction:
    """A function; `gives` says whether it has a result. Its locals are the names that its body sets."""

    name: str
    params: tuple[str, ...]
    gives: bool
    body: Code


@frozen
class Data:
    """Bytes that the memory holds from an address on when a module begins."""

    address: int
    content: bytes


_ZEROS: Final = re.compile(rb"\0{12,}")
"""A memory begins with zeros: leaving out so many takes less room than what begins the next piece."""


def without_zeros(address: int, content: bytes) -> Iterator[Data]:
    """Yield the pieces of a content between its long runs of zeros."""
    start = 0
    for zeros in (*_ZEROS.finditer(content), None):
        end = len(content) if zeros is None else zeros.start()
        if start < end:
            yield Data(address + start, content[start:end])
        start = end if zeros is None else zeros.end()


FIXED: Final = 1 << 32
"""Where addresses of the fixed part of the memory begin; that part follows the other one."""

LOG: Final = 1 << 33
"""Where addresses of the log begin, which follows the fixed part."""

TAPE: Final = 1 << 34
"""Where addresses of the tape begin, which follows the log."""


BUFFERS: Final = 1 << 35
"""Where addresses of buffers begin, each of which has a place of its own."""


@frozen
class PlacedBuffer:
    """A buffer: its address, its size in bytes, and its place in the memory.

    An offset is at least a word before the buffer, where the index is more than 0, and at most at its end.
    """

    address: int
    size: int
    place: int


@frozen
class LowModule:
    """A module: functions, memory, and the functions that hosts may call.

    `changing` is the size of the part of the memory that may change, in bytes, `fixed` that of the other
    part, `log` that of the log and `tape` that of the tape; `data` is what they hold at the beginning.
    `buffers` are in the order of their addresses.
    """

    functions: tuple[LowFunction, ...]
    changing: int
    fixed: int
    data: tuple[Data, ...]
    exports: tuple[str, ...]
    log: int = 0
    tape: int = 0
    buffers: tuple[PlacedBuffer, ...] = ()

    @property
    def memory(self) -> int:
        """The size of the memory in bytes."""
        return self.changing + self.fixed + self.log + self.tape

    def place(self, address: int) -> int:
        """Return where an address is in the memory."""
        if address >= BUFFERS:
            buffer = self.buffers[bisect_right(self.buffers, address, key=_begin_of) - 1]
            if not buffer.address - 8 <= address <= buffer.address + buffer.size:
                raise ValueError(f"no buffer has the address {address}")
            return buffer.place + address - buffer.address
        if address >= TAPE:
            return address - TAPE + self.changing + self.fixed + self.log
        if address >= LOG:
            return address - LOG + self.changing + self.fixed
        return address - FIXED + self.changing if address >= FIXED else address


def _begin_of(buffer: PlacedBuffer) -> int:
    return buffer.address - 8


ZERO: Final = Num(0)
ONE: Final = Num(1)


def inside(e: Expr) -> tuple[Expr, ...]:
    """Return the operands of an expression, in the order of evaluation."""
    match e:
        case Num() | FixedAddress() | Get():
            return ()
        case LowUnary():
            return (e.value,)
        case LowBinary():
            return (e.left, e.right)
        case Load():
            return () if e.index is None else (e.index,)
        case LowCall():
            return e.arguments
        case Pick():
            return (e.then, e.otherwise, e.condition)


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """Return the expressions that a statement evaluates itself, in order."""
    match stmt:
        case Set():
            return (stmt.value,)
        case Store():
            return (stmt.value,) if stmt.index is None else (stmt.index, stmt.value)
        case LowRun():
            return stmt.arguments
        case LowIf():
            return (stmt.condition,)
        case LowReturn():
            return () if stmt.value is None else (stmt.value,)
        case LowFail():
            return () if stmt.about is None else (stmt.about,)
        case LowLoop() | LowBlock() | LowBreak() | LowNext():
            return ()


def blocks(stmt: Stmt) -> tuple[Code, ...]:
    """Return the blocks in a statement."""
    match stmt:
        case LowIf():
            return (stmt.then, stmt.otherwise)
        case LowLoop() | LowBlock():
            return (stmt.body,)
        case _:
            return ()


def statements(code: Code) -> Iterator[Stmt]:
    """Yield the statements of a block and of the blocks in it, in the order they are written."""
    for stmt in code:
        yield stmt
        for block in blocks(stmt):
            yield from statements(block)


def locals_of(function: LowFunction) -> tuple[str, ...]:
    """Return the locals of a function that are not parameters, in the order in which they are first set."""
    named = dict.fromkeys(stmt.local for stmt in statements(function.body) if isinstance(stmt, Set))
    return tuple(name for name in named if name not in function.params)


def ends(code: Code) -> bool:
    """Whether nothing can come after a block: its last statement leaves."""
    if not code:
        return False
    last = code[-1]
    if isinstance(last, LowIf):
        return ends(last.then) and ends(last.otherwise)
    return isinstance(last, LowBreak | LowNext | LowReturn | LowFail)
