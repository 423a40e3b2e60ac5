"""The verb `assign`: one option for each item, in id order.

Three ways to find an item's options: there is nothing to look ahead for; or covers are counted, in line,
where all items may get the same; or a function matches covers to items, or searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from rulekit.base.frozen import frozen
from rulekit.ir import Const, Expr, Local, Op, walk
from rulekit.runtime.codegen.choices.parts import ChoiceScope, Judges
from rulekit.runtime.codegen.expressions.loops import map_call
from rulekit.runtime.codegen.routines.flow import Branch, Code, Each, Flow, code
from rulekit.runtime.optimise import sets, sharing
from rulekit.runtime.support import completion, search

UNROLLED = 2
"""Up to so many covers are counted in line."""


@frozen
class _Names:
    """The variables of one `assign`."""

    items: str
    item: str
    pick: str
    mask: str
    free: str
    options: str


@frozen
class _Way:
    """How options are found: lines before the loop, lines for each item, and what to do after each.

    `after` runs for every item; `picked` only for those that got an option.  With `same` all items have
    the same options, found by the lines before the loop; with `free` any of them may have none.
    """

    setup: Flow
    find: Flow
    after: tuple[Code, ...] = ()
    picked: tuple[Code, ...] = ()
    same: bool = False
    free: bool = False


def assign(asking: ChoiceScope) -> Flow:
    """One option for each item."""
    choice, site, scope = asking.choice, asking.site, asking.scope
    assert choice.item is not None and choice.items is not None
    names = _Names(*map(asking.fresh, ("items", "item", "pick", "mask", "free", "options")))
    flow: Flow = [asking.members(names.items, choice.items), *asking.pay(f"len({names.items})")]
    scope.types[choice.item.name] = choice.item.type
    scope.names[choice.item.name] = names.item
    way = _way(asking, names)
    flow += way.setup
    flow.append(_empty(asking))
    listed = _list_options(asking, names, way.free)
    stuck = [] if way.free else asking.stuck(f"not {names.options}", names.item)
    if way.same:
        flow.append(listed)
    body = [*way.find, *([] if way.same else [listed]), *stuck]
    body += asking.part(names.options, names.pick, names.item)
    body += _take(asking, names, way)
    index = asking.fresh("index")
    flow.append(Each(names.item, names.items, body, site, names.items, index))
    return [*flow, *_whole(asking, names)]


def _list_options(asking: ChoiceScope, names: _Names, free: bool) -> Code:
    """The options of one item as a tuple, from the mask and whether it may have none."""
    match asking.choice.able:
        case "must":
            listed = f"BITS[{names.mask}]"
        case "none" if free:
            listed = f"(*BITS[{names.mask}], NONE)"
        case "none":
            listed = f"(*BITS[{names.mask}], NONE) if {names.free} else BITS[{names.mask}]"
        case "if_able" if free:
            listed = f"BITS[{names.mask}] or (NONE,)"
        case "if_able":
            listed = f"BITS[{names.mask}] or ((NONE,) if {names.free} else ())"
    return asking.code(f"{names.options} = {listed}")


def _empty(asking: ChoiceScope) -> Code:
    """The answer before any part is answered.

    What a frame holds is shared by clones and must never change, so that frames get a tuple of picks, to
    one more is soon added, and a map at the end.
    """
    nothing = "()" if asking.scope.build.form == "frames" else "{}"
    return asking.code(f"{asking.answer} = {nothing}")


def _whole(asking: ChoiceScope, names: _Names) -> Flow:
    """The answer once all parts are answered."""
    if asking.scope.build.form != "frames":
        return []
    answer, pairs = asking.answer, f"zip({names.items}, {asking.answer})"
    everyone = asking.choice.able == "must" or asking.maps_none()
    text = f"dict({pairs})" if everyone else f"{{x: y for x, y in {pairs} if y >= 0}}"
    return [asking.code(f"{answer} = {text}")]


def _take(asking: ChoiceScope, names: _Names, way: _Way) -> Flow:
    """Put an item's option into the answer."""
    answer, item, pick = asking.answer, names.item, names.pick
    if asking.scope.build.form == "frames":
        put = asking.code(f"{answer} += ({pick},)")
        if asking.choice.able == "must" or not way.picked:
            return [put, *way.picked, *way.after]
        return [put, Branch(f"{pick} >= 0", [*way.picked], [], asking.site), *way.after]
    put = asking.code(f"{answer}[{item}] = {pick}")
    if asking.choice.able == "must":
        return [put, *way.picked, *way.after]
    some = [*way.picked] if asking.maps_none() else [put, *way.picked]
    always = [put] if asking.maps_none() else []
    picked = [Branch(f"{pick} >= 0", [*some], [], asking.site)] if some else []
    return [*always, *picked, *way.after]


