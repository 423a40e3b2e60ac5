"""Norms on the whole answer of which nothing is known before the answer is finished."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import comb

from rulekit import ir
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ir import walk
from rulekit.ir.program import COUNTED
from rulekit.ir.semantics.work import Work
from rulekit.runtime.support.build import SEARCH_NODES

WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each norm without bounds, where there may be more answers than a search tries."""
    compiled = rules.compiled
    program = compiled.program
    for choice in filter(rules.is_own_choice, program.choices):
        for norm in choice.norms:
            if _is_judged(choice, norm) and _is_unbounded(program, choice, norm):
                if _answers(Work(program), choice) > SEARCH_NODES:
                    yield _finding(program, choice, norm)


def _finding(program: ir.Program, choice: ir.Choice, norm: ir.Norm) -> Diagnostic:
    message = (
        f"`{norm.name}` can judge only finished answers to `{choice.name}`: "
        "with many candidates, the search for legal answers gives up"
    )
    hint = (
        "state a limit that each further pick brings nearer, such as `count of chosen <= 3`, "
        "or ask for less at once"
    )
    key = (f"choice {choice.name}", norm.name)
    return Diagnostic(kinds.UNBOUNDED_NORM, message, program.sites[norm.site].span, hint=hint, key=key)


def _is_judged(choice: ir.Choice, norm: ir.Norm) -> bool:
    """Whether a norm is about finished answers, in a way that only a search can answer."""
    if choice.verb not in COUNTED or norm.word == "permit" or norm.declining:
        return False
    return norm.whole is not None or bool(walk.free(norm.test) & choice.answer_locals)


def _is_unbounded(program: ir.Program, choice: ir.Choice, norm: ir.Norm) -> bool:
    """Whether no partial answer is ever known to break a norm for good."""
    from rulekit.runtime.optimise.bounds import partial_answer  # which few sets need
    from rulekit.runtime.optimise.norms import breach

    numbers = count()
    partial = partial_answer(choice, program.by_name.functions, lambda name: f"{name}'{next(numbers)}")
    surely, _ = partial.flag(breach(choice, norm))
    return _is_always(surely, holds=False)


def _is_always(test: ir.Expr, *, holds: bool) -> bool:
    """Whether the form of a condition alone shows that it always holds, or never does."""
    match test:
        case ir.Const(value=value):
            return bool(value) == holds
        case ir.Op(op="not", operands=(inner,)):
            return _is_always(inner, holds=not holds)
        case ir.Op(op="and" | "or" as op, operands=parts):
            decides = all if (op == "and") == holds else any
            return decides(_is_always(part, holds=holds) for part in parts)
        case ir.Fold(kind="any" | "no" as kind, body=body):
            return holds == (kind == "no") and _is_always(body, holds=False)
    return False


def _answers(work: Work, choice: ir.Choice) -> int:
    """The most finished answers that a choice may have, norms aside."""
    assert choice.candidates is not None
    options = work.most_in_choice(choice, choice.candidates)
    most = options
    if isinstance(choice.high, ir.Const) and isinstance(choice.high.value, int):
        most = min(options, choice.high.value)
    sets = sum(comb(options, size) for size in range(most + 1))
    of_one = options + 1 if choice.verb == "assign" else sets
    return of_one if choice.items is None else of_one ** work.most_in_choice(choice, choice.items)
