"""A whole program in the low-level IR: every function, and those that hosts call."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulekit.base.frozen import frozen
from rulekit.ir import Local
from rulekit.ir.expr import Binding
from rulekit.ir.semantics.effects import PLACE
from rulekit.ir.types import Nothing, Type
from rulekit.runtime.native import lir, overlay, promises
from rulekit.runtime.native.log import writing
from rulekit.runtime.native.log.table import EventTable
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import changes, library, loops, memory, statements
from rulekit.runtime.native.lower.builder import LowBuilder, Words
from rulekit.runtime.native.lower.choosing import choices
from rulekit.runtime.native.lower.drawing import Drawing
from rulekit.runtime.native.lower.lowerer import NONE_WORD
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.tape import ModuleTape
from rulekit.runtime.native.lower.together.landing import Landing
from rulekit.runtime.native.lower.unit import ModuleUnit, function_name
from rulekit.runtime.native.lower.ways import shortest
from rulekit.runtime.native.refusals import BuildRefusal, BuildRefused, CannotLower
from rulekit.runtime.native.stops import ASK, make_stoppable, stopping
from rulekit.runtime.optimise.optimised_program import OptimisedProgram
from rulekit.runtime.support.build import DEFAULT_FUEL, STEP_FUEL

MAGIC = int.from_bytes(b"rulekit\0", "little")
VERSION = 1
"""Version of the interface between a module and its host."""

ROOM = 4096
"""Games that one call of `playouts` may play."""

EXPORTS = ("play", "playouts")
STOPPING = ("start", "answer")
"""The functions that hosts call, of the two kinds of modules."""


@frozen
class Lowered:
    """A program in the low-level IR, and where its state stands."""

    module: lir.LowModule
    cells: memory.StateCells
    faults: tuple[str, ...]
    messages: tuple[tuple[str, tuple[Type, ...]], ...]
    stops: bool
    log: EventTable | None


def lower(
    optimised: OptimisedProgram, *, stops: bool = False, log: bool = False, invariants: bool = False
) -> Lowered:
    """Return a program in the low-level IR.

    Args:
        stops: Whether it stops at each question for its host; else a policy answers.
        log: Whether it writes events.
        invariants: Whether it tests invariants after each change; else after a scenario's set-up only.

    Raises:
        Refused: Something in it cannot be lowered yet.
    """

    def attempt(site: int, work: Callable[[], lir.LowFunction]) -> None:
        try:
            unit.add(work())
        except CannotLower as cannot:
            unit.refuse(cannot, site)

    try:
        unit = ModuleUnit(optimised, stops=stops, log=log, invariants=invariants)
    except CannotLower as cannot:
        raise BuildRefused((BuildRefusal(f"{cannot.what} in the state", cannot.site),)) from cannot
    program = unit.program
    if program.entry not in unit.facts.procedures:
        raise BuildRefused((BuildRefusal("a rule set without a sequence of play", -1),))
    streams = library.ModuleStreams(unit)
    landing = Landing(unit)
    procedures = statements.Procedures(unit, Drawing(streams), landing)
    for function in library.functions(unit, streams):
        unit.add(function)
    if PLACE in unit.layout.slots:
        unit.add(changes.move(unit))
    for item in program.procedures:
        attempt(item.site, partial(procedures.procedure, item.name))
        if item.name in unit.facts.late:
            attempt(item.site, partial(procedures.procedure, item.name, late=True))
    for choice in program.choices:
        attempt(choice.site, partial(choices.choice, unit, choice.name))
    for number, promise in enumerate(program.invariants):
        attempt(promise.site, partial(promises.test_of, unit, number))
    attempt(-1, partial(promises.test_of_all, unit))
    for name in unit.wanted:  # lowering one may add others
        attempt(unit.facts.functions[name].site, partial(_function, unit, name))
    for table in unit.ways:
        attempt(-1, partial(shortest.way, unit, table))
    if unit.refusals:
        raise BuildRefused(tuple(dict.fromkeys(unit.refusals)))
    for function in landing.functions():
        unit.add(function)
    image = unit.memory.keep_words(unit.cells.image(unit.layout.initial()))
    unit.add(_play(unit, image))
    results = 0
    buffers: tuple[lir.PlacedBuffer, ...] = ()
    if stops:
        lowered = tuple(unit.functions.values())
        names = _add_stops(unit)
        noted = not names.isdisjoint(landing.runs)
        buffers = overlay.place_buffers(lowered, names, "play", unit.memory, noted=noted)
    else:
        results = unit.memory.reserve(ROOM)
        unit.add(_playouts(unit, results))
    changing = unit.memory.changing
    unit.memory.fixed += bytes(-len(unit.memory.fixed) % CELL)
    header = _header(unit, results, streams.tape)
    data = (*lir.without_zeros(0, header), *lir.without_zeros(lir.FIXED, bytes(unit.memory.fixed)))
    module = lir.LowModule(
        tuple(unit.functions.values()),
        changing,
        len(unit.memory.fixed),
        data,
        STOPPING if stops else EXPORTS,
        0 if unit.log is None else unit.log.size,
        0 if streams.tape is None else streams.tape.size,
        buffers,
    )
    return Lowered(module, unit.cells, tuple(unit.faults), tuple(unit.messages), stops, unit.log)


def _function(unit: ModuleUnit, name: str) -> lir.LowFunction:
    """A function of the rules."""
    item, prices = unit.optimised.function(name), unit.optimised.prices
    x = _Pure(unit, function_name(name), item.params, item.result, item.site)
    if isinstance(item.body, Binding) and name in prices.loops:
        x.give(loops.value(x, item.body, prices.loops[name]))
    else:
        price = prices.functions.get(name, 0)
        if price:
            x.pay(lir.ONE, price)
        x.give(x.words(item.body))
    return x.finish()


class _Pure(RoutineLowerer):
    """The lowerer of a function of the rules: no list that it is given changes while it runs."""

    def bind_local(self, local: Local, words: Words) -> None:
        self.names[local.name] = words


# ------------------------------------------------------------ what hosts call


def _play(unit: ModuleUnit, image: int) -> lir.LowFunction:
    """Play a whole game from a seed; the scenario is a number, or below 0 for none."""
    build = LowBuilder("play", ("seed", "scenario"))
    program, cells = unit.program, unit.cells
    if not unit.stops:
        writing.begin(unit, build)
    words = cells.size // CELL
    copied = (lir.Num(cells.base), lir.FixedAddress(image), lir.Num(words))
    build.emit(lir.LowRun("copy", copied), lir.LowRun("begin_streams", (lir.Get("seed"),)))
    with build.when(b.binary("eq", lir.Load(memory.STATUS_AT), lir.Num(memory.FAULTY))):
        build.emit(lir.LowRun("forget"))
    build.emit(lir.Store(cells.at[0], None, lir.Load(memory.FUEL_AT)))
    build.emit(lir.Store(memory.ENDED_AT, None, lir.ZERO), lir.Store(memory.RESULT_AT, None, NONE_WORD))
    build.emit(lir.Store(memory.DECISIONS_AT, None, lir.ZERO))
    build.emit(lir.Store(memory.STATUS_AT, None, lir.Num(memory.RUNNING)))
    _keep_places(unit, build)
    results = {item.name: item.result for item in program.procedures}

    def run(name: str) -> None:
        called = statements.procedure_name(name)
        kind = results[name]
        if isinstance(kind, Nothing) or unit.apart(kind):
            build.emit(lir.LowRun(called))
        else:
            build.bind(lir.LowCall(called))

    def setting_up(flag: lir.Expr) -> None:
        if unit.tests_invariants:
            build.emit(lir.Store(unit.setting_up, None, flag))

    setting_up(lir.ZERO)  # a fault may have ended the set-up of another game
    over = b.binary("eq", lir.Load(memory.STATUS_AT), lir.Num(memory.OVER))
    for number, scenario in enumerate(program.scenarios):
        with build.when(b.binary("eq", lir.Get("scenario"), lir.Num(number))):
            setting_up(lir.ONE)
            run(scenario.procedure)
            with build.when(over):
                build.emit(lir.LowReturn())
            _keep_places(unit, build)
            setting_up(lir.ZERO)
            build.emit(lir.LowRun(promises.ALL))
    run(program.entry)
    build.emit(lir.Store(memory.STATUS_AT, None, lir.Num(memory.OVER)))
    return build.finish()


def _places(unit: ModuleUnit) -> int:
    """Where a module that plays whole games keeps the places of pieces after the set-up; 0 if nowhere."""
    if unit.stops or PLACE not in unit.layout.slots:
        return 0
    return unit.buffer("play", "places", unit.layout.slots[PLACE].size)


def _keep_places(unit: ModuleUnit, build: LowBuilder) -> None:
    """Keep the places of all pieces as they are now."""
    places = _places(unit)
    if places:
        slots = unit.layout.slots[PLACE]
        source = lir.Num(unit.cells.at[slots.base])
        build.emit(lir.LowRun("copy", (lir.Num(places), source, lir.Num(slots.size))))


def _add_stops(unit: ModuleUnit) -> frozenset[str]:
    """Let all functions stop that may reach a question, and add those that hosts call; the names of the
    functions that may stop.
    """
    top = unit.memory.reserve(1)
    functions = tuple(unit.functions.values())
    names = stopping(functions)
    frames: dict[str, int] = {}
    for name in sorted(names):
        function, frames[name] = make_stoppable(unit.functions[name], names | {ASK}, top)
        unit.add(function)
    _, deepest = overlay.stack(overlay.calls_of(functions), frames)
    first = unit.memory.reserve(deepest)
    start = LowBuilder("start", ("seed", "scenario"))
    writing.begin(unit, start)
    unsettled = unit.room_of_notes(1)
    _begin_run(start, unsettled)
    start.emit(lir.Store(top, None, lir.Num(first)))
    asking = b.binary("eq", lir.Load(memory.STATUS_AT), lir.Num(memory.ASKING))
    with start.when(asking):  # the question that was left open, and the block around it
        start.emit(lir.LowRun("forget"), lir.Store(memory.STATUS_AT, None, lir.Num(memory.IDLE)))
    start.emit(lir.LowRun("play", (lir.Get("seed"), lir.Get("scenario"))))
    start.emit(lir.Store(unsettled, None, lir.ZERO))
    unit.add(start.finish())
    unit.add(_answer(unit, unsettled))
    return names


def _begin_run(build: LowBuilder, unsettled: int) -> None:
    """Forget the notes that a run has left which a trap has ended; a copy may not have them."""
    with build.when(lir.Load(unsettled)):
        build.emit(lir.LowRun("forget"))
    build.emit(lir.Store(unsettled, None, lir.ONE))


def _answer(unit: ModuleUnit, unsettled: int) -> lir.LowFunction:
    """Take an option of the open question, counted from 0: 1 if it was one, 0 if nothing has changed."""
    build = LowBuilder("answer", ("option",))
    option = lir.Get("option")
    asking = b.binary("eq", lir.Load(memory.STATUS_AT), lir.Num(memory.ASKING))
    count = lir.Load(unit.question + memory.OPTIONS)
    legal = b.both(b.binary("ge_s", option, lir.ZERO), b.binary("lt_s", option, count))
    with build.when(b.zero(b.both(asking, legal))):
        build.emit(lir.LowReturn(lir.ZERO))
    writing.begin(unit, build)
    _begin_run(build, unsettled)
    build.emit(lir.Store(memory.ABOUT_AT, None, option))
    build.emit(lir.Store(unit.cells.at[0], None, lir.Load(memory.FUEL_AT)))
    build.emit(lir.Store(memory.STATUS_AT, None, lir.Num(memory.RESUMING)))
    build.emit(lir.LowRun("play", (lir.ZERO, lir.ZERO)), lir.Store(unsettled, None, lir.ZERO))
    build.emit(lir.LowReturn(lir.ONE))
    return build.finish(gives=True)


def _playouts(unit: ModuleUnit, results: int) -> lir.LowFunction:
    """Play games from seeds that follow one another, and keep the result of each."""
    build = LowBuilder("playouts", ("seed", "games", "scenario"))
    games = lir.Get("games")
    build.set("games", b.pick(b.binary("gt_s", games, lir.Num(ROOM)), lir.Num(ROOM), games))
    build.emit(lir.Store(memory.PLAYED_AT, None, lir.ZERO))
    with build.loop() as label:
        played = build.bind(lir.Load(memory.PLAYED_AT))
        with build.when(b.binary("ge_s", played, games)):
            build.emit(lir.LowBreak(label))
        build.emit(lir.LowRun("play", (b.add(lir.Get("seed"), played), lir.Get("scenario"))))
        build.emit(lir.Store(results, b.times(played, CELL), lir.Load(memory.RESULT_AT)))
        build.emit(lir.Store(memory.PLAYED_AT, None, b.plus(played, 1)))
    return build.finish()


def _header(unit: ModuleUnit, results: int, tape: ModuleTape | None) -> bytes:
    """The header when a module begins; see chapter 15 of the specification."""
    words = {
        memory.MAGIC_AT: MAGIC,
        memory.VERSION_AT: VERSION,
        memory.STATE_AT: unit.cells.base,
        memory.STATE_SIZE_AT: unit.cells.size,
        memory.RESULTS_AT: results,
        memory.ROOM_AT: 0 if unit.stops else ROOM,
        memory.CHANGING_AT: unit.memory.copied or unit.memory.changing,
        memory.FUEL_AT: STEP_FUEL if unit.stops else DEFAULT_FUEL,
        memory.QUESTION_AT: unit.question,
        memory.PLACED_AT: _places(unit),
        memory.VALUES_AT: unit.noted,
    }
    end = unit.memory.changing + len(unit.memory.fixed)
    if unit.log is not None:
        words[memory.LOG_AT] = end
        words[memory.LOG_ROOM_AT] = unit.log.room
        end += unit.log.size
    if tape is not None:
        words[memory.TAPE_AT] = end
        words[memory.TAPE_ROOM_AT] = tape.room
    content = bytearray(memory.HEADER)
    for address, word in words.items():
        content[address : address + CELL] = word.to_bytes(CELL, "little")
    return bytes(content)