def _way(asking: ChoiceScope, names: _Names) -> _Way:
    """How the options of an item are found."""
    item = asking.choice.item
    assert item is not None
    legal = asking.legal(item)
    same = not any(item.name in walk.free(e) for e in (legal, *(c.test for c in asking.norms.covers)))
    may = asking.may_decline()
    if asking.norms.judged:
        return _way_by_search(asking, names, legal)
    if asking.choice.each is not None:
        return _way_by_matching(asking, names, legal)
    if not asking.norms.covers:
        return _plain_way(asking, names, legal, same)
    if same and len(asking.norms.covers) <= UNROLLED and not may:
        return _way_by_counting(asking, names, legal)
    return _way_by_matching(asking, names, legal)


def _plain_way(asking: ChoiceScope, names: _Names, legal: Expr, same: bool) -> _Way:
    """Nothing to look ahead for."""
    may = asking.may_decline()
    free = asking.choice.able != "must" and not may
    once: Flow = []
    by_item: Flow = []
    if same:
        once.append(asking.bind(names.mask, legal))
    else:
        base, legal = _share_common(asking, legal)
        once += base
        by_item.append(asking.bind(names.mask, legal))
    if may:
        by_item.append(asking.code(f"{names.free} = {may}"))
    return _Way(once, by_item, same=same and not may, free=free)


def _share_common(asking: ChoiceScope, legal: Expr) -> tuple[Flow, Expr]:
    """Bind the common part of all items' options to a variable, and the rest as it reads that."""
    item, optimised = asking.choice.item, asking.scope.optimised
    assert item is not None
    parts = sets.factors(legal)
    common: list[Expr] = [
        part for part in parts if item.name not in walk.free(part) and not isinstance(part, Const)
    ]
    if not common or optimised.facts.fallible(legal):
        return [], legal
    name = asking.fresh("common")
    shared: Expr = common[0]
    for part in common[1:]:
        shared = Op("inter", (shared, part), legal.type)
    base = Local(f"common {asking.choice.name}", legal.type)
    flow = asking.bind(name, shared)
    asking.scope.names[base.name] = name
    rest: Expr = base
    for part in parts:
        if part not in common:
            rest = Op("inter", (rest, part), legal.type)
    return [flow], rest


def _way_by_counting(asking: ChoiceScope, names: _Names, legal: Expr) -> _Way:
    """For each set of classes in play, what is still needed against the picks left."""
    base, left, chosen = asking.fresh("legal"), asking.fresh("left"), asking.fresh("chosen")
    classes = asking.classes()
    flow: Flow = [asking.bind(base, legal), *classes.setup]
    flow.append(asking.code(f"{left} = len({names.items}); {chosen} = 0"))
    lines = [f"{left} -= 1; {names.mask} = 0; {names.free} = False"]
    for play in product((True, False), repeat=len(classes.pairs)):
        allowed, needed = asking.fresh("allowed"), asking.fresh("needed")
        banned = " | ".join(own for (own, _), used in zip(classes.pairs, play, strict=True) if not used)
        wanted = [need for (_, need), used in zip(classes.pairs, play, strict=True) if used]
        flow.append(asking.code(f"{allowed} = {base} & ~({banned or 0})"))
        flow.append(asking.code(f"{needed} = {' | '.join([*wanted, classes.needed])}"))
        settled = f"({names.mask} != {base} or not {names.free})"
        tests = [] if all(play) else [settled, f"not {chosen} & ({banned})"]
        tests += [allowed] if asking.choice.able == "must" else []
        lines += [
            f"if {' and '.join(tests) or 'True'}:",
            f"    d = {needed} & ~{chosen}",
            f"    if not d & ~{allowed}:",
            "        n = d.bit_count()",
            f"        if n <= {left}: {names.mask} |= {allowed}; {names.free} = True",
            f"        elif n == {left} + 1: {names.mask} |= d",
        ]
    used = asking.code(f"{chosen} |= 1 << {names.pick}")
    return _Way(flow, [asking.code(*lines)], (), (used,))


