"""Rule sets as environments for learning programs; see `rulekit.runtime.envs`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    from rulekit.runtime.envs import Actions, Observer, SolitaireEnv, TurnsEnv
except ModuleNotFoundError as missing:
    message = f"`rulekit.envs` needs `pip install 'rulekit[envs]'`: there is no module `{missing.name}`"
    raise ImportError(message, name=missing.name) from missing

if TYPE_CHECKING:
    from rulekit.runtime.envs import spiel_game as spiel_game

__all__ = ["Actions", "Observer", "SolitaireEnv", "TurnsEnv", "spiel_game"]


def __getattr__(name: str) -> Any:
    """Load what OpenSpiel needs where it is first named."""
    from rulekit.runtime import envs

    return getattr(envs, name)
