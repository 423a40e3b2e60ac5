"""Questions in words as an example of the language: facts, statements, and expressions at the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rulekit.base.frozen import frozen
from rulekit.base.spelling import nearest, suggestion
from rulekit.ir import Program
from rulekit.ir.types import Nothing
from rulekit.runtime.odds.policies import OpenChoice

TITLE = "the question of odds"
OUTCOME = "'the outcome'"
"""The local that what is run gives, where the question does not name one."""

_STATEMENTS = frozenset(
    "set add take mark unmark move remove do choose roll draw shuffle put form dissolve reveal let".split()
)
_WORD = re.compile(r"\s*('[^']*'|\w+)")
_CHOICE = re.compile(r"('[^']*'|\w+)(?:\s+by\s+('[^']*'|\w+))?")
_BOUND = re.compile(r"\bas\s+('[^']*'|\w+)\s*$")


@frozen
class QuestionText:
    """A question as it was typed.

    Attributes:
        what: The things to run, in order: statements, calls of procedures, expressions.
        of: Expressions whose values are asked for at the end; if none, the value of what is run.
        given: Facts, as after `given` in an example.
        answers: Answers, as after `answers`.
        scenario: The scenario that is set up first; None for the starting values.
        best: A choice that is answered in the best way, and the value to make high: `aim by Red: hits`.
    """

    what: tuple[str, ...]
    of: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    scenario: str | None = None
    best: str = ""


@frozen
class WrittenQuestion:
    """A question as lines of rules.

    Attributes:
        text: An example of the language.
        sources: For each line of it, what the user typed there and the column at which it begins.
        names: The expressions asked for, in the words of the question.
        best: The choice of a best reply, and its objective, which is the last thing asked for; else None.
    """

    text: str
    sources: tuple[tuple[str, int], ...]
    names: tuple[str, ...]
    best: tuple[str, str] | None = None


class Unclear(ValueError):
    """A question that does not say what to run, or what to look at."""


class NothingToLookAt(Unclear):
    """A question that runs something without a value, and does not say what to look at afterwards."""


def write_question(program: Program, wording: QuestionText) -> WrittenQuestion:
    """Return a question as an example; the rules decide what is a statement and what an expression.

    Raises:
        NothingToLookAt: Nothing is asked for, and what is run has no value.
        Unclear: A procedure does not exist.
    """
    lines: list[tuple[str, str, str]] = []
    if wording.scenario is not None:
        lines.append(("given scenario ", wording.scenario, ""))
    lines += (("given ", fact, "") for fact in wording.given)
    value = ""
    for text in wording.what:
        line, named = _step(program, text)
        value = named or value
        lines.append(line)
    lines += (("answers ", answer, "") for answer in wording.answers)
    of = wording.of or ((value,) if value else ())
    if not of:
        raise NothingToLookAt(f"`{wording.what[-1]}` has no value: say what to look at at its end")
    lines += (("chance ", expression, "") for expression in of)
    best = _best_of(wording.best) if wording.best else None
    if best is not None:
        lines.append(("chance ", best[1], ""))
    rows = [f'example "{TITLE}":', *(f"    {before}{_flat(text)}{after}" for before, text, after in lines)]
    sources = (("", 0), *((_flat(text), len(before) + 5) for before, text, _ in lines))
    names = wording.of or (wording.what[-1].removeprefix("do ").removeprefix("roll ").strip(),)
    return WrittenQuestion("\n".join(rows) + "\n", sources, names, best)


def _best_of(text: str) -> tuple[str, str]:
    """The choice of a best reply and its objective, as they are typed.

    Raises:
        Unclear: One of them is missing.
    """
    choice, colon, objective = map(str.strip, text.partition(":"))
    if not (choice and colon and objective):
        raise Unclear(f"expected a choice and a value, as in `aim by Red: hits`, found `{text}`")
    return choice, _flat(objective)


def open_choice(program: Program, text: str) -> OpenChoice:
    """The choice that `aim` or `aim by Red` names.

    Raises:
        Unclear: There is no such choice or side.
    """
    match = _CHOICE.fullmatch(text)
    name = match[1].strip("'") if match else text
    names = [choice.name for choice in program.choices]
    if name not in names:
        raise Unclear(
            f"unknown choice `{name}`; {suggestion(name, names, '' if names else 'the rules have none')}"
        )
    if match is None or match[2] is None:
        return OpenChoice(names.index(name))
    domain = program.by_name.domains.get(program.sides)
    sides = domain.members if domain is not None else ()
    side = match[2].strip("'")
    if side not in sides:
        raise Unclear(
            f"unknown side `{side}`; {suggestion(side, sides, '' if sides else 'the rules have none')}"
        )
    return OpenChoice(names.index(name), sides.index(side))


def _step(program: Program, text: str) -> tuple[tuple[str, str, str], str]:
    """The line of something to run, and the local that it gives, if any."""
    match = _WORD.match(text)
    word = match[1] if match else ""
    bound = _BOUND.search(text)
    if word in _STATEMENTS:
        if bound:
            return ("when ", text, ""), bound[1]
        rest = _WORD.match(text, match.end() if match else 0)
        if rest and (word in ("roll", "choose", "draw") or word == "do" and _gives(program, rest[1])):
            return ("when ", text, f" as {OUTCOME}"), OUTCOME
        return ("when ", text, ""), ""
    if any(point.dice and point.name == word for point in program.points):
        return ("when roll ", text, "" if bound else f" as {OUTCOME}"), bound[1] if bound else OUTCOME
    procedures = program.by_name.procedures
    if word in procedures:
        if bound or not _gives(program, word):
            return ("when do ", text, ""), bound[1] if bound else ""
        return ("when do ", text, f" as {OUTCOME}"), OUTCOME
    if match and text[match.end() :].lstrip().startswith("("):
        _expect_definition(program, word)
    return (f"let {OUTCOME} = ", text, ""), OUTCOME


def _expect_definition(program: Program, name: str) -> None:
    """Refuse the name of something that does not exist, but looks like the name of a procedure."""
    index = program.by_name
    known = {item.name.removeprefix("table:") for item in program.functions}
    known |= {*index.states, *index.procedures, *(point.name for point in program.points)}
    near = nearest(name, [item.name for item in program.procedures if ":" not in item.name], 1)
    if name not in known and near:
        raise Unclear(f"unknown procedure or definition `{name}`; did you mean `{near[0]}`?")


def expect_procedure(program: Program, text: str) -> None:
    """Refuse a word that the rules do not know, if it looks like the name of a procedure.

    Raises:
        Unclear: The message gives the nearest name.
    """
    word = text.strip()
    if word.isidentifier() and not any(word in domain.members for domain in program.domains):
        _expect_definition(program, word)


def _gives(program: Program, procedure: str) -> bool:
    item = program.by_name.procedures.get(procedure)
    return item is not None and item.result != Nothing()


def _flat(text: str) -> str:
    """A text on one line: a question cannot hold lines of its own."""
    return " ".join(text.split())


def given_lines(texts: Iterable[str]) -> Sequence[str]:
    """The facts in the lines of a file: with or without the word `given`, without empty ones and comments."""
    facts = []
    for line in texts:
        plain = line.split("#")[0].strip().removeprefix("given ").strip()
        if plain:
            facts.append(plain)
    return facts
