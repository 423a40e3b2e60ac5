"""`rulekit test SET`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulekit.cli import shared

if TYPE_CHECKING:
    from rulekit.ir import Example, Site
    from rulekit.play.examples import ExampleResult


@click.command("test")
@click.argument("set_name", metavar="SET")
@shared.with_options
@click.option("--only", metavar="TEXT", help="Run the examples whose title, or printed rule, has this in it.")
@click.option("-v", "--verbose", is_flag=True, help="Name the examples that hold, too.")
@shared.with_format("full", "json")
def command(
    set_name: str,
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
    only: str | None,
    verbose: bool,
    output_format: str,
) -> None:
    """Run a rule set's own examples.

    An example gives a situation, what is done with which dice and answers, and what must come of it.  With
    options, those of the options are run: the base's show the game without them.

    Exits 1 if one fails, 2 if there is none.
    """
    from rulekit.play.examples import Examples

    folder = shared.locate(set_name)
    program = shared.compiled(folder, options, overlays, output_format).program
    chosen = [each for each in program.examples if _is_meant(each, program.sites[each.site], only)]
    if not chosen:
        raise shared.Failure(
            f"`{set_name}` has no examples" + (f" with `{only}`" if only is not None else "")
        )
    examples, failed, made = Examples(program), 0, []
    with shared.progress(chosen, "examples") as bar:
        for example in bar:
            result = examples.run(example)
            site = program.sites[example.site]
            failed += not result.passed
            if output_format == "json":
                made.append(_as_json(result, site))
            elif not result.passed or verbose:
                _tell(result, f"{folder / site.file}:{site.line}")
    if output_format == "json":
        click.echo(json.dumps({"format": 1, "examples": made}, ensure_ascii=False, indent=1))
    else:
        click.echo(f"{len(chosen) - failed} of {len(chosen)} examples hold")
    sys.exit(shared.FINDINGS if failed else 0)


def _is_meant(example: Example, site: Site, only: str | None) -> bool:
    return (
        only is None or only.casefold() in example.name.casefold() or any(only in rule for rule in site.rules)
    )


def _tell(result: ExampleResult, where: str) -> None:
    if result.passed:
        click.echo(f"{click.style('holds', fg='green')}   {where}  {result.name}")
    else:
        click.echo(f"{click.style('failed', fg='red')}  {where}  {result.name}\n        {result.reason}")


def _as_json(result: ExampleResult, site: Site) -> dict[str, Any]:
    return {
        "name": result.name,
        "file": site.file,
        "line": site.line,
        "rules": list(site.rules),
        "holds": result.passed,
        "reason": result.reason,
    }
