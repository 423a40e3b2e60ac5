"""Extern populations whose members are made up, as data files for the owner to fill in."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from rulekit.base.frozen import frozen
from rulekit.compiler.driver import Compiled
from rulekit.compiler.populate.cells import cell_words, type_words
from rulekit.compiler.populate.fields import fields_of
from rulekit.ir.missing_tables import EMPTY, WIDTH, yaml_cell
from rulekit.ir.types import Optional
from rulekit.ruleset import PopulationData
from rulekit.syntax.tree.items import Population

MOST_NAMED = 100
"""Members of a type that a form lists by name."""

USUAL = ", or `~` for the usual value"
"""The words for a column whose empty cells take the value of the rules."""


@frozen
class PopulationForm:
    """An extern population to fill in: `lines` of a data file, below `populations:`."""

    kind: str
    file: str
    lines: tuple[str, ...]


def forms(compiled: Compiled) -> tuple[PopulationForm, ...]:
    """Return a form for each extern population with made-up members, in the order of the rules."""
    populations = [compiled.names.populations[kind] for kind in compiled.program.made_up]
    samplers = ((population, _sampler(compiled, population)) for population in populations)
    return tuple(
        PopulationForm(population.name.text, population.owner, tuple(_form(compiled, population, data)))
        for population, data in sorted(samplers, key=lambda pair: pair[0].span)
    )


def _sampler(compiled: Compiled, population: Population) -> PopulationData:
    file = compiled.data.files[population.source or ""]
    assert file is not None  # else nothing compiles
    return file.populations[population.name.text]


def _form(compiled: Compiled, population: Population, sampler: PopulationData) -> Iterator[str]:
    kind = population.name.text
    yield f"  {kind}:"
    for column in sampler.columns:
        words = f"{column}: {_column_words(compiled, kind, column)}"
        yield from textwrap.wrap(words, WIDTH, initial_indent="    # ", subsequent_indent="    #   ")
    yield from textwrap.wrap(
        f"columns: [{', '.join(sampler.columns)}]", WIDTH, initial_indent="    ", subsequent_indent=" " * 6
    )
    names = {"_".join(str(row.cells[0].plain).split()): str(row.cells[0].plain) for row in sampler.rows}
    if not population.needed:
        yield "    rows: []"
        return
    yield "    # The rules name these members. Add a row for every other one."
    yield "    rows:"
    blank = [EMPTY] * (len(sampler.columns) - 1)
    for name in population.needed:
        yield f"      - [{', '.join([yaml_cell(names[name.text]), *blank])}]"


def _column_words(compiled: Compiled, kind: str, column: str) -> str:
    """The cells that a column allows."""
    world = compiled.model.world
    info = world.field(kind, column)
    match column:
        case "name":
            return "as printed, different in every row"
        case "title":
            return "the displayed name, or `~` for the name itself"
        case "coordinate" if info is None:
            return "the printed coordinate, or `~` if the name is one"
        case "place" if info is None:
            place = world.place_type(kind)
            words = type_words(place, world.domains, world.kinds, MOST_NAMED)
            usual = not isinstance(place, Optional) and _has_place(compiled, kind)
            return f"the space where it begins: {words}{USUAL if usual else ''}"
    assert info is not None  # else nothing compiles
    words = cell_words(info, world.domains, world.kinds, MOST_NAMED)
    usual = info.decl.initial is not None and not isinstance(info.type, Optional)
    return words + USUAL if usual else words


def _has_place(compiled: Compiled, kind: str) -> bool:
    """True if the rules say where a piece of a kind begins."""
    fields = fields_of(compiled.names.populations[kind], compiled.names)
    return any(field.name.text == "place" and field.initial is not None for field in fields)
