"""Why an answer is not legal: the terms that fail, with their rules and values, in words of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import rulekit
from benchmarks.reasons import Shares
from rulekit import ir
from rulekit.ir import walk
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import Flag, Member, SetOf
from rulekit.runtime.explain import Explainer, Term, ValueScope
from rulekit.runtime.play import Game, Session
from rulekit.runtime.support.wording import Speech, Wording, base_of, plain
from rulekit.testing import MANIFEST, compile_text, manifest
from tests.unit.runtime.worlds import programs

WORLD = """
enum Side: Red, Blue
enum Colour: green, white
enum Nation: Danish, Dutch, Swedish
space Port:
    members Aarhus, Bergen, Calais, Danzig, Emden
    state owner: Side or none
    touches: set of Port = ({Bergen} when it is Calais otherwise {})
    calm: flag = (it in {Aarhus, Bergen, Calais})
piece Ship:
    members Ada, Bea, Cleo, Dora, Eva
    side: Side = (Red when it in {Ada, Bea, Cleo} otherwise Blue)
    speed: 0..9 = (3 when it is Ada otherwise (1 when it is Eva otherwise 5))
    nation: Nation = (Dutch when it is Bea otherwise Danish)
    state damaged, raiding: flag
piece Plane:
    members Fox, Gull
group Convoy, at most 2:
    ships: set of Ship
state turn: 1..9 = 3
state points(side): 0..9 = 2
state busy: set of Ship
state stock: list of Ship, at most 3

define near(p: Port) -> set of Port: ({Aarhus, Bergen} when p is Calais otherwise {Calais})
define seaworthy(s: Ship) -> flag: s is not damaged and s.speed > 3                 [6.1]
define yards(side) -> set of Port:                                                  [7.1]
    let own = Port where its owner = side
    when side is Blue: {}
    otherwise: own where it is calm                                                 [7.2]
define has_crew(s: Ship) -> flag: s.nation is Danish
define fast(s: Ship, most: 0..9) -> flag: s.speed >= most
define fits_in(s: Ship, p: Port) -> flag: s.speed < 4 or p is calm
define fits(stack: set of Ship, p: Port, most: 0..9) -> flag: count of stack <= most
define sinks(s: Ship) -> flag: s is damaged or s is raiding
define joins(p: Port) -> set of Port: near(p)
define within_reach(p: Port) -> set of Port: Port linked to {p} by near within 1
scenario start:
    move {Ada, Bea} to Aarhus
    move Dora to Danzig
    set Aarhus.owner to Red
    set Danzig.owner to Red
    set Bergen.owner to Blue
    mark Bea as damaged
    mark Dora as raiding
    form Convoy as convoy
    add Cleo to stock
