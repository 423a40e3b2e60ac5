"""A battle turn of the solitaire campaign in `rules/fcn`, written by hand: the yardstick of `fcn_battle.py`.

Objects with slots, a list of counters for each side and place, values that follow the side of a counter
that is up, dice from a generator function.  It imports nothing of rulekit; the counters come from the rule
set's data.
"""

from benchmarks.plain_battle.counters import Counters, read_counters
from benchmarks.plain_battle.sheet import Sheet
from benchmarks.plain_battle.turn import battle_turn

__all__ = ["Counters", "Sheet", "battle_turn", "read_counters"]
