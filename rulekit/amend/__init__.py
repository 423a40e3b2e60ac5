"""Names with exceptions, variants and options laid over them.

Before: `Names` as declared.  After: `Names` in which every amendment of every variant present has been worked
in, each under the condition its variant is in force; nothing after this knows a base from a house rule, but
for the citations and places each node still carries.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.amend.choices import amend_choice, amend_norm
from rulekit.amend.components import amend_component, amend_state
from rulekit.amend.draft import IMPOSSIBLE, Draft, Force
from rulekit.amend.modifiers import amend_modifier
from rulekit.amend.order import in_order
from rulekit.amend.reach import Reach
from rulekit.amend.routines import amend_define, amend_procedure
from rulekit.amend.stacking import tell_unstacked
from rulekit.amend.statements import amend_statements
from rulekit.amend.tables import amend_tables
from rulekit.amend.work import Work, check_order
from rulekit.diagnostics import Diagnostic, Report
from rulekit.names import Names
from rulekit.syntax import items as i

_ONE_BY_ONE: dict[str, Callable[[Draft, Work], None]] = {
    **dict.fromkeys(("enum", "kind", "piece", "space", "group"), amend_component),
    **dict.fromkeys(("state", "track"), amend_state),
    **dict.fromkeys(("define", "value"), amend_define),
    **dict.fromkeys(("procedure", "sequence", "scenario"), amend_procedure),
    "choice": amend_choice,
    "norm": amend_norm,
    "modifier": amend_modifier,
}


def amend(names: Names, report: Report) -> Names:
    """The amended names; an amendment that reaches nothing, or cannot be made, is reported."""
    draft = Draft(names, report)
    if names.variants:
        _amended(draft, names, report)
    tell_unstacked(draft)
    return draft.names()


def _amended(draft: Draft, names: Names, report: Report) -> None:
    """Everything that variants change."""
    _check_homes(names, report)
    telling, silent = Reach(names, report), Reach(names, Report())
    works = [
        Work(amendment, reached, Force(variant))
        for variant in in_order(names.variants, report)
        for amendment in variant.amendments
        if (reached := (silent if _rests(variant, names) else telling).find(amendment)) is not None
    ]
    check_order(works, names, draft)
    for work in works:
        word = work.reached.word
        if word in _ONE_BY_ONE:
            _ONE_BY_ONE[word](draft, work)
        elif word not in ("row", "table", "statement"):
            draft.tell_impossible(
                work.amendment, f"a {word} cannot be amended", "amend what uses it, or its modifiers"
            )
    amend_tables(draft, [work for work in works if work.reached.word in ("row", "table")])
    amend_statements(draft, [work for work in works if work.reached.word == "statement"])


def _rests(variant: i.Variant, names: Names) -> bool:
    """Whether amendments that reach nothing rest: what they are for may be of a variant that is not there."""
    return any(name.text not in names.variants for name in variant.over)


def _check_homes(names: Names, report: Report) -> None:
    """Options and variants stand where they take part only when they are chosen."""
    for variant in names.variants.values():
        if variant.word != "exception" and not variant.span.file.startswith("options/"):
            message = f"a `{variant.word}` cannot stand in a file that always takes part"
            hint = f"move it to `options/{variant.name.text}.rules`; what always acts is an `exception`"
            report.add(Diagnostic(IMPOSSIBLE, message, variant.span, hint=hint))
