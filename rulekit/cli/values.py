"""Values typed on the command line, read as the type wants them: numbers, names or titles, sets, months."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulekit import ir
from rulekit.base.spelling import meant, suggestion
from rulekit.cli.shared import fold
from rulekit.compiler.driver import Compiled
from rulekit.ir import types as t
from rulekit.ir.semantics.names import NamingError
from rulekit.runtime.play.answering.spelling import ARROW
from rulekit.runtime.play.beginning.given import Given
from rulekit.runtime.support.lots import lots_of

_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
ENDS = ("done", "none")
"""Answers that name no member."""

WORDS = {"true": True, "yes": True, "false": False, "no": False}


def _number(text: str) -> int | str:
    """Return a text as a number if it is one of a size that rules can hold, else as it is."""
    return int(text) if _NUMBER.fullmatch(text) else text


class Values:
    """Reads what is typed for one program."""

    def __init__(self, compiled: Compiled) -> None:
        self._program = compiled.program
        self._world = compiled.model.world
        self._domains = compiled.program.by_name.domains
        self._states = compiled.program.by_name.states

    def read(self, kind: t.Type, text: str) -> Any:
        """A value as JSON; whether it is one of the type is for others to say."""
        text = text.strip()
        match kind:
            case t.Optional(of=of):
                return None if text == "none" else self.read(of, text)
            case t.Flag():
                return WORDS.get(text.casefold(), text)
            case t.Int():
                return _number(text)
            case t.SetOf(of=of) | t.ListOf(of=of):
                inside = text.removeprefix("{").removesuffix("}")
                return [self.read(of, part) for part in inside.split(",") if part.strip()]
            case t.MapOf(key=key, value=of):
                pairs = [part.partition(":") for part in text.removeprefix("{").removesuffix("}").split(",")]
                return {str(self.read(key, name)): self.read(of, value) for name, _, value in pairs}
            case t.Member(domain=domain):
                return self.member(domain, text)
            case t.Text():
                return text.removeprefix('"').removesuffix('"')
            case t.Month() | t.Ratio() | t.Row() | t.Record() | t.Nothing():
                return text

    def member(self, domain: str, text: str) -> str:
        """A member's name, from its name or title however its blanks and capitals are typed."""
        wanted = fold(text)
        known = self._domains[domain]
        for name, title in zip(known.members, known.titles, strict=True):
            if text == name or wanted in (fold(name), fold(title)):
                return name
        return "_".join(text.strip("'").split())

    # -- chance and answers

    def dice(self, entries: Sequence[str]) -> dict[str, list[int]]:
        """`attack=6,1` as faces by roll.

        Raises:
            NamingError: No such roll, or not a number.
        """
        rolls = [point.name for point in self._program.points if point.dice]
        dice: dict[str, list[int]] = {}
        for name, parts in _lists("--dice", "ROLL=NUMBER,NUMBER", entries):
            if name not in rolls:
                raise NamingError(f"unknown roll `{name}`; {suggestion(name, rolls)}")
            for part in parts:
                if not _NUMBER.fullmatch(part):
                    raise NamingError(f"`--dice {name}`: expected a number, found `{part}`")
                dice.setdefault(name, []).append(int(part))
        return dice

    def draws(self, entries: Sequence[str]) -> dict[str, list[Any]]:
        """`chits=A,B` as things by draw; of a shuffle or a loop by lot, each entry is one whole order.

        Raises:
            NamingError: No such draw.
        """
        lots = lots_of(self._program)
        draws: dict[str, list[Any]] = {}
        for name, parts in _lists("--draws", "CUP=THING,THING", entries):
            if name not in lots:
                hint = suggestion(name, sorted(lots), "" if lots else "the rules have none")
                raise NamingError(f"unknown draw or shuffle `{name}`; {hint}")
            things = [self.read(lots[name].thing, part) for part in parts]
            draws.setdefault(name, []).extend([things] if lots[name].orders else things)
        return draws

    def answers(self, entries: Sequence[str]) -> dict[str, list[str]]:
        """`move=Akagi,done` as answers by choice.

        Raises:
            NamingError: No such choice.
        """
        choices = self._program.by_name.choices
        answers: dict[str, list[str]] = {}
        for name, parts in _lists("--answers", "CHOICE=ANSWER,ANSWER", entries):
            if name not in choices:
                raise NamingError(f"unknown choice `{name}`; {suggestion(name, sorted(choices))}")
            kind = choices[name].option.type
            answers.setdefault(name, []).extend(self._answer(kind, part) for part in parts)
        return answers

    def _answer(self, kind: t.Type, text: str) -> str:
        """An answer by its name; of a record, the names of its values with arrows between them."""
        if isinstance(kind, t.Record) and ARROW.strip() in text:
            values = map(str.strip, text.split(ARROW.strip()))
            return ARROW.join(self._answer(of, value) for of, value in zip(kind.types, values, strict=False))
        return self.member(kind.domain, text) if isinstance(kind, t.Member) and text not in ENDS else text

    # -- states

    def given_cells(self, entries: Sequence[str]) -> Given:
        """`turn=3`, `Akagi.damage=2`, `hits(Blue)=2` as cells of states.

        Raises:
            NamingError: No such state or member.
        """
        cells: dict[str, list[tuple[list[Any], Any]]] = {}
        flags: dict[tuple[str, tuple[Any, ...]], list[Any]] = {}
        for entry in entries:
            target, equals, value = entry.partition("=")
            if not equals:
                raise NamingError(f"`--given {entry}`: expected STATE=VALUE")
            state, keys = self._target(target.strip())
            read = self.read(state.type, value)
            if isinstance(state.type, t.Flag) and keys:
                marked = flags.setdefault((state.name, tuple(keys[:-1])), [])
                marked += [keys[-1]] if read is True else []
            else:
                cells.setdefault(state.name, []).append((keys, read))
        for (name, outer), marked in flags.items():
            cells.setdefault(name, []).append((list(outer), marked))
        return cells

    def _target(self, text: str) -> tuple[ir.State, list[Any]]:
        name, bracket, inside = text.partition("(")
        if bracket:
            typed = [part.strip() for part in inside.removesuffix(")").split(",")]
        elif name not in self._states and "." in name:
            member, _, field = name.rpartition(".")
            return self._field(member, field)
        else:
            typed = []
        state = self._states.get("_".join(name.split()))
        if state is None:
            hint = meant(name, self._states)
            raise NamingError(f"unknown state `{name}`" + (f"; {hint}" if hint else ""))
        if len(typed) != len(state.keys):
            raise NamingError(f"`{name}`: expected {_shape(state)}=VALUE")
        return state, [self._key(domain, part) for domain, part in zip(state.keys, typed, strict=True)]

    def _key(self, domain: str | tuple[int, int], text: str) -> Any:
        if isinstance(domain, str):
            return self.member(domain, text)
        return _number(text)

    def _field(self, member: str, field: str) -> tuple[ir.State, list[Any]]:
        for domain in ("piece", "space", *(d.name for d in self._program.domains if d.sort == "group")):
            if domain not in self._domains:
                continue
            name = self.member(domain, member)
            if name not in self._domains[domain].members:
                continue
            if field == "place":
                return self._states["place"], [name]
            number = self._domains[domain].members.index(name)
            kinds = [k.name for k in self._program.kinds if k.domain == domain and k.members >> number & 1]
            for kind in (*kinds, domain):
                info = self._world.fields.get((kind, field))
                if info is not None and info.store in self._states:
                    return self._states[info.store], [name]
            raise NamingError(f"`{member}` has no changing field `{field}`")
        raise NamingError(f"unknown state `{member}.{field}`; nothing is named `{member}` either")


def _lists(option: str, expected: str, entries: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for entry in entries:
        name, equals, listed = entry.partition("=")
        if not equals:
            raise NamingError(f"`{option} {entry}`: expected {expected}")
        yield name.strip(), [part.strip() for part in listed.split(",") if part.strip()]


def _shape(state: ir.State) -> str:
    if not state.keys:
        return state.name
    return f"{state.name}({', '.join(k if isinstance(k, str) else f'{k[0]}..{k[1]}' for k in state.keys)})"
