"""Decisions, in the game's own names."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Choice
from rulekit.ir.semantics.records import digits_of, number_of
from rulekit.ir.types import DONE, NONE, Record, Type
from rulekit.runtime.play.answers import LegalAnswer
from rulekit.runtime.play.events import ARROW, item_type, part_name, side_name
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.play.reasons import Position, Reason, Refused, options_without_norms, reasons
from rulekit.runtime.play.seen.sight import Sight
from rulekit.runtime.support.asked import Question


@frozen
class Decision:
    """A choice that waits for an answer.

    Attributes:
        choice: The choice's name.
        side: The side that decides.
        part: The item that the answer is for; None where the part has none.
        legal_answers: All answers that the side may give.
        may_decline: Whether none is one of them.
        rules: The printed rules that the choice cites.
        steps: The phases, segments and steps that are open, outermost first.
        arguments: The arguments of the choice as JSON, by the names of its parameters.
    """

    choice: str
    side: str
    part: str | None
    legal_answers: tuple[LegalAnswer, ...]
    may_decline: bool
    rules: tuple[str, ...]
    steps: tuple[str, ...]
    arguments: Mapping[str, Any] = field(hash=False)


def decision(moment: Moment, asked: Question) -> Decision:
    """The decision that a moment waits for."""
    number, side, item, values = asked
    game = moment.game
    naming, choice = game.naming, game.program.choices[number]
    parts = 0
    if choice.verb == "split":
        parts = max((value for _, value in moment.answers), default=0)
    of_item = item_type(choice)
    part = None if item is None or of_item is None else naming.to_json(of_item, item)
    arguments = {
        param.name: naming.to_json(param.type, value)
        for param, value in zip(choice.params, moment.machine.choosing, strict=True)
    }
    return Decision(
        choice.name,
        side_name(naming, game.program.sides, side),
        None if part is None else str(part),
        game.legal_answers.of_values(number, parts, values),
        NONE in values,
        game.program.sites[choice.site].rules,
        moment.steps(),
        arguments,
    )


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


def value_of(moment: Moment, asked: Question, answer: LegalAnswer | int | str) -> int:
    """The value of an answer, which may be given by its name.

    Raises:
        Refused: Nothing has this name.
    """
    if isinstance(answer, LegalAnswer):
        return answer.value
    return value_named(moment, asked, answer) if isinstance(answer, str) else int(answer)


def why(moment: Moment, answer: LegalAnswer | int | str, sight: Sight | None = None) -> tuple[Reason, ...]:
    """Return what rules out an answer to the open choice, as far as the `sight` of a side goes."""
    asked = moment.machine.asked
    if asked is None:
        return ()
    value = value_of(moment, asked, answer)
    if value in asked[3]:
        return ()
    game = moment.game
    at = position(moment, asked)
    return reasons(moment.machine, game.naming, game.wording, at, value, sight)


def answers_without_norms(moment: Moment) -> tuple[str, ...]:
    """The names of the answers that an open choice with norms would have without them."""
    asked = moment.machine.asked
    if asked is None or not moment.game.program.choices[asked[0]].norms:
        return ()
    values = options_without_norms(moment.game.module, moment.machine.M, position(moment, asked))
    return tuple(name_of(moment, asked, value) for value in values if value >= 0)


def value_named(moment: Moment, asked: Question, name: str) -> int:
    """The value with this name: among the legal answers, or else anything that might be asked.

    Raises:
        Refused: Nothing has this name.
    """
    for answer in decision(moment, asked).legal_answers:
        if answer.name == name:
            return answer.value
    choice = moment.game.program.choices[asked[0]]
    value = _any_value(moment.game, choice, name)
    if value is None:
        raise Refused(f"refused: `{name}` is not an answer to `{choice.name}`")
    return value


def _any_value(game: PreparedGame, choice: Choice, name: str) -> int | None:
    """The value that a name stands for in a choice, legal or not."""
    if name == "none":
        return NONE
    if name == "done":
        return DONE
    if choice.verb == "decide":
        return {"no": 0, "yes": 1}.get(name)
    if choice.verb in ("number", "share", "split"):
        text = name.removeprefix("part ")
        return int(text) if text.isdecimal() and len(text) < 10 else None
    kind = choice.option.type
    if not isinstance(kind, Record):
        return _value_of_type(game, kind, name)
    names = name.split(ARROW)
    if len(names) != len(kind.names):
        return None
    values = [_value_of_type(game, of, one) for of, one in zip(kind.types, names, strict=True)]
    digits = digits_of(kind, game.module.layout.sizes)
    return None if None in values else number_of(digits, values)  # type: ignore[arg-type]


def _value_of_type(game: PreparedGame, kind: Type, name: str) -> int | None:
    """The value of a type that a name stands for; None if there is none."""
    for shown in (int(name) if name.isdecimal() and len(name) < 10 else name, name):
        with suppress(ValueError):
            value = game.naming.read(kind, shown)
            return value if isinstance(value, int) else None
    return None


def name_of(moment: Moment, asked: Question, value: int) -> str:
    """The name of an answer, or its number if it has none."""
    try:
        return part_name(moment.game.naming, moment.game.program.choices[asked[0]], value)
    except (IndexError, ValueError):
        return str(value)
