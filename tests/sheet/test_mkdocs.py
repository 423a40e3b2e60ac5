"""The mkdocs plugin: directives, what is wrong in one, pages of a whole build."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

from rulekit.base.resources import rules_folder
from rulekit.reports.mkdocs import Directive, DirectiveError, Sheets, expand, parse
from tests.sheet.helpers import folder

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Sheets:
    """A maker of blocks beside the small rule set `t`."""
    at = tmp_path_factory.mktemp("docs")
    folder(at / "t")
    return Sheets(at)


def test_directive() -> None:
    """A set, blocks, options, and how."""
    said = (
        '::: rulekit t table:effect modifiers with=a with=b scenario=late date="Jun 1943" language=de level=2'
    )
    wanted = Directive("t", ("table:effect", "modifiers"), ("a", "b"), "late", "Jun 1943", "de", "full", 2)
    assert wanted == parse(said)
    assert parse("::: other t") is None and parse("text ::: rulekit t") is None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("::: rulekit", "missing rule set"),
        ("::: rulekit t wit=a", "unknown setting `wit`"),
        ('::: rulekit t date="Jun', "quotation mark"),
        ("::: rulekit t level=9", "level from 2 to 6"),
        ("::: rulekit t form=half", "expected full or one-page"),
        ("::: rulekit nothing", "unknown rule set `nothing`"),
        ("::: rulekit t table:efect", "has no `table:efect`; did you mean `table:effect`?"),
        ("::: rulekit t with=x", "`t`"),
        ("::: rulekit t language=xx", "unknown language `xx`"),
        ("::: rulekit t date=June", "invalid month"),
    ],
)
def test_wrong_directive_is_told_with_its_place(sheets: Sheets, line: str, said: str) -> None:
    """The build ends, and says which line of which page asks for what."""
    with pytest.raises(PluginError) as caught:
        expand(f"# Title\n\n{line}\n", sheets, "page.md")
    assert str(caught.value).startswith("page.md, line 3: ") and said in str(caught.value)


def test_block_stands_in_its_place(sheets: Sheets) -> None:
    """The rest of the page is as it was, and code is left alone."""
    code = "```\n::: rulekit t\n```\n~~~\n```\n::: rulekit t\n~~~\n"
    page = f"before\n::: rulekit t table:effect level=4\nafter\n\n{code}"
    made = expand(page, sheets, "page.md")
    assert made.startswith("before\n\n<div class") and "</div>\n\n\nafter\n" in made
    assert 2 == made.count("::: rulekit t\n") and 1 == made.count('<div class="rk"')
    assert '<h4 id="sheet2-table-effect-title">Effect</h4>' in made


def test_same_block_twice_has_ids_of_its_own(sheets: Sheets) -> None:
    """No two things on a page have the same id."""
    made = expand("::: rulekit t sequence\n::: rulekit t sequence\n", sheets, "page.md")
    found = re.findall(r'\bid="([^"]+)"', made)
    assert len(found) == len(set(found)) > 2


def test_language(sheets: Sheets) -> None:
    """A page in German has the sheet's words in German."""
    assert 'lang="de"' in (made := sheets.html(Directive("t", ("sequence",), language="de"), ""))
    assert "Was zu tun ist" in made


def test_error_is_of_its_own_kind(sheets: Sheets) -> None:
    """Who makes blocks without mkdocs gets an error that says the same."""
    with pytest.raises(DirectiveError, match="unknown rule set"):
        sheets.html(Directive("nothing"), "")


def test_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole build: blocks on the page, the style sheet beside it, linked there and on no other page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (name, value), *others = project["entry-points"]["mkdocs.plugins"].items()
    assert "rulekit" == name and not others
    monkeypatch.setattr(
        "mkdocs.plugins.get_plugins", lambda: {name: EntryPoint(name, value, "mkdocs.plugins")}
    )
    folder(tmp_path / "t")
    (tmp_path / "docs").mkdir()
    page = "# Page\n\n::: rulekit t table:effect\n\nSome *words*.\n"
    (tmp_path / "docs" / "index.md").write_text(page, encoding="utf-8")
    (tmp_path / "docs" / "other.md").write_text("# Other\n", encoding="utf-8")
    config = "site_name: x\nplugins: [rulekit]\ntheme: readthedocs\n"
    (tmp_path / "mkdocs.yml").write_text(config, encoding="utf-8")
    build(load_config(str(tmp_path / "mkdocs.yml"), strict=True))
    made = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert '<th scope="row" class="key"><b>4 or less</b></th>' in made and "<em>words</em>" in made
    assert 'href="assets/rulekit-sheet.css"' in made
    other = (tmp_path / "site" / "other" / "index.html").read_text(encoding="utf-8")
    assert "rulekit-sheet.css" not in other
    style = (tmp_path / "site" / "assets" / "rulekit-sheet.css").read_text(encoding="utf-8")
    assert ".rk.rk" in style and "@page" not in style and "prefers-color-scheme" not in style


def test_every_game_has_its_page() -> None:
    """The documentation shows tables and sequence of each rule set; what its pages ask for is there."""
    made = Sheets(ROOT)
    for rules in rules_folder().glob("*/ruleset.yaml"):
        page = (ROOT / "docs" / "sheets-of" / f"{rules.parent.name}.md").read_text(encoding="utf-8")
        assert '<div class="rk"' in expand(page, made, rules.parent.name)
        found = [each for line in page.splitlines() if (each := parse(line)) is not None]
        assert {rules.parent.name} == {each.rule_set for each in found}
        assert "sequence" in {name for each in found for name in each.wanted}
