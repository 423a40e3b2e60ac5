"""Simulations in words, from a rule set's folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from rulekit import ir
from rulekit.agents import Agent, BadAgent, PythonAgent
from rulekit.base.spelling import meant, suggestion
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import Flag
from rulekit.reports.odds.asking import Asker, NoOdds
from rulekit.runtime.machine.simulate import scenario_of
from rulekit.runtime.simulation.plan import AGENTS, BuiltIn, FunctionAgent, GameAgent, Plan, SimulatedRules
from rulekit.runtime.simulation.playing import AgentFailed
from rulekit.runtime.simulation.results import Simulation
from rulekit.runtime.simulation.running import NoCluster, Told, WorkersDied, missing_games, run
from rulekit.runtime.simulation.saved import BadSimulation, SimulationFile

_ALWAYS = ("result", "decisions")
"""Names that every game has, and that may be counted."""

_LOST = re.compile(r"lost\s+('[^']*'|\w+)")


class NoSimulation(ValueError):
    """A simulation that cannot be run as it is asked for; the message says why."""


class Simulator:
    """Simulates games of one rule set, perhaps compared with the same set under other options.

    Attributes:
        askers: Readers of expressions by the rules, and by those they are compared with.
    """

    def __init__(
        self,
        folder: Path,
        *,
        options: Iterable[str] = (),
        against: Iterable[str] | None = None,
        overlays: Iterable[Path] = (),
    ) -> None:
        """`against` are the options of the rules to compare with; None compares with none.

        Raises:
            RulesError: The rule set has findings that stop it.
        """
        files = tuple(overlays)
        self.against = None if against is None else tuple(against)
        self.askers = [Asker(folder, options=options, overlays=files)]
        if self.against is not None:
            self.askers.append(Asker(folder, options=self.against, overlays=files))

    @property
    def program(self) -> ir.Program:
        """The program of the rules."""
        return self.askers[0].program

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides."""
        domain = self.program.by_name.domains.get(self.program.sides)
        return domain.members if domain is not None else ()

    def plan(
        self,
        of: Sequence[str],
        *,
        where: str,
        scenario: str | None,
        agents: str | Agent | Mapping[str, str | Agent],
        seed: int | str,
        native: bool = False,
        clock: str = "",
    ) -> tuple[Plan, tuple[str, ...]]:
        """Return the plan of a simulation, and the names of its measures.

        Args:
            native: Whether native modules play the games; all agents are random then.
            clock: An expression by whose values the losses are counted during play; empty for none.

        Raises:
            NoSimulation: An expression has a mistake; or a scenario, side or agent does not exist; or no
                module can play this.
        """
        names = tuple(dict.fromkeys(text.strip() for text in of)) or ("result",)
        rules = tuple(self._rules(asker, names, where, scenario, clock) for asker in self.askers)
        players = self._agents(agents)
        if native:
            if {*players} != {"random"}:
                raise NoSimulation("a native module plays with random agents only")
            rules = tuple(replace(one, module=_module_of(one.program)) for one in rules)
        return Plan(rules, players, str(seed)), names

    def _rules(
        self, asker: Asker, names: Sequence[str], where: str, scenario: str | None, clock: str
    ) -> SimulatedRules:
        program = asker.program
        if not program.entry:
            raise NoSimulation(f"`{program.name}` cannot be played: add a `sequence` to its `ruleset.yaml`")
        try:
            scenario_of(program, scenario)
        except Fault as fault:
            raise NoSimulation(fault.message) from fault
        built_in = {name: measure for name in names if (measure := self._built_in(program, name))}
        texts = [name for name in names if name not in built_in]
        try:
            asked = [*texts, *([clock] if clock else []), *([where] if where else [])]
            compiled, expressions = asker.expressions(asked)
        except NoOdds as mistake:
            hints = filter(None, (meant(text, _ALWAYS) for text in texts))
            raise NoSimulation("; ".join([str(mistake), *hints])) from mistake
        condition = expressions[-1] if where else None
        if condition is not None and condition.type != Flag():
            raise NoSimulation(f"expected a condition, found `{where}`, which is not true or false")
        by_text = dict(zip(texts, expressions, strict=False))
        measures = tuple(built_in.get(name) or by_text[name] for name in names)
        ticking = expressions[len(texts)] if clock else None
        return SimulatedRules(compiled, scenario, measures, condition, clock=ticking)

    def _built_in(self, program: ir.Program, name: str) -> BuiltIn | None:
        """The measure that every game has, if this is one and the rules have nothing of that name."""
        index = program.by_name
        if name == "result" or name in _ALWAYS and name not in {*index.states, *index.functions}:
            return BuiltIn(name)
        lost = _LOST.fullmatch(name)
        if lost is None:
            return None
        return BuiltIn("lost", self._side(lost[1].strip("'"), f"`{name}`"))

    def _side(self, name: str, where: str) -> int:
        if name not in self.sides:
            hint = suggestion(name, self.sides, f"sides: {', '.join(self.sides)}")
            raise NoSimulation(f"unknown side `{name}` in {where}; {hint}")
        return self.sides.index(name)

    def _agents(self, agents: str | Agent | Mapping[str, str | Agent]) -> tuple[str | GameAgent, ...]:
        all_sides = agents if not isinstance(agents, Mapping) else "random"
        by_side = [all_sides] * max(len(self.sides), 1)
        for side, who in agents.items() if isinstance(agents, Mapping) else ():
            by_side[self._side(side, "agents")] = who
        return tuple(map(_known_agent, by_side))

    def simulate(
        self,
        plan: Plan,
        names: Sequence[str],
        games: int,
        *,
        workers: int | None = None,
        dask: str | None = None,
        chunk: int | None = None,
        save: Path | None = None,
        told: Told = lambda done, of: None,
    ) -> Simulation:
        """Play the games of a plan.

        Raises:
            NoSimulation: The file is of another simulation; a process ended before it was done; or there is
                no such cluster.
        """
        if games < 1:
            raise NoSimulation(f"{games} games show nothing: ask for at least 1")
        if workers is not None and workers < 1:
            raise NoSimulation(f"{workers} processes play nothing: ask for at least 1")
        if chunk is not None and chunk < 1:
            raise NoSimulation(f"a run of {chunk} games has none: ask for at least 1")
        try:
            file = None if save is None else _file_of(plan, games, save)
            with file or nullcontext():
                tally = run(plan, games, workers=workers, dask=dask, chunk=chunk, file=file, told=told)
        except BadSimulation as bad:
            raise NoSimulation(str(bad)) from bad
        except (AgentFailed, BadAgent) as failed:
            raise NoSimulation(str(failed)) from failed
        except WorkersDied as died:
            kept = f"the same command goes on from `{save}`" if save else "`--save FILE` keeps finished games"
            raise NoSimulation(f"{died}; {kept}") from died
        except ImportError as missing:
            raise NoSimulation(_not_loaded(missing)) from missing
        except NoCluster as error:
            raise NoSimulation(str(error)) from error
        return Simulation(plan, names, tally, against=self.against)


