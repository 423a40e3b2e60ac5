"""One procedure or choice while it is lowered: its locals, its loops, and how it ends."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.ir import Expr, Local, Param
from rulekit.ir.types import ListOf, MapOf, Type
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import LowBuilder, Words
from rulekit.runtime.native.lower.expressions import ExpressionLowerer
from rulekit.runtime.native.lower.memory import OVER, STATUS_AT
from rulekit.runtime.native.lower.unit import ModuleUnit


class RoutineLowerer(ExpressionLowerer):
    """The lowerer of one procedure or choice.

    Locals that are words change in locals of the low-level IR; lists and maps in a buffer of the routine.
    """

    def __init__(
        self, unit: ModuleUnit, name: str, params: Iterable[Param], result: Type | None, site: int
    ) -> None:
        self.kinds: dict[str, Type] = {}
        taken = list(params)
        names = [part for param in taken for part in part_names(unit, param.name, param.type)]
        super().__init__(unit, LowBuilder(name, names), {}, site)
        self.result = result
        for param in taken:
            parts = b.gets(part_names(unit, param.name, param.type))
            self.kinds[param.name] = param.type
            if isinstance(param.type, ListOf | MapOf):
                # The state that a list comes from may change while the routine runs.
                self.bind_local(Local(param.name, param.type), parts)
            else:
                self.names[param.name] = parts

    def declare(self, locals_: Iterable[Local]) -> None:
        """Give locals a value before anything runs, so that every one has one wherever it is read."""
        for local in locals_:
            if local.name not in self.names:
                kind = self.kinds.setdefault(local.name, local.type)
                if isinstance(kind, ListOf | MapOf):
                    self.names[local.name] = (b.address(self._buffer(local.name, kind)),)
                    continue
                names = part_names(self.unit, local.name, kind)
                for name in names:
                    self.build.set(name, lir.ZERO)
                self.names[local.name] = b.gets(names)

    def _buffer(self, name: str, kind: Type) -> int:
        return self.unit.buffer(self.build.name, f"local {name}", self.unit.shapes.room(kind))

    def bind_local(self, local: Local, words: Words) -> None:
        """Bind a local to a value."""
        kind = self.kinds.setdefault(local.name, local.type)
        if isinstance(kind, ListOf | MapOf):
            buffer = self._buffer(local.name, kind)
            self.keep((buffer, None), words, kind)
            self.names[local.name] = (b.address(buffer),)
            return
        names = part_names(self.unit, local.name, kind)
        words = b.pad(words, len(names))
        if len(words) > 1:
            words = self.build.bind_all(words)
        self.build.set_all(names, words)
        self.names[local.name] = b.gets(names)

    # ------------------------------------------------------------ ends and calls

    @property
    def gives(self) -> bool:
        """Whether the routine gives its result in a word."""
        return self.result is not None and not self.unit.apart(self.result)

    def leave(self, words: Words | None) -> None:
        """End the routine with a result, if it has one."""
        if self.gives:
            self.build.emit(lir.LowReturn(words[0] if words else lir.ZERO))
            return
        if words and self.result is not None:
            result = self.unit.result(self.build.name, self.result)
            if words != (lir.Num(result),):  # else it was made there
                self.keep((result, None), words, self.result)
        self.build.emit(lir.LowReturn())

    def give(self, words: Words) -> None:
        """End with a value that the routine's result is."""
        self.leave(b.pad(words, self.unit.shapes.words(self.result)) if self.result else words)

    def leave_if_over(self) -> None:
        """End the routine if the game has ended in what has just run."""
        with self.build.when(b.binary("eq", lir.Load(STATUS_AT), lir.Num(OVER))):
            self.leave(None)

    def arguments(self, values: Iterable[Expr], params: Iterable[Param]) -> tuple[lir.Expr, ...]:
        """The arguments of a call, word by word."""
        words: list[lir.Expr] = []
        for value, param in zip(values, params, strict=True):
            words += self.words_as(value, param.type)
        return tuple(words)

    def call(self, name: str, arguments: tuple[lir.Expr, ...], result: Type | None) -> Words:
        """Run a routine; its result, which is to be bound at once."""
        if result is None or not self.unit.apart(result):
            if result is None:
                self.build.emit(lir.LowRun(name, arguments))
                return (lir.ZERO,)
            return (self.build.bind(lir.LowCall(name, arguments)),)
        self.build.emit(lir.LowRun(name, arguments))
        return self.load((self.unit.result(name, result), None), result)

    def finish(self) -> lir.LowFunction:
        """The finished function."""
        if self.gives and not lir.ends(tuple(self.build.code)):
            self.build.emit(lir.LowReturn(lir.ZERO))
        return self.build.finish(gives=self.gives)


def part_names(unit: ModuleUnit, name: str, kind: Type) -> tuple[str, ...]:
    """The names of the words of a local."""
    count = unit.shapes.words(kind)
    return (f"${name}",) if count == 1 else tuple(f"${name}:{number}" for number in range(count))
