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
    metavar="FILE",
    help="Where to write: the whole program, or nothing; `-`, the default, is standard output.",
)
def command(set_name: str, options: tuple[str, ...], overlays: tuple[Path, ...], output: str) -> None:
    """Write a rule set's program as JSON.

    The program is what any interpreter of the rules needs, and nothing else: names are bound, options laid
    over, types known.  Its form is described by `schemas/ir.schema.json`.

    Exits 1, and writes nothing, if findings stop it.
    """
    from rulekit.cli.files import write_whole
    from rulekit.ir.serial import to_json

    made = shared.compiled(shared.locate(set_name), options, overlays)
    write_whole(output, json.dumps(to_json(made.program), ensure_ascii=False, indent=1) + "\n")
