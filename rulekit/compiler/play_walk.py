"""One walk along what play does, statement by statement, with what a call runs in the place of the call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from rulekit.compiler.names import Names
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import blocks


class InProcedure(Protocol):
    """A place on the way."""

    @property
    def inside(self) -> str:
        """The name of the procedure."""


Place = TypeVar("Place", bound=InProcedure)


class PlayWalk(ABC, Generic[Place]):
    """Walks through procedures as they are written; a subclass says what it sees and where it goes in."""

    def __init__(self, names: Names) -> None:
        self.names = names

    @abstractmethod
    def enter(self, procedure: i.Procedure, at: Place) -> Place | None:
        """Return the place inside a procedure that is run; None to pass it by."""

    @abstractmethod
    def visit(self, statement: s.Statement, at: Place) -> Place | None:
        """Return the place inside a statement, or at its call; None to pass by what is inside."""

    def run(self, name: str, at: Place) -> None:
        """Walk through a procedure, if there is one of that name."""
        procedure = self.names.procedures.get(name)
        inner = self.enter(procedure, at) if procedure is not None else None
        if procedure is not None and inner is not None:
            self.block(procedure.body, inner)

    def block(self, body: Iterable[s.Statement], at: Place) -> None:
        """Walk through some statements."""
        for statement in body:
            inner = self.visit(statement, at)
            if inner is None:
                continue
            if isinstance(statement, s.Do):
                self.run(self.procedure_of(statement, at), inner)
            for block in blocks(statement):
                self.block(block, inner)

    def procedure_of(self, statement: s.Do, at: Place) -> str:
        """The procedure that a statement runs; `original` is the one that an amendment replaced."""
        name = statement.call.name.text
        return self.names.originals.get(at.inside, name) if name == "original" else name
