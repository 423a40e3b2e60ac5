"""The answers to `show`: a member and its fields, the pieces at a place, a state."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulekit import ir
from rulekit.base.spelling import nearest
from rulekit.cli.shared import fold
from rulekit.cli.table.text_board import TextBoards
from rulekit.compiler.driver import Compiled
from rulekit.compiler.populate.members import in_words
from rulekit.ir.types import GAP, NONE, Flag, Int, ListOf, Member, SetOf, Text
from rulekit.runtime.narrate import Words
from rulekit.runtime.play import HIDDEN, Fault, Game, Session, View
from rulekit.runtime.support.wording import plain

INDENT = "    "
EMPTY = "·"
"""Stands for a figure that a piece does not have."""
FEW = 12
"""Values of a state that are shown even if they say nothing, such as 0."""
MOST_LINES = 100
"""Lines of a board that is shown with the whole game; of a larger one, the places with pieces are listed."""


class StateView:
    """Answers `show` of one program, as the side may see it that asks."""

    def __init__(
        self, compiled: Compiled, words: Words, game: Game, factors: Mapping[str, tuple[str, ...]]
    ) -> None:
        """
        Args:
            factors: The fields that are printed on the pieces of a kind, in their order.
        """
        self._game, self._factors = game, factors
        self._beginning: Session | None = None
        self._world = compiled.model.world
        self.boards = TextBoards(self._world, compiled.program)
        self._program = compiled.program
        self._words = words
        self._states = compiled.program.by_name.states
        self._tables = compiled.program.by_name.statics
        self._members = {
            (domain.name, name): title
            for domain in compiled.program.domains
            if domain.sort != "enum" or any(domain.name in state.keys for state in compiled.program.states)
            for name, title in zip(domain.members, domain.titles, strict=True)
        }

    def figures(self, name: str, kind: Member, view: View) -> str:
        """The factors of a piece, and the values that have changed since play began."""
        if kind.domain != "piece":
            return ""
        kinds = self._kinds_of(kind.domain, view.moment.game.naming.number(kind.domain, name))
        printed = next((self._factors[own] for own in kinds if own in self._factors), ())
        values = [self._number(kinds, field, name, view) for field in printed]
        changed = [
            self._field_text(state, value) or f"not {self._words.term(state)}"
            for state, value in self._changes_of(kinds, name, view)
            if state.rpartition(".")[2] not in printed
        ]
        if len(printed) == 1:
            figures = f"{self._words.term(printed[0])} {values[0]}"
        else:
            figures = "-".join(f"({value})" if value.startswith("-") else value for value in values)
        return ", ".join([figures, *changed] if any(values) else changed)

    def figures_key(self, names: Sequence[str], kind: Member, view: View) -> str:
        """The words for the factors of these pieces, by kind if they differ; empty if no kind has several."""
        if kind.domain != "piece":
            return ""
        keys = {
            own: "-".join(map(self._words.term, self._factors[own]))
            for name in names
            for own in self._kinds_of(kind.domain, view.moment.game.naming.number(kind.domain, name))
            if len(self._factors.get(own, ())) > 1
        }
        words = dict.fromkeys(keys.values())
        by_kind = (f"{in_words(own)} {key}" for own, key in keys.items())
        return "; ".join(words if len(words) == 1 else by_kind)

    def _kinds_of(self, domain: str, number: int) -> list[str]:
        return [k.name for k in self._program.kinds if k.domain == domain and k.members >> number & 1]

    def _number(self, kinds: Sequence[str], field: str, name: str, view: View) -> str:
        """The value of a field of a piece; a point if it has none."""
        info = next((self._world.fields[k, field] for k in kinds if (k, field) in self._world.fields), None)
        if info is None or info.keys:
            return EMPTY
        if info.store in self._states:
            value = view.state(info.store, name)
            return "?" if value is HIDDEN else EMPTY if value is None else self._words.value(value)
        table = self._tables.get(info.store)
        value = GAP if table is None else table.values[view.moment.game.naming.number("piece", name)]
        if table is None or value in (GAP, NONE):
            return EMPTY
        return self._words.value(view.moment.game.naming.to_json(table.type, value))

    def _changes_of(self, kinds: Sequence[str], name: str, view: View) -> Iterator[tuple[str, Any]]:
        """The states of a piece, numbers and flags, that differ from those with which the scenario begins.

        Those that the log leaves out are left out here.
        """
        if self._beginning is None:
            with contextlib.suppress(Fault):
                self._beginning = self._game.start(scenario=view.moment.scenario)
        for (kind, _), info in self._world.fields.items():
            state = self._states.get(info.store)
            if kind not in kinds or info.keys or state is None or not isinstance(state.type, Int | Flag):
                continue
            value = view.state(state.name, name)
            if self._words.say.is_quiet(state.name) or self._beginning is None:
                continue
            if value not in (HIDDEN, self._beginning.state(state.name, name)):
                yield state.name, value

    def show(self, text: str, view: View) -> Iterator[str]:
        """The lines about what is asked for; without a text, about the game as a whole."""
        if not text.strip():
            yield from self._whole(view)
            return
        boards = self.boards.kinds(text.strip())
        for kind in boards:
            yield from self.boards.lines(kind, view)
        members, states = self._meant(text)
        for domain, name in members:
            yield from self._member(domain, name, view)
        for state in states:
            yield from self._state(state, view)
        if not members and not states and not boards:
            known = {fold(name): plain(name) for name in (*self._members.values(), *self._states)}
            near = [known[name] for name in nearest(fold(text), known, 3)]
            hint = f"; similar: {', '.join(near)}" if near else ""
            yield f"unknown name `{text}`{hint}"

    def _meant(self, text: str) -> tuple[list[tuple[str, str]], list[ir.State]]:
        """Members and states of that name or title; else those that begin with it."""
        wanted = fold(text)
        members = [key for key, title in self._members.items() if wanted in (fold(key[1]), fold(title))]
        states = [
            state
            for name, state in self._states.items()
            if wanted in (fold(name), fold(name.rpartition(".")[2])) and ":" not in name
        ]
        if members or states:
            return members, states
        beginning = [key for key, title in self._members.items() if f" {fold(title)}".find(f" {wanted}") >= 0]
        return (beginning if len(beginning) == 1 else []), []

    # -- members

    def _member(self, domain: str, name: str, view: View) -> Iterator[str]:
        number = view.moment.game.naming.number(domain, name)
        kinds = self._kinds_of(domain, number)
        own = next((kind for kind in kinds if self._world.sorts.get(kind) == "population"), domain)
        head = f"{self._members[domain, name]}  ({own})"
        if domain == "piece" and any(other == "space" for other, _ in self._members):
            where = view.state("place", name)
            head += f"  {self._where(where)}"
        yield head
        fixed, changing = self._fields(kinds, name, number, view)
        changing += self._state_values(domain, name, view)
        changing += self._holders(domain, name, view)
        for text in self._words.texts(name, domain):
            yield f"{INDENT}{text}"
        if fixed:
            yield f"{INDENT}{'; '.join(fixed)}"
        if changing:
            yield f"{INDENT}now: {'; '.join(changing)}"
        if domain == "space":
            pieces = [piece for piece_domain, piece in self._members if piece_domain == "piece"]
            places = {piece: view.state("place", piece) for piece in pieces}
            here = [self._words.name(piece, "piece") for piece, place in places.items() if place == name]
            unseen = "; you do not see where all pieces are" if HIDDEN in places.values() else ""
            yield f"{INDENT}here: {', '.join(here) or 'nobody'}{unseen}"

    def _where(self, place: Any) -> str:
        if place is HIDDEN:
            return "somewhere"
        return "off the board" if place is None else f"at {self._words.name(place, 'space')}"

    def _state_values(self, domain: str, name: str, view: View) -> list[str]:
        """Return the values of states keyed by the member that are not its fields."""
        fields = {info.store for info in self._world.fields.values()}
        return [
            words
            for state in self._program.states
            if state.keys == (domain,) and state.name not in fields and state.name != "place"
            if ":" not in state.name and (words := self._field_text(state.name, view.state(state.name, name)))
        ]

    def _holders(self, domain: str, name: str, view: View) -> Iterator[str]:
        """The sets, lists, cups and stacks that hold a member, as far as the side sees them."""
        for state in self._program.states:
            of = state.type.of if isinstance(state.type, SetOf | ListOf) else None
            if not isinstance(of, Member) or of.domain != domain or ":" in state.name:
                continue
            for keys, value in view.states[state.name]:
                if name in value:
                    yield " ".join(["in", *map(self._words.value, keys), self._words.term(state.name)])

    def _fields(self, kinds: list[str], name: str, number: int, view: View) -> tuple[list[str], list[str]]:
        fixed: dict[str, str] = {}
        changing: dict[str, str] = {}
        for (kind, field), info in self._world.fields.items():
            if kind not in kinds or info.keys or field == "place":
                continue
            if info.changes and info.store in self._states:
                value = view.state(info.store, name)
                words = self._field_text(info.store, value)
                if words and (value not in (None, []) or self._words.say.value_of(info.store, value)):
                    changing.setdefault(field, words)
            elif info.store in self._tables:
                table = self._tables[info.store]
                if isinstance(table.type, Text):
                    continue
                value = table.values[number] if len(table.keys) == 1 else GAP
                if value not in (GAP, NONE):
                    shown = view.moment.game.naming.to_json(table.type, value)
                    fixed.setdefault(field, f"{self._words.term(info.store)} {self._words.value(shown)}")
        return list(fixed.values()), list(changing.values())

    def _telling(self, kinds: Sequence[str], name: str, view: View) -> Iterator[str]:
        """The changing fields of a member that say something: no flag that is not set, no 0, not none."""
        for (kind, _), info in self._world.fields.items():
            if kind in kinds and not info.keys and info.store in self._states:
                value = view.state(info.store, name)
                if value not in ([], None, False, 0):
                    yield self._field_text(info.store, value)

    def _field_text(self, state: str, value: Any) -> str:
        """A state's value; nothing for a flag that is not set."""
        term = self._words.term(state)
        if value is HIDDEN:
            return f"{term} hidden"
        if isinstance(value, bool):
            return term if value else ""
        return self._words.say.value_of(state, value) or f"{term} {self._words.value(value)}"

    # -- states

    def _state(self, state: ir.State, view: View) -> Iterator[str]:
        """A state of the game as a whole, or all its values; of some hidden cups and stacks the number."""
        counts = view.counts.get(state.name, [])
        if not state.keys:
            value = view.state(state.name)
            hidden = f"{counts[0][1]}, hidden" if counts else "hidden"
            yield f"{self._words.term(state.name)}: {hidden if value is HIDDEN else self._words.value(value)}"
            return
        yield f"{self._words.term(state.name)}:"
        for keys, number in counts:
            yield f"{INDENT}{' '.join(map(self._words.value, keys))}: {number}, hidden"
        cells = view.states[state.name]
        for keys, value in cells:
            if len(cells) <= FEW or value not in ([], None, False, 0):
                who = " ".join(map(self._words.value, keys))
                yield f"{INDENT}{who + ': ' if who else ''}{self._words.value(value)}"

    def _whole(self, view: View) -> Iterator[str]:
        boards = {kind: list(self.boards.lines(kind, view)) for kind in self.boards.kinds("")}
        large = [kind for kind, lines in boards.items() if len(lines) > MOST_LINES]
        for kind, lines in boards.items():
            yield from [] if kind in large else lines
        places = [] if boards and not large else list(self._places(view))
        yield from places
        for kind in large:
            yield f"`show {kind}` prints the whole board, in {len(boards[kind])} lines"
        whole = [
            state
            for state in self._program.states
            if not state.keys and ":" not in state.name and not self._words.say.is_quiet(state.name)
        ]
        for state in whole:
            if view.state(state.name) not in ([], None, False) or state.name in view.counts:
                yield from self._state(state, view)
        if not whole and not boards and not places:
            yield "no state belongs to the whole game; `show NAME` shows a piece, a place or a state"

    def _places(self, view: View) -> Iterator[str]:
        """Each place where pieces are, with what changes there, and the pieces."""
        here: dict[str, list[str]] = {}
        if "place" in self._states:
            for keys, place in view.states["place"]:
                if place is not None and place is not HIDDEN:
                    here.setdefault(place, []).append(keys[0])
        for domain, name in self._members:
            if domain == "space" and name in here:
                number = view.moment.game.naming.number(domain, name)
                changing = list(self._telling(self._kinds_of(domain, number), name, view))
                about = f" ({'; '.join(changing)})" if changing else ""
                yield f"{self._members[domain, name]}{about}: {self._words.several(here[name], 'piece')}"
