"""The low-level IR encoded as WebAssembly 1.0: no imports, one memory, and a section of names for hosts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rulekit.runtime.native import lir

PAGE: Final = 65536
"""Bytes of a page of memory."""

SECTION: Final = "rulekit"
"""The custom section with what hosts need to know."""

_VALUE, _NOTHING = 0x7E, 0x40
_UNREACHABLE, _BLOCK, _LOOP, _IF, _ELSE, _END, _BR, _RETURN, _CALL, _DROP, _SELECT = (
    b"\x00", b"\x02\x40", b"\x03\x40", b"\x04\x40", b"\x05", b"\x0b", b"\x0c", b"\x0f", b"\x10", b"\x1a",
    b"\x1b",
)  # fmt: skip
_GET, _SET, _TO_ADDRESS, _FROM_FLAG, _IS_ZERO, _FLAG_IS_ZERO = (
    b"\x20", b"\x21", b"\xa7", b"\xad", b"\x50", b"\x45",
)  # fmt: skip
_LOADS: Final[Mapping[int, bytes]] = {1: b"\x30\x00", 2: b"\x32\x01", 4: b"\x34\x02", 8: b"\x29\x03"}
_STORES: Final[Mapping[int, bytes]] = {1: b"\x3c\x00", 2: b"\x3d\x01", 4: b"\x3e\x02", 8: b"\x37\x03"}
_UNARY: Final[Mapping[lir.UnaryName, bytes]] = {
    "eqz": b"\x50", "clz": b"\x79", "ctz": b"\x7a", "popcnt": b"\x7b",
}  # fmt: skip
_BINARY: Final[Mapping[lir.BinaryName, bytes]] = {
    "eq": b"\x51", "ne": b"\x52", "lt_s": b"\x53", "lt_u": b"\x54", "gt_s": b"\x55", "le_s": b"\x57",
    "ge_s": b"\x59", "ge_u": b"\x5a", "add": b"\x7c", "sub": b"\x7d", "mul": b"\x7e", "div_s": b"\x7f",
    "div_u": b"\x80", "rem_s": b"\x81", "rem_u": b"\x82", "and": b"\x83", "or": b"\x84", "xor": b"\x85",
    "shl": b"\x86", "shr_s": b"\x87", "shr_u": b"\x88",
}  # fmt: skip


def unsigned_leb(number: int) -> bytes:
    """Return a number from 0 on in the variable-length form of the format."""
    content = bytearray()
    while True:
        low, number = number & 0x7F, number >> 7
        content.append(low | (0x80 if number else 0))
        if not number:
            return bytes(content)


def signed_leb(number: int) -> bytes:
    """Return a signed number in the variable-length form of the format."""
    content = bytearray()
    while True:
        low, number = number & 0x7F, number >> 7
        if number == (-1 if low & 0x40 else 0):
            content.append(low)
            return bytes(content)
        content.append(low | 0x80)


def encode(module: lir.LowModule, names: bytes, fault: str) -> bytes:
    """Return a verified module as a file.

    Args:
        names: The content of the custom section `rulekit`.
        fault: The function that notes a fault, its site and a number, before the module stops.
    """
    encoder = _Encoder(module, fault)
    pages = -(-module.memory // PAGE)
    sections = (
        (1, _vector(b"\x60" + _values(params) + _values(gives) for params, gives in encoder.types)),
        (3, _vector(unsigned_leb(encoder.type_of(function)) for function in module.functions)),
        (5, _vector([b"\x01" + unsigned_leb(pages) + unsigned_leb(pages)])),
        (7, _vector(encoder.exports())),
        (10, _vector(encoder.function(function) for function in module.functions)),
        (11, _vector(_data(module.place(data.address), data.content) for data in module.data)),
    )
    body = b"".join(bytes([number]) + _with_size(content) for number, content in sections)
    custom = b"\x00" + _with_size(_name(SECTION) + names)
    return b"\x00asm\x01\x00\x00\x00" + body + custom + b"\x00" + _with_size(_name("name") + encoder.names())


class _Encoder:
    """Encodes the functions of one module."""

    def __init__(self, module: lir.LowModule, fault: str) -> None:
        self.module = module
        self.fault = fault
        self.numbers = {function.name: number for number, function in enumerate(module.functions)}
        shapes = dict.fromkeys((len(function.params), int(function.gives)) for function in module.functions)
        self.types = list(shapes)
        self.locals: dict[str, int] = {}
        self.labels: list[str] = []

    def type_of(self, function: lir.LowFunction) -> int:
        """The number of a function's type."""
        return self.types.index((len(function.params), int(function.gives)))

    def exports(self) -> Iterable[bytes]:
        """The entries of what hosts see."""
        yield _name("memory") + b"\x02\x00"
        for name in self.module.exports:
            yield _name(name) + b"\x00" + unsigned_leb(self.numbers[name])

    def names(self) -> bytes:
        """The names of functions, for stack traces."""
        pairs = (unsigned_leb(number) + _name(name) for name, number in self.numbers.items())
        return b"\x01" + _with_size(_vector(pairs))

    def function(self, function: lir.LowFunction) -> bytes:
        """A function's locals and code."""
        own = lir.locals_of(function)
        self.locals = {name: number for number, name in enumerate((*function.params, *own))}
        self.labels = []
        declared = _vector([unsigned_leb(len(own)) + bytes([_VALUE])] if own else [])
        # Where a result is due, the end of the code is never reached (the verifier), but must have a type.
        last = _UNREACHABLE if function.gives else b""
        return _with_size(declared + self.code(function.body) + last + _END)

    def code(self, code: lir.Code) -> bytes:
        """Statements."""
        return b"".join(map(self.statement, code))

    def statement(self, stmt: lir.Stmt) -> bytes:
        """A statement."""
        match stmt:
            case lir.Set():
                return self.value(stmt.value) + _SET + unsigned_leb(self.locals[stmt.local])
            case lir.Store():
                at = self.address(stmt.index)
                return at + self.value(stmt.value) + _STORES[stmt.width] + self.offset(stmt.offset)
            case lir.LowRun():
                return self.call(stmt.function, stmt.arguments)
            case lir.LowIf():
                return self.branch(stmt)
            case lir.LowLoop():
                # A block around the loop is what `Break` leaves.
                self.labels += (f"{stmt.label}/end", stmt.label)
                body = self.code(stmt.body)
                again = b"" if lir.ends(stmt.body) else _BR + unsigned_leb(0)
                del self.labels[-2:]
                return _BLOCK + _LOOP + body + again + _END + _END
            case lir.LowBlock():
                self.labels.append(f"{stmt.label}/end")
                body = self.code(stmt.body)
                self.labels.pop()
                return _BLOCK + body + _END
            case lir.LowBreak():
                return self.jump(f"{stmt.label}/end")
            case lir.LowNext():
                return self.jump(stmt.label)
            case lir.LowReturn():
                return (b"" if stmt.value is None else self.value(stmt.value)) + _RETURN
            case lir.LowFail():
                numbers = (lir.Num(stmt.fault), lir.Num(stmt.site), stmt.about or lir.ZERO)
                return self.call(self.fault, numbers) + _UNREACHABLE

    def branch(self, stmt: lir.LowIf) -> bytes:
        """A statement with two blocks."""
        condition = self.condition(stmt.condition)
        self.labels.append("")
        then, otherwise = self.code(stmt.then), self.code(stmt.otherwise)
        self.labels.pop()
        return condition + _IF + then + (_ELSE + otherwise if otherwise else b"") + _END

    def jump(self, label: str) -> bytes:
        """A jump out of so many blocks."""
        return _BR + unsigned_leb(self.labels[::-1].index(label))

    def call(self, name: str, arguments: Sequence[lir.Expr]) -> bytes:
        """A call, with its arguments before it."""
        return b"".join(map(self.value, arguments)) + _CALL + unsigned_leb(self.numbers[name])

    def address(self, index: lir.Expr | None) -> bytes:
        """The variable part of an address."""
        if index is None:
            return b"\x41\x00"
        if isinstance(index, lir.Num):
            return b"\x41" + signed_leb(index.value)
        return self.value(index) + _TO_ADDRESS

    def offset(self, offset: int) -> bytes:
        """The constant part of an address."""
        return unsigned_leb(self.module.place(offset))

    def condition(self, e: lir.Expr) -> bytes:
        """A value as WebAssembly tests it."""
        match e:
            case lir.LowUnary(op="eqz", value=lir.LowUnary(op="eqz", value=inner)):
                return self.condition(inner)
            case lir.LowUnary(op="eqz", value=inner) if _is_flag(inner):
                return self.condition(inner) + _FLAG_IS_ZERO
            case lir.LowUnary(op="eqz"):
                return self.value(e.value) + _IS_ZERO
            case lir.LowBinary() if e.op in lir.COMPARISONS:
                return self.value(e.left) + self.value(e.right) + _BINARY[e.op]
            case _:
                return self.value(e) + b"\x42\x00" + _BINARY["ne"]

    def value(self, e: lir.Expr) -> bytes:
        """A value on WebAssembly's stack."""
        match e:
            case lir.Num():
                return b"\x42" + signed_leb(e.value - (1 << 64) if e.value >= 1 << 63 else e.value)
            case lir.FixedAddress():
                return b"\x42" + signed_leb(self.module.place(e.offset))
            case lir.Get():
                return _GET + unsigned_leb(self.locals[e.local])
            case lir.LowUnary() | lir.LowBinary() if _is_flag(e):
                return self.condition(e) + _FROM_FLAG
            case lir.LowUnary():
                return self.value(e.value) + _UNARY[e.op]
            case lir.LowBinary():
                return self.value(e.left) + self.value(e.right) + _BINARY[e.op]
            case lir.Load():
                return self.address(e.index) + _LOADS[e.width] + self.offset(e.offset)
            case lir.LowCall():
                return self.call(e.function, e.arguments)
            case lir.Pick():
                return self.value(e.then) + self.value(e.otherwise) + self.condition(e.condition) + _SELECT


def _is_flag(e: lir.Expr) -> bool:
    return isinstance(e, lir.LowUnary | lir.LowBinary) and e.op in lir.COMPARISONS


def _values(count: int) -> bytes:
    return unsigned_leb(count) + bytes([_VALUE]) * count


def _vector(parts: Iterable[bytes]) -> bytes:
    items = list(parts)
    return unsigned_leb(len(items)) + b"".join(items)


def _with_size(content: bytes) -> bytes:
    return unsigned_leb(len(content)) + content


def _name(text: str) -> bytes:
    return _with_size(text.encode("utf-8"))


def _data(address: int, content: bytes) -> bytes:
    return b"\x00\x41" + signed_leb(address) + _END + _with_size(content)
