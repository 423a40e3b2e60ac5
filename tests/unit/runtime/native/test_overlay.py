"""Where buffers stand: beside those of callers, over those of functions that never run at the same time."""

from __future__ import annotations

import pytest

from rulekit.runtime.native import lir
from rulekit.runtime.native.lower.memory import HEADER, NOTES, ModuleMemory, Shapes
from rulekit.runtime.native.overlay import place_buffers, stack


def function(name: str, *calls: str, uses: tuple[int, ...] = ()) -> lir.LowFunction:
    """A function that calls others and names addresses."""
    runs = (lir.LowRun(called) for called in calls)
    stores = (lir.Store(address, None, lir.ZERO) for address in uses)
    return lir.LowFunction(name, (), False, (*runs, *stores))


def test_each_stands_after_all_that_call_it() -> None:
    """Whichever of its callers takes more room."""
    calls = {"a": {"b", "c"}, "b": {"d"}, "c": {"d", "e"}, "d": set(), "e": set()}
    sizes = {"a": 1, "b": 10, "c": 2, "d": 4, "e": 20}

    begins, most = stack(calls, sizes)

    assert {"a": 0, "b": 1, "c": 1, "d": 11, "e": 3} == begins
    assert 23 == most


def test_only_what_lasts_is_copied() -> None:
    """Buffers of functions that end before a question stand after the part that a copy takes."""
    memory = ModuleMemory(Shapes({}))
    one, two, three = (memory.set_aside(owner, 2) for owner in ("one", "two", "ends"))
    functions = (
        function("play", "one", "two"),
        function("one", "ends", uses=(one,)),
        function("two", uses=(two,)),
        function("ends", uses=(three,)),
    )

    places = {
        buffer.address: buffer.place
        for buffer in place_buffers(functions, {"play", "one", "two"}, "play", memory, noted=False)
    }

    assert {one: HEADER, two: HEADER, three: HEADER + 16} == places
    assert (HEADER + 16, HEADER + 32) == (memory.copied, memory.changing)


def test_a_build_gives_the_same_bytes_each_time() -> None:
    """Buffers that no copy has stand in the order of their functions, whatever that of a set of names."""
    memory = ModuleMemory(Shapes({}))
    names = [f"ends {number}" for number in range(9)]
    buffers = [memory.set_aside(name, 1) for name in names]
    functions = (function("play", *names), *map(function, names))

    placed = place_buffers(functions, {"play"}, "play", memory, noted=False)

    places = {buffer.address: buffer.place for buffer in placed}
    assert [HEADER + 8 * number for number in range(9)] == [places[address] for address in buffers]


def test_what_others_use_has_a_place_of_its_own() -> None:
    """Where the owner may not be running; not, if all that use it are called by the owner alone."""
    memory = ModuleMemory(Shapes({}))
    own, open_ = memory.set_aside("one", 1), memory.set_aside("two", 1)
    functions = (
        function("play", "one", "two", "reads"),
        function("one", "helps", uses=(own,)),
        function("helps", uses=(own,)),
        function("two", "reads", uses=(open_,)),
        function("reads", uses=(open_,)),
    )

    places = {
        buffer.address: buffer.place
        for buffer in place_buffers(functions, {"play", "one", "two"}, "play", memory, noted=False)
    }

    assert {open_: HEADER, own: HEADER + 8} == places


@pytest.mark.parametrize(("noted", "copied"), [(True, HEADER + 24), (False, HEADER)])
def test_notes_are_copied_if_a_question_may_be_among_them(noted: bool, copied: int) -> None:
    """Else they are empty at every question."""
    memory = ModuleMemory(Shapes({}))
    memory.set_aside(NOTES, 3)

    place_buffers((function("play"),), {"play"}, "play", memory, noted=noted)

    assert (copied, HEADER + 24) == (memory.copied, memory.changing)


def test_an_address_is_at_most_a_word_before_its_buffer() -> None:
    """And at most at its end; between buffers there is nothing."""
    buffers = (lir.PlacedBuffer(lir.BUFFERS + 16, 8, 200), lir.PlacedBuffer(lir.BUFFERS + 40, 16, 100))
    module = lir.LowModule((), 400, 0, (), (), buffers=buffers)

    assert (192, 200, 208) == tuple(module.place(lir.BUFFERS + at) for at in (8, 16, 24))
    assert (92, 100, 116) == tuple(module.place(lir.BUFFERS + at) for at in (32, 40, 56))
    with pytest.raises(ValueError, match="no buffer"):
        module.place(lir.BUFFERS + 64)
