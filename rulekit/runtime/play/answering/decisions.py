"""Decisions, in the game's own names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.base.spelling import nearest
from rulekit.ir import Choice, Param
from rulekit.ir.types import NONE, Optional
from rulekit.runtime.play.answering.answers import LegalAnswer
from rulekit.runtime.play.answering.chance_questions import (
    CHANCE,
    ChanceAsked,
    chance_asked,
    domain_of_chance,
    is_chance,
    point_of,
    read_outcome,
)
from rulekit.runtime.play.answering.reasons import (
    Amount,
    Position,
    Reason,
    Refused,
    amount,
    options_without_norms,
    reasons,
)
from rulekit.runtime.play.answering.spelling import NEW_PART, SEVERAL, meant_part, part_name
from rulekit.runtime.play.events import side_name
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.play.seen.sight import Sight
from rulekit.runtime.support.asked import Question

MOST_NAMED: Final = 8
"""Legal answers that a refusal lists."""

MOST_COMPARED: Final = 2_000
"""Legal answers of which a refusal finds the one most like an unknown name."""

AnyAnswer = LegalAnswer | int | str | Mapping[str, Any] | Sequence[Any] | None
"""An answer, its value, its name, or the JSON of logs: true, null for none, a record as an object."""


@frozen
class Decision:
    """A choice that waits for an answer; or a roll, draw or order, in a session that asks for chance.

    Attributes:
        choice: The choice's name; of chance, that of the roll, draw or shuffle.
        side: The side that decides; of chance, `chance`.
        part: The item that the answer is for; None where the part has none.
        legal_answers: All answers that the side may give; of chance none, if there are more than 1,000.
        may_decline: Whether none is one of them.
        rules: The printed rules that the choice cites.
        steps: The phases, segments and steps that are open, outermost first.
        arguments: The arguments of the choice as JSON, by the names of its parameters.
        verb: The form of the choice: `pick_one`, `pick_set`, `assign`, `decide` and so on; or `chance`.
        domain: The type of an answer: the domain of the members that may be picked, `0..3`, `flag`.
        so_far: The parts of the open choice that are answered, as a log has them: `item` and `value`.
        chance: The kind of chance, its things, and the weights of the answers; None if a side decides.
    """

    choice: str
    side: str
    part: str | None
    legal_answers: tuple[LegalAnswer, ...]
    may_decline: bool
    rules: tuple[str, ...]
    steps: tuple[str, ...]
    arguments: Mapping[str, Any] = field(hash=False)
    verb: str = ""
    domain: str = ""
    so_far: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    chance: ChanceAsked | None = None


def decision(moment: Moment, asked: Question) -> Decision:
    """The decision that a moment waits for."""
    if is_chance(asked):
        return _of_chance(moment, asked)
    number, side, item, values = asked
    game = moment.game
    naming, choice = game.naming, game.program.choices[number]
    of_item = choice.item_type
    part = None if item is None or of_item is None else naming.to_json(of_item, item)
    return Decision(
        choice.name,
        side_name(naming, game.program.sides, side),
        None if part is None else str(part),
        game.legal_answers.of_values(number, parts_so_far(moment), values),
        NONE in values,
        game.program.sites[choice.site].rules,
        moment.steps(),
        _arguments(moment, choice.params),
        choice.verb,
        domain_of(choice),
        tuple(_so_far(moment, number)),
    )


def _of_chance(moment: Moment, asked: Question) -> Decision:
    """The decision of chance that a moment waits for."""
    point, (what, answers) = point_of(moment, asked), chance_asked(moment, asked)
    label = moment.label(moment.machine.stack[-1])
    site = point.site if label is None else label.site
    return Decision(
        point.name,
        CHANCE,
        None,
        answers,
        False,
        moment.game.program.sites[site].rules,
        moment.steps(),
        _arguments(moment, point.params),
        CHANCE,
        domain_of_chance(moment, asked),
        chance=what,
    )


def _arguments(moment: Moment, params: Sequence[Param]) -> dict[str, Any]:
    """The arguments of what is asked, by parameter."""
    naming, given = moment.game.naming, moment.machine.choosing
    return {param.name: naming.to_json(param.type, value) for param, value in zip(params, given, strict=True)}


def domain_of(choice: Choice) -> str:
    """The type of an answer to a choice, in words of the rules."""
    kind = choice.option.type
    return str(kind.of if isinstance(kind, Optional) else kind)


def _so_far(moment: Moment, choice: int) -> Iterator[Mapping[str, Any]]:
    """The parts of the open choice that are answered, as a log has them, without its name."""
    for item, value in moment.answers:
        entry = moment.game.answer_codec.to_json(choice, item, value)
        del entry["choice"]
        yield entry


def parts_so_far(moment: Moment) -> int:
    """How many parts the open choice has, if it is a split; else none."""
    if moment.choice is None or moment.choice.verb != "split":
        return 0
    return max((value for _, value in moment.answers), default=0)


def position(moment: Moment, asked: Question) -> Position:
    """The open choice as far as it is answered."""
    choice = moment.game.program.choices[asked[0]]
    answers = moment.answers
    used = [value for _, value in answers if value >= 0]
    assigned = {item: value for item, value in answers if item is not None}
    if choice.verb == "assign_set":
        assigned = {
            item: sum(1 << value for other, value in answers if other == item and value >= 0)
            for item in assigned
        }
    match choice.verb:
        case "pick_set" | "pick_one" | "assign" | "assign_set":
            chosen: Any = sum(1 << value for value in set(used))
        case "share":
            chosen = assigned
        case _:
            chosen = tuple(used)
    given = tuple(value for _, value in answers)
    before = used[-1] if used else NONE
    return Position(choice, moment.machine.choosing, asked[2], chosen, assigned, before, given)


def legal_value(moment: Moment, answer: AnyAnswer) -> tuple[Question, Any]:
    """The open question and the value of a legal answer to it.

    Raises:
        Refused: The answer is not legal, or there is no question.
    """
    asked = moment.machine.asked
    if asked is None:
        raise Refused("the game is over")
    value = value_of(moment, asked, answer)
    if is_chance(asked) or value in asked[3]:
        return asked, value
    legal = _near(moment, asked)
    raise Refused(
        f"refused: {name_of(moment, asked, value)} is not a legal answer{_choose_from(legal)}",
        why(moment, value),
        legal,
    )


def value_of(moment: Moment, asked: Question, answer: AnyAnswer) -> Any:
    """The value of an answer, which may be given by its name or as JSON; of chance, one of the outcomes.

    Raises:
        Refused: It is none to this choice, legal or not.
    """
    if is_chance(asked):
        try:
            return read_outcome(moment, asked, answer)
        except ValueError as unknown:
            raise Refused(f"refused: {unknown}") from unknown
    if isinstance(answer, LegalAnswer):
        return answer.value
    if isinstance(answer, int):
        return int(answer)
    number, _, _, values = asked
    choice = moment.game.program.choices[number]
    if choice.verb == "split" and answer == NEW_PART:
        return int(max(values))
    try:
        return meant_part(moment.game.naming, choice, answer)
    except ValueError as unknown:
        legal = _near(moment, asked, str(answer))
        hint = f"; did you mean `{legal[0]}`?" if len(legal) == 1 else _choose_from(legal)
        message = f"refused: `{str(answer)[:60]}` is not an answer to `{choice.name}`{hint}"
        raise Refused(message, legal=legal) from unknown


def _near(moment: Moment, asked: Question, name: str = "") -> tuple[str, ...]:
    """The names of legal answers for a refusal: the one most like a name, else all if they are few."""
    values = asked[3]
    if name and len(values) <= MOST_COMPARED:
        known = tuple(name_of(moment, asked, value) for value in values)
        if near := nearest(name, known):
            return tuple(near)
    return tuple(name_of(moment, asked, value) for value in values) if len(values) <= MOST_NAMED else ()


def _choose_from(legal: tuple[str, ...]) -> str:
    return f"; choose from {', '.join(legal)}" if legal else ""


def why(
    moment: Moment,
    answer: AnyAnswer,
    sight: Sight | None = None,
    language: str = "en",
    *,
    norms_only: bool = False,
) -> tuple[Reason, ...]:
    """Return what rules out an answer to the open choice, as far as the `sight` of a side goes."""
    asked = moment.machine.asked
    if asked is None:
        return ()
    value = value_of(moment, asked, answer)
    if is_chance(asked) or value in asked[3]:
        return ()
    game = moment.game
    at = position(moment, asked)
    wording = game.wording_in(language)
    return reasons(moment.machine, game.naming, wording, at, value, sight, norms_only=norms_only)


def amount_of(moment: Moment, sight: Sight | None = None) -> Amount | None:
    """How many things an open choice of several wants, as far as a sight goes; None of any other choice."""
    asked, choice = moment.machine.asked, moment.choice
    if asked is None or choice is None or choice.verb not in SEVERAL:
        return None
    game = moment.game
    return amount(moment.machine, game.naming, game.wording_in("en"), position(moment, asked), sight)


def answers_without_norms(moment: Moment) -> tuple[str, ...]:
    """The names of the answers that an open choice with norms would have without them."""
    asked = moment.machine.asked
    if asked is None or moment.choice is None or not moment.choice.norms:
        return ()
    values = options_without_norms(moment.game.module, moment.machine.M, position(moment, asked))
    return tuple(name_of(moment, asked, value) for value in values if value >= 0)


def name_of(moment: Moment, asked: Question, value: int) -> str:
    """The name of an answer, or its number if it has none."""
    try:
        return part_name(moment.game.naming, moment.game.program.choices[asked[0]], value)
    except (IndexError, ValueError):
        return str(value)
