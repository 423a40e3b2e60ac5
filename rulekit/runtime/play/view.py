"""The view of one side: everything that it may see of a session, and nothing that it may not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.ir import Apply, Const
from rulekit.ir.semantics.faults import KINDS, Fault
from rulekit.ir.semantics.names import NamingError
from rulekit.runtime.machine.fault_reports import as_fault
from rulekit.runtime.play.answering.chance_questions import is_chance
from rulekit.runtime.play.answering.decisions import AnyAnswer, Decision, amount_of, decision, why
from rulekit.runtime.play.answering.reasons import Amount, Reason
from rulekit.runtime.play.events import Event
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.play.named_values import count_expected
from rulekit.runtime.play.saved.saves import FORMAT
from rulekit.runtime.play.seen.changes import SessionChange, SessionMark, count_of, mark, since, subscribe
from rulekit.runtime.play.seen.seen_events import EventReader
from rulekit.runtime.play.seen.sight import HIDDEN, Sight
from rulekit.runtime.support.asked import Question
from rulekit.runtime.support.layout import Slots


@frozen
class View:
    """A session seen by one side; `side` is its number, one more than the last side's for a watcher."""

    moment: Moment
    side: int

    def state(self, name: str, *keys: str | int) -> Any:
        """The value of a state as JSON, or `HIDDEN`; a list of flags leaves out what is hidden."""
        return state(self.moment, name, keys, self.side)

    def value(self, name: str, *keys: Any, **arguments: Any) -> Any:
        """The value of anything that has a name, as JSON, or `HIDDEN` if it may read what is hidden.

        See `Session.value` for the arguments.
        """
        return value(self.moment, name, keys, arguments, self.side)

    @property
    def states(self) -> dict[str, list[tuple[list[Any], Any]]]:
        """Every value that this side may see: by state, the keys and the value."""
        return states(self.moment, self.side)

    @property
    def counts(self) -> dict[str, list[tuple[list[Any], int]]]:
        """How many things hidden cups and stacks hold from which something is drawn in secret (spec 13.5)."""
        moment, naming, sight = self.moment, self.moment.game.naming, self.moment.sight(self.side)
        by_state: dict[str, list[tuple[list[Any], int]]] = {}
        for name in sorted(sight.rules.counted):
            slots = moment.game.module.layout.slots[name]
            held = ((keys, moment.machine.M[at]) for keys, at in slots.each() if not sight.sees(slots, keys))
            by_state[name] = [(naming.keys(slots.state.keys, keys), count_of(v)) for keys, v in held]
        return by_state

    @property
    def decision(self) -> Decision | None:
        """The decision of this side; None while another side or chance decides, or none."""
        asked = self._asked
        return None if asked is None else decision(self.moment, asked)

    @property
    def _asked(self) -> Question | None:
        """The open question, if it is one of this side's."""
        asked = self.moment.machine.asked
        return None if asked is None or is_chance(asked) or asked[1] != self.side else asked

    def why(self, answer: AnyAnswer, language: str = "en", *, norms_only: bool = False) -> tuple[Reason, ...]:
        """Return what rules out an answer to this side's decision.

        A norm that reads what this side may not see is not named: if only such norms speak against the
        answer, there is one reason without a norm. `norms_only` leaves out such reasons, and takes less time.
        """
        if self._asked is None:
            return ()
        return why(self.moment, answer, self.moment.sight(self.side), language, norms_only=norms_only)

    @property
    def amount(self) -> Amount | None:
        """How many things this side's choice of several wants; None of any other choice."""
        return None if self._asked is None else amount_of(self.moment, self.moment.sight(self.side))

    @property
    def mark(self) -> SessionMark:
        """The present moment, for `since`."""
        return mark(self.moment, self.side)

    def since(self, before: SessionMark) -> SessionChange:
        """Return what has changed for this side since a mark of a view of it.

        Raises:
            ValueError: The mark is of another session, or another side.
        """
        return since(self.moment, before, self.side)

    def subscribe(self, callback: Callable[[SessionChange], object]) -> Callable[[], None]:
        """Call with each change that this side sees, until the function that is returned is called."""
        return subscribe(self.moment, callback, self.side)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, without anything that this side may not see (spec 13.5)."""
        return tuple(event for events in self.events_by_number for event in events)

    @property
    def events_by_number(self) -> tuple[tuple[Event, ...], ...]:
        """For each event of the session, by number, what this side sees of it: one event, none or several."""
        return tuple(self.event_reader.read(self.moment.event_count))

    @property
    def event_reader(self) -> EventReader:
        """A reader of the events as this side sees them, from the first on; `undo` makes it useless."""
        return EventReader(self.moment, self.side)

    @property
    def hides_anything(self) -> bool:
        """True if the rules hide any state or answer from this side."""
        return bool(self.moment.sight(self.side).rules.anything)

    def fault(self, fault: Fault) -> Fault:
        """Return a fault as this side may read it: without its message, if anything is hidden from it."""
        if not self.hides_anything:
            return fault
        title = KINDS[fault.name].title if fault.name in KINDS else fault.name
        return Fault(fault.name, title, fault.site, fault.labels)

    def save(self) -> dict[str, Any]:
        """Return everything that this side may see as JSON; no game can be restored from it."""
        moment, asked = self.moment, self.decision
        program = moment.game.program
        return {
            "format": FORMAT,
            "program": program.name,
            "rules": program.source_hash,
            "options": list(program.options),
            "scenario": moment.scenario,
            "side": moment.game.naming.side(program.sides, self.side) or None,
            "states": {name: [list(row) for row in rows] for name, rows in self.states.items()},
            "counts": {name: [list(row) for row in rows] for name, rows in self.counts.items()},
            "events": [event.as_json for event in self.events],
            "decision": None if asked is None else _plain(asked),
            "over": moment.over,
            "result": moment.result,
        }


def _plain(asked: Decision) -> dict[str, Any]:
    """A decision as JSON."""
    rows = asdict(asked)
    names = [answer.name for answer in asked.legal_answers]
    listed = {"rules": list(asked.rules), "steps": list(asked.steps), "so_far": list(map(dict, asked.so_far))}
    return {**rows, "legal_answers": names, **listed}


def states(moment: Moment, side: int | None = None) -> dict[str, list[tuple[list[Any], Any]]]:
    """Every value, or every one that a side may see: by state, the keys and the value."""
    by_state: dict[str, list[tuple[list[Any], Any]]] = {}
    naming, sight = moment.game.naming, None if side is None else moment.sight(side)
    for slots in moment.game.module.layout.slots.values():
        entries = []
        for keys, address in slots.each():
            value = _cell(moment, slots, keys, address, sight)
            if value is not HIDDEN:
                entries.append((naming.keys(slots.state.keys[: len(keys)], keys), value))
        by_state[slots.state.name] = entries
    return by_state


def state(moment: Moment, name: str, keys: tuple[str | int, ...], side: int | None = None) -> Any:
    """A value by names; see `Session.state` and `View.state`."""
    naming = moment.game.naming
    slots = moment.game.named_values.state(name, keys)
    domains = slots.state.keys
    wanted = (len(domains), len(domains) - 1) if slots.bits is not None else (len(domains),)
    if len(keys) not in wanted:
        raise ValueError(f"`{name}`: {count_expected(len(domains), 'key')}, found {len(keys)}")
    values = tuple(naming.key(domain, key) for domain, key in zip(domains, keys, strict=False))
    outer = values[: len(slots.keys)]
    sight = None if side is None else moment.sight(side)
    if slots.bits is not None and len(values) == len(domains):
        if sight is not None and not sight.sees(slots, values):
            return HIDDEN
        return bool(moment.machine.M[slots.address(outer)] >> values[-1] - slots.bits.low & 1)
    return _cell(moment, slots, outer, slots.address(outer), sight)


def value(
    moment: Moment,
    name: str,
    given: tuple[Any, ...],
    named: Mapping[str, Any],
    side: int | None = None,
) -> Any:
    """The value of anything that has a name; see `Session.value` and `View.value`."""
    values, module = moment.game.named_values, moment.game.module
    function = values.function(name)
    if function is None:
        if named:
            raise NamingError(f"`{name}` has no parameters with names: give its keys in order")
        if values.is_state(name, given):
            return state(moment, name, given, side)
        return values.cell(values.table(name, given), given)
    arguments = values.arguments(function, given, named)
    if side is not None:
        constants = map(Const, arguments, (param.type for param in function.params))
        call = values.written_out(Apply(function.name, tuple(constants), function.result))
        if not moment.sight(side).follows(call, {}):
            return HIDDEN
    try:
        result = module.function(function.name)(moment.machine.M, *arguments)
    except Exception as error:
        raise as_fault(module, error) from error
    return values.to_json(function.result, result)


def _cell(moment: Moment, slots: Slots, keys: tuple[int, ...], address: int, sight: Sight | None) -> Any:
    """A cell as JSON; for flags, all that have the flag (and are known)."""
    naming, value = moment.game.naming, moment.machine.M[address]
    if slots.bits is None:
        if sight is not None and not sight.sees(slots, keys):
            return HIDDEN
        return naming.to_json(slots.state.type, value)
    domain = slots.state.keys[-1]
    marked = [bit + slots.bits.low for bit in members(value)]
    if sight is not None:
        marked = [one for one in marked if sight.sees(slots, (*keys, one))]
    return [naming.keys((domain,), (one,))[0] for one in marked]
