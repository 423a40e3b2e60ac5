"""The style of a line on a sheet: it is read alone, in the middle of a turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 170
"""Characters of a line; a longer one wants a shorter wording under `short`."""
_REPEATED = re.compile(r"^([\w ]{2,24}): *\1\b", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:They|It|He|She|Them)\b")
_NUMBER = re.compile(r"^(?:\d{1,2}[.:)]|[.:]\d)\s")


def faults(words: str) -> Iterator[str]:
    """Yield what makes a line hard to read alone: a clause for each fault."""
    if len(words) > LONGEST:
        yield f"is {len(words)} characters long; a line has at most {LONGEST}"
    if (repeated := _REPEATED.match(words)) is not None:
        yield f"repeats `{repeated[1]}`"
    if (pronoun := _PRONOUN.match(words)) is not None:
        yield f"begins with `{pronoun[0]}`, whose noun is in another line"
    if (number := _NUMBER.match(words)) is not None:
        yield f"begins with the number `{number[0].strip()}`, left over from a list"
