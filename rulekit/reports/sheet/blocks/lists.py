"""Lists of printed rules, options in force, errata that are played, tracks, the glossary, the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rulekit.reports.sheet.blocks.compact import without_empty_references
from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.content.wording import plain
from rulekit.reports.sheet.model.document import (
    ColumnKind,
    Head,
    List,
    Run,
    Runs,
    SheetColumn,
    SheetLine,
    SheetRow,
    TableBlock,
    refs,
    strong,
    text,
)
from rulekit.reports.sheet.model.settings import BlockSpec
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.types import RangeType

FEW_ALIKE = 3
"""Lines that say the same of one thing each, from which on they are one."""


def rules(ctx: Context, wanted: Sequence[str], title: str, leave: Sequence[str] = ()) -> List | None:
    """Printed rules in order, in the set's own words."""
    ids = [id_ for name in wanted for id_ in ctx.words.rules_selected(name)]
    left = {id_ for selection in leave for id_ in ctx.words.rules_selected(selection)}
    kept = [
        id_
        for id_ in dict.fromkeys(ids)
        if id_ not in left | ctx.tabled
        and ctx.is_played(id_)
        and not ctx.words.is_heading(id_)
        and ctx.words.rule(id_)
    ]
    if not kept:
        return None
    if ctx.words.references:
        headed = tuple(under_headings(ctx.lines(kept)))
        return List(Head(f"rules:{wanted[0]}", title or ctx.words.rule(wanted[0])), headed, headed=True)
    see = ctx.words.numbers(w for w in wanted if ".." not in w)
    lines = tuple(_alike(ctx.lines(kept)))
    return List(Head(f"rules:{wanted[0]}", title or ctx.words.rule(wanted[0]), see), lines)


def under_headings(lines: Sequence[SheetLine]) -> Iterator[SheetLine]:
    """Lines of which the first under each heading has it as its title, and does not repeat it."""
    heading = ""
    for line in lines:
        new = line.number != heading
        heading = line.number
        yield replace(line, title=strong(heading), text=_without_heading(line.text, heading)) if new else line


def _without_heading(runs: Runs, heading: str) -> Runs:
    """Return text that does not begin with its heading and a colon."""
    if not runs or not runs[0].text.startswith(f"{heading}: "):
        return runs
    words = runs[0].text.removeprefix(f"{heading}: ")
    return (replace(runs[0], text=words[:1].upper() + words[1:]), *runs[1:])


def options(ctx: Context) -> Iterator[tuple[i.Variant, List]]:
    """A block for each option in force with a rule that can occur: rules, author, reason."""
    for variant in ctx.force.options:
        own = ctx.force.own_rules(variant)
        if not own or any(map(ctx.is_played, own)):
            yield variant, _option(ctx, variant)


def _option(ctx: Context, variant: i.Variant) -> List:
    own = tuple(id_ for id_ in ctx.force.own_rules(variant) if ctx.is_played(id_))
    numbers = [ctx.words.number(id_) for id_ in own if ctx.words.rule(id_)]
    chapter = numbers[0].rpartition(".")[0] if numbers else ""
    alike = all(number.rpartition(".")[0] == chapter for number in numbers)
    if not chapter or not alike or numbers[0] == numbers[-1]:
        chapter = ""
    lines = [
        SheetLine(ctx.words.number(id_), text=text(ctx.words.rule(id_)), status="added")
        for id_ in own
        if ctx.words.rule(id_)
        and not ctx.words.is_heading(id_)
        and not (id_ in ctx.tabled and ctx.words.printed[id_].kind == "table")
    ]
    keys = {key for key, _ in ctx.catalogue.all()}
    status = ctx.catalogue(variant.status) if variant.status in keys else plain(variant.status)
    why = (*text(f"{ctx.catalogue('reason')}: "), *text(variant.reason)) if variant.reason else ()
    notes = (SheetLine(text=why),) if why else ()
    see = ctx.words.numbers_cited(variant.cite)
    if chapter:
        see = (f"{numbers[0]} – {numbers[-1].removeprefix(chapter)}",)
    return List(
        Head(f"option:{variant.name.text}", ctx.force.title(variant), see, (ctx.force.tag(variant),), status,
             notes=notes, chapter=chapter),
        tuple(_alike(lines)), True,
    )  # fmt: skip


