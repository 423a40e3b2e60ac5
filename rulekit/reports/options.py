"""The options and presets of a rule set, with their descriptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulekit.base.frozen import frozen
from rulekit.base.source import Source
from rulekit.compiler.names import Names
from rulekit.diagnostics import Report
from rulekit.reports.show.rows import Texts
from rulekit.ruleset import read_manifest, read_text
from rulekit.syntax.parse import parse
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Expr


@frozen
class Choosable:
    """One option: a file of options, and what its variant says.

    Attributes:
        id: Its file's name, by which it is chosen.
        reading_of: The errata entry that it is a reading of; empty for other options.
        beside: Those it is `with`.
        force: While what, or from when, it is in force, as written; empty is always.
        numbers: The printed rules that its variants cite.
    """

    id: str
    title: str
    author: str
    status: str
    reason: str
    favours: str
    reading_of: str
    needs: tuple[str, ...]
    excludes: tuple[str, ...]
    over: tuple[str, ...]
    beside: tuple[str, ...]
    force: tuple[str, ...]
    numbers: tuple[str, ...]


@frozen
class OptionList:
    """All options of a rule set, by id, and its presets: names of sets of options."""

    options: tuple[Choosable, ...]
    presets: Mapping[str, tuple[str, ...]]


def catalogue(folder: Path, report: Report) -> OptionList:
    """Return the options and presets of the rule set in a folder.

    Raises:
        RulesError: Its manifest, or the file of an option, cannot be read.
    """
    manifest = read_manifest(folder, report)
    report.stop_on_error()
    assert manifest is not None
    names = sorted(option.name for option in manifest.options)
    sources = [(name, read_text(folder, f"options/{name}.rules", report)) for name in names]
    files = {
        name: (source, [item for item in parse(source, report).items if isinstance(item, i.Variant)])
        for name, source in sources
        if source is not None
    }
    report.stop_on_error()
    home = {variant.name.text: name for name, (_, variants) in files.items() for variant in variants}
    options = [_option(name, source, variants, home) for name, (source, variants) in files.items()]
    presets = {name: tuple(sorted(options)) for name, options in manifest.presets.items()}
    return OptionList(tuple(options), presets)


def _option(name: str, source: Source, variants: Sequence[i.Variant], home: Mapping[str, str]) -> Choosable:
    texts = Texts((source,), Names())

    def force_text(force: Expr | i.DateSpan) -> str:
        return ("" if isinstance(force, i.DateSpan) else "while ") + texts.condition(force)

    def names(which: str) -> tuple[str, ...]:
        written = (entry.text for variant in variants for entry in getattr(variant, which))
        options = (home.get(entry, entry) for entry in written)
        return tuple(dict.fromkeys(option for option in options if option != name))

    def first(which: str) -> str:
        return next((str(words) for variant in variants if (words := getattr(variant, which))), "")

    return Choosable(
        id=name,
        title=first("title"),
        author=first("author"),
        status=first("status"),
        reason=" ".join(variant.reason for variant in variants if variant.reason),
        favours=next((variant.favours.text for variant in variants if variant.favours is not None), ""),
        reading_of=next((variant.of.text for variant in variants if variant.of is not None), ""),
        needs=names("needs"),
        excludes=names("excludes"),
        over=names("over"),
        beside=names("beside"),
        force=tuple(force_text(force) for variant in variants for force in variant.force),
        numbers=tuple(rule for variant in variants if variant.cite is not None for rule in variant.cite.ids),
    )
