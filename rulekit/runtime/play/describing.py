"""A game as data for those who show it: its parts with their titles, types, rules and relations."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any, Final

from rulekit.ir import Block, Do, Param, StaticTable, Step, walk
from rulekit.ir.program import Key
from rulekit.ir.types import GAP
from rulekit.runtime.play.answering.decisions import domain_of
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.support.wording import Wording

FORMAT: Final = 1


def describe(game: PreparedGame, wording: Wording) -> dict[str, Any]:
    """A game as JSON with the titles of one language; see `Game.describe`."""
    program, background = game.program, game.background
    return {
        "format": FORMAT,
        "id": program.name,
        **background.facts,
        "title": wording.text(program.title),
        "edition": program.edition,
        "digest": program.source_hash,
        "language": wording.language,
        "direction": wording.speech.direction,
        "languages": list(background.languages),
        "prefix": background.prefix,
        "options": list(program.options),
        "data": dict(program.data),
        "sides": _members(game, wording, program.sides),
        "scenarios": [
            {"name": item.name, "title": wording.title("scenario", item.name, item.title)}
            for item in program.scenarios
        ],
        "sequence": list(_steps(game, wording, program.entry, frozenset())) if program.entry else [],
        "domains": [
            {
                "name": domain.name,
                "title": wording.title("kind", domain.name),
                "sort": domain.sort,
                "members": _members(game, wording, domain.name),
            }
            for domain in program.domains
        ],
        "kinds": list(_kinds(game, wording)),
        "states": list(_states(game, wording)),
        "facts": list(_facts(game, wording)),
        "choices": list(_choices(game, wording)),
        "rolls": list(_rolls(game, wording)),
        "values": dict(game.named_values.signatures),
        "rules": {
            id_: {
                **rule,
                "summary": wording.speech.rules.get(number(id_, background.prefix), rule["summary"]),
            }
            for id_, rule in background.printed.items()
        },
    }


def number(rule: str, prefix: str) -> str:
    """A printed rule's number, without the set's prefix."""
    return rule.removeprefix(f"{prefix}.") if prefix else rule


def _members(game: PreparedGame, wording: Wording, domain: str) -> list[dict[str, str]]:
    known = game.program.by_name.domains.get(domain)
    names = () if known is None else known.members
    return [{"name": name, "title": wording.member(domain, n)} for n, name in enumerate(names)]


def _kinds(game: PreparedGame, wording: Wording) -> Iterator[dict[str, Any]]:
    domains = game.program.by_name.domains
    for kind in game.program.kinds:
        members = domains[kind.domain].members
        yield {
            "name": kind.name,
            "title": wording.title("kind", kind.name),
            "domain": kind.domain,
            "members": [name for n, name in enumerate(members) if kind.members >> n & 1],
        }


def _states(game: PreparedGame, wording: Wording) -> Iterator[dict[str, Any]]:
    for state in game.program.states:
        if ":" in state.name:
            continue
        yield {
            "name": state.name,
            "title": wording.name(state.name),
            "keys": list(map(_key, state.keys)),
            "type": str(state.type),
            "hidden": state.known_to is not None,
            "counted": state.counted,
            "rules": list(game.program.sites[state.site].rules),
        }


def _facts(game: PreparedGame, wording: Wording) -> Iterator[dict[str, Any]]:
    """The fixed fields of members, with their values."""
    domains = game.program.by_name.domains
    for table in game.program.statics:
        if len(table.keys) != 1 or not isinstance(table.keys[0], str) or ":" in table.name or table.missing:
            continue
        members = domains[table.keys[0]].members
        yield {
            "name": table.name,
            "title": wording.name(table.name),
            "keys": [table.keys[0]],
            "type": str(table.type),
            "values": dict(_entries(game, table, members)),
        }


def _entries(game: PreparedGame, table: StaticTable, members: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The entries of a table that exist, by member."""
    for name, value in zip(members, table.values, strict=True):
        if value != GAP:
            yield name, game.named_values.to_json(table.type, value)


def _choices(game: PreparedGame, wording: Wording) -> Iterator[dict[str, Any]]:
    for choice in game.program.choices:
        yield {
            "name": choice.name,
            "title": wording.title("choice", choice.name, wording.name(choice.name)),
            "verb": choice.verb,
            "parameters": _params(choice.params),
            "item": "" if choice.item is None else str(choice.item.type),
            "type": domain_of(choice),
            "secret": choice.secret,
            "rules": list(game.program.sites[choice.site].rules),
        }


def _rolls(game: PreparedGame, wording: Wording) -> Iterator[dict[str, Any]]:
    for point in game.program.points:
        if point.dice:
            yield {
                "name": point.name,
                "title": wording.title("roll", point.name),
                "dice": point.dice,
                "sides": point.sides,
                "lowest": point.lowest,
                "parameters": _params(point.params),
                "rules": list(game.program.sites[point.site].rules),
            }


def _params(params: tuple[Param, ...]) -> list[dict[str, str]]:
    return [{"name": param.name, "type": str(param.type)} for param in params]


def _key(key: Key) -> str:
    return key if isinstance(key, str) else f"{key[0]}..{key[1]}"


def _steps(
    game: PreparedGame, wording: Wording, procedure: str, around: Set[str]
) -> Iterator[dict[str, Any]]:
    """The phases, segments and steps of a procedure and of those that it calls, in their order."""
    known = game.program.by_name.procedures.get(procedure)
    if known is None or procedure in around:
        return
    yield from _steps_in(game, wording, known.body, around | {procedure})


def _steps_in(
    game: PreparedGame, wording: Wording, block: Block, around: Set[str]
) -> Iterator[dict[str, Any]]:
    for stmt in block:
        if isinstance(stmt, Step):
            yield {
                "level": stmt.word,
                "name": stmt.name,
                "title": wording.title(stmt.word, stmt.name, stmt.title),
                "rules": list(game.program.sites[stmt.site].rules),
                "steps": list(_steps_in(game, wording, stmt.body, around)),
            }
        elif isinstance(stmt, Do):
            yield from _steps(game, wording, stmt.procedure, around)
        else:
            for inner in walk.blocks(stmt):
                yield from _steps_in(game, wording, inner, around)
