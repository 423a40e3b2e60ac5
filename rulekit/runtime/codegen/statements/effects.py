"""Statements that change state, as lines of Python: at once, or noted for the end of a `together` block.

First how a cell is stored: within its range, hidden again, with the masks that are kept beside it, or later.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rulekit.ir import (
    Const,
    Dissolve,
    Expr,
    Form,
    LateChange,
    Local,
    MarkAll,
    Place,
    Put,
    Read,
    Reveal,
    Say,
    State,
    Write,
)
from rulekit.ir.types import NONE, Flag, ListOf, Member, Optional, SetOf
from rulekit.runtime.codegen.expressions.writer import ADD, BIT_OR, MULTIPLY, UNARY, Writer
from rulekit.runtime.codegen.module_writer import Lines, deeper
from rulekit.runtime.codegen.routines.flow import Code, line
from rulekit.runtime.codegen.statements.knowers import sides_field, sides_mask, state_field
from rulekit.runtime.codegen.statements.scope import Field, RoutineScope
from rulekit.runtime.support import together
from rulekit.runtime.support.layout import Index
from rulekit.runtime.support.masks import TestMasks
from rulekit.runtime.support.state_changes import bounds, dissolve, former, no_longer, reindex, span


def defer(
    scope: RoutineScope,
    what: int,
    where: str,
    value: str,
    site: int,
    stmt: LateChange,
) -> Lines:
    """A change that waits for the end of the block."""
    state = getattr(stmt, "state", getattr(stmt, "domain", "place"))
    event = scope.event("late", site, state)
    return [line(f"{scope.use('L')}(({what}, {where}, {value}, {event}))", site)]


def store_in_range(scope: RoutineScope, state: str, cell: str, value: str, stmt: Write) -> Lines:
    """Store a number after a look at its range: stopped at the ends of a track, a fault elsewhere."""
    item = scope.optimised.facts.states[state]
    ends = span(item)
    assert ends is not None
    low, high = ends
    site = stmt.site
    optional = isinstance(item.type, Optional)
    lines = [line(f"x = {value}", site)]
    if stmt.clamp or item.clamp:
        test = f"x < {low}" + (" and x != NONE" if optional else "")
        lines += [line(f"if {test}: x = {low}", site), line(f"elif x > {high}: x = {high}", site)]
    else:
        test = f"not {low} <= x <= {high}" + (" and x != NONE" if optional else "")
        lines.append(line(f"if {test}: {range_check(scope, item)}(x, {cell})", site))
    return [*lines, line(f"M[{cell}] = x", site)]


def _stays_in_range(state: State, stmt: Write) -> bool:
    """True if a change need not look at the range of its state."""
    return span(state) is None or not (stmt.check or stmt.clamp or state.clamp and stmt.op != "set")


def range_check(scope: RoutineScope, state: State) -> str:
    """The function that faults for a value beyond a state's range; its second argument is the cell."""
    return scope.unit.helper(f"limited {state.name}", partial(bounds, state, scope.unit.fault_words))


def length_check(scope: RoutineScope, state: State) -> str:
    """The function that gives a list back, and faults if it is longer than its state allows."""
    return scope.unit.helper(f"no longer {state.name}", partial(no_longer, state))


def hide_again(scope: RoutineScope, writer: Writer, state: str, keys: tuple[Expr, ...], site: int) -> Lines:
    """End the reveal of a value that is written, whatever the new value is (spec 9.10)."""
    if state not in scope.optimised.layout.revealed:
        return []
    return _hide(scope, state, f"1 << {revealed_bit(scope, writer, state, keys)}", site)


def _hide(scope: RoutineScope, state: str, bits: str, site: int) -> Lines:
    """Take bits out of a state's mask of revealed cells."""
    revealed = scope.optimised.layout.revealed[state]
    noted, _ = scope.note(str(revealed.address), site)
    every = f"({bits}) * {revealed.everyone}" if revealed.sides > 1 else bits
    return [*noted, line(f"M[{revealed.address}] &= ~({every})", site)]


def revealed_bit(scope: RoutineScope, writer: Writer, state: str, keys: tuple[Expr, ...]) -> str:
    """Which bit of a state's mask of revealed cells stands for these keys."""
    slots = scope.optimised.layout.slots[state]
    if slots.bits is None:
        return f"({writer.cell(state, keys).text}) - {slots.base}"
    cell, bit = writer.flag(state, keys)
    return f"({cell} - {slots.base}) * {slots.bits.size} + {bit.at(ADD)}"


