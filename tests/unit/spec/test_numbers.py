"""Lists and limits in the specification are those of the code."""

from __future__ import annotations

import re

import pytest

from rulekit.base import files
from rulekit.compiler import depth, driver, weave_events
from rulekit.compiler.names import BUILT_IN, KEPT
from rulekit.compiler.populate import type_reader
from rulekit.compiler.typecheck.tables.shape import MAX_CELLS
from rulekit.diagnostics import all_kinds
from rulekit.diagnostics.pages import pages
from rulekit.ir.semantics import work
from rulekit.ir.types import NONE
from rulekit.ruleset import folder
from rulekit.runtime import chance
from rulekit.runtime.support import build
from rulekit.syntax.parse import MAX_FAULTS
from rulekit.syntax.parse.builder import MAX_DEPTH, MAX_DICE, MAX_DIGITS, MAX_SIDES, RESERVED
from rulekit.syntax.parse.text_checks import MAX_ITEM
from tests.unit.spec.pages import DOCS

SAID = {
    "01-rule-set": {
        "files of rules in one set": folder.MAX_FILES,
        "bytes of one file": files.MAX_BYTES,
        "bytes of all files that are read": files.MAX_FOLDER,
        "entries of the folder and the folders in it": files.MAX_ENTRIES,
        "levels of folders": files.MAX_DEPTH,
    },
    "02-text": {
        "bytes of one file": files.MAX_BYTES,
        "characters of one item": MAX_ITEM,
        "digits of a number": MAX_DIGITS,
        "levels of nesting: brackets, operators, blocks": MAX_DEPTH,
        "levels of one expression with all its modifiers and amendments": depth.MOST_LEVELS,
        "calls and loops open at once": depth.MOST_CALLS,
        "errors reported for one item": MAX_FAULTS,
    },
    "04-components": {
        "values of all fields together, over their kinds' members and their keys": type_reader.MAX_VALUES,
    },
    "09-procedures": {
        "runs of one `repeat` without its own limit": build.LOOP_LIMIT,
        "events in a row": weave_events.MOST_AT_ONCE,
    },
    "14-faults": {
        "units of work in one step of a session": build.STEP_FUEL,
        "units of work in one game that is simulated without sessions": build.DEFAULT_FUEL,
        "units of work in one `rulekit run`, or in one part of an example": build.RUN_FUEL,
        "nodes of an expression's loop, or a definition, that does not pay by itself": work.LIGHT,
        "nodes of a statement's loop, a procedure or a choice that does not pay by itself": work.LIGHT_STEPS,
        "nodes for one unit of work": work.UNIT,
        "runs of one `repeat` without its own limit": build.LOOP_LIMIT,
        "partial answers examined to list the legal answers to one part": build.SEARCH_NODES,
        "candidates of one part": build.MOST_OPTIONS,
        "things in one random draw": chance.MOST_THINGS,
        "values of all states": build.MOST_CELLS,
        "values of all events of a game, each event with one more for its kind": build.MOST_TRACE,
    },
}
"""By chapter, limits as its tables word them."""

IN_PROSE = (
    ("03-types", f"{type_reader.MAX_RANGE:,} on either side"),
    ("03-types", f"a range within `0..{type_reader.MAX_SET}`"),
    ("03-types", f"none is {NONE:,}"),
    ("06-tables", f"at most {MAX_CELLS:,} combinations"),
    ("06-tables", f"more than {type_reader.MAX_VALUES:,} entries together"),
    ("07-chance", f"1 to {MAX_DICE} dice of 2 to {MAX_SIDES:,} sides"),
    ("08-choices", f"{build.SEARCH_NODES:,} partial answers"),
    ("08-choices", f"{build.MOST_OPTIONS:,} candidates"),
    ("09-procedures", f"more than {build.LOOP_LIMIT:,}"),
    ("09-procedures", f"More than {weave_events.MOST_AT_ONCE:,} in a row"),
    ("index", f"version **{driver.LANGUAGE}**"),
)
"""Numbers that stand in sentences."""


def chapter(name: str) -> str:
    """The text of a chapter, without its line ends."""
    return " ".join((DOCS / "spec" / f"{name}.md").read_text(encoding="utf-8").split())


def words_after(text: str, start: str, end: str) -> set[str]:
    """The names in backticks between two phrases."""
    part = text[text.index(start) :]
    return set(re.findall(r"`(\w+)[`(]", part[: part.index(end)]))


@pytest.mark.parametrize("name", SAID)
def test_limits(name: str) -> None:
    """A table of limits says the numbers that the code has."""
    text = chapter(name)

    for what, number in SAID[name].items():
        assert f"| {what} | {number:,} |" in text, what


@pytest.mark.parametrize(("name", "phrase"), IN_PROSE)
def test_numbers_in_sentences(name: str, phrase: str) -> None:
    """And so do sentences."""
    assert phrase in chapter(name)


def test_reserved_words() -> None:
    """Those of 2.5 are those that the parser refuses."""
    said = words_after(chapter("02-text"), "are **reserved**", "Every other word")

    assert set(RESERVED) == said - {"RK101"}


def test_names_of_the_language() -> None:
    """Those of 2.5 and 12.9 are those that nothing may declare."""
    own = words_after(chapter("02-text"), "Some names belong to the language", "and the built-in functions")
    functions = words_after(chapter("12-expressions"), "## 12.9", "## 12.10")

    assert set(KEPT) == (own - {"RK202"}) | set(BUILT_IN)
    assert set(BUILT_IN) <= functions


def test_every_finding_stands_in_a_chapter() -> None:
    """Each kind about rules, and each page of one, is named by the law."""
    law = " ".join(path.read_text(encoding="utf-8") for path in (DOCS / "spec").glob("*.md"))
    said = set(re.findall(r"RK\d{3}", law))
    said |= {f"RK{code}" for first, last in _spans(law) for code in range(first, last + 1)}
    codes = {kind.code for kind in all_kinds() if kind.code < "RK5"} | {
        page.code for page in pages() if page.code < "RK5"
    }

    assert [] == sorted(codes - said)


def _spans(text: str) -> list[tuple[int, int]]:
    """Stretches of codes: from one to another."""
    found = re.findall(r"`RK(\d{3})` to `RK(\d{3})`", text)
    return [(int(first), int(last)) for first, last in found]
