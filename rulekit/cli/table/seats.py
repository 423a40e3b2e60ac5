"""The table a game is played at: rules loaded, a session begun or taken up, players seated."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import click

from rulekit.agents import (
    Agent,
    BadAgent,
    BadScript,
    Script,
    chance_agent,
    first_legal,
    python_agent,
    random_agent,
    scripted,
)
from rulekit.base.files import STDIN, UnreadableFile, read_named
from rulekit.cli import shared, terminal
from rulekit.cli.files import MOST_JSON, from_json, readable_json, write_whole
from rulekit.cli.table.board import StateView
from rulekit.cli.table.person import Person
from rulekit.cli.table.real_dice import RealDice
from rulekit.cli.table.stopping import Stopping
from rulekit.ir.missing_tables import made_up_words
from rulekit.runtime.narrate import Narrator
from rulekit.runtime.play import Fault, Game, SaveError, Session

PYTHON = ".py:"
"""Between a file of Python and the name of the agent in it."""

MOST_NAMED = 8
"""Options that the heading of a game names; of more, it names the presets and says how many there are."""

PLAYERS = ("person", "random", "first-legal")
WHO = f"{', '.join(PLAYERS)}, an answer file, or a function of your own, `FILE.py:NAME`"


class GameTable:
    """One rule set, ready to be played from the command line.

    Attributes:
        rules: The set as the user named it.
    """

    def __init__(self, rules: shared.ChosenRules, *, explain: bool = False) -> None:
        """Raise Failure if the set does not exist or cannot be played."""
        self.rules, self.folder, self.compiled = rules, rules.folder, rules.compile()
        self.program = self.compiled.program
        if not self.program.entry:
            raise shared.Failure(
                f"`{self.program.name}` cannot be played: add a `sequence` to its `ruleset.yaml`"
            )
        self.stopping, self._explain = Stopping(), explain
        self._sit(invariants=False)

    def _sit(self, *, invariants: bool) -> None:
        self.game = Game(self.program, explain=self._explain, invariants=invariants)
        prefix, written = self.compiled.rule_set.manifest.prefix, shared.line_reader(self.compiled)
        wording = shared.wording_of(self.compiled)
        self.narrator = Narrator(self.program, prefix, self.game, written, wording)
        self.words = self.narrator.words

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides."""
        sides = self.program.by_name.domains.get(self.program.sides)
        return sides.members if sides is not None else ()

    # -- beginning

    def keep_promises(self) -> None:
        """Test invariants from now on: a fault in a replay may be a broken one."""
        self._sit(invariants=True)

    def compare(self, source: object) -> None:
        """Tell it where a replay was made from other rules or data than these."""
        if source not in (None, self.program.source_hash):
            shared.say("the rules or data have changed since this replay; the game may differ")

    def start(
        self,
        seed: str,
        scenario: str | None,
        dice: Mapping[str, Sequence[int]] | None = None,
        *,
        asks_chance: bool = False,
    ) -> Session:
        """A new game; `dice` is what the first of them show.

        Raises:
            Failure: There is no such scenario, there are no such dice, or the rules cannot begin.
        """
        shared.known_scenario(self.program, scenario)
        try:
            chance: Literal["drawn", "asked"] = "asked" if asks_chance else "drawn"
            return self.game.start(seed=shared.seed_of(seed), scenario=scenario, dice=dice, chance=chance)
        except Fault as fault:
            raise shared.Failure(f"the game cannot start: {self.fault_text(fault)}") from fault
        except ValueError as wrong:
            raise shared.Failure(f"the dice of the replay do not match the rules: {wrong}") from wrong

    def resume(self, path: Path) -> Session:
        """A saved game to continue.

        Raises:
            Failure: The file is not a save of this game.
        """
        data = readable_json(path, "saved game")
        if not isinstance(data, dict):
            raise shared.Failure(f"not a saved game: `{path}`")
        if "dice" in data:
            self.keep_promises()
        try:
            session = self.game.restore(data)
        except SaveError as error:
            raise shared.Failure(f"cannot resume `{path}`: {error}") from error
        for note in session.notes:
            terminal.echo(f"rulekit: {note}", err=True)
        self.narrator.look(session)
        return session

    # -- who plays

    def seats(self, default: str, by_side: Iterable[str]) -> dict[str, str]:
        """For each side who answers, in the user's words.

        Raises:
            UsageError: There is no such side, or nobody of that name.
        """
        wanted = dict.fromkeys(self.sides, default)
        for entry in by_side:
            named, _, who = entry.partition("=")
            side = next((name for name in self.sides if name.casefold() == named.strip().casefold()), "")
            if not side or not who.strip():
                raise click.UsageError(
                    f"`--agent {entry}`: expected SIDE=WHO, where SIDE is one of {', '.join(self.sides)}"
                )
            wanted[side] = who.strip()
        for who in {default, *wanted.values()}:
            if who not in PLAYERS and not _is_there(who) and PYTHON not in who:
                raise click.UsageError(f"unknown agent or file `{who}`: use {WHO}")
        return wanted

    def agents(self, seats: Mapping[str, str], scripts: Mapping[str, Script], seed: str) -> dict[str, Agent]:
        """For each side its agent; sides in the same hands share one.

        Raises:
            Failure: A file of Python does not give one.
        """
        agents: dict[str, Agent] = {
            "first-legal": first_legal,
            "random": random_agent(shared.seed_of(seed)),
            **scripts,
            **{who: _own_agent(who) for who in seats.values() if PYTHON in who and who not in scripts},
        }
        if "person" in seats.values():
            from rulekit.diagnostics import Report
            from rulekit.reports.sheet.model.settings import factors_by_kind, read_settings

            factors = factors_by_kind(read_settings(self.folder, Report()))
            board = StateView(self.compiled, self.words, self.game, factors)
            printed = (rule for rules in self.compiled.printed for rule in rules.rules)
            summaries = {rule.id: rule.summary for rule in printed}
            agents["person"] = Person(self.narrator, board, self.stopping, summaries)
        return {side: agents[who] for side, who in seats.items()}

    def chance_agent(self, script: Script | None, seed: str) -> Agent:
        """The agent that answers for chance: a file that has results, or a person with real dice."""
        if script is not None and script.start.get("chance") == "asked":
            return script
        return RealDice(self.narrator, self.stopping, chance_agent(shared.seed_of(seed)))

    # -- telling

    def head(self, session: Session, seed: str) -> str:
        """Return the heading of a game: title, scenario, options, seed."""
        program = self.program
        title = next(
            (
                scenario.title or scenario.name
                for scenario in program.scenarios
                if scenario.name == session.scenario
            ),
            "",
        )
        words = made_up_words(program)
        made_up = f"made up: {', '.join(words)}" if words else ""
        source = "real dice" if session.game.asks_chance else f"seed {seed}"
        options = [*program.options]
        if len(options) > MOST_NAMED:
            presets = [name for name in self.rules.options if name not in options]
            options = [*presets, f"{len(options)} options"]
        parts = [program.title, program.edition, title, *options, made_up, source]
        return " · ".join(part for part in parts if part)

    def fault_text(self, fault: Fault) -> str:
        """A fault with its place in the rules and in play."""
        return shared.fault_text(fault, self.folder, self.words.rules, self.narrator.title)

    # -- saving

    def save_place(self, wanted: str | None, resumed: Path | None) -> str:
        """Return the file for a save: the one requested, the one resumed, or a free name.

        Raises:
            Failure: It could not be written there, or would replace a file that is not a saved game.
        """
        if wanted is not None:
            path = Path(wanted)
            if os.path.isdir(path) or not os.path.isdir(path.absolute().parent):
                raise shared.Failure(f"cannot write `{wanted}`: choose a file in an existing folder")
            if os.path.isfile(path) and not _may_be_replaced(path):
                raise shared.Failure(f"`{wanted}` exists and is not a saved game; not replaced")
            return wanted
        if resumed is not None and str(resumed) != STDIN:
            return str(resumed)
        number, path = 1, Path(f"{self.program.name}.rulekit-save.json")
        while os.path.lexists(path):
            number += 1
            path = Path(f"{self.program.name}.rulekit-save-{number}.json")
        return str(path)

    def save(self, session: Session, name: str) -> str:
        """Save a game; where it was saved, which is elsewhere if the disk refused.

        Raises:
            Failure: It could not be saved anywhere.
        """
        text = json.dumps(session.save(), ensure_ascii=False) + "\n"
        try:
            write_whole(name, text)
        except shared.Failure as failure:
            shared.say(str(failure))
            handle, name = tempfile.mkstemp(prefix=f"{self.program.name}.", suffix=".rulekit-save.json")
            os.close(handle)
            write_whole(name, text)
        return name

    def go_on(self, name: str, extra: Iterable[str]) -> str:
        """The command that goes on with a saved game."""
        words = ["rulekit", "play", self.rules.name]
        for option in self.rules.options:
            words += ["--with", option]
        for overlay in self.rules.overlays:
            words += ["--data", str(overlay)]
        return shlex.join([*words, "--resume", name, *extra])


def scripts_of(players: Iterable[str]) -> dict[str, Script]:
    """The files of answers that are there among those who play.

    Raises:
        Failure: One of them cannot be read.
    """
    files = {who for who in players if who not in PLAYERS and _is_there(who)}
    try:
        return {who: scripted(who) for who in sorted(files)}
    except BadScript as error:
        raise shared.Failure(terminal.in_one_line(str(error))) from error


def _own_agent(text: str) -> Agent:
    """The agent of a file of Python.

    Raises:
        Failure: It does not give one.
    """
    try:
        return python_agent(text)
    except BadAgent as bad:
        raise shared.Failure(str(bad)) from bad


def _is_there(name: str) -> bool:
    """Return whether there is such a file, or it is standard input."""
    return name == STDIN or os.path.exists(name)


def _may_be_replaced(path: Path) -> bool:
    """Return whether a file is empty or some saved game."""
    try:
        text = read_named(path, MOST_JSON)
        data: Any = from_json(text.decode("utf-8")) if text else None
    except (UnreadableFile, ValueError, RecursionError):
        return False
    return not text or isinstance(data, dict) and {"format", "program", "state", "frames"} <= set(data)
