"""What two ways of amending do to each other in play, and whether the check reports what it must."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.diagnostics import Diagnostic, Severity
from tests.unit.analysis.options.matrix.bench import NAMES, NOT_PLAYED, Bench, Log
from tests.unit.analysis.options.matrix.ways import Way

TOLD: Final = frozenset(("RK201", "RK205", "RK230", "RK232", "RK234", "RK236", "RK240", "RK242", "RK513"))
"""Findings that tell the authors what one option does to another.

A name that two declare, an address that reaches nothing or may not be used so, no order of amendments or of
modifiers, a change without effect, a change made twice, no legal answer.
"""
SPOKEN: Final = frozenset(("RK234", "RK240", "RK242", "RK513"))
"""Findings that would be a false alarm where both effects show and nothing is lost."""


class Verdict(Enum):
    """What becomes of a pair."""

    REPORTED = "R"
    FINE = "."
    SAME = "="
    OUTWEIGHED = "V"
    DROPPED = "C"
    FAULT = "F"
    NAMES = "N"
    ALARM = "A"

    @property
    def is_hole(self) -> bool:
        """True if the check is wrong about it."""
        return self in (Verdict.DROPPED, Verdict.FAULT, Verdict.NAMES, Verdict.ALARM)


@frozen
class Row:
    """A pair of ways and its verdict, with the codes of the findings that only both together have."""

    one: str
    two: str
    verdict: Verdict
    codes: tuple[str, ...]


@frozen
class Effect:
    """What an option adds to the log of each game, and what it takes from it."""

    added: Counter[object]
    removed: Counter[object]

    def includes(self, other: Effect) -> bool:
        """True if all that another adds and removes is added and removed."""
        return other.added <= self.added and other.removed <= self.removed


def effect(log: Log, before: Log) -> Effect:
    """Compare two logs, whatever the order of their entries."""
    now, then = (
        Counter((number, entry) for number, game in enumerate(of) for entry in game) for of in (log, before)
    )
    return Effect(now - then, then - now)


def is_dropped(both: Log, one: Log, two: Log, nothing: Log) -> bool:
    """True if two options play as the one alone, though the other has an effect that the one lacks."""
    return both == one and two != nothing and not effect(one, nothing).includes(effect(two, nothing))


def has_fault(log: Log) -> bool:
    """True if some game ends in a fault."""
    return any(game[-1][0] == "fault" for game in log)


def new_codes(bench: Bench, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the codes of what the check finds of two options and of neither alone, nothing chosen."""
    bench.write(*texts)
    together = bench.check()
    alone: set[tuple[str, str]] = set()
    for number, text in enumerate(texts):
        bench.write(*("" if place != number else text for place in (0, 1)))
        alone |= {_sign(finding) for finding in bench((NAMES[number],))}
    bench.write(*texts)
    return tuple(
        sorted({finding.kind.code for finding in together if _sign(finding) not in alone and _tells(finding)})
    )


def _tells(finding: Diagnostic) -> bool:
    return finding.kind.severity is Severity.ERROR or finding.kind.code in TOLD


def _sign(finding: Diagnostic) -> tuple[str, str]:
    return finding.kind.code, finding.message


def judge(bench: Bench, one: Way, two: Way) -> Row:
    """Judge a pair with both assignments of the names; the check is asked about the first."""
    texts = (one.option("ann", 1), two.option("bob", 2)), (two.option("ann", 2), one.option("bob", 1))
    told = new_codes(bench, texts[0])
    logs = []
    for pair in texts:
        bench.write(*pair)
        logs.append(bench.play(*NAMES))
    bench.write(*texts[0])
    alone = [bench.play(name) for name in NAMES]
    if NOT_PLAYED in logs:
        return Row(one.name, two.name, Verdict.REPORTED if told else Verdict.FAULT, told)
    verdicts = {verdict for both in logs for verdict in _verdicts(both, *alone, bench.play())}
    if logs[0] != logs[1]:
        verdicts.add(Verdict.NAMES)
    worst = next((verdict for verdict in _WORST if verdict in verdicts), Verdict.FINE)
    if told and worst.is_hole:
        worst = Verdict.REPORTED
    elif SPOKEN.intersection(told) and worst is Verdict.FINE:
        worst = Verdict.ALARM
    return Row(one.name, two.name, worst, told)


_WORST: Final = (Verdict.FAULT, Verdict.DROPPED, Verdict.NAMES, Verdict.SAME)


def _verdicts(both: Log, one: Log, two: Log, nothing: Log) -> Iterator[Verdict]:
    if has_fault(both) and not has_fault(one) and not has_fault(two):
        yield Verdict.FAULT
    elif is_dropped(both, one, two, nothing) or is_dropped(both, two, one, nothing):
        yield Verdict.DROPPED
    elif both in (one, two, nothing):
        yield Verdict.SAME


def keeps_relation(bench: Bench, one: Way, two: Way, word: str) -> bool:
    """True if the check reports a pair of which the first is `over` or `with` the second, or play keeps that.

    What is over another has its effect; of two that act together neither is lost.
    """
    texts = one.option("ann", 1, f"{word} bob"), two.option("bob", 2)
    if new_codes(bench, texts):
        return True
    bench.write(*texts)
    both = bench.play(*NAMES)
    bench.write(one.option("ann", 1), two.option("bob", 2))
    first, second = (bench.play(name) for name in NAMES)
    nothing = bench.play()
    kept = not is_dropped(both, second, first, nothing)
    return kept and (word == "over" or not is_dropped(both, first, second, nothing))
