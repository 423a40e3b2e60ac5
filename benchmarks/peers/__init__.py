"""What other systems say of the seeded faults that they can express.

Each peer runs in a process of its own (their libraries do not all bear one another), and only if it is
installed: `pip install "rulekit[peers]"`.  Tables of the corpus are translated for those that have tables;
everything else was written for a peer by hand, the faulty version and the twin.  A peer gets the rules; then,
what a check by rulekit does without, it is asked about inputs from everywhere in what is declared.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from benchmarks.peers.said import Heard, Pair, Said
from benchmarks.peers.tables import Table, tables

PEERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "z3 by hand": ("solver", ("z3-solver",)),
    "cDMN": ("constraint_dmn", ("cdmn", "idp-engine")),
    "Rego": ("rego", ("regopy",)),
    "OpenFisca": ("open_fisca", ("openfisca-core",)),
    "Cedar": ("cedar", ("cedarpy",)),
    "ZEN": ("zen_engine", ("zen-engine",)),
}
"""The module here that speaks to each peer, and its distributions."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a peer says of a case and of its twin."""

    faulty: Said
    twin: Said


def installed(peer: str) -> str:
    """The versions of a peer's distributions; empty where one is not there."""
    try:
        return ", ".join(f"{name} {version(name)}" for name in PEERS[peer][1])
    except PackageNotFoundError:
        return ""


def expressed(peer: str) -> dict[str, Pair]:
    """The cases that a peer can say."""
    module = importlib.import_module(f"benchmarks.peers.{PEERS[peer][0]}")
    in_table: Callable[[Table], Said] | None = getattr(module, "in_table", None)
    if in_table is None:
        return dict(module.by_hand())
    found = {case: Pair(*(partial(in_table, table) for table in pair)) for case, pair in tables().items()}
    return {**found, **module.by_hand()}


def heard(peer: str) -> dict[str, Answer]:
    """What a peer says of all that it can express, found out in a process of its own."""
    run = [sys.executable, "-m", "benchmarks.peers", "--speak", peer]
    made = subprocess.run(run, capture_output=True, text=True, check=True)
    found = json.loads(made.stdout)
    return {
        case: Answer(*(Said(Heard(said["heard"]), said["words"]) for said in pair))
        for case, pair in found.items()
    }


def speak(peer: str) -> None:
    """Print what `heard` reads."""
    found = {
        case: [{"heard": said.heard.value, "words": said.words} for said in (pair.faulty(), pair.twin())]
        for case, pair in expressed(peer).items()
    }
    print(json.dumps(found))
