"""Writes events into the log of a module.

A statement takes three steps. Locals get the values that its event tells, once, since the state may be
another one afterwards; then the statement runs, over those locals; then its event is written.
`runtime.codegen.statements` writes the same events in Python, field by field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, assert_never

from rulekit.ir import Choice, Const, Expr, Local, Read, State, Stmt
from rulekit.ir import stmt as s
from rulekit.ir.program import type_of_key
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.effects import PLACE
from rulekit.ir.types import Flag, Int, ListOf, MapOf, Member, Optional, SetOf, Type
from rulekit.runtime.native import lir
from rulekit.runtime.native.log.table import COUNT, NO_SITE, Fields, LoggedEvent
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import changes
from rulekit.runtime.native.lower.builder import LowBuilder, Words
from rulekit.runtime.native.lower.memory import CELL, MESSAGE_AT
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit

PIECES: Final = SetOf(Member("piece", "piece"))
SPACE: Final = Optional(Member("space", "space"))
MOST_AT_ONCE: Final = 8
"""Words that one call writes."""

Value = tuple[Type, Words]


# ------------------------------------------------------------ the log


def begin(unit: ModuleUnit, build: LowBuilder) -> None:
    """Begin a log, where the module has one."""
    if unit.log is not None:
        build.emit(lir.Store(COUNT, None, lir.ZERO))


def write(x: RoutineLowerer, number: lir.Expr, values: Iterable[Value]) -> None:
    """Write an event: its number and the words of its values, all or nothing."""
    log, shapes = x.unit.log, x.unit.shapes
    assert log is not None
    run: list[lir.Expr] = [number]
    copied: list[tuple[int, lir.Expr, lir.Expr]] = []
    for kind, words in values:
        if not isinstance(kind, ListOf | MapOf):
            run += b.pad(words, shapes.words(kind))
            continue
        address = x.build.bind(words[0])
        room: lir.Expr = lir.Num(shapes.room(kind))
        if isinstance(kind, ListOf):
            room = b.plus(b.times(lir.Load(0, address), shapes.words(kind.of)), 1)
        copied.append((len(run), address, x.build.bind(room)))
    if len(run) > MOST_AT_ONCE or copied:
        total: lir.Expr = lir.Num(len(run))
        for _, _, room in copied:
            total = b.add(total, room)
        x.build.emit(lir.LowRun(_room_function(x.unit), (total,)))
    at = 0
    for place, address, room in (*copied, (len(run), lir.ZERO, lir.ZERO)):
        while at < place:
            words = tuple(run[at : min(at + MOST_AT_ONCE, place)])
            x.build.emit(lir.LowRun(_words_function(x.unit, len(words)), words))
            at += len(words)
        if room != lir.ZERO:
            x.build.emit(lir.LowRun(_copy_function(x.unit), (address, room)))


def _room_function(unit: ModuleUnit) -> str:
    """The name of the function that ends the game if so many words do not fit."""
    name = "log room"
    if name not in unit.functions:
        build = LowBuilder(name, ("words",))
        _hold(unit, build, lir.Get("words"))
        unit.add(build.finish())
    return name


def _words_function(unit: ModuleUnit, count: int) -> str:
    """The name of the function that writes so many words."""
    name = f"log {count}"
    if name not in unit.functions:
        words = tuple(f"word {number}" for number in range(count))
        build = LowBuilder(name, words)
        _hold(unit, build, lir.Num(count))
        at = build.bind(b.times(lir.Load(COUNT), CELL))
        for number, word in enumerate(words):
            build.emit(lir.Store(COUNT + CELL * (1 + number), at, lir.Get(word)))
        build.emit(lir.Store(COUNT, None, b.plus(lir.Load(COUNT), count)))
        unit.add(build.finish())
    return name


def _copy_function(unit: ModuleUnit) -> str:
    """The name of the function that writes words from an address."""
    name = "log from"
    if name not in unit.functions:
        build = LowBuilder(name, ("from", "words"))
        _hold(unit, build, lir.Get("words"))
        target = b.add(b.times(lir.Load(COUNT), CELL), lir.FixedAddress(COUNT + CELL))
        build.emit(lir.LowRun("copy", (target, lir.Get("from"), lir.Get("words"))))
        build.emit(lir.Store(COUNT, None, b.add(lir.Load(COUNT), lir.Get("words"))))
        unit.add(build.finish())
    return name


def _hold(unit: ModuleUnit, build: LowBuilder, words: lir.Expr) -> None:
    """End the game if so many words do not fit: no event is ever lost."""
    assert unit.log is not None
    with build.when(b.binary("gt_s", b.add(lir.Load(COUNT), words), lir.Num(unit.log.room))):
        text = unit.message(texts.TOO_MANY_EVENTS, ())
        build.emit(lir.Store(MESSAGE_AT, None, lir.Num(text)))
        build.emit(lir.LowFail(unit.fault("budget"), NO_SITE, lir.Load(COUNT)))


# ------------------------------------------------------------ statements


def fix(x: RoutineLowerer, stmt: Stmt) -> Stmt:
    """Put what a statement's event tells into locals; the statement over these."""
    match stmt:
        case s.Write(state="place", op="set") if stmt.value is not None:
            return fix(x, s.Place(stmt.keys[0], False, stmt.value, stmt.site))
        case s.Write():
            keys = _fix_keys(x, stmt.state, stmt.keys)
            value = stmt.value
            if value is not None and not isinstance(value.type, ListOf):  # a list is read where it is stored
                value = _fix(x, value)
            return replace(stmt, keys=keys, value=value)
        case s.MarkAll():
            keys = _fix_keys(x, stmt.state, stmt.keys)
            return replace(stmt, keys=keys, members=_fix(x, stmt.members))
        case s.Place(many=True):
            return replace(stmt, pieces=_fix(x, stmt.pieces), space=_fix(x, stmt.space))
        case s.Place():
            piece = Local(x.build.fresh("#piece"), Member("piece", "piece"))
            x.bind_local(piece, (x.some(stmt.pieces),))
            return replace(stmt, pieces=piece, space=_fix(x, stmt.space))
        case s.Put():
            keys = _fix_keys(x, stmt.state, stmt.keys)
            return replace(stmt, keys=keys, value=_fix(x, stmt.value))
        case s.Dissolve():
            return replace(stmt, group=_fix(x, stmt.group))
        case s.Reveal() | s.DrawTop() | s.Shuffle():
            return replace(stmt, keys=_fix_keys(x, stmt.state, stmt.keys))
        case s.Roll() | s.DrawLot() | s.Form() | s.Say():
            return stmt
        case s.Let() | s.When() | s.ForEach() | s.Repeat() | s.Leave() | s.Next() | s.Return() | s.Fail():
            return stmt
        case s.Do() | s.Choose() | s.ChooseEach() | s.Together() | s.Step() | s.Finish() | s.Tell():
            return stmt
        case _:
            assert_never(stmt)


