"""Every example of the documentation gets the findings it is marked with, and its own examples hold."""

from __future__ import annotations

import pytest

from rulekit.testing import compile_text, differences
from tests.language.running import failures
from tests.unit.spec.pages import Example, examples, pages

EXAMPLES = [example for page in pages() for example in examples(page)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example(example: Example) -> None:
    """It gets the findings it is marked with and no other; what compiles does what its examples say."""
    made = compile_text(example.text, example.files, options=example.options)

    assert [] == list(differences({"rules.rules": example.text, **example.files}, made.findings))
    assert [] == (failures(made.program) if made.program else [])


def test_chapters_have_examples() -> None:
    """No chapter of the law is without one."""
    chapters = {page.name for page in pages() if page.parent.name == "spec" and page.name[0].isdigit()}
    shown = {example.name.split("/")[-1].split(":")[0] for example in EXAMPLES}

    assert set() == chapters - shown
