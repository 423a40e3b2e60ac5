"""Model to program: total, because everything that can be wrong has been found before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.compiler.model import Model
from rulekit.ir import types as t


@frozen
class Heading:
    """What a program says of itself: the rule set it is made from, who plays it, and where play begins.

    `entry`: the sequence of play; empty if there is none.
    """

    name: str
    title: str
    edition: str
    language: str
    source_hash: str
    options: tuple[str, ...]
    sides: str
    entry: str


def heading_of(program: ir.Program, entry: str) -> Heading:
    """Return the heading of a program, with another entry."""
    p = program
    return Heading(p.name, p.title, p.edition, p.language, p.source_hash, p.options, p.sides, entry)


def lower(
    model: Model, procedures: Mapping[str, ir.Procedure], heading: Heading, omit: Collection[str] = ()
) -> ir.Program:
    """Return the program of a checked model.

    Args:
        procedures: Those of the model with its events woven into them.
        omit: Functions of the model that are not part of the program.
    """
    world = model.world
    statics = (*model.statics.values(), *_step_tables(model, model.steps))
    return ir.Program(
        ir.program.FORMAT,
        heading.name,
        heading.title,
        heading.edition,
        heading.language,
        heading.source_hash,
        heading.options,
        tuple(world.domains.values()),
        tuple(world.kinds.values()),
        statics,
        tuple(model.states.values()),
        tuple(function for name, function in model.functions.items() if name not in omit),
        tuple(model.points.values()),
        tuple(model.choices.values()),
        tuple(procedures.values()),
        model.scenarios,
        model.invariants,
        model.examples,
        heading.sides,
        heading.entry,
        model.sites,
        model.modifiers,
    )


def lower_for_claims(program: ir.Program, model: Model) -> ir.Program:
    """Return a program with the tables that only its claims read: a claim does not change what is played."""
    return replace(program, statics=(*program.statics, *_step_tables(model, model.claim_steps)))


def _step_tables(model: Model, names: Iterable[str]) -> Iterator[ir.StaticTable]:
    """Yield the tables of the fewest steps, or a shortest way, between any two members of a domain."""
    for name in names:
        content, _, relation = name.partition(":")
        domain = str(model.statics[relation].keys[0])
        size = len(model.world.domains[domain].members)
        kind = t.ListOf(model.world.whole(domain), size) if content == "ways" else t.Optional(t.Int(0, size))
        yield ir.StaticTable(name, (domain, domain), kind, (), steps_by=relation)
