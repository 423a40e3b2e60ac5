"""Victory in the Pacific in plain Python: the yardstick of the benchmarks.

Written by hand from `rules/vitp/*.rules`, as one would write this one game: objects with slots, a list of
ships, planes and landing forces for each side and place, factors kept up to date where damage changes them.
It knows nothing of rulekit.  It asks the same questions in the same order and throws the same dice, so that
one policy and one seed give the same game; it keeps no trace, no journal and no save.
"""

from benchmarks.plain.board import Board, read_board
from benchmarks.plain.game import Choose, Game
from benchmarks.plain.turn import play, set_up

__all__ = ["Board", "Choose", "Game", "play", "read_board", "set_up"]
