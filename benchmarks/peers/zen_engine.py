"""ZEN: decision tables, the first row that fits counts; and expressions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from benchmarks.peers.said import Ask, Complaint, Pair, Said, asked
from benchmarks.peers.tables import Table


def by_hand() -> Mapping[str, Pair]:
    """Definitions as tables whose cells are expressions."""
    fields = {"turn": range(1, 10), "damage": range(10), "hits": range(10), "blue": range(10)}

    def pair(name: str, faulty: list[tuple[str, str]], twin: list[tuple[str, str]]) -> Pair:
        inputs = [{name: value} for value in fields[name]]
        return Pair(lambda: _asked(_cases(name, faulty), inputs), lambda: _asked(_cases(name, twin), inputs))

    return {
        "RK321/no-last-case": pair(
            "hits", [("> 6", "2"), ("< 4", "1")], [("> 6", "2"), ("< 4", "1"), ("", "0")]
        ),
        "RK501/wrong-order": pair(
            "damage", [("> 3", "1"), ("> 6", "2"), ("", "0")], [("> 6", "2"), ("> 3", "1"), ("", "0")]
        ),
        "RK501/beyond-the-track": pair("turn", [("> 9", "1"), ("", "0")], [("> 8", "1"), ("", "0")]),
        "RK210/never-defined": pair("turn", [("", "carrier + 1")], [("", "turn + 1")]),
        "RK705/odds-against-nobody": pair("blue", [("", "3 / blue")], [("> 0", "3 / blue"), ("0", "0")]),
    }


def in_table(table: Table) -> Said:
    """A table of the corpus, every combination of its keys looked up."""
    inputs = [{"id": key, "name": key, "field": key} for key in table.names]
    rules = [
        {
            "_id": str(number),
            **{
                key: ", ".join(map(str, cell)) or "false"
                for key, cell in zip(table.names, row.keys, strict=True)
            },
            "result": str(row.result),
        }
        for number, row in enumerate(table.rows)
    ]
    return _asked(_graph(inputs, rules), list(table.inputs()))


def _cases(field: str, lines: list[tuple[str, str]]) -> dict[str, Any]:
    rules = [{"_id": str(n), "key": key, "result": value} for n, (key, value) in enumerate(lines)]
    return _graph([{"id": "key", "name": field, "field": field}], rules)


def _graph(inputs: list[dict[str, str]], rules: list[dict[str, str]]) -> dict[str, Any]:
    outputs = [{"id": "result", "name": "result", "field": "result"}]
    content = {"hitPolicy": "first", "inputs": inputs, "outputs": outputs, "rules": rules}
    place = {"x": 0, "y": 0}
    return {
        "nodes": [
            {"id": "in", "type": "inputNode", "name": "in", "position": place},
            {"id": "table", "type": "decisionTableNode", "name": "t", "position": place, "content": content},
            {"id": "out", "type": "outputNode", "name": "out", "position": place},
        ],
        "edges": [
            {"id": "1", "sourceId": "in", "targetId": "table", "type": "edge"},
            {"id": "2", "sourceId": "table", "targetId": "out", "type": "edge"},
        ],
    }


def _asked(graph: Mapping[str, Any], inputs: list[dict[str, int]]) -> Said:
    """What is told when the graph is loaded and validated, and when it is asked about every input."""
    import zen

    def load() -> Ask:
        try:
            decision = zen.ZenEngine().create_decision(json.dumps(graph))
            decision.validate()
        except Exception as error:  # whatever it raises is what it tells
            raise Complaint(error) from error

        def ask(given: Mapping[str, Any]) -> str:
            try:
                result = decision.evaluate(dict(given))["result"]
            except Exception as error:
                raise Complaint(error) from error
            empty = result.get("result") is None
            return f"{json.dumps(result)} for {json.dumps(given)}" if empty else ""

        return ask

    return asked(load, inputs)
