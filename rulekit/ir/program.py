"""The program: everything a rule set declares, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any, Final, Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.ir.expr import Expr, Local, Value
from rulekit.ir.steps import Steps, Ways
from rulekit.ir.stmt import Block
from rulekit.ir.types import NONE, Flag, Int, ListOf, Member, SetOf, Type

FORMAT = 1
"""Version of the IR; a reader refuses any other."""


Key = str | tuple[int, int]
"""The range of a key: a domain's members, or the numbers from one to another."""


def type_of_key(key: Key) -> Member | Int:
    """The type of a key."""
    return Member(key, key) if isinstance(key, str) else Int(*key)


def span_of(key: Key, sizes: Mapping[str, int]) -> tuple[int, int]:
    """The lowest and the highest value of a key; `sizes` has how many members each domain has."""
    return (0, sizes[key] - 1) if isinstance(key, str) else key


def position_of(keys: Sequence[Key], values: Sequence[int], sizes: Mapping[str, int]) -> int | None:
    """Where a table that is dense over these keys, row-major, has its entry for some values.

    None if a value is none of its key's.
    """
    position = 0
    for key, value in zip(keys, values, strict=True):
        low, high = span_of(key, sizes)
        if not low <= value <= high:
            return None
        position = position * (high - low + 1) + value - low
    return position


@frozen
class Site:
    """A place in the rules that causes things, with the printed rules that it cites.

    `rules` are ids such as `SET.7.55`, without brackets; `owner` is the named construct around it.
    """

    owner: str
    rules: tuple[str, ...]
    file: str
    line: int
    column: int

    @property
    def span(self) -> Span:
        """The first character of it."""
        return Span.at(self.file, self.line, self.column)


@frozen
class Domain:
    """Things numbered from 0: an enum, all pieces (`piece`), all spaces (`space`), or one kind of group.

    A group's `members` are made-up names (`Fight 1` ...), as many as may exist at once; which exist is
    the flag state `exists:<domain>`.
    """

    name: str
    sort: Literal["enum", "piece", "space", "group"]
    members: tuple[str, ...]
    titles: tuple[str, ...]


@frozen
class NamedSet:
    """A named set of members of one domain: a piece or space kind, a union of kinds, a whole domain.

    `data` names the file that the members of an extern kind come from.  `missing` names the owner's file,
    while that is missing and the members are made up.
    """

    name: str
    domain: str
    members: int
    data: str = ""
    missing: str = ""


@frozen
class StaticTable:
    """A table of constants, dense over its keys, row-major; keys are names of domains or (low, high) ranges.

    Where a field does not exist for a member (a port's armour), the entry is `GAP` and is never read.
    `missing` names the missing owner's file that would hold the numbers of an extern table: every entry is
    `GAP`, and reading one is the fault `missing-data`.  `made_up_for` names that file while the numbers
    are those of a sampler.  In both cases `columns` are those the file must have, and `listed` are, for each
    key, its values as the file must write them.  `steps_by` names the table of a
    relation: the entries are the fewest steps by it from the first key to the second, none where no way
    leads; or, where they are lists, the members of a shortest way.  Then `values` is empty, and the index of
    a program has a table that works them out.
    """

    name: str
    keys: tuple[Key, ...]
    type: Type
    values: tuple[Value, ...]
    missing: str = ""
    made_up_for: str = ""
    columns: tuple[str, ...] = ()
    listed: tuple[tuple[str, ...], ...] = ()
    steps_by: str = ""


@frozen
class State:
    """A state of play: one value for each combination of keys.

    Two states are built in: `place` (piece -> space or none) and `exists:<group>` (flag).  `initial` is
    one value for all cells, or one a cell in row-major order (a tuple, then `initial_each` is true).
    `known_to` are the sides that may see it: a set-of-sides expression over the keys' locals, None for all.
    With `counted` (a set or list) all see how many things it holds.
    """

    name: str
    keys: tuple[Key, ...]
    type: Type
    initial: Value
    initial_each: tuple[Value, ...] | None
    clamp: bool
    known_to: Known | None
    site: int
    counted: bool = False


@frozen
class Known:
    """`known to`: `sides` is an expression (a member, or a set, of the sides' enum) over `params`."""

    params: tuple[Local, ...]
    sides: Expr
    many: bool


