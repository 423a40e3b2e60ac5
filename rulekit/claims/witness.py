"""The situation in which a claim does not hold, as the lines of an example."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulekit.driver import Compiled
from rulekit.model import ClaimModel
from rulekit.source import Span
from rulekit.syntax import items as i
from rulekit.syntax.claims import Stated


def lines(
    compiled: Compiled, claim: ClaimModel, given: Sequence[str], arguments: Mapping[str, str]
) -> tuple[str, ...]:
    """What an example gives, and that the claim's condition is not so then; none where that cannot be said.

    Args:
        given: What differs from how the rules begin, as `given` lines have it.
        arguments: The claim's parameters, as they would be written.
    """
    content = claim.decl.content if isinstance(claim.decl, i.Claim) else None
    if not isinstance(content, Stated) or content.word != "holds":
        return ()
    said = [f"not ({_written(compiled, content.condition.span, arguments)})"]
    if content.when is not None:
        said.insert(0, f"({_written(compiled, content.when.span, arguments)})")
    return (*(f"given {line}" for line in given), f"then {' and '.join(said)}")


def _written(compiled: Compiled, span: Span, arguments: Mapping[str, str]) -> str:
    """An expression in one line as it is written, with values in the place of parameters."""
    source = next(each for each in compiled.rule_set.sources if each.file == span.file)
    rows = source.text.replace("\r", "").split("\n")[span.line - 1 : span.end_line]
    rows[-1] = rows[-1][: span.end_column - 1]
    rows[0] = rows[0][span.column - 1 :]
    text = " ".join(row.split("#")[0].strip() for row in rows)
    for name, value in arguments.items():
        shown = f"({value})" if " " in value else value
        text = re.sub(rf"(?<![.\w']){re.escape(name)}(?![\w'])", shown.replace("\\", r"\\"), text)
    return text
