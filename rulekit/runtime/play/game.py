"""A compiled program, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.machine.machine import Machine, Streams
from rulekit.runtime.machine.simulate import scenario_of
from rulekit.runtime.play import restoring
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.play.session import Session


class Game(PreparedGame):
    """Starts and restores sessions of one program; see `PreparedGame` for its arguments."""

    def start(
        self,
        seed: int | str = 0,
        scenario: str | None = None,
        *,
        dice: Mapping[str, Sequence[int]] | None = None,
    ) -> Session:
        """Start a new session and run it up to its first decision.

        Args:
            seed: Of the dice; a text stands for the number its hash gives.
            scenario: Its name; None takes the first one, if there is any.
            dice: Results of the first dice of rolls, by the roll's name; the seed gives the others.

        Raises:
            Fault: The rules cannot get to a decision; there is no such scenario, or no sequence of play.
            ValueError: `dice` has a roll, or a number on its dice, that the rules do not have.
        """
        if not self.program.entry:
            raise Fault("no-sequence", "the rule set has no sequence of play")
        chosen = scenario_of(self.program, scenario)
        streams = Streams(self.module, seed, dice)
        machine = Machine(self.module, streams, self.module.layout.initial())
        stages = [self.program.entry] if chosen is None else [chosen.procedure, self.program.entry]
        session = Session(self, machine, None if chosen is None else chosen.name, stages)
        session.begin()
        return session

    def restore(self, data: Mapping[str, Any]) -> Session:
        """Return the session that `save` wrote.

        Raises:
            SaveError: The save is damaged, or of other rules in which it has no meaning.
        """
        return restoring.restore(self, data)
