"""Expressions made cheaper without changing what they mean: folding, inlining, tables, masks.

Bottom up, once.  Nothing that may fault is dropped, doubled or moved before something else that may.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rulekit.ir import Apply, Const, Expr, Filter, Fold, If, Linked, Local, Op, Static, walk
from rulekit.ir.semantics.operations import PURE
from rulekit.ir.types import GAP, Flag, Ratio
from rulekit.runtime.optimise import relation_images, set_tests, sets, tabulate
from rulekit.runtime.support.build import INLINED

if TYPE_CHECKING:
    from rulekit.runtime.optimise.plan import Plan

MOST_CONSTANT = 1 << 64
FLAG = Flag()
CHAINS = frozenset(("add", "mul", "union", "inter", "joined", "smaller", "larger"))
"""Operations of two that may be written with more; taken from the left."""


def simplified(plan: Plan, e: Expr) -> Expr:
    """The expression, cheaper."""
    return step(plan, walk.rebuild(e, tuple(simplified(plan, part) for part in walk.children(e))))


def step(plan: Plan, e: Expr) -> Expr:
    """An expression whose operands are simplified already."""
    match e:
        case Op():
            return _operation(plan, e)
        case If():
            return _if(plan, e)
        case Static():
            return _static(plan, e)
        case Apply():
            return _apply(plan, e)
        case Linked():
            return relation_images.linked(plan, e)
        case Filter():
            return set_tests.filtered(plan, e)
        case Fold():
            return set_tests.folded(plan, e)
        case _:
            return e


def _operation(plan: Plan, e: Op) -> Expr:
    if e.op in CHAINS and len(e.operands) > 2:
        first, *rest = e.operands
        for part in rest:
            first = _operation(plan, replace(e, operands=(first, part)))
        return first
    if e.op in ("and", "or"):
        return _junction(plan, e)
    if e.op == "not":
        return negated(e.operands[0])
    if e.op in PURE and all(isinstance(part, Const) for part in e.operands):
        values = [part.value for part in e.operands if isinstance(part, Const)]
        if isinstance(e.type, Ratio) or any(abs(v) > MOST_CONSTANT for v in values if isinstance(v, int)):
            return e
        return Const(PURE[e.op](*values), e.type)
    return _of_sets(plan, e)


def _of_sets(plan: Plan, e: Op) -> Expr:
    """Meetings gathered, and tests of sets that types or constants settle."""
    match e:
        case Op(op="inter" | "diff"):
            return sets.met(plan, e)
        case Op(op="has", operands=(member, Const(value=int(group)))) if not plan.facts.fallible(member):
            found = sets.known(plan, member, group)
            return e if found is None else Const(found, FLAG)
        case Op(op="within", operands=(left, Const(value=int(group)))) if not plan.facts.fallible(left):
            held = sets.top(plan, left)
            return e if held is None or held & ~group else Const(True, FLAG)
        case _:
            return e


def _junction(plan: Plan, e: Op) -> Expr:
    """`and` and `or`, flattened, without the constants that do not decide."""
    deciding = e.op == "or"
    parts: list[Expr] = []
    for part in e.operands:
        inside = part.operands if isinstance(part, Op) and part.op == e.op else (part,)
        for one in inside:
            if not isinstance(one, Const):
                parts.append(one)
            elif bool(one.value) == deciding:
                parts.append(Const(deciding, FLAG))
                return parts[0] if len(parts) == 1 else replace(e, operands=tuple(parts))
    if not parts:
        return Const(not deciding, FLAG)
    if len(parts) > 1:
        parts = sets.met_once(plan, parts, deciding)
    return parts[0] if len(parts) == 1 else replace(e, operands=tuple(parts))


def negated(e: Expr) -> Expr:
    """`not e`, without a double negation."""
    match e:
        case Const():
            return Const(not e.value, FLAG)
        case Op(op="not"):
            return e.operands[0]
        case Op(op="eq"):
            return replace(e, op="ne")
        case Op(op="ne"):
            return replace(e, op="eq")
        case _:
            return Op("not", (e,), FLAG)


def _if(plan: Plan, e: If) -> Expr:
    if isinstance(e.condition, Const):
        return e.then if e.condition.value else e.otherwise
    if isinstance(e.type, Flag) and isinstance(e.then, Const) and isinstance(e.otherwise, Const):
        if bool(e.then.value) != bool(e.otherwise.value):
            return e.condition if e.then.value else negated(e.condition)
    if isinstance(e.type, Flag) and e.then == Const(True, FLAG):
        return _alternatives(plan, e)
    return e


def _alternatives(plan: Plan, e: If) -> Expr:
    """`true` when one thing, otherwise another: as one junction, if two of its tests become one."""
    tests = [e.condition]
    rest: Expr = e.otherwise
    while isinstance(rest, If) and rest.then == Const(True, FLAG):
        tests.append(rest.condition)
        rest = rest.otherwise
    tests += rest.operands if isinstance(rest, Op) and rest.op == "or" else [rest]
    found = sets.met_once(plan, tests, True)
    return e if len(found) == len(tests) else _junction(plan, Op("or", tuple(found), FLAG))


def _static(plan: Plan, e: Static) -> Expr:
    """A look-up whose keys are all known, and whose row exists."""
    if e.table in plan.images:
        return e
    table = plan.facts.tables[e.table]
    place = 0
    for key, domain in zip(e.keys, table.keys, strict=True):
        if not isinstance(key, Const) or not isinstance(key.value, int):
            return e
        low, size = (0, plan.layout.sizes[domain]) if isinstance(domain, str) else (
            domain[0], domain[1] - domain[0] + 1
        )  # fmt: skip
        if not low <= key.value < low + size:
            return e
        place = place * size + key.value - low
    value = table.values[place]
    return e if value == GAP else Const(value, e.type)


def _apply(plan: Plan, e: Apply) -> Expr:
    """A call as a table, as the function's body, or as it is."""
    function = plan.function(e.function)
    if not function.params and isinstance(function.body, Const):
        return function.body
    table = f"function {e.function}"
    params = [(param.name, param.type) for param in function.params]
    small = walk.size(function.body) <= INLINED
    if len(params) <= 2 and not _trivial(function.body):
        if tabulate.function_table(plan, table, params, function.body) and _fits(plan, table, e):
            return step(plan, Static(table, e.arguments, e.type))
    if small and _substitutable(plan, e, function.body):
        values = {name: part for (name, _), part in zip(params, e.arguments, strict=True)}
        body = walk.substitute(walk.renamed(function.body, plan.fresh), values)
        return simplified(plan, body) if any(isinstance(part, Const) for part in e.arguments) else body
    return e


