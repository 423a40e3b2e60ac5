"""The odds of a question in words, from a rule set's folder."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from rulekit import ir
from rulekit.analysis.claims.cases import program_of_cases
from rulekit.analysis.claims.words import source_text
from rulekit.analysis.compile import compile_without_clashes
from rulekit.base.frozen import frozen
from rulekit.base.source import Source
from rulekit.base.spelling import few_hints, meant
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.compiler.incremental import BaseModel, Workspace
from rulekit.compiler.model import CaseModel
from rulekit.diagnostics import Diagnostic, Report, RulesError
from rulekit.ir.reachable import for_examples
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import Flag, Int, Ratio
from rulekit.reports.odds.agents import Agent, AgentPolicy, name_of
from rulekit.reports.odds.wording import (
    TITLE,
    NothingToLookAt,
    QuestionText,
    Unclear,
    WrittenQuestion,
    expect_procedure,
    open_choice,
    write_question,
)
from rulekit.runtime.machine import simulate
from rulekit.runtime.machine.machine import Agent as MachineAgent
from rulekit.runtime.odds.best import NotFollowed
from rulekit.runtime.odds.distribution import Distribution
from rulekit.runtime.odds.graph import Budget, Policy, Unanswered
from rulekit.runtime.odds.named import distributions_of, estimate_of, joint_distribution
from rulekit.runtime.odds.policies import any_legal, first_legal
from rulekit.runtime.odds.running import STOPPING, OddsRunner
from rulekit.syntax.tree import items as i

QUESTION = "options/question'.rules"
"""Where a question stands for a moment; with options chosen, only examples of their files are in force."""

POLICIES: Mapping[str, Policy | None] = {"first-legal": first_legal, "random": any_legal, "none": None}
"""Ways to answer choices, by name; with `none`, a choice that the question does not answer is an error."""

WORDS = {"first-legal": "the first legal answer", "random": "any legal answer, each as likely"}


class NoOdds(ValueError):
    """A question that has no answer as it is asked; the message says why, `hint` what may help."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}; {hint}" if hint else message)


MOST_KEPT: Final = 16
"""Questions that are kept compiled, for when they are asked again."""


@frozen
class CompiledQuestion:
    """A question that has been read.

    Attributes:
        runner: Answers it, and keeps all it has worked out before.
        names: The measures in words.
        best: The choice of a best reply and its objective.
    """

    program: ir.Program
    example: ir.Example
    names: tuple[str, ...]
    best: tuple[str, str] | None
    runner: OddsRunner


