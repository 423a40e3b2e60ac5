"""No two modules import each other, by whatever way round: what belongs together is one module.

All imports count: those at the top of a module, those inside functions, and those for type checkers only.
"""

from __future__ import annotations

from tests.unit.project.test_layers import imports, modules

EXEMPT: dict[tuple[str, ...], str] = {}
"""Circles of imports, each with its reason; one that is no longer needed fails the test."""


def imported() -> dict[str, set[str]]:
    """For each module the other modules it imports; the package's own doors left out."""
    inner = [name for name in modules() if name not in ("", "__main__")]
    return {name: {one for one in imports(name) if one in inner and one != name} for name in inner}


def reached(graph: dict[str, set[str]], start: str) -> set[str]:
    """All modules that one imports, directly or by way of others."""
    known: set[str] = set()
    waiting = [start]
    while waiting:
        for one in graph[waiting.pop()] - known:
            known.add(one)
            waiting.append(one)
    return known


def circles(graph: dict[str, set[str]]) -> set[tuple[str, ...]]:
    """The groups of modules each of which imports all others of its group by some way."""
    below = {name: reached(graph, name) for name in graph}
    return {
        tuple(sorted(one for one in below[name] if name in below[one]))
        for name in graph
        if name in below[name]
    }


def test_a_circle_is_found() -> None:
    """Modules on the way to a circle, or behind it, are not in it."""
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set[str]()}

    assert {("b", "c")} == circles(graph)


def test_no_modules_import_each_other() -> None:
    """Imports make no circle; those inside functions and for type checkers count, too."""
    assert sorted(EXEMPT) == sorted(circles(imported()))
