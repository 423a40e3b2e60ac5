"""Verdicts on claims, the statements that a booklet prints a second time.

The interpreter refutes a claim in a situation, a game set up for it does, or the text of the rules.
"""

from rulekit.analysis.claims.judging import judge_claims
from rulekit.analysis.claims.verdict import Contradiction, JudgedClaim

__all__ = ["Contradiction", "JudgedClaim", "judge_claims"]
