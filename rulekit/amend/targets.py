"""What a bare citation reaches: the one thing that cites it and can be amended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.amend.draft import AMBIGUOUS, NO_TARGET, Draft
from rulekit.amend.routines import blocks
from rulekit.source import Span
from rulekit.syntax import expr as x
from rulekit.syntax import items as i
from rulekit.syntax import stmt as s

_ITEMS = (
    ("modifiers", "modifier"),
    ("defines", "define"),
    ("procedures", "procedure"),
    ("tables", "table"),
    ("choices", "choice"),
)


def by_citation(draft: Draft, address: i.Address) -> i.Address | None:
    """The address of what cites the number, by name; None, reported, where there is none or more than one.

    Norms, steps, statements and rows come before the items around them: the closest to the printed rule.
    """
    assert address.cite is not None
    wanted = set(address.cite.ids)
    inner = [found for found in _inner(draft, address) if found[1] & wanted]
    outer = [found for found in _items(draft, address) if found[1] & wanted]
    if address.word:
        inner = [found for found in inner if found[0].word in (address.word, "step")]
        outer = [found for found in outer if found[0].word == address.word]
    found = inner or outer
    text = ", ".join(address.cite.ids)
    if not found:
        draft.tell(
            NO_TARGET, f"nothing that can be amended cites [{text}]", address.span, "amend it by its name"
        )
        return None
    if len(found) > 1:
        places = "; ".join(f"{made.word} at {span.file}:{span.line}" for made, _, span in found[:5])
        message = f"{len(found)} things cite [{text}]: {places}"
        draft.tell(AMBIGUOUS, message, address.span, "amend the one you mean by its name")
        return None
    return found[0][0]


Found = tuple[i.Address, set[str], Span]


def _inner(draft: Draft, address: i.Address) -> Iterator[Found]:
    """Norms, rows and statements with citations of their own."""
    for name, choice in draft.space("choices").items():
        for number, norm in enumerate(choice.norms):
            if norm.cite is not None:
                label = norm.name or x.Name(norm.span, f"{norm.word}_{number + 1}")
                of = x.Name(norm.span, name)
                yield (
                    replace(address, word="norm", name=label, of_word="choice", of_name=of),
                    set(norm.cite.ids),
                    norm.span,
                )
    for name, table in draft.space("tables").items():
        for row in table.rows[1:]:
            if row.cite is not None and row.cells:
                of = x.Name(row.span, name)
                yield (
                    replace(address, word="row", row=row.cells[0], name=of, of_name=of),
                    set(row.cite.ids),
                    row.span,
                )
    for procedure in draft.space("procedures").values():
        for statement in _statements(procedure.body):
            if statement.cite is not None:
                yield replace(address, word="statement"), set(statement.cite.ids), statement.span


def _statements(body: tuple[s.Statement, ...]) -> Iterator[s.Statement]:
    for statement in body:
        yield statement
        for inner in blocks(statement):
            yield from _statements(inner)


def _items(draft: Draft, address: i.Address) -> Iterator[Found]:
    """Items whose header cites."""
    for space, word in _ITEMS:
        for name, item in draft.space(space).items():
            if item.cite is not None:
                yield replace(address, word=word, name=x.Name(item.span, name)), set(item.cite.ids), item.span
