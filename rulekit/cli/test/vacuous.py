"""`rulekit test SET --vacuous`: examples that pass without a rule that they cite."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulekit.cli import shared, terminal

if TYPE_CHECKING:
    from rulekit.analysis.mutate import CitationFate, ExampleCitation
    from rulekit.compiler.driver import Compiled
    from rulekit.ir import Example, Site

FATES: tuple[CitationFate, ...] = ("asserted", "bounded", "vacuous", "unjudged")
MOST_LINES = 4
"""Lines of the rules that are named of those that an example passes without."""


def report_vacuous(
    compiled: Compiled, folder: Path, examples: Sequence[Example], output_format: str, minutes: int
) -> int:
    """Judge what examples cite, print the vacuous citations, and return the exit code."""
    from rulekit.analysis.mutate import BrokenExamples, VacuityJudge

    judge = VacuityJudge(compiled)
    citations: list[ExampleCitation] = []
    tried, end = 0, time.process_time() + 60 * minutes
    try:
        with shared.progress(examples, "examples") as bar:
            for example in bar:
                if time.process_time() > end:
                    break
                citations += judge.judge(example)
                tried += 1
    except BrokenExamples as broken:
        shared.say(f"the example `{broken}` fails; run `rulekit test` first")
        return shared.FINDINGS
    sites = {example.name: compiled.program.sites[example.site] for example in examples[:tried]}
    if output_format == "json":
        terminal.echo_json(_as_json(compiled, citations, sites))
    else:
        for line in _lines(compiled, folder, citations, sites):
            terminal.echo(line)
    if tried < len(examples):
        shared.say_untried(len(examples) - tried, "example", minutes)
    return shared.FINDINGS if any(citation.fate == "vacuous" for citation in citations) else 0


def _lines(
    compiled: Compiled, folder: Path, citations: Sequence[ExampleCitation], sites: Mapping[str, Site]
) -> Iterator[str]:
    prefix = f"{compiled.rule_set.manifest.prefix}."
    for name, site in sites.items():
        vacuous = [entry for entry in citations if entry.example == name and entry.fate == "vacuous"]
        if vacuous:
            yield f"{terminal.style(f'{folder / site.file}:{site.line}', 'head')}  {name}"
        for entry in vacuous:
            yield f"    {entry.rule.removeprefix(prefix)}  {_reason(entry)}"
    fates = Counter(entry.fate for entry in citations)
    vacuous_examples = {entry.example for entry in citations if entry.fate == "vacuous"}
    many = "1 example passes" if len(vacuous_examples) == 1 else f"{len(vacuous_examples)} examples pass"
    counts = ", ".join(f"{fates[fate]} {fate}" for fate in FATES)
    yield f"{many} without a rule that they cite; of {len(citations)} citations {counts}"


def _reason(citation: ExampleCitation) -> str:
    lines = citation.reached or citation.unreached
    named = ", ".join(f"{file}:{line}" for file, line in lines[:MOST_LINES])
    rest = f" and {len(lines) - MOST_LINES} more" if len(lines) > MOST_LINES else ""
    return f"{'passes without' if citation.reached else 'does not reach'} {named}{rest}"


def _as_json(
    compiled: Compiled, citations: Sequence[ExampleCitation], sites: Mapping[str, Site]
) -> dict[str, Any]:
    return {
        "format": 1,
        "set": compiled.program.name,
        "options": list(compiled.rule_set.options),
        "citations": [
            {
                "example": entry.example,
                "file": sites[entry.example].file,
                "line": sites[entry.example].line,
                "rule": entry.rule,
                "fate": entry.fate,
                "reached": [{"file": file, "line": line} for file, line in entry.reached],
                "unreached": [{"file": file, "line": line} for file, line in entry.unreached],
            }
            for entry in citations
        ],
    }
