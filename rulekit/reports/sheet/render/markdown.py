"""Sheets as Markdown: headings, lists and tables as most readers of Markdown know them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import (
    NOTHING,
    Block,
    Card,
    List,
    Norms,
    Part,
    Roster,
    Run,
    Runs,
    Sheet,
    SheetError,
    SheetLine,
    SheetRow,
    refs,
)
from rulekit.reports.sheet.render.plain import MOODS, Plain, join_runs

BAR = "▌"
"""Before what an option in force changed."""
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$])")
_START = re.compile(r"^(\d*)(#{1,6}(?=\s)|[-+](?=\s)|(?<=\d)[.)](?=\s)|=+\s*$|-{2,}\s*$)")


def markdown(sheet: Sheet, setup: Setup) -> list[bytes]:
    """One file.

    Raises:
        SheetError: Nothing is on the sheet.
    """
    if not sheet.blocks:
        raise SheetError(NOTHING)
    return [("\n".join(_Writer(sheet).sheet()) + "\n").encode()]


class _Writer:
    def __init__(self, sheet: Sheet) -> None:
        self._sheet, self._plain = sheet, Plain(sheet)
        self._words = self._plain.words

    def sheet(self) -> Iterator[str]:
        sheet, foot = self._sheet, self._sheet.foot
        yield f"# {escape(sheet.game)}: {escape(sheet.title)}"
        yield ""
        options = " · ".join(map(escape, foot.options)) or self._words["none"]
        words = (escape(foot.edition), escape(foot.remark), f"{self._words['in-force']}: **{options}**",
                escape(foot.version))  # fmt: skip
        yield " · ".join(filter(None, words))
        for part in sheet.parts:
            yield from self._part(part)

    def _part(self, part: Part) -> Iterator[str]:
        yield from ("", f"## {escape(part.title)}")
        if part.lead:
            yield from ("", self.runs(part.lead))
        for block in part.blocks:
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[str]:
        head = block.head
        tags = "".join(f" `{tag}`" for tag in map(_code, head.by))
        remark = f" *{escape(head.remark)}*" if head.remark else ""
        see = self._see(head.see)
        if not head.bare or tags or see:
            yield ""
            yield f"{'' if head.bare else f'### {escape(head.title)}'}{tags}{remark}{see}".strip()
        if head.lead:
            yield from ("", self.runs(head.lead))
        yield ""
        if isinstance(block, List):
            yield from (self._item(line, headed=block.headed) for line in block.lines)
        elif isinstance(block, Norms):
            yield from self._norms(block)
        elif isinstance(block, Card):
            yield from self._card(block)
        elif isinstance(block, Roster) and not block.columns:
            yield from self._roster(block)
        else:
            yield from self._table(block)
        for note in head.notes:
            mark = f"{escape(note.number)} " if note.number else ""
            yield from ("", f"{mark}{self.runs(note.text)}{self._see(note.see)}")

    def _item(self, line: SheetLine, mark: str = "", *, headed: bool = False) -> str:
        see = self._see(line.see if headed else line.numbers)
        words = f"{mark}{self._struck(line.words, line.status)}{see}"
        return f"- {self._bar(line.status)}{words}{_tags(line.by)}"

    def _card(self, block: Card) -> Iterator[str]:
        dice = f"`{_code(block.roll.dice)}` {self.runs(block.roll.how)}".strip()
        yield from (dice, "")
        yield from (self._item(line) for line in block.roll.lines)
        if block.table is not None:
            yield ""
            yield from self._table(block.table)
        if block.follows:
            yield from ("", f"**{escape(self._words['follows'])}**", "")
            yield from (self._item(line) for line in block.follows)

    def _norms(self, block: Norms) -> Iterator[str]:
        for number, group in enumerate(block.groups):
            if number:
                yield ""
            yield from (f"**{escape(group.title)}**{self._see(group.see)}", "")
            yield from (self._item(line, MOODS[line.mood]) for line in group.lines)

    def _roster(self, block: Roster) -> Iterator[str]:
        for number, (title, stands) in enumerate(block.rows):
            if title:
                yield from (*([""] if number else []), self.runs(title), "")
            for stand in stands:
                for piece in stand.pieces:
                    factors = f"{self.runs(piece.factors)} " if piece.factors else ""
                    kind = f" *{escape(piece.type)}*" if piece.type else ""
                    yield f"- {factors}{self.runs(self._plain.names(piece))}{kind}"
        if block.factors:
            yield from ("", escape(" · ".join(block.factors)))

    def _table(self, block: Block) -> Iterator[str]:
        flat = self._plain.flat(block)
        yield _row([escape(title) for title in flat.columns])
        yield _row(["---"] * len(flat.columns))
        for row in flat.rows:
            yield _row(self._cells(row, len(flat.columns)))

    def _cells(self, row: SheetRow, count: int) -> list[str]:
        if not row.cells:
            return [f"**{self.runs(row.title)}**", *[""] * (count - 1)]
        cells = [self._struck(cell, row.status) for cell in row.cells]
        cells[0] = f"{self._bar(row.status)}{cells[0]}"
        cells[-1] += _tags(row.by)
        return cells

    # -- words

    def _bar(self, status: str) -> str:
        return f"{BAR} " if status in ("changed", "added") else ""

    def _struck(self, runs: Runs, status: str) -> str:
        words = self.runs(runs)
        return f"~~{words}~~" if status == "removed" and words else words

    def _see(self, found: Sequence[str]) -> str:
        return f" ({self.runs(refs(found))})" if found else ""

    def runs(self, runs: Runs) -> str:
        """Runs as Markdown."""
        return _START.sub(lambda m: f"{m[1]}\\{m[2]}", join_runs(runs, self._run).strip())

    def _run(self, run: Run) -> str:
        words = escape(self._plain.runs((run,)))
        match run.kind:
            case "strong" | "side" if words.strip():
                return f"**{words}**" if words == words.strip() else f"**{words.strip()}** "
            case "die" | "tag":
                return f"`{_code(run.text)}`"
            case "yes":
                return "●"
            case "no":
                return "✕"
            case _:
                return words


def escape(text: str) -> str:
    """Text that a reader of Markdown shows as it is, in one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split("\n"))).replace("&", "&amp;")


def _code(text: str) -> str:
    return text.replace("`", "'").replace("|", "/").replace("\n", " ")


def _tags(by: Sequence[str]) -> str:
    return "".join(f" `{_code(tag)}`" for tag in by)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
