"""Links of a printed sheet: a rule's number leads to the first line of the sheet that says that rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Plain = dict[str, Any]


def with_links(sheet: Plain) -> Plain:
    """A sheet as JSON, in which each number says whether it leads to a line.

    A line that numbers lead to has `first`; any other whose own number leads somewhere, `leads`.  A number of
    `see` becomes a pair: the number, and whether it leads somewhere.  A run of the kind `ref` that leads to a
    line becomes one of the kind `link`.
    """
    targets: dict[str, Plain] = {}
    for part in sheet["parts"]:
        for block in part["blocks"]:
            for line in _lines_of(block):
                if line["number"]:
                    targets.setdefault(line["number"], line)
    parts = [
        {**part, **{name: _link_all(part[name], targets, "") for name in ("lead", "blocks")}}
        for part in sheet["parts"]
    ]
    return {**sheet, "parts": parts}


def _lines_of(block: Plain) -> Iterator[Plain]:
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


def _link_all(value: Any, targets: Mapping[str, Plain], here: str) -> Any:
    """The same with links; `here` is the number of the line around the value, if numbers lead to it."""
    if isinstance(value, list):
        return [_link_all(inner, targets, here) for inner in value]
    if not isinstance(value, dict):
        return value
    if value.get("kind") == "ref" and value.get("text") in targets:
        return {**value, "kind": "link"}
    number = value.get("number", "")
    first = bool(number) and targets.get(number) is value
    here = number if first else here
    linked = {name: _link_all(inner, targets, here) for name, inner in value.items() if name != "see"}
    if first:
        linked["first"] = True
    elif number in targets:
        linked["leads"] = True
    if "see" in value:
        linked["see"] = [[cited, cited in targets and cited != here] for cited in value["see"]]
    return linked
