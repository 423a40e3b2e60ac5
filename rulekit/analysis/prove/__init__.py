"""Whether a condition of the rules can hold at all: proofs by trying what makes a difference."""

from rulekit.analysis.prove.answers import Answer, Cell, CellValues
from rulekit.analysis.prove.prover import Prover

__all__ = ["Answer", "Cell", "CellValues", "Prover"]
