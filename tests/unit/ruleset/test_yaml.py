"""YAML to trees: limits hold, any text gives a tree or findings, and the cache changes nothing."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulekit.base import cache
from rulekit.base.source import Source
from rulekit.diagnostics import Diagnostic, Report
from rulekit.ruleset import read_data_file, yaml
from rulekit.ruleset.reading import CODEC, Entries, Items, Node, Reading, Scalar
from tests.unit.ruleset.helpers import SHIPS, codes, manifest, try_read, underlined
from tests.unit.ruleset.test_manifest import FULL


def parse(text: str) -> tuple[Node | None, list[Diagnostic]]:
    """A tree, if there is one, and what was told."""
    report = Report()
    node = yaml.parse(Source("x.yaml", text), Reading(report, "x.yaml"))
    return node, list(report)


def plain(node: Node) -> object:
    """The texts, lists and mappings of a tree."""
    match node:
        case Scalar(text):
            return text
        case Items(nodes):
            return [plain(each) for each in nodes]
        case Entries(pairs):
            return {key.text: plain(value) for key, value in pairs}


def test_limits_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a limit a file is read; one step beyond it there is one finding."""
    monkeypatch.setattr(yaml, "MAX_NODES", 2_000)  # the real one takes a while to reach
    deep = "[" * yaml.MAX_DEPTH + "]" * yaml.MAX_DEPTH
    wide = "- 1\n" * (yaml.MAX_NODES - 1)
    long = "a" * yaml.MAX_LINE

    for text in (deep, wide, long):
        assert [] == parse(text)[1]
    for text in (f"[{deep}]", f"- 1\n{wide}", f"a{long}"):
        assert ["data-limit"] == codes(parse(text)[1])


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        "[\n" * 1_000_000,
        "{\n" * 1_000_000,
        "- " * 1_000_000,
        "? " * 1_000_000,
        "".join(" " * level + "a:\n" for level in range(1500)),
        "a: &a [x]\n" + "".join(f"b{level}: &b{level} [*a, *a]\n" for level in range(100)),
        "!" * 1_000_000,
        "- !" + "%41" * 1_000_000,
    ],
    ids=[
        "brackets",
        "bracket lines",
        "brace lines",
        "dashes",
        "questions",
        "indents",
        "laughs",
        "bangs",
        "tag",
    ],
)
def test_hostile_text_is_refused_quickly(text: str) -> None:
    """No depth, length or cleverness makes reading hang."""
    start = time.process_time()

    assert [] != parse(text)[1]
    assert time.process_time() - start < 5


def test_the_cache_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the cache gives is what reading gives, places and all; without it YAML is read again."""
    monkeypatch.setenv("RULEKIT_CACHE", "off")
    uncached = parse(SHIPS)
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path))
    first = parse(SHIPS)
    monkeypatch.setattr(yaml, "_Parser", None)
    second = parse(SHIPS)

    assert uncached == first == second


@pytest.mark.parametrize(
    "kept",
    [b"", b"[]", b"{}", b"[3, [], 1, 1, 1, 1]", b"[2, [[[1, [], 1, 1, 1, 1], 5]], 1, 1, 1, 1]", b"\xff"],
)
def test_a_strange_cache_entry_is_passed_over(
    kept: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An entry that holds no tree is a miss."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "get", lambda kind, key: kept)

    assert {"a": "1"} == plain(parse("a: 1")[0] or Scalar("", True, Source("", "").whole()))


def test_text_with_findings_is_not_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Findings are told again on the second run."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path))

    assert parse("a: 1\na: 2") == parse("a: 1\na: 2")
    assert ["duplicate-key"] == codes(parse("a: 1\na: 2")[1])


_words = st.text(alphabet="ab1 -:#'\"[]{},&*!|>%@~\n\t\u00e9\u6771.", max_size=12)
_trees = st.recursive(
    _words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_words.filter(bool), inner, max_size=4),
)


@given(tree=_trees)
def test_quoted_data_round_trips(tree: object) -> None:
    """JSON is YAML: what was written is what is read, and the tree survives the cache."""
    node, found = parse(json.dumps(tree, ensure_ascii=False))

    assert [] == found
    assert node is not None
    assert tree == plain(node)
    assert node == CODEC.decode(json.loads(json.dumps(CODEC.encode(node, "x.yaml"))), "x.yaml")


@given(text=st.text(alphabet="ab1 -:#'\"[]{},&*!|>%@~?\n\t\r\u00e9\u0085\u2028.", max_size=40))
def test_the_reader_of_yaml_is_the_oracle(text: str) -> None:
    """What we read without findings is what the reader's own composer reads, text by text."""
    node, found = parse(text)
    if node is None or found:
        return
    composed = YAML(typ="safe", pure=True).compose(text)

    assert _composed(composed) == plain(node)


def _composed(node: object) -> object:
    value = getattr(node, "value", "")
    if isinstance(value, str):
        return value
    if value and isinstance(value[0], tuple) or "map" in str(getattr(node, "tag", "")):
        return {key.value: _composed(inner) for key, inner in value}
    return [_composed(inner) for inner in value]


Read = Callable[[str], tuple[object, list[Diagnostic]]]


@pytest.mark.parametrize(
    ("original", "reads"), [(SHIPS, try_read), (FULL, manifest)], ids=["data", "manifest"]
)
@given(seed=st.integers(min_value=0, max_value=10**9))
def test_mutated_files_give_data_or_findings(original: str, reads: Read, seed: int) -> None:
    """Whatever happens to a data file or manifest, reading it ends in data or in findings with places."""
    text = mutated(original, random.Random(seed))

    result, found = reads(text)

    assert result is not None or found
    lines = text.count("\n") + 1
    for each in found:
        assert 1 <= each.span.line <= lines + 1
        assert each.span.column >= 1
        assert each.message and "\n" not in each.kind.title
        underlined(text, each)


@given(data=st.binary(max_size=300))
def test_any_bytes_give_data_or_findings(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same from a file on disk."""
    folder = tmp_path_factory.getbasetemp()
    (folder / "fuzz.yaml").write_bytes(data)
    report = Report()

    assert read_data_file(folder, "fuzz.yaml", report) is not None or len(report)


def mutated(text: str, chance: random.Random) -> str:
    """The text with a few characters and lines put in, taken out, doubled or moved."""
    for _ in range(chance.randint(1, 4)):
        at, to = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        lines = text.split("\n")
        line = chance.randrange(len(lines))
        match chance.randrange(6):
            case 0:
                text = (
                    text[:at]
                    + chance.choice("[]{}:,#&*!|>'\"%@`~?-\t \n\x00\x07\u2028\ufeff\ud800")
                    + text[at:]
                )
            case 1:
                text = text[:at] + text[min(to, at + 5) :]
            case 2:
                text = "\n".join([*lines[:line], lines[line], *lines[line:]])
            case 3:
                text = "\n".join(
                    [*lines[:line], " " * chance.randint(0, 5) + lines[line].strip(), *lines[line + 1 :]]
                )
            case 4:
                text = text[:at] + text[to:] + text[at:to]
            case _:
                text = text[: chance.randrange(len(text) + 1)]
    return text
