"""`rulekit test SET`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rulekit.cli import shared


@click.command("test")
@click.argument("set_name", metavar="SET")
@shared.with_options
@click.option("--only", metavar="TEXT", help="Run the examples whose title, or rule, has this in it.")
@click.option("-v", "--verbose", is_flag=True, help="Name the examples that hold, too.")
def command(
    set_name: str, options: tuple[str, ...], overlays: tuple[Path, ...], only: str | None, verbose: bool
) -> None:
    """Run a rule set's own examples.

    An example gives a situation, what is done with which dice and answers, and what must come of it.  With
    options, those of the options are run.  Exits 1 if one fails.
    """
    from rulekit.diagnostics import Report, RulesError
    from rulekit.driver import compile_rule_set
    from rulekit.play.examples import Examples

    folder = shared.locate(set_name)
    try:
        compiled = compile_rule_set(folder, Report(), options=options, overlays=overlays)
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder)
    program = compiled.program
    chosen = [
        each
        for each in program.examples
        if only is None or only in each.name or any(only in rule for rule in program.sites[each.site].rules)
    ]
    if not chosen:
        raise shared.Failure(f"`{folder}` has no such example" if only else f"`{folder}` has no examples")
    examples, failed = Examples(program), 0
    with shared.progress(chosen, "examples") as bar:
        for example in bar:
            result = examples.run(example)
            site = program.sites[example.site]
            where = f"{folder / site.file}:{site.line}"
            if not result.passed:
                failed += 1
                click.echo(
                    f"{click.style('failed', fg='red')}  {where}  {example.name}\n        {result.reason}"
                )
            elif verbose:
                click.echo(f"{click.style('holds', fg='green')}   {where}  {example.name}")
    click.echo(f"{len(chosen) - failed} of {len(chosen)} examples hold")
    sys.exit(shared.FINDINGS if failed else 0)
