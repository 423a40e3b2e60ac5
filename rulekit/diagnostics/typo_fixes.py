"""Names that nothing declares and that can only be a slip of one other: their fix is to write that one.

Certain is what differs from the name that is offered by one letter too many, too few, wrong or out of place,
or only in capitals and underscores; and where no third word of the whole rule set comes as near.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from rulekit.diagnostics import Diagnostic, Edit, Fix
from rulekit.diagnostics.render_text import Lines, TextOf

SHORTEST = 4
"""Letters of a name in which one of them may be a slip."""
_OFFERED = re.compile(r"did you mean `([^`]+)`\?")
_PROSE = re.compile(r'"[^"]*"|(^|\s)#.*')
_NAME = re.compile(r"[^\W\d]\w*")


def with_renamings(
    findings: Iterable[Diagnostic], text_of: TextOf, words: Callable[[], Iterable[str]]
) -> Iterator[Diagnostic]:
    """The findings, with a fix for each name that is certainly a slip.

    Args:
        words: Gives every word of the rule set; asked for once, and only if there is such a name.
    """
    lines, known = Lines(text_of), None
    for finding in findings:
        offered = _OFFERED.fullmatch(finding.hint or "")
        wrong = lines.under(finding.span)
        if finding.kind.gathers and finding.fix is None and offered and slip(wrong, offered[1]):
            known = frozenset(words()) if known is None else known
            if not any(slip(wrong, word) for word in known - {wrong, offered[1]}):
                title = f"write `{offered[1]}` for `{wrong}`"
                finding = replace(finding, fix=Fix(title, (Edit(finding.span, offered[1]),)))
        yield finding


def words_of(text: str, taken: Collection[str] = ()) -> Iterator[str]:
    """Every word that could be a name.

    Those of comments and of texts in quotes are prose; the `taken` ones are the language's own.
    """
    for line in text.split("\n"):
        yield from (word for word in _NAME.findall(_PROSE.sub(" ", line)) if word not in taken)


def slip(wrong: str, meant: str) -> bool:
    """Whether one name is the other with one slip of the hand."""
    if not (_NAME.fullmatch(wrong) and _NAME.fullmatch(meant)):
        return False
    if wrong.replace("_", "").lower() == meant.replace("_", "").lower():
        return True
    short, long = sorted((wrong, meant), key=len)
    if len(short) < SHORTEST or len(long) - len(short) > 1:
        return False
    same = next((n for n, (one, two) in enumerate(zip(short, long, strict=False)) if one != two), len(short))
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    swapped = short[same + 1 : same + 2] + short[same : same + 1] + short[same + 2 :]
    return short[same + 1 :] == long[same + 1 :] or swapped == long[same:]
