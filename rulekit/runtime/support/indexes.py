"""States with few values that tests over sets ask for: which of them keep a mask for each value.

`Haven where its owner is Japan` walks all havens; with a mask of the havens of each owner it is one
look-up.  Such masks are derived state, as those of the pieces at each space are: every change keeps
them, saves leave them out.  A state has them if it has one key, over pieces or spaces or an enum, no more
than `MOST_VALUES` values, and is compared somewhere with the variable of a test as its key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rulekit.ir import Expr, Filter, Fold, Local, Op, Program, Read, State, walk
from rulekit.ir.types import Flag, Int, Member, Optional

MOST_VALUES: Final = 16

PLACE: Final = "place"
"""Has masks of its own, whether or not they are asked for."""


def name(state: str) -> str:
    """The name of the flag state of a state's values: its keys are the value and the member."""
    return f"= {state}"


def indexed(program: Program) -> list[State]:
    """The states of a program that keep masks, in the order of declaration."""
    able = {state.name: state for state in program.states if span(program, state) is not None}
    if not able:
        return []
    asked: set[str] = set()
    for e, params in _tests(program):
        for node in walk.nodes(e):
            if isinstance(node, Filter | Fold):
                asked |= _asked(node.body, {node.var.name})
        asked |= _asked(e, params) if params else set()
    return [state for state in able.values() if state.name in asked]


def span(program: Program, state: State) -> tuple[int, int] | None:
    """The lowest and highest value of a state that may keep masks; none comes on top of them."""
    if state.name == PLACE or len(state.keys) != 1 or not isinstance(state.keys[0], str):
        return None
    domains = program.by_name.domains
    if domains[state.keys[0]].sort == "group":
        return None
    kind = state.type.of if isinstance(state.type, Optional) else state.type
    match kind:
        case Int(low=low, high=high):
            found = (low, high)
        case Member(domain=domain) if domains[domain].sort == "enum":
            found = (0, len(domains[domain].members) - 1)
        case _:
            return None
    return found if found[1] - found[0] + 1 <= MOST_VALUES else None


def _tests(program: Program) -> Iterator[tuple[Expr, frozenset[str]]]:
    """Every expression that is evaluated in play, with the parameters that a test may come to bind."""
    for function in program.functions:
        yield function.body, frozenset(param.name for param in function.params)
    for procedure in program.procedures:
        for stmt in walk.statements(procedure.body):
            for e in walk.expressions(stmt):
                yield e, frozenset()
    for choice in program.choices:
        option = frozenset((choice.option.name,))
        for part in (choice.items, choice.candidates, choice.low, choice.high, choice.total):
            if part is not None:
                yield part, frozenset()
        for _, value in choice.lets:
            yield value, frozenset()
        for norm in choice.norms:
            for part in (norm.test, norm.cover, norm.whole):
                if part is not None:
                    yield part, option


def _asked(body: Expr, names: Iterable[str]) -> set[str]:
    """States whose value for one of the names is compared with something."""
    found: set[str] = set()
    for node in walk.nodes(body):
        if not isinstance(node, Op) or node.op not in ("eq", "ne", "is_none"):
            continue
        for part in node.operands:
            match part:
                case Read(state=state, keys=(Local(name=key),), type=kind) if key in names:
                    found |= set() if isinstance(kind, Flag) else {state}
                case _:
                    pass
    return found
