"""The contents of a reference sheet, ready for layout: every renderer reads this and nothing else.

The content decides what is in force, the order, the words, the marks and the odds; a renderer only places
them.  Text is runs of a closed set of kinds, never markup; `serial` writes it as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from rulekit.base.frozen import frozen

NOTHING = "nothing of the rule set is in force, so the sheet would be empty"


def no_font(theme: str, name: str) -> str:
    """Return the message for a missing font of a theme."""
    hint = "put its files into a folder beside the theme and name that under `fonts: files`"
    return f"the theme `{theme}` needs the font `{name}`, which was not found; {hint}"


class SheetError(Exception):
    """A sheet cannot be made; `details` are further lines, each about one thing."""

    def __init__(self, message: str, details: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message, self.details = message, details


RunKind = Literal[
    "text",
    "strong",
    "faint",
    "ref",
    "die",
    "side",
    "tag",
    "factor",
    "circled",
    "yes",
    "no",
    "note",
    "odds",
    "ticked",
    "open",
    "mood",
]
"""Kinds of runs: plain, strong and faint words; rule numbers; the name of a roll; a side's mark (its text is
the index of the side in `Sheet.sides`); a tag; a printed factor, and one in a circle; permission and
prohibition (without text); a footnote's mark; an exact chance; a box that is ticked, or left open; the sign
of a mood (its text)."""


@frozen
class Run:
    """A stretch of text of one kind."""

    kind: RunKind
    text: str


Runs = tuple[Run, ...]


@frozen
class Side:
    """A side; `letter` identifies it in a mark, `colour` is the rule set's own for it, or empty."""

    name: str
    letter: str
    colour: str = ""


@frozen
class Who:
    """The sides that act: indexes into `Sheet.sides`, in this order, and how they act together."""

    sides: tuple[int, ...]
    joint: Literal["alone", "then", "turns", "together", "either"]


JOINTS: Mapping[str, str] = {"then": "→", "turns": "↔", "together": "+", "either": "/", "alone": ""}
"""Between the marks of those who act."""
Status = Literal["", "changed", "added", "removed"]
"""The effect of an option in force on a line, shown by a bar in the margin."""


Mood = Literal["", "may", "must", "only", "not"]
"""The mood of a sentence: none, allow, demand, allow under a condition alone, forbid."""


@frozen
class SheetLine:
    """One thing that a player reads.

    Attributes:
        number: As printed; empty where the booklet has none.
        title: A few words, where there are such.
        see: Further printed numbers.
        rolls: Names of what is rolled.
        depth: How many rounds it is inside of.
        instead: Its replacement while an exception is in force.
        by: Tags of the options that `status` is about.
        soft: Whether the fact is not from the booklet.
        mood: That of a permission, duty or ban; a sign shows it.
    """

    number: str = ""
    title: Runs = ()
    text: Runs = ()
    see: tuple[str, ...] = ()
    who: Who | None = None
    rolls: tuple[str, ...] = ()
    depth: int = 0
    instead: tuple[SheetLine, ...] = ()
    by: tuple[str, ...] = ()
    status: Status = ""
    soft: bool = False
    mood: Mood = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Its printed numbers, its own first."""
        return (self.number, *self.see) if self.number else self.see

    @property
    def words(self) -> Runs:
        """Title and text, with a ring if the fact is not from the booklet."""
        weighty = any(run.kind == "strong" and run.text[-1:].isalpha() for run in self.title)
        between = text(": " if weighty else " ") if self.title and self.text else ()
        return (*self.title, *between, *self.text, *(text("°") if self.soft else ()))


@frozen
class Head:
    """The head of a block.

    Attributes:
        id: By which it is asked for alone: `table:effect`.  No two blocks of a sheet have the same.
        see: The printed numbers that it is about.
        by: Tags of the options that add the whole block.
        remark: A word beside the title, such as the status of an option.
        lead: A sentence before it.
        wide: Whether it wants the whole width of a page.
        notes: Under it; the number of a note is its mark.
        bare: Whether the title of its part is its own, so that a page need not print it twice.
        chapter: How all numbers of its lines begin; a reader sees `short_number` of them.
        spare: Whether the one-page form may leave it out.
    """

    id: str
    title: str
    see: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    remark: str = ""
    lead: Runs = ()
    wide: bool = False
    notes: tuple[SheetLine, ...] = ()
    bare: bool = False
    chapter: str = ""
    spare: bool = False

    def short_number(self, number: str) -> str:
        """Return a printed number, or a range of them, without the chapter that the head gives."""
        return number.replace(self.chapter, "") if self.chapter else number


def text(words: str) -> Runs:
    """Return words as runs of plain text; no runs for no words."""
    return (Run("text", words),) if words else ()


def strong(words: str) -> Runs:
    """Return words as runs of strong text; no runs for no words."""
    return (Run("strong", words),) if words else ()


def refs(numbers: Iterable[str]) -> Runs:
    """Return rule numbers as runs."""
    return tuple(Run("ref", number) for number in numbers)


# ---------------------------------------------------------------- blocks


@frozen
class LineGroup:
    """Lines under a heading."""

    number: str
    title: str
    remark: str
    lines: tuple[SheetLine, ...]


@frozen
class Outline:
    """The sequence of play; `instead` heads the column of exceptions and is empty where there are none."""

    head: Head
    groups: tuple[LineGroup, ...]
    instead: str

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """Those of all groups."""
        return tuple(line for group in self.groups for line in group.lines)


@frozen
class List:
    """Lines one after the other; `numbered` puts each line's number before it, else after it.

    `headed`: numbers are headings of the booklet; the first line of each has it as its title, and no line
    shows it again.
    """

    head: Head
    lines: tuple[SheetLine, ...]
    numbered: bool = False
    headed: bool = False


ColumnKind = Literal["key", "text", "number", "mark", "ref", "odds"]


@frozen
class SheetColumn:
    """`group` is a title over several adjacent columns."""

    title: Runs
    kind: ColumnKind
    group: str = ""


@frozen
class SheetRow:
    """A row: as many cells as columns; with `title` a heading across all of them and no cells."""

    cells: tuple[Runs, ...]
    title: Runs = ()
    by: tuple[str, ...] = ()
    status: Status = ""


@frozen
class TableBlock:
    """A table as printed.  Each row ends with its printed numbers where one column is of the kind `ref`."""

    head: Head
    columns: tuple[SheetColumn, ...]
    rows: tuple[SheetRow, ...]


@frozen
class Matrix(TableBlock):
    """A table of marks, one for each pair."""


@frozen
class ModifiedRoll:
    """A roll with what modifies it; each line's title is the value, its text when it counts."""

    title: str
    dice: str
    how: Runs
    see: tuple[str, ...]
    lines: tuple[SheetLine, ...]


