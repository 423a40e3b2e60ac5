"""Uses of declared names: read, changed, rolled, asked, done."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import TypeVar, cast, get_args

from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.names import Names
from rulekit.diagnostics import Report
from rulekit.ruleset import list_names, read_text
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree import types as ty
from rulekit.syntax.tree.walk import PLAIN

T = TypeVar("T")

_NO_USE = (Span, s.Cite, i.Address, i.Member, i.OverClause, x.Unmodified)
"""What says nothing of use: places, and names that are only given, reached or compared in rank."""

_Effect = s.Do | s.Choose | s.RollDice | s.Change | s.Mark | s.Draw | s.Shuffle | s.Put
_Own = (
    x.Name | x.Reference | ty.NamedType | ty.MapType | i.Named | i.Param | i.Point | i.Table
    | i.StacksClause | i.Given | i.Amendment | i.Example | _Effect
)  # fmt: skip
_OWN = frozenset(get_args(_Own))
"""Nodes that use names in a way of their own; of all others the parts do."""


@cache
def _parts_of(kind: type) -> tuple[str, ...]:
    """The fields of a class of nodes, without those of names that it declares; none of what is no node."""
    if not is_dataclass(kind) or issubclass(kind, _NO_USE):
        return ()
    own: tuple[str, ...] = () if issubclass(kind, x.Expr | x.NamePredicate) else ("name", "var")
    if issubclass(kind, i.Modifier):
        own += ("target",)
    if issubclass(kind, i.Variant):
        own += ("needs", "excludes", "over")
    return tuple(part.name for part in fields(kind) if part.name not in own and part.type not in PLAIN)


@dataclass(slots=True)
class Uses:
    """Names by how they are used; a local with such a name counts too, so that no use is missed.

    `read` holds all that expressions, types and cells name, `alone` what stands as a value of its own;
    `changed` what statements change, `counted` what they add one to (and no more is in `changed`), `reset`
    the citations of what options let begin otherwise.  `within` names the table that is being read.
    """

    read: set[str] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)
    rolled: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    stacked: set[str] = field(default_factory=set)
    reset: set[str] = field(default_factory=set)
    within: str = ""

    def add(self, node: object) -> None:
        """Note what a piece of syntax, or a tuple of such, uses."""
        kind: type = node.__class__
        if kind is tuple:
            for part in cast(tuple[object, ...], node):
                self.add(part)
        elif kind in _OWN:
            self._own(cast(_Own, node))
        else:
            self._parts(node)

    def _parts(self, node: object, *, without: Sequence[str] = ()) -> None:
        """The parts of a node, without the name that it declares."""
        kind: type = node.__class__
        for part in _parts_of(kind):
            if part not in without:
                self.add(getattr(node, part))

    def _own(self, node: _Own) -> None:
        match node:
            case x.Name():
                self.read.add(node.text)
            case x.Reference():
                self.read.add(node.name.text)
                self.alone.add(node.name.text)
            case ty.NamedType():
                self.read.add(node.name)
            case ty.MapType():
                self.read.add(node.key)
                self.add(node.value)
            case i.Named():
                self.read.add(node.text.replace(" ", "_"))
            case i.Param(type=None):
                named = node.name.text
                self.read |= {named, named[:1].upper() + named[1:]}
            case i.Point(name=x.Name() as name):
                self.read.add(name.text)
            case i.Table() if self.within != node.name.text:  # its head may have its own name
                inner = Uses(within=node.name.text)
                inner.add(node)
                inner.read.discard(node.name.text)
                self.join(inner)
            case i.Param() | i.Point() | i.Table():
                self._parts(node)
            case i.StacksClause():
                self.stacked.add(node.name.text)
            case i.Given():
                self._add_given(node)
            case i.Amendment():
                self._amendment(node)
            case i.Example():
                draws = tuple(values for _, values in node.draws)
                answers = tuple(parts for _, parts in node.answers)
                self.add((node.given, node.when, draws, answers, node.then))
            case s.Do() | s.Choose() | s.RollDice():
                self._call(node)
            case s.Change() | s.Mark() | s.Draw() | s.Shuffle() | s.Put():
                self._change(node)

    def join(self, other: Uses) -> None:
        """Take in what another has noted."""
        for part in fields(self):
            if isinstance(mine := getattr(self, part.name), set):
                mine |= getattr(other, part.name)

    def _call(self, node: s.Do | s.Choose | s.RollDice) -> None:
        uses = (
            self.done if isinstance(node, s.Do) else self.asked if isinstance(node, s.Choose) else self.rolled
        )
        uses.add(node.call.name.text)
        also = node.over if isinstance(node, s.Choose) else getattr(node, "known_to", None)
        self.add((node.call.arguments, also or ()))

    def _change(self, node: s.Change | s.Mark | s.Draw | s.Shuffle | s.Put) -> None:
        match node:
            case s.Change(op="add", target=x.Reference() as target, value=x.Integer(value=1)):
                self.counted.add(target.name.text)
            case s.Change(target=target):
                self._target(target)
                self._made_of(target, node.value)
            case s.Mark():
                self.changed.add(node.flag.text)
                self.add(node.members)
            case s.Shuffle():
                self._target(node.stack)
            case s.Put():
                self._target(node.stack)
                self.add(node.value)
            case s.Draw():  # it takes out what it draws
                if isinstance(node.source, s.Target):
                    self.changed.add(node.source.name.text)
                self.add((node.source, node.count, node.known_to or ()))

    def _made_of(self, target: s.Target, value: x.Expr) -> None:
        """What a new value is made of: to be read for itself alone is no use.

        One more than before is counting.
        """
        name = target.name.text
        inner = Uses(within=self.within)
        inner.add(value)
        inner.read.discard(name)
        inner.alone.discard(name)
        self.join(inner)
        match value:
            case x.Binary(op="+", left=x.Reference(name=read), right=x.Integer(value=1)) if read.text == name:
                self.counted.add(name)

    def _target(self, target: s.Target) -> None:
        self.changed.add(target.name.text)
        self._parts(target, without=("name",))

    def _add_given(self, given: i.Given) -> None:
        """What an example gives is changed by that, and not read."""
        if given.kind == "value" and isinstance(given.subjects[0], s.Target):
            self._target(given.subjects[0])
            self.add((given.subjects[1:], given.value))
            return
        if given.name is not None:
            self.changed.add(given.name.text)
        self.add((given.subjects, given.value))

    def _amendment(self, made: i.Amendment) -> None:
        """What is only reached is not used by it."""
        if made.op == "set" and made.address.name is not None:
            self.changed.add(made.address.name.text)
        if made.op == "set" and made.address.cite is not None:
            self.reset |= set(made.address.cite.ids)
        self._parts(made, without=("members",))


def uses_of(node: object) -> Uses:
    """Return the uses of names in a piece of syntax, or in a tuple of such."""
    noted = Uses()
    noted.add(node)
    return noted


def uses(compiled: Compiled) -> Uses:
    """What the rules that take part mention, and the manifest."""
    manifest = compiled.rule_set.manifest
    noted = Uses(read={manifest.sides.name if manifest.sides else "Side"})
    if manifest.sequence is not None:
        noted.done.add(manifest.sequence.name)
    for module in compiled.modules:
        noted.join(_uses_in(compiled, module))
    return noted


def _uses_in(compiled: Compiled, module: i.Module) -> Uses:
    """The uses of names in a file, worked out once for all options; nobody adds to them."""
    return compiled.workspace.trees.of("uses", module, lambda whole: uses_of(whole.items))


def elsewhere(compiled: Compiled, names: Collection[str]) -> Uses:
    """What options that were not chosen mention; only those are read that have one of these names."""
    noted = Uses()
    if not names:
        return noted
    wanted = {spelling for name in names for spelling in (name, name.replace("_", " "))}
    read = {source.file for source in compiled.rule_set.sources}
    folder = compiled.rule_set.folder
    for file in list_names(folder, Report(), "options", (".rules",)):
        source = read_text(folder, file, Report()) if file not in read else None
        if source is not None and any(spelling in source.text for spelling in wanted):
            noted.join(_uses_in(compiled, compiled.workspace.parse(source, Report())))
    return noted


def everywhere(compiled: Compiled, used: Uses, names: Collection[str]) -> Uses:
    """The uses in the rules in force, with those that options not chosen make of some names."""
    noted = elsewhere(compiled, names)
    noted.join(used)
    return noted


def never_used(
    compiled: Compiled,
    used: Uses,
    things: Iterable[T],
    names: Callable[[T], Iterable[str]],
    is_used: Callable[[T, Uses], bool],
) -> list[T]:
    """The things that neither the rules in force use nor options that were not chosen.

    Args:
        used: How the rules in force use names.
        names: The names by which an option may use a thing.
        is_used: Whether such uses are uses of a thing.
    """
    doubtful = [thing for thing in things if not is_used(thing, used)]
    used = everywhere(compiled, used, {name for thing in doubtful for name in names(thing)})
    return [thing for thing in doubtful if not is_used(thing, used)]


def in_scope(compiled: Compiled, span: Span) -> bool:
    """Whether a place is what this check is about: with options chosen their own files are."""
    return span.file.startswith("options/") == bool(compiled.rule_set.options)


def field_decls(names: Names) -> list[i.FieldDecl]:
    """Every field of pieces, spaces and groups, as declared."""
    of_kinds = [decl for kind in names.unions.values() for decl in kind.fields]
    of_pieces = [decl for population in names.populations.values() for decl in population.fields]
    return [*of_kinds, *of_pieces, *(decl for group in names.groups.values() for decl in group.fields)]
