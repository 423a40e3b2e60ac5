"""A host for modules in Python, over `wasmtime` (the extra `native`): whole games, many of them in a call."""

from __future__ import annotations

import struct
import weakref
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir.program import Site
from rulekit.ir.semantics.faults import KINDS, Fault
from rulekit.ir.types import NONE
from rulekit.runtime.chance import WORD, seed_number
from rulekit.runtime.native.lower import memory as m
from rulekit.runtime.native.lower.module import MAGIC, VERSION
from rulekit.runtime.native.sections import NotAModule, names_of


class Loaded:
    """A module in `wasmtime`: its functions, and words of its memory."""

    def __init__(self, content: bytes) -> None:
        """Load a module.

        Raises:
            NotAModule: The engine does not accept it.
            ImportError: `wasmtime` is not installed.
        """
        import wasmtime

        self.trap: type[Exception] = wasmtime.Trap
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        # Left to the end of the process, the engine's objects would be closed after what closes them.
        weakref.finalize(self, _close, self._store, engine)
        try:
            module = wasmtime.Module(engine, content)
            weakref.finalize(self, _close, module)
            self._exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
        except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
            raise NotAModule(f"the module is damaged: {str(error).splitlines()[0]}") from error
        self._memory: Any = self._exports["memory"]

    def call(self, function: str, *arguments: int) -> Any:
        """Call a function; `trap` is what is raised where the module stops."""
        return self._exports[function](self._store, *arguments)

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """So many words of the memory, with their signs."""
        content = self._memory.read(self._store, address, address + count * m.CELL)
        return struct.unpack(f"<{count}q", content)

    def word(self, address: int) -> int:
        """A word of the memory, with its sign."""
        return self.words(address, 1)[0]

    def write(self, address: int, word: int) -> None:
        """Change a word of the memory."""
        self._memory.write(self._store, struct.pack("<q", word), address)


def _close(*objects: Any) -> None:
    for one in objects:
        one.close()


@frozen
class NativeOutcome:
    """How a game ended.

    Attributes:
        result: The name of the member that `finish` gave, or its number; None if there is none.
        cells: The last state, a value for each cell, as the Python back end has it: numbers, sets as masks,
            lists as tuples. The first is what is left of the budget.
    """

    result: str | int | None
    cells: list[Any]


class NativeGame:
    """A rule set as a module, ready to play whole games by the random policy.

    Games with equal seeds are equal to those of the Python back end with the same policy.
    """

    def __init__(self, content: bytes) -> None:
        """Load a module.

        Raises:
            NotAModule: The bytes are not a module of a rule set, are damaged, or have another version.
            ImportError: `wasmtime` is not installed.
        """
        self.names = names_of(content)
        if self.names.get("rulekit") != VERSION:
            version = self.names.get("rulekit")
            raise NotAModule(f"the module has version {version} of the interface; this host needs {VERSION}")
        self._module = Loaded(content)
        if self._module.word(m.MAGIC_AT) != MAGIC or self._module.word(m.VERSION_AT) != VERSION:
            raise NotAModule("the module's memory does not begin as chapter 15 of the specification says")

    @property
    def most_games(self) -> int:
        """The games that one call of the module plays; `playouts` makes as many calls as it needs."""
        return self._module.word(m.ROOM_AT)

    def play(
        self, seed: int | str = 0, scenario: str | None = None, *, budget: int | None = None
    ) -> NativeOutcome:
        """Play a game by the random policy.

        Args:
            seed: Of the dice and of the policy.
            scenario: Its name; None takes the first one, if there is any.
            budget: Units of work that the game may take; None leaves it at what the module says.

        Raises:
            Fault: The rules cannot go on, or there is no such scenario.
        """
        if budget is not None:
            self._module.write(m.FUEL_AT, budget)
        self._call("play", _with_sign(seed_number(seed)), self._scenario(scenario))
        return NativeOutcome(self._result(self._module.word(m.RESULT_AT)), self.cells())

    def playouts(self, seed: int = 0, games: int = 1, scenario: str | None = None) -> list[str | int | None]:
        """Play games from seeds that follow one another; the result of each, as in `NativeOutcome`.

        Raises:
            Fault: One of the games faults, or there is no such scenario.
        """
        number = self._scenario(scenario)
        results: list[str | int | None] = []
        while len(results) < games:
            wanted = min(games - len(results), self.most_games)
            self._call("playouts", _with_sign(seed_number(seed + len(results))), wanted, number)
            at = self._module.word(m.RESULTS_AT)
            results += map(self._result, self._module.words(at, wanted))
        return results

    def cells(self) -> list[Any]:
        """The state at the end of the last game; see `NativeOutcome`."""
        words = self._module.words(
            self._module.word(m.STATE_AT), self._module.word(m.STATE_SIZE_AT) // m.CELL
        )
        return decode(words, self.names["cells"])

    # ------------------------------------------------------------ the module

    def _call(self, function: str, *arguments: int) -> None:
        """Call the module, and raise the fault that it notes."""
        try:
            self._module.call(function, *arguments)
        except self._module.trap as trap:
            if self._module.word(m.STATUS_AT) != m.FAULTY:
                message = f"the module stopped: {str(trap).splitlines()[0]}"
                raise Fault("internal", message) from trap
            raise self._fault() from None

    def _fault(self) -> Fault:
        name = self.names["faults"][self._module.word(m.FAULT_AT) - 1]
        place, site = str(self._module.word(m.SITE_AT)), None
        if place in self.names["sites"]:
            owner, rules, file, line, column = self.names["sites"][place]
            site = Site(owner, tuple(rules), file, line, column)
        title = KINDS[name].title if name in KINDS else "a fault that the rules declare"
        return Fault(name, title, site)

    def _scenario(self, name: str | None) -> int:
        known = [item["name"] for item in self.names["scenarios"]]
        if name is None:
            return 0 if known else -1
        wanted = "_".join(name.replace("-", " ").split())
        for number, one in enumerate(known):
            if one in (name, wanted):
                return number
        raise Fault("unknown-scenario", f"unknown scenario `{name}`")

    def _result(self, number: int) -> str | int | None:
        if number == NONE:
            return None
        domain = self.names["result"]
        return self.names["domains"][domain][number] if domain else number


def decode(words: tuple[int, ...], runs: list[list[Any]]) -> list[Any]:
    """Return the values of all cells from the words of the state; `runs` are the names' `cells`."""
    values: list[Any] = []
    place = 0
    for count, size, sort, stride in runs:
        for _ in range(count):
            own = words[place : place + size]
            place += size
            if sort == "list":
                items = [own[1 + n * stride : 1 + (n + 1) * stride] for n in range(own[0])]
                values.append(tuple(item[0] if stride == 1 else _mask(item) for item in items))
            else:
                values.append(_mask(own) if sort == "set" else own[0])
    return values


def _mask(words: tuple[int, ...]) -> int:
    return sum((word & WORD) << 64 * place for place, word in enumerate(words))


def _with_sign(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number
