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
        played: The reading in play.
        refutations: Each settled claim, and how the rules contradict it; without a situation, which may be
            another tomorrow.
    """

    title: str
    printed: tuple[PrintedPlace, ...]
    played: tuple[PrintedPlace, ...]
    by: str
    reason: str
    refutations: tuple[tuple[str, str], ...]


def openings(compiled: Sequence[Compiled]) -> tuple[ErrataEntry, ...]:
    """The errata of a rule set, each once: of the base, and with the options that are read as printed."""
    entries: dict[str, ErrataEntry] = {}
    for reading in compiled:
        verdicts = tuple(judge_claims(reading, tell=lambda claim: True))
        rules = {
            rule.id.removeprefix(f"{reading.rule_set.manifest.prefix}."): rule.summary
            for printed in reading.printed
            for rule in printed.rules
        }
        for name, errata in reading.declared.errata.items():
            settled = tuple(_settled_claims(reading, errata, verdicts))
            if name not in entries or settled:
                entries[name] = _opening(reading, errata, settled, rules)
    return tuple(entries.values())


def _opening(
    compiled: Compiled, errata: i.Errata, refutations: tuple[tuple[str, str], ...], rules: Mapping[str, str]
) -> ErrataEntry:
    def place(words: x.Expr | str, cite: Cite | None) -> PrintedPlace:
        ids = cite.ids if cite is not None else errata.cite.ids if errata.cite is not None else ()
        return PrintedPlace(
            ids, words if isinstance(words, str) else f"`{source_text(compiled, words.span)}`"
        )

    printed = [place(words, cite) for words, cite in errata.printed]
    played = tuple(place(words, cite) for words, cite in errata.play)
    named = {rule for place in printed for rule in place.rules}
    if len(named) < 2:  # the other side is what is played, in the words of the list of printed rules
        wanted = dict.fromkeys(rule for place in played for rule in place.rules if rule not in named)
        printed += [PrintedPlace((rule,), rules[rule]) for rule in wanted if rule in rules]
    title = errata.title or errata.name.text.replace("_", " ")
    return ErrataEntry(title, tuple(printed), played, errata.by, errata.reason, refutations)


def _settled_claims(
    compiled: Compiled, errata: i.Errata, verdicts: Iterable[JudgedClaim]
) -> Iterator[tuple[str, str]]:
    settled = {name.text for name in errata.settles}
    for judged in verdicts:
        claim = judged.obligation.item
        if not isinstance(judged.verdict, Refuted):
            continue
        evidence = "" if isinstance(claim.content, Law | RulingModel) else judged.verdict.evidence.words
        if isinstance(claim.decl, i.Claim) and claim.name in settled:
            example = isinstance(claim.decl.content, i.Example)
            words = "" if example else f", `{source_text(compiled, claim.decl.content.span)}`,"
            yield f"`{claim.name}`{words}", evidence
        elif claim.played is False and claim.name == errata.name.text:
            yield "a reading that is printed", evidence


# ---------------------------------------------------------------- as text


def markdown(title: str, edition: str, name: str, found: Sequence[ErrataEntry]) -> str:
    """A page of documentation."""
    tried = [entry for entry in found if entry.refutations]
    lines = [
        f"# {title}",
        "",
        f"The booklet (*{edition}*) contradicts itself or is silent in {len(found)} places. This page",
        "lists them, with the reading that is played. Claims state what is printed a second time; the",
        f"check refutes those of {len(tried)} entries: `rulekit check {name} --as-printed` reports each",
        "with a situation. The other entries are described in words.",
        "",
        f"This page is printed by `rulekit show errata {name} --output-format markdown`.",
    ]
    for number, entry in enumerate(found, 1):
        lines += ["", f"## {number}. {entry.title[:1].upper()}{entry.title[1:]}", ""]
        lines += ["| printed in | says |", "| --- | --- |"]
        lines += [f"| {', '.join(place.rules)} | {_cell(place.says)} |" for place in entry.printed]
        played = "; ".join(f"{_cell(place.says)} ({', '.join(place.rules)})" for place in entry.played)
        by = f" By {entry.by}." if entry.by else ""
        lines += ["", f"Played: {played}.{by} {entry.reason}".rstrip()]
        if entry.refutations:
            lines.append("")
        lines += [f"- {what} does not hold{_how(evidence)}" for what, evidence in entry.refutations]
    return "\n".join(lines) + "\n"


def plain(found: Sequence[ErrataEntry]) -> str:
    """The same for a terminal."""
    lines: list[str] = []
    for number, entry in enumerate(found, 1):
        lines.append(f"{number}. {entry.title}")
        lines += [f"   printed [{', '.join(place.rules)}] {place.says}" for place in entry.printed]
        lines += [f"   played  [{', '.join(place.rules)}] {place.says}" for place in entry.played]
        if entry.by:
            lines.append(f"   by      {entry.by}: {entry.reason}")
        lines += [f"   {what} does not hold{_how(evidence)}" for what, evidence in entry.refutations]
        lines.append("")
    return "\n".join(lines)


def _how(evidence: str) -> str:
    return f": {evidence}" if evidence else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
