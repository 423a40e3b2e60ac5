"""The choice engine: one module for each family of verbs, and what they share.

A choice is asked part by part.  After each part only those options are offered from which some finished
answer satisfies every norm; a part with one option is taken without asking.
"""

from rulekit.runtime.codegen.choices.lowering import choice

__all__ = ["choice"]
