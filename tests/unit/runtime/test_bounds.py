"""Bounds of tests on answers that are not finished: sound for every way of finishing them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

import pytest

from rulekit import ir
from rulekit.base.bits import mask_of, members
from rulekit.diagnostics import kinds
from rulekit.ir.types import NONE
from rulekit.runtime.optimise.bounds import MORE, partial_answer
from rulekit.runtime.optimise.norms import breach
from rulekit.runtime.play import Game
from rulekit.testing import MANIFEST, compile_text, manifest
from tests.unit.runtime.oracle import Env, Fault, Oracle

RULES = """\
enum Side: Red, Blue
piece Crate:
    members C1, C2, C3
    weight: 0..5 = (2 when it is C1 otherwise 1)
    worth: -3..3 = (-2 when it is C2 otherwise 3)
piece Truck:
    members T1, T2, T3
    room: 0..5 = (2 when it is T1 otherwise 3)
define load(group: set of Crate) -> 0..3: total of c.weight for c in group
define gain(group: set of Crate) -> -5..5: total of c.worth for c in group
define suits(group: set of Crate) -> flag:
    when C2 in group: gain(group) > 0
    when group is empty: false
    otherwise: load(group) < 3
choice take by Red:
    pick any crate from Crate
TAKE
choice stow by Red:
    assign each crate in Crate one truck from Truck, or none
STOW

sequence play:
    choose take as taken
    choose stow as stowed
