"""The low-level IR as text for people."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.runtime.native import lir

SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr_u": ">>",
    "eq": "==", "ne": "!=", "lt_s": "<", "le_s": "<=", "gt_s": ">", "ge_s": ">=",
}  # fmt: skip


def function_text(function: lir.LowFunction) -> str:
    """Return a function as text, a statement a line."""
    head = f"{function.name}({', '.join(function.params)}){' -> value' if function.gives else ''}:"
    return "\n".join((head, *_lines(function.body, 1))) + "\n"


def _lines(code: lir.Code, depth: int) -> Iterator[str]:
    indent = "    " * depth
    for stmt in code:
        match stmt:
            case lir.Set():
                yield f"{indent}{stmt.local} = {text(stmt.value)}"
            case lir.Store():
                yield f"{indent}{_address(stmt.offset, stmt.index, stmt.width)} = {text(stmt.value)}"
            case lir.LowRun():
                yield f"{indent}{stmt.function}({', '.join(map(text, stmt.arguments))})"
            case lir.LowIf():
                yield f"{indent}if {text(stmt.condition)}:"
                yield from _lines(stmt.then, depth + 1)
                if stmt.otherwise:
                    yield f"{indent}else:"
                    yield from _lines(stmt.otherwise, depth + 1)
            case lir.LowLoop() | lir.LowBlock():
                yield f"{indent}{'loop' if isinstance(stmt, lir.LowLoop) else 'block'} {stmt.label}:"
                yield from _lines(stmt.body, depth + 1)
            case lir.LowBreak():
                yield f"{indent}break {stmt.label}"
            case lir.LowNext():
                yield f"{indent}next {stmt.label}"
            case lir.LowReturn():
                yield f"{indent}return{'' if stmt.value is None else ' ' + text(stmt.value)}"
            case lir.LowFail():
                about = "" if stmt.about is None else f" about {text(stmt.about)}"
                yield f"{indent}fault {stmt.fault} at {stmt.site}{about}"


def text(e: lir.Expr) -> str:
    """Return an expression as text."""
    match e:
        case lir.Num():
            return str(e.value) if abs(e.value) < 1 << 31 else hex(e.value)
        case lir.FixedAddress():
            return _place(e.offset)
        case lir.Get():
            return e.local
        case lir.LowUnary():
            return f"{e.op}({text(e.value)})"
        case lir.LowBinary(op=op) if op in SIGNS:
            return f"({text(e.left)} {SIGNS[op]} {text(e.right)})"
        case lir.LowBinary():
            return f"{e.op}({text(e.left)}, {text(e.right)})"
        case lir.Load():
            return _address(e.offset, e.index, e.width)
        case lir.LowCall():
            return f"{e.function}({', '.join(map(text, e.arguments))})"
        case lir.Pick():
            return f"({text(e.then)} if {text(e.condition)} else {text(e.otherwise)})"


def _address(offset: int, index: lir.Expr | None, width: int) -> str:
    at = _place(offset) if index is None else f"{_place(offset)} + {text(index)}"
    return f"[{at}]" if width == 8 else f"[{at}]:{8 * width}"


def _place(offset: int) -> str:
    """An address; those of the fixed part and of buffers are marked."""
    if offset >= lir.BUFFERS:
        return f"buffer {offset - lir.BUFFERS}"
    return str(offset) if offset < lir.FIXED else f"fixed {offset - lir.FIXED}"
