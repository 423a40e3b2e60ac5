"""The sequence of play as a walk: phases and steps, what is cited on the way, who acts, what is rolled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from rulekit.base.frozen import frozen
from rulekit.compiler.play_walk import PlayWalk
from rulekit.reports.sheet.content.changes import Force, Key
from rulekit.reports.sheet.model.document import Who
from rulekit.reports.sheet.reachability.applies import EVERYTHING, Applies
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s

MOST_VISITED = 20_000
"""Statements of one walk; a sequence has far fewer."""


@dataclass(slots=True)
class SequenceEntry:
    """A point of the sequence.

    Attributes:
        key: The printed rule, or the name of a step that cites none of the chapter.
        phase: Whether it heads others.
        within: The key of the point that it is under, empty at the top.
        anyone: Whether a choice on the way is made by a side that only play knows.
        reached: Items that are asked on the way, in order.
        seen: Procedures walked for it, each with whether that was in a loop.
        step: The step of the rules that it was first met as; none for the rules that other statements cite.
    """

    key: str
    title: str
    cites: tuple[str, ...]
    depth: int
    phase: bool
    printed: bool
    within: str = ""
    anyone: bool = False
    rolls: dict[str, None] = field(default_factory=dict)
    who: list[Who] = field(default_factory=list)
    reached: dict[Key, None] = field(default_factory=dict)
    seen: set[tuple[str, bool]] = field(default_factory=set)
    step: s.Step | None = None


@frozen
class _Place:
    entries: tuple[SequenceEntry, ...]
    depth: int
    who: Who | None
    sides: tuple[tuple[str, Who], ...]
    """Locals that name a side, and whose turn it is."""
    inside: str = ""
    """The procedure."""


class Walk(PlayWalk[_Place]):
    """Walks a sequence once.

    Args:
        chapter: Printed rules that are points of their own.
        applies: Tells which statements can occur; the walk passes the others by.
    """

    def __init__(
        self, force: Force, chapter: Sequence[str], side_kind: str, applies: Applies = EVERYTHING
    ) -> None:
        super().__init__(force.names)
        self._force, self._applies = force, applies
        self._chapter = frozenset(chapter)
        enum = self.names.enums.get(side_kind)
        self._sides = {m.name.text: n for n, m in enumerate(enum.members)} if enum else {}
        self._kind = side_kind
        self._left = MOST_VISITED
        self._pointless: set[tuple[str, _Place]] = set()
        self.entries: dict[str, SequenceEntry] = {}

    def sequence(self, name: str) -> tuple[SequenceEntry, ...]:
        """The points of a sequence, in the order they are first met."""
        self.run(name, _Place((), 0, None, ()))
        entries = tuple(self.entries.values())
        heads = {entry.within for entry in entries}
        phases = {entry.key for entry in entries if entry.phase}
        for entry in entries:
            if entry.within in phases and entry.key not in heads:
                entry.phase = False  # a segment without steps is a line of its phase
        return entries

    # -- statements

    def enter(self, procedure: i.Procedure, at: _Place) -> _Place | None:
        """The points of a procedure, unless all those around have met it already."""
        name = procedure.name.text
        if self._is_exception(name):
            return None
        for entry in at.entries:
            entry.reached.setdefault(("procedure", name.partition("'")[0]))
        if at.entries and all((name, at.depth > 0) in entry.seen for entry in at.entries):
            return None
        if not at.entries:
            if (name, at) in self._pointless:
                return None
            self._pointless.add((name, at))
        for entry in at.entries:
            entry.seen.add((name, at.depth > 0))
        inner = at
        if at.entries or procedure.sort != "sequence":
            inner = self._at(procedure.cite, procedure.title, at)
        return replace(inner, inside=name)

    def _is_exception(self, name: str) -> bool:
        _, dash, by = name.partition("'")
        return bool(dash) and any(exception.name.text == by for exception in self._force.exceptions)

    def visit(self, node: s.Statement, at: _Place) -> _Place | None:
        """Note what a statement rolls, asks and reads at the points that it belongs to."""
        self._left -= 1
        if self._left < 0 or not self._applies.at(node.span):
            return None
        if self._force.exception_at(node.span) is not None:
            if isinstance(node, s.When):  # what is done while the exception does not hold
                self.block(node.otherwise, at)
            elif isinstance(node, s.Do) and "'" in node.call.name.text:  # and what an exception stands before
                self.run(node.call.name.text, self._inside_procedure(node, at))
            return None
        if isinstance(node, s.Step):
            return self._step(node, at)
        inner = self._at(node.cite, "", at)
        match node:
            case s.ForEach():
                return self._for_each(node, inner)
            case s.When():
                for number, (condition, body) in enumerate(node.branches):
                    inner = self._at(node.cite_of(number), "", at)
                    self._note_calls(condition, inner)
                    self.block(body, inner)
                self.block(node.otherwise, self._at(node.cite_of(len(node.branches)), "", at))
                return None
            case s.Repeat():
                return replace(inner, depth=at.depth + (at.entries != ()))
            case s.Do():
                self._note_calls(node.call.arguments, inner)
                return self._inside_procedure(node, inner)
            case s.RollDice():
                for entry in inner.entries:
                    entry.rolls.setdefault(node.call.name.text)
                    entry.reached.setdefault(("roll", node.call.name.text))
            case s.Choose():
                self._choose(node, inner)
            case (
                s.Let() | s.Change() | s.Mark() | s.Move() | s.Draw() | s.Shuffle() | s.Put() | s.Form()
                | s.Dissolve() | s.Reveal() | s.Return() | s.Jump() | s.Finish() | s.Say()
            ):  # fmt: skip
                self._note_calls(node, inner)
            case s.Together():
                pass
            case _:
                assert_never(node)
        return inner

    def _step(self, node: s.Step, at: _Place) -> _Place:
        cites = node.cite.ids if node.cite else ()
        own = self._own(node)
        title = node.title or self._force.words.title("step", node.name.text)
        phase = node.word in ("phase", "segment")
        key = own[0] if own else f"step {node.name.text}"
        entry = self._entry(key, title, cites, at, phase=phase, printed=bool(own))
        entry.step = entry.step or node
        inner = replace(at, entries=(entry,), depth=0 if phase else at.depth)
        return inner if node.loop is None else self._inside_loop(node.loop, inner)

    def _own(self, node: s.Step) -> list[str]:
        """The printed rules of the chapter that a step cites; first those that no other step does."""
        own = [id_ for id_ in (node.cite.ids if node.cite else ()) if id_ in self._chapter]
        return sorted(own, key=lambda id_: self._force.steps_citing.get(id_, 0) > 1)

    def _entry(
        self, key: str, title: str, cites: Sequence[str], at: _Place, *, phase: bool = False, printed: bool
    ) -> SequenceEntry:
        entry = self.entries.get(key)
        if entry is None:
            within = at.entries[0].key if at.entries else ""
            entry = SequenceEntry(key, title, tuple(cites), at.depth, phase, printed, within)
            self.entries[key] = entry
            return entry
        entry.depth = entry.depth or at.depth  # met first on its own, then in a loop
        entry.title = entry.title or title
        return entry

    def _at(self, cite: s.Cite | None, title: str, at: _Place) -> _Place:
        """Return the points of the chapter that a statement cites, or the one it is under."""
        here = [entry.key for entry in at.entries]
        own = [id_ for id_ in (cite.ids if cite else ()) if id_ in self._chapter]
        own = [id_ for id_ in own if id_ in here or not any(key.startswith(id_) for key in here)]
        if not own or any(id_ in here for id_ in own):
            return at
        entries = tuple(self._entry(id_, title, cite.ids if cite else (), at, printed=True) for id_ in own)
        return replace(at, entries=entries)

    # -- who

    def _for_each(self, node: s.ForEach, at: _Place) -> _Place | None:
        own = [entry for entry in at.entries if node.cite and entry.key in node.cite.ids]
        inner = self._inside_loop(node.loop, at)
        who = inner.who
        if who and who.joint == "then" and len(own) == len(who.sides) > 1:  # a printed rule for each side
            for entry, side in zip(own, who.sides, strict=True):
                alone = Who((side,), "alone")
                self._acts(entry, alone)
                turns = (*inner.sides, (node.loop.var.text, alone))
                self.block(node.body, replace(at, entries=(entry,), who=alone, sides=turns))
            return None
        return inner

    def _inside_loop(self, loop: s.Loop, at: _Place) -> _Place:
        """The inside of a loop; over the sides it says in which order they act."""
        self._note_calls(loop.over, at)
        if not (isinstance(loop.over, x.Reference) and loop.over.name.text == self._kind):
            return at
        first: list[int] = []
        joint: Literal["turns", "then", "either"] = "turns" if loop.alternating is not None else "then"
        for order in loop.orders:
            side = order.value.name.text if isinstance(order.value, x.Reference) else ""
            if order.kind == "first" and side in self._sides:
                first.append(self._sides[side])
            elif order.kind != "first" or side:
                joint = "either"
        if joint == "either":
            first = []
        rest = [side for side in self._sides.values() if side not in first]
        who = Who((*first, *rest), joint)
        return replace(at, who=who, sides=(*at.sides, (loop.var.text, who)))

    def _inside_procedure(self, node: s.Do, at: _Place) -> _Place:
        """The place inside a procedure: its parameters name the sides passed to it."""
        procedure = self.names.procedures.get(self.procedure_of(node, at))
        known, passed = dict(at.sides), []
        for param, argument in zip(procedure.params if procedure else (), node.call.arguments, strict=False):
            if isinstance(argument, x.Reference):
                name = argument.name.text
                if name in self._sides:
                    passed.append((param.name.text, Who((self._sides[name],), "alone")))
                elif name in known:
                    passed.append((param.name.text, known[name]))
        return replace(at, sides=tuple(passed))

    def _choose(self, node: s.Choose, at: _Place) -> None:
        choice = self.names.choices.get(node.call.name.text)
        if choice is None:
            return
        at = self._at(choice.cite, "", at)
        who = self._decider(choice, node.call.arguments, at)
        for entry in at.entries:
            if who is not None:
                self._acts(entry, who)
            entry.anyone |= who is None
            entry.reached.setdefault(("choice", choice.name.text))
        self._note_calls((choice.verb, *choice.lets, *choice.norms), at)

    def _decider(self, choice: i.Choice, arguments: Sequence[x.Expr], at: _Place) -> Who | None:
        decider = choice.decider
        if isinstance(decider, x.Reference):
            name = decider.name.text
            if name in self._sides:
                return Who((self._sides[name],), "alone")
            for param, argument in zip(choice.params, arguments, strict=False):
                if param.name.text == name and isinstance(argument, x.Reference):
                    given = argument.name.text
                    if given in self._sides:
                        return Who((self._sides[given],), "alone")
                    return dict(at.sides).get(given, at.who)
        return at.who or Who(tuple(self._sides.values()), "either")

    @staticmethod
    def _acts(entry: SequenceEntry, who: Who) -> None:
        if who not in entry.who:
            entry.who.append(who)

    def _note_calls(self, what: object, at: _Place) -> None:
        for key in self._force.calls(what) if at.entries else ():
            for entry in at.entries:
                entry.reached.setdefault(key)


def together(found: Sequence[Who]) -> Who | None:
    """Return the sides that act at a point with several steps; None if no side decides anything."""
    if len(found) <= 1:
        return found[0] if found else None
    # Without an order of their own they stand in that of the sides, so that the key explains one mark.
    sides = tuple(sorted({side for who in found for side in who.sides}))
    joints = {who.joint for who in found}
    if len(sides) == 1:
        return Who(sides, "alone")
    for joint in ("turns", "then"):
        if joint in joints:
            return next(who for who in found if who.joint == joint)
    if joints == {"alone"}:
        return Who(sides, "together")
    return Who(sides, "either")


def order(entries: Sequence[SequenceEntry], places: dict[str, int]) -> Iterator[SequenceEntry]:
    """Points in printed order; one that is not printed follows the point before it."""
    rank = float(-1)
    ranked: list[tuple[float, int, SequenceEntry]] = []
    for met, entry in enumerate(entries):
        if entry.printed and entry.key in places:
            rank = max(rank, places[entry.key]) if not entry.phase else places[entry.key]
            ranked.append((places[entry.key], met, entry))
        else:
            ranked.append((rank + 0.5, met, entry))
    return (entry for _, _, entry in sorted(ranked, key=lambda each: each[:2]))
