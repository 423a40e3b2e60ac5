"""The generated Python for people: under the names of the rules, with places, citations and legends.

Numbered names become readable: a local variable has its name in the rules, a function or constant has that
name after its number (`p2_strike_at`, `K1_outcome`).  Sets that are written as numbers are listed after
their line.  Nothing else differs from the module that runs.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulekit.base.deep_stack import with_room
from rulekit.base.frozen import frozen
from rulekit.ir import Program
from rulekit.reports.show.ir import Expressions, IrItem
from rulekit.reports.show.ir.program import source_name
from rulekit.reports.show.rows import RuleLine
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.support.build import SIMULATION, Build
from rulekit.runtime.support.layout import FUEL, Slots

FEW = 8
"""Sets of fewer members are listed after their line."""

LEAST = 3
"""Digits of a number that is taken for a set where the same line may hold other numbers."""

WIDE = 100
"""Cells of a constant in the legend."""

_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_CELL = re.compile(r"\bM\[([^\[\]]*)\]")
_GLOBAL = re.compile(r"\b[a-zKH]\d+\b")
_LITERAL = re.compile(rf"\b(?:0x[0-9a-f]+|\d{{{LEAST},}})\b|\((?:\d+,? ?)+\)")
_TAKEN = frozenset(keyword.kwlist) | frozenset(dir(builtins)) | {"BITS", "NONE", "GAP", "STOP", "Fault"}


@frozen
class Legend:
    """A line of the legend: the meaning of a cell or of a constant of the module."""

    shown: str
    meaning: str
    site: int | None = None


@dataclass
class Chunk:
    """One function of the module: its name, its lines and their sites."""

    python: str
    lines: list[str]
    sites: list[int]

    @cached_property
    def uses(self) -> frozenset[str]:
        """The numbered names of the module that it reads."""
        return frozenset(name for line in self.lines for name in _GLOBAL.findall(line)) - {self.python}

    @cached_property
    def cells(self) -> frozenset[int]:
        """Numbers in addresses of cells."""
        texts = (text for line in self.lines for text in _CELL.findall(line))
        return frozenset(int(number) for text in texts for number in re.findall(r"\b\d+\b", text))


class PythonView:
    """The Python of one program.

    Args:
        prefix: Of the ids of printed rules; citations leave it out.
        build: `direct` calls an agent at choices; `frames` stops there, as sessions do.
    """

    def __init__(self, program: Program, prefix: str = "", build: Build = SIMULATION) -> None:
        self._program = program
        self._prefix = prefix
        self._x = Expressions(program)
        self._module = with_room(GeneratedModule)(program, build)
        self._unit = self._module.unit
        self._examples = {
            name: f'{word} of example "{example.name}"'
            for example in program.examples
            for word, name in (("given", example.given), ("when", example.when))
        }
        self._procedures = [item.name for item in program.procedures if item.name not in self._examples]
        written = {key[1] for key in self._unit.names if isinstance(key, tuple) and key[0] == "function"}
        self._unwritten = [item.name for item in program.functions if item.name not in written]
        self._read_module()

    def _read_module(self) -> None:
        self._keys = {python: key for key, python in self._unit.names.items()}
        self._chunks = {chunk.python: chunk for chunk in self._split()}

    @property
    def names(self) -> frozenset[str]:
        """The names that select code: those of procedures, choices, definitions and tables."""
        functions = (item.name for item in self._program.functions)
        own = {*self._procedures, *functions, *(item.name for item in self._program.choices)}
        return frozenset(own | {source_name(name) for name in own})

    @property
    def source(self) -> str:
        """The module as it runs."""
        return self._module.source

    def whole(self) -> Iterator[IrItem]:
        """The whole module, with a legend of its cells and constants before it."""
        yield from self._legends(self._chunks.values(), whole=True)
        if self._unwritten:
            names = ", ".join(source_name(name) for name in self._unwritten)
            yield IrItem(frozenset(), (RuleLine(f"# inlined or tabulated: {names}", "", 0),))
        for chunk in self._chunks.values():
            yield self._entry(chunk)

    def selection(self, names: Iterable[str]) -> Iterator[IrItem]:
        """The functions of some names with the loops in them, and a legend of what they read."""
        wanted = set(names)
        unwritten = [name for name in self._unwritten if wanted & {name, source_name(name)}]
        if unwritten:
            for name in unwritten:
                self._module.function(name)
            self._read_module()
        chosen = [chunk for chunk in self._chunks.values() if wanted & self._selectors(chunk.python)]
        parts = self._parts(chosen)
        yield from self._legends(parts, whole=False)
        for chunk in parts:
            yield self._entry(chunk)

    def _parts(self, chosen: list[Chunk]) -> list[Chunk]:
        """Functions with the loops and judges that they call, in the order of the module."""
        known = {chunk.python for chunk in chosen}
        waiting = list(chosen)
        while waiting:
            for python in waiting.pop().uses - known:
                if python in self._chunks and python[0] in "hj":
                    known.add(python)
                    waiting.append(self._chunks[python])
        return [chunk for chunk in self._chunks.values() if chunk.python in known]

    # ------------------------------------------------------------ functions

    def _split(self) -> Iterator[Chunk]:
        chunk: Chunk | None = None
        for text, site in zip(self._module.source.splitlines(), self._module.sites[1:], strict=True):
            header = re.match(r"def (\w+)\(", text)
            if header:
                if chunk is not None:
                    yield chunk
                chunk = Chunk(header[1], [], [])
            assert chunk is not None, "code outside of functions"
            chunk.lines.append(text)
            chunk.sites.append(site)
        if chunk is not None:
            yield chunk

    def _selectors(self, python: str) -> frozenset[str]:
        """The names in the rules that select a function."""
        match self._keys.get(python):
            case ("routine", (_, name, _)) | ("function", name):
                return frozenset((str(name), source_name(str(name))))
            case ("expression", e, _) if hasattr(e, "function"):
                return frozenset((e.function, source_name(e.function)))
            case _:
                return frozenset()

    def _entry(self, chunk: Chunk) -> IrItem:
        own = _readable(self._unit.locals.get(chunk.python, {}), chunk)
        title = self._title(chunk)
        rows = [RuleLine(f"# {title}", "", 0)] if title else []
        around = -1
        for text, site in zip(chunk.lines, chunk.sites, strict=True):
            shown = self._rename(text, own) + self._sets(text, site)
            place = self._program.sites[site] if site >= 0 and site != around else None
            around = site if site >= 0 else around
            cited = "" if place is None else self._citation(place.rules)
            rows.append(RuleLine(shown, place.file if place else "", place.line if place else 0, cited=cited))
        return IrItem(self._selectors(chunk.python), tuple(rows))

    def _title(self, chunk: Chunk) -> str:
        site = chunk.sites[0]
        owner = source_name(self._program.sites[site].owner) if site >= 0 else ""
        match self._keys.get(chunk.python):
            case ("routine", (kind, name, late)):
                return self._examples.get(str(name), f"{kind} {name}") + (
                    " inside a `together` block" if late else ""
                )
            case ("function", name):
                return f"define {source_name(str(name))}"
            case ("loop" | "values", *_):
                return f"loop in {owner}" if owner else "loop"
            case ("invariant", number):
                return f"invariant {self._program.invariants[int(str(number))].name}"
            case ("expression", e, _) if hasattr(e, "function"):
                return f"call of {source_name(e.function)}"
            case ("options", str(name)):
                return f"options of {name}"
            case (str(kind), str(name)):
                return f"{kind}: judge of {name}"
            case _:
                return ""

    def _rename(self, text: str, own: Mapping[str, str]) -> str:
        return _NAME.sub(lambda found: own.get(found[0]) or self._global(found[0]), text)

    def _global(self, python: str) -> str:
        """A name of the module followed by its name in the rules."""
        match self._keys.get(python):
            case ("table", str(name)) if _is_made(name):
                return python
            case ("routine", (_, name, _)) | ("function" | "table", name) | (str(), str(name)):
                return f"{python}_{_identifier(source_name(str(name).removeprefix('function ')))}".rstrip("_")
            case ("invariant", number):
                return f"{python}_{_identifier(self._program.invariants[int(str(number))].name)}"
            case _:
                return python

    def _sets(self, text: str, site: int) -> str:
        """A comment that lists the members of the small sets written in a line."""
        listed = []
        for literal in dict.fromkeys(_LITERAL.findall(text)):
            kind = self._unit.set_literals.get((site, literal))
            if kind is None:
                continue
            mask = _mask(literal)
            if mask.bit_count() < FEW:
                members = self._x.value(kind, mask)
                listed.append(members if literal.startswith("(") else f"{literal} is {members}")
        return f"  # {'; '.join(listed)}" if listed else ""

    def _citation(self, rules: Iterable[str]) -> str:
        shown = ", ".join(rule.removeprefix(f"{self._prefix}.") for rule in rules)
        return f"[{shown}]" if shown else ""

    # ------------------------------------------------------------ legends

    def _legends(self, chunks: Iterable[Chunk], *, whole: bool) -> Iterator[IrItem]:
        """The cells and the constants that functions read; with `whole` all of them."""
        chunks = list(chunks)
        cells = frozenset[int]().union(*(chunk.cells for chunk in chunks))
        uses = frozenset[str]().union(*(chunk.uses for chunk in chunks))
        states = [
            line for first, after, line in self._cells() if whole or any(first <= n < after for n in cells)
        ]
        constants = [Legend(self._global(python), meaning) for python, meaning in self._constants(uses)]
        for title, lines in (("cells of the state", states), ("constants", constants)):
            if lines:
                yield IrItem(frozenset(), (RuleLine(f"# {title}", "", 0), *map(self._row, _align(lines))))

    def _row(self, line: Legend) -> RuleLine:
        site = None if line.site is None else self._program.sites[line.site]
        text = f"#   {line.shown}  {line.meaning}"
        if site is None:
            return RuleLine(text, "", 0)
        return RuleLine(text, site.file, site.line, cited=self._citation(site.rules))

    def _cells(self) -> Iterator[tuple[int, int, Legend]]:
        """For each part of the state the numbers that its addresses begin with, and what it is."""
        layout = self._module.layout
        yield FUEL, FUEL + 1, Legend(f"M[{FUEL}]", "units of work that may still be spent")
        for name, address in layout.counters.items():
            yield address, address + 1, Legend(f"M[{address}]", f"dice or draws used by {name}")
        yield layout.reveals, layout.reveals + 1, Legend(f"M[{layout.reveals}]", "number of reveals")
        for name, revealed in layout.revealed.items():
            at, apart = revealed.address, " for each side" if revealed.sides > 1 else ""
            yield at, at + 1, Legend(f"M[{at}]", f"revealed cells of {name}, as a mask{apart}")
        for slots in layout.slots.values():
            yield *_span(slots), Legend(_range(slots.base, slots.size), _state(slots), slots.state.site)
        if "place" in layout.slots:
            first, after = layout.first_derived, layout.first_derived + layout.spaces + 1
            meaning = "pieces at each space, as masks; off the board last"
            yield first, after, Legend(_range(first, after - first), meaning)
        of_index = {index.slots.state.name: name for name, index in layout.indexes.items()}
        for name, slots in layout.derived.items():
            if name in of_index:
                meaning = f"members with each value of {of_index[name]}, as masks"
            else:
                meaning = (
                    f"members that pass a test of {name.removeprefix('? ').rpartition(' ')[0]}, as a mask"
                )
            yield *_span(slots), Legend(_range(slots.base, slots.size), meaning)

    def _constants(self, uses: frozenset[str]) -> Iterator[tuple[str, str]]:
        """The constants and helpers that are read, with what they are."""
        for key, python in self._unit.names.items():
            if python in uses and isinstance(key, tuple):
                meaning = self._constant(key)
                if meaning:
                    yield python, meaning if len(meaning) <= WIDE else f"{meaning[: WIDE - 3]}..."

    def _constant(self, key: tuple[Hashable, ...]) -> str:
        match key:
            case ("table", str(name)):
                table = self._module.facts.tables[name]
                domains = [part if isinstance(part, str) else f"{part[0]}..{part[1]}" for part in table.keys]
                named = "made by the optimiser, " if _is_made(name) else f"{name.removeprefix('table:')}, "
                return f"table {named}keys [{', '.join(domains)}]: {table.type}"
            case ("constant", _, value):
                return repr(value)
            case ("helper", str(name)):
                return name.removesuffix(" None")
            case _:
                return ""


def _is_made(table: str) -> bool:
    return table.startswith(("table#", "image#"))


def _span(slots: Slots) -> tuple[int, int]:
    """The numbers that addresses of a state begin with: keys that do not begin at 0 shift its base."""
    shift = sum(key.low * key.stride for key in slots.keys)
    return min(slots.base, slots.base - shift), slots.base + slots.size


def _range(base: int, size: int) -> str:
    return f"M[{base}]" if size == 1 else f"M[{base}..{base + size - 1}]"


def _state(slots: Slots) -> str:
    domains = [key if isinstance(key, str) else f"{key[0]}..{key[1]}" for key in slots.state.keys]
    keys = f"[{', '.join(domains)}]" if domains else ""
    bits = "" if slots.bits is None else f", a mask over {domains[-1]}"
    return f"{slots.state.name}{keys}: {slots.state.type}{bits}"


def _align(lines: list[Legend]) -> Iterator[Legend]:
    width = max(len(line.shown) for line in lines)
    return (Legend(f"{line.shown:<{width}}", line.meaning, line.site) for line in lines)


def _mask(literal: str) -> int:
    """A set as a mask, from a mask or from the tuple of its members."""
    if literal.startswith("("):
        return sum(1 << int(number) for number in re.findall(r"\d+", literal))
    return int(literal, 0)


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")


def _readable(names: Mapping[str, str], chunk: Chunk) -> dict[str, str]:
    """For each Python variable of a function a name that nothing else in it has."""
    text = "\n".join(chunk.lines)
    taken = set(_NAME.findall(text)) | _TAKEN
    renamed: dict[str, str] = {}
    for python, name in names.items():
        plain = base = _identifier(name)
        if not base:
            continue
        number = 1
        while plain in taken:
            number += 1
            plain = f"{base}_{number}"
        taken.add(plain)
        renamed[python] = plain
    return renamed
