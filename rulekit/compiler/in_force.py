"""Which examples, claims and errata are in force with the options that are chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from rulekit.compiler.names import Names
from rulekit.compiler.options.combinations import variants_in_options
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset import Manifest
from rulekit.ruleset.findings import did_you_mean
from rulekit.ruleset.folder import RuleSet
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name

Variants = Callable[[Manifest], Collection[str]]
"""Gives the names of the variants in the files of all options."""


def select_in_force(
    names: Names,
    rule_set: RuleSet,
    report: Report,
    variants: Variants = variants_in_options,
    retried: Collection[str] = (),
) -> Names:
    """Return the names with only those examples, claims and errata that are in force.

    Args:
        retried: Claims of the base that are in force whatever options are chosen.
    """
    names = with_beginnings(names, report)
    selected = _claims_in_force(examples_in_force(names, rule_set, report, variants), rule_set, report)
    again = {name: claim for name, claim in names.claims.items() if name in retried}
    return replace(selected, claims={**selected.claims, **again}) if again else selected


def limited_to(names: Names, files: Collection[str]) -> Names:
    """Return the names with the examples and claims of some files alone, and without errata."""
    return replace(
        names,
        examples={title: one for title, one in names.examples.items() if one.span.file in files},
        claims={name: claim for name, claim in names.claims.items() if claim.span.file in files},
        errata={},
    )


def _report_unknown(name: Name, known: Collection[str], report: Report, otherwise: str | None = None) -> None:
    if name.text not in known:
        hint = did_you_mean(name.text, known) or otherwise
        report.add(Diagnostic(kinds.UNKNOWN_OPTION, f"unknown option `{name.text}`", name.span, hint=hint))


# ---------------------------------------------------------------- examples


def examples_in_force(
    names: Names, rule_set: RuleSet, report: Report, variants: Variants = variants_in_options
) -> Names:
    """Return the names with the examples that are for these options.

    With options chosen, those are their own examples and the ones that name the options they are for: the
    other examples of the base show the game without any.
    """
    _check_named(names, rule_set, report, variants)
    _check_samplers(names, report)
    examples = {
        title: example
        for title, example in names.examples.items()
        if _fits(example, names, rule_set)
        and (
            not rule_set.options
            or example.span.file.startswith("options/")
            or any(given.kind == "with" for given in _options(example))
        )
    }
    return replace(names, examples=examples)


def other_options(names: Names, rule_set: RuleSet) -> int:
    """Return the number of examples that name other options than those chosen."""
    return sum(not _fits(example, names, rule_set) for example in names.examples.values())


def _fits(example: i.Example, names: Names, rule_set: RuleSet) -> bool:
    """True if every option that an example is with is chosen, and none that it is without."""

    def is_active(name: Name) -> bool:
        return name.text in names.variants or name.text in chosen

    chosen = {option.replace("-", "_") for option in rule_set.options}
    return all(is_active(given.name) == (given.kind == "with") for given in _options(example) if given.name)


def _options(example: i.Example) -> Iterator[i.Given]:
    return (given for given in example.given if given.kind in ("with", "without"))


def without_sampler(names: Names) -> Names:
    """Return the names without the examples, and claims that are examples, of the samplers' members.

    Errata stay, and settle the claims that are left.
    """
    claims = {
        name: claim
        for name, claim in names.claims.items()
        if not (isinstance(claim.content, i.Example) and claim.content.for_sampler)
    }
    return replace(
        names,
        examples={title: one for title, one in names.examples.items() if not one.for_sampler},
        claims=claims,
        errata={
            name: replace(erratum, settles=_settled_here(erratum, names, claims))
            for name, erratum in names.errata.items()
        },
    )


def _check_named(names: Names, rule_set: RuleSet, report: Report, variants: Variants) -> None:
    """Report what examples name as options and is not one, chosen or not."""
    options = [given.name for example in names.examples.values() for given in _options(example) if given.name]
    if not options:
        return
    known = {*names.variants, *variants(rule_set.manifest)}
    for name in options:
        _report_unknown(name, known, report, "this rule set has no options")


def _check_samplers(names: Names, report: Report) -> None:
    """Report examples for samplers in a rule set that has none."""
    populations = any(population.owner for population in names.populations.values())
    if populations or any(table.sampler for table in names.externs.values()):
        return
    contents = (*names.examples.values(), *(claim.content for claim in names.claims.values()))
    for content in contents:
        for given in content.given if isinstance(content, i.Example) else ():
            if given.kind == "sampler":
                hint = "remove `given sampler`, or declare an extern population or table with `otherwise`"
                message = "the rule set has no sampler"
                report.add(Diagnostic(kinds.EXAMPLE_SHAPE, message, given.span, hint=hint))


# ---------------------------------------------------------------- beginnings


def with_beginnings(names: Names, report: Report) -> Names:
    """Return the names with every example whole that begins as another."""

    def whole(example: i.Example, inside: tuple[str, ...]) -> i.Example:
        for given in example.given:
            if given.kind == "example" and given.name is not None:
                title = given.name.text
                if title in names.examples and title not in inside:
                    return _join(whole(names.examples[title], (*inside, title)), example)
                message = f"no example is called `{title}`"
                if title in inside:
                    message = f"`{title}` would begin as itself"
                hint = did_you_mean(title, names.examples)
                report.add(Diagnostic(kinds.EXAMPLE_SHAPE, message, given.name.span, hint=hint))
        return example

    examples = {title: whole(example, (title,)) for title, example in names.examples.items()}
    claims = {
        name: replace(claim, content=whole(claim.content, ()))
        if isinstance(claim.content, i.Example)
        else claim
        for name, claim in names.claims.items()
    }
    return replace(names, examples=examples, claims=claims)


def _join(first: i.Example, then: i.Example) -> i.Example:
    """Put the given things, steps and answers of one example before those of another."""
    return replace(
        then,
        given=first.given + tuple(given for given in then.given if given.kind != "example"),
        when=first.when + then.when,
        dice=first.dice + then.dice,
        draws=first.draws + then.draws,
        answers=first.answers + then.answers,
        then=tuple(replace(line, after=line.after + len(first.when)) for line in then.then),
        measures=tuple(replace(line, after=line.after + len(first.when)) for line in then.measures),
    )


# ---------------------------------------------------------------- claims and errata


def _claims_in_force(names: Names, rule_set: RuleSet, report: Report) -> Names:
    """Return the names with the claims and errata that are about the rules with these options.

    A claim that needs options is in force where all of them are chosen; one in an option's file, with that
    option; any other, without options.  Errata are in force with any claim that they settle.
    """
    known = {option.name.replace("-", "_") for option in rule_set.manifest.options} | set(names.variants)
    items: list[i.Claim | i.Errata] = [*names.claims.values(), *names.errata.values()]
    for name in (name for item in items for name in item.needs):
        _report_unknown(name, known, report)
    claims = {name: claim for name, claim in names.claims.items() if _is_in_force(claim, names, rule_set)}
    errata = {
        name: replace(erratum, settles=_settled_here(erratum, names, claims))
        for name, erratum in names.errata.items()
        if _is_in_force(erratum, names, rule_set) or any(claim.text in claims for claim in erratum.settles)
    }
    return replace(names, claims=claims, errata=errata)


def _is_in_force(item: i.Claim | i.Errata, names: Names, rule_set: RuleSet) -> bool:
    if isinstance(item, i.Errata) and _has_reading(item, names):
        return True
    if item.needs:
        return all(name.text in names.variants for name in item.needs)
    if isinstance(item, i.Errata) and any(name.text in names.claims for name in item.settles):
        return False  # with its claims, or not at all
    return not rule_set.options or item.span.file.startswith("options/")


def _has_reading(errata: i.Errata, names: Names) -> bool:
    """Return whether a reading of an errata entry is chosen."""
    name = errata.name.text
    return any(variant.of is not None and variant.of.text == name for variant in names.variants.values())


def play_readings(names: Names, report: Report) -> Names:
    """Return the names with errata that are played as the chosen readings say, by their authors."""
    errata = dict(names.errata)
    for reading in names.variants.values():
        if reading.of is None:
            continue
        entry = errata.get(reading.of.text)
        if entry is None:
            message = f"unknown errata entry `{reading.of.text}`"
            hint = did_you_mean(reading.of.text, errata) or "a reading is `of` an entry of the rules"
            report.add(Diagnostic(kinds.UNKNOWN_NAME, message, reading.of.span, hint=hint))
            continue
        words = reading.title or reading.name.text.replace("_", " ")
        play = reading.play or ((words, reading.cite),)
        errata[reading.of.text] = replace(entry, play=play, by=reading.author, reason=reading.reason)
    return replace(names, errata=errata)


def _settled_here(errata: i.Errata, names: Names, claims: Mapping[str, i.Claim]) -> tuple[Name, ...]:
    """What is settled, without claims of other options."""
    return tuple(name for name in errata.settles if name.text in claims or name.text not in names.claims)
