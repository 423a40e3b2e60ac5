"""Lines that continue another: whoever reads a text by lines goes by the words of the grammar."""

from __future__ import annotations

import re

from rulekit.syntax.parse.comments import _GOES_ON
from tests.unit.cli.running import ROOT


def test_the_words_are_those_of_the_grammar() -> None:
    """What the grammar looks for at the beginning of a line that goes on, written once more."""
    grammar = (ROOT / "grammar" / "rules.lark").read_text(encoding="utf-8")
    ahead = re.search(r"^CONTINUATION.*\(\?=\((.*)\)\)/$|^CONTINUATION.*\(\?=(.*)\)/$", grammar, re.MULTILINE)

    assert ahead is not None
    words = (ahead[1] or ahead[2]).replace(r"[ \t]", r"\s")
    assert rf"\s*(?:{words})" == _GOES_ON.pattern
