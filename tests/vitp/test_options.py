"""Optional rules and adjustments: alone, in pairs that meet, together, and whatever they are called."""

from __future__ import annotations

import random
import re
import shutil
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from rulekit.analysis.compile import compile_without_clashes
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Report, RulesError, Severity
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import NONE
from rulekit.ruleset import read_text
from rulekit.runtime.codegen.assemble import generate as assembled
from rulekit.runtime.machine.simulate import Outcome, run_direct
from rulekit.runtime.play.examples import Examples
from rulekit.runtime.support.build import Build
from rulekit.syntax.parse import parse
from rulekit.syntax.tree.items import Example, Item, Variant
from rulekit.syntax.tree.walk import citations
from tests.rule_sets import workspace_of
from tests.vitp.test_citations import LATER, printed
from tests.vitp.test_games import ALLIES, JAPAN, any_option

FOLDER = Path(__file__).parents[2] / "rules" / "vitp"
OPTIONS = tuple(sorted(path.stem for path in (FOLDER / "options").glob("*.rules")))
EXCLUDED = frozenset({frozenset({"cpo-withdrawal", "individual-withdrawal"})})
"""What cannot be chosen together: the second takes back what the first gives (minor.2b:3)."""

PRESETS = ("adjustments", "as-printed", "offsetting", "optional-rules", "suggested")
INVARIANTS = Build(invariants=True)
COMBINATIONS, SEEDS = 60, 8


def combined(*options: str, report: Report) -> Compiled:
    """The rule set with these options, compiled as a check of all options does."""
    return compile_without_clashes(FOLDER, report, options=options, workspace=workspace_of(FOLDER))


@cache
def compiled(*options: str) -> Compiled:
    """The same, once for each choice of options."""
    return combined(*options, report=Report())


def game(made: Compiled, seed: int, build: Build = INVARIANTS) -> Outcome:
    """A whole game at random."""
    return run_direct(made.program, "dec_1941", any_option(seed), seed, build=build)


def failures(made: Compiled, wanted: str = "") -> list[str]:
    """Examples that do not hold, of those in files whose path ends so."""
    runner = Examples(made.program)
    results = [
        runner.run(each)
        for each in made.program.examples
        if made.program.sites[each.site].file.endswith(wanted)
    ]
    assert results
    return [f"{result.name}: {result.reason}" for result in results if not result.passed]


def warnings(report: Report) -> list[str]:
    """All findings but notes."""
    return [str(each) for each in report if each.kind.severity is not Severity.NOTE]


def ending(made: Compiled, seed: int) -> dict[tuple[str, str], object]:
    """How a game ends: every value, by names."""
    cells = game(made, seed).cells
    naming = Naming(made.program)
    slots = assembled(made.program, INVARIANTS).layout.slots.values()
    return {
        (each.state.name, str(naming.keys(each.state.keys[: len(keys)], keys))): cells[address]
        if each.bits is not None
        else naming.to_json(each.state.type, cells[address])
        for each in slots
        for keys, address in each.each()
    }


def named_with(example: Example) -> set[str]:
    """The options that an example says must be chosen."""
    return {each.name.text.replace("_", "-") for each in example.given if each.kind == "with" and each.name}


def items(option: str) -> tuple[Item, ...]:
    """What an option's file holds."""
    source = read_text(FOLDER, f"options/{option}.rules", Report())
    assert source is not None
    return parse(source, Report()).items


def amended(option: str) -> set[str]:
    """What an option amends, by its address."""
    return {
        " ".join([address.word, *(each.text for each in (address.name, address.of_name) if each)])
        + str(address.cite.ids if address.cite else "")
        for item in items(option)
        if isinstance(item, Variant)
        for address in (each.address for each in item.amendments)
    }


def pairs() -> dict[tuple[str, ...], set[str]]:
    """By pair of options the titles of the examples that are for both."""
    found: dict[tuple[str, ...], set[str]] = {}
    for option in OPTIONS:
        for item in items(option):
            if isinstance(item, Example) and (others := named_with(item)):
                found.setdefault(tuple(sorted({option, *others})), set()).add(item.title)
    return found


def legal(options: frozenset[str]) -> bool:
    """Whether no two of these exclude one another."""
    return not any(pair <= options for pair in EXCLUDED)


def sampled(number: int) -> list[tuple[str, ...]]:
    """Legal combinations of two options and more, no two alike, among them all options that go together."""
    dice = random.Random(23)
    found = {tuple(each for each in OPTIONS if each != out) for pair in EXCLUDED for out in pair}
    while len(found) < number:
        drawn = frozenset(dice.sample(OPTIONS, dice.randint(2, len(OPTIONS) - 1)))
        if legal(drawn):
            found.add(tuple(sorted(drawn)))
    return sorted(found)


# -- alone


def test_the_manifest_names_every_file() -> None:
    """The options are those in the folder, the presets those that are played below."""
    manifest = compiled().rule_set.manifest

    assert OPTIONS == tuple(sorted(option.name for option in manifest.options))
    assert set(PRESETS) == set(manifest.presets)


def test_options_that_are_off_leave_no_trace(tmp_path: Path) -> None:
    """The game without options is the same program whether their files are there or not."""
    folder = tmp_path / "vitp"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("options"))
    list_options(folder, [])
    whole, bare = (compile_without_clashes(each, Report()).program for each in (FOLDER, folder))

    assert replace(whole, source_hash=bare.source_hash) == bare


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_alone(option: str) -> None:
    """It compiles without a warning, its examples hold, and games at random end with all invariants kept."""
    report = Report()
    made = combined(option, report=report)

    assert [] == warnings(report)
    assert len(made.program.examples) >= 2
    assert [] == failures(made)
    assert {JAPAN, ALLIES, NONE} >= {game(made, seed).result for seed in range(3)}


