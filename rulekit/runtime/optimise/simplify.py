"""Expressions made cheaper without changing what they mean: folding, inlining, tables, masks.

Bottom up, once.  Nothing that may fault is dropped, doubled or moved before something else that may.
"""

from __future__ import annotations

from dataclasses import replace

from rulekit.ir import (
    Apply,
    At,
    Best,
    BestWay,
    Const,
    Expr,
    Filter,
    Flagged,
    Fold,
    Function,
    If,
    Linked,
    Local,
    Op,
    Read,
    Static,
    walk,
)
from rulekit.ir.conditions import conjuncts
from rulekit.ir.program import position_of
from rulekit.ir.semantics.facts import looked_at
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import OPERATIONS, meaning_of
from rulekit.ir.types import GAP, NONE, Flag, MapOf, Optional, Ratio
from rulekit.runtime.optimise import set_tests, sets, tabulate
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.support.build import INLINED

MOST_CONSTANT = 1 << 64
MOST_REPEATED = 3
"""Largest argument, in nodes, that a test for none may read more than once."""
FLAG = Flag()
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def simple(context: OptimiserContext, e: Expr) -> Expr:
    """The expression simplified, unless everything is to stay as written."""
    return e if context.plain else simplify(context, e)


def function(context: OptimiserContext, name: str) -> Function:
    """A function of the program with its body simplified."""
    if name not in context.functions:
        written = context.facts.functions[name]
        loops = name in context.prices.loops
        change = _inside if loops else simple
        body = change(context, written.body)
        context.functions[name] = replace(written, body=body)
        if loops and isinstance(body, Filter | Fold) and not (context.plain or sets.dear(body.over)):
            context.paid[name] = step(context, body)
    return context.functions[name]


def simplify(context: OptimiserContext, e: Expr) -> Expr:
    """The expression, cheaper."""
    return step(context, _inside(context, e))


def _inside(context: OptimiserContext, e: Expr) -> Expr:
    """The expression with its parts simplified, but itself the same: a loop that pays stays one."""
    return walk.rebuild(e, tuple(simple(context, part) for part in walk.children(e)))


def step(context: OptimiserContext, e: Expr) -> Expr:
    """An expression whose operands are simplified already."""
    match e:
        case Op():
            return _operation(context, e)
        case If():
            return _if(context, e)
        case Static():
            return _static(context, e)
        case Apply():
            return _apply(context, e)
        case Linked():
            return sets.simplify_linked(context, e)
        case Filter():
            return set_tests.simplify_filter(context, e)
        case Fold():
            return set_tests.simplify_fold(context, e)
        case Const() | Local() | Read() | Flagged() | At() | Best() | BestWay():
            return e


def _operation(context: OptimiserContext, e: Op) -> Expr:
    if e.op in ("and", "or"):
        return _junction(context, e)
    if OPERATIONS[e.op].chain and e.op != "list_of" and len(e.operands) > 2:
        first, *rest = e.operands
        for part in rest:
            first = _operation(context, replace(e, operands=(first, part)))
        return first
    if e.op == "not":
        return negate(e.operands[0])
    if all(isinstance(part, Const) for part in e.operands):
        return _fold_constants(context, e)
    if e.op in COMPARISONS and isinstance(e.operands[1], Const):
        return _comparison(context, e)
    if e.op == "is_none":
        return _is_none(context, e.operands[0])
    return _of_sets(context, e)


def _is_none(context: OptimiserContext, e: Expr, tested: frozenset[str] = frozenset()) -> Expr:
    """Whether a value is none, by the conditions on which that depends: the value itself is not worked out.

    `tested` are the locals that conditions before it have looked at.
    """
    match e:
        case If():
            inside = tested | looked_at(e.condition)
            then, otherwise = _is_none(context, e.then, inside), _is_none(context, e.otherwise, inside)
            return _if(context, If(e.condition, then, otherwise, FLAG))
        case Const(value=value):
            return Const(value == NONE, FLAG)
        case Apply() if e.function not in context.facts.paying:
            test = _is_none(context, function(context, e.function).body)
            if walk.size(test) <= INLINED and _substitutable(context, e, test, MOST_REPEATED, tested):
                return _in_place(context, e, test)
        case _ if not isinstance(e.type, Optional) and not context.facts.fallible(e, tested):
            return Const(False, FLAG)
    return Op("is_none", (e,), FLAG)


def _comparison(context: OptimiserContext, e: Op) -> Expr:
    """A comparison with a constant; of one of two values as the test which of them it is."""
    match e.operands:
        case (If(then=Const()) | If(otherwise=Const()) as either, known):
            then, otherwise = (
                _operation(context, replace(e, operands=(part, known)))
                for part in (either.then, either.otherwise)
            )
            return _if(context, If(either.condition, then, otherwise, FLAG))
    return e


def _fold_constants(context: OptimiserContext, e: Op) -> Expr:
    """An operation on constants; as it is where it faults, which play must see, or grows too large."""
    values = [part.value for part in e.operands if isinstance(part, Const)]
    if isinstance(e.type, Ratio | MapOf) or any(abs(v) > MOST_CONSTANT for v in values if isinstance(v, int)):
        return e
    try:
        return Const(meaning_of(e, context.layout.sizes)(*values), e.type)
    except Fault:
        return e


