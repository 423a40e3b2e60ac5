"""The plan of a simulation: rules, measures, agents and the seed of all games."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from rulekit.base.frozen import frozen
from rulekit.ir import Expr, Program
from rulekit.runtime.play import Decision, LegalAnswer, Session

AGENTS: Final = ("random", "first-legal")
"""Agents that a simulation knows by name."""


class GameAgent(Protocol):
    """Answers the decisions of one side in a session, in any process: it must be possible to pickle it.

    Attributes:
        name: The agent in words.
        identity: Differs from that of other agents; None if it has none, so that no file can keep its games.
    """

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str | None: ...

    def for_game(self) -> GameAgent:
        """Return the agent for a new game, which remembers nothing of others."""

    def __call__(self, session: Session, decision: Decision) -> LegalAnswer | None:
        """Return one of the legal answers of the decision."""


@frozen
class FunctionAgent:
    """A function as an agent of games; nothing tells it from others."""

    function: Callable[[Session, Decision], LegalAnswer | None]

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    @property
    def identity(self) -> None:
        """None: functions of one name may differ."""

    def for_game(self) -> FunctionAgent:
        """Return this agent; the function may remember other games."""
        return self

    def __call__(self, session: Session, decision: Decision) -> LegalAnswer | None:
        """Answer as the function does."""
        return self.function(session, decision)


@frozen
class BuiltIn:
    """A measure that every game has, whatever its rules.

    Attributes:
        name: `result` (what `finish` gave), `decisions` (how many parts of choices were answered) or `lost`
            (how many pieces of a side were on the map after the set-up and are off it at the end).
        side: The side, for `lost`.
    """

    name: str
    side: int = 0


@frozen
class SimulatedRules:
    """The rules of a simulation, or those that they are compared with.

    Attributes:
        scenario: None for the first one, if there is any.
        measures: They are read at the end of each game.
        where: Only games that end with this true count; None counts all.
        module: The rules as a native module, which plays the same games faster; None plays them in Python.
        clock: A value that goes on during play; at the end of each game the losses of all sides by its values
            follow the measures.  None for no such thing.
    """

    program: Program
    scenario: str | None
    measures: tuple[Expr | BuiltIn, ...]
    where: Expr | None = None
    module: bytes | None = None
    clock: Expr | None = None


@frozen
class Plan:
    """A simulation: every game is played with each of these rules, from the same seed.

    Attributes:
        agents: For each side, in the order of sides, the name of its agent, or an agent of its own.
        seed: The seed of the whole.
    """

    rules: tuple[SimulatedRules, ...]
    agents: tuple[str | GameAgent, ...]
    seed: str

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agent of each side in words."""
        return tuple(agent if isinstance(agent, str) else agent.name for agent in self.agents)

    def seed_of(self, number: int) -> str:
        """The seed of one game, of its dice and of its agents."""
        return f"{self.seed}/{number}"

    def identity(self) -> Mapping[str, Any]:
        """Everything that decides the totals, as plain JSON: games of another plan do not add to these."""
        asked = repr(
            [
                (rules.measures, rules.where, *(() if rules.clock is None else (rules.clock,)))
                for rules in self.rules
            ]
        ).encode()
        return {
            "rules": [rules.program.source_hash for rules in self.rules],
            "options": [list(rules.program.options) for rules in self.rules],
            "scenario": [rules.scenario for rules in self.rules],
            "measures": hashlib.sha256(asked).hexdigest()[:16],
            "agents": [agent if isinstance(agent, str) else agent.identity for agent in self.agents],
            "seed": self.seed,
        }
