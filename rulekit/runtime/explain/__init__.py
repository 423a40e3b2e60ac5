"""Explanations: the terms of an expression that make it hold or fail, in words of the rules."""

from rulekit.runtime.explain.explainer import Explainer
from rulekit.runtime.explain.scope import ValueScope
from rulekit.runtime.explain.term import Term, TermValue

__all__ = ["Explainer", "ValueScope", "Term", "TermValue"]
