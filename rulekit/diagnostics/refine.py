"""Findings made ready to be shown: named after their items, with fixes for slips, one for each cause."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from rulekit.base.source import Span
from rulekit.diagnostics.finding import Diagnostic, Edit, Fix, Label
from rulekit.diagnostics.render_text import Lines, TextOf

MOST_QUOTED = 40
"""Characters of the underlined text that serve as names, where a message has none."""
SHORTEST = 4
"""Letters of a name in which one of them may be a slip."""
MOST_PLACES = 8
"""Places of one finding that are shown; the last of them says how many more there are."""
_FARTHEST = 5_000
"""Lines in which the head of an item is looked for."""
_ITEM = re.compile(r"""([a-z]+)(?:[ ]+("[^"]*"|'[^']*'|[^\W\d]\w*))?""")
_OFFERED = re.compile(r"did you mean `([^`]+)`\?")
_PROSE = re.compile(r'"[^"]*"|(^|\s)#.*')
_NAME = re.compile(r"[^\W\d]\w*")


def name_findings(findings: Iterable[Diagnostic], text_of: TextOf) -> Iterator[Diagnostic]:
    """Give each finding without a key one that names its item.

    Where the message names nothing, the underlined text does.  Items begin at the left edge (spec 2.2), so
    the syntax need not be sound.  Findings of a kind that gathers have their cause outside the item, and keep
    the names of their message.
    """
    lines = Lines(text_of)
    for finding in findings:
        if finding.key or finding.kind.gathers or not finding.span.file.endswith(".rules"):
            yield finding
            continue
        item = _item(lines, finding.span)
        if item:
            names = finding.names or (lines.under(finding.span)[:MOST_QUOTED],)
            names = tuple(name for name in names if name != item.partition(" ")[2])
            finding = replace(finding, key=(item, *names))
        yield finding


def _item(lines: Lines, span: Span) -> str:
    """`choice aim` for a place in it; empty above the first item."""
    for number in range(span.line, max(span.line - _FARTHEST, 0), -1):
        if head := _ITEM.match(lines.line(span.file, number) or ""):
            return " ".join(part.strip("\"'") for part in head.groups() if part)
    return ""


# ---------------------------------------------------------------- slips


def with_renamings(
    findings: Iterable[Diagnostic], text_of: TextOf, words: Callable[[], Iterable[str]]
) -> Iterator[Diagnostic]:
    """Add a fix to each unknown name that is certainly a slip: to write the name that the hint offers.

    It is certain where the two are one slip apart, and no third word of the rule set is as near.

    Args:
        words: Returns every word of the rule set; called once, and only if there is such a name.
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
    """Yield every word outside comments and quotes that could be a name; the `taken` ones are keywords."""
    for line in text.split("\n"):
        yield from (word for word in _NAME.findall(_PROSE.sub(" ", line)) if word not in taken)


def slip(wrong: str, meant: str) -> bool:
    """True if two names differ by one letter too many, too few, wrong or swapped, or in capitals and `_`."""
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


# ---------------------------------------------------------------- one finding for each cause


def gather_findings(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Join the findings of one cause into one at the first of its places; the order stays."""
    groups: dict[object, list[Diagnostic]] = {}
    for number, finding in enumerate(findings):
        cause = (finding.id, finding.message) if finding.kind.gathers else number
        groups.setdefault(cause, []).append(finding)
    return tuple(map(_one, groups.values()))


def _one(group: list[Diagnostic]) -> Diagnostic:
    first, *rest = group
    if not rest:
        return first
    more = len(rest) - MOST_PLACES
    labels = [Label(finding.span, "and here") for finding in rest[:MOST_PLACES]]
    if more > 0:
        labels[-1] = replace(labels[-1], text=f"and here, and at {more} more place{'s' if more > 1 else ''}")
    fixes = [finding.fix for finding in group if finding.fix is not None]
    edits = tuple(edit for fix in fixes for edit in fix.edits)
    fix = Fix(fixes[0].title, edits) if len(fixes) == len(group) else None  # all places or none
    return replace(first, labels=(*first.labels, *labels), fix=fix)
