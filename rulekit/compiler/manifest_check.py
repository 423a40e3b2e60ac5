"""What the manifest says is checked against the rules: its language, sequence, sides, and variants.

What variants, modifiers and norms say of one another by name may speak of options that are turned off, which
the manifest lists: so that is checked here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulekit.base.language import EARLIER, LANGUAGE
from rulekit.base.source import Span
from rulekit.compiler.names import Names
from rulekit.compiler.options.combinations import VariantPlaces, check_relations
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset import Manifest
from rulekit.ruleset.findings import did_you_mean
from rulekit.ruleset.folder import RuleSet, option_sources
from rulekit.syntax.parse import Parse
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name
from rulekit.syntax.tree.stmt import Let

_TOP = Span("ruleset.yaml", 1, 1, 1, 1)


def check_manifest(
    rule_set: RuleSet, names: Names, parse: Parse, variants: VariantPlaces, report: Report
) -> None:
    """Report what the manifest names and the rules do not declare, and relations that cannot be kept.

    Args:
        parse: Gives the module of a text that is not part of the rules.
        variants: Gives the variants in the files of all options.
    """
    manifest = rule_set.manifest
    _check_language(manifest, report)
    if manifest.language in EARLIER:
        _report_changed(names, manifest.language, report)
    _check_entry(manifest, names, report)
    check_relations(names.variants, manifest, rule_set.options, report, variants)
    check_over(names, manifest, parse, report)
    _check_favours(manifest.sides_name, names, report)


def _check_language(manifest: Manifest, report: Report) -> None:
    if manifest.language not in (*EARLIER, LANGUAGE):
        message = f"expected language {' or '.join((*EARLIER, LANGUAGE))}, found {manifest.language}"
        here = manifest.places.get("language", _TOP)
        hint = "the changelog lists what has changed"
        report.add(Diagnostic(kinds.LANGUAGE_VERSION, message, here, hint=hint))


def _report_changed(names: Names, language: str, report: Report) -> None:
    """Report lines that an earlier language read otherwise: each `then` above a `when` of its example."""
    hint = f'move it to the end, or write `language: "{LANGUAGE}"` in ruleset.yaml'
    before = f"language {language} tested this after the `when` lines below it"
    for title, example in names.examples.items():
        for then in example.then:
            if any(not isinstance(step, Let) for step in example.when[then.after :]):
                message, key = f"{before}; {LANGUAGE} tests it here", (f"example {title}",)
                report.add(Diagnostic(kinds.CHANGED_MEANING, message, then.span, hint=hint, key=key))


def _check_entry(manifest: Manifest, names: Names, report: Report) -> None:
    """Report a sequence of play, or an enum of sides, that the rules do not declare."""
    sequences = [name for name, procedure in names.procedures.items() if procedure.sort == "sequence"]
    if manifest.sequence is not None and manifest.sequence.name not in sequences:
        message = f"unknown sequence `{manifest.sequence.name}`"
        hint = f"the rules declare {', '.join(f'`{name}`' for name in sequences) or 'no sequence'}"
        report.add(Diagnostic(kinds.NO_ENTRY, message, manifest.sequence.span, hint=hint))
    if manifest.sides is not None and manifest.sides.name not in names.enums:
        message = f"unknown enum `{manifest.sides.name}`"
        hint = "name the enum of the sides"
        report.add(Diagnostic(kinds.NO_ENTRY, message, manifest.sides.span, hint=hint))


def _check_favours(sides: str, names: Names, report: Report) -> None:
    """Report a variant that favours none of the sides, counting those that variants add."""
    variants = names.variants.values()
    if sides not in names.enums or not any(variant.favours for variant in variants):
        return
    players = {member.name.text for member in names.enums[sides].members}
    amendments = (amendment for variant in variants for amendment in variant.amendments)
    players |= {name.text for added in amendments if added.address.word == "enum" for name in added.members}
    for variant in variants:
        if variant.favours is not None and variant.favours.text not in players:
            _report_no_target(f"no `{sides}`", variant.favours, players, report)


def _report_no_target(subject: str, name: Name, known: set[str], report: Report) -> None:
    message = f"{subject} is named `{name.text}`"
    report.add(Diagnostic(kinds.NOTHING_TO_AMEND, message, name.span, hint=did_you_mean(name.text, known)))


def check_over(names: Names, manifest: Manifest, parse: Parse, report: Report) -> None:
    """Report names after `over` that neither the base nor any option declares."""
    items: list[i.Item] = [*names.modifiers.values(), *names.choices.values(), *names.variants.values()]
    known = dict(zip(("modifier", "norm"), _words(items), strict=True))
    unknown = [(word, own, name) for word, own, name in _overs(items) if name.text not in known[word]]
    if unknown:  # the files of options are read only where something is not here
        modifiers, norms = words_of_options(manifest, parse)
        known = {"modifier": known["modifier"] | modifiers, "norm": known["norm"] | norms}
    for word, own, name in unknown:
        if name.text not in known[word]:
            _report_no_target(f"no {word} of the base or of an option", name, known[word] - {own}, report)


def words_of_options(manifest: Manifest, parse: Parse) -> tuple[set[str], set[str]]:
    """The names of all modifiers, and of all norms, in the files of options, whatever is chosen."""
    return _words([item for _, source in option_sources(manifest) for item in parse(source, Report()).items])


def _words(items: Sequence[i.Item]) -> tuple[set[str], set[str]]:
    """The names of modifiers, and of norms; an unnamed one has its word and number (spec 8.5)."""
    norms = {norm.name.text for item in items for norm in _all_norms(item) if norm.name is not None}
    for item in items:
        if isinstance(item, i.Choice):
            norms |= {f"{norm.word}_{n}" for n, norm in enumerate(item.norms, 1) if norm.name is None}
    return {item.name.text for item in items if isinstance(item, i.Modifier)}, norms


def _all_norms(item: i.Item) -> tuple[i.Norm, ...]:
    if isinstance(item, i.Variant):
        return tuple(norm for amendment in item.amendments for norm in amendment.norms)
    return item.norms if isinstance(item, i.Choice) else ()


def _overs(items: Iterable[i.Item]) -> Iterator[tuple[str, str, Name]]:
    """Yield the names after `over`: what each should be, its own item's name, the name."""
    for item in items:
        if isinstance(item, i.Modifier):
            yield from (("modifier", item.name.text, name) for name in _over(item.clauses))
        for norm in _all_norms(item):
            own = norm.name.text if norm.name is not None else ""
            yield from (("norm", own, name) for name in _over(norm.clauses))


def _over(clauses: Iterable[i.Clause]) -> Iterator[Name]:
    return (clause.name for clause in clauses if isinstance(clause, i.OverClause))