"""
TRUCKS = (3, 4, 5)
"""As pieces, after the crates."""

NORMS = 12
"""So many tests are made for each of the two choices of a program."""


class Lot:
    """Tests made by lot, as they are written in rules."""

    def __init__(self, rnd: Random, verb: str) -> None:
        self.rnd, self.verb = rnd, verb

    def flag(self, depth: int) -> str:
        """A test."""
        if depth == 0:
            return f"{self.number(0)} {self.rnd.choice(('<=', '>', '=', 'is not'))} {self.number(0)}"
        a, b, c = (self.flag(depth - 1) for _ in range(3))
        group, truck = self.crates(depth - 1), self.rnd.choice(("T1", "T2", "T3"))
        forms = [
            f"(({a}) and ({b}))",
            f"(({a}) or ({b}))",
            f"(not ({a}))",
            f"(({a}) when ({b}) otherwise ({c}))",
            f"{group} is empty",
            f"suits({group})",
            f"(some y in {group} has y.worth > {self.number(0)})",
            f"(every y in {group} has y.weight < {self.number(0)})",
            f"{self.number(depth)} {self.rnd.choice(('<', '>=', '=', 'is not'))} {self.number(depth)}",
        ]
        if self.verb == "assign":
            forms.append("(every t in chosen has load(Crate where assigned(it) is t) <= t.room)")
            forms.append(f"({truck} in chosen)")
            forms.append(f"(assigned({self.rnd.choice(('C1', 'C2', 'C3'))}) is {truck})")
        return self.rnd.choice(forms)

    def number(self, depth: int) -> str:
        """A number."""
        group = self.crates(depth)
        forms = [
            f"({self.rnd.randrange(-3, 5)})",
            "(count of chosen)",
            f"(count of {group})",
            f"load({group})",
            f"gain({group})",
            f"(total of x.worth for x in {group})",
        ]
        if depth:
            a, b = self.number(depth - 1), self.number(depth - 1)
            forms += [f"({a} + {b})", f"({a} - {b})", f"larger({a}, {b})", f"smaller({a}, {b})"]
        return self.rnd.choice(forms)

    def crates(self, depth: int) -> str:
        """A set of crates."""
        truck = self.rnd.choice(("T1", "T2", "T3"))
        forms = ["chosen"] if self.verb == "pick" else [f"(Crate where assigned(it) is {truck})"]
        if depth:
            a, b = self.crates(depth - 1), self.crates(depth - 1)
            forms += [f"(Crate - {a})", f"({a} + {b})", f"({a} where its worth > 0)", f"({a} - {b})"]
        return self.rnd.choice(forms)


@cache
def program(seed: int) -> ir.Program:
    """A program with tests by lot."""
    rnd, text = Random(seed), RULES
    for name, verb in (("TAKE", "pick"), ("STOW", "assign")):
        lot = Lot(rnd, verb)
        norms = (f"    require n{number}: {lot.flag(rnd.randrange(1, 3))}\n" for number in range(NORMS))
        text = text.replace(f"{name}\n", "".join(norms))
    made = compile_text(text)
    assert made.compiled is not None, (text, made.findings)
    return made.compiled.program


def partials_of_pick() -> Iterator[tuple[Env, list[Env]]]:
    """What is known of each partial answer to `take`, and of the finished ones that it may become."""
    for chosen, rest in product(range(8), repeat=2):
        if not chosen & rest:
            ends = [chosen | more for more in range(8) if not more & ~rest]
            yield {"chosen": chosen, f"{MORE}chosen": chosen | rest}, [{"chosen": end} for end in ends]


def partials_of_assign() -> Iterator[tuple[Env, list[Env]]]:
    """As above, of `stow`; each crate may get some trucks, or none."""
    rnd = Random(1)
    for place in range(4):
        for picks in product((*TRUCKS, NONE), repeat=place):
            lists = [rnd.randrange(8) << TRUCKS[0] for _ in range(place, 3)]
            ends = [(*picks, *more) for more in product(*([*members(one), NONE] for one in lists))]
            known = whole(picks)
            known[f"{MORE}chosen"] = known["chosen"]
            for one in lists:
                known[f"{MORE}chosen"] |= one
            yield known, [whole(end) for end in ends]


def whole(picks: tuple[int, ...]) -> Env:
    """The locals of an answer to `stow`."""
    return {"assigned": dict(enumerate(picks)), "chosen": mask_of([one for one in picks if one >= 0])}


def named(choice: ir.Choice, env: Env) -> Env:
    """The values under the names that the program gives its locals."""
    names = {role: local.name for role in ("chosen", "assigned") if (local := getattr(choice, role))}
    names |= {MORE + role: MORE + name for role, name in names.items()}
    return {names[role]: value for role, value in env.items() if role in names}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("verb", "place"), [("pick", 0), ("assign", 1)])
def test_what_is_surely_so_is_so_and_what_is_so_is_possible(seed: int, verb: str, place: int) -> None:
    """For every partial answer and every way to finish it, but those in which a number leaves its range."""
    made = program(seed)
    oracle, choice = Oracle(made, 0, lambda *_: 0), made.choices[place]
    numbers = iter(range(10_000))
    partial = partial_answer(choice, oracle.functions, lambda name: f"{name}'{next(numbers)}")
    ways = list(partials_of_pick() if verb == "pick" else partials_of_assign())
    for norm in choice.norms:
        test = breach(choice, norm)
        surely, possibly = partial.flag(test)
        for known, ends in ways:
            values = set()
            for end in ends:
                try:
                    values.add(bool(oracle.value(test, named(choice, end))))
                except Fault:
                    continue
            env = named(choice, known)
            assert not oracle.value(surely, env) or values <= {True}
            assert oracle.value(possibly, env) or values <= {False}


LOADS = """\
enum Side: Red, Blue
piece Crate:
    members 24
    weight: 0..5 = 3
piece Truck:
    members 2
define load(group: set of Crate) -> 0..70: total of c.weight for c in group
define fits(group: set of Crate) -> flag:
    when count of group > 20: false
    otherwise: load(group) < 3
choice stow by Red:
    assign each crate in Crate one truck from Truck, or none
    require room: every t in chosen has fits(Crate where assigned(it) is t)

sequence play:
    choose stow as stowed
"""
"""A total that might leave the range of its definition, and a test with a branch."""


def test_a_load_that_is_too_heavy_is_given_up_at_once() -> None:
    """No truck can take any crate; without bounds the search would try all loads, and end in a fault."""
    made = compile_text(LOADS, {MANIFEST: manifest({}) + "sequence: play\n"})
    assert made.compiled is not None
    program = made.compiled.program
    session = Game(program).start(0)

    assert session.over
    assert [] == [finding for finding in made.findings if finding.kind is kinds.UNBOUNDED_NORM]
