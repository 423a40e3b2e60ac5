"""The names in a module, for hosts: the JSON in its section `rulekit` (specification, chapter 15)."""

from __future__ import annotations

import json
from typing import Any

from rulekit.ir import Choice, Program, walk
from rulekit.ir import stmt as s
from rulekit.ir.types import ListOf, Member, Optional, Record, SetOf, Type
from rulekit.runtime.native import lir
from rulekit.runtime.native.log.describing import describe_events, describe_messages, record_fields
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.module import VERSION, Lowered
from rulekit.runtime.support.lots import lots_of


def names(program: Program, lowered: Lowered) -> bytes:
    """Return the content of the section, in UTF-8."""
    return json.dumps(_content(program, lowered), ensure_ascii=False, separators=(",", ":")).encode()


def _content(program: Program, lowered: Lowered) -> dict[str, Any]:
    cells = lowered.cells
    return {
        "rulekit": VERSION,
        "stops": lowered.stops,
        "name": program.name,
        "title": program.title,
        "edition": program.edition,
        "source": program.source_hash,
        "options": list(program.options),
        "scenarios": [{"name": item.name, "title": item.title} for item in program.scenarios],
        "choices": [_choice(program, item) for item in program.choices],
        "points": _points(program),
        "domains": {item.name: list(item.members) for item in program.domains},
        "result": _domain_of_results(program),
        "faults": list(lowered.faults),
        "messages": describe_messages(lowered.messages, cells.memory.shapes),
        "texts": list(cells.memory.shapes.texts),
        "sites": _sites(program, lowered),
        "states": {
            slots.state.name: {
                "keys": list(slots.state.keys),
                "type": str(slots.state.type),
                "at": cells.at[slots.base] - cells.base,
                "step": cells.words[slots.base] * CELL,
                "cells": slots.size,
                "of": _member(_item(slots.state.type)),
                "open": slots.state.known_to is None,
            }
            for slots in cells.layout.slots.values()
            if slots.size
        },
        "cells": cells.runs(),
        **({} if lowered.log is None else describe_events(lowered.log, cells.memory.shapes)),
    }


def _choice(program: Program, item: Choice) -> dict[str, Any]:
    """A choice: its rules, and the domains of its side, items and options, empty where these are numbers."""
    kind = item.option.type
    entry = {
        "name": item.name,
        "side": _member(item.decider.type),
        "item": "",
        "options": _member(kind),
        "rules": list(program.sites[item.site].rules),
        "secret": item.secret,
    }
    if item.item_type is not None:
        entry["item"] = _member(item.item_type)
    if isinstance(kind, Record):
        entry["fields"] = record_fields(kind, program.by_name.sizes)
    return entry


def _points(program: Program) -> list[dict[str, Any]]:
    """The points of chance by number: the faces of each roll, the things of each draw or shuffle."""
    lots = lots_of(program)
    points: list[dict[str, Any]] = []
    for item in program.points:
        entry: dict[str, Any] = {"name": item.name}
        if item.dice:
            entry |= {"low": item.lowest, "high": item.lowest + item.sides - 1}
        elif item.name in lots:
            entry |= {"things": _member(lots[item.name].thing), "orders": lots[item.name].orders}
        points.append(entry)
    return points


def _sites(program: Program, lowered: Lowered) -> dict[str, list[Any]]:
    """The places at which the module may fault, and those of its events, by number."""
    functions = (lir.statements(function.body) for function in lowered.module.functions)
    numbers = {stmt.site for stmts in functions for stmt in stmts if isinstance(stmt, lir.LowFail)}
    if lowered.log is not None:
        numbers |= lowered.log.sites
    sites = {number: program.sites[number] for number in sorted(numbers) if number >= 0}
    return {
        str(number): [site.owner, list(site.rules), site.file, site.line, site.column]
        for number, site in sites.items()
    }


def _domain_of_results(program: Program) -> str:
    """The domain whose member a result is; empty if results are numbers, or of several domains."""
    results = {
        _member(stmt.result.type)
        for item in program.procedures
        for stmt in walk.statements(item.body)
        if isinstance(stmt, s.Finish) and stmt.result is not None
    }
    return results.pop() if len(results) == 1 else ""


def _item(kind: Type) -> Type:
    """The type of the things in a set or list."""
    return kind.of if isinstance(kind, SetOf | ListOf) else kind


def _member(kind: Type) -> str:
    kind = kind.of if isinstance(kind, Optional) else kind
    return kind.domain if isinstance(kind, Member) else ""
