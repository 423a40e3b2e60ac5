"""Reasons why an answer is not legal: the norms against it, and what would make it legal.

Where no norm speaks against an answer by itself, those that bar it together are found by leaving norms out: a
norm bars the option if, of the choice as it would be without some norms, this one cannot be put back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rulekit.base.bits import mask_of, members
from rulekit.base.frozen import frozen
from rulekit.ir import Choice, Expr, Local, Norm, Site, walk
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.hidden import choice_expressions
from rulekit.ir.semantics.names import Naming
from rulekit.ir.semantics.records import digits_of
from rulekit.ir.types import DONE, NONE, Member, Record
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.explain import Explainer, Term, ValueScope
from rulekit.runtime.explain.origins import Callers, Origins
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.optimise.norms import answer_set
from rulekit.runtime.play.seen.sight import Sight
from rulekit.runtime.support.build import Build
from rulekit.runtime.support.wording import Wording


@frozen
class Reason:
    """One reason against an answer.

    Attributes:
        norm: The norm's name; empty where no norm speaks.
        word: `forbid`, `require` or `permit` (nothing permits it); empty where no norm speaks.
        message: One sentence.
        uncovered: Things that the finished answer needs too and lacks: legal after these are covered.
        terms: The conditions that make it so, as they are now; the shortest first.
        code: The sort of reason, in any language: a key of `rulekit.runtime.support.wording.ENGLISH`.
    """

    norm: str
    word: str
    site: Site
    rules: tuple[str, ...]
    message: str
    uncovered: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    code: str = ""

    @property
    def text(self) -> str:
        """The terms; after the message, where a norm speaks."""
        terms = "; ".join(term.line for term in self.terms)
        if not terms or self.uncovered:
            return self.message
        return f"{self.message}: {terms}" if self.norm else terms


@frozen
class Amount:
    """How many things a choice wants: `least` is 0 and `most` is None where nothing bounds it.

    Attributes:
        is_known: Whether the side may know the bounds.
    """

    least: int = 0
    most: int | None = None
    is_known: bool = True


class Refused(Exception):
    """An answer that is not legal.

    Attributes:
        reasons: The conditions that rule it out.
        rules: The printed rules that they cite, each once.
        legal: Names of legal answers: the one that was probably meant, else all of them, if they are few.
    """

    def __init__(self, message: str, reasons: tuple[Reason, ...] = (), legal: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.reasons, self.legal = reasons, legal
        self.rules = tuple(dict.fromkeys(rule for reason in reasons for rule in reason.rules))

    def __str__(self) -> str:
        lines = [super().__str__()]
        lines += [f"  {', '.join(reason.rules) or reason.norm}  {reason.text}" for reason in self.reasons]
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
    machine: Machine,
    naming: Naming,
    wording: Wording,
    at: Position,
    option: int,
    sight: Sight | None = None,
    *,
    norms_only: bool = False,
) -> tuple[Reason, ...]:
    """The reasons against an answer at a position.

    Args:
        sight: The sight of a side, for only those that it may know.
        norms_only: Leave out reasons without a norm: to explain why an option is not a candidate takes time.
    """
    search = _Why(machine, naming, wording, at, option, sight)
    return search.find_norms() if norms_only else search.find()


def amount(
    machine: Machine, naming: Naming, wording: Wording, at: Position, sight: Sight | None = None
) -> Amount:
    """How many things the open choice wants in all, of an item if it asks for several items."""
    return _Why(machine, naming, wording, at, DONE, sight).amount()


class _Why:
    """Finds the reasons for one option."""

    def __init__(
        self,
        machine: Machine,
        naming: Naming,
        wording: Wording,
        at: Position,
        option: int,
        sight: Sight | None,
    ) -> None:
        self.module, self.cells = machine.module, machine.M
        self.naming = naming
        self.at = at
        self.option = option
        self.locals = self._locals()
        self._words, self._sight, self._machine = wording, sight, machine
        self._explainer = Explainer(machine.module, naming, wording, machine.M)

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

    # ------------------------------------------------------------ reasons

    def find(self) -> tuple[Reason, ...]:
        """The reasons that the side may know."""
        outside = self._outside() if self._knows_candidates() else None
        return self._against_candidate() if outside is None else (outside,)

    def find_norms(self) -> tuple[Reason, ...]:
        """The reasons of `find` that name a norm."""
        if self._knows_candidates() and (self._is_taken() or self._set_without() is not None):
            return ()
        return tuple(reason for reason in self._against_candidate() if reason.norm)

    def _knows_candidates(self) -> bool:
        """Whether the side may know which options are candidates."""
        return self._knows(of for _, of in self.at.choice.among)

    def _knows(self, expressions: Iterable[Expr | None]) -> bool:
        """Whether the side may know these values."""
        sight = self._sight
        if sight is None:
            return True
        lets = walk.written_out(self.at.choice.lets)
        return all(e is None or sight.follows(walk.substitute(e, lets), self.locals) for e in expressions)

    def _against_candidate(self) -> tuple[Reason, ...]:
        """The reasons against an option that is a candidate, or may be one for all that the side knows."""
        sight = self._sight
        if sight is None or all(sight.follows(e, self.locals) for e in choice_expressions(self.at.choice)):
            return self._find_all()
        return self._find_known()

    def _find_all(self) -> tuple[Reason, ...]:
        """The reasons against a candidate by everything that the rules read."""
        choice = self.at.choice
        against = [reason for norm in choice.norms if (reason := self._against(norm)) is not None]
        permits = [norm for norm in choice.norms if norm.word == "permit"]
        if permits and not any(self._try(norm.test) for norm in permits):
            against += [self._missing_permission(norm) for norm in permits]
        return tuple(against) or self._verb_limit() or self._reasons_together()

    def _find_known(self) -> tuple[Reason, ...]:
        """The reasons that read nothing hidden from the side, else one that names none.

        What norms do together is left out: the choice reads something hidden.
        """
        norms = [norm for norm in self.at.choice.norms if self._knows((norm.test, norm.cover, norm.whole))]
        against = tuple(reason for norm in norms if (reason := self._against(norm)) is not None)
        return against or (self._unspoken("not-legal"),)

    def _outside(self) -> Reason | None:
        """The reason why the option is not one of the candidates, if it is none."""
        if self._is_taken():
            return self._unspoken("answered-already")
        outside = self._set_without()
        if outside is None:
            return None
        return self._unspoken("not-candidate", terms=self._why_outside(*outside))

    def _is_taken(self) -> bool:
        """Whether the option cannot be taken once more."""
        return self.option >= 0 and self.option in self._unavailable()

    def _set_without(self) -> tuple[Local, Expr, int] | None:
        """The first set that the option is not in, with its local and the value that is missing."""
        for local, of in self.at.choice.among if self.option >= 0 else ():
            among, value = self._try(of), self.locals.get(local.name, NONE)
            if isinstance(among, tuple):
                among = mask_of(among)
            if isinstance(among, int) and value >= 0 and not among >> value & 1:
                return local, of, value
        return None

    def _why_outside(self, local: Local, of: Expr, value: int) -> tuple[Term, ...]:
        """The terms that keep a value out of a set; none for a number that no member has."""
        kind = local.type
        if isinstance(kind, Member) and value >= self.module.layout.sizes[kind.domain]:
            return ()
        return self._explainer.membership(of, local, self._scope(origins=True), inside=False)

    def _unavailable(self) -> Collection[int]:
        """The options that cannot be taken once more."""
        match self.at.choice.verb:
            case "pick_set" | "arrange":
                return self.at.given
            case "assign_set":
                return list(members(self._own()))
            case _:
                return ()

    def _own(self) -> int:
        """The picks so far, as a set: of `assign` with sets, those of the item asked for."""
        if self.at.choice.verb == "assign_set":
            return self.at.assigned.get(self.at.item, 0) if self.at.item is not None else 0
        return int(self.at.chosen)

    def _scope(self, site: int | None = None, *, origins: bool = False) -> ValueScope:
        """The scope of a norm, or of the verb."""
        choice = self.at.choice
        at = self.module.program.sites[self._verb_site() if site is None else site]
        kind = choice.option.type
        subject = (kind.domain, self.option) if isinstance(kind, Member) else None
        scope = ValueScope(self.locals, at, at.rules, {}, subject)
        known = ValueScope(self.locals, at, at.rules, self._callers() if origins else {}, subject)
        lets = {local.name: (value, known) for local, value in choice.lets if local.name in self.locals}
        return replace(scope, origins={**known.origins, **lets})

    def _callers(self) -> Origins:
        """The origins of the choice's arguments, as far as the side may know them."""
        sight, choice = self._sight, self.at.choice
        free = sight is None or not sight.rules.anything
        origins = Callers(self._machine, self._explainer, frames=free).origins(choice)
        if sight is None or free:
            return origins
        return {name: (e, scope) for name, (e, scope) in origins.items() if sight.follows(e, scope.values)}

    def _verb_limit(self) -> tuple[Reason, ...]:
        """The reason that the verb itself gives: a number out of bounds, too many or too few of something."""
        choice, option = self.at.choice, self.option
        low, high = self._bounds()
        match choice.verb:
            case "number" if low is not None and high is not None and not low <= option <= high:
                return (self._unspoken("number-from-to", low, high),)
            case "share" if isinstance(high, int) and option > high:
                return (self._unspoken("at-most-here", high),)
            case "pick_set" | "assign_set" if option == DONE and isinstance(low, int) and self._picks() < low:
                return (self._unspoken("pick-at-least", low, self._picks()),)
            case "pick_set" | "assign_set" if option >= 0 and isinstance(high, int) and self._picks() >= high:
                return (self._unspoken("pick-at-most", high),)
            case "assign" | "assign_set" if option >= 0 and (reason := self._given_away()) is not None:
                return (reason,)
            case _ if option == NONE and choice.able == "must":
                return (self._unspoken("must-answer"),)
            case _ if option == NONE and choice.able == "if_able":
                return (self._unspoken("declined-if-able"),)
            case _:
                return ()

    def _bounds(self) -> tuple[Any, Any]:
        """The values of the lowest and the highest number of the verb; None where there is none."""
        low, high = (None if e is None else self._try(e) for e in (self.at.choice.low, self.at.choice.high))
        return low, high

    def amount(self) -> Amount:
        """How many things the choice wants."""
        choice = self.at.choice
        if not self._knows((choice.low, choice.high)):
            return Amount(is_known=False)
        low, high = self._bounds()
        return Amount(low if isinstance(low, int) else 0, high if isinstance(high, int) else None)

    def _picks(self) -> int:
        return self._own().bit_count()

    def _given_away(self) -> Reason | None:
        """The reason why a candidate cannot be given once more."""
        choice = self.at.choice
        limit = None if choice.each is None else self._try(choice.each)
        items = [item for item, option in self._pairs() if option == self.option]
        if not isinstance(limit, int) or len(items) < limit or choice.item is None:
            return None
        names = ", ".join(str(self.naming.to_json(choice.item.type, item)) for item in items)
        return self._unspoken("given-already", names, limit) if names else self._unspoken("none-given")

    def _pairs(self) -> list[tuple[int, int]]:
        """The items that have an option, with it; with sets, one pair for each."""
        if self.at.choice.verb != "assign_set":
            return list(self.at.assigned.items())
        return [(item, one) for item, own in self.at.assigned.items() for one in members(own)]

    def _reasons_together(self) -> tuple[Reason, ...]:
        """The norms that rule an answer out only together."""
        at = self.at
        norms = barring(self.module, self.cells, at.choice, at.arguments, at.given, self.option)
        if not norms:
            return (self._unspoken("no-completion"),)
        return tuple(self._reason(norm, "no-completion-under", terms=self._terms(norm)) for norm in norms)

    def _against(self, norm: Norm) -> Reason | None:
        """The reason that a norm gives, if it speaks against the option."""
        if norm.word == "permit" or norm.declining and not self._declines():
            return None
        if norm.cover is not None and norm.whole is None:
            return self._missing_cover(norm)
        if not self._try(norm.test):
            return None
        if norm.whole is not None and self._holds_with_option(norm.whole):
            return None
        key = "forbidden" if norm.word == "forbid" else "required-otherwise"
        return self._reason(norm, key if norm.whole is None else f"{key}-whole", terms=self._terms(norm))

    def _declines(self) -> bool:
        """Whether the option is to answer nothing."""
        return self.option == NONE or self.option == DONE and not self._picks()

    def _terms(self, norm: Norm) -> tuple[Term, ...]:
        """The terms that make a norm speak, and those that keep the answer from making up for it."""
        scope = self._scope(norm.site)
        terms = self._explainer.condition(norm.test, scope, holds=True)
        if norm.whole is not None:
            finished = replace(scope, values={**scope.values, **self._with_option()})
            terms += self._explainer.condition(norm.whole, finished, holds=False)
        return terms

    def _with_option(self) -> dict[str, Any]:
        """The locals of the answer with the option in it."""
        choice, at, option = self.at.choice, self.at, self.option
        if option < 0 or choice.chosen is None:
            return {}
        match choice.verb:
            case "pick_set":
                return {choice.chosen.name: at.chosen | 1 << option}
            case "arrange":
                return {choice.chosen.name: (*at.chosen, option)}
            case "assign" if at.item is not None and choice.assigned is not None:
                assigned = {**at.assigned, at.item: option}
                return {choice.chosen.name: at.chosen | 1 << option, choice.assigned.name: assigned}
            case "assign_set" if at.item is not None and choice.assigned is not None:
                assigned = {**at.assigned, at.item: self._own() | 1 << option}
                return {choice.chosen.name: at.chosen | 1 << option, choice.assigned.name: assigned}
            case "share" if at.item is not None:
                return {choice.chosen.name: {**at.chosen, at.item: option}}
            case _:
                return {}

    def _holds_with_option(self, e: Expr) -> bool:
        try:
            return bool(self._value(e, {**self.locals, **self._with_option()}))
        except Exception:
            return False

    def _missing_permission(self, norm: Norm) -> Reason:
        """A permission that does not hold."""
        terms = self._explainer.condition(norm.test, self._scope(norm.site), holds=False)
        return self._reason(norm, "permits-only-others", terms=terms)

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
        listed = self._explainer.words_of(norm.cover.type, missing)
        return self._reason(
            norm, "only-with", listed, uncovered=tuple(map(str, names)), terms=self._terms(norm)
        )

    def _is_owed(self, norm: Norm) -> bool:
        """Whether an option answered before already needs the cover."""
        choice = self.at.choice
        taken: list[tuple[int | None, int]] = [*self._pairs()]
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

    def _reason(
        self,
        norm: Norm,
        key: str,
        *parts: object,
        uncovered: tuple[str, ...] = (),
        terms: tuple[Term, ...] = (),
    ) -> Reason:
        site, message = self.module.program.sites[norm.site], self._words(key, *parts)
        return Reason(norm.name, norm.word, site, site.rules, message, uncovered, terms, key)

    def _verb_site(self) -> int:
        choice = self.at.choice
        return choice.site if choice.verb_site < 0 else choice.verb_site

    def _unspoken(self, key: str, *parts: object, terms: tuple[Term, ...] = ()) -> Reason:
        """A reason of the choice itself, with the rules of the line that lists its candidates."""
        choice, sites = self.at.choice, self.module.program.sites
        site = sites[self._verb_site()]
        rules = tuple(dict.fromkeys((*site.rules, *sites[choice.site].rules)))
        return Reason("", "", site, rules, self._words(key, *parts), (), terms, key)


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
