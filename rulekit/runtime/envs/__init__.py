"""Rule sets as environments for learning programs: PettingZoo, and Gymnasium for games of one side.

These need `pip install 'rulekit[envs]'`.
"""

from rulekit.runtime.envs.actions import Actions
from rulekit.runtime.envs.observing import Observer
from rulekit.runtime.envs.solitaire import SolitaireEnv
from rulekit.runtime.envs.turns import TurnsEnv

__all__ = ["Actions", "Observer", "SolitaireEnv", "TurnsEnv"]
