"""`rulekit play SET`."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

import click

from rulekit.cli import shared


@click.command("play")
@click.argument("set_name", metavar="SET")
@shared.with_options
@click.option("--scenario", metavar="NAME", help="Where to begin; without it, the first scenario there is.")
@click.option(
    "--seed", metavar="SEED", default=None, help="Makes every die and draw repeatable; without it, a new one."
)
@click.option(
    "--agents",
    metavar="WHO",
    default="person",
    show_default=True,
    help="Who answers: person, random, first-legal, or a file of answers.",
)
@click.option("--agent", "by_side", metavar="SIDE=WHO", multiple=True, help="Who answers for one side.")
@click.option("--log", "log_file", metavar="FILE", help="Write every event as a line of JSON.")
@click.option("--save", "save_file", metavar="FILE", help="Where Ctrl-C and `quit` save the game.")
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Go on with a saved game.",
)
@click.option("--quiet", is_flag=True, help="Tell only how it ended.")
def command(
    set_name: str,
    options: tuple[str, ...],
    overlays: tuple[Path, ...],
    scenario: str | None,
    seed: str | None,
    agents: str,
    by_side: tuple[str, ...],
    log_file: str | None,
    save_file: str | None,
    resume: Path | None,
    quiet: bool,
) -> None:
    """Play a whole game.

    Every line of the log begins with the printed rule that caused it.  Ctrl-C, or `quit` at a question,
    saves the game and says how to go on; the same seed and answers give the same game everywhere.
    """
    from rulekit.cli.person import Quit
    from rulekit.cli.table import Table

    table = Table(shared.locate(set_name), options, overlays)
    if seed is None:
        seed = str(int.from_bytes(os.urandom(4), "big"))
    session = table.resume(resume) if resume is not None else table.start(seed, scenario)
    players = table.agents(agents, by_side, seed)
    if not quiet:
        table.head(session, seed if resume is None else None)
    with _log(log_file, table) as log:
        try:
            _play(table, session, players, log, quiet)
        except (KeyboardInterrupt, Quit):
            table.save(session, save_file)
            log.finish()
            sys.exit(130)
        log.finish()
    table.result(session)


def _play(table: Any, session: Any, players: Mapping[str, Any], log: _Log, quiet: bool) -> None:
    """Answer decisions until there are none."""
    told = 0
    while True:
        events = session.events
        if len(events) < told:
            told = len(events)
        for line in table.tell(events[told:]) if not quiet else ():
            click.echo(line)
        log.write(events[told:])
        told = len(events)
        decision = session.decision
        if decision is None:
            return
        option = table.answer(session, players[decision.side], decision)
        if option is not None:
            table.choose(session, option)


class _Log:
    """JSON lines, written beside their file and put in its place at the end."""

    def __init__(self, name: str | None, table: Any) -> None:
        self._name, self._table = name, table
        self._file: TextIO | None = None
        self._temporary = ""
        if name is None:
            return
        path = Path(name)
        try:
            handle, self._temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        except OSError as error:
            raise shared.Failure(
                f"`{name}` cannot be written: {(error.strerror or str(error)).lower()}"
            ) from error
        self._file = os.fdopen(handle, "w", encoding="utf-8")

    def write(self, events: tuple[Any, ...]) -> None:
        if self._file is not None:
            for event in events:
                self._file.write(json.dumps(self._table.as_json(event), ensure_ascii=False) + "\n")

    def finish(self) -> None:
        """The whole log is there: put it in its place."""
        if self._file is not None and self._name is not None:
            self._file.close()
            os.chmod(self._temporary, 0o644)
            os.replace(self._temporary, self._name)
            self._file = None

    def drop(self) -> None:
        """Leave no half-written file behind."""
        if self._file is not None:
            self._file.close()
            os.unlink(self._temporary)
            self._file = None


@contextlib.contextmanager
def _log(name: str | None, table: Any) -> Iterator[_Log]:
    log = _Log(name, table)
    try:
        yield log
    finally:
        log.drop()
