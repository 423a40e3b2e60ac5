"""Small programs by hand: a world of a few pieces and spaces, and short names for the IR's classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulekit import ir
from rulekit.ir import types as t

FLAG = t.Flag()
SIDE = t.Member("Side", "Side")
COLOR = t.Member("Color", "Color")
PIECE = t.Member("piece", "piece")
SHIP = t.Member("piece", "Ship")
SPACE = t.Member("space", "space")
FIGHT = t.Member("Fight", "Fight")
SMALL = t.Int(0, 5)
WIDE = t.Int(-50, 50)
PIECES = t.SetOf(PIECE)
SPACES = t.SetOf(SPACE)
SHIPS = t.SetOf(SHIP)
PILE = t.ListOf(PIECE, 6)

SITE = 0
SITES = 40


def const(value: Any, kind: t.Type = WIDE) -> ir.Const:
    """A constant."""
    return ir.Const(value, kind)


def local(name: str, kind: t.Type) -> ir.Local:
    """A local."""
    return ir.Local(name, kind)


def op(name: Any, *parts: ir.Expr, type: t.Type = FLAG, detail: str = "") -> ir.Op:
    """An operation; a flag unless said otherwise."""
    return ir.Op(name, parts, type, detail)


def words(text: str) -> ir.Const:
    """A text."""
    return ir.Const(t.TextValue(text), t.Text())


def read(state: str, *keys: ir.Expr) -> ir.Read:
    """A state's value."""
    return ir.Read(state, keys, STATES[state].type)


def write(
    kind: Any, state: str, keys: tuple[ir.Expr, ...], value: ir.Expr | None = None, **more: Any
) -> ir.Write:
    """A change."""
    return ir.Write(kind, state, keys, value, SITE, **more)


def state(
    name: str,
    keys: tuple[Any, ...],
    kind: t.Type,
    initial: Any,
    *,
    clamp: bool = False,
    known: ir.Known | None = None,
) -> ir.State:
    """A state."""
    return ir.State(name, keys, kind, initial, None, clamp, known, SITE)


NO_RESULT = t.Nothing()


def procedure(
    name: str, *body: ir.Stmt, params: tuple[ir.Local, ...] = (), result: t.Type = NO_RESULT
) -> ir.Procedure:
    """A procedure; the types of its locals are taken from where they are bound."""
    given = tuple(ir.Param(one.name, one.type) for one in params)
    return ir.Procedure(name, given, result, given, body, SITE)


STATES = {
    item.name: item
    for item in (
        state("place", ("piece",), t.Optional(SPACE), t.NONE),
        state("exists:Fight", ("Fight",), FLAG, False),
        state("damage", ("piece",), SMALL, 0),
        state("track", (), t.Int(-3, 3), 0, clamp=True),
        state("turn", (), t.Int(0, 20), 1),
        state("marked", ("piece",), FLAG, False),
        state("seen", ("Side", "piece"), FLAG, False),
        state("open", (), FLAG, True),
        state("level", ((2, 5),), FLAG, False),
        state("owner", ("space",), t.Optional(SIDE), t.NONE),
        state("score", ("Side", (1, 3)), t.Int(-20, 20), 0),
        state("held", ("Side",), PIECES, 0),
        state("pile", (), PILE, (0, 1)),
        state("crew", ("Fight",), PIECES, 0),
        state("keen", ("Fight",), FLAG, True),
    )
}

WORDS = tuple(map(t.TextValue, ("a", "bee", "a sea", "", '"quoted"')))

STATICS = (
    ir.StaticTable("piece.words", ("piece",), t.Text(), WORDS),
    ir.StaticTable("piece.side", ("piece",), SIDE, (0, 1, 0, 1, 0)),
    ir.StaticTable("piece.power", ("piece",), SMALL, (3, 1, 2, 0, 4)),
    ir.StaticTable("space.near", ("space",), SPACES, (0b010, 0b101, 0b010)),
    ir.StaticTable("space.beside", ("space",), SPACES, (0b110, 0b101, t.GAP)),
    ir.StaticTable(
        "chart", ((1, 6), "Color"), SMALL, (0, 0, 1, 0, 1, 2, 1, 2, 3, 2, 3, t.GAP, 3, 4, 5, 4, 5, 5)
    ),
)


def domain(name: str, sort: Any, members: str) -> ir.Domain:
    """A domain, its members named in one text."""
    return ir.Domain(name, sort, tuple(members.split()), tuple(members.split()))


def program(*procedures: ir.Procedure, **more: Any) -> ir.Program:
    """A program over the small world; its entry is the last procedure."""
    made = ir.Program(
        format=1,
        name="small",
        title="A small world",
        edition="1",
        language="0.2",
        source_hash="sha256:0",
        options=(),
        domains=(
            domain("Side", "enum", "North South"),
            domain("Color", "enum", "Red Green Blue"),
            domain("piece", "piece", "Ann Bob Cid Dot Eve"),
            domain("space", "space", "Harbor Isle Reef"),
            domain("Fight", "group", "Fight_1 Fight_2"),
        ),
        kinds=(
            ir.NamedSet("Side", "Side", 0b11),
            ir.NamedSet("Color", "Color", 0b111),
            ir.NamedSet("piece", "piece", 0b11111),
            ir.NamedSet("Ship", "piece", 0b00111),
            ir.NamedSet("Plane", "piece", 0b11000),
            ir.NamedSet("space", "space", 0b111),
            ir.NamedSet("Coast", "space", 0b011),
            ir.NamedSet("Fight", "Fight", 0b11),
        ),
        statics=STATICS,
        states=tuple(STATES.values()),
        functions=(),
        points=(
            ir.Point("die", 1, 6, SITE),
            ir.Point("pair", 2, 10, SITE, lowest=0),
            ir.Point("lot", 0, 0, SITE),
            ir.Point("mix", 0, 0, SITE),
        ),
        choices=(),
        procedures=procedures,
        scenarios=(),
        invariants=(),
        examples=(),
        sides="Side",
        entry=procedures[-1].name if procedures else "",
        sites=tuple(ir.Site(f"thing {n}", (f"S.{n}",), "small.rules", n + 1, 1) for n in range(SITES)),
    )
    return replace(made, **more)


def choice(name: str, verb: Any, **more: Any) -> ir.Choice:
    """A choice by the first side; what is not given is absent."""
    settings: dict[str, Any] = {
        "params": (),
        "decider": const(0, SIDE),
        "lets": (),
        "item": None,
        "option": local("option", PIECE),
        "chosen": None,
        "before": None,
        "assigned": None,
        "items": None,
        "candidates": None,
        "low": None,
        "high": None,
        "total": None,
        "able": "must",
        "norms": (),
        "secret": False,
        "default": None,
        "answer": PIECE,
        "site": SITE,
    }
    return ir.Choice(name=name, verb=verb, **{**settings, **more})


def norm(
    word: Any,
    test: ir.Expr,
    *,
    cover: ir.Expr | None = None,
    whole: ir.Expr | None = None,
    site: int = SITE,
    **more: Any,
) -> ir.Norm:
    """A norm named after its word."""
    return ir.Norm(f"{word}_{site}", word, test, cover, whole, True, site, **more)
