"""One function of the low-level IR under construction, and its operations with constants folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulekit.runtime.native import lir

Words = tuple[lir.Expr, ...]
"""A value: one word, or the words of a set; of a list or map the address where it stands."""

WORD = (1 << 64) - 1


class LowBuilder:
    """A function under construction."""

    def __init__(self, name: str, params: Sequence[str] = ()) -> None:
        self.name = name
        self.params = tuple(params)
        self.code: list[lir.Stmt] = []
        self._made = 0

    def fresh(self, name: str = "t") -> str:
        """A name for a local, or a label."""
        self._made += 1
        return f"{name}.{self._made}"

    def emit(self, *stmts: lir.Stmt) -> None:
        """Put statements at the end of the block that is being written."""
        self.code += stmts

    def set(self, local: str, value: lir.Expr) -> None:
        """Give a local a value; its own leaves it as it is."""
        if value != lir.Get(local):
            self.emit(lir.Set(local, value))

    def set_all(self, names: Sequence[str], words: Words) -> None:
        """Give locals a value of as many words."""
        for local, word in zip(names, words, strict=True):
            self.set(local, word)

    def unite(self, names: Sequence[str], words: Words) -> None:
        """Put the members of a set into one that is being made."""
        self.set_all(names, each("or", gets(names), words))

    def bind(self, value: lir.Expr, name: str = "t") -> lir.Expr:
        """The value in a local of its own, unless it is one already or a number."""
        if isinstance(value, lir.Num | lir.Get | lir.FixedAddress):
            return value
        local = self.fresh(name)
        self.set(local, value)
        return lir.Get(local)

    def bind_all(self, values: Words, name: str = "t") -> Words:
        """The same for some values."""
        return tuple(self.bind(value, name) for value in values)

    def variables(self, values: Words, name: str) -> tuple[str, ...]:
        """Locals that begin with these values and will change."""
        names = tuple(self.fresh(name) for _ in values)
        self.set_all(names, values)
        return names

    @contextmanager
    def inner(self) -> Iterator[list[lir.Stmt]]:
        """Write a block of its own, which is what is given."""
        outer, self.code = self.code, []
        try:
            yield self.code
        finally:
            self.code = outer

    @contextmanager
    def when(self, condition: lir.Expr) -> Iterator[None]:
        """Write statements that run only if a condition holds."""
        with self.inner() as then:
            yield
        if condition == lir.ZERO:
            return
        if isinstance(condition, lir.Num):
            self.emit(*then)
        elif then:
            self.emit(lir.LowIf(condition, tuple(then)))

    @contextmanager
    def loop(self, name: str = "loop") -> Iterator[str]:
        """Write the body of a loop; its label is given."""
        label = self.fresh(name)
        with self.inner() as body:
            yield label
        self.emit(lir.LowLoop(label, tuple(body)))

    def finish(self, *, gives: bool = False) -> lir.LowFunction:
        """The finished function."""
        return lir.LowFunction(self.name, self.params, gives, tuple(self.code))


def gets(names: Sequence[str]) -> Words:
    """The values of locals."""
    return tuple(map(lir.Get, names))


_OF_EQUALS: dict[lir.BinaryName, int] = {
    "eq": 1,
    "le_s": 1,
    "ge_s": 1,
    "ge_u": 1,
    "ne": 0,
    "lt_s": 0,
    "gt_s": 0,
    "lt_u": 0,
    "sub": 0,
    "xor": 0,
}
"""The results of operations on two equal sides."""


def _with_sign(number: int) -> int:
    number &= WORD
    return number - (1 << 64) if number >> 63 else number


def binary(op: lir.BinaryName, left: lir.Expr, right: lir.Expr) -> lir.Expr:
    """An operation, folded where both sides are known, or one changes nothing."""
    if isinstance(left, lir.Num) and isinstance(right, lir.Num):
        known = _fold(op, _with_sign(left.value), _with_sign(right.value))
        if known is not None:
            return lir.Num(known)
    if isinstance(left, lir.Get) and left == right and op in _OF_EQUALS:
        return lir.Num(_OF_EQUALS[op])
    if right == lir.ZERO and op in ("add", "sub", "or", "xor", "shl", "shr_u", "shr_s"):
        return left
    if left == lir.ZERO and op in ("add", "or", "xor"):
        return right
    if right == lir.ONE and op == "mul":
        return left
    if op == "and" and lir.ZERO in (left, right):
        return lir.ZERO
    if op == "and" and isinstance(right, lir.Num) and _with_sign(right.value) == -1:
        return left
    return lir.LowBinary(op, left, right)


def _fold(op: lir.BinaryName, a: int, b: int) -> int | None:
    match op:
        case "add":
            return _with_sign(a + b)
        case "sub":
            return _with_sign(a - b)
        case "mul":
            return _with_sign(a * b)
        case "and":
            return _with_sign(a & b)
        case "or":
            return _with_sign(a | b)
        case "xor":
            return _with_sign(a ^ b)
        case "shl":
            return _with_sign(a << (b & 63))
        case "eq":
            return int(a == b)
        case "ne":
            return int(a != b)
        case "lt_s":
            return int(a < b)
        case "le_s":
            return int(a <= b)
        case "gt_s":
            return int(a > b)
        case "ge_s":
            return int(a >= b)
        case _:
            return None


def add(left: lir.Expr, right: lir.Expr) -> lir.Expr:
    """A sum; numbers that are known go to the end."""
    if isinstance(left, lir.Num):
        left, right = right, left
    return binary("add", left, right)


def plus(left: lir.Expr, number: int) -> lir.Expr:
    """A sum with a number."""
    return add(left, lir.Num(number))


def times(left: lir.Expr, number: int) -> lir.Expr:
    """A product with a number."""
    if number > 1 and number & number - 1 == 0 and not isinstance(left, lir.Num):
        return binary("shl", left, lir.Num(number.bit_length() - 1))
    return binary("mul", left, lir.Num(number))


def address(at: int) -> lir.Expr:
    """An address as a value."""
    return lir.FixedAddress(at) if at >= lir.FIXED else lir.Num(at)


def zero(value: lir.Expr) -> lir.Expr:
    """Whether a value is 0."""
    if isinstance(value, lir.Num):
        return lir.Num(int(value.value == 0))
    if isinstance(value, lir.LowBinary) and value.op in _OPPOSITE:
        return lir.LowBinary(_OPPOSITE[value.op], value.left, value.right)
    return lir.LowUnary("eqz", value)


_OPPOSITE: dict[lir.BinaryName, lir.BinaryName] = {
    "eq": "ne",
    "ne": "eq",
    "lt_s": "ge_s",
    "ge_s": "lt_s",
    "le_s": "gt_s",
    "gt_s": "le_s",
    "lt_u": "ge_u",
    "ge_u": "lt_u",
}


def both(left: lir.Expr, right: lir.Expr) -> lir.Expr:
    """Whether both conditions hold, each 1 or 0."""
    if lir.ONE in (left, right):
        return right if left == lir.ONE else left
    return binary("and", left, right)


def pick(condition: lir.Expr, then: lir.Expr, otherwise: lir.Expr) -> lir.Expr:
    """One of two values."""
    if isinstance(condition, lir.Num):
        return then if condition.value else otherwise
    return then if then == otherwise else lir.Pick(condition, then, otherwise)


def each(op: lir.BinaryName, left: Words, right: Words) -> Words:
    """An operation word by word; the shorter side goes on with 0."""
    count = max(len(left), len(right))
    pairs = zip(pad(left, count), pad(right, count), strict=True)
    return tuple(binary(op, a, b) for a, b in pairs)


def compare(op: lir.BinaryName, left: Words, right: Words) -> lir.Expr:
    """A comparison of two numbers or, of two words each, of ratios."""
    if len(left) == len(right) == 1:
        return binary(op, left[0], right[0])
    (upper, lower), (other, under) = left, right
    return binary(op, binary("mul", upper, under), binary("mul", other, lower))


def pad(words: Words, count: int) -> Words:
    """So many words: those of a smaller set go on with 0."""
    return (*words[:count], *(lir.ZERO for _ in range(count - len(words))))


def without(left: Words, right: Words) -> Words:
    """The members of one set that another lacks."""
    opposite = tuple(binary("xor", word, lir.Num(-1)) for word in pad(right, len(left)))
    return each("and", left, opposite)


def any_word(words: Words) -> lir.Expr:
    """A value that is not 0 if a set holds anything."""
    whole = words[0]
    for word in words[1:]:
        whole = binary("or", whole, word)
    return whole


def count(words: Words) -> lir.Expr:
    """How many members a set has."""
    whole: lir.Expr = lir.ZERO
    for word in words:
        number = word.value & WORD if isinstance(word, lir.Num) else None
        ones = lir.LowUnary("popcnt", word) if number is None else lir.Num(number.bit_count())
        whole = add(whole, ones)
    return whole
