"""Ways to play a whole game with the agents of a plan: straight on, or in a session that agents look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rulekit.base.frozen import frozen
from rulekit.ir import Program
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.runtime.codegen.assemble import GeneratedModule, generate
from rulekit.runtime.machine import simulate
from rulekit.runtime.machine.machine import Agent, Machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.native.host import NativeGame
from rulekit.runtime.play import Game, Refused, Session
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.simulation.losses import Clock, Losses, LossRecorder, places_of
from rulekit.runtime.simulation.plan import GameAgent
from rulekit.runtime.support.build import DEFAULT_FUEL, SIMULATION


class AgentFailed(Exception):
    """An agent that gives no answer, or one that is not legal."""


@frozen
class PlayedGame:
    """A game that has come to its end.

    Attributes:
        machine: It has the state at the end.
        placed: Where the pieces were after the set-up.
        result: What `finish` gave, as a value of the IR; None if nothing.
        decisions: How many parts of choices were answered.
        losses: The losses by the values of the clock; none without a clock.
    """

    machine: Machine
    placed: Sequence[Any]
    result: Any
    decisions: int
    losses: Losses = ()


class Games(Protocol):
    """Plays games by one set of rules, compiled once.

    Attributes:
        module: The generated code of the rules.
    """

    module: GeneratedModule

    def play(self, seed: str) -> PlayedGame:
        """Play the game of a seed.

        Raises:
            Fault: The rules cannot go on.
            AgentFailed: An agent gives no legal answer.
        """


def games_of(
    program: Program,
    scenario: str | None,
    agents: Sequence[str | GameAgent],
    module: bytes | None = None,
    clock: Clock | None = None,
) -> Games:
    """Return the fastest way to play games with some agents.

    Args:
        module: The same rules as a native module, which can play where all agents are `random` and no clock
            is looked at.

    Raises:
        Fault: There is no such scenario.
    """
    names = [agent for agent in agents if isinstance(agent, str)]
    if len(names) == len(agents):
        direct = DirectGames(program, scenario, names, clock)
        if module is None or clock is not None or {*names} != {"random"}:
            return direct
        return NativeGames(direct, module, scenario)
    return SessionGames(program, scenario, agents, clock)


def _named_agents(program: Program, names: Sequence[str], seed: str) -> list[Agent]:
    """The agents of all sides in one game; those at random draw from the same points."""
    policy = simulate.RandomPolicy(program, seed)
    return [policy if name == "random" else simulate.first_legal for name in names]


class DirectGames:
    """Games that go straight on; see `Games`."""

    def __init__(
        self, program: Program, scenario: str | None, agents: Sequence[str], clock: Clock | None = None
    ) -> None:
        self._program, self._agents = for_play(program), agents
        self.module = generate(self._program, SIMULATION)
        self._recorder = None if clock is None else LossRecorder(self.module, clock)
        self._scenario = simulate.scenario_of(self._program, scenario)
        self._places = places_of(self.module)

    def play(self, seed: str) -> PlayedGame:
        """Play the game of a seed; see `Games.play`."""
        agent = _CountingAgent(_named_agents(self._program, self._agents, seed))
        machine = simulate.new_machine(self.module, Streams(self.module, seed), agent)
        machine.refuel(DEFAULT_FUEL)
        placed: Sequence[Any] = machine.M[self._places]
        result: Any = None
        recorder = self._recorder
        if recorder is not None:
            recorder.begin(placed)
        try:
            simulate.set_up(machine, self._scenario)
            placed = machine.M[self._places]
            if recorder is not None:
                recorder.begin(placed)
                machine.agent = _watching(agent, recorder, machine)
            machine.call(self._program.entry)
        except Finished as finished:
            result = finished.result
        losses = () if recorder is None else recorder.end(machine)
        return PlayedGame(machine, placed, result, agent.count, losses)


class NativeGames:
    """The same games by a native module; see `Games`."""

    def __init__(self, direct: DirectGames, module: bytes, scenario: str | None) -> None:
        self._direct, self._game, self._scenario = direct, NativeGame(module), scenario
        self.module = direct.module

    def play(self, seed: str) -> PlayedGame:
        """Play the game of a seed; one with a fault again in Python, which has the words for it."""
        try:
            end = self._game.play_to_end(seed, self._scenario)
        except Fault:
            return self._direct.play(seed)
        machine = Machine(self.module, Streams(self.module, seed), end.cells)
        return PlayedGame(machine, end.placed, end.result, end.decisions)


class _CountingAgent:
    """Hands each decision to the agent of its side, and counts them."""

    __slots__ = ("_by_side", "count")

    def __init__(self, by_side: Sequence[Agent]) -> None:
        self._by_side, self.count = by_side, 0

    def __call__(self, choice: int, side: int, item: Any, options: tuple[int, ...]) -> int:
        self.count += 1
        return self._by_side[side](choice, side, item, options)


def _watching(agent: Agent, recorder: LossRecorder, machine: Machine) -> Agent:
    """Return an agent that looks at the clock before each answer."""

    def answer(choice: int, side: int, item: Any, options: tuple[int, ...]) -> int:
        recorder.look(machine)
        return agent(choice, side, item, options)

    return answer


class SessionGames:
    """The same games in sessions, for agents that look at more than their options; see `Games`."""

    def __init__(
        self,
        program: Program,
        scenario: str | None,
        agents: Sequence[str | GameAgent],
        clock: Clock | None = None,
    ) -> None:
        self._game, self._agents = Game(for_play(program)), agents
        self.module = self._game.module
        self._recorder = None if clock is None else LossRecorder(self.module, clock)
        self._scenario = simulate.scenario_of(self._game.program, scenario)

    def play(self, seed: str) -> PlayedGame:
        """Play the game of a seed; see `Games.play`."""
        session, fault = self.play_on(seed)
        if fault is not None:
            raise fault
        losses = () if self._recorder is None else self._recorder.end(session.machine)
        return PlayedGame(session.machine, session.placed, session.ended_with, session.answered, losses)

    def play_on(self, seed: str) -> tuple[SimulatedSession, Fault | None]:
        """Play the game of a seed to its end, or to its fault.

        Raises:
            AgentFailed: An agent gives no legal answer.
        """
        session, program = self._session(seed), self._game.program
        named = _named_agents(program, [who if isinstance(who, str) else "" for who in self._agents], seed)
        own = [None if isinstance(who, str) else who.for_game() for who in self._agents]
        machine = session.machine
        try:
            session.begin()
            while machine.asked is not None:
                choice, side, item, options = machine.asked
                session.look()
                agent = own[side]
                if agent is None:
                    session.choose(named[side](choice, side, item, options))
                else:
                    _let_answer(agent, session)
        except Fault as fault:
            return session, fault
        return session, None

    def _session(self, seed: str) -> SimulatedSession:
        scenario, module = self._scenario, self.module
        machine = Machine(module, Streams(module, seed), module.layout.initial())
        stages = [self._game.program.entry]
        if scenario is not None:
            stages.insert(0, scenario.procedure)
        name = None if scenario is None else scenario.name
        return SimulatedSession(self._game, machine, name, stages, self._recorder)


def _let_answer(agent: GameAgent, session: Session) -> None:
    """Go on with the answer of an agent.

    Raises:
        AgentFailed: It is not legal, or there is none.
        Fault: The rules cannot go on from there.
    """
    decision = session.decision
    assert decision is not None
    answer = agent(session, decision)
    if answer is None:
        raise AgentFailed(f"`{decision.choice}` is asked, and `{agent.name}` has no answer")
    try:
        session.choose(answer)
    except Refused as refused:
        raise AgentFailed(f"`{agent.name}` answers `{decision.choice}`: {refused}") from refused


class SimulatedSession(Session):
    """A session that keeps what is measured and is not in the state at its end.

    Attributes:
        placed: Where the pieces were after the set-up.
        ended_with: What `finish` gave, as a value of the IR; None if nothing.
    """

    def __init__(
        self,
        game: PreparedGame,
        machine: Machine,
        scenario: str | None,
        stages: list[str],
        recorder: LossRecorder | None = None,
    ) -> None:
        super().__init__(game, machine, scenario, stages)
        self._places, self._recorder = places_of(machine.module), recorder
        self._is_set_up = len(stages) == 1
        self.ended_with: Any = None
        self._place()

    def _end_set_up(self) -> None:
        super()._end_set_up()
        self._is_set_up = True
        self._place()

    def _place(self) -> None:
        self.placed: Sequence[Any] = self.machine.M[self._places]
        if self._recorder is not None:
            self._recorder.begin(self.placed)

    def look(self) -> None:
        """Look at the clock, if there is one and the set-up is over."""
        if self._recorder is not None and self._is_set_up:
            self._recorder.look(self.machine)

    def _shown_result(self, result: Any) -> Any:
        self.ended_with = result
        return super()._shown_result(result)
