"""`rulekit play SET`."""

from __future__ import annotations

import contextlib
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from rulekit.cli import shared, terminal

if TYPE_CHECKING:
    from rulekit.cli.table.log import Log
    from rulekit.runtime.play import Session

MOST_ANSWERS = 100_000
"""Answers after which agents stop: about ten times those of 45 months of a war, the longest game known."""


@click.command("play")
@shared.with_rule_set
@shared.option("--scenario", "NAME", "Starting scenario.", show_default="the first one")
@shared.option("--seed", "SEED", "Number or word that determines every die and draw.", show_default="random")
@shared.option(
    "--agents",
    "WHO",
    "Agent that plays: person, random, first-legal, a function of your own (FILE.py:NAME), or an answer file "
    "such as a log; `-` is standard input.",
    default="person",
)
@shared.option("--agent by_side", "SIDE=WHO", "Agent that plays one side.", multiple=True)
@shared.option(
    "--log log_file", "FILE", "Write every event as JSON Lines. Use `-` to print it in place of the game log."
)
@shared.option("--save save_file", "FILE", "File in which Ctrl-C and `quit` save the game.")
@shared.option(
    "--resume",
    "FILE",
    "Resume a saved game; `-` is standard input.",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@shared.flag("--real-dice", "Ask for the results of dice, draws and shuffles in place of rolling them.")
@shared.option(
    "--most-answers",
    "N",
    "Most answers of a game in which no person plays; one that is longer is saved.",
    type=click.IntRange(1),
    default=MOST_ANSWERS,
)
@shared.with_explain
@shared.flag("--quiet", "Print only the result.")
def command(
    rules: shared.ChosenRules,
    scenario: str | None,
    seed: str | None,
    agents: str,
    by_side: tuple[str, ...],
    log_file: str | None,
    save_file: str | None,
    resume: Path | None,
    real_dice: bool,
    most_answers: int,
    explain: bool,
    quiet: bool,
) -> None:
    """Play a game.

    Each line of the game log starts with the printed rule behind it. At a choice you see the legal answers;
    type `?` for help. Ctrl-C or `quit` saves the game and prints the command that resumes it. The same seed
    and answers always give the same game. With `--real-dice` you roll and draw, and type the results.

    A log works as an answer file: `--agents FILE` plays the same game again, with its options, seed, scenario
    and dice.
    """
    from rulekit.agents import REPLAY
    from rulekit.cli.table.person import Person
    from rulekit.cli.table.playing import Playing
    from rulekit.cli.table.prompt import Quit
    from rulekit.cli.table.real_dice import RealDice
    from rulekit.cli.table.seats import GameTable, scripts_of
    from rulekit.cli.table.stopping import StopSignal
    from rulekit.runtime.play.answering.chance_questions import CHANCE

    if resume is not None and (seed is not None or scenario is not None):
        raise click.UsageError("a saved game has its own seed and scenario; remove `--seed` and `--scenario`")
    if resume is not None and real_dice:
        raise click.UsageError(
            "a saved game is resumed as it began, with real dice or without: remove `--real-dice`"
        )
    scripts = scripts_of([agents, *(who.partition("=")[2].strip() for who in by_side)])
    starts = [script.start for script in scripts.values() if script.start]
    played = tuple(next((start["options"] for start in starts if "options" in start), ()))
    table = GameTable(replace(rules, options=rules.options or played), explain=explain)
    seats = table.seats(agents, by_side)
    place = table.save_place(save_file, resume)
    if resume is not None:
        session = table.resume(resume)
        seed = str(session.machine.streams.seed)
    else:
        seed = (
            seed
            or next((str(start["seed"]) for start in starts if "seed" in start), None)
            or str(secrets.randbits(32))
        )
        scenario = scenario or next(
            (str(start["scenario"]) for start in starts if start.get("scenario")), None
        )
        replay = next((start for start in starts if REPLAY in start), None)
        if replay is not None:
            table.keep_promises()
            table.compare(replay.get("source"))
        asked = real_dice or any(start.get("chance") == "asked" for start in starts)
        dice = None if replay is None or asked else _dice(replay[REPLAY])
        session = table.start(seed, scenario, dice, asks_chance=asked)
    seated = table.agents(seats, scripts, seed)
    if session.game.asks_chance:
        seated[CHANCE] = table.chance_agent(None if real_dice else scripts.get(agents), seed)
    for player in seated.values():
        if isinstance(player, Person | RealDice):
            player.commands.save = lambda session, name: shared.say(
                f"  saved as {table.save(session, name or place)}", plain=True
            )
    on_output = log_file == "-"
    extra = _again(agents, by_side, log_file, save_file, most_answers, explain=explain, quiet=quiet)
    with _log(log_file, session, resumed=resume is not None) as log, table.stopping.watching():
        if not quiet and not on_output:
            terminal.echo(shared.fold_line(table.head(session, seed)))
        playing = Playing(table, session, seated, log, most_answers=most_answers, quiet=quiet or on_output)
        try:
            playing.run()
        except (StopSignal, Quit, shared.Failure) as end:
            playing.tell_all()
            saved = table.save(session, place)
            if log is not None:
                log.finish()
            shared.say(f"\nGame saved. To resume: {table.go_on(saved, extra)}", plain=True)
            _leave(end)
        except BrokenPipeError:
            raise
        except OSError as lost:  # a terminal that went away; nobody may be told, and the game is kept
            saved = table.save(session, place)
            if log is not None:
                log.finish()
            reason = f"cannot write the output ({lost.strerror}). Game saved"
            raise shared.Failure(f"{reason}. To resume: {table.go_on(saved, extra)}") from lost
        if log is not None:
            log.finish()
    result = table.words.say("no-result") if session.result is None else table.words.value(session.result)
    terminal.echo(("" if quiet else "\n") + f"result: {result}", err=on_output)


def _dice(replay: Any) -> Mapping[str, Sequence[int]]:
    """Return the dice of a replay, or raise Failure if they are invalid."""
    dice = replay.get("dice", {}) if isinstance(replay, dict) else None
    if not isinstance(dice, dict) or not all(map(_are_faces, dice.values())):
        raise shared.Failure("invalid dice in the replay: expected a list of numbers for each roll")
    return dice


def _are_faces(faces: Any) -> bool:
    return isinstance(faces, list) and all(type(face) is int for face in faces)


def _again(
    agents: str,
    by_side: tuple[str, ...],
    log_file: str | None,
    save_file: str | None,
    most_answers: int,
    *,
    explain: bool,
    quiet: bool,
) -> list[str]:
    """The arguments that resume a game as it began."""
    words = [] if agents == "person" else ["--agents", agents]
    for entry in by_side:
        words += ["--agent", entry]
    for name, value in (("--log", log_file), ("--save", save_file)):
        words += [name, value] if value else []
    words += [] if most_answers == MOST_ANSWERS else ["--most-answers", str(most_answers)]
    words += ["--explain"] if explain else []
    return [*words, "--quiet"] if quiet else words


@contextlib.contextmanager
def _log(name: str | None, session: Session, *, resumed: bool) -> Iterator[Log | None]:
    """The log, if one is requested; discarded unless it was finished."""
    from rulekit.cli.table.log import Log, start_of

    if name is None:
        yield None
        return
    log = Log(name, session, start_of(session), resumed=resumed)
    try:
        yield log
    finally:
        log.drop()


def _leave(end: BaseException) -> NoReturn:
    """End the command as play ended: by the player, by a signal, or by a failure."""
    from rulekit.cli.table.prompt import Quit
    from rulekit.cli.table.stopping import StopSignal

    if isinstance(end, StopSignal):
        sys.exit(128 + end.number)
    if isinstance(end, Quit):
        if end.ended and not terminal.is_terminal(sys.stdin):
            raise shared.Failure("the input ended before the game did")
        sys.exit(0)
    raise end
