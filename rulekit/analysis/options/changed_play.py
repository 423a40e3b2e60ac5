"""How often two versions of a choice or procedure differ, in situations that games come to.

Games are played by lot with the rules before the change.  Each time a choice or procedure that differs comes
up, its situation is noted.  Then each version has it there once more, with the same dice and the same
preferences among answers.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

from rulekit import ir
from rulekit.analysis.mutate.equivalence import tidy
from rulekit.analysis.options.changed_situations import FAULT, Effect, Pair, Version
from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.ir.program import type_of_key
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.ir.types import SetOf
from rulekit.runtime import chance
from rulekit.runtime.codegen.module_writer import RoutineKey
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.simulate import RandomPolicy, new_machine, play
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.play.answering.spelling import part_name
from rulekit.runtime.support.build import STEP_FUEL
from rulekit.runtime.support.wording import plain

GAMES: Final = 20
"""Games that are played; their scenarios take turns."""
GAME_FUEL: Final = 500_000_000
"""Units of work after which a game is left."""
MOST: Final = 200
"""Situations of one item; of more, so many are drawn."""
END: Final = "the game ends"
NAMED: Final = 3
"""Most answers, members of a set and states that are named."""

Cell = tuple[str, tuple[int, ...]]
"""A state and its keys."""


@frozen
class _Situation:
    """The state and the arguments when a choice or procedure came up."""

    cells: Sequence[Any]
    arguments: tuple[Any, ...]


@frozen
class _Offer:
    """An answer that may be given, by whom, and for what item."""

    side: int
    item: int | None
    option: int


def effects_in_play(pair: Pair) -> Iterator[Effect]:
    """Compare the choices and procedures that both versions have and that are not the same.

    Nothing if a domain of both has other members, so that states have other keys.
    """
    old, new = pair.old.program, pair.new.program
    if not old.entry or not all(pair.is_same_domain(name) for name in old.by_name.domains):
        return
    before, after = tidy(old).by_name, tidy(new).by_name
    starts = {old.entry, *(scenario.procedure for scenario in old.scenarios)}
    keys: list[RoutineKey] = []
    for kind, items, others in (
        ("choice", before.choices, after.choices),
        ("procedure", before.procedures, after.procedures),
    ):
        for name, item in items.items():
            other = others.get(name)
            if name in starts or ":" in name or other is None or item.params != other.params:
                continue
            if item != other:
                keys.append((kind, name, False))
    situations = _situations(pair.old, keys) if keys else {}
    for key in keys:
        yield _Comparison(pair, key).effect(*situations[key])


def _situations(
    version: Version, keys: Sequence[RoutineKey]
) -> dict[RoutineKey, tuple[list[_Situation], int]]:
    """Situations of games for each routine, and the number of times that it came up."""
    drawn: dict[RoutineKey, list[_Situation]] = {key: [] for key in keys}
    times = dict.fromkeys(keys, 0)
    lot = random.Random(0)

    def note(key: RoutineKey, cells: list[Any], arguments: tuple[Any, ...]) -> None:
        times[key] += 1
        kept = drawn[key]
        place = len(kept) if len(kept) < MOST else lot.randrange(times[key])
        if place < MOST:
            kept[place : place + 1] = [_Situation(cells.copy(), arguments)]

    scenarios = version.program.scenarios or (None,)
    with version.module.watched(keys, note):
        for seed in range(GAMES):
            policy = RandomPolicy(version.program, seed)
            machine = new_machine(version.module, Streams(version.module, seed), policy)
            machine.refuel(GAME_FUEL)
            with suppress(Fault):
                play(machine, scenarios[seed % len(scenarios)])
    return {key: (drawn[key], times[key]) for key in keys}


class _Comparison:
    """A choice or procedure in both versions."""

    def __init__(self, pair: Pair, key: RoutineKey) -> None:
        self._pair, self._key = pair, key
        self._old, self._new = pair.old, pair.new
        self._is_choice = key[0] == "choice"

    def effect(self, situations: Sequence[_Situation], times: int) -> Effect:
        """The effect over all situations; the example is one where as little as possible differs."""
        states, example = Counter[str](), ("", "", "")
        changed, smallest = 0, math.inf
        for seed, situation in enumerate(situations):
            cells = self._old_as_new(situation.cells)
            where = cells.copy()
            one = self._outcome(self._old, list(situation.cells), situation.arguments, seed)
            other = self._outcome(self._new, cells, situation.arguments, seed)
            different = [entry for entry in {**one, **other} if one.get(entry) != other.get(entry)]
            if not different:
                continue
            changed += 1
            states.update(
                {plain(entry[0].rpartition(".")[2]) for entry in different if isinstance(entry, tuple)}
            )
            if len(different) < smallest:
                smallest = len(different)
                words = self._words(one, other, different)
                example = (self._where(where, situation.arguments), *words)
        kind: Literal["choice", "procedure"] = "choice" if self._is_choice else "procedure"
        drawn = times > len(situations)
        over = tuple(f"{name} in {number}" for name, number in states.most_common(NAMED))
        name = plain(self._key[1])
        return Effect(kind, name, over, changed, len(situations), drawn, *example, games=GAMES)

    def _old_as_new(self, cells: Sequence[Any]) -> list[Any]:
        """The state of the old version as the new one has it; new states are as its first scenario begins."""
        old, layout = self._old.module.layout, self._new.module.layout
        moved = self._new.beginning.copy()
        for name, slots in layout.slots.items():
            own = old.slots.get(name)
            if own is not None and own.state.keys == slots.state.keys:
                moved[slots.base : slots.base + slots.size] = cells[own.base : own.base + own.size]
        layout.derive(moved)
        return moved

    def _outcome(
        self, version: Version, cells: list[Any], arguments: tuple[Any, ...], seed: int
    ) -> Mapping[Any, Any]:
        """The offers of a choice; or the cells that a procedure changes, with values before and after."""
        offers: dict[Any, Any] = {}
        start, asked = cells.copy(), Counter[str]()

        def answer(choice: int, side: int, item: int | None, options: tuple[int, ...]) -> int:
            if self._is_choice:
                offers.update({_Offer(side, item, option): True for option in options})
            name = version.program.choices[choice].name
            asked[name] += 1
            liking = chance.stream_base(seed, f"{name} {asked[name]}")
            return min(options, key=lambda option: chance.word(liking, option))

        machine = Machine(version.module, Streams(version.module, seed), cells)
        machine.agent = answer
        for address in version.module.layout.counters.values():
            cells[address] = 0
        machine.refuel(STEP_FUEL)
        try:
            version.module.routine(self._key)(machine, cells, *arguments)
        except Finished:
            return {END: True}
        except Exception as error:
            if not isinstance(machine.fault(error), Fault):
                raise
            return {FAULT: True}
        return offers if self._is_choice else dict(_changes(version, start, cells))

    # -- words

    def _where(self, cells: list[Any], arguments: Sequence[Any]) -> str:
        """The arguments and the date in words."""
        program = self._new.program
        item: ir.Choice | ir.Procedure
        if self._is_choice:
            item = program.by_name.choices[self._key[1]]
        else:
            item = program.by_name.procedures[self._key[1]]
        values = []
        for param, value in zip(item.params, arguments, strict=True):
            many = value.bit_count() if isinstance(param.type, SetOf) else 0
            text = (
                f"{many} {plain(param.name)}" if many > NAMED else self._pair.value_words(param.type, value)
            )
            values.append(text)
        self._new.cells[:] = cells
        date = self._pair.date()
        return ", ".join((*values, date) if date else values) or "a game"

    def _words(
        self, one: Mapping[Any, Any], other: Mapping[Any, Any], different: Sequence[Any]
    ) -> tuple[str, str]:
        """Both outcomes in words."""
        if self._is_choice and not {FAULT} & {*one, *other}:
            sides = {offer.side for offer in (*one, *other)}
            return self._offers(one, len(sides) > 1), self._offers(other, len(sides) > 1)
        for outcome in (one, other):
            for end in (END, FAULT):
                if end in outcome:
                    return (end, "goes on") if outcome is one else ("goes on", end)
        cell = state, keys = different[0]
        kind = self._new.program.by_name.states[state].type
        domains = map(type_of_key, self._new.program.by_name.states[state].keys)
        about = ", ".join(map(self._pair.value_words, domains, keys))
        before = one[cell][1] if cell in one else other[cell][0]
        after = other[cell][1] if cell in other else one[cell][0]
        more = f", and {len(different) - 1} more" if len(different) > 1 else ""
        what = f"{_field(state)} of {about}" if about else _field(state)
        return f"{what} {self._pair.value_words(kind, before)}", self._pair.value_words(kind, after) + more

    def _offers(self, offers: Mapping[_Offer, Any], with_sides: bool) -> str:
        """The names of a few answers, the number of many."""
        choice = self._new.program.by_name.choices[self._key[1]]
        names = list(dict.fromkeys(part_name(self._pair.naming, choice, offer.option) for offer in offers))
        if len(names) <= NAMED:
            text = ", ".join(self._pair.words.answer(choice.name, name) for name in names) or "nothing"
        else:
            text = f"{len(offers)} answers"
        sides = {offer.side for offer in offers} if with_sides else ()
        by = " and ".join(self._pair.value_words(choice.decider.type, side) for side in sorted(sides))
        return f"{by}: {text}" if by else text


def _field(state: str) -> str:
    """The name of a state without the name of its kind."""
    return "exists" if state.startswith("exists:") else plain(state.rpartition(".")[2])


def _changes(version: Version, start: Sequence[Any], cells: Sequence[Any]) -> Iterator[tuple[Cell, Any]]:
    """The cells of the states that are not the same, with their values before and after."""
    layout = version.module.layout
    for name, slots in layout.slots.items():
        for keys, address in slots.each():
            before, after = start[address], cells[address]
            if before == after:
                continue
            if slots.bits is None:
                yield (name, keys), (before, after)
            else:
                for bit in members(before ^ after):
                    yield (name, (*keys, bit + slots.bits.low)), (before >> bit & 1, after >> bit & 1)
