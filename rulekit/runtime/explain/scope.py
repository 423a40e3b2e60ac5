"""The surroundings of an expression that is explained: its locals, with values and origins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Expr, Local, Site


@frozen
class ValueScope:
    """The surroundings of an expression.

    Attributes:
        values: The value of each local that has one.
        origins: For some locals the expression that their value was worked out from, and its scope.
        site: The construct around the expression; `rules` are the printed rules that explain it.
        subject: The member whose name need not be repeated: its domain and number.
        unnamed: The local without a value that stands for each of some members, and need not be named either.
    """

    values: Mapping[str, Any]
    site: Site
    rules: tuple[str, ...]
    origins: Mapping[str, tuple[Expr, ValueScope]] = field(default_factory=dict)
    subject: tuple[str, int] | None = None
    unnamed: str = ""

    def with_member(self, var: Local, member: int) -> ValueScope:
        """The same with one more local."""
        origins = {name: origin for name, origin in self.origins.items() if name != var.name}
        return replace(self, values={**self.values, var.name: member}, origins=origins)

    def inside(
        self, site: Site, params: Sequence[str], arguments: Sequence[Expr], values: Sequence[Any]
    ) -> ValueScope:
        """The scope of a function that is called from here."""
        origins = {
            name: (argument, self)
            for name, argument in zip(params, arguments, strict=True)
            if not (isinstance(argument, Local) and argument.name not in self.origins)
        }
        rules = site.rules or self.rules
        return ValueScope(dict(zip(params, values, strict=True)), site, rules, origins, self.subject)
