"""A sheet of a compiled rule set: its parts by the settings of the set, or everything it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.base.spelling import meant, suggestion
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ir.missing_tables import name_of
from rulekit.ir.types import month_number, month_text
from rulekit.reports.sheet.blocks import chances
from rulekit.reports.sheet.content.blocks import check_fields, make, report_unknown, rules_of
from rulekit.reports.sheet.content.changes import Force
from rulekit.reports.sheet.content.context import Context, existing
from rulekit.reports.sheet.content.cover import cover
from rulekit.reports.sheet.content.one_side import check_one_side, for_side, is_of_rules
from rulekit.reports.sheet.content.style import faults
from rulekit.reports.sheet.content.translate import lacking, translate_sheet
from rulekit.reports.sheet.content.wording import SheetWords
from rulekit.reports.sheet.model.document import (
    Block,
    Card,
    Foot,
    FormName,
    Part,
    Sheet,
    SheetError,
    SheetLine,
    Side,
    text,
)
from rulekit.reports.sheet.model.messages import Messages
from rulekit.reports.sheet.model.serial import numbers_in
from rulekit.reports.sheet.model.settings import BlockSpec, PartSpec, SheetSettings, read_settings
from rulekit.reports.sheet.model.stray_names import StrayNames
from rulekit.reports.sheet.reachability.applies import applies, scenario_named
from rulekit.ruleset import read_text
from rulekit.syntax.tree.items import Variant

MOST_NAMED = 3
"""Kinds that the foot of a page names; of more, it gives the number."""


@frozen
class Request:
    """The form, scenario, month and side of a sheet.

    Attributes:
        date: A month, `12 * year + month - 1`; only what holds then is on the sheet.
        struck: Show what options removed, struck through.
        version: rulekit's version and the revision, for the margin.
        side: Leave out what only other sides do or have; the name of a side, or empty for all.
    """

    form: FormName = "full"
    scenario: str = ""
    date: int | None = None
    struck: bool = False
    version: str = ""
    side: str = ""


@frozen
class SheetGaps:
    """The gaps of a sheet, and of the search for lines that cannot occur.

    Attributes:
        wordings: Wordings that the language lacks, printed in English, by the parts of a message file.
        wordless: Lines without words in any language, which are left out: as the rules write them, by their
            keys under `names` in the settings.
        not_exact: Questions without an exact answer, which are left out, each with the reason.
        undecided: Whether that search reached its limit, so that every line stays.
    """

    wordings: Mapping[str, Mapping[str, str]]
    wordless: Mapping[str, str]
    not_exact: Mapping[str, str]
    undecided: bool


def sheet_of(
    compiled: Compiled, report: Report, request: Request | None = None, catalogue: Messages | None = None
) -> Sheet:
    """The sheet of a rule set with what is in force.

    Raises:
        RulesError: The set's `sheet.yaml` is not as it should be.
        SheetError: The rules have no calendar, or one without the month that is asked for.
    """
    return _Draft(compiled, report, request or Request(), catalogue or Messages()).sheet()


def sheet_and_gaps(
    compiled: Compiled, report: Report, request: Request | None = None, catalogue: Messages | None = None
) -> tuple[Sheet, SheetGaps]:
    """The same, and what the sheet lacks.

    Raises:
        RulesError: The set's `sheet.yaml` is not as it should be.
        SheetError: The rules have no calendar, or one without the month that is asked for.
    """
    draft = _Draft(compiled, report, request or Request(), catalogue or Messages())
    return draft.sheet(), draft.gaps()


class _Draft:
    """A sheet before wordings of the set in English are translated."""

    def __init__(self, compiled: Compiled, report: Report, request: Request, catalogue: Messages) -> None:
        self._compiled, self._request, self._catalogue = compiled, request, catalogue
        _check_month(compiled, request.date)
        self._settings = settings = read_settings(compiled.rule_set.folder, report)
        report.stop_on_error()
        self._ctx = ctx = _context(compiled, settings, request, catalogue)
        builder = _Builder(ctx, settings, report)
        builder.look_over_sides()
        parts = _distinct(builder.parts(request))
        report.stop_on_error()
        manifest = compiled.rule_set.manifest
        tags = tuple(_option(ctx.force, variant) for variant in ctx.force.options)
        foot = Foot(manifest.edition, tags, request.version, _remark(ctx, request))
        title = settings.title or catalogue("reference")
        self._sheet = Sheet(manifest.title, title, catalogue.language, catalogue.direction, request.form,
                            ctx.sides, foot, parts, catalogue.all(), settings.logo)  # fmt: skip

    def sheet(self) -> Sheet:
        """Return the sheet in its language, for the side that is asked for."""
        sheet = translate_sheet(self._sheet, self._catalogue)
        sheet = replace(sheet, parts=tuple(map(_without_repeated_titles, sheet.parts)))
        side = self._request.side
        return for_side(sheet, _side_named(self._compiled, self._ctx.sides, side)) if side else sheet

    def gaps(self) -> SheetGaps:
        """Return what the sheet lacks."""
        ctx, catalogue = self._ctx, self._catalogue
        wordings: Mapping[str, Mapping[str, str]] = {}
        if catalogue.language.partition("-")[0] != "en":
            wordings = lacking(self._sheet, catalogue, self._settings, self._compiled)
        wordless = {key: left.written for key, left in ctx.left_out.items()}
        return SheetGaps(wordings, wordless, ctx.not_exact, ctx.applies.undecided)


def look_over(compiled: Compiled, stray: StrayNames, report: Report) -> None:
    """Report faults of a set's `sheet.yaml` and unknown names in it, with as few blocks as that takes."""
    settings = read_settings(compiled.rule_set.folder, report)
    if not report.has_errors:
        ctx = _context(compiled, settings, Request(), Messages())
        _Builder(ctx, settings, report).look_over(stray)


