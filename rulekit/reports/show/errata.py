"""Questions that a booklet leaves open: errata with their readings, and the claims they settle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulekit.analysis.claims import JudgedClaim, judge_claims
from rulekit.analysis.claims.words import source_text
from rulekit.analysis.verdicts import Refuted
from rulekit.base.frozen import frozen
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import Law, RulingModel
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Cite


@frozen
class PrintedPlace:
    """A printed place, and what it says."""

    rules: tuple[str, ...]
    says: str


@frozen
class ErrataEntry:
    """Something that a booklet leaves open.

    Attributes:
        printed: The readings as printed.
        played: What is played.
        told: For each claim that is settled, what it is and how the rules deny it.  A situation that shows
            it is left out: another may be found tomorrow.
    """

    title: str
    printed: tuple[PrintedPlace, ...]
    played: tuple[PrintedPlace, ...]
    by: str
    reason: str
    told: tuple[tuple[str, str], ...]


def openings(compiled: Sequence[Compiled]) -> tuple[ErrataEntry, ...]:
    """The errata of a rule set, each once: of the base, and with the options that are read as printed."""
    found: dict[str, ErrataEntry] = {}
    for made in compiled:
        verdicts = tuple(judge_claims(made, tell=lambda claim: True))
        rules = {
            rule.id.removeprefix(f"{made.rule_set.manifest.prefix}."): rule.summary
            for printed in made.printed
            for rule in printed.rules
        }
        for name, errata in made.declared.errata.items():
            told = tuple(_settled_claims(made, errata, verdicts))
            if name not in found or told:
                found[name] = _opening(made, errata, told, rules)
    return tuple(found.values())


def _opening(
    compiled: Compiled, errata: i.Errata, told: tuple[tuple[str, str], ...], rules: Mapping[str, str]
) -> ErrataEntry:
    def place(words: x.Expr | str, cite: Cite | None) -> PrintedPlace:
        ids = cite.ids if cite is not None else errata.cite.ids if errata.cite is not None else ()
        return PrintedPlace(
            ids, words if isinstance(words, str) else f"`{source_text(compiled, words.span)}`"
        )

    printed = [place(words, cite) for words, cite in errata.printed]
    played = tuple(place(words, cite) for words, cite in errata.play)
    named = {rule for each in printed for rule in each.rules}
    if len(named) < 2:  # the other side is what is played, in the words of the list of printed rules
        wanted = dict.fromkeys(rule for each in played for rule in each.rules if rule not in named)
        printed += [PrintedPlace((rule,), rules[rule]) for rule in wanted if rule in rules]
    title = errata.title or errata.name.text.replace("_", " ")
    return ErrataEntry(title, tuple(printed), played, errata.by, errata.reason, told)


def _settled_claims(
    compiled: Compiled, errata: i.Errata, verdicts: Iterable[JudgedClaim]
) -> Iterator[tuple[str, str]]:
    settled = {name.text for name in errata.settles}
    for judged in verdicts:
        claim = judged.obligation.item
        if not isinstance(judged.verdict, Refuted):
            continue
        told = "" if isinstance(claim.content, Law | RulingModel) else judged.verdict.evidence.words
        if isinstance(claim.decl, i.Claim) and claim.name in settled:
            example = isinstance(claim.decl.content, i.Example)
            words = "" if example else f", `{source_text(compiled, claim.decl.content.span)}`,"
            yield f"`{claim.name}`{words}", told
        elif claim.played is False and claim.name == errata.name.text:
            yield "a reading that is printed", told


# ---------------------------------------------------------------- as text


def markdown(title: str, edition: str, name: str, found: Sequence[ErrataEntry]) -> str:
    """A page of documentation."""
    tried = [each for each in found if each.told]
    lines = [
        f"# {title}",
        "",
        f"The booklet (*{edition}*) contradicts itself or is silent in {len(found)} places. This page",
        "lists them, with the reading that is played. The check finds",
        f"{len(tried)} of these contradictions by itself: `rulekit check {name} --as-printed`",
        "reports each. The others are described in words.",
        "",
        f"This page is printed by `rulekit show errata {name} --output-format markdown`.",
    ]
    for number, each in enumerate(found, 1):
        lines += ["", f"## {number}. {each.title[:1].upper()}{each.title[1:]}", ""]
        lines += ["| printed in | says |", "| --- | --- |"]
        lines += [f"| {', '.join(place.rules)} | {_cell(place.says)} |" for place in each.printed]
        played = "; ".join(f"{_cell(place.says)} ({', '.join(place.rules)})" for place in each.played)
        by = f" By {each.by}." if each.by else ""
        lines += ["", f"Played: {played}.{by} {each.reason}".rstrip()]
        if each.told:
            lines.append("")
        lines += [f"- {what} does not hold{_how(told)}" for what, told in each.told]
    return "\n".join(lines) + "\n"


def plain(found: Sequence[ErrataEntry]) -> str:
    """The same for a terminal."""
    lines: list[str] = []
    for number, each in enumerate(found, 1):
        lines.append(f"{number}. {each.title}")
        lines += [f"   printed [{', '.join(place.rules)}] {place.says}" for place in each.printed]
        lines += [f"   played  [{', '.join(place.rules)}] {place.says}" for place in each.played]
        if each.by:
            lines.append(f"   by      {each.by}: {each.reason}")
        lines += [f"   {what} does not hold{_how(told)}" for what, told in each.told]
        lines.append("")
    return "\n".join(lines)


def _how(told: str) -> str:
    return f": {told}" if told else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
