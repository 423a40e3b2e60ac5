"""Modified rolls that leave the range of what they are given to: a row that is not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulekit import ir
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.verdicts import Refuted
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.ir.types import Flag, Int, Member, Type

if TYPE_CHECKING:
    from rulekit.analysis.prove.rolls import OutOfRange


WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each use and end of the range, at the modifier that leads there."""
    for judged in rules.rolls:
        if isinstance(judged.verdict, Refuted):
            yield from (_finding(rules.compiled, beyond) for beyond in judged.verdict.evidence)


def _finding(compiled: Compiled, found: OutOfRange) -> Diagnostic:
    sites, point = compiled.program.sites, found.roll.point
    so = f"; for example, when {found.situation.words}" if found.situation.words else ""
    side, bound = ("more", "highest") if found.above else ("less", "lowest")
    message = (
        f"the roll `{point}` can be {side} than {found.end}, the {bound} of {found.use or 'its use'}{so}"
    )
    hint = "give the table an open end, or limit the roll with `at most N` or `at least N`"
    use = sites[found.site]
    first, *more = [sites[modifier.site] for modifier in found.because] or [use]
    given = [] if first is use else [Label(use.span, "given on here")]
    labels = (*given, *(Label(site.span, "") for site in more))
    key = (f"roll {point}", found.use.strip("`"), side)
    return Diagnostic(
        kinds.OFF_THE_TABLE, message, first.span, labels, hint, key=key, example=_example(compiled, found)
    )


def _example(compiled: Compiled, found: OutOfRange) -> str:
    """The situation as an example: the procedure rolls just that, and ends in the fault."""
    from rulekit.analysis.example_witness import verified_example

    roll, values = found.roll, found.situation.arguments
    point = compiled.program.by_name.points[roll.point]
    faces = _faces(point, values.get("rolled"))
    given = [values.get(param.name) or _any(compiled, param.type) for param in found.procedure.params]
    if faces is None or None in given:
        return ""
    call = f"{found.procedure.name}({', '.join(map(str, given))})" if given else found.procedure.name
    lines = [
        *(f"given {line}" for line in found.situation.departures),
        f"when do {call}",
        f"dice {point.name}: {', '.join(map(str, faces))}",
        "then fault",
    ]
    use = found.use.replace("`", "") or "its range"
    return verified_example(compiled.rule_set, f"{point.name} leaves {use}", lines)


def _faces(point: ir.Point, rolled: str | None) -> list[int] | None:
    """Dice that show so much together."""
    high = point.lowest + point.sides - 1
    total = int(rolled) if rolled is not None else point.dice * point.lowest
    faces = [point.lowest] * point.dice
    for number in range(point.dice):
        faces[number] += min(high - point.lowest, max(total - sum(faces), 0))
    return faces if sum(faces) == total else None


def _any(compiled: Compiled, kind: Type) -> str | None:
    """Some value of a type, as it is written; None where there is none that can be."""
    from rulekit.base.language import quoted_name

    if isinstance(kind, Flag):
        return "false"
    if isinstance(kind, Int):
        return str(kind.low)
    if not isinstance(kind, Member):
        return None
    domain = compiled.program.by_name.domains[kind.domain]
    members = compiled.program.by_name.kinds.get(kind.name)
    of = members.members if members is not None else -1
    return next((quoted_name(name) for number, name in enumerate(domain.members) if of >> number & 1), None)
