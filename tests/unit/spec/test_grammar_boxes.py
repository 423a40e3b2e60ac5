"""The specification quotes the grammar: every rule stands in one box, as it is in `grammar/rules.lark`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.unit.spec.boxes import GRAMMAR, SPEC, boxes, plain, refreshed, statements


@pytest.fixture(scope="module")
def grammar() -> dict[str, str]:
    """The grammar's rules by name."""
    return statements(GRAMMAR.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", sorted(SPEC.glob("*.md")), ids=lambda page: page.stem)
def test_boxes_say_what_the_grammar_says(
    page: Path, grammar: dict[str, str], request: pytest.FixtureRequest
) -> None:
    """Rule by rule, but for the layout; `--update-golden` rewrites the boxes from the grammar."""
    if request.config.getoption("--update-golden"):
        page.write_text(refreshed(page.read_text(encoding="utf-8"), grammar), encoding="utf-8")
    own = [statements(box) for at, box in boxes() if at == page]
    quoted = {name: plain(rule) for rules in own for name, rule in rules.items()}

    assert {name: plain(grammar.get(name, "no such rule")) for name in quoted} == quoted


def test_every_rule_stands_in_one_box(grammar: dict[str, str]) -> None:
    """None is forgotten, none is told twice."""
    count = Counter(name for _, box in boxes() for name in statements(box))

    assert {} == {name: number for name, number in count.items() if number > 1}
    assert [] == sorted(set(grammar) - set(count))


def test_a_box_that_differs_is_seen() -> None:
    """A rule written otherwise is another rule; a rule laid out otherwise is the same."""
    one, other = statements("a: b\n | c\n"), statements("a: b | d\n")

    assert plain(one["a"]) == plain("a: b | c")
    assert plain(one["a"]) != plain(other["a"])
    assert "```lark\na: b\n | c\n```" == refreshed("```lark\na: x\nold: y\n```", one)