class Asker:
    """Answers questions about one rule set with its options; each is compiled with the rules.

    The last questions are kept, so that each is compiled only once, for all agents and seeds.
    """

    def __init__(
        self,
        folder: Path,
        *,
        options: Iterable[str] = (),
        overlays: Iterable[Path] = (),
        compiled: Compiled | None = None,
    ) -> None:
        """`compiled` is the set with these options and data, if it was compiled before.

        Raises:
            RulesError: The rule set has findings that stop it.
        """
        self._folder, self._options, self._overlays = folder, tuple(options), tuple(overlays)
        self._workspace = Workspace() if compiled is None else compiled.workspace
        self._workspace.base_model = BaseModel(self._workspace.trees)
        self._kept: dict[QuestionText, CompiledQuestion] = {}
        self.compiled = compiled or compile_without_clashes(
            folder, Report(), options=self._options, overlays=self._overlays, workspace=self._workspace
        )

    @property
    def program(self) -> ir.Program:
        """The program of the rule set."""
        return self.compiled.program

    def ask(
        self,
        what: tuple[str, ...],
        *,
        of: tuple[str, ...],
        given: tuple[str, ...],
        scenario: str | None,
        answers: tuple[str, ...],
        agents: str | Agent,
        best: str,
        estimate: int | None,
        seed: int | str,
        seconds: float,
        situations: int,
    ) -> Distribution:
        """Answer a question of `Game.odds`.

        Raises:
            NoOdds: The question cannot be read or answered.
        """
        wording = QuestionText(what, of, given, answers, scenario, best)
        if isinstance(agents, str) and agents not in POLICIES:
            raise NoOdds(f"unknown agents `{agents}`", f"choose from {', '.join(POLICIES)}")
        if estimate is not None:
            if estimate < 1:
                raise NoOdds(f"{estimate} trials estimate nothing", "ask for at least 1")
            return self.estimate(wording, agents, estimate, seed)
        if seconds <= 0 or situations < 1:
            raise NoOdds("a budget of nothing follows nothing", "allow more seconds or situations")
        return self.odds(wording, agents, Budget(situations, seconds=seconds), joint=True)[0]

    def odds(
        self, wording: QuestionText, agents: str | Agent, budget: Budget, *, joint: bool
    ) -> tuple[Distribution, ...]:
        """The distribution of each thing that is asked for, or of all together.

        Raises:
            NoOdds: The question cannot be read or answered.
        """
        with self._compiled_question(wording) as question:
            return self._follow(question, agents, budget, joint=joint)

    @contextmanager
    def _compiled_question(self, wording: QuestionText) -> Iterator[CompiledQuestion]:
        """A question ready to be answered; meanwhile no other thread gets it.

        Raises:
            NoOdds: The question cannot be read.
        """
        question = self._kept.pop(wording, None) or self._question(wording)
        yield question
        self._kept[wording] = question
        for oldest in list(self._kept)[:-MOST_KEPT]:
            self._kept.pop(oldest, None)

    def _follow(
        self, question: CompiledQuestion, agents: str | Agent, budget: Budget, *, joint: bool
    ) -> tuple[Distribution, ...]:
        """Follow every outcome of an example; errors as for `odds`."""
        program, example, names = question.program, question.example, question.names
        runner, best = question.runner, question.best
        own = None if isinstance(agents, str) else AgentPolicy(runner.program, agents)
        try:
            followed = runner.follow(
                example,
                own or POLICIES[str(agents)],
                budget,
                joint=joint,
                step_by_step=own is not None,
                left_open=None if best is None else open_choice(program, best[0]),
            )
        except Unclear as unclear:
            raise NoOdds(str(unclear)) from unclear
        except NotFollowed as short:
            raise NoOdds(
                "the best answers are not known, as not every outcome was followed",
                "allow more seconds or situations",
            ) from short
        except Unanswered as missing:
            raise NoOdds(str(missing), "give answers for it, or choose who answers") from missing
        except Fault as fault:
            raise NoOdds(f"the given situation faults: {fault}") from fault
        by = WORDS.get(agents, agents) if isinstance(agents, str) else name_of(agents)
        if best is not None:
            example = replace(example, measures=example.measures[:-1])
        if joint:
            return (joint_distribution(program, example, followed, names, by, best),)
        return distributions_of(program, example, followed, names, by, best)

    def estimate(
        self, wording: QuestionText, agents: str | Agent, trials: int, seed: int | str
    ) -> Distribution:
        """The distribution of all that is asked for together, estimated from so many trials.

        Raises:
            NoOdds: The question cannot be read or answered.
        """
        if wording.best:
            raise NoOdds("the best answers are not known from trials", "ask without an estimate")
        with self._compiled_question(wording) as question:
            return self._estimate(question, agents, trials, seed)

    def _estimate(
        self, question: CompiledQuestion, agents: str | Agent, trials: int, seed: int | str
    ) -> Distribution:
        program, example, questions = question.program, question.example, question.runner
        agent: MachineAgent | None = None
        own: AgentPolicy | None = None
        if not isinstance(agents, str):
            own = AgentPolicy(questions.program, agents, STOPPING)
        elif agents != "none":
            agent = simulate.first_legal if agents == "first-legal" else simulate.RandomPolicy(program, seed)
        try:
            begin = time.thread_time()
            played = questions.play(example, agent, trials, seed, policy=own)
            seconds = time.thread_time() - begin
        except Unanswered as missing:
            raise NoOdds(str(missing), "give answers for it, or choose who answers") from missing
        except Fault as fault:
            raise NoOdds(f"the given situation faults: {fault}") from fault
        by = WORDS.get(agents, agents) if isinstance(agents, str) else name_of(agents)
        return estimate_of(program, example, played, question.names, seed, by, seconds)

    def expressions(self, texts: Sequence[str]) -> tuple[ir.Program, tuple[ir.Expr, ...]]:
        """Return expressions about the state at the end of a game, and the program that they read.

        Raises:
            NoOdds: One of them has a mistake.
        """
        if not texts:
            return self.program, ()
        lines = write_question(self.program, QuestionText(("0",), tuple(texts)))
        compiled, example = self._compile_question(lines)
        return compiled.program, tuple(measure.of for measure in example.measures)

    def _question(self, wording: QuestionText) -> CompiledQuestion:
        """Read a question.

        Raises:
            NoOdds: It has a mistake.
        """
        named = self._question_named(wording.what[0]) if len(wording.what) == 1 and not wording.of else None
        if named is not None:
            program, example = named
            if wording.best:
                raise NoOdds(f"`{wording.what[0]}` says itself who answers", "ask by a statement and `of`")
            return CompiledQuestion(
                program, example, _words(self.compiled, example), None, OddsRunner(program)
            )
        try:
            lines = write_question(self.program, wording)
        except NothingToLookAt as unclear:
            # A mistake in what is run comes first.
            self._compile_question(write_question(self.program, replace(wording, of=("1 = 1",))))
            raise NoOdds(str(unclear)) from unclear
        except Unclear as unclear:
            raise NoOdds(str(unclear)) from unclear
        try:
            compiled, example = self._compile_question(lines)
        except NoOdds as mistake:
            self._look_for_procedures(wording.what)
            titles = (title for title, _, _ in questions_in(self.compiled))
            if len(wording.what) == 1 and (hint := meant(wording.what[0], titles, cutoff=0.8)):
                raise NoOdds(str(mistake), hint) from mistake
            raise
        if lines.best is not None and not isinstance(example.measures[-1].of.type, Flag | Int | Ratio):
            raise NoOdds(f"expected a number or condition, found `{lines.best[1]}`")
        program = for_examples(replace(compiled.program, examples=(example,)))
        return CompiledQuestion(program, example, lines.names, lines.best, OddsRunner(program))

    def _look_for_procedures(self, what: Iterable[str]) -> None:
        """Raise NoOdds if something to run that has a mistake looks like the name of a procedure."""
        try:
            for text in what:
                expect_procedure(self.program, text)
        except Unclear as unclear:
            raise NoOdds(str(unclear)) from unclear

    def _question_named(self, name: str) -> tuple[ir.Program, ir.Example] | None:
        """The question of a claim or example that has this name or title."""
        return next((asked[1:] for asked in questions_in(self.compiled) if asked[0] == name), None)

    def answers(
        self, text: str, agents: str, budget: Budget
    ) -> Iterator[tuple[str, ir.Measure, Distribution]]:
        """Yield the answers to the questions in a text of claims and examples: name, measure, distribution.

        Raises:
            RulesError: The text has a mistake, in a file named `QUESTION`.
            NoOdds: A question cannot be answered.
        """
        compiled = self._compile(text)
        source = Source(QUESTION, text)
        questions = sorted(
            questions_in(compiled, QUESTION), key=lambda asked: asked[1].sites[asked[2].site].line
        )
        for name, program, example in questions:
            words = _words(compiled, example, source)
            question = CompiledQuestion(program, example, words, None, OddsRunner(program))
            parts = self._follow(question, agents, budget, joint=False)
            yield from ((name, *pair) for pair in zip(example.measures, parts, strict=True))

    def _compile(self, text: str) -> Compiled:
        """Compile a text with the rules.

        Raises:
            RulesError: It has a mistake.
        """
        return compile_rule_set(
            self._folder,
            Report(),
            options=self._options,
            overlays=self._overlays,
            added=(Source(QUESTION, text),),
            workspace=self._workspace,
            only_added=True,
        )

    @few_hints()
    def _compile_question(self, lines: WrittenQuestion) -> tuple[Compiled, ir.Example]:
        """Compile a question with the rules.

        Raises:
            NoOdds: It has a mistake.
        """
        try:
            compiled = self._compile(lines.text)
        except RulesError as error:
            raise _mistake(error.diagnostics, lines) from error
        return compiled, next(e for e in compiled.program.examples if e.name == TITLE)


