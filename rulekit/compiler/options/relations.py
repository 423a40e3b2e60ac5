"""What variants say of one another: they name what there is, what can be kept, and it is kept."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.amend.order import chain, circles, place, way
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.ruleset import Manifest
from rulekit.ruleset.findings import did_you_mean
from rulekit.ruleset.option_files import option_sources
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name

LONGEST = 90
"""Characters of a reason that stand beside a place."""
_VARIANT = re.compile(r"^(?:variant|option|exception)[ ]+(?:(\w+)|'([^'\n]+)')", re.MULTILINE)


@frozen
class VariantPlace:
    """A variant in the file of an option, found by its first line alone."""

    option: str
    span: Span


def variants_in_options(manifest: Manifest) -> dict[str, VariantPlace]:
    """The variants in the files of all options, by name, and each option by its own."""
    found: dict[str, VariantPlace] = {}
    for name, source in option_sources(manifest):
        for match in _VARIANT.finditer(source.text):
            plain, quoted = match.groups()
            line = source.text.count("\n", 0, match.start()) + 1
            span = Span(source.file, line, 1, line, 1 + len(match.group()))
            found.setdefault(plain or "_".join(quoted.split()), VariantPlace(name, span))
    for option in manifest.options:
        top = Span(f"options/{option.name}.rules", 1, 1, 1, 1)
        found.setdefault(option.name.replace("-", "_"), VariantPlace(option.name, top))
    return found


def check_relations(
    variants: Mapping[str, i.Variant], manifest: Manifest, chosen: Collection[str], report: Report
) -> None:
    """What the variants that are there say of one another and of those that are not.

    Args:
        chosen: The options whose files take part.
    """
    here = {option.replace("-", "_") for option in chosen}
    named = [name for made in variants.values() for name in _named(made)]
    if not named:
        return
    elsewhere = {} if {name.text for name in named} <= variants.keys() else variants_in_options(manifest)
    check_names(variants, elsewhere, report)
    told = check_possible(variants, report)
    for made in variants.values():
        for name in made.needs:
            if name.text not in variants and name.text not in here and name.text in elsewhere:
                report.add(_needed(made, name, elsewhere[name.text]))
        for name in made.excludes:
            other = variants.get(name.text)
            pair = frozenset((made.name.text, name.text))
            if other is not None and pair not in told:
                told.add(pair)
                report.add(_excluded(made, name, other))


def _named(made: i.Variant) -> tuple[Name, ...]:
    """All that a variant says something of."""
    return (*made.needs, *made.excludes, *made.over, *made.beside)


def check_names(variants: Mapping[str, i.Variant], others: Collection[str], report: Report) -> None:
    """What is named is a variant, or an option, whether it is chosen or not."""
    known = {*variants, *others}
    for made in variants.values():
        for name in _named(made):
            if name.text not in known:
                message, hint = f"no variant or option is named `{name.text}`", did_you_mean(name.text, known)
                report.add(Diagnostic(kinds.NOTHING_TO_AMEND, message, name.span, hint=hint))


def check_possible(variants: Mapping[str, i.Variant], report: Report) -> set[frozenset[str]]:
    """Nothing needs or excludes itself, or needs what excludes what it needs; the pairs that do, told."""
    needs = needed(variants)
    for circle in circles(needs):
        report.add(_circle(variants, circle))
    closures = {name: closure(needs, name) for name in variants}
    told: set[frozenset[str]] = set()
    for name, around in closures.items():
        for one, other in _excluding(variants, around):
            inner = (each for each in around - {name} if {one, other} <= closures[each])
            if any(name not in closures[each] or each < name for each in inner):
                continue  # told of the one that is needed
            pair = frozenset((one, other))
            if pair not in told or name not in pair:
                report.add(_unkeepable(variants, needs, name, one, other))
            told.add(pair)
    return told


def needed(variants: Mapping[str, i.Variant]) -> dict[str, list[str]]:
    """What each variant needs of those that are there."""
    return {
        name: [other.text for other in made.needs if other.text in variants]
        for name, made in variants.items()
    }


def closure(needs: Mapping[str, Collection[str]], name: str) -> frozenset[str]:
    """A variant with all that it needs, itself or by way of others."""
    found, waiting = {name}, [name]
    while waiting:
        for other in needs.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return frozenset(found)


def _excluding(variants: Mapping[str, i.Variant], around: Collection[str]) -> Iterator[tuple[str, str]]:
    for one in sorted(around):
        for other in variants[one].excludes:
            if other.text in around:
                yield one, other.text


# ---------------------------------------------------------------- findings


def _circle(variants: Mapping[str, i.Variant], circle: tuple[str, ...]) -> Diagnostic:
    pairs = list(zip(circle, circle[1:], strict=False))
    told = chain([(one, "needs", other) for one, other in pairs])
    first, *rest = [place(variants[one].needs, other) for one, other in pairs]
    labels = tuple(Label(each.span, f"needs `{each.text}`") for each in rest)
    hint = "remove one `needs`, or merge them into one option" if rest else "remove it"
    return Diagnostic(kinds.IMPOSSIBLE_RELATIONS, told, first.span, labels, hint)


def _unkeepable(
    variants: Mapping[str, i.Variant], needs: Mapping[str, Collection[str]], name: str, one: str, other: str
) -> Diagnostic:
    """`name` needs, or is, both `one` and `other`, and `one` excludes `other`."""
    to_one = _needing(needs, name, one)
    to_other = _needing(needs, name, other)
    message = chain([*to_one, (one, "excludes", other)])
    if to_other and one == name:
        message = f"{message}, and {chain(to_other).partition(' ')[2]}"
    elif to_other:
        message = f"{message}; and {chain(to_other)}"
    places = [place(variants[a].needs, b) for a, _, b in (*to_one, *to_other)]
    excluded = place(variants[one].excludes, other)
    words = [(each, f"needs `{each.text}`") for each in dict.fromkeys(places)]
    (first, _), *rest = [*words, (excluded, f"excludes `{other}`")]
    labels = tuple(Label(each.span, said) for each, said in rest)
    hint = "it can never be turned on: remove one of these lines"
    return Diagnostic(kinds.IMPOSSIBLE_RELATIONS, message, first.span, labels, hint)


def _needing(needs: Mapping[str, Collection[str]], start: str, goal: str) -> list[tuple[str, str, str]]:
    """The links by which one needs another; none from a variant to itself."""
    steps = way(needs, start, goal) if start != goal else ()
    return [(one, "needs", other) for one, other in zip(steps, steps[1:], strict=False)]


def _needed(made: i.Variant, name: Name, missing: VariantPlace) -> Diagnostic:
    message = f"`{made.name.text}` needs `{name.text}`, which is off"
    hint = f"add `--with {missing.option}`"
    label = Label(missing.span, "off")
    return Diagnostic(kinds.NEEDED_VARIANT, message, name.span, (label,), hint, _reason(made))


def _excluded(made: i.Variant, name: Name, other: i.Variant) -> Diagnostic:
    one, two = made.name.text, name.text
    message = f"`{one}` and `{two}` cannot be used together: `{one}` excludes `{two}`"
    back = [each for each in other.excludes if each.text == made.name.text]
    said = _reason(other)
    label = Label(other.name.span, "also on" + (f"; {said}" if said else ""))
    labels = (label, *(Label(each.span, f"excludes `{each.text}`") for each in back))
    return Diagnostic(
        kinds.EXCLUDED_TOGETHER, message, name.span, labels, "turn on only one of them", _reason(made)
    )


def _reason(made: i.Variant) -> str:
    """Why a variant is, as its author says, in a few words."""
    said = made.reason if len(made.reason) <= LONGEST else f"{made.reason[: LONGEST - 3].rstrip()}..."
    return f"its reason: {said}" if said else ""
