"""Whether claims hold: what a booklet says a second time, tried on the rules.

`judged` gives a verdict for each claim.  That a claim is broken has been worked out by the interpreter on a
situation, by a game that was set up for it, or read off the rules as they are written.
"""

from rulekit.analysis.claims.judging import judge_claims
from rulekit.analysis.claims.verdict import Verdict

__all__ = ["Verdict", "judge_claims"]
