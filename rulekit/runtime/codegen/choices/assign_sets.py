"""The verb `assign` with several options for each item: for each in id order, one more until done.

A function matches items to what covers need, and to options that only so many items may get; where norms
read the finished answer, it searches.
"""

from __future__ import annotations

from rulekit.base.frozen import frozen
from rulekit.ir import Const, Expr
from rulekit.ir.types import DONE
from rulekit.runtime.codegen.choices.assign import as_tuple, by_item, covers_by_item, judges_of_items
from rulekit.runtime.codegen.choices.parts import ChoiceScope
from rulekit.runtime.codegen.routines.flow import Branch, Break, Code, Each, Flow, While
from rulekit.runtime.support import completion, search_sets

NO_BOUND = 1 << 30
"""More options than there are."""


@frozen
class _Names:
    """The variables of one choice: all items, the one asked for, and tuples with a value for each item."""

    items: str
    item: str
    lists: str
    lows: str
    highs: str
    frees: str
    chosen: str
    mask: str
    done: str

    @property
    def by_item(self) -> str:
        """The tuples with a value for each item, as arguments."""
        return f"{self.lists}, {self.lows}, {self.highs}, {self.frees}"


def assign_sets(asking: ChoiceScope) -> Flow:
    """A set of options for each item."""
    choice, site, scope, answer = asking.choice, asking.site, asking.scope, asking.answer
    assert choice.item is not None and choice.items is not None
    words = ("items", "item", "lists", "lows", "highs", "frees", "chosen", "mask", "done")
    names = _Names(*map(asking.fresh, words))
    flow: Flow = [asking.members(names.items, choice.items), *asking.pay(f"len({names.items})")]
    scope.types[choice.item.name] = choice.item.type
    scope.names[choice.item.name] = names.item
    flow += _set_bounds(asking, names)
    setup, find = _next_option(asking, names)
    flow += [*setup, asking.code(f"{answer} = ()")]
    options, pick = asking.fresh("options"), asking.fresh("pick")
    more: Flow = [
        find,
        asking.code(f"{options} = BITS[{names.mask}] + ({DONE},) if {names.done} else BITS[{names.mask}]"),
        *asking.stuck(f"not {options}", names.item),
        *asking.part(options, pick, names.item),
        Branch(f"{pick} < 0", [Break(site)], [], site),
        asking.code(f"{names.chosen} |= 1 << {pick}"),
    ]
    body: Flow = [asking.code(f"{names.chosen} = 0"), While("True", more, site)]
    body.append(asking.code(f"{answer} += ({names.chosen},)"))
    kept, index = asking.fresh("list"), asking.fresh("index")
    flow.append(Each(names.item, names.items, body, site, kept, index))
    return [*flow, asking.code(f"{answer} = dict(zip({names.items}, {answer}))")]


def _set_bounds(asking: ChoiceScope, names: _Names) -> Flow:
    """For each item its options, how many it gets at least and at most, and whether it may have none."""
    choice = asking.choice
    legal = asking.legal(choice.item)
    flow: Flow = [by_item(asking, names.items, names.lists, legal)]
    for target, bound, default in ((names.lows, choice.low, 0), (names.highs, choice.high, NO_BOUND)):
        flow.append(_bound_of_each(asking, names, target, bound, default))
    declining = asking.norms.declining
    if choice.able == "must":
        flow.append(asking.code(f"{names.frees} = tuple([x == 0 for x in {names.lows}])"))
    elif asking.may_decline():
        flow.append(by_item(asking, names.items, names.frees, declining))
    else:
        flow.append(asking.code(f"{names.frees} = (True,) * len({names.items})"))
    return flow


def _bound_of_each(asking: ChoiceScope, names: _Names, target: str, bound: Expr | None, default: int) -> Code:
    if bound is None or isinstance(bound, Const):
        value = default if bound is None else bound.value
        return asking.code(f"{target} = ({value},) * len({names.items})")
    return by_item(asking, names.items, target, bound)


def _next_option(asking: ChoiceScope, names: _Names) -> tuple[Flow, Code]:
    """The preparation, and the line that finds what may be added to an item and whether it may be done.

    With `if able`, nothing at all is an answer only where there is nothing to add.
    """
    setup, call = _call(asking, names)
    lines = [f"{names.mask}, {names.done} = {call}"]
    if asking.choice.able == "if_able" and not _is_zero(asking.choice.low):
        low = f"{names.lows}[len({asking.answer})]"
        lines.append(f"if {names.mask} and not {names.chosen} and {low}: {names.done} = False")
    return setup, asking.code(*lines)


def _is_zero(low: Expr | None) -> bool:
    return low is None or isinstance(low, Const) and low.value == 0


def _call(asking: ChoiceScope, names: _Names) -> tuple[Flow, str]:
    choice, unit, answer = asking.choice, asking.scope.unit, asking.answer
    flow: Flow = []
    limit = asking.value(flow, "each", choice.each, "-1")
    if asking.norms.judged or asking.norms.searched:
        setup, broken, hopeless = judges_of_items(asking, names.items)
        flow += setup
        find = unit.helper("search assign_set", search_sets.assign_sets)
        own = f"M, ({asking.own_text}), {names.items}, {names.by_item}"
        return flow, f"{find}({own}, {limit}, {answer}, {names.chosen}, {broken}, {hopeless})"
    covers, pairs = covers_by_item(asking, names.items)
    more, always = asking.always()
    find = unit.helper("sets of options", completion.set_options)
    needs = f"{as_tuple(pairs)}, {' | '.join(always) or '0'}"
    call = f"{find}({names.by_item}, {needs}, {answer}, {names.chosen}, {limit})"
    return [*flow, *covers, *more], call
