"""Hosts for modules in Python, over `wasmtime` (the extra `native`): whole games, and sessions."""

from __future__ import annotations

import ctypes
import struct
import weakref
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from rulekit.base.frozen import frozen
from rulekit.ir.program import Site
from rulekit.ir.semantics.faults import KINDS, Fault
from rulekit.ir.semantics.records import Digit
from rulekit.ir.types import DONE, NONE
from rulekit.runtime.chance import seed_number
from rulekit.runtime.native.giving import tape_of
from rulekit.runtime.native.log.reading import events_of, message_of, name_of
from rulekit.runtime.native.lower import memory as m
from rulekit.runtime.native.lower.module import MAGIC, VERSION
from rulekit.runtime.native.sections import NotAModule, check_names, names_of

P = ParamSpec("P")
R = TypeVar("R")
TOO_LARGE = 1 << 63
"""The engine takes a number from here on as one below it."""


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
        self._memory: Any = dict(self._exports).get("memory")
        if not isinstance(self._memory, wasmtime.Memory):
            raise NotAModule("the module is damaged: it has no memory")
        self._look()

    def check_functions(self, *names: str) -> None:
        """Hold that a module has the functions of its kind."""
        import wasmtime

        exports = dict(self._exports)
        for name in names:
            if not isinstance(exports.get(name), wasmtime.Func):
                raise NotAModule(f"the module is damaged: it has no function `{name}`")

    def _look(self) -> None:
        """Note where the memory is, and how large: a call may let it grow."""
        self.size: int = self._memory.data_len(self._store)
        """The bytes of the memory."""
        self._at: int = ctypes.addressof(self._memory.data_ptr(self._store).contents)

    def call(self, function: str, *arguments: int) -> Any:
        """Call a function; `trap` is what is raised where the module stops."""
        try:
            return self._exports[function](self._store, *arguments)
        finally:
            self._look()

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """So many words of the memory, with their signs."""
        return struct.unpack(f"<{count}q", self.read(address, count * m.CELL))

    def read(self, address: int, size: int) -> bytes:
        """So many bytes of the memory."""
        self._check(address, size)
        return ctypes.string_at(self._at + address, size)

    def word(self, address: int) -> int:
        """A word of the memory, with its sign."""
        return self.words(address, 1)[0]

    def write(self, address: int, word: int) -> None:
        """Change a word of the memory."""
        self.write_all(address, struct.pack("<q", word))

    def write_all(self, address: int, content: bytes) -> None:
        """Change bytes of the memory."""
        self._check(address, len(content))
        ctypes.memmove(self._at + address, content, len(content))

    def _check(self, address: int, size: int) -> None:
        """Hold that bytes are inside the memory, whatever a module says of their place."""
        if not 0 <= address <= address + size <= self.size:
            raise NotAModule(
                f"the module is damaged: it names bytes {address:,} to {address + size:,} of {self.size:,}"
            )


def reading(read: Callable[P, R]) -> Callable[P, R]:
    """Refuse a module where a name is missing that `read` needs."""

    @wraps(read)
    def read_or_refuse(*arguments: P.args, **settings: P.kwargs) -> R:
        try:
            return read(*arguments, **settings)
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            raise NotAModule("the module is damaged: its names do not fit its memory") from error

    return read_or_refuse


def _close(*objects: Any) -> None:
    for one in objects:
        one.close()


@frozen
class NativeEnd:
    """The end of a game in numbers, as the Python back end has them.

    Attributes:
        cells: As in `NativeOutcome`.
        placed: Where the pieces were after the set-up.
        result: What `finish` gave; None if nothing.
        decisions: How many parts of choices were answered.
    """

    cells: list[Any]
    placed: tuple[int, ...]
    result: int | None
    decisions: int


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


