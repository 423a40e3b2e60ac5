"""Playing the games of a simulation: in this process, in several, or on the machines of a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any, Final

from rulekit.base.forks import cores
from rulekit.base.orphans import end_with_parent
from rulekit.runtime.simulation.games import play_games, player_of
from rulekit.runtime.simulation.plan import Plan
from rulekit.runtime.simulation.saved import SimulationFile
from rulekit.runtime.simulation.tally import Tally, tally_of

SECONDS: Final = 0.2
"""Processor time of a run of games that one process plays at a time."""

FIRST_SECONDS: Final = 0.02
"""The same of the first run; no other process plays meanwhile."""

LAST_SHARE: Final = 16
"""The last runs are shorter, down to this part of a whole one, so that all processes end together."""

MOST_GAMES: Final = 2_000
"""Games of one run."""

AHEAD: Final = 4
"""Runs of games that wait for each process."""

Part = tuple[int, int, Any]
"""The games from a number to before another, and their tally as plain JSON."""

Told = Callable[[int, int], object]
"""Takes how many games have been played, of how many."""


class WorkersDied(RuntimeError):
    """A process that played games, or the scheduler, ended too early; all finished runs of games count."""


class NoCluster(Exception):
    """No Dask scheduler with workers answers at an address, or nothing can: the message says why."""


def run(
    plan: Plan,
    games: int,
    *,
    workers: int | None = None,
    dask: str | None = None,
    chunk: int | None = None,
    file: SimulationFile | None = None,
    told: Told = lambda done, of: None,
) -> Tally:
    """Play the games with the numbers from 0 to before `games`.

    Args:
        workers: Processes; None for as many as there are cores.
        dask: Address of a Dask scheduler, or `local` for a cluster on this machine; None for none.
        chunk: Games of one run; None for as many as take `SECONDS`.
        file: Has games that need not be played, and takes those that are; it must be open.

    Raises:
        WorkersDied: A process ended.
        NoCluster: No Dask scheduler answers at the address.
        ImportError: Dask is not installed.
    """
    tally = Tally()
    if file is not None:
        tally.update(file.tally)
    missing = missing_games(games, file.played if file is not None else ())
    done = games - sum(end - first for first, end in missing)
    told(done, games)

    def take(part: Part) -> None:
        nonlocal done
        first, end, plain = part
        if file is not None:
            file.add(first, end, plain)
        tally.update(tally_of(plain))
        done += end - first
        told(done, games)

    if dask is None and missing:
        first_part, seconds, missing = _first_run(plan, missing, chunk)
        take(first_part)
        length = chunk or _length(first_part[1] - first_part[0], seconds)
    else:
        length = chunk or 10
    left = sum(end - first for first, end in missing)
    number = min(workers or cores(), -(-left // length))
    runs = list(_runs(missing, length, shrinking=chunk is None and number > 1, number=number))
    if not runs:
        return tally
    if dask is not None:
        parts = _on_dask(plan, runs, dask, workers)
    elif number > 1:
        parts = _in_processes(plan, runs, number)
    else:
        parts = ((first, end, play_games(plan, first, end)) for first, end in runs)
    for part in parts:
        take(part)
    return tally


def missing_games(games: int, played: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges of numbers below `games` that have not been played.

    Raises:
        ValueError: More games were played, or some twice.
    """
    missing, next_ = [], 0
    for first, end in sorted(played):
        if first < next_ or end < first:
            raise ValueError("some games are there twice")
        if first > next_:
            missing.append((next_, first))
        next_ = end
    if next_ > games:
        raise ValueError(f"it has games up to number {next_ - 1}; ask for at least {next_}")
    return [*missing, (next_, games)] if next_ < games else missing


def _first_run(
    plan: Plan, missing: Sequence[tuple[int, int]], chunk: int | None
) -> tuple[Part, float, list[tuple[int, int]]]:
    """Play some games here; return their part, its processor time, and the games that are missing."""
    player, tally = player_of(plan), Tally()
    (first, end), *others = missing
    last = min(end, first + (chunk or MOST_GAMES))
    begin, number = time.thread_time(), first
    while number < last and (chunk or time.thread_time() - begin < FIRST_SECONDS):
        tally.update(player.play((number,)))
        number += 1
    rest = [(number, end)] if number < end else []
    return (first, number, tally.json()), time.thread_time() - begin, [*rest, *others]


