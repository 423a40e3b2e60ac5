"""Modifiers by roll: value, condition, stacking and origin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.model.document import (
    Card,
    Head,
    ModifiedRoll,
    Modifiers,
    Runs,
    SheetLine,
    Status,
    TableBlock,
    strong,
    text,
)
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.rules import Modifier, Roll


def modifiers(ctx: Context, names: Sequence[str] = (), title: str = "") -> Modifiers | None:
    """The modifiers of some rolls (and of values that modifiers change); without names, of all of them that
    are on no card."""
    rolls = ctx.compiled.names.rolls
    every = dict.fromkeys((*rolls, *(m.target.text for m in _modifiers_in_time(ctx))))
    targets = names or tuple(name for name in every if name not in ctx.on_cards)
    modified = [roll for name in targets if (roll := _modified_roll(ctx, name)) is not None and roll.lines]
    if not modified:
        return None
    see = tuple(dict.fromkeys(n for roll in modified for n in roll.see))
    return Modifiers(
        Head("modifiers", title or ctx.catalogue("modifiers"), see if len(see) < 7 else ()), tuple(modified)
    )


def card(
    ctx: Context,
    name: str,
    title: str,
    table: TableBlock | None,
    follows: Sequence[str],
    values: Sequence[str] = (),
) -> Card | None:
    """All about one roll; None where it is never made.

    Args:
        title: The card's own; without one, that of the table, or of the roll.
        table: The printed table of its results; its notes are the card's.
        follows: Printed rules on its effect.
        values: Definitions and tables that go into it, whose modifiers count here.
    """
    roll = _modified_roll(ctx, name)
    if roll is None:
        return None
    others = filter(None, (_modified_roll(ctx, value) for value in values))
    roll = replace(roll, lines=(*roll.lines, *(line for other in others for line in other.lines)))
    lines = ctx.lines(id_ for id_ in follows if ctx.is_played(id_) and not ctx.words.is_heading(id_))
    if table is None:
        return Card(Head(f"card:{name}", title or roll.title, roll.see), roll, None, lines)
    see = tuple(dict.fromkeys((*roll.see, *table.head.see)))
    head = Head(f"card:{name}", title or table.head.title, see, table.head.by, notes=table.head.notes)
    return Card(head, roll, table, lines)


def sums(ctx: Context, name: str) -> Mapping[str, int]:
    """Sums of the modifiers of a roll, the nearest to zero, by how they are printed."""
    added = {0}
    for m in (m for m in _modifiers_in_time(ctx) if m.target.text == name):
        if isinstance(m.value, x.Integer) and m.effect in ("add", "subtract"):
            amount = m.value.value if m.effect == "add" else -m.value.value
            added |= {total + amount for total in added}
    if len(added) == 1:
        return {ctx.catalogue("chance"): 0}
    nearest = sorted(sorted(added, key=abs)[:MOST_SUMS])
    return {f"{total:+d}".replace("-", "−") if total else "±0": total for total in nearest}


MOST_SUMS = 4
"""Columns of odds on a card."""


def _modifiers_in_time(ctx: Context) -> Iterator[Modifier]:
    return (m for m in ctx.compiled.names.modifiers.values() if ctx.in_time(m))


def _modified_roll(ctx: Context, name: str) -> ModifiedRoll | None:
    words = ctx.words
    names = ctx.compiled.names
    roll, other = names.rolls.get(name), names.defines.get(name) or names.tables.get(name)
    own = [m for m in _modifiers_in_time(ctx) if m.target.text == name]
    own.sort(key=lambda m: ctx.force.brought_by(m.span) is not None)  # the base first
    item = roll or other
    if item is None or roll is not None and name in ctx.applies.rolls:
        return None
    word = "roll" if roll else "table" if name in names.tables else "define"
    worded = [m for m in own if _is_worded(ctx, m)]
    lines = [line for m in worded for line in (*_before(ctx, m), *_lines(ctx, m, own))]
    if ctx.struck:
        lines += _gone(ctx, name)
    dice = _dice(roll) if roll else ""
    how = _stacking(ctx, roll, own) if roll else ()
    return ModifiedRoll(words.title(word, name), dice, how, words.numbers_cited(item.cite), tuple(lines))


def _dice(roll: Roll) -> str:
    zero = "" if roll.lowest == 1 else f" ({roll.lowest}–{roll.lowest + roll.sides - 1})"
    return f"{'' if roll.dice == 1 else roll.dice}d{roll.sides}{zero}"


def _stacking(ctx: Context, roll: Roll, own: Sequence[Modifier]) -> Runs:
    wording = []
    for stack_class in roll.stacking:
        limits = [
            (ctx.catalogue(key), limit)
            for key, limit in (("at-most", stack_class.most), ("at-least", stack_class.least))
        ]
        words = ctx.catalogue(stack_class.policy, ctx.words.name(stack_class.name.text))
        words += "".join(
            f", {key.format(phrase)}"
            for key, limit in limits
            if limit is not None and (phrase := ctx.words.plain_words(limit))
        )
        wording.append(words)
    if not wording and sum(m.effect in ("add", "subtract") for m in own) > 1:
        wording.append(ctx.catalogue("add"))
    return text(". ".join(wording))


def _lines(ctx: Context, m: Modifier, own: Sequence[Modifier]) -> Iterator[SheetLine]:
    """A modifier, then what options in force do to the definitions that its condition names."""
    force, words = ctx.force, ctx.words
    by = force.tags_at(m.span)
    status: Status = "added" if by else ""
    touched = force.tags_on(("modifier", m.name.text))
    conditions = [c.condition for c in m.clauses if isinstance(c, i.WhenClause | i.UnlessClause)]
    brought = [(v, a) for key in force.asked(*conditions) for v, a in force.touched.get(key, ())]
    if touched:
        status, by = "changed", touched
    cites = (m.cite, *(c.cite for c in m.clauses))
    yield SheetLine(
        title=strong(_value(ctx, m)),
        text=text(_when(ctx, m, own)),
        see=words.numbers_cited(*cites),
        by=by,
        status=status,
    )
    seen: set[str] = set()
    for variant, amendment in brought:
        ids = [id_ for cite in (amendment.cite, variant.cite) for id_ in (cite.ids if cite else ())]
        rule_id = next((id_ for id_ in ids if words.rule(id_)), None)
        if rule_id is not None and rule_id not in seen:
            seen.add(rule_id)
            yield SheetLine(
                title=strong(_value(ctx, m)),
                text=text(words.rule(rule_id)),
                see=(words.number(rule_id),),
                by=(force.tag(variant),),
                status="changed",
            )


def _is_worded(ctx: Context, m: Modifier) -> bool:
    """Return whether the value of a modifier can be said; one that cannot is noted."""
    if m.value is None or ctx.words.own_title("value", m.name.text) or ctx.words.plain_words(m.value):
        return True
    ctx.leave_out(f"value {m.name.text}", ctx.words.source_text(m.value), m.span)
    return False


def _value(ctx: Context, m: Modifier) -> str:
    own = ctx.words.own_title("value", m.name.text)
    if own:
        return own
    words = ctx.words.plain_words(m.value) if m.value is not None else ""
    plain = isinstance(m.value, x.Integer)
    match m.effect:
        case "add" if m.on == "table":
            return f"{words} →"
        case "subtract" if m.on == "table":
            return f"← {words}"
        case "add":
            return f"+{words}" if plain else f"+ {words}"
        case "subtract":
            return f"−{words}" if plain else f"− {words}"
        case "times":
            return ctx.catalogue("doubled", words)
        case "half":
            return ctx.catalogue("halved")
        case "most":
            return ctx.catalogue("at-most", words)
        case "least":
            return ctx.catalogue("at-least", words)
        case _:
            return f"= {words}"


def _when(ctx: Context, m: Modifier, own: Sequence[Modifier]) -> str:
    """When a modifier counts: in the sheet's words, in those of its printed rule, or from its condition."""
    words = ctx.words
    named = words.own_title("modifier", m.name.text)
    if named:
        return named
    ids = m.cite.ids if m.cite else ()
    shared = any(other is not m and other.cite and set(other.cite.ids) & set(ids) for other in own)
    if ids and not shared and words.rule(ids[0]):
        return words.rules(ids)
    wording = []
    for clause in m.clauses:
        match clause:
            case i.WhenClause():
                wording.append(words.plain_words(clause.condition))
            case i.UnlessClause():
                phrase = words.plain_words(clause.condition)
                wording.append(ctx.catalogue("not-if", phrase) if phrase else "")
            case i.SpanClause():
                wording.append(words.plain_words(clause.dates))
            case i.StacksClause() | i.OverClause():
                pass
    name = words.name(m.name.text)
    if not wording:
        return f"{name}: {ctx.catalogue('always')}"
    if not all(wording):  # a part has no plain words: the modifier's name stands for the whole
        ctx.leave_out(f"modifier {m.name.text}", ", ".join(_conditions_as_written(ctx, m)), m.span)
        return name
    return f"{name}: {', '.join(wording)}"


