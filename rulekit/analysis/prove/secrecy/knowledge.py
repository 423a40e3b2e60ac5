"""The knowledge that play gives each side: conditions that hold, values shown, uncertain locals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from rulekit import ir
from rulekit.analysis.prove.secrecy.twins import RevealedValue
from rulekit.analysis.prove.situation import MARK
from rulekit.base.frozen import frozen
from rulekit.ir.conditions import FLAG
from rulekit.ir.types import SetOf


@frozen
class Premise:
    """A reason why a local may differ: a test of two situations, in which other such locals may be read.

    `call`: the site of the call that gives it, if it is a parameter.
    """

    test: ir.Expr
    of: tuple[Veiled, ...]
    call: int | None = None


@frozen
class Veiled:
    """A local that may differ in the second situation: because of which states, and what stands for it there.

    `because`: reasons of which one must be so; None where it differs anyhow.
    """

    states: frozenset[str]
    other: ir.Expr
    because: Sequence[Premise] | None


@frozen
class Knowledge:
    """The knowledge of a side where a statement runs.

    `given`: conditions that hold.  `values`: locals that depend on something hidden, by expressions of the
    present state.  `veiled`: locals of which only that is known that they may differ.
    """

    given: tuple[ir.Expr, ...] = ()
    shown: frozenset[RevealedValue] = frozenset()
    values: Mapping[str, ir.Expr] = field(default_factory=dict)
    veiled: Mapping[str, Veiled] = field(default_factory=dict)

    def veil(
        self, bound: Mapping[str, ir.Local], states: frozenset[str], because: Sequence[Premise]
    ) -> Knowledge:
        """Return the same where some locals may differ."""
        veiled = {
            name: Veiled(states, ir.Local(name + MARK, local.declared or local.type), because)
            for name, local in bound.items()
        }
        values = {name: value for name, value in self.values.items() if name not in bound}
        return replace(self, veiled={**self.veiled, **veiled}, values=values)

    def among(self, local: ir.Local | None, members: ir.Expr) -> Knowledge:
        """Return the same where a local is known to be one of some members, or some of them."""
        if local is None or not isinstance(members.type, SetOf):
            return self
        among = ir.Op("within" if isinstance(local.type, SetOf) else "has", (local, members), FLAG)
        return replace(self, given=(*self.given, among))


def join(one: Veiled, two: Veiled | None) -> Veiled:
    """Return a local that may differ for the reasons of either."""
    if two is None or one.because is None or two.because is None:
        return one
    return Veiled(one.states | two.states, one.other, (*one.because, *two.because))


Secret = tuple[str, ...]
"""The item at whose place something is given away, and the states that it is about."""


@frozen
class Sign:
    """Something that a side sees and that may depend on what is hidden from it.

    `what`: the thing in words.  `test` holds of two situations that look alike to the side up to here and
    differ in this.  `of`: the locals that it reads and that may differ.
    """

    side: int
    what: str
    states: frozenset[str]
    site: int
    test: ir.Expr
    of: tuple[Veiled, ...]

    def secret_at(self, site: ir.Site) -> Secret:
        """Return what the sign gives away at a place."""
        return (site.owner, *sorted(self.states))