@frozen
class Param:
    """A parameter."""

    name: str
    type: Type


@frozen
class Function:
    """A pure function: a definition, a value, a table's conditional cells, a roll's modifiers."""

    name: str
    params: tuple[Param, ...]
    result: Type
    body: Expr
    site: int


@frozen
class Point:
    """A named point of chance; `dice` x `sides` for rolls, 0 x 0 for draws and shuffles.

    Each die shows `lowest` to `lowest + sides - 1`.  `params` are what a roll is about.
    """

    name: str
    dice: int
    sides: int
    site: int
    lowest: int = 1
    params: tuple[Param, ...] = ()


@frozen
class Norm:
    """A permission, prohibition or requirement of a choice.

    `test` reads the choice's parameters and `lets`, and the verb's locals for one option.  For `forbid`
    and `require` it says that the option *breaks* the norm; for `permit`, that it is permitted.
    `cover` (a set, or None) heals a breach if every member of it is in the finished answer; `whole` (a flag
    that may read `chosen` and the other answer locals) heals it if it holds of the finished answer.  With
    neither, a breach is final.  `per_option` is false when `test` reads no local of the option, so that the
    norm speaks of the whole answer.  With `declining` the norm (a `forbid`) speaks of the answer none instead
    of the options: where `test` holds (it may read `item`, not the option), declining is not allowed.
    """

    name: str
    word: Literal["forbid", "permit", "require"]
    test: Expr
    cover: Expr | None
    whole: Expr | None
    per_option: bool
    site: int
    declining: bool = False


Verb = Literal[
    "pick_one", "pick_record", "pick_set", "assign", "assign_set", "split", "arrange", "share", "decide",
    "number",
]  # fmt: skip
"""The kind of question that a choice asks; see `Choice`."""

COUNTED: Final[frozenset[Verb]] = frozenset(("pick_set", "assign", "assign_set"))
"""Verbs whose `chosen` is a set of options, which a norm may ask to cover another set."""


_NUMBER, _FLAG = Int(NONE, -NONE), Flag()


@frozen
class Choice:
    """A named point of choice.  Locals bound for norms, by verb (types follow from the candidates):

    - `pick`: `option`; with an amount other than one also `chosen` (set)
    - `pick_record`: those of `fields`; norms do not read `option`, the whole answer
    - `assign`: `item`, `option`, `chosen` (set of options used), `assigned` (map item -> option)
    - `assign_set`: the same, with several options for an item (map item -> set of options)
    - `split`: `option` (one part, a set), `chosen` (list of the parts)
    - `arrange`: `option` (one member), `before` (the one placed just before it, or none), `chosen` (list)
    - `share`: `item`, `option` (how many it gets), `chosen` (map item -> number)
    - `decide`: `option` (a flag);  `number`: `option` (a number)

    `verb_site` is the line of the verb, with the rules that it cites; below 0 it is `site`.

    `low` and `high` bound how many are picked (for each item: `assign_set`), how many parts, or the number;
    `items` are the members that each get an option (assign) or a share; `candidates` are the options (they
    may read `item`); `fields` are the names of a record, each with the set that it is from, which may read
    those before it; `total` is what is shared: all of it, or as much as the items have room for.
    `each` is how many items may get the same option; None is any number.
    `able`: `must` (no legal option is a fault), `none` (the answer none is
    always allowed) or `if_able` (the answer is none only where nothing is legal).
    """

    name: str
    params: tuple[Param, ...]
    decider: Expr
    verb: Verb
    lets: tuple[tuple[Local, Expr], ...]
    item: Local | None
    option: Local
    chosen: Local | None
    before: Local | None
    assigned: Local | None
    items: Expr | None
    candidates: Expr | None
    low: Expr | None
    high: Expr | None
    total: Expr | None
    able: Literal["must", "none", "if_able"]
    norms: tuple[Norm, ...]
    secret: bool
    default: Expr | None
    answer: Type
    site: int
    each: Expr | None = None
    verb_site: int = -1
    fields: tuple[tuple[Local, Expr], ...] = ()

    @property
    def among(self) -> tuple[tuple[Local, Expr], ...]:
        """The locals that hold a member or number, each with its set, which may read the locals before it."""
        pairs = ((self.item, self.items), (self.option, None if self.verb == "split" else self.candidates))
        known = ((local, of) for local, of in pairs if local is not None and of is not None)
        return (*known, *self.fields)

    @property
    def item_type(self) -> Type | None:
        """The type of the item that each part is about; None if parts have no item."""
        if self.item is not None:
            return self.item.type
        if self.verb == "split" and isinstance(self.option.type, SetOf):
            return self.option.type.of
        return None

    @property
    def part_type(self) -> Type:
        """The type of an answer to one part, which may also be none or done."""
        match self.verb:
            case "split" | "share" | "number":
                return _NUMBER
            case "decide":
                return _FLAG
            case _:
                return self.option.type

    @property
    def asked(self) -> tuple[Expr, ...]:
        """The expressions that say what may be answered, apart from `lets` and norms."""
        own = (self.items, self.candidates, self.low, self.high, self.total, self.each)
        return (*(e for e in own if e is not None), *(e for _, e in self.fields))

    def with_asked(self, change: Callable[[Expr], Expr]) -> Choice:
        """Return the choice with these expressions changed."""
        names = ("items", "candidates", "low", "high", "total", "each")
        own: dict[str, Any] = {name: change(e) for name in names if (e := getattr(self, name)) is not None}
        return replace(self, fields=tuple((local, change(e)) for local, e in self.fields), **own)

    @property
    def part_locals(self) -> frozenset[str]:
        """Names of the locals that hold one part of the answer."""
        parts = (self.option, self.item, self.before, *(local for local, _ in self.fields))
        return frozenset(local.name for local in parts if local is not None)

    @property
    def answer_locals(self) -> frozenset[str]:
        """Names of the locals that hold the finished answer."""
        return frozenset(local.name for local in (self.chosen, self.assigned) if local is not None)


