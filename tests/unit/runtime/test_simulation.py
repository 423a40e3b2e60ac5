"""Simulations: the same totals however games are shared out, interrupted or resumed."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import rulekit
from rulekit.agents import python_agent
from rulekit.reports.simulation.asking import NoSimulation, Simulator
from rulekit.reports.simulation.table import ranges
from rulekit.reports.simulation.traces import extreme_games, replay
from rulekit.runtime.play import Decision, LegalAnswer, Session
from rulekit.runtime.simulation import running
from rulekit.runtime.simulation.plan import Plan
from rulekit.runtime.simulation.saved import SimulationFile
from rulekit.runtime.simulation.tally import Tally, tally_of
from tests.unit.cli.commands import working_folder
from tests.unit.cli.running import FERRY

OF = (
    "result",
    "decisions",
    "lost Red",
    "tolls(Red)",
    "Swift is tired",
    "Swift.place",
    "tolls(Red) - tolls(Blue)",
)
GAMES = 60


def plan_of(folder: Path = FERRY, **changes: Any) -> tuple[Simulator, Plan, tuple[str, ...]]:
    """The simulation of the ferry."""
    simulator = Simulator(folder, against=changes.pop("against", None))
    settings: dict[str, Any] = {"where": "", "scenario": None, "agents": "random", "seed": 3, **changes}
    return simulator, *simulator.plan(OF, **settings)


@pytest.fixture(scope="module")
def alone() -> Tally:
    """The totals of one process, all games in one run."""
    _, plan, _ = plan_of()
    return running.run(plan, GAMES, workers=1, chunk=GAMES)


@pytest.mark.parametrize(("workers", "chunk"), [(1, 7), (2, 1), (2, 13), (3, None)])
def test_totals_are_the_same(alone: Tally, workers: int, chunk: int | None) -> None:
    """Whoever plays which games, with the least number of each end."""
    _, plan, _ = plan_of()
    found = running.run(plan, GAMES, workers=workers, chunk=chunk)

    assert GAMES == found.games
    assert alone.entries == found.entries


def test_the_last_runs_are_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that two processes end together; each game is in one run."""
    _, plan, _ = plan_of()
    monkeypatch.setattr(running, "FIRST_SECONDS", 0.002)
    shown: list[int] = []
    tally = running.run(plan, 3_000, workers=2, told=lambda done, of: shown.append(done))
    lengths = [later - before for before, later in itertools.pairwise(shown)]

    assert 3_000 == tally.games == shown[-1]
    assert max(lengths[1:]) > 4 * lengths[-1]


@pytest.mark.slow
def test_totals_are_the_same_on_a_cluster(alone: Tally) -> None:
    """Of two worker processes of Dask."""
    _, plan, _ = plan_of()

    assert alone.entries == running.run(plan, GAMES, workers=2, dask="local").entries


def test_tallies_are_plain_and_back(alone: Tally) -> None:
    """As a file keeps them."""
    assert alone.entries == tally_of(alone.json()).entries


def test_games_are_those_of_sessions() -> None:
    """Each game, played again in a session by the rules of its number, ends the same."""
    simulator, plan, names = plan_of()
    found = simulator.simulate(plan, names, 12, workers=1)
    sessions = [replay(found, number) for number in range(12)]

    assert Counter(session.result for session in sessions) == Counter(
        {value: round(number.value * 12) for value, number in found["result"].rows()}  # type: ignore[union-attr]
    )
    tolls = Counter(session.state("tolls", "Red") for session in sessions)
    assert tolls == {value: round(n.value * 12) for value, n in found["tolls(Red)"].rows()}  # type: ignore[union-attr]


def test_extreme_games_are_extreme() -> None:
    """The numbers of games that are traced give the least and the greatest value."""
    simulator, plan, names = plan_of()
    found = simulator.simulate(plan, names, 40, workers=1)
    numbers = {name: number for name, number, _ in extreme_games(found)}
    values = list(found["tolls(Red)"])

    assert min(values) == replay(found, numbers["4-tolls-Red-least"]).state("tolls", "Red")
    assert max(values) == replay(found, numbers["4-tolls-Red-greatest"]).state("tolls", "Red")


def test_means_by_another_value() -> None:
    """Each is the mean of the games that end with the value."""
    simulator, plan, names = plan_of()
    found = simulator.simulate(plan, names, 40, workers=1)
    by = found.means_by("tolls(Red)", "Swift is tired")
    for tired, mean in by.items():
        some = simulator.plan(
            OF, where=f"{'' if tired else 'not '}(Swift is tired)", scenario=None, agents="random", seed=3
        )
        alone = simulator.simulate(*some, 40, workers=1)["tolls(Red)"].mean
        assert mean == alone
    assert {False, True} == by.keys()


