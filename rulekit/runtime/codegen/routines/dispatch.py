"""Blocks of a routine that may stop, as one Python function that can begin at any of them.

A block is reached by a jump, or where a routine is run again from its frame.  One that is reached from one
place only is written there.  All others form a tree of tests on the label `p`.  A loop with a stop inside
is a Python loop of its own, a *region*: a tree for the blocks in it, and then its head, into which they fall,
so that going round costs one test.  Nothing but its `break` leaves it, to what follows the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.runtime.codegen.module_writer import Lines, PyLine, deeper

DEEPEST: Final = 45
"""Levels of indentation beyond which a block is not written in the place of the one jump to it."""


@frozen
class Goto:
    """Go on at a block; nothing that would run comes after it."""

    depth: int
    block: int
    site: int


@dataclass
class Block:
    """Lines up to a jump or stop; how often the block is the aim of a jump, and in which region it stands."""

    region: int
    lines: list[PyLine | Goto] = field(default_factory=list)
    jumps: int = 0
    resumed: bool = False


@frozen
class Region:
    """A loop with a stop inside, or the whole routine: it begins at `head`, whose label is its lowest.

    `end` is the block after the loop, which belongs to the region around it; the whole has none.
    """

    around: int
    head: int
    end: int | None


@frozen
class _Where:
    """The place that a block is written in: a region, and its `start`, its `tree` or its `head`."""

    region: int
    part: str


WHOLE = 0
"""The region that is the whole routine; its head is the block 0, where the routine begins."""


@dataclass
class Dispatch:
    """Prints the blocks of one routine."""

    blocks: Sequence[Block]
    regions: Sequence[Region]
    site: int

    def __post_init__(self) -> None:
        heads = {region.head for region in self.regions}
        ends = {region.end for region in self.regions}
        several = (n for n, block in enumerate(self.blocks) if block.resumed or block.jumps > 1)
        self._standing = (heads | set(several)) - ends
        self._round = False

    def start(self, depth: int) -> Lines:
        """The code that runs when the routine is called; it goes on in `rest` with the label in `p`."""
        return self._print_settled(lambda: self._block(0, depth, _Where(WHOLE, "start")))

    def rest(self, depth: int) -> Lines:
        """All blocks that can be begun at, by the label in `p`."""
        tree = self._print_settled(lambda: self._tree(self._items(WHOLE), depth, _Where(WHOLE, "tree")))
        if not self._round:
            return tree
        return [PyLine(depth, "while True:", self.site), *deeper(tree)]

    def _print_settled(self, write: Callable[[], Lines]) -> Lines:
        """What `write` gives, once it needs no block that nothing can be begun at yet."""
        while True:
            known = len(self._standing)
            lines = write()
            if known == len(self._standing):
                return lines

    def _items(self, region: int) -> list[tuple[int, int | None]]:
        """The leaves of a region's tree: its blocks, and the regions in it; the first label of each."""
        head = self.regions[region].head
        blocks: list[tuple[int, int | None]] = [
            (n, None)
            for n, block in enumerate(self.blocks)
            if block.region == region and n in self._standing and n != head
        ]
        inner = enumerate(self.regions[1:], 1)
        return sorted([*blocks, *((one.head, n) for n, one in inner if one.around == region)])

    def _tree(self, items: Sequence[tuple[int, int | None]], depth: int, where: _Where) -> Lines:
        """Tests on the label, halving what is left."""
        if not items:
            return []
        if len(items) == 1:
            first, region = items[0]
            return self._block(first, depth, where) if region is None else self._region(region, depth, where)
        half = len(items) // 2
        left = self._tree(items[:half], depth + 1, where)
        right = self._tree(items[half:], depth + 1, where)
        test = PyLine(depth, f"if p < {items[half][0]}:", self.site)
        return [test, *left, PyLine(depth, "else:", self.site), *right]

    def _region(self, number: int, depth: int, where: _Where) -> Lines:
        region = self.regions[number]
        assert region.end is not None
        lines = [PyLine(depth, "while True:", self.site)]
        items = self._items(number)
        if items:
            lines.append(PyLine(depth + 1, f"if p != {region.head}:", self.site))
            lines += self._tree(items, depth + 2, _Where(number, "tree"))
        lines += self._block(region.head, depth + 1, _Where(number, "head"))
        return lines + self._block(region.end, depth, where)

    def _block(self, number: int, depth: int, where: _Where) -> Lines:
        lines: Lines = []
        for line in self.blocks[number].lines:
            if isinstance(line, PyLine):
                lines.append(PyLine(line.depth + depth, line.text, line.site))
            elif line.block == self.regions[where.region].end:
                lines.append(PyLine(line.depth + depth, "break", line.site))
            elif line.block in self._standing or line.depth + depth > DEEPEST:
                self._standing.add(line.block)
                lines.append(PyLine(line.depth + depth, self._jump(line.block, where), line.site))
            else:
                lines += self._block(line.block, line.depth + depth, where)
        return lines

    def _jump(self, block: int, where: _Where) -> str:
        """A jump to a block in the tree, or to the head."""
        head = self.regions[where.region].head
        if where.part == "head" and block == head:
            return "continue"
        if where.part == "start" or where.part == "tree" and block == head:
            return f"p = {block}"
        self._round = self._round or where.region == WHOLE
        return f"p = {block}; continue"
