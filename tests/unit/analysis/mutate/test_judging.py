"""What becomes of mutants, and what is remembered of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from rulekit.analysis.mutate import (
    BrokenExamples,
    Mutant,
    MutantFate,
    OutOfTime,
    choose_mutants,
    mutants,
    run,
    running,
    score,
)
from rulekit.analysis.mutate.generate import by_lot
from rulekit.analysis.mutate.judge import Judge
from rulekit.analysis.mutate.mutant import Score
from rulekit.testing import RULES
from tests.unit.analysis.mutate.helpers import of_text, verdicts, written

TEXT = """state hits(side): 0..20
roll fire: d6                                           [1]
define stays(side) -> flag: hits(side) < 3              [2]
procedure shoot(side):                                  [1]
    roll fire as die
    when die > 4 and stays(side): add 2 to hits(side)
procedure mend(side):
    set hits(side) to 0
example "a five hits":                                  [1]
    when do shoot(Red)
    dice fire: 5
    then hits(Red) = 2
example "a four misses":                                [1]
    when do shoot(Red)
    dice fire: 4
    then hits(Red) = 0
example "with two hits one stays":                      [2]
    given hits(Red) = 2
    then Red is stays
"""


def test_an_example_notices_what_comes_out_otherwise(tmp_path: Path) -> None:
    """It is named, with what fails in it."""
    found = verdicts(written(TEXT, tmp_path))

    verdict = found["add 2 to hits(side)", "(left out)"]

    assert "noticed" == verdict.fate
    assert "a five hits" == verdict.by
    assert "condition 1 of `then` does not hold" in verdict.reason


def test_an_example_may_begin_as_another(tmp_path: Path) -> None:
    """What the other gives holds in it, with a mutant and without."""
    text = TEXT.replace("hits(Red) = 2\n    then Red is stays", "hits(Red) = 2\n    then hits(Red) = 2")
    more = """example "with three none does":                        [2]
    given example "with two hits one stays"
    when add 1 to hits(Red)
    then Red is not stays
"""
    found = verdicts(written(text + more, tmp_path))

    assert "with three none does" == found["3", "4"].by


def test_what_no_example_comes_to_survives(tmp_path: Path) -> None:
    """So does what those that come to it do not tell apart; they are named."""
    found = verdicts(written(TEXT, tmp_path))

    assert ("survived", ()) == (found["0", "1"].fate, found["0", "1"].unaware)
    edge = found["hits(side) < 3", "hits(side) <= 3"]
    assert "survived" == edge.fate
    assert {"a five hits", "with two hits one stays"} <= set(edge.unaware)


def test_what_is_no_rule_set_any_more_does_not_count(tmp_path: Path) -> None:
    """The compiler refuses it."""
    text = TEXT + "table worth(roll: 1..2) -> 0..2:\n    | roll | n |\n    | 1    | 0 |\n    | 2    | 2 |\n"
    found = verdicts(written(text, tmp_path))

    assert "refused" == found["2", "3"].fate
    assert "survived" == found["2", "1"].fate


def test_what_no_state_tells_from_what_was_there_is_the_same(tmp_path: Path) -> None:
    """A number cannot be beyond its range: one more or less at the bound of a comparison is nothing."""
    text = TEXT + "define any(side) -> flag: hits(side) < 25\n"
    found = verdicts(written(text, tmp_path))

    assert "same" == found["hits(side) < 25", "hits(side) <= 25"].fate
    assert "same" == found["25", "24"].fate
    assert "survived" == found["hits(side) < 25", "hits(side) > 25"].fate


def test_what_does_nothing_is_the_same_without_it(tmp_path: Path) -> None:
    """A `return` at the end, a procedure with nothing else in it, and the step that runs it."""
    text = """state turn: 0..9
procedure hook(n: 0..9):
    return
procedure go:
    step before: do hook(turn)
    set turn to 3
    do hook(3)
    when turn > 5:
        set turn to 4
        return
example "go":
    when do go
    then turn = 3
"""
    found = verdicts(written(text, tmp_path))

    assert "same" == found["step before: do hook(turn)", "(left out)"].fate
    assert "same" == found["do hook(turn)", "(left out)"].fate
    assert "same" == found["do hook(3)", "(left out)"].fate
    assert "same" == found["return", "(left out)"].fate
    assert "survived" == found["set turn to 4", "(left out)"].fate


def test_a_clause_of_a_modifier_is_noticed_where_the_modifier_is(tmp_path: Path) -> None:
    """What explains a roll stands at the same place, and never runs."""
    text = TEXT + (
        "modifier close on roll fire: +1 when hits(Blue) = 1\n"
        'example "a four hits who is close":\n'
        "    given hits(Blue) = 1\n    when do shoot(Red)\n    dice fire: 4\n    then hits(Red) = 2\n"
    )
    found = verdicts(written(text, tmp_path))

    assert "noticed" == found["when hits(Blue) = 1", "(left out)"].fate
    assert "noticed" == found["hits(Blue) = 1", "not (hits(Blue) = 1)"].fate


def test_an_endless_loop_is_noticed(tmp_path: Path) -> None:
    """An example has a budget, which is some times what it takes with the rules as they are."""
    text = """state turn: 0..9
procedure wait:
    repeat while turn < 4: add 1 to turn
example "four turns":
    when do wait
    then turn = 4