"""

PICKS: tuple[tuple[str, str, str], ...] = (
    ("pick one s from Ship at Aarhus", "Cleo", "off the board, not at Aarhus"),
    ("pick one s from Ship at Aarhus", "Dora", "at Danzig, not at Aarhus"),
    ("pick one s from Ship at Port where its side is Red", "Dora", "side is Blue, not Red"),
    ("pick one s from Ship where its speed >= 4", "Ada", "speed is 3, less than 4"),
    ("pick one s from Ship where 4 <= its speed", "Ada", "speed is 3, less than 4"),
    ("pick one s from Ship where its speed < turn", "Ada", "speed is 3, not less than turn (3)"),
    ("pick one s from Ship where it is raiding", "Ada", "not raiding"),
    ("pick one s from Ship where it is not raiding", "Dora", "raiding"),
    ("pick one s from Ship where it is Bea or it is Cleo", "Ada", "not Bea; not Cleo"),
    ("pick one s from Ship where its nation not in {Dutch, Swedish}", "Bea", "nation is Dutch"),
    (
        "pick one s from Ship where its nation in {Dutch, Swedish}",
        "Ada",
        "nation is Danish, not Dutch, Swedish",
    ),
    ("pick one s from Ship where seaworthy(it)", "Bea", "not seaworthy: damaged"),
    ("pick one s from Ship where seaworthy(it)", "Ada", "not seaworthy: speed is 3, not more than 3"),
    ("pick one s from Ship where has_crew(it)", "Bea", "has no crew: nation is Dutch, not Danish"),
    ("pick one s from Ship where fast(it, 4)", "Ada", "not fast (4): speed is 3, less than 4"),
    ("pick one s from Ship where sinks(it)", "Ada", "does not sink: not damaged; not raiding"),
    (
        "pick one s from Ship where fits_in(it, Danzig)",
        "Bea",
        "does not fit in Danzig: Danzig is not calm; speed is 5, not less than 4",
    ),
    (
        "pick one p from Port where fits_in(Bea, it)",
        "Danzig",
        "Bea does not fit in Danzig: not calm; speed of Bea is 5, not less than 4",
    ),
    (
        "pick one s from Ship where it is raiding or not fits_in(it, Danzig)",
        "Ada",
        "not raiding; fits in Danzig: speed is 3, less than 4",
    ),
    (
        "pick one p from Port where fits({Ada, Bea}, it, 1) or it is Emden",
        "Danzig",
        "not Emden; Ada, Bea do not fit (Danzig, 1): number of stack is 2, more than 1",
    ),
    ("pick one p from joins(Calais)", "Danzig", "Calais does not join Danzig: not in near of Calais"),
    ("pick one p from Calais.touches", "Danzig", "Calais does not touch Danzig, only Bergen"),
    ("pick one s from Ship - busy - {Ada}", "Ada", "Ada"),
    ("pick one s from {Bea} + (Ship at Danzig)", "Ada", "not Bea; at Aarhus, not at Danzig"),
    (
        "pick one s from Ship where no o in (Ship at Aarhus) has (o is damaged and o is not it)",
        "Ada",
        "Bea is damaged",
    ),
    (
        "pick one s from Ship where (every o in (Ship at Aarhus) has o.speed >= its speed)",
        "Bea",
        "speed of Ada is 3, less than speed (5)",
    ),
    (
        "pick one s from Ship where count of busy > 0 or it is raiding",
        "Ada",
        "not raiding; number of busy is 0, not more than 0",
    ),
    ("pick one p from yards(Red)", "Danzig", "not in yards of Red: not calm"),
    ("pick one p from yards(Red)", "Bergen", "not in yards of Red: owner is Blue, not Red"),
    ("pick one p from yards(Red)", "Calais", "not in yards of Red: owner is none, not Red"),
    ("pick one p from near(Calais)", "Danzig", "not in near of Calais: not in Aarhus, Bergen"),
    ("pick one p from Port linked to {Aarhus} by near within 1", "Bergen", "2 steps from Aarhus, at most 1"),
    ("pick one p from Port linked to {Aarhus} by near", "Danzig", "no way from Aarhus"),
    (
        "pick one p from within_reach(Aarhus)",
        "Bergen",
        "not in within reach of Aarhus: 2 steps from Aarhus, at most 1",
    ),
    ("pick one s from Ship with highest its speed", "Ada", "speed is 3, the highest is 5"),
    ("pick one s from (Ship at Aarhus) with lowest its speed", "Bea", "speed is 5, the lowest is 3"),
    ("pick one s from stock", "Ada", "not in stock (Cleo)"),
    ("pick one c from Convoy", "Convoy_2", "not formed"),
)


def started(text: str) -> Session:
    """The world with more rules, at its first decision."""
    made = compile_text(WORLD + text, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None, made.findings[0]
    return Game(made.program).start()


def asked(verb: str, norms: str = "") -> Session:
    """A game at a choice of Red."""
    body = "".join(f"    {line}\n" for line in [verb, *norms.splitlines()])
    return started(f"choice ask by Red:   [5.1]\n{body}sequence play:\n    choose ask\n")


def texts(session: Session, answer: str) -> list[str]:
    """The reasons against an answer, each as one line."""
    return [reason.text for reason in session.why(answer)]


@pytest.mark.parametrize(("verb", "answer", "text"), PICKS)
def test_the_terms_that_keep_a_member_out_are_named(verb: str, answer: str, text: str) -> None:
    """In words of the rules, with the values that make it so."""
    assert [text] == texts(asked(f"{verb}, or none"), answer)


def test_a_set_words_the_failure_of_a_condition() -> None:
    """By the name with `not` behind it; a verb that is known needs no words."""
    made = compile_text(
        WORLD + "sequence play:\n    set turn to 1\n", {MANIFEST: f"{manifest(())}sequence: play\n"}
    )
    assert made.program is not None
    own = Wording(made.program, Speech(names={"fast not": "too slow", "joins": "borders"}))

    assert ("too slow", False) == own.predicate("fast", holds=False)
    assert ("fast", True) == own.predicate("fast", holds=True)
    assert ("does not border", False) == own.predicate("joins", holds=False)
    assert ("not seaworthy", True) == own.predicate("seaworthy", holds=False)


@pytest.mark.parametrize(
    "verb, base",
    [("touches", "touch"), ("supplies", "supply"), ("lies", "lie"), ("goes", "go"), ("leaves", "leave")]
    + [(noun, "") for noun in ("bombers", "ships", "is", "fit", "s", "")],
)
def test_a_verb_is_known_by_its_end(verb: str, base: str) -> None:
    """Nouns in the plural look alike, and are none."""
    assert base == base_of(verb)


def test_a_name_in_words_has_no_space_at_its_end() -> None:
    """Where rules end it with an underscore, so that it is no keyword."""
    assert "at sea" == plain("at_sea_")


def test_terms_carry_their_rules_their_place_and_their_values() -> None:
    """Those of the definition that the term is in, or of the line that lists the candidates."""
    session = asked("pick one p from yards(Red), or none    [5.2]")
    (reason,) = session.why("Bergen")
    (term,) = reason.terms
    (inner,) = term.because

    assert (("TEXT.5.2", "TEXT.5.1"), "rules.rules") == (reason.rules, reason.site.file)
    assert ("TEXT.7.1",) == term.rules == inner.rules
    assert ["yards"] == [value.name for value in term.values]
    (owner,) = inner.values
    assert ("Port.owner", ("Bergen",), "Blue") == (owner.name, owner.keys, owner.value)


NORMS: tuple[tuple[str, str, str, str], ...] = (
    (
        "pick one s from Ship, or none",
        "forbid it_is: s.speed < 4 [2.1]".replace("it_is: ", ""),
        "Ada",
        "forbidden: speed is 3, less than 4",
    ),
    (
        "pick one s from Ship, or none",
        "forbid s is damaged when turn > 2",
        "Bea",
        "forbidden: damaged; turn is 3, more than 2",
    ),
    (
        "pick one s from Ship, or none",
        "require s is raiding unless s.speed > 4",
        "Ada",
        "required otherwise: not raiding; speed is 3, not more than 4",
    ),
    (
        "pick one s from Ship, or none",
        "permit s is raiding\npermit s.speed > 4",
        "Ada",
        "this permits only other answers: not raiding",
    ),
    (
        "pick any s from Ship",
        "forbid s is Ada unless every o in (Ship at Danzig) is chosen\nforbid s is Dora",
        "Ada",
        "legal only together with: Dora",
    ),
    ("number from 2 to 5", "forbid answer = 3", "3", "forbidden: 3"),
    ("number from 2 to 5", "forbid answer = 3", "7", "expected a number from 2 to 5"),
    ("pick one s from Ship", "", "none", "this choice cannot be declined"),
    ("pick at least 2 s from Ship", "", "done", "at least 2 must be picked; so far 0"),
    ("share 3 among s in (Ship at Aarhus), at most 2 each", "", "3", "at most 2 for this one"),
)


@pytest.mark.parametrize(("verb", "norms", "answer", "text"), NORMS)
def test_norms_say_what_makes_them_speak(verb: str, norms: str, answer: str, text: str) -> None:
    """Their conditions, of the answer as a whole too."""
    assert text in texts(asked(verb, norms), answer)


def test_a_norm_on_the_whole_answer_is_tested_with_the_answer_in_it() -> None:
    """The number that it would come to is the reason."""
    session = asked("pick any s from Ship", "require total of o.speed for o in chosen < 7 [2.1]")
    session.choose("Ada")
    reasons = session.why("Bea")

    assert ["total of speed for chosen is 8, not less than 7"] == [
        term.text for r in reasons for term in r.terms
    ]
    assert [("TEXT.2.1",)] == [reason.rules for reason in reasons]


def test_answers_given_before_are_reasons() -> None:
    """A member that is picked, or given as often as it may be, is not offered again."""
    session = asked("pick any s from Ship")
    session.choose("Ada")
    assigned = asked("assign each s in (Ship at Aarhus) one p from Port, each once, or none")
    assigned.choose("Calais")

    assert ["it is in the answer already"] == texts(session, "Ada")
    assert ["given to Ada already; at most 1 each"] == texts(assigned, "Calais")


CALLED = """
choice ask(side, those: set of Ship) by side:           [5.1]
    pick one s from those, or none                      [5.2]
