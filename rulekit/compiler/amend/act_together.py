"""What `with` means where two amendments reach one point: both act, and nothing of either is lost."""

from __future__ import annotations

from rulekit.compiler.amend.draft import UNORDERED, Draft
from rulekit.compiler.amend.step import Work
from rulekit.diagnostics import Label
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes

_OWN_ORIGINAL = ("define", "procedure")


def combined(earlier: Work, work: Work, draft: Draft) -> bool:
    """Whether two that are to act together can; if not, that is told.

    Always true: nothing else is to be told of them.
    """
    first, second = earlier.force.variant.name.text, work.force.variant.name.text
    one, two = earlier.amendment, work.amendment
    hint = f"say which prevails: `over {first}` in `{second}`, or the reverse"
    why = ""
    if one.op in ("before", "after"):
        pass
    elif earlier.reached == work.reached and work.reached.word in ("norm", "statement"):
        if "remove" in (one.op, two.op):
            why = "one takes away what the other puts something in place of"
    elif earlier.reached == work.reached and work.reached.word in _OWN_ORIGINAL:
        if not uses_original(work):
            why = f"`{second}` leaves out what `{first}` makes of it"
            hint = f"use `original` in it, which is what `{first}` makes; or {hint}"
    else:
        why = "it can be only one of two"
    if why:
        message = f"`{second}` is to act with `{first}`, and they cannot both: {why}"
        label = Label(one.span, f"`{first}` does this")
        draft.tell(UNORDERED, message, two.span, hint, label)
    return True


def uses_original(work: Work) -> bool:
    """Whether what replaces a definition or procedure asks for what was there."""
    for node in nodes((work.amendment.cases, work.amendment.body)):
        match node:
            case x.Call(name=x.Name(text="original")) | x.Reference(name=x.Name(text="original")):
                return True
            case s.Do(call=x.Call(name=x.Name(text="original"))):
                return True
    return False
