"""The verbs other than `assign`.

One part (a member, yes or no, a number); the pick of several; and verbs that deal with all members of a set:
split into parts, arrange in an order, share a number out.
"""

from __future__ import annotations

from rulekit.ir import Const, Expr, Filter, Local
from rulekit.ir.types import DONE
from rulekit.runtime.codegen.choices import records
from rulekit.runtime.codegen.choices.parts import TRUE, ChoiceScope
from rulekit.runtime.codegen.expressions.loops import filter_call
from rulekit.runtime.codegen.expressions.writer import ADD, Writer
from rulekit.runtime.codegen.routines.flow import Branch, Break, Code, Each, Flow, While, code
from rulekit.runtime.support import completion, search


def one(asking: ChoiceScope) -> Flow:
    """One option: a member, yes or no, or a number."""
    options = asking.fresh("options")
    flow = _of_one(asking, options)
    choice = asking.choice
    answer = asking.answer
    may = asking.may_decline()
    if choice.able == "none":
        declined = f"{options} = (*{options}, NONE)" + (f" if {may} else {options}" if may else "")
        flow.append(asking.code(declined))
    if choice.able == "must" or may:
        test = f"not {options}" + (f" and not {may}" if may and choice.able == "if_able" else "")
        flow += asking.stuck(test)
    part = asking.part(options, answer)
    if choice.able != "if_able":
        return flow + part
    none = asking.code(f"{answer} = NONE")
    return [*flow, Branch(options, part, [none], asking.site)]


def _of_one(asking: ChoiceScope, options: str) -> Flow:
    """The options as a tuple."""
    choice, scope, site = asking.choice, asking.scope, asking.site
    simple = asking.norms.option
    match choice.verb:
        case "pick_one":
            legal = asking.legal()
            text = scope.writer(site, legal).members(legal)
            return [code(site, f"{options} = {text}")]
        case "pick_record":
            return records.options(asking, options)
        case "decide":
            values = "(0, 1)"
        case _:
            assert choice.low is not None and choice.high is not None
            writer = scope.writer(site, choice.low, choice.high)
            high = writer.value(choice.high).at(ADD)
            values = f"tuple(few(range({writer.text(choice.low)}, {high} + 1)))"
    if simple != TRUE:
        writer = scope.writer(site, simple)
        values = filter_call(writer, values, choice.option, simple)
    return [code(site, f"{options} = {values}")]


# ---------------------------------------------------------------- several


def several(asking: ChoiceScope) -> Flow:
    """Any number of members within bounds: one more, or done."""
    choice = asking.choice
    least = choice.low
    any_number = choice.high is None and (least is None or isinstance(least, Const) and least.value == 0)
    if any_number and not (asking.norms.judged or asking.norms.covers or asking.may_decline()):
        return _freely(asking)
    legal = asking.fresh("legal")
    flow: Flow = [asking.bind(legal, asking.legal())]
    low = asking.value(flow, "low", choice.low, "0")
    if choice.high is None:
        high = asking.fresh("high")
        flow.append(asking.code(f"{high} = {legal}.bit_count()"))
    else:
        high = asking.value(flow, "high", choice.high, "")
    chosen, options, pick, mask, done = (
        asking.fresh(name) for name in ("chosen", "options", "pick", "mask", "done")
    )
    setup, find = _next_pick(asking, (legal, chosen, low, high), mask, done)
    flow += setup
    flow.append(asking.code(f"{chosen} = 0"))
    body: Flow = [find]
    # Nothing at all is an answer of its own, wherever the first pick is still open.
    ends = {
        "must": done,
        "none": f"({done} or not {chosen})",
        "if_able": f"({done} or not {chosen} | {mask})",
    }
    may = asking.may_decline()
    end = ends[choice.able] + (f" and ({chosen} or {may})" if may else "")
    body.append(asking.code(f"{options} = BITS[{mask}] + ({DONE},) if {end} else BITS[{mask}]"))
    body += asking.stuck(f"not {options}")
    body += _all_at_once(asking, options, mask, chosen, done, low)
    body += asking.part(options, pick)
    body.append(Branch(f"{pick} < 0", [Break(asking.site)], [], asking.site))
    body.append(asking.code(f"{chosen} |= 1 << {pick}"))
    flow.append(While("True", body, asking.site))
    return [*flow, asking.code(f"{asking.answer} = {chosen}")]


