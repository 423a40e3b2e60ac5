"""The kinds of events in a trace, which speaks of each by its number."""

from __future__ import annotations

from rulekit.base.frozen import frozen
from rulekit.ir.types import Type


@frozen
class EventKind:
    """What a number in a trace stands for.

    `subject` is the state, point, choice, group or step; `fields` name and type the operands that follow
    the number.
    """

    kind: str
    site: int
    subject: str
    fields: tuple[tuple[str, Type], ...]


class EventKinds(list[EventKind]):
    """The kinds of events of one build, by number."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[EventKind, int] = {}

    def number(self, kind: EventKind) -> int:
        """The number of a kind, which is added at its first use."""
        number = self._numbers.get(kind)
        if number is None:
            number = self._numbers[kind] = len(self)
            self.append(kind)
        return number