def _conditions_as_written(ctx: Context, m: Modifier) -> Iterator[str]:
    conditions = (c for c in m.clauses if isinstance(c, i.WhenClause | i.UnlessClause))
    return (ctx.words.source_text(clause.condition) for clause in conditions)


def _before(ctx: Context, m: Modifier) -> Iterator[SheetLine]:
    """Yield the modifier that options replaced, struck."""
    old = ctx.compiled.declared.modifiers.get(m.name.text)
    if ctx.struck and old is not None and ctx.force.tags_on(("modifier", m.name.text)):
        was, now = ((_value(ctx, modifier), _when(ctx, modifier, ())) for modifier in (old, m))
        if was != now:
            yield _struck_line(ctx, old)


def _gone(ctx: Context, name: str) -> Iterator[SheetLine]:
    now = ctx.compiled.names.modifiers
    for old in ctx.compiled.declared.modifiers.values():
        if old.target.text == name and old.name.text not in now:
            yield _struck_line(ctx, old)


def _struck_line(ctx: Context, old: Modifier) -> SheetLine:
    return SheetLine(
        title=strong(_value(ctx, old)),
        text=text(_when(ctx, old, ())),
        see=ctx.words.numbers_cited(old.cite),
        by=ctx.force.tags_on(("modifier", old.name.text)),
        status="removed",
    )
