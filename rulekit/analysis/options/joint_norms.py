"""Norms of several options: whether together they leave a choice without a legal answer (spec 11.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice, product
from typing import TYPE_CHECKING, Final

from rulekit import ir
from rulekit.analysis.verdicts import Judged, NotChecked, Obligation, Proved, Refuted, Undecided, Verdict
from rulekit.base.frozen import frozen
from rulekit.base.source import Span, option_of
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import kinds
from rulekit.ir.reachable import for_play
from rulekit.syntax.tree.walk import nodes

if TYPE_CHECKING:
    from rulekit.analysis.prove import Prover
    from rulekit.analysis.prove.duties import NothingLeft

BUDGET: Final = 10_000
"""Readings for one question about several options."""
BUDGET_OF_ONE: Final = 2_000
"""Readings for one question about a single option."""
MOST_OF_THREE: Final = 8
"""Options on one choice of which every three are asked."""

MOST_OF_TWO: Final = 24
"""Options on one choice of which every two are asked; of more, only all together."""
MOST_TRIED: Final = 16
"""Ways of leaving out norms that leave nothing by themselves."""

OptionSet = frozenset[str]


@frozen
class JointNorms:
    """A choice with the options whose norms, verb or `let`s together decide what may be answered.

    Attributes:
        asked: Whether play can reach the choice; true if the set names no sequence of play.
    """

    choice: ir.Choice
    options: OptionSet
    asked: bool


JudgedJoint = Judged[JointNorms, "NothingLeft"]


def judge_joint_norms(compiled: Compiled, prover: Prover) -> Iterator[JudgedJoint]:
    """Prove of each choice that options amend that their norms leave a legal answer together.

    Judges the norms of a single option, too: the check needs it to tell what only several do.  Yields one
    refutation for each smallest set of options that leaves none; where there is no such set, one verdict for
    all the options of the choice.
    """
    contributed = [(choice, _Shares(compiled, choice)) for choice in compiled.program.choices]
    several = [(choice, shares) for choice, shares in contributed if shares.options]
    program = compiled.program
    reached = for_play(program) if several and compiled.rule_set.manifest.sequence else program
    asked = {choice.name for choice in reached.choices}
    for choice, shares in several:
        span = program.sites[choice.site].span
        for options, verdict in _judge(prover, choice, shares):
            subject = f"{choice.name} with {' and '.join(sorted(options))}"
            kind = kinds.EXHAUSTED_TOGETHER if choice.name in asked else kinds.EXHAUSTED_CHOICE
            item = JointNorms(choice, options, choice.name in asked)
            yield Judged(Obligation("norms", item, subject, span, kind), verdict)


class _Shares:
    """Which option brings what of a choice.

    Attributes:
        of_question: The options whose verb or `let`s ask the choice; it is not judged without them.
    """

    def __init__(self, compiled: Compiled, choice: ir.Choice) -> None:
        declared = compiled.names.choices.get(choice.name)
        sites = compiled.program.sites
        clauses = {norm.span: norm.clauses for norm in declared.norms} if declared is not None else {}
        self.of_question = _options_of((declared.verb, declared.lets) if declared is not None else ())
        self._of_norm = {
            norm.name: _options_of(clauses.get(sites[norm.site].span)) | _option_in(sites[norm.site].file)
            for norm in choice.norms
        }
        self.options = self.of_question.union(*self._of_norm.values())

    def of_norm(self, norm: ir.Norm) -> OptionSet:
        """Return the options that bring a norm, or a clause of it."""
        return self._of_norm[norm.name]

    def norms(self, choice: ir.Choice, options: OptionSet) -> tuple[ir.Norm, ...]:
        """The norms of a choice that are there with some of its options."""
        return tuple(norm for norm in choice.norms if self._of_norm[norm.name] <= options)


def _options_of(syntax: object) -> OptionSet:
    """The options in whose files a piece of syntax, or a part of it, stands."""
    spans: Iterable[Span | None] = (getattr(node, "span", None) for node in nodes(syntax))
    return frozenset().union(*(_option_in(span.file) for span in spans if span is not None))


def _option_in(file: str) -> OptionSet:
    return frozenset(filter(None, (option_of(file),)))


def _judge(
    prover: Prover, choice: ir.Choice, shares: _Shares
) -> Iterator[tuple[OptionSet, Verdict[NothingLeft]]]:
    """Yield the smallest sets of options that leave nothing; without any, all options with the verdict."""
    budget = BUDGET if len(shares.options) > 1 else BUDGET_OF_ONE
    everything = _verdict(prover, choice, shares.norms(choice, shares.options), budget)
    settled = isinstance(everything, Proved) and not any(norm.word == "permit" for norm in choice.norms)
    free = sorted(shares.options - shares.of_question)
    settled |= len(shares.options) == 1 and not isinstance(everything, Refuted)
    if settled or isinstance(everything, NotChecked) or len(free) > MOST_OF_TWO:
        yield shares.options, everything  # fewer norms forbid less
        return
    undecided: Undecided | None = None
    reported = False
    known: dict[OptionSet, Sequence[ir.Norm]] = {}
    sizes = range(4 if len(free) <= MOST_OF_THREE else 3)
    for options in (shares.of_question.union(some) for size in sizes for some in combinations(free, size)):
        cores = [core for smaller, core in known.items() if smaller <= options]
        verdict = _verdict_beside(prover, choice, shares.norms(choice, options), cores)
        if isinstance(verdict, Undecided):
            undecided = verdict
        if not isinstance(verdict, Refuted):
            continue
        needed = shares.of_question.union(*map(shares.of_norm, verdict.evidence.bans))
        if not cores or needed == options:
            known[options] = verdict.evidence.bans
        if options and needed == options:
            reported = True
            yield options, verdict
    if not reported and not known:
        yield shares.options, undecided or everything


def _verdict_beside(
    prover: Prover, choice: ir.Choice, norms: Sequence[ir.Norm], cores: Sequence[Sequence[ir.Norm]]
) -> Verdict[NothingLeft]:
    """Whether norms leave an answer, not for the reason that some of them, which are known, leave none.

    Args:
        cores: Norms that leave nothing; one of each is left out, whichever it is.
    """
    verdict: Verdict[NothingLeft] = Proved()
    for without in islice(product(*cores), MOST_TRIED):
        verdict = _verdict(prover, choice, [norm for norm in norms if norm not in without])
        if isinstance(verdict, Refuted):
            return verdict
    return verdict


def _verdict(
    prover: Prover, choice: ir.Choice, norms: Sequence[ir.Norm], budget: int = BUDGET
) -> Verdict[NothingLeft]:
    """Whether these norms of a choice leave an answer where its verb asks for one."""
    from rulekit.analysis.prove.duties import judge_duties, left_out, plainly

    choice = replace(choice, norms=tuple(norms))
    judged = judge_duties(prover, choice, budget)
    verdict = next((duty.verdict for duty in judged if duty.obligation.item.norm is None), None)
    if isinstance(verdict, Refuted | Undecided):
        return verdict
    if why := left_out(choice):
        return NotChecked(why)
    return verdict or Proved(how=plainly(choice))
