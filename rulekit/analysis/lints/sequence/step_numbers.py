"""The printed numbers of steps: one on two steps, or numbers that run backwards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes

WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Compares the steps of one block: elsewhere a rule may well occur again.

    A step that cites several rules is the same as another only if it cites the same ones.
    """
    compiled = rules.compiled
    for module in compiled.modules:
        for item in module.items:
            if isinstance(item, i.Procedure) and in_scope(compiled, item.span):
                for node in (item, *nodes(item.body, expressions=False)):
                    if isinstance(node, i.Procedure | s.Step | s.Repeat | s.ForEach):
                        yield from _outline([stmt for stmt in node.body if isinstance(stmt, s.Step)])


def _outline(steps: list[s.Step]) -> Iterator[Diagnostic]:
    numbers: dict[frozenset[str], s.Step] = {}
    cited = [(step, step.cite.ids) for step in steps if step.cite is not None]
    for step, ids in cited:
        first = numbers.setdefault(frozenset(ids), step)
        if first is not step:
            yield _twice(first, step, ids)
    for (before, earlier), (after, later) in pairwise(cited):
        compared = [(a, b) for a in earlier for b in later if a != b and _parent(a) == _parent(b)]
        if compared and all(b[-1] < a[-1] for a, b in compared):
            a, b = compared[0]
            label = Label(before.name.span, f"this is {a}")
            message = (
                f"the {after.word} `{after.name.text}` comes after `{before.name.text}`, but {b} before {a}"
            )
            hint = "put the steps in the printed order, or accept this finding if the booklet prints them so"
            key = (f"{after.word} {after.name.text}", before.name.text)
            yield Diagnostic(kinds.STEPS_BACKWARDS, message, after.name.span, (label,), hint, key=key)


def _parent(number: str) -> str:
    """What stands before the last digit: `7.42` is in `7.4`, `3` in nothing; of `19` it cannot be said."""
    ends, tail = number[-1:].isdigit(), number.rpartition(".")[2]
    if ends and (not number[-2:-1].isdigit() or ("." in number and tail.isdigit())):
        return number[:-1]
    return f"{number} itself"


def _twice(first: s.Step, step: s.Step, ids: tuple[str, ...]) -> Diagnostic:
    label = Label(first.name.span, "the other one")
    message = f"the steps `{first.name.text}` and `{step.name.text}` have the same number, {', '.join(ids)}"
    hint = "correct the number of one, or make them parts of one step as in print"
    key = (f"{step.word} {step.name.text}", first.name.text)
    return Diagnostic(kinds.STEP_NUMBER_TWICE, message, step.name.span, (label,), hint, key=key)
