"""Two actions of `rules/atp`, written by hand for Japan: the yardstick of `atp_action.py`.

Objects with slots, lists of units for each hex, what the map never changes worked out when it is read, dice
from a generator function.  It imports nothing of rulekit; map, counters and tables come from the rule set's
sampler, and where the counters stand from `pacific.yaml`.
"""

from benchmarks.plain_pacific.board import Board, read_board
from benchmarks.plain_pacific.march import move_ground_units
from benchmarks.plain_pacific.strike import strike_from_carriers
from benchmarks.plain_pacific.war import DONE, War

__all__ = ["DONE", "Board", "War", "move_ground_units", "read_board", "strike_from_carriers"]
