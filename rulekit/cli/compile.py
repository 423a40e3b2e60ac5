"""`rulekit compile SET`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rulekit.cli import shared
from rulekit.cli.files import write_whole


@click.command("compile")
@click.argument("set_name", metavar="SET")
@shared.with_options
@click.option("-o", "--output", default="-", metavar="FILE", help="Where to write; `-` is standard output.")
def command(set_name: str, options: tuple[str, ...], overlays: tuple[Path, ...], output: str) -> None:
    """Write a rule set's program as JSON.

    The program is what any interpreter of the rules needs, and nothing else; its form is described by
    schemas/ir.schema.json.
    """
    from rulekit.diagnostics import Report, RulesError
    from rulekit.driver import compile_rule_set
    from rulekit.ir.serial import to_json

    folder = shared.locate(set_name)
    try:
        compiled = compile_rule_set(folder, Report(), options=options, overlays=overlays)
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder)
    write_whole(output, json.dumps(to_json(compiled.program), ensure_ascii=False, indent=1) + "\n")
