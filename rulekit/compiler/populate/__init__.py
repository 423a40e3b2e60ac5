"""Names and data to a world: members numbered, fields laid out in stores, cells read as their types.

Before: amended `Names`.  After: a `World` in which every member has its id and every fixed field its value.
"""

from __future__ import annotations

from rulekit.compiler.names import Names
from rulekit.compiler.populate.boards import add_board_values, add_boards, add_lines, board_fields
from rulekit.compiler.populate.cells import CellReader
from rulekit.compiler.populate.coordinates import sound_boards
from rulekit.compiler.populate.fields import (
    add_fields,
    add_place_types,
    add_values,
    few_members,
    small_domains,
    small_stores,
)
from rulekit.compiler.populate.members import (
    Load,
    WorldDraft,
    add_domain,
    domain_of,
    enums,
    in_words,
    members_by_name,
    named_members,
    unions,
)
from rulekit.compiler.populate.type_reader import TypeReader
from rulekit.compiler.world import World, homes_of, made_of
from rulekit.diagnostics import Report

ANY_MONTH = (1800 * 12, 2200 * 12 - 1)
"""Months without a calendar."""


def populate(names: Names, load: Load, report: Report) -> World:
    """The world of a rule set; `load` gives a data file by its path, or None after reporting.

    Raises:
        RulesError: Something is larger than a world may be.
    """
    if not (few_members(names, report) and sound_boards(names, report)):
        report.stop_on_error()
    draft = WorldDraft()
    enums(names, draft, report)
    for sort in ("piece", "space"):
        domain_of(sort, names, draft, load, report)
    add_boards(draft, names, report)
    add_lines(draft, names, report)
    for group in names.groups.values():
        name = group.name.text
        members = tuple(f"{name}_{number + 1}" for number in range(group.most))
        titles = tuple(f"{in_words(name)} {number + 1}" for number in range(group.most))
        add_domain(draft, name, "group", members, titles, "population", group.span)
    unions(names, draft, report)
    if not small_domains(draft, names, report):
        report.stop_on_error()
    calendar = next(iter(names.calendars.values()), None)
    months = (calendar.first, calendar.last) if calendar else ANY_MONTH
    reader = TypeReader(draft.kinds, months, report)
    add_place_types(names, draft, reader)
    of_boards = tuple(board_fields(draft, names))
    add_fields(names, draft, reader, of_boards)
    if not small_stores(draft, report):
        report.stop_on_error()
    by_name = members_by_name(draft)
    cells = CellReader(draft.domains, draft.kinds, by_name, report, unread=frozenset(draft.unread))
    add_values(names, draft, cells, report)
    add_board_values(draft, of_boards)
    return World(
        draft.domains,
        draft.kinds,
        draft.sorts,
        named_members(draft, by_name),
        by_name,
        draft.fields,
        draft.stores,
        {name: tuple(values) for name, values in draft.values.items()},
        tuple(draft.places),
        draft.place_types,
        months,
        draft.spans,
        homes_of(draft.kinds, draft.sorts),
        made_of(draft.kinds, draft.sorts),
        draft.boards,
    )
