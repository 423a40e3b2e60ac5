"""An option changes what play does not reach, because another option no longer calls, asks or reads it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.reach.finder import Place, ReachFinder, place_of
from rulekit.analysis.reach.table_parts import keys_of, parts_read, row_place
from rulekit.base.source import Span
from rulekit.compiler.amend import amend
from rulekit.compiler.amend.resolve_address import AddressResolver
from rulekit.compiler.amend.tables import with_own_rows
from rulekit.compiler.amend.targets import PartIndex, Target, parts_of
from rulekit.compiler.driver import Compiled
from rulekit.compiler.names import Names, resolve
from rulekit.compiler.options.combinations import closure, needs_of
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.syntax.tree import items as i

WHEN = Occasion(offered=True, sequence=True)

MOST: Final = 24
"""Changes without effect of which it is asked which options take it; each takes some amending."""
_PARTS: Final = {"rows": "row", "columns": "column", "notes": "note", "lets": "let"}
"""Places that are parts of items, in words."""


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Yield a note for each item that an option changes and that is unused beside other chosen options."""
    compiled = rules.compiled
    if len(compiled.rule_set.options) < 2:
        return
    group = _Group(compiled)
    options = [one for one in compiled.names.variants.values() if one.word != "exception"]
    unreached = ((one, *entry) for one in options for entry in group.unreached_places(one).items())
    for variant, place, span in islice(unreached, MOST):
        if others := group.cutting_variants(variant, place):
            yield _finding(variant, place, span, others)


class _Group:
    """The options of one compile, and what play reaches with fewer of them."""

    def __init__(self, compiled: Compiled) -> None:
        assert compiled.rule_set.manifest.sequence is not None
        self._compiled = compiled
        self._finder = ReachFinder(compiled.rule_set.manifest.sequence.name, compiled.workspace.trees)
        self._needs = needs_of(compiled.names.variants)
        self._places: dict[frozenset[str], frozenset[Place]] = {}
        self._declared = with_own_rows(compiled.declared)
        index = PartIndex(self._declared)
        self._targets = {
            name: list(_targets(variant, AddressResolver(self._declared, index, name, Report())))
            for name, variant in compiled.names.variants.items()
        }
        targets = [target for some in self._targets.values() for _, target in some]
        self._tables = {target.name for target in targets if target.word in ("row", "cell")}
        self._reached = self._places_in(compiled.names)

    def unreached_places(self, variant: i.Variant) -> dict[Place, Span]:
        """Return what a variant changes and play does not reach: of each change the first, with its place."""
        places: dict[Place, Span] = {}
        for amendment, target in self._targets[variant.name.text]:
            changed = _places(amendment, target, self._declared)
            place = next((place for place in changed if place not in self._reached), None)
            if place is not None:
                places.setdefault(place, amendment.span)
        for modifier in self._declared.modifiers.values():
            place = _target_of(modifier, self._declared)
            if modifier.span.file == variant.span.file and place not in self._reached:
                places.setdefault(place, modifier.span)
        return places

    def cutting_variants(self, variant: i.Variant, place: Place) -> tuple[i.Variant, ...]:
        """Return a smallest set of other variants beside which play does not reach a place; else none."""
        own = closure(self._needs, variant.name.text)
        variants = self._compiled.names.variants
        if place not in self._reached_with(own):
            return ()
        others = [name for name, one in variants.items() if name not in own and one.word != "exception"]
        for name in list(others):
            fewer = [other for other in others if name not in closure(self._needs, other)]
            if place not in self._reached_with({*own, *fewer}):
                others = fewer
        needed = {need for name in others for need in self._needs[name]}
        return tuple(variants[name] for name in others if name not in needed)

    def _reached_with(self, variants: Collection[str]) -> frozenset[Place]:
        """Return what play reaches with only some of the variants that may be left out."""
        files = frozenset(self._compiled.names.variants[name].span.file for name in variants)
        if files not in self._places:
            modules = tuple(
                module
                for module in self._compiled.modules
                if module.file in files or not module.file.startswith("options/")
            )
            key = ("amended", *map(id, modules))  # a workspace keeps its modules alive
            names = self._compiled.workspace.read(
                key, lambda report: amend(resolve(modules, report), report), Report()
            )
            self._places[files] = self._places_in(names)
        return self._places[files]

    def _places_in(self, names: Names) -> frozenset[Place]:
        reached = self._compiled.workspace.trees.of("places reached", names, self._finder.places)
        tables = [self._declared.tables[name] for name in self._tables if ("tables", name) in reached]
        return reached.union(parts_read(tables, reached, names, self._compiled.workspace.trees))


def _targets(variant: i.Variant, resolver: AddressResolver) -> Iterator[tuple[i.Amendment, Target]]:
    for amendment in variant.amendments:
        if (target := resolver.find(amendment)) is not None:
            yield amendment, target


def _places(amendment: i.Amendment, target: Target, declared: Names) -> Iterator[Place]:
    """Yield the item that an amendment changes, its `let` or column, or the marks of notes that it adds."""
    name = target.name
    if amendment.notes and amendment.op == "add" and not amendment.rows:
        yield from (("notes", f"{name} {note.mark}") for note in amendment.notes)
        return
    if "modifier" in (target.word, target.of):
        yield _target_of(declared.modifiers[name], declared)
        return
    if target.word == "let":
        yield "lets", f"{name} {target.inner}"
        return
    if target.word in ("row", "cell"):
        yield from _parts_of_table(declared.tables[name], target)
    elif target.word != "invariant":
        yield place_of(target, declared)


def _parts_of_table(table: i.Table, target: Target) -> Iterator[Place]:
    """Yield a table, its rows with the names of the one that an amendment changes, its column."""
    name = table.name.text
    yield "tables", name
    for row in (row for row in table.rows if row.span == target.part):
        if any(keys := keys_of(table, row)):
            yield row_place(table, keys)
    if target.inner in parts_of("column", table):
        yield "columns", f"{name} {target.inner}"


def _target_of(modifier: i.Modifier, declared: Names) -> Place:
    """Return the roll, definition or table that a modifier changes."""
    return f"{modifier.on}s", modifier.target.text


def _finding(variant: i.Variant, place: Place, span: Span, others: Collection[i.Variant]) -> Diagnostic:
    name, (space, changed) = variant.name.text, place
    names = [f"`{other.name.text}`" for other in others]
    what, _, part = changed.partition(" ")
    thing = f"{_PARTS[space]} `{part}` of `{what}`" if space in _PARTS else f"`{changed}`"
    does = "no longer uses" if len(names) == 1 else "no longer use"
    message = (
        f"`{name}` changes {thing}, which {' and '.join(names)} {does}: the change has no effect beside it"
    )
    if len(names) > 1:
        message = f"{message.removesuffix('it')}them"
    labels = tuple(Label(other.name.span, "on at the same time") for other in others)
    hint = "if both are to act, use it in the new text; else let one exclude the other"
    key = (f"variant {name}", changed, *names)
    return Diagnostic(kinds.IDLE_BESIDE, message, span, labels, hint, key=key)
