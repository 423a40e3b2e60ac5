"""A program prepared for play, shared by all sessions of a game."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, Literal, Self

from rulekit.base.spelling import suggestion
from rulekit.ir import ChooseEach, Program, walk
from rulekit.ir.semantics.faults import Finished
from rulekit.ir.semantics.hidden import HiddenFrom
from rulekit.ir.semantics.names import Naming, NamingError
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.simulate import scenario_of
from rulekit.runtime.machine.streams import GivenChance, Streams
from rulekit.runtime.play.answering.answers import AnswerCodec, LegalAnswers
from rulekit.runtime.play.background import Background, NoBackground
from rulekit.runtime.play.events import Teller
from rulekit.runtime.play.named_values import NamedValues
from rulekit.runtime.play.saved.starts import StartKeys
from rulekit.runtime.play.seen.seer import Seer
from rulekit.runtime.play.seen.touched import TouchedCells
from rulekit.runtime.support.build import SESSION, STEP_FUEL, Build
from rulekit.runtime.support.lots import Lot, lots_of
from rulekit.runtime.support.wording import Wording

MOST_ENTRIES: Final = 16
"""Games that begin at a step, of one program, that are kept."""


class PreparedGame:
    """The generated code of one program, with names for what it tells.

    With `invariants`, each event is followed by a test of those it may have broken; a broken one is a fault.
    With `explain`, the event of each roll lists its modifiers, and what keeps those from acting that do not.
    `build` is for callers that want another build that stops at choices and traces operands.

    Attributes:
        origin: The game itself; of one that begins at a step, that of the rules as they are.
        background: The texts of the rule set that are not in its program.
    """

    def __init__(
        self,
        program: Program,
        *,
        invariants: bool = False,
        explain: bool = False,
        fuel: int = STEP_FUEL,
        build: Build = SESSION,
    ) -> None:
        self.program = program
        self.fuel = fuel
        self._flags: dict[str, Any] = {
            "invariants": invariants, "explain": explain, "fuel": fuel, "build": build
        }  # fmt: skip
        self.module = generate(program, replace(build, invariants=invariants, explain=explain))
        self.naming = Naming(program)
        self.background: Background = NoBackground()
        self._wordings: dict[str, Wording] = {}
        self.teller = Teller(self.module, self.naming)
        self.answer_codec = AnswerCodec(program, self.naming)
        self.touched = TouchedCells(self.module)
        self.named_values = NamedValues(program, self.naming, self.module.layout)
        self.legal_answers = LegalAnswers(program, self.naming)
        self._starts: dict[str | None, dict[str, str]] = {}
        self._bases: dict[str | None, list[Any]] = {}
        self._hidden: dict[int, HiddenFrom] = {}
        self._seers: dict[int, Seer] = {}
        self._entries: dict[Hashable, Self] = {}
        self._by_chance: dict[str, Self] = {}
        self.origin = self

    @cached_property
    def sites_of_each(self) -> frozenset[int]:
        """The sites of `choose .. for each`, whose answers nobody sees before all are given."""
        return frozenset(
            stmt.site
            for procedure in self.program.procedures
            for stmt in walk.statements(procedure.body)
            if isinstance(stmt, ChooseEach)
        )

    @property
    def wording(self) -> Wording:
        """The words of play in English."""
        return self.wording_in("en")

    def wording_in(self, language: str) -> Wording:
        """The words of play in a language.

        Raises:
            ValueError: There is no such language.
        """
        if self.origin is not self:
            return self.origin.wording_in(language)
        if language not in self._wordings:
            self._wordings[language] = Wording(self.program, self.background.speech(language))
        return self._wordings[language]

    def hidden_from(self, side: int) -> HiddenFrom:
        """The states that the rules hide from a side."""
        if side not in self._hidden:
            self._hidden[side] = HiddenFrom(self.module.facts, side)
        return self._hidden[side]

    def seer(self, side: int) -> Seer:
        """A side as a reader of events."""
        if side not in self._seers:
            self._seers[side] = Seer(self.program, self.naming, self.module.layout, self.hidden_from(side))
        return self._seers[side]

    def entry_game(self, program: Program, key: Hashable) -> Self:
        """The same game with more procedures, kept under a key: those that begin at a step."""
        if key not in self._entries:
            if len(self._entries) >= MOST_ENTRIES:
                self._entries.clear()
            other = self._entries[key] = type(self)(program, **self._flags)
            other.origin, other.background = self, self.background
        return self._entries[key]

    def with_chance(self, chance: Literal["drawn", "asked"]) -> Self:
        """The same game, whose sessions draw what chance gives from a seed, or ask for it.

        Raises:
            ValueError: Chance is neither drawn nor asked.
        """
        if chance not in ("drawn", "asked"):
            raise ValueError(f"`chance` is `drawn` or `asked`, not `{chance}`")
        if chance == self.module.build.chance:
            return self
        if chance not in self._by_chance:
            build = replace(self._flags["build"], chance=chance)
            other = type(self)(self.program, **{**self._flags, "build": build})
            other.background = self.background
            other._by_chance[self.module.build.chance] = self
            self._by_chance[chance] = other
        return self._by_chance[chance]

    @property
    def asks_chance(self) -> bool:
        """True if sessions ask for what chance gives."""
        return self.module.build.chance == "asked"

    @cached_property
    def lots(self) -> Mapping[str, Lot]:
        """The points of draws and shuffles, by name."""
        return lots_of(self.program)

    def given_chance(
        self,
        dice: Mapping[str, Sequence[int]] | None,
        draws: Mapping[str, Sequence[Any]] | None,
        *,
        strict: bool = False,
    ) -> GivenChance:
        """Dice and draws by name, as sessions take them.

        Raises:
            NamingError: There is no such draw, or it cannot draw such a thing; or chance is asked.
        """
        if self.asks_chance and (dice or draws or strict):
            raise NamingError("a session that asks for chance takes no dice or draws: answer its decisions")
        lots: dict[int, tuple[int, ...]] = {}
        for name, things in (draws or {}).items():
            if name not in self.lots:
                hint = suggestion(name, sorted(self.lots), "the rules have none" if not self.lots else "")
                raise NamingError(f"there is no draw or shuffle `{name[:60]}`; {hint}")
            lots[self.lots[name].point] = self.lots[name].read(self.naming, things)
        return GivenChance(dict(dice or {}), lots, dict(draws or {}), strict)

    def base(self, scenario: str | None) -> tuple[str, list[Any]]:
        """The state that saves are written as a difference from: its name, and the cells.

        The state after set-up serves where set-up depends on neither chance nor choice.
        """
        facts, layout = self.module.facts, self.module.layout
        chosen = None if scenario is None else scenario_of(self.program, scenario)
        if chosen is None or chosen.procedure in facts.chancy | facts.suspending:
            return "declared", layout.initial()
        if scenario not in self._bases:
            machine = Machine(self.module, Streams(self.module, 0), layout.initial())
            machine.trace = machine.journal = _ignore
            machine.setting_up = True
            machine.refuel(self.fuel)
            try:
                machine.call(chosen.procedure)
            except Finished:
                return "declared", layout.initial()
            self._bases[scenario] = machine.M
        return "scenario", self._bases[scenario][:]

    def starts(self, scenario: str | None) -> Mapping[str, str]:
        """For each state, a digest of the values in the `base` of saves."""
        if scenario not in self._starts:
            _, cells = self.base(scenario)
            layout = self.module.layout
            keys = StartKeys(self.naming, layout, {})
            self._starts[scenario] = {
                slots.state.name: keys.digest(slots, cells) for slots in layout.slots.values()
            }
        return self._starts[scenario]


def _ignore(entry: Any) -> None:
    """Drop an entry."""