@frozen
class Procedure:
    """Statements under a name; `locals` gives every local's type, parameters included."""

    name: str
    params: tuple[Param, ...]
    result: Type
    locals: tuple[Param, ...]
    body: Block
    site: int


@frozen
class Scenario:
    """A start: a procedure that sets up the game."""

    name: str
    title: str
    procedure: str


@frozen
class Invariant:
    """A condition that holds at every moment (`invariant`, and every `assume`); `body` reads no locals."""

    name: str
    body: Expr
    site: int


@frozen
class Measure:
    """A line `chance` or `mean` of an example: a question about all its outcomes.

    `chance`: the chances of the values of `of`; `mean`: its mean.  `of` is read at the end, over the locals
    of `when`.  `relation` says how `stated` bounds the chance that `of` holds, or the mean; empty if nothing
    is stated.  `rounded`: of how many parts `stated` is the nearest number; 0 where it is exact.
    """

    word: Literal["chance", "mean"]
    of: Expr
    relation: Literal["", "is", "at_least", "at_most"]
    stated: Fraction | None
    rounded: int
    site: int


@frozen
class Example:
    """A worked example.

    `given` and `when` are procedures without parameters; after both, `then` conditions are tested in order
    over the locals of `when`; the first `between` of them are locals that `when` binds on its way.
    `dice`, `draws` (ids) and `answers` (parts, as sessions take them) feed the points and choices named;
    one left over at the end, or missing, fails the example. `sides` says for each part of each entry of
    `answers` whom it must be asked of, or `NONE`. `refused` lists rules one of which must refuse the last
    answer; `fault` expects a fault, `breaks` that this does not hold at some moment, `asks` that this
    choice is open at the end, of `asked` if that is not `NONE`.  An example with `measures` follows every
    outcome of dice and draws, and has nothing else that it expects.
    """

    name: str
    scenario: str | None
    given: str
    when: str
    dice: tuple[tuple[str, tuple[int, ...]], ...]
    draws: tuple[tuple[str, tuple[int, ...]], ...]
    answers: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]
    then: tuple[tuple[Expr, int], ...]
    refused: tuple[str, ...]
    fault: bool
    site: int
    sides: tuple[tuple[int, ...], ...] = ()
    breaks: Invariant | None = None
    asks: str = ""
    asked: int = NONE
    between: int = 0
    measures: tuple[Measure, ...] = ()


UNMODIFIED: Final = "'unmodified"
"""Ends the name of the function that gives a definition before its modifiers."""


