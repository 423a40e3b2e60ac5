"""Everything in a game that has a value, by the names of the rules: states, fields, tables, definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import Any, Final

from rulekit.base.spelling import meant
from rulekit.ir import Apply, Expr, Function, Program, StaticTable, walk
from rulekit.ir.program import Key
from rulekit.ir.semantics.constant import look_up
from rulekit.ir.semantics.names import Naming, NamingError
from rulekit.ir.types import Row, Type
from rulekit.runtime.support.layout import Layout, Slots

TABLE: Final = "table:"
MOST_INLINED: Final = 2_000
"""Nodes of an expression in which calls are written out."""


class UnknownName(KeyError):
    """A name that nothing in the rules has; the message offers the nearest one."""

    def __str__(self) -> str:
        return str(self.args[0])


class NamedValues:
    """The names of one program.

    A field is found by its own name, `damage`, or with its kind before it, `Ship.damage`.
    """

    def __init__(self, program: Program, naming: Naming, layout: Layout) -> None:
        self.naming, self.layout, self._kinds = naming, layout, program.by_name.kinds
        self._functions, self._tables = program.by_name.functions, program.by_name.statics
        self._fresh = count()

    @cached_property
    def signatures(self) -> Mapping[str, str]:
        """The parameters and type of everything that can be read: `damage(Ship): 0..18`."""
        lines: dict[str, list[str]] = {}
        for full, keys, kind in self._each_with_keys():
            of, _, name = full.rpartition(".")
            shown = [key if isinstance(key, str) else f"{key[0]}..{key[1]}" for key in keys]
            lines.setdefault(name, []).append(
                _signature(name, [of, *shown[1:]] if of and shown else shown, kind)
            )
        for function in self._functions.values():
            name = function.name.removeprefix(TABLE)
            if ":" not in name and "'" not in name:
                params = [f"{param.name}: {param.type}" for param in function.params]
                lines[name] = [_signature(name, params, function.result)]
        return {name: " | ".join(lines[name]) for name in sorted(lines)}

    def _each_with_keys(self) -> Iterator[tuple[str, Sequence[Key], Type]]:
        """States, fields and tables, without the columns of tables and what the compiler has made."""
        for state in (slots.state for slots in self.layout.slots.values()):
            if ":" not in state.name:
                yield state.name, state.keys, state.type
        for table in self._tables.values():
            name = table.name.removeprefix(TABLE)
            if ":" not in name and (name == table.name or "." not in name):
                yield name, table.keys, table.type

    # ------------------------------------------------------------ finding

    def state(self, name: str, keys: Sequence[Any]) -> Slots:
        """The state of a name.

        Raises:
            UnknownName: There is none.
        """
        known = self.layout.slots
        full = self._full_name(name, known, keys)
        if full is None:
            raise _unknown("state", name, [state.rpartition(".")[2] for state in known])
        return known[full]

    def is_state(self, name: str, keys: Sequence[Any]) -> bool:
        """True if a state has this name."""
        return self._full_name(name, self.layout.slots, keys) is not None

    def function(self, name: str) -> Function | None:
        """The definition of a name, or the table that is one; None if there is none."""
        return self._functions.get(name) or self._functions.get(f"{TABLE}{name}")

    def table(self, name: str, keys: Sequence[Any]) -> StaticTable:
        """The table or fixed field of a name.

        Raises:
            UnknownName: There is none, and no definition and no state either.
        """
        full = self._full_name(name, self._tables, keys)
        if full is None:
            raise _unknown("name", name, list(self.signatures))
        return self._tables[full]

    def _full_name(self, name: str, known: Mapping[str, object], keys: Sequence[Any]) -> str | None:
        """The full name of something; of several kinds that have such a field, that of the first key."""
        for own in (name, f"{TABLE}{name}"):
            if own in known:
                return own
        fields = [full for full in known if full.rpartition(".")[2] == name and not full.startswith(TABLE)]
        having = [full for full in fields if keys and self._members(full, keys[0])]
        return min(having or fields, key=lambda full: len(self._members(full, None)), default=None)

    def _members(self, field: str, one: Any) -> Sequence[str]:
        """The members of the kind that has a field: all, or this one if it belongs."""
        kind = self._kinds.get(field.rpartition(".")[0])
        if kind is None:
            return ()
        names = self.naming.domains[kind.domain].members
        return [name for n, name in enumerate(names) if kind.members >> n & 1 and one in (None, name)]

    # ------------------------------------------------------------ reading

    def arguments(self, function: Function, given: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The values of a definition's parameters, of which some are given in order, others by name.

        Raises:
            NamingError: One is missing, unknown, given twice, or none of its type.
        """
        shown = function.name.removeprefix(TABLE)
        names = [param.name for param in function.params]
        if len(given) > len(names):
            raise NamingError(f"`{shown}`: {count_expected(len(names), 'argument')}, found {len(given)}")
        known = dict(zip(names, given, strict=False))
        for name, value in named.items():
            if name not in names:
                raise NamingError(f"`{shown}` has no parameter `{name}`")
            if name in known:
                raise NamingError(f"`{shown}` has two values for `{name}`")
            known[name] = value
        for param in function.params:
            if param.name not in known:
                raise NamingError(f"missing value for `{param.name}`, of type `{param.type}`")
        return [self.naming.read(param.type, known[param.name]) for param in function.params]

    def cell(self, table: StaticTable, given: Sequence[Any]) -> Any:
        """The entry of a table or fixed field as JSON.

        Raises:
            NamingError: A key is missing, too many, or none of its domain.
            Fault: There is no such row, or the owner's file is missing.
        """
        if len(given) != len(table.keys):
            name = table.name.removeprefix(TABLE).rpartition(".")[2]
            raise NamingError(f"`{name}`: {count_expected(len(table.keys), 'key')}, found {len(given)}")
        keys = map(self.naming.key, table.keys, given)
        return self.to_json(table.type, look_up(table, keys, self.layout.sizes))

    def to_json(self, kind: Type, value: Any) -> Any:
        """A value as JSON; a row of a table with several results as an object of them."""
        if not isinstance(kind, Row):
            return self.naming.to_json(kind, value)
        prefix = f"{TABLE}{kind.table}."
        return {
            name.removeprefix(prefix): self.naming.to_json(column.type, column.values[value])
            for name, column in self._tables.items()
            if name.startswith(prefix)
        }

    def written_out(self, e: Expr) -> Expr:
        """An expression with the bodies of the definitions that it calls, as far as it stays small."""
        e = walk.rebuild(e, tuple(map(self.written_out, walk.children(e))))
        if not isinstance(e, Apply):
            return e
        function = self._functions[e.function]
        values = {param.name: part for param, part in zip(function.params, e.arguments, strict=True)}
        body = walk.with_fresh_locals(function.body, lambda name: f"{name} {next(self._fresh)}")
        body = walk.substitute(body, values)
        return self.written_out(body) if walk.size(body) < MOST_INLINED else e


def count_expected(number: int, thing: str) -> str:
    """Words for how many of something are expected."""
    return f"expected {number or 'no'} {thing}{'' if number == 1 else 's'}"


def _signature(name: str, params: Sequence[str], kind: Type) -> str:
    return f"{name}({', '.join(params)}): {kind}" if params else f"{name}: {kind}"


def _unknown(sort: str, name: str, known: Sequence[str]) -> UnknownName:
    hint = meant(name, [one for one in known if ":" not in one])
    return UnknownName(f"unknown {sort} `{name[:60]}`" + (f"; {hint}" if hint else ""))
