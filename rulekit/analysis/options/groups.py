"""Checking a rule set with some options chosen: compile it and run the lints, where no result is known."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.analysis.check_inputs import CheckMode
from rulekit.analysis.compile import check_clashes
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import all_lints, run_lints
from rulekit.analysis.options.base_claims import Retrial
from rulekit.analysis.options.group_cache import GroupCache, GroupScope
from rulekit.analysis.options.pairs import Narrower
from rulekit.analysis.proofs import Proof
from rulekit.base.codec import Codec
from rulekit.base.forks import forks, share_work
from rulekit.base.frozen import frozen
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.compiler.incremental import BaseModel, Workspace
from rulekit.compiler.options.combinations import Group
from rulekit.diagnostics import Diagnostic, Report, RulesError
from rulekit.ir import Program

if TYPE_CHECKING:
    from rulekit.analysis.compile import JudgedClash

AS_PRINTED = "as-printed"
"""The preset of options that are read as they are printed."""
BASE: Group = frozenset()
MANY = 4
"""Groups for which it is worth while to note what each part of a compile has read."""
PER_ITEM = 0.0001
"""Seconds that a group takes, roughly, for each item of the set."""


@frozen
class GroupResult:
    """The findings of one group of options.

    `read_inactive`: whether the compile has read what options left out declare.  `proofs`: what is proved,
    if that is wished; None if the group does not compile.
    """

    findings: tuple[Diagnostic, ...]
    read_inactive: bool
    proofs: tuple[Proof, ...] | None = ()


@frozen
class _GroupCompile:
    """A compile of one group: None if it fails; `sound` if it has no errors, clashes among them."""

    compiled: Compiled | None
    clashes: tuple[JudgedClash, ...]
    report: Report
    read_inactive: bool

    @property
    def sound(self) -> bool:
        return self.compiled is not None and not self.report.has_errors


_RESULTS: Codec[GroupResult] = Codec(GroupResult)


class GroupChecker:
    """Checks groups of options, each laid over the set.

    Args:
        known: Results of earlier checks; gets new ones.
        jobs: Processes that may work at a time.

    Attributes:
        claims: Groups whose claims are judged, too, though nobody chose their options.
        conditions: The options whose conditions are judged in a group; in groups without an entry all are.
        retrials: Claims of the base that are tried again with a group.
    """

    def __init__(
        self,
        folder: Path,
        mode: CheckMode,
        workspace: Workspace,
        known: GroupCache | None = None,
        *,
        jobs: int = 1,
    ) -> None:
        self._folder, self._mode, self._workspace, self._known = folder, mode, workspace, known
        self._jobs, self._many = jobs, mode.each_option
        self._chosen = frozenset(mode.options)
        self._ahead: dict[tuple[Group, bool], GroupResult] = {}
        self._proofs: dict[Group, tuple[Proof, ...] | None] = {}
        self.claims: frozenset[Group] = frozenset()
        self.conditions: Mapping[Group, Group] = {}
        self.retrials: Mapping[Group, Retrial] = {}
        self._base: _GroupCompile | None = None

    def __call__(self, group: Group, *, fully: bool = False) -> tuple[Diagnostic, ...]:
        """Return all findings of a group, in the order of places, whatever was checked before.

        Args:
            fully: Whether the conditions of all its options are judged.
        """
        scope = self._scope(group, fully=fully)
        known = self._known.get(group, scope) if self._known is not None else None
        if known is not None:
            return known
        result = self._ahead.pop((group, fully), None) or self._check(group, scope)
        self._proofs[group] = result.proofs
        if self._known is not None:
            self._known.put(group, scope, result.findings, read_inactive=result.read_inactive)
        return result.findings

    def _scope(self, group: Group, *, fully: bool = False) -> GroupScope:
        judged = self.conditions.get(group, group)
        conditions = None if fully or judged == group else tuple(sorted(judged))
        compared = self._mode.each_option and len(group) == 1
        return GroupScope(group in self.claims, conditions, self.retrials.get(group), compared)

    def proofs(self, group: Group) -> tuple[Proof, ...] | None:
        """Return what is proved of a group; None if it does not compile."""
        if group not in self._proofs:
            self._proofs[group] = self._list_proofs(group, self._compile(group), None)
        return self._proofs[group]

    def ahead(self, groups: Sequence[Group], narrower: Narrower) -> None:
        """Check groups of which each will be asked for, and those that follow, by several processes.

        Checks none if the set as it stands has errors.
        """
        new = [group for group in groups if not self._is_known(group)]
        if not self._begin(new):
            return
        items = sum(len(module.items) for module in self._workspace.modules())
        number = forks(len(new), len(new) * items * PER_ITEM, self._jobs)
        if not number:
            return
        import rulekit.analysis.prove.situation  # noqa: F401  # what all of them need is loaded once

        all_lints()
        answers = self._workspace.answers
        if answers is not None:
            answers.load()
        checked = set(new)

        def check(place: int) -> list[tuple[list[str], Any]]:
            waiting, results = [new[place]], []
            while waiting:
                group = waiting.pop()
                result = self._check(group, self._scope(group))
                results.append((sorted(group), _RESULTS.encode(result)))
                follow = set(narrower(group, result.findings)) - checked
                checked.update(follow)
                waiting += [group for group in follow if not self._is_known(group)]
            return results

        results, learned = share_work(
            len(new), number, check, lambda: dict(answers.new) if answers is not None else {}
        )
        self._ahead = {
            (frozenset(names), False): _RESULTS.decode(plain)
            for some in results.values()
            for names, plain in some
        }
        for plain in learned:
            if answers is not None:
                answers.add(plain)

    def _is_known(self, group: Group) -> bool:
        """True if an earlier check has kept the findings of a group."""
        return self._known is not None and self._known.get(group, self._scope(group)) is not None

    def _begin(self, new: Sequence[Group]) -> bool:
        """Compile the set as it stands, if that is asked for or serves the rest; false if it has errors."""
        if BASE not in new and (len(new) < MANY or self._workspace.base_model is not None):
            return True
        self._many |= len(new) >= MANY
        self._base = self._compile(BASE)
        return self._base.sound

    def _compile(self, group: Group, retrial: Retrial | None = None) -> _GroupCompile:
        workspace, report = self._workspace, Report()
        workspace.read_inactive = False
        if not group and self._many:
            workspace.base_model = BaseModel(workspace.trees)
        compiled: Compiled | None = None
        clashes: tuple[JudgedClash, ...] = ()
        with contextlib.suppress(RulesError):
            overlays = self._mode.overlays
            compiled = compile_rule_set(
                self._folder,
                report,
                options=group,
                overlays=overlays,
                workspace=workspace,
                retried=retrial.claims if retrial is not None else (),
            )
            clashes = check_clashes(compiled, report)
        if report.has_errors and retrial is not None:
            return self._compile(group)  # what a claim names may be gone
        if report.has_errors and not group:
            workspace.base_model = None
        return _GroupCompile(compiled, clashes, report, workspace.read_inactive)

    def _check(self, group: Group, scope: GroupScope) -> GroupResult:
        result = self._base if not group and self._base is not None else self._compile(group, scope.retrial)
        report, mode, rules = result.report, self._mode, None
        if result.compiled is not None and result.sound:
            rules = self._inspection(result.compiled, group, scope)
            with contextlib.suppress(RulesError):
                for finding in self._findings(rules, group):
                    report.add(finding)
            if mode.as_printed and not group and AS_PRINTED in result.compiled.rule_set.manifest.presets:
                for finding in self._check(frozenset((AS_PRINTED,)), GroupScope()).findings:
                    report.add(finding)
        return GroupResult(tuple(report), result.read_inactive, self._list_proofs(group, result, rules))

    def _inspection(self, compiled: Compiled, group: Group, scope: GroupScope) -> Inspection:
        as_printed = self._mode.as_printed
        return Inspection(
            compiled,
            offered=group != self._chosen and not as_printed,
            with_claims=scope.claims,
            as_printed=as_printed,
            conditions_of=None if scope.conditions is None else frozenset(scope.conditions),
            retrial=scope.retrial,
            base=self._base_program if scope.compared else None,
        )

    def _base_program(self) -> Program | None:
        """Return the program without options, compiled if this check has not yet done so."""
        self._base = self._base or self._compile(BASE)
        return self._base.compiled.program if self._base.compiled is not None else None

    def _findings(self, rules: Inspection, group: Group) -> Iterator[Diagnostic]:
        yield from run_lints(rules, self._mode.lints)
        if group == self._chosen and self._mode.play:
            from rulekit.analysis.explore.findings import findings_of_play

            yield from findings_of_play(rules.compiled, self._mode.play, self._mode.seed)

    def _list_proofs(
        self, group: Group, made: _GroupCompile, rules: Inspection | None
    ) -> tuple[Proof, ...] | None:
        """The proofs of the chosen options; of other groups those about their clashes."""
        if made.compiled is None:
            return None
        if not self._mode.proofs:
            return ()
        from rulekit.analysis.obligations import proofs_of, proofs_of_group

        listed = proofs_of if group == self._chosen else proofs_of_group
        rules = rules or self._inspection(made.compiled, group, GroupScope())
        return tuple(listed(rules, made.clashes))
