"""Pure expressions as Python: one IR expression, one Python expression.

A writer knows the Python names of the locals in sight.  Loops become functions of their own (see
`loops`), so that everything here is text that fits any place where a value may be.  Flags come out
in two forms: `truth` for a test, where any true value will do, and `value`, which is 0 or 1.
"""

from __future__ import annotations

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
from rulekit.ir.types import NONE, Flag, SetOf
from rulekit.runtime.codegen.expressions import addresses, functions, loops, operations
from rulekit.runtime.codegen.expressions.writer import (
    ADD,
    AND,
    ATOM,
    BIT_AND,
    NOT,
    OR,
    TERNARY,
    UNARY,
    Py,
    Writer,
    call,
    infix,
)
from rulekit.runtime.optimise import sets


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
                return operations.pieces_at(self, e)
            case Apply():
                return self._apply(e)
            case Op():
                return operations.FORMS[e.op](self, e)
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
            text = hex(number) if abs(number) >= 1 << 31 else str(number)
            if isinstance(e.type, SetOf):
                self.unit.set_literals[self.site, text] = e.type
            return Py(text, ATOM if number >= 0 else UNARY)
        return Py(self.unit.constant(value), ATOM) if value != () else Py("()", ATOM)

    def _look_up(self, e: Static) -> Py:
        if e.table in self.optimised.context.images:
            image = sets.Image(self.optimised.context.images[e.table], self.unit.bits)
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
