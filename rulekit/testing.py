"""Rule sets given as text: for authors who test a few rules on their own, and for tests of the language.

made = compile_text("enum Side: Red, Blue\\nstate lead: Side or none\\n")
assert not made.findings and made.program is not None

assert [] == mismatches("state lead: Sid   #! RK203")
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from rulekit import ir
from rulekit.analysis.acceptance import apply_acceptances
from rulekit.analysis.compile import compile_without_clashes
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import run_lints
from rulekit.base.frozen import frozen
from rulekit.base.language import LANGUAGE
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Report, RulesError, Severity
from rulekit.diagnostics.refine import name_findings

RULES = "rules.rules"
"""The file name of the text; its findings have this file in their span."""

MANIFEST = "ruleset.yaml"

_MARKS = re.compile(r'#!((?:\s*RK\d{3}(?:\s*"[^"]*")?,?)+)')
_MARK = re.compile(r'(RK\d{3})(?:\s*"([^"]*)")?')


@frozen
class Made:
    """The result of compiling a text: all findings, lints included, and the stages if no error stopped them.

    Findings are in the order of their places.  The folder that `compiled` names is gone again.
    """

    findings: tuple[Diagnostic, ...]
    compiled: Compiled | None

    @property
    def program(self) -> ir.Program | None:
        """The program, if the text has one."""
        return self.compiled.program if self.compiled else None


def compile_text(text: str, files: Mapping[str, str] | None = None, *, options: Iterable[str] = ()) -> Made:
    """Compile a rule set that is given as text, in a folder made for it and removed again.

    Args:
        text: Its rules; they stand in the file `rules.rules`.
        files: Other files by their path in the folder, such as `data/ships.yaml` or `options/night.rules`.
            Without a `ruleset.yaml` among them the set gets one that lists the options there are.
        options: Options to lay over the base.
    """
    rest, chosen = dict(files or {}), tuple(options)
    rest.setdefault(MANIFEST, manifest(rest))
    report = Report()
    with tempfile.TemporaryDirectory(prefix="rulekit-") as name:
        folder = Path(name)
        for path, content in {RULES: text, **rest}.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
        compiled = _compile_folder(folder, report, chosen)
        findings = name_findings(report, {RULES: text, **rest}.__getitem__)
        checked = apply_acceptances(folder, findings, whole=not chosen, ways=chosen)
    return Made(checked.diagnostics, compiled)


def _compile_folder(folder: Path, report: Report, options: Iterable[str]) -> Compiled | None:
    """The stages of a compile, with what lints find of them in the report; None if an error stopped it."""
    try:
        compiled = compile_without_clashes(folder, report, options=options)
    except RulesError:
        return None
    for finding in run_lints(Inspection(compiled)):
        report.add(finding)
    return compiled


def manifest(paths: Iterable[str]) -> str:
    """A manifest for a rule set with these files."""
    names = sorted(PurePosixPath(path).stem for path in paths if path.startswith("options/"))
    listed = f"options: [{', '.join(names)}]\n" if names else ""
    return f'id: text\ntitle: Text\nlanguage: "{LANGUAGE}"\n{listed}'


def mismatches(
    text: str, files: Mapping[str, str] | None = None, *, options: Iterable[str] = ()
) -> list[str]:
    """Return the differences between findings and marks; empty if there are none.

    A mark, `#! RK203 "part of the message"` at the end of a line of any of the files, expects that finding
    with its span beginning on that line; several may follow one another.  A finding without its mark is a
    mismatch like a mark without its finding; only notes need none.
    """
    findings = compile_text(text, files, options=options).findings
    return list(differences({RULES: text, **(files or {})}, findings))


def differences(files: Mapping[str, str], findings: Iterable[Diagnostic]) -> Iterator[str]:
    """List marks without a finding, and findings without a mark."""
    wanted = Counter(mark for file, text in files.items() for mark in _marks(file, text))
    for finding in findings:
        met = [mark for mark in wanted if wanted[mark] and _meets(finding, mark)]
        if met:
            wanted[max(met, key=lambda mark: len(mark[3]))] -= 1
        elif finding.kind.severity is not Severity.NOTE:
            yield f"unexpected: {finding.span}: {finding.kind.code} {finding.message}"
    for (file, line, code, part), count in wanted.items():
        for _ in range(count):
            yield f"missing: {file}:{line}: {code} {part}".rstrip()


def _marks(file: str, text: str) -> Iterator[tuple[str, int, str, str]]:
    """File, line, code and part of the message of every mark in a text."""
    for number, line in enumerate(text.split("\n"), 1):
        for marks in _MARKS.finditer(line):
            for code, part in _MARK.findall(marks.group(1)):
                yield file, number, code, part


def _meets(finding: Diagnostic, mark: tuple[str, int, str, str]) -> bool:
    file, line, code, part = mark
    at = finding.span
    return (at.file, at.line, finding.kind.code) == (file, line, code) and part in finding.message
