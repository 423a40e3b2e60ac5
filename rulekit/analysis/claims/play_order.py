"""The order of points in the sequence of play."""

from __future__ import annotations

from functools import cached_property

from rulekit.analysis.claims.booklet import Booklet
from rulekit.analysis.claims.verdict import ClaimVerdict, contradiction
from rulekit.analysis.verdicts import Proved
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import PointModel, Precedence
from rulekit.compiler.play_walk import PlayWalk
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import citations


class PlayOrder:
    """The order in which one rule set reaches its points."""

    def __init__(self, compiled: Compiled, booklet: Booklet) -> None:
        self._compiled, self._booklet = compiled, booklet

    def verdict(self, precedence: Precedence) -> ClaimVerdict:
        """The verdict that one point comes before another, each where it comes first."""
        first, second = self._place(precedence.first), self._place(precedence.second)
        for point, place in ((precedence.first, first), (precedence.second, second)):
            if place is None:
                return contradiction(f"{self._words(point)} is not in the sequence of play")
        assert first is not None and second is not None
        if first[0] < second[0]:
            return Proved()
        if first[0] == second[0]:
            words = (
                f"{self._words(precedence.first)} and {self._words(precedence.second)} come at the same place"
            )
        else:
            later, earlier = self._words(precedence.first), self._words(precedence.second)
            words = f"in the sequence of play {earlier} comes before {later}"
        return contradiction(words, second[1])

    def _words(self, point: PointModel) -> str:
        return self._booklet.cite(point.rules) if point.word == "cited" else point.words

    def _place(self, point: PointModel) -> tuple[int, Span] | None:
        if point.word != "cited":
            return self._walk.named.get((point.word, point.name))
        places = [self._walk.cited[rule] for rule in point.rules if rule in self._walk.cited]
        return min(places, key=lambda place: place[0], default=None)

    @cached_property
    def _walk(self) -> _FirstPlaces:
        walk = _FirstPlaces(self._compiled)
        walk.run(self._compiled.program.entry, _Place(""))
        return walk


@frozen
class _Place:
    inside: str


class _FirstPlaces(PlayWalk[_Place]):
    """Each point's first place in the order, and where it is written."""

    def __init__(self, compiled: Compiled) -> None:
        super().__init__(compiled.names)
        self.named: dict[tuple[str, str], tuple[int, Span]] = {}
        self.cited: dict[str, tuple[int, Span]] = {}
        self._length = 0
        self._prefix = compiled.rule_set.manifest.prefix

    def enter(self, procedure: i.Procedure, at: _Place) -> _Place | None:
        """Where a procedure runs again nothing comes for the first time."""
        name = procedure.name.text
        if not self._name("procedure", name, procedure.span):
            return None
        self._name("procedure", self.names.declared.get(name, name), procedure.span)
        self._cite(procedure.cite, procedure.span)
        return _Place(name)

    def visit(self, statement: s.Statement, at: _Place) -> _Place:
        self._length += 1
        self._cite(statement.cite, statement.span)
        if isinstance(statement, s.Step):
            self._name("step", statement.name.text, statement.span)
        elif isinstance(statement, s.Choose | s.RollDice):
            name = statement.call.name.text
            choice = isinstance(statement, s.Choose)
            self._name("choice" if choice else "roll", name, statement.span)
            item = self.names.choices.get(name) if choice else self.names.rolls.get(name)
            for cite in citations(item or ()):
                self._cite(cite, cite.span)
        return at

    def _name(self, word: str, name: str, span: Span) -> bool:
        """Note a thing where it comes first; false if it came before."""
        if (word, name) in self.named:
            return False
        self._length += 1
        self.named[word, name] = (self._length, span)
        return True

    def _cite(self, cite: s.Cite | None, span: Span) -> None:
        for id_ in () if cite is None else cite.ids:
            rule = id_ if " " in id_ else f"{self._prefix}.{id_}"
            self.cited.setdefault(rule, (self._length, span))
