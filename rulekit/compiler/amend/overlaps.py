"""Whether two amendments that reach one point have an order, or can act together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, is_dataclass

from rulekit.base.source import Span
from rulekit.compiler.amend.draft import Draft, Patch, conjunction
from rulekit.compiler.amend.order import Relations
from rulekit.compiler.amend.targets import SPACES, Target
from rulekit.compiler.names import Clash, Names
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.walk import nodes


def report_clash(
    draft: Draft, finding: Diagnostic, conditions: tuple[x.Expr | None, ...], params: tuple[i.Param, ...] = ()
) -> bool:
    """Report a clash, at once if it is certain; else leave it to be decided, by a definition made for it.

    True if it is certain.

    Args:
        conditions: Under which each of the two acts; None is always.
        params: What the conditions may read.
    """
    parts = [part for condition in conditions for part in _parts(condition)]
    if any(
        isinstance(part, x.Not) and same(_bare(part.value), _bare(other)) for part in parts for other in parts
    ):
        return False  # one holds only where the other does not
    both = conjunction(conditions)
    if both is None:
        draft.findings.add(finding)
        return True
    name = draft.free("defines", f"clash'{len(draft.clashes) + 1}")
    case = i.Case(finding.span, None, None, both)
    named = x.Name(finding.span, name)
    draft.space("defines")[name] = i.Define(finding.span, None, named, params, None, (case,))
    draft.clashes.append(Clash(finding, name))
    return False


def _parts(condition: x.Expr | None) -> list[x.Expr]:
    """What must hold, one by one."""
    if condition is None:
        return []
    bare = _bare(condition)
    return (
        [*_parts(bare.left), *_parts(bare.right)]
        if isinstance(bare, x.Logic) and bare.op == "and"
        else [bare]
    )


def _bare(e: x.Expr) -> x.Expr:
    return e.value if isinstance(e, x.Outside) else e


def same(left: object, right: object) -> bool:
    """Whether two pieces of syntax say the same, wherever they stand and whatever they cite."""
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, Span | Cite):
        return True
    if is_dataclass(left):
        return all(same(getattr(left, part.name), getattr(right, part.name)) for part in fields(left))
    return left == right


def reads_only(e: object, names: Collection[str]) -> bool:
    """Whether an expression reads none of what is known only where it stands: these names, and `its`."""
    return not any(isinstance(node, x.It | x.Its) or _named(node) in names for node in nodes(e))


def _named(node: object) -> str:
    return node.name.text if isinstance(node, x.Reference | x.Call) else ""


_ALONE = ("define", "procedure", "state", "decider", "let", "event", "invariant", "roll")
"""What is one thing whatever is done to it."""
_DOES = {"instead": "replace", "widen": "widen", "ends": "set the ends of"}
_DONE = {"instead": "replaced", "widen": "widened", "ends": "set"}
_OWN_ORIGINAL = ("define", "procedure")
_CONTENT = tuple(
    f.name for f in fields(i.Amendment) if f.name not in ("span", "cite", "op", "address", "clauses")
)
"""What an amendment brings."""


def check_order(patches: Iterable[Patch], names: Names, relations: Relations, draft: Draft) -> None:
    """Two variants that reach one point in one situation: one says that it is over the other, or with it.

    Those that say the same need no order (spec 11.5).
    """
    before: dict[tuple[Target, str], list[Patch]] = {}
    for patch in patches:
        way = manner_of(patch)
        if not way:
            continue
        for earlier in (*before.get((patch.target, way), ()), *_around(patch, before, names)):
            if not _settled(earlier, patch, relations, draft) and _tell(earlier, patch, names, draft):
                break  # what else it clashes with is of the same cause
        before.setdefault((patch.target, way), []).append(patch)


def manner_of(patch: Patch) -> str:
    """How an amendment needs its point for itself: in place of it, or beside it; empty if it does not.

    A calendar's ends are one point, the month that it is another.
    """
    op = patch.amendment.op
    if op in ("before", "after"):
        return op
    if patch.amendment.months is not None:
        return "ends"
    if op == "widen":  # of ranges the widest holds, of other types there is one
        return "" if patch.amendment.most or hasattr(patch.amendment.type, "low") else "widen"
    if patch.target.word in _ALONE and op != "add":
        return "instead"
    return "instead" if op in ("replace", "remove", "set", "redefine") else ""


def _around(patch: Patch, before: dict[tuple[Target, str], list[Patch]], names: Names) -> Sequence[Patch]:
    """What was done to the whole of which this is a part, or to parts of this whole."""
    if manner_of(patch) != "instead":
        return ()
    return [
        earlier
        for (reached, way), all_ in before.items()
        if way == "instead"
        and (part_of(patch.target, reached, names) or part_of(reached, patch.target, names))
        for earlier in all_
    ]


def part_of(part: Target, whole: Target, names: Names) -> bool:
    """Whether replacing the whole takes away what is done to the part."""
    if part.name != whole.name:
        return False
    if whole.word == "table":
        return part.word in ("row", "cell")
    if whole.word == "row":
        return part.word == "cell" and part.part == whole.part
    if whole.word == "choice":
        declared = {norm.span for norm in names.choices[whole.name].norms}
        return part.word in ("verb", "let") or (part.word == "norm" and part.part in declared)
    return whole.word == "verb" and part.word == "let"


def _settled(earlier: Patch, patch: Patch, relations: Relations, draft: Draft) -> bool:
    first, second = earlier.activation.variant, patch.activation.variant
    if first is second or relations.prevails(second, first):
        return True
    one, two = earlier.amendment, patch.amendment
    if one.op == two.op == "remove":
        return True
    alike = all(same(getattr(one, part), getattr(two, part)) for part in _CONTENT)
    if earlier.target == patch.target and one.op == two.op and alike:
        return True
    return relations.beside(second, first) and check_combination(earlier, patch, draft)


def _tell(earlier: Patch, patch: Patch, names: Names, draft: Draft) -> bool:
    """Whether it is certain that the two act together; else that is left to be found out."""
    first, second = earlier.activation.variant, patch.activation.variant
    where = f"part of `{patch.target.name}`" if patch.target.part is not None else f"`{patch.target.name}`"
    way = manner_of(patch)
    does = _DOES.get(way, f"insert statements {way} one step of")
    where = where if way == "instead" else f"`{patch.target.name}`"
    message = f"{called(earlier)} and {called(patch)} both {does} {where}"
    order = f"`over {first.name.text}` in `{second.name.text}`"
    hint = f"decide which takes precedence: write {order}, or the reverse"
    done = _DONE.get(way, "done")
    label = Label(earlier.amendment.span, f"{done} here by `{first.name.text}`")
    key = (f"{patch.target.word} {patch.target.name}", first.name.text, second.name.text)
    finding = Diagnostic(kinds.UNORDERED_AMENDMENTS, message, patch.amendment.span, (label,), hint, key=key)
    params, hidden = _readable(patch.target, names)
    conditions = tuple(_condition(one, hidden) for one in (earlier, patch))
    return report_clash(draft, finding, conditions, params)


def called(patch: Patch) -> str:
    """A variant with its author and the printed number of what it does."""
    variant = patch.activation.variant
    by = f" by {variant.author}" if variant.author else ""
    cite = patch.amendment.cite or variant.cite
    return f"`{variant.name.text}`{by}" + (f" [{', '.join(cite.ids)}]" if cite is not None else "")


def _condition(patch: Patch, hidden: frozenset[str] | None) -> x.Expr | None:
    """When an amendment acts, as far as it can be said away from its place: at least then."""
    own = tuple(
        clause for clause in patch.amendment.clauses if hidden is not None and reads_only(clause, hidden)
    )
    return patch.activation.condition(own)


def _readable(target: Target, names: Names) -> tuple[tuple[i.Param, ...], frozenset[str] | None]:
    """The parameters of what is reached, and the names that are known only inside it; None: any may be."""
    if target.word == "norm":
        choice = names.choices[target.name]
        asked = (choice.verb.item, choice.verb.option, *(let.name for let in choice.lets))
        own = {name.text for name in asked if name is not None}
        return choice.params, frozenset({*own, "answer", "chosen", "before"})
    space = _HOMES.get(target.word) or SPACES.get(target.of or target.word)
    if space is None:
        return (), None
    item = getattr(names, space)[target.name]
    return getattr(item, "params", ()), frozenset()


_HOMES = {"row": "tables", "cell": "tables"}


# -- active together


def check_combination(earlier: Patch, patch: Patch, draft: Draft) -> bool:
    """Whether two that are to act together can; if not, that is told.

    Always true: nothing else is to be told of them.
    """
    first, second = earlier.activation.variant.name.text, patch.activation.variant.name.text
    one, two = earlier.amendment, patch.amendment
    hint = f"decide which takes precedence: write `over {first}` in `{second}`, or the reverse"
    why = ""
    if one.op in ("before", "after"):
        pass
    elif earlier.target == patch.target and patch.target.word in ("norm", "statement"):
        if "remove" in (one.op, two.op):
            why = "one removes what the other replaces"
    elif earlier.target == patch.target and patch.target.word in _OWN_ORIGINAL:
        if not uses_original(patch):
            why = f"`{second}` discards the change of `{first}`"
            hint = f"use `original`, which is the result of `{first}`, or {hint}"
    else:
        why = "only one of them can apply"
    if why:
        message = f"`{second}` cannot combine with `{first}`: {why}"
        label = Label(one.span, f"the amendment of `{first}`")
        draft.report(kinds.UNORDERED_AMENDMENTS, message, two.span, hint, label)
    return True


def uses_original(patch: Patch) -> bool:
    """Whether what replaces a definition or procedure asks for what was there."""
    for node in nodes((patch.amendment.cases, patch.amendment.body)):
        match node:
            case x.Call(name=x.Name(text="original")) | x.Reference(name=x.Name(text="original")):
                return True
            case s.Do(call=x.Call(name=x.Name(text="original"))):
                return True
    return False
