"""Pure expressions as Python: one IR expression, one Python expression.

A writer knows the Python names of the locals in sight.  Loops become functions of their own (see
`loops`), so that everything here is text that fits any place where a value may be.  Flags come out
in two forms: `truth` for a test, where any true value will do, and `value`, which is 0 or 1.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.ir import expr as x
from rulekit.ir.types import NONE, Flag, SetOf
from rulekit.runtime.codegen.expressions import loops, operations
from rulekit.runtime.codegen.expressions import writer as w
from rulekit.runtime.codegen.expressions.writer import Py, Writer, call, infix
from rulekit.runtime.codegen.module_writer import Lines, PyLine, charge
from rulekit.runtime.optimise import sets, tabulate
from rulekit.runtime.support.remembered import Remembered

MOST_LEVELS = 30
"""Levels of an expression in one Python expression; CPython takes 200 brackets inside one another."""


class ExpressionWriter(Writer):
    """Writes every kind of expression; see `Writer`."""

    def truth(self, e: x.Expr) -> Py:
        """A flag as something true or false."""
        return self._one_level_down(e, self._truth)

    def value(self, e: x.Expr) -> Py:
        """Any expression as its value; flags are 0 or 1 (or the equal `bool`)."""
        return self._one_level_down(e, self._value)

    def members(self, e: x.Expr) -> str:
        """The members of a set in id order, as the text of a tuple; some loops list them as they go."""
        match e:
            case x.Filter():
                return loops.members(self, e)
            case x.Fold() if loops.gives_one_each(e):
                return loops.members(self, e)
            case x.Apply() if not self.optimised.plain:
                item, facts = self.optimised.function(e.function), self.optimised.facts
                free = e.function not in facts.paying and not any(map(facts.fallible, e.arguments))
                if free and isinstance(item.body, x.Filter):
                    values = zip(item.params, e.arguments, strict=True)
                    names = {param.name: self.value(argument).at(w.ATOM) for param, argument in values}
                    return loops.members(self.within(names, item.site), item.body)
        return super().members(e)

    def _one_level_down(self, e: x.Expr, write: Callable[[x.Expr], Py]) -> Py:
        if self._levels >= MOST_LEVELS:
            return loops.apart(self, e)
        self._levels += 1
        text = write(e)
        self._levels -= 1
        return text

    def _truth(self, e: x.Expr) -> Py:
        match e:
            case x.Read(keys=(*_, x.Const(value=int()))) if isinstance(e.type, Flag):
                cell, bit = self.flag(e.state, e.keys)
                if bit.text.isdigit():
                    return infix("&", w.BIT_AND, f"M[{cell}]", str(1 << int(bit.text)))
                return self.value(e)
            case x.Op(op="and" | "or" as op):
                level = w.AND if op == "and" else w.OR
                return Py(f" {op} ".join(self.truth(part).at(level) for part in e.operands), level)
            case x.Op(op="not", operands=(x.Op(op="not" | "is_empty", operands=(part,)),)):
                return self.truth(part)
            case x.Op(op="not" | "is_empty"):
                return Py(f"not {self.truth(e.operands[0]).at(w.NOT)}", w.NOT)
            case x.Op(op="has", operands=(x.Const(value=int(member)), group)) if member >= 0:
                return infix("&", w.BIT_AND, self.value(group).at(w.BIT_AND), str(1 << member))
            case x.If(then=x.Const(value=True)):
                return self.truth(x.Op("or", (e.condition, e.otherwise), e.type))
            case x.If(otherwise=x.Const(value=False)):
                return self.truth(x.Op("and", (e.condition, e.then), e.type))
            case x.If():
                then, otherwise = self.truth(e.then), self.truth(e.otherwise)
                return self._either(e.condition, then, otherwise)
        return self._value(e)

    def _value(self, e: x.Expr) -> Py:
        match e:
            case x.Const():
                return self._constant(e)
            case x.Local():
                return Py(self.names[e.name], w.ATOM)
            case x.Static():
                return self._look_up(e)
            case x.Read():
                if isinstance(e.type, Flag) and e.keys:
                    cell, bit = self.flag(e.state, e.keys)
                    return infix("&", w.BIT_AND, f"M[{cell}] >> {bit.at(w.ADD)}", "1")
                return Py(f"M[{self.cell(e.state, e.keys).text}]", w.ATOM)
            case x.Flagged():
                return Py(f"M[{self.cell(e.state, e.keys).text}]", w.ATOM)
            case x.At():
                return operations.pieces_at(self, e)
            case x.Apply():
                return self._apply(e)
            case x.Op():
                return operations.FORMS[e.op](self, e)
            case x.If():
                return self._either(e.condition, self.value(e.then), self.value(e.otherwise))
            case x.Filter() | x.Fold() | x.Best() | x.Linked() | x.BestWay():
                return loops.value(self, e)

    def _either(self, condition: x.Expr, then: Py, otherwise: Py) -> Py:
        return Py(f"{then.at(w.OR)} if {self.truth(condition).at(w.OR)} else {otherwise.text}", w.TERNARY)

    def _constant(self, e: x.Const) -> Py:
        value = e.value
        if isinstance(value, int):
            if value == NONE:
                return Py("NONE", w.ATOM)
            number = int(value)
            text = hex(number) if abs(number) >= 1 << 31 else str(number)
            if isinstance(e.type, SetOf):
                self.unit.set_literals[self.site, text] = e.type
            return Py(text, w.ATOM if number >= 0 else w.UNARY)
        return Py(self.unit.constant(value), w.ATOM) if value != () else Py("()", w.ATOM)

    def _look_up(self, e: x.Static) -> Py:
        if e.table in self.optimised.context.images:
            image = sets.Image(self.optimised.context.images[e.table], self.unit.bits)
            name = self.unit.helper(e.table, image)
            return Py(f"{name}[{self.text(e.keys[0])}]", w.ATOM)
        table = self.optimised.facts.tables[e.table]
        keys = zip(e.keys, table.keys, strict=True)
        rows = (self.row(e.table, key, domain) for key, domain in keys)
        text = self.unit.table(e.table) + "".join(f"[{row}]" for row in rows)
        if not (e.fallible and self.optimised.facts.has_gap(e.table)):
            return Py(text, w.ATOM)
        temp = self.temp()
        return Py(f"({temp} if ({temp} := {text}) != GAP else {self.unit.gap(table)}())", w.ATOM)

    def _apply(self, e: x.Apply) -> Py:
        """A call of a generated function, with the state first if it reads any."""
        sizes = tabulate.argument_sizes(self.optimised.context, e)
        if sizes is not None:
            return self._result_of(e, sizes)
        arguments = [self.text(part) for part in e.arguments]
        state = ["M"] if self.unit.stateful_function(e.function) else []
        return call(function_name(self, e.function), *state, *arguments)

    def _result_of(self, e: x.Apply, sizes: tuple[int, ...]) -> Py:
        """A look-up in the results of a function, which is called for those that are new."""
        unit, function = self.unit, function_name(self, e.function)

        def put(python: str) -> None:
            unit.namespace["Remembered"] = Remembered
            unit.add([PyLine(0, f"{python} = Remembered({function}, {sizes[1:]})", -1)])

        results = unit.name(("remembered", e.function), "R", put)
        number = self.value(e.arguments[0])
        for part, size in zip(e.arguments[1:], sizes[1:], strict=True):
            number = Py(f"{number.at(w.MULTIPLY)} * {size} + {self.value(part).at(w.MULTIPLY)}", w.ADD)
        return Py(f"{results}[{number.text}]", w.ATOM)


def function_name(outer: Writer, function: str) -> str:
    """The Python name of a function, which is written when it is first asked for."""
    unit = outer.unit

    def put(python: str) -> None:
        item = unit.optimised.function(function)
        names = {param.name: f"a{number}" for number, param in enumerate(item.params)}
        writer = outer.within(names, item.site)
        state = ["M"] if unit.stateful_function(function) else []
        lines = [PyLine(0, f"def {python}({', '.join(state + list(names.values()))}):", item.site)]
        if unit.build.coverage:
            lines.append(PyLine(1, f"C[{item.site}] = 1", item.site))
        prices = unit.optimised.prices
        if isinstance(item.body, x.Binding) and function in prices.loops:
            paid = unit.optimised.context.paid.get(function, item.body)
            lines += loops.paying_loop(writer, item.body, prices.loops[function], paid)
        else:
            price = prices.functions.get(function, 0)
            lines += [PyLine(1, text, item.site) for text in charge("1", price)] if price else []
            lines += ladder(writer, item.body)
        unit.locals[python] = {text: local for local, text in names.items()}
        unit.add(lines)

    return unit.name(("function", function), "f", put)


def ladder(writer: Writer, body: x.Expr, depth: int = 1) -> Lines:
    """Statements that return the value of `body`.

    A ladder of conditions becomes a ladder of `if` statements: as fast as it can be, and no deeper for
    being longer.
    """
    lines: Lines = []
    while isinstance(body, x.If):
        test = writer.test(body.condition)
        if isinstance(body.then, x.If) and depth < MOST_LEVELS:
            lines.append(PyLine(depth, f"if {test}:", writer.site))
            lines += ladder(writer, body.then, depth + 1)
        else:
            lines.append(PyLine(depth, f"if {test}: return {writer.text(body.then)}", writer.site))
        body = body.otherwise
    lines.append(PyLine(depth, f"return {writer.text(body)}", writer.site))
    return lines
