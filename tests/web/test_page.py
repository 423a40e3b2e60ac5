"""A page that `rulekit build --target page` writes, opened from the disk in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulekit import compile_rules
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeSession
from rulekit.runtime.native.web import page
from tests.web.browser import PHONE, browser, faults, opened, sideways

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as running:
        yield running


def written(folder: Path, name: str) -> str:
    """The address of the page of a rule set."""
    for file, content in page(build(compile_rules(ROOT / name), stops=True, log=True)).items():
        (folder / file).write_bytes(content)
    return (folder / "index.html").as_uri()


def begin(shown: Any, seed: str, **seats: str) -> None:
    """Begin a game."""
    shown.fill("#seed", seed)
    for side, seat in seats.items():
        shown.select_option(f"#seat-{side}", seat)
    shown.click("text=New game")


def test_a_person_plays_undoes_and_reads_the_log(chromium: Any, tmp_path: Path) -> None:
    """Options are those of the module; an answer and what it changes are in the log, and undone together."""
    session = NativeSession(build(compile_rules(ROOT / "tests/sets/duel"), stops=True))
    first = session.start(1)
    assert first is not None
    with opened(chromium, written(tmp_path, "tests/sets/duel")) as shown:
        begin(shown, "1", Red="person", Blue="person")
        shown.wait_for_selector("#options button")
        assert list(first.options) == shown.locator("#options button").all_inner_texts()
        question = shown.inner_text("#question")
        assert "Red: act" in question
        assert "[" in question

        for _ in range(6):
            shown.locator("#options button").first.click()
            session.answer(0)
        log = shown.locator("#log li").all_inner_texts()
        assert any("act: Strike" in line for line in log)
        assert "[DUEL.1:2] strike(Red): rolled 6" in log
        assert "[DUEL.1:2] hits(Blue): + 1 → 1" in log
        now = session.question
        assert now is not None
        assert f"{now.side}: {now.choice}" in shown.inner_text("#question")

        for _ in range(6):
            shown.click("#undo")
        assert question == shown.inner_text("#question")
        assert ["[DUEL.1] — round —"] == shown.locator("#log li").all_inner_texts()
        assert shown.locator("#undo").is_disabled()


def test_agents_play_a_whole_game_without_a_person(chromium: Any, tmp_path: Path) -> None:
    """The first legal answers, to the result that the module has for them."""
    session = NativeSession(build(compile_rules(ROOT / "rules/vitp"), stops=True))
    question = session.start(5)
    while question is not None:
        question = session.answer(0)
    with opened(chromium, written(tmp_path, "rules/vitp")) as shown:
        begin(shown, "5", Japan="first", Allies="first")
        shown.wait_for_function(
            "document.getElementById('question').textContent.includes('over')", timeout=60_000
        )
        assert f"The game is over: {session.result}." == shown.inner_text("#question")
        begin(shown, "5", Japan="random", Allies="person")
        shown.wait_for_selector("#options button")
        assert "Allies" in shown.inner_text("#question")


@pytest.mark.parametrize("width", [1280, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(chromium: Any, tmp_path: Path, width: int, scheme: Any) -> None:
    """axe-core finds nothing, in a game and before it; nothing is wider than a phone."""
    with opened(chromium, written(tmp_path, "rules/vitp"), width=width, scheme=scheme) as shown:
        shown.wait_for_selector("#seat-Japan")
        assert [] == faults(shown)
        begin(shown, "7")
        shown.locator("#options button").first.click()
        assert [] == faults(shown)
        assert 0 == sideways(shown)