def _fix(x: RoutineLowerer, e: Expr) -> Expr:
    if isinstance(e, Const | Local):
        return e
    local = Local(x.build.fresh("#value"), e.type)
    x.bind_local(local, x.words(e))
    return local


def _fix_keys(x: RoutineLowerer, state: str, keys: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Keys as locals that are known to be in their domains."""
    named: list[Expr] = []
    slots = x.unit.layout.slots[state]
    places = slots.keys if slots.bits is None else (*slots.keys, slots.bits)
    for key, place in zip(keys, places, strict=False):
        if not isinstance(key, Const):
            local = Local(x.build.fresh("#key"), type_of_key(place.domain))
            x.bind_local(local, (x.key(key, place, state),))
            key = local
        named.append(key)
    return tuple(named)


def tell(x: RoutineLowerer, stmt: Stmt, *, late: bool) -> None:
    """Write the event of a statement that has run, as `fix` has given it.

    Args:
        late: Whether its change waits for the end of a `together` block.
    """
    match stmt:
        case s.Write():
            _of_state(x, stmt.op, stmt.site, stmt.state, stmt.keys, _of_write(x, stmt, late=late))
        case s.MarkAll():
            members = ("members", stmt.members.type, x.words(stmt.members))
            kind = "mark_all" if stmt.on else "unmark_all"
            _of_state(x, kind, stmt.site, stmt.state, stmt.keys, [members])
        case s.Place():
            count = x.unit.shapes.words(PIECES)
            pieces = x.words(stmt.pieces) if stmt.many else x.bit_words(x.one(stmt.pieces), count)
            operands: list[Operand] = [("pieces", PIECES, pieces), ("space", SPACE, x.words(stmt.space))]
            seen = x.unit.facts.states[PLACE].known_to is None
            _other(x, "move", stmt.site, PLACE, operands, seen=seen)
        case s.Put():
            kind = "put_top" if stmt.top else "put_under"
            values = ("values", x.unit.facts.states[stmt.state].type, (changes.as_list(x, stmt),))
            _of_state(x, kind, stmt.site, stmt.state, stmt.keys, [values])
        case s.Form():
            group = ("group", stmt.local.type, x.names[stmt.local.name])
            _other(x, "form", stmt.site, stmt.domain, [group])
        case s.Dissolve():
            _other(x, "dissolve", stmt.site, stmt.domain, [("group", stmt.group.type, x.words(stmt.group))])
        case s.Reveal():
            of = x.unit.facts.states[stmt.state].type
            value = ("value", of, x.words(Read(stmt.state, stmt.keys, of)))
            seen = stmt.known is None
            _of_state(x, "reveal", stmt.site, stmt.state, stmt.keys, [value], seen=seen)
        case s.Roll():
            _roll(x, stmt)
        case s.DrawLot():
            drawn = ("drawn", stmt.local.type, x.names[stmt.local.name])
            _other(x, "draw", stmt.site, stmt.point, [drawn], seen=stmt.known is None)
        case s.DrawTop():
            drawn = ("drawn", stmt.local.type, x.names[stmt.local.name])
            known = False if stmt.known is not None else None
            _of_state(x, "take", stmt.site, stmt.state, stmt.keys, [drawn], seen=known)
        case s.Shuffle():
            _of_state(x, "shuffle", stmt.site, stmt.state, stmt.keys, [])
        case s.Say(text=Const(value=text)):
            _other(x, "say", stmt.site, str(text))
        case s.Say():
            _other(x, "say", stmt.site, "", [("text", stmt.text.type, x.words(stmt.text))])
        case s.Let() | s.When() | s.ForEach() | s.Repeat() | s.Leave() | s.Next() | s.Return() | s.Fail():
            pass
        case s.Do() | s.Choose() | s.ChooseEach() | s.Together() | s.Step() | s.Finish() | s.Tell():
            pass  # Those of them that have events write them in their course.
        case _:
            assert_never(stmt)


Operand = tuple[str, Type, Words]


def _of_write(x: RoutineLowerer, stmt: s.Write, *, late: bool) -> Sequence[Operand]:
    """The new value; of an addition the amount, and within a `together` block nothing else."""
    if stmt.value is None:
        return []
    kind = x.unit.facts.states[stmt.state].type
    adds = stmt.op in ("add", "subtract")
    amount = [("amount", stmt.value.type, x.words(stmt.value))] if adds else []
    if late and amount:
        return amount
    if isinstance(stmt.value.type, ListOf) and not late:
        return [("value", stmt.value.type, x.words(Read(stmt.state, stmt.keys, kind)))]
    if late or isinstance(kind, Flag | SetOf | ListOf):
        return [*amount, ("value", stmt.value.type, x.words(stmt.value))]
    return [*amount, ("value", kind, x.words(Read(stmt.state, stmt.keys, kind)))]


def _roll(x: RoutineLowerer, stmt: s.Roll) -> None:
    local = stmt.raw if stmt.local is None else stmt.local
    operands = [("raw", stmt.raw.type, x.names[stmt.raw.name]), ("result", local.type, x.names[local.name])]
    params = x.unit.facts.points[stmt.point].params
    names = [param.name for param in params] or [str(n + 1) for n in range(len(stmt.arguments))]
    arguments = [
        (name, part.type, x.build.bind_all(x.words(part)))
        for name, part in zip(names, stmt.arguments, strict=True)
    ]
    _other(x, "roll", stmt.site, stmt.point, operands, arguments, seen=stmt.known is None)


def tell_step(x: RoutineLowerer, stmt: s.Step) -> None:
    """Tell that a phase, segment or step begins."""
    if x.unit.log is not None:
        _other(x, stmt.word, stmt.site, stmt.name)


def tell_secret(x: RoutineLowerer, stmt: s.ChooseEach, *, begins: bool) -> None:
    """Tell that answers stay secret from here on, or no longer."""
    if x.unit.log is not None:
        _other(x, "secret_begin" if begins else "secret_end", stmt.site, stmt.choice)


def tell_end(x: RoutineLowerer, stmt: s.Finish, result: lir.Expr | None) -> None:
    """Tell that the game ends."""
    if x.unit.log is not None:
        operands = [] if stmt.result is None or result is None else [("result", stmt.result.type, (result,))]
        _other(x, "finish", stmt.site, "", operands)


def tell_landing(
    x: RoutineLowerer, state: State, site: lir.Expr, keys: Sequence[lir.Expr], value: Words
) -> None:
    """Tell the new value of a cell to which a block has added."""
    seen = state.known_to is None
    event = LoggedEvent("land", state.name, NO_SITE, state.keys, (("value", state.type),), open=seen)
    known = [(type_of_key(domain), (key,)) for domain, key in zip(state.keys, keys, strict=True)]
    _write_event(x, event, [(Int(0, 0), (site,)), *known, (state.type, value)])


# ------------------------------------------------------------ answers


def tell_answer(
    x: RoutineLowerer, choice: Choice, asked: lir.Expr, about: Sequence[Operand], value: lir.Expr
) -> None:
    """Tell the answer to a part: given, if `asked` is 1, or taken since there was no other."""
    if x.unit.log is None:
        return
    operands = [*about, ("value", choice.part_type, (value,))]
    given, forced = (_answer_event(choice, word, operands) for word in ("answer", "forced"))
    number = b.pick(asked, *(lir.Num(x.unit.log.number(event)) for event in (given, forced)))
    write(x, number, _values(operands, _arguments(x, choice)))


def tell_taken(x: RoutineLowerer, choice: Choice, about: Sequence[Operand], members: Words) -> None:
    """Tell that all members are picked that are left, since all are needed."""
    if x.unit.log is None:
        return
    assert choice.candidates is not None
    operands = [*about, ("value", choice.candidates.type, members)]
    event = _answer_event(choice, "forced_all", operands)
    write(x, lir.Num(x.unit.log.number(event)), _values(operands, _arguments(x, choice)))


def _answer_event(choice: Choice, kind: str, operands: Sequence[Operand]) -> LoggedEvent:
    arguments = tuple((param.name, param.type) for param in choice.params)
    fields = _fields(operands)
    return LoggedEvent(kind, choice.name, choice.site, None, fields, arguments, open=not choice.secret)


def _arguments(x: RoutineLowerer, choice: Choice) -> Sequence[Operand]:
    """The arguments of a choice."""
    return [(param.name, param.type, x.names[param.name]) for param in choice.params]


# ------------------------------------------------------------ events


def _of_state(
    x: RoutineLowerer,
    kind: str,
    site: int,
    state: str,
    keys: tuple[Expr, ...],
    operands: Sequence[Operand],
    *,
    seen: bool | None = None,
) -> None:
    """Write an event of a state; `seen`: whether all sides see it; None if that follows from the state."""
    of = x.unit.facts.states[state]
    seen = of.known_to is None if seen is None else seen
    event = LoggedEvent(kind, state, site, of.keys[: len(keys)], _fields(operands), open=seen)
    values = [(key.type, (x.one(key),)) for key in keys]
    _write_event(x, event, [*values, *_values(operands)])


def _other(
    x: RoutineLowerer,
    kind: str,
    site: int,
    subject: str,
    operands: Sequence[Operand] = (),
    arguments: Sequence[Operand] | None = None,
    *,
    seen: bool = True,
) -> None:
    """Write an event that is not of a state; `seen` says whether all sides see it."""
    about = None if arguments is None else _fields(arguments)
    event = LoggedEvent(kind, subject, site, None, _fields(operands), about, open=seen)
    _write_event(x, event, _values(operands, arguments or ()))


def _write_event(x: RoutineLowerer, event: LoggedEvent, values: Iterable[Value]) -> None:
    log = x.unit.log
    assert log is not None
    write(x, lir.Num(log.number(event)), values)


def _fields(operands: Sequence[Operand]) -> Fields:
    return tuple((name, kind) for name, kind, _ in operands)


def _values(*operands: Sequence[Operand]) -> list[Value]:
    return [(kind, words) for part in operands for _, kind, words in part]
