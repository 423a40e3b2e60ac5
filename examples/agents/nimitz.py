"""An agent for *Fleet Commander Nimitz*: it buys, scouts and defends objectives.

It uses only the public interface (docs/python.md): the session's state, and the legal answers of a decision.
It does not know the dice and does not look ahead. To compare it with random play:

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

RING = ("Midway_Island", "Gilbert_Islands", "Samoa", "Alaska")
"""The areas beside the Hawaiian Islands."""

FLAGGED = ("New_Caledonia", "Solomon_Islands", "New_Guinea")
"""Objectives that Australian forces may enter."""

LANDED = ("Midway_Island", "Gilbert_Islands", "Samoa", "Alaska", *FLAGGED)
ROOM = dict(zip(LANDED, (2, 4, 2, 5, 3, 6, 8), strict=True))
"""How many aircraft each supports."""

ODDS = 1.5
"""How much stronger than the enemy the fleet must be to attack."""

PLANS = {
    "Leathernecks": 0,
    "Diving_Attack": 3,
    "Artillery": 2,
    "Ranging_Shots": 1,
    "Charge": 1,
    "Furball": 1,
    "AAA": 2,
}
"""Battle plans in the order in which they are bought."""

GATE, GATED = "Midway_Island", 7
"""From here a South order may lead to Hawaii: the area that wants most soldiers, and how many."""

Send = Callable[[str, str, str], bool]

MOVING = 10
"""Supply points that are kept for movement when forces are bought."""

KEPT = 4
"""Supply points that are kept when battle plans are bought."""

GARRISON = 3
"""Soldiers and aircraft that each objective should have."""

SCOUTS = 1
"""Scouting counters a turn."""

WORTH = {"CV": 6, "CVL": 4, "CVE": 3, "BB": 4, "CRU": 2, "DD": 2, "SS": 1}

LEVELS = ("Great", "Good", "Historical", "Poor", "Replaced", "Hawaii_Lost")


def wanted(area: str) -> int:
    """How many soldiers and aircraft an area should have."""
    return GATED if area == GATE else GARRISON


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
        for force in sorted(facts.kinds["Counter"]):
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

    def __call__(self, session: rulekit.Session, decision: rulekit.Decision) -> rulekit.LegalAnswer | None:
        if session.state("turn") != self.turn:
            self.turn, self.scouted, self.planned, self.moves = session.state("turn"), 0, False, []
        self.session = session
        self.seen: Board | None = None
        rule: Callable[[rulekit.Decision], str] | None = getattr(self, f"on_{decision.choice}", None)
        wanted = rule(decision) if rule is not None else None
        found = next((answer for answer in decision.legal_answers if answer.name == wanted), None)
        return found or self.otherwise(session, decision)

    @property
    def board(self) -> Board:
        """What is on the table at this decision."""
        if self.seen is None:
            self.seen = Board(self.facts, self.session)
        return self.seen

    # -- resupply

    def on_purchase(self, decision: rulekit.Decision) -> str:
        """Soldiers, who hold areas, then aircraft and ships; supply points are for moving."""
        state = self.session.state
        kinds, types = self.facts.kinds, self.facts.type
        budget = state("points", "Reinforcement") + max(0, state("points", "Supply") - MOVING)

        def rank(name: str) -> tuple[bool, bool, bool, str]:
            return name not in kinds["Infantry"], name in kinds["Ship"], types.get(name) != "CV", name

        for name in sorted(
            (answer.name for answer in decision.legal_answers if answer.name != "none"), key=rank
        ):
            carrier = name in kinds["Ship"] and types[name] in ("CV", "CVL", "CVE")
            if state("Ship.buy" if carrier else "piece.cost", name) <= budget:
                return name
        return "none"

    def on_supply_share(self, decision: rulekit.Decision) -> str:
        """As few supply points as can be."""
        return decision.legal_answers[0].name

    def on_repair(self, decision: rulekit.Decision) -> str:
        """Carriers and battleships, while there are points to move with."""
        for answer in decision.legal_answers:
            if self.facts.type.get(answer.name) in ("CV", "BB") and self.board.supply > 12:
                return answer.name
        return "none"

    # -- scouting

    def on_scout(self, decision: rulekit.Decision) -> str:
        """Where most enemy ships are that may come."""
        if self.scouted == SCOUTS:
            return "none"
        self.scouted += 1
        areas = [answer.name for answer in decision.legal_answers if answer.name != "none"]
        return max(
            areas, key=lambda area: (len(self.board.forces(area, "Japan", "Ship")), area), default="none"
        )

    # -- movement

    def on_mover(self, decision: rulekit.Decision) -> str:
        """The next move of the plan for this turn."""
        if not self.planned:
            self.bases = {area: self.board.ground(area, "US") for area in self.facts.kinds["Area"]}
            self.moves, self.planned = self.plan(self.board), True
        offered = {answer.name for answer in decision.legal_answers}
        self.moves = [move for move in self.moves if move[0] in offered]
        return self.moves[0][0] if self.moves else "none"

    def on_destination(self, decision: rulekit.Decision) -> str:
        """Where the plan says."""
        force, goal = self.moves.pop(0)
        legal = {answer.name for answer in decision.legal_answers}
        return goal if force == decision.arguments["f"] and goal in legal else "none"

    def plan(self, board: Board) -> list[tuple[str, str]]:
        """What to move where, the most urgent first."""
        moves: list[tuple[str, str]] = []

        def send(force: str, origin: str, goal: str) -> bool:
            if board.supply > 0:
                moves.append((force, goal))
                board.move(force, origin, goal)
            return board.supply > 0

        self._ring(board, send)
        self._raiders(board, send)
        self._fleet(board, send)
        self._garrisons(board, send)
        self._aircraft(board, send)
        return moves

    def _ring(self, board: Board, send: Send) -> None:
        """Somebody in all areas beside Hawaii: an enemy there has US forces closer than in Hawaii then."""
        for area in sorted(RING, key=lambda area: (not board.forces(area, "Japan"), area)):
            wanted = 2 if board.forces(area, "Japan") else 1
            for force, home in self._reserve(board, area):
                if len(board.forces(area, "US")) >= wanted:
                    break
                send(force, home, area)

    def _reserve(self, board: Board, goal: str) -> list[tuple[str, str]]:
        """Who can be sent: soldiers, then light ships, from where forces gather."""
        soldiers = [(each, home) for home in HOME for each in self._spare(board, home, goal)]
        return soldiers + [
            (ship, home)
            for home in HOME
            for ship in board.forces(home, "US", "Ship")
            if self.facts.type[ship] in ("DD", "CRU") and ("Aust" not in ship)
        ]

    def _spare(self, board: Board, home: str, goal: str) -> list[str]:
        """Soldiers that a home can do without; Australians stay among their own flag."""
        few = home == "Hawaiian_Islands" and board.ground(home, "US") <= GARRISON
        if few or home == goal or board.forces(home, "Japan"):
            return []
        return [
            each for each in board.forces(home, "US", "Soldiers") if goal in FLAGGED or "Aust" not in each
        ]

    def _raiders(self, board: Board, send: Send) -> None:
        """Every submarine weakens what Japan gets."""
        for area in [area for area in sorted(board.at) if area in self.facts.kinds["Area"]]:
            for ship in [each for each in board.forces(area, "US", "Ship") if self.facts.type[each] == "SS"]:
                send(ship, area, "Raiding")

    def _fleet(self, board: Board, send: Send) -> None:
        """The ships of Hawaii to the objectives with enemies, where it takes fewest ships."""
        base = "Hawaiian_Islands"
        contested = [area for area in board.objectives if area != base and board.forces(area, "Japan")]
        for goal in sorted(contested, key=lambda area: (area != GATE, board.might(area, "Japan"), area)):
            enemy = board.might(goal, "Japan")
            fleet = [ship for ship in board.forces(base, "US", "Ship") if self.facts.type[ship] != "SS"]
            strength = sum(WORTH[self.facts.type[ship]] for ship in fleet)
            if strength + board.might(goal, "US") < ODDS * enemy:
                continue
            for ship in sorted(fleet, key=lambda ship: -WORTH[self.facts.type[ship]]):
                if board.might(goal, "US") > 2 * ODDS * enemy:
                    break
                send(ship, base, goal)
            for force, home in self._reserve(board, goal):
                if len(board.forces(goal, "US", "Soldiers")) > 1 + board.ground(goal, "Japan"):
                    break
                if force in self.facts.kinds["Soldiers"]:
                    send(force, home, goal)

    def _garrisons(self, board: Board, send: Send) -> None:
        """Soldiers to the objectives without an enemy ashore that have fewest."""
        for _ in range(20):
            safe = [area for area in board.objectives if board.ground(area, "Japan") == 0]
            weak = sorted(
                (board.ground(area, "US") - wanted(area), area) for area in safe if area not in HOME
            )
            if not weak or weak[0][0] >= 0:
                return
            spare = [(force, home) for home in HOME for force in self._spare(board, home, weak[0][1])]
            if not spare:
                return
            send(*spare[0], weak[0][1])

    def _aircraft(self, board: Board, send: Send) -> None:
        """Aircraft from home to objectives with soldiers; the rules say where there is room."""
        for home in HOME:
            for unit in board.forces(home, "US", "AirUnit")[2 if home == "Hawaiian_Islands" else 0 :]:
                open_to = [area for area in FLAGGED if area in board.objectives] if "RAAF" in unit else LANDED
                goals = [
                    area for area in open_to if self.bases.get(area) and board.ground(area, "Japan") == 0
                ]
                goals = [area for area in goals if len(board.forces(area, "US", "AirUnit")) < ROOM[area]]
                if goals:
                    send(unit, home, min(goals, key=lambda area: (board.ground(area, "US"), area)))

    # -- battles

    def on_plan_wanted(self, decision: rulekit.Decision) -> str:
        """What the free points buy, and the supply points that nobody needs for moving."""
        left = decision.arguments["points_left"] + 3 * max(0, self.session.state("points", "Supply") - KEPT)
        for plan, cost in PLANS.items():
            if cost <= left and any(answer.name == plan for answer in decision.legal_answers):
                return plan
        return "none"

    def on_discard(self, decision: rulekit.Decision) -> str:
        """As soon as it is of use."""
        return "yes"

    def on_stop(self, decision: rulekit.Decision) -> str:
        """The first hit that can be stopped."""
        return decision.legal_answers[0].name

    def on_battle_changed(self, decision: rulekit.Decision) -> str:
        """Longer while stronger."""
        ours, theirs = (
            sum(len(self.board.forces(zone, side)) for zone in self.facts.kinds["Zone"])
            for side in ("US", "Japan")
        )
        return "longer" if ours > theirs else "shorter"

    def on_charging(self, decision: rulekit.Decision) -> str:
        """Whoever comes first."""
        return decision.legal_answers[0].name

    def on_lurking(self, decision: rulekit.Decision) -> str:
        """Among the carriers."""
        return decision.legal_answers[0].name

    def on_station(self, decision: rulekit.Decision) -> str:
        """Two ships with each carrier, the others to the coast."""
        ships = self.board.forces("US_Ocean", "US", "Ship")
        carriers = [ship for ship in ships if self.facts.type[ship].startswith("CV")]
        number = decision.arguments["ships"].index(decision.part)
        return "US_Ocean" if number < len(carriers) else "Coastal"

    def on_victim(self, decision: rulekit.Decision) -> str:
        """Of our own one that is whole, so that it is not lost; of theirs whoever comes first."""
        damaged = set(self.session.state("piece.damaged"))
        whole = [answer.name for answer in decision.legal_answers if answer.name not in damaged]
        return whole[0] if whole else decision.legal_answers[0].name

    def on_flight(self, decision: rulekit.Decision) -> str:
        """Bombers to the enemy's ships, carriers first; fighters with them, every second one at home."""
        legal = {answer.name for answer in decision.legal_answers}
        plane = str(decision.part)
        targets = [
            zone
            for zone in ("Japanese_Ocean", "Coastal", "US_Ocean")
            if zone in legal and self._surface(zone)
        ]
        bombs = self.session.state("piece.ship", plane) + self.session.state("piece.ground", plane)
        guard = len(decision.arguments["wing"]) > 2 and decision.arguments["wing"].index(plane) % 2
        if not bombs and guard:
            return "US_Ocean" if self.board.forces("US_Ocean", "US", "Ship") else "Island"
        if targets:
            return targets[0]
        return "Island"

    def _surface(self, zone: str) -> bool:
        ships = self.board.forces(zone, "Japan", "Ship")
        return any(self.facts.type[ship] != "SS" for ship in ships) or bool(
            self.board.forces(zone, "Japan", "Soldiers")
        )


