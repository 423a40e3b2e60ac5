"""Shortest ways between members by a fixed relation, found when they are looked up."""

from __future__ import annotations

from rulekit.base.bits import member_ids
from rulekit.ir.steps import Ways
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.lowerer import word_offset
from rulekit.runtime.native.lower.memory import CELL, mask_words
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit

START, GOAL = lir.Get("start"), lir.Get("goal")


def way(unit: ModuleUnit, table: str) -> lir.LowFunction:
    """The members of a shortest way from one to another, both included; none, where no way leads.

    Of several ways the one that goes to the lowest member where they first differ.
    """
    item = unit.facts.tables[table]
    ways: object = item.values
    assert isinstance(ways, Ways)
    x = RoutineLowerer(unit, unit.way(table), (), None, -1)
    x.build.params = ("start", "goal")
    finder = _Finder(x, ways.rows.touching, unit.result(x.build.name, item.type))
    finder.count_steps()
    finder.walk()
    return x.finish()


class _Finder:
    """Finds a way: counts the steps to the goal, then goes to one that is nearer each time."""

    def __init__(self, x: RoutineLowerer, touching: tuple[int, ...], result: int) -> None:
        self.x, self.build, self.result = x, x.build, result
        self.size, self.count = len(touching), max(-(-len(touching) // 64), 1)
        turned = [0] * self.size
        for at, mask in enumerate(touching):
            for to in member_ids(mask):
                turned[to] |= 1 << at
        self.touching, self.turned = (
            x.unit.rows((mask_words(row, self.count) for row in rows), self.count)
            for rows in (touching, turned)
        )
        self.steps = x.unit.memory.reserve(self.size)
        self.last = x.unit.memory.reserve(1)
        """The highest number that earlier ways have noted; a member without a higher one is not known yet."""
        self.before = x.build.bind(lir.Load(self.last))

    def _row(self, rows: int, member: lir.Expr) -> Words:
        at = self.build.bind(b.times(member, self.count * CELL))
        return tuple(lir.Load(rows + CELL * n, at) for n in range(self.count))

    def _steps(self, member: lir.Expr) -> lir.Expr:
        """The number noted of a member: less `before`, the steps to the goal and one, if these are known."""
        return lir.Load(self.steps, b.times(member, CELL))

    def count_steps(self) -> None:
        """Note for each member how many steps it is from the goal, until the start is reached."""
        x, build = self.x, self.build
        reached = build.variables(x.bit_words(GOAL, self.count), "reached")
        front = x.unit.buffer(build.name, "front", self.count)
        x.store((front, None), b.gets(reached))
        number = build.variables((self.before,), "number")[0]
        word = build.bind(word_offset(START))
        with build.loop("rounds") as label:
            build.set(number, b.plus(lir.Get(number), 1))
            here = b.binary("and", lir.LowBinary("shr_u", lir.Load(front, word), START), lir.ONE)
            with build.when(here):
                x.store((self.steps, b.times(START, CELL)), (lir.Get(number),))
                build.emit(lir.LowBreak(label))
            beyond = build.variables(tuple(lir.ZERO for _ in reached), "beyond")
            with x.members_at((front, None), self.count, "at") as (member, _):
                x.store((self.steps, b.times(member, CELL)), (lir.Get(number),))
                build.unite(beyond, self._row(self.turned, member))
            fresh = build.bind_all(b.without(b.gets(beyond), b.gets(reached)))
            with build.when(b.zero(b.any_word(fresh))):
                build.emit(lir.LowBreak(label))
            x.store((front, None), fresh)
            build.unite(reached, fresh)
        x.store((self.last, None), (lir.Get(number),))

    def walk(self) -> None:
        """Leave the way as a list."""
        x, build = self.x, self.build
        x.store((self.result, None), (lir.ZERO,))
        with build.when(b.binary("le_s", self._steps(START), self.before)):
            build.emit(lir.LowReturn())
        at = build.variables((START,), "at")[0]
        length = build.variables((lir.ZERO,), "length")[0]
        with build.loop("way") as label:
            build.set(length, b.plus(lir.Get(length), 1))
            x.store((self.result, b.times(lir.Get(length), CELL)), (lir.Get(at),))
            with build.when(b.binary("eq", lir.Get(at), GOAL)):
                build.emit(lir.LowBreak(label))
            closer = build.bind(b.plus(self._steps(lir.Get(at)), -1))
            with x.members(self._row(self.touching, lir.Get(at)), "to") as (to, inner):
                with build.when(b.binary("eq", self._steps(to), closer)):
                    build.set(at, to)
                    build.emit(lir.LowBreak(inner))
        x.store((self.result, None), (lir.Get(length),))
