"""Operations of `rules/pacwar` up to their battles, written by hand: the yardstick of `pacwar_month.py`.

Objects with slots for units and forces, stacks by hex, and ways at sea and links worked out when the map is
read.  It imports nothing of rulekit; map, units and tables come from the rule set's data.
"""

from benchmarks.plain_month.board import Board
from benchmarks.plain_month.operation import open_operation
from benchmarks.plain_month.war import War

__all__ = ["Board", "War", "open_operation"]
