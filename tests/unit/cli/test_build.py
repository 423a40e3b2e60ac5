"""What `build` refuses, that it then writes nothing, and what it takes from the cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.base import cache
from rulekit.runtime.native import build as builds
from tests.unit.cli.running import rulekit

HEAD = 'id: posts\ntitle: Posts\nlanguage: "0.2"\nedition: first\nsequence: play\nsides: Side\n'
LARGE = """\
enum Side: Red, Blue
enum Post: North, South
state held(Post): 0..99
choice posts(side) by side:
    share 99 among p in Post
sequence play:
    choose posts(Red) as placed
    for each p in Post: set held(p) to placed(p)
    finish Red
"""


def test_what_cannot_be_built_is_named_with_its_place(tmp_path: Path) -> None:
    """File, line and column; no module is left behind."""
    (tmp_path / "ruleset.yaml").write_text(HEAD)
    (tmp_path / "posts.rules").write_text(LARGE)
    module = tmp_path / "posts.wasm"

    ran = rulekit("build", tmp_path, "-o", module)

    what = "the choice `posts`, of more than 62, cannot be built yet"
    assert (2, "", f"rulekit: posts.rules:4:1: {what}\n") == (ran.code, ran.out, ran.err)
    assert not module.exists()


def test_an_unchanged_rule_set_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module comes from the cache until a file, an argument or the entry itself is another."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    built: list[bytes] = []
    build = builds.build

    def counted(*arguments: Any, **settings: Any) -> bytes:
        built.append(build(*arguments, **settings))
        return built[-1]

    monkeypatch.setattr(builds, "build", counted)
    folder, module = tmp_path / "set", tmp_path / "posts.wasm"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(HEAD)
    rules = folder / "posts.rules"
    rules.write_text(LARGE.replace("share 99", "share 9"))

    def made(*arguments: str) -> bytes:
        module.unlink(missing_ok=True)
        ran = rulekit("build", folder, "-o", module, *arguments)
        assert (0, "") == (ran.code, ran.err)
        return module.read_bytes()

    first = made()
    assert first == made() == built[0] and 1 == len(built)
    stopping = made("--stops")
    assert stopping == made("--stops") != first and 2 == len(built)
    rules.write_text(rules.read_text().replace("finish Red", "finish Blue"))
    other = made()
    assert other != first and 3 == len(built)
    for entry in (tmp_path / "cache" / "modules").iterdir():
        entry.write_bytes(entry.read_bytes()[:-1])
    assert other == made() and 4 == len(built)
    monkeypatch.setattr(cache, "get", lambda kind, key: b"no module")
    assert other == made() and 5 == len(built)