def _fits(plan: Plan, table: str, e: Apply) -> bool:
    keys = plan.facts.tables[table].keys
    return all(plan.facts.fits(part, key) for part, key in zip(e.arguments, keys, strict=True)) and all(
        tabulate.domain(part.type) is not None for part in e.arguments
    )


def _trivial(body: Expr) -> bool:
    """Whether a body is cheaper as it stands than as a table of its own."""
    return isinstance(body, Const | Local | Static) or walk.size(body) <= 2


def _substitutable(plan: Plan, e: Apply, body: Expr) -> bool:
    """Whether putting the arguments in place of the parameters neither repeats nor drops work.

    An argument that is more than a name must be read exactly once, at the level of the body itself, and
    must not fault: it may come to stand in a branch.  Where the body knows more of a parameter by its own
    tests, only a name can take its place: no more can be known of anything else.
    """
    function = plan.facts.functions[e.function]
    for param, argument in zip(function.params, e.arguments, strict=True):
        if isinstance(argument, Const | Local):
            continue
        if plan.facts.fallible(argument) or _in_loop(body, param.name):
            return False
        read = [node for node in walk.nodes(body) if isinstance(node, Local) and node.name == param.name]
        if len(read) > 1 or any(node.declared is not None for node in read):
            return False
    return True


def _in_loop(e: Expr, name: str) -> bool:
    return any(name in walk.free(body) for node in walk.nodes(e) if (body := walk.inner(node)) is not None)