@frozen
class Modifiers:
    """Modifiers by roll."""

    head: Head
    rolls: tuple[ModifiedRoll, ...]


@frozen
class Card:
    """All about one roll: its die and modifiers, the table of its results with the odds, what follows."""

    head: Head
    roll: ModifiedRoll
    table: TableBlock | None
    follows: tuple[SheetLine, ...]


@frozen
class NormGroup:
    """Restrictions in one case: permissions and duties, then limits; each line has its mood."""

    title: str
    see: tuple[str, ...]
    allowed: tuple[SheetLine, ...]
    limits: tuple[SheetLine, ...]

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """All of them."""
        return (*self.allowed, *self.limits)


@frozen
class Norms:
    """Choices and their limits."""

    head: Head
    groups: tuple[NormGroup, ...]


@frozen
class Stretch:
    """A stretch of a timeline; months are `12 * year + month - 1`, both ends inclusive."""

    first: int
    last: int
    text: Runs
    see: tuple[str, ...]
    level: int
    """How strong a tint: 0 (none) to 4."""


@frozen
class Track:
    """One row of a timeline."""

    title: Runs
    stretches: tuple[Stretch, ...]
    by: tuple[str, ...] = ()


@frozen
class Timeline:
    """Bars over the months in which lines apply."""

    head: Head
    first: int
    last: int
    tracks: tuple[Track, ...]


@frozen
class Area:
    """A rectangle of a map, in units of the map; `owner` is a place in `Sheet.sides`, or None."""

    name: str
    x: float
    y: float
    width: float
    height: float
    values: tuple[Runs, ...]
    owner: int | None
    shift: tuple[float, float]
    borders: tuple[str, ...]


@frozen
class MapSite:
    """A point of a map; `label` says on which side of it its name goes."""

    name: str
    x: float
    y: float
    shape: Literal["disc", "diamond"]
    owner: int | None
    label: Literal["right", "left", "above", "below", "below-left"]


@frozen
class Land:
    """A barrier between areas."""

    name: str
    x: float
    y: float


@frozen
class Map:
    """Areas that share an edge touch; `alt` says the same in words.  `key` explains the marks."""

    head: Head
    width: float
    height: float
    areas: tuple[Area, ...]
    sites: tuple[MapSite, ...]
    land: tuple[Land, ...]
    key: tuple[tuple[str, str], ...]
    alt: str


