"""Lints: what a rule set that compiles may still get wrong.  One module a lint; each gives findings.

A lint reads a `Compiled` rule set and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulekit.diagnostics import Diagnostic
from rulekit.driver import Compiled
from rulekit.lints import (
    after_leaving,
    broken_claim,
    broken_trend,
    dead_condition,
    exhausted_choice,
    facts_on_trust,
    idle_loop,
    impossible_event,
    row_order,
