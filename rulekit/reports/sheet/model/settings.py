"""`sheet.yaml` beside a rule set's manifest: the contents of its sheets, their order and words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from rulekit.base.files import exists_inside
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.base.spelling import suggestion
from rulekit.diagnostics import Report
from rulekit.reports.sheet.model.colours import COLOUR, PAPER, READ, contrast
from rulekit.reports.sheet.model.logos import MOST_PRINTED, read_logo
from rulekit.ruleset import read_text, yaml
from rulekit.ruleset.findings import short, wrong_shape
from rulekit.ruleset.reading import Entries, Items, Node, Reading, Scalar

FILE = "sheet.yaml"
Texts = tuple[str, ...]
FORMAT = "1"
_KEYS = (
    "format", "title", "logo", "names", "short", "parts", "one_page", "folder", "screen", "map", "references",
    "sides", "figures", "one_side",
)  # fmt: skip
_PART = ("id", "title", "lead", "columns", "blocks", "new_page")
SORTS = (
    "sequence", "rules", "table", "modifiers", "norms", "choices", "fields", "roster", "arrivals", "timeline",
    "map", "board", "counters", "tracks", "options", "authors", "meeting", "examples", "errata", "glossary",
    "index", "card", "steps", "matrix",
)  # fmt: skip
"""Sorts of blocks, by the key that begins them."""
_BLOCK = (
    "title", "leave", "roll", "odds", "columns", "where", "notes", "wide", "groups", "may_not", "by", "at",
    "factors", "circled", "gone", "rows", "across", "see", "upto", "since", "home", "now", "type",
    "borders", "owner", "values", "marks", "number", "places", "shape", "key", "back", "numbers", "ticks",
    "size", "then", "window", "needs", "repeat", "apart", "questions", "spare",
)  # fmt: skip
_ONE_TEXT = frozenset((
    "title", "roll", "wide", "by", "at", "circled", "gone", "rows", "upto", "since", "home", "now", "type",
    "borders", "number", "shape", "size", "needs", "apart", "spare",
))  # fmt: skip
"""Keys of blocks with one text; others have a text or a list of texts."""
_PAIRS = frozenset(("groups", "across", "marks", "key", "ticks"))
"""Keys with a mapping."""
_TEXTS_OR_PAIRS = frozenset(("odds", "where", "values"))
_WORDS = {
    "needs": ("at most", "at least"),
    "odds": ("none",),
    "apart": ("true",),
    "spare": ("true",),
    "shape": ("hex", "box"),
    "wide": ("true", "false"),
}
"""The texts that some keys may have."""
_WHOLE = re.compile(r"[+-]?[0-9]{1,4}")
_ONE = ("columns", "blocks")
_MAP = ("width", "height", "kind", "borders", "areas", "sites", "land", "values", "owner", "key")
_SITES = ("kind", "shape", "owner", "places")


@frozen
class BlockSpec:
    """A block that `sheet.yaml` asks for; which fields it needs depends on its sort.

    Attributes:
        what: The values of the key that names its sort: names, or printed numbers.
        texts: Further keys with one text; `lists` with several; `maps` with pairs.
        spans: The place of each name in `what` and `lists`.
    """

    sort: str
    what: tuple[str, ...]
    span: Span
    texts: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    maps: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Its title, if it has one of its own."""
        return self.texts.get("title", "")

    @property
    def odds(self) -> Mapping[str, int]:
        """The headings of columns with chances, and what each adds to the roll."""
        return {heading: int(added[0]) for heading, added in self.maps.get("odds", {}).items()}


@frozen
class PartSpec:
    """A part with its blocks."""

    id: str
    title: str
    lead: str
    columns: int
    blocks: tuple[BlockSpec, ...]
    new_page: bool = False


@frozen
class SiteSpec:
    """A population of sites, and how they are drawn; each at x, y with its name on a side."""

    kind: str
    shape: str
    owner: str
    places: Mapping[str, tuple[str, ...]]


@frozen
class MapSpec:
    """Where the areas of a map are drawn: rectangles in units of the map's own, each x, y, width, height, and
    by how much its name is moved; `values` are fields of the areas, with the side each belongs to."""

    width: float
    height: float
    kind: str
    borders: str
    owner: str
    values: Mapping[str, str]
    areas: Mapping[str, tuple[str, ...]]
    sites: tuple[SiteSpec, ...]
    land: Mapping[str, tuple[str, ...]]
    key: Mapping[str, str]
    span: Span


