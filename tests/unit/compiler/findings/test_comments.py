"""Where comments begin, and citations that they swallow."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulekit.base.source import Source
from rulekit.diagnostics import render_full
from rulekit.syntax.parse.comments import code_of, find_swallowed
from tests.unit.compiler.findings.cases import Case


@pytest.mark.parametrize(
    "line, code",
    [
        ("add 1 to fuel   # one", "add 1 to fuel"),
        ("# one", ""),
        ('say "a # b"  # c', 'say "a # b"'),
        ("let x = 'No # 3'", "let x = 'No # 3'"),
        ("say x  [CRT #2]  # c", "say x  [CRT #2]"),
        ("enum Town: 'Cox's # Bazar', 'L'Orient'  # c", "enum Town: 'Cox's # Bazar', 'L'Orient'"),
        ('say "never closed # c', 'say "never closed'),
        ("", ""),
    ],
)
def test_code_of_a_line(line: str, code: str) -> None:
    """A `#` in a text, a quoted name or a citation begins no comment."""
    assert code == code_of(line)


def test_a_swallowed_citation_is_told_with_its_place() -> None:
    """A warning: the rule set has a meaning, and its examples still run."""
    Case(
        "",
        """
state fuel: 0..9
procedure burn:
    take 1 from fuel            # as printed #! RK113 "`[4.2]`" [4.2]
    say "x"                     # more [4.3] of it
    say "x"  [4.4]              # see [4.5]
""",
        ("move it before the `#`",),
    ).holds()


def test_a_swallowed_citation_is_shown(golden: Callable[[str, str], None]) -> None:
    """As people read it."""
    text = 'procedure burn:\n    say "one"    # one each turn [4.2]\n'
    found = find_swallowed(Source("fuel.rules", text))

    golden("findings/citation-in-comment.txt", render_full.render(list(found), lambda _: text))


@pytest.mark.parametrize("piece", ["'a", '"', "[", "(", "# [", " "])
def test_a_long_line_is_quickly_read(piece: str) -> None:
    """Whatever is opened a million times."""
    assert [] == list(find_swallowed(Source("a.rules", piece * 1_000_000)))
    assert isinstance(code_of(piece * 1_000_000 + "]"), str)


def test_the_citation_is_underlined() -> None:
    """In the last line too, and whatever ends the lines."""
    (found,) = find_swallowed(Source("a.rules", "# x [1]\r\nstate fuel: 0..9  # [4.2, 4.3] \r"))

    assert (2, 21, 31) == (found.span.line, found.span.column, found.span.end_column)


@pytest.mark.parametrize(
    "text",
    [
        "enum Side: Red,  # [1]\n    Blue\n",
        "define f -> flag: true  # [1]\n    and false\n",
        "define f: larger(1,\n    2  # [1]\n    )\n",
        "define f: 1  # [1]\n\n    # between\n    + 2\n",
        "state fuel: 0..9  # {[1]}\n",
        "state fuel: 0..9  # []\n",
    ],
)
def test_where_none_could_stand_none_is_missed(text: str) -> None:
    """A line that goes on in the next one can have no citation, and empty brackets are none."""
    assert [] == list(find_swallowed(Source("a.rules", text)))
