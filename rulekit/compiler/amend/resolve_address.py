"""Find what an address means: something that the rule set declares without any amendment, or that another
variant brings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NoReturn

from rulekit.base.source import Span
from rulekit.base.spelling import meant
from rulekit.compiler.amend.targets import (
    OWNERS,
    PARTS,
    SAME,
    SPACES,
    STEPS,
    Found,
    PartIndex,
    Parts,
    Target,
    Thing,
    column_names,
    ids_of,
    parts_of,
    same_key,
)
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Kind, Label, Report, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.expr import Name

_ITEMS = ("modifier", "define", "procedure", "table", "choice")


class Unreached(Exception):
    """An address means nothing, or not one thing; that is reported already."""


class AddressResolver:
    """Finds what the addresses of one variant reach in a rule set.

    `over` are the variants that bring something which this one amends: it is worked in after them.

    Args:
        text: The only text to search, in place of all that is declared or brought.
    """

    def __init__(
        self, names: Names, everything: PartIndex, variant: str, report: Report, text: Parts | None = None
    ) -> None:
        self._names, self._findings = names, report
        self._everything, self._variant = everything, variant
        self._text = text
        self._declared = everything.declared if text is None else text
        self.over: set[str] = set()

    def find(self, amendment: i.Amendment) -> Target | None:
        """Return what an amendment's address reaches; None, reported, if that is not exactly one thing."""
        try:
            return self._find(amendment, amendment.address)
        except Unreached:
            return None

    def _find(self, amendment: i.Amendment, address: i.Address) -> Target:
        if address.cite is not None:
            return self._by_number(address, address.cite.ids)
        if address.word in _BY_WORD:
            return _BY_WORD[address.word](self, amendment)
        if address.word in STEPS:
            return self._step(amendment)
        if address.word in OWNERS:
            return self._part(amendment)
        assert address.name is not None
        if address.of_name is not None:
            hint = f"write `{address.word} {address.name.text}`"
            self._refuse(f"a {address.word} does not belong to another item", amendment.span, hint)
        self._require(address.name, address.word, getattr(self._names, SPACES.get(address.word, ""), ()))
        return Target(SAME.get(address.word, address.word), address.name.text)

    @cached_property
    def _brought(self) -> Parts:
        return self._everything.beside(self._variant) if self._text is None else Parts()

    def _layers(self) -> tuple[tuple[bool, Parts], ...]:
        """What is declared goes before what variants bring; with whether it is brought."""
        return (False, self._declared), (True, self._brought)

    def _reach(self, target: Target, place: Span, is_brought: bool) -> Target:
        """Return the target; note the variant that brings it, if one does."""
        if is_brought:
            self.over.add(self._everything.brings(place))
        return target

    # -- by name

    def _owner(self, amendment: i.Amendment, *words: str) -> i.Item:
        """The item that a part is of."""
        address = amendment.address
        if address.of_name is None or address.of_word not in words:
            owner = "its choice" if words == ("choice",) else "its owner"
            hint = f"write `{address.word} {'N ' if address.name else ''}of {words[0]} X`"
            self._refuse(f"a {address.word} must be named together with {owner}", amendment.span, hint)
        space = getattr(self._names, SPACES[address.of_word])
        self._require(address.of_name, address.of_word, space)
        item: i.Item = space[address.of_name.text]
        return item

    def _norm(self, amendment: i.Amendment) -> Target:
        choice, name = self._owner(amendment, "choice"), amendment.address.name
        assert isinstance(choice, i.Choice) and name is not None
        owner = choice.name.text
        norms = self._declared.norms_of(owner)
        numbered = {f"{norm.word}_{number}": norm for number, norm in enumerate(norms, 1)}
        numbered |= {norm.name.text: norm for norm in norms if norm.name is not None}
        if name.text in numbered:
            return Target("norm", owner, numbered[name.text].span)
        named = [(norm.name.text, norm) for norm in self._brought.norms_of(owner) if norm.name is not None]
        self._require(name, f"norm of `{owner}`", {*numbered, *(text for text, _ in named)})
        norm, *others = [norm for text, norm in named if text == name.text]
        if others:
            labels = tuple(Label(norm.span, "this norm") for norm in (norm, *others)[:5])
            message = f"{len(others) + 1} norms of `{owner}` are named `{name.text}`"
            self._refuse(message, amendment.span, "rename all but one of them", *labels)
        return self._reach(Target("norm", owner, norm.span), norm.span, True)

    def _row(self, amendment: i.Amendment) -> Target:
        address, table = amendment.address, self._owner(amendment, "table")
        assert isinstance(table, i.Table) and address.row is not None
        owner = table.name.text
        for is_brought, parts in self._layers():
            own = parts.rows_of(owner)
            rows = [row for row in own if row.cells and same_key(row.cells[0], address.row)]
            if len(rows) > 1:
                message = f"{len(rows)} rows of `{owner}` begin with this key"
                self._refuse(message, address.span, "amend the table as a whole")
            if rows:
                return self._reach(Target("row", owner, rows[0].span), rows[0].span, is_brought)
        message = f"no row of `{owner}` begins with this key"
        self._report(kinds.NOTHING_TO_AMEND, message, address.span, "write the key as the table does")

    def _cell(self, amendment: i.Amendment) -> Target:
        row, name = self._row(amendment), amendment.address.name
        assert name is not None
        head = self._names.tables[row.name].rows[0]
        self._require(
            name, f"column of `{row.name}`", {word for cell in head.cells for word in column_names(cell)}
        )
        return Target("cell", row.name, row.part, name.text)

    def _step(self, amendment: i.Amendment) -> Target:
        name, of = amendment.address.name, amendment.address.of_name
        assert name is not None
        if of is not None:
            self._require(of, "procedure", self._names.procedures)
        known: set[str] = set()
        for is_brought, parts in self._layers():
            steps = [
                (owner, statement)
                for owner, statement, _ in parts.statements
                if isinstance(statement, s.Step)
                and (self._text is not None or of is None or owner == of.text)
            ]
            matches = [(owner, step) for owner, step in steps if step.name.text == name.text]
            if len(matches) > 1:
                labels = tuple(Label(step.span, f"in `{owner}`") for owner, step in matches[:5])
                hint = f"name its procedure: `step {name.text} of procedure {matches[0][0]}`"
                message = f"{len(matches)} steps are named `{name.text}`"
                self._refuse(message, amendment.span, hint, *labels)
            for owner, step in matches:
                return self._reach(Target("statement", owner, step.span), step.span, is_brought)
            known |= {step.name.text for _, step in steps}
        self._missing(name, "step", known)

    def _part(self, amendment: i.Amendment) -> Target:
        """A part that has a name in its item, or no name because there is one of it."""
        address = amendment.address
        item = self._owner(amendment, *OWNERS[address.word])
        assert address.of_name is not None
        owner, of = address.of_name.text, SAME.get(address.of_word, address.of_word)
        if address.name is None:
            return Target(address.word, owner, of=of)
        target = Target(address.word, owner, inner=address.name.text, of=of)
        known = {name for name in parts_of(address.word, item) if name} if address.word in PARTS else set()
        if address.word == "stack" and address.name.text not in known:
            brought = {stack.name.text: stack.span for roll, stack in self._brought.classes if roll == owner}
            if address.name.text in brought:
                return self._reach(target, brought[address.name.text], True)
            known |= brought.keys()
        self._require(address.name, f"{address.word} of `{owner}`", known)
        return target

    # -- by printed number

    def _by_number(self, address: i.Address, ids: Sequence[str]) -> Target:
        """The closest to the printed rule: norms, rows, steps and statements before the items around them.

        What is declared goes before what variants bring.
        """
        for is_brought, candidates in self._candidates():
            matches = [
                (target, thing)
                for target, cited, thing in candidates
                if cited.intersection(ids) and address.word in ("", *_words(target, thing))
            ]
            if len(matches) > 1:
                labels = tuple(Label(thing.span, f"this {target.word}") for target, thing in matches[:5])
                message = f"{len(matches)} things cite [{', '.join(ids)}]"
                hint = "amend the one you mean by its name"
                self._report(kinds.AMBIGUOUS_CITATION, message, address.span, hint, *labels)
            for target, thing in matches:
                return self._reach(target, thing.span, is_brought)
        message = f"nothing that can be amended cites [{', '.join(ids)}]"
        self._report(kinds.NOTHING_TO_AMEND, message, address.span, "amend it by its name")

    def _candidates(self) -> Iterator[tuple[bool, Iterator[Found]]]:
        """The nearest first, each with whether variants bring them."""
        yield False, self._declared.citing()
        yield False, self._items() if self._text is None else iter(())
        yield False, self._declared.fine()
        yield True, self._brought.citing()
        yield True, self._brought.fine()

    def _items(self) -> Iterator[Found]:
        """Items whose first line cites."""
        for word in _ITEMS:
            for name, item in getattr(self._names, SPACES[word]).items():
                yield Target(word, name), ids_of(item.cite), item

    # -- findings: each raises `Unreached`

    def _require(self, name: Name, what: str, known: Collection[str]) -> None:
        if name.text not in known:
            self._missing(name, what, known)

    def _missing(self, name: Name, what: str, known: Collection[str]) -> NoReturn:
        extern = self._names.externs.get(name.text) if what == "table" else None
        if extern is not None:
            hint = f"use `replace table {name.text}:` with your own rows, in force always"
            self._refuse(f"the numbers of `{name.text}` are owner data", name.span, hint)
        message = f"no {what} is named `{name.text}`"
        self._report(kinds.NOTHING_TO_AMEND, message, name.span, meant(name.text, known))

    def _refuse(self, message: str, span: Span, hint: str, *labels: Label) -> NoReturn:
        self._report(kinds.IMPOSSIBLE_AMENDMENT, message, span, hint, *labels)

    def _report(self, kind: Kind, message: str, span: Span, hint: str | None, *labels: Label) -> NoReturn:
        self._findings.add(Diagnostic(kind, message, span, labels, hint))
        raise Unreached


_BY_WORD: Mapping[str, Callable[[AddressResolver, i.Amendment], Target]] = {
    "norm": AddressResolver._norm,
    "row": AddressResolver._row,
    "cell": AddressResolver._cell,
}


def _words(target: Target, thing: Thing) -> tuple[str, ...]:
    """The address words that mean a thing."""
    return STEPS if isinstance(thing, s.Step) else () if target.word == "statement" else (target.word,)
