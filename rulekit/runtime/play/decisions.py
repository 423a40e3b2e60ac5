"""What is asked, in the game's own names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir import Choice
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import NONE
from rulekit.runtime.codegen.choices.parts import DONE
from rulekit.runtime.machine.machine import Question
from rulekit.runtime.play.events import item_type, part_name, side_name
from rulekit.runtime.play.reasons import Position, Refused

if TYPE_CHECKING:
    from rulekit.runtime.play.game import Game
    from rulekit.runtime.play.session import Session


@frozen
class Option:
    """One legal answer to what is asked: its value as the IR has it, and its name."""

    value: int
    name: str


@frozen
class Decision:
    """What is asked now, and of whom.

    Attributes:
        choice: The choice's name.
        side: Who decides.
        part: The item that is asked for; None where the part has none.
        options: All legal answers.
        may_decline: Whether none is one of them.
        rules: The printed rules that the choice cites.
        steps: The phases, segments and steps that are open, outermost first.
        arguments: What the choice is about: its arguments as JSON, by the names of its parameters.
    """

    choice: str
    side: str
    part: str | None
    options: tuple[Option, ...]
    may_decline: bool
    rules: tuple[str, ...]
    steps: tuple[str, ...]
    arguments: Mapping[str, Any] = field(hash=False)


MOST_OPTIONS: Final = 10_000
"""Options of one choice that are remembered."""


class _Named(dict[int, Option]):
    """The options of one choice by value, each made when it is first asked for."""

    def __init__(self, naming: Naming, choice: Choice, parts: int) -> None:
        super().__init__()
        self._naming, self._choice, self._parts = naming, choice, parts

    def __missing__(self, value: int) -> Option:
        if len(self) >= MOST_OPTIONS:
            self.clear()
        found = self[value] = Option(value, part_name(self._naming, self._choice, value, self._parts))
        return found


class Options:
    """The options of one program's choices."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[tuple[int, int], _Named] = {}

    def named(self, choice: int, parts: int, values: tuple[int, ...]) -> tuple[Option, ...]:
        """The options with these values; for `split`, `parts` is how many parts there are."""
        found = self._known.get((choice, parts))
        if found is None:
            found = _Named(self.game.naming, self.game.program.choices[choice], parts)
            self._known[choice, parts] = found
        return tuple(map(found.__getitem__, values))


def decision(session: Session, asked: Question) -> Decision:
    """What a session is asked."""
    number, side, item, values = asked
    game = session.game
    naming, choice = game.naming, game.program.choices[number]
    parts = 0
    if choice.verb == "split":
        parts = max((value for _, value in session.answers), default=0)
    of_item = item_type(choice)
    part = None if item is None or of_item is None else naming.shown(of_item, item)
    arguments = {
        param.name: naming.shown(param.type, value)
        for param, value in zip(choice.params, session.machine.choosing, strict=True)
    }
    return Decision(
        choice.name,
        side_name(naming, game.program.sides, side),
        None if part is None else str(part),
        game.options.named(number, parts, values),
        NONE in values,
        game.program.sites[choice.site].rules,
        session.steps(),
        arguments,
    )


def position(session: Session, asked: Question) -> Position:
    """The open choice as far as it is answered."""
    choice = session.game.program.choices[asked[0]]
    answers = session.answers
    used = [value for _, value in answers if value >= 0]
    assigned = {item: value for item, value in answers if item is not None}
    match choice.verb:
        case "pick_set" | "pick_one" | "assign":
            chosen: Any = sum(1 << value for value in set(used))
        case "share":
            chosen = assigned
        case _:
            chosen = tuple(used)
    given = tuple(value for _, value in answers)
    before = used[-1] if used else NONE
    return Position(choice, session.machine.choosing, asked[2], chosen, assigned, before, given)


def value_named(session: Session, asked: Question, name: str) -> int:
    """The value with this name: among the options, or else anything that might be asked.

    Raises:
        Refused: Nothing has this name.
    """
    for option in decision(session, asked).options:
        if option.name == name:
            return option.value
    choice = session.game.program.choices[asked[0]]
    value = _any_value(session.game, choice, name)
    if value is None:
        raise Refused(f"refused: `{name}` is no answer to `{choice.name}`")
    return value


def _any_value(game: Game, choice: Choice, name: str) -> int | None:
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
    try:
        value = game.naming.read(kind, int(name) if name.isdecimal() and len(name) < 10 else name)
    except ValueError:
        try:
            value = game.naming.read(kind, name)
        except ValueError:
            return None
    return value if isinstance(value, int) else None


def name_of(session: Session, asked: Question, value: int) -> str:
    """What an option is called, if it is one at all."""
    try:
        return part_name(session.game.naming, session.game.program.choices[asked[0]], value)
    except (IndexError, ValueError):
        return str(value)
