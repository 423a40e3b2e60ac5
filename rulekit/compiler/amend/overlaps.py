"""Whether amendments that reach one point have an order, act together, or leave nothing of one another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from math import inf
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.amend.containment import Containment, leaves_text_out, uses_original
from rulekit.compiler.amend.draft import Draft, Patch, conjunction
from rulekit.compiler.amend.order import Relations, is_over
from rulekit.compiler.amend.targets import SAME, SPACES, Target
from rulekit.compiler.names import SPACES as HOMES
from rulekit.compiler.names import Clash, Meeting, Names
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import nodes, same


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
    if _contradict(parts):
        draft.clashes.append(Clash(finding, ""))
        return False
    both = conjunction(conditions)
    if both is None:
        draft.findings.add(finding)
        return True
    draft.clashes.append(Clash(finding, _probe(draft, finding.span, both, params)))
    return False


def _probe(draft: Draft, span: Span, condition: x.Expr, params: tuple[i.Param, ...] = ()) -> str:
    """Declare a definition that holds where a condition does, and return its name."""
    name = draft.free("defines", f"clash'{len(draft.clashes) + len(draft.unmet) + 1}")
    case = i.Case(span, None, None, condition)
    draft.space("defines")[name] = i.Define(span, None, x.Name(span, name), params, None, (case,))
    return name


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


def _contradict(parts: Sequence[x.Expr]) -> bool:
    """True if two conditions plainly never hold together: a negation, or ranges that do not meet."""
    if any(
        isinstance(part, x.Not) and same(_bare(part.value), _bare(other)) for part in parts for other in parts
    ):
        return True
    ranges: list[tuple[x.Expr, float, float]] = []
    for part in parts:
        if not isinstance(part, x.Compare) or not isinstance(part.right, x.Integer):
            continue
        low, high = _RANGES[part.op](part.right.value)
        if any(same(left, part.left) and (high < least or low > most) for left, least, most in ranges):
            return True
        ranges.append((part.left, low, high))
    return False


_RANGES: Mapping[str, Callable[[int], tuple[float, float]]] = {
    "=": lambda value: (2 * value, 2 * value),
    "<": lambda value: (-inf, 2 * value - 1),
    "<=": lambda value: (-inf, 2 * value),
    ">": lambda value: (2 * value + 1, inf),
    ">=": lambda value: (2 * value, inf),
}
"""The range left of a comparison with a constant, in halves: a ratio may be between two integers."""


def _bare(e: x.Expr) -> x.Expr:
    return e.value if isinstance(e, x.Outside) else e


def reads_only(e: object, names: Collection[str]) -> bool:
    """Whether an expression reads none of what is known only where it stands: these names, and `its`."""
    return not any(isinstance(node, x.It | x.Its) or _name_of(node) in names for node in nodes(e))


def _name_of(node: object) -> str:
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


def check_order(
    patches: Iterable[Patch], names: Names, relations: Relations, draft: Draft, containment: Containment
) -> None:
    """Report two variants that change one point, or a whole and its part, in one situation without an order.

    Those that say the same need no order (spec 11.5).
    """
    at_point: dict[tuple[Target, str], list[Patch]] = {}
    of_item: dict[str, list[Patch]] = {}
    wholes_of_item: dict[str, list[Patch]] = {}
    of_mark: dict[tuple[Target, str], list[tuple[Patch, i.Note]]] = {}
    for patch in patches:
        point = (patch.target, manner_of(patch))
        meetings = [_Meeting(earlier, patch) for earlier in at_point.get(point, ())]
        root = containment.root(patch)
        in_item, wholes = of_item.setdefault(root, []), wholes_of_item.setdefault(root, [])
        is_whole = leaves_text_out(patch)
        for earlier in in_item if is_whole else wholes:
            if containment.takes(earlier, patch):
                meetings.append(_Meeting(earlier, patch, whole=earlier))
            elif containment.takes(patch, earlier):
                meetings.append(_Meeting(earlier, patch, whole=patch))
        meetings += _meetings_of_notes(patch, of_mark)
        for meeting in meetings:
            if meeting.is_of_one:
                continue
            if why := _reason_in_order(meeting, relations, draft, root):
                draft.meetings.append(meeting.in_order(why))
            elif _report_meeting(meeting, names, draft, root):
                break  # what else it clashes with is of the same cause
        in_item.append(patch)
        if is_whole:
            wholes.append(patch)
        if manner_of(patch):
            at_point.setdefault(point, []).append(patch)


@frozen
class _Meeting:
    """Two amendments of different variants that need an order.

    Attributes:
        whole: The one that leaves out what the other changes; None if both change one point.
        notes: The notes that both add for one mark of a table, if that is what they do.
    """

    earlier: Patch
    later: Patch
    whole: Patch | None = None
    notes: tuple[i.Note, ...] = ()

    @property
    def is_of_one(self) -> bool:
        """True if one variant makes both."""
        return self.earlier.activation.variant is self.later.activation.variant

    def in_order(self, why: str) -> Meeting:
        """Return the meeting as the names keep it."""
        target, span = self.later.target, self.later.amendment.span
        names = (self.earlier.activation.variant.name.text, self.later.activation.variant.name.text)
        return Meeting(f"{target.word} {target.name}", names, span, why)

    @property
    def alike(self) -> bool:
        """Whether both make the same change."""
        one, two = self.earlier.amendment, self.later.amendment
        return (
            self.earlier.target == self.later.target
            and one.op == two.op
            and all(same(getattr(one, part), getattr(two, part)) for part in _CONTENT)
        )

    @property
    def acts_twice(self) -> bool:
        """Whether the same change, made by both, is made twice: it builds on what was there."""
        return self.later.amendment.op in ("before", "after") or uses_original(self.later)

    @property
    def part(self) -> Patch:
        """The one whose change the other leaves out; of two that change one point the later."""
        return self.earlier if self.whole is self.later else self.later


def _meetings_of_notes(
    patch: Patch, of_mark: dict[tuple[Target, str], list[tuple[Patch, i.Note]]]
) -> list[_Meeting]:
    """The meetings of the notes that an amendment adds with those that others add for the same marks."""
    meetings = []
    for note in patch.amendment.notes if patch.amendment.op == "add" else ():
        others = of_mark.setdefault((patch.target, note.mark), [])
        meetings += [_Meeting(earlier, patch, notes=(other, note)) for earlier, other in others]
        others.append((patch, note))
    return meetings


def manner_of(patch: Patch) -> str:
    """How an amendment needs its point for itself: in place of it, or beside it; empty if it does not.

    A calendar's ends are one point, the month that it is another.
    """
    op = patch.amendment.op
    if op in ("before", "after"):
        return op
    if patch.amendment.months is not None:
        return "ends"
    if op == "widen":  # of ranges, numbers and depths the widest holds, of other types there is one
        widest = patch.amendment.most or patch.amendment.deep or hasattr(patch.amendment.type, "low")
        return "" if widest else "widen"
    if patch.target.word in _ALONE and op != "add":
        return "instead"
    return "instead" if op in ("replace", "remove", "set", "redefine") else ""


def _reason_in_order(meeting: _Meeting, relations: Relations, draft: Draft, root: str) -> str:
    """Return why two variants need no order, or the order that they have; empty if they need one."""
    earlier, later = meeting.earlier, meeting.later
    first, second = earlier.activation.variant, later.activation.variant
    if relations.prevails(second, first):
        return f"`{second.name.text}` is over `{first.name.text}`"
    if earlier.amendment.op == later.amendment.op == "remove":
        return "both remove it"
    if meeting.alike and not meeting.acts_twice:
        return "both make the same change"
    if relations.beside(second, first):
        if not meeting.alike:
            check_combination(meeting, draft, root)
        return f"`{second.name.text}` is with `{first.name.text}`"
    return ""


def _report_meeting(meeting: _Meeting, names: Names, draft: Draft, root: str) -> bool:
    """True if it is certain that the two act together; else the finding waits for the prover."""
    earlier, later = meeting.earlier, meeting.later
    first, second = (patch.activation.variant.name.text for patch in (earlier, later))
    if meeting.whole is not None:
        finding = _whole_and_part(meeting, root)
    elif meeting.alike:
        finding = _twice(earlier, later)
    else:
        finding = _same_point(earlier, later, [note.mark for note in meeting.notes])
    key = (f"{later.target.word} {later.target.name}", first, second)
    params, hidden = _readable(later.target, names)
    conditions = (
        *(_condition(patch, hidden) for patch in (earlier, later)),
        *(note.condition for note in meeting.notes),
    )
    return report_clash(draft, replace(finding, key=key), conditions, params)


def _twice(earlier: Patch, later: Patch) -> Diagnostic:
    """The finding of one change that two variants make, each on top of the other."""
    first, second = (patch.activation.variant.name.text for patch in (earlier, later))
    where = f"part of `{later.target.name}`" if later.target.part is not None else f"`{later.target.name}`"
    message = f"{title_of(earlier)} and {title_of(later)} make the same change of {where}, and both act"
    hint = f"write `excludes {first}` in `{second}`, or `with {first}` if the change is meant twice"
    label = Label(earlier.amendment.span, f"the same change by `{first}`")
    return Diagnostic(kinds.CHANGED_TWICE, message, later.amendment.span, (label,), hint)


def _same_point(earlier: Patch, later: Patch, marks: Sequence[str]) -> Diagnostic:
    first, second = (patch.activation.variant.name.text for patch in (earlier, later))
    manner = manner_of(later)
    is_part = later.target.part is not None and manner == "instead"
    where = f"part of `{later.target.name}`" if is_part else f"`{later.target.name}`"
    does = _DOES.get(manner, f"insert statements {manner} one step of")
    if marks:
        does, where = f"add a note `{marks[0]}` to", f"`{later.target.name}`"
    message = f"{title_of(earlier)} and {title_of(later)} both {does} {where}"
    hint = f"decide which takes precedence: write `over {first}` in `{second}`, or the reverse"
    label = Label(earlier.amendment.span, f"{_DONE.get(manner, 'done')} here by `{first}`")
    return Diagnostic(kinds.UNORDERED_AMENDMENTS, message, later.amendment.span, (label,), hint)


def _whole_and_part(meeting: _Meeting, root: str) -> Diagnostic:
    whole, part = meeting.whole, meeting.part
    assert whole is not None
    one, other = whole.activation.variant.name.text, part.activation.variant.name.text
    does = "removes" if whole.amendment.op == "remove" else "replaces"
    message = f"{title_of(part)} changes {in_words(part.target, root)}, which {title_of(whole)} {does}"
    hint = f"write `over {other}` in `{one}` to leave that change out"
    if whole.target.word in _OWN_ORIGINAL:
        hint += ", or use `original` in it to keep the change"
    hint += f"; write `over {one}` in `{other}` to change the new text; or let one exclude the other"
    done = f"{does.removesuffix('s')}d" if meeting.earlier is whole else "changed"
    label = Label(
        meeting.earlier.amendment.span, f"{done} here by `{meeting.earlier.activation.variant.name.text}`"
    )
    return Diagnostic(kinds.UNORDERED_AMENDMENTS, message, meeting.later.amendment.span, (label,), hint)


def in_words(target: Target, item: str) -> str:
    """What an amendment changes, for a message.

    Args:
        item: The name of the item that it is a part of.
    """
    if target.word == "let":
        return f"`let {target.inner}` of `{item}`"
    if target.word in _PARTS:
        return f"{_PARTS[target.word]} of `{item}`"
    return f"{target.word} `{target.name}`"


_PARTS = {
    "statement": "a statement",
    "row": "a row",
    "cell": "a cell",
    "case": "a line",
    "clause": "a clause",
    "norm": "a norm",
    "verb": "the verb",
    "decider": "the decider",
}


def title_of(patch: Patch) -> str:
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
        own = {name.text for name in (*choice.verb.names, *(let.name for let in choice.lets))}
        return choice.params, frozenset({*own, "answer", "chosen", "before"})
    space = _HOMES.get(target.word) or SPACES.get(target.of or target.word)
    if space is None:
        return (), None
    item = getattr(names, space)[target.name]
    return getattr(item, "params", ()), frozenset()


_HOMES = {"row": "tables", "cell": "tables"}


# -- active together


def check_combination(meeting: _Meeting, draft: Draft, root: str) -> None:
    """Report two that are to act together and cannot."""
    earlier, patch = meeting.earlier, meeting.later
    first, second = earlier.activation.variant.name.text, patch.activation.variant.name.text
    one, two = earlier.amendment, patch.amendment
    hint = f"decide which takes precedence: write `over {first}` in `{second}`, or the reverse"
    why = ""
    if meeting.whole is not None:
        part = meeting.part
        why = f"`{meeting.whole.activation.variant.name.text}` leaves out {in_words(part.target, root)}"
    elif one.op in ("before", "after"):
        pass
    elif patch.target.word in ("norm", "statement"):
        if "remove" in (one.op, two.op):
            why = "one removes what the other replaces"
    elif patch.target.word in _OWN_ORIGINAL:
        if not uses_original(patch):
            why = f"`{second}` discards the change of `{first}`"
            hint = f"use `original`, which is the result of `{first}`, or {hint}"
    else:
        why = "only one of them can apply"
    if why:
        message = f"`{second}` cannot combine with `{first}`: {why}"
        label = Label(one.span, f"the amendment of `{first}`")
        draft.report(kinds.UNORDERED_AMENDMENTS, message, two.span, hint, label)


_NO_EFFECT = (i.Variant, i.Example, i.Claim, i.Errata)
"""What changes nothing of play."""


def report_idle(
    patches: Sequence[Patch], names: Names, relations: Relations, draft: Draft, containment: Containment
) -> None:
    """Report amendments that set what is so, and variants that others override in all that they say."""
    for patch in patches:
        declared = _declaration_of(patch, names)
        if declared is not None and _alone(patch, patches, containment):
            draft.findings.add(_says_what_is_so(patch, declared))
        bringing = containment.bringing(patch.target.part) if patch.target.part is not None else None
        if bringing is not None:
            _report_never_together(patch, bringing, draft)
    needs = {name: {other.text for other in variant.needs} for name, variant in names.variants.items()}
    places: dict[int, list[int]] = {}
    for place, patch in enumerate(patches):
        places.setdefault(id(patch.activation.variant), []).append(place)
    declaring = _declaring_files(names)
    for name, variant in names.variants.items():
        own = [patches[place] for place in places.get(id(variant), ())]
        brings = variant.word != "exception" and variant.span.file in declaring
        if not own or len(own) < len(variant.amendments) or brings:
            continue
        over = [_prevailing(patches, place, containment, relations) for place in places[id(variant)]]
        prevailing = [patch for patch in over if patch is not None]
        if len(prevailing) == len(own):
            draft.findings.add(
                _nothing_left(variant, own, prevailing, is_needed=_is_always_with(name, prevailing, needs))
            )


def _is_always_with(name: str, prevailing: Collection[Patch], needs: dict[str, set[str]]) -> bool:
    """Whether all that prevail are always there with a variant."""
    return all(is_over(needs, name, patch.activation.variant.name.text) for patch in prevailing)


def _alone(patch: Patch, patches: Sequence[Patch], containment: Containment) -> bool:
    """Whether no other variant reaches the same, nor a part or the whole of it."""
    return not any(
        other.activation.variant is not patch.activation.variant
        and (
            other.target == patch.target or containment.takes(patch, other) or containment.takes(other, patch)
        )
        for other in patches
    )


def _declaration_of(patch: Patch, names: Names) -> i.Item | i.Norm | i.TableRow | None:
    """What is declared as an amendment says it, if it is."""
    amendment, target = patch.amendment, patch.target
    if amendment.op not in ("set", "redefine", "replace"):
        return None
    if target.word == "norm":
        norms = [norm for norm in names.choices[target.name].norms if norm.span == target.part]
        alike = (
            len(amendment.norms) == 1
            and norms
            and same(_content_of(amendment.norms[0]), _content_of(norms[0]))
        )
        return norms[0] if alike else None
    if target.word == "row":
        rows = [row for row in names.tables[target.name].rows if row.span == target.part]
        return rows[0] if rows and len(amendment.rows) == 1 and same(amendment.rows[0], rows[0]) else None
    item = _item(target, names)
    return item if item is not None and _says(amendment, item, target) else None


def _content_of(norm: i.Norm) -> tuple[object, ...]:
    """What a norm says, whatever it is called."""
    return (norm.word, norm.condition, norm.clauses)


def _item(target: Target, names: Names) -> i.Item | None:
    space = SPACES.get(target.of or target.word) if target.word not in ("case", "clause") else None
    item: i.Item | None = getattr(names, space).get(target.name) if space is not None else None
    return item


def _says(amendment: i.Amendment, item: Any, target: Target) -> bool:
    """Whether an item says already what an amendment makes of it."""
    (case, *more) = amendment.cases or (None,)
    value = case.value if isinstance(case, i.Case) and not more and case.test is None else None
    match SAME.get(target.word, target.word):
        case "define" if amendment.cases:
            return same(amendment.cases, item.cases)
        case "state" if value is not None:
            return same(value, item.initial)
        case "modifier" if value is not None:
            return same(value, item.value)
        case "invariant" if value is not None:
            return same(value, item.condition)
        case "procedure" | "event" if amendment.body and amendment.op == "replace":
            return same(amendment.body, item.body)
        case "roll" if amendment.dice is not None:
            return amendment.dice == (item.dice, item.sides, item.lowest)
        case "table" if amendment.rows:
            return same((amendment.rows, amendment.notes), (item.rows, item.notes))
        case _:
            return False


def _prevailing(
    patches: Sequence[Patch], place: int, containment: Containment, relations: Relations
) -> Patch | None:
    """One of another variant, after the one at `place`, that always takes the place of all that this does."""
    patch = patches[place]
    for other in patches[place + 1 :]:
        if (
            other.activation.always
            and not other.amendment.clauses
            and relations.prevails(other.activation.variant, patch.activation.variant)
            and (containment.takes(other, patch) or _replaces(other, patch))
        ):
            return other
    return None


def _replaces(other: Patch, patch: Patch) -> bool:
    """True if one amendment puts something in the place of what another does."""
    instead = manner_of(patch) == manner_of(other) == "instead"
    return instead and other.target == patch.target and not uses_original(other)


def _declaring_files(names: Names) -> set[str]:
    """Return the files that declare something which may act."""
    spaces = (space for kind, space in HOMES.items() if kind not in _NO_EFFECT)
    return {item.span.file for space in spaces for item in getattr(names, space).values()}


def _says_what_is_so(patch: Patch, declared: i.Item | i.Norm | i.TableRow) -> Diagnostic:
    name, amendment = patch.activation.variant.name.text, patch.amendment
    part = f"a part of `{patch.target.name}`" if patch.target.part is not None else f"`{patch.target.name}`"
    message = f"`{name}` sets {part} to what it already is"
    label = Label(declared.span, "declared here")
    hint = "change the value, or remove the line"
    key = (f"{patch.target.word} {patch.target.name}", name)
    return Diagnostic(kinds.IDLE_AMENDMENT, message, amendment.span, (label,), hint, key=key)


def _report_never_together(patch: Patch, bringing: Patch, draft: Draft) -> None:
    """Report a change of text that another variant brings, if the two are never in force together.

    If their conditions do not show it, the prover decides.
    """
    finding = _never_together(patch, bringing)
    if _contradict([*_parts(patch.condition()), *_parts(bringing.condition())]):
        draft.findings.add(finding)
        return
    forces = [one.activation.condition() for one in (patch, bringing)]
    both = conjunction(forces)
    if both is not None and None not in forces:
        draft.unmet.append(Clash(finding, _probe(draft, finding.span, both)))


def _never_together(patch: Patch, bringing: Patch) -> Diagnostic:
    """The finding of a change of another variant's text that is in force only while that text is not."""
    name, other = (one.activation.variant.name.text for one in (patch, bringing))
    message = f"`{name}` changes text of `{other}`, and the two are never in force at the same time"
    label = Label(bringing.amendment.span, f"the text of `{other}`")
    hint = "let their conditions meet, or remove the line"
    key = (f"{patch.target.word} {patch.target.name}", name, other)
    return Diagnostic(kinds.IDLE_AMENDMENT, message, patch.amendment.span, (label,), hint, key=key)


def _nothing_left(
    variant: i.Variant, own: Sequence[Patch], prevailing: Sequence[Patch], *, is_needed: bool
) -> Diagnostic:
    name = variant.name.text
    others = list(dict.fromkeys(f"`{patch.activation.variant.name.text}`" for patch in prevailing))
    verb = "overrides" if len(others) == 1 else "override"
    who = f"{' and '.join(others)}, which {'it needs' if is_needed else 'can be turned on with it'},"
    message = f"`{name}` has no effect: {who} {verb} everything"
    labels = tuple(Label(patch.amendment.span, "this takes precedence") for patch in prevailing[:3])
    hint = "remove its lines, or reverse the `over`"
    if not is_needed:
        hint = "if they make no sense together, let one exclude the other"
    kind = kinds.IDLE_VARIANT if is_needed else kinds.IDLE_BESIDE
    return Diagnostic(kind, message, variant.name.span, labels, hint, key=(f"variant {name}", *others))
