"""What `build` refuses, and that it then writes nothing."""

from __future__ import annotations

from pathlib import Path

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
