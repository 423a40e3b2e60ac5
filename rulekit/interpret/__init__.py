"""Programs as fast Python: see `assemble` for how a program is compiled, `running` for how it is run.

Order of reading: `build`, `plan`, `expressions`, `statements`, `flow`, `direct`, `frames`, `assemble`,
`machine`.
"""

from rulekit.interpret.assemble import Compiled, compiled
from rulekit.interpret.build import SESSION, SIMULATION, Build, TooLarge
from rulekit.interpret.faults import Fault
from rulekit.interpret.machine import Agent
from rulekit.interpret.running import Outcome, RandomPolicy, first_legal, run_direct
from rulekit.interpret.source import show_source

__all__ = [
    "SESSION",
    "SIMULATION",
    "Agent",
    "Build",
    "Compiled",
    "Fault",
    "Outcome",
    "RandomPolicy",
    "TooLarge",
    "compiled",
    "first_legal",
    "run_direct",
    "show_source",
]
