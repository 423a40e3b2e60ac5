"""Statements of the IR: the three things that happen (state changes, chance, choice), and their order.

Every statement carries `site`, an index into `Program.sites`: the rules that cause it.  A local is bound
by the statement that names it and keeps its value until it is bound again; a loop's collection is taken
once, when the loop begins.
"""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.ir.expr import Expr, Local


@frozen
class Let:
    """Bind a local."""

    local: Local
    value: Expr
    site: int


@frozen
class Write:
    """Change one cell of a state.

    `set` stores; `add` and `subtract` work on numbers; `mark` and `unmark` on flags (no value);
    `include`, `exclude` insert a set (mask) into, or remove it from, a set; `append`, `drop` a value to the
    end of, or its first occurrence out of, a list.  `check` asks for the range to be tested (fault
    `out-of-range`), because the compiler could not show it; `clamp` stops at the ends instead (a track).
    """

    op: Literal["set", "add", "subtract", "mark", "unmark", "include", "exclude", "append", "drop"]
    state: str
    keys: tuple[Expr, ...]
    value: Expr | None
    site: int
    check: bool = False
    clamp: bool = False


@frozen
class MarkAll:
    """Mark (`on`) or unmark every member of the set `members` in a flag state (its last key)."""

    state: str
    keys: tuple[Expr, ...]
    members: Expr
    on: bool
    site: int


@frozen
class Place:
    """Move a piece (`many`: a set of pieces) to a space, or off the board (`space` is `NONE`)."""

    pieces: Expr
    many: bool
    space: Expr
    site: int


@frozen
class When:
    """One of two blocks."""

    condition: Expr
    then: Block
    otherwise: Block
    site: int


@frozen
class Order:
    """How a loop orders its members; without an `Order`, by id (a list: as it stands).

    `first`: the members in `keys` come first, in that order.  `ranked`: by `numbers`, ties by id.  `lot`: at
    random, by the point `name`.  `chosen`: the side that is the last of `keys` picks the next one each time,
    by the choice `name` (its first parameter: the set of those left).  With `ranks`, these two are for ties.
    `ranks` are the ends of as many numbers, with which `keys` begin; these read the loop's variable.
    """

    kind: Literal["first", "ranked", "lot", "chosen"]
    keys: tuple[Expr, ...]
    name: str = ""
    ranks: tuple[Literal["lowest", "highest"], ...] = ()

    @property
    def numbers(self) -> tuple[tuple[Literal["lowest", "highest"], Expr], ...]:
        """The numbers that order the members, each with the end that comes first; the first counts most."""
        return tuple(zip(self.ranks, self.keys, strict=False))

    @property
    def sides(self) -> tuple[Expr, ...]:
        """The side that picks; none, if no side does."""
        return self.keys[len(self.ranks) :] if self.kind == "chosen" else ()


@frozen
class ForEach:
    """Once for each member of a set or item of a list; `order` is applied to a set only.

    With `alternating`, members take turns, one run of the body each, until `alternating` (a condition
    with `var` bound) holds for none; those for whom it does not hold are skipped.
    """

    var: Local
    over: Expr
    order: Order | None
    body: Block
    site: int
    alternating: Expr | None = None


@frozen
class Repeat:
    """`times`: a fixed number; `while`: tested before each run; `until`: tested after each run.

    More than `limit` runs (or the back end's own budget, if None) is a fault `endless-loop`.
    """

    kind: Literal["times", "while", "until"]
    control: Expr
    limit: Expr | None
    body: Block
    site: int


@frozen
class Leave:
    """End the innermost loop."""

    site: int


@frozen
class Next:
    """Go on with the innermost loop's next run."""

    site: int


@frozen
class Return:
    """End the procedure, with its result if it has one."""

    value: Expr | None
    site: int


@frozen
class Do:
    """Run a procedure; bind its result."""

    procedure: str
    arguments: tuple[Expr, ...]
    local: Local | None
    site: int