class _Host:
    """A module that is loaded: the common part of both kinds of hosts."""

    def __init__(self, content: bytes, *, stops: bool) -> None:
        self.names = names_of(content)
        if self.names.get("rulekit") != VERSION:
            version = self.names.get("rulekit")
            raise NotAModule(f"the module has version {version} of the interface; this host needs {VERSION}")
        check_names(self.names)
        if self.names["stops"] is not stops:
            way = "plays whole games: load it as a `NativeGame`"
            raise NotAModule(f"the module {way if stops else 'asks its host: load it as a `NativeSession`'}")
        self._module = Loaded(content)
        if self._module.word(m.MAGIC_AT) != MAGIC or self._module.word(m.VERSION_AT) != VERSION:
            raise NotAModule("the module's memory does not begin as chapter 15 of the specification says")
        self._check_memory()
        self._module.check_functions(*(("start", "answer") if stops else ("play", "playouts")))

    def _check_memory(self) -> None:
        """Check that the memory holds everything that the header names."""
        word, most = self._module.word, self._module.size
        cells = sum(count * words for count, words, *_ in self.names["cells"]) * m.CELL
        ends = (
            word(m.CHANGING_AT),
            word(m.STATE_AT) + max(word(m.STATE_SIZE_AT), cells),
            word(m.RESULTS_AT) + m.CELL * word(m.ROOM_AT),
            word(m.QUESTION_AT) + m.OPTIONS + m.CELL,
            word(m.LOG_AT) + m.CELL * (1 + word(m.LOG_ROOM_AT)),
            word(m.TAPE_AT) + m.CELL * (1 + 2 * len(self.names["points"]) + word(m.TAPE_ROOM_AT)),
        )
        if not all(0 <= end <= most for end in ends):
            raise NotAModule(f"the module's memory is too small: {most:,} bytes for {max(ends):,}")

    @property
    def budget(self) -> int:
        """Units of work that a game may use or, where it stops, each run from one question to the next."""
        return self._module.word(m.FUEL_AT)

    @budget.setter
    def budget(self, units: int) -> None:
        self._module.write(m.FUEL_AT, units)

    @reading
    def cells(self) -> list[Any]:
        """The state now, or at the end of the last game; see `NativeOutcome`."""
        words = self._module.words(
            self._module.word(m.STATE_AT), self._module.word(m.STATE_SIZE_AT) // m.CELL
        )
        return decode(words, self.names["cells"])

    def events(self) -> list[dict[str, Any]]:
        """The events of the last game or, where the module stops, since the last answer, as in logs.

        Raises:
            NotAModule: The module was built without a log.
        """
        if "events" not in self.names:
            raise NotAModule("the module has no log: build it with `--log`")
        return self._events()

    @reading
    def _events(self) -> list[dict[str, Any]]:
        at = self._module.word(m.LOG_AT)
        return events_of(self._module.words(at + m.CELL, self._module.word(at)), self.names)

    # ------------------------------------------------------------ the module

    def _call(self, function: str, *arguments: int) -> Any:
        """Call the module, and raise the fault that it notes."""
        try:
            return self._module.call(function, *arguments)
        except self._module.trap as trap:
            if self._module.word(m.STATUS_AT) != m.FAULTY:
                message = f"the module stopped: {str(trap).splitlines()[0]}"
                raise Fault("internal", message) from trap
            raise self._fault() from None

    @reading
    def _fault(self) -> Fault:
        name = self.names["faults"][self._module.word(m.FAULT_AT) - 1]
        place, site = str(self._module.word(m.SITE_AT)), None
        if place in self.names["sites"]:
            owner, rules, file, line, column = self.names["sites"][place]
            site = Site(owner, tuple(rules), file, line, column)
        at = self._module.word(m.VALUES_AT)
        values = self._module.words(at, (self._module.word(m.CHANGING_AT) - at) // m.CELL)
        message = message_of(self._module.word(m.MESSAGE_AT), values, self.names)
        title = KINDS[name].title if name in KINDS else "a fault that the rules declare"
        return Fault(name, message or title, site)

    def _scenario(self, name: str | None) -> int:
        known = [item["name"] for item in self.names["scenarios"]]
        if name is None:
            return 0 if known else -1
        wanted = "_".join(name.replace("-", " ").split())
        for number, one in enumerate(known):
            if one in (name, wanted):
                return number
        raise Fault("unknown-scenario", f"unknown scenario `{name}`")

    @reading
    def _result(self, number: int) -> str | int | None:
        if number == NONE:
            return None
        return name_of(self.names, self.names["result"], number)


class NativeGame(_Host):
    """A rule set as a module that plays whole games by the random policy.

    Games with equal seeds are equal to those of the Python back end with the same policy.
    """

    def __init__(self, content: bytes) -> None:
        """Load a module.

        Raises:
            NotAModule: The bytes are not such a module, are damaged, or have another version.
            ImportError: `wasmtime` is not installed.
        """
        super().__init__(content, stops=False)

    @property
    def most_games(self) -> int:
        """The games that one call of the module plays; `playouts` makes as many calls as it needs."""
        return self._module.word(m.ROOM_AT)

    def play(self, seed: int | str = 0, scenario: str | None = None) -> NativeOutcome:
        """Play a game by the random policy.

        Args:
            seed: Of the dice and of the policy.
            scenario: Its name; None takes the first one, if there is any.

        Raises:
            Fault: The rules cannot go on, or there is no such scenario.
        """
        self._call("play", _with_sign(seed_number(seed)), self._scenario(scenario))
        return NativeOutcome(self._result(self._module.word(m.RESULT_AT)), self.cells())

    def play_to_end(self, seed: int | str = 0, scenario: str | None = None) -> NativeEnd:
        """Play a game like `play`, and return its end in numbers."""
        self._call("play", _with_sign(seed_number(seed)), self._scenario(scenario))
        word = self._module.word
        places, state = word(m.PLACED_AT), self.names["states"].get("place")
        placed = self._module.words(places, state["cells"]) if places else ()
        result = word(m.RESULT_AT) if word(m.ENDED_AT) else None
        return NativeEnd(self.cells(), placed, result, word(m.DECISIONS_AT))

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


@frozen
class NativeQuestion:
    """An open question; options are names, numbers, or of a record a name or number for each of its names.

    Attributes:
        choice, side: Their names.
        item: The thing that is asked about; None if the choice has none.
        options: The legal answers, in order; None stands for *none*, and `done` for the end of the picks.
    """

    choice: str
    side: str
    item: str | int | None
    options: tuple[Any, ...]


class NativeSession(_Host):
    """A rule set as a module that asks its host (`build --stops`): one game at a time."""

    def __init__(self, content: bytes) -> None:
        """Load a module.

        Raises:
            NotAModule: The bytes are not such a module, are damaged, or have another version.
            ImportError: `wasmtime` is not installed.
        """
        super().__init__(content, stops=True)
        self._copied = self._module.word(m.CHANGING_AT)

    def start(
        self,
        seed: int | str = 0,
        scenario: str | None = None,
        *,
        dice: Mapping[str, Sequence[int]] | None = None,
        draws: Mapping[str, Sequence[Any]] | None = None,
        strict: bool = False,
    ) -> NativeQuestion | None:
        """Begin a game; the first question, or None if the game ends without one.

        Args:
            seed: Of all chance that is not given.
            scenario: Its name; None takes the first one, if there is any.
            dice: The first faces of rolls, by name.
            draws: The first things of draws, by name; of shuffles, a list of all things in their order.
            strict: Whether it is a fault if something is rolled or drawn that is not given.

        Raises:
            Fault: The rules cannot go on, or there is no such scenario.
            NamingError: There is no such roll or draw, or it does not have such a face or thing.
        """
        room = self._module.word(m.TAPE_ROOM_AT)
        tape = tape_of(self.names, room, dice or {}, draws or {}, strict=strict)
        self._module.write_all(self._module.word(m.TAPE_AT), struct.pack(f"<{len(tape)}q", *tape))
        self._call("start", _with_sign(seed_number(seed)), self._scenario(scenario))
        return self.question

    def answer(self, option: int) -> NativeQuestion | None:
        """Take an option of the open question by its place, from 0; the next question, or None at the end.

        Raises:
            Fault: The rules cannot go on; restore a copy of the memory to take another way.
            IndexError: No question is open, or it has no such option; nothing has changed.
        """
        if not 0 <= option < TOO_LARGE or not self._call("answer", option):
            raise IndexError(f"no open question has an option {option}")
        return self.question

    @property
    def numbers(self) -> tuple[int, ...]:
        """The open question in numbers: choice, side and item, then the options; empty if there is none."""
        if self._module.word(m.STATUS_AT) != m.ASKING:
            return ()
        at = self._module.word(m.QUESTION_AT)
        *about, count = self._module.words(at, 4)
        return (*about, *self._module.words(at + 4 * m.CELL, count))

    @property
    @reading
    def question(self) -> NativeQuestion | None:
        """The open question."""
        if not self.numbers:
            return None
        choice, side, item, *options = self.numbers
        about = self.names["choices"][choice]
        return NativeQuestion(
            about["name"],
            str(self._name_of(about["side"], side)),
            self._name_of(about["item"], item),
            tuple(
                self._record(about, one) if "fields" in about else self._name_of(about["options"], one)
                for one in options
            ),
        )

    @property
    def unused(self) -> dict[str, int]:
        """How many of the given dice and things each point has not used."""
        points = self.names["points"]
        head = self._module.words(self._module.word(m.TAPE_AT) + m.CELL, 2 * len(points))
        used = self._module.words(self._module.word(m.STATE_AT) + m.CELL, len(points))
        left = {point["name"]: many - own for point, many, own in zip(points, head[1::2], used, strict=True)}
        return {name: number for name, number in left.items() if number > 0}

    @property
    def result(self) -> str | int | None:
        """The result of a game that is over; None if it has none."""
        return self._result(self._module.word(m.RESULT_AT))

    def copy(self) -> bytes:
        """A copy of everything that may change: the game as it is."""
        return self._module.read(0, self._copied)

    def restore(self, copy: bytes) -> NativeQuestion | None:
        """Go back to a copy of this module's memory; its open question.

        Raises:
            ValueError: The copy is not one of this module.
        """
        size = self._copied
        if len(copy) != size or copy[: m.CELL] != MAGIC.to_bytes(m.CELL, "little"):
            raise ValueError(f"a copy of this module's memory has {size:,} bytes and begins with `rulekit`")
        self._module.write_all(0, copy)
        if "events" in self.names:
            self._module.write(self._module.word(m.LOG_AT), 0)
        return self.question

    def _name_of(self, domain: str, value: int) -> str | int | None:
        if value in (NONE, DONE):
            return None if value == NONE else "done"
        return name_of(self.names, domain, value)

    def _record(self, about: dict[str, Any], number: int) -> tuple[Any, ...] | None:
        if number == NONE:
            return None
        values = (self._name_of(domain, Digit(*digit).value(number)) for _, domain, *digit in about["fields"])
        return tuple(values)


def decode(words: tuple[int, ...], runs: list[list[Any]]) -> list[Any]:
    """Return the values of all cells from the words of the state; `runs` are the names' `cells`."""
    values: list[Any] = []
    place = 0
    for count, size, sort, stride in runs:
        for _ in range(count):
            own = words[place : place + size]
            place += size
            if sort in ITEMS:
                items = [own[1 + n * stride : 1 + (n + 1) * stride] for n in range(own[0])]
                values.append(tuple(_cell(item, ITEMS[sort]) for item in items))
            else:
                values.append(_cell(own, sort))
    return values


ITEMS = {"list": "number", "sets": "set", "ratios": "ratio"}
"""The sort of the items in each sort of list."""


def _cell(words: tuple[int, ...], sort: str) -> Any:
    """The value of a cell, or of an item of a list."""
    if sort == "set":
        return m.mask_of_words(words)
    return Fraction(*words) if sort == "ratio" and words[0] != NONE else words[0]


def _with_sign(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number
