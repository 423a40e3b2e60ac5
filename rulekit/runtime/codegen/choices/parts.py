"""One part of a choice: its options, the question, the answer, and what judges it.  Shared by all verbs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulekit.base.frozen import frozen
from rulekit.ir import Choice, Const, Expr, Filter, Fold, If, Local, Norm, Op, walk
from rulekit.ir.types import Flag, MapOf, Nothing, Optional
from rulekit.runtime.codegen.expressions.expressions import ExpressionWriter
from rulekit.runtime.codegen.expressions.writer import Writer
from rulekit.runtime.codegen.module_writer import Lines, charge
from rulekit.runtime.codegen.routines.flow import Ask, Branch, Code, Flow, code, line
from rulekit.runtime.codegen.statements.scope import RoutineScope
from rulekit.runtime.optimise import sharing
from rulekit.runtime.optimise.bounds import MORE, partial_answer
from rulekit.runtime.optimise.norms import AT_ONCE, Sorted, breach
from rulekit.runtime.support.build import COVERAGE_FUEL
from rulekit.runtime.support.layout import FUEL

FLAG = Flag()
TRUE = Const(True, FLAG)
HEADS = {
    "pick_set": ("chosen", "for option in BITS[chosen]:"),
    "assign": ("items, picks", "for item, option in zip(items, picks):"),
    "assign_set": ("items, picks", "for item, option in pairs:"),
    "split": ("parts", "for option in parts:"),
    "arrange": ("order", "for before, option in zip((NONE, *order), order):"),
    "share": ("items, picks", "for item, option in zip(items, picks):"),
}
"""How an answer is handed over, and how its parts are walked."""

SIZES = {
    "pick_set": "chosen.bit_count()",
    "assign": "len(picks)",
    "assign_set": "len(pairs)",
    "split": "len(parts)",
    "arrange": "len(order)",
    "share": "len(picks)",
}
"""How many parts an answer has."""

REST = {"pick_set": "rest", "assign": "rest", "assign_set": "most", "split": "rest"}
"""The parameter of a partial answer: all that may still come into it; of sets, what each may come to hold."""


class Judges:
    """Writes the judges of one choice."""

    def __init__(self, asking: ChoiceScope) -> None:
        self.asking = asking
        self.optimised = asking.scope.optimised
        self.choice = asking.choice
        self.judged = asking.norms.judged
        self.rest = REST.get(asking.choice.verb)
        partial = partial_answer(asking.choice, self.optimised.facts.functions, self.optimised.context.fresh)
        breaches = self._breaches()
        self.finished = [self.optimised.simple(e) for e in breaches]
        self.partial = [self.optimised.simple(partial.flag(e)[0]) for e in breaches if self.rest]

    def write_broken(self) -> str:
        """The function that says whether a finished answer breaks a norm; `None` if nothing can."""
        if not self.judged:
            return "None"
        return self._function("broken", HEADS[self.choice.verb][0], self.finished, self._names())

    def write_hopeless(self) -> str:
        """The function that says whether nothing can complete a partial answer; `None` if it never can."""
        if not self.judged or self.rest is None:
            return "None"
        names, sets = self._names(), self.choice.verb == "assign_set"
        names |= {
            MORE + name: f"most_{role}" if sets else f"({role} | {self.rest})" for name, role in names.items()
        }
        return self._function("hopeless", f"{HEADS[self.choice.verb][0]}, {self.rest}", self.partial, names)

    def _breaches(self) -> list[Expr]:
        """For each judged norm that it is broken; for all permissions that none permits."""
        forbidding = [breach(self.choice, norm) for norm in self.judged if norm.word != "permit"]
        permitted = tuple(breach(self.choice, norm) for norm in self.judged if norm.word == "permit")
        if permitted:
            forbidding.append(Op("not", (Op("or", permitted, FLAG),), FLAG))
        return forbidding

    def _names(self) -> dict[str, str]:
        roles = ("option", "item", "before", "chosen", "assigned")
        return {local.name: role for role in roles if (local := getattr(self.choice, role)) is not None}

    def _function(self, kind: str, params: str, breaches: list[Expr], names: dict[str, str]) -> str:
        by_item = {local.name: f"{local.name}[item]" for local in self.asking.by_item.values()}
        own = self.choice.part_locals | {MORE + self.choice.option.name, *by_item}
        breaches = [walk.with_parts_replaced(e, self.asking.by_item) for e in breaches]
        by_part = [e for e in breaches if walk.free(e) & own]

        def body(writer: Writer) -> list[str]:
            once, part = self.optimised.prices.of_norms(self.choice.name)
            lines = [*self._unpacking(kind), *charge(f"{once} + {SIZES[self.choice.verb]} * {part}", 1)]
            lines += [f"if {writer.test(e)}: return True" for e in breaches if e not in by_part]
            if by_part:
                lines.append(HEADS[self.choice.verb][1])
                lines += ["    if option < 0: continue"] if self.choice.verb == "assign" else []
                lines += [f"    if {writer.test(e)}: return True" for e in by_part]
            return [*lines, "return False"]

        return self.asking.function(kind, params, names | by_item, body)

    def _unpacking(self, kind: str) -> list[str]:
        """Lines that make the answer's locals from what was handed over."""
        match self.choice.verb:
            case "assign_set":
                return [
                    "assigned = dict(zip(items, picks)); chosen = union_of((0, *picks))",
                    "pairs = [(i, o) for i, s in assigned.items() for o in BITS[s]]",
                    *(
                        ["most_assigned = dict(zip(items, most)); most_chosen = union_of((0, *most))"]
                        if kind == "hopeless"
                        else []
                    ),
                ]
            case "assign":
                return [
                    "assigned = dict(zip(items, picks))",
                    "chosen = mask_of([x for x in picks if x >= 0])",
                ]
            case "split":
                return ["chosen = parts"]
            case "arrange":
                return ["chosen = order"]
            case "share":
                return ["chosen = dict(zip(items, picks))"]
            case _:
                return []


