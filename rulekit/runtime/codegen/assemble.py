"""A program compiled: its module put together, run once, and kept with what is needed to use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from threading import RLock
from typing import Any

from rulekit.base.deep_stack import with_room
from rulekit.base.garbage import few_collections
from rulekit.ir import Apply, Expr, Local, Program
from rulekit.ir.program import Known
from rulekit.runtime.codegen.choices import lowering
from rulekit.runtime.codegen.expressions.expressions import ExpressionWriter
from rulekit.runtime.codegen.module_writer import PyLine, RoutineKey, Unit
from rulekit.runtime.codegen.routines import direct
from rulekit.runtime.codegen.routines.flow import Routine, gives_nothing
from rulekit.runtime.codegen.routines.frames import STOP, Cut, Cutter, Frame
from rulekit.runtime.codegen.routines.inlining import inline_choices
from rulekit.runtime.codegen.statements import statements
from rulekit.runtime.codegen.told_values import with_told_values
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.optimise.optimised_program import OptimisedProgram, optimise
from rulekit.runtime.support.build import STEP_FUEL, Build, TooLarge
from rulekit.runtime.support.layout import FUEL
from rulekit.runtime.support.state_changes import Landers, movers


def evaluator(context: OptimiserContext, params: Sequence[str], body: Expr) -> Callable[..., Any]:
    """A fixed expression as a function of its locals; the `Evaluator` of this back end."""
    unit = Unit(OptimisedProgram(context), Build())
    names = {name: f"a{number}" for number, name in enumerate(params)}
    text = ExpressionWriter(unit, names, -1).text(body)
    source = f"{unit.source()}\ndef main({', '.join(names.values())}): return {text}\n"
    exec(compile(source, "<rulekit table>", "exec"), unit.namespace)
    main: Callable[..., Any] = unit.namespace["main"]
    return main


Notice = Callable[[RoutineKey, list[Any], tuple[Any, ...]], None]
"""Called with a routine, the state and the arguments."""


class GeneratedModule:
    """One build of a program as Python.

    Attributes:
        optimised: The program that the code was written from; it has the `facts` and the `layout`.
        unit: The module as it was written: its names, its namespace.
        events: The kinds of events in its traces, by number.
        sites: The site of each line of the generated module, from 1; entry 0 stands for none.
        keys: All routines.
        cuts: In builds that stop, the shape of each kind of frame, by number.
        coverage: In builds that count it, one byte a site.
    """

    def __init__(self, program: Program, build: Build, optimised: OptimisedProgram | None = None) -> None:
        if optimised is None:
            written = with_told_values(program) if build.explain else program
            optimised = optimised_program(written, plain=build.coverage, adding=build.defers)
        self.program = program
        self.build = build
        self.optimised = optimised
        self.facts = optimised.facts
        self.layout = optimised.layout
        self.filename = f"<rulekit {id(self):x}>"
        self.coverage = bytearray(len(program.sites))
        self.unit = unit = Unit(optimised, build)
        self._lock = RLock()
        self._expressions: dict[tuple[Expr, tuple[str, ...]], Callable[..., Any]] = {}
        self._knowers: dict[tuple[int, int], tuple[Known, int, Callable[..., Any]]] = {}
        """Functions for `known to`, by the identity of its expression, which is kept."""
        self.events = unit.events
        self.fault_words = unit.fault_words
        unit.namespace["C"] = self.coverage
        unit.namespace["STOP"] = STOP
        self.deferrable = unit.deferrable
        self.keys: tuple[RoutineKey, ...] = ()
        self.cuts: list[Cut] = []
        self._numbers: dict[RoutineKey, int] = {}
        self._function_numbers = {item.name: number for number, item in enumerate(program.functions)}
        self._write()
        self._invariant_names = [self._invariant(number) for number in range(len(program.invariants))]
        self.sites = [-1]
        self._load()
        names = (unit.routine_name(cut.key) for cut in self.cuts)
        self.frame_functions = [unit.namespace[name] for name in names]

    def ran(self) -> frozenset[int]:
        """The sites that are noted, in a build that counts coverage."""
        return frozenset(site for site, hit in enumerate(self.coverage) if hit)

    def forget(self) -> None:
        """Note the sites that run from here on."""
        self.coverage[:] = bytes(len(self.coverage))

    @property
    def source(self) -> str:
        """The generated module as Python."""
        return self.unit.source()

    def _load(self) -> None:
        """Run what has been written since the last time."""
        done = len(self.sites) - 1
        fresh = self.unit.source(done)
        self.sites += self.unit.sites(done)
        try:
            exec(compile("\n" * done + fresh, self.filename, "exec"), self.unit.namespace)
        except (MemoryError, SyntaxError) as error:
            raise TooLarge(f"the generated code is nested too deeply ({error})") from error

    def _write(self) -> None:
        """Lower and print every routine."""
        keys: list[RoutineKey] = []
        for item in self.program.procedures:
            keys.append(("procedure", item.name, False))
            if item.name in self.optimised.facts.late:
                keys.append(("procedure", item.name, True))
        keys += [("choice", item.name, False) for item in self.program.choices]
        self.keys = tuple(keys)
        routines = {key: self._lower(key) for key in keys}
        silent = {key for key, routine in routines.items() if gives_nothing(routine.flow)}
        cutters: dict[RoutineKey, Cutter] = {}

        for key in keys:
            routine = routines[key]
            if key[0] == "procedure" and not self.build.coverage:
                routine = inline_choices(routine, lambda name: routines["choice", name, False])
            self.unit.locals[self.unit.routine_name(key)] = {
                variable.python: variable.name for variable in routine.variables.values()
            }
            if self.build.form == "direct" or not routine.stops and key[0] == "procedure":
                name = self.unit.routine_name(key)
                self.unit.add(direct.function(name, routine, self.unit.routine_name))
            else:
                self._numbers[key] = len(cutters)
                cutters[key] = Cutter(routine, self._numbers.__getitem__, self.unit.routine_name, silent)
        for key, cutter in cutters.items():
            lines, cut = cutter.cut(self.unit.routine_name(key))
            self.unit.add(lines)
            self.cuts.append(cut)

    def _lower(self, key: RoutineKey) -> Routine:
        kind, name, late = key
        if kind == "choice":
            return lowering.choice(self.unit, name)
        return statements.procedure(self.unit, name, late=late)

    def _invariant(self, number: int) -> str:
        item = self.optimised.program.invariants[number]
        text = ExpressionWriter(self.unit, {}, item.site).test(self.optimised.simple(item.body))
        name = self.unit.name(("invariant", number), "i")
        self.unit.add([PyLine(0, f"def {name}(M): return {text}", item.site)])
        return name

    @cached_property
    def invariants(self) -> list[Callable[[list[Any]], Any]]:
        """The invariants' tests, by number."""
        return [self.unit.namespace[name] for name in self._invariant_names]

    @cached_property
    def movers(self) -> tuple[Any, Any]:
        """Functions that move pieces, plain and with a journal."""
        return movers(self.optimised.layout, self.unit.bits)

    @cached_property
    def landers(self) -> Landers:
        """Functions that write the cells which a `together` block changes."""
        return Landers(self.layout, self.fault_words)

    def routine(self, key: RoutineKey) -> Callable[..., Any]:
        """The function of a routine."""
        function: Callable[..., Any] = self.unit.namespace[self.unit.routine_name(key)]
        return function

    @contextmanager
    def watched(self, keys: Sequence[RoutineKey], notice: Notice) -> Iterator[None]:
        """Call `notice` before each run of these routines, in a direct build that inlines none."""
        namespace = self.unit.namespace
        own = {name: namespace[name] for name in map(self.unit.routine_name, keys)}

        def watching(key: RoutineKey) -> Callable[..., Any]:
            function = self.routine(key)

            def run(machine: Any, cells: list[Any], *arguments: Any) -> Any:
                notice(key, cells, arguments)
                return function(machine, cells, *arguments)

            return run

        namespace.update({self.unit.routine_name(key): watching(key) for key in keys})
        try:
            yield
        finally:
            namespace.update(own)

    def stops(self, key: RoutineKey) -> bool:
        """Whether a routine has frames of its own."""
        return key in self._numbers

    def frame(self, key: RoutineKey, arguments: tuple[Any, ...]) -> Frame:
        """A frame at a routine's start, with its arguments only."""
        return (self._numbers[key], 0, *arguments)

    def frame_number(self, key: RoutineKey) -> int:
        """The number that stands for a routine in its frames."""
        return self._numbers[key]

    def function(self, name: str) -> Callable[..., Any]:
        """A pure function of the program, taking the state first."""
        item = self.program.functions[self._function_numbers[name]]
        locals_ = tuple(Local(param.name, param.type) for param in item.params)
        return self.expression(Apply(name, locals_, item.result), tuple(param.name for param in item.params))

    def expression(self, e: Expr, names: tuple[str, ...] = ()) -> Callable[..., Any]:
        """An expression as a function of the state and of its locals, in the order of `names`."""
        params = [f"a{number}" for number in range(len(names))]

        def write(python: str) -> None:
            self.unit.locals[python] = dict(zip(params, names, strict=True))
            writer = ExpressionWriter(self.unit, dict(zip(names, params, strict=True)), -1)
            priced = self.optimised.simple(self.optimised.with_prices(e))
            begin = f"M[{FUEL}] = {STEP_FUEL}; " if self.facts.pays(priced) else ""
            header = f"def {python}({', '.join(('M', *params))}): {begin}return {writer.text(priced)}"
            self.unit.add([PyLine(0, header, -1)])

        known = self._expressions.get((e, names))
        if known is None:
            with self._lock:  # sessions of several threads share the module
                python = self.unit.name(("expression", e, names), "e", write)
                if python not in self.unit.namespace:
                    self._load()
                known = self._expressions[e, names] = self.unit.namespace[python]
        return known

    def knowers(self, cells: list[Any], known: Known, keys: tuple[int, ...]) -> int:
        """The sides, as a mask, that know a state for these keys now; it costs the rules nothing."""
        whole = (id(known), len(keys))
        prepared = self._knowers.get(whole)
        if prepared is None:
            names = tuple(param.name for param in known.params)[: len(keys)]
            prepared = self._knowers[whole] = (known, len(names), self.expression(known.sides, names))
        _, count, function = prepared
        fuel = cells[FUEL]
        sides: int = function(cells, *keys[:count])
        cells[FUEL] = fuel
        return sides if known.many else 1 << sides if sides >= 0 else 0


