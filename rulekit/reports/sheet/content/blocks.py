"""The makers of blocks, by the sort of block that `sheet.yaml` asks for, and the fields that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.reports.sheet.blocks import (
    chances,
    lists,
    maps,
    modifiers,
    norms,
    outline,
    pieces,
    tables,
    timeline,
)
from rulekit.reports.sheet.blocks.data import fields_of, population
from rulekit.reports.sheet.content.context import Context, Tell, existing
from rulekit.reports.sheet.model.document import Block, Head, List
from rulekit.reports.sheet.model.settings import BlockSpec, SheetSettings

NAMELESS = frozenset(("sequence", "options", "authors", "meeting", "glossary", "index"))
"""Sorts of blocks that report nothing about the names in their specification."""


@frozen
class _Job:
    """One block to make; `short`: for the form on one page; `names_only`: to look for unknown names."""

    ctx: Context
    settings: SheetSettings
    spec: BlockSpec
    tell: Tell
    short: bool
    names_only: bool = False

    def existing(self, what: str, wanted: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
        """Return the names that exist; report the others."""
        return existing(self.tell, what, wanted, known)

    def rules(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """Return the selections of printed rules that select any; report the others."""
        words = self.ctx.words
        for selection in wanted:
            if not words.rules_selected(selection):
                self.tell("printed rule", selection, (*words.printed,))
        return tuple(selection for selection in wanted if words.rules_selected(selection))


Blocks = Iterator[Block | None]


def make(
    ctx: Context, settings: SheetSettings, spec: BlockSpec, tell: Tell, *, short: bool
) -> Iterator[Block]:
    """Make the blocks of a specification: none where nothing of it is in force."""
    for block in MAKERS[spec.sort](_Job(ctx, settings, spec, tell, short)):
        if block is not None:
            yield block


def report_unknown(ctx: Context, settings: SheetSettings, spec: BlockSpec, tell: Tell) -> None:
    """Report unknown names in a specification, making as little of its blocks as that takes."""
    job = _Job(ctx, settings, spec, tell, False, names_only=True)
    if spec.sort in ("rules", "examples", "steps"):
        job.rules((*spec.what, *spec.lists.get("repeat", ())))
    elif spec.sort == "norms":
        for rules in spec.maps.get("groups", {}).values():
            job.rules(rules)
    elif spec.sort not in NAMELESS:
        for _ in MAKERS[spec.sort](job):
            pass


def rules_of(ctx: Context, spec: BlockSpec) -> Iterator[str]:
    """Yield the printed rules that a specification makes lines of, without those that are headings."""
    selections: list[str] = []
    if spec.sort in ("rules", "sequence", "steps"):
        selections += spec.what
    for rules in spec.maps.get("groups", {}).values() if spec.sort == "norms" else ():
        selections += rules
    left = {id_ for selection in spec.lists.get("leave", ()) for id_ in ctx.words.rules_selected(selection)}
    for selection in selections:
        for id_ in ctx.words.rules_selected(selection):
            if id_ not in left and not ctx.words.is_heading(id_):
                yield id_


def _sequence(job: _Job) -> Blocks:
    leave = job.spec.lists.get("leave", ())
    lettered = job.spec.texts.get("numbers") == "letters"
    whole = outline.sequence(job.ctx, job.spec.what, short=job.short, leave=leave, lettered=lettered)
    if whole is not None and job.spec.texts.get("apart") == "true":
        yield from outline.phases(whole)
    else:
        yield whole


def _rules(job: _Job) -> Blocks:
    ids = job.rules(job.spec.what)
    if ids:
        yield lists.rules(job.ctx, ids, job.spec.title, job.spec.lists.get("leave", ()))


def _table(job: _Job) -> Blocks:
    names, spec = job.ctx.compiled.names, job.spec
    odds, roll = spec.odds, spec.texts.get("roll", "")
    if odds:
        job.existing("roll", (roll,), names.rolls)
    for name in job.existing("table", spec.what, (*names.tables, *names.externs)):
        yield tables.table(job.ctx, name, spec.title, roll, odds if roll in names.rolls else {})
    yield from _chances(job)


def _modifiers(job: _Job) -> Blocks:
    names, spec = job.ctx.compiled.names, job.spec
    known = job.existing("roll", spec.what, (*names.rolls, *names.defines))
    if known or not spec.what:
        yield modifiers.modifiers(job.ctx, known, spec.title)


def _card(job: _Job) -> Blocks:
    names, spec = job.ctx.compiled.names, job.spec
    follows = job.rules(spec.lists.get("then", ()))
    ids = [id_ for selection in follows for id_ in job.ctx.words.rules_selected(selection)]
    looked_up = job.existing("table", spec.lists.get("table", ()), (*names.tables, *names.externs))
    changed = job.existing("value", spec.lists.get("modifiers", ()), (*names.defines, *names.tables))
    for roll in job.existing("roll", spec.what, names.rolls):
        table = None
        if looked_up:
            table = tables.table(job.ctx, looked_up[0], "", roll, _odds_on_card(job, roll))
        elif "needs" in spec.texts:
            table = tables.chances_needed(job.ctx, roll, least=spec.texts["needs"] == "at least")
        yield modifiers.card(job.ctx, roll, spec.title, table, ids, changed)
    yield from _chances(job)


def _chances(job: _Job) -> Blocks:
    """Make the chances of the questions that a table or card has."""
    wanted = job.spec.lists.get("questions", ())
    known = job.existing("question", wanted, chances.all_questions(job.ctx)) if wanted else ()
    if known and not job.names_only:
        yield chances.chances(job.ctx, job.spec.what[0], known)


def _odds_on_card(job: _Job, roll: str) -> Mapping[str, int]:
    """Return the columns of chances on a card: those of the settings, or one for each sum of modifiers."""
    if "odds" in job.spec.texts:  # it says `none`: the die alone gives no row of the table
        return {}
    return job.spec.odds or modifiers.sums(job.ctx, roll)


def _norms(job: _Job) -> Blocks:
    spec = job.spec
    groups = [(case, job.rules(rules)) for case, rules in spec.maps.get("groups", {}).items()]
    title = spec.what[0] if spec.what else ""
    yield norms.of_rules(job.ctx, groups, title, spec.lists.get("may_not", ()))


def _matrix(job: _Job) -> Blocks:
    ctx, spec = job.ctx, job.spec
    groups = [
        (case, [_cell_rules(job, rules) for rules in cells])
        for case, cells in spec.maps.get("groups", {}).items()
    ]
    yield norms.matrix(ctx, spec.what[0] if spec.what else "", spec.lists.get("columns", ()), groups)


def _cell_rules(job: _Job, cell: str) -> list[str]:
    """The printed rules of a cell, whose selections are parted by spaces; none for `-`."""
    selections = job.rules([] if cell == "-" else cell.split())
    return [id_ for selection in selections for id_ in job.ctx.words.rules_selected(selection)]


def _steps(job: _Job) -> Blocks:
    ids = job.rules(job.spec.what)
    repeat = job.rules(job.spec.lists.get("repeat", ()))
    if ids:
        yield outline.steps(job.ctx, ids, job.spec.title, repeat)


def _choices(job: _Job) -> Blocks:
    known = job.existing("choice", job.spec.what, job.ctx.compiled.names.choices)
    if known or not job.spec.what:
        yield norms.of_choices(job.ctx, known, job.spec.title)


def _fields(job: _Job) -> Blocks:
    ctx, spec = job.ctx, job.spec
    for kind in job.existing("kind", spec.what, ctx.compiled.names.populations):
        columns = spec.lists.get("columns") or _all_fields(ctx, kind)
        last = ctx.value(spec.texts.get("upto", ""))
        yield tables.fields(ctx, kind, columns, spec.title, spec.texts.get("where", ""), last)


def _all_fields(ctx: Context, kind: str) -> tuple[str, ...]:
    """Return the columns of a population's data that say anything, except the name and the title."""
    data = population(ctx, kind)
    if data is None:
        return ()
    values = [(c, {repr(row.cells[n].plain) for row in data.rows}) for n, c in enumerate(data.columns)]
    return tuple(column for column, of in values[1:] if column != "title" and of - {"None", "()"})


