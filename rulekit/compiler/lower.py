"""Model to program: total, because everything that can be wrong has been found before."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping

from rulekit import ir
from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.compiler.model import CaseModel, Claimed, Fact, Law, Model, RulingModel
from rulekit.compiler.world import World
from rulekit.ir import types as t
from rulekit.ir.memo import Trees
from rulekit.ir.walk import expressions, nodes, statements


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
    model: Model,
    procedures: Mapping[str, ir.Procedure],
    heading: Heading,
    trees: Trees | None = None,
    omit: Collection[str] = (),
) -> ir.Program:
    """Return the program of a checked model.

    Args:
        procedures: Those of the model with its events woven into them.
        trees: What is known of its trees.
        omit: Functions of the model that are not part of the program.
    """
    world = model.world
    statics = dict(model.statics)
    for table in _steps_wanted(model, trees or Trees()):
        statics[table] = _steps(table, statics[table.removeprefix("steps:")], world)
    states = tuple(
        ir.State(s.name, s.keys, s.type, s.initial, s.initial_each, s.clamp, s.known_to, s.site)
        for s in model.states.values()
    )
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
        tuple(statics.values()),
        states,
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


def _steps_wanted(model: Model, trees: Trees) -> list[str]:
    """The tables of steps that anything looks up."""
    made = (*model.functions.values(), *model.procedures.values(), *model.choices.values())
    found = {table: None for tree in made for table in trees.of("steps", tree, _steps_of)}
    for other in _other_expressions(model):
        found.update(dict.fromkeys(_steps_in(other)))
    return list(found)


def _steps_of(tree: ir.Function | ir.Procedure | ir.Choice) -> tuple[str, ...]:
    return tuple(dict.fromkeys(table for made in _expressions(tree) for table in _steps_in(made)))


def _steps_in(made: ir.Expr) -> Iterator[str]:
    for node in nodes(made):
        if isinstance(node, ir.Static) and node.table.startswith("steps:"):
            yield node.table


def _expressions(tree: ir.Function | ir.Procedure | ir.Choice) -> Iterator[ir.Expr]:
    match tree:
        case ir.Function():
            yield tree.body
        case ir.Procedure():
            for statement in statements(tree.body):
                yield from expressions(statement)
        case ir.Choice():
            yield from (value for _, value in tree.lets)
            parts = (tree.items, tree.candidates, tree.low, tree.high, tree.total)
            yield from (part for part in parts if part is not None)
            for norm in tree.norms:
                yield from (part for part in (norm.test, norm.cover, norm.whole) if part is not None)


def _other_expressions(model: Model) -> Iterator[ir.Expr]:
    for event in model.events:
        yield event.condition
    for invariant in model.invariants:
        yield invariant.body
    for example in model.examples:
        yield from (condition for condition, _ in example.then)
    for claim in model.claims:
        yield from _of_claim(claim.content)


def _of_claim(content: Claimed) -> Iterable[ir.Expr]:
    match content:
        case Fact():
            yield content.condition
        case Law():
            yield content.breach
        case RulingModel(norm=ir.Norm(test=test)):
            yield test
        case CaseModel():
            yield from (condition for condition, _ in content.example.then)
            for procedure in content.procedures:
                for statement in statements(procedure.body):
                    yield from expressions(statement)
        case _:
            pass


def _steps(name: str, relation: ir.StaticTable, world: World) -> ir.StaticTable:
    """Fewest steps between any two members of a domain by a fixed relation; none where there is no way."""
    domain = str(relation.keys[0])
    size = len(world.domains[domain].members)
    values: list[int] = []
    for start in range(size):
        reached = [t.NONE] * size
        reached[start] = 0
        queue = deque([start])
        while queue:
            at = queue.popleft()
            touching = relation.values[at]
            mask = touching if isinstance(touching, int) and touching != t.GAP else 0
            for other in members(mask):
                if reached[other] == t.NONE:
                    reached[other] = reached[at] + 1
                    queue.append(other)
        values += reached
    return ir.StaticTable(name, (domain, domain), t.Optional(t.Int(0, size)), tuple(values))
