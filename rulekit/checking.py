"""Checking a rule set: compile, lint, and remember the answer until something changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulekit import cache
from rulekit.diagnostics import Diagnostic, Kind, Label, Severity
from rulekit.source import Span

VERSION = "1"
"""Raise it when a check finds other things in the same files."""
_KIND = "check"
_READ = (".rules", ".yaml", ".yml", ".tsv")


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found, sorted by place; `clean` counts no notes."""

    diagnostics: tuple[Diagnostic, ...]
    from_cache: bool

    @property
    def clean(self) -> bool:
        return all(found.kind.severity is Severity.NOTE for found in self.diagnostics)


def check(folder: Path, *, options: Iterable[str] = (), overlays: Iterable[Path] = ()) -> Checked:
    """All findings of a rule set; an unchanged one is not looked at again.

    Args:
        options: Options and variants to lay over the base.
        overlays: The owner's data files.
    """
    chosen, owner = tuple(sorted(options)), tuple(overlays)
    key = _key(folder, chosen, owner)
    stored = cache.get(_KIND, key) if key is not None else None
    if stored is not None:
        known = _from_json(stored)
        if known is not None:
            return Checked(known, True)
    found = _check(folder, chosen, owner)
    if key is not None:
        cache.put(_KIND, key, _to_json(found))
    return Checked(found, False)


def _check(folder: Path, options: tuple[str, ...], overlays: tuple[Path, ...]) -> tuple[Diagnostic, ...]:
    from rulekit.diagnostics import (
        Report,
        RulesError,
    )  # the compiler is loaded only when the cache has no answer
    from rulekit.driver import compile_rule_set
    from rulekit.lints import lint

    report = Report()
    try:
        compiled = compile_rule_set(folder, report, options=options, overlays=overlays)
    except RulesError:
        return tuple(report)
    for found in lint(compiled):
        report.add(found)
    return tuple(report)


def located(diagnostics: Iterable[Diagnostic], folder: Path) -> tuple[Diagnostic, ...]:
    """Findings with their places as the user would type them, not as the rule set's folder has them."""

    def whole(span: Span) -> Span:
        if span.file == str(folder):
            return span
        place = folder / span.file
        if Path(span.file).is_absolute() and place.is_relative_to(here := Path.cwd()):  # the owner's own file
            place = place.relative_to(here)
        return replace(span, file=str(place))

    return tuple(
        replace(
            found,
            span=whole(found.span),
            labels=tuple(Label(whole(label.span), label.text) for label in found.labels),
        )
        for found in diagnostics
    )


# ---------------------------------------------------------------- the cache


def _key(folder: Path, options: tuple[str, ...], overlays: tuple[Path, ...]) -> str | None:
    """A digest of every file a check reads; None where one cannot be read."""
    from rulekit.resources import grammar_text

    digest = hashlib.sha256(f"{VERSION}|{','.join(options)}|{code_digest()}|".encode())
    digest.update(grammar_text().encode())
    try:
        paths = sorted(path for path in folder.rglob("*") if path.suffix in _READ and path.is_file())
        for path in [*paths, *overlays]:
            digest.update(f"{path}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    except OSError:
        return None
    return digest.hexdigest()


def code_digest() -> str:
    """What tells this rulekit's code from another's: the version, and in a checkout the files' times."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        said = version("rulekit")
    except PackageNotFoundError:
        said = "0"
    package = Path(__file__).parent
    times = max(path.stat().st_mtime_ns for path in package.rglob("*.py"))
    return f"{said}:{times}"


def _to_json(found: tuple[Diagnostic, ...]) -> bytes:
    def span(at: Span) -> list[Any]:
        return [at.file, at.line, at.column, at.end_line, at.end_column]

    return json.dumps(
        [
            [
                [d.kind.code, d.kind.name, d.kind.title, d.kind.severity.value, d.kind.since],
                d.message,
                span(d.span),
                [[span(label.span), label.text] for label in d.labels],
                d.hint,
                d.under,
            ]
            for d in found
        ]
    ).encode()


def _from_json(stored: bytes) -> tuple[Diagnostic, ...] | None:
    try:
        return tuple(
            Diagnostic(
                Kind(kind[0], kind[1], kind[2], Severity(kind[3]), kind[4]),
                message,
                Span(*at),
                tuple(Label(Span(*where), text) for where, text in labels),
                hint,
                under,
            )
            for kind, message, at, labels, hint, under in json.loads(stored)
        )
    except (ValueError, TypeError, IndexError, KeyError):
        return None
