"""What a rule set says of its own check: findings it accepts with a reason, and kinds it leaves out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from rulekit.base.frozen import frozen
from rulekit.base.spelling import meant
from rulekit.diagnostics import Diagnostic, Severity, kinds
from rulekit.diagnostics.selecting import Selection, unknown
from rulekit.ruleset import Excuse, Listed, Manifest


@frozen
class AppliedManifest:
    """Findings as the rule set's own manifest judges them.

    `left`: those that stay, with those about the manifest's own words.  `accepted`: the others.
    `wish`: what the manifest wishes to be told.
    """

    left: tuple[Diagnostic, ...]
    accepted: tuple[Diagnostic, ...] = ()
    wish: Selection = Selection()


def apply_manifest(
    findings: Iterable[Diagnostic], manifest: Manifest, *, whole: bool, ways: Collection[str] = ()
) -> AppliedManifest:
    """Findings without those that are accepted, and with those about acceptances.

    Args:
        whole: Whether the set was looked at as it stands: only then can an acceptance be stale.
        ways: The options chosen, and ways of checking; then one that names no others can be stale, too.
    """
    excuses = {excuse.what: excuse for excuse in manifest.accept}
    findings = tuple(findings)
    accepted = [
        finding
        for finding in findings
        if finding.id in excuses and finding.kind.severity is not Severity.ERROR
    ]
    gone = {finding.id for finding in accepted}
    left = [finding for finding in findings if finding.id not in gone]
    idle = [excuse for excuse in manifest.accept if excuse.what not in gone]
    stopped = any(finding.kind.severity is Severity.ERROR for finding in findings)
    stale = [excuse for excuse in idle if not stopped and _looked_for(excuse, whole, ways)]
    about = [*_of_errors(idle, left), *_of_nothing(stale, left), *_of_codes(manifest)]
    return AppliedManifest(
        tuple(
            sorted([*left, *about], key=lambda finding: (finding.span, finding.kind.code, finding.message))
        ),
        tuple([replace(finding, accepted=excuses[finding.id].reason) for finding in accepted]),
        _wish(manifest),
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