def _options(job: _Job) -> Blocks:
    ctx = job.ctx
    for option, block in lists.options(ctx):
        declared = ctx.compiled.names.tables
        own = [name for name, table in declared.items() if ctx.force.brought_by(table.span) is option]
        if block.lines or block.head.notes or own:  # else the foot, which names the option, says all
            yield block
        yield from _tables_of_option(ctx, own)


def _tables_of_option(ctx: Context, own: Sequence[str]) -> Blocks:
    """Make the tables of an option; tables keyed by months become bars over the years."""
    over_years = tuple(name for name in own if timeline.is_dated(ctx.compiled.names.tables[name]))
    if over_years:
        spec = BlockSpec("timeline", over_years, Span("", 1, 1, 1, 1))
        yield timeline.timeline(ctx, spec, lambda *_: None)
    for name in own:
        if name not in over_years:
            yield tables.table(ctx, name)


def _examples(job: _Job) -> Blocks:
    ids = job.rules(job.spec.what)
    if ids:
        yield lists.examples(job.ctx, ids, job.spec.title)


def _errata(job: _Job) -> Blocks:
    known = job.existing("errata entry", job.spec.what, job.ctx.compiled.declared.errata)
    yield lists.errata(job.ctx, known)


def _index(job: _Job) -> Blocks:
    yield List(Head("index", job.ctx.catalogue("index")), (), True)  # its lines are added last of all


