"""`rulekit compile SET`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rulekit.cli import shared


@click.command("compile")
@click.argument("set_name", metavar="SET")
@shared.with_options
@click.option(
    "-o",
    "--output",
    default="-",
    show_default=True,
    metavar="FILE",
    help="Output file; `-` for standard output.",
)
def command(set_name: str, options: tuple[str, ...], overlays: tuple[Path, ...], output: str) -> None:
    """Export a rule set as a JSON program.

    The program contains everything an interpreter needs: names bound, options applied, types known. Its
    format is described by `schemas/ir.schema.json`.

    Exits with 1, and writes nothing, if errors stop it.
    """
    from rulekit.cli.files import write_whole
    from rulekit.ir.serial import to_json

    made = shared.compiled(shared.locate(set_name), options, overlays)
    write_whole(output, json.dumps(to_json(made.program), ensure_ascii=False, indent=1) + "\n")
