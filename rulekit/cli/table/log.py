"""The log of a played game: JSON lines, one for what is played and one for each event."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulekit.agents import REPLAY
from rulekit.base.files import UnreadableFile, read_named
from rulekit.cli import terminal
from rulekit.cli.files import WholeFile, from_json
from rulekit.cli.shared import Failure
from rulekit.runtime.play import Event, Session

FORMAT = 1


class Log:
    """Writes a log, without the answers that players take back.

    The first line has the kind `start`.  A game gone on with goes on in the log it has, if that tells the
    same answers as the save; else its log begins there, and `answers` of its first line says how many were
    given before.
    """

    def __init__(self, name: str, session: Session, start: Mapping[str, Any], *, resumed: bool) -> None:
        """Raise Failure if it cannot be written, or is the log of another game."""
        given = session.log
        kept = _existing_log(Path(name), given, start) if resumed and name != "-" else ""
        self._file = None if name == "-" else WholeFile(name)
        head = {"kind": "start", "format": FORMAT, **start, "answers": len(given)}
        self._head = kept or _line(head)
        self._lines: list[str] = []
        self._results: list[tuple[int, int, str]] = []
        """Results of real dice: after how many answers and events each came, and its line."""

    def write(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Put events into the log."""
        self._lines += map(_line, events)

    def cut(self, count: int) -> None:
        """Leave only the first `count` of the events written."""
        del self._lines[count:]

    def note_result(self, session: Session) -> None:
        """Put the result that chance is about to give into the log; `session` has just been answered."""
        self._results.append(
            (session.answered, len(self._lines), _line({"kind": "chance", **session.log[-1]}))
        )

    def take_back(self, answered: int) -> None:
        """Leave only the results among the first so many answers."""
        self._results = [result for result in self._results if result[0] <= answered]

    def finish(self) -> None:
        """The log is whole: put it in its place.

        Raises:
            Failure: The disk does not want it.
        """
        lines = self._lines[:]
        for _, place, line in reversed(self._results):
            lines.insert(place, line)
        text = "".join([self._head, *lines])
        if self._file is None:
            terminal.echo_exactly(text, nl=False)
        else:
            self._file.write(text.encode())
            self._file.finish()

    def drop(self) -> None:
        """Leave nothing behind, unless it was finished."""
        if self._file is not None:
            self._file.drop()


def as_json(event: Event) -> dict[str, Any]:
    """An event as a line of the log; an answer's line is what a file of answers needs."""
    line = event.as_json
    return {**line, "choice": event.subject} if event.kind == "answer" else line


def _line(made: Mapping[str, Any]) -> str:
    return json.dumps(made, ensure_ascii=False) + "\n"


def _existing_log(path: Path, given: Sequence[Mapping[str, Any]], start: Mapping[str, Any]) -> str:
    """Return the log that a game has, or nothing; raise Failure if it is of another game or course."""
    try:
        text = read_named(path).decode("utf-8")
        lines = [from_json(line) for line in text.split("\n") if line.strip()]
    except UnreadableFile as error:
        if error.reason in ("missing", "irregular"):  # a pipe or a device has no log yet
            return ""
        raise Failure(f"`{path}` {error.strerror}") from error
    except (ValueError, RecursionError):
        text, lines = "", []
    answers = [
        {name: line[name] for name in ("choice", "chance", "value", "item") if name in line}
        for line in lines
        if isinstance(line, dict) and line.get("kind") in ("answer", "chance")
    ]
    first = lines[0] if lines and isinstance(lines[0], dict) else {}
    before = first.get("answers", 0)
    same = all(first.get(name) == start[name] for name in ("set", "seed", "scenario", "options"))
    whole = type(before) is int and first.get("kind") == "start"
    if whole and same and answers == list(given)[before:]:
        return text
    raise Failure(
        f"`{path}` exists and is not the log of this game up to its save; choose another file, or remove it"
    )


def start_of(session: Session) -> dict[str, Any]:
    """Return the facts of a game for the first line of its log."""
    program = session.game.program
    dice = {name: list(faces) for name, faces in session.machine.streams.given.dice.items()}
    return {
        "set": program.name,
        "title": program.title,
        "edition": program.edition,
        "options": list(program.options),
        "scenario": session.scenario,
        "seed": str(session.machine.streams.seed),
        "source": program.source_hash,
        **({"data": program.data} if program.data else {}),
        **({"chance": "asked"} if session.game.asks_chance else {}),
        **({REPLAY: {"dice": dice}} if dice else {}),
    }
