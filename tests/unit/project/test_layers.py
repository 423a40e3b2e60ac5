"""Imports go one way: every module imports from its own layer's place or from below, nothing from above.

All imports count: those at the top of a module, those inside functions, and those for type checkers only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]

LAYERS = (
    "base",
    "diagnostics",
    "ir",
    "syntax.tree",
    "syntax.parse",
    "syntax",
    "ruleset",
    "runtime.chance",
    "runtime.support",
    "runtime.optimise",
    "runtime.codegen",
    "runtime.machine",
    "runtime.native",
    "runtime.explain",
    "runtime.odds",
    "runtime.play",
    "runtime.simulation",
    "runtime.narrate",
    "runtime.serve",
    "runtime.envs",
    "runtime",
    "agents",
    "envs",
    "compiler.names",
    "compiler.grid",
    "compiler.world",
    "compiler.amend",
    "compiler.options",
    "compiler.populate",
    "compiler.model",
    "compiler.levels",
    "compiler.trace",
    "compiler.typecheck",
    "compiler.weave_events",
    "compiler.lower",
    "compiler.incremental",
    "compiler",
    "analysis.uses",
    "analysis.verdicts",
    "analysis.prove",
    "analysis",
    "reports",
    "testing",
    "cli",
)
"""From the ground up: a module may import what is in its own layer or in one before it.

A module belongs to the longest entry that its name begins with.
"""

ALONE = {
    "base": (),
    "ir": ("base", "diagnostics"),
    "runtime": ("base", "diagnostics", "ir"),
}
"""Packages that import these alone, whatever the order allows: an engine can carry `runtime` by itself."""

EXEMPT: dict[tuple[str, str], str] = {}
"""Imports that break the order, each with its reason; one that is no longer needed fails the test."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the package, by its name without `rulekit.`; packages by the name of their folder."""
    found = {}
    for path in sorted((ROOT / "rulekit").rglob("*.py")):
        parts = path.relative_to(ROOT / "rulekit").with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(name: str) -> Iterator[str]:
    """The modules of the package that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(modules()[name].read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module), names=aliases) if module.split(".")[0] == "rulekit":
                within = module.removeprefix("rulekit").removeprefix(".")
                for alias in aliases:
                    longer = f"{within}.{alias.name}".removeprefix(".")
                    yield longer if longer in modules() else within
            case ast.Import(names=aliases):
                for alias in aliases:
                    if alias.name.split(".")[0] == "rulekit":
                        yield alias.name.removeprefix("rulekit").removeprefix(".")
            case _:
                pass


def layer(name: str) -> int | None:
    """The place of a module in the order; None for the package's own doors, which may import anything."""
    if name in ("", "__main__"):
        return None
    known = [(len(each), place) for place, each in enumerate(LAYERS) if f"{name}.".startswith(f"{each}.")]
    assert known, f"`{name}` is in no layer: add it to LAYERS"
    return max(known)[1]


def broken() -> Iterator[tuple[str, str]]:
    """Every import of a module from above its own layer."""
    for name in modules():
        own = layer(name)
        if own is None:
            continue
        for imported in imports(name):
            above = layer(imported)
            if above is not None and above > own:
                yield name, imported


def test_imports_go_one_way() -> None:
    """Each module imports what is below it; imports inside functions and for type checkers count, too."""
    assert sorted(EXEMPT) == sorted(set(broken()))


def test_some_packages_stand_alone() -> None:
    """The runtime imports neither compiler nor analysis, nor anything else that reads rules."""
    found = [
        (name, imported)
        for name in modules()
        for package, allowed in ALONE.items()
        if f"{name}.".startswith(f"{package}.")
        for imported in imports(name)
        if not any(f"{imported}.".startswith(f"{each}.") for each in (package, *allowed))
    ]

    assert [] == found


CROWDED: dict[str, str] = {}
"""Folders with too many entries, each with its reason."""

MOST_AT_THE_DOOR = 13
MOST_IN_A_FOLDER = 20
NOT_COUNTED = {"__init__.py", "__main__.py", "py.typed", "__pycache__", "_share"}


def entries(folder: Path) -> list[str]:
    """The modules and packages in a folder, without the files that Python itself asks for."""
    return sorted(path.name for path in folder.iterdir() if path.name not in NOT_COUNTED)


def test_the_door_is_small() -> None:
    """A stranger can take in the package at one look."""
    shown = entries(ROOT / "rulekit")

    assert len(shown) <= MOST_AT_THE_DOOR, shown


def test_no_folder_is_crowded() -> None:
    """Each folder can be taken in at one look."""
    folders = {path.parent for path in modules().values()}
    crowded = {
        folder.relative_to(ROOT).as_posix(): len(found)
        for folder in folders
        if len(found := entries(folder)) > MOST_IN_A_FOLDER
    }

    assert sorted(CROWDED) == sorted(crowded)