@frozen
class CoverClasses:
    """Cover norms while a choice is asked: variables with a class's options and what they need."""

    setup: Flow
    pairs: tuple[tuple[str, str], ...]
    always: tuple[str, ...]

    @property
    def needed(self) -> str:
        """The members needed whatever is picked, as text."""
        return " | ".join(self.always) or "0"


@dataclass
class ChoiceScope:
    """A choice while it is lowered.

    `own` are the Python names of its parameters and lets, which every norm may read.
    """

    scope: RoutineScope
    choice: Choice
    norms: Sorted
    side: str
    params: tuple[str, ...]
    own: tuple[str, ...]
    answer: str = ""
    shared: dict[Expr, Local] = field(default_factory=dict)
    by_item: dict[Expr, Local] = field(default_factory=dict)
    """Parts of norms that judges look up in a map from the items."""

    @property
    def site(self) -> int:
        return self.choice.site

    @property
    def own_text(self) -> str:
        """Its own values as arguments, with a comma after each."""
        return "".join(f"{name}, " for name in self.own)

    def fresh(self, name: str) -> str:
        """A variable that saves never hold: an open choice is saved as the parts already answered."""
        return self.scope.variable(f"#{name}", Nothing())

    def code(self, *texts: str) -> Code:
        """Lines over this choice's variables."""
        return code(self.site, *texts)

    def share(self) -> Flow:
        """Bind what the choice's expressions have in common."""
        choice, optimised, flow = self.choice, self.scope.optimised, list[Code]()
        if optimised.plain or choice.verb in AT_ONCE:
            return []
        parts = [value for _, value in choice.lets]
        parts += [e for e in (choice.items, choice.low, choice.high, choice.total) if e is not None]
        parts += [cover.needed for cover in self.norms.covers]
        if choice.candidates is not None:
            parts.append(self.legal(choice.item))
            parts += [self.of_class(cover.test) for cover in self.norms.covers if not cover.always]
        known = frozenset(param.name for param in choice.params)
        for number, e in enumerate(sharing.common(optimised.context, parts, known)):
            target = self.fresh("shared")
            flow.append(self.bind(target, e))
            local = Local(f"shared {number} of {choice.name}", e.type)
            self.scope.names[local.name] = target
            self.shared[e] = local
        return [*flow]

    def bind(self, target: str, e: Expr) -> Code:
        """Set a variable to an expression."""
        e = walk.with_parts_replaced(e, self.shared)
        return self.code(f"{target} = {self.scope.writer(self.site, e).text(e)}")

    def value(self, flow: Flow, name: str, e: Expr | None, default: str) -> str:
        """The text of an expression, which the flow binds to a variable if it must; or the default."""
        if e is None:
            return default
        if isinstance(e, Const) and isinstance(e.value, int):
            return str(int(e.value))
        target = self.fresh(name)
        flow.append(self.bind(target, e))
        return target

    def members(self, target: str, whole: Expr) -> Code:
        """Set a variable to the members of a set, in id order."""
        whole = walk.with_parts_replaced(whole, self.shared)
        return self.code(f"{target} = {self.scope.writer(self.site, whole).members(whole)}")

    def legal(self, item: Local | None = None) -> Expr:
        """The candidates that final norms leave, as a set."""
        if item is not None:
            self.scope.types[item.name] = item.type
        assert self.choice.candidates is not None
        test = self.norms.option
        return self.choice.candidates if test == TRUE else self.of_class(test)

    def of_class(self, test: Expr) -> Expr:
        """The candidates for which a test holds, as a set."""
        candidates = self.choice.candidates
        assert candidates is not None
        return self.scope.optimised.simple(Filter(candidates, self.choice.option, test, candidates.type))

    def classes(self) -> CoverClasses:
        """The cover norms, in variables of their own, where none depends on an item."""
        flow: Flow = []
        pairs: list[tuple[str, str]] = []
        for cover in self.norms.covers:
            if not cover.always:
                options, needed = self.fresh("class"), self.fresh("needed")
                flow += [self.bind(options, self.of_class(cover.test)), self.bind(needed, cover.needed)]
                pairs.append((options, needed))
        more, always = self.always()
        return CoverClasses(flow + more, tuple(pairs), always)

    def always(self) -> tuple[Flow, tuple[str, ...]]:
        """Variables with the sets that the answer needs whatever is picked."""
        flow: Flow = []
        names: list[str] = []
        for cover in self.norms.covers:
            if cover.always:
                names.append(self.fresh("needed"))
                nothing = Const(0, cover.needed.type)
                flow.append(self.bind(names[-1], If(cover.test, cover.needed, nothing, nothing.type)))
        return flow, tuple(names)

    # ------------------------------------------------------------ the question

    def pay(self, parts: str) -> Flow:
        """Take the price of the choice from the budget, for so many parts; nothing, if it does not pay so."""
        prices, name = self.scope.optimised.prices, self.choice.name
        price = prices.of_part(name)
        return [self.code(*charge(f"{prices.of_choice(name)} + {parts} * {price}", 1))] if price else []

    def part(self, options: str, target: str, item: str = "None") -> Flow:
        """Ask for one of the options, a tuple that is not empty; one alone is taken."""
        scope = self.scope
        index = scope.optimised.choice_index(self.choice.name)
        label = scope.label(self.choice.name)
        if scope.build.form == "direct":
            scope.use("A")
        ask = Ask(index, self.side, item, options, target, self.site, label)
        event = self.event("answer", target, item)
        question: Flow = [ask, Code(event)] if event else [ask]
        if scope.build.ask_all:
            return question
        taken = [line(f"{target} = {options}[0]", self.site), *self.event("forced", target, item)]
        return [Branch(f"len({options}) > 1", question, [Code(taken)], self.site)]

    def event(self, kind: str, target: str, item: str = "None") -> Lines:
        """Lines that tell of an answer, or of one that was taken without asking."""
        choice = self.choice
        side = choice.decider.type
        of_item = choice.item_type or Nothing()
        about = ("arguments", Nothing(), self.arguments)
        fields = (("side", side, self.side), ("item", of_item, item), ("value", Nothing(), target), about)
        return self.scope.trace(kind, choice.site, choice.name, *fields)

    @property
    def arguments(self) -> str:
        """The choice's arguments as one tuple; a session has it already."""
        if self.scope.build.form == "frames":
            return "S.choosing"
        return f"({''.join(f'{param}, ' for param in self.params)})"

    def stuck(self, test: str, item: str = "None") -> Flow:
        """Fault, if nothing is legal and something must be answered."""
        index = self.scope.optimised.choice_index(self.choice.name)
        own = "".join(f"{name}, " for name in self.params)
        fault = self.code(f"S.stuck({index}, ({own}), {item})")
        return [Branch(test, [fault], [], self.site)]

    # ------------------------------------------------------------ norms

    def judges(self) -> tuple[str, str]:
        """The functions that judge finished and partial answers."""
        judges = Judges(self)
        return judges.write_broken(), judges.write_hopeless()

    def function(
        self, kind: str, params: str, names: dict[str, str], body: Callable[[Writer], list[str]]
    ) -> str:
        """A function of the state, the choice's own values and `params`; `names` are the locals it binds."""
        unit, site = self.scope.unit, self.site
        name = unit.name((kind, self.choice.name), "j")
        own = {local: text for local, text in self.scope.names.items() if text in self.own}
        unit.locals[name] = {text: local for local, text in own.items()}
        texts = body(ExpressionWriter(unit, {**own, **names}, site))
        header = f"def {name}({', '.join(('M', *self.own, params))}):"
        unit.add([line(header, site), *(line(text, site, 1) for text in texts)])
        return name

    def may_decline(self) -> str:
        """The test whether the answer none is allowed; empty where no norm forbids it."""
        e = self.norms.declining
        if e == TRUE:
            return ""
        return f"({self.scope.writer(self.site, e).test(e)})"

    def maps_none(self) -> bool:
        """Whether the answer's map holds none for items that got nothing."""
        answer = self.choice.answer
        return isinstance(answer, MapOf) and isinstance(answer.value, Optional)

    def coverage(self) -> Flow:
        """Lines that note which norms speak of some candidate, in builds that want to know.

        A norm that reads more than the option counts as soon as the choice is asked.  These tests do not
        belong to the game, so that what they stumble over must not end it, and they pay from a small budget
        of their own.
        """
        if not self.scope.build.coverage:
            return []
        return [self._coverage_of(norm) for norm in self.choice.norms]

    def _coverage_of(self, norm: Norm) -> Code:
        choice, site = self.choice, norm.site
        mark = f"C[{site}] = 1"
        inner = {
            local.name for local in (choice.item, choice.before, choice.chosen, choice.assigned) if local
        }
        drawn = choice.fields or ((choice.option, choice.candidates),)
        some = norm.test
        for local, over in reversed(drawn):
            if over is None:
                return code(site, mark)
            some = Fold("any", over, local, some, FLAG)
        if walk.free(some) & inner:
            return code(site, mark)
        text = self.scope.writer(site, some).text(some)
        tried = (
            f"f = M[{FUEL}]",
            f"M[{FUEL}] = min(f, {COVERAGE_FUEL})",
            "try:",
            f"    if {text}: {mark}",
            f"except Exception: {mark}",
            f"M[{FUEL}] = f",
        )
        texts = (f"if not C[{site}]:", *(f"    {text}" for text in tried))
        return Code([line(text, site) for text in texts])
