"""Mutation testing of rules: would anybody notice if a rule were wrong?

Order of reading: `mutant`, `operators`, `finding` (every mutant of a set), `building` (one as a program),
`exercise` (which examples come to it), `judging`, `running`.
"""

from rulekit.mutate.choosing import chosen
from rulekit.mutate.finding import mutants
from rulekit.mutate.judging import BrokenExamples
from rulekit.mutate.mutant import Mutant
from rulekit.mutate.operators import OPERATORS
from rulekit.mutate.running import run
from rulekit.mutate.verdict import Judged, Score, Verdict, score

__all__ = [
    "OPERATORS",
    "BrokenExamples",
    "Judged",
    "Mutant",
    "Score",
    "Verdict",
    "chosen",
    "mutants",
    "run",
    "score",
]
