"""The verb `assign`: one option for each item, in id order.

Three ways to find an item's options: there is nothing to look ahead for; or covers are counted, in line,
where all items may get the same; or a function matches covers to items, or searches.
"""

from __future__ import annotations

from itertools import product

from rulekit.base.frozen import frozen
from rulekit.ir import Const, Expr, Local, Op, walk
from rulekit.runtime.codegen.choices.parts import Asked
from rulekit.runtime.codegen.expressions.loops import mapped
from rulekit.runtime.codegen.routines.flow import Branch, Code, Each, Flow, line
from rulekit.runtime.optimise import sets
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


def assign(asked: Asked) -> Flow:
    """One option for each item."""
    choice, site, scope = asked.choice, asked.site, asked.scope
    assert choice.item is not None and choice.items is not None
    names = _Names(*map(asked.fresh, ("items", "item", "pick", "mask", "free", "options")))
    whole = walk.with_parts_replaced(choice.items, asked.shared)
    items = line(f"{names.items} = {scope.writer(site, whole).members(whole)}", site)
    flow: Flow = [Code([items], scope.reads(whole), frozenset((names.items,)))]
    scope.types[choice.item.name] = choice.item.type
    scope.names[choice.item.name] = names.item
    way = _way(asked, names)
    flow += way.setup
    flow.append(_empty(asked))
    listed = _listed(asked, names, way.free)
    stuck = [] if way.free else asked.stuck(f"not {names.options}", (names.options,), names.item)
    if way.same:
        flow.append(listed)
    body = [*way.find, *([] if way.same else [listed]), *stuck]
    body += asked.part(names.options, names.pick, names.item)
    body += _taken(asked, names, way)
    index = asked.fresh("index")
    flow.append(Each(names.item, names.items, frozenset((names.items,)), body, site, names.items, index))
    return [*flow, *_whole(asked, names)]


def _listed(asked: Asked, names: _Names, free: bool) -> Code:
    """The options of one item as a tuple, from the mask and whether it may have none."""
    match asked.choice.able:
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
    reads = (names.mask,) if free or asked.choice.able == "must" else (names.mask, names.free)
    return asked.code(f"{names.options} = {listed}", reads=reads, sets=(names.options,))


def _empty(asked: Asked) -> Code:
    """The answer before any part is answered.

    What a frame holds is shared by clones and must never change, so that frames get a tuple of picks, to
    one more is soon added, and a map at the end.
    """
    nothing = "()" if asked.scope.build.form == "frames" else "{}"
    return asked.code(f"{asked.answer} = {nothing}", sets=(asked.answer,))


def _whole(asked: Asked, names: _Names) -> Flow:
    """The answer once all parts are answered."""
    if asked.scope.build.form != "frames":
        return []
    answer, pairs = asked.answer, f"zip({names.items}, {asked.answer})"
    everyone = asked.choice.able == "must" or asked.maps_none()
    text = f"dict({pairs})" if everyone else f"{{x: y for x, y in {pairs} if y >= 0}}"
    return [asked.code(f"{answer} = {text}", reads=(answer, names.items), sets=(answer,))]


def _taken(asked: Asked, names: _Names, way: _Way) -> Flow:
    """Put an item's option into the answer."""
    answer, item, pick = asked.answer, names.item, names.pick
    if asked.scope.build.form == "frames":
        put = asked.code(f"{answer} += ({pick},)", reads=(answer, pick), sets=(answer,))
        if asked.choice.able == "must" or not way.picked:
            return [put, *way.picked, *way.after]
        return [put, Branch(f"{pick} >= 0", frozenset((pick,)), [*way.picked], [], asked.site), *way.after]
    put = asked.code(f"{answer}[{item}] = {pick}", reads=(answer, item, pick), sets=(answer,))
    if asked.choice.able == "must":
        return [put, *way.picked, *way.after]
    some = [*way.picked] if asked.maps_none() else [put, *way.picked]
    always = [put] if asked.maps_none() else []
    picked = [Branch(f"{pick} >= 0", frozenset((pick,)), [*some], [], asked.site)] if some else []
    return [*always, *picked, *way.after]