def _map(job: _Job) -> Blocks:
    if job.settings.map is not None:
        yield maps.drawn_map(job.ctx, job.settings.map, job.spec, job.tell)


MAKERS: Mapping[str, Callable[[_Job], Blocks]] = {
    "sequence": _sequence,
    "rules": _rules,
    "table": _table,
    "modifiers": _modifiers,
    "norms": _norms,
    "choices": _choices,
    "fields": _fields,
    "roster": lambda job: iter((pieces.roster(job.ctx, job.spec, job.tell),)),
    "arrivals": lambda job: iter((pieces.arrivals(job.ctx, job.spec, job.tell),)),
    "timeline": lambda job: iter((timeline.timeline(job.ctx, job.spec, job.tell),)),
    "map": _map,
    "board": lambda job: maps.board(job.ctx, job.spec, job.tell),
    "counters": lambda job: iter((pieces.counters(job.ctx, job.spec, job.tell),)),
    "tracks": lambda job: iter((lists.tracks(job.ctx, job.spec),)),
    "options": _options,
    "authors": lambda job: iter((lists.authors(job.ctx),)),
    "meeting": lambda job: iter((lists.meeting(job.ctx),)),
    "examples": _examples,
    "errata": _errata,
    "glossary": lambda job: iter((lists.glossary(job.ctx),)),
    "index": _index,
    "card": _card,
    "steps": _steps,
    "matrix": _matrix,
}
"""One maker for each sort of block that `rulekit.reports.sheet.model.settings.SORTS` lists."""


SORTS = ("fields", "roster", "arrivals", "board", "counters")
"""Sorts of blocks that name fields of kinds."""
_ONE = ("by", "at", "circled", "gone", "home", "type", "number", "borders", "owner")
_SEVERAL = ("factors", "back", "columns", "values")
_KEYS = ("where", "marks", "values", "ticks")
Missing = Callable[[str, str, Sequence[str]], None]
"""Told of a kind, or several, the name of a field that none has, and those that they have."""


def check_fields(ctx: Context, spec: BlockSpec, tell: Missing) -> None:
    """Reports the fields that a specification names and its kinds lack."""
    kinds = [kind for kind in spec.what if kind in ctx.compiled.names.populations]
    if spec.sort not in SORTS or not kinds or "numbers" in spec.texts:
        return
    known: dict[str, None] = {}
    for kind in kinds:
        data = population(ctx, kind)
        known |= dict.fromkeys(data.columns[1:] if data else ())
        known |= dict.fromkeys(fields_of(ctx, kind))
    for name in dict.fromkeys(_field_names(spec)):
        if name not in known:
            tell(kinds[0], name, (*known,))


def _field_names(spec: BlockSpec) -> Iterator[str]:
    for key in _ONE:
        if spec.texts.get(key):
            yield spec.texts[key]
    for key in _SEVERAL:
        yield from (name for name in spec.lists.get(key, ()) if name)
    for key in _KEYS:
        yield from spec.maps.get(key, {})
    if spec.sort == "fields" and spec.texts.get("where"):
        yield spec.texts["where"]
