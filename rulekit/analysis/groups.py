"""Looking at a rule set with some options chosen: compiling and linting what is not known."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulekit.analysis.compile import compile_without_clashes
from rulekit.analysis.group_cache import Files, Group, GroupCache
from rulekit.analysis.lints import lint, lint_claims, lint_options
from rulekit.base import cache
from rulekit.base.forks import forks, shared
from rulekit.base.frozen import frozen
from rulekit.compiler.driver import Compiled
from rulekit.compiler.incremental.base_model import BaseModel
from rulekit.compiler.incremental.workspace import Workspace
from rulekit.compiler.manifest_check import words_of_options
from rulekit.compiler.options.relations import variants_in_options
from rulekit.diagnostics import Diagnostic, Report, RulesError, serial
from rulekit.reports.sheet.content.checked import of_sheets
from rulekit.ruleset import read_manifest

AS_PRINTED = "as-printed"
"""The preset of options that are read as they are printed."""
BASE: Group = frozenset()
MANY = 4
"""Groups for which it is worth while to note what each part of a compile has read."""
PER_ITEM = 0.0001
"""Seconds that a group takes, roughly, for each item of the set."""


@dataclass(frozen=True, slots=True)
class CheckMode:
    """How a set is looked at.

    `options`: those that somebody chose.  `as_printed`: no errata settle anything.  `play`: so many games of
    each scenario are played, with these options.  `seed`: of these games.
    """

    options: tuple[str, ...] = ()
    overlays: tuple[Path, ...] = ()
    as_printed: bool = False
    play: int = 0
    seed: str = "0"

    @property
    def whole(self) -> bool:
        """Whether all options are looked at, since none was chosen."""
        return not self.options and not self.as_printed


@frozen
class GroupResult:
    """What was found, and whether it was looked at what the options left out have."""

    found: tuple[Diagnostic, ...]
    beside: bool


@frozen
class _Made:
    """What a compile gave, and what was found on the way; see `Looked.beside`."""

    made: Compiled | None
    report: Report
    beside: bool


def _plain(seen: GroupResult) -> Any:
    return [[serial.to_plain(each) for each in seen.found], seen.beside]


def _looked(plain: Any) -> GroupResult:
    found, beside = plain
    return GroupResult(tuple(map(serial.from_plain, found)), beside)


class GroupChecker:
    """Gives what is found with some options chosen.

    Args:
        kept: What is known of other days, and gets what is new.
        jobs: Processes that may work at a time.
        many: Whether many groups will be asked for.
    """

    def __init__(
        self,
        folder: Path,
        way: CheckMode,
        workspace: Workspace,
        kept: KnownGroups | None = None,
        *,
        jobs: int = 1,
        many: bool = False,
    ) -> None:
        self._folder, self._way, self._workspace, self._kept, self._jobs = folder, way, workspace, kept, jobs
        self._many = many
        self._meant = frozenset(way.options)
        self._ahead: dict[Group, GroupResult] = {}
        self.claims: frozenset[Group] = frozenset()
        """Groups in which claims are tried, too, though nobody chose their options."""
        self._base: _Made | None = None

    def __call__(self, group: Group) -> tuple[Diagnostic, ...]:
        """Everything that is found, in the order of places; it depends on nothing that was asked before."""
        claims = group in self.claims
        known = self._kept.get(group, claims=claims) if self._kept is not None else None
        if known is not None:
            return known
        seen = self._ahead.pop(group, None) or self._seen(group)
        if self._kept is not None:
            self._kept.put(group, seen.found, beside=seen.beside, claims=claims)
        return seen.found

    def ahead(self, groups: Sequence[Group]) -> None:
        """Look at groups of which each will be asked for, by several processes.

        Nothing is looked at if the set as it stands has errors.
        """
        kept = self._kept
        new = [
            group for group in groups if kept is None or kept.get(group, claims=group in self.claims) is None
        ]
        if not self._begun(new):
            return
        items = sum(len(module.items) for module in self._workspace.modules())
        number = forks(len(new), len(new) * items * PER_ITEM, self._jobs)
        if not number:
            return
        import rulekit.analysis.prove  # noqa: F401  # what all of them need is loaded once

        answers = self._workspace.answers
        if answers is not None:
            answers.load()
        made, told = shared(
            len(new),
            number,
            lambda place: _plain(self._seen(new[place])),
            lambda: dict(answers.new) if answers is not None else {},
        )
        self._ahead = {group: _looked(made[place]) for place, group in enumerate(new)}
        for plain in told:
            if answers is not None:
                answers.add(plain)

    def _begun(self, new: Sequence[Group]) -> bool:
        """Compile the set as it stands, if that is asked for or serves the rest; false if it has errors."""
        if BASE not in new and (len(new) < MANY or self._workspace.base_model is not None):
            return True
        self._many |= len(new) >= MANY
        self._base = self._compiled(BASE)
        return self._base.made is not None

    def _compiled(self, group: Group) -> _Made:
        self._workspace.read_inactive = False
        if not group and self._many:
            self._workspace.base_model = BaseModel(self._workspace.trees)
        report, made = Report(), None
        with contextlib.suppress(RulesError):
            overlays = self._way.overlays
            made = compile_without_clashes(
                self._folder, report, options=group, overlays=overlays, workspace=self._workspace
            )
        if made is None and not group:
            self._workspace.base_model = None
        return _Made(made, report, self._workspace.read_inactive)

    def _seen(self, group: Group) -> GroupResult:
        compiled = self._base if not group and self._base is not None else self._compiled(group)
        made, report, way = compiled.made, compiled.report, self._way
        if made is not None:
            with contextlib.suppress(RulesError):
                for found in self._lints(made, group):
                    report.add(found)
            if way.as_printed and not group and AS_PRINTED in made.rule_set.manifest.presets:
                for found in self._seen(frozenset((AS_PRINTED,))).found:
                    report.add(found)
        return GroupResult(tuple(report), compiled.beside)

    def _lints(self, compiled: Compiled, group: Group) -> Iterable[Diagnostic]:
        way, meant = self._way, group == self._meant
        if not meant and not way.as_printed:
            if group in self.claims:
                yield from lint_claims(compiled)
            yield from lint_options(compiled)
            return
        yield from lint(compiled, as_printed=way.as_printed)
        if meant and not way.as_printed:
            yield from of_sheets(compiled)
        if meant and way.play:
            from rulekit.analysis.explore.findings import findings_of_play

            yield from findings_of_play(compiled, way.play, way.seed)


class KnownGroups:
    """What is kept of a set's groups, with all that decides it besides the files of each.

    Args:
        key: Names the set and this rulekit.
        files: The files as they are.
    """

    def __init__(self, key: str, folder: Path, files: Files, way: CheckMode, workspace: Workspace) -> None:
        manifest = read_manifest(folder, Report())
        found = variants_in_options(manifest) if manifest is not None else {}
        self._names = cache.key_of(*sorted(found))
        places = cache.key_of(*(repr(each) for each in sorted(found.items(), key=lambda each: each[0])))
        self._base = (self._names, places, f"play {way.play} {way.seed}")

        def beside() -> str:
            words = words_of_options(manifest, workspace.parse) if manifest is not None else ()
            return cache.key_of(*("\0".join(sorted(each)) for each in words))

        self._kept = GroupCache(key, files, beside)

    def _more(self, group: Group, *, claims: bool) -> tuple[str, ...]:
        # What groups need is in them; an exception of the base may need what is not there, and shows where.
        return (self._names, *(["claims"] if claims else [])) if group else self._base

    def get(self, group: Group, *, claims: bool) -> tuple[Diagnostic, ...] | None:
        """What was found of a group, with its claims or without; None if that is not known."""
        return self._kept.get(group, *self._more(group, claims=claims))

    def put(self, group: Group, found: tuple[Diagnostic, ...], *, beside: bool, claims: bool) -> None:
        """Keep what was found; `beside`: it was looked at what the options left out have."""
        self._kept.put(group, found, *self._more(group, claims=claims), beside=beside)

    def save(self) -> None:
        """Write what is new."""
        self._kept.save()
