"""Whether a condition of the rules can hold at all: proofs by trying what makes a difference."""

from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.search import Answer, Cell, CellValues

__all__ = ["Answer", "Cell", "CellValues", "Prover"]