def test_every_printed_rule_is_cited_or_excused() -> None:
    """Options cite all of sections 19 to 23 and of the adjustments, but for what is excused with a reason."""
    cited: set[str] = set()
    for option in OPTIONS:
        rules = tuple(item for item in items(option) if not isinstance(item, Example))
        cited |= {f"VITP.{each}" for cite in citations(rules) for each in cite.ids}
    wanted = {each for each in printed(compiled()) if LATER.match(each)}
    excused = {excuse.what for excuse in compiled().rule_set.manifest.not_encodable}

    assert [] == sorted(wanted - cited - excused)
    assert [] == sorted(cited - printed(compiled()))


# -- together


@pytest.mark.parametrize("pair", sorted(pairs()), ids="+".join)
def test_a_pair_that_meets(pair: tuple[str, ...]) -> None:
    """Where two options meet at one point, examples of the pair say what comes of it."""
    made, alone = compiled(*pair), [compiled(each) for each in pair]

    assert pairs()[pair] <= {each.name for each in made.program.examples}
    assert [] == failures(made)
    assert all(pairs()[pair].isdisjoint(each.name for each in one.program.examples) for one in alone)


def test_pairs_that_amend_one_thing_have_examples() -> None:
    """Pairs that reach the same thing by the same address are all among those above."""
    meeting = {f"{one}+{other}" for one, other in combinations(OPTIONS, 2) if amended(one) & amended(other)}

    assert meeting and meeting <= set(map("+".join, pairs()))


@pytest.mark.parametrize("pair", sorted(sorted(pair) for pair in EXCLUDED), ids="+".join)
def test_a_pair_that_does_not_go_together(pair: list[str]) -> None:
    """The one that excludes the other says so."""
    report = Report()
    with pytest.raises(RulesError):
        compile_without_clashes(FOLDER, report, options=pair)

    assert ["RK233"] == [finding.kind.code for finding in report]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_plays(preset: str) -> None:
    """What a preset stands for goes together, and no example of one option fails beside the others."""
    assert [] == failures(compiled(preset))
    assert game(compiled(preset), 1).result in (JAPAN, ALLIES, NONE)


@pytest.mark.slow
def test_all_pairs_are_legal_but_those() -> None:
    """Every pair compiles without a warning, and the examples of both hold; or it is excluded."""
    for pair in combinations(OPTIONS, 2):
        report = Report()
        if legal(frozenset(pair)):
            made = combined(*pair, report=report)
            assert [] == warnings(report), pair
            assert [] == failures(made), pair


@pytest.mark.slow
@pytest.mark.parametrize("quarter", range(4))
def test_combinations_play(quarter: int) -> None:
    """Games with many options end, and all invariants hold."""
    for options in sampled(COMBINATIONS)[quarter::4]:
        made = combined(*options, report=Report())
        for seed in range(SEEDS):
            assert game(made, seed).result in (JAPAN, ALLIES, NONE), options


# -- whatever they are called


def renamed(folder: Path, dice: random.Random) -> dict[str, str]:
    """Call every option otherwise, wherever it is named, and the files of the base too; the new names."""
    parts = sorted(folder.glob("*.rules"))
    for number, path in zip(dice.sample(range(100), len(parts)), parts, strict=True):
        path.rename(folder / f"part-{number:02}.rules")
    new = [f"option-{letter * 3}" for letter in "abcdefghijklmnopqrstuvwxyz"[: len(OPTIONS)]]
    dice.shuffle(new)
    names = dict(zip(OPTIONS, new, strict=True))
    inner = {old.replace("-", "_"): name.replace("-", "_") for old, name in names.items()}

    def relation(line: re.Match[str]) -> str:
        return line[1] + re.sub(r"\w+", lambda word: inner.get(word[0], word[0]), line[2])

    for old, name in names.items():
        path = folder / "options" / f"{old}.rules"
        named = r"(?m)^(option |    (?:over|needs|excludes|with|given with|given without) )([\w, ]+)"
        text = re.sub(named, relation, path.read_text("utf-8"))
        path.unlink()
        (folder / "options" / f"{name}.rules").write_text(text, encoding="utf-8")
    list_options(folder, sorted(new))
    return names


def list_options(folder: Path, options: list[str]) -> None:
    """Write a manifest with these options and without presets."""
    manifest = folder / "ruleset.yaml"
    text = manifest.read_text("utf-8")
    before, after = text[: text.index("\noptions:")], text[text.index("\nnot_encodable:") :]
    manifest.write_text(f"{before}\noptions: [{', '.join(options)}]{after}", encoding="utf-8")


@pytest.mark.parametrize("seed", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in range(1, 12))])
def test_order_and_names_decide_nothing(seed: int, tmp_path: Path) -> None:
    """Options given in another order are the same program; under other names they play the same games."""
    dice = random.Random(seed)
    chosen = list(sampled(COMBINATIONS)[seed])
    made = compile_without_clashes(FOLDER, Report(), options=chosen)
    dice.shuffle(chosen)
    folder = tmp_path / "vitp"
    shutil.copytree(FOLDER, folder)
    names = renamed(folder, dice)
    other = compile_without_clashes(folder, Report(), options=[names[each] for each in chosen])

    assert made.program == compile_without_clashes(FOLDER, Report(), options=chosen).program
    for number in range(3):
        assert ending(made, number) == ending(other, number)
