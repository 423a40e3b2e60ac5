"""Who answers: at random, the first legal, or a file of answers.  A person belongs to the command line.

An agent is any callable with the signature of `Agent`.  These answer alike in a game that went straight on
and in one that was saved and restored meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Awaitable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from rulekit.base.files import UnreadableFile, read_named
from rulekit.base.spelling import suggestion
from rulekit.runtime import chance
from rulekit.runtime.play import Decision, LegalAnswer, Refused, Session
from rulekit.runtime.play.answering.chance_questions import ChanceAsked

REPLAY = "replay"
"""What the first line of a file of answers has where these come to a fault: with its dice."""


class Agent(Protocol):
    """Answers decisions; None stops the game there."""

    def __call__(self, session: Session, decision: Decision) -> LegalAnswer | None:
        """Return one of the legal answers of the decision."""


class BadScript(Exception):
    """A file of answers that cannot be read, or does not fit the game."""


def play(session: Session, agents: Agent | Mapping[str, Agent]) -> bool:
    """Let agents answer until the game is over; false if one of them stopped it before.

    Args:
        agents: One for all, or one for each side by its name, and `chance` in a session that asks for it.

    Raises:
        Fault: The rules cannot go on; the session stands at the decision before.
    """
    while (decision := session.decision) is not None:
        agent = agents[decision.side] if isinstance(agents, Mapping) else agents
        answer = agent(session, decision)
        if answer is None:
            return False
        session.choose(answer)
    return True


class PythonAgent:
    """An agent that a file of Python defines; it can be sent to other processes and machines.

    Attributes:
        file: The file, and `source` its text.
        function: The name of the function in it, which has the signature of `Agent`.
        name: Both names.
    """

    def __init__(self, file: Path, function: str, source: str) -> None:
        self.file, self.function, self.source = file, function, source
        self.name = self.__name__ = f"{file.name}:{function}"
        self._function: Agent | None = None

    def __call__(self, session: Session, decision: Decision) -> LegalAnswer | None:
        """Answer as the function does.

        Raises:
            BadAgent: The function fails; the message gives the line of the file.
        """
        if self._function is None:
            self._function = self.load()
        try:
            return self._function(session, decision)
        except Exception as error:
            lines = [
                at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == str(self.file)
            ]
            line = f", line {lines[-1]}" if lines else ""
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise BadAgent(
                f"`{self.name}` fails at `{decision.choice}`: {what} (`{self.file}`{line})"
            ) from error

    def for_game(self) -> PythonAgent:
        """Return the same agent for a new game: it runs its file anew, and so remembers nothing of others."""
        return PythonAgent(self.file, self.function, self.source)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_function": None}

    @property
    def identity(self) -> str:
        """The name of this agent, with a digest of its text."""
        return f"{self.name} {hashlib.sha256(self.source.encode()).hexdigest()[:16]}"

    def load(self) -> Agent:
        """Run the file, and return the function.

        Raises:
            BadAgent: The file has an error, or no such function.
        """
        names: dict[str, Any] = {"__name__": self.file.stem, "__file__": str(self.file)}
        try:
            exec(compile(self.source, str(self.file), "exec"), names)
        except Exception as error:
            raise BadAgent(f"`{self.file}` fails: {type(error).__name__}: {error}") from error
        function = names.get(self.function)
        if not callable(function):
            known = [name for name, value in names.items() if callable(value) and name[:1] != "_"]
            hint = suggestion(self.function, known, "" if known else "it has none")
            raise BadAgent(f"`{self.file}` has no function `{self.function}`; {hint}")
        agent: Agent = function
        return agent


class BadAgent(Exception):
    """A file of Python that does not give an agent, or an agent of one that fails."""


def python_agent(text: str) -> PythonAgent:
    """Return the agent that `FILE.py:NAME` names.

    Raises:
        BadAgent: The file cannot be read or fails, or has no such function.
    """
    file, _, name = text.rpartition(":")
    path = Path(file)
    try:
        source = read_named(path).decode("utf-8")
    except UnreadableFile as error:
        raise BadAgent(f"`{path}` {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadAgent(f"`{path}` cannot be read: it is not UTF-8 text") from error
    agent = PythonAgent(path, name, source)
    agent.load()
    return agent


class WaitingAgent(Protocol):
    """Answers decisions in its own time, as a person at another machine; None stops the game there."""

    def __call__(self, session: Session, decision: Decision) -> Awaitable[LegalAnswer | None]:
        """Return one of the legal answers of the decision, once there is one."""


class LateAnswer(TimeoutError):
    """A side has not answered in time; the session waits at the decision.

    Attributes:
        decision: The decision that waits.
    """

    def __init__(self, decision: Decision, seconds: float) -> None:
        super().__init__(f"no answer to `{decision.choice}` from {decision.side} in {seconds:g} seconds")
        self.decision = decision


async def play_async(
    session: Session,
    agents: WaitingAgent | Mapping[str, WaitingAgent],
    *,
    seconds: float | None = None,
    late: Agent | None = None,
) -> bool:
    """Let agents that take their time answer until the game is over; false if one stopped it before.

    The session belongs to the task while this runs: between two answers others may read it, and take
    answers back, after which the agent is asked anew.

    Args:
        agents: One for all, or one for each side by its name.
        seconds: Time for one answer; None is as much as it takes.
        late: Answers in place of an agent whose time is up; without it, the time is an error.

    Raises:
        LateAnswer: An agent has not answered in time, and nobody answers in its place.
        Fault: The rules cannot go on; the session is back at the decision before.
    """
    import asyncio

    while (decision := session.decision) is not None:
        agent = agents[decision.side] if isinstance(agents, Mapping) else agents
        revision = session.revision
        try:
            async with asyncio.timeout(seconds) as limit:
                answer = await agent(session, decision)
        except TimeoutError as expired:
            if not limit.expired():
                raise
            if late is None:
                raise LateAnswer(decision, seconds or 0) from expired
            answer = late(session, decision)
        if answer is None:
            return False
        if session.revision == revision:
            session.choose(answer)
    return True


def random_agent(seed: int | str) -> Agent:
    """Any legal answer, each as likely; it draws from `policy.agent`, never from the game's dice.

    What it answers depends on both seeds, its own and the game's, and on how many answers were given before,
    by whomever: games with other seeds are answered otherwise, and a game saved and gone on with, or a
    decision taken back, is answered as it would have been.
    """

    @cache
    def base_for(game_seed: str) -> int:
        return chance.stream_base(seed if game_seed == str(seed) else f"{seed}/{game_seed}", "policy.agent")

    def answer(session: Session, decision: Decision) -> LegalAnswer:
        base = base_for(str(session.machine.streams.seed))
        if decision.chance is not None:
            return _given_by_chance(session, decision, decision.chance, base)
        return decision.legal_answers[chance.uniform(base, session.answered, len(decision.legal_answers))]

    return answer


def _given_by_chance(session: Session, decision: Decision, asked: ChanceAsked, base: int) -> LegalAnswer:
    """An answer of chance, as likely as its weight says; `base` is that of a stream."""
    own = chance.mix(base + session.answered & chance.WORD)
    if asked.kind == "roll":
        low, high = map(int, decision.domain.split(".."))
        span = (high - low) // asked.number + 1
        return session.legal_answer(low + sum(chance.uniform(own, die, span) for die in range(asked.number)))
    places = tuple(range(len(asked.things)))
    if asked.kind == "order":
        drawn = chance.shuffle(own, 0, places)
    else:
        drawn = chance.draw(own, 0, places, asked.number)
    return session.legal_answer([asked.things[place] for place in drawn])


def chance_agent(seed: int | str) -> Agent:
    """Chance where it is asked: answers as likely as the rules say; for the key `chance` of `play`.

    What it answers follows from its seed and the number of answers before, not from the game's seed.
    """
    base = chance.stream_base(seed, "policy.chance")

    def answer(session: Session, decision: Decision) -> LegalAnswer:
        if decision.chance is None:
            raise ValueError(f"`{decision.choice}` is asked of {decision.side}, not of chance")
        return _given_by_chance(session, decision, decision.chance, base)

    return answer


def first_legal(session: Session, decision: Decision) -> LegalAnswer:
    """The first legal answer."""
    if decision.chance is not None and not decision.legal_answers:
        return session.legal_answer(decision.chance.things[: decision.chance.number])
    return decision.legal_answers[0]


class Script:
    """Answers from a file: a log as `rulekit play --log` writes it, or a JSON object a line.

    `{"choice": "retreat", "value": true}`, with `item` where a choice has parts, and perhaps the `side`:
    answers of another side than the one that decides are passed over, so that a log of the whole game can
    stand in for one side of it.  `{"chance": "attack", "value": 6}` answers where chance is asked.

    Attributes:
        start: The log's first line, which tells what was played; empty if the file has none.
    """

    def __init__(self, path: Path) -> None:
        """
        Raises:
            BadScript: The file cannot be read.
        """
        self.path = path
        self.start: Mapping[str, Any] = {}
        self._answers: list[tuple[int, Mapping[str, Any]]] = []
        self._next = 0
        self._read()

    def __call__(self, session: Session, decision: Decision) -> LegalAnswer:
        """
        Raises:
            BadScript: There is no answer left, or it does not fit what is asked.
        """
        if self._next == 0 and self.start:
            self._next = max(session.answered - self.start.get("answers", 0), 0)
        asked = f"`{decision.choice}`" + (f" for {decision.part}" if decision.part else "")
        number, entry = self._following(decision.side)
        if entry is None:
            raise BadScript(f"{self.path} has no more answers, and {asked} is asked of {decision.side}")
        item = entry.get("item")
        part = None if item is None else str(item)
        if entry.get(_word(decision)) != decision.choice or part != decision.part:
            named = entry.get("choice") or entry.get("chance")
            given = f"`{named}`" + (f" for {item}" if item is not None else "")
            raise BadScript(f"{self.path}:{number} answers {given}, and {asked} is asked of {decision.side}")
        try:
            return session.legal_answer(entry["value"])
        except Refused as refused:
            value = json.dumps(entry["value"], ensure_ascii=False)
            message = f"{self.path}:{number}: {value} is not a legal answer to {asked}"
            raise BadScript(message) from refused

    def _following(self, side: str) -> tuple[int, Mapping[str, Any] | None]:
        while self._next < len(self._answers):
            number, entry = self._answers[self._next]
            self._next += 1
            if entry.get("side", "chance" if "chance" in entry else side) == side:
                return number, entry
        return 0, None

    def _read(self) -> None:
        try:
            text = read_named(self.path).decode("utf-8")
        except UnreadableFile as error:
            raise BadScript(f"`{self.path}` {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise BadScript(f"`{self.path}` cannot be read: it is not UTF-8 text") from error
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                self._line(number, line)

    def _line(self, number: int, line: str) -> None:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadScript(f"{self.path}:{number} is not a line of JSON") from error
        if not isinstance(entry, dict):
            raise BadScript(f"{self.path}:{number} is not a JSON object")
        if entry.get("kind") == "start" and not self.start:
            self._begin(number, entry)
        elif entry.get("kind", "answer") in ("answer", "chance"):
            if not {"choice", "chance"} & entry.keys() or "value" not in entry:
                raise BadScript(f"{self.path}:{number} is an answer without `choice` and `value`")
            self._answers.append((number, entry))

    def _begin(self, number: int, entry: Mapping[str, Any]) -> None:
        options, answered = entry.get("options", []), entry.get("answers", 0)
        if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
            raise BadScript(f"{self.path}:{number} has `options` that are not a list of names")
        if not isinstance(answered, int):
            raise BadScript(f"{self.path}:{number} has `answers` that are not a number")
        self.start = entry


def _word(decision: Decision) -> str:
    """The key under which an answer names what it answers."""
    return "choice" if decision.chance is None else "chance"


def scripted(path: str | Path) -> Script:
    """An agent that answers from a file; see `Script`.

    Raises:
        BadScript: The file cannot be read.
    """
    return Script(Path(path))
