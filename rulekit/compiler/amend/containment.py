"""Whole and part: whether one amendment leaves out the text in which another makes its change (spec 11.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Patch
from rulekit.compiler.amend.targets import Target
from rulekit.compiler.names import Names
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes

_PARTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "procedure": (("replace",), ("statement",)),
    "event": (("replace", "remove"), ("statement",)),
    "statement": (("replace", "remove"), ("statement",)),
    "define": (("redefine", "replace", "set"), ("case",)),
    "table": (("replace",), ("row", "cell")),
    "row": (("replace", "remove"), ("cell",)),
    "choice": (("replace",), ("verb", "let", "norm", "clause")),
    "verb": (("replace",), ("let",)),
    "norm": (("replace", "remove"), ("clause",)),
    "modifier": (("remove",), ("clause",)),
}
"""By the word of a whole: the amendments that leave its text out, and the words of the parts in that text."""
_BESIDE = ("before", "after")
_OWNERS = {"norm": "choice", "row": "table", "cell": "table", "case": "define"}


class Containment:
    """The amendments of all variants, each with the place of what it changes."""

    def __init__(self, names: Names, patches: Iterable[Patch]) -> None:
        self._names = names
        self._by_file: dict[str, list[Patch]] = {}
        for patch in patches:
            self._by_file.setdefault(patch.amendment.span.file, []).append(patch)

    def takes(self, whole: Patch, part: Patch) -> bool:
        """True if `whole` leaves out the text that `part` changes, while both are in force."""
        _, words = _PARTS.get(whole.target.word, ((), ()))
        if not leaves_text_out(whole) or part.target.word not in words:
            return False
        if whole.activation.variant is part.activation.variant or uses_original(whole):
            return False
        if part.target.part is None:
            return part.target.name == whole.target.name
        return self._contains(whole, part.target, part.target.part)

    def root(self, patch: Patch) -> str:
        """Return the name of the declared item that an amendment changes, by way of what others bring."""
        target = patch.target
        while target.part is not None and (bringing := self.bringing(target.part)) is not None:
            target = bringing.target
        return target.name

    def _contains(self, whole: Patch, target: Target, place: Span) -> bool:
        """True if a place is in the text that an amendment leaves out, be it text that another brings."""
        region = whole.target.part
        while True:
            if region is not None and region.contains(place) and (region != place or target.word == "cell"):
                return True
            bringing = self.bringing(place)
            if bringing is None:
                return region is None and self._declares(whole.target, target, place)
            if bringing is whole:
                return False
            brings_in_place = bringing.amendment.op not in (*_BESIDE, "add")
            if brings_in_place and bringing.target == whole.target:
                return True
            if bringing.target.part is None:
                return False
            target, place = bringing.target, bringing.target.part
            if not brings_in_place and place == region:
                return False

    def _declares(self, whole: Target, part: Target, place: Span) -> bool:
        """True if a declared item is the one that a part at a place belongs to."""
        if part.word != "statement":
            owner = _OWNERS.get(part.word) or _OWNERS.get(part.of, part.of)
            return (owner, part.name) == (whole.word, whole.name)
        space = self._names.procedures if whole.word == "procedure" else self._names.events
        return space[whole.name].span.contains(place)

    def bringing(self, place: Span) -> Patch | None:
        """Return the amendment that brings the text at a place; None if the text is declared."""
        patches = self._by_file.get(place.file, ())
        return next((patch for patch in patches if patch.amendment.span.contains(place)), None)


def leaves_text_out(patch: Patch) -> bool:
    """True if what an amendment does can leave out text that others change."""
    operations, _ = _PARTS.get(patch.target.word, ((), ()))
    return patch.amendment.op in operations


def uses_original(patch: Patch) -> bool:
    """True if what replaces a definition or procedure refers to what it replaces."""
    for node in nodes((patch.amendment.cases, patch.amendment.body)):
        match node:
            case x.Call(name=x.Name(text="original")) | x.Reference(name=x.Name(text="original")):
                return True
            case s.Do(call=x.Call(name=x.Name(text="original"))):
                return True
    return False