def evaluate(make: Callable[[rulekit.Game, int], Agent], games: int) -> tuple[Counter[str], float]:
    """How many campaigns of 1942 ended with which evaluation, and objectives without an enemy ashore."""
    game = rulekit.load("fcn")
    facts = Facts(game.program)
    found: Counter[str] = Counter()
    kept = 0
    for seed in range(games):
        session = game.start(seed=seed, scenario="1942")
        play(session, make(game, seed))
        found[str(session.result)] += 1
        board = Board(facts, session)
        kept += sum(board.ground(area, "US") > 0 == board.ground(area, "Japan") for area in board.objectives)
    return found, kept / games


def main() -> None:
    """Print both agents' evaluations."""
    parser = argparse.ArgumentParser(description="What the agent is worth against chance.")
    parser.add_argument("--games", type=int, default=200)
    games = parser.parse_args().games
    print(f"{'':10}" + "".join(f"{level:>13}" for level in LEVELS) + f"{'objectives':>13}")
    agents: dict[str, Callable[[rulekit.Game, int], Agent]] = {
        "random": lambda game, seed: random_agent(seed),
        "nimitz": lambda game, seed: Nimitz(game, random_agent(seed)),
    }
    for name, make in agents.items():
        found, kept = evaluate(make, games)
        print(f"{name:10}" + "".join(f"{found[level]:>13}" for level in LEVELS) + f"{kept:>13.2f}")


if __name__ == "__main__":
    main()
