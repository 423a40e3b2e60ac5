"""An agent for *Fleet Commander Nimitz*: it buys, scouts and defends objectives.

It is written against the public interface alone (docs/python.md): what the session's state says, and what a
decision offers. It knows no dice and plays nothing ahead. What it is worth against chance:

    python examples/agents/nimitz.py --games 200
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence

import rulekit
from rulekit.agents import Agent, play, random_agent

HOME = ("West_Coast", "Hawaiian_Islands", "Australia")
"""Where forces arrive, and where the US may keep any number of aircraft."""

GARRISON = 3
"""Soldiers and aircraft that each objective should have."""

SCOUTS = 2
"""Scouting counters a turn."""

WORTH = {"CV": 6, "CVL": 4, "CVE": 3, "BB": 4, "CRU": 2, "DD": 2, "SS": 1}

LEVELS = ("Great", "Good", "Historical", "Poor", "Replaced", "Hawaii_Lost")


class Facts:
    """What no game changes: sides, kinds, types of ships, objectives; read from the program once."""

    def __init__(self, program: rulekit.Program) -> None:
        names = {domain.name: domain.members for domain in program.domains}
        tables = {table.name: table.values for table in program.statics}
        self.kinds = {
            kind.name: frozenset(name for n, name in enumerate(names[kind.domain]) if kind.members >> n & 1)
            for kind in program.kinds
        }
        self.side = _named(names["piece"], tables["piece.side"], names["Side"])
        self.type = _named(names["piece"], tables["Ship.type"], names["ShipType"])
        self.campaigns = dict(zip(names["space"], map(_whole, tables["Area.objective"]), strict=True))


def _whole(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _named(members: Sequence[str], values: Sequence[object], words: Sequence[str]) -> dict[str, str]:
    return {name: words[_whole(value)] for name, value in zip(members, values, strict=True)}


class Board:
    """Who is where."""

    def __init__(self, facts: Facts, session: rulekit.Session) -> None:
        self.facts = facts
        year = session.state("year")
        self.objectives = [area for area in facts.kinds["Area"] if facts.campaigns[area] >> year & 1]
        self.supply: int = session.state("points", "Supply")
        self.at: dict[str, list[str]] = {}
        for force in sorted(facts.kinds["Force"]):
            place = session.state("place", force)
            if place is not None:
                self.at.setdefault(place, []).append(force)

    def forces(self, area: str, side: str, kind: str = "Force") -> list[str]:
        """A side's forces of a kind in an area."""
        wanted, side_of = self.facts.kinds[kind], self.facts.side
        return [each for each in self.at.get(area, ()) if side_of[each] == side and each in wanted]

    def ground(self, area: str, side: str) -> int:
        """Soldiers and aircraft there."""
        return len(self.forces(area, side, "Soldiers")) + len(self.forces(area, side, "AirUnit"))

    def might(self, area: str, side: str) -> int:
        """What a side could fight with there."""
        ships = sum(WORTH[self.facts.type[ship]] for ship in self.forces(area, side, "Ship"))
        return ships + 2 * len(self.forces(area, side, "AirUnit")) + len(self.forces(area, side, "Soldiers"))

    def move(self, force: str, origin: str, goal: str) -> None:
        """Note a move that is going to be made."""
        self.at[origin].remove(force)
        self.at.setdefault(goal, []).append(force)
        self.supply -= 1


