"""A compiled program, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulekit.ir import Program
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.ir.semantics.names import Naming
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.machine import Machine, Streams
from rulekit.runtime.machine.simulate import scenario_of
from rulekit.runtime.play import restoring
from rulekit.runtime.play.answers import Answers
from rulekit.runtime.play.decisions import Options
from rulekit.runtime.play.events import Teller
from rulekit.runtime.play.session import Session
from rulekit.runtime.support.build import SESSION, STEP_FUEL, Build


class Game:
    """Starts and restores sessions of one program.

    With `invariants`, each event is followed by a test of those it may have broken; a broken one is a fault.
    With `explain`, the event of each roll lists its modifiers, and what keeps those from acting that do not.
    `build` is for those who want another build that stops at choices and traces operands.
    """

    def __init__(
        self,
        program: Program,
        *,
        invariants: bool = False,
        explain: bool = False,
        fuel: int = STEP_FUEL,
        build: Build = SESSION,
    ) -> None:
        self.program = program
        self.fuel = fuel
        self.module = generate(program, replace(build, invariants=invariants, explain=explain))
        self.naming = Naming(program)
        self.teller = Teller(self.module, self.naming)
        self.answers = Answers(program, self.naming)
        self.options = Options(self)
        self._bases: dict[str | None, list[Any]] = {}

    def start(
        self,
        seed: int | str = 0,
        scenario: str | None = None,
        *,
        dice: Mapping[str, Sequence[int]] | None = None,
    ) -> Session:
        """A new session, run up to its first decision.

        Args:
            seed: Of the dice; a text stands for the number its hash gives.
            scenario: Its name; None takes the first one, if there is any.
            dice: What the first dice of rolls show, by the roll's name, whatever the seed says.

        Raises:
            Fault: The rules cannot get to a decision; there is no such scenario, or no sequence of play.
            ValueError: `dice` has a roll, or a number on its dice, that the rules do not have.
        """
        if not self.program.entry:
            raise Fault("no-sequence", "the set names no sequence of play")
        chosen = scenario_of(self.program, scenario)
        streams = Streams(self.module, seed, dice)
        machine = Machine(self.module, streams, self.module.layout.initial())
        stages = [self.program.entry] if chosen is None else [chosen.procedure, self.program.entry]
        session = Session(self, machine, None if chosen is None else chosen.name, stages)
        session.begin()
        return session

    def restore(self, data: Mapping[str, Any]) -> Session:
        """The session that `save` wrote.

        Raises:
            SaveError: The save is damaged, or of other rules in which it has no meaning.
        """
        return restoring.restore(self, data)

    def base(self, scenario: str | None) -> tuple[str, list[Any]]:
        """The state that saves are written as a difference from: its name, and the cells.

        The state after set-up serves where set-up depends on neither chance nor choice.
        """
        facts = self.module.facts
        chosen = None if scenario is None else scenario_of(self.program, scenario)
        if chosen is None or chosen.procedure in facts.chancy | facts.suspending:
            return "declared", self.module.layout.initial()
        if scenario not in self._bases:
            machine = Machine(self.module, Streams(self.module, 0), self.module.layout.initial())
            machine.trace = machine.journal = _ignored
            machine.setting_up = True
            machine.refuel(self.fuel)
            try:
                machine.call(chosen.procedure)
            except Finished:
                return "declared", self.module.layout.initial()
            self._bases[scenario] = machine.M
        return "scenario", self._bases[scenario][:]


def _ignored(entry: Any) -> None:
    """Takes what nobody wants to keep."""
