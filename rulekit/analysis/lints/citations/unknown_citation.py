"""A construct cites a printed rule that the list of printed rules does not have."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.base.spelling import nearest
from rulekit.diagnostics import Diagnostic, kinds

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each unknown number, where it is first cited; none where the set has no list."""
    compiled = rules.compiled
    known = {rule.id for rules in compiled.printed for rule in rules.rules}
    if not known:
        return
    files = [rules.file for rules in compiled.printed]
    lists = files[0] if len(files) == 1 else "sources/"
    reported: set[str] = set()
    for site in compiled.model.sites:
        for rule in site.rules:
            if rule in known or rule in reported:
                continue
            reported.add(rule)
            hint = _hint(rule, known, f"{compiled.rule_set.manifest.prefix}.", lists)
            span = site.span
            yield Diagnostic(
                kinds.UNKNOWN_CITATION,
                f"unknown rule number `{rule}`",
                span,
                hint=hint,
                key=(rule,),
            )


def _hint(rule: str, known: Collection[str], prefix: str, lists: str) -> str:
    meant = rule.removeprefix(prefix)
    if meant.startswith(prefix):  # cited with the prefix, which every citation gets
        own = meant.removeprefix(prefix)
        return f"write `[{own}]`" + ("" if meant in known else f", and list `{meant}` in `{lists}`")
    add = f"list it in `{lists}`, as a line that begins with `{rule}`"
    near = nearest(rule, known, cutoff=0.8)
    return f"did you mean `{near[0].split('.', 1)[-1]}`? Otherwise {add}" if near else add