def test_where_counts_some_games() -> None:
    """The distribution among the games that end so."""
    simulator, plan, names = plan_of(where="Swift is tired")
    found = simulator.simulate(plan, names, 40, workers=1)

    assert 0 < found.counted < found.games == 40
    assert [True] == list(found["Swift is tired"])


def test_a_comparison_with_itself_differs_in_nothing() -> None:
    """Pairs of equal seeds are equal games."""
    simulator, plan, names = plan_of(against=())
    found = simulator.simulate(plan, names, 20, workers=1)

    assert {0.0} == {row.shift.value for name in names for row in found.differences(name)}
    mean = found.mean_difference("tolls(Red)")
    assert mean is not None and (0, 0, 0) == (mean.value, mean.low, mean.high)


def test_an_option_shifts_by_the_difference_of_its_means(tmp_path: Path) -> None:
    """The wind never tires a boat when all throws are one less."""
    folder = working_folder(tmp_path) / "set"
    found = rulekit.simulate(
        folder, games=60, of=["Swift is tired", "tolls(Red)"], options=["calm"], against=(), workers=1, seed=1
    )
    with_option, without = found["Swift is tired"], found.distribution("Swift is tired", against=True)

    assert [False] == list(with_option)
    assert [False, True] == list(without)
    (no, yes) = sorted(found.differences("Swift is tired"), key=lambda row: bool(row.value))
    assert no.shift.value == pytest.approx(no.one.value - no.other.value) == pytest.approx(-yes.shift.value)
    assert yes.shift.high < 0
    mean = found.mean_difference("tolls(Red)")
    one, other = found["tolls(Red)"].mean, found.distribution("tolls(Red)", against=True).mean
    assert mean is not None
    assert mean.value == pytest.approx(one.value - other.value)  # type: ignore[union-attr]


def test_differences_are_in_order(tmp_path: Path) -> None:
    """Also of values that only the other rules lead to."""
    folder = working_folder(tmp_path) / "set"
    found = rulekit.simulate(
        folder, games=6, of="tolls(Red)", options=["calm"], against=(), workers=1, seed=1
    )
    values = [row.value for row in found.differences("tolls(Red)")]
    others = set(found.distribution("tolls(Red)", against=True))

    assert sorted(values) == values
    assert {*found["tolls(Red)"]} < {*values} == {*found["tolls(Red)"]} | others


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        (range(12), range(12)),
        (range(0, 300, 30), range(0, 300, 30)),
        (range(28), range(28)),
        (range(0, 84, 3), [f"{low}..{low + 9}" for low in range(0, 84, 10)]),
        (range(40), [f"{low}..{low + 4}" for low in range(0, 40, 5)]),
    ],
)
def test_many_numbers_are_shown_in_ranges(numbers: Sequence[int], shown: Sequence[Any]) -> None:
    """Few numbers, or not so few that follow each other, one by one."""
    range_of = ranges(numbers) or (lambda number: number)

    assert list(shown) == list(dict.fromkeys(map(range_of, numbers)))


# ---------------------------------------------------------------- agents of one's own

AGENTS = """
asked = 0

def first(session, decision):
    return decision.legal_answers[0]

def by_turns(session, decision):
    global asked
    asked += 1
    return decision.legal_answers[asked % len(decision.legal_answers)]

def nobody(session, decision):
    return None

def wrong(session, decision):
    return "the moon"

def fails(session, decision):
    return decision.legal_answers[99]
"""


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    """A file of agents."""
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return path


def test_games_with_an_agent_are_those_of_its_answers(alone: Tally, agents: Path) -> None:
    """One that answers like an agent known by name, for all sides or for one, has the same totals."""
    first = python_agent(f"{agents}:first")
    for known, own in (
        ("first-legal", first),
        ({"Red": "first-legal", "Blue": "random"}, {"Red": first, "Blue": "random"}),
    ):
        ends = [
            running.run(plan_of(agents=who)[1], GAMES, workers=1, chunk=GAMES).entries for who in (known, own)
        ]
        assert ends[0] == ends[1] != alone.entries


