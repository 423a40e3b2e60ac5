"""Functions that judge a finished or a partial answer, for the search."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.ir import Choice, Expr, Local, Norm, Op, walk
from rulekit.ir.types import Flag, SetOf
from rulekit.runtime.codegen.expressions.expressions import ExpressionWriter
from rulekit.runtime.codegen.module_writer import Line, Lines
from rulekit.runtime.codegen.statements.scope import RoutineScope
from rulekit.runtime.optimise.bounds import Pair, Partial
from rulekit.runtime.optimise.norms import Sorted, answer_locals, breach, part_locals

FLAG = Flag()
MORE = "most of "
"""Before a local's name: the most that it can still become."""

HEADS = {
    "pick_set": ("chosen", "for option in BITS[chosen]:"),
    "assign": ("items, picks", "for item, option in zip(items, picks):"),
    "split": ("parts", "for option in parts:"),
    "arrange": ("order", "for before, option in zip((NONE, *order), order):"),
    "share": ("items, picks", "for item, option in zip(items, picks):"),
}
"""How an answer is handed over, and how its parts are walked."""

REST = {"pick_set": "rest", "assign": "rest", "split": "rest"}
"""The parameter of a partial answer: all that may still come into it, as a mask."""


@dataclass
class Judges:
    """Writes the judges of one choice; `own` are the Python names of its parameters and lets, in order."""

    scope: RoutineScope
    choice: Choice
    norms: Sorted
    own: tuple[str, ...]

    def broken(self) -> str:
        """The function that says whether a finished answer breaks a norm; `None` if nothing can."""
        if not self.norms.judged:
            return "None"
        breaches = [self.scope.optimised.simple(e) for e in self._breaches()]
        return self._function("broken", HEADS[self.choice.verb][0], breaches, self._names())

    def hopeless(self) -> str:
        """The function that says whether nothing can complete a partial answer; `None` if it never can."""
        rest = REST.get(self.choice.verb)
        if not self.norms.judged or rest is None:
            return "None"
        partial = Partial(self.scope.optimised.context, self._bounds(), self._maps())
        breaches = [self.scope.optimised.simple(partial.flag(e)[0]) for e in self._breaches()]
        names = self._names()
        if self.choice.chosen is not None:
            names[MORE + self.choice.chosen.name] = f"(chosen | {rest})"
        names[MORE + self.choice.option.name] = f"(option | {rest})"
        return self._function("hopeless", f"{HEADS[self.choice.verb][0]}, {rest}", breaches, names)

    def _breaches(self) -> list[Expr]:
        """For each judged norm that it is broken; for all permissions that none permits."""
        forbidding = [breach(self.choice, norm) for norm in self.norms.judged if norm.word != "permit"]
        permits: list[Norm] = [norm for norm in self.norms.judged if norm.word == "permit"]
        if permits:
            permitted = tuple(breach(self.choice, norm) for norm in permits)
            forbidding.append(Op("not", (Op("or", permitted, FLAG),), FLAG))
        return forbidding

    def _names(self) -> dict[str, str]:
        choice = self.choice
        names = {name: text for name, text in self.scope.names.items() if text in self.own}
        for local, text in ((choice.option, "option"), (choice.item, "item"), (choice.before, "before")):
            if local is not None:
                names[local.name] = text
        if choice.chosen is not None:
            names[choice.chosen.name] = "chosen"
        if choice.assigned is not None:
            names[choice.assigned.name] = "assigned"
        return names

    def _bounds(self) -> dict[str, Pair]:
        """Locals that are sets while the answer grows."""
        growing = [self.choice.option] if self.choice.verb == "split" else [self.choice.chosen]
        found: dict[str, Pair] = {}
        for local in growing:
            if local is not None and isinstance(local.type, SetOf):
                found[local.name] = (local, Local(MORE + local.name, local.type))
        return found

    def _maps(self) -> frozenset[str]:
        """Locals that hold what is answered so far, or nothing that can be used yet."""
        known = set(self._bounds())
        return answer_locals(self.choice) - known

    def _function(self, kind: str, params: str, breaches: list[Expr], names: dict[str, str]) -> str:
        unit, site = self.scope.unit, self.choice.site
        name = unit.name((kind, self.choice.name), "j")
        unit.locals[name] = {text: local for local, text in self.scope.names.items() if text in self.own}
        writer = ExpressionWriter(unit, names, site)
        lines: Lines = [Line(0, f"def {name}({', '.join(('M', *self.own, params))}):", site)]
        lines += [Line(1, text, site) for text in self._unpacked()]
        own = part_locals(self.choice) | {MORE + self.choice.option.name}
        each = [e for e in breaches if walk.free(e) & own]
        for e in breaches:
            if e not in each:
                lines.append(Line(1, f"if {writer.tested(e)}: return True", site))
        if each:
            lines.append(Line(1, HEADS[self.choice.verb][1], site))
            if self.choice.verb == "assign":
                lines.append(Line(2, "if option < 0: continue", site))
            lines += [Line(2, f"if {writer.tested(e)}: return True", site) for e in each]
        unit.add([*lines, Line(1, "return False", site)])
        return name

    def _unpacked(self) -> list[str]:
        """Lines that make the answer's locals from what was handed over."""
        match self.choice.verb:
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