def _length(games: int, seconds: float) -> int:
    """The games of a run, if so many take so long."""
    return max(1, min(MOST_GAMES, int(games * SECONDS / max(seconds, FIRST_SECONDS / MOST_GAMES))))


def _runs(
    missing: Sequence[tuple[int, int]], length: int, *, shrinking: bool, number: int
) -> Iterator[tuple[int, int]]:
    """Yield runs of games, of one length or, for so many processes, shorter ones at the end."""
    left = sum(end - first for first, end in missing)
    for first, end in missing:
        while first < end:
            most = min(length, left // (2 * number)) if shrinking else length
            games = min(end - first, max(most, length // LAST_SHARE, 1))
            yield first, first + games
            first, left = first + games, left - games


# ---------------------------------------------------------------- several processes


def _in_processes(plan: Plan, runs: Sequence[tuple[int, int]], number: int) -> Iterator[Part]:
    able = "fork" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if able else "spawn")
    player_of(plan)  # forks have it then
    waiting = dict[Future[list[Any]], tuple[int, int]]()
    pool = ProcessPoolExecutor(number, mp_context=context, initializer=_begin, initargs=(plan,))
    try:
        left = iter(runs)
        _submit(pool, left, waiting, number * AHEAD)
        while waiting:
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in sorted(finished, key=waiting.__getitem__):
                first, end = waiting.pop(future)
                yield first, end, future.result()
            _submit(pool, left, waiting, number * AHEAD)
    except BrokenProcessPool as broken:
        raise WorkersDied("a process that played games ended before it was done") from broken
    finally:
        pool.shutdown(wait=not waiting, cancel_futures=True)


def _submit(
    pool: ProcessPoolExecutor,
    runs: Iterator[tuple[int, int]],
    waiting: dict[Future[list[Any]], tuple[int, int]],
    most: int,
) -> None:
    while len(waiting) < most and (part := next(runs, None)) is not None:
        waiting[pool.submit(_play_here, *part)] = part


_plans: list[Plan] = []
"""The plan of a process that was begun to play games."""


def _begin(plan: Plan) -> None:
    """Take the plan, and leave interruptions to the process that began this one."""
    end_with_parent()
    _plans[:] = [plan]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _play_here(first: int, end: int) -> list[Any]:
    return play_games(_plans[0], first, end)


# ---------------------------------------------------------------- many machines


def _on_dask(
    plan: Plan, runs: Sequence[tuple[int, int]], address: str, workers: int | None
) -> Iterator[Part]:
    distributed: Any = import_module("distributed")  # an extra
    if address == "local":
        cluster: Any = distributed.LocalCluster(
            n_workers=workers or cores(),
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,  # a game that fails raises here, too
        )
        client = distributed.Client(cluster)
    else:
        cluster, client = None, _client(distributed, address)
    try:
        shared = client.scatter(plan, broadcast=True)
        waiting = {client.submit(play_games, shared, *part, pure=False): part for part in runs}
        try:
            for future in distributed.as_completed(list(waiting)):
                yield (*waiting[future], future.result())
        except distributed.KilledWorker as killed:
            raise WorkersDied(f"a worker of the cluster ended: {killed}") from killed
        except distributed.CancelledError as lost:
            raise WorkersDied("the workers or the scheduler of the cluster ended") from lost
    except TimeoutError as error:
        raise NoCluster(f"the Dask scheduler at `{address}` has no workers") from error
    except OSError as error:
        raise NoCluster(f"no Dask scheduler answers at `{address}`") from error
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _client(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=10)
    except OSError as error:
        raise NoCluster(f"no Dask scheduler answers at `{address}`") from error
    except ValueError as error:
        raise NoCluster(
            f"`{address}` is not the address of a Dask scheduler; write tcp://HOST:PORT"
        ) from error
