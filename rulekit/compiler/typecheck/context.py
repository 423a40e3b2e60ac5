"""What all parts of the check share: the world, the results so far, findings and sites."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NoReturn

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.base.spelling import meant
from rulekit.compiler.model import Condition, Role
from rulekit.compiler.names import Names
from rulekit.compiler.populate.type_reader import TypeReader
from rulekit.compiler.trace import Units
from rulekit.compiler.typecheck.chains import DEEP, Chains
from rulekit.compiler.world import Sizes, World
from rulekit.diagnostics import Diagnostic, Kind, Label, Report, kinds
from rulekit.ir import types as t
from rulekit.ir.semantics.constant import Constants
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name
from rulekit.syntax.tree.stmt import Cite


class Wrong(Exception):
    """The smallest part around a fault cannot be checked further; the fault is reported already."""


Params = tuple[ir.Param, ...]


@frozen
class Signature:
    """Parameters by name and type, and the type of the result."""

    params: Params
    result: t.Type


Maker = Callable[[str], Signature | None]
ROLL = "roll:"
SHIFT = "shift:"
"""Before the name of a table: the function that says how far its modifiers shift the column."""
"""The prefix of the function that applies a roll's modifiers."""
ModifiersOn = Mapping[tuple[str, str], tuple[i.Modifier, ...]]
"""The modifiers of each roll or define, by its sort and its name."""


class Results:
    """What units make, in mappings that `units` provides: each name is written once, and read by all."""

    def __init__(self, units: Units) -> None:
        self.signatures: MutableMapping[str, Signature] = units.output("signatures")
        self.functions: MutableMapping[str, ir.Function] = units.output("functions")
        self.points: MutableMapping[str, ir.Point] = units.output("points")
        self.choices: MutableMapping[str, ir.Choice] = units.output("choices")
        self.drawn: MutableMapping[str, t.Type] = units.output("drawn")
        self.statics: MutableMapping[str, ir.StaticTable] = units.output("statics")
        self.steps: MutableMapping[str, None] = units.output("steps")
        """The tables of steps and ways by fixed relations."""
        self.procedures: MutableMapping[str, ir.Procedure] = units.output("procedures")


