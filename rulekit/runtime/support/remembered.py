"""Results of functions that depend on nothing but their arguments, kept when they first come up.

A function of few arguments has a table before play.  One of many, such as how far two hexes are apart, would
make a table that costs more than a game asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

MOST_REMEMBERED: Final = 1 << 16
"""Results of one function that are kept."""


class Remembered(dict[int, Any]):
    """Results by the arguments as digits of one number, the first argument the highest.

    Args:
        sizes: For each argument after the first, one more than its highest value.
    """

    __slots__ = ("_function", "_sizes")

    def __init__(self, function: Callable[..., Any], sizes: Sequence[int]) -> None:
        super().__init__()
        self._function, self._sizes = function, sizes[::-1]

    def __missing__(self, number: int) -> Any:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        rest, arguments = number, []
        for size in self._sizes:
            rest, argument = divmod(rest, size)
            arguments.append(argument)
        result = self[number] = self._function(rest, *reversed(arguments))
        return result
