"""So many findings of a kind are shown, and the rest is counted."""

from __future__ import annotations

from dataclasses import replace

from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Severity, kinds
from rulekit.diagnostics.capping import MOST_NAMED, MOST_SHOWN, cap_findings, fold_notes


def findings(kind: kinds.Kind, number: int) -> list[Diagnostic]:
    """So many of a kind, one on each line."""
    return [
        Diagnostic(kind, f"`n{line}`", Span("a.rules", line, 1, line, 2)) for line in range(1, number + 1)
    ]


def test_few_findings_remain_as_they_are() -> None:
    """Up to the bound."""
    few = findings(kinds.UNKNOWN_NAME, MOST_SHOWN)

    assert tuple(few) == cap_findings(few)


def test_the_rest_is_counted_for_each_kind_at_its_first_place() -> None:
    """In the order of the codes; a kind with another severity is the same kind."""
    unused = findings(replace(kinds.UNUSED, severity=Severity.NOTE), 2) + findings(kinds.UNUSED, 2)
    shown = cap_findings([*unused, *findings(kinds.UNKNOWN_NAME, 2003)], most=3)

    assert 3 + 3 == len(shown[:-2])
    assert [
        ("RK650:RK210", "2,000 more findings are not shown: RK210 unknown-name", 4),
        ("RK650:RK430", "1 more finding is not shown: RK430 unused", 2),
    ] == [(rest.id, rest.message, rest.span.line) for rest in shown[-2:]]


def made_up(*names: str, kind: kinds.Kind = kinds.MADE_UP_MEMBERS) -> list[Diagnostic]:
    """A note for each kind of things: they differ in the name and the number."""
    return [
        Diagnostic(kind, f"`{name}` has {number} made-up members", Span("a.rules", number, 1, number, 2))
        for number, name in enumerate(names, 1)
    ]


def test_notes_that_differ_only_in_a_name_are_one() -> None:
    """The first, whose hint names the others and says how to read them all; where it stood."""
    error, *rest = findings(kinds.UNKNOWN_NAME, 2)
    notes = made_up("Hex", "Ship", "Fort")

    (one,) = fold_notes(notes, lambda kind: False)
    others = "the same at 2 other places: `Ship`, `Fort` (`--select RK610` lists them)"
    assert (notes[0].message, others) == (one.message, one.hint)
    assert (error, one, *rest) == fold_notes([error, *notes, *rest], lambda kind: False)


def test_a_hint_keeps_its_own_words_and_names_few() -> None:
    """Of many others the first are named and the rest is counted."""
    notes = [replace(note, hint="write it") for note in made_up(*(f"n{one}" for one in range(12)))]
    (one,) = fold_notes(notes, lambda kind: False)

    assert one.hint is not None and one.hint.startswith("write it; the same at 11 other places: `n1`, ")
    assert f"`n{MOST_NAMED}` and 3 more (" in one.hint


def test_what_must_be_read_one_by_one_is_not_folded() -> None:
    """Two notes; notes of a kind that is asked for; warnings; and notes that say something else."""
    warnings = made_up("a", "b", "c", kind=kinds.UNUSED)
    mixed = [*made_up("a", "b"), replace(made_up("c")[0], message="something else of `c`")]

    for listed in (made_up("a", "b"), warnings, mixed):
        assert tuple(listed) == fold_notes(listed, lambda kind: False)
    asked = made_up("a", "b", "c")
    assert tuple(asked) == fold_notes(asked, lambda kind: True)
