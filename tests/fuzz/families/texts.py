"""Text of strangers on its way to a terminal or a program, and values typed on the command line."""

from __future__ import annotations

import json
import random
from functools import cache

from rulekit.cli.shared import seed_of
from rulekit.cli.terminal import ascii_json, printable_json, printable_text
from rulekit.cli.values import Values
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.names import NamingError
from rulekit.runtime.play.evaluate import evaluate
from tests.fuzz.family import Family, expect
from tests.fuzz.mutation import ODD_TEXTS, spoil, to_bytes
from tests.fuzz.promises import check_printable
from tests.unit.runtime.play.games import FOLDERS

TYPED = (
    *(
        "n=3",
        "Swift.load=2",
        "Swift.place=East",
        "coins(Red)=2",
        "wind=3",
        "lanterns={Swift}",
        "Swift.lit=true",
    ),
    *("Swift.load=+-6", "Swift.load=", "=", "(=1", "bids(Red=1", "a.b.c=1", "Swift.=1", ".load=2", "load=2"),
    *(
        "b=Swift",
        "b=none",
        "b={Swift, Gull}",
        "b={Swift: 1}",
        "side=Red",
        "Swift=Swift",
        "Red",
        "1",
        "place=East",
    ),
)


def _generate_text(chance: random.Random) -> bytes:
    parts = [chance.choice(ODD_TEXTS) for _ in range(chance.randint(0, 6))]
    parts += [chr(chance.randrange(0xD800)) for _ in range(chance.randint(0, 4))]
    parts += [chr(chance.randrange(0xE000, 0x110000)) for _ in range(chance.randint(0, 2))]
    chance.shuffle(parts)
    return to_bytes("".join(parts), chance)


def _run_text(data: bytes) -> None:
    """What is printed is printable, and JSON still means the same."""
    text = data.decode("utf-8", "surrogateescape")
    check_printable(printable_text(text))
    plain = data.decode("utf-8", "replace")
    for value in (plain, {plain: [plain, 1]}):
        whole = json.dumps(value, ensure_ascii=False)
        for make in (printable_json, ascii_json):
            check_printable(make(whole))
            expect(value == json.loads(make(whole)), "JSON means the same", whole)
        expect(ascii_json(whole).isascii(), "ASCII JSON is ASCII", whole)


def _generate_typed(chance: random.Random) -> bytes:
    entries = [chance.choice(TYPED) for _ in range(chance.randint(1, 3))]
    text = "\n".join(entries)
    return to_bytes(spoil(text, chance) if chance.random() < 0.7 else text, chance)


def _run_typed(data: bytes) -> None:
    """Values of the command line are read, or refused as unknown names."""
    typed = data.decode("utf-8", "replace").split("\n")
    compiled = _ferry()
    values, program = Values(compiled), compiled.program
    kinds = {
        param.type for function in (*program.functions, *program.procedures) for param in function.params
    }
    for text in typed:
        seed_of(text)
        for kind in kinds:
            values.read(kind, text)
    try:
        values.given_cells(typed)
    except NamingError as error:
        expect(bool(str(error)), "a refusal says why")


@cache
def _ferry():  # type: ignore[no-untyped-def]
    return compile_rule_set(FOLDERS["ferry"], Report())


def _run_evaluated(data: bytes) -> None:
    """A procedure runs with what was typed, or says what is wrong with it."""
    first, *rest = data.decode("utf-8", "replace").split("\n")
    compiled = _ferry()
    name, _, value = first.partition("=")
    try:
        given = Values(compiled).given_cells(rest)
        procedure = next(item for item in compiled.program.procedures if item.params)
        param = procedure.params[0]
        read = Values(compiled).read(param.type, value)
        evaluate(compiled.program, procedure.name, {name: read}, given=given)
    except (NamingError, Fault) as error:
        expect(bool(str(error)), "a refusal says why")


FAMILIES = (
    Family("text", _generate_text, _run_text, weight=40),
    Family("typed", _generate_typed, _run_typed, weight=40),
    Family("evaluated", _generate_typed, _run_evaluated, weight=5),
)
