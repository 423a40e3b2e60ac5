"""Tapes of events and answers: what was added is there, however the tape was copied, frozen or cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulekit.runtime.support.trace import Tape

STEPS = st.lists(st.tuples(st.sampled_from(("add", "freeze", "copy", "cut")), st.integers(0, 9)), max_size=40)


@given(STEPS, st.integers(0, 60))
def test_a_tape_is_a_list(steps: list[tuple[str, int]], start: int) -> None:
    """A tape and its copies hold what lists would; a copy that goes on alone leaves the other alone."""
    tape, expected = Tape(), list[int]()
    others: list[tuple[Tape, list[int]]] = []
    for step, number in steps:
        match step:
            case "add":
                tape.live.extend(range(number))
                expected.extend(range(number))
            case "freeze":
                before = len(tape.live)
                assert before == tape.freeze()
                assert [] == tape.live
            case "copy":
                others.append((tape, expected[:]))
                tape = tape.copy()
            case "cut":
                del expected[max(0, len(expected) - number) :]
                tape.cut(len(expected))

    for one, held in [*others, (tape, expected)]:
        assert len(held) == len(one) == one.base + len(one.live)
        assert held == list(one)
        assert held[start:] == one.since(start)
