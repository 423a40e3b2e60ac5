"""Rules that options cite which are turned off: kept by the text of the options, with the same result."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ruleset import folder as module
from rulekit.ruleset.folder import rules_cited_by_inactive_options
from rulekit.syntax.parse import parse

HEAD = 'id: t\nprefix: T\ntitle: T\nlanguage: "0.2"\noptions: [fog, night]\n'
OPTION = "option {}:\n    redefine define n: {}   [{}]\n"


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A rule set of two options, with an empty cache."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    home = tmp_path / "set"
    (home / "options").mkdir(parents=True)
    (home / "ruleset.yaml").write_text(HEAD)
    (home / "t.rules").write_text("define n: 1   [1]\n")
    for name, number in (("fog", "7.1"), ("night", "8.2")):
        (home / "options" / f"{name}.rules").write_text(OPTION.format(name, 2, number))
    return home


def cited(home: Path, *options: str) -> set[str]:
    """What is cited, as a process finds it that has read nothing."""
    module._cited_in.cache_clear()
    return rules_cited_by_inactive_options(compile_rule_set(home, Report(), options=options).rule_set)


def test_options_that_are_on_do_not_count(rules: Path) -> None:
    """Those that are off do."""
    assert {"T.7.1", "T.8.2"} == cited(rules)
    assert {"T.8.2"} == cited(rules, "fog")


def test_nothing_is_parsed_again(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that has changed is, and its new citations count."""
    first = cited(rules)
    parsed: list[str] = []

    def noted(source: object, report: Report) -> object:
        parsed.append(source.file)  # type: ignore[attr-defined]
        return parse(source, report)  # type: ignore[arg-type]

    made = compile_rule_set(rules, Report()).rule_set
    monkeypatch.setattr(module, "parse", noted)
    module._cited_in.cache_clear()
    assert first == rules_cited_by_inactive_options(made)
    assert [] == parsed

    (rules / "options" / "fog.rules").write_text(OPTION.format("fog", 2, "9"))
    module._cited_in.cache_clear()
    assert {"T.9", "T.8.2"} == rules_cited_by_inactive_options(made)
    assert ["options/fog.rules"] == parsed
