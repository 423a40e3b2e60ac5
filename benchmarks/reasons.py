"""Why not: the share of members that are not offered and get a real reason, and how long a reason takes.

python -m benchmarks.reasons [--games N] [SET ...]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from time import process_time

import rulekit
from rulekit.agents import random_agent
from rulekit.ir.types import Member
from rulekit.runtime.play import Reason, Session, Term

EVERY = {"vitp": 5, "fcn": 5, "atp": 25, "pacwar": 25}
"""Of each set, one decision in so many is looked at; the games of two of them are long."""


@dataclass
class Shares:
    """Reasons of one set.

    Attributes:
        members: How many members of the asked kind were not offered.
        real: How many of them have a reason beyond the bare one.
        seconds: The time of each reason.
    """

    name: str
    members: int = 0
    real: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, session: Session, seed: int, every: int = 5) -> None:
        """Play a session to its end at random, and ask for reasons now and then."""
        agent = random_agent(seed)
        while (decision := session.decision) is not None:
            if session.answered % every == 0:
                offered = {answer.name for answer in decision.legal_answers}
                for name in members_of_kind(session):
                    if name not in offered:
                        self._ask(session, name)
            answer = agent(session, decision)
            assert answer is not None
            session.choose(answer)

    def _ask(self, session: Session, name: str) -> None:
        start = process_time()
        reasons = session.why(name)
        self.seconds.append(process_time() - start)
        self.members += 1
        self.real += is_real(reasons)

    def line(self) -> str:
        """One line of a table."""
        times = sorted(self.seconds)
        middle, late = (1e3 * times[int(share * (len(times) - 1))] for share in (0.5, 0.99))
        share = 100 * self.real / self.members
        return f"{self.name:8} {share:5.1f} % of {self.members:,}: {middle:.2f} ms, 99 % in {late:.2f} ms"


def members_of_kind(session: Session) -> list[str]:
    """The members of the kind that the open choice picks from."""
    assert session.machine.asked is not None
    program = session.game.program
    kind = program.choices[session.machine.asked[0]].option.type
    if not isinstance(kind, Member):
        return []
    members = program.by_name.members_of(kind)
    naming = session.game.naming
    return [naming.member(kind.domain, n) for n in range(members.bit_length()) if members >> n & 1]


def is_real(reasons: tuple[Reason, ...]) -> bool:
    """True if a reason says more than that the answer is not legal, or not in a local of the rules."""
    return any(reason.norm or reason.terms and not _is_bare(reason.terms) for reason in reasons) or any(
        "already" in reason.message for reason in reasons
    )


def _is_bare(terms: tuple[Term, ...]) -> bool:
    """True if terms only name a local of a procedure."""
    values = [value for term in terms for leaf in term.leaves for value in leaf.values]
    return (
        bool(values)
        and all(term.text.startswith(f"not in {values[0].name}") for term in terms)
        and ("." not in values[0].name and not values[0].keys and len(values) == 1)
    )


def measure(name: str, games: int = 2) -> Shares:
    """Reasons of whole random games of one set."""
    shares, game = Shares(name), rulekit.load(name)
    for seed in range(7, 7 + games):
        shares.add(game.start(seed=seed), seed, EVERY[name])
    return shares


def main() -> None:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reasons", description="Ask why not.")
    parser.add_argument("--games", type=int, default=2, help="random games of each set")
    parser.add_argument("sets", nargs="*", metavar="SET", help="all sets unless some are named")
    given = parser.parse_args()
    for name in given.sets or EVERY:
        print(measure(name, given.games).line(), flush=True)


if __name__ == "__main__":
    main()
