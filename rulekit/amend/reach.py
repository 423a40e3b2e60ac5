"""What an address reaches: always what the rule set declares, as it stands without any amendment."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rulekit.amend.draft import AMBIGUOUS, IMPOSSIBLE, NO_TARGET
from rulekit.diagnostics import Diagnostic, Kind, Label, Report
from rulekit.names import Names
from rulekit.source import Span
from rulekit.syntax import items as i
from rulekit.syntax import stmt as s

SPACES = {
    "enum": "enums", "kind": "unions", "piece": "populations", "space": "populations", "group": "groups",
    "state": "stores", "track": "stores", "define": "defines", "value": "defines", "table": "tables",
    "modifier": "modifiers", "choice": "choices", "procedure": "procedures", "sequence": "procedures",
    "scenario": "procedures", "roll": "rolls",
}  # fmt: skip
"""The mapping of `Names` that holds what each address word names."""
_STEPS = ("step", "phase", "segment")
_ITEMS = ("modifier", "define", "procedure", "table", "choice")


@dataclass(frozen=True, slots=True)
class Reached:
    """A thing of the base: `word` says what sort of thing, `name` is the item's, `part` a part of it.

    `word` is a word of `SPACES`, or `norm`, `row` or `statement`; then `part` is where the part stands.
    """

    word: str
    name: str
    part: Span | None = None


class Reach:
    """Finds what addresses reach in one rule set."""

    def __init__(self, names: Names, report: Report) -> None:
        self._names, self._report = names, report

    def find(self, amendment: i.Amendment) -> Reached | None:
        """What an amendment's address reaches; None, reported, where that is nothing, or not one thing."""
        address = amendment.address
        if address.cite is not None:
            return self._cited(address)
        if address.word == "norm":
            return self._norm(amendment)
        if address.word == "row":
            return self._row(amendment)
        if address.word in _STEPS:
            return self._step(amendment)
        assert address.name is not None
        space = getattr(self._names, SPACES[address.word])
        if address.name.text not in space:
            self._missing(amendment, address.word, space)
            return None
        return Reached(address.word, address.name.text)

    # -- by name

    def _norm(self, amendment: i.Amendment) -> Reached | None:
        address = amendment.address
        assert address.name is not None
        if address.of_name is None:
            hint = "write `norm N of choice X`"
            self._tell(IMPOSSIBLE, "a norm is named together with its choice", amendment.span, hint)
            return None
        choice = self._names.choices.get(address.of_name.text)
        if choice is None:
            self._tell_missing(address.of_name.text, "choice", self._names.choices, address.of_name.span)
            return None
        named = {f"{norm.word}_{number}": norm for number, norm in enumerate(choice.norms, 1)}
        named |= {norm.name.text: norm for norm in choice.norms if norm.name is not None}
        norm = named.get(address.name.text)
        if norm is None:
            self._missing(amendment, f"norm of `{choice.name.text}`", named)
            return None
        return Reached("norm", choice.name.text, norm.span)

    def _row(self, amendment: i.Amendment) -> Reached | None:
        address = amendment.address
        assert address.row is not None and address.of_name is not None
        table = self._names.tables.get(address.of_name.text)
        if table is None:
            self._tell_missing(address.of_name.text, "table", self._names.tables, address.of_name.span)
            return None
        rows = [row for row in table.rows[1:] if row.cells and same_key(row.cells[0], address.row)]
        if len(rows) == 1:
            return Reached("row", table.name.text, rows[0].span)
        if not rows:
            message = f"no row of `{table.name.text}` begins with this key"
            self._tell(NO_TARGET, message, address.span, "write the key as the table does")
        else:
            message = f"{len(rows)} rows of `{table.name.text}` begin with this key"
            self._tell(IMPOSSIBLE, message, address.span, "amend the table as a whole")
        return None

    def _step(self, amendment: i.Amendment) -> Reached | None:
        address = amendment.address
        assert address.name is not None
        name = address.name.text
        if address.of_name is not None and address.of_name.text not in self._names.procedures:
            self._tell_missing(
                address.of_name.text, "procedure", self._names.procedures, address.of_name.span
            )
            return None
        steps = [
            (owner, statement)
            for owner, statement, _ in self._statements()
            if isinstance(statement, s.Step) and (address.of_name is None or owner == address.of_name.text)
        ]
        found = [(owner, step) for owner, step in steps if step.name.text == name]
        if len(found) == 1:
            return Reached("statement", found[0][0], found[0][1].span)
        if not found:
            self._missing(amendment, "step", {step.name.text for _, step in steps})
            return None
        labels = tuple(Label(step.span, f"in `{owner}`") for owner, step in found[:5])
        hint = f"say of which: `step {name} of procedure {found[0][0]}`"
        self._tell(IMPOSSIBLE, f"{len(found)} steps are `{name}`", amendment.span, hint, *labels)
        return None

    # -- by printed number

    def _cited(self, address: i.Address) -> Reached | None:
        """The closest to the printed rule: norms, rows, steps and statements before the items around them."""
        assert address.cite is not None
        wanted = set(address.cite.ids)
        inner = [f for f in self._parts() if f[1] & wanted and address.word in ("", *_words(f[0], f[2]))]
        outer = [f for f in self._items() if f[1] & wanted and address.word in ("", f[0].word)]
        found = inner or outer
        text = ", ".join(address.cite.ids)
        if not found:
            message = f"nothing that can be amended cites [{text}]"
            self._tell(NO_TARGET, message, address.span, "amend it by its name")
            return None
        if len(found) > 1:
            labels = tuple(Label(thing.span, f"this {made.word}") for made, _, thing in found[:5])
            message = f"{len(found)} things cite [{text}]"
            hint = "amend the one you mean by its name"
            self._tell(AMBIGUOUS, message, address.span, hint, *labels)
            return None
        return found[0][0]

    def _parts(self) -> Iterator[_Found]:
        """Norms, rows and statements with citations of their own."""
        for name, choice in self._names.choices.items():
            for norm in choice.norms:
                if norm.cite is not None:
                    yield Reached("norm", name, norm.span), set(norm.cite.ids), norm
        for name, table in self._names.tables.items():
            for row in table.rows[1:]:
                if row.cite is not None:
                    yield Reached("row", name, row.span), set(row.cite.ids), row
        for owner, statement, around in self._statements():
            cite = statement.cite
            # A step of one line has its citation once, and so has the statement in it.
            if cite is not None and all(outer.cite != cite for outer in around):
                yield Reached("statement", owner, statement.span), set(cite.ids), statement

    def _items(self) -> Iterator[_Found]:
        """Items whose first line cites."""
        for word in _ITEMS:
            for name, item in getattr(self._names, SPACES[word]).items():
                if item.cite is not None:
                    yield Reached(word, name), set(item.cite.ids), item

    def _statements(self) -> Iterator[tuple[str, s.Statement, tuple[s.Statement, ...]]]:
        """Every statement, with its procedure's name and the statements around it."""

        def inside(
            owner: str, body: tuple[s.Statement, ...], around: tuple[s.Statement, ...]
        ) -> Iterator[tuple[str, s.Statement, tuple[s.Statement, ...]]]:
            for statement in body:
                yield owner, statement, around
                for block in blocks(statement):
                    yield from inside(owner, block, (*around, statement))

        for owner, procedure in self._names.procedures.items():
            yield from inside(owner, procedure.body, ())

    # -- findings

    def _missing(self, amendment: i.Amendment, what: str, known: Collection[str]) -> None:
        name = amendment.address.name
        assert name is not None
        self._tell_missing(name.text, what, known, name.span)

    def _tell_missing(self, name: str, what: str, known: Collection[str], span: Span) -> None:
        near = difflib.get_close_matches(name, sorted(known), n=1)
        hint = f"did you mean `{near[0]}`?" if near else None
        self._tell(NO_TARGET, f"no {what} is named `{name}`", span, hint)

    def _tell(self, kind: Kind, message: str, span: Span, hint: str | None, *labels: Label) -> None:
        self._report.add(Diagnostic(kind, message, span, labels, hint))


_Thing = i.Norm | i.TableRow | s.Statement | i.Item
_Found = tuple[Reached, set[str], _Thing]


def _words(reached: Reached, thing: _Thing) -> tuple[str, ...]:
    """The address words that mean a part."""
    return _STEPS if isinstance(thing, s.Step) else () if reached.word == "statement" else (reached.word,)


def same_key(one: i.Cell, other: i.Cell) -> bool:
    """Whether two cells say the same key."""
    same = (one.low, one.high, [n.text for n in one.names]) == (
        other.low,
        other.high,
        [n.text for n in other.names],
    )
    return same and (one.kind == other.kind or {one.kind, other.kind} <= {"int", "signed"})


def blocks(statement: s.Statement) -> tuple[tuple[s.Statement, ...], ...]:
    """The blocks inside a statement."""
    match statement:
        case s.When():
            return (*(body for _, body in statement.branches), statement.otherwise)
        case s.ForEach() | s.Step() | s.Repeat() | s.Together():
            return (statement.body,)
        case _:
            return ()
