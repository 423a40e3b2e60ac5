"""Modifiers that do not do what they say: a sign given twice, more than ever counts, one bonus twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from rulekit import ir
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.analysis.verdicts import Proved
from rulekit.compiler.driver import Compiled
from rulekit.compiler.names import name_of
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.ir import types as t
from rulekit.ir.conditions import FLAG, negation
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes, same

BUDGET = 2_000
"""Readings to find out whether two modifiers act in the same situations."""


WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """With options chosen only what is theirs is told."""
    compiled = rules.compiled
    yield from _signs(compiled)
    for roll in compiled.names.rolls.values():
        for stack in roll.stacking:
            yield from _beyond(compiled, roll, stack)
    yield from _twice(rules)


# ---------------------------------------------------------------- a sign given twice


def _signs(compiled: Compiled) -> Iterator[Diagnostic]:
    numbers = {function.name: function.result for function in compiled.program.functions}
    for modifier in compiled.names.modifiers.values():
        value = modifier.value
        if value is None or not in_scope(compiled, modifier.span):
            continue
        kind = numbers.get(f"number:{modifier.name.text}")
        below = modifier.effect == "subtract" and isinstance(kind, t.Int) and kind.low > 0  # what it adds
        if below or modifier.effect in ("add", "subtract") and _minus(value):
            key = (f"modifier {modifier.name.text}",)
            yield _sign(modifier.effect, f"`{modifier.name.text}`", value, key)
    for item in (item for module in compiled.modules if _own(compiled, module) for item in module.items):
        if not isinstance(item, i.Example | i.Claim | i.Errata) and in_scope(compiled, item.span):
            yield from _changes(item)


def _own(compiled: Compiled, module: i.Module) -> bool:
    """Whether anything of a file is what this check is about."""
    return any(in_scope(compiled, item.span) for item in module.items[:1])


def _changes(item: i.Item) -> Iterator[Diagnostic]:
    for node in nodes(item):
        value = _amount_taken(node)
        if value is not None and _minus(value):
            yield _sign("subtract", "this", value, (f"change {name_of(item)}",))


def _amount_taken(node: object) -> x.Expr | None:
    """What a statement or an expression takes away."""
    if isinstance(node, s.Change):
        return node.value if node.op == "take" else None
    return node.right if isinstance(node, x.Binary) and node.op == "-" else None


def _minus(value: x.Expr) -> bool:
    """Whether a number is written with a sign of its own."""
    return isinstance(value, x.Integer) and value.value < 0


def _sign(effect: str, who: str, value: x.Expr, key: tuple[str, ...]) -> Diagnostic:
    if effect == "subtract":
        message = f"{who} subtracts a negative number, which adds"
    else:
        message = f"{who} adds a negative number, which subtracts"
    hint = "use one sign: `+` to add, `-` to subtract"
    return Diagnostic(kinds.SIGN_TWICE, message, value.span, hint=hint, key=key)


# ---------------------------------------------------------------- more than a class lets through


def _beyond(compiled: Compiled, roll: i.Roll, stack: i.Stacking) -> Iterator[Diagnostic]:
    """Modifiers of a class that would do the same with a number nearer to nothing."""
    numbers = {function.name: function.result for function in compiled.program.functions}
    members: dict[str, t.Int] = {}
    for lowered in compiled.program.modifiers:
        kind = numbers.get(lowered.number)
        where = ("roll", roll.name.text, stack.name.text)
        if (lowered.of, lowered.point, lowered.stack) == where and isinstance(kind, t.Int):
            members[lowered.name] = kind  # of what is added, whichever sign it is written with
    for above, bound in ((True, stack.most), (False, stack.least)):
        cap = _number(bound)
        if bound is None or cap is None:
            continue
        for name, of in members.items():
            others = [kind for other, kind in members.items() if other != name]
            if not _never_counts(of, others if stack.policy == "sum" else (), cap, above=above):
                continue
            modifier = compiled.names.modifiers[name]
            if in_scope(compiled, modifier.span) and not _later(bound, modifier):
                yield _cap_finding(modifier, stack, bound, cap, above=above)


def _later(bound: x.Expr, modifier: i.Modifier) -> bool:
    """Whether a bound is one that an option sets to what others bring: that is what it is for."""
    return bound.span.file.startswith("options/") and bound.span.file != modifier.span.file


def _never_counts(of: t.Int, others: Sequence[t.Int], cap: int, *, above: bool) -> bool:
    """Whether one less (above: of what is added) always comes to the same, whatever else acts."""
    if above:
        return of.low > 0 and of.low - 1 + sum(min(0, other.low) for other in others) >= cap
    return of.high < 0 and of.high + 1 + sum(max(0, other.high) for other in others) <= cap


def _number(e: x.Expr | None) -> int | None:
    return e.value if isinstance(e, x.Integer) else None


def _cap_finding(
    modifier: i.Modifier, stack: i.Stacking, bound: x.Expr, cap: int, *, above: bool
) -> Diagnostic:
    name, class_ = modifier.name.text, stack.name.text
    ends = "at most" if above else "at least"
    message = f"`{name}` always exceeds its stacking limit: `{class_}` allows {ends} {cap}"
    label = Label(bound.span, f"{ends} this")
    hint = "use the number that applies, or change the limit"
    key = (f"modifier {name}", class_)
    span = modifier.value.span if modifier.value is not None else modifier.span
    return Diagnostic(kinds.BEYOND_THE_CAP, message, span, (label,), hint, key=key)


# ---------------------------------------------------------------- one bonus twice


def _twice(rules: Inspection) -> Iterator[Diagnostic]:
    """Two modifiers that add the same number to the same in the same situations, and add up.

    Both stand in the base or in one option, each under numbers of its own, and no class says how they stack.
    """
    compiled = rules.compiled
    groups: dict[tuple[str, ...], list[i.Modifier]] = {}
    for modifier in sorted(compiled.names.modifiers.values(), key=lambda modifier: modifier.span):
        stacked = any(isinstance(clause, i.StacksClause) for clause in modifier.clauses)
        counts = (
            modifier.cite and _conditions(modifier) and modifier.effect in ("add", "subtract") and not stacked
        )
        if counts and in_scope(compiled, modifier.span):
            home = modifier.span.file if modifier.span.file.startswith("options/") else ""
            groups.setdefault((home, modifier.on, modifier.target.text, modifier.effect), []).append(modifier)
    for one, other in (pair for group in groups.values() for pair in combinations(group, 2)):
        assert one.cite and other.cite
        if set(one.cite.ids) == set(other.cite.ids) or not same(one.value, other.value):
            continue
        if same(_conditions(one), _conditions(other)) or _same_situations(rules, one, other):
            yield _both(one, other)


def _conditions(modifier: i.Modifier) -> tuple[i.Clause, ...]:
    return tuple(c for c in modifier.clauses if not isinstance(c, i.StacksClause | i.OverClause))


def _same_situations(rules: Inspection, one: i.Modifier, other: i.Modifier) -> bool:
    """Whether it is proved that one acts wherever the other does, and the reverse."""
    functions = rules.compiled.program.by_name.functions
    acts = [functions.get(f"acts:{modifier.name.text}") for modifier in (one, other)]
    if acts[0] is None or acts[1] is None:
        return False
    params = acts[0].params
    arguments = tuple(ir.Local(param.name, param.type) for param in params)
    idle = [
        ir.Op("ne", (ir.Apply(function.name, arguments, function.result), ir.Const(0, function.result)), FLAG)
        for function in acts
        if function is not None
    ]
    differ = ir.Op("ne", (idle[0], idle[1]), FLAG)
    if not isinstance(rules.prover.prove_never(params, differ, BUDGET, shown=False), Proved):
        return False
    acting = negation(idle[0])
    return not isinstance(rules.prover.prove_never(params, acting, BUDGET, shown=False), Proved)


def _both(one: i.Modifier, other: i.Modifier) -> Diagnostic:
    first, second = one.name.text, other.name.text
    message = f"`{second}` counts the same bonus as `{first}`, in the same situations"
    label = Label(one.span, "and so does this")
    hint = "remove one, or declare how they stack: `stack NAME: once` or `sum` in the roll"
    key = (f"{other.on} {other.target.text}", first, second)
    return Diagnostic(kinds.COUNTED_TWICE, message, other.span, (label,), hint, key=key)
