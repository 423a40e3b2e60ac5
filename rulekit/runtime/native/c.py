"""The low-level IR printed as C: one file for any compiler of C99, and any number of games at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulekit.runtime.native import lir
from rulekit.runtime.native.lower.module import VERSION

HEAD: Final = """\
/* A rule set as C, made by `rulekit build`: chapter 15 of the specification of rulekit is the interface.
   A game is a `struct rulekit`, whose memory the caller gives: RULEKIT_MEMORY bytes, aligned as uint64_t is.
   `rulekit_begin` makes it ready; it gives 2, and touches nothing, if `size` says that the memory is smaller.
   Each function that hosts call gives 0, 1 after a fault (the memory says which), or 2 if it is not ready. */
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

struct rulekit { unsigned char *memory; uint64_t size; int64_t gave; jmp_buf stopped; };
typedef int64_t word;
typedef uint64_t bits;
typedef struct rulekit game;
#define AT(r, at) ((r)->memory + (uint32_t)(at))

static inline word read_8(game *r, word at) { word w; memcpy(&w, AT(r, at), 8); return w; }
static inline word read_4(game *r, word at) { int32_t w; memcpy(&w, AT(r, at), 4); return w; }
static inline word read_2(game *r, word at) { int16_t w; memcpy(&w, AT(r, at), 2); return w; }
static inline word read_1(game *r, word at) { return (int8_t)*AT(r, at); }
static inline void write_8(game *r, word at, word w) { memcpy(AT(r, at), &w, 8); }
static inline void write_4(game *r, word at, word v) { int32_t w = (int32_t)v; memcpy(AT(r, at), &w, 4); }
static inline void write_2(game *r, word at, word v) { int16_t w = (int16_t)v; memcpy(AT(r, at), &w, 2); }
static inline void write_1(game *r, word at, word v) { *AT(r, at) = (unsigned char)v; }
#if defined(__GNUC__)
static inline word op_popcnt(word w) { return __builtin_popcountll((bits)w); }
static inline word op_ctz(word w) { return w ? __builtin_ctzll((bits)w) : 64; }
static inline word op_clz(word w) { return w ? __builtin_clzll((bits)w) : 64; }
#else
static inline word op_popcnt(word v) { bits w = (bits)v; word n = 0; for (; w; n++) w &= w - 1; return n; }
static inline word op_ctz(word v) { return op_popcnt((word)(~(bits)v & ((bits)v - 1))); }
static inline word op_clz(word v) { bits w = (bits)v; word n = 64; for (; w; n--) w >>= 1; return n; }
#endif
static inline word op_shr_s(word w, word by) {
    by &= 63;
    return w < 0 ? ~(word)(~(bits)w >> by) : w >> by;
}
"""
"""The beginning of every file."""

_WRAPPING: Final = {"add": "+", "sub": "-", "mul": "*"}
_PLAIN: Final = {
    "div_s": "/", "rem_s": "%", "and": "&", "or": "|", "xor": "^",
    "eq": "==", "ne": "!=", "lt_s": "<", "le_s": "<=", "gt_s": ">", "ge_s": ">=",
}  # fmt: skip
_UNSIGNED: Final = {"div_u": "/", "rem_u": "%", "lt_u": "<", "ge_u": ">="}


def print_c(module: lir.LowModule, names: bytes, fault: str) -> str:
    """Return a verified module as C; see `wasm.encode`. It runs where numbers begin with their low byte."""
    return _Printer(module, fault).text(names)


class _Printer:
    """Prints one module."""

    def __init__(self, module: lir.LowModule, fault: str) -> None:
        self.module, self.fault = module, fault
        self.functions = {function.name: f"f{number}" for number, function in enumerate(module.functions)}
        self.items = {function.name: function for function in module.functions}
        self.locals: dict[str, str] = {}
        self.labels: dict[str, str] = {}

    def text(self, names: bytes) -> str:
        """The whole file."""
        lines = [HEAD, f"#define RULEKIT_VERSION {VERSION}", f"#define RULEKIT_MEMORY {self.module.memory}\n"]
        lines.append(f"const char rulekit_names[] = {_text(names)};\n")
        for number, data in enumerate(self.module.data):
            content = ",".join(map(str, data.content)) or "0"
            lines.append(f"static const unsigned char data_{number}[] = {{{content}}};")
        lines += (f"{self.head(function)};" for function in self.module.functions)
        for function in self.module.functions:
            lines += self.function(function)
        lines += self.begin()
        for name in self.module.exports:
            lines += self.export(self.items[name])
        return "\n".join(lines) + "\n"

    def head(self, function: lir.LowFunction) -> str:
        """The head of a function, with its name in the rules."""
        params = "".join(f", word p{number}" for number in range(len(function.params)))
        gives = "word" if function.gives else "void"
        name = function.name.replace("*/", "")
        return f"static {gives} {self.functions[function.name]}(game *r{params}) /* {name} */"

    def begin(self) -> Iterator[str]:
        """The function that makes a memory ready."""
        yield "int rulekit_begin(struct rulekit *r) {"
        yield "    if (!r->memory || r->size < RULEKIT_MEMORY) return 2;"
        yield f"    memset(r->memory, 0, {self.module.memory});"
        for number, data in enumerate(self.module.data):
            at = self.module.place(data.address)
            yield f"    memcpy(r->memory + {at}, data_{number}, {len(data.content)});"
        yield "    return 0;"
        yield "}"

    def export(self, function: lir.LowFunction) -> Iterator[str]:
        """A function that hosts call; it leaves its result in `gave`."""
        params = "".join(f", int64_t p{number}" for number in range(len(function.params)))
        given = "".join(f", p{number}" for number in range(len(function.params)))
        call = f"{self.functions[function.name]}(r{given});"
        yield f"int rulekit_{function.name}(struct rulekit *r{params}) {{"
        yield '    if (!r->memory || r->size < RULEKIT_MEMORY || memcmp(r->memory, "rulekit", 8)) return 2;'
        yield "    if (setjmp(r->stopped)) return 1;"
        yield f"    {'r->gave = ' if function.gives else ''}{call}"
        yield "    return 0;"
        yield "}"

    def function(self, function: lir.LowFunction) -> Iterator[str]:
        """A function."""
        own = lir.locals_of(function)
        self.locals = {name: f"p{number}" for number, name in enumerate(function.params)}
        self.locals |= {name: f"l{number}" for number, name in enumerate(own)}
        self.labels = {}
        yield f"{self.head(function)} {{"
        if own:
            yield f"    word {', '.join(f'{self.locals[name]} = 0' for name in own)};"
        yield from self.code(function.body, 1)
        if function.gives:
            yield "    return 0;"
        yield "}"

    def code(self, code: lir.Code, depth: int) -> Iterator[str]:
        """Statements."""
        for stmt in code:
            yield from self.statement(stmt, "    " * depth, depth)

    def statement(self, stmt: lir.Stmt, indent: str, depth: int) -> Iterator[str]:
        """A statement."""
        match stmt:
            case lir.Set():
                yield f"{indent}{self.locals[stmt.local]} = {self.value(stmt.value)};"
            case lir.Store():
                at, value = self.address(stmt.offset, stmt.index), self.value(stmt.value)
                yield f"{indent}write_{stmt.width}(r, {at}, {value});"
            case lir.LowRun():
                yield f"{indent}{self.call(stmt.function, stmt.arguments)};"
            case lir.LowIf():
                yield f"{indent}if ({self.value(stmt.condition)}) {{"
                yield from self.code(stmt.then, depth + 1)
                if stmt.otherwise:
                    yield f"{indent}}} else {{"
                    yield from self.code(stmt.otherwise, depth + 1)
                yield f"{indent}}}"
            case lir.LowLoop() | lir.LowBlock():
                label = self.labels[stmt.label] = f"n{len(self.labels)}"
                loop = isinstance(stmt, lir.LowLoop)
                yield f"{indent}{'for (;;)' if loop else ''} {{"
                yield from self.code(stmt.body, depth + 1)
                if loop:
                    yield f"{indent}    next_{label}: ;"
                yield f"{indent}}}"
                yield f"{indent}end_{label}: ;"
            case lir.LowBreak():
                yield f"{indent}goto end_{self.labels[stmt.label]};"
            case lir.LowNext():
                yield f"{indent}goto next_{self.labels[stmt.label]};"
            case lir.LowReturn():
                yield f"{indent}return{'' if stmt.value is None else ' ' + self.value(stmt.value)};"
            case lir.LowFail():
                numbers = (lir.Num(stmt.fault), lir.Num(stmt.site), stmt.about or lir.ZERO)
                yield f"{indent}{self.call(self.fault, numbers)};"
                yield f"{indent}longjmp(r->stopped, 1);"

    def call(self, name: str, arguments: tuple[lir.Expr, ...]) -> str:
        """A call. C leaves the order of arguments open: calls within calls change nothing."""
        return f"{self.functions[name]}({', '.join(('r', *map(self.value, arguments)))})"

    def address(self, offset: int, index: lir.Expr | None) -> str:
        """An address."""
        at = str(self.module.place(offset))
        return at if index is None else f"{self.value(index)} + {at}"

    def value(self, e: lir.Expr) -> str:
        """An expression."""
        match e:
            case lir.Num():
                return _number(e.value)
            case lir.FixedAddress():
                return str(self.module.place(e.offset))
            case lir.Get():
                return self.locals[e.local]
            case lir.LowUnary(op="eqz"):
                return f"(word)!{self._bracketed_text(e.value)}"
            case lir.LowUnary():
                return f"op_{e.op}({self.value(e.value)})"
            case lir.LowBinary():
                return self._binary(e)
            case lir.Load():
                return f"read_{e.width}(r, {self.address(e.offset, e.index)})"
            case lir.LowCall():
                return self.call(e.function, e.arguments)
            case lir.Pick():
                then, otherwise = self._bracketed_text(e.then), self._bracketed_text(e.otherwise)
                return f"({self.value(e.condition)} ? {then} : {otherwise})"

    def _bracketed_text(self, e: lir.Expr) -> str:
        return f"({self.value(e)})"

    def _binary(self, e: lir.LowBinary) -> str:
        left, right = self._bracketed_text(e.left), self._bracketed_text(e.right)
        if e.op in _WRAPPING:
            return f"(word)((bits){left} {_WRAPPING[e.op]} (bits){right})"
        if e.op in _UNSIGNED:
            return f"(word)((bits){left} {_UNSIGNED[e.op]} (bits){right})"
        if e.op in _PLAIN:
            return f"(word)({left} {_PLAIN[e.op]} {right})"
        if e.op == "shr_s":
            return f"op_shr_s({left}, {right})"
        sign = "<<" if e.op == "shl" else ">>"
        return f"(word)((bits){left} {sign} ({right} & 63))"


def _number(value: int) -> str:
    """A number, also the lowest of all, which has no literal."""
    if value >= 1 << 63:
        value -= 1 << 64
    return f"(-INT64_C({-value - 1}) - 1)" if value < 0 else f"INT64_C({value})"


def _text(content: bytes) -> str:
    """Bytes as a literal, in pieces that every compiler takes."""
    shown = (chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in content)
    pieces = list(shown)
    lines = ("".join(pieces[at : at + 80]) for at in range(0, len(pieces), 80))
    return "\n" + "\n".join(f'    "{line}"' for line in lines)
