"""Verbs that deal with all members of a set: split into parts, arrange in an order, share a number out."""

from __future__ import annotations

from rulekit.ir import Const, Expr, Filter, Local
from rulekit.runtime.codegen.choices.parts import FLAG, Asked
from rulekit.runtime.codegen.expressions.loops import passing
from rulekit.runtime.codegen.expressions.writer import Writer
from rulekit.runtime.codegen.routines.flow import Code, Each, Flow, While, line
from rulekit.runtime.support import search

TRUE = Const(True, FLAG)


def split(asked: Asked) -> Flow:
    """Each member in id order joins a part, or begins a new one."""
    choice = asked.choice
    whole = choice.candidates if choice.candidates is not None else choice.items
    assert whole is not None
    things, thing, pick, options = map(asked.fresh, ("things", "thing", "pick", "options"))
    flow: Flow = [_members(asked, things, whole)]
    more, low = asked.value("low", choice.low, "1")
    flow += more
    more, high = asked.value("high", choice.high, f"len({things})")
    flow += more
    broken, hopeless = asked.judges()
    find = asked.scope.unit.helper("search split", search.split)
    own = "".join(f"{name}, " for name in asked.own)
    answer = asked.answer
    call = f"{find}(M, ({own}), {things}, {answer}, {low}, {high}, {broken}, {hopeless})"
    flow.append(asked.code(f"{answer} = ()", sets=(answer,)))
    bounds = [name for name in (low, high) if name.startswith("v")]
    reads = (*asked.own, things, answer, *bounds)
    if broken == "None" and low == "1":
        # Any part there is, or a new one while there may be more.
        call = f"tuple(range(1, min(len({answer}), {high} - 1) + 2))"
    body: Flow = [asked.code(f"{options} = {call}", reads=reads, sets=(options,))]
    body += asked.stuck(f"not {options}", (options,), thing)
    body += asked.part(options, pick, thing)
    joined = asked.scope.unit.helper("joined part", search.joined)
    text = f"{answer} = {joined}({answer}, {pick}, {thing})"
    body.append(asked.code(text, reads=(answer, pick, thing), sets=(answer,)))
    kept, index = asked.fresh("list"), asked.fresh("index")
    return [*flow, Each(thing, things, frozenset((things,)), body, asked.site, kept, index)]


def arrange(asked: Asked) -> Flow:
    """The next member each time, until all have their place."""
    choice = asked.choice
    whole = choice.candidates if choice.candidates is not None else choice.items
    assert whole is not None
    everyone, options, pick = map(asked.fresh, ("everyone", "options", "pick"))
    flow: Flow = [asked.bind(everyone, whole)]
    broken, _ = asked.judges()
    find = asked.scope.unit.helper("search arrange", search.arrange)
    own = "".join(f"{name}, " for name in asked.own)
    answer = asked.answer
    call = f"{find}(M, ({own}), {everyone}, {answer}, {_step(asked, whole)}, {broken})"
    flow.append(asked.code(f"{answer} = ()", sets=(answer,)))
    reads = (*asked.own, everyone, answer)
    body: Flow = [asked.code(f"{options} = BITS[{call}]", reads=reads, sets=(options,))]
    body += asked.stuck(f"not {options}", (options,))
    body += asked.part(options, pick)
    body.append(asked.code(f"{answer} += ({pick},)", reads=(answer, pick), sets=(answer,)))
    test = f"len({answer}) < {everyone}.bit_count()"
    return [*flow, While(test, frozenset((answer, everyone)), body, asked.site)]


def _step(asked: Asked, whole: Expr) -> str:
    """A function for the members, of those left, that may follow one; `None` if all may."""
    choice, scope = asked.choice, asked.scope
    if asked.norms.option == TRUE:
        return "None"
    assert choice.before is not None
    left = Local("#left", whole.type)
    e = scope.optimised.simple(Filter(left, choice.option, asked.norms.option, whole.type))
    names = {left.name: "left", choice.before.name: "before"}
    return asked.function("step", "left, before", names, lambda writer: [f"return {writer.text(e)}"])


def share(asked: Asked) -> Flow:
    """A number for each item, until all of the total is shared out, or all that there is room for."""
    choice, site, scope = asked.choice, asked.site, asked.scope
    assert choice.items is not None and choice.item is not None and choice.total is not None
    items, item, pick, options = map(asked.fresh, ("items", "item", "pick", "options"))
    allowed, picks, total = map(asked.fresh, ("allowed", "picks", "total"))
    scope.types[choice.item.name] = choice.item.type
    scope.names[choice.item.name] = item
    flow: Flow = [
        _members(asked, items, choice.items),
        asked.bind(total, choice.total),
    ]
    numbers = asked.function(
        "numbers", "items, total", {choice.item.name: "item"}, lambda w: _numbers(asked, w)
    )
    own = "".join(f"{name}, " for name in asked.own)
    listed = f"{allowed} = {numbers}(M, {own}{items}, {total})"
    flow.append(asked.code(listed, reads=(*asked.own, items, total), sets=(allowed,)))
    broken, _ = asked.judges()
    find = scope.unit.helper("search share", search.share)
    call = f"{find}(M, ({own}), {items}, {allowed}, {picks}, {total}, {broken})"
    flow.append(asked.code(f"{picks} = ()", sets=(picks,)))
    room = scope.unit.helper("room to share", search.room)
    flow.append(asked.code(f"{total} = {room}({allowed}, {total})", reads=(allowed, total), sets=(total,)))
    flow += asked.stuck(f"{total} < 0", (total,))
    found = asked.code(
        f"{options} = {call}", reads=(*asked.own, items, allowed, picks, total), sets=(options,)
    )
    body: Flow = [found, *asked.stuck(f"not {options}", (options,), item)]
    body += asked.part(options, pick, item)
    body.append(asked.code(f"{picks} += ({pick},)", reads=(picks, pick), sets=(picks,)))
    kept, index = asked.fresh("list"), asked.fresh("index")
    flow.append(Each(item, items, frozenset((items,)), body, site, kept, index))
    answer = f"{asked.answer} = dict(zip({items}, {picks}))"
    return [*flow, asked.code(answer, reads=(items, picks), sets=(asked.answer,))]


def _numbers(asked: Asked, writer: Writer) -> list[str]:
    """The body of a function for the numbers that its bounds and final norms allow each item."""
    choice = asked.choice
    low = "0" if choice.low is None else f"max({writer.text(choice.low)}, 0)"
    high = "total" if choice.high is None else f"min({writer.text(choice.high)}, total)"
    numbers = f"few(range({low}, {high} + 1))"
    if asked.norms.option != TRUE:
        numbers = passing(writer, numbers, choice.option, asked.norms.option)
    return ["found = ()", f"for item in items: found += (tuple({numbers}),)", "return found"]


def _members(asked: Asked, target: str, whole: Expr) -> Code:
    """The members of a set in id order."""
    writer = asked.scope.writer(asked.site, whole)
    text = f"{target} = {writer.members(whole)}"
    return Code([line(text, asked.site)], asked.scope.reads(whole), frozenset((target,)))