def authors(ctx: Context) -> TableBlock | None:
    """Whose the options in force are."""
    by_tag: dict[str, list[str]] = {}
    for variant in ctx.force.options:
        by_tag.setdefault(ctx.force.tag(variant), []).append(ctx.force.title(variant))
    columns = _columns(ctx, ("tag", "key"), ("in-force-here", "text"))
    rows = tuple(SheetRow(((Run("tag", tag),), text(" · ".join(titles)))) for tag, titles in by_tag.items())
    return TableBlock(Head("authors", ctx.catalogue("authors")), columns, rows) if rows else None


def _columns(ctx: Context, *heads: tuple[str, ColumnKind]) -> tuple[SheetColumn, ...]:
    """Columns by the keys of their titles."""
    return tuple(SheetColumn(text(ctx.catalogue(key)), kind) for key, kind in heads)


def examples(ctx: Context, wanted: Sequence[str], title: str) -> List | None:
    """Worked examples of printed rules, each with its meaning and its dice."""
    ids = {id_ for name in wanted for id_ in ctx.words.rules_selected(name)}
    lines = []
    for example in ctx.compiled.names.examples.values():
        cited = example.cite.ids if example.cite else ()
        if not ids & set(cited) or not any(map(ctx.is_played, cited)):
            continue
        dice = ((ctx.words.name(roll.text), faces) for roll, faces in example.dice)
        thrown = [f"{roll} {', '.join(map(str, faces))}" for roll, faces in dice]
        words = example.title[:1].upper() + example.title[1:]
        runs: Runs = text(words)
        if thrown:
            runs = (*runs, Run("faint", f" ({'; '.join(thrown)})"))
        by = ctx.force.tags_at(example.span)
        lines.append(
            SheetLine(
                text=runs, see=ctx.words.numbers_cited(example.cite), by=by, status="added" if by else ""
            )
        )
    head = Head(f"examples:{wanted[0]}", title or ctx.catalogue("examples"))
    return List(head, tuple(lines)) if lines else None


def meeting(ctx: Context) -> List | None:
    """Which of the options in force prevails where two reach one point, as they say themselves."""
    options = {variant.name.text: variant for variant in ctx.force.options}
    lines = []
    for variant in options.values():
        for names, key in ((variant.over, "prevails"), (variant.beside, "beside")):
            for other in (options[name.text] for name in names if name.text in options):
                titles = (ctx.force.title(variant), ctx.force.title(other))
                tags = tuple(dict.fromkeys((ctx.force.tag(variant), ctx.force.tag(other))))
                see = ctx.words.numbers_cited(variant.cite)[:1] + ctx.words.numbers_cited(other.cite)[:1]
                lines.append(SheetLine(text=text(ctx.catalogue(key, *titles)), see=see, by=tags))
    return List(Head("meeting", ctx.catalogue("meeting")), tuple(lines)) if lines else None


def errata(ctx: Context, names: Sequence[str] = ()) -> TableBlock | None:
    """List the contradictions of the booklet: the question, what is played, and by whose ruling."""
    rows = []
    for name, entry in ctx.compiled.declared.errata.items():
        if names and name not in names:
            continue
        cites = [cite for _, cite in (*entry.printed, *entry.play)]
        ids = [id_ for cite in (entry.cite, *cites) if cite is not None for id_ in cite.ids]
        if ids and not any(map(ctx.is_played, ids)):
            continue
        played = "; ".join(
            filter(None, (e if isinstance(e, str) else ctx.words.plain_words(e) for e, _ in entry.play))
        )
        see = refs(ctx.words.numbers_cited(entry.cite, *cites))
        title = entry.title or ctx.words.name(name)
        rows.append(SheetRow((strong(title[:1].upper() + title[1:]), text(played), text(entry.reason), see)))
    if not rows:
        return None
    columns = _columns(ctx, ("point", "key"), ("played", "text"), ("why", "text"), ("see", "ref"))
    return TableBlock(Head("errata", ctx.catalogue("errata"), wide=True), columns, tuple(rows))