def _freely(asking: ChoiceScope) -> Flow:
    """Any members at all: each pick leaves the list of options."""
    options, pick, chosen = (asking.fresh(name) for name in ("options", "pick", "chosen"))
    legal, site = asking.legal(), asking.site
    members = asking.scope.writer(site, legal).members(legal)
    begin = asking.code(f"{options} = (*{members}, {DONE}); {chosen} = 0")
    drop = f"x = {options}.index({pick}); {options} = {options}[:x] + {options}[x + 1 :]"
    body: Flow = [
        *asking.part(options, pick),
        Branch(f"{pick} < 0", [Break(site)], [], site),
        asking.code(f"{chosen} |= 1 << {pick}", drop),
    ]
    end = asking.code(f"{asking.answer} = {chosen}")
    return [begin, While("True", body, site), end]


def _all_at_once(asking: ChoiceScope, options: str, mask: str, chosen: str, done: str, low: str) -> Flow:
    """Where all that is left must be picked, there is nothing to ask."""
    if low == "0" or asking.choice.able != "must" or asking.scope.build.ask_all:
        return []
    test = f"not {done} and ({chosen} | {mask}).bit_count() == {low}"
    event = Code(asking.event("forced_all", mask))
    take = asking.code(f"{chosen} |= {mask}")
    return [Branch(test, [event, take, Break(asking.site)], [], asking.site)]


def _next_pick(
    asking: ChoiceScope, names: tuple[str, str, str, str], mask: str, done: str
) -> tuple[Flow, Code]:
    """The preparation, and the line that finds the next answers and whether the picks may end."""
    legal, chosen, low, high = names
    scope = asking.scope
    if asking.norms.judged:
        broken, hopeless = asking.judges()
        find = scope.unit.helper("search pick_set", search.pick_set)
        call = f"{find}(M, ({asking.own_text}), {legal}, {chosen}, {low}, {high}, {broken}, {hopeless})"
        return [], asking.code(f"{mask}, {done} = {call}")
    if asking.norms.covers or low != "0":
        classes = asking.classes()
        find = scope.unit.helper("picked options", completion.picked_options)
        pairs = "".join(f"({own}, {needed}), " for own, needed in classes.pairs)
        call = f"{find}({legal}, {chosen}, {low}, {high}, ({pairs}), {classes.needed})"
        return classes.setup, asking.code(f"{mask}, {done} = {call}")
    text = f"{mask} = {legal} & ~{chosen} if {chosen}.bit_count() < {high} else 0; {done} = True"
    return [], asking.code(text)


def split(asking: ChoiceScope) -> Flow:
    """Each member in id order joins a part, or begins a new one."""
    choice = asking.choice
    whole = choice.candidates or choice.items
    assert whole is not None
    things, thing, pick, options = map(asking.fresh, ("things", "thing", "pick", "options"))
    flow: Flow = [asking.members(things, whole), *asking.pay(f"len({things})")]
    low = asking.value(flow, "low", choice.low, "1")
    high = asking.value(flow, "high", choice.high, f"len({things})")
    broken, hopeless = asking.judges()
    find = asking.scope.unit.helper("search split", search.split)
    answer = asking.answer
    call = f"{find}(M, ({asking.own_text}), {things}, {answer}, {low}, {high}, {broken}, {hopeless})"
    flow.append(asking.code(f"{answer} = ()"))
    if broken == "None" and low == "1":
        # Any part there is, or a new one while there may be more.
        call = f"tuple(range(1, min(len({answer}), {high} - 1) + 2))"
    body: Flow = [asking.code(f"{options} = {call}")]
    body += asking.stuck(f"not {options}", thing)
    body += asking.part(options, pick, thing)
    joined = asking.scope.unit.helper("joined part", search.join_part)
    body.append(asking.code(f"{answer} = {joined}({answer}, {pick}, {thing})"))
    kept, index = asking.fresh("list"), asking.fresh("index")
    return [*flow, Each(thing, things, body, asking.site, kept, index)]


