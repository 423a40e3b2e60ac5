"""Pure expressions as Python: one IR expression, one Python expression.

A writer knows the Python names of the locals in sight.  Loops become functions of their own (see
`loops`), so that everything here is text that can stand in any place where a value may.  Flags come out
in two forms: `truth` for a test, where any true value will do, and `value`, which is 0 or 1.
"""

from __future__ import annotations

from fractions import Fraction

from rulekit.ir import (
    Apply,
    At,
    Best,
    Const,
    Expr,
    Filter,
    Flagged,
    Fold,
    If,
    Linked,
    Local,
    Op,
    Read,
    Static,
)
from rulekit.ir.types import NONE, Flag, Int, Member, Month, Optional, Ratio
from rulekit.runtime.codegen.expressions import addresses, functions, loops, membership
from rulekit.runtime.codegen.expressions.precedence import (
    ADD,
    AND,
    ATOM,
    BIT_AND,
    BIT_OR,
    COMPARE,
    MULTIPLY,
    NOT,
    OR,
    SHIFT,
    TERNARY,
    UNARY,
    Py,
    call,
    infix,
    less,
)
from rulekit.runtime.codegen.expressions.writer import Writer
from rulekit.runtime.optimise import relation_images, sets

BINARY = {
    "add": ("+", ADD, ADD, MULTIPLY),
    "sub": ("-", ADD, ADD, MULTIPLY),
    "mul": ("*", MULTIPLY, MULTIPLY, UNARY),
    "eq": ("==", COMPARE, BIT_OR, BIT_OR),
    "ne": ("!=", COMPARE, BIT_OR, BIT_OR),
    "lt": ("<", COMPARE, BIT_OR, BIT_OR),
    "le": ("<=", COMPARE, BIT_OR, BIT_OR),
    "gt": (">", COMPARE, BIT_OR, BIT_OR),
    "ge": (">=", COMPARE, BIT_OR, BIT_OR),
    "union": ("|", BIT_OR, BIT_OR, BIT_AND),
    "inter": ("&", BIT_AND, BIT_AND, SHIFT),
    "joined": ("+", ADD, ADD, MULTIPLY),
    "list_has": ("in", COMPARE, BIT_OR, BIT_OR),
}
"""Operations that are one operator of Python: its sign, its level, and what its sides must bind as."""

CALLS = {
    "smaller": "min",
    "larger": "max",
    "abs": "abs",
    "length": "len",
    "to_set": "mask_of",
    "only": "only",
    "item": "item",
    "ratio": "ratio",
    "index_of": "index_of",
    "mod": "modulo",
    "without": "without",
}
"""Operations that are one call."""

WAYS = ("down", "up", "nearest")


