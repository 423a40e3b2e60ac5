"""The parts of messages as JSON: reasons, changes, lines and faults, as the contract describes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulekit.runtime.narrate import NarratedLine
from rulekit.runtime.play import HIDDEN, CellChange, Fault, Reason, SessionChange, Term


def reason(one: Reason) -> dict[str, Any]:
    """A reason against an answer, with its terms."""
    return {
        "code": one.code,
        "message": one.message,
        "text": one.text,
        "norm": one.norm,
        "word": one.word,
        "rules": list(one.rules),
        "uncovered": list(one.uncovered),
        "terms": list(map(term, one.terms)),
        "file": one.site.file,
        "line": one.site.line,
    }


def term(one: Term) -> dict[str, Any]:
    """A condition, with the values that it rests on and the conditions that make it so."""
    return {
        "text": one.text,
        "rules": list(one.rules),
        "values": [{"name": v.name, "keys": list(v.keys), "value": v.value} for v in one.values],
        "because": list(map(term, one.because)),
        "file": one.site.file,
        "line": one.site.line,
    }


def change(one: SessionChange) -> dict[str, Any]:
    """A change for a seat; a value that it may not see is missing."""
    return {
        "events": [event.as_json for event in one.events],
        "cells": list(map(_cell, one.cells)),
        "shown": [event.as_json for event in one.shown],
        "counts": [{"state": name, "keys": list(keys), "number": many} for name, keys, many in one.counts],
        "undone": one.undone,
    }


def _cell(cell: CellChange) -> dict[str, Any]:
    values = (("before", cell.before), ("after", cell.after))
    seen = {name: value for name, value in values if value is not HIDDEN}
    return {"state": cell.state, "keys": list(cell.keys), **seen}


def lines(some: Iterable[NarratedLine]) -> list[dict[str, Any]]:
    """Lines of the log, with their parts."""
    return [
        {
            "level": line.level,
            "rule": line.rule,
            "text": line.text,
            "standing": line.standing,
            "what": list(line.what),
            "who": list(line.who),
            "rules": list(line.rules),
        }
        for line in some
    ]


def value(one: Any) -> dict[str, Any]:
    """A value that was asked for; one that is hidden says so."""
    return {"hidden": True} if one is HIDDEN else {"value": one}


def fault(one: Fault) -> Mapping[str, Any]:
    """A fault as a seat may read it, with its place in the rules and in play."""
    place = None if one.site is None else {"file": one.site.file, "line": one.site.line}
    rules = [] if one.site is None else list(one.site.rules)
    return {"code": one.code, "name": one.name, "rules": rules, "place": place, "steps": list(one.labels)}
