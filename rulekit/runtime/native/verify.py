"""The verifier of the low-level IR, which keeps encodings valid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from rulekit.runtime.native import lir


class Broken(Exception):
    """A module breaks the rules of the low-level IR: an error of this back end, never of the rules."""


EVERYTHING = None
"""The locals that are set where nothing can arrive."""

Known = Set[str] | None


def verify(module: lir.LowModule) -> None:
    """Hold that names are there, calls match, locals are set before they are read, and offsets are in memory.

    Raises:
        Broken: Something is wrong; the message names the function.
    """
    functions = {function.name: function for function in module.functions}
    if len(functions) < len(module.functions):
        raise Broken("two functions have one name")
    for name in module.exports:
        if name not in functions:
            raise Broken(f"`{name}` is exported, but no function has this name")
    for data in module.data:
        if not 0 <= module.place(data.address) <= module.memory - len(data.content):
            raise Broken(f"data at {data.address} is outside the memory of {module.memory} bytes")
    for function in module.functions:
        _Verifier(function, functions, module).run()


class _Verifier:
    """Walks one function with the locals that are surely set."""

    def __init__(
        self, function: lir.LowFunction, functions: Mapping[str, lir.LowFunction], module: lir.LowModule
    ) -> None:
        self.function, self.functions, self.module = function, functions, module
        self.open: dict[str, bool] = {}
        """The labels around, and whether each is a loop's."""
        self.left: dict[str, Known] = {}
        """The locals that are set wherever the statement with this label is left."""

    def run(self) -> None:
        """Hold the whole function."""
        if len(set(self.function.params)) < len(self.function.params):
            self.fail("two parameters have one name")
        after = self.code(self.function.body, frozenset(self.function.params))
        if self.function.gives and after is not EVERYTHING:
            self.fail("its end is reached without a result")

    def fail(self, message: str) -> None:
        """Say what is wrong."""
        raise Broken(f"function `{self.function.name}`: {message}")

    def code(self, code: lir.Code, known: Known) -> Known:
        """The locals that are set after a block."""
        for stmt in code:
            known = self.statement(stmt, known)
        return known

    def statement(self, stmt: lir.Stmt, known: Known) -> Known:
        """The locals that are set after a statement."""
        for e in lir.expressions(stmt):
            self.expression(e, known)
        match stmt:
            case lir.Set():
                return EVERYTHING if known is EVERYTHING else known | {stmt.local}
            case lir.Store():
                self.address(stmt.offset, stmt.width)
            case lir.LowRun():
                self.call(stmt.function, stmt.arguments, gives=False)
            case lir.LowIf():
                return _both(self.code(stmt.then, known), self.code(stmt.otherwise, known))
            case lir.LowLoop() | lir.LowBlock():
                return self.labelled_block(stmt, known)
            case lir.LowBreak() | lir.LowNext():
                self.jump(stmt, known)
                return EVERYTHING
            case lir.LowReturn():
                if (stmt.value is not None) is not self.function.gives:
                    self.fail("a result is returned where none is given, or none where one is")
                return EVERYTHING
            case lir.LowFail():
                return EVERYTHING
        return known

    def labelled_block(self, stmt: lir.LowLoop | lir.LowBlock, known: Known) -> Known:
        """A statement that may be left."""
        if stmt.label in self.open:
            self.fail(f"the label `{stmt.label}` is open already")
        loop = isinstance(stmt, lir.LowLoop)
        self.open[stmt.label] = loop
        self.left[stmt.label] = EVERYTHING
        after = self.code(stmt.body, known)
        del self.open[stmt.label]
        left = self.left.pop(stmt.label)
        return left if loop else _both(after, left)

    def jump(self, stmt: lir.LowBreak | lir.LowNext, known: Known) -> None:
        """A statement that leaves another, or begins its next run."""
        if stmt.label not in self.open or isinstance(stmt, lir.LowNext) and not self.open[stmt.label]:
            self.fail(f"no open loop or block is called `{stmt.label}`")
        if isinstance(stmt, lir.LowBreak):
            self.left[stmt.label] = _both(self.left[stmt.label], known)

    def expression(self, e: lir.Expr, known: Known) -> None:
        """Everything in an expression."""
        for part in _nodes(e):
            match part:
                case lir.Get() if known is not EVERYTHING and part.local not in known:
                    self.fail(f"the local `{part.local}` may be read before it is set")
                case lir.Load():
                    self.address(part.offset, part.width)
                case lir.FixedAddress():
                    self.address(part.offset, 0)
                case lir.LowCall():
                    self.call(part.function, part.arguments, gives=True)
                case lir.Num() if not -(2**63) <= part.value < 2**64:
                    self.fail(f"{part.value} has more than 64 bits")

    def call(self, name: str, arguments: tuple[lir.Expr, ...], *, gives: bool) -> None:
        """A call and what it calls."""
        called = self.functions.get(name)
        if called is None:
            self.fail(f"it calls `{name}`, but no function has this name")
        elif len(called.params) != len(arguments) or called.gives is not gives:
            self.fail(f"its call of `{name}` does not match that function")

    def address(self, offset: int, width: int) -> None:
        """A constant offset."""
        if not 0 <= self.module.place(offset) <= self.module.memory - width:
            self.fail(f"the offset {offset} is outside the memory")


def _nodes(e: lir.Expr) -> Iterator[lir.Expr]:
    waiting = [e]
    while waiting:
        e = waiting.pop()
        yield e
        waiting += lir.inside(e)


def _both(one: Known, other: Known) -> Known:
    """The locals that are set on both ways here."""
    if one is EVERYTHING or other is EVERYTHING:
        return other if one is EVERYTHING else one
    return one & other
