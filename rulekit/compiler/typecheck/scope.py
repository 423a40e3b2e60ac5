"""What names mean at one place: locals, `it`, and what is known of them there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.ir import types as t
from rulekit.syntax.tree.items import Param


@dataclass(slots=True)
class Routine:
    """The function, procedure or choice being checked: gives its locals names of their own.

    `spans` tells where locals were named, as far as that is known; `lets` which were made by `let`.
    """

    owner: str
    rules: tuple[str, ...]
    result: t.Type | None = None
    locals: dict[str, t.Type] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    lets: set[str] = field(default_factory=set)

    def noting(self, params: Iterable[Param]) -> Routine:
        """The same, knowing where its parameters stand."""
        self.spans.update((param.name.text, param.name.span) for param in params)
        return self

    def fresh(self, name: str, type_: t.Type) -> ir.Local:
        """A local named like `name`, unlike every other of this routine."""
        text, number = name, 1
        while text in self.locals:
            number += 1
            text = f"{name}_{number}"
        self.locals[text] = type_
        return ir.Local(text, type_)


@frozen
class Scope:
    """Names at one place.

    `names` maps what is written to the local that is meant, or to None for one whose declaration is faulty
    (its uses are not reported again).  `narrowed` gives, by the local's own name, a type known here that is
    narrower than the declared one.  `raw` gives the dice behind a modified roll.
    """

    routine: Routine
    names: Mapping[str, ir.Local | None] = field(default_factory=dict)
    it: ir.Local | None = None
    narrowed: Mapping[str, t.Type] = field(default_factory=dict)
    raw: Mapping[str, ir.Local] = field(default_factory=dict)
    changeable: frozenset[str] = frozenset()
    in_loop: bool = False

    def with_name(self, name: str, local: ir.Local | None) -> Scope:
        """With one more name."""
        return replace(self, names={**self.names, name: local})

    def with_it(self, it: ir.Local) -> Scope:
        """With `it` bound."""
        return replace(self, it=it)

    def knowing(self, facts: Mapping[str, t.Type]) -> Scope:
        """With more known of its locals."""
        return replace(self, narrowed={**self.narrowed, **facts}) if facts else self

    def forgetting(self, local: str) -> Scope:
        """With nothing more known of a local than its type, as after a change."""
        return replace(self, narrowed={k: v for k, v in self.narrowed.items() if k != local})

    def outside(self) -> Scope:
        """The same routine seen from outside: no locals."""
        return Scope(self.routine)

    def known(self, local: ir.Local) -> ir.Local:
        """The local with the type that is known of it here."""
        found = self.narrowed.get(local.name, local.type)
        return local if found == local.type else ir.Local(local.name, found, local.type)
