"""Every way of amending beside every other of its family: nothing of an author is lost without a finding."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Final

import pytest

from rulekit.analysis.check import check
from rulekit.compiler.amend import _ONE_BY_ONE, _TAKES, _TOGETHER
from rulekit.compiler.amend.resolve_address import AddressResolver
from rulekit.compiler.amend.tables import with_own_rows
from rulekit.compiler.amend.targets import PartIndex
from rulekit.diagnostics import Report
from tests.unit.analysis.options.matrix.bench import NOT_PLAYED, Bench
from tests.unit.analysis.options.matrix.known import ORDERED, OUTWEIGHED
from tests.unit.analysis.options.matrix.oracle import Row, Verdict, judge, keeps_relation
from tests.unit.analysis.options.matrix.ways import CROSSING, FAMILIES, WAY, WAYS, Way
from tests.unit.cli.running import ROOT

SAMPLE: Final = 40
RELATED: Final = 100
Pair = tuple[Way, Way]


def pairs(family: str = "") -> Iterator[Pair]:
    """Yield the pairs of the matrix: of one family, and of what a way takes with what no longer has a use."""
    for one, two in combinations_with_replacement(WAYS, 2):
        crosses = two.family == "crossing" and one.family in CROSSING[two.name]
        if (one.family == two.family or crosses) and family in ("", one.family):
            yield one, two


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A rule set that all tests of this module share."""
    return Bench(tmp_path_factory.mktemp("matrix") / "game")


def verdict_of(bench: Bench, one: Way, two: Way) -> Row:
    """Judge a pair; what a stated rule explains is no hole."""
    row = judge(bench, one, two)
    by_name = row.verdict is Verdict.NAMES and frozenset((one.name, two.name)) in ORDERED
    if by_name or (row.verdict is Verdict.DROPPED and is_outweighed(one, two)):
        return Row(row.one, row.two, Verdict.OUTWEIGHED, row.codes)
    return row


def is_outweighed(one: Way, two: Way) -> bool:
    """True if a stated rule lets one effect hide the other."""
    return any(frozenset((one.name, two.name)) in known.pairs for known in OUTWEIGHED)


def unexpected(bench: Bench, chosen: Iterable[Pair]) -> tuple[list[str], Counter[str]]:
    """Return the pairs whose verdict is not the known one, and the number of pairs of each verdict."""
    lines, counts = [], Counter[str]()
    for one, two in chosen:
        row = verdict_of(bench, one, two)
        counts[row.verdict.value] += 1
        if row.verdict.is_hole:
            lines.append(f"{one.name} | {two.name}: {row.verdict.name} {' '.join(row.codes)}")
    return lines, counts


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_no_pair_loses_an_effect_without_a_finding(bench: Bench, family: str) -> None:
    """The whole matrix."""
    lines, counts = unexpected(bench, pairs(family))

    print(family, dict(counts))
    assert [] == lines


def broken_relations(bench: Bench, chosen: Iterable[Pair]) -> list[str]:
    """Return the pairs, either way round, of which one says `over` or `with` and play does not keep it."""
    return [
        f"{one.name} {word} {two.name}"
        for pair in chosen
        for one, two in dict.fromkeys((pair, pair[::-1]))
        for word in ("over", "with")
        if not is_outweighed(one, two) and not keeps_relation(bench, one, two, word)
    ]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("remove modifier", "shoot without a roll"),
        ("new modifier", "shoot without a roll"),
        ("modifier on define", "count nothing up"),
        ("set let used by let", "set let used by verb"),
        ("rows for an extern table", "count nothing up"),
        ("set another cell", "no shot"),
    ],
)
def test_a_change_of_what_has_no_use_is_reported(bench: Bench, one: str, two: str) -> None:
    """Modifiers of what is no longer rolled or read, `let`s that nothing reads, rows no look-up asks for."""
    assert ("RK240",) == verdict_of(bench, WAY[one], WAY[two]).codes


@pytest.mark.slow
def test_relations_are_kept_or_reported(bench: Bench) -> None:
    """What says `over` has its effect, and what says `with` loses nothing; else the check reports it."""
    assert [] == broken_relations(bench, random.Random(13).sample(list(pairs()), RELATED))


