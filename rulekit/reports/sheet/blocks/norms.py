"""Choices and their limits: permissions and prohibitions, from the choices or from printed rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.model.document import Head, NormGroup, Norms, SheetLine, Status, text
from rulekit.syntax.tree import items as i

MANY = 6
"""Cases above which a block takes the whole width."""
DENY = ("prohibition",)
"""Kinds of printed rules that are prohibitions."""


def of_rules(
    ctx: Context, groups: Sequence[tuple[str, Sequence[str]]], title: str, may_not: Sequence[str] = ()
) -> Norms | None:
    """Return printed rules by case, permissions on one side and prohibitions on the other.

    Args:
        groups: For each case its title and printed rules, as `Words.selected` knows them.
        may_not: Printed rules that forbid, though their kind does not say so.
    """
    shown = []
    for name, wanted in groups:
        ids = [id_ for selection in wanted for id_ in ctx.words.rules_selected(selection)]
        ids = [id_ for id_ in dict.fromkeys(ids) if ctx.is_played(id_) and not ctx.words.is_heading(id_)]
        denied = [id_ for id_ in ids if ctx.words.printed[id_].kind in DENY or id_ in may_not]
        group = NormGroup(
            name,
            (),
            ctx.lines(id_ for id_ in ids if id_ not in denied),
            ctx.lines(denied),
        )
        if group.may or group.may_not:
            shown.append(group)
    number = _common([line.number for g in shown for line in (*g.may, *g.may_not)])
    head = Head(f"norms:{title}", title or ctx.catalogue("choices"), (number,) if number else ())
    return Norms(head, tuple(shown)) if shown else None


def _common(numbers: Sequence[str]) -> str:
    if not numbers:
        return ""
    first = min(numbers, key=len)
    while first and not all(n == first or n.startswith(first) for n in numbers):
        first = first[:-1].rstrip(".")
    return first.rstrip(".")


def of_choices(ctx: Context, names: Sequence[str] = (), title: str = "") -> Norms | None:
    """The norms of choices, in the words of the printed rules that they cite; of all that have any."""
    choices = ctx.compiled.names.choices
    wanted = names or [name for name, choice in choices.items() if choice.norms]
    asked = (name for name in wanted if name in choices and name not in ctx.applies.choices)
    groups = [_group(ctx, choices[name]) for name in asked]
    shown = tuple(group for group in groups if group.may or group.may_not)
    if not shown:
        return None
    return Norms(Head("norms", title or ctx.catalogue("choices"), wide=len(shown) > MANY), shown)


def _group(ctx: Context, choice: i.Choice) -> NormGroup:
    may: list[SheetLine] = []
    may_not: list[SheetLine] = []
    for norm in choice.norms:
        if ctx.in_time(norm) and ctx.force.exception_at(norm.span) is None:
            (may_not if _denies(ctx, norm) else may).append(_line(ctx, choice.name.text, norm))
    if ctx.struck:
        old = ctx.compiled.declared.choices.get(choice.name.text)
        kept = {norm.span for norm in choice.norms}
        tags = ctx.force.tags_on(("choice", choice.name.text))
        for norm in old.norms if old else ():
            if norm.span not in kept:
                line = _line(ctx, choice.name.text, norm, ("removed", tags))
                (may_not if _denies(ctx, norm) else may).append(line)
    return NormGroup(
        ctx.words.title("choice", choice.name.text),
        ctx.words.numbers_cited(choice.cite),
        tuple(may),
        tuple(may_not),
    )


def _denies(ctx: Context, norm: i.Norm) -> bool:
    """Return whether a norm counts as a prohibition; the kind of the printed rule decides."""
    kinds = [
        rule.kind for id_ in (norm.cite.ids if norm.cite else ()) if (rule := ctx.words.printed.get(id_))
    ]
    if kinds and kinds[0] in ("permission", "obligation", "procedure", "definition", "setup"):
        return False
    return norm.word == "forbid" or bool(kinds) and kinds[0] in DENY


def _condition(ctx: Context, norm: i.Norm) -> str:
    """A norm that nothing words, in the words of its condition; a line that reads alone."""
    parts = [ctx.words.expression_text(norm.condition)]
    for clause in norm.clauses:
        if isinstance(clause, i.WhenClause | i.UnlessClause):
            word = "if" if isinstance(clause, i.WhenClause) else "unless"
            parts.append(ctx.catalogue(word, ctx.words.expression_text(clause.condition)))
    words = " ".join(parts)
    match norm.word:
        case "forbid":
            return ctx.catalogue("not-allowed", words)
        case "require":
            return ctx.catalogue("required", words)
        case "permit":
            return words
        case _:
            assert_never(norm.word)


def _line(
    ctx: Context, choice: str, norm: i.Norm, state: tuple[Status, tuple[str, ...]] | None = None
) -> SheetLine:
    """A norm in the words of the printed rules it cites, or of the sheet (`norm CHOICE.NORM`)."""
    words, tags = ctx.words, ctx.force.tags_at(norm.span)
    status, by = state or ("added" if tags else "", tags)
    ids = norm.cite.ids if norm.cite else ()
    wording = words.rules(ids) or words.own_title(
        "norm", f"{choice}.{norm.name.text if norm.name else norm.word}"
    )
    if not wording:
        wording = _condition(ctx, norm)
    cites = [c.cite for c in norm.clauses if isinstance(c, i.WhenClause | i.UnlessClause)]
    return SheetLine(text=text(wording), see=words.numbers_cited(norm.cite, *cites), status=status, by=by)
