"""cDMN: decision tables of unique rows as a theory, from which its solver makes models."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping
from typing import Any

from benchmarks.peers.said import Ask, Complaint, Pair, Said, asked
from benchmarks.peers.tables import Table

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="d">\n'
)


def by_hand() -> Mapping[str, Pair]:
    """Nothing but tables."""
    return {}


def _xml(table: Table) -> str:
    parts = [HEAD]
    for key in table.names:
        parts.append(
            f'<inputData id="i{key}" name="{key}">'
            f'<variable id="v{key}" name="{key}" typeRef="integer"/></inputData>'
        )
    parts.append('<decision id="answer" name="answer"><decisionTable id="t" hitPolicy="UNIQUE">')
    for key, size in zip(table.names, table.sizes, strict=True):
        parts.append(
            f'<input id="n{key}" label="{key}">'
            f'<inputExpression id="e{key}" typeRef="integer"><text>{key}</text></inputExpression>'
            f'<inputValues id="s{key}"><text>[1..{size}]</text></inputValues></input>'
        )
    parts.append('<output id="o" label="answer" name="answer" typeRef="integer"/>')
    for number, row in enumerate(table.rows):
        parts.append(f'<rule id="r{number}">')
        for key, cell in zip(table.names, row.keys, strict=True):
            parts.append(
                f'<inputEntry id="c{number}{key}"><text>{", ".join(map(str, cell))}</text></inputEntry>'
            )
        parts.append(f'<outputEntry id="a{number}"><text>{row.result}</text></outputEntry></rule>')
    return "".join([*parts, "</decisionTable></decision></definitions>"])


def in_table(table: Table) -> Said:
    """What is told of a table of the corpus as a theory, and where it has no model."""

    def load() -> Ask:
        with contextlib.redirect_stdout(io.StringIO()):
            from cdmn.API import DMN
            from idp_engine import IDP

            try:
                made = DMN(xml=_xml(table))
            except Exception as error:  # whatever it raises is what it tells
                raise Complaint(error) from error

        def ask(given: Mapping[str, Any]) -> str:
            for key, value in given.items():
                made.set_value(key, value)
            made.update_structure()
            main = "procedure main() {\n\tpretty_print(model_expand(T, S, max=2))}"
            found = IDP.from_str(made.idp + main).execute(capture_print=True) or ""
            if "No models" in found:
                raise Complaint(f"no models for {given}")
            return f"several models for {given}" if "Model 2" in found else ""

        return ask

    return asked(load, table.inputs())