def _context(compiled: Compiled, settings: SheetSettings, request: Request, catalogue: Messages) -> Context:
    words = SheetWords(compiled, catalogue, settings.names, settings.short, settings.references)
    applying = applies(compiled, request.scenario, request.date)
    sides = _sides(compiled, words, settings.sides)
    force = Force(compiled, words)
    specs = settings.one_page if request.form == "one-page" and settings.one_page else settings.blocks
    cards = [spec for spec in specs if spec.sort == "card"]
    on_cards = frozenset(name for spec in cards for name in (*spec.what, *spec.lists.get("modifiers", ())))
    of_modifiers = _rules_of_modifiers(compiled, words, on_cards)
    tables = tuple(_tables_of(force, specs))
    tabled = frozenset((*_rules_of_tables(compiled, words, tables), *of_modifiers))
    of_others: frozenset[str] = frozenset()
    if request.side:
        own = _names_of_sides(compiled)[_side_named(compiled, sides, request.side)]
        specs_of_others = (spec for side, spec in settings.one_side.items() if side != own)
        of_others = frozenset(
            id_
            for spec in specs_of_others
            for name in spec.what
            for id_ in ((name,) if is_of_rules(name) else words.rules_selected(name))
        )
    return Context(
        compiled, words, force, catalogue, sides, request.date, request.struck, applying, tabled, on_cards,
        of_others,
    )  # fmt: skip


def _tables_of(force: Force, specs: Sequence[BlockSpec]) -> Iterator[str]:
    """The tables that some blocks print: those they name, and those of options under their option."""
    for spec in specs:
        yield from spec.what if spec.sort == "table" else spec.lists.get("table", ())
    if any(spec.sort == "options" for spec in specs):
        tables = force.compiled.names.tables.items()
        yield from (name for name, table in tables if force.brought_by(table.span) is not None)


def _rules_of_tables(compiled: Compiled, words: SheetWords, names: Iterable[str]) -> Iterator[str]:
    """The printed rules of the kind `table` that some tables say, row by row or as a whole."""
    for name in names:
        table = compiled.names.tables.get(name)
        cites = (table.cite, *(row.cite for row in table.rows)) if table is not None else ()
        for id_ in (id_ for cite in cites if cite is not None for id_ in cite.ids):
            if id_ in words.printed and words.printed[id_].kind == "table":
                yield id_


def _rules_of_modifiers(compiled: Compiled, words: SheetWords, targets: Collection[str]) -> Iterator[str]:
    """The printed rules of the kind `modifier` that the modifiers of some rolls and values say."""
    for modifier in compiled.names.modifiers.values():
        ids = modifier.cite.ids if modifier.cite is not None and modifier.target.text in targets else ()
        yield from (id_ for id_ in ids if id_ in words.printed and words.printed[id_].kind == "modifier")


def _check_month(compiled: Compiled, wanted: int | None) -> None:
    if wanted is None:
        return
    name = compiled.rule_set.manifest.id
    calendars = [*compiled.names.calendars.values()]
    if not calendars:
        raise SheetError(f"the rules of `{name}` have no calendar, so no line depends on a month")
    if not any(calendar.first <= wanted <= calendar.last for calendar in calendars):
        known = f"{month_text(calendars[0].first)} to {month_text(calendars[0].last)}"
        raise SheetError(f"{month_text(wanted)} is not in the calendar of `{name}`, which runs from {known}")


