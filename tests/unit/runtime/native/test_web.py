"""Modules as ES modules: the same games, and types that name what the rules name."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from rulekit import compile_rules
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeSession
from rulekit.runtime.native.web import es_module
from tests.unit.cli.running import rulekit
from tests.unit.runtime.native.test_games import ROOT
from tests.unit.runtime.native.test_js_host import NODE

DUEL = ROOT / "tests" / "sets" / "duel"


def answer_of(folder: Path, script: str) -> object:
    """What a script in Node prints, which imports `./set.mjs` as `set`."""
    (folder / "run.mjs").write_text(f'import * as set from "./set.mjs";\n{script}\n', encoding="utf-8")
    done = subprocess.run([NODE, "run.mjs"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert "" == done.stderr
    return json.loads(done.stdout)


def test_an_es_module_plays_the_same_games(tmp_path: Path) -> None:
    """It needs nothing beside it."""
    content = build(compile_rules(DUEL))
    (tmp_path / "set.mjs").write_bytes(es_module(content)[0])

    results = answer_of(
        tmp_path, "const game = await set.open(); console.log(JSON.stringify(game.playouts(3, 20)));"
    )

    assert NativeGame(content).playouts(3, 20) == results


def test_types_name_sides_choices_and_scenarios() -> None:
    """What `open` gives depends on the kind of module."""
    for stops, kind in ((True, "Session"), (False, "Game")):
        types = es_module(build(compile_rules(DUEL), stops=stops))[1].decode()
        assert 'export type Side = "Red" | "Blue";' in types
        assert '"act"' in types
        assert f"export function open(): Promise<{kind}>;" in types


@pytest.mark.parametrize(("name", "types"), [("set.mjs", "set.d.mts"), ("set.js", "set.d.ts")])
def test_types_are_written_beside_the_module(name: str, types: str, tmp_path: Path) -> None:
    """Under the name that TypeScript looks for."""
    ran = rulekit("build", DUEL, "--target", "js", "--stops", "-o", tmp_path / name)

    assert (0, "", "") == (ran.code, ran.out, ran.err)
    assert {name, types} == {path.name for path in tmp_path.iterdir()}


def test_a_page_is_a_folder(tmp_path: Path) -> None:
    """It is made if it is not there; its module asks."""
    ran = rulekit("build", DUEL, "--target", "page", "-o", tmp_path / "new" / "page")

    assert (0, "", "") == (ran.code, ran.out, ran.err)
    names = {path.name for path in (tmp_path / "new" / "page").iterdir()}
    assert {"index.html", "module.js", "page.js", "rulekit.js"} == names


def test_a_page_cannot_be_written_upon_a_file(tmp_path: Path) -> None:
    """A clear refusal."""
    (tmp_path / "page").write_text("mine")

    ran = rulekit("build", DUEL, "--target", "page", "-o", tmp_path / "page")

    assert (2, "") == (ran.code, ran.out)
    assert "cannot create" in ran.err
    assert "mine" == (tmp_path / "page").read_text()


def test_a_question_has_its_rules() -> None:
    """The names tell which printed rules a choice cites, and whether it is secret."""
    names = NativeSession(build(compile_rules(DUEL), stops=True)).names
    choice = next(one for one in names["choices"] if one["name"] == "act")
    assert choice["rules"]
    assert choice["secret"] in (True, False)
