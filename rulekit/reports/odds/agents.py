"""Agents of games as they answer where odds are worked out."""

from __future__ import annotations

from typing import Any

from rulekit.agents import Agent
from rulekit.ir import Program
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.odds.graph import Answers, Unanswered
from rulekit.runtime.odds.running import FOLLOWING
from rulekit.runtime.play import Refused, Session
from rulekit.runtime.play.answering.decisions import legal_value
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.support.asked import Question
from rulekit.runtime.support.build import Build

__all__ = ["Agent", "AgentPolicy", "name_of"]


class AgentPolicy:
    """Answers choices as an agent does; see `graph.Policy`.

    The agent sees a session that waits at the decision, without a past.  Where every outcome is followed, it
    is asked once for all ways that lead to one situation, so its answer must depend on the situation alone.
    """

    def __init__(self, program: Program, agent: Agent, build: Build = FOLLOWING) -> None:
        """`build` is that of the machines that ask."""
        self._game, self._agent = PreparedGame(program, build=build), agent

    def __call__(self, machine: Machine, question: Question, memory: Any) -> Answers:
        """
        Raises:
            Unanswered: The agent has no answer, or one that is not legal.
        """
        session = Session(self._game, machine, None, [])
        decision = session.decision
        assert decision is not None
        answer = self._agent(session, decision)
        if answer is None:
            raise Unanswered(f"`{decision.choice}` is asked, and {name_of(self._agent)} has no answer")
        try:
            _, value = legal_value(session, answer)
        except Refused as refused:
            raise Unanswered(f"{name_of(self._agent)} answers `{decision.choice}`: {refused}") from refused
        return ((value, 1, memory),)


def name_of(agent: Agent) -> str:
    """An agent in words."""
    return f"`{getattr(agent, '__name__', type(agent).__name__)}`"
