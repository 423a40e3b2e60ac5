"""Functions that can stop: a pass over the low-level IR for builds that ask their host (decision 0088).

A call may stop if it reaches `ask`. When a question is open, each function on the way out keeps its locals
and the number of the call in a frame, and returns. When the answer has come, the functions run again from
the outermost on: each takes its frame back and goes straight to that call. On the way there its local `#at`
is the number of the call, else 0; all other parts run only if it is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.memory import ASKING, CELL, RESUMING, STATUS_AT

ASK = "ask"
AT, TAKEN, RESULT = "#at", "#taken", "#result"


def stopping(functions: Sequence[lir.LowFunction]) -> frozenset[str]:
    """Return the names of the functions that may stop: those that reach `ask`."""
    calls = {item.name: frozenset(calls_in(item.body)) for item in functions}
    names = {ASK}
    while more := {name for name, called in calls.items() if called & names} - names:
        names |= more
    return frozenset(names - {ASK})


def calls_in(code: lir.Code) -> Iterator[str]:
    """The functions that statements call; those in expressions as well."""
    for stmt in lir.statements(code):
        if isinstance(stmt, lir.LowRun):
            yield stmt.function
        waiting = list(lir.expressions(stmt))
        while waiting:
            e = waiting.pop()
            waiting += lir.inside(e)
            if isinstance(e, lir.LowCall):
                yield e.function


def make_stoppable(function: lir.LowFunction, names: Set[str], top: int) -> tuple[lir.LowFunction, int]:
    """Return a function that keeps its place where a question stops it, and the words of its frame.

    Args:
        names: The functions that may stop, and `ask`.
        top: The address of the word with the end of the frames.
    """
    stopper = _Stopper(function, names, top)
    return stopper.function(), len(stopper.kept) + 1


class _Stopper:
    """Rewrites one function."""

    def __init__(self, function: lir.LowFunction, names: Set[str], top: int) -> None:
        self.item, self.names, self.top = function, names, top
        self.calls = 0
        self.kept = self._locals_to_keep()

    def function(self) -> lir.LowFunction:
        """The function with its frame taken back, and each of its parts guarded."""
        body = self.code(self.item.body)
        own = (*lir.locals_of(self.item), TAKEN, RESULT)
        begin = (*(lir.Set(name, lir.ZERO) for name in own), lir.Set(AT, lir.ZERO))
        resuming = b.binary("eq", lir.Load(STATUS_AT), lir.Num(RESUMING))
        last = (lir.LowReturn(lir.ZERO),) if self.item.gives else ()
        return replace(self.item, body=(*begin, lir.LowIf(resuming, self._take_back()), *body, *last))

    # ------------------------------------------------------------ frames

    def _locals_to_keep(self) -> tuple[str, ...]:
        """The locals that a frame must hold: parameters, and those that more than one part of the body names.

        A local that one part alone names is set there before it is read, each time that the part runs.
        """
        parts: dict[str, set[int]] = {}
        for number, names in enumerate(self._parts(self.item.body)):
            for name in names:
                parts.setdefault(name, set()).add(number)
        own = (name for name in lir.locals_of(self.item) if len(parts.get(name, ())) > 1)
        return (*self.item.params, *own)

    def _parts(self, code: lir.Code) -> Iterator[set[str]]:
        """The locals that each part of a block names: statements that cannot stop, or one that can."""
        part: set[str] = set()
        for stmt in code:
            if not self.may_stop(stmt):
                part |= _names((stmt,))
                continue
            yield part
            part = set()
            own = set().union(*map(_names_in, lir.expressions(stmt)))
            if isinstance(stmt, lir.Set):
                # The result is given to the local after the frame is taken back.
                yield own
                yield {stmt.local}
                part = {stmt.local}
                continue
            yield own
            for block in lir.blocks(stmt):
                yield from self._parts(block)
        yield part

    def _take_back(self) -> lir.Code:
        """Take the frame that was put away last."""
        size = CELL * (len(self.kept) + 1)
        before = b.binary("sub", lir.Load(self.top), lir.Num(size))
        load = (lir.Set(name, lir.Load(CELL * place, lir.Get(TAKEN))) for place, name in enumerate(self.kept))
        at = lir.Set(AT, lir.Load(size - CELL, lir.Get(TAKEN)))
        return (lir.Set(TAKEN, before), lir.Store(self.top, None, lir.Get(TAKEN)), *load, at)

    def _put_away(self, number: int) -> lir.Code:
        """Put a frame away, and leave."""
        size = CELL * (len(self.kept) + 1)
        keep = (
            lir.Store(CELL * place, lir.Get(TAKEN), lir.Get(name)) for place, name in enumerate(self.kept)
        )
        end = lir.Store(self.top, None, b.plus(lir.Get(TAKEN), size))
        at = lir.Store(size - CELL, lir.Get(TAKEN), lir.Num(number))
        leave = lir.LowReturn(lir.ZERO if self.item.gives else None)
        return (lir.Set(TAKEN, lir.Load(self.top)), *keep, at, end, leave)

    # ------------------------------------------------------------ code

    def may_stop(self, stmt: lir.Stmt) -> bool:
        """Whether a statement may stop."""
        return not self.names.isdisjoint(calls_in((stmt,)))

    def code(self, code: lir.Code) -> lir.Code:
        """Statements, each on the way to a call or skipped on it."""
        written: list[lir.Stmt] = []
        part: list[lir.Stmt] = []

        def end_part() -> None:
            if part:
                written.append(lir.LowIf(b.zero(lir.Get(AT)), tuple(part)))
                part.clear()

        for stmt in code:
            if self.may_stop(stmt):
                end_part()
                written += self._stopping(stmt)
            else:
                part.append(stmt)
        end_part()
        return tuple(written)

    def _stopping(self, stmt: lir.Stmt) -> lir.Code:
        """A statement that may stop."""
        first = self.calls + 1
        match stmt:
            case lir.Set(value=lir.LowCall()) | lir.LowRun():
                self.calls += 1
                return (lir.LowIf(self._on_way(first, first), self._call(stmt, first)),)
            case lir.LowIf():
                then = self.code(stmt.then)
                middle = self.calls
                otherwise = self.code(stmt.otherwise)
                holds = self._fresh()
                chosen = lir.LowIf(b.zero(lir.Get(AT)), (lir.Set(holds, stmt.condition),))
                goes = lir.Set(holds, b.binary("le_s", lir.Get(AT), lir.Num(middle)))
                branch = lir.LowIf(lir.Get(holds), then, otherwise)
                return (lir.LowIf(self._on_way(first, self.calls), (goes, chosen, branch)),)
            case lir.LowLoop() | lir.LowBlock():
                body = self.code(stmt.body)
                return (lir.LowIf(self._on_way(first, self.calls), (replace(stmt, body=body),)),)
            case _:
                raise AssertionError(stmt)  # calls that may stop are statements of their own

    def _fresh(self) -> str:
        return f"#holds {self.calls}"

    def _on_way(self, first: int, last: int) -> lir.Expr:
        """Whether a part runs: normally, or on the way to one of its calls."""
        at = lir.Get(AT)
        inside = b.both(b.binary("ge_s", at, lir.Num(first)), b.binary("le_s", at, lir.Num(last)))
        return b.binary("or", b.zero(at), inside)

    def _call(self, stmt: lir.Set | lir.LowRun, number: int) -> lir.Code:
        """A call, after which the function stops too, or goes on."""
        stops = b.binary("eq", lir.Load(STATUS_AT), lir.Num(ASKING))
        leave = lir.LowIf(stops, self._put_away(number))
        goes_on = lir.Set(AT, lir.ZERO)
        if isinstance(stmt, lir.LowRun):
            return (stmt, leave, goes_on)
        return (lir.Set(RESULT, stmt.value), leave, goes_on, lir.Set(stmt.local, lir.Get(RESULT)))


def _names(code: lir.Code) -> set[str]:
    """The locals that statements name."""
    names: set[str] = set()
    for stmt in lir.statements(code):
        if isinstance(stmt, lir.Set):
            names.add(stmt.local)
        for e in lir.expressions(stmt):
            names |= _names_in(e)
    return names


def _names_in(e: lir.Expr) -> set[str]:
    """The locals that an expression reads."""
    names = {e.local} if isinstance(e, lir.Get) else set()
    return names.union(*map(_names_in, lir.inside(e)))
