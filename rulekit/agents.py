"""Who answers: at random, the first legal, a file of answers, or a person at the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from rulekit import chance
from rulekit.play import Decision, Option, Session


class Agent(Protocol):
    """Answers decisions; None stops the game."""

    def __call__(self, session: Session, decision: Decision) -> Option | None: ...


class BadScript(Exception):
    """A file of answers that cannot be read, or does not fit the game."""


def random_agent(seed: int | str) -> Agent:
    """Any legal option, each as likely; it draws from `policy.agent`, never from the game's dice."""
    base = chance.stream_base(seed, "policy.agent")
    asked = count()

    def answer(session: Session, decision: Decision) -> Option:
        return decision.options[chance.bounded(base, next(asked), len(decision.options))]

    return answer


def first_legal(session: Session, decision: Decision) -> Option:
    """The first option there is."""
    return decision.options[0]


def scripted(path: Path) -> Agent:
    """Answers from a file: JSON lines as `--log` writes them, or `{"choice": .., "value": ..}` each.

    Raises:
        BadScript: The file cannot be read; or, while playing, it has no answer or one that does not fit.
    """
    answers = _answers(path)

    def answer(session: Session, decision: Decision) -> Option:
        entry = next(answers, None)
        if entry is None:
            raise BadScript(f"`{path}` has no more answers, and `{decision.choice}` is asked")
        if entry["choice"] != decision.choice or entry.get("item") != decision.part:
            part = f" for {decision.part}" if decision.part else ""
            raise BadScript(f"`{path}` answers `{entry['choice']}`, and `{decision.choice}`{part} is asked")
        for option in decision.options:
            if entry["value"] in (option.name, option.value):
                return option
        raise BadScript(f"`{path}`: {entry['value']!r} is no legal answer to `{decision.choice}`")

    return answer


def _answers(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadScript(f"`{path}` cannot be read: {error}") from error
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise BadScript(f"{path}:{number}: this is no JSON: {error}") from error
        if isinstance(entry, dict) and entry.get("kind", "answer") == "answer" and "choice" in entry:
            if "value" not in entry:
                raise BadScript(f"{path}:{number}: an answer without `value`")
            found.append(entry)
    return iter(found)
