"""A mutant: one change of one rule, its place in the tree of an item, and its fate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, get_args

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.names import Names
from rulekit.syntax.tree import types as written
from rulekit.syntax.tree.components import Param
from rulekit.syntax.tree.stmt import Cite

Path = tuple[str | int, ...]
"""The way to a node: names of fields, and places in tuples."""

_LEFT_OUT = (Span, Cite, Param, *get_args(written.TypeExpr))
"""Parts that are not rules: places, citations, types."""


@frozen
class Visit:
    """A node, the way to it, and those around it, the item first."""

    node: Any
    path: Path
    around: tuple[Any, ...]


def visits(item: object) -> Iterator[Visit]:
    """Every node of an item in the order it is written, itself first."""
    waiting: list[Visit] = [Visit(item, (), ())]
    while waiting:
        visit = waiting.pop()
        yield visit
        around = (*visit.around, visit.node)
        parts: list[Visit] = []
        for field in fields(visit.node):
            parts += _parts(getattr(visit.node, field.name), (*visit.path, field.name), around)
        waiting += reversed(parts)


def _parts(value: object, path: Path, around: tuple[Any, ...]) -> list[Visit]:
    """The nodes in a field, in tuples too."""
    if isinstance(value, tuple):
        return [visit for place, part in enumerate(value) for visit in _parts(part, (*path, place), around)]
    if is_dataclass(value) and not isinstance(value, (*_LEFT_OUT, type)):
        return [Visit(value, path, around)]
    return []


def put(tree: Any, path: Path, node: object) -> Any:
    """The tree with `node` at the end of a way."""
    if not path:
        return node
    head, rest = path[0], path[1:]
    if isinstance(head, int):
        return (*tree[:head], put(tree[head], rest, node), *tree[head + 1 :])
    return replace(tree, **{head: put(getattr(tree, head), rest, node)})


Text = Callable[[Span], str]
"""The words at a place, in one line."""


@frozen
class Mutation:
    """A change of a node by an operator.

    `span`: the place to underline.  `now`: the new text, or the change in brackets.  `node`: the new node;
    None removes the item.
    """

    span: Span
    now: str
    node: object | None


@frozen
class Mutant:
    """One change of one rule.

    Attributes:
        id: The operator, the item, and the number of the change there: the same while the item is.
        owner: The item, as `procedure fire`.
        rules: The printed rules of the innermost citation around it.
        space: The mapping of `Names` that holds the item, under `name`.
        path: The way to the part that `node` replaces; None for `node` removes the item.
        within: The places of the nodes around it, the innermost first.
    """

    id: str
    operator: str
    owner: str
    rules: tuple[str, ...]
    span: Span
    was: str
    now: str
    space: str
    name: str
    path: Path
    node: object | None
    within: tuple[Span, ...]

    def apply(self, names: Names) -> Names:
        """The declarations with this change."""
        space: Any = dict(getattr(names, self.space))
        if self.node is None:
            del space[self.name]
        else:
            space[self.name] = put(space[self.name], self.path, self.node)
        return replace(names, **{self.space: space})


Fate = Literal["noticed", "survived", "same", "refused"]
FATES: tuple[str, ...] = get_args(Fate)


@frozen
class MutantFate:
    """What became of a mutant.

    Attributes:
        fate: `noticed` by an example or in a game; `survived` all of them; `same`: proved to be equivalent;
            `refused`: the compiler finds an error in it.
        by: The example that fails, or the game.
        reason: Why it fails, or why it is equivalent.
        unaware: The examples that reach the change and pass.
    """

    fate: Fate
    by: str = ""
    reason: str = ""
    unaware: tuple[str, ...] = ()


@frozen
class JudgedMutant:
    """A mutant and its fate."""

    mutant: Mutant
    verdict: MutantFate


@frozen
class Score:
    """How many mutants are noticed; equivalent and refused mutants do not count."""

    noticed: int
    survived: int
    same: int
    refused: int

    @property
    def counted(self) -> int:
        return self.noticed + self.survived

    def reaches(self, percent: int) -> bool:
        """Whether at least so many in a hundred are noticed."""
        return 100 * self.noticed >= percent * self.counted


def score(judged: Iterable[JudgedMutant]) -> Score:
    """The score of some mutants."""
    fates: Sequence[str] = [one.verdict.fate for one in judged]
    return Score(*(fates.count(fate) for fate in FATES))
