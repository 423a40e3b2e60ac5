"""The sequence of play: phases, steps and the printed rules that they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, product
from string import ascii_uppercase

from rulekit.ir.types import Member
from rulekit.reports.sheet.blocks.lists import under_headings
from rulekit.reports.sheet.content.changes import Key
from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.content.walk import SequenceEntry, Walk, order, together
from rulekit.reports.sheet.model.document import (
    Head,
    LineGroup,
    Outline,
    SheetLine,
    Status,
    Who,
    strong,
    text,
)
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import citations, nodes


def sequence(
    ctx: Context,
    chapters: Sequence[str],
    *,
    short: bool = False,
    leave: Sequence[str] = (),
    lettered: bool = False,
) -> Outline | None:
    """The sequence of play of a rule set; None where it has none, or one without steps.

    Args:
        chapters: Printed rules whose parts are lines of their own; without them those the sequence cites.
        short: Titles alone, where there are any.
        leave: Printed rules of exceptions that are left to another place.
        lettered: Give phases a letter, and lines without a printed number one of their own (`C4`).
    """
    manifest = ctx.compiled.rule_set.manifest
    if manifest.sequence is None:
        return None
    name = manifest.sequence.name
    procedure = ctx.compiled.names.procedures[name]
    wanted = chapters or tuple(id_ for id_ in (procedure.cite.ids if procedure.cite else ())[:1])
    chapter = [
        id_ for selection in wanted for id_ in ctx.words.rules_selected(selection) if id_ not in wanted
    ]
    walked = Walk(ctx.force, chapter, ctx.side_kind, ctx.applies).sequence(name)
    entries = [
        entry for entry in walked
        if not (ctx.applies.later and _is_set_up(ctx, entry)) and not _is_idle(ctx, entry)
    ]  # fmt: skip
    if not entries:
        return None
    left = [id_ for selection in leave for id_ in ctx.words.rules_selected(selection)]
    outline = _Maker(ctx, chapter, entries, short, left).outline(wanted)
    return replace(outline, groups=tuple(_with_letters(outline.groups))) if lettered else outline


def phases(outline: Outline) -> Iterator[Outline]:
    """Each phase of a sequence as a block of its own, so that they fill columns."""
    for place, group in enumerate(outline.groups):
        title = " ".join(filter(None, (group.number, group.title or outline.head.title)))
        head = replace(outline.head, id=f"sequence-{place + 1}", title=title, see=(), lead=(), wide=False)
        if place == 0:
            head = replace(head, see=outline.head.see, lead=outline.head.lead)
        lines = replace(group, number="", title="")
        yield replace(outline, head=head, groups=(lines,))


def steps(ctx: Context, wanted: Sequence[str], title: str, repeat: Sequence[str] = ()) -> Outline | None:
    """A procedure as a box: printed rules in order, with who acts and what is rolled; None if none is played.

    A rule that the sequence of play does not meet by itself belongs to the one before it, and so does one
    that leaves nobody a decision; at the beginning they belong to the one after them.

    Args:
        repeat: Printed rules that repeat; without them, those inside loops of the rules.
    """
    words, manifest = ctx.words, ctx.compiled.rule_set.manifest
    selected = dict.fromkeys(id_ for name in wanted for id_ in words.rules_selected(name))
    ids = [id_ for id_ in selected if ctx.is_played(id_) and not words.is_heading(id_) and words.rule(id_)]
    if not ids:
        return None
    walked: dict[str, SequenceEntry] = {}
    if manifest.sequence is not None:
        walk = Walk(ctx.force, ids, ctx.side_kind, ctx.applies).sequence(manifest.sequence.name)
        walked = {entry.key: entry for entry in walk}
    repeated = {id_ for name in repeat for id_ in words.rules_selected(name)}
    deciding = (_who_decides(ctx, walked[id_]) for id_ in ids if id_ in walked)
    lines, last, acting = [], None, next(filter(None, deciding), None)
    for id_ in ids:
        entry = walked.get(id_)
        last = entry or last
        depth = int(id_ in repeated) if repeated else last.depth if last is not None else 0
        acting = (_who_decides(ctx, entry) if entry is not None else None) or acting
        rolls = _names_of_rolls(ctx, entry.rolls) if entry is not None else ()
        lines.append(replace(ctx.line(id_), depth=depth, who=acting, rolls=rolls))
    if words.references:
        lines = [replace(line, number="") for line in under_headings(lines)]
    head = Head(f"steps:{wanted[0]}", title or words.rule(wanted[0]), words.numbers(wanted))
    return Outline(head, (LineGroup("", "", "", tuple(lines)),), "")


def _with_letters(groups: Iterable[LineGroup]) -> Iterator[LineGroup]:
    """The groups with a letter each; lines without a printed number are counted after it."""
    for group, letter in zip(groups, _letters(), strict=False):
        own = (f"{letter}{place}" for place in count(1))
        lines = (line if line.number else replace(line, number=next(own)) for line in group.lines)
        yield replace(group, number=group.number or letter, lines=tuple(lines))


def _letters() -> Iterator[str]:
    """A to Z, then AA to ZZ."""
    yield from ascii_uppercase
    yield from map("".join, product(ascii_uppercase, repeat=2))


def _who_decides(ctx: Context, entry: SequenceEntry) -> Who | None:
    """The sides that act at a point: either, if one decides, and another choice is the side in turn's."""
    acting = together(entry.who)
    if entry.anyone and (acting is None or acting.joint == "alone"):
        return Who(tuple(range(len(ctx.sides))), "either")
    return acting


