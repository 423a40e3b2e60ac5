"""`docs/python.md` and others, typed: each line in order, in one sitting; what is shown is what comes."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "python.md"
_BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TYPED = re.compile(r"((?:^>>> .*\n)(?:^\.\.\.(?: .*)?\n)*)((?:^(?!>>>).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Typed:
    """Lines as they stand on the page, the code in them, and what the page shows for it."""

    lines: str
    code: str
    shown: str


def typed(text: str) -> Iterator[Typed]:
    """What a reader types, in order."""
    for block in _BLOCK.finditer(text):
        for found in _TYPED.finditer(block[1]):
            code = "\n".join(line[4:] for line in found[1].splitlines())
            yield Typed(found[1], code + "\n\n", found[2])


def done(code: str, names: dict[str, Any]) -> str:
    """What an interpreter shows; of a traceback the first line and the last ones."""
    out = StringIO()
    with redirect_stdout(out):
        try:
            exec(compile(code, "<page>", "single"), names)
        except Exception as error:
            said = "".join(traceback.format_exception_only(error))
            return f"Traceback (most recent call last):\n    ...\n{said}"
    return out.getvalue()


@pytest.mark.parametrize("page", [PAGE, DOCS / "odds.md", DOCS / "simulate.md"], ids=lambda page: page.stem)
def test_the_page_shows_what_happens(page: Path, request: pytest.FixtureRequest) -> None:
    """Line by line; `--update-golden` puts what comes into the page."""
    text, names = page.read_text(encoding="utf-8"), dict[str, Any]()
    wrong, made = [], text
    for each in typed(text):
        came = done(each.code, names)
        if came != each.shown:
            wrong.append((each.lines, each.shown, came))
            made = made.replace(each.lines + each.shown, each.lines + came, 1)
    if request.config.getoption("--update-golden"):
        page.write_text(made, encoding="utf-8")
        return

    assert [] == wrong


def test_the_page_names_what_is_public() -> None:
    """All but the classes of what is given out, which a reader meets as `session`, `decision` and so on."""
    import rulekit

    text = PAGE.read_text(encoding="utf-8")
    unnamed = {name for name in rulekit.__all__ if not re.search(rf"\b{name}\b", text)}

    given_out = {"Decision", "Diagnostic", "Event", "Game", "LegalAnswer", "Program", "Session", "View"}
    assert given_out >= unnamed
