"""Names that deceive readers: two that look alike, letters of several scripts, invisible characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.base.characters import UNSEEN, code_point, foreign_letter, skeleton
from rulekit.base.source import Source, Span
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Label, kinds

WHEN = Occasion(offered=True)

_TOKEN = re.compile(r"\"[^\"\n]*\"|\[[^\]\n]*\]|#[^\n]*|'(?:[^'\n]|'(?=\w))+'(?!\w)|[^\W\d]\w*")


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Yield findings for names in rules and data, each at the first place of the name.

    Only names beyond ASCII can deceive; a rule set without any costs no time.
    """
    compiled = rules.compiled
    odd = {name: span for name, span in _names(compiled, odd=True).items() if in_scope(compiled, span)}
    for name, span in odd.items():
        yield from _one_name(name, span)
    alike = {skeleton(name) for name in odd}
    names = _names(compiled, odd=False) if alike else {}
    first: dict[str, tuple[str, Span]] = {}
    for name, span in names.items():
        known, place = first.setdefault(skeleton(name), (name, span))
        if known != name and (name in odd or known in odd):
            yield _lookalikes(*((name, span, known, place) if name in odd else (known, place, name, span)))


def _one_name(name: str, span: Span) -> Iterator[Diagnostic]:
    if hidden := UNSEEN.search(name):
        message = f"the name `{name}` contains the invisible character {code_point(hidden[0])}"
        yield Diagnostic(kinds.INVISIBLE_CHARACTER, message, span, hint="remove it", key=("name", name))
    if foreign := foreign_letter(name):
        letter, script, main = foreign
        what = f"the {script} letter `{letter}` ({code_point(letter)}) among {main} ones"
        message = f"the name `{name}` contains {what}"
        hint = f"write the {main} letter that looks like it"
        yield Diagnostic(kinds.MIXED_SCRIPTS, message, span, hint=hint, key=("name", name))


def _lookalikes(name: str, span: Span, other: str, place: Span) -> Diagnostic:
    (one, two) = _difference(name, other)
    message = f"the names `{name}` and `{other}` look alike but differ: {one} here, {two} there"
    label = Label(place, "the other name")
    hint = "use one name for one thing, and names that look different for two"
    return Diagnostic(kinds.LOOKALIKE_NAMES, message, span, (label,), hint, key=("name", name, other))


def _difference(name: str, other: str) -> tuple[str, str]:
    """Return the code points of the first characters in which two names differ."""
    at = next(
        (n for n, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other))
    )
    one, two = (code_point(text[at]) if at < len(text) else "nothing" for text in (name, other))
    return one, two


# ---------------------------------------------------------------- names with their places


def _names(compiled: Compiled, *, odd: bool) -> Mapping[str, Span]:
    """Return the first place of each name in rules and data; with `odd` only of those beyond ASCII."""
    places: dict[str, Span] = {}
    for source in compiled.rule_set.sources:
        if not (odd and source.text.isascii()):
            for name, span in _names_in(source, odd):
                places.setdefault(name, span)
    for file in compiled.data.files.values():
        for population in file.populations.values() if file is not None else ():
            for row in population.rows:
                text = row.cells[0].value
                if isinstance(text, str) and not (odd and text.isascii()):
                    places.setdefault("_".join(text.split()), row.cells[0].span)
    return places


def _names_in(source: Source, odd: bool) -> Iterator[tuple[str, Span]]:
    for number, line in enumerate(source.text.split("\n"), 1):
        if odd and line.isascii():
            continue
        for token in _TOKEN.finditer(line):
            text = token[0]
            if text[0] not in '"[#' and not (odd and text.isascii()):
                span = Span(source.file, number, token.start() + 1, number, token.end() + 1)
                yield "_".join(text.strip("'").split()), span