@frozen
class Modifier:
    """A modifier of a roll, definition or table (`of`), for explanations of a result, which needs none of it.

    `point` names the roll, definition or table; `function` the one that applies all modifiers: to a roll,
    to 0 (of a table: how many columns to the right), or the definition itself.
    `acts` names a function that gives 0 where the modifier acts, else the number (from 1) of the first of
    its `clauses` (sites) that keeps it from acting; empty where it always acts.  `number` names the function
    that gives what it adds, multiplies with, sets or bounds; empty for `half`.  Both take what was rolled
    (or the value before all modifiers, or 0), then the parameters.  Modifiers of a point are in the order of
    application; of those of one class (`stack`) `policy` says which count, the later ones before the earlier.
    """

    name: str
    of: Literal["roll", "define", "table"]
    point: str
    function: str
    effect: Literal["add", "subtract", "times", "half", "set", "most", "least"]
    acts: str
    number: str
    clauses: tuple[int, ...]
    stack: str
    policy: Literal["sum", "highest", "lowest", "once", "exclusive"]
    site: int


@frozen
class ProgramIndex:
    """The declarations of a program, by name; `sizes` has the number of members of each domain."""

    domains: Mapping[str, Domain]
    kinds: Mapping[str, NamedSet]
    statics: Mapping[str, StaticTable]
    states: Mapping[str, State]
    functions: Mapping[str, Function]
    points: Mapping[str, Point]
    choices: Mapping[str, Choice]
    procedures: Mapping[str, Procedure]
    scenarios: Mapping[str, Scenario]
    examples: Mapping[str, Example]
    sizes: Mapping[str, int]

    def members_of(self, kind: Member) -> int:
        """The members of a kind, as a mask; of a kind that is not declared the whole domain."""
        known = self.kinds.get(kind.name)
        return known.members if known and known.domain == kind.domain else (1 << self.sizes[kind.domain]) - 1


class _Indexed:
    """Holds the index of a program, which is not a field."""

    __slots__ = ("_index",)


@frozen
class Program(_Indexed):
    """A whole rule set; see the module's docstring.

    `entry` is the sequence of play; `sides` names the enum of those who decide; `source_hash` is the
    digest of everything the program was made from, which every save has.
    """

    format: int
    name: str
    title: str
    edition: str
    language: str
    source_hash: str
    options: tuple[str, ...]
    domains: tuple[Domain, ...]
    kinds: tuple[NamedSet, ...]
    statics: tuple[StaticTable, ...]
    states: tuple[State, ...]
    functions: tuple[Function, ...]
    points: tuple[Point, ...]
    choices: tuple[Choice, ...]
    procedures: tuple[Procedure, ...]
    scenarios: tuple[Scenario, ...]
    invariants: tuple[Invariant, ...]
    examples: tuple[Example, ...]
    sides: str
    entry: str
    sites: tuple[Site, ...]
    modifiers: tuple[Modifier, ...] = ()

    @property
    def data(self) -> dict[str, str]:
        """The file with the members of each extern kind."""
        return {kind.name: kind.data for kind in self.kinds if kind.data}

    @property
    def made_up(self) -> tuple[str, ...]:
        """The extern kinds whose members are made up, because the owner's file is missing."""
        return tuple(kind.name for kind in self.kinds if kind.missing)

    @property
    def made_up_tables(self) -> tuple[StaticTable, ...]:
        """The extern tables whose numbers are made up, because the owner's file is missing."""
        return tuple(table for table in self.statics if table.made_up_for)

    @property
    def by_name(self) -> ProgramIndex:
        """The declarations by name, made when first asked for."""
        index: ProgramIndex | None = getattr(self, "_index", None)
        if index is None:
            *names, _ = (field.name for field in fields(ProgramIndex))
            parts: list[Any] = [{item.name: item for item in getattr(self, name)} for name in names]
            parts.append({domain.name: len(domain.members) for domain in self.domains})
            index = ProgramIndex(*parts)
            _count_steps(parts[names.index("statics")])
            object.__setattr__(self, "_index", index)
        return index


def _count_steps(tables: dict[str, StaticTable]) -> None:
    """Give each table of steps its entries, which are worked out when they are looked up."""
    for table in [table for table in tables.values() if table.steps_by]:
        count = Ways if isinstance(table.type, ListOf) else Steps
        steps: Any = count(tables[table.steps_by].values)
        tables[table.name] = replace(table, values=steps)
