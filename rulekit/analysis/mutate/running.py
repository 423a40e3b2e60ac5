"""Many mutants, judged by several processes, with a cache of fates.

A fate is known until something changes that it depends on: rulekit itself, the rules and their data, the
mutant, and the examples that reach it, in their order.  So an example more or less makes rulekit judge again
the mutants that it reaches, and no others.
"""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import fields
from math import inf
from multiprocessing import get_context
from pathlib import Path

from rulekit.analysis.mutate.generate import by_lot, mutants
from rulekit.analysis.mutate.judge import ExampleCoverage, Judge
from rulekit.analysis.mutate.mutant import JudgedMutant, Mutant, MutantFate
from rulekit.base import cache
from rulekit.base.codec import Codec
from rulekit.base.files import excerpt
from rulekit.base.orphans import end_with_parent
from rulekit.base.results import ResultStore, code_digest
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ruleset.manifest import FILE

WorkerTimes = dict[int, float]
"""The seconds of a processor that each process has worked."""
BATCH = 2
"""Mutants that a process is given at a time."""


def run(
    compiled: Compiled,
    chosen: Sequence[Mutant],
    *,
    jobs: int = 1,
    remember: bool = True,
    seconds: float = inf,
) -> Generator[JudgedMutant, None, None]:
    """Yield the verdicts, those that are remembered first; they do not depend on the number of processes.

    Args:
        seconds: Of processors, after which no further verdict is waited for.  What is not remembered is
            judged in an order of chance, so that a part of it stands for all.

    Raises:
        BrokenExamples: Examples fail already with the rules as they are.
        OutOfTime: The examples alone take longer.
    """
    begun, workers = time.process_time(), WorkerTimes()
    judge = Judge(compiled, seconds)
    memory = FateCache(compiled, judge.exercise) if remember else None
    left: list[Mutant] = []
    for mutant in chosen:
        known = memory.recall(mutant) if memory is not None else None
        if known is None:
            left.append(mutant)
        else:
            yield JudgedMutant(mutant, known)
    left = by_lot(left)
    together = jobs > 1 and len(left) > BATCH
    judged = _together(compiled, left, jobs, workers) if together else _alone(judge, left)
    with closing(judged):
        for mutant, verdict in judged:
            if memory is not None:
                memory.keep(mutant, verdict)
            yield JudgedMutant(mutant, verdict)
            if time.process_time() - begun + sum(workers.values()) > seconds:
                break


def _alone(judge: Judge, left: Sequence[Mutant]) -> Generator[tuple[Mutant, MutantFate], None, None]:
    before = gc.get_threshold()
    _collect_seldom()
    try:
        for mutant in left:
            yield mutant, judge.judge(mutant)
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def _collect_seldom() -> None:
    """Keep all objects that exist: looking through them for garbage costs a third of all the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 50)


def _together(
    compiled: Compiled, left: Sequence[Mutant], jobs: int, workers: WorkerTimes
) -> Generator[tuple[Mutant, MutantFate], None, None]:
    """Judge in processes that each compile the set; if this one is stopped, they finish their batch."""
    begin = compiled.rule_set.folder, compiled.rule_set.options, compiled.rule_set.overlays
    by_id = {mutant.id: mutant for mutant in left}
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, begin) as pool:
        batches = [
            pool.submit(_judge_batch, [mutant.id for mutant in left[start : start + BATCH]])
            for start in range(0, len(left), BATCH)
        ]
        try:
            for batch in batches:
                worker, seconds, verdicts = batch.result()
                workers[worker] = seconds
                for name, verdict in verdicts:
                    yield by_id[name], verdict
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class _Worker:
    """The globals of a process."""

    judge: Judge
    mutants: dict[str, Mutant]


def _begin(folder: Path, options: Sequence[str], overlays: Sequence[Path]) -> None:
    """Prepare a process; Ctrl-C at the terminal stops the process that started it."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    compiled = compile_rule_set(folder, Report(), options=options, overlays=overlays)
    _Worker.judge = Judge(compiled)
    _collect_seldom()
    _Worker.mutants = {mutant.id: mutant for mutant in mutants(compiled.declared, compiled.rule_set.sources)}


def _judge_batch(ids: Sequence[str]) -> tuple[int, float, list[tuple[str, MutantFate]]]:
    """The process, the seconds that it has worked in all, and the verdicts."""
    verdicts = [(name, _Worker.judge.judge(_Worker.mutants[name])) for name in ids]
    return os.getpid(), time.process_time(), verdicts


class FateCache:
    """The fates of one rule set's mutants, in the user's cache."""

    def __init__(self, compiled: Compiled, exercise: ExampleCoverage) -> None:
        self._exercise = exercise
        self._rules = cache.key_of(code_digest(), *content_of_rules(compiled))
        self._examples = {
            title: "\n".join(compiled.rule_set.rows(example.span))
            for title, example in compiled.declared.examples.items()
        }

    def recall(self, mutant: Mutant) -> MutantFate | None:
        """Return the fate of a mutant; None if it is not known."""
        return _FATES.get(self._key(mutant))

    def keep(self, mutant: Mutant, verdict: MutantFate) -> None:
        """Keep the fate of a mutant."""
        _FATES.put(self._key(mutant), verdict)

    def _key(self, mutant: Mutant) -> str:
        names = self._exercise.noticing(mutant)
        texts = [part for name in names for part in (name, self._examples.get(name, ""))]
        return cache.key_of(self._rules, mutant.id, repr(mutant.path), mutant.now, *texts)


def content_of_rules(compiled: Compiled) -> list[str]:
    """The rules without examples, their data and options, as text."""
    names = compiled.declared
    spaces = {field.name for field in fields(names)} - {"examples", "claims", "errata"}
    kept = [repr(getattr(names, space)) for space in sorted(spaces)]
    folder = compiled.rule_set.folder
    files = [excerpt(str(folder / name)) for name in sorted(compiled.data.files)]
    overlays = [excerpt(str(path)) for path in compiled.rule_set.overlays]
    return [*kept, *files, *overlays, excerpt(str(folder / FILE)), *compiled.rule_set.options]


_CODEC: Codec[MutantFate] = Codec(MutantFate)
_FATES = ResultStore("mutant", _CODEC.encode, _CODEC.decode)
