"""A finding is the same finding tomorrow: its id outlives edits around it, moves and other wordings."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulekit.analysis.check import check
from rulekit.base.codec import Codec
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Edit, Fix, Kind, Label, Severity
from rulekit.diagnostics.finding import MAX_ID
from rulekit.diagnostics.refine import MOST_PLACES, gather_findings, name_findings
from tests.unit.analysis.check.sets import BROKEN, DOUBTFUL, PRINTED, write

DOUBT = Kind("RK998", "made-up-doubt", "a doubt made up for tests", Severity.WARNING, "0.1.0")
GONE = Kind("RK997", "made-up-gone", "a name made up for tests", Severity.ERROR, "0.1.0", gathers=True)
HERE = Span("a.rules", 1, 1, 1, 2)


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every check looks for itself."""
    monkeypatch.setenv("RULEKIT_CACHE", "off")


@pytest.mark.parametrize(
    "key, message, expected",
    [
        (("choice aim", "screen", "idle"), "any words", "RK998:choice aim:idle+screen"),
        (("claim three",), "the claim `three` does not hold", "RK998:claim three"),
        ((), "unknown function or table `toll`", "RK998:toll"),
        ((), "`b` and `a` and `b`", "RK998:a+b"),
        ((), "the line is indented with a tab", "RK998"),
        (("", "a\n b\x00"), "", "RK998:a b"),
    ],
)
def test_an_id_is_made_of_names(key: tuple[str, ...], message: str, expected: str) -> None:
    """The point, then the names sorted, each once, in one line; without a key, those of the message."""
    assert expected == Diagnostic(DOUBT, message, HERE, key=key).id


def test_a_long_id_is_bounded_and_its_own() -> None:
    """Names of a megabyte do not fill a manifest, and two of them are told apart."""
    one, two = (Diagnostic(DOUBT, "", HERE, key=("x" * 10**6 + end,)).id for end in "ab")

    assert (MAX_ID, MAX_ID) == (len(one), len(two))
    assert one != two


def test_place_and_wording_are_not_in_it() -> None:
    """Only what is named counts where there is a key."""
    found = Diagnostic(DOUBT, "`a`", HERE, key=("state a",))
    other = replace(found, message="`b`", span=Span("b.rules", 9, 9, 9, 10), hint="mend it", under="here")

    assert found.id == other.id


def test_what_has_no_key_is_named_by_its_item() -> None:
    """The item at the left edge above the place; not its own name again, and nothing in other files."""
    text = '# said\n\nchoice aim by Red:\n    pick\n# aside\n    forbid x\nexample "one, two":\n    then x\n'
    places = [Span("a.rules", line, 5, line, 6) for line in (1, 3, 6, 8)]
    findings = [Diagnostic(DOUBT, "`aim` and `x`", place) for place in places]

    ids = [found.id for found in name_findings(findings, {"a.rules": text}.__getitem__)]

    assert [
        "RK998:aim+x",
        "RK998:choice aim:x",
        "RK998:choice aim:x",
        "RK998:example one, two:aim+x",
    ] == ids
    untold = Diagnostic(DOUBT, "this is never none", Span("a.rules", 6, 5, 6, 13))
    assert ["RK998:choice aim:forbid x"] == [each.id for each in name_findings([untold], lambda _: text)]
    elsewhere = replace(findings[0], span=Span("data/a.yaml", 3, 1, 3, 2))
    assert ["RK998:aim+x"] == [found.id for found in name_findings([elsewhere], {}.__getitem__)]


def test_one_cause_is_one_finding() -> None:
    """Its places are labels of the first; there are not more of them than can be read."""
    places = [Span("a.rules", line, 1, line, 2) for line in range(1, 31)]
    fix = Fix("write `b`", (Edit(HERE, "b"),))
    many = [Diagnostic(GONE, "no `a`", place, fix=fix) for place in places]
    others = [Diagnostic(GONE, "no `c`", HERE), Diagnostic(DOUBT, "no `a`", HERE)]

    one, *rest = gather_findings([*many, *others, *others])

    assert (HERE, MOST_PLACES, "and here, and at 21 more places") == (
        one.span,
        len(one.labels),
        one.labels[-1].text,
    )
    assert one.fix is not None and 30 == len(one.fix.edits)
    assert [1, 0, 0] == [len(found.labels) for found in rest], "what does not gather stays as it is"


def test_findings_come_back_as_they_were_kept() -> None:
    """Everything of them, as JSON carries it."""
    edit = Edit(HERE, "x")
    found = Diagnostic(
        GONE, "m", HERE, (Label(HERE, "l"),), "h", "u", ("choice aim", "n"), Fix("write it", (edit,)), "r"
    )

    codec: Codec[Diagnostic] = Codec(Diagnostic)

    assert found == codec.decode(json.loads(json.dumps(codec.encode(found))))


def ids(files: dict[str, str]) -> list[str]:
    """The ids of what a check of these files finds, sorted."""
    with tempfile.TemporaryDirectory() as folder:
        return sorted(found.id for found in check(write(Path(folder), files)).diagnostics)


def test_what_is_found_has_readable_ids() -> None:
    """A person can tell what an id is about."""
    assert [
        "RK113:define near:[4.2]",
        "RK410:TEXT.4.22",
        "RK410:TEXT.9.9",
        "RK411:claim four_of_it",
    ] == ids({"text.rules": "\n".join(DOUBTFUL), "sources/text.tsv": PRINTED})
    assert ["RK210:fule", "RK210:speed", "RK401:table wind"] == ids({"text.rules": "\n".join(BROKEN)})


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), items=st.sampled_from((DOUBTFUL, BROKEN)))
def test_edits_elsewhere_keep_ids(data: st.DataObject, items: Sequence[str]) -> None:
    """Items in another order and in other files, comments and blank lines between: the same ids."""
    shuffled = data.draw(st.permutations(items))
    files: dict[str, str] = {"sources/text.tsv": PRINTED} if items is DOUBTFUL else {}
    for item in shuffled:
        file = data.draw(st.sampled_from(("one.rules", "two.rules", "chapters/three.rules")))
        between = data.draw(st.sampled_from(("", "\n\n", "# a word aside\n", "    # and one indented\n")))
        files[file] = files.get(file, "") + between + item
    whole = {"text.rules": "\n".join(items)} | ({"sources/text.tsv": PRINTED} if items is DOUBTFUL else {})

    assert ids(whole) == ids(files)
