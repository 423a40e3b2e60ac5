"""A situation as the rules would say it: what differs in it from how the game is declared to begin."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, cast

from rulekit import ir
from rulekit.analysis.prove.kept_words import NOT_REPLAYED, KeptWords
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.records import in_values, value_name
from rulekit.analysis.prove.search import CellValues
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.bits import member_ids
from rulekit.base.codec import Codec, Encoding
from rulekit.base.frozen import frozen
from rulekit.base.language import quoted_name
from rulekit.ir.conditions import conjunction
from rulekit.ir.reachable import functions_called
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import NONE, Flag, ListOf, MapOf, Member, Optional, Record, SetOf, Type
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.optimise import tabulate
from rulekit.runtime.support.build import Build
from rulekit.runtime.support.layout import FUEL, Cells

_TEST: Final = "situation'"
_ASIDE: Final = "aside'"
MARK: Final = "'other"
"""Ends the names of copies that belong to the second of two situations."""
MOST_TOLD: Final = 6
"""Conditions that the words for a situation name."""
RUNS: Final = 1_000_000
"""Units of work that one evaluation may take."""
FEW: Final = 12
"""Cells of which each is looked at, whether the test depends on it."""
MOST_OTHERS: Final = 100
"""Other values that are tried for that."""
Arguments = Mapping[str, Any]
_Place = tuple[int, int | None]
_Departures = Mapping[_Place, Any]


@frozen
class Situation:
    """A situation that the interpreter itself has found a test to hold in.

    `arguments` are the question's parameters as they would be written, `values` as they are; `departures` is
    what differs from the states as declared, as the lines of an example would give it; `depends_on` are the
    conditions that the test depends on; `aside`: the value of another expression, as JSON.
    """

    arguments: Mapping[str, str]
    values: Mapping[str, Any]
    departures: tuple[str, ...]
    depends_on: tuple[str, ...]
    aside: tuple[Any, ...] = ()

    @property
    def words(self) -> str:
        """The situation in a few words."""
        return _enumeration(self.depends_on)


@frozen
class Contrast:
    """Two situations, each in a few words, with what both have in common."""

    common: str
    first: str
    second: str


def _is_plain(situation: Situation) -> bool:
    """True if JSON holds all values of a situation as they are."""
    return all(value.__class__ in (int, bool) for value in situation.values.values())


_ANY: Final = Encoding(cast(type, Any), object, lambda value, _: value, lambda plain, _: plain)
"""Values that are JSON themselves."""
_SITUATIONS: Final[KeptWords[Situation]] = KeptWords("situation", Codec(Situation, _ANY), _is_plain)
_CONTRASTS: Final[KeptWords[Contrast]] = KeptWords("contrast", Codec(Contrast))


def replay(
    program: ir.Program,
    params: Sequence[ir.Param],
    test: ir.Expr,
    seen: Refuted[CellValues],
    aside: ir.Expr | None = None,
) -> Situation | None:
    """The situation that was seen, with as few departures as the test needs; None if the interpreter says no.

    Args:
        params: The parameters of the test, each a scalar or a set; of a map none is tried.
        aside: An expression over the same parameters; the situation has its value, too.
    """
    if any(isinstance(param.type, MapOf) for param in params):
        return None
    return _Replay(program, params, test, aside).situation(seen)


def find_situation(
    prover: Prover, params: Sequence[ir.Param], test: ir.Expr, budget: int, aside: ir.Expr | None = None
) -> Refuted[Situation] | Proved | Undecided:
    """Find a situation in which a test holds, and every promise about what it reads, ready to be shown.

    Undecided as `not-replayed`: the interpreter does not confirm what the search has found.
    """
    asked = (test,) if aside is None else (test, aside)
    params, (test, *rest) = in_values(params, asked)
    promises = prover.promises(test)

    def search() -> Refuted[Situation] | Proved | Undecided:
        answer = prover.prove_never(params, test, budget, promises)
        if not isinstance(answer, Refuted):
            return answer
        situation = replay(prover.program, params, conjunction(test, *promises), answer, *rest)
        return NOT_REPLAYED if situation is None else Refuted(situation)

    return _SITUATIONS.find(prover, params, (test, *promises, *rest), (budget, len(promises)), search)


def find_contrast(
    prover: Prover,
    params: Sequence[ir.Param],
    test: ir.Expr,
    budget: int,
    twins: Mapping[str, str],
    *,
    in_words: bool = True,
) -> Refuted[Contrast | None] | Proved | Undecided:
    """Find two situations by one: a test holds of a state and its copies.

    Args:
        twins: The copy of each state, and of each parameter, that may differ in the second situation.  A copy
            that the test reads has its first in `twins` if it is named by `MARK`.  A parameter with
            `MARK` in its name is not shown.
        in_words: Whether the two are shown; else they are none, and the interpreter does not confirm them.
    """
    records = {param.name: param.type for param in params}
    params, (test,) = in_values(params, (test,))
    twins = dict(twins) | {
        value_name(name, field): value_name(twin, field)
        for name, twin in twins.items()
        if isinstance(kind := records.get(name), Record)
        for field in kind.names
    }
    promises = prover.promises(test)

    def search() -> Refuted[Any] | Proved | Undecided:
        answer = prover.prove_never(params, test, budget, promises, shown=in_words)
        if not isinstance(answer, Refuted):
            return answer
        if any(isinstance(param.type, MapOf) for param in params):
            return NOT_REPLAYED
        if not in_words:
            return Refuted(None)
        contrast = _Replay(prover.program, params, conjunction(test, *promises), None).contrast(answer, twins)
        return NOT_REPLAYED if contrast is None else Refuted(contrast)

    if not in_words:
        return search()
    copied = sorted((name, twin) for name, twin in twins.items() if twin != name + MARK)
    return _CONTRASTS.find(prover, params, (test, *promises), (budget, MARK, copied), search)


class _Replay:
    """Runs one test as the interpreter compiles it."""

    def __init__(
        self, program: ir.Program, params: Sequence[ir.Param], test: ir.Expr, aside: ir.Expr | None
    ) -> None:
        self._params, self._aside = tuple(params), aside
        asked = [ir.Function(_TEST, self._params, Flag(), test, 0)]
        if aside is not None:
            asked.append(ir.Function(_ASIDE, self._params, aside.type, aside, 0))
        called = functions_called(program, *(function.body for function in asked))
        small = replace(program, procedures=(), choices=(), invariants=(), functions=(*called, *asked))
        self._naming = Naming(program)
        module = GeneratedModule(small, Build())
        self._context, self._layout = module.optimised.context, module.layout
        self._holds: Callable[..., Any] = module.function(_TEST)
        self._value_aside = None if aside is None else module.function(_ASIDE)

    def situation(self, seen: Refuted[CellValues]) -> Situation | None:
        arguments = self._arguments(seen)
        departures = self._fewest(seen, arguments)
        if departures is None:
            return None
        written = {p.name: self._value(p.type, arguments[p.name]) for p in self._params}
        phrases = self._phrases(seen, departures, arguments)
        aside = self._aside_in(departures, arguments)
        return Situation(written, arguments, self._given_lines(departures), phrases, aside)

    def contrast(self, seen: Refuted[CellValues], twins: Mapping[str, str]) -> Contrast | None:
        arguments = self._arguments(seen)
        departures = self._fewest(seen, arguments)
        if departures is None:
            return None
        first = self._state(departures)
        pairs = self._pairs(self._places(seen), first, twins)
        second = list(first)
        for place, twin in pairs.items():
            _set(second, *place, _get(first, *twin))
        others = {name: arguments[twin] for name, twin in twins.items() if twin in arguments}
        own = [p for p in self._params if MARK not in p.name]
        differing = [p for p in own if others.get(p.name, arguments[p.name]) != arguments[p.name]]

        def differences(state: Cells, values: Arguments) -> list[str]:
            params = [_condition(p.name, p.type, self._value(p.type, values[p.name])) for p in differing]
            return [*params, *(self._phrase(state, *place) for place in pairs)]

        here, there = differences(first, arguments), differences(second, others)
        left_out = {*others, *twins.values()}
        common = [
            _condition(p.name, p.type, self._value(p.type, arguments[p.name]))
            for p in own
            if p.name not in left_out and self._is_needed(departures, arguments, p)
        ]
        places = [place for place in departures if place not in pairs and not self._is_of(left_out, place)]
        common += [self._phrase(first, *place) for place in sorted(places, key=_declaration_order)]
        shared = [words for words in common if words not in here]
        return Contrast(_enumeration(shared), _enumeration(here), _enumeration(there))

    def _is_of(self, states: Collection[str], place: _Place) -> bool:
        """True if a cell belongs to one of some states."""
        slots = (self._layout.slots[name] for name in states if name in self._layout.slots)
        return any(one.base <= place[0] < one.base + one.size for one in slots)

    def _pairs(
        self, read: Collection[_Place], state: Cells, twins: Mapping[str, str]
    ) -> dict[_Place, _Place]:
        """The cells that differ between the two situations, each with its copy that was read."""
        pairs: dict[_Place, _Place] = {}
        for name in twins.keys() & self._layout.slots.keys():
            slots, copies = self._layout.slots[name], self._layout.slots[twins[name]]
            for address, bit in read:
                place = address - copies.base + slots.base, bit
                if copies.base <= address < copies.base + copies.size:
                    if _get(state, *place) != _get(state, address, bit):
                        pairs[place] = address, bit
        return dict(sorted(pairs.items(), key=lambda pair: _declaration_order(pair[0])))

    def _fewest(self, seen: Refuted[CellValues], arguments: Arguments) -> _Departures | None:
        """As few departures as the test needs; None if it does not hold."""
        departures = self._departures(seen)
        if not self._true(departures, arguments):
            return None
        blocks = [list(departures)] if departures else []
        while blocks:
            block = blocks.pop()
            without = {place: value for place, value in departures.items() if place not in block}
            if self._true(without, arguments):
                departures = without
            elif len(block) > 1:
                middle = len(block) // 2
                blocks += (block[middle:], block[:middle])
        return departures

    def _true(self, departures: _Departures, arguments: Arguments) -> bool:
        try:
            return bool(self._run(self._holds, departures, arguments))
        except Exception:  # a condition that faults does not hold
            return False

    def _run(self, function: Callable[..., Any], departures: _Departures, arguments: Arguments) -> Any:
        state = self._state(departures)
        self._layout.derive(state)
        state[FUEL] = RUNS
        return function(state, *(arguments[param.name] for param in self._params))

    def _aside_in(self, departures: _Departures, arguments: Arguments) -> tuple[Any, ...]:
        """The value of the other expression; none if it faults."""
        if self._aside is None or self._value_aside is None:
            return ()
        try:
            value = self._run(self._value_aside, departures, arguments)
        except Exception:
            return ()
        return (self._naming.to_json(self._aside.type, value),)

    def _state(self, departures: _Departures) -> Cells:
        state = self._layout.initial()
        for (address, bit), value in departures.items():
            _set(state, address, bit, value)
        return state

    # -- from what was read

    def _arguments(self, seen: Refuted[CellValues]) -> dict[str, Any]:
        arguments: dict[str, Any] = {}
        for param in self._params:
            name = f"parameter {param.name}"
            if isinstance(param.type, SetOf):
                held = [k[0] for (cell, k), value in seen.evidence.items() if cell == f"{name} has" and value]
                arguments[param.name] = sum(1 << member for member in held)
            else:
                arguments[param.name] = seen.evidence.get((name, ()), self._any(param.type))
        return arguments

    def _any(self, kind: Type) -> Any:
        """Some value of a type, for a parameter that was not read."""
        if isinstance(kind, Optional):
            return NONE
        if isinstance(kind, Member):
            return member_ids(self._context.kind_mask(kind))[0]
        return False if isinstance(kind, Flag) else getattr(kind, "low", 0)

    def _departures(self, seen: Refuted[CellValues]) -> dict[_Place, Any]:
        """Cells (and bits of them) with values that are not the declared ones."""
        state = self._layout.initial()
        departures: dict[_Place, Any] = {}
        for (address, bit), value in self._places(seen).items():
            now = state[address] if bit is None else bool(state[address] >> bit & 1)
            if now != value:
                departures[address, bit] = value
        return departures

    def _places(self, seen: Refuted[CellValues]) -> dict[_Place, Any]:
        """The cells of the state that were read."""
        places: dict[_Place, Any] = {}
        for (cell, keys), value in seen.evidence.items():
            name = cell.removesuffix(" has")
            slots = self._layout.slots.get(name)
            if slots is None:
                continue
            if cell != name:
                places[slots.address(keys[:-1]), keys[-1]] = value
            elif slots.bits is not None:
                places[slots.address(keys[:-1]), keys[-1] - slots.bits.low] = value
            else:
                places[slots.address(keys), None] = value
        return places

    # -- words

    def _phrases(
        self, seen: Refuted[CellValues], departures: _Departures, arguments: Arguments
    ) -> tuple[str, ...]:
        """The parameters and cells that have to be as they are; of many cells, those that are changed."""
        words = [
            _condition(param.name, param.type, self._value(param.type, arguments[param.name]))
            for param in self._params
            if self._is_needed(departures, arguments, param)
        ]
        places = list(departures)
        if len(seen.evidence) <= FEW:
            places = [place for place in self._places(seen) if self._counts(departures, arguments, place)]
        state = self._state(departures)
        words += [self._phrase(state, *place) for place in sorted(places, key=_declaration_order)]
        return tuple(dict.fromkeys(words))

    def _is_needed(self, departures: _Departures, arguments: Arguments, param: ir.Param) -> bool:
        others = (value for value in self._values(param.type) if value != arguments[param.name])
        return any(
            not self._true(departures, {**arguments, param.name: other})
            for other in islice(others, MOST_OTHERS)
        )

    def _counts(self, departures: _Departures, arguments: Arguments, place: _Place) -> bool:
        address, bit = place
        state = self._state(departures)
        now = state[address] if bit is None else bool(state[address] >> bit & 1)
        kind = self._layout.owner(address).state.type
        values = (False, True) if bit is not None else self._values(kind)
        others = (value for value in values if value != now)
        return any(
            not self._true({**departures, place: other}, arguments) for other in islice(others, MOST_OTHERS)
        )

    def _values(self, kind: Type) -> Sequence[Any]:
        """All values of a type that can be listed."""
        if isinstance(kind, Optional):
            return [NONE, *self._values(kind.of)]
        return [] if tabulate.domain(kind) is None else sorted(tabulate.values_of(self._context, kind))

    def _given_lines(self, departures: _Departures) -> tuple[str, ...]:
        """Departures as the lines of an example give them."""
        state = self._state(departures)
        return tuple(dict.fromkeys(self._line(state, *place) for place in departures))

    def _parts(self, state: Cells, address: int, bit: int | None) -> tuple[ir.State, list[Any], Any]:
        """A cell: its state, its keys as shown, its value."""
        slots = self._layout.owner(address)
        keys, value = self._layout.keys_of(address), state[address]
        if slots.bits is not None:
            assert bit is not None
            keys, value = (*keys, bit + slots.bits.low), bool(value >> bit & 1)
        shown = self._naming.keys(slots.state.keys, keys)
        return slots.state, [quoted_name(key) if isinstance(key, str) else key for key in shown], value

    def _line(self, state: Cells, address: int, bit: int | None) -> str:
        """`Alpha at North`, `Alpha.damage = 3`, `Alpha is firing`, `night = true`."""
        declared, shown, value = self._parts(state, address, bit)
        _, _, field = declared.name.partition(".")
        if isinstance(declared.type, Flag) and field and len(shown) == 1:
            return f"{shown[0]} is {'' if value else 'not '}{field}"
        if declared.name == "place" and value != NONE:
            return f"{shown[0]} at {self._value(declared.type, value)}"
        return f"{_state_name(declared.name, shown)} = {self._value(declared.type, value)}"

    def _phrase(self, state: Cells, address: int, bit: int | None) -> str:
        """`Alpha at North`, `Alpha.damage = 3`, `Alpha is firing`, `not night`."""
        declared, shown, value = self._parts(state, address, bit)
        if declared.name == "place" and value == NONE:
            return f"{shown[0]} is nowhere"
        own = isinstance(declared.type, Flag) and "." in declared.name and len(shown) == 1
        if declared.name == "place" or own:
            return self._line(state, address, bit)
        return _condition(_state_name(declared.name, shown), declared.type, self._value(declared.type, value))

    def _value(self, kind: Type, value: Any) -> str:
        if isinstance(kind, Optional):
            return "none" if value == NONE else self._value(kind.of, value)
        shown = self._naming.to_json(kind, value)
        if isinstance(shown, list) and isinstance(kind, SetOf | ListOf):
            return "{" + ", ".join(_spelling(kind.of, item) for item in shown) + "}"
        if isinstance(shown, bool):
            return "true" if shown else "false"
        return "none" if shown is None else _spelling(kind, shown)


def _enumeration(words: Sequence[str]) -> str:
    """The first of some conditions, each once, and how many more there are."""
    words = list(dict.fromkeys(words))
    more = len(words) - MOST_TOLD
    return ", ".join(words[:MOST_TOLD]) + (f" and {more} more" if more > 0 else "")


def _spelling(kind: Type, shown: object) -> str:
    """A name or number as rules write it."""
    return quoted_name(str(shown)) if isinstance(kind, Member) else str(shown)


def _declaration_order(place: _Place) -> tuple[int, int]:
    """The order in which states are declared."""
    return place[0], -1 if place[1] is None else place[1]


def _condition(called: str, kind: Type, shown: str) -> str:
    """A value as a condition: `night`, `not night`, `side is Red`, `turn = 3`."""
    if isinstance(kind, Flag):
        return called if shown == "true" else f"not {called}"
    plain = kind.of if isinstance(kind, Optional) else kind
    return f"{called} is {shown}" if isinstance(plain, Member) or shown == "none" else f"{called} = {shown}"


def _get(state: Cells, address: int, bit: int | None) -> Any:
    return state[address] if bit is None else state[address] >> bit & 1


def _set(state: Cells, address: int, bit: int | None, value: Any) -> None:
    if bit is None:
        state[address] = value
    elif value:
        state[address] |= 1 << bit
    else:
        state[address] &= ~(1 << bit)


def _state_name(name: str, keys: Sequence[object]) -> str:
    """A state for its keys as it is written: `Alpha.damage`, `turn`, `Alpha.spotted(Red)`."""
    owner, _, field = name.rpartition(".")
    if owner and keys:
        return f"{keys[0]}.{field}" + (f"({', '.join(map(str, keys[1:]))})" if len(keys) > 1 else "")
    return name + (f"({', '.join(map(str, keys))})" if keys else "")
