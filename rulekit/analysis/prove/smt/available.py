"""Whether there is a solver; this alone loads nothing."""

from __future__ import annotations

from importlib.util import find_spec


def installed() -> bool:
    """Whether there is a solver."""
    return find_spec("z3") is not None


def advice(hint: str) -> str:
    """A hint about what was left open, with the solver that was not asked."""
    return hint if installed() else f"{hint}; or let a solver try: `pip install 'rulekit[solver]'`"