def _option(force: Force, variant: Variant) -> str:
    tag, title = force.tag(variant), force.title(variant)
    number = tag.removeprefix("opt ")
    return title if title.endswith(number) else f"{number} {title}"


def _remark(ctx: Context, request: Request) -> str:
    words = []
    if request.scenario:
        scenario = scenario_named(ctx.compiled.program, request.scenario)
        title = ctx.words.message(scenario.title) if scenario is not None else ""
        words.append(f"{ctx.catalogue('scenario')}: {title or request.scenario}")
    if request.date is not None:
        words.append(ctx.catalogue.month(request.date))
    elif request.scenario:
        words += map(ctx.catalogue.month, ctx.applies.months)
    if made_up := _made_up_words(ctx):
        words.append(made_up)
    return " · ".join(words)


def _sides(compiled: Compiled, words: SheetWords, colours: Mapping[str, str]) -> tuple[Side, ...]:
    """Return the sides, each with letters of its own."""
    members = _names_of_sides(compiled)
    names = list(map(words.name, members))
    length = next((n for n in (1, 2, 3) if len({name[:n].lower() for name in names}) == len(names)), 3)
    return tuple(
        Side(name, name[:length].upper() if length == 1 else name[:length], colours.get(member, ""))
        for name, member in zip(names, members, strict=True)
    )


def _names_of_sides(compiled: Compiled) -> list[str]:
    enum = compiled.names.enums.get(compiled.program.sides)
    return [member.name.text for member in enum.members] if enum else []


def _side_named(compiled: Compiled, sides: Sequence[Side], wanted: str) -> int:
    """Return the number of a side by its name in the rules, or by its title.

    Raises:
        SheetError: There is none of that name.
    """
    names = _names_of_sides(compiled)
    for known in (names, [side.name for side in sides]):
        lower = [name.lower() for name in known]
        if wanted.lower() in lower:
            return lower.index(wanted.lower())
    raise SheetError(f"unknown side `{wanted[:40]}`; {suggestion(wanted, names)}")


