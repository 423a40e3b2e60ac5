"""Long chains of definitions, which are checked from their ends and not by recursion."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.compiler.names import Names
from rulekit.syntax.tree.expr import Name
from rulekit.syntax.tree.walk import nodes

DEEP = 16
"""Definitions that use one another before the rest of the chain is checked from its end."""


class Chains:
    """Finds the ends of long chains; reads the definitions of a chain once, and only if the chain is long."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._used: dict[str, list[str]] = {}
        self._lengths: dict[str, int] = {}

    def ends(self, start: str) -> Iterator[str]:
        """Yield every `DEEP`th definition of the chains below one, each after those that it uses; once."""
        path, left = [start], dict[str, Iterator[str]]()
        if start in self._used or start not in self._names.defines:
            return
        while path:
            name = path[-1]
            if name not in self._used:
                self._used[name] = self._uses(name)
                left[name] = iter(self._used[name])
            below = next((used for used in left[name] if used not in self._used), None)
            if below is not None:
                path.append(below)
                continue
            path.pop()
            length = 1 + max((self._lengths.get(used, 0) for used in self._used[name]), default=0)
            self._lengths[name] = length
            if length % DEEP == 0:
                yield name

    def _uses(self, name: str) -> list[str]:
        names = self._names
        read = (node.text for node in nodes(names.defines[name].cases) if isinstance(node, Name))
        used = {names.originals.get(name, "") if text == "original" else text for text in read}
        return sorted(used & names.defines.keys())