@frozen
class SheetSettings:
    """The contents of `sheet.yaml`; empty without a file, and the sheet then holds everything."""

    title: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    short: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[PartSpec, ...] = ()
    one_page: tuple[BlockSpec, ...] = ()
    one_page_columns: int = 3
    map: MapSpec | None = None
    references: str = ""
    """The column of the lists of printed rules that says where a rule is; empty where rules have numbers."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """Colours of sides, by their names."""
    logo: str = ""
    """The set's picture as a `data:` URL."""
    folder: Texts = ()
    """The ids of the parts in a folder; empty for all of them."""
    screen: Texts = ()
    """The ids of the parts on a screen; empty for all of them."""
    figures: tuple[BlockSpec, ...] = ()
    """Blocks that no sheet prints: their `factors` are shown in play."""
    one_side: Mapping[str, BlockSpec] = field(default_factory=dict)
    """The printed rules that concern one side alone, as a block of `rules`, by its name."""
    spans: Mapping[str, Span] = field(default_factory=dict)
    """The place of each wording under `names` and `short`, by its key."""

    @property
    def blocks(self) -> tuple[BlockSpec, ...]:
        """The blocks of all parts of the full form."""
        return tuple(spec for part in self.parts for spec in part.blocks)

    @property
    def worded(self) -> tuple[tuple[str, str], ...]:
        """The wordings of norms and printed rules, by their keys: those that are lines of a sheet."""
        norms = ((key, text) for key, text in self.names.items() if key.startswith("norm "))
        return (*norms, *self.short.items())


def factors_by_kind(settings: SheetSettings) -> dict[str, tuple[str, ...]]:
    """The fields that are printed on pieces, in their order, by kind; the first block of a kind counts."""
    factors: dict[str, tuple[str, ...]] = {}
    for block in (*settings.figures, *settings.blocks):
        if fields := block.lists.get("factors"):
            for kind in block.what:
                factors.setdefault(kind, fields)
    return factors


def read_settings(folder: Path, report: Report) -> SheetSettings:
    """Read the settings of the rule set in `folder`."""
    if not exists_inside(folder, FILE):
        return SheetSettings()
    source = read_text(folder, FILE, report)
    if source is None:
        return SheetSettings()
    reading = Reading(report, source.file)
    tree = yaml.parse(source, reading)
    return SheetSettings() if tree is None else _Reader(reading, folder).settings(tree)


