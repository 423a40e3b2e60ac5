"""What the passes that make code fast must leave as it is, and what they make of small programs."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import ir
from rulekit.interpret import Build, RandomPolicy, compiled
from rulekit.interpret.faults import Fault
from rulekit.interpret.machine import Streams
from rulekit.interpret.running import new_machine, play, scenario_of
from tests.unit.interpret.agree import FUEL, by_direct, derived_is_right, state_of
from tests.unit.interpret.worlds import programs

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
TOLD = Build(trace="operands")


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32))
def test_derived_masks_are_kept(program: ir.Program, seed: int) -> None:
    """Without a trace the same happens, and every mask that a change keeps is what its state says."""
    expected = by_direct(program, seed, TOLD)
    for build in (Build(), Build(journal=True)):
        made = compiled(program, build)
        machine = new_machine(made, Streams(made, seed), RandomPolicy(program, seed))
        machine.journal = [].append if build.journal else None
        machine.refuel(FUEL)
        try:
            play(machine, scenario_of(program, None))
        except Fault as fault:
            assert expected.end == ("fault", fault.name)
        else:
            assert expected.state == state_of(made, machine.M)
        assert derived_is_right(made, machine.M)
