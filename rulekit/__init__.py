"""rulekit: a board game's rules, written once as data; checked, played and embedded from that one source.

    import rulekit

    game = rulekit.load("path/to/the/rules")
    session = game.start(seed=7)
    while session.decision is not None:
        session.choose(session.decision.legal_answers[0])

Everything named in `__all__` is the public interface; all else may change.  Nothing is loaded before it
is used.  `rulekit.agents` has players to start from, `rulekit.testing` helps to test a rule set.

The packages, each of which imports only those before it: `base` (records, sources, the cache),
`diagnostics` (findings), `ir` (the program and what its operations mean), `syntax` (text to tree),
`ruleset` (a folder's files), `runtime` (a program played; it needs none of the two before it), `compiler`
(a rule set to a program), `analysis` (what the check finds), `reports` (sheets and other printed aids),
`cli` (the commands).
docs/compiler.md draws the pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulekit import envs as envs
    from rulekit.agents import Agent
    from rulekit.compiler.driver import Compiled
    from rulekit.diagnostics import Diagnostic, RulesError
    from rulekit.ir import Program
    from rulekit.runtime.narrate import NarratedLine, Narrator
    from rulekit.runtime.odds.distribution import Distribution
    from rulekit.runtime.play import (
        Decision,
        Event,
        Fault,
        Game,
        LegalAnswer,
        Refused,
        SaveError,
        Session,
        View,
    )
    from rulekit.runtime.serve import Connection, Host
    from rulekit.runtime.simulation.results import Simulation

__all__ = [
    "Connection",
    "Decision",
    "Diagnostic",
    "Distribution",
    "Event",
    "Fault",
    "Game",
    "Host",
    "LegalAnswer",
    "NarratedLine",
    "Narrator",
    "Program",
    "Refused",
    "RulesError",
    "SaveError",
    "Session",
    "Simulation",
    "View",
    "check",
    "compile_rules",
    "load",
    "plot",
    "simulate",
]

_HOMES = {
    "Connection": "rulekit.runtime.serve",
    "Diagnostic": "rulekit.diagnostics",
    "Distribution": "rulekit.runtime.odds.distribution",
    "Host": "rulekit.runtime.serve",
    "NarratedLine": "rulekit.runtime.narrate",
    "Narrator": "rulekit.runtime.narrate",
    "Program": "rulekit.ir",
    "RulesError": "rulekit.diagnostics",
    "Simulation": "rulekit.runtime.simulation.results",
}


def __getattr__(name: str) -> Any:
    """Load a public class where it is first named."""
    from importlib import import_module

    if name == "envs":
        return import_module("rulekit.envs")
    if name not in __all__:
        raise AttributeError(f"module 'rulekit' has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "rulekit.runtime.play")), name)


def load(
    path: str | Path,
    *,
    options: Iterable[str] = (),
    data: Iterable[str | Path] = (),
    invariants: bool = False,
    explain: bool = False,
) -> Game:
    """A rule set, ready to be played.

    Args:
        path: The rule set's folder, or the id of one that comes with rulekit.
        options: Options, variants and presets to lay over the base; their order never matters.
        data: Files with the numbers of the owner's own copy, laid over the set's data.
        invariants: Whether to test the set's invariants after every event.
        explain: Whether each roll's event lists its modifiers, and why those that do not act do not.

    Raises:
        RulesError: The rule set has findings that stop it.
    """
    from functools import cache

    from rulekit.reports.background import SetBackground
    from rulekit.runtime.play import Game

    chosen, files = tuple(options), tuple(data)
    compiled = _compile(path, chosen, files)

    @cache
    def odds_reader() -> Any:
        from rulekit.reports.odds.asking import Asker

        overlays = tuple(map(Path, files))
        return Asker(_folder(path), options=chosen, overlays=overlays, compiled=compiled)

    game = Game(compiled.program, invariants=invariants, explain=explain)
    game.odds_reader, game.background = odds_reader, SetBackground(compiled)
    return game


def compile_rules(
    path: str | Path, *, options: Iterable[str] = (), data: Iterable[str | Path] = ()
) -> Program:
    """A rule set's program; arguments and errors as for `load`."""
    return _compile(path, tuple(options), tuple(data)).program


