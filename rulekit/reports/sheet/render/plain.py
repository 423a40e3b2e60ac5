"""Blocks as plain rows and plain words, for renderers without a page: Markdown, CSV, text alternatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulekit.base.frozen import frozen
from rulekit.reports.sheet.model.document import (
    JOINTS,
    Area,
    Block,
    Board,
    Card,
    Counters,
    Foot,
    FrontPage,
    List,
    Map,
    Modifiers,
    Norms,
    Outline,
    Piece,
    Roster,
    Run,
    Runs,
    Sheet,
    SheetLine,
    SheetRow,
    Side,
    TableBlock,
    Timeline,
    Who,
    refs,
    text,
)

MOODS: Mapping[str, str] = {"": "", "may": "● ", "must": "▶ ", "only": "◐ ", "not": "✕ "}
"""Before a permission, a duty, a limit, a ban."""


@frozen
class Flat:
    """A block as a table."""

    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]


class Plain:
    """The words of one sheet, plainly."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.words = dict(sheet.words)

    # -- words

    @classmethod
    def of_words(cls, words: tuple[tuple[str, str], ...]) -> Plain:
        """The same for a sheet that is still to be made, which has these words."""
        return cls(Sheet("", "", "", "ltr", "full", (), Foot("", (), "", ""), (), words))

    def runs(self, runs: Runs) -> str:
        """Runs as text: marks in words, a factor in a circle in brackets."""
        return join_runs(runs, self._run)

    def _run(self, run: Run) -> str:
        match run.kind:
            case "side":
                return self.side(int(run.text)).letter
            case "circled":
                return f"({run.text})"
            case "yes" | "no":
                return self.words[run.kind]
            case "note":
                return f" ({run.text})"
            case "open":
                return "–"
            case "mood":
                return MOODS[run.text].strip()
            case _:
                return run.text

    def side(self, place: int) -> Side:
        """One of those who play; a place that the sheet does not have is said as a number."""
        sides = self.sheet.sides
        return sides[place] if 0 <= place < len(sides) else Side(str(place), str(place))

    def who(self, who: Who | None) -> str:
        """Return the sides that act, by their letters: `J→A`."""
        return JOINTS[who.joint].join(self.side(n).letter for n in who.sides) if who else ""

    def who_said(self, who: Who) -> str:
        """Return the sides that act, in words."""
        names = [self.side(n).name for n in who.sides]
        if who.joint == "then":
            words = names[0]
            for name in names[1:]:
                words = self.words["then"].format(words, name)
            return words
        words = ", ".join(names)
        return words if who.joint == "alone" else f"{words} ({self.words[who.joint]})"

    def month(self, month: int) -> str:
        """A month, `12 * year + month - 1`, in the sheet's language."""
        return self.words["month"].format(self.words["months"].split()[month % 12], month // 12)

    # -- rows

    def flat(self, block: Block) -> Flat:
        """A block as a table."""
        match block:
            case Outline():
                return self._outline(block)
            case List():
                rows = (_row(line, refs(line.numbers), _own_words(block, line)) for line in block.lines)
                return self._flat(("see", "do"), rows)
            case TableBlock():
                titles = ((f"{c.group}: " if c.group else "") + self.runs(c.title) for c in block.columns)
                return Flat(tuple(titles), block.rows)
            case Card():
                return self.flat(block.table) if block.table is not None else self._card(block)
            case Modifiers():
                return self._flat(("roll", "amount", "applies", "see"), self._modifiers(block))
            case Norms():
                return self._flat(("case", "may-or-not", "do", "see"), self._norms(block))
            case Timeline():
                return self._flat(("track", "from", "to", "amount", "see"), self._timeline(block))
            case Map():
                return self._flat(("area", "amount", "touches", "sites"), self._map(block))
            case Board() if any(spot.values or spot.touches for spot in block.spots):
                return self._flat(("area", "amount", "touches"), self._board(block))
            case Board():
                return self._flat(("area",), _lines(block))
            case Counters():
                return self._counters(block)
            case Roster():
                return self._roster(block)
            case FrontPage():
                signs = (SheetRow((sign, text(words))) for sign, words in block.key)
                return self._flat(("sign", "meaning"), signs)

    def _flat(self, keys: Sequence[str], rows: Iterable[SheetRow]) -> Flat:
        return Flat(tuple(self.words[key] for key in keys), tuple(rows))

    def _outline(self, block: Outline) -> Flat:
        rows = []
        for group in block.groups:
            if group.title:
                words = " ".join(filter(None, (group.number, group.title, group.remark)))
                rows.append(SheetRow((), text(words)))
            for line in group.lines:
                others = [(*other.words, *text(" "), *refs(other.numbers)) for other in line.instead]
                dice = _beside([(Run("die", roll),) for roll in line.rolls], " ")
                cells = (text(line.number), text(self.who(line.who)), line.words, dice, refs(line.see))
                rows.append(_row(line, *cells, *((_beside(others, "; "),) if block.instead else ())))
        keys = ("step", "who", "do", "roll", "see")
        heads = (*(self.words[key] for key in keys), *((block.instead,) if block.instead else ()))
        return Flat(heads, tuple(rows))

    def _modifiers(self, block: Modifiers) -> Iterator[SheetRow]:
        for roll in block.rolls:
            for line in roll.lines:
                yield _row(line, text(roll.title), line.title, line.text, refs(line.numbers))

    def _card(self, block: Card) -> Flat:
        return self._flat(
            ("roll", "amount", "applies", "see"), self._modifiers(Modifiers(block.head, (block.roll,)))
        )

    def _norms(self, block: Norms) -> Iterator[SheetRow]:
        for group in block.groups:
            for line in group.lines:
                mood = self.words[f"mood-{line.mood}"] if line.mood else ""
                yield _row(line, text(group.title), text(mood), line.words, refs(line.numbers))

    def _timeline(self, block: Timeline) -> Iterator[SheetRow]:
        for track in block.tracks:
            for stretch in track.stretches:
                ends = (text(self.month(stretch.first)), text(self.month(stretch.last)))
                yield SheetRow((track.title, *ends, stretch.text, refs(stretch.see)), by=track.by)

    def _map(self, block: Map) -> Iterator[SheetRow]:
        for area in block.areas:
            sites = ", ".join(site.name for site in block.sites if _touches(area, site.x, site.y))
            borders = text(", ".join(area.borders))
            yield SheetRow((text(area.name), _beside(area.values, "  "), borders, text(sites)))

    def _board(self, block: Board) -> Iterator[SheetRow]:
        for spot in block.spots:
            yield SheetRow((text(spot.name), _beside(spot.values, "  "), text(", ".join(spot.touches))))

    def _counters(self, block: Counters) -> Flat:
        factors = " · ".join(block.factors)
        keys = ("group", "piece", "type", "front", "back", "count")
        heads = [f"{self.words[k]}: {factors}" if k == "front" and factors else self.words[k] for k in keys]
        rows = []
        for title, counters, _ in block.groups:
            for c in counters:
                name = text(c.name + "°" * c.soft)
                words = tuple(
                    run for place, part in enumerate(c.words) for run in (*text(" " * bool(place)), *part)
                )
                rows.append(SheetRow((title, name, text(c.type), c.front, c.back, text(str(c.count)), words)))
        if any(row.cells[-1] for row in rows):
            return Flat((*heads, self.words["text"]), tuple(rows))
        return Flat(tuple(heads), tuple(replace(row, cells=row.cells[:-1]) for row in rows))

    def _roster(self, block: Roster) -> Flat:
        if not block.columns:
            rows = [
                SheetRow((title, text(piece.type), piece.factors, self.names(piece)))
                for title, stands in block.rows
                for stand in stands
                for piece in stand.pieces
            ]
            factors = " · ".join(block.factors) or self.words["amount"]
            return Flat((self.words["group"], self.words["type"], factors, self.words["piece"]), tuple(rows))
        rows = [
            SheetRow((title, *(self._stand(stand.pieces) for stand in stands)))
            for title, stands in block.rows
        ]
        return Flat((self.words["turn"], *(self.runs(c) for c in block.columns)), tuple(rows))

    def _stand(self, pieces: Sequence[Piece]) -> Runs:
        return _beside([self._piece(piece) for piece in pieces], "; ") or text("–")

    def _piece(self, piece: Piece) -> Runs:
        before = (*piece.factors, *text(" ")) if piece.factors else text(f"{piece.type} ".lstrip())
        return (*before, *self.names(piece))

    def names(self, piece: Piece) -> Runs:
        """The names of pieces with the same factors."""
        return text(", ".join(self.runs(name.words) for name in piece.names))


def join_runs(runs: Runs, write: Callable[[Run], str]) -> str:
    """Return the text of runs, each as `write` gives it, with signs between numbers, tags and factors."""
    parts, last = [], ""
    for run in runs:
        kind = {"circled": "factor", "ticked": "tick", "open": "tick"}.get(run.kind, run.kind)
        if kind == last and kind in ("ref", "tag", "factor", "tick"):
            parts.append(" · " if kind == "ref" else " ")
        parts.append(write(run))
        last = kind
    return "".join(parts)


def _own_words(block: List, line: SheetLine) -> Runs:
    return line.text if block.headed else line.words


def _row(line: SheetLine, *cells: Runs) -> SheetRow:
    return SheetRow(cells, by=line.by, status=line.status)


def _beside(values: Sequence[Runs], between: str) -> Runs:
    return tuple(run for n, value in enumerate(values) for run in (*(text(between) if n else ()), *value))


def _lines(block: Board) -> Iterator[SheetRow]:
    """The names of the spaces, a row for each line of the board."""
    lines: dict[float, list[str]] = {}
    for spot in block.spots:
        lines.setdefault(spot.y, []).append(spot.name)
    yield from (SheetRow((text(" ".join(names)),)) for names in lines.values())


def _touches(area: Area, x: float, y: float) -> bool:
    return area.x <= x <= area.x + area.width and area.y <= y <= area.y + area.height