@pytest.mark.parametrize(("workers", "chunk"), [(1, 7), (2, 1), (2, 13)])
def test_an_agent_remembers_one_game(agents: Path, workers: int, chunk: int) -> None:
    """What its file keeps is gone in the next game, so that the totals do not depend on who plays which."""
    _, plan, _ = plan_of(agents=python_agent(f"{agents}:by_turns"))
    entries = running.run(plan, GAMES, workers=1, chunk=GAMES).entries

    assert entries == running.run(plan, GAMES, workers=workers, chunk=chunk).entries
    assert 1 < len(entries)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", r"`\w+` is asked, and `agents.py:nobody` has no answer"),
        ("wrong", r"`agents.py:wrong` answers `\w+`: .*the moon"),
        ("fails", r"`agents.py:fails` fails at `\w+`: IndexError: .*agents.py`, line 19\)"),
    ],
)
def test_an_agent_that_fails_is_told(agents: Path, name: str, message: str, workers: int) -> None:
    """With the choice, whichever process played."""
    simulator, plan, names = plan_of(agents=python_agent(f"{agents}:{name}"))
    with pytest.raises(NoSimulation, match=message):
        simulator.simulate(plan, names, 9, workers=workers, chunk=2)


def test_a_function_is_an_agent() -> None:
    """From Python it needs no file of its own; but a file of games cannot know it again."""

    def last(session: Session, decision: Decision) -> LegalAnswer:
        return decision.legal_answers[-1]

    found = rulekit.simulate(FERRY, games=5, agents=last, workers=1)
    assert {"Red": "last", "Blue": "last"} == dict(found.agents)
    with pytest.raises(ValueError, match="the games of `last` cannot be kept"):
        rulekit.simulate(FERRY, games=5, agents=last, workers=1, save="games.jsonl")
    assert not Path("games.jsonl").exists()


def test_a_library_that_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken wasmtime is no missing Dask."""
    (tmp_path / "wasmtime.py").write_text("raise ImportError('libwasmtime.so: cannot open it')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "wasmtime", raising=False)
    with pytest.raises(ValueError, match="wasmtime is installed, but cannot be loaded: libwasmtime.so"):
        rulekit.simulate(FERRY, games=1, native=True)


@pytest.mark.parametrize(
    "error, message",
    [
        (ModuleNotFoundError("No module named 'distributed'", name="distributed"), "Dask is not installed"),
        (ModuleNotFoundError("No module named 'tornado'", name="tornado"), "cannot be loaded: .*tornado"),
        (ImportError("wasmtime is of another machine"), "cannot be loaded: wasmtime is of another machine"),
    ],
)
def test_a_failed_import_says_what_is_missing(
    error: ImportError, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a missing Dask is called so."""
    simulator, plan, names = plan_of()
    monkeypatch.setattr("rulekit.reports.simulation.asking.run", mock.Mock(side_effect=error))
    with pytest.raises(NoSimulation, match=message):
        simulator.simulate(plan, names, 1)


def test_two_functions_of_one_name_are_two_agents() -> None:
    """A player that was compiled for one is not taken for the other."""
    functions = [lambda session, decision, place=place: decision.legal_answers[place] for place in (0, -1)]
    first, last = (
        running.run(plan_of(agents=function)[1], GAMES, workers=1).entries for function in functions
    )

    assert first != last


def test_a_file_of_an_agent_that_has_changed_is_refused(agents: Path, tmp_path: Path) -> None:
    """Its games are not those of the new text."""
    path = tmp_path / "games.jsonl"
    simulator, plan, names = plan_of(agents=python_agent(f"{agents}:first"))
    simulator.simulate(plan, names, 5, workers=1, save=path)
    agents.write_text(AGENTS + "\nmore = 1\n")
    simulator, plan, names = plan_of(agents=python_agent(f"{agents}:first"))
    with pytest.raises(NoSimulation, match="other agents"):
        simulator.simulate(plan, names, 9, workers=1, save=path)


# ---------------------------------------------------------------- files


def test_a_file_goes_on_after_a_kill_anywhere(alone: Tally, tmp_path: Path) -> None:
    """Cut off after any byte behind its first line, it leads to the same totals, and to a whole file."""
    _, plan, _ = plan_of()
    path = tmp_path / "games.jsonl"
    with SimulationFile(path, plan.identity()) as file:
        running.run(plan, 40, workers=1, chunk=10, file=file)
    whole = path.read_bytes()
    head = whole.index(b"\n") + 1
    for cut in (0, 5, head - 1, head, head + 9, len(whole) // 2, len(whole) - 1, len(whole)):
        path.write_bytes(whole[:cut])
        if 0 < cut < head:
            with pytest.raises(NoSimulation, match="not the file of a simulation"):
                resumed(path)
            continue
        assert alone.entries == resumed(path).entries
        assert alone.entries == resumed(path).entries  # now that all are there


def resumed(path: Path) -> Tally:
    """The totals of a simulation with a file."""
    simulator, plan, names = plan_of()
    return simulator.simulate(plan, names, GAMES, workers=1, chunk=11, save=path).tally


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 4}, "other seed"),
        ({"agents": "first-legal"}, "other agents"),
        ({"where": "day = 5"}, "other measures"),
        ({"against": ()}, "other rules or data, options, scenario, measures"),
    ],
)
def test_a_file_of_another_simulation_is_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    """And not touched."""
    path = tmp_path / "games.jsonl"
    simulator, plan, names = plan_of()
    simulator.simulate(plan, names, 5, workers=1, save=path)
    before = path.read_bytes()
    other, plan, names = plan_of(**changes)
    with pytest.raises(NoSimulation, match=words):
        other.simulate(plan, names, 9, workers=1, save=path)

    assert before == path.read_bytes()