def _way(asked: Asked, names: _Names) -> _Way:
    """How the options of an item are found."""
    item = asked.choice.item
    assert item is not None
    legal = asked.legal(item)
    same = not any(item.name in walk.free(e) for e in (legal, *(c.test for c in asked.norms.covers)))
    may, _ = asked.may_decline()
    if asked.norms.judged:
        return _searched(asked, names, legal)
    if asked.choice.each is not None:
        return _matched(asked, names, legal)
    if not asked.norms.covers:
        return _plain(asked, names, legal, same)
    if same and len(asked.norms.covers) <= UNROLLED and not may:
        return _counted(asked, names, legal)
    return _matched(asked, names, legal)


def _plain(asked: Asked, names: _Names, legal: Expr, same: bool) -> _Way:
    """Nothing to look ahead for."""
    may, reads = asked.may_decline()
    free = asked.choice.able != "must" and not may
    once: Flow = []
    each: Flow = []
    if same:
        once.append(asked.bind(names.mask, legal))
    else:
        base, legal = _shared(asked, legal)
        once += base
        each.append(asked.bind(names.mask, legal, names.item))
    if may:
        each.append(asked.code(f"{names.free} = {may}", reads=(*reads, names.item), sets=(names.free,)))
    return _Way(once, each, same=same and not may, free=free)


def _shared(asked: Asked, legal: Expr) -> tuple[Flow, Expr]:
    """What all items' options have in common in a variable of its own, and the rest as it reads that."""
    item, optimised = asked.choice.item, asked.scope.optimised
    assert item is not None
    parts = sets.factors(legal)
    common: list[Expr] = [
        part for part in parts if item.name not in walk.free(part) and not isinstance(part, Const)
    ]
    if not common or optimised.facts.fallible(legal):
        return [], legal
    name = asked.fresh("common")
    found: Expr = common[0]
    for part in common[1:]:
        found = Op("inter", (found, part), legal.type)
    base = Local(f"common {asked.choice.name}", legal.type)
    flow = asked.bind(name, found)
    asked.scope.names[base.name] = name
    rest: Expr = base
    for part in parts:
        if part not in common:
            rest = Op("inter", (rest, part), legal.type)
    return [flow], rest


def _counted(asked: Asked, names: _Names, legal: Expr) -> _Way:
    """For each set of classes in play, what is still needed against the picks left."""
    base, left, chosen = asked.fresh("legal"), asked.fresh("left"), asked.fresh("chosen")
    classes = asked.classes()
    flow: Flow = [asked.bind(base, legal), *classes.setup]
    start = f"{left} = len({names.items}); {chosen} = 0"
    flow.append(asked.code(start, reads=(names.items,), sets=(left, chosen)))
    lines = [f"{left} -= 1; {names.mask} = 0; {names.free} = False"]
    reads = {left, chosen, base}
    for play in product((True, False), repeat=len(classes.pairs)):
        allowed, needed = asked.fresh("allowed"), asked.fresh("needed")
        banned = " | ".join(own for (own, _), used in zip(classes.pairs, play, strict=True) if not used)
        wanted = [need for (_, need), used in zip(classes.pairs, play, strict=True) if used]
        texts = (
            f"{allowed} = {base} & ~({banned or 0})",
            f"{needed} = {' | '.join([*wanted, classes.needed])}",
        )
        flow.append(asked.code(*texts, reads=(base, *classes.names), sets=(allowed, needed)))
        settled = f"({names.mask} != {base} or not {names.free})"
        tests = [] if all(play) else [settled, f"not {chosen} & ({banned})"]
        tests += [allowed] if asked.choice.able == "must" else []
        lines += [
            f"if {' and '.join(tests) or 'True'}:",
            f"    d = {needed} & ~{chosen}",
            f"    if not d & ~{allowed}:",
            "        n = d.bit_count()",
            f"        if n <= {left}: {names.mask} |= {allowed}; {names.free} = True",
            f"        elif n == {left} + 1: {names.mask} |= d",
        ]
        reads |= {allowed, needed, *classes.names}
    find = asked.code(*lines, reads=tuple(reads), sets=(left, names.mask, names.free))
    used = asked.code(f"{chosen} |= 1 << {names.pick}", reads=(chosen, names.pick), sets=(chosen,))
    return _Way(flow, [find], (), (used,))