def change_with_masks(scope: RoutineScope, stmt: Write, keys: tuple[Expr, ...]) -> Lines:
    """Change a state that keeps masks of members: `z` is the member, `y` its old value, `x` the new one."""
    site, layout = stmt.site, scope.optimised.layout
    member = Local("key z", keys[0].type)
    lines = [line(f"z = {scope.writer(site, keys[0]).text(keys[0])}", site)]
    scope.names[member.name] = "z"
    assert stmt.value is not None
    writer = scope.writer(site, member, stmt.value)
    noted, cell = scope.note(writer.cell(stmt.state, (member,)).text, site)
    lines += [*noted, *hide_again(scope, writer, stmt.state, (member,), site), line(f"y = M[{cell}]", site)]
    value = writer.value(stmt.value)
    text = value.text
    if stmt.op != "set":
        text = f"y {'+' if stmt.op == 'add' else '-'} {value.at(MULTIPLY)}"
    if _stays_in_range(scope.optimised.facts.states[stmt.state], stmt):
        lines.append(line(f"x = M[{cell}] = {text}", site))
    else:
        lines += store_in_range(scope, stmt.state, cell, text, stmt)
    if stmt.state in layout.classes:
        lines += _update_test_masks(scope, layout.classes[stmt.state], stmt)
    if stmt.state in layout.indexes:
        lines += _update_value_masks(scope, layout.indexes[stmt.state], stmt)
    return lines


def _update_test_masks(scope: RoutineScope, classes: TestMasks, stmt: Write) -> Lines:
    """Keep the masks of a state's tests; most writes change none."""
    table = scope.unit.helper(f"classes {stmt.state}", classes.table())
    passed = line(f"c = {table}[z]; c = c[y] ^ c[x]", stmt.site)
    if scope.build.journal:
        flip = scope.unit.helper(f"flip {stmt.state}", classes.flip)
        return [passed, line(f"if c: {flip}(M, {scope.kept}, z, c)", stmt.site)]
    touched = scope.unit.helper(f"touched {stmt.state}", classes.touched)
    return [
        passed,
        line("if c:", stmt.site),
        line(f"for c in {touched}[c]: M[c] ^= 1 << z", stmt.site, 1),
    ]


def _update_value_masks(scope: RoutineScope, index: Index, stmt: Write) -> Lines:
    """Keep the masks of a state's members by value."""
    if scope.build.journal:
        moved = scope.unit.helper(f"reindex {stmt.state}", partial(reindex, index))
        return [line(f"{moved}(M, {scope.use('J')}, z, y, x)", stmt.site)]
    none = index.base + index.none
    optional = isinstance(scope.optimised.facts.states[stmt.state].type, Optional)
    old, new = (
        f"{at} + {index.base} if {at} >= 0 else {none}" if optional else f"{at} + {index.base}" for at in "yx"
    )
    return [line(f"z = 1 << z; M[{old}] ^= z; M[{new}] |= z", stmt.site)]


LATE = {
    "set": together.SET,
    "add": together.ADD,
    "subtract": together.ADD,
    "mark": together.MARK,
    "unmark": together.UNMARK,
    "include": together.MARK,
    "exclude": together.UNMARK,
    "append": together.APPEND,
    "drop": together.DROP,
}


def write(scope: RoutineScope, stmt: Write) -> Code:
    """Change one cell."""
    state = scope.optimised.facts.states[stmt.state]
    if stmt.state == "place" and stmt.op == "set" and stmt.value is not None:
        return place(scope, Place(stmt.keys[0], False, stmt.value, stmt.site))
    lines, keys, fields = scope.fix_keys(stmt.keys, stmt.site)
    stmt = _with_value_named(scope, stmt, lines)
    writer = scope.writer(stmt.site, *keys, *(() if stmt.value is None else (stmt.value,)))
    flag = isinstance(state.type, Flag)
    if flag and stmt.op == "set":
        lines += _set_flag(scope, writer, stmt, keys)
    elif flag or stmt.op in ("mark", "unmark"):
        lines += _bits(scope, writer, stmt, keys, stmt.op == "mark")
    elif scope.late:
        cell = writer.cell(stmt.state, keys).text
        lines += defer(scope, LATE[stmt.op], cell, _late_value(writer, stmt), stmt.site, stmt)
    else:
        lines += _change(scope, writer, stmt, keys)
    fields += [*_value_fields(scope, stmt, keys, writer), *state_field(scope, stmt.state, keys, stmt.site)]
    return scope.change(lines, stmt.op, stmt.site, stmt.state, *fields)


