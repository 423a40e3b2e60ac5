"""One game being played: ask, answer, print, until it ends or a player stops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby

from rulekit.agents import Agent, BadAgent, BadScript
from rulekit.cli import shared, terminal
from rulekit.cli.table.log import Log, as_json
from rulekit.cli.table.person import Person
from rulekit.cli.table.real_dice import RealDice
from rulekit.cli.table.seats import GameTable
from rulekit.runtime.narrate import ANSWERS, NarratedLine
from rulekit.runtime.play import Decision, Event, Fault, Refused, Session
from rulekit.runtime.play.seen.seen_events import EventReader

SETTING_UP = 40
"""Most lines without a printed rule before the first heading; further ones are counted."""
OPENING = 12
"""Most lines about changes of a set-up that persons read; they may look at the board."""


class Playing:
    """Plays a session to its end, and prints it.

    Where persons play, they read nothing that is hidden from one of them, and what others answer in secret
    only when all have answered.
    """

    def __init__(
        self,
        table: GameTable,
        session: Session,
        agents: Mapping[str, Agent],
        log: Log | None,
        *,
        most_answers: int,
        quiet: bool,
    ) -> None:
        self._table, self._session, self._agents = table, session, agents
        self._log, self._most_answers, self._quiet = log, most_answers, quiet
        self._persons = tuple(side for side, agent in agents.items() if isinstance(agent, Person))
        self._told = self._logged = 0
        self._readers = self._new_readers()
        self._last = ("", "")
        self._begun, self._bare = session.answered > 0, 0
        for agent in agents.values():
            if isinstance(agent, Person | RealDice):
                agent.commands.back = self._take_back

    def run(self) -> None:
        """Play until nothing is asked any more.

        Raises:
            Stop, Quit: Somebody stops; everything is told up to there, and the session stands at a decision.
            Failure: The rules cannot go on, a script does not fit, or a game without persons does not end.
        """
        session, table = self._session, self._table
        most = session.answered + self._most_answers
        while True:
            table.stopping.look()
            self._note()
            decision = session.decision
            if decision is None:
                break
            agent = self._agents.get(decision.side)
            if agent is None:
                raise shared.Failure(f"no agent plays {decision.side}")
            person = isinstance(agent, Person | RealDice)
            if person:
                self._tell()
                if not self._goes_on(decision):
                    self._finish()
            elif not self._persons:
                self._tell()
            if not person and not self._persons and session.answered >= most:
                raise shared.Failure(
                    f"play stopped: the game has not ended after {self._most_answers:,} answers; "
                    "--most-answers sets another limit"
                )
            try:
                answer = agent(session, decision)
            except (BadScript, BadAgent) as error:
                raise shared.Failure(terminal.in_one_line(str(error))) from error
            if answer is None and not isinstance(agent, Person | RealDice):
                raise shared.Failure(
                    f"`{decision.choice}` is asked, and the agent of {decision.side} has no answer"
                )
            if answer is None:
                continue
            try:
                session.choose(answer)
            except (Fault, Refused) as error:
                words = self._words_of(error, decision)
                if not person:
                    raise shared.Failure(f"play stopped: {words}") from error
                shared.say(f"that answer leads to a fault: {words}\nchoose another answer")
                continue
            if decision.chance is not None and self._log is not None:
                self._log.note_result(session)
        self.tell_all()

    def _words_of(self, error: Fault | Refused, decision: Decision) -> str:
        """An error as all persons may read it: without hidden values, and without the answers of others."""
        if isinstance(error, Refused):
            return f"an answer of {decision.side} is not legal" if self._persons else str(error)
        for side in self._persons:
            error = self._session.view(side).fault(error)
        return self._table.fault_text(error)

    def _goes_on(self, decision: Decision) -> bool:
        """True if a decision asks for one more part of the last answer."""
        last = self._last
        self._last = (decision.choice, decision.side)
        return self._last == last and bool(self._table.narrator.so_far)

    # -- telling

    def tell_all(self) -> None:
        """Print what happened since the last time, and what is still open; and put it into the log."""
        self._note()
        self._tell()
        self._finish()

    def _tell(self) -> None:
        """Print what happened since the last time, but for a line that may still grow."""
        if self._quiet:
            return
        events = self._visible_events(self._session.events_from(self._told))
        self._print(self._table.narrator.tell(chain.from_iterable(events)))
        self._told += len(events)

    def _finish(self) -> None:
        if not self._quiet:
            self._print(self._table.narrator.finish())

    def _print(self, lines: Iterable[NarratedLine]) -> None:
        for line in self._shorter(lines):
            self._begun |= line.level != "line"
            bare = not self._begun and not line.rule
            if not bare and self._bare > SETTING_UP:
                shared.write(
                    NarratedLine("line", "", f"and {self._bare - SETTING_UP} more; a log has them all")
                )
            self._bare = self._bare + 1 if bare else 0
            if self._bare <= SETTING_UP:
                shared.write(line)

    def _shorter(self, lines: Iterable[NarratedLine]) -> Iterator[NarratedLine]:
        """The lines; where persons play, of a long set-up only how many changes it makes."""
        if self._begun or not self._persons:
            yield from lines
            return
        lines = list(lines)
        first = next((n for n, line in enumerate(lines) if line.level != "line"), len(lines))
        left_out = sum(line.changes for line in lines[:first])
        if left_out > OPENING:
            yield NarratedLine(
                "line", "", f"set up, in {left_out} lines of the log; `show` prints who is where"
            )
            rest = (line for n, line in enumerate(lines) if n >= first or not line.changes)
            lines = [next(same) for _, same in groupby(rest, key=str)]
        yield from lines

    def _visible_events(self, events: Sequence[Event]) -> Sequence[tuple[Event, ...]]:
        """For each of the last events, what may be printed of it by now."""
        if not self._readers:
            return [(event,) for event in events]
        seen = [reader.read(_open_secret(events)) for reader in self._readers]
        # What one of those who read may not see, nobody is told.
        return [min(row, key=_told_of) for row in zip(*seen, strict=True)]

    def _new_readers(self) -> list[EventReader]:
        """A reader of the events for each person's side."""
        return [self._session.view(side).event_reader for side in self._persons]

    # -- the log

    def _note(self) -> None:
        if self._log is not None:
            count = self._session.event_count
            self._log.cut(count)
            self._log.write(map(as_json, self._session.events_from(self._logged)))
            self._logged = count

    # -- going back

    def _take_back(self, session: Session) -> bool:
        """Go back to the last decision of a person, if nothing was learned since."""
        trial, steps = session.clone(), 0
        while trial.undo(past_chance=_ends_with_chance(trial)):
            steps += 1
            decision = trial.decision
            if decision is not None and (decision.side in self._persons or decision.chance is not None):
                for _ in range(steps):
                    session.undo(past_chance=_ends_with_chance(session))
                self._forget(session)
                return True
        return False

    def _forget(self, session: Session) -> None:
        count = session.event_count
        self._told = self._logged = count
        self._readers = self._new_readers()
        for reader in self._readers:
            reader.read(count)
        if self._log is not None:
            self._log.cut(count)
            self._log.take_back(session.answered)
        self._table.narrator.look(session)
        if session.parts:  # in the middle of an answer: what was given of it is told with the rest
            for _ in self._table.narrator.tell(_trailing_answers(session.events)):
                pass
        terminal.echo("  undone", err=True)


def _trailing_answers(events: Sequence[Event]) -> Sequence[Event]:
    """The answers to one choice with which events end."""
    first = len(events)
    while first and events[first - 1].kind in ANSWERS and events[first - 1].subject == events[-1].subject:
        first -= 1
    return events[first:]


def _ends_with_chance(session: Session) -> bool:
    """True if the last answer is a result of real dice, which those who rolled them may take back."""
    return session.game.asks_chance and bool(session.log) and "chance" in session.log[-1]


def _told_of(events: tuple[Event, ...]) -> int:
    """How much events tell: the number of their fields; nothing, of those that are hidden."""
    return sum(len(event.fields) for event in events if not event.is_hidden)


def _open_secret(events: Sequence[Event]) -> int:
    """Return the index of the first secret answer that is still open, or the number of events."""
    opened: list[int] = []
    for number, event in enumerate(events):
        if event.kind == "secret_begin":
            opened.append(number)
        elif event.kind == "secret_end" and opened:
            opened.pop()
    return opened[0] if opened else len(events)
