"""Which examples are asked: those that hold with the options that are chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from rulekit.compiler.folder import RuleSet
from rulekit.compiler.names import Names
from rulekit.compiler.options.relations import variants_in_options
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset import Manifest
from rulekit.ruleset.findings import did_you_mean
from rulekit.syntax.tree import items as i

Variants = Callable[[Manifest], Collection[str]]
"""Gives the names of the variants in the files of all options."""


def asked(
    names: Names, rule_set: RuleSet, report: Report, variants: Variants = variants_in_options
) -> tuple[Names, int]:
    """The names with the examples that are asked, and how many are not, by what they say of options.

    With options chosen, only their own examples hold, and those that say which options they are for: the
    others of the base show the game without any.
    """
    _check_named(names, rule_set, report, variants)
    here = {*names.variants, *(option.replace("-", "_") for option in rule_set.options)}
    found: dict[str, i.Example] = {}
    left = 0
    for title, example in names.examples.items():
        said = list(_options(example))
        if any((given.name.text in here) != (given.kind == "with") for given in said if given.name):
            left += 1
        elif not rule_set.options or example.span.file.startswith("options/") or _for_some(said):
            found[title] = example
    return replace(names, examples=found), left


def _options(example: i.Example) -> Iterator[i.Given]:
    """What an example says of options."""
    return (given for given in example.given if given.kind in ("with", "without"))


def _for_some(said: list[i.Given]) -> bool:
    """Whether an example is for certain options, and not for the game without them."""
    return any(given.kind == "with" for given in said)


def _check_named(names: Names, rule_set: RuleSet, report: Report, variants: Variants) -> None:
    """What examples name is an option, chosen or not."""
    said = [given.name for example in names.examples.values() for given in _options(example) if given.name]
    if not said:
        return
    known = {*names.variants, *variants(rule_set.manifest)}
    for name in said:
        if name.text not in known:
            hint = did_you_mean(name.text, known) or "the set has none"
            report.add(
                Diagnostic(kinds.UNKNOWN_OPTION, f"there is no option `{name.text}`", name.span, hint=hint)
            )
