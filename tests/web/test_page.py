"""A page that `rulekit build --target page` writes, opened from the disk in a browser."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulekit import compile_rules
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeSession
from rulekit.runtime.native.web import page
from rulekit.testing import compile_text
from tests.unit.runtime.play.test_fault_messages import MANIFEST
from tests.web.browser import PHONE, browser, faults, opened, sideways

ROOT = Path(__file__).parents[2]
FAULTY = """\
enum Side: Red, Blue
state n: 0..9
choice more by Red:
    pick one amount from {2, 8}
sequence play:
    choose more as amount
    set n to amount * 2 [3]
    finish Red
"""


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
        log = shown.locator("#log li")
        assert 2000 == log.count()
        assert "Yokosuka" not in log.first.inner_text()
        begin(shown, "5", Japan="random", Allies="person")
        shown.wait_for_selector("#options button")
        assert "Allies" in shown.inner_text("#question")
        assert log.first.inner_text().endswith("Akagi → Yokosuka")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text[:400] + '";\n', "not a WebAssembly 1.0 module"),
        (
            lambda text: _other_bytes(text, b'{"rulekit":1,', b'{"rulekit":7,'),
            "has version 7 of the interface",
        ),
        (lambda text: _other_bytes(text, b'"domains":', b'"remains":'), "`domains` is missing"),
    ],
)
def test_a_damaged_module_is_refused(
    chromium: Any, tmp_path: Path, damage: Callable[[str], str], said: str
) -> None:
    """The page says why, where the question would be."""
    address = written(tmp_path, "tests/sets/duel")
    module = tmp_path / "module.js"
    module.write_text(damage(module.read_text()))
    with opened(chromium, address) as shown:
        shown.wait_for_function("document.getElementById('question').textContent.includes('module')")
        assert said in shown.inner_text("#question")


def _other_bytes(text: str, old: bytes, new: bytes) -> str:
    """The text of a module's file with other bytes in the module."""
    before, content, after = text.split('"')
    return f'{before}"{b64encode(b64decode(content).replace(old, new)).decode()}"{after}'


def test_a_fault_has_its_words_its_rule_and_its_place(chromium: Any, tmp_path: Path) -> None:
    """The page offers nothing more, and the answer can be undone."""
    program = compile_text(FAULTY, MANIFEST).program
    assert program is not None
    for file, content in page(build(program, stops=True, log=True)).items():
        (tmp_path / file).write_bytes(content)
    with opened(chromium, (tmp_path / "index.html").as_uri()) as shown:
        begin(shown, "1", Red="person")
        question = shown.inner_text("#question")
        shown.click("#options button >> nth=1")

        said = "The rules cannot go on: `n` would be 16, outside 0..9. [TEXT.3] rules.rules:7"
        assert said == shown.inner_text("#question")
        assert 0 == shown.locator("#options button").count()
        shown.click("#undo")
        assert question == shown.inner_text("#question")
        shown.click("#options button >> nth=0")
        assert "The game is over: Red." == shown.inner_text("#question")


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
