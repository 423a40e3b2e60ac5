"""Choices and their limits: permissions, duties and bans, from the choices or from printed rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.content.moods import mood_of, mood_of_norm
from rulekit.reports.sheet.model.document import (
    Head,
    Mood,
    NormGroup,
    Norms,
    Run,
    Runs,
    SheetColumn,
    SheetLine,
    SheetRow,
    Status,
    TableBlock,
    strong,
    text,
)
from rulekit.syntax.tree import items as i

MANY = 6
"""Cases above which a block takes the whole width."""
DENY = ("prohibition",)
"""Kinds of printed rules that are prohibitions."""
LIMITS: tuple[Mood, ...] = ("only", "not")
"""Moods of lines that take something away."""


def of_rules(
    ctx: Context, groups: Sequence[tuple[str, Sequence[str]]], title: str, may_not: Sequence[str] = ()
) -> Norms | None:
    """Return printed rules by case: permissions and duties on one side, their limits on the other.

    Args:
        groups: For each case its title and printed rules, as `Words.selected` knows them.
        may_not: Printed rules that forbid, though their kind does not say so.
    """
    shown = []
    for name, wanted in groups:
        ids = [id_ for selection in wanted for id_ in ctx.words.rules_selected(selection)]
        ids = [id_ for id_ in dict.fromkeys(ids) if ctx.is_played(id_) and not ctx.words.is_heading(id_)]
        lines = [
            replace(line, mood=_mood_of_rule(ctx, id_, may_not)) for id_ in ids for line in ctx.lines((id_,))
        ]
        if lines:
            shown.append(_group_of(name, (), lines))
    number = _common([line.number for group in shown for line in group.lines])
    head = Head(f"norms:{title}", title or ctx.catalogue("choices"), (number,) if number else ())
    return Norms(head, tuple(shown)) if shown else None


def matrix(
    ctx: Context, title: str, columns: Sequence[str], groups: Sequence[tuple[str, Sequence[Sequence[str]]]]
) -> TableBlock | None:
    """Return restrictions case by action: in each cell the signs and words of its printed rules.

    Args:
        groups: For each case its title and, for each column, printed rules.
    """
    rows = []
    for name, cells in groups:
        shown = tuple(_matrix_cell(ctx, ids) for ids in cells)
        shown += ((),) * (len(columns) - len(shown))
        if any(shown):
            rows.append(SheetRow((strong(name), *(cell or text("–") for cell in shown[: len(columns)]))))
    if not rows:
        return None
    heads = [
        SheetColumn(text(ctx.catalogue("case")), "key"),
        *(SheetColumn(text(c), "text") for c in columns),
    ]
    see = ctx.words.numbers([id_ for _, cells in groups for ids in cells for id_ in ids])
    head = Head(f"matrix:{title}", title, see if ctx.words.references else ())
    return TableBlock(head, tuple(heads), tuple(rows))


def _matrix_cell(ctx: Context, ids: Sequence[str]) -> Runs:
    """The signs and words of printed rules; `cell RULE` in the settings words one in fewer words.

    Headings of a booklet without numbers are left to the head of the matrix.
    """
    runs: Runs = ()
    for id_ in (id_ for id_ in dict.fromkeys(ids) if ctx.is_played(id_) and ctx.words.rule(id_)):
        number, kind = ctx.words.number(id_), ctx.words.printed[id_].kind
        words = ctx.words.own_title("cell", id_) or ctx.words.rule(id_)
        english = ctx.words.english_title("cell", id_) or ctx.words.english(id_)
        mood = mood_of(english, kind, limits=kind in DENY)
        between = text(" · ") if runs else ()
        sign = (Run("mood", mood), *text(" ")) if mood else ()
        reference = () if ctx.words.references else (*text(" "), Run("ref", number))
        runs = (*runs, *between, *sign, *text(words), *reference)
    return runs


def _mood_of_rule(ctx: Context, id_: str, may_not: Sequence[str]) -> Mood:
    kind = ctx.words.printed[id_].kind
    return mood_of(ctx.words.english(id_), kind, limits=kind in DENY or id_ in may_not)


def _group_of(title: str, see: tuple[str, ...], lines: Iterable[SheetLine]) -> NormGroup:
    """Lines by their mood; those of the same words are one, with the numbers of all."""
    alike: dict[tuple[object, ...], SheetLine] = {}
    for line in lines:
        key = (line.text, line.mood, line.status)
        known = alike.get(key)
        if known is not None:
            numbers = dict.fromkeys((*known.see, *line.numbers))
            numbers.pop(known.number, None)
            line = replace(known, see=tuple(numbers))
        alike[key] = line
    kept = tuple(alike.values())
    allowed = tuple(line for line in kept if line.mood not in LIMITS)
    return NormGroup(title, see, allowed, tuple(line for line in kept if line.mood in LIMITS))


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
    left = {*ctx.applies.choices, *(name for name in choices if f"choice {name}" in ctx.of_others)}
    asked = (name for name in wanted if name in choices and name not in left)
    groups = [_group(ctx, choices[name]) for name in asked]
    shown = tuple(group for group in groups if group.lines)
    if not shown:
        return None
    return Norms(Head("norms", title or ctx.catalogue("choices"), wide=len(shown) > MANY), shown)


def _group(ctx: Context, choice: i.Choice) -> NormGroup:
    name = choice.name.text
    norms = [norm for norm in choice.norms if ctx.in_time(norm) and ctx.force.exception_at(norm.span) is None]
    lines = [_line(ctx, name, norm) for norm in norms]
    if ctx.struck:
        old = ctx.compiled.declared.choices.get(name)
        kept = {norm.span for norm in choice.norms}
        tags = ctx.force.tags_on(("choice", name))
        lines += [
            _line(ctx, name, norm, ("removed", tags))
            for norm in (old.norms if old else ())
            if norm.span not in kept
        ]
    worded = [line for line in lines if line is not None]
    return _group_of(ctx.words.title("choice", name), ctx.words.numbers_cited(choice.cite), worded)


def _line(
    ctx: Context, choice: str, norm: i.Norm, state: tuple[Status, tuple[str, ...]] | None = None
) -> SheetLine | None:
    """A norm in the words of the printed rules it cites, or of the sheet (`norm CHOICE.NORM`).

    One that nothing words, and whose condition has no plain words, is left out and noted.
    """
    words, tags = ctx.words, ctx.force.tags_at(norm.span)
    status, by = state or ("added" if tags else "", tags)
    ids = norm.cite.ids if norm.cite else ()
    key = f"{choice}.{norm.name.text if norm.name else norm.word}"
    if f"norm {key}" in ctx.of_others:
        return None
    wording = words.rules(ids) or words.own_title("norm", key)
    kinds = [words.printed[id_].kind for id_ in ids if id_ in words.printed]
    kind = kinds[0] if kinds else ""
    spoken = " ".join(filter(None, map(words.english, ids))) or wording
    limits = norm.word == "forbid" and kind not in (
        "permission",
        "obligation",
        "procedure",
        "definition",
        "setup",
    )
    mood = mood_of(spoken, kind, limits=limits or kind in DENY)
    if not wording:
        wording, mood = _condition(ctx, norm), mood_of_norm(norm.word)
    if not wording:
        ctx.leave_out(f"norm {key}", words.source_text(norm.condition), norm.span)
        return None
    cites = [c.cite for c in norm.clauses if isinstance(c, i.WhenClause | i.UnlessClause)]
    see = words.numbers_cited(norm.cite, *cites)
    return SheetLine(text=text(wording), see=see, status=status, by=by, mood=mood)


def _condition(ctx: Context, norm: i.Norm) -> str:
    """A norm that nothing words, in the words of its condition, which read alone; empty if it has none."""
    parts = [ctx.words.plain_words(norm.condition)]
    for clause in norm.clauses:
        if isinstance(clause, i.WhenClause | i.UnlessClause):
            word = "if" if isinstance(clause, i.WhenClause) else "unless"
            phrase = ctx.words.plain_words(clause.condition)
            parts.append(ctx.catalogue(word, phrase) if phrase else "")
    if not all(parts):
        return ""
    key = {"forbid": "not-allowed", "require": "required"}.get(norm.word, "")
    return ctx.catalogue(key, " ".join(parts)) if key else " ".join(parts)