def _not_loaded(error: ImportError) -> str:
    """Which library is not installed, or why one cannot be loaded."""
    if isinstance(error, ModuleNotFoundError) and error.name in ("dask", "distributed"):
        return "Dask is not installed: pip install 'rulekit[dask]'"
    return f"a library cannot be loaded: {error}"


def _module_of(program: ir.Program) -> bytes:
    """The rules as a native module.

    Raises:
        NoSimulation: Something in them cannot be built, or nothing here plays modules.
    """
    from rulekit.runtime.native.build import build  # slow to load, and seldom asked
    from rulekit.runtime.native.refusals import BuildRefused

    if find_spec("wasmtime") is None:
        raise NoSimulation("native modules need wasmtime: pip install 'rulekit[native]'")
    try:
        import_module("wasmtime")
    except (ImportError, OSError, RuntimeError) as broken:  # of another machine, or damaged
        raise NoSimulation(
            f"wasmtime is installed, but cannot be loaded: {broken}; install it again: "
            "pip install --force-reinstall wasmtime"
        ) from broken
    try:
        return build(program)
    except BuildRefused as refused:
        raise NoSimulation(f"{refused.refusals[0].what} cannot be built yet") from refused


def _known_agent(who: str | Agent) -> str | GameAgent:
    """An agent as plans have it.

    Raises:
        NoSimulation: There is none of this name.
    """
    if isinstance(who, str):
        if who not in AGENTS:
            raise NoSimulation(f"unknown agent `{who}`: use {' or '.join(AGENTS)}, or a function")
        return who
    return who if isinstance(who, PythonAgent) else FunctionAgent(who)


def _file_of(plan: Plan, games: int, path: Path) -> SimulationFile:
    """The file that keeps the games of a plan.

    Raises:
        NoSimulation: An agent has no identity, or the file has more games than these.
        BadSimulation: The file is of another simulation.
    """
    for agent in plan.agents:
        if not isinstance(agent, str) and agent.identity is None:
            raise NoSimulation(
                f"the games of `{agent.name}` cannot be kept: give it as `python_agent('FILE.py:NAME')`"
            )
    file = SimulationFile(path, plan.identity())
    try:
        missing_games(games, file.played)
    except ValueError as wrong:
        raise NoSimulation(f"`{path}` does not fit: {wrong}") from wrong
    return file
