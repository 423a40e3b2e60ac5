"""Sheets for tests, each rule set compiled once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulekit.base.resources import rules_folder
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report
from rulekit.reports.sheet.content.build import Request, sheet_of
from rulekit.reports.sheet.model.document import Block, Card, Outline, Runs, Sheet, SheetLine

SMALL = """
enum Side: Red, Blue
enum Kind: ship, plane
roll shot(side): d6                                   [2.1]
modifier near on roll shot: +1 when side is Red       [2.2]
table effect(roll: 1..7, kind: Kind) -> 0..3:         [2.3]
    | roll | ship | plane |
    | 1..4 | 0    | 0     |                           [2.3]
    | 5..  | 2    | 1     |                           [2.4]
choice aim(side) by side:                             [2.5]
    pick one kind from Kind
    forbid planes: kind is plane                      [2.6]
procedure fire(side):                                 [1.2]
    choose aim(side) as kind
    roll shot(side) as die
sequence play:                                        [1]
    phase turn "The turn":                            [1.1]
        step firing "Fire" for each side in Side, Red first: do fire(side) [1.2]
"""
PRINTED = """id\tkind\tsummary
T.1\tprocedure\tA turn is this
T.1.1\theading\tTurn group
T.1.2\tprocedure\tRed fires, then Blue
T.2.1\tprocedure\tRoll one die
T.2.2\tmodifier\tRed adds one
T.2.3\ttable\tFive or more hits
T.2.4\ttable\tShips suffer more
T.2.5\tprocedure\tName a target
T.2.6\tprohibition\tPlanes are no targets
"""


def folder(at: Path, rules: str = SMALL, printed: str = PRINTED, **files: str) -> Path:
    """A rule set on disk; further files by name, with `__` for a dot and `_in_` for a slash."""
    at.mkdir(parents=True, exist_ok=True)
    options = sorted(name.removeprefix("options_in_") for name in files if name.startswith("options_in_"))
    listed = "".join(f"  - {name.removesuffix('__rules').replace('_', '-')}\n" for name in options)
    manifest = f'id: t\ntitle: Tee\nlanguage: "0.2"\nsequence: play\n{"options:" if listed else ""}\n{listed}'
    (at / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (at / "t.rules").write_text(rules, encoding="utf-8")
    (at / "sources").mkdir(exist_ok=True)
    (at / "sources" / "t.tsv").write_text(printed, encoding="utf-8")
    for name, text in files.items():
        path = at / name.replace("__", ".").replace("_in_", "/").replace("_", "-")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return at


@cache
def compiled(name: str, options: tuple[str, ...] = ()) -> Compiled:
    """A rule set that comes with rulekit."""
    return compile_rule_set(rules_folder() / name, Report(), options=options)


@cache
def sheet(name: str, options: tuple[str, ...] = (), request: Request | None = None) -> Sheet:
    """Its sheet."""
    return sheet_of(compiled(name, options), Report(), request)


def made(at: Path, options: tuple[str, ...] = (), request: Request | None = None) -> Sheet:
    """The sheet of a rule set on disk."""
    return sheet_of(compile_rule_set(at, Report(), options=options), Report(), request)


def block(found: Sheet, id_: str) -> Block:
    """A block by its id."""
    inner = (b.table for b in found.blocks if isinstance(b, Card) and b.table is not None)
    return next(b for b in (*found.blocks, *inner) if b.head.id == id_)


def lines_of(found: Sheet, id_: str) -> list[SheetLine]:
    """The lines of a sequence or of steps, by the block's id."""
    outline = block(found, id_)
    assert isinstance(outline, Outline)
    return [line for group in outline.groups for line in group.lines]


def plain(runs: Runs) -> str:
    """Runs as text."""
    return "".join(run.text for run in runs)
