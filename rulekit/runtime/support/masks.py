"""Masks of members kept beside a state: by value, and by the tests that ask for them.

`Haven where its owner is Japan` walks all havens; with a mask of the havens of each owner it is one look-up.
Such masks are derived state, as those of the pieces at each space are: every change keeps them, saves leave
them out. A state has masks by value if it has one key, over pieces, spaces, groups or an enum, no more than
`MOST_VALUES` values, and is compared somewhere with the variable of a test as its key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir import Expr, Filter, Fold, Local, Op, Program, Read, State, walk
from rulekit.ir.types import Flag, Int, Member, Optional

MOST_VALUES: Final = 16

MOST_WORKED_OUT: Final = 1 << 14
"""Members times values of the largest table of tests that is made before play."""

PLACE: Final = "place"
"""Has masks of its own, whether or not they are asked for."""


def name(state: str) -> str:
    """The name of the flag state of a state's values: its keys are the value and the member."""
    return f"= {state}"


def indexed_states(program: Program) -> list[State]:
    """The states of a program that keep masks, in the order of declaration."""
    able = {state.name: state for state in program.states if span(program, state) is not None}
    if not able:
        return []
    asked: set[str] = set()
    for e, params in _tests(program):
        for node in walk.nodes(e):
            if isinstance(node, Filter | Fold):
                asked |= _compared_states(node.body, {node.var.name})
        asked |= _compared_states(e, params) if params else set()
    return [state for state in able.values() if state.name in asked]


def span(program: Program, state: State) -> tuple[int, int] | None:
    """The lowest and highest value of a state that may keep masks; none comes on top of them."""
    if state.name == PLACE or len(state.keys) != 1 or not isinstance(state.keys[0], str):
        return None
    domains = program.by_name.domains
    kind = state.type.of if isinstance(state.type, Optional) else state.type
    if isinstance(kind, Int):
        ends = (kind.low, kind.high)
    elif isinstance(kind, Member) and domains[kind.domain].sort == "enum":
        ends = (0, len(domains[kind.domain].members) - 1)
    else:
        return None
    return ends if ends[1] - ends[0] + 1 <= MOST_VALUES else None


def _tests(program: Program) -> Iterator[tuple[Expr, frozenset[str]]]:
    """Every expression that is evaluated in play, with the parameters that a test may come to bind."""
    for function in program.functions:
        yield function.body, frozenset(param.name for param in function.params)
    for procedure in program.procedures:
        for stmt in walk.statements(procedure.body):
            for e in walk.expressions(stmt):
                yield e, frozenset()
    for choice in program.choices:
        drawn = frozenset((choice.option.name, *(local.name for local, _ in choice.fields)))
        for e in choice.asked:
            yield e, frozenset()
        for _, value in choice.lets:
            yield value, frozenset()
        for norm in choice.norms:
            for part in (norm.test, norm.cover, norm.whole):
                if part is not None:
                    yield part, drawn


def _compared_states(body: Expr, names: Iterable[str]) -> set[str]:
    """States whose value for one of the names is compared with something."""
    states: set[str] = set()
    for node in walk.nodes(body):
        if not isinstance(node, Op) or node.op not in ("eq", "ne", "is_none"):
            continue
        for part in node.operands:
            match part:
                case Read(state=state, keys=(Local(name=key),), type=kind) if key in names:
                    states |= set() if isinstance(kind, Flag) else {state}
    return states


Journal = Callable[[Any], None] | None


Test = Callable[[int, int], bool]
"""Whether a member passes a test when a state of it has a value."""


class TestRow(dict[int, int]):
    """The tests that one member passes, a bit each, by the value of its state; worked out when asked for."""

    __slots__ = ("_member", "_tests")

    def __init__(self, member: int, tests: Sequence[Test]) -> None:
        super().__init__()
        self._member, self._tests = member, tests

    def __missing__(self, value: int) -> int:
        passed = sum(1 << bit for bit, test in enumerate(self._tests) if test(self._member, value))
        self[value] = passed
        return passed


class CellsOfTests(dict[int, tuple[int, ...]]):
    """The cells of some tests, a bit each; worked out when asked for."""

    __slots__ = ("_cells",)

    def __init__(self, cells: Sequence[int]) -> None:
        super().__init__()
        self._cells = cells

    def __missing__(self, tests: int) -> tuple[int, ...]:
        cells = self[tests] = tuple(cell for bit, cell in enumerate(self._cells) if tests >> bit & 1)
        return cells


@frozen
class TestMasks:
    """Tests of one state: a cell with a mask for each, and for each member which tests hold at which value.

    `rows[member][value]` has bit n for test n; `touched` has the cells of any such number.
    """

    values: Sequence[int]
    known: frozenset[int]
    tests: list[Test]
    rows: list[TestRow]
    cells: list[int]
    touched: CellsOfTests

    def add(self, cell: int, test: Test) -> None:
        """Add a test, whose mask is kept in `cell`."""
        self.cells.append(cell)
        self.tests.append(test)
        self.touched.clear()
        for row in self.rows:
            row.clear()

    def tests_at(self, member: int, value: int) -> int:
        """The tests that a member passes at a value, a bit each; none outside the values of the state."""
        return self.rows[member][value] if value in self.known else 0

    def masks(self, cells: Sequence[Any]) -> list[int]:
        """The masks of all tests, in order, for members that have these values."""
        masks = [0] * len(self.cells)
        for member, value in enumerate(cells):
            held = self.tests_at(member, value)
            for number in range(len(masks)):
                masks[number] |= (held >> number & 1) << member
        return masks

    def table(self) -> tuple[Mapping[int, int] | tuple[int, ...], ...]:
        """The rows for generated code: tuples if they are short and the values are 0, 1, 2 and so on."""
        if len(self.rows) * len(self.values) > MOST_WORKED_OUT or list(self.values) != list(
            range(len(self.values))
        ):
            return tuple(self.rows)
        return tuple(tuple(row[value] for value in self.values) for row in self.rows)

    def flip(self, cells: list[Any], journal: Journal, member: int, tests: int) -> None:
        """A member begins or ceases to pass some tests."""
        bit = 1 << member
        for cell in self.touched[tests]:
            if journal is not None:
                journal(cell)
                journal(cells[cell])
            cells[cell] ^= bit


def classes_of(values: Sequence[int], members: int) -> TestMasks:
    """No tests yet."""
    tests: list[Test] = []
    cells: list[int] = []
    rows = [TestRow(member, tests) for member in range(members)]
    return TestMasks(values, frozenset(values), tests, rows, cells, CellsOfTests(cells))
