"""`rulekit test SET`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulekit.base.files import excerpt
from rulekit.cli import shared, terminal

if TYPE_CHECKING:
    from rulekit.compiler.driver import Compiled
    from rulekit.ir import Example, Site
    from rulekit.runtime.play.examples import ExampleResult

INDENT = " " * 8
MOST_TOLD = 20
"""Lines of what happened in an example that fails."""


@click.command("test")
@shared.with_rule_set
@shared.option("--only", "TEXT", "Run only examples whose title or printed rule contains TEXT.")
@shared.flag("-v --verbose", "Also list the examples that passed.")
@shared.flag("--mutate", "Change the rules one thing at a time, and list the changes the examples miss.")
@shared.flag("--vacuous", "List the examples that pass although a rule they cite has no effect.")
@shared.option("--select", "KINDS", "With --mutate: only these kinds of change, separated by commas.")
@shared.option(
    "--sample", "N", "With --mutate: try at most N changes, chosen at random.", type=click.IntRange(1)
)
@shared.option("--seed", "SEED", "With --sample: use a different random sample.")
@shared.option(
    "--jobs",
    "N",
    "With --mutate: number of processes.",
    type=click.IntRange(1, 256),
    show_default="one per core",
)
@shared.option(
    "--fail-under",
    "PERCENT",
    "With --mutate: exit with 1 if the examples catch less than PERCENT of the changes.",
    type=click.IntRange(0, 100),
)
@shared.option(
    "--minutes",
    "N",
    "Begin no further example or change after N minutes of processor time.",
    type=click.IntRange(0),
    default=60,
)
@shared.with_format("full", "json")
def command(
    rules: shared.ChosenRules,
    only: str | None,
    verbose: bool,
    mutate: bool,
    vacuous: bool,
    minutes: int,
    output_format: str,
    **mutation: Any,
) -> None:
    """Run the examples in a rule set.

    An example gives a situation, the action with its dice and answers, and the expected result. With options,
    rulekit runs the examples in the files of those options and those marked `given with` one of them. The
    other examples show the game without options.

    With --mutate, rulekit changes one number, comparison, exception or step at a time, and lists the changes
    that no example, and no invariant in a few short games, catches.

    With --vacuous, rulekit runs each example without each rule that the example cites, and lists those that
    still pass: they assert nothing of that rule.

    An example with `chance` or `mean` lines follows every outcome of its dice. It is undecided if there are
    too many.

    Exits with 1 if an example fails, is vacuous, or is not run in time, 2 if there are none, 3 if some are
    undecided and nothing is worse.
    """
    from rulekit.runtime.play.examples import Examples

    if mutate and vacuous:
        raise click.UsageError("--vacuous and --mutate exclude each other")
    _refuse_alone(mutate, [name for name, value in mutation.items() if value is not None])
    folder, compiled = rules.folder, rules.compile(output_format)
    if mutate:
        from rulekit.cli.test.mutate import try_mutants

        sys.exit(try_mutants(compiled, folder, only, output_format, minutes=minutes, **mutation))
    program = compiled.program
    chosen = [
        example for example in program.examples if _is_meant(example, program.sites[example.site], only)
    ]
    if not chosen:
        raise shared.Failure(
            f"no example in `{rules.name}`" + (f" matches `{only}`" if only is not None else "")
        )
    if vacuous:
        from rulekit.cli.test.vacuous import report_vacuous

        sys.exit(report_vacuous(compiled, folder, chosen, output_format, minutes))
    examples, failed, undecided, shown = Examples(program), 0, 0, []
    tried, end = 0, time.process_time() + 60 * minutes
    with shared.progress(chosen, "examples") as bar:
        for example in bar:
            if time.process_time() > end:
                break
            result = examples.run(example)
            site = program.sites[example.site]
            tried += 1
            failed += result.failed
            undecided += result.undecided
            if output_format == "json":
                shown.append(_as_json(result, site))
            elif not result.passed:
                _report_failure(result, example, folder, compiled)
            elif verbose:
                terminal.echo(f"{terminal.style('passed', 'added')}  {_place(site, folder)}  {result.name}")
    if output_format == "json":
        terminal.echo_json({"format": 1, "examples": shown})
    else:
        others = "".join(_not_run(compiled)) if only is None else ""
        unknown = f"; {undecided} undecided" if undecided else ""
        terminal.echo(f"{tried - failed - undecided} of {len(chosen)} examples passed{unknown}{others}")
    if tried < len(chosen):
        shared.say_untried(len(chosen) - tried, "example", minutes)
    sys.exit(shared.FINDINGS if failed or tried < len(chosen) else shared.UNDECIDED if undecided else 0)


def _not_run(compiled: Compiled) -> Iterator[str]:
    """Yield how many examples are left out, by the reason."""
    from rulekit.compiler.in_force import other_options

    if options := other_options(compiled.declared, compiled.rule_set):
        yield f"; {options} not run: they are for other options"
    sampler = sum(example.for_sampler for example in compiled.declared.examples.values())
    if sampler and not compiled.data.sampled:
        yield f"; {sampler} not run: they are for the sampler"


def _refuse_alone(mutate: bool, given: list[str]) -> None:
    """Refuse the options of `--mutate` without it."""
    if given and not mutate:
        first = min(given, key=("select", "sample", "seed", "jobs", "fail_under").index)
        raise click.UsageError(f"--{first.replace('_', '-')} needs --mutate")
    if "seed" in given and "sample" not in given:
        raise click.UsageError("--seed needs --sample")


def _is_meant(example: Example, site: Site, only: str | None) -> bool:
    return (
        only is None or only.casefold() in example.name.casefold() or any(only in rule for rule in site.rules)
    )


def _report_failure(result: ExampleResult, example: Example, folder: Path, compiled: Compiled) -> None:
    """Name an example that fails, the condition that does not hold and its values, and what happened."""
    from rulekit.analysis.claims.unmet import unmet_values
    from rulekit.runtime.narrate import Narrator

    site = compiled.program.sites[example.site]
    word = terminal.style("undecided" if result.undecided else "failed", "removed")
    terminal.echo(f"{word}  {_place(site, folder)}  {result.name}")
    terminal.echo(f"{INDENT}{result.reason}")
    if result.broken is not None:
        at = compiled.program.sites[result.broken]
        lines = excerpt(str(folder / at.file)).split("\n")
        if at.line <= len(lines):
            terminal.echo(f"{INDENT}  {at.line}│ {lines[at.line - 1].strip()}")
        for line in () if example.measures else unmet_values(compiled, example, result.broken):
            terminal.echo(f"{INDENT}{line}")
    narrator = Narrator(compiled.program, compiled.rule_set.manifest.prefix)
    events = [*narrator.tell(result.events), *narrator.finish()]
    if events:
        terminal.echo(f"{INDENT}what happened:")
    if len(events) > MOST_TOLD:
        terminal.echo(f"{INDENT}after {len(events) - MOST_TOLD} lines more")
    for event in events[-MOST_TOLD:]:
        for left, right in event.rows(shared.WIDEST - len(INDENT)):
            terminal.echo(f"{INDENT}{left}{right}")


def _place(site: Site, folder: Path) -> str:
    return f"{folder / site.file}:{site.line}"


def _as_json(result: ExampleResult, site: Site) -> dict[str, Any]:
    return {
        "name": result.name,
        "file": site.file,
        "line": site.line,
        "rules": list(site.rules),
        "holds": result.passed,
        "undecided": result.undecided,
        "reason": result.reason,
    }