def _compile(path: str | Path, options: tuple[str, ...], data: tuple[str | Path, ...]) -> Compiled:
    """A rule set with everything that its compile made; arguments and errors as for `load`."""
    from rulekit.analysis.compile import compile_without_clashes
    from rulekit.base.deep_stack import with_room
    from rulekit.diagnostics import Report

    folder = _folder(path)

    @with_room
    def compiled() -> Compiled:
        return compile_without_clashes(folder, Report(), options=options, overlays=tuple(map(Path, data)))

    return compiled()


def check(
    path: str | Path, *, options: Iterable[str] = (), data: Iterable[str | Path] = ()
) -> tuple[Diagnostic, ...]:
    """The findings of a rule set, errors and notes alike, sorted by place; not what the set accepts."""
    from rulekit.analysis import check
    from rulekit.diagnostics.selecting import select_findings
    from rulekit.reports.sheet import lint as lint_of_sheets

    overlays = tuple(Path(file) for file in data)
    checked = check.check(_folder(path), options=tuple(options), overlays=overlays, lints=(lint_of_sheets,))
    return tuple(select_findings(checked.diagnostics, (checked.wish,)))


def simulate(
    path: str | Path,
    *,
    games: int = 1000,
    of: str | Sequence[str] = (),
    where: str = "",
    scenario: str | None = None,
    agents: str | Agent | Mapping[str, str | Agent] = "random",
    seed: int | str = 0,
    options: Iterable[str] = (),
    data: Iterable[str | Path] = (),
    against: Iterable[str] | None = None,
    workers: int | None = None,
    dask: str | None = None,
    native: bool = False,
    save: str | Path | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Simulation:
    """Play many games of a rule set, and count how they end.

    The totals depend on the rules, `agents` and `seed` alone, not on processes or machines.

    Args:
        path, options, data: As for `load`.
        games: How many, at least 1.
        of: Expressions whose values are counted at the end of each game, or `result`, `decisions` or
            `lost SIDE`; without any, `result`.
        where: Only games that end with this condition true are counted.
        scenario: Its name; None takes the first one, if there is any.
        agents: `random`, `first-legal` or an agent of your own, for all sides or for each by its name.
        seed: Game number n has the dice and answers of the seed `seed/n`.
        against: The options of the rules to compare with, none for the base; None compares with none.
        workers: Processes that play; None for one for each core.
        dask: Address of a Dask scheduler, or `local`.
        native: Play the same games by a native module, which is faster; all agents are random then, and
            `rulekit[native]` must be installed.
        save: A file that keeps what was played, from which the same simulation goes on.
        progress: Called with how many games have been played, and how many there are.

    Raises:
        RulesError: The rule set has findings that stop it.
        ValueError: The simulation cannot be run as asked; the message says why.
    """
    from rulekit.reports.simulation.asking import Simulator

    overlays = tuple(map(Path, data))
    simulator = Simulator(_folder(path), options=tuple(options), against=against, overlays=overlays)
    measures = (of,) if isinstance(of, str) else tuple(of)
    plan, names = simulator.plan(
        measures, where=where, scenario=scenario, agents=agents, seed=seed, native=native
    )
    return simulator.simulate(
        plan,
        names,
        games,
        workers=workers,
        dask=dask,
        save=None if save is None else Path(save),
        told=progress or (lambda done, of: None),
    )


def plot(
    distributions: Distribution
    | Mapping[str, Distribution]
    | Sequence[Distribution | Mapping[str, Distribution]],
    path: str | Path,
) -> None:
    """Draw distributions one below the other, as SVG or PNG by the end of the file's name.

    Those of a mapping are in one plot: the same thing in several cases, by the words for each.

    Raises:
        ValueError: It ends in something else, or there are more than seven cases in one plot.
        RuntimeError: Matplotlib is not installed (`pip install "rulekit[plots]"`).
        OSError: The file cannot be written.
    """
    from rulekit.reports.odds.plots import KINDS, picture
    from rulekit.runtime.odds.distribution import Distribution

    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in KINDS:
        raise ValueError(f"`{path}` must end in {' or '.join(f'`.{kind}`' for kind in KINDS)}")
    one = isinstance(distributions, Distribution | Mapping)
    parts: Any = [distributions] if one else list(distributions)
    Path(path).write_bytes(picture(parts, kind))


def _folder(path: str | Path) -> Path:
    """A folder as given, or the one of a set that comes with rulekit."""
    folder = Path(path)
    if not folder.is_dir() and folder.name == str(path):
        from rulekit.base.resources import rules_folder

        shipped = rules_folder() / folder.name
        if shipped.is_dir():
            return shipped
    return folder
