"""Links of a printed sheet: a rule's number leads to the first line of the sheet that says that rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Plain = dict[str, Any]


def with_links(sheet: Plain) -> Plain:
    """A sheet as JSON, in which each number says whether it leads to a line.

    A line that numbers lead to has `first`, and any other whose own number leads somewhere has `leads`.  Numbers
    of `see` become pairs of the number and whether it leads somewhere; runs of the kind `ref` that lead to a
    line become runs of the kind `link`.
    """
    targets: dict[str, Plain] = {}
    for part in sheet["parts"]:
        for block in part["blocks"]:
            for line in _numbered_lines(block):
                if line["number"]:
                    targets.setdefault(line["number"], line)
    parts = [
        {**part, "lead": _linked(part["lead"], targets, ""), "blocks": _linked(part["blocks"], targets, "")}
        for part in sheet["parts"]
    ]
    return {**sheet, "parts": parts}


def _numbered_lines(block: Plain) -> Iterator[Plain]:
    """Return the lines of a block that say a rule."""
    match block["is"]:
        case "norms":
            for group in block["groups"]:
                yield from (*group["allowed"], *group["limits"])
        case "outline":
            for group in block["groups"]:
                yield from group["lines"]
        case "card":
            yield from block["follows"]
        case "list" if block["head"]["id"] != "index":
            yield from block["lines"]


def _linked(value: Any, targets: Mapping[str, Plain], here: str) -> Any:
    """The same with links; `here` is the number of the line around the value, if numbers lead to that line."""
    if isinstance(value, list):
        return [_linked(inner, targets, here) for inner in value]
    if not isinstance(value, dict):
        return value
    if value.get("kind") == "ref" and value.get("text") in targets:
        return {**value, "kind": "link"}
    number = value.get("number", "")
    first = bool(number) and targets.get(number) is value
    here = number if first else here
    linked = {name: _linked(inner, targets, here) for name, inner in value.items() if name != "see"}
    if first:
        linked["first"] = True
    elif number in targets:
        linked["leads"] = True
    if "see" in value:
        linked["see"] = [[cited, cited in targets and cited != here] for cited in value["see"]]
    return linked
