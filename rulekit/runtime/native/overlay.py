"""The places of buffers in a module that stops.

A buffer holds nothing that is needed when its function has ended, and no function that may stop runs itself.
So the buffers of functions that never run at the same time share room, and those of functions that end before
a question is open are not part of a copy of the game (decision 0108).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from graphlib import TopologicalSorter

from rulekit.runtime.native import lir
from rulekit.runtime.native.lower.memory import CELL, NOTES, Buffer, ModuleMemory
from rulekit.runtime.native.stops import calls_in

Calls = Mapping[str, Set[str]]


def place_buffers(
    functions: Sequence[lir.LowFunction], stopping: Set[str], root: str, memory: ModuleMemory, *, noted: bool
) -> tuple[lir.PlacedBuffer, ...]:
    """Give each buffer its place, and note where the part of the memory ends that a copy takes.

    Args:
        functions: All functions, before they are made to stop.
        stopping: The names of those that may stop.
        root: The function that calls all others.
        noted: Whether the notes of `together` blocks are part of a copy: a question may be open inside one.
    """
    calls = calls_of(functions)
    own: dict[str, list[Buffer]] = {NOTES: [], **{name: [] for name in calls}}
    places: dict[int, int] = {}
    shared = _used_beside(functions, calls, root, memory.buffers)
    for buffer in memory.buffers:
        if noted if buffer.owner == NOTES else buffer.address in shared:
            places[buffer.address] = memory.reserve(buffer.words)
        else:
            own[buffer.owner].append(buffer)
    begin = memory.changing
    begins, most = stack(calls, {name: sum(item.words for item in own[name]) for name in stopping})
    memory.changing = memory.copied = begin + most * CELL
    for name, at in begins.items():
        for buffer in own[name]:
            places[buffer.address] = begin + at * CELL
            at += buffer.words
    for name, buffers in own.items():  # in order: a build gives the same bytes each time
        if name not in stopping:
            places |= {buffer.address: memory.reserve(buffer.words) for buffer in buffers}
    return tuple(
        lir.PlacedBuffer(buffer.address, buffer.words * CELL, places[buffer.address])
        for buffer in memory.buffers
    )


def calls_of(functions: Sequence[lir.LowFunction]) -> Calls:
    """Which functions each function calls."""
    return {item.name: frozenset(calls_in(item.body)) for item in functions}


def stack(calls: Calls, sizes: Mapping[str, int]) -> tuple[dict[str, int], int]:
    """Where room of these sizes begins if each function has its own after those of all that call it, and how
    much all need. No function calls itself, however indirectly.
    """
    order = TopologicalSorter({name: calls[name] & sizes.keys() for name in sizes})
    begins = dict.fromkeys(reversed(list(order.static_order())), 0)
    most = 0
    for name, begin in begins.items():
        end = begin + sizes[name]
        most = max(most, end)
        for called in calls[name] & sizes.keys():
            begins[called] = max(begins[called], end)
    return begins, most


def _used_beside(
    functions: Sequence[lir.LowFunction], calls: Calls, root: str, buffers: Sequence[Buffer]
) -> set[int]:
    """The buffers that are used where their owner may not be running; their addresses."""
    starts = [buffer.address - CELL for buffer in buffers]
    users: dict[int, set[str]] = {}
    for item in functions:
        for address in _addresses(item.body):
            users.setdefault(bisect_right(starts, address) - 1, set()).add(item.name)
    beside: dict[str, Set[str]] = {}
    kept: set[int] = set()
    for number, names in users.items():
        owner = buffers[number].owner
        if names != {owner} and owner != NOTES:
            if owner not in beside:
                beside[owner] = _functions_beside(calls, root, owner)
            if beside[owner] & (names - {owner}):
                kept.add(buffers[number].address)
    return kept


def _functions_beside(calls: Calls, root: str, without: str) -> Set[str]:
    """The functions that are called from one on, though another never is."""
    reached, waiting = {root, without}, [root]
    while waiting:
        fresh = calls.get(waiting.pop(), frozenset()) - reached
        reached |= fresh
        waiting += fresh
    return reached


def _addresses(code: lir.Code) -> Iterator[int]:
    """The addresses in buffers that statements name."""
    for stmt in lir.statements(code):
        if isinstance(stmt, lir.Store) and stmt.offset >= lir.BUFFERS:
            yield stmt.offset
        waiting = list(lir.expressions(stmt))
        while waiting:
            e = waiting.pop()
            waiting += lir.inside(e)
            if isinstance(e, lir.Load | lir.FixedAddress) and e.offset >= lir.BUFFERS:
                yield e.offset
