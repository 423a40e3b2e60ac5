"""What every part of the check shares: the world, signatures, findings, sites."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.base.spelling import meant
from rulekit.compiler.model import Condition, Role
from rulekit.compiler.names import Names
from rulekit.compiler.populate.type_reader import TypeReader
from rulekit.compiler.trace import Units
from rulekit.compiler.world import World
from rulekit.diagnostics import Diagnostic, Kind, Label, Report, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Cite


class Wrong(Exception):
    """Checking cannot go on inside the smallest part that holds a fault; the fault is reported already."""


@frozen
class Signature:
    """Parameters by name and type, and what a call gives."""

    params: tuple[ir.Param, ...]
    result: t.Type


Laid = Mapping[tuple[str, str], tuple[i.Modifier, ...]]
"""The modifiers on each roll or define, by its sort and its name."""


@dataclass(slots=True)
class Context:
    """Shared by all checkers of one rule set; collects what they make.

    What units of a check (see `trace`) share is in mappings that `units` gives, and is left by `leave`.
    """

    world: World
    names: Names
    laid: Laid
    report: Report
    prefix: str
    sides: str
    reader: TypeReader
    units: Units
    signatures: MutableMapping[str, Signature]
    functions: MutableMapping[str, ir.Function]
    points: MutableMapping[str, ir.Point]
    sites: list[ir.Site] = field(default_factory=list)
    standing: list[int] = field(default_factory=list)
    """The sites of what is there, in the order of checking; `sites` may have more."""
    modifiers: list[ir.Modifier] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    asked: dict[str, list[tuple[ir.Expr, ...]]] = field(default_factory=dict)
    under_way: list[str] = field(default_factory=list)

    # -- what units leave that is in no mapping

    def leave(self, what: str, *arguments: Any) -> None:
        """Leave something, now or again."""
        match what:
            case "site":
                self.standing.append(*arguments)
            case "condition":
                self.conditions.append(*arguments)
            case "modifier":
                self.modifiers.append(*arguments)
            case "asked":
                function, given = arguments
                self.asked.setdefault(function, []).append(given)
            case _:
                raise ValueError(what)

    def _left(self, what: str, *arguments: Any) -> None:
        self.leave(what, *arguments)
        self.units.note(what, *arguments)

    def ask(self, function: str, arguments: tuple[ir.Expr, ...]) -> None:
        """Note what a function is asked for."""
        self._left("asked", function, arguments)

    def modify(self, modifier: ir.Modifier) -> None:
        """Note a modifier of a roll."""
        self._left("modifier", modifier)

    # -- findings

    def tell(self, kind: Kind, message: str, span: Span, hint: str | None = None, *labels: Label) -> None:
        """Report and go on."""
        self.report.add(Diagnostic(kind, message, span, labels, hint))

    def fail(self, kind: Kind, message: str, span: Span, hint: str | None = None, *labels: Label) -> NoReturn:
        """Report and give up the part being checked.

        Raises:
            Wrong: Always.
        """
        self.tell(kind, message, span, hint, *labels)
        raise Wrong

    @contextmanager
    def mending(self) -> Iterator[None]:
        """Go on after a fault in the block."""
        try:
            yield
        except Wrong:
            pass

    def near(self, name: str, known: Collection[str]) -> str | None:
        """`did you mean ...?` for a name, if one is close."""
        return meant(name, known)

    # -- sites and citations

    def rules(self, cite: Cite | None, inherited: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The printed rules of a citation, with the set's prefix; those of what is around it without one."""
        if cite is None:
            return inherited
        return tuple(id_ if " " in id_ else f"{self.prefix}.{id_}" for id_ in cite.ids)

    def site(self, owner: str, rules: tuple[str, ...], span: Span) -> int:
        """The index of a new site."""
        number = len(self.sites)
        self.sites.append(ir.Site(owner, rules, span.file, span.line, span.column))
        self._left("site", number)
        return number

    def point(self, name: str, dice: int, sides: int, site: int, lowest: int = 1) -> str:
        """Register a point of chance (once)."""
        self.points.setdefault(name, ir.Point(name, dice, sides, site, lowest))
        return name

    def condition(
        self, role: Role, owner: str, test: ir.Expr, span: Span, given: Iterable[ir.Expr] = ()
    ) -> None:
        """Note a condition as it stands, for those who ask whether it can hold."""
        self._left("condition", Condition(role, owner, test, tuple(given), span))

    # -- sides

    @property
    def side(self) -> t.Member | None:
        """The enum of those who play, where the rule set has one."""
        return t.Member(self.sides, self.sides) if self.sides in self.names.enums else None

    # -- signatures

    def params(self, params: tuple[i.Param, ...]) -> tuple[ir.Param, ...]:
        """Parameters with their types."""
        return tuple(ir.Param(param.name.text, self.reader.param(param)) for param in params)

    @contextmanager
    def entering(self, name: str, span: Span) -> Iterator[None]:
        """Refuse recursion: `name` may not be under way already."""
        if name in self.under_way:
            cycle = " -> ".join([*self.under_way[self.under_way.index(name) :], name])
            self.fail(
                kinds.RECURSION,
                f"`{name}` needs itself: {cycle}",
                span,
                "definitions and procedures do not recurse",
            )
        self.under_way.append(name)
        try:
            yield
        finally:
            self.under_way.pop()