def _names_of_rolls(ctx: Context, rolls: Iterable[str]) -> tuple[str, ...]:
    small = ctx.catalogue.small
    return tuple(small(ctx.words.own_title("roll", roll)) or ctx.words.name(roll) for roll in rolls)


def _is_set_up(ctx: Context, entry: SequenceEntry) -> bool:
    """Return whether a point of the sequence cites printed rules of the set-up alone."""
    rules = [ctx.words.printed[id_] for id_ in entry.cites if id_ in ctx.words.printed]
    return bool(rules) and all(rule.kind == "setup" for rule in rules)


def _is_idle(ctx: Context, entry: SequenceEntry) -> bool:
    """Return whether a point is a step without a printed rule in which options alone do something."""
    return not entry.cites and entry.step is not None and _only_returns(ctx, entry.step.body)


def _only_returns(ctx: Context, body: Sequence[s.Statement], inside: frozenset[str] = frozenset()) -> bool:
    """Return whether statements, and the procedures that they do, only return; `original` is an option's.

    A procedure that runs itself, or one that it is `inside` of, does something.
    """
    procedures = ctx.compiled.names.procedures
    done = [node.call.name.text for node in body if isinstance(node, s.Do)]
    return all(isinstance(node, s.Do | s.Return) for node in body) and all(
        name in procedures.keys() - inside and _only_returns(ctx, procedures[name].body, inside | {name})
        for name in done
    )


