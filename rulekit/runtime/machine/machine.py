"""A game in progress, as generated code sees it: the state and everything around it.

Generated functions get the machine as `S` and the state as `M`.  The machine draws, lands `together`
blocks, tests invariants and says why nothing is legal; all else is in the generated code itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulekit.base.bits import members
from rulekit.ir.semantics.faults import Fault, Finished, out_of_budget
from rulekit.ir.semantics.hidden import varying_known
from rulekit.ir.types import Nothing
from rulekit.runtime import chance
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.codegen.routines.frames import STOP, Frame
from rulekit.runtime.machine.fault_reports import (
    as_fault,
    broken_promise,
    no_legal_option,
    nothing_to_draw,
    open_steps,
)
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.support.asked import Question
from rulekit.runtime.support.layout import FUEL
from rulekit.runtime.support.together import land
from rulekit.runtime.support.trace import KNOWN, EventKind

Agent = Callable[[int, int, Any, tuple[int, ...]], int]
"""Asked for one part of a choice: the choice's number, who decides, the item or None, and the options."""


def _few_enough(things: tuple[int, ...]) -> None:
    if len(things) > chance.MOST_THINGS:
        message = f"cannot draw from {len(things):,} things: at most {chance.MOST_THINGS:,}"
        raise Fault("too-many-options", message)


