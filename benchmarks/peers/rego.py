"""Rego: rules with conditions; two values of one rule are an error where both conditions hold."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.peers.said import Ask, Complaint, Pair, Said, asked
from benchmarks.peers.tables import Table, tables

_MESSAGE = re.compile(r"errormsg \d+:([^()]*)")
HEAD = "package rules\nimport rego.v1\n"
Input = dict[str, Any]


def in_tables(case: str) -> Pair | None:
    """A table of the corpus: a rule a row, every combination of keys asked."""
    if case not in tables():
        return None
    faulty, twin = tables()[case]
    return Pair(lambda: _looked_up(faulty), lambda: _looked_up(twin))


def _looked_up(table: Table) -> Said:
    rules = []
    for row in table.rows:
        tests = (f"input.{key} in {{{', '.join(map(str, cell))}}}" for key, cell in zip(table.names, row.keys, strict=True))
        rules.append(f"answer := {row.result} if {{ {'; '.join(tests)} }}")
    return _asked("\n".join(rules), table.inputs())


def by_hand() -> Mapping[str, Pair]:
    """Options as further rules of one name; norms as rules that deny; a choice as the set that they leave."""
    turns = [{"turn": turn} for turn in range(1, 10)]
    ships = [{"damage": d, "night": n} for d, n in itertools.product(range(10), (False, True))]
    pairs = [{"damage": [a, b], "hidden": [c, d]} for a, b in itertools.product((0, 6), repeat=2) for c, d in itertools.product((False, True), repeat=2)]
    crippled = "crippled if input.damage > 3\n{0} if input.damage > 5\nanswer := 1 if crippled\nanswer := 0 if not crippled"
    legal = (
        "legal contains s if {{ some s in {{0, 1}}; not wreck(s); not unseen(s) }}\n"
        "wreck(s) if input.damage[s] > 5\nunseen(s) if {{ input.hidden[s]; input.damage[s] < 6 }}\nanswer := legal{0}"
    )
    deny = "deny if {{ input.damage > 3; {0} }}\nanswer := 0 if deny\nanswer := 1 if not deny"
    return {
        "RK234/two-redefine": _pair("answer := 4\nanswer := 5", "answer := 5", turns),
        "RK234/at-times": _pair(
            "answer := 4 if input.turn > 3\nanswer := 5 if input.turn > 5\nanswer := 3 if input.turn <= 3",
            "answer := 4 if input.turn < 4\nanswer := 5 if input.turn > 5\nanswer := 3 if input.turn in {4, 5}",
            turns,
        ),
        "RK236/two-set": _pair(
            "answer := 4 if input.turn > 3\nanswer := 5 if input.turn > 5\nanswer := 0 if input.turn <= 3",
            "answer := 4 if input.turn in {4, 5}\nanswer := 5 if input.turn > 5\nanswer := 0 if input.turn <= 3",
            turns,
        ),
        "RK314/in-a-circle": _pair(
            "supplied(p) if { input.open[p]; reached(p) }\nreached(p) if { some q in {0, 1}; supplied(q) }\n"
            "answer := 1 if supplied(0)",
            "supplied(p) if { input.open[p]; reached(p) }\nreached(p) if { some q in {0, 1}; input.open[q] }\n"
            "answer := 1 if supplied(0)",
            [{"open": [True, True]}],
        ),
        "RK210/never-defined": _pair("answer := 1 if carrier(input.damage)", "carrier(n) if n >= 0\nanswer := 1 if carrier(input.damage)", ships),
        "RK201/two-meanings": _pair(crippled.format("crippled"), crippled.format("hopeless"), ships),
        "RK321/no-last-case": _pair(
            "answer := 2 if input.damage > 6\nanswer := 1 if input.damage < 4",
            "answer := 2 if input.damage > 6\nanswer := 1 if input.damage < 4\nanswer := 0 if input.damage in {4, 5, 6}",
            ships,
        ),
        "RK501/wrong-order": _pair(
            "answer := 1 if input.damage > 3\nelse := 2 if input.damage > 6\nelse := 0",
            "answer := 2 if input.damage > 6\nelse := 1 if input.damage > 3\nelse := 0",
            ships,
        ),
        "RK502/contradiction": _pair(deny.format("input.damage < 3"), deny.format("input.damage < 6"), ships),
        "RK503/the-clause-denied": _pair(
            deny.format("input.night; not excepted") + "\nexcepted if not input.night",
            deny.format("input.night; not excepted") + "\nexcepted if input.damage > 8",
            ships,
        ),
        "RK510/bans-that-only-together-leave-nothing": _pair(
            legal.format(""), legal.format(" if input.damage[0] < 6"), pairs
        ),
        "RK705/odds-against-nobody": _pair(
            "answer := 3 / input.damage",
            "answer := 3 / input.damage if input.damage > 0\nanswer := 0 if input.damage = 0",
            ships,
        ),
    }  # fmt: skip


def _pair(faulty: str, twin: str, inputs: list[Input]) -> Pair:
    return Pair(lambda: _asked(faulty, inputs), lambda: _asked(twin, inputs))


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
