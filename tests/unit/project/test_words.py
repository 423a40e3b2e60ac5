"""One word for one thing: `docs/glossary.md` is the register, and names in the code follow it.

A class name stands for one thing, a local is named after what it holds, an action is a verb.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rulekit

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "rulekit"

CEILINGS = {
    "classes of one name": 0,
    "functions named by a participle": 2,
    "locals named each": 2,
    "locals named found": 0,
    "locals named made": 0,
    "locals named said": 0,
    "locals named told": 0,
}
"""Names that say too little or mean two things, at most; lower a number when names have gone."""

EMPTY_NAMES = ("each", "found", "made", "said", "told")
"""Participles that name no thing."""
IRREGULAR = frozenset(
    "begun bound broken built chosen cut done drawn fed found given held hidden kept known laid left lost"
    " made met put read said seen sent shown spent split taken told woven written".split()
)
_PARTICIPLE = re.compile(r"_?[a-z]{2,}ed")
_NOT_PARTICIPLES = frozenset(("need", "seed", "speed", "read", "put", "feed", "cut", "split"))
"""Words that are verbs or nouns as well."""
TWINS = ("rulekit.syntax.tree", "rulekit.ir")
"""A class of the tree as written may have the name of its twin in the IR."""


@cache
def trees() -> dict[str, ast.Module]:
    """Every module of the package, parsed, by its name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def classes() -> dict[str, list[str]]:
    """The modules that declare a public class, by the class's name."""
    homes: dict[str, list[str]] = {}
    for module, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module)
    return homes


def ambiguous_classes() -> list[str]:
    """Names of public classes that stand for two things; twins do not count."""

    def is_twin(modules: list[str]) -> bool:
        first, second = (sum(module.startswith(part) for module in modules) for part in TWINS)
        return (first, second, len(modules)) == (1, 1, 2)

    return [name for name, modules in sorted(classes().items()) if len(modules) > 1 and not is_twin(modules)]


def is_participle(name: str) -> bool:
    """True if a name is one participle and nothing else, such as `judged`."""
    word = name.removeprefix("_")
    if word in _NOT_PARTICIPLES:
        return False
    return word in IRREGULAR or _PARTICIPLE.fullmatch(word) is not None


def participles() -> Iterator[str]:
    """Functions and methods named by a bare participle; properties, which ask, do not count."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and not node.decorator_list and is_participle(node.name):
                yield f"{module}.{node.name}"


@cache
def counts() -> dict[str, int]:
    """How many names there are of each sort that has a ceiling."""
    names = (node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Name))
    stored = Counter(node.id for node in names if isinstance(node.ctx, ast.Store))
    return {
        "classes of one name": len(ambiguous_classes()),
        "functions named by a participle": len(list(participles())),
        **{f"locals named {name}": stored[name] for name in EMPTY_NAMES},
    }


@pytest.mark.parametrize("sort", CEILINGS)
def test_no_ceiling_is_passed(sort: str) -> None:
    """Name the thing; an action is a verb; a class name that is taken needs another word."""
    assert counts()[sort] <= CEILINGS[sort]


def test_public_names_are_documented() -> None:
    """Each class and function is in the glossary, by its words, or named on a page."""
    docs = ROOT / "docs"
    glossary = (docs / "glossary.md").read_text(encoding="utf-8")
    pages = glossary + (docs / "python.md").read_text(encoding="utf-8")

    def words(name: str) -> str:
        return re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()

    undocumented = [
        name for name in rulekit.__all__ if f"| {words(name)} |" not in glossary and name not in pages
    ]
    assert [] == undocumented


def test_every_package_is_in_the_glossary() -> None:
    """With what it holds."""
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    packages = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))

    assert [] == [name for name in packages if f"| `{name}` |" not in glossary]


def test_participles_are_recognised() -> None:
    """A word alone, regular or not; a verb of the same letters is none."""
    names = ("judged", "_told", "woven", "feed", "need", "judge_claims", "simplified_tree", "read")

    assert ["judged", "_told", "woven"] == [name for name in names if is_participle(name)]