@frozen
class Roll:
    """Roll the dice of a point; bind the sum as rolled to `raw`, and what modifiers make of it to `local`.

    `modified` (with `raw` bound) is the modified value; None where nothing modifies the roll.  `known` are
    the sides that see it: a constant or local, a side (or `NONE`) or a set of sides; None for all.
    """

    point: str
    arguments: tuple[Expr, ...]
    raw: Local
    local: Local | None
    modified: Expr | None
    site: int
    known: Expr | None = None


@frozen
class DrawLot:
    """Draw by lot from a set, without changing it.

    `one`: bind one member (fault `empty-draw` from an empty set).  Otherwise bind a set of `count`
    members, or all if there are fewer.  `known` as in `Roll`.
    """

    point: str
    count: Expr
    over: Expr
    one: bool
    local: Local
    site: int
    known: Expr | None = None


@frozen
class DrawTop:
    """Draw from a cup (a set state: by lot) or a stack (a list state: from the top) and remove it.

    `one` as in `DrawLot`; for a stack, otherwise a list.  `known` as in `Roll`; None for those who may see
    the cup or stack.
    """

    point: str
    state: str
    keys: tuple[Expr, ...]
    count: Expr
    one: bool
    local: Local
    site: int
    known: Expr | None = None


@frozen
class Put:
    """Put a value on top of, or under, a stack; `many`: items of a list or members of a set, in order."""

    state: str
    keys: tuple[Expr, ...]
    value: Expr
    many: bool
    top: bool
    site: int


@frozen
class Shuffle:
    """Put a stack (a list state) into random order."""

    point: str
    state: str
    keys: tuple[Expr, ...]
    site: int


@frozen
class Form:
    """Bring a group of `domain` into being: the lowest free number, its state as declared.

    A fault if all are in use.
    """

    domain: str
    local: Local
    site: int


@frozen
class Dissolve:
    """End a group; its number is free again."""

    domain: str
    group: Expr
    site: int


@frozen
class Choose:
    """Ask a choice; bind the answer."""

    choice: str
    arguments: tuple[Expr, ...]
    local: Local | None
    site: int


@frozen
class ChooseEach:
    """Ask a choice once for each member of a set, in id order; nobody sees an answer before all are given.

    Binds a map from member to answer.  `arguments` may read `var`.
    """

    choice: str
    arguments: tuple[Expr, ...]
    var: Local
    over: Expr
    local: Local | None
    site: int


@frozen
class Together:
    """Run the block reading the state as it was before; its changes land at the end (spec 9.7)."""

    body: Block
    site: int


@frozen
class Step:
    """A named phase, segment or step; its body runs in place."""

    name: str
    word: Literal["phase", "segment", "step"]
    title: str
    body: Block
    site: int


@frozen
class Reveal:
    """Show a state's value until it is written: to all, or to those who are `known` (as in `Roll`)."""

    state: str
    keys: tuple[Expr, ...]
    site: int
    known: Expr | None = None


@frozen
class Tell:
    """Note a modified value and what its modifiers do; only games that are explained have it.

    `of`, `point` and `function` are those of the modifiers (see `Modifier`).  `condition` holds if the rules
    work the value out.
    """

    of: Literal["define", "table"]
    point: str
    function: str
    arguments: tuple[Expr, ...]
    condition: Expr
    site: int


@frozen
class Say:
    """Put a line into the log: a text."""

    text: Expr
    site: int


@frozen
class Finish:
    """End the game, with a result if one is given."""

    result: Expr | None
    site: int


@frozen
class Fail:
    """A fault that the rules declare: `reason` is its code (for example `missing-data`)."""

    reason: str
    detail: str
    site: int


Stmt = (
    Let | Write | MarkAll | Place | When | ForEach | Repeat | Leave | Next | Return | Do | Roll | DrawLot
    | DrawTop | Put | Shuffle | Form | Dissolve | Choose | ChooseEach | Together | Step | Reveal | Say
    | Tell | Finish | Fail
)  # fmt: skip
Block = tuple[Stmt, ...]

LateChange = Write | MarkAll | Put | Place | Dissolve
"""The changes that wait, in a `together` block, for its end."""
