"""`rulekit run SET PROCEDURE`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from rulekit.cli import shared


@click.command("run")
@click.argument("set_name", metavar="SET")
@click.argument("name", metavar="PROCEDURE")
@shared.with_options
@click.option("--set", "values", multiple=True, metavar="NAME=VALUE", help="A value for a parameter.")
@click.option(
    "--given",
    multiple=True,
    metavar="STATE=VALUE",
    help="A state to begin with: `turn=3`, `Ship.damage(Akagi)=2`.",
)
@click.option("--scenario", metavar="NAME", help="Set up a scenario first.")
@click.option("--seed", metavar="SEED", default="0", show_default=True, help="Of the dice.")
@click.option(
    "--agents",
    type=click.Choice(["first-legal", "random"]),
    default="first-legal",
    show_default=True,
    help="Who answers.",
)
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full", show_default=True)
def command(
    set_name: str,
    name: str,
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
    values: tuple[str, ...],
    given: tuple[str, ...],
    scenario: str | None,
    seed: str,
    agents: str,
    output_format: str,
) -> None:
    """Run one procedure, or work out one definition, with given values.

    Values are written as in the rules: `--set attacker=Akagi --set action=Day`; sets as `{A, B}`.
    """
    from rulekit.cli.table import seed_of
    from rulekit.diagnostics import Report, RulesError
    from rulekit.driver import compile_rule_set
    from rulekit.interpret.naming import NamingError
    from rulekit.narrate import Narrator
    from rulekit.play import Fault
    from rulekit.play.evaluate import evaluate

    folder = shared.locate(set_name)
    try:
        compiled = compile_rule_set(folder, Report(), options=options, overlays=overlays)
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder)
    narrator = Narrator(compiled.program, compiled.rule_set.manifest.prefix)
    try:
        made = evaluate(
            compiled.program,
            name,
            _arguments(values),
            given=_given(given),
            scenario="" if scenario is None else scenario,
            seed=seed_of(seed),
            **_agent(agents, seed),
        )
    except NamingError as error:
        raise shared.Failure(str(error)) from error
    except Fault as fault:
        raise shared.Failure(f"the rules cannot go on: {fault}") from fault
    if output_format == "json":
        events = [
            {"kind": e.kind, "subject": e.subject, "rules": list(e.rules), **dict(e.fields)}
            for e in made.events
        ]
        click.echo(json.dumps({"result": made.result, "events": events}, ensure_ascii=False, indent=1))
        return
    for line in narrator.tell(made.events):
        click.echo(line)
    click.echo(f"result: {narrator.value(made.result)}")
    sys.stdout.flush()


def _agent(who: str, seed: str) -> dict[str, Any]:
    """The agent that answers choices met on the way, as `evaluate` takes it."""
    if who == "first-legal":
        return {}
    from itertools import count

    from rulekit import chance
    from rulekit.cli.table import seed_of

    base, asked = chance.stream_base(seed_of(seed), "policy.agent"), count()

    def answer(choice: int, side: int, item: Any, options: Any) -> Any:
        return options[chance.bounded(base, next(asked), len(options))]

    return {"agent": answer}


def _arguments(values: tuple[str, ...]) -> dict[str, Any]:
    found = {}
    for entry in values:
        name, equals, value = entry.partition("=")
        if not equals:
            raise click.UsageError(f"`--set {entry}`: write NAME=VALUE")
        found[name.strip()] = _value(value)
    return found


def _given(given: tuple[str, ...]) -> dict[str, list[tuple[list[Any], Any]]]:
    """`turn=3`, `Ship.damage(Akagi)=2` as cells of states."""
    found: dict[str, list[tuple[list[Any], Any]]] = {}
    for entry in given:
        target, equals, value = entry.partition("=")
        if not equals:
            raise click.UsageError(f"`--given {entry}`: write STATE=VALUE")
        state, _, keys = target.strip().partition("(")
        named = [_value(key) for key in keys.removesuffix(")").split(",")] if keys else []
        found.setdefault(state, []).append((named, _value(value)))
    return found


def _value(text: str) -> Any:
    """A value as it is written: a number, a flag, none, a set, or a name."""
    text = text.strip()
    if text.lstrip("-").isdigit():
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    if text == "none":
        return None
    if text.startswith("{") and text.endswith("}"):
        return [_value(part) for part in text[1:-1].split(",") if part.strip()]
    return "_".join(text.strip("'").split())