def arrange(asking: ChoiceScope) -> Flow:
    """The next member each time, until all have their place."""
    choice = asking.choice
    whole = choice.candidates or choice.items
    assert whole is not None
    everyone, options, pick = map(asking.fresh, ("everyone", "options", "pick"))
    flow: Flow = [asking.bind(everyone, whole), *asking.pay(f"{everyone}.bit_count()")]
    broken, _ = asking.judges()
    find = asking.scope.unit.helper("search arrange", search.arrange)
    answer = asking.answer
    call = f"{find}(M, ({asking.own_text}), {everyone}, {answer}, {_step(asking, whole)}, {broken})"
    flow.append(asking.code(f"{answer} = ()"))
    body: Flow = [asking.code(f"{options} = BITS[{call}]")]
    body += asking.stuck(f"not {options}")
    body += asking.part(options, pick)
    body.append(asking.code(f"{answer} += ({pick},)"))
    test = f"len({answer}) < {everyone}.bit_count()"
    return [*flow, While(test, body, asking.site)]


def _step(asking: ChoiceScope, whole: Expr) -> str:
    """A function for the members, of those left, that may follow one; `None` if all may."""
    choice, scope = asking.choice, asking.scope
    if asking.norms.option == TRUE:
        return "None"
    assert choice.before is not None
    left = Local("#left", whole.type)
    e = scope.optimised.simple(Filter(left, choice.option, asking.norms.option, whole.type))
    names = {left.name: "left", choice.before.name: "before"}
    return asking.function("step", "left, before", names, lambda writer: [f"return {writer.text(e)}"])


def share(asking: ChoiceScope) -> Flow:
    """A number for each item, until all of the total is shared out, or all that there is room for."""
    choice, site, scope = asking.choice, asking.site, asking.scope
    assert choice.items is not None and choice.item is not None and choice.total is not None
    items, item, pick, options = map(asking.fresh, ("items", "item", "pick", "options"))
    allowed, picks, total = map(asking.fresh, ("allowed", "picks", "total"))
    scope.types[choice.item.name] = choice.item.type
    scope.names[choice.item.name] = item
    flow: Flow = [asking.members(items, choice.items), *asking.pay(f"len({items})")]
    flow.append(asking.bind(total, choice.total))
    numbers = asking.function(
        "numbers", "items, total", {choice.item.name: "item"}, lambda w: _numbers(asking, w)
    )
    flow.append(asking.code(f"{allowed} = {numbers}(M, {asking.own_text}{items}, {total})"))
    broken, _ = asking.judges()
    find = scope.unit.helper("search share", search.share)
    call = f"{find}(M, ({asking.own_text}), {items}, {allowed}, {picks}, {total}, {broken})"
    flow.append(asking.code(f"{picks} = ()"))
    room = scope.unit.helper("room to share", search.room)
    flow.append(asking.code(f"{total} = {room}({allowed}, {total})"))
    flow += asking.stuck(f"{total} < 0")
    body: Flow = [asking.code(f"{options} = {call}"), *asking.stuck(f"not {options}", item)]
    body += asking.part(options, pick, item)
    body.append(asking.code(f"{picks} += ({pick},)"))
    kept, index = asking.fresh("list"), asking.fresh("index")
    flow.append(Each(item, items, body, site, kept, index))
    return [*flow, asking.code(f"{asking.answer} = dict(zip({items}, {picks}))")]


def _numbers(asking: ChoiceScope, writer: Writer) -> list[str]:
    """The body of a function for the numbers that its bounds and final norms allow each item."""
    choice = asking.choice
    low = "0" if choice.low is None else f"max({writer.text(choice.low)}, 0)"
    high = "total" if choice.high is None else f"min({writer.text(choice.high)}, total)"
    numbers = f"few(range({low}, {high} + 1))"
    if asking.norms.option != TRUE:
        numbers = filter_call(writer, numbers, choice.option, asking.norms.option)
    return ["found = ()", f"for item in items: found += (tuple({numbers}),)", "return found"]
