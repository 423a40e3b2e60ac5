"""Checking a rule set: compile, lint, and remember the answer until something changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.analysis.acceptance import Checked, apply_acceptances
from rulekit.analysis.proofs import Proof
from rulekit.base import cache
from rulekit.base.codec import Codec
from rulekit.base.files import UnreadableFile, excerpt, forget, snapshot
from rulekit.base.garbage import few_collections
from rulekit.base.results import ResultStore
from rulekit.base.solver import is_installed
from rulekit.base.source import Span
from rulekit.base.spelling import few_hints
from rulekit.diagnostics import Diagnostic, Edit, Label
from rulekit.diagnostics.conflict import Conflict

if TYPE_CHECKING:
    from rulekit.analysis.check_inputs import CheckMode, Files
    from rulekit.analysis.lints import Lint
    from rulekit.analysis.options.groups import GroupChecker
    from rulekit.compiler.incremental import Workspace

VERSION = "4"
"""Raise it when a check finds other things in the same files."""


@snapshot()
@few_hints()
def check(
    folder: Path,
    *,
    options: Iterable[str] = (),
    overlays: Iterable[Path] = (),
    each_option: bool = False,
    as_printed: bool = False,
    play: int = 0,
    seed: str = "0",
    proofs: bool = False,
    lints: Sequence[Lint] = (),
    remember: bool = True,
    jobs: int = 1,
) -> Checked:
    """All findings of a rule set; an unchanged one is not looked at again.

    Args:
        options: RuleOptions to lay over the base; without any, all options are looked at, too.
        overlays: The owner's data files.
        each_option: Look at every option alone and every preset besides, where none is chosen.
        as_printed: No errata settle anything.  Without options the set's preset `as-printed` is read too, if
            it has one.
        play: So many games of each scenario are played, to look for faults, with the options chosen.
        seed: Of these games.
        proofs: Whether to list the verdicts on all obligations.
        lints: Lints that packages above this one hand in, such as that of sheets.
        remember: Whether the answer may come from the cache, and goes there.
        jobs: Processes that may work at a time, where the system can split this one.
    """
    from rulekit.analysis.check_inputs import CheckMode, Files

    mode = CheckMode(
        tuple(sorted(options)), tuple(overlays), each_option, as_printed, play, seed, proofs, tuple(lints)
    )
    try:
        files = Files(folder, mode.overlays) if remember else None
    except OSError as error:
        files = None
        if isinstance(error, UnreadableFile) and error.reason == "too much":
            forget(folder)  # files beside the rules may have changed
    key = cache.key_of(_here(folder), files.whole(), *mode.words()) if files is not None else None
    known = _CHECKS.get(key) if key is not None else None
    if known is not None:
        return replace(known, from_cache=True)
    checked = _check(folder, mode, files, jobs)
    if key is not None:
        _CHECKS.put(key, checked)
    return checked


def _check(folder: Path, mode: CheckMode, files: Files | None, jobs: int) -> Checked:
    from rulekit.analysis.options.group_cache import GroupCache
    from rulekit.analysis.options.groups import GroupChecker
    from rulekit.analysis.options.pairs import check_set  # the compiler is loaded only where it must look
    from rulekit.analysis.prove.answer_cache import answer_table
    from rulekit.compiler.incremental import Workspace
    from rulekit.diagnostics import Report

    answers = answer_table(_here(folder) if files is not None else None)
    workspace, report, known = Workspace(answers), Report(), None
    with few_collections():
        if files is not None and mode.whole and not mode.proofs:  # results of groups have no proofs
            known = GroupCache(_here(folder), folder, files, mode, workspace)
        checker = GroupChecker(folder, mode, workspace, known, jobs=jobs)
        if mode.whole:
            check_set(folder, workspace, checker, report, each=mode.each_option)
        else:
            for finding in checker(frozenset(mode.options)):
                report.add(finding)
        proofs = _proofs(folder, mode, workspace, checker) if mode.proofs else ()
    answers.save()
    if known is not None:
        known.save()
    checked = apply_acceptances(
        folder, _ready(report, folder), whole=mode.whole and not mode.overlays, ways=mode.ways()
    )
    return replace(checked, proofs=proofs)


def _proofs(
    folder: Path, mode: CheckMode, workspace: Workspace, checker: GroupChecker
) -> tuple[Proof, ...] | None:
    """The proofs of the chosen options; without options, also of those that may be chosen together."""
    from rulekit.analysis.obligations import proofs_of_options
    from rulekit.compiler.options.combinations import RuleOptions
    from rulekit.diagnostics import Report
    from rulekit.ruleset import read_manifest
    from rulekit.ruleset.folder import read_rule_set

    own = checker.proofs(frozenset(mode.options))
    manifest = read_manifest(folder, Report())
    if own is None or manifest is None or mode.options or not manifest.options:
        return own
    rule_set = read_rule_set(folder, (), (), Report(), workspace)
    sources = rule_set.sources if rule_set is not None else ()
    base = [item for source in sources for item in workspace.parse(source, Report()).items]
    options = RuleOptions(manifest, base, workspace.parse, Report())
    return (*own, *proofs_of_options(options, checker.proofs))


def _ready(findings: Iterable[Diagnostic], folder: Path) -> tuple[Diagnostic, ...]:
    """Findings with their names, those of one cause as one, and the fixes that the whole set tells."""
    from rulekit.diagnostics.refine import gather_findings, name_findings, with_renamings, words_of

    def words() -> Iterator[str]:
        from rulekit.diagnostics import Report
        from rulekit.ruleset import list_names
        from rulekit.syntax.parse.grammar import words as own

        for name in list_names(folder, Report(), suffixes=(".rules", ".yaml", ".yml")):
            yield from words_of(text_of(name), own())

    text_of = _reader(folder)
    return gather_findings(with_renamings(name_findings(findings, text_of), text_of, words))


def _reader(folder: Path) -> Callable[[str], str]:
    """Gives the text of a file of the rule set, or of the owner's, by the name its spans have.

    It is the text that this process has read, else (if only a fork has read it) the one that it reads now.
    """
    from rulekit.diagnostics import Report
    from rulekit.ruleset import read_text

    def text_of(file: str) -> str:
        text = excerpt(str(folder / file))
        if not text and read_text(folder, file, Report()) is not None:
            text = excerpt(str(folder / file))
        return text

    return text_of


def relocate(diagnostics: Iterable[Diagnostic], folder: Path) -> tuple[Diagnostic, ...]:
    """Findings with their places as the user would type them, not as the rule set's folder has them."""

    def whole(span: Span) -> Span:
        if span.file == str(folder):
            return span
        place = folder / span.file
        if Path(span.file).is_absolute() and place.is_relative_to(here := Path.cwd()):  # the owner's own file
            place = place.relative_to(here)
        return replace(span, file=str(place))

    def relocate_edit(edit: Edit) -> Edit:
        return replace(edit, span=whole(edit.span))

    def relocate_conflict(conflict: Conflict) -> Conflict:
        return replace(conflict, rule=conflict.rule and whole(conflict.rule))

    return tuple(
        replace(
            finding,
            span=whole(finding.span),
            labels=tuple(Label(whole(label.span), label.text) for label in finding.labels),
            fix=finding.fix and replace(finding.fix, edits=tuple(map(relocate_edit, finding.fix.edits))),
            conflict=finding.conflict and relocate_conflict(finding.conflict),
        )
        for finding in diagnostics
    )


# ---------------------------------------------------------------- the cache


def _here(folder: Path) -> str:
    """What names a set, and all that gives its files other findings: this rulekit's code, its solver."""
    from rulekit.analysis.check_inputs import place_key

    return cache.key_of(VERSION, place_key(folder), _solver())


def _solver() -> str:
    """What may decide more than a check without it."""
    return "solver" if is_installed() else ""


_CODEC: Codec[Checked] = Codec(Checked)
_CHECKS = ResultStore("check", _CODEC.encode, _CODEC.decode)
