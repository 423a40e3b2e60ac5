"""The subject of a decision: the choice's own arguments."""

from __future__ import annotations

from rulekit.ir import Program
from rulekit.ir.types import Member, Optional, SetOf
from rulekit.runtime.narrate.lines import Asked
from rulekit.runtime.narrate.words import Words
from rulekit.runtime.play import Decision


def about(program: Program, decision: Decision, words: Words) -> Asked:
    """The arguments in words, without sets and without the side that decides: `Alpha, North`."""
    choice = program.by_name.choices[decision.choice]
    types = {param.name: param.type for param in choice.params}
    said, names = [], []
    for name, value in decision.arguments.items():
        kind = types[name]
        inner = kind.of if isinstance(kind, Optional) else kind
        if value is None or isinstance(inner, SetOf) or value == decision.side:
            continue
        if isinstance(value, str | int | list):
            said.append(words.value(value, inner.domain if isinstance(inner, Member) else ""))
        if isinstance(value, str):
            names.append(value)
    return Asked(", ".join(said), frozenset(names))
