"""`docs/games/GAME-restated.md`: how many rows a booklet has, and which of them a claim states again."""

from __future__ import annotations

import functools
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulekit.analysis.claims import JudgedClaim, judge_claims
from rulekit.analysis.options.groups import AS_PRINTED
from rulekit.analysis.verdicts import Refuted
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report
from rulekit.syntax.tree.items import Claim

ROOT = Path(__file__).parents[4]
GAMES = ("vitp", "fcn", pytest.param("pacwar", marks=pytest.mark.slow))


@functools.cache
def readings(game: str) -> tuple[Compiled, ...]:
    """The game as it comes and, if it has options, with those that are read as printed."""
    folder = ROOT / "rules" / game
    base = compile_rule_set(folder, Report())
    if all(preset != AS_PRINTED for preset in base.rule_set.manifest.presets):
        return (base,)
    return base, compile_rule_set(folder, Report(), options=(AS_PRINTED,))


@functools.cache
def claims_of(game: str) -> dict[str, JudgedClaim]:
    """Each claim of the rule set by name, with its verdict where it is tried."""
    judged: dict[str, JudgedClaim] = {}
    for reading in readings(game):
        for claim in judge_claims(reading, tell=lambda claim: True):
            if isinstance(claim.obligation.item.decl, Claim):  # not a reading of errata
                judged.setdefault(claim.obligation.item.name, claim)
    return judged


def cited_rows(claim: JudgedClaim) -> tuple[str, ...]:
    """The rows of the printed list that a claim cites."""
    cite = claim.obligation.item.decl.cite
    return () if cite is None else cite.ids


def printed_page(game: str) -> Iterator[str]:
    """The lines of the page."""
    manifest = readings(game)[0].rule_set.manifest
    rows = [row for printed in readings(game)[-1].printed for row in printed.rules if row.kind != "heading"]
    kinds = Counter(row.kind for row in rows)
    claims = claims_of(game)
    denied = {name for name, claim in claims.items() if isinstance(claim.verdict, Refuted)}
    by_row: dict[str, list[str]] = {}
    for name, claim in claims.items():
        for row in cited_rows(claim):
            by_row.setdefault(row, []).append(name)
    restated = [row for row in rows if row.id.removeprefix(f"{manifest.prefix}.") in by_row]

    held = len(claims) - len(denied)
    sorts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    about = (
        f"The list `rules/{game}/sources/{game}.tsv` has {len(rows)} rows, one for each statement of the "
        f"booklet about the rules (headings are not counted): {sorts}. The booklet states {len(restated)} of "
        f"them a second time, written here as {len(claims)} claims. {held} claims agree with the rules; "
        f"{len(denied)} contradict them and are settled by errata.",
        "The check compares the rules with claims; it does not compare sentences with each other. A reader "
        "found each contradiction of this booklet and wrote it as a claim, or in words where no claim can "
        "say it. The check found none without a claim.",
    )
    yield f"# {manifest.title}: rules the booklet states twice"
    for paragraph in about:
        yield ""
        yield from textwrap.wrap(paragraph, 118, break_long_words=False)
    yield ""
    yield "| row | second statement |"
    yield "| --- | --- |"
    for row in restated:
        short = row.id.removeprefix(f"{manifest.prefix}.")
        names = (f"`{name}`{' (contradicted)' if name in denied else ''}" for name in by_row[short])
        yield f"| {short} | {', '.join(names)} |"


@pytest.mark.parametrize("game", GAMES)
def test_the_page_is_up_to_date(game: str, golden: Callable[[str, str], None]) -> None:
    """The page lists every row that a claim cites; `--update-golden` writes it."""
    golden(f"../../docs/games/{game}-restated.md", "\n".join(printed_page(game)) + "\n")


@pytest.mark.parametrize("game", GAMES)
def test_claims_cite_rows(game: str) -> None:
    """A claim that cites nothing could not be traced to the booklet."""
    assert [] == [name for name, claim in claims_of(game).items() if not cited_rows(claim)]
