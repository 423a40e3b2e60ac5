"""What `build` refuses, and that it then writes nothing."""

from __future__ import annotations

from pathlib import Path

from tests.unit.cli.running import rulekit

HEAD = 'id: posts\ntitle: Posts\nlanguage: "0.2"\nedition: first\nsequence: play\nsides: Side\n'
JUDGED = """\
enum Side: Red, Blue
enum Post: North, South
state held(Post): flag
choice posts(side) by side:
    assign each s in Side any p from Post
    forbid both: North in chosen and South in chosen
sequence play:
    choose posts(Red) as placed
    for each s in Side:
        for each p in placed(s):
            set held(p) to true
    finish Red
"""


def test_what_cannot_be_built_is_named_with_its_place(tmp_path: Path) -> None:
    """File, line and column; no module is left behind."""
    (tmp_path / "ruleset.yaml").write_text(HEAD)
    (tmp_path / "posts.rules").write_text(JUDGED)
    module = tmp_path / "posts.wasm"

    ran = rulekit("build", tmp_path, "-o", module)

    what = "the choice `posts`, whose whole answer is judged, cannot be built yet"
    assert (2, "", f"rulekit: posts.rules:4:1: {what}\n") == (ran.code, ran.out, ran.err)
    assert not module.exists()
