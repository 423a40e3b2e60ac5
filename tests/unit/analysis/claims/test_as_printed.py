"""The games that come with rulekit: clean as played, at odds with themselves as printed."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rulekit import ir
from rulekit.analysis.check import check
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.compiler.lower import heading_of, lower
from rulekit.compiler.typecheck import typecheck
from rulekit.compiler.weave_events import weave_events
from rulekit.diagnostics import Diagnostic, Report, Severity
from rulekit.reports.show.errata import compilations, entries, markdown

ROOT = Path(__file__).parents[4]
GAMES = ("vitp", "fcn", pytest.param("pacwar", marks=pytest.mark.slow))


@functools.cache
def at_odds(game: str, *, as_printed: bool) -> list[Diagnostic]:
    """Findings about claims and errata."""
    found = check(ROOT / "rules" / game, as_printed=as_printed).diagnostics
    return [each for each in found if "RK411" <= each.kind.code <= "RK416"]


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """A game of ours."""
    name: str = request.param
    return name


def test_as_played_nothing_is_at_odds(game: str) -> None:
    """Errata settle all that the booklet has against itself."""
    assert [] == at_odds(game, as_printed=False)


def test_as_printed_each_contradiction_is_told(game: str, golden: Callable[[str, str], None]) -> None:
    """The ids, which outlive wording and order; and nothing else is found that fails."""
    found = at_odds(game, as_printed=True)

    assert all(each.kind.severity is Severity.WARNING for each in found)
    assert not any(each.kind.code in ("RK412", "RK415") for each in found)
    golden(f"findings/{game}-as-printed.txt", "".join(f"{each.id}\n" for each in sorted(found, key=by_id)))


def by_id(finding: Diagnostic) -> str:
    """What findings are sorted by here."""
    return finding.id


def test_both_places_are_named(game: str) -> None:
    """A contradiction has two sides; what is nowhere defined has but one."""
    lonely = {"claim bidding"}
    for finding in at_odds(game, as_printed=True):
        both = "] conflicts with " in finding.message or "] conflict with " in finding.message
        assert both or finding.key[0] in lonely, finding.message


PRINTED_NUMBER = re.compile(r"\d+(\.\d+)*(:\d+)?")
OWN_WORDS = ("left over", ": it is ", "there is ", "does not hold when")


def test_a_publisher_with_the_booklet_understands_each(game: str) -> None:
    """Both statements as listed, with their sections where the number is ours; what is played; the rule."""
    for finding in at_odds(game, as_printed=True):
        conflict = finding.conflict
        assert conflict is not None and conflict.played is not None and conflict.printed, finding.id
        for statement in (*conflict.printed, *conflict.against):
            assert statement.summary, f"{finding.id} [{statement.rule}]"
            assert statement.section or PRINTED_NUMBER.fullmatch(statement.rule), finding.id
        assert conflict.rule is not None or finding.kind.name == "wrong-reference", finding.id
        assert conflict.instead in finding.message
        assert not any(words in finding.message for words in OWN_WORDS), finding.message


@functools.cache
def compiled(game: str, *options: str) -> Compiled:
    """A game of ours, compiled."""
    return compile_rule_set(ROOT / "rules" / game, Report(), options=options)


def test_claims_change_nothing_that_is_played(game: str) -> None:
    """Without claims and errata the program is the same, but for the places that they stand at."""
    made = compiled(game)
    named = replace(made.names, claims={}, errata={})
    bare = typecheck(named, made.model.world, Report(), made.rule_set.manifest, made.data.externs)

    without = lower(
        bare, weave_events(bare, made.program.entry), heading_of(made.program, made.program.entry)
    )

    assert played(without) == played(made.program)
    assert without.sites == made.program.sites[: len(without.sites)]


def played(program: ir.Program) -> ir.Program:
    """All of a program but its list of places."""
    return replace(program, sites=())


def test_the_page_is_up_to_date(game: str, golden: Callable[[str, str], None]) -> None:
    """`docs/games/GAME.md` is what `rulekit show errata GAME --output-format markdown` prints."""
    base = compiled(game)
    manifest = base.rule_set.manifest
    shown = entries(compilations(base, lambda options: compiled(game, *options)))

    golden(f"../../docs/games/{game}.md", markdown(manifest.title, manifest.edition, manifest.id, shown))
