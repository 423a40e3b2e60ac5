"""A rule set of two options, `ann` and `bob`, written anew for each pair of ways: its check and its play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from rulekit.analysis.check_inputs import CheckMode
from rulekit.analysis.options.base_claims import Retrial
from rulekit.analysis.options.groups import GroupChecker
from rulekit.analysis.options.pairs import Narrower, check_set
from rulekit.compiler.driver import Compiled
from rulekit.compiler.incremental import Workspace
from rulekit.compiler.options.combinations import Group
from rulekit.diagnostics import Diagnostic, Report
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import Month
from rulekit.runtime.play.game import Game
from tests.unit.analysis.options.matrix import base

Log = tuple[Any, ...]
"""All that was offered and all that happened, in order, to the end or a fault."""
T = TypeVar("T")

NAMES: Final = ("ann", "bob")
IDLE: Final = 'option {}:\n    reason "nothing"\n'
DICE: Final = {"fire": [2, 4, 3]}
MOST: Final = 400
"""Decisions of one game."""


class _Desk(Workspace):
    """A workspace that reads the files of options every time, for they change."""

    def read(self, key: Any, reader: Callable[[Report], T], report: Report) -> T:
        """Return what is read, which is kept only for what does not change."""
        if key == "variants" or (isinstance(key, tuple) and key[0] == "rules" and "options/" in key[1]):
            return reader(report)
        return super().read(key, reader, report)


class _Checker(GroupChecker):
    """Remembers what it compiles."""

    compiled: Compiled | None = None

    def _compile(self, group: Group, retrial: Retrial | None = None) -> Any:
        result = super()._compile(group, retrial)
        self.compiled = result.compiled if result.sound else None
        return result


class Bench:
    """Checks and plays the game of `base` with two options, and remembers every answer by their texts."""

    def __init__(self, folder: Path, more: str = "") -> None:
        self._folder = folder
        (folder / "options").mkdir(parents=True)
        (folder / "data").mkdir()
        (folder / "ruleset.yaml").write_text(f"{base.MANIFEST}options: [ann, bob]\n{more}")
        (folder / "game.rules").write_text(base.RULES)
        (folder / "data" / "boats.yaml").write_text(base.DATA)
        self._desk = _Desk()
        self._mode = CheckMode()
        self._texts = dict.fromkeys(NAMES, "")
        self._findings: dict[tuple[str, ...], tuple[Diagnostic, ...]] = {}
        self._logs: dict[tuple[str, ...], Log] = {}
        self.claims: frozenset[Group] = frozenset()
        self.conditions: Mapping[Group, Group] = {}
        self.retrials: Mapping[Group, Retrial] = {}

    def __call__(self, group: Group, *, fully: bool = False) -> tuple[Diagnostic, ...]:
        """Return the findings of a group of options, and keep its play."""
        key = self._key(group)
        if key not in self._findings:
            checker = self._checker()
            self._findings[key] = checker(group, fully=True)
            self._logs[key] = _play_both(checker.compiled)
        return self._findings[key]

    def ahead(self, groups: Sequence[Group], narrower: Narrower) -> None:
        """Do nothing ahead."""

    def _key(self, group: Iterable[str]) -> tuple[str, ...]:
        return tuple(self._texts[name] for name in sorted(group))

    def write(self, ann: str = "", bob: str = "") -> None:
        """Write the options; an empty text stands for an option that does nothing."""
        for name, text in zip(NAMES, (ann, bob), strict=True):
            text = text or IDLE.format(name)
            if text != self._texts[name]:
                (self._folder / "options" / f"{name}.rules").write_text(text)
                self._texts[name] = text

    def check(self) -> tuple[Diagnostic, ...]:
        """Return all findings of a check with nothing chosen."""
        report = Report()
        check_set(self._folder, self._desk, self, report, each=False)
        return tuple(report)

    def compiled(self, *names: str) -> Compiled:
        """Compile with some options chosen."""
        compiled = self._compiled(names)
        assert compiled is not None
        return compiled

    def _compiled(self, names: Iterable[str]) -> Compiled | None:
        checker = self._checker()
        checker._compile(frozenset(names))
        return checker.compiled

    def _checker(self) -> _Checker:
        checker = _Checker(self._folder, self._mode, self._desk)
        checker._many = True
        return checker

    def play(self, *names: str) -> Log:
        """Return the logs of two games with some options chosen; `NOT_PLAYED` if the check refuses them."""
        key = self._key(names)
        if key not in self._logs:
            self._logs[key] = _play_both(self._compiled(names))
        return self._logs[key]


NOT_PLAYED: Final = ("does not compile",)


def _play_both(compiled: Compiled | None) -> Log:
    """Play with two policies: one takes the last answer each time, the other others."""
    if compiled is None:
        return NOT_PLAYED
    game = Game(compiled.program, invariants=True)
    return tuple(_log(game, step) for step in (0, 1))


def _position(game: Game) -> Iterator[tuple[str, ...]]:
    """Yield what a game starts with: the members of all domains, each value, the month."""
    cells = game.module.layout.initial()
    for domain in game.program.domains:
        yield from (("member", domain.name, member) for member in domain.members)
    for slots in game.module.layout.slots.values():
        for keys, address in slots.each():
            names = game.naming.keys(slots.state.keys[: len(keys)], keys)
            yield "value", slots.state.name, str(names), str(cells[address])
    for function in game.program.functions:
        if isinstance(function.result, Month) and not function.params:
            yield "month", function.name, str(game.module.expression(function.body, ())(cells))


def _log(game: Game, step: int) -> Log:
    """Play once with fixed dice."""
    log: list[Any] = sorted(_position(game))
    times = Counter[str]()
    try:
        session = game.start(seed=3, dice=DICE)
        for _ in range(MOST):
            decision = session.decision
            if decision is None:
                break
            answers = [answer.name for answer in decision.legal_answers]
            log.append((decision.choice, decision.side, decision.part, tuple(answers)))
            times[decision.choice] += 1
            session.choose(decision.legal_answers[times[decision.choice] * step % len(answers) - 1])
        log += [(event.kind, event.subject, str(event.fields)) for event in session.events]
    except Fault as fault:
        log.append(("fault", fault.code))
    return tuple(log)
