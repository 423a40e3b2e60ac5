"""`rulekit run SET PROCEDURE`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from rulekit.base.spelling import suggestion
from rulekit.cli import shared, terminal

if TYPE_CHECKING:
    from rulekit.cli.values import Values
    from rulekit.ir import Function, Procedure, Program
    from rulekit.ir.semantics.names import Naming
    from rulekit.ir.types import Type

MOST_NAMED = 12
"""Most members listed in a hint."""


@click.command("run")
@shared.with_rule_set
@click.argument("name", metavar="[PROCEDURE]", required=False)
@shared.option("--set values", "NAME=VALUE", "Set a parameter.", multiple=True)
@shared.option(
    "--given",
    "STATE=VALUE",
    "Set a starting state: `turn=3`, `hits(Blue)=2`, or a field, `Alpha.damage=2`.",
    multiple=True,
)
@shared.option("--scenario", "NAME", "Set up this scenario first.")
@shared.option("--seed", "SEED", "Seed for the dice.", default="0")
@shared.option("--dice", "ROLL=FACES", "First dice of a roll: `attack=6,1`.", multiple=True)
@shared.option(
    "--draws", "CUP=THINGS", "First things drawn, or a shuffled order: `chits=A,B`.", multiple=True
)
@shared.option("--answers", "CHOICE=ANSWERS", "First answers to a choice: `move=Akagi,done`.", multiple=True)
@shared.option("--agents", ("first-legal", "random"), "Agent that answers choices.", default="first-legal")
@shared.with_explain
@shared.with_format("full", "json")
def command(
    rules: shared.ChosenRules,
    name: str | None,
    values: tuple[str, ...],
    given: tuple[str, ...],
    scenario: str | None,
    seed: str,
    dice: tuple[str, ...],
    draws: tuple[str, ...],
    answers: tuple[str, ...],
    agents: str,
    explain: bool,
    output_format: str,
) -> None:
    """Run one procedure, definition or table.

    Without PROCEDURE, list what can be run. Write values as in the rules: `--set attacker=Alpha --set
    action=Day`; a set as `{A, B}`. Nothing is set up unless you use --scenario or --given. The seed rolls and
    draws what you do not give with --dice and --draws.
    """
    from rulekit.cli.table.log import as_json
    from rulekit.cli.values import Values
    from rulekit.ir.semantics.names import Naming, NamingError
    from rulekit.runtime.narrate import Narrator
    from rulekit.runtime.play import Fault
    from rulekit.runtime.play.evaluate import evaluate

    compiled = rules.compile(output_format)
    program = compiled.program
    if name is None:
        for line in _list_runnable(program):
            terminal.echo(line)
        return
    shared.known_scenario(program, scenario)
    prefix, written = compiled.rule_set.manifest.prefix, shared.line_reader(compiled)
    narrator = Narrator(program, prefix, written=written, wording=shared.wording_of(compiled))
    reader = Values(compiled)
    try:
        item = _meant(program, name)
        cells = reader.given_cells(given)
        outcome = evaluate(
            program,
            item.name,
            _arguments(item, values, reader, Naming(program)),
            given=cells,
            scenario="" if scenario is None else scenario,
            seed=shared.seed_of(seed),
            dice=reader.dice(dice),
            draws=reader.draws(draws),
            answers=reader.answers(answers),
            explain=explain,
            **_agent(agents, seed),
        )
    except NamingError as error:
        raise shared.Failure(str(error)) from error
    except Fault as fault:
        words = shared.fault_text(fault, rules.folder, narrator.words.rules, narrator.title)
        raise shared.Failure(f"play stopped: {words}") from fault
    if output_format == "json":
        shown = {
            "format": 1,
            "result": outcome.result,
            "events": [as_json(event) for event in outcome.events],
            "unused": dict(outcome.unused),
        }
        terminal.echo_json(shown)
        return
    narrator.begin_with(cells, else_known=scenario is None)
    for log_line in (*narrator.tell(outcome.events), *narrator.finish()):
        shared.write(log_line)
    if str(item.result) != "nothing" or outcome.result is not None:
        terminal.echo(f"result: {narrator.words.value(outcome.result)}")
    elif not outcome.events:
        terminal.echo("no effect")
    for left, number in outcome.unused.items():
        terminal.echo(f"`{left}` did not use {number} of the given values", err=True)


def _meant(program: Program, name: str) -> Procedure | Function:
    """Return the named procedure, definition or table, or raise Failure."""
    items = {_runnable_name(item): item for item in _runnable(program)}
    wanted = "_".join(name.strip("'").split())
    if wanted in items:
        return items[wanted]
    hint = suggestion(
        wanted, sorted(items), "" if len(items) <= MOST_NAMED else "run without a name for a list"
    )
    raise shared.Failure(f"unknown procedure, definition or table `{name}`; {hint}")


def _runnable(program: Program) -> Iterator[Procedure | Function]:
    """List what authors have named; a procedure comes after a definition with its name."""
    for function in program.functions:
        if "'" not in function.name and ":" not in function.name.removeprefix("table:"):
            yield function
    for procedure in program.procedures:
        if "'" not in procedure.name and ":" not in procedure.name:
            yield procedure


def _runnable_name(item: Procedure | Function) -> str:
    return item.name.removeprefix("table:")


def _list_runnable(program: Program) -> Iterator[str]:
    items = {_runnable_name(item): item for item in _runnable(program)}
    for name, item in sorted(items.items()):
        params = ", ".join(f"{param.name}: {param.type}" for param in item.params)
        result = "" if str(item.result) == "nothing" else f" -> {item.result}"
        yield f"{name}({params}){result}" if params else f"{name}{result}"


def _arguments(
    item: Procedure | Function, values: tuple[str, ...], reader: Values, naming: Naming
) -> dict[str, Any]:
    """Return the value of each parameter as JSON, or raise Failure for a wrong name or type."""
    from rulekit.ir.semantics.names import NamingError

    types = {param.name: param.type for param in item.params}
    arguments = {}
    for entry in values:
        name, equals, value = (part.strip() for part in entry.partition("="))
        if not equals:
            raise click.UsageError(f"`--set {entry}`: expected NAME=VALUE")
        if name not in types:
            known = ", ".join(f"`{type_}`" for type_ in types) or "none"
            raise shared.Failure(f"`{_runnable_name(item)}` has no parameter `{name}`; parameters: {known}")
        arguments[name] = reader.read(types[name], value)
        try:
            naming.read(types[name], arguments[name])
        except NamingError as error:
            raise shared.Failure(f"`{name}`: {error}{_there_are(types[name], naming)}") from error
    return arguments


def _there_are(kind: Type, naming: Naming) -> str:
    """Return a hint with the possible values, if they fit on a line."""
    from rulekit.ir.types import Member, Optional

    inner = kind.of if isinstance(kind, Optional) else kind
    if not isinstance(inner, Member):
        return ""
    named = naming.kinds.get(inner.name)
    among = naming.domains[inner.domain].members
    if named is not None and named.domain == inner.domain:
        among = tuple(name for number, name in enumerate(among) if named.members >> number & 1)
    return f"; choose from {', '.join(among)}" if len(among) <= MOST_NAMED else ""


def _agent(who: str, seed: str) -> dict[str, Any]:
    """The agent that answers choices met on the way, as `evaluate` takes it."""
    if who == "first-legal":
        return {}
    from itertools import count

    from rulekit.runtime import chance

    base, asked = chance.stream_base(shared.seed_of(seed), "policy.agent"), count()

    def answer(choice: int, side: int, item: Any, options: Any) -> Any:
        return options[chance.uniform(base, next(asked), len(options))]

    return {"agent": answer}