def tracks(ctx: Context, spec: BlockSpec) -> TableBlock | None:
    """States with a range that something is counted on, with where they begin."""
    rows = []
    for name, store in ctx.compiled.names.stores.items():
        wanted = name in spec.what if spec.what else store.sort == "track"
        if not wanted or not isinstance(store.type, RangeType):
            continue
        begins = (
            ctx.words.plain_words(store.initial) or "–" if store.initial is not None else str(store.type.low)
        )
        see = refs(ctx.words.numbers_cited(store.cite))
        ends = (str(store.type.low).replace("-", "−"), str(store.type.high).replace("-", "−"))
        rows.append(SheetRow((strong(ctx.words.title("track", name)), *map(text, ends), text(begins), see)))
    middle: list[tuple[str, ColumnKind]] = [("from", "number"), ("to", "number"), ("begins", "number")]
    columns = _columns(ctx, ("track", "key"), *middle, ("see", "ref"))
    head = Head("tracks", spec.title or ctx.catalogue("tracks"))
    return without_empty_references(TableBlock(head, columns, tuple(rows))) if rows else None


def glossary(ctx: Context) -> TableBlock | None:
    """The printed rules that define something."""
    rows = []
    for id_, rule in ctx.words.printed.items():
        if rule.kind == "definition" and ctx.is_played(id_) and not ctx.words.is_heading(id_):
            status, by = ctx.force.state_of(id_)
            rows.append(SheetRow((text(ctx.words.rule(id_)), refs((ctx.words.number(id_),))), (), by, status))
    columns = _columns(ctx, ("meaning", "text"), ("see", "ref"))
    return TableBlock(Head("glossary", ctx.catalogue("glossary")), columns, tuple(rows)) if rows else None


def index(ctx: Context, places: Sequence[tuple[str, Sequence[str]]]) -> List | None:
    """Printed numbers with the blocks that contain them; `places` has the numbers by title."""
    titles: dict[str, dict[str, None]] = {}
    for title, numbers in places:
        for number in numbers:
            titles.setdefault(number, {})[title] = None
    ranks = dict(ctx.words.ranks)
    for number, rank in ctx.words.ranks.items():
        for place, sign in enumerate(number):
            if sign == ".":
                ranks.setdefault(number[:place], rank)  # a chapter comes with the first of its rules
    ordered = sorted(titles, key=lambda n: ranks.get(n, len(ranks)))
    lines = [SheetLine(n, text=_with_commas(titles[n])) for n in ordered]
    return List(Head("index", ctx.catalogue("index")), tuple(_merge_numbers(lines)), True) if lines else None


def _with_commas(titles: Iterable[str]) -> Runs:
    """Titles in a row, each a run of its own, behind which a page may be printed."""
    return tuple(Run("text", part) for title in titles for part in (", ", title))[1:]


def _alike(lines: Sequence[SheetLine]) -> Iterator[SheetLine]:
    """Lines in a row that say the same of one thing each, `Kure: 2-4-10`, as one line of all these things."""
    held: list[tuple[SheetLine, str, str]] = []
    for line in (*lines, None):
        words = "".join(run.text for run in line.text) if line is not None else ""
        thing, colon, rest = words.partition(": ")
        if held and (line is None or not colon or rest != held[0][2] or line.by != held[0][0].by):
            if len(held) < FEW_ALIKE:
                yield from (line for line, _, _ in held)
            else:
                first, last = held[0][0], held[-1][0]
                things = ", ".join(thing for _, thing, _ in held)
                number = f"{first.number}–{last.number}"
                yield replace(first, number=number, text=text(f"{things}: {held[0][2]}"))
            held = []
        if line is not None and colon and rest:
            held.append((line, thing, rest))
        elif line is not None:
            yield line


def _merge_numbers(lines: Sequence[SheetLine]) -> Iterator[SheetLine]:
    """Consecutive numbers in the same blocks, as one line."""
    held: list[SheetLine] = []
    for line in (*lines, None):
        if held and (line is None or line.text != held[0].text):
            number = held[0].number if len(held) == 1 else f"{held[0].number}–{held[-1].number}"
            yield SheetLine(number, text=held[0].text)
            held = []
        if line is not None:
            held.append(line)