def _of_sets(context: OptimiserContext, e: Op) -> Expr:
    """Meetings gathered, and tests of sets that types or constants settle."""
    match e:
        case Op(op="inter" | "diff"):
            return sets.meet(context, e)
        case Op(op="has", operands=(member, Const(value=int(group)))) if not context.facts.fallible(member):
            known = sets.membership_of(context, member, group)
            return e if known is None else Const(known, FLAG)
        case Op(op="within", operands=(left, Const(value=int(group)))) if not context.facts.fallible(left):
            held = sets.top(context, left)
            return e if held is None or held & ~group else Const(True, FLAG)
    return e


def _junction(context: OptimiserContext, e: Op) -> Expr:
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
        parts = sets.met_once(context, parts, deciding)
    return parts[0] if len(parts) == 1 else replace(e, operands=tuple(parts))


def negate(e: Expr) -> Expr:
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
    return Op("not", (e,), FLAG)


def _if(context: OptimiserContext, e: If) -> Expr:
    if isinstance(e.condition, Const):
        return e.then if e.condition.value else e.otherwise
    then, otherwise = _where(context, e.then, e.condition), _where(context, e.otherwise, negate(e.condition))
    e = replace(e, then=then, otherwise=otherwise)
    if isinstance(e.type, Flag) and isinstance(e.then, Const) and isinstance(e.otherwise, Const):
        if bool(e.then.value) != bool(e.otherwise.value):
            return e.condition if e.then.value else negate(e.condition)
    if isinstance(e.type, Flag) and e.otherwise == Const(False, FLAG):
        return _junction(context, Op("and", (e.condition, e.then), FLAG))
    if isinstance(e.type, Flag) and e.then == Const(True, FLAG):
        return _alternatives(context, e)
    return e


def _where(context: OptimiserContext, e: Expr, condition: Expr) -> Expr:
    """An expression under a condition, without the tests which that has made."""
    tests = conjuncts(condition)

    def change(part: Expr) -> Expr:
        if part in tests:
            return Const(True, FLAG)
        parts = walk.children(part)
        changed = tuple(map(change, parts))
        return part if changed == parts else step(context, walk.rebuild(part, changed))

    return change(e)


def _alternatives(context: OptimiserContext, e: If) -> Expr:
    """`true` when one thing, otherwise another: as one junction, if two of its tests become one."""
    tests = [e.condition]
    rest: Expr = e.otherwise
    while isinstance(rest, If) and rest.then == Const(True, FLAG):
        tests.append(rest.condition)
        rest = rest.otherwise
    tests += rest.operands if isinstance(rest, Op) and rest.op == "or" else [rest]
    joined = sets.met_once(context, tests, True)
    return e if len(joined) == len(tests) else _junction(context, Op("or", tuple(joined), FLAG))


def _static(context: OptimiserContext, e: Static) -> Expr:
    """A look-up whose keys are all known, and whose row exists."""
    if e.table in context.images:
        return e
    table = context.facts.tables[e.table]
    keys = [key.value for key in e.keys if isinstance(key, Const) and isinstance(key.value, int)]
    if len(keys) < len(e.keys):
        return e
    position = position_of(table.keys, keys, context.layout.sizes)
    if position is None or table.values[position] == GAP:
        return e
    return Const(table.values[position], e.type)


def _apply(context: OptimiserContext, e: Apply) -> Expr:
    """A call as a table, as the function's body, or as it is."""
    if e.function in context.facts.paying:
        return e
    callee = function(context, e.function)
    if not callee.params and isinstance(callee.body, Const):
        return callee.body
    table = f"function {e.function}"
    params = [(param.name, param.type) for param in callee.params]
    small = walk.size(callee.body) <= INLINED
    if len(params) <= 2 and not _trivial(callee.body):
        if tabulate.function_table(context, table, params, callee.body):
            if tabulate.are_keys(context, e.arguments, context.facts.tables[table].keys):
                return step(context, Static(table, e.arguments, e.type))
    if small and tabulate.argument_sizes(context, e) is None and _substitutable(context, e, callee.body):
        return _in_place(context, e, callee.body)
    return e


def _in_place(context: OptimiserContext, e: Apply, body: Expr) -> Expr:
    """A body over the parameters of the called function, over the arguments instead."""
    params = context.facts.functions[e.function].params
    values = {param.name: part for param, part in zip(params, e.arguments, strict=True)}
    body = walk.substitute(walk.with_fresh_locals(body, context.fresh), values)
    return simplify(context, body) if any(isinstance(part, Const) for part in e.arguments) else body


def _trivial(body: Expr) -> bool:
    """Whether a body is cheaper as it stands than as a table of its own."""
    return isinstance(body, Const | Local | Static) or walk.size(body) <= 2


def _substitutable(
    context: OptimiserContext, e: Apply, body: Expr, small: int = 1, tested: frozenset[str] = frozenset()
) -> bool:
    """Whether putting the arguments in place of the parameters neither repeats nor drops work.

    An argument of more than `small` nodes must be read once at most, at the level of the body itself; one
    that is more than a name must not fault: it may end up in a branch.  Where the body knows more of a
    parameter by its own tests, only a name can take its place: no more can be known of anything else.
    """
    params = context.facts.functions[e.function].params
    for param, argument in zip(params, e.arguments, strict=True):
        if isinstance(argument, Const | Local):
            continue
        read = [node for node in walk.nodes(body) if isinstance(node, Local) and node.name == param.name]
        if context.facts.fallible(argument, tested) or any(node.declared is not None for node in read):
            return False
        if walk.size(argument) > small and (len(read) > 1 or _in_loop(body, param.name)):
            return False
    return True


def _in_loop(e: Expr, name: str) -> bool:
    return any(name in walk.free(body) for node in walk.nodes(e) if (body := walk.inner(node)) is not None)
