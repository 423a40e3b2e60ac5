"""Relations between spaces that go both ways but for a few pairs: mostly a border that was forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.data_places import DataPlaces
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.base.bits import members
from rulekit.compiler.driver import Compiled
from rulekit.compiler.world import FieldInfo
from rulekit.diagnostics import Diagnostic, Label
from rulekit.diagnostics.kinds import ONE_WAY_RELATION
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i

SHARE = 5
"""Of so many pairs at most one goes one way where a relation is meant to go both ways."""
MOST_PAIRS = 8


WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each fixed field of spaces that names spaces of the same kind."""
    compiled = rules.compiled
    for (kind, name), field in compiled.model.world.fields.items():
        population = compiled.names.populations.get(kind)
        if population is None or population.sort != "space" or not _relates(compiled, field):
            continue
        pairs = _pairs(compiled, field)
        one_way = [(a, b) for a, b in sorted(pairs) if (b, a) not in pairs]
        if one_way and len(one_way) * SHARE <= len(pairs) and in_scope(compiled, population.span):
            yield _finding(compiled, population, name, one_way)


def _relates(compiled: Compiled, field: FieldInfo) -> bool:
    of = field.type.of if isinstance(field.type, t.SetOf) else None
    if field.changes or field.keys or not isinstance(of, t.Member):
        return False
    kinds = compiled.model.world.kinds
    return of.name in kinds and kinds[of.name] == kinds[field.kind]


def _pairs(compiled: Compiled, field: FieldInfo) -> set[tuple[int, int]]:
    values = compiled.model.world.values.get(field.store, ())
    pairs: set[tuple[int, int]] = set()
    for member in compiled.model.world.kind_members(field.kind):
        mask = values[member] if member < len(values) else None
        if isinstance(mask, int):
            pairs |= {(member, other) for other in members(mask)}
    return {(a, b) for a, b in pairs if a != b}


def _finding(
    compiled: Compiled, population: i.Population, name: str, pairs: list[tuple[int, int]]
) -> Diagnostic:
    titles = compiled.model.world.domains["space"].titles
    (a, b), *others = pairs
    rows, store = DataPlaces(compiled), compiled.model.world.fields[population.name.text, name].store
    cells = [rows.cell(store, (member,)) for member, _ in pairs]
    places = [population.name.span if cell is None else cell.span for cell in cells]
    labels = tuple(
        Label(place, f"`{titles[one]}` names `{titles[other]}`, but not the reverse")
        for (one, other), place in list(zip(others, places[1:], strict=True))[:MOST_PAIRS]
    )
    more = f", and {len(others)} more go one way" if others else ""
    message = f"`{name}` leads from `{titles[a]}` to `{titles[b]}` but not back{more}"
    hint = "the others go both ways: add the missing one, or remove this one"
    key = (f"space {population.name.text}", name, *(f"{titles[one]}-{titles[other]}" for one, other in pairs))
    return Diagnostic(ONE_WAY_RELATION, message, places[0], labels, hint, key=key)