class _Reader:
    def __init__(self, reading: Reading, folder: Path) -> None:
        self._reading, self._folder = reading, folder

    def settings(self, tree: Node) -> SheetSettings:
        reading = self._reading
        keys = reading.keys(tree, f"`{FILE}`", _KEYS, ("format",))
        reading.format(keys, FORMAT)
        parts = tuple(self._part(node) for node in reading.items(keys.get("parts"), "`parts`"))
        one: tuple[BlockSpec, ...] = ()
        columns = 3
        if "one_page" in keys:
            inner = reading.keys(keys["one_page"], "`one_page`", _ONE, ("blocks",))
            one = self._blocks(inner.get("blocks"))
            columns = reading.whole(inner.get("columns"), "`columns`", 3)
        return SheetSettings(
            reading.text(keys.get("title"), "`title`"),
            reading.named_texts(keys.get("names"), "`names`"),
            reading.named_texts(keys.get("short"), "`short`"),
            parts,
            one,
            min(max(columns, 1), 4),
            self._map(keys["map"]) if "map" in keys else None,
            reading.text(keys.get("references"), "`references`"),
            self._colours(keys.get("sides")),
            self._logo(keys.get("logo")),
            self._parts_of(keys.get("folder"), "folder", parts),
            self._parts_of(keys.get("screen"), "screen", parts),
            self._blocks(keys.get("figures")),
            self._of_sides(keys.get("one_side")),
            self._spans(keys),
        )

    def _logo(self, node: Node | None) -> str:
        """The picture beside the manifest as a `data:` URL."""
        picture = node and read_logo(self._reading, self._folder, node, "the rule set", MOST_PRINTED)
        return picture.url if picture else ""

    def _parts_of(self, node: Node | None, key: str, parts: Sequence[PartSpec]) -> Texts:
        """The ids of parts that a form has; others are reported."""
        if node is None:
            return ()
        known = [part.id for part in parts]
        wanted = self._several(node, key)
        for id_ in (id_ for id_ in wanted if id_ not in known):
            self._reading.add(wrong_shape(f"unknown part {short(id_)}", node.span, suggestion(id_, known)))
        return tuple(id_ for id_ in wanted if id_ in known)

    def _colours(self, node: Node | None) -> Mapping[str, str]:
        """The colours of sides; each must be dark enough to be read on white."""
        colours: dict[str, str] = {}
        for key, value in self._reading.mapping(node, "`sides`") if node is not None else ():
            colour = self._reading.text(value, f"`{key.text[:40]}`").lower()
            if not COLOUR.fullmatch(colour):
                self._reading.add(
                    wrong_shape(f"invalid colour {short(colour)}", value.span, "write it as `#1d3551`")
                )
            elif contrast(colour, PAPER) < READ:
                hint = f"its contrast with white must be {READ} at least"
                self._reading.add(
                    wrong_shape(f"the colour {short(colour)} is too light for text", value.span, hint)
                )
            else:
                colours[key.text] = colour
        return colours

    def _of_sides(self, node: Node | None) -> Mapping[str, BlockSpec]:
        pairs = self._reading.mapping(node, "`one_side`") if node is not None else ()
        return {
            side.text: BlockSpec(
                "rules", self._several(value, side.text), side.span,
                spans={name.text: name.span for name in _names_in(value)},
            )
            for side, value in pairs
        }  # fmt: skip

    def _spans(self, keys: Mapping[str, Node]) -> Mapping[str, Span]:
        parts = [keys[part] for part in ("names", "short") if isinstance(keys.get(part), Entries)]
        return {
            key.text: value.span for part in parts for key, value in self._reading.mapping(part, "`names`")
        }

    def _part(self, node: Node) -> PartSpec:
        reading = self._reading
        keys = reading.keys(node, "a part", _PART, ("title", "blocks"))
        title = reading.text(keys.get("title"), "`title`")
        id_ = reading.text(keys.get("id"), "`id`") or title.lower().replace(" ", "-")
        columns = reading.whole(keys.get("columns"), "`columns`", 2)
        if not 1 <= columns <= 4:
            reading.add(wrong_shape("`columns` must be 1 to 4", keys["columns"].span))
        lead = reading.text(keys.get("lead"), "`lead`")
        new_page = reading.text(keys.get("new_page"), "`new_page`", "false")
        if new_page not in ("true", "false"):
            reading.add(
                wrong_shape(f"invalid `new_page` {short(new_page)}", keys["new_page"].span, "true or false")
            )
        blocks = self._blocks(keys.get("blocks"))
        return PartSpec(id_, title, lead, min(max(columns, 1), 4), blocks, new_page == "true")

    def _blocks(self, node: Node | None) -> tuple[BlockSpec, ...]:
        specs = (self._block(item) for item in self._reading.items(node, "`blocks`"))
        return tuple(spec for spec in specs if spec is not None)

    def _block(self, node: Node) -> BlockSpec | None:
        reading = self._reading
        if isinstance(node, Scalar) and node.text in SORTS:
            return BlockSpec(node.text, (), node.span)
        keys = reading.keys(node, "a block", (*SORTS, *_BLOCK))
        sort = next((key for key in keys if key in SORTS), None)
        if sort is None:
            if keys or isinstance(node, Entries):
                hint = f"begin it with one of {', '.join(SORTS)}"
                reading.add(wrong_shape("missing kind of block", node.span, hint))
            return None
        texts: dict[str, str] = {}
        lists: dict[str, tuple[str, ...]] = {}
        maps: dict[str, Mapping[str, tuple[str, ...]]] = {}
        for key, value in keys.items():
            if key == sort:
                continue
            if key == "places":
                maps[key] = self._places(value, key)
            elif key in _PAIRS or key in _TEXTS_OR_PAIRS and isinstance(value, Entries):
                maps[key] = {k.text: self._several(v, k.text) for k, v in reading.mapping(value, f"`{key}`")}
            elif key == "since":
                texts[key] = str(reading.whole(value, f"`{key}`", 0))
            elif key in _ONE_TEXT or isinstance(value, Scalar):
                texts[key] = reading.text(value, f"`{key}`")
                lists[key] = (texts[key],)
            else:
                lists[key] = self._several(value, key)
        self._check_words(sort, keys, texts)
        self._check_pairs(keys, maps)
        spans = {name.text: name.span for value in keys.values() for name in _names_in(value)}
        return BlockSpec(sort, self._several(keys[sort], sort), keys[sort].span, texts, lists, maps, spans)

    def _check_words(self, sort: str, keys: Mapping[str, Node], texts: Mapping[str, str]) -> None:
        """Report a text that its key may not have."""
        of_sequence = {"numbers": ("letters",)} if sort == "sequence" else {}
        for key, known in (_WORDS | of_sequence).items():
            if texts.get(key, known[0]) not in known:
                what = "shape of spaces" if key == "shape" else f"`{key}`"
                wrong = wrong_shape(f"invalid {what} {short(texts[key])}", keys[key].span, " or ".join(known))
                self._reading.add(wrong)

    def _check_pairs(self, keys: Mapping[str, Node], maps: dict[str, Mapping[str, Texts]]) -> None:
        """Report unknown shapes of marks, and columns of chances without a number."""
        for words in maps.get("marks", {}).values():
            if words not in (("disc",), ("diamond",)):
                wrong = f"invalid shape {short(', '.join(words))}"
                self._reading.add(wrong_shape(wrong, keys["marks"].span, "disc or diamond"))
        for heading, words in maps.get("odds", {}).items():
            if len(words) != 1 or not _WHOLE.fullmatch(words[0]):
                written = short(", ".join(words)) if words else "nothing"
                wrong = f"expected a whole number for {short(heading)}, found {written}"
                hint = "a number is what the modifiers add to the roll, as in `{plain: 0, aimed: +1}`"
                self._reading.add(wrong_shape(wrong, keys["odds"].span, hint))
                maps.pop("odds")
                break

    def _several(self, node: Node, name: str) -> tuple[str, ...]:
        """A text, or a list of texts; `true` for a block that needs nothing more."""
        if isinstance(node, Items):
            return tuple(self._reading.text(entry, f"an entry of `{name}`") for entry in node.nodes)
        if isinstance(node, Entries):
            self._reading.add(wrong_shape(f"`{name}` must be a text or a list of texts", node.span))
            return ()
        return () if node.text in ("true", "") and node.plain else (node.text,)

    # -- the map

    def _map(self, node: Node) -> MapSpec:
        reading = self._reading
        keys = reading.keys(node, "`map`", _MAP, ("kind", "areas"))
        return MapSpec(
            self._number(keys.get("width"), 12),
            self._number(keys.get("height"), 9),
            reading.text(keys.get("kind"), "`kind`"),
            reading.text(keys.get("borders"), "`borders`") or "borders",
            reading.text(keys.get("owner"), "`owner`"),
            reading.named_texts(keys.get("values"), "`values`"),
            self._places(keys.get("areas"), "areas"),
            tuple(self._sites(item) for item in reading.items(keys.get("sites"), "`sites`")),
            self._places(keys.get("land"), "land"),
            reading.named_texts(keys.get("key"), "`key`"),
            node.span,
        )

    def _sites(self, node: Node) -> SiteSpec:
        reading = self._reading
        keys = reading.keys(node, "an entry of `sites`", _SITES, ("kind", "places"))
        shape = reading.text(keys.get("shape"), "`shape`", "disc")
        if shape not in ("disc", "diamond"):
            reading.add(wrong_shape(f"invalid shape {short(shape)}", keys["shape"].span, "disc or diamond"))
        return SiteSpec(
            reading.text(keys.get("kind"), "`kind`"),
            shape if shape == "diamond" else "disc",
            reading.text(keys.get("owner"), "`owner`"),
            self._places(keys.get("places"), "places"),
        )

    def _places(self, node: Node | None, name: str) -> Mapping[str, tuple[str, ...]]:
        if node is None:
            return {}
        places: dict[str, tuple[str, ...]] = {}
        for key, value in self._reading.mapping(node, f"`{name}`"):
            cells = self._several(value, key.text)
            for cell in cells[: 4 if name == "areas" else 2]:
                if not _is_number(cell):
                    hint = "places are numbers, as in `[3, 1.5]`"
                    self._reading.add(wrong_shape(f"invalid number {short(cell)}", value.span, hint))
                    cells = ()
            places[key.text] = cells
        return places

    def _number(self, node: Node | None, default: float) -> float:
        if node is None:
            return default
        words = self._reading.text(node, "a length")
        if _is_number(words) and 0 < float(words) <= 1000:
            return float(words)
        self._reading.add(wrong_shape(f"invalid length on a map {short(words)}", node.span))
        return default


def _names_in(node: Node) -> tuple[Scalar, ...]:
    """The texts of a key that has a text or a list."""
    nodes = node.nodes if isinstance(node, Items) else (node,)
    return tuple(name for name in nodes if isinstance(name, Scalar))


def _is_number(words: str) -> bool:
    head, _, tail = words.removeprefix("-").partition(".")
    return head.isdecimal() and head.isascii() and len(words) < 12 and (not tail or tail.isdecimal())
