"""The findings of a check, less those that the manifest accepts with a reason."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.analysis.proofs import Proof
from rulekit.base.frozen import frozen
from rulekit.base.spelling import meant
from rulekit.diagnostics import Diagnostic, Severity, kinds
from rulekit.diagnostics.selecting import Selection, unknown

if TYPE_CHECKING:  # a check that is known must start quickly
    from rulekit.ruleset import Excuse, Listed, Manifest


@frozen
class Checked:
    """The findings of a check, sorted by place; `clean` counts no notes.

    `accepted`: those that the manifest accepts.  `wish`: what the manifest wishes to see.  `name`: the id of
    the rule set; its folder's name where there is no manifest.  `proofs`: the verdicts on all obligations, if
    somebody asks for them; None if the rule set has errors that leave nothing to prove.
    """

    diagnostics: tuple[Diagnostic, ...]
    from_cache: bool
    accepted: tuple[Diagnostic, ...] = ()
    wish: Selection = Selection()
    name: str = ""
    proofs: tuple[Proof, ...] | None = ()

    @property
    def clean(self) -> bool:
        return all(finding.kind.severity is Severity.NOTE for finding in self.diagnostics)


def apply_acceptances(
    folder: Path, findings: Iterable[Diagnostic], *, whole: bool, ways: Collection[str] = ()
) -> Checked:
    """Findings without those that the manifest accepts, and with those about its acceptances.

    Args:
        whole: Nothing was laid over the set as it stands: only then can an acceptance be stale.
        ways: The options chosen, and ways of checking; then one that names no others can be stale, too.
    """
    from rulekit.diagnostics import Report
    from rulekit.ruleset import read_manifest

    findings = tuple(findings)
    manifest = read_manifest(folder, Report())  # its own findings are among these
    if manifest is None:
        return Checked(findings, False, name=folder.resolve().name)
    excuses = {excuse.what: excuse for excuse in manifest.accept}
    fit = [finding for finding in findings if finding.kind.severity is not Severity.ERROR]
    accepted = {finding.id: finding for finding in fit if finding.id in excuses}
    left = [finding for finding in findings if finding.id not in accepted]
    idle = [excuse for excuse in manifest.accept if excuse.what not in accepted]
    stale = [excuse for excuse in idle if len(fit) == len(findings) and _looked_for(excuse, whole, ways)]
    about = [*_of_errors(idle, left), *_of_nothing(stale, left), *_of_codes(manifest)]
    return Checked(
        tuple(sorted([*left, *about], key=lambda one: (one.span, one.kind.code, one.message))),
        False,
        tuple([replace(one, accepted=excuses[one.id].reason) for one in fit if one.id in excuses]),
        _wish(manifest),
        manifest.id,
    )


def _looked_for(excuse: Excuse, whole: bool, ways: Collection[str]) -> bool:
    return set(excuse.under) <= set(ways) if excuse.under else whole


def _of_errors(idle: Iterable[Excuse], left: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    ids = {finding.id for finding in left}
    for excuse in idle:
        if excuse.what in ids:
            message = f"`{excuse.what}` is an error, which cannot be accepted"
            hint = "fix it: rules with errors cannot be played"
            yield Diagnostic(kinds.ACCEPTED_ERROR, message, excuse.span, hint=hint, key=(excuse.what,))


def _of_nothing(stale: Iterable[Excuse], left: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    for excuse in stale:
        message = f"accepted finding `{excuse.what}` does not occur"
        hint = _near(excuse.what, [finding.id for finding in left]) or "remove it from `accept`"
        yield Diagnostic(kinds.STALE_ACCEPTANCE, message, excuse.span, hint=hint, key=(excuse.what,))


def _near(name: str, ids: Sequence[str]) -> str | None:
    """A hint with the id most like a name: of its own kind, if there is one."""
    same = [id_ for id_ in ids if id_.partition(":")[0] == name.partition(":")[0]]
    return meant(name, same or ids)


def _of_codes(manifest: Manifest) -> Iterator[Diagnostic]:
    for code in _codes(manifest):
        hint = unknown(code.name)
        if hint is not None:
            message = f"unknown code or name of a finding `{code.name}`"
            yield Diagnostic(kinds.UNKNOWN_CODE, message, code.span, hint=hint, key=(code.name,))


def _codes(manifest: Manifest) -> Iterator[Listed]:
    yield from manifest.check.select
    yield from manifest.check.ignore
    yield from (code for code, _ in manifest.check.level)


def _wish(manifest: Manifest) -> Selection:
    wish = manifest.check
    return Selection(
        tuple(code.name for code in wish.select if unknown(code.name) is None),
        tuple(code.name for code in wish.ignore),
        tuple((code.name, Severity(level.name)) for code, level in wish.level),
    )
