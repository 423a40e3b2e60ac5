"""Situations as examples of the language: only one that holds when it is run is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulekit.base.source import Source
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report, RulesError
from rulekit.ir.reachable import for_examples
from rulekit.ruleset.folder import RuleSet
from rulekit.runtime.play.examples import Examples
from rulekit.runtime.support.build import TooLarge

_FILE = "options/situation'.rules"
"""Where examples stand for a moment: with options chosen only those of their files are asked."""


MOST_OPTIONS = 8
"""Options that an example says it is for; one for more is for none that anybody plays."""


def example_text(title: str, lines: Iterable[str], options: Iterable[str] = ()) -> str:
    """An example with these lines, for these options; quotes and breaks have no place in its title."""
    plain = " ".join(title.replace('"', "'").split())
    lines = (*(f"given with {option.replace('-', '_')}" for option in options), *lines)
    return "\n".join([f'example "{plain}":', *(f"    {line}" for line in lines)]) + "\n"


def verified_example(rule_set: RuleSet, title: str, lines: Iterable[str]) -> str:
    """An example with these lines, if it is one of the rules as they are and holds; else nothing."""
    (text,) = verify_examples(rule_set, [(title, tuple(lines))])
    return text


def verify_examples(rule_set: RuleSet, wanted: Sequence[tuple[str, Sequence[str]]]) -> tuple[str, ...]:
    """Of each title with lines the example, if it holds; all are compiled together, if all can be."""
    if not any(lines for _, lines in wanted) or len(rule_set.options) > MOST_OPTIONS:
        return ("",) * len(wanted)
    texts = [example_text(title, lines, rule_set.options) for title, lines in wanted]
    numbered = [text.replace('"', f'"{n}: ', 1) for n, text in enumerate(texts)]  # titles differ
    try:
        compiled = compile_rule_set(
            rule_set.folder,
            Report(),
            options=rule_set.options,
            overlays=rule_set.overlays,
            added=(Source(_FILE, "".join(numbered)),),
        )
        own = [
            example
            for example in compiled.program.examples
            if compiled.program.sites[example.site].file == _FILE
        ]
        results = Examples(for_examples(replace(compiled.program, examples=tuple(own)))).all()
    except (RulesError, TooLarge):
        if len(wanted) == 1:
            return ("",)
        return tuple(text for one in wanted for text in verify_examples(rule_set, [one]))
    passed = {
        compiled.program.sites[example.site].line
        for example, result in zip(own, results, strict=True)
        if result.passed
    }
    first, shown = 1, []
    for text in texts:
        shown.append(text if first in passed else "")
        first += text.count("\n")
    return tuple(shown)
