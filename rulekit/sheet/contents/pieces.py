"""Pieces: rosters, and arrivals by turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulekit.sheet.context import Context
from rulekit.sheet.document import Block
from rulekit.sheet.settings import Wish

Tell = Callable[[str, str, Sequence[str]], None]


def blocks(ctx: Context, wish: Wish, tell: Tell) -> Iterator[Block | None]:
    """The blocks of a wish for pieces."""
    yield from ()