def _with_value_named(scope: RoutineScope, stmt: Write, lines: Lines) -> Write:
    """The change with its value in a name of its own, where a trace tells it after the change."""
    if stmt.value is None or not scope.telling or isinstance(stmt.value, Const | Local):
        return stmt
    lines.append(line(f"w = {scope.writer(stmt.site, stmt.value).text(stmt.value)}", stmt.site))
    scope.names["key w"] = "w"
    return replace(stmt, value=Local("key w", stmt.value.type))


def _late_value(writer: Writer, stmt: Write) -> str:
    assert stmt.value is not None
    value = writer.value(stmt.value)
    return f"-{value.at(UNARY)}" if stmt.op == "subtract" else value.text


def _set_flag(scope: RoutineScope, writer: Writer, stmt: Write, keys: tuple[Expr, ...]) -> Lines:
    """A flag set to a value known only at run time: marked or unmarked."""
    assert stmt.value is not None
    if not keys:
        value = writer.value(stmt.value)
        return _set_cell(scope, writer, stmt, value.text if scope.late else value.at(BIT_OR))
    if isinstance(stmt.value, Const):
        return _bits(scope, writer, stmt, keys, bool(stmt.value.value))
    marked = _bits(scope, writer, stmt, keys, True)
    unmarked = _bits(scope, writer, stmt, keys, False)
    test = line(f"if {writer.test(stmt.value)}:", stmt.site)
    return [test, *deeper(marked), line("else:", stmt.site), *deeper(unmarked)]


def _bits(scope: RoutineScope, writer: Writer, stmt: Write, keys: tuple[Expr, ...], on: bool) -> Lines:
    """Set or clear one flag."""
    if not keys:
        return _set_cell(scope, writer, stmt, str(int(on)))
    cell, bit = writer.flag(stmt.state, keys)
    mask = str(1 << int(bit.text)) if bit.text.isdigit() else f"1 << {bit.at(ADD)}"
    hidden = [] if scope.late else hide_again(scope, writer, stmt.state, keys, stmt.site)
    return [*hidden, *_change_mask(scope, cell, mask, on, stmt.site, stmt)]


def _set_cell(scope: RoutineScope, writer: Writer, stmt: Write, value: str) -> Lines:
    """Set a flag without keys."""
    cell = writer.cell(stmt.state, ()).text
    if scope.late:
        return defer(scope, together.SET, cell, value, stmt.site, stmt)
    hidden = hide_again(scope, writer, stmt.state, (), stmt.site)
    noted, cell = scope.note(cell, stmt.site)
    return [*hidden, *noted, line(f"M[{cell}] = {value}", stmt.site)]


def _change_mask(
    scope: RoutineScope, cell: str, mask: str, on: bool, site: int, stmt: Write | MarkAll
) -> Lines:
    if scope.late:
        return defer(scope, together.MARK if on else together.UNMARK, cell, mask, site, stmt)
    noted, cell = scope.note(cell, site)
    return [*noted, line(f"M[{cell}] {'|= ' if on else '&= ~'}{mask if on else f'({mask})'}", site)]


def _change(scope: RoutineScope, writer: Writer, stmt: Write, keys: tuple[Expr, ...]) -> Lines:
    """Change a number, member, set or list at once."""
    assert stmt.value is not None
    state = scope.optimised.facts.states[stmt.state]
    if stmt.state in scope.optimised.layout.indexes or stmt.state in scope.optimised.layout.classes:
        return change_with_masks(scope, stmt, keys)
    site, value = stmt.site, writer.value(stmt.value)
    lines = hide_again(scope, writer, stmt.state, keys, site)
    noted, cell = scope.note(writer.cell(stmt.state, keys).text, site)
    lines += noted
    match stmt.op:
        case "include":
            text = f"|= {value.text}"
        case "exclude":
            text = f"&= ~{value.at(UNARY)}"
        case "append":
            text = f"= {length_check(scope, state)}((*M[{cell}], {value.text}))"
        case "drop":
            text = f"= without(M[{cell}], {value.text})"
        case "set" if isinstance(state.type, ListOf):
            text = f"= {length_check(scope, state)}({value.text})"
        case "set" if _stays_in_range(state, stmt):
            text = f"= {value.text}"
        case "set":
            return [*lines, *store_in_range(scope, state.name, cell, value.text, stmt)]
        case _:
            sign = "+" if stmt.op == "add" else "-"
            if not _stays_in_range(state, stmt):
                changed = f"M[{cell}] {sign} {value.at(MULTIPLY)}"
                return [*lines, *store_in_range(scope, state.name, cell, changed, stmt)]
            text = f"{sign}= {value.text}"
    return [*lines, line(f"M[{cell}] {text}", site)]


