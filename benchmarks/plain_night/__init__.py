"""Nights at sea of `rules/pacwar`, written by hand: the yardstick of `pacwar_night.py`.

Objects with slots, ships kept by hex and side, what the map never changes worked out when it is read, dice
from a generator function.  It imports nothing of rulekit; map and units come from the rule set's data.
"""

from benchmarks.plain_night.chart import Chart, read_chart
from benchmarks.plain_night.cycle import fight_nights
from benchmarks.plain_night.sea import Sea

__all__ = ["Chart", "Sea", "fight_nights", "read_chart"]
