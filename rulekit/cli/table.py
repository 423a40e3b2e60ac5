"""The table a game is played at: rules loaded, players seated, what happens told."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from rulekit.agents import Agent, BadScript, first_legal, random_agent, scripted
from rulekit.cli import shared
from rulekit.cli.files import write_whole
from rulekit.cli.person import Person
from rulekit.diagnostics import Report, RulesError
from rulekit.driver import compile_rule_set
from rulekit.narrate import Narrator
from rulekit.play import Decision, Event, Fault, Game, Option, Refused, SaveError, Session


class Table:
    """One rule set, ready to be played from the command line."""

    def __init__(self, folder: Path, options: tuple[str, ...], overlays: tuple[Path, ...]) -> None:
        self.folder, self.options = folder, options
        try:
            self.compiled = compile_rule_set(folder, Report(), options=options, overlays=overlays)
        except RulesError as error:
            shared.stop_with(error.diagnostics, folder)
        self.program = self.compiled.program
        if not self.program.entry:
            raise shared.Failure(
                f"`{self.program.name}` names no sequence in its `ruleset.yaml`: it cannot be played"
            )
        self.game = Game(self.program)
        self.prefix = self.compiled.rule_set.manifest.prefix
        self.narrator = Narrator(self.program, self.prefix)
        self.tell = self.narrator.tell

    @property
    def sides(self) -> tuple[str, ...]:
        """Those who play."""
        return next((d.members for d in self.program.domains if d.name == self.program.sides), ())

    # -- beginning

    def start(self, seed: str, scenario: str | None) -> Session:
        known = [each.name for each in self.program.scenarios]
        if scenario is not None and scenario not in known:
            raise shared.Failure(f"there is no scenario `{scenario}`; there are {', '.join(known) or 'none'}")
        if scenario is None and known:
            scenario = known[0]
        with self.failing():
            return self.game.start(seed=seed_of(seed), scenario=scenario)

    def resume(self, path: Path) -> Session:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise shared.Failure(f"`{path}` is no saved game: {error}") from error
        try:
            session = self.game.restore(data)
        except SaveError as error:
            raise shared.Failure(f"`{path}` cannot be gone on with: {error}") from error
        for note in session.notes:
            click.echo(note, err=True)
        return session

    def agents(self, default: str, by_side: Iterable[str], seed: str) -> Mapping[str, Agent]:
        """For each side who answers."""
        wanted = dict.fromkeys(self.sides, default)
        for entry in by_side:
            side, _, who = entry.partition("=")
            if side not in wanted or not who:
                raise click.UsageError(
                    f"`--agent {entry}`: write SIDE=WHO, SIDE one of {', '.join(self.sides)}"
                )
            wanted[side] = who
        made = {who: self._agent(who, seed) for who in set(wanted.values())}
        return {side: made[who] for side, who in wanted.items()}

    def _agent(self, who: str, seed: str) -> Agent:
        match who:
            case "person":
                return Person(self.narrator.name, self.prefix)
            case "random":
                return random_agent(seed_of(seed))
            case "first-legal":
                return first_legal
            case _ if Path(who).is_file():
                with self.failing():
                    return scripted(Path(who))
            case _:
                raise click.UsageError(f"`{who}` is neither person, random, first-legal nor a file")

    def head(self, session: Session, seed: str | None) -> None:
        """What is played."""
        program = self.program
        parts = [program.title, program.edition, session.scenario or "", *self.options]
        if seed is not None:
            parts.append(f"seed {seed}")
        click.echo(" · ".join(part for part in parts if part))

    # -- playing

    def answer(self, session: Session, agent: Agent, decision: Decision) -> Option | None:
        with self.failing():
            return agent(session, decision)

    def choose(self, session: Session, option: Option) -> None:
        with self.failing():
            session.choose(option)

    def failing(self) -> _Failing:
        return _Failing()

    def as_json(self, event: Event) -> dict[str, Any]:
        """An event as a line of the log; an answer's line is what a script needs."""
        made: dict[str, Any] = {"kind": event.kind, "subject": event.subject, "rules": list(event.rules)}
        if event.kind == "answer":
            made["choice"] = event.subject
        return {**made, **{name: value for name, value in event.fields.items() if name not in made}}

    # -- ending

    def save(self, session: Session, name: str | None) -> None:
        """Save, and say how to go on."""
        path = name or f"{self.program.name}.rulekit-save.json"
        write_whole(path, json.dumps(session.save(), ensure_ascii=False) + "\n")
        options = "".join(f" --with {option}" for option in self.options)
        click.echo(f"\nsaved; go on with: rulekit play {self.folder}{options} --resume {path}", err=True)

    def result(self, session: Session) -> None:
        """How it ended."""
        if session.result is not None:
            click.echo(f"\nresult: {self.narrator.value(session.result)}")
        else:
            click.echo("\nthe game is over")


class _Failing:
    """Turns faults of play and bad scripts into failures of the command."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Fault):
            raise shared.Failure(f"the rules cannot go on: {error}") from error
        if isinstance(error, BadScript | Refused):
            raise shared.Failure(str(error)) from error


def seed_of(text: str) -> int | str:
    """A seed is a number where it looks like one; else a text."""
    return int(text) if text.isdigit() and int(text) < 2**64 else text
