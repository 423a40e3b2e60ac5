"""What sessions do besides playing: save and restore, clone, undo, list options.

python -m benchmarks.sessions [--answers N]
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import process_time
from typing import Any

from benchmarks.common import SCENARIO, policy
from benchmarks.vitp_action import programs
from benchmarks.vitp_game import played
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.simulate import first_legal, new_machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.play import Game, Session
from rulekit.runtime.support.build import DEFAULT_FUEL, SIMULATION
from rulekit.runtime.support.layout import FUEL

ANSWERS = 1000
SEED = 3
REPETITIONS = 200
JAPAN, NIGHT_CHOICE = 0, "gun_targets"


@dataclass(frozen=True, slots=True)
class Cost:
    """What one operation takes: median and quartiles, in seconds."""

    name: str
    median: float
    low: float
    high: float
    note: str = ""

    def line(self) -> str:
        """One line of a table."""
        spread = f"({1e3 * self.low:.3f} to {1e3 * self.high:.3f})"
        return f"{self.name:44} {1e3 * self.median:8.3f} ms  {spread:20} {self.note}"


def cost(name: str, run: Callable[[], Any], note: str = "", batch: int = 1) -> Cost:
    """Time one operation, `batch` times for each reading of the clock."""
    found = []
    gc.collect()
    gc.disable()
    for _ in range(REPETITIONS):
        start = process_time()
        for _ in range(batch):
            run()
        found.append((process_time() - start) / batch)
    gc.enable()
    low, middle, high = statistics.quantiles(found, n=4)
    return Cost(name, middle, low, high, note)


def middle_of_a_game(answers: int) -> Session:
    """A session after so many random answers."""
    session, choose = played().start(SEED, SCENARIO), policy(SEED)
    for _ in range(answers):
        assert session.machine.asked is not None, "the game is over before that"
        session.choose(choose(*session.machine.asked))
    return session


def measure(answers: int = ANSWERS) -> list[Cost]:
    """All costs."""
    game, session = played(), middle_of_a_game(answers)
    assert session.decision is not None
    found = []
    for log in (False, True):
        saved = session.save(log=log)
        text = json.dumps(saved)
        restored = game.restore(json.loads(text))
        assert session.machine.M[FUEL + 1 :] == restored.machine.M[FUEL + 1 :]
        assert session.decision == restored.decision
        kept = "with the log of answers" if log else "without the log"
        save = partial(session.save, log=log)
        found.append(cost(f"save, {kept}", save, f"{len(text) / 1e3:.1f} kB"))
        found.append(cost(f"restore, {kept}", partial(game.restore, saved)))
        found.append(cost(f"save and restore, {kept}", partial(_there_and_back, game, save), "goal 5 ms"))
    clone = cost("clone", session.clone, batch=10)
    found.append(replace(clone, note=f"{1 / clone.median:,.0f} a second, goal 10,000"))
    found.append(cost("look at the decision, answers named", lambda: session.decision, batch=10))
    found += _answers(session)
    found.append(_listing())
    return found


def _there_and_back(game: Game, save: Callable[[], dict[str, Any]]) -> Session:
    return game.restore(save())


def _answers(session: Session) -> list[Cost]:
    """One answer, and its undoing, each by itself."""
    choosing, undoing = [], []
    asked = session.machine.asked
    assert asked is not None
    before = session.machine.M[FUEL + 1 :]
    for _ in range(REPETITIONS):
        start = process_time()
        session.choose(asked[3][0])
        middle = process_time()
        undone = session.undo(past_chance=True)
        undoing.append(process_time() - middle)
        choosing.append(middle - start)
        assert undone and session.machine.M[FUEL + 1 :] == before
    made = [("one answer, to the next decision", choosing), ("undo one answer", undoing)]
    found = []
    for name, times in made:
        low, middle, high = statistics.quantiles(times, n=4)
        found.append(Cost(name, middle, low, high))
    return found


def _listing() -> Cost:
    """Options of the night's targets, a choice with conditions on the whole assignment: one part of ten.

    The whole choice is run, with an agent that takes the first option, and its time divided by its parts.
    """
    program = programs()["night"]
    made = generate(program, SIMULATION)
    asked = [0]

    def agent(*question: Any) -> int:
        asked[0] += 1
        return first_legal(*question)

    machine = new_machine(made, Streams(made, SEED), agent)
    machine.trace = [].append
    machine.refuel(DEFAULT_FUEL)
    machine.call("night_position")
    area = next(d for d in program.domains if d.name == "space").members.index("Coral_Sea")
    battle = machine.call("form_battle", area)
    machine.call("declare_gunfire", battle)
    choice = made.routine(("choice", NIGHT_CHOICE, False))
    asked[0] = 0
    parts = len(choice(machine, machine.M, JAPAN, battle))
    note = f"{asked[0]} of {parts} parts asked, goal 0.1 ms"
    whole = cost("", partial(choice, machine, machine.M, JAPAN, battle))
    times = (whole.median / parts, whole.low / parts, whole.high / parts)
    return Cost("list the options of one night target", *times, note=note)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Saves, clones, undo and options in mid-game.")
    parser.add_argument("--answers", type=int, default=ANSWERS, help=f"answers before (default {ANSWERS})")
    for found in measure(parser.parse_args().answers):
        print(found.line())


if __name__ == "__main__":
    main()