def questions_in(compiled: Compiled, file: str = "") -> Iterator[tuple[str, ir.Program, ir.Example]]:
    """Yield the claims and examples (of one file) that ask for chances: name or title, program, example."""
    program = compiled.program
    for example in program.examples:
        if example.measures and file in ("", program.sites[example.site].file):
            yield example.name, for_examples(replace(program, examples=(example,))), example
    for claim in compiled.model.claims:
        if (
            isinstance(claim.content, CaseModel)
            and claim.content.example.measures
            and file in ("", claim.decl.span.file)
        ):
            alone = program_of_cases(compiled, [claim.content])
            yield claim.name, alone, alone.examples[0]


def _words(compiled: Compiled, example: ir.Example, added: Source | None = None) -> tuple[str, ...]:
    """Return the expressions that an example asks for, as they are written in the rules or in a text."""
    names = compiled.names
    written: list[i.Example] = [item for item in names.examples.values() if item.title == example.name]
    written += [
        item.content
        for item in names.claims.values()
        if item.name.text == example.name and isinstance(item.content, i.Example)
    ]
    spans = [measure.of.span for measure in written[0].measures]
    if added is None or spans[0].file != added.file:
        return tuple(source_text(compiled, span) for span in spans)
    return tuple(" ".join(" ".join(added.rows(span)).split()) for span in spans)


def _mistake(findings: Sequence[Diagnostic], lines: WrittenQuestion) -> NoOdds:
    """Return the error for a mistake in a question, with the text at fault or its line."""
    for finding in findings:
        if finding.span.file != QUESTION:
            continue
        text, begin = lines.sources[min(finding.span.line, len(lines.sources)) - 1]
        at = max(finding.span.column - 1 - begin + 1, 0)
        where = f" in `{text}`" if text else ""
        pointed = f" at `{text[at : at + 20]}`" if 0 < at < len(text) else ""
        return NoOdds(f"{finding.message}{where}{pointed}", finding.hint or "")
    first = findings[0]
    return NoOdds(f"{first.message} (`{first.span.file}`:{first.span.line})", first.hint or "")
