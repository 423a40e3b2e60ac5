"""Pairs of options that a third may hide: the check lists them in one order in every process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from rulekit.compiler.options.third_parties import MOST_APART
from tests.unit.analysis.options.sets import BASE, made
from tests.unit.cli.running import environment

PAIRS = """
import json, sys
from pathlib import Path
from rulekit.compiler.incremental import Workspace
from rulekit.compiler.options.combinations import RuleOptions
from rulekit.compiler.options.third_parties import pairs_apart
from rulekit.diagnostics import Report
from rulekit.ruleset import read_manifest
from rulekit.ruleset.folder import read_rule_set

work, folder = Workspace(), Path(sys.argv[1])
manifest = read_manifest(folder, Report())
rules = read_rule_set(folder, (), (), Report(), work)
base = [item for source in rules.sources for item in work.parse(source, Report()).items]
options = RuleOptions(manifest, base, work.parse, Report())
print(json.dumps([sorted(group) for group in pairs_apart(options)]))
"""


def pairs(folder: Path, hash_seed: int) -> list[list[str]]:
    """The pairs of a set, as a process with this hash seed lists them."""
    done = subprocess.run(
        [sys.executable, "-c", PAIRS, folder],
        capture_output=True,
        text=True,
        env=environment(PYTHONHASHSEED=str(hash_seed)),
    )
    assert 0 == done.returncode, done.stderr
    found: list[list[str]] = json.loads(done.stdout)
    return found


def test_the_order_of_pairs_is_the_same_with_every_hash_seed(tmp_path: Path) -> None:
    """One option changes five values that five others change; a third one gives each pair its order."""
    assert 5 < MOST_APART, "else the order would decide which pairs are looked at"
    numbers = range(5)
    changes = "".join(f"    set value v{number} to 1\n" for number in numbers)
    lower = ", ".join(f"one{number}" for number in numbers)
    options = {
        "all": f"option all:\n    over third\n{changes}",
        "third": f"option third:\n    over {lower}\n    set value hand to 3\n",
    }
    options |= {f"one{n}": f"option one{n}:\n    set value v{n} to 2\n" for n in numbers}
    values = "".join(f"value v{number}: 0\n" for number in numbers)
    folder = made(tmp_path, options, base=values + BASE)

    listed = [pairs(folder, seed) for seed in (0, 1, 2, 77)]

    assert [[["all", f"one{number}"] for number in numbers]] * 4 == listed
