"""The sequence of play as it is written, with what it does written in its place: what comes before what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from rulekit.analysis.claims.verdict import ClaimVerdict, contradicted
from rulekit.analysis.verdicts import Proved
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import PointModel, Precedence
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.blocks import blocks
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.walk import nodes


@dataclass(slots=True)
class _Order:
    """Each point's first place in the order, and where it stands."""

    named: dict[tuple[str, str], tuple[int, Span]] = field(default_factory=dict)
    cited: dict[str, tuple[int, Span]] = field(default_factory=dict)
    length: int = 0


class PlayOrder:
    """The order of what one rule set does, from the beginning of its sequence of play."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._names = compiled.names

    def verdict(self, precedence: Precedence) -> ClaimVerdict:
        """Whether one point comes before another, each where it comes first."""
        first, second = self._place(precedence.first), self._place(precedence.second)
        for point, place in ((precedence.first, first), (precedence.second, second)):
            if place is None:
                return contradicted(f"{point.told} is nowhere in the sequence of play")
        assert first is not None and second is not None
        if first[0] < second[0]:
            return Proved()
        if first[0] == second[0]:
            told = f"{precedence.first.told} and {precedence.second.told} stand at one place"
        else:
            told = f"{precedence.second.told} comes before {precedence.first.told}"
        return contradicted(told, second[1])

    def _place(self, point: PointModel) -> tuple[int, Span] | None:
        if point.word != "cited":
            return self._order.named.get((point.word, point.name))
        found = [self._order.cited[rule] for rule in point.rules if rule in self._order.cited]
        return min(found, key=lambda place: place[0], default=None)

    @cached_property
    def _order(self) -> _Order:
        order = _Order()
        entry = self._names.procedures.get(self._compiled.program.entry)
        if entry is not None:
            self._procedure(entry, order)
        return order

    def _procedure(self, item: i.Procedure, order: _Order) -> None:
        """What a procedure does; where it is done again nothing comes for the first time."""
        if not self._named(order, "procedure", item.name.text, item.span):
            return
        self._named(order, "procedure", self._names.declared.get(item.name.text, item.name.text), item.span)
        self._cite(order, item.cite, item.span)
        self._block(item.body, item, order)

    def _block(self, body: Iterable[s.Statement], inside: i.Procedure, order: _Order) -> None:
        for statement in body:
            self._statement(statement, inside, order)

    def _statement(self, statement: s.Statement, inside: i.Procedure, order: _Order) -> None:
        order.length += 1
        self._cite(order, statement.cite, statement.span)
        match statement:
            case s.Step():
                self._named(order, "step", statement.name.text, statement.span)
            case s.Do():
                name = statement.call.name.text
                if name == "original":  # what an amendment replaced
                    name = self._names.originals.get(inside.name.text, name)
                found = self._names.procedures.get(name)
                if found is not None:
                    self._procedure(found, order)
            case s.Choose():
                choice = self._names.choices.get(statement.call.name.text)
                self._named(order, "choice", statement.call.name.text, statement.span)
                self._cites(order, choice)
            case s.RollDice():
                roll = self._names.rolls.get(statement.call.name.text)
                self._named(order, "roll", statement.call.name.text, statement.span)
                self._cites(order, roll)
            case (
                s.Let() | s.Change() | s.Mark() | s.Move() | s.Draw() | s.Shuffle() | s.Put() | s.Form()
                | s.Dissolve() | s.Reveal() | s.Return() | s.Jump() | s.Finish() | s.Say() | s.When()
                | s.ForEach() | s.Repeat() | s.Together()
            ):  # fmt: skip
                pass
            case _:
                assert_never(statement)
        for block in blocks(statement):
            self._block(block, inside, order)

    def _named(self, order: _Order, word: str, name: str, span: Span) -> bool:
        """Note a thing where it comes first; false if it came before."""
        if (word, name) in order.named:
            return False
        order.length += 1
        order.named[word, name] = (order.length, span)
        return True

    def _cites(self, order: _Order, item: i.Choice | i.Roll | None) -> None:
        """What is cited anywhere in something that is asked or rolled here."""
        for node in nodes(item) if item is not None else ():
            if isinstance(node, Cite):
                self._cite(order, node, node.span)

    def _cite(self, order: _Order, cite: Cite | None, span: Span) -> None:
        for rule in self._rules(cite):
            order.cited.setdefault(rule, (order.length, span))

    def _rules(self, cite: Cite | None) -> Sequence[str]:
        prefix = self._compiled.rule_set.manifest.prefix
        ids = () if cite is None else cite.ids
        return [id_ if " " in id_ else f"{prefix}.{id_}" for id_ in ids]