class ExpressionWriter(Writer):
    """Writes every kind of expression; see `Writer`."""

    def truth(self, e: Expr) -> Py:
        """A flag as something true or false."""
        match e:
            case Read(keys=(*_, Const(value=int()))) if isinstance(e.type, Flag):
                cell, bit = self.flag(e.state, e.keys)
                if bit.text.isdigit():
                    return infix("&", BIT_AND, f"M[{cell}]", str(1 << int(bit.text)))
                return self.value(e)
            case Op(op="and" | "or" as op):
                level = AND if op == "and" else OR
                return Py(f" {op} ".join(self.truth(part).at(level) for part in e.operands), level)
            case Op(op="not", operands=(Op(op="not" | "is_empty", operands=(part,)),)):
                return self.truth(part)
            case Op(op="not" | "is_empty"):
                return Py(f"not {self.truth(e.operands[0]).at(NOT)}", NOT)
            case Op(op="has", operands=(Const(value=int(member)), group)) if member >= 0:
                return infix("&", BIT_AND, self.value(group).at(BIT_AND), str(1 << member))
            case If(then=Const(value=True)):
                return self.truth(Op("or", (e.condition, e.otherwise), e.type))
            case If(otherwise=Const(value=False)):
                return self.truth(Op("and", (e.condition, e.then), e.type))
            case If():
                then, otherwise = self.truth(e.then), self.truth(e.otherwise)
                return self._either(e.condition, then, otherwise)
            case _:
                return self.value(e)

    def value(self, e: Expr) -> Py:
        """Any expression as its value; flags are 0 or 1 (or the equal `bool`)."""
        match e:
            case Const():
                return self._constant(e)
            case Local():
                return Py(self.names[e.name], ATOM)
            case Static():
                return self._look_up(e)
            case Read():
                if isinstance(e.type, Flag) and e.keys:
                    cell, bit = self.flag(e.state, e.keys)
                    return infix("&", BIT_AND, f"M[{cell}] >> {bit.at(ADD)}", "1")
                return Py(f"M[{addresses.cell(self, e.state, e.keys).text}]", ATOM)
            case Flagged():
                return Py(f"M[{addresses.cell(self, e.state, e.keys).text}]", ATOM)
            case At():
                return membership.pieces_at(self, e)
            case Apply():
                return self._apply(e)
            case Op():
                return self._operation(e)
            case If():
                return self._either(e.condition, self.value(e.then), self.value(e.otherwise))
            case Filter() | Fold() | Best() | Linked():
                return loops.value(self, e)

    def flag(self, state: str, keys: tuple[Expr, ...]) -> tuple[str, Py]:
        """Cell and bit of one flag."""
        return addresses.cell(self, state, keys[:-1]).text, addresses.bit(self, state, keys[-1])

    def _either(self, condition: Expr, then: Py, otherwise: Py) -> Py:
        return Py(f"{then.at(OR)} if {self.truth(condition).at(OR)} else {otherwise.text}", TERNARY)

    def _constant(self, e: Const) -> Py:
        value = e.value
        if isinstance(value, int):
            if value == NONE:
                return Py("NONE", ATOM)
            number = int(value)
            return Py(hex(number) if abs(number) >= 1 << 31 else str(number), ATOM if number >= 0 else UNARY)
        return Py(self.unit.constant(value), ATOM) if value != () else Py("()", ATOM)

    def _look_up(self, e: Static) -> Py:
        if e.table in self.optimised.context.images:
            image = relation_images.Image(self.optimised.context.images[e.table], self.unit.bits)
            name = self.unit.helper(e.table, image)
            return Py(f"{name}[{self.text(e.keys[0])}]", ATOM)
        table = self.optimised.facts.tables[e.table]
        keys = zip(e.keys, table.keys, strict=True)
        rows = (addresses.row(self, e.table, key, domain) for key, domain in keys)
        text = self.unit.table(e.table) + "".join(f"[{row}]" for row in rows)
        if not (e.fallible and self.optimised.facts.has_gap(e.table)):
            return Py(text, ATOM)
        temp = self.temp()
        return Py(f"({temp} if ({temp} := {text}) != GAP else {self.unit.gap(table)}())", ATOM)

    def _apply(self, e: Apply) -> Py:
        """A call of a generated function, with the state first if it reads any."""
        arguments = [self.text(part) for part in e.arguments]
        state = ["M"] if self.unit.stateful_function(e.function) else []
        return call(functions.name(self, e.function), *state, *arguments)

    def _operation(self, e: Op) -> Py:
        op, parts = e.op, e.operands
        late = op == "inter" and not isinstance(parts[0], Const) and sets.dear(parts[1])
        if late and not sets.dear(parts[0]):
            return membership.met_if_any(self, parts[0], parts[1])
        if op in BINARY:
            sign, level, left, right = BINARY[op]
            return infix(sign, level, self.value(parts[0]).at(left), self.value(parts[1]).at(right))
        if op in ("smaller", "larger") and all(isinstance(part, Local | Const) for part in parts):
            # A test beats a call by far, and both sides may be written twice.
            a, b = map(self.value, parts)
            sign = "<" if op == "smaller" else ">"
            return Py(f"{a.at(OR)} if {a.at(BIT_OR)} {sign} {b.at(BIT_OR)} else {b.text}", TERNARY)
        if op in CALLS:
            return call(CALLS[op], *map(self.text, parts))
        if op == "ranged":
            return self._ranged(e)
        if op == "at_most":
            what = self.unit.constant(e.detail or "a list")
            return call("at_most", *map(self.text, parts), what)
        return self._special(e)

    def _ranged(self, e: Op) -> Py:
        """A number that is tested: by a function that knows its range and what it is for."""
        number, low, high = e.operands
        assert isinstance(low, Const) and isinstance(high, Const)
        kind = (Month if isinstance(e.type, Month) else Int)(int(low.value), int(high.value))  # type: ignore[arg-type]
        return call(self.unit.tested(e.detail or "a number", kind), self.text(number))

    def _special(self, e: Op) -> Py:
        parts = e.operands
        match e.op:
            case "and" | "or":
                level = AND if e.op == "and" else OR
                return Py(f" {e.op} ".join(self.value(part).at(level) for part in parts), level)
            case "not" | "is_empty":
                return Py(f"not {self.truth(parts[0]).at(NOT)}", NOT)
            case "neg":
                return Py(f"-{self.value(parts[0]).at(UNARY)}", UNARY)
            case "single":
                return infix("<<", SHIFT, "1", self.value(parts[0]).at(ADD))
            case "count":
                members = self.value(parts[0]).at(ATOM)
                return Py(f"{f'({members})' if members.isalnum() else members}.bit_count()", ATOM)
            case "diff":
                return infix("&", BIT_AND, self.value(parts[0]).at(BIT_AND), self._complement(parts[1]))
            case "within":
                return Py(f"not {self.value(parts[0]).at(BIT_AND)} & {self._complement(parts[1])}", NOT)
            case "has":
                return membership.has(self, e)
            case "or_else":
                return self._or_else(parts[0], parts[1])
            case "map_has":
                return infix("in", COMPARE, self.value(parts[1]).at(BIT_OR), self.value(parts[0]).at(BIT_OR))
            case "map_get":
                return Py(f"{self.value(parts[0]).at(ATOM)}[{self.text(parts[1])}]", ATOM)
            case "rest":
                return Py(f"{self.value(parts[0]).at(ATOM)}[1:]", ATOM)
            case "to_list":
                return Py(self.members(parts[0]), ATOM)
            case "list_of":
                return Py(f"({''.join(f'{self.text(part)}, ' for part in parts)})", ATOM)
            case "is_none":
                return infix("==", COMPARE, self.value(parts[0]).at(BIT_OR), "NONE")
            case _:
                return self._number(e)

    def _complement(self, e: Expr) -> str:
        return f"~{self.value(e).at(UNARY)}"

    def _or_else(self, first: Expr, second: Expr) -> Py:
        """The first, unless it is none."""
        text = self.value(first).at(OR)
        if isinstance(first, Local):
            return Py(f"{text} if {text} != NONE else {self.text(second)}", TERNARY)
        temp = self.temp()
        return Py(f"{temp} if ({temp} := {self.text(first)}) != NONE else {self.text(second)}", TERNARY)

    def _number(self, e: Op) -> Py:
        parts = e.operands
        first = self.value(parts[0])
        way = e.detail if e.detail in WAYS else WAYS[0]
        match e.op:
            case "successor" | "predecessor":
                step = 1 if e.op == "successor" else -1
                kind = parts[0].type
                if not isinstance(kind, Member):
                    return less(first, -step)
                size = self.optimised.layout.sizes[kind.domain]
                return call("beside", first.text, f"{step}", f"{size}", str(isinstance(e.type, Optional)))
            case "ratio_column":
                return call("ratio_column", first.text, self.text(parts[1]), repr(way))
            case "times_ratio":
                product = infix("*", MULTIPLY, first.at(MULTIPLY), self.value(parts[1]).at(UNARY))
                return product if isinstance(e.type, Ratio) else call("rounded", product.text, repr(way))
            case "div_down" | "div_up" | "div_nearest":
                return self._quotient(e, first, e.op.removeprefix("div_"))
            case _:
                raise AssertionError(e.op)

    def _quotient(self, e: Op, first: Py, way: str) -> Py:
        divisor = e.operands[1]
        if isinstance(divisor, Const) and isinstance(divisor.value, int | Fraction) and divisor.value != 0:
            by = self.value(divisor).at(UNARY)
            if way == "down":
                return infix("//", MULTIPLY, first.at(MULTIPLY), by)
            if way == "up":
                return Py(f"-(-{first.at(UNARY)} // {by})", UNARY)
        return call("divide", first.text, self.text(divisor), repr(way))
