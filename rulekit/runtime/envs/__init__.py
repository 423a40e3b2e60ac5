"""Rule sets as environments for learning programs: PettingZoo, OpenSpiel, and Gymnasium for one side.

These need `pip install 'rulekit[envs]'`, and `spiel_game` needs `pip install 'rulekit[openspiel]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulekit.runtime.envs.actions import Actions
from rulekit.runtime.envs.observing import Observer
from rulekit.runtime.envs.solitaire import SolitaireEnv
from rulekit.runtime.envs.turns import TurnsEnv

if TYPE_CHECKING:
    from rulekit.runtime.envs.spiel import spiel_game as spiel_game

__all__ = ["Actions", "Observer", "SolitaireEnv", "TurnsEnv", "spiel_game"]


def __getattr__(name: str) -> Any:
    """Load what OpenSpiel needs where it is first named."""
    if name != "spiel_game":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from rulekit.runtime.envs.spiel import spiel_game
    except ModuleNotFoundError as missing:
        message = (
            f"`spiel_game` needs `pip install 'rulekit[openspiel]'`: there is no module `{missing.name}`"
        )
        raise ImportError(message, name=missing.name) from missing
    return spiel_game