def test_a_file_with_more_games_is_refused(tmp_path: Path) -> None:
    """Fewer games than were played would not be those of the seed."""
    path = tmp_path / "games.jsonl"
    simulator, plan, names = plan_of()
    simulator.simulate(plan, names, 9, workers=1, save=path)
    with pytest.raises(NoSimulation, match="it has games up to number 8; ask for at least 9"):
        simulator.simulate(plan, names, 5, workers=1, save=path)


def test_two_simulations_do_not_write_one_file(tmp_path: Path) -> None:
    """Their lines would be mixed; the second waits until the first has ended."""
    path = tmp_path / "games.jsonl"
    simulator, plan, names = plan_of()
    simulator.simulate(plan, names, 9, workers=1, save=path)
    before = path.read_bytes()
    script = f"import fcntl; f = open({str(path)!r}, 'a'); fcntl.lockf(f, fcntl.LOCK_EX); print(); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None and other.stdout.readline()
        with pytest.raises(NoSimulation, match="another simulation writes .*; wait for its end"):
            simulator.simulate(plan, names, 12, workers=1, save=path)
        other.communicate(b"\n")

    assert before == path.read_bytes()
    assert 12 == simulator.simulate(plan, names, 12, workers=1, save=path).games


def test_no_other_file_is_replaced(tmp_path: Path) -> None:
    """A file that is none of a simulation stays as it is."""
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n")
    simulator, plan, names = plan_of()
    with pytest.raises(NoSimulation, match="not the file of a simulation"):
        simulator.simulate(plan, names, 5, workers=1, save=path)

    assert "my notes\n" == path.read_text()


def test_a_worker_that_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games that were played are kept, and the simulation goes on from there."""
    path = tmp_path / "games.jsonl"
    simulator, plan, names = plan_of()
    play, parent = running.play_games, os.getpid()

    def dies(plan: Plan, first: int, end: int) -> list[Any]:
        if first >= 40 and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return play(plan, first, end)

    monkeypatch.setattr(running, "play_games", dies)
    with pytest.raises(NoSimulation, match="ended before it was done; the same command goes on from"):
        simulator.simulate(plan, names, GAMES, workers=2, chunk=5, save=path)
    monkeypatch.setattr(running, "play_games", play)
    kept = SimulationFile(path, plan.identity()).tally.games
    assert 5 <= kept < GAMES

    assert GAMES == simulator.simulate(plan, names, GAMES, workers=2, chunk=5, save=path).games


@pytest.mark.slow
def test_a_cluster_that_dies_is_told(tmp_path: Path) -> None:
    """All its workers at once; what had come back is kept."""
    from distributed import LocalCluster  # slow to load

    path = tmp_path / "games.jsonl"
    simulator, plan, names = plan_of()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:

        def kill(done: int, of: int) -> None:
            for worker in cluster.workers.values() if done == 10 else ():
                os.kill(worker.pid, signal.SIGKILL)

        with pytest.raises(NoSimulation, match="cluster ended; the same command goes on from"):
            simulator.simulate(plan, names, 50_000, dask=cluster.scheduler_address, save=path, told=kill)

    assert 10 <= SimulationFile(path, plan.identity()).tally.games < 50_000


def test_no_process_outlives_a_simulation_that_was_killed(tmp_path: Path) -> None:
    """They would hold the output open; the file goes on from there."""
    path = tmp_path / "games.jsonl"
    script = f"""
import os, rulekit
kill = lambda done, of: done > 100 and os.kill(os.getpid(), 9)
rulekit.simulate({str(FERRY)!r}, games=10**6, of={OF!r}, seed=3, save={str(path)!r}, workers=2, progress=kill)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    _, plan, _ = plan_of()
    with SimulationFile(path, plan.identity()) as file:
        games = max(end for _, end in file.played)
        resumed = running.run(plan, games, workers=1, file=file)

    assert (-signal.SIGKILL, "", "") == (ran.returncode, ran.stdout, ran.stderr)
    assert running.run(plan, games, workers=1).entries == resumed.entries


@pytest.mark.parametrize("games", [0, -1])
def test_no_games_show_nothing(games: int) -> None:
    """Nor do fewer."""
    with pytest.raises(ValueError, match="show nothing"):
        rulekit.simulate(FERRY, games=games)
