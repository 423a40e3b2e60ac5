"""What modifiers and norms say they are over: each is a modifier, or a norm, of some file of the set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.compiler.names import Names
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset import Manifest, read_text
from rulekit.ruleset.findings import did_you_mean
from rulekit.syntax.parse import Parse
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Name


def check_over(names: Names, manifest: Manifest, parse: Parse, report: Report) -> None:
    """What is named behind `over` is there, in the files that take part or in those of options left out.

    Args:
        parse: Gives the module of a text.
    """
    items: list[i.Item] = [*names.modifiers.values(), *names.choices.values(), *names.variants.values()]
    modifiers, norms = set(_modifiers(items)), set(_norms(items))
    strange = list(_strange(items, modifiers, norms))
    if not strange:
        return
    more_modifiers, more_norms = words_of_options(manifest, parse)  # read only where something is not here
    modifiers |= more_modifiers
    norms |= more_norms
    for word, own, name in strange:
        known = modifiers if word == "modifier" else norms
        if name.text not in known:
            message = f"no {word} of the base or of an option is named `{name.text}`"
            hint = did_you_mean(name.text, known - {own})
            report.add(Diagnostic(kinds.NOTHING_TO_AMEND, message, name.span, hint=hint))


def words_of_options(manifest: Manifest, parse: Parse) -> tuple[set[str], set[str]]:
    """The names of all modifiers, and of all norms, in the files of options, whatever is chosen."""
    items = list(_of_options(manifest, parse))
    return set(_modifiers(items)), set(_norms(items))


def _of_options(manifest: Manifest, parse: Parse) -> Iterator[i.Item]:
    """All that the files of options declare, whatever is chosen."""
    for option in manifest.options if manifest.home else ():
        assert manifest.home is not None
        source = read_text(manifest.home, f"options/{option.name}.rules", Report())
        if source is not None:
            yield from parse(source, Report()).items


def _modifiers(items: Iterable[i.Item]) -> Iterator[str]:
    return (item.name.text for item in items if isinstance(item, i.Modifier))


def _norms(items: Iterable[i.Item]) -> Iterator[str]:
    """The names of norms, and what those without one are called (spec 8.5)."""
    for item in items:
        norms = item.norms if isinstance(item, i.Choice) else ()
        yield from (f"{norm.word}_{number}" for number, norm in enumerate(norms, 1) if norm.name is None)
        yield from (norm.name.text for norm in _all_norms(item) if norm.name is not None)


def _all_norms(item: i.Item) -> tuple[i.Norm, ...]:
    if isinstance(item, i.Variant):
        return tuple(norm for amendment in item.amendments for norm in amendment.norms)
    return item.norms if isinstance(item, i.Choice) else ()


def _strange(
    items: Iterable[i.Item], modifiers: set[str], norms: set[str]
) -> Iterator[tuple[str, str, Name]]:
    """Names behind `over` that are none of these: the word for what each should be, and who says it."""
    for item in items:
        if isinstance(item, i.Modifier):
            own = item.name.text
            yield from (("modifier", own, name) for name in _over(item.clauses) if name.text not in modifiers)
        for norm in _all_norms(item):
            own = norm.name.text if norm.name is not None else ""
            yield from (("norm", own, name) for name in _over(norm.clauses) if name.text not in norms)


def _over(clauses: Iterable[i.Clause]) -> Iterator[Name]:
    return (clause.name for clause in clauses if isinstance(clause, i.OverClause))