def _value_fields(scope: RoutineScope, stmt: Write, keys: tuple[Expr, ...], writer: Writer) -> list[Field]:
    """The new value; of an addition the amount, and within a `together` block nothing else."""
    if stmt.value is None:
        return []
    kind = scope.optimised.facts.states[stmt.state].type
    amount = [("amount", stmt.value.type, writer.text(stmt.value))] if stmt.op in ("add", "subtract") else []
    if scope.late and amount:
        return amount
    if scope.late or isinstance(kind, Flag | SetOf | ListOf):
        return [*amount, ("value", stmt.value.type, writer.text(stmt.value))]
    return [*amount, ("value", kind, f"M[{writer.cell(stmt.state, keys).text}]")]


def mark_all(scope: RoutineScope, stmt: MarkAll) -> Code:
    """Mark or unmark a whole set."""
    lines, keys, fields = scope.fix_keys(stmt.keys, stmt.site)
    writer = scope.writer(stmt.site, *keys, stmt.members)
    members = writer.text(stmt.members)
    if scope.telling and not isinstance(stmt.members, Const):
        lines.append(line(f"x = {members}", stmt.site))
        members = "x"
    cell = writer.cell(stmt.state, keys).text
    slots = scope.optimised.layout.slots[stmt.state]
    if stmt.state in scope.optimised.layout.revealed and not scope.late and slots.bits is not None:
        row = f"({cell} - {slots.base}) * {slots.bits.size}"
        lines += _hide(scope, stmt.state, f"({members}) << {row}", stmt.site)
    lines += _change_mask(scope, cell, members, stmt.on, stmt.site, stmt)
    fields.append(("members", stmt.members.type, members))
    fields += state_field(scope, stmt.state, keys, stmt.site, stmt.members)
    return scope.change(lines, "mark_all" if stmt.on else "unmark_all", stmt.site, stmt.state, *fields)


def place(scope: RoutineScope, stmt: Place) -> Code:
    """Move one piece or several."""
    writer = scope.writer(stmt.site, stmt.pieces, stmt.space)
    site = stmt.site
    pieces = writer.value(stmt.pieces)
    lines = [line(f"x = {pieces.text if stmt.many else f'1 << {pieces.at(ADD)}'}", site)]
    lines.append(line(f"y = {writer.text(stmt.space)}", site))
    if scope.late:
        lines.append(line("for z in BITS[x]:", site))
        lines += deeper(defer(scope, together.PLACE, "z", "y", site, stmt))
    elif not stmt.many and not scope.build.journal:
        lines += _move_in_line(scope, writer, stmt)
    else:
        journal = f"{scope.use('J')}, " if scope.build.journal else ""
        test = "if x: " if stmt.many else ""
        lines.append(line(f"{test}{scope.unit.mover(bool(journal))}(M, {journal}x, y)", site))
    if "place" in scope.optimised.layout.revealed and not scope.late:
        lines += _hide(scope, "place", "x", site)
    fields: list[Field] = [("pieces", PIECES, "x"), ("space", SPACE, "y")]
    fields += state_field(scope, "place", (), site, Local("moved", PIECES))
    return scope.change(lines, "move", site, "place", *fields)


PIECES = SetOf(Member("piece", "piece"))
SPACE = Optional(Member("space", "space"))


def _move_in_line(scope: RoutineScope, writer: Writer, stmt: Place) -> Lines:
    """One piece moved in line: out of the mask of where it is, into that of where it goes.

    `x` is its bit and `y` the space.  Its bit is in the one mask that its place says, so that it can be
    taken out by exclusive or.
    """
    layout, site = scope.optimised.layout, stmt.site
    first, off = layout.first_derived, layout.off_board
    cell = writer.cell("place", (stmt.pieces,)).text
    if isinstance(stmt.pieces, Const | Local):
        lines = [line(f"a = M[{cell}]", site)]
    else:
        base = layout.slots["place"].base
        lines = [line(f"a = M[x.bit_length() + {base - 1}]", site)]
        cell = f"x.bit_length() + {base - 1}"
    to = f"y + {first} if y >= 0 else {off}"
    if isinstance(stmt.space, Const) and isinstance(stmt.space.value, int):
        to = str(off if stmt.space.value == NONE else first + stmt.space.value)
    elif not isinstance(stmt.space.type, Optional):
        to = f"y + {first}"
    return [
        *lines,
        line(f"M[a + {first} if a >= 0 else {off}] ^= x", site),
        line(f"M[{cell}] = y; M[{to}] |= x", site),
    ]


