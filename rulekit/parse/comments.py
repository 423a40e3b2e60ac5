"""Comments: where a line's comment begins, and citations that one swallows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.diagnostics import Diagnostic
from rulekit.parse.kinds import SWALLOWED
from rulekit.source import Source, Span

_TOKEN = re.compile(r"\"[^\"\n]*\"|'(?:[^'\n]|'(?=\w))+'(?!\w)|\[[^\]\n]*\]|[(){}]|(?P<comment>#.*)")
_CITATION = re.compile(r"\[(?=[^\]]*\w)[^\[\]]*\]$")
_GOES_ON = re.compile(r"\s*(?:(?:and|or)\b|[+*\-])")


def code_of(line: str) -> str:
    """A line without its comment and the space before it; a `#` in a text, name or citation begins none."""
    for token in _TOKEN.finditer(line):
        if token["comment"] is not None:
            return line[: token.start()].rstrip()
    return line.rstrip()


def swallowed(source: Source) -> Iterator[Diagnostic]:
    """A warning for each citation at the end of a comment, where the code before it could have had it.

    Lines that go on in the next one can have none, and a line with a citation of its own needs none.
    """
    lines = source.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    depth = 0
    for number, line in enumerate(lines, 1):
        code = code_of(line)
        depth += sum((token[0] in "({") - (token[0] in ")}") for token in _TOKEN.finditer(code))
        found = _CITATION.search(line.rstrip(), len(code))
        if found is None or depth > 0 or not code.strip() or code.endswith((",", "]")):
            continue
        if _GOES_ON.match(next((below for below in lines[number:] if code_of(below)), "")):
            continue
        span = Span(source.file, number, found.start() + 1, number, found.end() + 1)
        message = f"the citation `{found[0]}` stands in a comment, and cites nothing"
        yield Diagnostic(SWALLOWED, message, span, hint="put it before the `#`")
