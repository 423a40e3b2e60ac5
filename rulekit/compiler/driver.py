"""The pipeline, in order: read this first."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from pathlib import Path

from rulekit import ir
from rulekit.base.files import snapshot
from rulekit.base.frozen import frozen
from rulekit.base.garbage import few_collections
from rulekit.base.language import LANGUAGE
from rulekit.base.source import Source
from rulekit.base.spelling import few_hints
from rulekit.compiler.amend import amend
from rulekit.compiler.depth import check_depth
from rulekit.compiler.in_force import limited_to, play_readings, select_in_force, without_sampler
from rulekit.compiler.incremental import Workspace
from rulekit.compiler.lower import Heading, lower
from rulekit.compiler.manifest_check import check_manifest
from rulekit.compiler.model import Model
from rulekit.compiler.names import Names, resolve
from rulekit.compiler.weave_events import weave_events
from rulekit.diagnostics import Report
from rulekit.ruleset import PrintedRules
from rulekit.ruleset.folder import (
    DataFiles,
    OwnerPart,
    RuleSet,
    read_printed,
    read_rule_set,
    source_hash,
)
from rulekit.syntax.tree.items import Module


@frozen
class Compiled:
    """The result of every stage of one compile, for readers that need more than the program.

    `declared` is before amendments, `names` after.
    """

    rule_set: RuleSet
    printed: tuple[PrintedRules, ...]
    modules: tuple[Module, ...]
    declared: Names
    names: Names
    data: DataFiles
    model: Model
    program: ir.Program
    workspace: Workspace


@snapshot()
@few_hints()
@few_collections()
def compile_rule_set(
    folder: Path,
    report: Report,
    *,
    options: Iterable[str] = (),
    overlays: Iterable[Path] = (),
    added: tuple[Source, ...] = (),
    workspace: Workspace | None = None,
    retried: Collection[str] = (),
    only_added: bool = False,
) -> Compiled:
    """Compile a rule set's folder to its program; amendments that may clash are in its names, not reported.

    Args:
        options: Names of options and presets to lay over the base.
        overlays: The owner's data files.
        added: Rules to compile with the rest that are in no file.
        workspace: The results of other compiles of the same folder.
        retried: Claims of the base that are in force whatever options are chosen.
        only_added: Whether only examples and claims of `added` are in force, as others were checked before.

    Raises:
        RulesError: Some stage has found an error; each stage reports all it can before the next would begin.
    """
    work = workspace or Workspace()
    rule_set = read_rule_set(folder, options, overlays, report, work)
    report.stop_on_error()
    assert rule_set is not None  # there is an error where it cannot be read
    modules = tuple(work.parse(source, report) for source in (*rule_set.sources, *added))
    report.stop_on_error()
    declared = play_readings(resolve(modules, report), report)
    check_manifest(rule_set, declared, work.parse_inactive, work.variants, report)
    printed = work.read("printed", partial(read_printed, rule_set), report)
    report.stop_on_error()
    selected = select_in_force(declared, rule_set, report, work.variants, retried)
    if only_added:
        selected = limited_to(selected, {source.file for source in added})
    names = amend(selected, report)
    report.stop_on_error()
    data = _read_data(names, rule_set, report, work)
    names = names if data.sampled else without_sampler(names)
    world = work.passes.populate(names, data.load, report)
    report.stop_on_error()
    model = work.passes.typecheck(names, world, report, rule_set.manifest, data.externs)
    report.stop_on_error()
    heading = _heading(rule_set, data)
    procedures = weave_events(model, heading.entry)
    program = lower(model, procedures, heading, names.probes)
    check_depth(program, work.trees, report)
    report.stop_on_error()
    return Compiled(rule_set, printed, modules, declared, names, data, model, program, work)


def _read_data(names: Names, rule_set: RuleSet, report: Report, work: Workspace) -> DataFiles:
    """Read the data files that populations and extern tables name, with the owner's laid over them."""
    data = DataFiles(rule_set, report, work.data)
    for population in names.populations.values():
        if population.source is not None and population.source_span is not None:
            data.load(population.source, population.source_span)
    for table in names.externs.values():
        if table.sampler_span is not None:
            data.load(table.sampler, table.sampler_span)
    populations = {
        name: OwnerPart(population.owner, population.source, population.span)
        for name, population in names.populations.items()
        if population.owner and population.source is not None
    }
    tables = {
        name: OwnerPart(table.file, table.sampler, table.span)
        for name, table in names.externs.items()
        if table.file
    }
    data.overlay(tables, populations)
    return data


def _heading(rule_set: RuleSet, data: DataFiles) -> Heading:
    manifest = rule_set.manifest
    return Heading(
        manifest.id,
        manifest.title,
        manifest.edition,
        LANGUAGE,
        source_hash(rule_set, data, LANGUAGE),
        rule_set.options,
        manifest.sides_name,
        manifest.sequence.name if manifest.sequence else "",
    )
