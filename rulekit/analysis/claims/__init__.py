"""Whether claims hold: what a booklet says a second time, tried on the rules.

`judge_claims` gives a verdict on each claim.  A claim is refuted by the interpreter on a situation, by a game
that was set up for it, or by reading the rules as they are written.
"""

from rulekit.analysis.claims.judging import judge_claims
from rulekit.analysis.claims.verdict import Contradiction, JudgedClaim

__all__ = ["Contradiction", "JudgedClaim", "judge_claims"]
