"""Names and values as a reader wants them: printed titles, plain words, lists that end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulekit import ir

MOST_NAMED = 40
"""Members of a set that a line names; the rest is counted."""


class Words:
    """The words of one program; `prefix` is the part of a printed rule's id that is the set's own."""

    def __init__(self, program: ir.Program, prefix: str) -> None:
        self._prefix = prefix + "."
        self._titles = {d.name: dict(zip(d.members, d.titles, strict=True)) for d in program.domains}
        named: dict[str, set[str]] = {}
        for titles in self._titles.values():
            for name, title in titles.items():
                named.setdefault(name, set()).add(title)
        # A name that members of several domains share has no title where nothing tells the domain.
        self._certain = {name: next(iter(found)) for name, found in named.items() if len(found) == 1}

    def rule(self, id_: str) -> str:
        """A printed rule's number, without the set's prefix."""
        return id_.removeprefix(self._prefix)

    def rules(self, ids: Iterable[str]) -> str:
        """Several printed rules' numbers."""
        return ", ".join(map(self.rule, ids))

    def name(self, name: str, domain: str = "") -> str:
        """A member's title; its name in plain words where that could be several."""
        return self._titles.get(domain, self._certain).get(name, plain(name))

    def value(self, value: Any, domain: str = "") -> str:
        """A value of an event in words; `domain` is what its names are members of, where that is known."""
        match value:
            case None:
                return "none"
            case bool():
                return "yes" if value else "no"
            case str():
                return self.name(value, domain)
            case list() | tuple():
                return self.several(value, domain) if value else "nothing"
            case Mapping():
                return ", ".join(f"{self.value(k)}: {self.value(v)}" for k, v in value.items()) or "nothing"
            case _:
                return str(value)

    def several(self, names: Sequence[Any], domain: str = "") -> str:
        """Values one after the other."""
        said = [self.value(name, domain) for name in names[:MOST_NAMED]]
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        return ", ".join(said) + more


def plain(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


def state_words(state: str) -> str:
    """What a state is called: a field without its kind."""
    return plain(state.rpartition(".")[2])