"""
    verdict = verdicts(written(text, tmp_path))["add 1 to turn", "(left out)"]

    assert "noticed" == verdict.fate


def test_games_notice_what_breaks_an_invariant(tmp_path: Path) -> None:
    """No example comes to it, but play does."""
    text = """state turn: 0..9
invariant short: turn <= 3
sequence play:
    repeat 3 times: add 1 to turn
    finish
"""
    verdict = verdicts(written(text, tmp_path, "sequence: play\n"))["3", "4"]

    assert ("noticed", "a game with seed 1") == (verdict.fate, verdict.by)
    assert "broken-invariant" in verdict.reason


def test_games_notice_that_they_do_not_end(tmp_path: Path) -> None:
    """One that takes many times the answers that it takes with the rules as they are has no end."""
    text = """state turn: 0..9
choice go by Red:
    decide
sequence play:
    repeat until turn = 3, at most 100000 times:
        choose go
        add 1 to turn
    finish
"""
    verdict = verdicts(written(text, tmp_path, "sequence: play\n"))["add 1 to turn", "(left out)"]

    assert ("noticed", "a game with seed 1") == (verdict.fate, verdict.by)
    assert "does not end within 115 answers" in verdict.reason


def test_examples_that_fail_already_are_no_measure(tmp_path: Path) -> None:
    """Nothing is tried."""
    text = TEXT + 'example "wrong":\n    then hits(Red) = 7\n'

    with pytest.raises(BrokenExamples, match="wrong"):
        verdicts(written(text, tmp_path))


def test_verdicts_are_remembered_until_something_they_depend_on_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new example makes those be tried again that it comes to, and no others."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    rules = tmp_path / "rules"
    rules.mkdir()
    first = verdicts(written(TEXT, rules), remember=True)
    tried: list[str] = []

    judge = Judge.judge

    def noted(self: Judge, mutant: Mutant) -> MutantFate:
        tried.append(mutant.was)
        return judge(self, mutant)

    monkeypatch.setattr(Judge, "judge", noted)
    again = verdicts(written(TEXT, rules), remember=True)
    assert (first, []) == (again, tried)

    more = 'example "rest":\n    given hits(Red) = 2\n    when do mend(Red)\n    then hits(Red) = 0\n'
    third = verdicts(written(TEXT + more, rules), remember=True)

    assert {"0", "set hits(side) to 0"} == set(tried)
    assert "noticed" == third["0", "1"].fate


def test_what_rulekit_trips_over_is_refused_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One mutant more or less is no reason to stop."""

    def trip(self: Judge, mutant: Mutant) -> MutantFate:
        raise AssertionError("not so")

    monkeypatch.setattr(Judge, "_judge", trip)

    found = verdicts(written(TEXT, tmp_path))

    assert {("refused", "internal: AssertionError: not so")} == {(v.fate, v.reason) for v in found.values()}


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    """Each compiles the set for itself."""
    compiled = written(TEXT, tmp_path)

    assert verdicts(compiled) == verdicts(compiled, jobs=2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_more_are_judged_when_the_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    """The verdict that is there then is the last; the mutants tried are drawn, not the first."""
    compiled = written(TEXT, tmp_path)
    every = list(mutants(compiled.declared, compiled.rule_set.sources))
    clock = iter(range(0, 1000, 100))
    monkeypatch.setattr(running, "time", SimpleNamespace(process_time=lambda: next(clock)))

    found = list(run(compiled, every, jobs=jobs, remember=False, seconds=250))

    assert [each.id for each in by_lot(every)[:3]] == [each.mutant.id for each in found]
    assert [each.id for each in every[:3]] != [each.mutant.id for each in found]


def test_examples_may_take_all_the_time(tmp_path: Path) -> None:
    """Then no mutant is judged."""
    with pytest.raises(OutOfTime):
        list(run(written(TEXT, tmp_path), of_text(TEXT), remember=False, seconds=0))


def test_a_sample_is_the_same_again_and_survives_edits() -> None:
    """Which are drawn depends on the seed and on the mutants' ids."""
    every = of_text(TEXT)

    some = choose_mutants(every, sample=5)

    assert 5 == len(some) and some == choose_mutants(every, sample=5)
    assert some != choose_mutants(every, sample=5, seed="other")
    more = of_text(TEXT + "state unused: 0..9\n")
    assert [each.id for each in some] == [each.id for each in choose_mutants(more, sample=5)]


def test_mutants_are_chosen_by_kind_rule_name_and_file() -> None:
    """What is chosen stands in the order of the rules."""
    every = of_text(TEXT)

    assert {"signs"} == {each.operator for each in choose_mutants(every, operators=("signs",))}
    assert {"define stays"} == {each.owner for each in choose_mutants(every, only="2")}
    assert {"procedure shoot"} == {each.owner for each in choose_mutants(every, only="Shoot")}
    assert tuple(every) == choose_mutants(every, only=RULES)


def test_a_score_is_never_told_as_more_than_it_is() -> None:
    """Four of five reach 80 and no more; what does not count does not count."""
    assert Score(4, 1, 7, 7).reaches(80)
    assert not Score(799, 201, 0, 0).reaches(80)
    assert Score(0, 0, 0, 3).reaches(100)


def test_the_score_counts_every_fate(tmp_path: Path) -> None:
    """Noticed, survived, the same, refused: each mutant is one of them."""
    compiled = written(TEXT, tmp_path)
    every = list(mutants(compiled.declared, compiled.rule_set.sources))

    total = score(run(compiled, every, remember=False))

    assert len(every) == total.counted + total.same + total.refused
