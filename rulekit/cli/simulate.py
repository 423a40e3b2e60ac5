"""`rulekit simulate SET`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulekit.cli import shared, terminal

if TYPE_CHECKING:
    from rulekit.agents import PythonAgent
    from rulekit.reports.simulation.asking import Simulator
    from rulekit.runtime.simulation.results import Simulation


@click.command("simulate")
@shared.with_rule_set
@shared.option("--games", "N", "Number of games.", type=click.IntRange(1), default=1000)
@shared.option(
    "--of",
    "EXPR",
    "Count the values of this at the end of each game: an expression, `result`, `decisions` or `lost SIDE`.",
    multiple=True,
)
@shared.option("--where", "EXPR", "Count only games that end with this true.", default="")
@shared.option("--scenario", "NAME", "Starting scenario.", show_default="the first one")
@shared.option(
    "--agents",
    "WHO",
    "Agent that plays all sides: random, first-legal, or a function of your own, FILE.py:NAME.",
    default="random",
)
@shared.option("--agent by_side", "SIDE=WHO", "Agent that plays one side.", multiple=True)
@shared.option("--seed", "SEED", "Number or word that determines all games.", default="0")
@shared.option(
    "--compare others",
    "OPTION",
    "Compare with the rules under this option instead; `base` is the rules without options.",
    multiple=True,
)
@shared.option(
    "--workers", "N", "Processes that play.", type=click.IntRange(1), show_default="one for each core"
)
@shared.option("--dask", "ADDRESS", "Play on the Dask cluster of this scheduler; `local` starts one here.")
@shared.option(
    "--save",
    "FILE",
    "Keep the games that were played; the same command with the file goes on from there.",
    type=shared.FILE,
)
@shared.option(
    "--trace-worst traces",
    "FOLDER",
    "Write the logs of the games with the least and the greatest value, and of the first game of each fault.",
    type=shared.FILE,
)
@shared.flag("--native", "Play by a native module: the same games, faster; all agents are random.")
@shared.option("--report", "FILE", "Write a report with plots as HTML.")
@shared.option(
    "--by",
    "EXPR",
    "With --report: draw results, losses and numbers by this value, such as the turn.",
    default="",
)
@shared.with_format("full", "json", "csv")
def command(
    rules: shared.ChosenRules,
    games: int,
    of: tuple[str, ...],
    where: str,
    scenario: str | None,
    agents: str,
    by_side: tuple[str, ...],
    seed: str,
    others: tuple[str, ...],
    workers: int | None,
    dask: str | None,
    save: Path | None,
    traces: Path | None,
    native: bool,
    report: str | None,
    by: str,
    output_format: str,
) -> None:
    """Play many games, and count how they end.

    Each game has its number, which with the seed determines its dice and answers: the totals are the same for
    any number of processes, and game N of seed S is the one that `rulekit play --seed S/N` plays with the
    same answers. Chances have intervals of 95 % (Wilson); with --compare, games are played in pairs with
    the same seeds, and a difference that is certainly not zero is marked with `*`.
    """
    from rulekit.diagnostics import RulesError
    from rulekit.reports.simulation.asking import NoSimulation, Simulator
    from rulekit.runtime.simulation.plan import AGENTS

    if by and report is None:
        raise click.UsageError("--by is for a report: add `--report FILE`")
    against = shared.compared_options(others)
    try:
        simulator = Simulator(rules.folder, options=rules.options, against=against, overlays=rules.overlays)
    except RulesError as error:
        shared.stop_with(error.diagnostics, rules.folder, "json" if output_format == "json" else "full")
    shared.known_scenario(simulator.program, scenario)
    everyone = shared.agent_of(agents, AGENTS)
    wanted = dict.fromkeys(simulator.sides, everyone) | dict(_side_and_agent(text) for text in by_side)
    try:
        plan, names = simulator.plan(
            of if report is None else _with_report_measures((*of, *([by] if by else [])), simulator),
            where=where,
            scenario=scenario,
            agents=wanted if simulator.sides else everyone,
            seed=seed,
            native=native,
            clock="" if native else by.strip(),
        )
        with shared.progress_of("games") as show:
            simulation = simulator.simulate(
                plan, names, games, workers=workers, dask=dask, save=save, told=show
            )
    except NoSimulation as error:
        raise shared.Failure(str(error)) from error
    if not simulation.counted:
        raise shared.Failure(f"none of {games} games ends with `{where}` true")
    if traces is not None:
        _write_traces(simulation, traces)
    if report is not None:
        _write_report(simulation, report, by.strip())
    if output_format == "json":
        terminal.echo_json(simulation.json())
    elif output_format == "csv":
        terminal.echo_exactly(simulation.csv(), nl=False)
    else:
        _print(simulation, simulator)


def _side_and_agent(text: str) -> tuple[str, str | PythonAgent]:
    from rulekit.runtime.simulation.plan import AGENTS

    side, equals, who = text.partition("=")
    if not equals or not who.strip():
        raise click.UsageError(f"`--agent {text}`: expected SIDE=WHO")
    return side.strip(), shared.agent_of(who.strip(), AGENTS)


def _with_report_measures(of: tuple[str, ...], simulator: Simulator) -> tuple[str, ...]:
    """The measures of a report: those asked for, and those that every game has."""
    return tuple(dict.fromkeys(("result", "decisions", *(f"lost {side}" for side in simulator.sides), *of)))


def _print(simulation: Simulation, simulator: Simulator) -> None:
    from rulekit.ir.missing_tables import made_up_words
    from rulekit.reports.simulation import table as words

    program = simulator.program
    made_up = made_up_words(program)
    parts = [words.summary(simulation), *([f"made up: {', '.join(made_up)}"] if made_up else [])]
    terminal.echo(terminal.style(shared.fold_line(" · ".join(parts)), "quiet"))
    for head, lines in words.tables(simulation):
        terminal.echo(terminal.style(head, "head"))
        for line in lines:
            terminal.echo(line)
    for fault, entry in simulation.faults.items():
        often = f"{entry.count:,} game{'' if entry.count == 1 else 's'}, first game {entry.first}"
        terminal.echo(f"{fault}: {fault.message} ({often})")


def _write_traces(simulation: Simulation, folder: Path) -> None:
    """Write the log of each extreme game: `rulekit play --agents FILE` plays it again.

    Raises:
        Failure: One cannot be written.
    """
    from rulekit.cli.files import write_bytes
    from rulekit.cli.table.log import as_json, start_of
    from rulekit.reports.simulation.traces import extreme_games, replay

    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise shared.Failure(f"cannot write in `{folder}`: {(error.strerror or '').lower()}") from error
    files, lines = {}, []
    for name, number, reason in extreme_games(simulation):
        session = replay(simulation, number)
        log = [{"kind": "start", "format": 1, **start_of(session), "answers": 0}]
        log += map(as_json, session.events)
        path = folder / f"{name}.jsonl"
        files[str(path)] = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in log).encode()
        lines.append(f"{path}: game {number}, {reason}")
    write_bytes(files)
    for line in lines:
        terminal.echo(line, err=True)


def _write_report(simulation: Simulation, name: str, by: str) -> None:
    """Write the report.

    Raises:
        Failure: Matplotlib is not installed, or the file cannot be written.
    """
    from rulekit.cli.files import write_whole
    from rulekit.reports.odds.plots import NoPlots
    from rulekit.reports.simulation.report import page

    try:
        write_whole(name, page(simulation, by))
    except NoPlots as missing:
        raise shared.Failure(str(missing)) from missing