def optimised_program(program: Program, *, plain: bool, adding: bool = False) -> OptimisedProgram:
    """Return a program as this back end compiles it.

    Args:
        plain: Whether everything is left as written.
        adding: Whether procedures that only add stay apart.
    """
    return optimise(program, plain=plain, evaluator=evaluator, adding=adding)


_OPTIMISED: dict[tuple[int, bool, bool, bool], OptimisedProgram] = {}
_BUILDS: dict[tuple[int, Build], GeneratedModule] = {}
_KEPT: list[Program] = []
_LOCK = RLock()
MOST_PROGRAMS = 8


def generate(program: Program, build: Build) -> GeneratedModule:
    """Return a build of a program, generated once; the last few programs are remembered."""
    with _LOCK:
        return _generate(program, build)


def _generate(program: Program, build: Build) -> GeneratedModule:
    if not any(kept is program for kept in _KEPT):
        if len(_KEPT) >= MOST_PROGRAMS:
            _forget(_KEPT.pop(0))
        _KEPT.append(program)
    key = (id(program), build)
    if key not in _BUILDS:
        way = (id(program), build.coverage, build.defers, build.explain)
        with few_collections():
            module = with_room(GeneratedModule)(program, build, _OPTIMISED.get(way))
        _BUILDS[key], _OPTIMISED[way] = module, module.optimised
    return _BUILDS[key]


def _forget(program: Program) -> None:
    for build_key in [key for key in _BUILDS if key[0] == id(program)]:
        del _BUILDS[build_key]
    for optimised_key in [key for key in _OPTIMISED if key[0] == id(program)]:
        del _OPTIMISED[optimised_key]