class _Builder:
    def __init__(self, ctx: Context, settings: SheetSettings, report: Report) -> None:
        self._ctx, self._settings, self._report = ctx, settings, report

    def parts(self, request: Request) -> tuple[Part, ...]:
        settings = self._settings
        if request.form == "one-page":
            specs = settings.one_page or tuple(w for part in self._part_specs() for w in part.blocks)
            blocks = self._blocks(specs, short=True)
            title = self._ctx.catalogue("one-page")
            return (Part("one-page", title, (), settings.one_page_columns, tuple(blocks)),) if blocks else ()
        all_parts = [self._part(spec) for spec in self._part_specs() if _has(settings, request.form, spec)]
        indexed = (self._with_index(part, all_parts) for part in all_parts)
        parts = tuple(part for part in indexed if part.blocks)
        return (cover(self._ctx, parts), *parts) if request.form == "folder" and parts else parts

    def look_over(self, stray: StrayNames) -> None:
        """Report unknown names in the settings."""
        settings = self._settings
        for spec in self._specs():
            check_fields(self._ctx, spec, partial(self._no_field, spec))
            report_unknown(self._ctx, settings, spec, partial(self._not_there, spec))
        self.look_over_sides()
        named = {key: span for key, span in settings.spans.items() if key in settings.names}
        for finding in stray.findings(named):
            self._report.add(finding)
        for key, left in self._ctx.left_out.items():
            hint = f"cite a printed rule, or write `{key}: ...` under `names` in `sheet.yaml`"
            message = f"`{key}` has no words, so the sheet leaves it out"
            self._report.add(Diagnostic(kinds.SHEET_WITHOUT_WORDS, message, left.span, hint=hint, key=(key,)))
        self._report_style()

    def look_over_sides(self) -> None:
        """Report unknown sides, and unknown names of theirs, under `one_side`."""
        for side, spec in self._settings.one_side.items():
            tell = partial(self._not_there, spec)
            existing(tell, "side", (side,), _names_of_sides(self._ctx.compiled))
            printed = tuple(name for name in spec.what if not is_of_rules(name))
            report_unknown(self._ctx, self._settings, replace(spec, what=printed), tell)
            check_one_side(self._ctx, spec.what, tell)

    def _report_style(self) -> None:
        """Report lines of the sheet that do not read alone: wordings of the settings, and printed rules."""
        settings, words = self._settings, self._ctx.words
        rules = dict.fromkeys(id_ for spec in self._specs() for id_ in rules_of(self._ctx, spec))
        summaries = ((id_, words.printed[id_]) for id_ in rules if id_ not in settings.short)
        lines = [(id_, rule.summary, rule.span) for id_, rule in summaries]
        lines += [(key, text, settings.spans[key]) for key, text in settings.worded if key in settings.spans]
        for key, line, span in lines:
            for fault in faults(line):
                message = f"the wording of `{key}` {fault}"
                hint = "word it under `short` in `sheet.yaml`, as a sentence of its own"
                self._report.add(
                    Diagnostic(kinds.SHEET_STYLE, message, span, hint=hint, key=(key, fault.split(" ")[0]))
                )

    def _specs(self) -> list[BlockSpec]:
        settings = self._settings
        return [*settings.one_page, *settings.blocks, *settings.figures]

    def _part_specs(self) -> tuple[PartSpec, ...]:
        return self._settings.parts or tuple(_default(self._ctx))

    def _part(self, spec: PartSpec) -> Part:
        blocks = tuple(self._blocks(spec.blocks, short=False))
        return Part(spec.id, spec.title, text(spec.lead), spec.columns, blocks, spec.new_page)

    def _blocks(self, specs: Sequence[BlockSpec], *, short: bool) -> Iterator[Block]:
        for spec in specs:
            tell = partial(self._not_there, spec)
            check_fields(self._ctx, spec, partial(self._no_field, spec))
            for block in make(self._ctx, self._settings, spec, tell, short=short):
                yield _apply_spec(self._ctx, block, spec)

    def _elsewhere(self, name: str) -> bool:
        """Return whether an option that is off has this name; the sheet is also for that option."""
        rule_set = self._ctx.compiled.rule_set
        word = re.compile(rf"\b{re.escape(name)}\b")
        for option in rule_set.manifest.options:
            if option.name not in rule_set.options:
                source = read_text(rule_set.folder, f"options/{option.name}.rules", Report())
                if source is not None and word.search(source.text):
                    return True
        return False

    def _no_field(self, spec: BlockSpec, kind: str, name: str, known: Sequence[str]) -> None:
        hint = suggestion(name, known, f"fields: {', '.join(known[:12])}")
        self._report_unknown(spec, name, f"`{kind}` has no field `{name}`", hint)

    def _not_there(self, spec: BlockSpec, what: str, name: str, known: Sequence[str]) -> None:
        self._report_unknown(spec, name, f"unknown {what} `{name}`", meant(name, known), what)

    def _report_unknown(
        self, spec: BlockSpec, name: str, message: str, hint: str | None, what: str = ""
    ) -> None:
        if not self._elsewhere(name):
            span = spec.spans.get(name) or spec.spans.get(f"{what} {name}", spec.span)
            self._report.add(Diagnostic(kinds.SHEET_UNKNOWN_NAME, message, span, hint=hint))

    def _with_index(self, part: Part, parts: Sequence[Part]) -> Part:
        from rulekit.reports.sheet.blocks.lists import index

        if not any(block.head.id == "index" for block in part.blocks):
            return part
        blocks = [block for other in parts for block in other.blocks if block.head.id != "index"]
        index_block = index(
            self._ctx,
            [(self._ctx.words.message(block.head.title), tuple(numbers_in(block))) for block in blocks],
        )
        changed = (index_block if block.head.id == "index" else block for block in part.blocks)
        return replace(part, blocks=tuple(block for block in changed if block is not None))


def _has(settings: SheetSettings, form: FormName, part: PartSpec) -> bool:
    """Return whether a form has a part: all of them, if the settings name none."""
    named = {"folder": settings.folder, "screen": settings.screen}.get(form, ())
    return not named or part.id in named


def _without_repeated_titles(part: Part) -> Part:
    """Return a part whose blocks do not repeat its title, in the language of the sheet."""
    blocks = (
        replace(block, head=replace(block.head, bare=block.head.title == part.title)) for block in part.blocks
    )
    return replace(part, blocks=tuple(blocks))


def _made_up_words(ctx: Context) -> str:
    """Return what is made up, in few words: the names of extern kinds and tables, or how many they are."""
    program = ctx.compiled.program
    kinds, tables = list(map(ctx.words.name, program.made_up)), program.made_up_tables
    counted = len(kinds) > MOST_NAMED, len(tables) > 1
    words = [ctx.catalogue("many-kinds", str(len(kinds)))] if counted[0] else kinds
    if counted[1]:
        words.append(ctx.catalogue("many-tables", str(len(tables))))
    else:
        words += [ctx.words.title("table", name_of(table)) for table in tables]
    return ctx.catalogue("many-made-up", ", ".join(words)) if words else ""


