"""Runs of one program by everything that can run it, made comparable."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from rulekit import ir
from rulekit.ir import types as t
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics import faults
from rulekit.runtime.codegen.assemble import GeneratedModule, generate
from rulekit.runtime.machine.simulate import RandomPolicy, new_machine, play, scenario_of
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeSession
from rulekit.runtime.play import Game, Session
from rulekit.runtime.support.build import Build
from rulekit.runtime.support.trace import entries as split_entries
from tests.unit.runtime.oracle import Fault, Oracle

FUEL = 20_000
MOST_SAVES = 20
MOST_DECISIONS = 3000
"""A session's budget is for one step; a game that never ends is cut off here."""


@dataclass(frozen=True)
class Run:
    """How a run went: the fault's code or the result, what was traced, and every value at the end."""

    end: Any
    trace: list[tuple[Any, ...]]
    state: dict[Any, Any]


def plain(value: Any) -> Any:
    """Flags as numbers, texts as their words, so that equal things compare equal whatever made them."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, t.TextValue):
        return value.text
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return value


def by_oracle(program: ir.Program, seed: int) -> Run:
    """The reference."""
    oracle = Oracle(program, seed, RandomPolicy(program, seed))
    try:
        end = ("result", plain(oracle.play()))
    except Fault as fault:
        end = ("fault", fault.name)
    trace = [plain(entry) for entry in oracle.trace]
    return Run(end, trace, {cell: plain(value) for cell, value in oracle.cells.items()})


def by_direct(program: ir.Program, seed: int, build: Build) -> Run:
    """The build without stops."""
    made = generate(program, build)
    machine = new_machine(made, Streams(made, seed), RandomPolicy(program, seed))
    entries: list[Any] = []
    machine.trace = entries.append
    machine.journal = [].append if build.journal else None  # type: ignore[assignment]
    machine.refuel(FUEL)
    try:
        end = ("result", plain(play(machine, scenario_of(program, None))))
    except faults.Fault as fault:
        end = ("fault", fault.name)
    return Run(end, told(made, entries), state_of(made, machine.M))


def by_session(program: ir.Program, seed: int, *, saving: int = 0) -> Run:
    """The build that stops; with `saving`, each so many decisions the session is saved and restored."""
    game = Game(program, fuel=FUEL)
    policy = RandomPolicy(program, seed)
    lines: list[tuple[Any, ...]] = []
    try:
        session = game.start(seed)
    except faults.Fault as fault:
        return Run(("fault", fault.name), [], {})
    count = 0
    while session.machine.asked is not None:
        count += 1
        if count > MOST_DECISIONS:
            return Run(("fault", "budget"), lines, {})
        if saving and count % saving == 0 and count <= MOST_SAVES:
            lines += told(
                game.module, list(split_entries(game.module.events, session.trace.since(0)[: session.opened]))
            )
            session = game.restore(json.loads(json.dumps(session.save())))
        try:
            session.choose(policy(*session.machine.asked))
        except faults.Fault as fault:
            return Run(("fault", fault.name), lines, {})
    lines += told(game.module, list(session.trace_from()))
    return Run(("result", raw_result(game, session)), lines, state_of(game.module, session.machine.M))


def raw_result(game: Game, session: Session) -> Any:
    """The result as the IR has it; all results here are sides."""
    if session.result is None:
        return None
    return game.naming.number("Side", session.result)


def told(made: GeneratedModule, entries: list[Any]) -> list[tuple[Any, ...]]:
    """A trace with its numbers spelled out; what is said is the subject, known beforehand or not."""
    found = []
    for entry in entries:
        kind, operands = made.events[entry[0]], tuple(map(plain, entry[1:]))
        said = operands if kind.kind == "say" and operands else (kind.subject, *operands)
        found.append((kind.kind, kind.site, *said))
    return found


def state_of(made: GeneratedModule, cells: list[Any]) -> dict[Any, Any]:
    """Every value by state and keys."""
    found: dict[Any, Any] = {}
    for slots in made.layout.slots.values():
        for keys, address in slots.each():
            if slots.bits is None:
                found[slots.state.name, keys] = plain(cells[address])
                continue
            domain = slots.state.keys[-1]
            values = (
                range(made.layout.sizes[domain])
                if isinstance(domain, str)
                else range(domain[0], domain[1] + 1)
            )
            for one in values:
                found[slots.state.name, (*keys, one)] = cells[address] >> one - slots.bits.low & 1
    return found


def derived_is_right(made: GeneratedModule, cells: list[Any]) -> bool:
    """Whether the masks of pieces by space say what the places say."""
    again = list(cells)
    made.layout.derive(again)
    return again == cells


__all__ = ["Run", "by_direct", "by_oracle", "by_session", "derived_is_right", "state_of", "t", "told"]


def by_native(program: ir.Program, seed: int) -> Run:
    """The WebAssembly back end, which leaves no trace.

    Raises:
        Refused: It cannot be lowered yet.
    """
    played = for_play(program)
    game = NativeGame(build(played))
    game.budget = FUEL
    try:
        outcome = game.play(seed)
    except faults.Fault as fault:
        return Run(("fault", fault.name), [], {})
    side = (
        None if outcome.result is None else played.by_name.domains["Side"].members.index(str(outcome.result))
    )
    return Run(("result", side), [], state_of(generate(played, Build()), outcome.cells))


def by_native_session(program: ir.Program, seed: int) -> Run:
    """The WebAssembly back end, stopped at each question, which the random policy answers from outside.

    Raises:
        BuildRefused: It cannot be lowered yet.
    """
    played = for_play(program)
    session, policy = NativeSession(build(played, stops=True)), RandomPolicy(played, seed)
    session.budget = FUEL
    try:
        asked = session.start(seed)
        for _ in range(MOST_DECISIONS):
            if asked is None:
                break
            options = session.numbers
            asked = session.answer(options[3:].index(policy(*options[:3], options[3:])))
        else:
            return Run(("fault", "budget"), [], {})
    except faults.Fault as fault:
        return Run(("fault", fault.name), [], {})
    side = (
        None if session.result is None else played.by_name.domains["Side"].members.index(str(session.result))
    )
    return Run(("result", side), [], state_of(generate(played, Build()), session.cells()))
