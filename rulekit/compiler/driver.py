"""The pipeline, in order: read this first."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.language import LANGUAGE
from rulekit.base.source import Source
from rulekit.compiler.amend import amend
from rulekit.compiler.claims_in_force import with_own_claims
from rulekit.compiler.examples_in_force import asked
from rulekit.compiler.folder import (
    DataFiles,
    RuleSet,
    check_manifest,
    read_printed,
    read_rule_set,
    source_hash,
)
from rulekit.compiler.incremental.inputs import Once
from rulekit.compiler.lower import lower
from rulekit.compiler.model import Model
from rulekit.compiler.names import Names
from rulekit.compiler.populate import populate
from rulekit.compiler.resolve import resolve
from rulekit.compiler.typecheck import typecheck
from rulekit.diagnostics import Report
from rulekit.ir.memo import Trees
from rulekit.ruleset import PrintedRules
from rulekit.syntax.tree.items import Module

if TYPE_CHECKING:
    from rulekit.analysis.prove.answer_cache import Answers  # who only compiles proves nothing


@frozen
class Compiled:
    """Every stage of one compile, for those who look closer than the program.

    `declared` is before amendments, `names` after.
    """

    rule_set: RuleSet
    modules: tuple[Module, ...]
    declared: Names
    names: Names
    model: Model
    program: ir.Program
    data: DataFiles
    printed: tuple[PrintedRules, ...]
    not_asked: int
    """Examples that are for other options."""
    answers: Answers | None
    """What is known of conditions of this set."""
    trees: Trees
    """What is known of trees of the program."""


def compile_rule_set(
    folder: Path,
    report: Report,
    *,
    options: Iterable[str] = (),
    overlays: Iterable[Path] = (),
    once: Once | None = None,
    beside: tuple[Source, ...] = (),
    settled: bool = False,
) -> Compiled:
    """A rule set's folder to its program.

    Args:
        beside: Rules that take part and stand in no file.
        settled: Two that clash in some situations are taken for settled.
        once: What was read for another compile of the same folder, and is not read again.

    Raises:
        RulesError: Findings stop it; each stage reports all it can before the next would begin.
    """
    once = once or Once()
    rule_set = read_rule_set(folder, options, overlays, report, once)
    report.stop_on_error()
    assert rule_set is not None
    modules = tuple(once.parse(source, report) for source in (*rule_set.sources, *beside))
    report.stop_on_error()
    declared = resolve(modules, report)
    check_manifest(
        rule_set.manifest, declared, LANGUAGE, report, parse=once.parse_beside, chosen=rule_set.options
    )
    printed = once.read("printed", partial(read_printed, rule_set), report)
    report.stop_on_error()
    shown, not_asked = asked(declared, rule_set, report, once.variants)
    names = amend(with_own_claims(shown, rule_set, report), report)
    report.stop_on_error()
    data = DataFiles(rule_set, report, once.data)
    for population in names.populations.values():
        if population.source is not None and population.source_span is not None:
            data.load(population.source, population.source_span)
    externs = names.externs.items()
    data.overlaid({name: (table.file, table.span) for name, table in externs if table.file})
    before = once.before if not beside else None
    world = (before.populate if before else populate)(names, data.load, report)
    report.stop_on_error()
    manifest = rule_set.manifest
    sides = manifest.sides.name if manifest.sides else "Side"
    typed = before.typecheck if before else typecheck
    model = typed(names, world, report, prefix=manifest.prefix, sides=sides, owner=data.externs)
    report.stop_on_error()
    program = lower(
        model,
        name=manifest.id,
        title=manifest.title,
        edition=manifest.edition,
        language=LANGUAGE,
        source_hash=source_hash(rule_set, data, LANGUAGE),
        options=rule_set.options,
        sides=sides,
        entry=manifest.sequence.name if manifest.sequence else "",
        trees=once.trees,
    )
    if names.clashes:
        from rulekit.analysis.clashes import settle  # needs the back end, which nothing else here does

        program = settle(names, program, report, rule_set, tell=not settled)
        report.stop_on_error()
    return Compiled(
        rule_set, modules, declared, names, model, program, data, printed, not_asked, once.answers, once.trees
    )
