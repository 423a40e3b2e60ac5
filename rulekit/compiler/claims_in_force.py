"""Which claims and errata stand, with the options that are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulekit.compiler.folder import RuleSet
from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset.findings import did_you_mean
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name


def with_own_claims(names: Names, rule_set: RuleSet, report: Report) -> Names:
    """The claims and errata that speak of the rules with these options.

    What needs options stands where all of them are laid over the base; what is in an option's file, with that
    option; all else without options.  Errata stand with any claim that they settle.
    """
    for name in _needed((*names.claims.values(), *names.errata.values())):
        known = {option.name.replace("-", "_") for option in rule_set.manifest.options} | set(names.variants)
        if name.text not in known:
            hint = did_you_mean(name.text, known)
            report.add(
                Diagnostic(kinds.UNKNOWN_OPTION, f"there is no option `{name.text}`", name.span, hint=hint)
            )
    claims = {name: made for name, made in names.claims.items() if _stands(made, names, rule_set)}
    errata = {
        name: replace(made, settles=_standing(made, names, claims))
        for name, made in names.errata.items()
        if _stands(made, names, rule_set) or any(each.text in claims for each in made.settles)
    }
    return replace(names, claims=claims, errata=errata)


def _stands(item: i.Claim | i.Errata, names: Names, rule_set: RuleSet) -> bool:
    if item.needs:
        return all(name.text in names.variants for name in item.needs)
    if isinstance(item, i.Errata) and any(name.text in names.claims for name in item.settles):
        return False  # with its claims, or not at all
    return not rule_set.options or item.span.file.startswith("options/")


def _standing(errata: i.Errata, names: Names, claims: dict[str, i.Claim]) -> tuple[Name, ...]:
    """What is settled, but for claims of other options."""
    return tuple(name for name in errata.settles if name.text in claims or name.text not in names.claims)


def _needed(items: Iterable[i.Claim | i.Errata]) -> Iterator[Name]:
    for item in items:
        yield from item.needs
