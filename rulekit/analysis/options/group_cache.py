"""The findings of groups of options, kept from one check to the next by the files that they are from.

Only what the compile of a group of options can read decides its findings: the files that always take part,
the owner's, the files of its options; and, of the options left out, their names, and, where something names
a modifier or norm that is not here, all that they declare.  So an edit of one option leaves the findings of
every group without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from rulekit.analysis.check_inputs import CheckMode, Files
from rulekit.analysis.options.base_claims import Retrial
from rulekit.base import cache
from rulekit.base.codec import Codec
from rulekit.base.frozen import frozen
from rulekit.base.results import ResultStore, ResultTable
from rulekit.compiler.incremental import Workspace
from rulekit.compiler.manifest_check import words_of_options
from rulekit.compiler.options.combinations import Group, variants_in_options
from rulekit.diagnostics import Diagnostic, Report
from rulekit.ruleset import read_manifest

MOST: Final = 2_000
"""Groups kept for one rule set: those that were asked for last."""


@frozen
class GroupScope:
    """The questions about a group that are not always asked.

    Attributes:
        claims: Whether its claims are judged.
        conditions: The options whose conditions are judged, sorted; None for all.
        retrial: Claims of the base that are tried again.
        compared: Whether the rules are compared with those without options.
    """

    claims: bool = False
    conditions: tuple[str, ...] | None = None
    retrial: Retrial | None = None
    compared: bool = False


GroupFindings = tuple[tuple[Diagnostic, ...], str]
"""The findings of a group, and a digest of what options outside it declare, if the compile has read that."""


class GroupCache:
    """The findings of groups of options of one rule set.

    Args:
        key: Names the set, and all else that gives the same files other findings (this rulekit's code).
        files: As they are now.
    """

    def __init__(self, key: str, folder: Path, files: Files, mode: CheckMode, workspace: Workspace) -> None:
        self._files, self._workspace = files, workspace
        self._table: ResultTable[GroupFindings] = ResultTable(_GROUPS, key, MOST)
        self._manifest = read_manifest(folder, Report())
        variants = variants_in_options(self._manifest) if self._manifest is not None else {}
        self._names = cache.key_of(*sorted(variants))
        places = cache.key_of(*(repr(item) for item in sorted(variants.items(), key=lambda item: item[0])))
        self._of_base = (self._names, places, f"play {mode.play} {mode.seed}", *mode.lint_names())

    def get(self, group: Group, scope: GroupScope) -> tuple[Diagnostic, ...] | None:
        """Return the findings of a group, in the order in which they were made; None if nothing is known."""
        name = self._name(group, scope)
        known = self._table.get(name) if name is not None else None
        if known is None or (known[1] and known[1] != self._outside):
            return None
        return known[0]

    def put(
        self, group: Group, scope: GroupScope, findings: Sequence[Diagnostic], *, read_inactive: bool
    ) -> None:
        """Keep the findings of a group, unless one shows a file that does not take part.

        Args:
            read_inactive: Whether the compile has read what options left out declare.
        """
        name = self._name(group, scope)
        others = {f"options/{option}.rules" for option in self._files.options.keys() - group}
        if name is not None and not any(others & set(_files_of(finding)) for finding in findings):
            self._table.put(name, (tuple(findings), self._outside if read_inactive else ""))

    def save(self) -> None:
        """Write what is known now, if anything is new."""
        self._table.save()

    def _name(self, group: Group, scope: GroupScope) -> str | None:
        files = self._files.of(group)
        # What groups need is in them; an exception of the base may need what is not there, and shows where.
        more = (self._names, repr(scope)) if group else self._of_base
        return None if files is None else cache.key_of(files, *more)

    @cached_property
    def _outside(self) -> str:
        """A digest of what options declare that others can name without needing them."""
        words = words_of_options(self._manifest, self._workspace.parse) if self._manifest is not None else ()
        return cache.key_of(*("\0".join(sorted(names)) for names in words))


def _files_of(finding: Diagnostic) -> Iterator[str]:
    """The files that a finding shows."""
    yield finding.span.file
    yield from (label.span.file for label in finding.labels)
    yield from (edit.span.file for edit in (finding.fix.edits if finding.fix else ()))


_Table = tuple[tuple[Diagnostic, ...], Mapping[str, tuple[tuple[int, ...], str]]]
_CODEC: Final[Codec[_Table]] = Codec(_Table)


def _encode(groups: Mapping[str, GroupFindings]) -> Any:
    """Groups as plain JSON; a finding of several is written once."""
    numbers: dict[Diagnostic, int] = {}
    listed = {
        name: (tuple(numbers.setdefault(finding, len(numbers)) for finding in findings), outside)
        for name, (findings, outside) in groups.items()
    }
    return _CODEC.encode((tuple(numbers), listed))


def _decode(plain: Any) -> Mapping[str, GroupFindings]:
    findings, groups = _CODEC.decode(plain)
    return {
        name: (tuple(findings[number] for number in numbers), outside)
        for name, (numbers, outside) in groups.items()
    }


_GROUPS: Final = ResultStore("groups", _encode, _decode)