@frozen
class Piece:
    """Pieces with the same factors; `names` are one or several."""

    names: tuple[SheetLine, ...]
    type: str
    factors: Runs


@frozen
class Stand:
    """Pieces that belong together: of a type, or that arrive in one place."""

    title: Runs
    pieces: tuple[Piece, ...]


@frozen
class Spot:
    """A space on a board: its middle, in units of the board, and what is printed there.

    `marks` are the shapes of what is on it; `touches` names all that it touches, `also` those of them that
    the drawing does not show.
    """

    name: str
    x: float
    y: float
    values: tuple[Runs, ...]
    owner: int | None
    marks: tuple[Literal["disc", "diamond"], ...]
    touches: tuple[str, ...]
    also: tuple[str, ...]


@frozen
class Board:
    """Spaces as hexes or squares, or as boxes with lines between those that touch.

    A hex is as high as the square root of 3 and 2 wide, its flat sides above and below; a pointed one is
    turned by a right angle.  The sides of a square are 2.  `ways` are pairs of
    places in `spots`: lines to be drawn between boxes.  `closed` are such as lie side by side
    and do not touch.
    """

    head: Head
    shape: Literal["hex", "pointed", "square", "box"]
    width: float
    height: float
    spots: tuple[Spot, ...]
    ways: tuple[tuple[int, int], ...]
    closed: tuple[tuple[int, int], ...]
    key: tuple[tuple[str, str], ...]
    alt: str


@frozen
class Counter:
    """A counter or card as it lies on the table: both its sides, and how many there are.

    `words` are the paragraphs of its texts.
    """

    name: str
    type: str
    side: int | None
    front: Runs
    back: Runs
    count: int
    soft: bool
    words: tuple[Runs, ...] = ()


@frozen
class Counters:
    """Pictures of counters; each group's text says what is on them.

    `factors` are what the numbers are; `size` is the side of a counter in mm, or the width of a card with
    texts, whose height is 7/5 of it; 0 for as small as fits.
    """

    head: Head
    factors: tuple[str, ...]
    groups: tuple[tuple[Runs, tuple[Counter, ...], str], ...]
    size: float = 0


@frozen
class Roster:
    """Pieces.  With `columns` every row has a stand for each of them: arrivals by turn."""

    head: Head
    factors: tuple[str, ...]
    """The meaning of each factor, in order."""
    columns: tuple[Runs, ...]
    rows: tuple[tuple[Runs, tuple[Stand, ...]], ...]


@frozen
class FrontPage:
    """The front of a folder; `key` explains the signs of its sheets.

    Renderers add the game, its picture and the contents.
    """

    head: Head
    key: tuple[tuple[Runs, str], ...]


Block = (
    Outline
    | List
    | TableBlock
    | Matrix
    | Modifiers
    | Card
    | Norms
    | Timeline
    | Map
    | Board
    | Counters
    | Roster
    | FrontPage
)


def kind_of(block: type[Block]) -> str:
    """Return the name of a kind of block, by which JSON, templates and style sheets know it."""
    return block.__name__.removesuffix("Block").lower()


# ---------------------------------------------------------------- the whole


@frozen
class Part:
    """Blocks that belong together; `columns` is their number in the full form.

    `new_page`: whether it begins on a page of its own; other parts follow one another.
    """

    id: str
    title: str
    lead: Runs
    columns: int
    blocks: tuple[Block, ...]
    new_page: bool = False


@frozen
class Foot:
    """The facts at the foot of a page, by which printouts are compared."""

    edition: str
    options: tuple[str, ...]
    version: str
    remark: str
    """Scenario and date, where the sheet is for one."""


LEFT_OUT = "left-out"
"""The id of the block that lists what the one-page form leaves out."""

FormName = Literal["full", "one-page", "folder", "screen"]
"""All pages; one page or both sides of a sheet; a sheet folded once, with a cover; panels side by side."""


@frozen
class Sheet:
    """A document; `words` are the sheet's own in its language, for renderers.

    `logo` is the rule set's picture as a `data:` URL, or empty.
    """

    game: str
    title: str
    language: str
    direction: Literal["ltr", "rtl"]
    form: FormName
    sides: tuple[Side, ...]
    foot: Foot
    parts: tuple[Part, ...]
    words: tuple[tuple[str, str], ...]
    logo: str = ""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Those of all parts."""
        return tuple(block for part in self.parts for block in part.blocks)

    @property
    def left_out(self) -> str:
        """The titles of the blocks that its pages do not hold; empty for none."""
        listed = (block for block in self.blocks if isinstance(block, List) and block.head.id == LEFT_OUT)
        return "".join(run.text for block in listed for line in block.lines for run in line.text)
