"""The situation in which a claim does not hold, as the lines of examples of which one shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulekit.analysis.prove.situation import Situation
from rulekit.base.language import quoted
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import ClaimModel, RulingModel
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.claims import Stated


def lines(compiled: Compiled, claim: ClaimModel, seen: Situation | None) -> tuple[str, ...]:
    """What an example gives, and that the claim's condition is not so then; none where that cannot be said.

    Args:
        seen: Where it is not so; None if it is not so as the rules begin.
    """
    content = claim.decl.content if isinstance(claim.decl, i.Claim) else None
    if not isinstance(content, Stated):
        return ()
    given, arguments = (seen.departures, seen.arguments) if seen else ((), {})
    condition = f"({_written(compiled, content.condition.span, arguments)})"
    said = [condition if content.word == "never" else f"not {condition}"]
    if content.when is not None:
        said.insert(0, f"({_written(compiled, content.when.span, arguments)})")
    return (*(f"given {line}" for line in given), f"then {' and '.join(said)}")


def of_ruling(compiled: Compiled, ruling: RulingModel, seen: Situation) -> Iterator[tuple[str, ...]]:
    """That a choice takes what it is said to refuse, or a norm of it refuses what is said to be free."""
    choice = compiled.model.choices[ruling.choice]
    assert ruling.norm is not None
    arguments = ", ".join(seen.arguments[param.name] for param in choice.params)
    asked = f"{quoted(choice.name)}({arguments})" if choice.params else quoted(choice.name)
    answer = "none" if ruling.norm.declining else seen.arguments[choice.option.name]
    if choice.item is not None:
        answer = f"{seen.arguments[choice.item.name]} -> {answer}"
    head = (*(f"given {line}" for line in seen.departures), f"when choose {asked}")
    if ruling.word != "permit":
        done = ", done" if choice.verb == "pick_set" and not ruling.norm.declining else ""
        yield (*head, f"answers {quoted(choice.name)}: {answer}{done}", "then true")
        return
    prefix = f"{compiled.rule_set.manifest.prefix}."
    for norm in choice.norms:
        for rule in compiled.model.sites[norm.site].rules[:1]:
            cited = f"then refused by [{rule.removeprefix(prefix)}]"
            yield (*head, f"answers {quoted(choice.name)}: {answer}", cited)


def _written(compiled: Compiled, span: Span, arguments: Mapping[str, str]) -> str:
    """An expression in one line as it is written, with values in the place of parameters."""
    source = next(each for each in compiled.rule_set.sources if each.file == span.file)
    rows = source.text.replace("\r", "").split("\n")[span.line - 1 : span.end_line]
    rows[-1] = rows[-1][: span.end_column - 1]
    rows[0] = rows[0][span.column - 1 :]
    text = " ".join(row.split("#")[0].strip() for row in rows)
    if not arguments:
        return text
    shown = {name: f"({value})" if " " in value else value for name, value in arguments.items()}
    names = "|".join(map(re.escape, shown))
    return re.sub(rf"(?<![.\w'])(?:{names})(?![\w'])", lambda found: shown[found.group()], text)