procedure inner(side, some_ships: set of Ship):
    let ready = some_ships where it is not damaged      [8.1]
    choose ask(side, ready)                             [8.2]
procedure outer(p: Port):
    do inner(Red, Ship at p)                            [8.3]
sequence play:
    do outer(Aarhus)
"""


def test_the_arguments_of_a_choice_are_followed_to_its_callers() -> None:
    """A set that is handed over is explained by the expressions that it was made with."""
    session = started(CALLED)
    damaged, elsewhere = session.why("Bea"), session.why("Dora")

    assert ["damaged"] == [reason.text for reason in damaged]
    assert ["at Danzig, not at Aarhus"] == [reason.text for reason in elsewhere]
    assert [("TEXT.8.2",)] == [term.rules for reason in damaged for term in reason.terms]


def test_an_argument_that_has_changed_since_is_not_explained_by_how_it_is_now() -> None:
    """The expression must still have the value that was handed over."""
    text = CALLED.replace(
        "    choose ask(side, ready)", "    unmark Ship as damaged\n    choose ask(side, ready)"
    )
    session = started(text)

    assert ["not in ready (Ada)"] == texts(session, "Bea")


def test_members_of_a_loop_that_had_their_turn_are_told_from_others() -> None:
    """`as SIDE chooses` offers those of the loop that are left."""
    session = started("""