class Machine:
    """See the module.

    Attributes:
        M: The state; `layout` says what stands where.
        trace, journal: Lists of events, and of addresses with old values; None in builds without them.
        late: Changes of an open `together` block.
        stack: Frames, the innermost last; only in builds that stop.
        depth: How many of them waited for what was running when the open choice asked.
        functions: Their implementations, by number.
        value: The result of the routine that ran last.
        asked: The open question.
        choosing: Arguments of the choice that is open.
        events: The trace, if it is kept; `opened` is how long it was when the choice opened.
        setting_up: Whether invariants are not to be tested yet.
    """

    __slots__ = (
        "M",
        "agent",
        "asked",
        "choosing",
        "module",
        "depth",
        "dice",
        "events",
        "functions",
        "journal",
        "late",
        "opened",
        "setting_up",
        "stack",
        "streams",
        "trace",
        "value",
    )

    def __init__(self, module: GeneratedModule, streams: Streams, cells: list[Any]) -> None:
        self.module = module
        self.streams = streams
        self.dice = streams.dice
        self.functions = module.frame_functions
        self.M = cells
        self.agent: Agent | None = None
        self.trace: Callable[[Any], None] | None = None
        self.journal: Callable[[Any], None] | None = None
        self.late: list[Any] = []
        self.stack: list[Frame] = []
        self.depth = 0
        self.value: Any = None
        self.asked: Question | None = None
        self.choosing: tuple[Any, ...] = ()
        self.setting_up = False
        self.events: list[Any] = []
        self.opened = 0

    def use(self, streams: Streams) -> None:
        """Throw the dice of other streams from now on."""
        self.streams, self.dice = streams, streams.dice

    # ------------------------------------------------------------ chance

    def _words(self, point: int, count: int) -> int:
        """Take so many words of a point; the position of the first."""
        address = self.module.layout.first_counter + point
        position: int = self.M[address]
        if self.journal is not None:
            self.journal(address)
            self.journal(position)
        self.M[address] = position + count
        return position

    def things(self, mask: int) -> tuple[int, ...]:
        """The members of a set from which something is drawn, in id order."""
        things = tuple(members(mask))
        _few_enough(things)
        return things

    def draw(self, point: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
        """`count` of the things by lot, in the order drawn; fewer than all."""
        _few_enough(things)
        streams, position = self.streams, self._words(point, count)
        if point in streams.lots:
            return streams.draw(point, position, things, count)
        return chance.draw(streams.bases[point], position, things, count)

    def mix(self, point: int, things: tuple[int, ...]) -> tuple[int, ...]:
        """At least two things in random order."""
        streams, position = self.streams, self._words(point, len(things) - 1)
        if point in streams.lots:
            return streams.mix(point, position, things)
        return chance.shuffle(streams.bases[point], position, things)

    def draw_one(self, point: int, mask: int) -> int:
        """One member of a set by lot."""
        things = tuple(members(mask))
        if not things:
            raise nothing_to_draw(self.module, point)
        return things[0] if len(things) == 1 else self.draw(point, things, 1)[0]

    def draw_set(self, point: int, mask: int, count: int) -> int:
        """A set of so many members by lot; all, if there are no more."""
        things = tuple(members(mask))
        if count >= len(things):
            return mask
        return sum(1 << one for one in self.draw(point, things, count)) if count > 0 else 0

    def shuffle(self, point: int, things: tuple[int, ...]) -> tuple[int, ...]:
        """The things in random order."""
        return self.mix(point, things) if len(things) > 1 else things

    # ------------------------------------------------------------ rules

    def defer(self, call: int, arguments: tuple[Any, ...]) -> int:
        """Put a call off whose chances are combined later; 0 if it is to be run now, as here always."""
        return 0

    def land(self, site: int) -> None:
        """End the `together` block at this site."""
        if not self.late:
            return
        module = self.module
        journal, cells = self.journal, self.M
        plain, noted = module.movers

        def move(pieces: int, space: int) -> None:
            if journal is None:
                plain(cells, pieces, space)
            else:
                noted(cells, journal, pieces, space)

        events = module.events
        added = land(module.landers, cells, journal, self.late, move, lambda event: events[event].site)
        if self.trace is not None and module.build.trace != "off":
            for address, value in added:
                self._trace_landing(site, address, value)

    def _trace_landing(self, site: int, address: int, value: Any) -> None:
        """Tell what came of all that was added to one thing."""
        module, tell = self.module, self.trace
        assert tell is not None
        state, keys = module.layout.owner(address).state, module.layout.keys_of(address)
        names = ((f"key {number}", Nothing()) for number in range(len(keys)))
        varying = varying_known(module.facts, state)
        noted = () if varying is None else ((KNOWN, Nothing()),)
        kind = EventKind("land", site, state.name, (*names, ("value", state.type), *noted))
        number = module.events.number(kind)
        if module.build.trace != "operands":
            tell(number)
            return
        tell((number, *keys, value, *(() if varying is None else (module.knowers(self.M, varying, keys),))))

    def check(self, numbers: Iterable[int]) -> None:
        """Test invariants, by number."""
        if self.setting_up or self.late:
            return
        prices = self.module.optimised.prices.promises
        for number in numbers:
            self.M[FUEL] -= prices[number]
            if self.M[FUEL] < 0:
                raise out_of_budget()
            if not self.module.invariants[number](self.M):
                raise broken_promise(self.module, number)

    def stuck(self, choice: int, own: tuple[Any, ...], item: Any) -> None:
        """Fault: nothing is legal, and something must be answered."""
        raise no_legal_option(self.module, self.M, choice, own, item)

    # ------------------------------------------------------------ running

    def refuel(self, fuel: int) -> None:
        """Give what follows its budget."""
        self.M[FUEL] = fuel

    def call(self, name: str, *arguments: Any) -> Any:
        """Run a procedure to its end, in a build that does not stop."""
        function = self.module.routine(("procedure", name, False))
        try:
            return function(self, self.M, *arguments)
        except Exception as error:
            raise self.fault(error) from error

    def push(self, name: str, *arguments: Any) -> None:
        """Put a procedure on the stack, to be run next."""
        self.stack.append(self.module.frame(("procedure", name, False), arguments))

    def run(self, answer: Any = None) -> bool:
        """Go on until a question stops the game (true) or nothing is left to run (false).

        Without an answer what was put on the stack last begins.

        Raises:
            Fault: Half a step has been made then; callers roll it back.
            Finished: The game has been ended.
        """
        stack, functions, M, T = self.stack, self.functions, self.M, self.trace
        try:
            if answer is None:
                frame = stack.pop()
                answer = functions[frame[0]](self, M, T, None, None, *frame[2:])
                if answer is STOP:
                    return True
            while stack:
                frame = stack.pop()
                answer = functions[frame[0]](self, M, T, answer, frame)
                if answer is STOP:
                    return True
        except Finished:
            self.asked = None
            raise
        except Exception as error:
            raise self.fault(error) from error
        self.asked, self.value = None, answer
        return False

    def fault(self, error: Exception) -> Exception:
        """The fault for an error, with the steps of what was running; callers know those of what waits.

        One that has been here before stays as it is: nothing generated stands between.
        """
        fault = as_fault(self.module, error)
        if isinstance(fault, Fault):
            fault.labels = (*open_steps(self.module, error.__traceback__), *fault.labels)
        return fault
