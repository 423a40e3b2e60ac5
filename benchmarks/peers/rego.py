"""Rego: rules with conditions; two values of one rule are an error where both conditions hold."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.peers.said import Ask, Complaint, Pair, Said, asked
from benchmarks.peers.tables import Table

_MESSAGE = re.compile(r"errormsg \d+:([^()]*)")
HEAD = "package rules\nimport rego.v1\n"
SUPPLY = ["supplied(p) if { input.open[p]; reached(p) }", "answer := 1 if supplied(0)"]
CRIPPLED = ["crippled if input.damage > 3", "answer := 1 if crippled", "answer := 0 if not crippled"]
DENIED = ["answer := 0 if deny", "answer := 1 if not deny"]
HURT = ["deny if { input.damage > 3; input.night; not excepted }"]
LEGAL = [
    "answer contains s if { some s in {0, 1}; not wreck(s); not unseen(s) }",
    "wreck(s) if input.damage[s] > 5",
]
Input = dict[str, Any]


def in_table(table: Table) -> Said:
    """A table of the corpus: a rule a row, every combination of keys asked."""
    rules = []
    for row in table.rows:
        tests = (
            f"input.{key} in {{{', '.join(map(str, cell))}}}"
            for key, cell in zip(table.names, row.keys, strict=True)
        )
        rules.append(f"answer := {row.result} if {{ {'; '.join(tests)} }}")
    return _asked("\n".join(rules), table.inputs())


def by_hand() -> Mapping[str, Pair]:
    """Options as further rules of one name; norms as rules that deny; a choice as the set that they leave."""
    turns = [{"turn": turn} for turn in range(1, 10)]
    ships = [{"damage": damage, "night": night} for damage in range(10) for night in (False, True)]
    fleets = [
        {"damage": [a, b], "hidden": [c, d]}
        for a, b in itertools.product((0, 6), repeat=2)
        for c, d in itertools.product((False, True), repeat=2)
    ]
    return {
        "RK234/two-redefine": _pair(["answer := 4", "answer := 5"], ["answer := 5"], turns),
        "RK234/at-times": _pair(
            [_when(4, "turn > 3"), _when(5, "turn > 5"), _when(3, "turn <= 3")],
            [_when(4, "turn < 4"), _when(5, "turn > 5"), _when(3, "turn in {4, 5}")],
            turns,
        ),
        "RK236/two-set": _pair(
            [_when(4, "turn > 3"), _when(5, "turn > 5"), _when(0, "turn <= 3")],
            [_when(4, "turn in {4, 5}"), _when(5, "turn > 5"), _when(0, "turn <= 3")],
            turns,
        ),
        "RK314/in-a-circle": _pair(
            [*SUPPLY, "reached(p) if { some q in {0, 1}; supplied(q) }"],
            [*SUPPLY, "reached(p) if { some q in {0, 1}; input.open[q] }"],
            [{"open": [True, True]}],
        ),
        "RK210/never-defined": _pair(
            ["answer := 1 if carrier(input.damage)"],
            ["carrier(n) if n >= 0", "answer := 1 if carrier(input.damage)"],
            ships,
        ),
        "RK201/two-meanings": _pair(
            [*CRIPPLED, "crippled if input.damage > 5"], [*CRIPPLED, "hopeless if input.damage > 5"], ships
        ),
        "RK321/no-last-case": _pair(
            [_when(2, "damage > 6"), _when(1, "damage < 4")],
            [_when(2, "damage > 6"), _when(1, "damage < 4"), _when(0, "damage in {4, 5, 6}")],
            ships,
        ),
        "RK501/wrong-order": _pair(
            [_when(1, "damage > 3"), "else := 2 if input.damage > 6", "else := 0"],
            [_when(2, "damage > 6"), "else := 1 if input.damage > 3", "else := 0"],
            ships,
        ),
        "RK502/contradiction": _pair(
            [*DENIED, "deny if { input.damage > 5; input.damage < 3 }"],
            [*DENIED, "deny if input.damage > 5"],
            ships,
        ),
        "RK503/the-clause-denied": _pair(
            [*DENIED, *HURT, "excepted if not input.night"],
            [*DENIED, *HURT, "excepted if input.damage > 8"],
            ships,
        ),
        "RK510/bans-that-only-together-leave-nothing": _pair(
            [*LEGAL, "unseen(s) if { input.hidden[s]; input.damage[s] < 6 }"],
            [*LEGAL, "unseen(s) if s > 1"],
            [fleet for fleet in fleets if 0 in fleet["damage"]],
        ),
        "RK705/odds-against-nobody": _pair(
            ["answer := 3 / input.damage"],
            ["answer := 3 / input.damage if input.damage > 0", _when(0, "damage == 0")],
            ships,
        ),
    }


def _when(value: int, test: str) -> str:
    return f"answer := {value} if input.{test}"


def _pair(faulty: list[str], twin: list[str], inputs: list[Input]) -> Pair:
    return Pair(lambda: _asked("\n".join(faulty), inputs), lambda: _asked("\n".join(twin), inputs))


def _asked(rules: str, inputs: Iterable[Input]) -> Said:
    """What is told of a module when it is loaded, and when `answer` is asked of every input."""
    from regopy import Interpreter, RegoError

    def load() -> Ask:
        rego = Interpreter()
        try:
            rego.add_module("rules", HEAD + rules)
        except RegoError as error:
            raise Complaint(error) from error

        def ask(given: Mapping[str, Any]) -> str:
            rego.set_input(given)
            try:
                answer = rego.query("data.rules.answer")
            except RegoError as error:
                raise Complaint(error) from error
            except json.JSONDecodeError as error:  # errors of the compiler come as no JSON
                raise Complaint(*_MESSAGE.findall(error.doc) or [error.doc]) from error
            if not answer.ok():
                raise Complaint("conflicting values of one rule")
            if str(answer) == "undefined":
                return f"undefined for {json.dumps(given)}"
            return f"an empty set for {json.dumps(given)}" if "[[]]" in str(answer) else ""

        return ask

    return asked(load, inputs)
