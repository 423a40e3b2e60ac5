"""Rules as they stand, and what options change: golden, on a rule set that has every kind of amendment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.compiler.names import name_of
from rulekit.diagnostics import Report
from rulekit.reports.show import changes, shown_items
from rulekit.testing import compile_text
from tests.unit.cli.running import rulekit

Golden = Callable[[str, str], None]
ROOT = Path(__file__).parents[4]
HARBOUR = ROOT / "tests" / "sets" / "harbour"
CHOICES = {
    "fog": ("fog",),
    "dark": ("dark",),
    "old-weather": ("old-weather",),
    "tide": ("fog", "spring-tide"),
    "pilots": ("pilots",),
}
"""Options to look at, by the name of their golden."""


PUT_TOGETHER = frozenset(
    "when otherwise: unless original: while its begins the is only decided promises rolls from |".split()
)
"""What a line begins with that was put together."""


def chosen(options: tuple[str, ...]) -> list[str]:
    """The words of the command line for some options."""
    return [word for option in options for word in ("--with", option)]


def made(*options: str) -> Compiled:
    """The set compiled with options."""
    return compile_rule_set(HARBOUR, Report(), options=options)


@pytest.mark.parametrize("name", CHOICES)
def test_what_options_change(golden: Golden, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each change with its place, its printed number and who brings it."""
    monkeypatch.chdir(HARBOUR.parent)
    ran = rulekit("diff", "harbour", *chosen(CHOICES[name]))

    golden(f"show/diff-{name}.txt", ran.out)
    assert (0, "") == (ran.code, ran.err)


def test_between_two_choices_of_options(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither need be the base."""
    monkeypatch.chdir(HARBOUR.parent)

    golden(
        "show/diff-against.txt", rulekit("diff", "harbour", "--with", "dark", "--against", "old-weather").out
    )


@pytest.mark.parametrize("name", CHOICES)
def test_the_rules_as_they_stand(golden: Golden, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that is other than it was declared."""
    monkeypatch.chdir(HARBOUR.parent)

    golden(
        f"show/model-{name}.txt", rulekit("show", "model", "harbour", "--amended", *chosen(CHOICES[name])).out
    )


def test_without_options_nothing_is_other() -> None:
    """A set without exceptions stands as it is written, every line of every item."""
    base = made()
    items = shown_items(base.declared, base.names, base.rule_set.sources)

    assert not any(item.amended for item in items)
    assert [] == list(changes(items, items))
    (source,) = base.rule_set.sources
    lines = source.text.split("\n")
    printed = {row.line: row.text for item in items for row in item.rows}
    written = {
        n: line.rstrip() for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")
    }
    assert written == {line: text for line, text in printed.items() if text}


def test_what_is_said_of_the_booklet_is_no_change() -> None:
    """Claims of the base are not asked with options; that is no difference between two games."""
    rules = "define sight(side): 2\nenum Side: Red, Blue\nclaim far: every s in Side has sight(s) = 2\n"
    calm = {"options/calm.rules": "option calm:\n    redefine define sight: original(side) + 1\n"}
    sides = []
    for options in ([], ["calm"]):
        compiled = compile_text(rules, calm, options=options).compiled
        assert compiled is not None
        sides.append(shown_items(compiled.declared, compiled.names, compiled.rule_set.sources))

    assert ["sight"] == [name_of(each.item) for each in changes(*sides)]


def test_a_line_has_the_place_it_was_written_at() -> None:
    """Whatever is taken from a file is found there."""
    for options in CHOICES.values():
        compiled = made(*options)
        files = {source.file: source.text.split("\n") for source in compiled.rule_set.sources}
        for item in shown_items(compiled.declared, compiled.names, compiled.rule_set.sources):
            for row in item.rows:
                words = row.text.split()
                if words and words[0] not in PUT_TOGETHER:
                    assert words[0] in files[row.file][row.line - 1], (name_of(item.item), row)


def test_changes_as_data() -> None:
    """`--output-format json` has the same changes, and the effects."""
    ran = rulekit("diff", HARBOUR, "--with", "dark", "--output-format", "json")
    shown = json.loads(ran.out)
    found = shown["changes"]

    assert {"changed", "added"} == {change["change"] for change in found}
    assert ["raid"] == [change["name"] for change in found if change["change"] == "added"]
    (choice,) = [change for change in found if change["kind"] == "choice"]
    assert {"fog", "night_raids"} == {row["by"] for row in choice["come"]}
    assert all(0 <= effect["changed"] <= effect["cases"] for effect in shown["effects"])
    assert shown["effects"]


def test_options_are_listed(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what they say of themselves, and the presets."""
    monkeypatch.chdir(HARBOUR.parent)

    golden("show/options.txt", rulekit("options", "harbour").out)
    told = json.loads(rulekit("options", "harbour", "--output-format", "json").out)
    assert {"dark": ["fog", "night-raids"], "old-weather": ["fog", "old-salts"]} == told["presets"]
    listed = ["fog", "night-raids", "old-salts", "pilots", "spring-tide"]
    assert listed == [option["id"] for option in told["options"]]


def test_some_options_are_listed() -> None:
    """By author or printed rule, each under its author; of nobody and nothing, with who there is."""

    def shown_items(*words: str) -> list[str]:
        return rulekit("options", HARBOUR, "--brief", *words).out.splitlines()

    assert ["fog  Fog on the water [F]", "old-salts  Old salts [O]"] == shown_items("--by", "marlow")
    assert ["night-raids  Night raids [N]"] == shown_items("--by", "Kurtz", "--rule", "N")
    authors = [item for item in shown_items() if item.startswith("by ")]
    assert ["by Marlow (2)", "by Kurtz (2)", "by House"] == authors
    assert "  dark: 2 options" in shown_items()
    for words, said in ((("--by", "Marlo"), "did you mean `Marlow`?"), (("--rule", "7"), "known here: ")):
        ran = rulekit("options", HARBOUR, *words)
        assert (2, "") == (ran.code, ran.out) and said in ran.err


def test_one_item_by_name() -> None:
    """A name shows that item alone, amended or not."""
    ran = rulekit("show", "model", HARBOUR, "watch")

    assert 0 == ran.code
    assert ["roll", "watch(side):"] == ran.out.split()[1:3]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "model", HARBOUR, "wach"), "did you mean `watch`?"),
        (("show", "sheet", HARBOUR), "'sheet' is not"),
        (("diff", HARBOUR), "choose what to compare"),
        (("diff", HARBOUR, "--with", "fogg"), "fog"),
        (("options", "habour"), "unknown rule set"),
        (("diff", HARBOUR, "--with", "spring-tide"), "needs `fog`"),
        (("diff", HARBOUR, "--with", "old-salts", "--with", "night-raids"), "excludes"),
    ],
)
def test_what_cannot_be_done(arguments: tuple[str, ...], said: str) -> None:
    """A clear word, an exit code, nothing printed."""
    ran = rulekit(*arguments)

    assert ran.code in (1, 2)
    assert "" == ran.out
    assert said in ran.err