def test_a_sample_of_relations_is_kept_or_reported(bench: Bench) -> None:
    """A few pairs, both ways round."""
    assert [] == broken_relations(bench, random.Random(14).sample(list(pairs()), 4))


def test_a_sample_of_pairs_loses_no_effect_without_a_finding(bench: Bench) -> None:
    """Pairs of all families, chosen by lot."""
    sample = random.Random(13).sample(list(pairs()), SAMPLE)

    assert [] == unexpected(bench, sample)[0]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("replace procedure", "insert before step"),
        ("require number", "forbid number"),
        ("ask without a choice", "forbid number"),
        ("insert before step", "insert after step"),
    ],
)
def test_the_bench_finds_what_a_check_finds(bench: Bench, tmp_path: Path, one: str, two: str) -> None:
    """What the shared workspace reports of a pair is what a check of a set with these two options reports."""
    texts = WAY[one].option("ann", 1), WAY[two].option("bob", 2)
    fresh = Bench(tmp_path / "game")
    fresh.write(*texts)
    bench.write(*texts)

    whole = check(tmp_path / "game", remember=False).diagnostics

    assert {(finding.kind.code, finding.message) for finding in whole} == {
        (finding.kind.code, finding.message) for finding in bench.check()
    }


def lines_of(bench: Bench, way: Way) -> set[tuple[str, str, str]]:
    """Return what a way amends: the word for it, the operation, and each sort of line it has."""
    bench.write(way.option("ann", 1))
    compiled = bench.compiled("ann")
    declared = with_own_rows(compiled.declared)
    resolver = AddressResolver(declared, PartIndex(declared), "ann", Report())
    parts = {part for takes in _TAKES.values() for part in takes}
    kinds: set[tuple[str, str, str]] = set()
    for amendment in declared.variants["ann"].amendments:
        target = resolver.find(amendment)
        assert target is not None
        present = {part for part in parts if getattr(amendment, part)} or {""}
        kinds |= {(target.word, amendment.op, part) for part in present}
    return kinds


def test_every_amendment_that_the_compiler_knows_has_a_way(bench: Bench) -> None:
    """A new word, operation or sort of line cannot come without a row of the matrix."""
    covered = set().union(*(lines_of(bench, way) for way in WAYS))

    taken = {(word, op, part) for (word, op), parts in _TAKES.items() for part in parts}
    assert set() == taken - covered
    assert set() == {*_ONE_BY_ONE, *_TOGETHER} - {word for word, _, _ in covered}


def test_every_amendment_of_the_specification_has_a_way() -> None:
    """Each amendment in the table of 11.4 is made by some way, but for words that mean the same there."""
    spec = (ROOT / "docs" / "spec" / "11-amendments.md").read_text()
    table = spec.partition("| amendment | effect |")[2].partition("\n\n")[0]
    forms = {
        form
        for row in table.splitlines()
        for code in re.findall(r"`([^`]+)`", row.partition(" | ")[0])
        for form in re.findall(r"^(add to|replace|remove|set|redefine|insert \w+|widen) (\w+)", code)
    }
    texts = "\n".join(way.text for way in WAYS)

    assert [] == sorted(
        " ".join(form) for form in forms if form[1] not in ("N", "track") and " ".join(form) not in texts
    )


def test_every_stated_rule_speaks_of_ways_that_exist() -> None:
    """Names in the tables of what is known are names of ways."""
    named = {name for known in OUTWEIGHED for name in known.these | known.those}

    assert set() == {*named, *CROSSING} - WAY.keys()


@pytest.mark.slow
def test_every_way_compiles_alone(bench: Bench) -> None:
    """No way is refused by itself, so that what both cause is of the pair."""
    refused = []
    for way in WAYS:
        for copy in (1, 2):
            bench.write(way.option("ann", copy))
            if bench.play("ann") == NOT_PLAYED:
                refused.append((way.name, copy))

    assert [] == refused


def test_a_preset_of_two_that_clash_is_named(tmp_path: Path) -> None:
    """The finding of a pair has the preset that chooses both as a label."""
    bench = Bench(tmp_path / "game", "presets: {both: [ann, bob]}\n")
    bench.write(WAY["replace procedure"].option("ann", 1), WAY["insert before step"].option("bob", 2))

    (finding,) = (finding for finding in bench.check() if finding.kind.code == "RK234")

    assert "preset `both` has both" in [label.text for label in finding.labels]