sequence play:
    for each s in (Ship where its side is Red), as Red chooses: mark s as raiding
""")
    session.choose("Bea")

    assert ["in those chosen before (Bea)"] == texts(session, "Bea")
    assert ["side is Blue, not Red"] == texts(session, "Dora")


# ---------------------------------------------------------------- what a side may know

HIDDEN = """
state grudge(s: Ship): flag, known to Blue
choice ask(side, those: set of Ship, s: Ship) by side:
    pick one t from those where it is not damaged, or none
    forbid t is grudge when t is raiding
procedure hidden_one:
    choose ask(Red, Ship where it is not grudge, Ada)
sequence play:
    mark Cleo as grudge
    do hidden_one
"""


def test_a_side_gets_no_term_that_reads_what_is_hidden_from_it() -> None:
    """Neither of a norm, nor of what a caller has worked out; the terms that read nothing hidden remain."""
    session = started(HIDDEN)
    view = session.view("Red")

    assert ["grudge"] == texts(session, "Cleo")
    assert ["not in those (Ada, Bea, Dora, Eva)"] == [reason.text for reason in view.why("Cleo")]
    assert ["damaged"] == [reason.text for reason in view.why("Bea")]


# ---------------------------------------------------------------- random programs and whole games

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def test_reasons_of_norms_alone_are_found_without_explaining_who_is_no_candidate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are what `why` finds; nothing asks why a piece is not in a set."""
    session = asked("pick one s from Ship where its side is Red", "forbid hurt: s is damaged")
    view, names = session.view("Red"), ("Ada", "Bea", "Cleo", "Dora", "Eva")
    every = [tuple(reason for reason in view.why(name) if reason.norm) for name in names]
    monkeypatch.delattr(Explainer, "membership")

    assert every == [view.why(name, norms_only=True) for name in names]
    assert ["hurt"] == [reason.norm for reasons in every for reason in reasons]


def expressions(program: ir.Program) -> Iterator[ir.Expr]:
    """Conditions and sets without locals, in the functions of a program."""
    for function in program.functions:
        for e in walk.nodes(function.body):
            if not walk.free(e) and isinstance(e.type, Flag | SetOf):
                yield e


def leaves(terms: tuple[Term, ...]) -> Iterator[Term]:
    """The innermost terms."""
    for term in terms:
        yield from term.leaves


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32))
def test_terms_of_random_expressions_have_true_values(program: ir.Program, seed: int) -> None:
    """Nothing is raised, and each value that a term names is that of the state."""
    game = Game(program, fuel=20_000)
    try:
        session = game.start(seed)
    except Fault:
        return
    site = program.sites[0]
    explainer = Explainer(game.module, game.naming, Wording(program), session.machine.M)
    scope = ValueScope({}, site, site.rules)
    for e in expressions(program):
        if isinstance(e.type, Flag):
            both = [explainer.condition(e, scope, holds=holds) for holds in (True, False)]
            assert not all(both)
            found = both[0] + both[1]
        else:
            found = of_members(explainer, e, scope)
        for term in leaves(found):
            assert term.text
            for value in term.values:
                check_value(session, value.name, value.keys, value.value)


def of_members(explainer: Explainer, e: ir.Expr, scope: ValueScope) -> tuple[Term, ...]:
    """The terms that put the first members of a domain into a set, or keep them out."""
    assert isinstance(e.type, SetOf)
    if not isinstance(e.type.of, Member):
        return ()
    one = ir.Local("#one", e.type.of)
    terms: tuple[Term, ...] = ()
    for member in range(2):
        inner = scope.with_member(one, member)
        has = ir.Op("has", (one, e), Flag())
        terms += explainer.condition(has, inner, holds=True) + explainer.condition(has, inner, holds=False)
    return terms


def check_value(session: Session, name: str, keys: tuple[Any, ...], value: Any) -> None:
    """A value of a state is the one that the session reads."""
    if name in session.game.module.layout.slots:
        assert session.state(name, *keys) == value


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vitp", "fcn", "pacwar"])
def test_nine_of_ten_members_that_are_not_offered_have_a_reason(name: str) -> None:
    """Over whole games at random."""
    shares = Shares(name)
    for seed in range(3):
        shares.add(rulekit.load(name).start(seed=seed), seed)

    assert shares.members > 500
    assert shares.real >= 0.9 * shares.members


def test_most_members_that_are_not_offered_have_a_reason() -> None:
    """The same for some decisions of one game."""
    shares = Shares("vitp")
    shares.add(rulekit.load("vitp").start(seed=3), 3, every=97)

    assert shares.members > 100
    assert shares.real >= 0.9 * shares.members
