"""States that play never changes, or that nothing ever reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints.lint import When
from rulekit.analysis.uses import Uses, elsewhere, field_decls, in_scope
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Kind, kinds
from rulekit.syntax.tree import items as i

_Stored = i.StateDecl | i.FieldDecl


WHEN = When(sequence=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding a state; fields of several kinds with one name count as one.

    What an example gives is changed, what it expects is read: somebody has seen to it.  A state that an
    option lets begin otherwise is changed by that.  What is counted up one by one tells the players how late
    it is, and need not be read.
    """
    compiled, used = rules.compiled, rules.uses
    doubtful = {each.name.text: each for each in _stored(compiled) if _lacks(each, used)}
    others = elsewhere(compiled, doubtful) if doubtful else Uses()
    for each in doubtful.values():
        lacks = _lacks(each, used) & _lacks(each, others)
        counts = each.name.text in used.counted | others.counted
        if lacks and not (lacks == READ and counts):
            yield _TELL[lacks](each)


READ, CHANGED = 1, 2


def _stored(compiled: Compiled) -> Iterator[_Stored]:
    fields: list[_Stored] = [each for each in field_decls(compiled.declared) if each.changes]
    for each in [*fields, *compiled.declared.stores.values()]:
        if in_scope(compiled, each.span):
            yield each


def _lacks(each: _Stored, used: Uses) -> int:
    """What is missing: that somebody reads it, that somebody changes it."""
    name = each.name.text
    begins = bool(each.cite and used.reset & set(each.cite.ids))
    return (name not in used.read) * READ | (name not in used.changed | used.counted and not begins) * CHANGED


def _never_read(each: _Stored) -> Diagnostic:
    message = f"`{each.name.text}` is changed but never read"
    return _finding(kinds.NEVER_READ, each, message, "read it, or remove it and its changes")


def _never_changed(each: _Stored) -> Diagnostic:
    message = f"`{each.name.text}` never changes in play"
    hint = "change it, or make it a fixed field"
    if isinstance(each, i.StateDecl):
        hint = "change it, or declare it as a `value`"
    return _finding(kinds.NEVER_CHANGED, each, message, hint)


def _unused(each: _Stored) -> Diagnostic:
    message = f"unused state `{each.name.text}`"
    return _finding(kinds.UNUSED, each, message, "use it, or remove it")


def _finding(kind: Kind, each: _Stored, message: str, hint: str) -> Diagnostic:
    return Diagnostic(kind, message, each.name.span, hint=hint, key=(f"state {each.name.text}",))


_TELL: dict[int, Callable[[_Stored], Diagnostic]] = {
    READ: _never_read,
    CHANGED: _never_changed,
    READ | CHANGED: _unused,
}
