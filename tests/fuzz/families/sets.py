"""Tiny rule sets with parts exchanged.  They are compiled, checked, printed, played, saved and restored."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path

from rulekit.analysis.compile import compile_without_clashes
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import run_lints
from rulekit.base.files import excerpt, forget, snapshot
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report, RulesError
from rulekit.ir import serial
from rulekit.runtime.narrate import Narrator
from rulekit.runtime.play import Fault, Game
from rulekit.syntax.parse.layout import items_of
from tests.fuzz import grammar
from tests.fuzz.bundle import folder_of, pack, unpack
from tests.fuzz.families.saves import check_session
from tests.fuzz.family import Family, expect
from tests.fuzz.mutation import spoil
from tests.fuzz.promises import check_findings, check_printable
from tests.fuzz.seeds import exchanged, item_texts, rule_sets, words_of
from tests.invariants.programs import check_invariants

FUEL = 20_000
"""The budget of one step of a game."""


def generate(chance: random.Random) -> bytes:
    """Return a rule set with a few changes."""
    files = dict(chance.choice(rule_sets()))
    words = words_of(list(files.values()), chance)
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        name = chance.choice(
            [name for name in files if name.endswith(".rules")] if chance.random() < 0.9 else [*files]
        )
        files[name] = _changed(files[name], name, chance, words)
    return pack({name: text.encode("utf-8", "replace") for name, text in files.items()})


def _changed(text: str, name: str, chance: random.Random, words: grammar.Words) -> str:
    if not name.endswith(".rules") or chance.random() < 0.15:
        return spoil(text, chance, 1)
    items = [piece.text for piece in items_of(text)]
    at = chance.randrange(len(items)) if items else 0
    match chance.randrange(10):
        case 0:
            items.insert(at, chance.choice(item_texts()))
        case 1:
            items.insert(at, grammar.generate("item", chance, words, chance.choice((10, 16, 24))))
        case 2:
            items[at : at + 1] = []
        case _ if items:
            items[at] = exchanged(items[at], chance, words)
    return "\n".join(items)


def run(data: bytes) -> None:
    """A set has findings at places of its files, or is a program that keeps every promise of one."""
    files, number = unpack(data), zlib.crc32(data)
    with folder_of(files) as folder:
        try:
            with snapshot():
                _run_folder(folder, number)
        finally:
            forget(folder)


def _run_folder(folder: Path, number: int) -> None:
    report = Report()
    options = _options(folder, number)
    try:
        compiled = compile_without_clashes(folder, report, options=options)
    except RulesError:
        compiled = None
    if compiled is not None and number % 3 == 0:
        for finding in run_lints(Inspection(compiled)):
            report.add(finding)
    check_findings(tuple(report), lambda file: excerpt(str(folder / file)), number)
    if compiled is not None:
        _check_program(compiled, number)


def _options(folder: Path, number: int) -> tuple[str, ...]:
    """Some of the options that have a file."""
    names = sorted(path.stem for path in folder.glob("options/*.rules"))
    return tuple(name for at, name in enumerate(names) if number >> at & 1)


def _check_program(compiled: Compiled, number: int) -> None:
    program = compiled.program
    violations = check_invariants(program)
    expect(not violations, "programs keep their invariants", violations)
    if number % 4 == 0:
        plain = json.loads(json.dumps(serial.to_json(program)))
        expect(program == serial.from_json(plain), "a program survives being written")
    if number % 5 == 0:
        _check_sheet(compiled, number)
    if program.entry and number % 2 == 0:
        _play(compiled, number)


def _play(compiled: Compiled, number: int) -> None:
    game = Game(compiled.program, fuel=FUEL, invariants=number % 4 == 0, explain=number % 8 == 0)
    try:
        session = game.start(number)
        narrator = Narrator(compiled.program, "", game, lambda file, line, column: "")
        check_session(game, session, number)
        for _ in range(8):
            if session.machine.asked is None:
                break
            session.choose(session.machine.asked[3][-1])
    except Fault as fault:
        expect(fault.code != "", "a fault has a code", str(fault))
        return
    narrator.look(session)


def _check_sheet(compiled: Compiled, number: int) -> None:
    from rulekit.reports.sheet.content.build import Request, sheet_of
    from rulekit.reports.sheet.layout.paper import Setup
    from rulekit.reports.sheet.model.document import SheetError
    from rulekit.reports.sheet.render.formats import writer

    report = Report()
    try:
        sheet = sheet_of(compiled, report, Request())
        (first, *_) = writer((".md", ".json", ".html")[number // 5 % 3])(sheet, Setup()) or (b"",)
    except (RulesError, SheetError):
        return
    text = first.decode("utf-8")
    if number // 5 % 3 == 0:
        check_printable(text)


FAMILY = Family("set", generate, run, weight=40, seconds=20)