def _apply_spec(ctx: Context, block: Block, spec: BlockSpec) -> Block:
    """Return a block with what its specification says of its head: notes, citations, width, `spare`.

    Those are about the table, not about the questions beside it.
    """
    if block.head.id.startswith(chances.ID):
        return block
    head = block.head
    if any(kind in ctx.compiled.program.made_up for kind in spec.what):
        head = replace(head, notes=(*head.notes, SheetLine(text=text(ctx.catalogue("made-up")))))
    if "notes" in spec.lists:
        head = replace(
            head, notes=(*head.notes, *(SheetLine(text=text(note)) for note in spec.lists["notes"]))
        )
    if "see" in spec.lists:
        head = replace(head, see=spec.lists["see"])
    if "wide" in spec.texts:
        head = replace(head, wide=spec.texts["wide"] == "true")
    if "spare" in spec.texts:
        head = replace(head, spare=True)
    return replace(block, head=head)


def _distinct(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Parts in which no two blocks have the same id."""
    seen: dict[str, int] = {}

    def own(block: Block) -> Block:
        number = seen[block.head.id] = seen.get(block.head.id, 0) + 1
        if number == 1:
            return block
        return replace(block, head=replace(block.head, id=f"{block.head.id}-{number}"))

    return tuple(replace(part, blocks=tuple(own(block) for block in part.blocks)) for part in parts)


def month(words: str) -> int:
    """A month as it is typed, for `Request.date`.

    Raises:
        SheetError: It is none.
    """
    try:
        return month_number(words.capitalize())
    except ValueError:
        raise SheetError(f"invalid month `{words}`; expected, for example, `Jun 1943`") from None


def only(sheet: Sheet, name: str) -> Sheet:
    """Return the sheet with one block (or part) alone.

    Raises:
        SheetError: It has no block or part of that name.
    """
    for part in sheet.parts:
        if part.id == name:
            return replace(sheet, parts=(part,))
        for block in part.blocks:
            for own in _and_inner(block):
                if own.head.id == name:
                    return replace(sheet, parts=(replace(part, blocks=(own,)),))
    known = (*ids(sheet), *(part.id for part in sheet.parts))
    raise SheetError(f"the sheet has no `{name}`; {suggestion(name, known)}")


def ids(sheet: Sheet) -> tuple[str, ...]:
    """Return the ids of its blocks, and of tables inside of them."""
    return tuple(dict.fromkeys(own.head.id for block in sheet.blocks for own in _and_inner(block)))


def _and_inner(block: Block) -> Iterator[Block]:
    yield block
    if isinstance(block, Card) and block.table is not None:
        yield block.table


MOST_COLUMNS = 20
"""Columns of a board that is printed without settings: more do not fit on a page that can be read."""


def _default(ctx: Context) -> Iterator[PartSpec]:
    """Return the parts of a sheet without settings: everything the rule set has."""
    here = Span("sheet.yaml", 1, 1, 1, 1)
    word: Callable[..., str] = ctx.catalogue

    def spec(sort: str, *what: str) -> BlockSpec:
        return BlockSpec(sort, what, here)

    names = ctx.compiled.names
    yield PartSpec("sequence", word("sequence"), "", 2, (spec("sequence"),))
    files = {variant.span.file for variant in ctx.force.options}
    tables = [spec("table", n) for n, t in names.tables.items() if t.rows and t.span.file not in files]
    yield PartSpec(
        "tables", word("tables"), "", 2, (*tables, spec("modifiers"), spec("choices"), spec("tracks"))
    )
    yield PartSpec("options", word("options"), "", 2, (spec("options"),))
    rosters = [spec("roster", n) for n, p in names.populations.items() if p.sort == "piece" and p.source]
    spaces = [spec("fields", n) for n, p in names.populations.items() if p.sort == "space" and p.source]
    grids = ctx.compiled.model.world.boards.items()
    boards = [spec("board", kind) for kind, grid in grids if grid.spots and len(grid.columns) <= MOST_COLUMNS]
    yield PartSpec("pieces", word("pieces"), "", 2, (*boards, *spaces, *rosters))
    if ctx.compiled.declared.errata:
        yield PartSpec("errata", word("errata"), "", 1, (spec("errata"),))
    yield PartSpec("index", word("index"), "", 1, (spec("glossary"), spec("index")))