class _Maker:
    def __init__(
        self,
        ctx: Context,
        chapter: Sequence[str],
        entries: Sequence[SequenceEntry],
        short: bool,
        left: Sequence[str],
    ) -> None:
        self._ctx, self._chapter, self._short, self._left = ctx, chapter, short, frozenset(left)
        points = tuple(self._whole(tuple(self._and_removed_steps(entries))))
        self._entries = [
            entry
            for entry in order(points, dict(ctx.words.places))
            if entry.step is None or f"step {entry.step.name.text}" not in ctx.of_others
        ]
        for before, entry in zip(self._entries, self._entries[1:], strict=False):
            if (
                not entry.reached
                and not entry.who
                and entry.depth == 0
                and not before.phase
                and not entry.phase
            ):
                entry.depth = before.depth  # a rule that nothing does by itself
        self._instead = self._exceptions()
        self._deciding = tuple(sorted({side for e in entries for who in e.who for side in who.sides}))

    def _and_removed_steps(self, entries: Sequence[SequenceEntry]) -> Iterator[SequenceEntry]:
        """The points and, where the sheet shows them struck, the steps of the base that options removed."""
        met = {entry.step.name.text: entry for entry in entries if entry.step is not None}
        after: dict[str, list[SequenceEntry]] = {}
        for procedure in self._ctx.compiled.declared.procedures.values() if self._ctx.struck else ():
            before = None
            for step in (
                node for node in nodes(procedure.body, expressions=False) if isinstance(node, s.Step)
            ):
                before = met.get(step.name.text, before)
                if step.name.text in self._ctx.force.replaced_steps and step.name.text not in met and before:
                    after.setdefault(before.key, []).append(self._removal(step, before))
        for entry in entries:
            yield entry
            yield from after.get(entry.key, ())

    def _removal(self, step: s.Step, before: SequenceEntry) -> SequenceEntry:
        cites = step.cite.ids if step.cite else ()
        own = next((id_ for id_ in cites if id_ in self._chapter), None)
        title = step.title or self._ctx.words.title("step", step.name.text)
        key, within = own or f"step {step.name.text}", before.key if before.phase else before.within
        return SequenceEntry(key, title, cites, before.depth, False, own is not None, within, step=step)

    def _whole(self, entries: Sequence[SequenceEntry]) -> Iterator[SequenceEntry]:
        """The points, and the rules of the chapter that nothing on the way cites."""
        words, known = self._ctx.words, {entry.key for entry in entries}
        yield from entries
        for id_ in self._chapter:
            number = words.number(id_)
            if id_ in known or words.is_heading(id_) or not self._ctx.is_played(id_) or number in known:
                continue
            if id_ in self._ctx.force.replaced_rules and not self._ctx.struck:
                continue
            if any(entry.phase and words.number(entry.key) == number for entry in entries):
                continue
            if "." in number:  # the chapter's own first sentence is no step
                yield SequenceEntry(id_, "", (id_,), 0, False, True)

    def outline(self, wanted: Sequence[str]) -> Outline:
        ctx = self._ctx
        groups: list[LineGroup] = []
        lines: list[SheetLine] = []
        head = ("", "")

        def close() -> None:
            if lines or head != ("", ""):
                groups.append(LineGroup(*head, "", tuple(lines)))
                lines.clear()

        numbered = list(self._by_number())
        for place, entries in enumerate(numbered):
            first = entries[0]
            following = numbered[place + 1][0] if place + 1 < len(numbered) else None
            if first.phase or self._heads(first):
                close()
                number = ctx.words.number(first.key) if first.printed else ""
                title = first.title or ctx.words.own_title("rule", number) or ctx.words.rule(first.key)
                head = (number, title)
                if following is not None and not following.phase and not self._speaks(first):
                    continue
                if not first.phase:
                    continue
            lines.extend(self._lines(entries, head[1]))
        close()
        instead = ", ".join(
            dict.fromkeys(ctx.force.title(exception) for exception in ctx.force.exceptions if exception.force)
        )
        title = ctx.words.own_title("sequence", "") or ctx.catalogue("sequence")
        return Outline(
            Head("sequence", title, ctx.words.numbers(wanted), lead=text(ctx.words.rules(wanted)), wide=True),
            tuple(groups),
            ctx.catalogue("instead", instead) if instead and self._instead else "",
        )

    def _by_number(self) -> Iterator[list[SequenceEntry]]:
        """Points that have one printed number are one line."""
        held: list[SequenceEntry] = []
        for entry in self._entries:
            same = bool(held) and entry.printed and held[0].printed and not held[0].phase and not entry.phase
            same = same and self._ctx.words.number(entry.key) == self._ctx.words.number(held[0].key)
            if same and (not entry.who or entry.who == held[0].who):
                held.append(entry)
                continue
            if held:
                yield held
            held = [entry]
        if held:
            yield held

    def _heads(self, entry: SequenceEntry) -> bool:
        """True if a printed rule other than a phase has parts that are lines of their own."""
        below = (e for e in self._entries if e.printed and e.key.startswith(entry.key) and e is not entry)
        return entry.printed and any(":" not in e.key[len(entry.key) :][:1] for e in below)

    def _speaks(self, phase: SequenceEntry) -> bool:
        """Return whether a phase is a line too: it does something itself, or a rule says what."""
        words = self._ctx.words
        rule = phase.printed and words.rule(phase.key) and not words.is_heading(phase.key)
        below = any(e.key.startswith(phase.key) and e is not phase for e in self._entries if e.printed)
        return bool(rule) and not below

    def _lines(self, entries: Sequence[SequenceEntry], heading: str) -> Iterator[SheetLine]:
        """A point as a line; with `struck`, what options replaced comes struck before what they put there."""
        force, first = self._ctx.force, entries[0]
        line = self._line(entries, heading)
        name = first.step.name.text if first.step is not None else ""
        tags = force.replaced_steps.get(name, ())
        rules: tuple[str, ...] = ()
        if all(entry.key in force.replaced_rules for entry in entries if entry.printed) and first.printed:
            tags, rules = force.replaced_rules[first.key]
        if not (tags and self._ctx.struck):
            yield line
            return
        yield replace(line, who=None, rolls=(), instead=(), status="removed", by=tags)
        new = [id_ for id_ in rules if self._ctx.words.rule(id_)]
        if not first.reached and not first.who and not first.rolls:
            yield from (self._ctx.line(id_) for id_ in new)
            return
        words = text(self._ctx.words.rules(new))
        number = self._ctx.words.number(new[0]) if new else line.number
        yield replace(line, number=number, text=words, see=(), status="added" if new else "changed", by=tags)

    def _line(self, entries: Sequence[SequenceEntry], heading: str) -> SheetLine:
        ctx, first = self._ctx, entries[0]
        number = ctx.words.number(first.key) if first.printed else ""
        cites = [id_ for entry in entries for id_ in entry.cites]
        if not first.printed and cites:
            number, cites = ctx.words.number(cites[0]), cites[1:]
        own = {ctx.words.number(id_) for id_ in self._chapter}
        see = tuple(n for n in ctx.words.numbers(cites) if n not in own and n != number and "." in n)
        title = (
            ctx.words.own_title("rule", first.key) or ctx.words.own_title("rule", number)
            if first.printed
            else ""
        )
        title = title or next((e.title for e in entries if e.title), "")
        if title == heading and any(ctx.words.rule(e.key) for e in entries if e.printed):
            title = ""
        keys = [e.key for e in entries if e.printed]
        if not keys and number:
            keys = [next(iter(first.cites))]
        body = ctx.words.rules(keys)
        if not keys:
            body = next(filter(None, (ctx.words.step(entry.key) for entry in entries)), "")
            title = "" if title == heading and body and not self._short else title
        elif body and not title:
            title, body = ctx.words.rule(keys[0]), ctx.words.rules(keys[1:])
        if ctx.words.references:  # a heading is no number: it is where to look
            see = tuple(
                place for place in dict.fromkeys((number, *ctx.words.numbers(first.cites)))
                if place and place.lower() not in (title.lower(), heading.lower())
            )  # fmt: skip
            number = ""
        states = [ctx.force.state_of(key) for key in keys] or [self._state_of_step(first)]
        status: Status = next((state for state, _ in states if state), "")
        rolls = dict.fromkeys(r for e in entries for r in e.rolls)
        return SheetLine(
            number,
            strong(title),
            () if self._short else text(body),
            see,
            self._who(entries),
            _names_of_rolls(ctx, rolls),
            min(entry.depth for entry in entries),
            tuple(line for entry in entries for line in self._instead.get(entry.key, ())),
            tuple(dict.fromkeys(tag for _, tags in states for tag in tags)),
            status,
        )  # fmt: skip

    def _state_of_step(self, entry: SequenceEntry) -> tuple[Status, tuple[str, ...]]:
        """Return whether options bring or change a step without a printed rule, and their tags."""
        force = self._ctx.force
        if entry.step is None:
            return "", ()
        brought = force.tags_at(entry.step.span)
        if brought:
            return "added", brought
        tags = dict.fromkeys(force.replaced_steps.get(entry.step.name.text, ()))
        for key in entry.reached:
            if key[0] in ("procedure", "choice", "roll"):
                tags |= dict.fromkeys(force.tags_on(key))
        return ("changed" if tags else ""), tuple(tags)

    def _who(self, entries: Sequence[SequenceEntry]) -> Who | None:
        """The sides that act: where a line leaves nobody a decision, all of those that decide anything.

        They act together, but each alone where what is done is done for one side.
        """
        acting = together([who for entry in entries for who in entry.who])
        if acting is not None and acting.joint == "alone" and any(entry.anyone for entry in entries):
            acting = None  # the other side decides here as well
        reached = [key for entry in entries for key in entry.reached]
        if acting is not None or not self._deciding:
            return acting
        if len(self._deciding) == 1:
            return Who(self._deciding, "alone")
        return Who(self._deciding, "either" if any(map(self._is_for_a_side, reached)) else "together")

    def _is_for_a_side(self, key: Key) -> bool:
        """Return whether this is a procedure with a side among its parameters."""
        program = self._ctx.compiled.program
        procedure = program.by_name.procedures.get(key[1]) if program and key[0] == "procedure" else None
        params = procedure.params if procedure is not None else ()
        return any(isinstance(p.type, Member) and p.type.domain == self._ctx.side_kind for p in params)

    # -- exceptions

    def _exceptions(self) -> dict[str, list[SheetLine]]:
        """For each point what exceptions put there; each change once, at the first point that meets it."""
        instead: dict[str, list[SheetLine]] = {}
        ids: set[str] = set()
        for key, amendments in self._ctx.force.excepted.items():
            entry = self._meets(key)
            if entry is None:
                continue
            forced = (amendment for variant, amendment in amendments if variant.force)
            for id_ in (id_ for item in forced for cite in citations(item) for id_ in cite.ids):
                heading = self._ctx.words.is_heading(id_)
                shown = self._ctx.words.rule(id_) and self._ctx.is_played(id_) and not heading
                if id_ not in ids | self._left and shown:
                    ids.add(id_)
                    instead.setdefault(entry.key, []).append(self._ctx.line(id_))
        return {key: self._in_printed_order(lines) for key, lines in instead.items()}

    def _in_printed_order(self, lines: list[SheetLine]) -> list[SheetLine]:
        ranks = self._ctx.words.ranks
        return sorted(lines, key=lambda line: ranks.get(line.number, 0))

    def _meets(self, key: tuple[str, str]) -> SequenceEntry | None:
        plain = [e for e in self._entries if not e.phase and key in e.reached]
        return plain[0] if plain else next((e for e in self._entries if key in e.reached), None)