def _way_by_matching(asking: ChoiceScope, names: _Names, legal: Expr) -> _Way:
    """Lists of options by item, made once; then a function for each item."""
    lists, picks, play, free = map(asking.fresh, ("lists", "picks", "play", "frees"))
    flow: Flow = [by_item(asking, names.items, lists, legal), _frees(asking, names, free)]
    flow.append(asking.code(f"{picks} = (); {play} = 0"))
    covers, pairs = covers_by_item(asking, names.items)
    flow += covers
    tests = [
        f"({own}[len({picks})] >> {names.pick} & 1) << {number}" for number, (own, _) in enumerate(pairs)
    ]
    more, always = asking.always()
    flow += more
    limit = asking.value(flow, "each", asking.choice.each, "-1")
    find = asking.scope.unit.helper("assigned options", completion.assigned_options)
    needed_always = " | ".join(always) or "0"
    arguments = f"{lists}, {as_tuple(pairs)}, {picks}, {play}, {needed_always}, {free}, {limit}"
    code = asking.code(f"{names.mask}, {names.free} = {find}({arguments})")
    moved = asking.code(f"{picks} += ({names.pick},)")
    playing = (asking.code(f"{play} |= {' | '.join(tests)}"),) if tests else ()
    return _Way(flow, [code], (moved,), playing)


def _way_by_search(asking: ChoiceScope, names: _Names, legal: Expr) -> _Way:
    """Lists of options by item, made once; then a search for each item."""
    lists, picks, free = map(asking.fresh, ("lists", "picks", "frees"))
    flow: Flow = [by_item(asking, names.items, lists, legal), _frees(asking, names, free)]
    setup, broken, hopeless = judges_of_items(asking, names.items)
    flow += setup
    limit = asking.value(flow, "each", asking.choice.each, "-1")
    flow.append(asking.code(f"{picks} = ()"))
    find = asking.scope.unit.helper("search assign", search.assign)
    own = f"M, ({asking.own_text}), {names.items}, {lists}"
    arguments = f"{own}, {picks}, {free}, {limit}, {broken}, {hopeless}"
    code = asking.code(f"{names.mask}, {names.free} = {find}({arguments})")
    kept = asking.code(f"{picks} += ({names.pick},)")
    return _Way(flow, [code], (kept,))


def _frees(asking: ChoiceScope, names: _Names, target: str) -> Code:
    """For each item whether it may be left without an option."""
    if asking.choice.able != "must" and asking.may_decline():
        return by_item(asking, names.items, target, asking.norms.declining)
    return asking.code(f"{target} = ({asking.choice.able != 'must'},) * len({names.items})")


def covers_by_item(asking: ChoiceScope, items: str) -> tuple[Flow, list[tuple[str, str]]]:
    """Variables with the options of each cover's class by item, and with what they need."""
    flow: Flow = []
    pairs: list[tuple[str, str]] = []
    for cover in asking.norms.covers:
        if not cover.always:
            own, needed = asking.fresh("class"), asking.fresh("needed")
            flow.append(by_item(asking, items, own, asking.of_class(cover.test)))
            flow.append(asking.bind(needed, cover.needed))
            pairs.append((own, needed))
    return flow, pairs


def as_tuple(pairs: Sequence[tuple[str, str]]) -> str:
    """Pairs of variables as the text of a tuple of pairs."""
    return f"({''.join(f'({one}, {other}), ' for one, other in pairs)})"


def judges_of_items(asking: ChoiceScope, items: str) -> tuple[Flow, str, str]:
    """The judges, after lines that bind, for each item, the parts of norms that no answer changes."""
    item, scope = asking.choice.item, asking.scope
    assert item is not None
    judges, targets = Judges(asking), dict[str, str]()
    own = frozenset(local for local, text in scope.names.items() if text in asking.own)
    for breach in (*judges.finished, *judges.partial) if not scope.optimised.plain else ():
        for e in sharing.invariant(scope.optimised.context, breach, own | {item.name}):
            if item.name in walk.free(e):
                values = map_call(scope.writer(asking.site, e), items, item, e)
                if values not in targets:
                    targets[values] = asking.fresh("same")
                asking.by_item[e] = Local(targets[values], e.type)
    asking.own += tuple(targets.values())
    flow = [asking.code(f"{target} = dict(zip({items}, {values}))") for values, target in targets.items()]
    return [*flow], judges.write_broken(), judges.write_hopeless()


def by_item(asking: ChoiceScope, items: str, target: str, e: Expr) -> Code:
    """A tuple of the values that an expression has for each item."""
    item = asking.choice.item
    assert item is not None
    writer = asking.scope.writer(asking.site, e)
    if item.name in walk.free(e):
        text = map_call(writer, items, item, e)
    else:
        text = f"({writer.text(e)},) * len({items})"
    return code(asking.site, f"{target} = {text}")
