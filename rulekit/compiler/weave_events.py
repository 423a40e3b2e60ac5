"""Events woven into procedures: `as soon as` becomes a test after everything that could make it true.

Before: a model whose events have conditions and bodies.  After: procedures that look at the events after
each change of a state that some condition reads.  An event happens when its condition turns from false to
true; one that holds when the game begins has happened already.  Several that fall due together happen in the
order of their names, each to its end, until none is due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulekit import ir
from rulekit.compiler.model import EventModel, Model, flag_of
from rulekit.ir import types as t
from rulekit.ir.semantics.effects import StateKeys, changes, read_by
from rulekit.ir.walk import blocks, map_parts, nodes, statements

CHECK, BEGIN, ENDED = "events:check", "events:begin", "events:ended"
MOST_AT_ONCE = 1000
"""Events that may follow from one change; more is an endless loop (spec 9.9)."""


def weave_events(model: Model, entry: str) -> dict[str, ir.Procedure]:
    """Return the procedures of a model with events looked at where they may fall due.

    Args:
        entry: The sequence of play, which begins by noting what holds already.
    """
    procedures, functions, events = model.procedures, model.functions, model.events
    keys = {state.name: state.keys for state in model.states.values()}
    set_ups = _set_ups(model)
    if not events:
        return dict(procedures)
    watched = frozenset().union(*(_reads(event.condition, functions) for event in events))
    bodies = {event.procedure for event in events}
    inside = _procedures_in(procedures, [*bodies, *_together(procedures), *_run_by(procedures, set_ups)])
    result = {f"{name}'event": _quiet(body) for name, body in procedures.items() if name in inside}
    for name, procedure in procedures.items():
        if name in bodies:
            continue
        if name in set_ups:
            result[name] = replace(procedure, body=_blind(procedure.body))
            continue
        body = _watching(procedure.body, watched, keys)
        if name == entry:
            body = (ir.Do(BEGIN, (), None, procedure.site), *body)
        result[name] = replace(procedure, body=body)
    result[CHECK] = _check(events)
    result[ENDED] = _end_procedure(events)
    result[BEGIN] = _begin(events)
    return result


def _set_ups(model: Model) -> frozenset[str]:
    """Procedures in which no event happens, nor in those that they run: scenarios, and what examples give."""
    scenarios = {scenario.procedure for scenario in model.scenarios}
    return frozenset(scenarios | {example.given for example in model.examples})


# ---------------------------------------------------------------- what is read and written


def _reads(condition: ir.Expr, functions: Mapping[str, ir.Function]) -> frozenset[str]:
    """The states a condition reads, also through functions."""
    states: set[str] = set()
    seen: set[str] = set()
    waiting = [condition]
    while waiting:
        for node in nodes(waiting.pop()):
            states.update(read_by(node))
            if isinstance(node, ir.Apply) and node.function not in seen:
                seen.add(node.function)
                waiting.append(functions[node.function].body)
    return frozenset(states)


# ---------------------------------------------------------------- weaving


def _watching(block: ir.Block, watched: frozenset[str], keys: StateKeys) -> ir.Block:
    """A block with a look at the events after each statement that could make one fall due.

    Inside `together` nothing has changed yet, nor in the procedures that it runs: the look comes at its end.
    """
    woven: list[ir.Stmt] = []
    for stmt in block:
        late = isinstance(stmt, ir.Together)
        woven.append(_inside(stmt, _blind if late else lambda body: _watching(body, watched, keys)))
        if late or changes(stmt, keys) & watched:
            woven.append(ir.Do(CHECK, (), None, stmt.site))
    return tuple(woven)


def _inside(stmt: ir.Stmt, block: Callable[[ir.Block], ir.Block]) -> ir.Stmt:
    return map_parts(stmt, lambda e: e, block) if blocks(stmt) else stmt


def _together(procedures: Mapping[str, ir.Procedure]) -> Iterator[str]:
    """The procedures that `together` blocks run."""
    for procedure in procedures.values():
        for block in statements(procedure.body):
            if isinstance(block, ir.Together):
                yield from (s.procedure for s in statements(block.body) if isinstance(s, ir.Do))


def _run_by(procedures: Mapping[str, ir.Procedure], names: Iterable[str]) -> Iterator[str]:
    """The procedures that these run themselves."""
    for name in names:
        yield from (s.procedure for s in statements(procedures[name].body) if isinstance(s, ir.Do))


def _procedures_in(procedures: Mapping[str, ir.Procedure], start: Iterable[str]) -> frozenset[str]:
    """The procedures that run where nobody looks at events, with those that they run."""
    inside: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in inside:
            inside.add(name)
            waiting += [s.procedure for s in statements(procedures[name].body) if isinstance(s, ir.Do)]
    return frozenset(inside)


def _quiet(procedure: ir.Procedure) -> ir.Procedure:
    """A procedure as it runs inside an event, in a set-up, or where changes wait: it calls its like."""
    return replace(procedure, name=f"{procedure.name}'event", body=_blind(procedure.body))


def _blind(body: ir.Block) -> ir.Block:
    """A block that looks at no events, nor do the procedures that it runs."""
    return tuple(
        replace(stmt, procedure=f"{stmt.procedure}'event")
        if isinstance(stmt, ir.Do)
        else _inside(stmt, _blind)
        for stmt in body
    )


def _check(events: Sequence[EventModel]) -> ir.Procedure:
    """Every event that has fallen due, again and again until none has."""
    flag, site = t.Flag(), events[0].site
    steps: list[ir.Stmt] = [ir.Do(ENDED, (), None, site)]
    due: ir.Expr | None = None
    for event in sorted(events, key=lambda event: event.name):
        held = ir.Read(flag_of(event), (), flag)
        turned = ir.Op("and", (ir.Op("not", (held,), flag), event.condition), flag)
        due = turned if due is None else ir.Op("or", (due, turned), flag)
        happen = (
            ir.Write("mark", flag_of(event), (), None, event.site),
            ir.Do(f"{event.procedure}'event", (), None, event.site),
            ir.Do(ENDED, (), None, event.site),
        )
        steps.append(ir.When(turned, happen, (), event.site))
    assert due is not None
    limit = ir.Const(MOST_AT_ONCE, t.Int(MOST_AT_ONCE, MOST_AT_ONCE))
    body = (*steps, ir.Repeat("while", due, limit, tuple(steps), site))
    return _procedure(CHECK, body, events)


def _end_procedure(events: Sequence[EventModel]) -> ir.Procedure:
    """Conditions that hold no more may turn true again; noted before and after each event for all."""
    flag = t.Flag()
    body: list[ir.Stmt] = []
    for event in sorted(events, key=lambda event: event.name):
        held = ir.Read(flag_of(event), (), flag)
        ended = ir.Op("and", (held, ir.Op("not", (event.condition,), flag)), flag)
        unmark = (ir.Write("unmark", flag_of(event), (), None, event.site),)
        body.append(ir.When(ended, unmark, (), event.site))
    return _procedure(ENDED, tuple(body), events)


def _begin(events: Sequence[EventModel]) -> ir.Procedure:
    """What holds when the game begins has happened already."""
    body = tuple(
        ir.Write("set", flag_of(event), (), event.condition, event.site)
        for event in sorted(events, key=lambda event: event.name)
    )
    return _procedure(BEGIN, body, events)


def _procedure(name: str, body: ir.Block, events: Sequence[EventModel]) -> ir.Procedure:
    """A procedure without parameters; its locals are those that the conditions of events bind."""
    parts = (part for event in events for part in nodes(event.condition))
    bound = [part.var for part in parts if isinstance(part, ir.Binding)]
    locals_ = {local.name: local.type for local in bound}
    params = tuple(ir.Param(local, type_) for local, type_ in locals_.items())
    return ir.Procedure(name, (), t.Nothing(), params, body, events[0].site)
