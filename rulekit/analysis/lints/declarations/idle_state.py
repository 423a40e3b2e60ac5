"""States that play never changes, or that nothing ever reads."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import Uses, everywhere, field_decls, in_scope
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.syntax.tree import items as i

_Variable = i.StateDecl | i.FieldDecl

WHEN = Occasion(sequence=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding a state; fields of several kinds with one name count as one.

    What an example gives is changed, what it expects is read: that is use enough.  A state that an option
    lets begin otherwise is changed by that.  What is counted up one by one tells the players how late it is,
    and need not be read.
    """
    doubtful = {
        decl.name.text: decl for decl in _variables(rules.compiled) if not all(_use(decl, rules.uses))
    }
    used = everywhere(rules.compiled, rules.uses, doubtful)
    for name, decl in doubtful.items():
        read, changed = _use(decl, used)
        if not changed or not read and name not in used.counted:
            yield _finding(decl, read=read, changed=changed)


def _variables(compiled: Compiled) -> Iterator[_Variable]:
    yield from (
        decl for decl in field_decls(compiled.declared) if decl.changes and in_scope(compiled, decl.span)
    )
    yield from (decl for decl in compiled.declared.stores.values() if in_scope(compiled, decl.span))


def _use(decl: _Variable, used: Uses) -> tuple[bool, bool]:
    """Whether a rule reads a state, and whether one changes it."""
    name = decl.name.text
    begins = bool(decl.cite and used.reset & set(decl.cite.ids))
    return name in used.read, name in used.changed | used.counted or begins


def _finding(decl: _Variable, *, read: bool, changed: bool) -> Diagnostic:
    name = decl.name.text
    if changed:
        kind, message = kinds.NEVER_READ, f"`{name}` is changed but never read"
        hint = "read it, or remove it and its changes"
    elif read:
        kind, message = kinds.NEVER_CHANGED, f"`{name}` never changes in play"
        instead = "declare it as a `value`" if isinstance(decl, i.StateDecl) else "make it a fixed field"
        hint = f"change it, or {instead}"
    else:
        kind, message, hint = kinds.UNUSED, f"unused state `{name}`", "use it, or remove it"
    return Diagnostic(kind, message, decl.name.span, hint=hint, key=(f"state {name}",))
