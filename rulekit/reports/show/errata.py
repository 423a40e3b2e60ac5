"""Questions that a booklet leaves open: errata with their readings, and the claims they settle."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator

from rulekit.analysis.claims import JudgedClaim, judge_claims
from rulekit.analysis.claims.booklet import Booklet
from rulekit.analysis.claims.words import source_text
from rulekit.analysis.options.groups import AS_PRINTED
from rulekit.analysis.verdicts import Proved, Refuted
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import ClaimModel, Law
from rulekit.compiler.options.combinations import RuleOption, RuleOptions
from rulekit.diagnostics import Report
from rulekit.diagnostics.conflict import PlayedReading, PrintedStatement, outcome
from rulekit.syntax.tree import items as i

WIDTH = 110


@frozen
class Denial:
    """A claim that the rules contradict, or a reading that is printed and not played.

    Attributes:
        finding: The id that `check --as-printed` gives it.
        says: The text of the claim; empty if it is an example.
        instead: The outcome by the rules.
        situation: When; empty if they always do.
        varies: Whether another search may meet another situation.
    """

    finding: str
    name: str
    place: Span
    says: str
    instead: str
    situation: str
    varies: bool


@frozen
class ErrataEntry:
    """Something that a booklet leaves open.

    Attributes:
        printed: The statements as printed.
        readings: The others that the rule set offers, `(option, text)`; the default has no option.
        confidence: How sure it is that the rules play the reading.
        denials: The claims it settles that the rules contradict.
    """

    name: str
    title: str
    place: Span
    printed: tuple[PrintedStatement, ...]
    played: PlayedReading
    readings: tuple[tuple[str, str], ...]
    confidence: str
    denials: tuple[Denial, ...]


def compilations(base: Compiled, compile_with: Callable[[Collection[str]], Compiled]) -> Iterator[Compiled]:
    """Yield a rule set as chosen and, if no options are, with the options that errata belong to."""
    yield base
    manifest = base.rule_set.manifest
    if base.rule_set.options or not manifest.options:
        return
    known = set(base.declared.errata)
    if AS_PRINTED in manifest.presets:
        reading = compile_with((AS_PRINTED,))
        known |= reading.declared.errata.keys()
        yield reading
    options = _options(base)
    for option in options.all.values():
        group = options.around[option.name] | set(_needs(option, options))
        if not known.issuperset(_errata_of(option)) and options.fit(group):
            reading = compile_with(sorted(group))
            known |= reading.declared.errata.keys()
            yield reading


def errata_names(base: Compiled) -> tuple[str, ...]:
    """Return the names of the errata of a rule set and, if no options are chosen, of those it may have."""
    own = tuple(base.declared.errata)
    if base.rule_set.options:
        return own
    return (*own, *(name for option in _options(base).all.values() for name in _errata_of(option)))


def _options(base: Compiled) -> RuleOptions:
    items = [item for module in base.modules for item in module.items]
    return RuleOptions(base.rule_set.manifest, items, base.workspace.parse, Report())


def _errata_of(option: RuleOption) -> Iterator[str]:
    return (item.name.text for item in option.items if isinstance(item, i.Errata))


def _needs(option: RuleOption, options: RuleOptions) -> Iterator[str]:
    """The options that claims and errata of an option need, with what those need."""
    homes = {variant.name.text: other.name for other in options.all.values() for variant in other.variants}
    homes |= {name.replace("-", "_"): name for name in options.all}
    for item in option.items:
        if isinstance(item, i.Claim | i.Errata):
            for name in item.needs:
                yield from options.around[homes[name.text]] if name.text in homes else ()


def entries(compiled: Iterable[Compiled], name: str = "") -> tuple[ErrataEntry, ...]:
    """Return the errata of some readings of a rule set, each once; `name`: only that one."""
    shown: dict[str, ErrataEntry] = {}
    for reading in compiled:
        wanted = [item for item in reading.declared.errata.values() if name in ("", item.name.text)]
        verdicts, offered = _verdicts(reading, wanted), _alternatives(reading) if wanted else {}
        for errata in wanted:
            entry = _entry(reading, errata, verdicts, offered.get(errata.name.text, ()))
            if errata.name.text not in shown or entry.denials:
                shown[errata.name.text] = entry
        if name and any(entry.denials for entry in shown.values()):
            break
    return tuple(shown.values())


def _verdicts(compiled: Compiled, errata: Iterable[i.Errata]) -> tuple[JudgedClaim, ...]:
    """The verdicts on what some errata settle and on their readings; nothing else is tried."""
    wanted = list(errata)
    settled = {name.text for item in wanted for name in item.settles}
    declared = {item.name.text for item in wanted}

    def is_wanted(claim: ClaimModel) -> bool:
        return claim.name in (settled if claim.played is None else declared)

    return tuple(judge_claims(compiled, tell=lambda claim: True, only=is_wanted))


def _alternatives(compiled: Compiled) -> dict[str, list[tuple[str, str]]]:
    """Return the readings of each entry that are not played, with the options that bring them."""
    offered: dict[str, list[tuple[str, str]]] = {}
    for item in (item for module in compiled.modules for item in module.items):
        if isinstance(item, i.Errata) and item.play != compiled.declared.errata[item.name.text].play:
            offered[item.name.text] = [("", Booklet(compiled).reading_of(item).text)]
    for option in _options(compiled).all.values():
        for reading in option.variants:
            if reading.of is not None and reading.name.text not in compiled.names.variants:
                words = reading.title or reading.name.text.replace("_", " ")
                offered.setdefault(reading.of.text, []).append((option.name, words))
    return offered


def _entry(
    compiled: Compiled,
    errata: i.Errata,
    verdicts: tuple[JudgedClaim, ...],
    others: Iterable[tuple[str, str]],
) -> ErrataEntry:
    booklet, name = Booklet(compiled), errata.name.text
    played, words = booklet.reading_of(errata), booklet.printed_words(errata)
    own = [judged for judged in verdicts if _is_of(judged.obligation.item, errata)]
    rules = list(words)
    if len(rules) < 2:  # the other side is what is played, in the words of the list of printed rules
        rules += [rule for rule in played.rules if rule not in words]
    statements = booklet.statements(rules, words)
    printed = tuple(statement for statement in statements if statement.words or statement.summary)
    title = errata.title or name.replace("_", " ")
    denials = tuple(_denials(compiled, own))
    return ErrataEntry(
        name, title, errata.name.span, printed, played, tuple(others), _confidence(own), denials
    )


def _is_of(claim: ClaimModel, errata: i.Errata) -> bool:
    if claim.played is None:
        return claim.name in {name.text for name in errata.settles}
    return claim.decl is errata or claim.name == errata.name.text


def _confidence(verdicts: Iterable[JudgedClaim]) -> str:
    """How sure it is that the rules play a reading."""
    played = [judged.verdict for judged in verdicts if judged.obligation.item.played]
    if not played:
        return "the reading is in words, which the check cannot compare with the rules"
    if all(isinstance(verdict, Proved) for verdict in played):
        return "the check proves that the rules play this reading"
    if any(isinstance(verdict, Refuted) for verdict in played):
        return "the check finds that the rules do not play this reading"
    return "the check could not decide whether the rules play this reading"


def _denials(compiled: Compiled, verdicts: Iterable[JudgedClaim]) -> Iterator[Denial]:
    for judged in verdicts:
        claim, verdict = judged.obligation.item, judged.verdict
        if not isinstance(verdict, Refuted) or claim.played:
            continue
        key = "claim" if claim.played is None else "errata"
        says = ""
        if isinstance(claim.decl, i.Claim) and not isinstance(claim.decl.content, i.Example):
            says = source_text(compiled, claim.decl.content.span)
        evidence = verdict.evidence
        finding = f"{judged.obligation.kind.code}:{key} {claim.name}"
        at, varies = judged.obligation.span, isinstance(claim.content, Law)
        yield Denial(finding, claim.name, at, says, evidence.instead, evidence.situation, varies)


# ---------------------------------------------------------------- as text


def markdown(title: str, edition: str, name: str, shown: Collection[ErrataEntry]) -> str:
    """A page of documentation."""
    tried = sum(bool(entry.denials) for entry in shown)
    lines = [
        f"# {title}",
        "",
        f"The booklet (*{edition}*) contradicts itself or is silent in {len(shown)} places. This page",
        "lists them, with the reading that is played. Claims state what is printed a second time; the",
        f"check refutes those of {tried} entries: `rulekit check {name} --as-printed` reports each",
        "with a situation. The other entries are described in words.",
        "",
        f"This page is printed by `rulekit show errata {name} --output-format markdown`;",
        f"`rulekit show errata {name} ENTRY` shows one entry, by the name after its title.",
    ]
    for number, entry in enumerate(shown, 1):
        lines += ["", f"## {number}. {entry.title[:1].upper()}{entry.title[1:]} (`{entry.name}`)", ""]
        lines += ["| printed in | says |", "| --- | --- |"]
        lines += [f"| {statement.place} | {_cell(statement.text)} |" for statement in entry.printed]
        played = entry.played
        rules = f" ({', '.join(played.rules)})" if played.rules else ""
        by = f" By {played.by}." if played.by else ""
        lines += ["", f"Played: {_cell(played.text)}{rules}.{by} {played.reason}".rstrip()]
        for option, text in entry.readings:
            lines += ["", f"Another reading, {_how_chosen(option)}: {_cell(text)}."]
        if entry.denials:
            lines.append("")
        for denial in entry.denials:
            says = f", `{denial.says}`," if denial.says else ""
            instead = "" if denial.varies else f": {denial.instead}"
            lines.append(f"- `{denial.name}`{says} does not hold{instead}")
    return "\n".join(lines) + "\n"


def plain(entry: ErrataEntry, folder: str, name: str) -> str:
    """One entry for a terminal.

    Args:
        folder: The folder of the rule set, for places.
        name: The rule set as the user named it, for commands.
    """
    lines = [f"{entry.name}: {entry.title}"]
    rows = [("printed", statement.line) for statement in entry.printed]
    cited = f" [{', '.join(entry.played.rules)}]" if entry.played.rules else ""
    rows += [("played", f"{entry.played.text}{cited}"), ("why", entry.played.reason)]
    rows += [("decided by", entry.played.by)]
    rows += [("or played", f"{text} ({_how_chosen(option)})") for option, text in entry.readings]
    rows += [("confidence", entry.confidence)]
    for denial in entry.denials:
        says = denial.says or denial.situation
        rows.append(("claim", f"`{denial.name}`, {folder}/{denial.place}: {says}"))
        rows.append(("in play", outcome(denial.instead, denial.situation)))
    findings = ", ".join(f"`{denial.finding}`" for denial in entry.denials)
    silent = "no finding: no claim states the contradiction"
    rows.append(("as printed", f"`rulekit check {name} --as-printed` reports {findings or silent}"))
    rows.append(("entry", f"{folder}/{entry.place}"))
    for word, text in rows:
        if text:
            head = f"   {word:<11} "
            lines += textwrap.wrap(
                text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head),
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
    return "\n".join(lines) + "\n"


def _how_chosen(option: str) -> str:
    return f"`--reading {option}`" if option else "the default"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
