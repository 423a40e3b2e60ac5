"""What an address reaches: what the rule set declares, as it stands without any amendment, or what another
variant brings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property

from rulekit.base.source import Span
from rulekit.base.spelling import meant
from rulekit.compiler.amend.tables import DOWN
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
    ids_of,
    parts_of,
    same_key,
)
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Kind, Label, Report, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s

_ITEMS = ("modifier", "define", "procedure", "table", "choice")


class AddressResolver:
    """Finds what the addresses of one variant reach in a rule set.

    `over` are the variants that bring something which this one amends: it is worked in after them.

    Args:
        text: The only text to search, in place of all that is declared or brought.
    """

    def __init__(
        self, names: Names, everything: PartIndex, variant: str, report: Report, text: Parts | None = None
    ) -> None:
        self._names, self._report = names, report
        self._everything, self._variant = everything, variant
        self._text = text
        self._declared = everything.declared if text is None else text
        self.over: set[str] = set()

    def find(self, amendment: i.Amendment) -> Target | None:
        """What an amendment's address reaches; None, reported, where that is nothing, or not one thing."""
        address = amendment.address
        if address.cite is not None:
            return self._by_number(address)
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
            return None
        space = getattr(self._names, SPACES[address.word], None)
        if space is None or address.name.text not in space:
            self._missing(amendment, address.word, space or ())
            return None
        return Target(SAME.get(address.word, address.word), address.name.text)

    @cached_property
    def _brought(self) -> Parts:
        return self._everything.beside(self._variant) if self._text is None else Parts()

    def _layers(self) -> Iterator[Parts]:
        """What is declared goes before what variants bring."""
        yield self._declared
        yield self._brought

    def _of_another(self, place: Span) -> None:
        """Note that a variant brings what stands at a place."""
        self.over.add(self._everything.brings(place))

    # -- by name

    def _owner(self, amendment: i.Amendment, *words: str) -> i.Item | None:
        """The item that a part is of."""
        address = amendment.address
        if address.of_name is None or address.of_word not in words:
            owner = "its choice" if words == ("choice",) else "its owner"
            hint = f"write `{address.word} {'N ' if address.name else ''}of {words[0]} X`"
            self._refuse(f"a {address.word} must be named together with {owner}", amendment.span, hint)
            return None
        space = getattr(self._names, SPACES[address.of_word])
        if address.of_name.text not in space:
            self._tell_missing(address.of_name.text, address.of_word, space, address.of_name.span)
            return None
        item: i.Item = space[address.of_name.text]
        return item

    def _norm(self, amendment: i.Amendment) -> Target | None:
        choice = self._owner(amendment, "choice")
        name = amendment.address.name
        if not isinstance(choice, i.Choice) or name is None:
            return None
        owner = choice.name.text
        norms = self._declared.norms_of(owner)
        numbered = {f"{norm.word}_{number}": norm for number, norm in enumerate(norms, 1)}
        numbered |= {norm.name.text: norm for norm in norms if norm.name is not None}
        if name.text in numbered:
            return Target("norm", owner, numbered[name.text].span)
        named = [norm for norm in self._brought.norms_of(owner) if norm.name is not None]
        norms = [norm for norm in named if norm.name is not None and norm.name.text == name.text]
        if len(norms) > 1:
            labels = tuple(Label(norm.span, "this norm") for norm in norms[:5])
            message = f"{len(norms)} norms of `{owner}` are named `{name.text}`"
            self._refuse(message, amendment.span, "rename all but one of them", *labels)
            return None
        if norms:
            self._of_another(norms[0].span)
            return Target("norm", owner, norms[0].span)
        known = {*numbered, *(norm.name.text for norm in named if norm.name is not None)}
        self._missing(amendment, f"norm of `{owner}`", known)
        return None

    def _row(self, amendment: i.Amendment) -> Target | None:
        address = amendment.address
        table = self._owner(amendment, "table")
        if not isinstance(table, i.Table) or address.row is None:
            return None
        owner = table.name.text
        for parts in self._layers():
            own = parts.rows_of(owner)
            rows = [row for row in own if row.cells and same_key(row.cells[0], address.row)]
            if len(rows) > 1:
                message = f"{len(rows)} rows of `{owner}` begin with this key"
                self._refuse(message, address.span, "amend the table as a whole")
                return None
            if rows:
                if parts is self._brought:
                    self._of_another(rows[0].span)
                return Target("row", owner, rows[0].span)
        message = f"no row of `{owner}` begins with this key"
        self._tell(kinds.NOTHING_TO_AMEND, message, address.span, "write the key as the table does")
        return None

    def _cell(self, amendment: i.Amendment) -> Target | None:
        row, address = self._row(amendment), amendment.address
        if row is None or address.name is None or address.of_name is None:
            return None
        head = self._names.tables[address.of_name.text].rows[0]
        heads = {name.text for cell in head.cells for name in cell.names}
        if address.name.text not in heads:
            self._missing(amendment, f"column of `{row.name}`", heads)
            return None
        return Target("cell", row.name, row.part, address.name.text)

    def _step(self, amendment: i.Amendment) -> Target | None:
        address = amendment.address
        assert address.name is not None
        name = address.name.text
        if address.of_name is not None and address.of_name.text not in self._names.procedures:
            self._tell_missing(
                address.of_name.text, "procedure", self._names.procedures, address.of_name.span
            )
            return None
        known: set[str] = set()
        for parts in self._layers():
            steps = [
                (owner, statement)
                for owner, statement, _ in parts.statements
                if isinstance(statement, s.Step)
                and (self._text is not None or address.of_name is None or owner == address.of_name.text)
            ]
            matches = [(owner, step) for owner, step in steps if step.name.text == name]
            if len(matches) > 1:
                labels = tuple(Label(step.span, f"in `{owner}`") for owner, step in matches[:5])
                hint = f"name its procedure: `step {name} of procedure {matches[0][0]}`"
                self._refuse(f"{len(matches)} steps are named `{name}`", amendment.span, hint, *labels)
                return None
            if matches:
                if parts is self._brought:
                    self._of_another(matches[0][1].span)
                return Target("statement", matches[0][0], matches[0][1].span)
            known |= {step.name.text for _, step in steps}
        self._missing(amendment, "step", known)
        return None

    def _part(self, amendment: i.Amendment) -> Target | None:
        """A part that has a name in its item, or no name because there is one of it."""
        address = amendment.address
        item = self._owner(amendment, *OWNERS[address.word])
        if item is None or address.of_name is None:
            return None
        owner, of = address.of_name.text, SAME.get(address.of_word, address.of_word)
        if address.name is None:
            return Target(address.word, owner, of=of)
        known = {name for name in parts_of(address.word, item) if name} if address.word in PARTS else set()
        if address.word == "stack" and address.name.text not in known:
            brought = {stack.name.text: stack.span for roll, stack in self._brought.classes if roll == owner}
            if address.name.text in brought:
                self._of_another(brought[address.name.text])
            known |= brought.keys()
        if address.name.text not in known:
            self._missing(amendment, f"{address.word} of `{owner}`", known)
            return None
        return Target(address.word, owner, inner=address.name.text, of=of)

    # -- by printed number

    def _by_number(self, address: i.Address) -> Target | None:
        """The closest to the printed rule: norms, rows, steps and statements before the items around them.

        What is declared goes before what variants bring.
        """
        assert address.cite is not None
        wanted = set(address.cite.ids)
        for bring, candidates in self._candidates():
            matches = [f for f in candidates if f[1] & wanted and address.word in ("", *_words(f[0], f[2]))]
            if not matches:
                continue
            if len(matches) == 1:
                if bring:
                    self._of_another(matches[0][2].span)
                return matches[0][0]
            labels = tuple(Label(thing.span, f"this {target.word}") for target, _, thing in matches[:5])
            message = f"{len(matches)} things cite [{', '.join(address.cite.ids)}]"
            self._tell(
                kinds.AMBIGUOUS_CITATION, message, address.span, "amend the one you mean by its name", *labels
            )
            return None
        message = f"nothing that can be amended cites [{', '.join(address.cite.ids)}]"
        self._tell(kinds.NOTHING_TO_AMEND, message, address.span, "amend it by its name")
        return None

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

    # -- findings

    def _missing(self, amendment: i.Amendment, what: str, known: Collection[str]) -> None:
        name = amendment.address.name
        assert name is not None
        self._tell_missing(name.text, what, known, name.span)

    def _tell_missing(self, name: str, what: str, known: Collection[str], span: Span) -> None:
        if what == "table" and name in self._names.externs:
            hint = f"use `replace table {name}:` with your own rows, in force always"
            if (way := self._names.externs[name].rounding) != DOWN:
                hint = (
                    f"its odds are rounded {way}, but tables with rows round down: declare a separate table"
                )
            self._refuse(f"the numbers of `{name}` are owner data", span, hint)
            return
        self._tell(kinds.NOTHING_TO_AMEND, f"no {what} is named `{name}`", span, meant(name, known))

    def _refuse(self, message: str, span: Span, hint: str, *labels: Label) -> None:
        self._tell(kinds.IMPOSSIBLE_AMENDMENT, message, span, hint, *labels)

    def _tell(self, kind: Kind, message: str, span: Span, hint: str | None, *labels: Label) -> None:
        self._report.add(Diagnostic(kind, message, span, labels, hint))


_BY_WORD: Mapping[str, Callable[[AddressResolver, i.Amendment], Target | None]] = {
    "norm": AddressResolver._norm,
    "row": AddressResolver._row,
    "cell": AddressResolver._cell,
}


def _words(target: Target, thing: Thing) -> tuple[str, ...]:
    """The address words that mean a thing."""
    return STEPS if isinstance(thing, s.Step) else () if target.word == "statement" else (target.word,)
