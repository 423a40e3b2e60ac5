"""A compiled program, ready to be played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.simulate import scenario_of
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.odds.distribution import Distribution
from rulekit.runtime.play.answering.answers import LegalAnswer
from rulekit.runtime.play.answering.decisions import Decision
from rulekit.runtime.play.beginning.given import Given
from rulekit.runtime.play.beginning.starting import Begin, start_position
from rulekit.runtime.play.describing import describe
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.play.saved import restoring
from rulekit.runtime.play.session import Session


class OddsReader(Protocol):
    """Works out the odds of questions in words; it knows the rules as they are written."""

    def ask(self, what: tuple[str, ...], **question: Any) -> Distribution:
        """Answer a question; see `Game.odds`."""


class Game(PreparedGame):
    """Starts and restores sessions of one program; see `PreparedGame` for its arguments.

    Attributes:
        odds_reader: Makes what reads questions about odds; None if the game was made from a program alone.
    """

    odds_reader: Callable[[], OddsReader] | None = None

    def start(
        self,
        seed: int | str = 0,
        scenario: str | None = None,
        *,
        dice: Mapping[str, Sequence[int]] | None = None,
        draws: Mapping[str, Sequence[Any]] | None = None,
        strict: bool = False,
        chance: Literal["drawn", "asked"] = "drawn",
    ) -> Session:
        """Start a new session and run it up to its first decision.

        Args:
            seed: Of the dice; a text stands for the number its hash gives.
            scenario: Its name; None takes the first one, if there is any.
            dice: Results of the first dice of rolls, by the roll's name; the seed gives the others.
            draws: The first things of draws, by their points (`bag`, `shuffle.pile`); of a shuffle, or a loop
                by lot, the whole order as a list.  A draw from a single thing, or of all, takes nothing.
            strict: Whether it is a fault if something is rolled or drawn that is not given, or if something
                is left when the game ends.
            chance: With `asked`, each roll, draw, shuffle and loop by lot is a decision of its own, of the
                side `chance`; nothing comes from the seed, and nothing may be given in `dice` and `draws`.

        Raises:
            Fault: The rules cannot get to a decision; there is no such scenario, or no sequence of play.
            ValueError: `dice` or `draws` have something that the rules do not have, or chance is asked.
        """
        if not self.program.entry:
            raise Fault("no-sequence", "the rule set has no sequence of play")
        chosen, game = scenario_of(self.program, scenario), self.with_chance(chance)
        streams = Streams(game.module, seed, game.given_chance(dice, draws, strict=strict))
        machine = Machine(game.module, streams, game.module.layout.initial())
        stages = [self.program.entry] if chosen is None else [chosen.procedure, self.program.entry]
        session = Session(game, machine, None if chosen is None else chosen.name, stages)
        session.begin()
        return session

    def position(
        self,
        at: str = "",
        *,
        given: Given | None = None,
        scenario: str | None = None,
        locals: Mapping[str, Any] | None = None,
        run: int = 1,
        seed: int | str = 0,
        dice: Mapping[str, Sequence[int]] | None = None,
        draws: Mapping[str, Sequence[Any]] | None = None,
        strict: bool = False,
        chance: Literal["drawn", "asked"] = "drawn",
    ) -> Session:
        """Start a session anywhere: in a state that is given, at a step or procedure of the rules.

        Args:
            at: A procedure, which alone is played, and whose result is the session's; or a step of the
                sequence, by name, title or printed number, from which play goes on to the end of the game;
                empty is the beginning of the sequence.
            given: Values of states; all others are as in the scenario.  See
                `rulekit.runtime.play.beginning.given`.
            scenario: Its name; None takes the first one, empty the state as declared.  Choices of its set-up
                get their first legal answer, its dice come from the seed.
            locals: The arguments of the procedure; or locals of the procedures around the step, such as the
                member that a loop has come to, each as JSON.
            run: Which run of the innermost `repeat N times` around the step it is, from 1.
            seed, dice, draws, strict, chance: As for `start`; the set-up is never asked.

        Raises:
            ValueError: There is no such step, procedure, state or local, or a local is missing.
            Fault: An invariant does not hold in this state (`broken-invariant`); or as for `start`.
        """
        game = self.with_chance(chance)
        return start_position(
            game,
            Begin(at, dict(locals or {}), run),
            given or {},
            scenario,
            seed,
            game.given_chance(dice, draws, strict=strict),
        )

    def odds(
        self,
        what: str | Sequence[str],
        *,
        of: str | Sequence[str] = (),
        given: str | Sequence[str] = (),
        scenario: str | None = None,
        answers: str | Sequence[str] = (),
        agents: str | Callable[[Session, Decision], LegalAnswer | None] = "first-legal",
        best: str = "",
        estimate: int | None = None,
        seed: int | str = 0,
        seconds: float = 10.0,
        situations: int = 500_000,
    ) -> Distribution:
        """Return the chances of what can happen, exact if that takes no longer than it may.

        Args:
            what: A statement, the call of a procedure, a roll, an expression, or the name of a claim or
                example with `chance` lines; several run one after the other.
            of: Expressions whose values are asked for at the end; without any, the value of `what`.
            given: Facts at the beginning, as after `given` in an example.
            scenario: The scenario that is set up first; None for the starting values.
            answers: Answers to choices, as after `answers` in an example.
            agents: The answers to all other choices: `first-legal`, `random` (each as likely), `none`, or an
                agent of your own, whose answer must depend on the situation alone.
            best: A choice, perhaps of one side, and a number or condition: `aim by Red: hits`.  The choice
                gets the answer that makes this as high as it can be on average, by someone who knows the
                whole situation.
            estimate: Estimate from so many trials (at least 1), with dice from `seed`, instead of following
                every outcome.
            seconds: Processor time, and `situations` how many different situations, after which the
                distribution is bounded.

        Raises:
            ValueError: The question cannot be read or answered; the message says why.
            TypeError: The game was not made by `rulekit.load`.
        """
        if self.odds_reader is None:
            raise TypeError("a game that is made from a program alone has no odds: use `rulekit.load`")
        return self.odds_reader().ask(
            _texts(what), of=_texts(of), given=_texts(given), scenario=scenario, answers=_texts(answers),
            agents=agents, best=best, estimate=estimate, seed=seed, seconds=seconds, situations=situations,
        )  # fmt: skip

    def describe(self, language: str = "en") -> dict[str, Any]:
        """Describe the game as JSON, for those who show it; see `schemas/description.schema.json`.

        Args:
            language: Of titles and summaries; texts without words in it are in English.

        Raises:
            ValueError: There is no such language; the message names those that there are.
        """
        return describe(self, self.wording_in(language))

    def restore(self, data: Mapping[str, Any], *, given: Given | None = None) -> Session:
        """Return the session that `save` wrote.

        Args:
            given: Values of states in place of the saved ones; see `rulekit.runtime.play.beginning.given`.

        Raises:
            SaveError: The save is damaged, or of other rules in which it has no meaning.
            ValueError: `given` has something that the rules do not have.
            Fault: With what is given, an invariant does not hold (`broken-invariant`).
        """
        return restoring.restore(self, data, given or {})


def _texts(texts: str | Sequence[str]) -> tuple[str, ...]:
    """One text or several, as several."""
    return (texts,) if isinstance(texts, str) else tuple(texts)