def _matched(asked: Asked, names: _Names, legal: Expr) -> _Way:
    """Lists of options by item, made once; then a function for each item."""
    lists, picks, play, free = map(asked.fresh, ("lists", "picks", "play", "frees"))
    flow: Flow = [_by_item(asked, names, lists, legal), _frees(asked, names, free)]
    flow.append(asked.code(f"{picks} = (); {play} = 0", sets=(picks, play)))
    pairs: list[str] = []
    used: list[str] = []
    tests: list[str] = []
    for cover in asked.norms.covers:
        if cover.always:
            continue
        own, needed = asked.fresh("class"), asked.fresh("needed")
        flow += [_by_item(asked, names, own, asked.of_class(cover.test)), asked.bind(needed, cover.needed)]
        tests.append(f"({own}[len({picks})] >> {names.pick} & 1) << {len(pairs)}")
        pairs.append(f"({own}, {needed}), ")
        used += [own, needed]
    more, always = asked.always()
    bound, each = asked.value("each", asked.choice.each, "-1")
    find = asked.scope.unit.helper("assigned options", completion.assigned_options)
    needed_always = " | ".join(always) or "0"
    arguments = f"{lists}, ({''.join(pairs)}), {picks}, {play}, {needed_always}, {free}, {each}"
    reads = (lists, picks, play, free, *used, *always, *_named(each))
    sets = (names.mask, names.free)
    code = asked.code(f"{names.mask}, {names.free} = {find}({arguments})", reads=reads, sets=sets)
    moved = asked.code(f"{picks} += ({names.pick},)", reads=(picks, names.pick), sets=(picks,))
    text = f"{play} |= {' | '.join(tests)}"
    playing = (asked.code(text, reads=(play, picks, names.pick, *used), sets=(play,)),) if tests else ()
    return _Way(flow + more + bound, [code], (moved,), playing)


def _searched(asked: Asked, names: _Names, legal: Expr) -> _Way:
    """Lists of options by item, made once; then a search for each item."""
    lists, picks, free = map(asked.fresh, ("lists", "picks", "frees"))
    broken, hopeless = asked.judges()
    bound, each = asked.value("each", asked.choice.each, "-1")
    find = asked.scope.unit.helper("search assign", search.assign)
    own = "".join(f"{name}, " for name in asked.own)
    arguments = f"M, ({own}), {names.items}, {lists}, {picks}, {free}, {each}, {broken}, {hopeless}"
    flow: Flow = [_by_item(asked, names, lists, legal), _frees(asked, names, free), *bound]
    flow.append(asked.code(f"{picks} = ()", sets=(picks,)))
    reads = (*asked.own, names.items, lists, picks, free, *_named(each))
    sets = (names.mask, names.free)
    code = asked.code(f"{names.mask}, {names.free} = {find}({arguments})", reads=reads, sets=sets)
    kept = asked.code(f"{picks} += ({names.pick},)", reads=(picks, names.pick), sets=(picks,))
    return _Way(flow, [code], (kept,))


def _named(text: str) -> tuple[str, ...]:
    """The variable that a text is, if it is one."""
    return (text,) if text.startswith("v") else ()


def _frees(asked: Asked, names: _Names, target: str) -> Code:
    """For each item whether it may be left without an option."""
    if asked.choice.able != "must" and asked.may_decline()[0]:
        return _by_item(asked, names, target, asked.norms.declining)
    text = f"{target} = ({asked.choice.able != 'must'},) * len({names.items})"
    return asked.code(text, reads=(names.items,), sets=(target,))


def _by_item(asked: Asked, names: _Names, target: str, e: Expr) -> Code:
    """A tuple of the values that an expression has for each item."""
    item = asked.choice.item
    assert item is not None
    writer = asked.scope.writer(asked.site, e)
    reads = asked.scope.reads(e) - {names.item} | {names.items}
    if item.name in walk.free(e):
        text = mapped(writer, names.items, item, e)
    else:
        text = f"({writer.text(e)},) * len({names.items})"
    return Code([line(f"{target} = {text}", asked.site)], reads, frozenset((target,)))
