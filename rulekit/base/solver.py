"""The optional solver: whether it is installed.  Importing this loads nothing."""

from __future__ import annotations

from importlib.util import find_spec


def is_installed() -> bool:
    """True if the solver is installed."""
    return find_spec("z3") is not None


def advice(hint: str) -> str:
    """Return a hint about something undecided, with how to install the solver if it is missing."""
    return hint if is_installed() else f"{hint}; or let a solver try: `pip install 'rulekit[solver]'`"