def put(scope: RoutineScope, stmt: Put) -> Code:
    """Put values on or under a stack."""
    lines, keys, fields = scope.fix_keys(stmt.keys, stmt.site)
    writer = scope.writer(stmt.site, *keys, stmt.value)
    value, site = writer.text(stmt.value), stmt.site
    if not stmt.many:
        value = f"({value},)"
    elif isinstance(stmt.value.type, SetOf):
        value = writer.members(stmt.value)
    lines.append(line(f"x = {value}", site))
    cell, state = writer.cell(stmt.state, keys).text, scope.optimised.facts.states[stmt.state]
    if scope.late:
        lines += defer(scope, together.TOP if stmt.top else together.UNDER, cell, "x", site, stmt)
    else:
        lines += hide_again(scope, writer, stmt.state, keys, site)
        noted, cell = scope.note(cell, site)
        joined = f"x + M[{cell}]" if stmt.top else f"M[{cell}] + x"
        lines += [*noted, line(f"M[{cell}] = {length_check(scope, state)}({joined})", site)]
    fields += [("values", state.type, "x"), *state_field(scope, stmt.state, keys, site)]
    return scope.change(lines, "put_top" if stmt.top else "put_under", site, stmt.state, *fields)


def form(scope: RoutineScope, stmt: Form) -> Code:
    """Bring a group into being; at once even in a `together` block, for nobody could see it before."""
    maker = scope.unit.helper(f"form {stmt.domain}", former(scope.optimised.layout, stmt.domain))
    target = scope.local(stmt.local)
    lines = [line(f"{target} = {maker}(M, {scope.kept})", stmt.site)]
    lines += scope.trace("form", stmt.site, stmt.domain, ("group", stmt.local.type, target))
    return Code([*lines, *scope.checks(f"exists:{stmt.domain}", stmt.site)])


def end_group(scope: RoutineScope, stmt: Dissolve) -> Code:
    """End a group."""
    writer = scope.writer(stmt.site, stmt.group)
    address = str(scope.optimised.layout.slots[f"exists:{stmt.domain}"].base)
    lines = [line(f"x = {writer.text(stmt.group)}", stmt.site)]
    if scope.late:
        lines += defer(scope, together.DISSOLVE, address, "x", stmt.site, stmt)
    else:
        function = scope.unit.helper("dissolve", dissolve)
        lines.append(line(f"{function}(M, {scope.kept}, {address}, x)", stmt.site))
    lines += scope.trace("dissolve", stmt.site, stmt.domain, ("group", stmt.group.type, "x"))
    return Code([*lines, *scope.checks(f"exists:{stmt.domain}", stmt.site)])


def reveal(scope: RoutineScope, stmt: Reveal) -> Code:
    """Show one cell to all sides or to some; never waits, for what is seen is seen."""
    lines, keys, fields = scope.fix_keys(stmt.keys, stmt.site)
    state, site = scope.optimised.facts.states[stmt.state], stmt.site
    value = Read(stmt.state, keys, state.type)
    writer = scope.writer(site, *keys, *(() if stmt.known is None else (stmt.known,)))
    revealed = scope.optimised.layout.revealed[stmt.state]
    shown, known = f"1 << {revealed_bit(scope, writer, stmt.state, keys)}", list[Field]()
    if stmt.known is not None:
        to = scope.unit.helper(f"revealed {stmt.state} to", revealed.to)
        shown = f"({shown}) * {to}({sides_mask(scope, writer, stmt.known)})"
        known = sides_field(scope, stmt.known, site, state, keys)
    elif revealed.sides > 1:
        shown = f"({shown}) * {revealed.everyone}"
    noted, _ = scope.note(str(revealed.address), site)
    lines += [*noted, line(f"M[{revealed.address}] |= {shown}", site), *learn(scope, site)]
    fields += [("value", state.type, writer.text(value) if scope.telling else ""), *known]
    return Code([*lines, *scope.trace("reveal", site, stmt.state, *fields)])


def say(scope: RoutineScope, stmt: Say) -> Code:
    """Put a text into the log: of one that is known now, no operand.

    A build without operands evaluates a text that may fault, too.
    """
    if isinstance(stmt.text, Const):
        return Code(scope.trace("say", stmt.site, str(stmt.text.value)))
    fallible = scope.optimised.facts.fallible(stmt.text)
    text = scope.writer(stmt.site, stmt.text).text(stmt.text) if scope.telling or fallible else ""
    before = [line(text, stmt.site)] if fallible and not scope.telling else []
    return Code([*before, *scope.trace("say", stmt.site, "", ("text", stmt.text.type, text))])


def learn(scope: RoutineScope, site: int) -> Lines:
    """Count that something became known, at which undo stops."""
    counter = scope.optimised.layout.reveals
    noted, _ = scope.note(str(counter), site)
    return [*noted, line(f"M[{counter}] += 1", site)]
