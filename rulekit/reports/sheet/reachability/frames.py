"""Possible values of locals, parameters and results, by procedure and choice."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit import ir
from rulekit.ir import stmt as s
from rulekit.ir import types as t
from rulekit.reports.sheet.reachability.expressions import Reader
from rulekit.reports.sheet.reachability.guess import EITHER, NOTHING, Guess, Kinds, Members, join, of_ids
from rulekit.reports.sheet.reachability.memory import Memory

PATIENCE = 12
"""How often a local may grow before it is taken for anything."""


class Frames:
    """The locals of a program.

    Attributes:
        live: Sites of statements that can run, and of norms that can matter.
        choices, points: Choices that can be asked; rolls that can be made.
        procedures: Those that can run.
    """

    def __init__(self, program: ir.Program, memory: Memory, kinds: Kinds, appearing: int) -> None:
        self.program, self.kinds, self.memory = program, kinds, memory
        self.reader = Reader(program, memory, kinds, appearing)
        self._made = program.by_name.procedures
        self._choices = program.by_name.choices
        self._locals: dict[str, dict[str, Guess]] = {}
        self._results: dict[str, Guess] = {}
        self._grown: dict[tuple[str, str], int] = {}
        self._owner = ""
        self.live: set[int] = set()
        self.choices: set[str] = set()
        self.points: set[str] = set()
        self.procedures: dict[str, None] = {}

    def _env(self, owner: str) -> dict[str, Guess]:
        return self._locals.setdefault(owner, {})

    def _bind(self, owner: str, name: str, guess: Guess, type_: t.Type) -> None:
        env = self._env(owner)
        if name not in env:
            env[name] = guess
            self.memory.touch(owner)
            return
        wider = join(env[name], guess)
        if wider != env[name]:
            env[name] = self._patient(owner, name, wider, type_)
            self.memory.touch(owner)

    def _patient(self, owner: str, name: str, wider: Guess, type_: t.Type) -> Guess:
        """Return the larger guess, or the widest one after too many rounds of growth."""
        grown = self._grown[owner, name] = self._grown.get((owner, name), 0) + 1
        return wider if grown <= PATIENCE else self.kinds.spread(None, type_)

    def _local(self, local: ir.Local | None, guess: Guess) -> None:
        if local is not None:
            self._bind(self._owner, local.name, guess, local.declared or local.type)

    def _called(self, stmt: s.Do, arguments: Sequence[Guess]) -> Guess:
        """Return the possible results of a procedure, which is walked later."""
        owner = f"procedure {stmt.procedure}"
        for param, guess in zip(self._made[stmt.procedure].params, arguments, strict=True):
            self._bind(owner, param.name, self.kinds.spread(guess, param.type), param.type)
        if stmt.procedure not in self.procedures:
            self.procedures[stmt.procedure] = None
            self.memory.touch(owner)
        self.reader.needs.add(f"result {stmt.procedure}")
        return self._results.get(stmt.procedure, NOTHING)

    def _gives(self, value: Guess) -> None:
        """The procedure that is walked gives this."""
        name = self._owner.removeprefix("procedure ")
        wider = join(self._results.get(name, NOTHING), value)
        if name not in self._results or wider != self._results[name]:
            self._results[name] = self._patient(name, "result", wider, self._made[name].result)
            self.memory.touch(f"result {name}")

    # -- choices

    def _chosen(self, name: str, arguments: Sequence[Guess]) -> Guess:
        """Return the possible answers of a choice; its norms are reachable where they can matter."""
        made = self._choices[name]
        self.choices.add(name)
        self.live.add(made.site)
        owner, read = f"choice {name}", self.reader
        read.needs.add(owner)
        for param, guess in zip(made.params, arguments, strict=False):
            self._bind(owner, param.name, self.kinds.spread(guess, param.type), param.type)
        env = dict(self._env(owner))
        for local, value in made.lets:
            env[local.name] = read.value(value, env)
        read.value(made.decider, env)
        mask = self._options(made, env)
        for part in (made.low, made.high, made.total, made.each, made.default):
            if part is not None:
                read.value(part, env)
        for norm in made.norms:
            if True in read.flag(norm.test, env):
                self.live.add(norm.site)
                for part in (norm.cover, norm.whole):
                    if part is not None:
                        read.value(part, env)
        match made.verb:
            case "pick_one":
                return join(of_ids(mask), NOTHING if made.able == "must" else frozenset((t.NONE,)))
            case "pick_set":
                return Members(mask, False)
            case "decide":
                return EITHER
            case _:
                return None

    def _options(self, made: ir.Choice, env: dict[str, Guess]) -> int:
        """Binds what norms read of an option; those there are, as a mask."""
        read = self.reader
        if made.items is not None and made.item is not None:
            items = read.value(made.items, env)
            env[made.item.name] = of_ids(self.kinds.ids(items, made.items.type))
        if made.candidates is None:
            if made.verb == "decide":
                env[made.option.name] = EITHER
            return 0
        mask = self.kinds.ids(read.value(made.candidates, env), made.candidates.type)
        several = isinstance(made.option.type, t.SetOf)
        env[made.option.name] = Members(mask, False) if several else of_ids(mask)
        return mask