class Nimitz:
    """Answers by the name of what is asked; what it does not know it leaves to another agent."""

    def __init__(self, game: rulekit.Game, otherwise: Agent) -> None:
        self.facts = Facts(game.program)
        self.otherwise = otherwise
        self.moves: list[tuple[str, str]] = []
        self.planned = False
        self.scouted = 0
        self.turn: object = None

    def __call__(self, session: rulekit.Session, decision: rulekit.Decision) -> rulekit.Option | None:
        if session.state("turn") != self.turn:
            self.turn, self.scouted, self.planned, self.moves = session.state("turn"), 0, False, []
        self.session = session
        rule: Callable[..., str | None] | None = getattr(self, f"on_{decision.choice}", None)
        wanted = rule(Board(self.facts, session), decision) if rule is not None else None
        found = next((option for option in decision.options if option.name == wanted), None)
        return found or self.otherwise(session, decision)

    # -- resupply

    def on_purchase(self, board: Board, decision: rulekit.Decision) -> str:
        """Soldiers, who hold areas, then aircraft and ships; supply points are for moving."""
        state = self.session.state
        kinds, types = self.facts.kinds, self.facts.type
        budget = state("points", "Reinforcement")

        def rank(name: str) -> tuple[bool, bool, bool, str]:
            return name not in kinds["Infantry"], name in kinds["Ship"], types.get(name) != "CV", name

        for name in sorted((option.name for option in decision.options if option.name != "none"), key=rank):
            carrier = name in kinds["Ship"] and types[name] in ("CV", "CVL", "CVE")
            if state("Ship.buy" if carrier else "piece.cost", name) <= budget:
                return name
        return "none"

    def on_supply_share(self, board: Board, decision: rulekit.Decision) -> str:
        """As few supply points as can be."""
        return decision.options[0].name

    def on_repair(self, board: Board, decision: rulekit.Decision) -> str:
        """Carriers and battleships, while there are points to move with."""
        for option in decision.options:
            if self.facts.type.get(option.name) in ("CV", "BB") and board.supply > 12:
                return option.name
        return "none"

    # -- scouting

    def on_scout(self, board: Board, decision: rulekit.Decision) -> str:
        """Where most enemy ships are that may come."""
        if self.scouted == SCOUTS:
            return "none"
        self.scouted += 1
        areas = [option.name for option in decision.options if option.name != "none"]
        return max(areas, key=lambda area: (len(board.forces(area, "Japan", "Ship")), area), default="none")

    # -- movement

    def on_mover(self, board: Board, decision: rulekit.Decision) -> str:
        """The next move of the plan, which is made anew whenever it is done or fits no more."""
        if not self.moves and not self.planned:
            self.moves, self.planned = self.plan(board), True
        offered = {option.name for option in decision.options}
        self.moves = [move for move in self.moves if move[0] in offered]
        return self.moves[0][0] if self.moves else "none"

    def on_destination(self, board: Board, decision: rulekit.Decision) -> str:
        """Where the plan says."""
        force, goal = self.moves.pop(0)
        legal = {option.name for option in decision.options}
        return goal if force == decision.arguments["f"] and goal in legal else "none"

    def plan(self, board: Board) -> list[tuple[str, str]]:
        """Submarines raid; garrisons go where objectives want them; the fleet goes where it is stronger."""
        moves: list[tuple[str, str]] = []

        def send(force: str, origin: str, goal: str) -> None:
            if board.supply > 0:
                moves.append((force, goal))
                board.move(force, origin, goal)

        for area in sorted(board.at):
            for ship in [each for each in board.forces(area, "US", "Ship") if self.facts.type[each] == "SS"]:
                if area in self.facts.kinds["Area"]:
                    send(ship, area, "Raiding")
        self._garrisons(board, send)
        self._fleets(board, send)
        self._garrisons(board, send)
        return moves

    def _garrisons(self, board: Board, send: Callable[[str, str, str], None]) -> None:
        """From where forces arrive to the objectives that have fewest and no enemy ashore."""
        for _ in range(20):
            open_to = [
                area for area in board.objectives if board.ground(area, "Japan") == 0 and area not in HOME
            ]
            weak = sorted((board.ground(area, "US"), area) for area in open_to)
            if not weak or weak[0][0] >= GARRISON:
                return
            goal = weak[0][1]
            spare = [(force, home) for home in HOME for force in self._spare(board, home, goal)]
            if not spare:
                return
            send(*spare[0], goal)

    def _spare(self, board: Board, home: str, goal: str) -> list[str]:
        """Soldiers that a home can do without; Australians stay among their own flag."""
        if board.forces(home, "Japan") or (
            home == "Hawaiian_Islands" and board.ground(home, "US") <= GARRISON
        ):
            return []
        soldiers = board.forces(home, "US", "Soldiers")
        near = goal in ("New_Caledonia", "Solomon_Islands", "New_Guinea")
        return [each for each in soldiers if near or "Aust" not in each]

    def _fleets(self, board: Board, send: Callable[[str, str, str], None]) -> None:
        """The ships of Hawaii together to one objective with enemies, where they are strong enough."""
        base = "Hawaiian_Islands"
        fleet = board.forces(base, "US", "Ship")
        strength = sum(WORTH[self.facts.type[ship]] for ship in fleet)
        goals = [
            (board.might(area, "Japan"), area)
            for area in board.objectives
            if area != base and board.forces(area, "Japan")
        ]
        fit = [(might, area) for might, area in goals if strength + board.might(area, "US") > 1.5 * might]
        if not fit:
            return
        might, goal = max(fit)
        for ship in sorted(fleet, key=lambda ship: -WORTH[self.facts.type[ship]]):
            send(ship, base, goal)
        soldiers = [(each, home) for home in HOME for each in self._spare(board, home, goal)]
        for each, home in soldiers[: 2 + board.ground(goal, "Japan")]:
            send(each, home, goal)


def evaluate(make: Callable[[rulekit.Game, int], Agent], games: int) -> Counter[str]:
    """How many campaigns of 1942 ended with which evaluation."""
    game = rulekit.load("fcn")
    found: Counter[str] = Counter()
    for seed in range(games):
        session = game.start(seed=seed, scenario="1942")
        play(session, make(game, seed))
        found[str(session.result)] += 1
    return found


def main() -> None:
    """Print both agents' evaluations."""
    parser = argparse.ArgumentParser(description="What the agent is worth against chance.")
    parser.add_argument("--games", type=int, default=200)
    games = parser.parse_args().games
    print(f"{'':10}" + "".join(f"{level:>13}" for level in LEVELS))
    agents: dict[str, Callable[[rulekit.Game, int], Agent]] = {
        "random": lambda game, seed: random_agent(seed),
        "nimitz": lambda game, seed: Nimitz(game, random_agent(seed)),
    }
    for name, make in agents.items():
        found = evaluate(make, games)
        print(f"{name:10}" + "".join(f"{found[level]:>13}" for level in LEVELS))


if __name__ == "__main__":
    main()
