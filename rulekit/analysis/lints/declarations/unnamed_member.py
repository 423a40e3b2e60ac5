"""Members of an enum that nothing names, so that nothing is ever one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints.lint import When
from rulekit.analysis.uses import elsewhere, in_scope
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset import read_text

_STEPPING = frozenset(("next_of", "previous_of"))
"""What reaches members without their names."""


WHEN = When(sequence=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """A note a member, of enums that are never walked or stepped through as a whole.

    The first member is what a state without a beginning is; those who play are named by their playing.
    """
    compiled, used = rules.compiled, rules.uses
    if used.read & _STEPPING:
        return
    sides = compiled.rule_set.manifest.sides
    doubtful = [
        (enum, member)
        for enum in compiled.declared.enums.values()
        if in_scope(compiled, enum.span) and enum.name.text in used.read - used.alone
        if sides is None or sides.name != enum.name.text
        for member in enum.members[1:]
        if member.name.text not in used.read
    ]
    if not doubtful:
        return
    others = elsewhere(
        compiled, [name for e, m in doubtful for name in (e.name.text, m.name.text, *_STEPPING)]
    )
    said = _data_words(compiled)
    for enum, member in doubtful:
        name = member.name.text
        walked = enum.name.text in others.alone or others.read & _STEPPING
        if walked or name in others.read or name in said:
            continue
        message = f"`{name}` is never used: no rule produces this `{enum.name.text}`"
        hint = "use it, or remove it"
        yield Diagnostic(
            kinds.UNNAMED_MEMBER, message, member.name.span, hint=hint, key=(f"enum {enum.name.text}", name)
        )


def _data_words(compiled: Compiled) -> str:
    """The text of all data files, written as names are."""
    folder = compiled.rule_set.folder
    texts = []
    for path in sorted(folder.rglob("*.y*ml")):
        source = read_text(folder, path.relative_to(folder).as_posix(), Report())
        if source is not None:
            texts.append(re.sub(r"\s+", "_", source.text))
    return "\n".join(texts)
