"""Games that ask for chance: a program answered at random, and the reference interpreter that asks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from rulekit import ir
from rulekit.runtime.support import asked
from rulekit.runtime.support.asked import Question
from tests.unit.runtime.oracle import Env, Oracle, bits


class Answers:
    """Answers any question at random, one after the other."""

    def __init__(self, program: ir.Program, seed: int) -> None:
        self.program, self.random = program, Random(seed)
        self.given: list[tuple[Question, Any]] = []

    def __call__(self, question: Question) -> Any:
        if question[0] >= 0:
            options: Any = question[3]
        else:
            point = self.program.points[~question[0]]
            options = [answer for answer, _ in asked.outcomes(point, question)]
            assert len(options) == asked.outcome_count(point, question) > 1
        answer = options[self.random.randrange(len(options))]
        self.given.append((question, answer))
        return answer


class AskedOracle(Oracle):
    """The reference interpreter, asking for chance."""

    def __init__(self, program: ir.Program, answers: Callable[[Question], Any]) -> None:
        super().__init__(program, 0, lambda *question: answers(question))
        self.answers = answers
        self.numbers = {point.name: number for number, point in enumerate(program.points)}

    def take(self, point: str, kind: int, count: int | None, things: list[int] | tuple[int, ...]) -> Any:
        return self.answers((~self.numbers[point], kind, count, tuple(things)))

    def rolled(self, point: ir.Point) -> int:
        return int(self.take(point.name, asked.ROLL, point.dice, ()))

    def lot(self, point: str, mask: int, count: int, one: bool) -> int:
        things = bits(mask)
        if one and len(things) > 1:
            return int(self.take(point, asked.ONE, None, things))
        if not one and 0 < count < len(things):
            return int(self.take(point, asked.SET, count, things))
        return super().lot(point, mask, count, one)

    def shuffled(self, point: str, things: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.take(point, asked.ORDER, None, things)) if len(things) > 1 else things

    def do_ForEach(self, s: ir.ForEach, env: Env) -> None:
        if s.order is None or s.order.kind != "lot" or s.alternating is not None:
            super().do_ForEach(s, env)
            return
        members = bits(self.value(s.over, env))
        ranks = {one: self.ranks(s, one, env) for one in members}
        left = sorted(members, key=lambda one: ranks[one])
        while left:
            tied = sorted(one for one in left if ranks[one] == ranks[left[0]])
            one = self.take(s.order.name, asked.ONE, None, tied) if len(tied) > 1 else tied[0]
            left.remove(one)
            env[s.var.name] = one
            if not self.run(s.body, env):
                return
