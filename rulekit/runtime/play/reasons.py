"""Reasons why an answer is not legal: the norms against it, and what would make it legal.

Where no norm speaks against an answer by itself, those that bar it together are found by leaving norms out: a
norm bars the option if, of the choice as it would be without some norms, this one cannot be put back.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.ir import Choice, Expr, Local, Norm, Site, walk
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.hidden import choice_expressions
from rulekit.ir.semantics.names import Naming
from rulekit.ir.semantics.records import digits_of
from rulekit.ir.types import Record
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine, Streams
from rulekit.runtime.optimise.norms import answer_set
from rulekit.runtime.play.sight import Sight
from rulekit.runtime.support.build import Build


@frozen
class Reason:
    """One reason against an answer.

    Attributes:
        norm: The norm's name; empty where no norm speaks.
        word: `forbid`, `require` or `permit` (nothing permits it); empty where no norm speaks.
        message: One sentence.
        uncovered: Things that the finished answer needs too and lacks: legal after these are covered.
    """

    norm: str
    word: str
    site: Site
    rules: tuple[str, ...]
    message: str
    uncovered: tuple[str, ...] = ()


class Refused(Exception):
    """An answer that is not legal.

    Attributes:
        reasons: The norms against it.
        rules: The printed rules that they cite, each once.
    """

    def __init__(self, message: str, reasons: tuple[Reason, ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons
        self.rules = tuple(dict.fromkeys(rule for reason in reasons for rule in reason.rules))

    def __str__(self) -> str:
        lines = [super().__str__()]
        lines += [f"  {', '.join(reason.rules) or reason.norm}  {reason.message}" for reason in self.reasons]
        return "\n".join(lines)


@frozen
class Position:
    """A choice that is open: its arguments, the item asked for, and what is answered so far.

    `chosen` and `assigned` are the values of the answer's locals, as far as they go; `before` is the member
    placed last; `given` are the values of the parts answered so far.
    """

    choice: Choice
    arguments: tuple[Any, ...]
    item: int | None
    chosen: Any
    assigned: dict[int, int]
    before: int
    given: tuple[int, ...]


def reasons(
    module: GeneratedModule,
    naming: Naming,
    cells: list[Any],
    at: Position,
    option: int,
    sight: Sight | None = None,
) -> tuple[Reason, ...]:
    """The reasons against an answer at a position; with the `sight` of a side only those that it may know."""
    search = _Why(module, naming, cells, at, option)
    if sight is None or all(sight.follows(e, search.locals) for e in choice_expressions(at.choice)):
        return search.find()
    return search.find_known(sight)


class _Why:
    """Finds the reasons for one option."""

    def __init__(
        self, module: GeneratedModule, naming: Naming, cells: list[Any], at: Position, option: int
    ) -> None:
        self.module = module
        self.naming = naming
        self.cells = cells
        self.at = at
        self.option = option
        self.locals = self._locals()

    def _locals(self) -> dict[str, Any]:
        choice, at = self.at.choice, self.at
        values = dict(zip((param.name for param in choice.params), at.arguments, strict=True))
        for local, value in choice.lets:
            with suppress(Exception):  # it may have no value for an answer that is not legal
                values[local.name] = self._value(value, values)
        values[choice.option.name] = self.option
        values |= self._fields()
        if choice.item is not None and at.item is not None:
            values[choice.item.name] = at.item
        if choice.before is not None:
            values[choice.before.name] = at.before
        if choice.chosen is not None:
            values[choice.chosen.name] = at.chosen
        if choice.assigned is not None:
            values[choice.assigned.name] = at.assigned
        return values

    def _fields(self) -> dict[str, int]:
        """The values of a record by the names of their locals."""
        kind = self.at.choice.option.type
        if not isinstance(kind, Record) or self.option < 0:
            return {}
        digits = digits_of(kind, self.module.layout.sizes)
        fields = zip(self.at.choice.fields, digits, strict=True)
        return {local.name: digit.value(self.option) for (local, _), digit in fields}

    def _value(self, e: Expr, known: dict[str, Any]) -> Any:
        names = tuple(sorted(walk.free(e)))
        return self.module.expression(e, names)(self.cells, *(known[name] for name in names))

    def _try(self, e: Expr) -> Any:
        """The value, or None where the answer is not far enough for it."""
        try:
            return self._value(e, self.locals)
        except Exception:
            return None

    def find(self) -> tuple[Reason, ...]:
        choice = self.at.choice
        if self.option >= 0 and any(self._is_missing(local, of) for local, of in choice.among):
            return (self._unspoken("it is not among the candidates"),)
        against = [reason for norm in choice.norms if (reason := self._against(norm)) is not None]
        permits = [norm for norm in choice.norms if norm.word == "permit"]
        if permits and not any(self._try(norm.test) for norm in permits):
            against += [self._reason(norm, "this permits only other answers") for norm in permits]
        return tuple(against) or self._reasons_together()

    def _is_missing(self, local: Local, of: Expr) -> bool:
        """Whether what is answered under a name is known not to be in the set that it is from."""
        among, value = self._try(of), self.locals.get(local.name)
        return isinstance(among, int) and value is not None and value >= 0 and not among >> value & 1

    def find_known(self, sight: Sight) -> tuple[Reason, ...]:
        """The reasons of norms that read nothing hidden from a side, else one that names none.

        The candidates, and what norms do together, are left out: the choice reads something hidden.
        """
        lets = walk.written_out(self.at.choice.lets)

        def follows(e: Expr | None) -> bool:
            return e is None or sight.follows(walk.substitute(e, lets), self.locals)

        norms = [
            norm for norm in self.at.choice.norms if all(map(follows, (norm.test, norm.cover, norm.whole)))
        ]
        against = tuple(reason for norm in norms if (reason := self._against(norm)) is not None)
        return against or (self._unspoken("it is not a legal answer"),)

    def _reasons_together(self) -> tuple[Reason, ...]:
        """The norms that rule an answer out only together."""
        at = self.at
        norms = barring(self.module, self.cells, at.choice, at.arguments, at.given, self.option)
        unable = "no further answers could complete it"
        if not norms:
            return (self._unspoken(unable),)
        return tuple(self._reason(norm, f"{unable} under this") for norm in norms)

    def _against(self, norm: Norm) -> Reason | None:
        """The reason that a norm gives, if it speaks against the option."""
        if norm.word == "permit" or norm.declining and self.option >= 0:
            return None
        if norm.cover is not None and norm.whole is None:
            return self._missing_cover(norm)
        if not self._try(norm.test):
            return None
        if norm.whole is not None and self._try(norm.whole):
            return None
        later = "" if norm.whole is None else " by the answer as a whole"
        return self._reason(norm, f"{'forbidden' if norm.word == 'forbid' else 'required otherwise'}{later}")

    def _missing_cover(self, norm: Norm) -> Reason | None:
        """A cover that is missing: of this option, or of one picked before, which needs this pick."""
        assert norm.cover is not None
        needed = self._try(norm.cover)
        if not isinstance(needed, int):
            return None
        done = self._try(answer_set(self.at.choice))
        mine = done | 1 << self.option if isinstance(done, int) and self.option >= 0 else done
        missing = needed & ~(mine if isinstance(mine, int) else 0)
        if not missing or not (self._try(norm.test) or self._is_owed(norm)):
            return None
        names = tuple(self.naming.to_json(norm.cover.type, missing))
        message = f"legal only together with: {', '.join(map(str, names))}"
        return self._reason(norm, message, tuple(map(str, names)))

    def _is_owed(self, norm: Norm) -> bool:
        """Whether an option answered before already needs the cover."""
        choice = self.at.choice
        taken: list[tuple[int | None, int]] = [*self.at.assigned.items()]
        if choice.verb == "assign_set":
            taken = [(item, one) for item, own in self.at.assigned.items() for one in members(own)]
        taken = taken or [(None, one) for one in _members(self.at.chosen)]
        kept = dict(self.locals)
        try:
            for item, option in taken:
                self.locals[choice.option.name] = option
                if choice.item is not None:
                    self.locals[choice.item.name] = item
                if option >= 0 and self._try(norm.test):
                    return True
            return False
        finally:
            self.locals = kept

    def _reason(self, norm: Norm, message: str, uncovered: tuple[str, ...] = ()) -> Reason:
        site = self.module.program.sites[norm.site]
        return Reason(norm.name, norm.word, site, site.rules, message, uncovered)

    def _unspoken(self, message: str) -> Reason:
        site = self.module.program.sites[self.at.choice.site]
        return Reason("", "", site, site.rules, message)


def _members(chosen: Any) -> list[int]:
    if not isinstance(chosen, int):
        return []
    return list(members(chosen))


ASKING_ALL = Build(ask_all=True)


class _Offered(Exception):
    """The part was reached, with these options."""

    def __init__(self, options: Sequence[int]) -> None:
        self.options = options


def barring(
    module: GeneratedModule,
    cells: list[Any],
    choice: Choice,
    arguments: tuple[Any, ...],
    given: Sequence[int],
    option: int,
) -> tuple[Norm, ...]:
    """The norms that together rule an answer out: without them it would be legal; none of them could stay.

    Args:
        cells: The state; it is not changed.
        arguments: The arguments of the choice.
        given: The values of the parts answered so far, asked or forced.

    Returns:
        None at all if the option would not be offered without any norms either.
    """

    def is_offered(norms: tuple[Norm, ...]) -> bool:
        return option in _options(module, cells, replace(choice, norms=norms), arguments, given)

    norms = choice.norms
    if not is_offered(()):
        return ()
    kept: tuple[Norm, ...] = ()
    barred: list[Norm] = []
    for norm in norms:
        if is_offered((*kept, norm)):
            kept = (*kept, norm)
        else:
            barred.append(norm)
    return tuple(barred)


def options_without_norms(module: GeneratedModule, cells: list[Any], at: Position) -> Sequence[int]:
    """The answers to a part that would be legal without any norm."""
    return _options(module, cells, replace(at.choice, norms=()), at.arguments, at.given)


def _options(
    module: GeneratedModule,
    cells: list[Any],
    choice: Choice,
    arguments: tuple[Any, ...],
    given: Sequence[int],
) -> Sequence[int]:
    """The legal answers of a changed choice after some parts are answered; empty where that is unknown."""
    program = replace(module.program, procedures=(), invariants=(), choices=(choice,))
    trial = GeneratedModule(program, ASKING_ALL, module.optimised.with_choice(choice))
    machine = Machine(trial, Streams(trial, 0), cells[:])
    left = list(given)

    def answer(number: int, side: int, item: Any, options: Sequence[int]) -> int:
        if left:
            return left.pop(0)
        raise _Offered(options)

    machine.agent = answer
    try:
        trial.routine(("choice", choice.name, False))(machine, machine.M, *arguments)
    except _Offered as reached:
        return reached.options
    except Fault:
        return ()
    return ()
