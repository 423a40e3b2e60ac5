"""A session as JSON, as `schemas/save.schema.json` has it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Any

from rulekit.base.bits import members
from rulekit.ir import Param
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import NONE, ListOf, Member, Optional
from rulekit.runtime.codegen.routines.frames import Frame
from rulekit.runtime.play.answering.spelling import shown_part
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.play.saved.saves import CHANGES, FORMAT, shape, shown_cell
from rulekit.runtime.play.saved.starts import keys_of
from rulekit.runtime.support import together
from rulekit.runtime.support.asked import ROLL, SET
from rulekit.runtime.support.layout import Layout, Slots
from rulekit.runtime.support.state_changes import span


def save(moment: Moment, *, log: bool) -> dict[str, Any]:
    """The session as JSON."""
    game, machine = moment.game, moment.machine
    program, layout = game.program, game.module.layout
    base, cells = game.base(moment.scenario)
    data: dict[str, Any] = {
        "format": FORMAT,
        "program": program.name,
        "rules": program.source_hash,
        "options": list(program.options),
        "scenario": moment.scenario,
        "seed": str(machine.streams.seed),
        "base": base,
        "starts": dict(game.starts(moment.scenario)),
        "keys": keys_of(game.naming, layout),
        "state": _state(layout, game.naming, machine.M, cells),
        "counters": {
            name: machine.M[address] for name, address in layout.counters.items() if machine.M[address]
        },
        "reveals": machine.M[layout.reveals],
        "revealed": _revealed_keys(layout, game.naming, machine.M, None),
        "together": [_change(layout, game.naming, *entry) for entry in together.entries(machine.late)],
        "stages": list(moment.stages),
        "frames": _frames(moment),
        "choice": _choice(moment),
        "answered": moment.answered,
        "over": moment.over,
        "result": moment.result,
    }
    sides = game.naming.domains[program.sides].members if program.sides in game.naming.domains else ()
    some = {
        side: keys
        for number, side in enumerate(sides)
        if (keys := _revealed_keys(layout, game.naming, machine.M, number))
    }
    if some:
        data["revealed_to"] = some
    if program.data:
        data["data"] = program.data
    given = machine.streams.given
    if given.dice:
        data["dice"] = {name: list(faces) for name, faces in given.dice.items()}
    if given.draws:
        data["draws"] = {name: list(things) for name, things in given.draws.items()}
    if given.strict:
        data["strict"] = True
    if game.asks_chance:
        data["chance"] = _chance(moment)
    if moment.begun is not None:
        data["at"] = dict(moment.begun)
    if log and moment.answered == len(moment.log):
        data["choices"] = list(moment.log)
    return data


def _state(layout: Layout, naming: Naming, cells: list[Any], base: list[Any]) -> dict[str, Any]:
    """The cells that differ from the base, by state."""
    states: dict[str, Any] = {}
    for slots in layout.slots.values():
        span = slice(slots.base, slots.base + slots.size)
        if cells[span] == base[span]:
            continue
        states[slots.state.name] = [
            [naming.keys(slots.state.keys[: len(keys)], keys), shown_cell(naming, slots, cells[address])]
            for keys, address in slots.each()
            if cells[address] != base[address]
        ]
    return states


def _revealed_keys(layout: Layout, naming: Naming, cells: list[Any], side: int | None) -> dict[str, Any]:
    """The keys of values that are revealed to all, by state; of those to some sides, for one of them."""
    by_state: dict[str, Any] = {}
    for name, revealed in layout.revealed.items():
        slots, mask = layout.slots[name], cells[revealed.address]
        own = [mask >> n * revealed.width & (1 << revealed.width) - 1 for n in range(revealed.sides)]
        shown = reduce(and_, own)
        if side is not None:
            shown = own[side] & ~shown if revealed.sides > 1 else 0
        width = slots.bits.size if slots.bits is not None else 1
        keys = []
        for place in members(shown):
            cell, bit = divmod(place, width)
            values = layout.keys_of(slots.base + cell)
            values += (bit + slots.bits.low,) if slots.bits is not None else ()
            keys.append(naming.keys(slots.state.keys, values))
        if keys:
            by_state[name] = keys
    return by_state


def _change(layout: Layout, naming: Naming, what: int, where: int, value: Any, event: int) -> dict[str, Any]:
    """A change that waits for the end of a `together` block."""
    if what == together.PLACE:
        space = naming.to_json(Optional(Member("space", "")), value)
        return {"change": "place", "piece": naming.member("piece", where), "value": space}
    slots = layout.owner(where)
    keys = naming.keys(slots.state.keys[: len(slots.keys)], layout.keys_of(where))
    if what == together.DISSOLVE:
        return {"change": "dissolve", "state": slots.state.name, "value": str(value)}
    return {
        "change": CHANGES[what],
        "state": slots.state.name,
        "keys": keys,
        "value": _shown_change(naming, slots, what, value),
    }


def _shown_change(naming: Naming, slots: Slots, what: int, value: Any) -> Any:
    kind = slots.state.type
    if what in (together.MARK, together.UNMARK):
        return shown_cell(naming, slots, value)
    if what in (together.APPEND, together.DROP) and isinstance(kind, ListOf):
        return naming.to_json(kind.of, value)
    if what == together.ADD or what == together.SET and span(slots.state) is not None:
        return None if value == NONE else int(value)
    return naming.to_json(kind, value)


def _frames(moment: Moment) -> list[dict[str, Any]]:
    """The frames that wait at calls: all except that of the open choice, if it has one of its own."""
    stack, cuts = moment.machine.stack, moment.game.module.cuts
    own = bool(stack) and cuts[stack[-1][0]].key[0] == "choice"
    return [_frame(moment, frame) for frame in (stack[:-1] if own else stack)]


def _frame(moment: Moment, frame: Frame) -> dict[str, Any]:
    """A frame that waits at a call."""
    module, naming = moment.game.module, moment.game.naming
    cut = module.cuts[frame[0]]
    label = cut.labels[frame[1]]
    assert label is not None
    if label.instead is not None:
        label = cut.labels[label.instead]
        assert label is not None
    kept = {variable.name: (variable.type, frame[slot]) for slot, variable in label.kept}
    return {
        "procedure": cut.key[1],
        "together": cut.key[2],
        "at": label.name,
        "shape": shape(cut, label),
        "locals": {
            name: naming.to_json(kind, value) for name, (kind, value) in kept.items() if value is not None
        },
        "unset": [name for name, (_, value) in kept.items() if value is None],
    }


def _choice(moment: Moment) -> dict[str, Any] | None:
    """The open choice: its arguments and the parts answered."""
    choice = moment.choice
    if choice is None:
        return None
    return {
        "name": choice.name,
        "arguments": _arguments(moment, choice.params),
        "parts": [shown_part(moment.game.naming, choice, value) for value in moment.parts],
    }


def _chance(moment: Moment) -> dict[str, Any] | None:
    """The open question for chance: its point, arguments, how many are drawn, and from what."""
    asked, naming = moment.machine.asked, moment.game.naming
    if asked is None or moment.choice is not None:
        return None
    number, kind, count, things = asked
    point = moment.game.program.points[~number]
    shown = []
    if kind != ROLL:
        shown = [naming.to_json(moment.game.lots[point.name].thing, thing) for thing in things]
    return {
        "name": point.name,
        "arguments": _arguments(moment, point.params),
        "number": count if kind == SET else None,
        "things": shown,
    }


def _arguments(moment: Moment, params: Sequence[Param]) -> dict[str, Any]:
    naming, given = moment.game.naming, moment.machine.choosing
    return {param.name: naming.to_json(param.type, value) for param, value in zip(params, given, strict=True)}
