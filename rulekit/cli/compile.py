"""`rulekit compile SET`."""

from __future__ import annotations

import json

import click

from rulekit.cli import shared


@click.command("compile")
@shared.with_rule_set
@shared.option("-o --output", "FILE", "Output file; `-` for standard output.", default="-")
def command(rules: shared.ChosenRules, output: str) -> None:
    """Export a rule set as a JSON program.

    The program contains everything an interpreter needs: names bound, options applied, types known. Its
    format is described by `schemas/ir.schema.json`.

    Exits with 1, and writes nothing, if errors stop it.
    """
    from rulekit.cli.files import write_whole
    from rulekit.ir.serial import to_json

    program = rules.compile().program
    write_whole(output, json.dumps(to_json(program), ensure_ascii=False, indent=1) + "\n")