@dataclass(slots=True)
class CheckContext:
    """Shared by all parts of the check of one rule set; collects what they make.

    Units (see `trace`) share data through the mappings of `results`, and through what `leave` repeats.
    """

    world: World
    names: Names
    modifiers_on: ModifiersOn
    findings: Report
    chains: Chains
    prefix: str
    sides: str
    reader: TypeReader
    units: Units
    results: Results
    sites: list[ir.Site] = field(default_factory=list)
    live_sites: list[int] = field(default_factory=list)
    """The numbers of the sites in use, in the order of checking; `sites` may have more."""
    modifiers: list[ir.Modifier] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    calls: dict[str, list[tuple[ir.Expr, ...]]] = field(default_factory=dict)
    """The arguments of every call, by function."""
    in_progress: list[str] = field(default_factory=list)
    table_entries: int = 0
    """The entries of the tables checked so far; those of repeated units are not counted again."""
    deep_from: int = 0
    """How many were in progress where the last long chain was met."""
    settled: set[Diagnostic] = field(default_factory=set)
    """Findings in items that another item needed; another reading of that one does not withdraw them."""
    makers: Mapping[str, Maker] = field(default_factory=dict)
    """What makes signatures, by the mapping of `Names` that holds the declaration; see `signature`."""
    constants: Constants = field(init=False)
    """Evaluates what is known before play, all of it within one bound of work."""

    def __post_init__(self) -> None:
        self.constants = Constants(self.results.statics, Sizes(self.world.domains))

    # -- what units leave outside the mappings

    def leave(self, what: str, *arguments: Any) -> None:
        """Collect something, for the first time or from an earlier check.

        Args:
            what: `site`, `condition`, `modifier`, or `call` of a function with its arguments.
        """
        if what == "call":
            function, given = arguments
            self.calls.setdefault(function, []).append(given)
        else:
            lists = {"site": self.live_sites, "condition": self.conditions, "modifier": self.modifiers}
            lists[what].extend(arguments)  # type: ignore[attr-defined]

    def note(self, what: str, *arguments: Any) -> None:
        """Collect something that a unit leaves; see `leave`."""
        self.leave(what, *arguments)
        self.units.note(what, *arguments)

    def note_condition(
        self, role: Role, owner: str, test: ir.Expr, span: Span, given: Iterable[ir.Expr] = ()
    ) -> None:
        """Collect a condition of the rules; proofs ask whether it can be true."""
        self.note("condition", Condition(role, owner, test, tuple(given), span))

    @contextmanager
    def naming_all(self) -> Iterator[None]:
        """While open, names mean members that only data name, too."""
        world = self.world
        self.world = replace(world, members=world.data_members)
        try:
            yield
        finally:
            self.world = world

    # -- signatures

    def signature(self, name: str) -> Signature | None:
        """Of a define, calendar or table, or of `roll:NAME` if the roll has modifiers; None if unknown.

        Expressions need signatures, and making one takes expressions: a definition is checked where its type
        is first needed.  The checker ties this knot in one place: it sets `makers` before all else.
        """
        known = self.results.signatures.get(name)
        if known is not None:
            return known
        maker = self._maker(name)
        if maker is None:
            return None
        if len(self.in_progress) - self.deep_from > DEEP:
            self._check_ends(name)
        return self.units.run(
            ("signature", name), partial(maker, name.removeprefix(ROLL).removeprefix(SHIFT))
        )

    def _check_ends(self, name: str) -> None:
        """Check the ends of the chains below a definition, so that no recursion gets deep."""
        before, self.deep_from = self.deep_from, len(self.in_progress)
        try:
            for end in self.chains.ends(name):
                if end not in self.in_progress:
                    with self.recovering():
                        self.signature(end)
        finally:
            self.deep_from = before

    def _maker(self, name: str) -> Maker | None:
        if name.startswith(ROLL):
            modified = ("roll", name.removeprefix(ROLL)) in self.modifiers_on
            return self.makers["rolls"] if modified else None
        if name.startswith(SHIFT):
            return self.makers["shifts"]
        for space in ("defines", "calendars", "tables", "externs"):
            if name in getattr(self.names, space):
                return self.makers[space]
        return None

    # -- findings

    def report(self, kind: Kind, message: str, span: Span, hint: str | None = None, *labels: Label) -> None:
        """Report and go on."""
        self.findings.add(Diagnostic(kind, message, span, labels, hint))

    def fail(self, kind: Kind, message: str, span: Span, hint: str | None = None, *labels: Label) -> NoReturn:
        """Report and give up the part being checked.

        Raises:
            Wrong: Always.
        """
        self.report(kind, message, span, hint, *labels)
        raise Wrong

    @contextmanager
    def recovering(self) -> Iterator[None]:
        """Go on after a fault in the block."""
        try:
            yield
        except Wrong:
            pass

    def unknown(self, what: str, name: Name, known: Collection[str], otherwise: str | None = None) -> Wrong:
        """Report a name that nothing of a sort has; return what gives up the part being checked.

        Args:
            otherwise: The hint where no known name is like it.
        """
        hint = meant(name.text, known) or otherwise
        self.report(kinds.UNKNOWN_NAME, f"unknown {what} `{name.text}`", name.span, hint)
        return Wrong()

    @contextmanager
    def entering(self, name: str, span: Span) -> Iterator[None]:
        """Refuse recursion: `name` may not be in progress already."""
        if name in self.in_progress:
            cycle = " -> ".join([*self.in_progress[self.in_progress.index(name) :], name])
            hint = "definitions and procedures cannot be recursive"
            self.fail(kinds.RECURSION, f"`{name}` depends on itself: {cycle}", span, hint)
        self.in_progress.append(name)
        before = len(self.findings)
        try:
            yield
        finally:
            self.in_progress.pop()
            self.settled.update(self.findings.since(before))

    # -- sites and citations

    def rules(self, cite: Cite | None, inherited: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The printed rules of a citation, with the set's prefix; without one, those of the block around."""
        if cite is None:
            return inherited
        return tuple(id_ if " " in id_ else f"{self.prefix}.{id_}" for id_ in cite.ids)

    def site(self, owner: str, rules: tuple[str, ...], span: Span) -> int:
        """The number of a new site."""
        number = len(self.sites)
        self.sites.append(ir.Site(owner, rules, span.file, span.line, span.column))
        self.note("site", number)
        return number

    # -- results

    def point(self, name: str, dice: int, sides: int, site: int, lowest: int = 1, params: Params = ()) -> str:
        """Register a point of chance (once); return its name."""
        self.results.points.setdefault(name, ir.Point(name, dice, sides, site, lowest, params))
        return name

    def add_function(
        self, name: str, params: Params, body: ir.Expr, site: int, result: t.Type | None = None
    ) -> Signature:
        """Register a function and its signature; `result` defaults to the type of its body."""
        type_ = result or body.type
        self.results.functions[name] = ir.Function(name, params, type_, body, site)
        self.results.signatures[name] = signature = Signature(params, type_)
        return signature

    # -- types

    @property
    def side(self) -> t.Member | None:
        """The type of the sides, if the rule set declares them."""
        return t.Member(self.sides, self.sides) if self.sides in self.names.enums else None

    def params(self, params: tuple[i.Param, ...]) -> Params:
        """Parameters with their types."""
        return tuple(ir.Param(param.name.text, self.reader.param(param)) for param in params)
