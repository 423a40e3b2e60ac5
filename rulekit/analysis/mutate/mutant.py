"""A mutant: one change of one rule, and where it is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulekit.analysis.mutate.tree import Path, put
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.names import Names

Text = Callable[[Span], str]
"""The words at a place, in one line."""


@frozen
class Mutation:
    """What an operator makes of a node.

    Attributes:
        span: What is underlined.
        now: What stands there instead, in the words of the rules, or in brackets what was done.
        node: What stands in place of the node; None takes the whole item away.
    """

    span: Span
    now: str
    node: object | None


@frozen
class Mutant:
    """One change of one rule.

    Attributes:
        id: The operator, the item, and which of its changes there it is: the same while the item is.
        owner: The item, as `procedure fire`.
        rules: The printed rules that are cited nearest around it.
        space: Which of the mappings of `Names` holds the item, under `name`.
        path: The way to what is replaced by `node`; with None for `node` the item goes.
        within: The places of what is around it, the innermost first.
    """

    id: str
    operator: str
    owner: str
    rules: tuple[str, ...]
    span: Span
    was: str
    now: str
    space: str
    name: str
    path: Path
    node: object | None
    within: tuple[Span, ...]

    def applied(self, names: Names) -> Names:
        """The declarations with this change."""
        space: Any = dict(getattr(names, self.space))
        if self.node is None:
            del space[self.name]
        else:
            space[self.name] = put(space[self.name], self.path, self.node)
        changed: dict[str, Any] = {self.space: space}
        return replace(names, **changed)
