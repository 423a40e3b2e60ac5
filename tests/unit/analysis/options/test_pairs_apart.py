"""Pairs of options that a third may hide: where the check looks for them, and that it finds each."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest

from rulekit.analysis.check import check
from rulekit.base.source import Span
from rulekit.diagnostics import kinds
from tests.unit.analysis.options.sets import BASE, made
from tests.unit.cli.running import environment

GROUPS = """
import json, sys
from pathlib import Path
from rulekit.compiler.incremental import Workspace
from rulekit.compiler.options.combinations import RuleOptions
from rulekit.compiler.options.third_parties import groups_apart
from rulekit.diagnostics import Report
from rulekit.ruleset import read_manifest
from rulekit.ruleset.folder import read_rule_set

work, folder = Workspace(), Path(sys.argv[1])
manifest = read_manifest(folder, Report())
rules = read_rule_set(folder, (), (), Report(), work)
base = [item for source in rules.sources for item in work.parse(source, Report()).items]
options = RuleOptions(manifest, base, work.parse, Report())
print(json.dumps([sorted(group) for group in groups_apart(options)[0]]))
"""


def groups(folder: Path, hash_seed: int) -> list[list[str]]:
    """The groups of a set, as a process with this hash seed lists them."""
    done = subprocess.run(
        [sys.executable, "-c", GROUPS, folder],
        capture_output=True,
        text=True,
        env=environment(PYTHONHASHSEED=str(hash_seed)),
    )
    assert 0 == done.returncode, done.stderr
    found: list[list[str]] = json.loads(done.stdout)
    return found


def test_the_order_of_groups_is_the_same_with_every_hash_seed(tmp_path: Path) -> None:
    """One option changes five values that five others change; a third one gives each pair its order."""
    numbers = range(5)
    changes = "".join(f"    set value v{number} to 1\n" for number in numbers)
    lower = [f"one{number}" for number in numbers]
    options = {
        "all": f"option all:\n    over third\n{changes}",
        "third": f"option third:\n    over {', '.join(lower)}\n    set value hand to 3\n",
    }
    options |= {f"one{n}": f"option one{n}:\n    set value v{n} to 2\n" for n in numbers}
    values = "".join(f"value v{number}: 0\n" for number in numbers)
    folder = made(tmp_path, options, base=values + BASE)

    listed = [groups(folder, seed) for seed in (0, 1, 2, 77)]

    assert [[["all", *lower]]] * 4 == listed


def test_a_pair_is_in_no_group_with_what_orders_it(tmp_path: Path) -> None:
    """`carl` orders two options and is one of another two, which `dora` orders; a third pair joins one."""
    options = {
        "anna": "option anna:\n    set value one to 1\n",
        "bert": "option bert:\n    over carl\n    set value one to 2\n",
        "carl": "option carl:\n    over anna\n    set value two to 1\n",
        "dora": "option dora:\n    over carl\n",
        "emil": "option emil:\n    over dora\n    set value two to 2\n    set value six to 1\n",
        "fred": "option fred:\n    over dora\n    set value six to 2\n    set value ten to 1\n",
        "gina": "option gina:\n    over hugo\n    set value ten to 2\n",
        "hugo": "option hugo:\n    over fred\n",
    }
    values = "".join(f"value {name}: 0\n" for name in ("one", "two", "six", "ten"))
    folder = made(tmp_path, options, base=values + BASE)

    assert [["anna", "bert", "fred", "gina"], ["carl", "emil"]] == groups(folder, 0)


@pytest.mark.parametrize("seed", range(5))
def test_every_two_that_clash_are_found(seed: int, tmp_path: Path) -> None:
    """Options at random, some over others, are checked together as each two of them alone."""
    draw = random.Random(seed)
    names = [f"of{number}" for number in range(7)]
    options = {}
    for number, name in enumerate(names):
        lower = draw.sample(names[:number], draw.randrange(min(number, 2) + 1))
        items = draw.sample(range(4), draw.randint(1, 2))
        options[name] = f"option {name}:\n" + (f"    over {', '.join(lower)}\n" if lower else "")
        options[name] += "".join(f"    set value v{item} to {number + 1}\n" for item in items)
    folder = made(tmp_path, options, base="".join(f"value v{item}: 0\n" for item in range(4)) + BASE)

    alone = {place for pair in combinations(names, 2) for place in clashes(folder, pair)}

    assert alone
    assert alone == clashes(folder)


def clashes(folder: Path, chosen: Iterable[str] = ()) -> set[Span]:
    """The amendments that have no order with an earlier one, with some options or with any two."""
    return {
        finding.span
        for finding in check(folder, options=chosen, remember=False).diagnostics
        if finding.kind == kinds.UNORDERED_AMENDMENTS
    }
