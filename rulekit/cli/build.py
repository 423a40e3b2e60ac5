"""`rulekit build SET`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.ir import Program
    from rulekit.runtime.native.build import Target
    from rulekit.runtime.native.refusals import BuildRefused

TARGETS = ("wasm", "c")


@click.command("build")
@shared.with_rule_set
@shared.option(
    "--target", TARGETS, "Form of the output: a WebAssembly module, or a file of C.", default="wasm"
)
@shared.flag("--stops", "Stop at each question for the host, instead of playing whole games.")
@shared.option("-o --output", "FILE", "Output file.", required=True)
def command(rules: shared.ChosenRules, target: Target, stops: bool, output: str) -> None:
    """Build a rule set as a WebAssembly module, or as C.

    It plays whole games by random answers, or asks its host for them. It needs neither Python nor
    anything of its host. Chapter 15 of the specification describes what a host calls and reads.

    Exits with 1, and writes nothing, if errors stop it, and with 2 if a rule cannot be built yet.
    """
    from rulekit.cli.files import write_bytes
    from rulekit.runtime.native.build import build
    from rulekit.runtime.native.refusals import BuildRefused

    program = rules.compile().program
    try:
        content = build(program, target=target, stops=stops)
    except BuildRefused as refused:
        raise shared.Failure(_explanation(refused, program)) from None
    write_bytes({output: content})


def _explanation(refused: BuildRefused, program: Program) -> str:
    """The places that cannot be built, a line each."""
    lines = []
    for refusal in refused.refusals:
        place = ""
        if refusal.site >= 0:
            site = program.sites[refusal.site]
            place = f"{site.file}:{site.line}:{site.column}: "
        lines.append(f"{place}{refusal.what} cannot be built yet")
    return "\n".join(lines)
