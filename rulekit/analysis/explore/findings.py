"""The findings of a search: faults with their replays, parts that no game reached, and limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulekit import ir
from rulekit.analysis.example_witness import verified_example
from rulekit.analysis.explore.course import Course, Player
from rulekit.analysis.explore.replays import Replays, example_lines
from rulekit.analysis.explore.rounds import Round, choices_of, round_of
from rulekit.analysis.explore.search import (
    MOST_ANSWERS,
    ScenarioSearch,
    Signature,
    scenarios,
    search_scenario,
)  # fmt: skip
from rulekit.analysis.explore.shrinking import shrink
from rulekit.analysis.prove.termination import Endings
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Label, Replay, kinds
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import KINDS, Fault
from rulekit.ir.walk import statements
from rulekit.runtime.machine.fault_reports import promise_of
from rulekit.runtime.support.build import TooLarge

MOST_NAMED = 12


def findings_of_play(compiled: Compiled, games: int, seed: str) -> Iterator[Diagnostic]:
    """Yield the findings of so many games of each scenario."""
    program = for_play(compiled.program)
    if not program.entry:
        message = "nothing can be played: the manifest names no `sequence`"
        hint = "name one in `ruleset.yaml`"
        yield Diagnostic(kinds.SEARCH_BOUND, message, _place(None), hint=hint, key=("play",))
        return
    try:
        player = Player(program, MOST_ANSWERS)
        replays = Replays(program, compiled.rule_set.manifest.prefix)
    except TooLarge as error:
        yield Diagnostic(kinds.SEARCH_BOUND, f"nothing was played: {error}", _entry(program), key=("play",))
        return
    searches = [search_scenario(player, name, games, seed) for name in scenarios(program)]
    yield from _faults(compiled, player, replays, searches)
    yield from player.meter.findings(program)
    for search in searches:
        rounds = [round_of(replays.game, course) for course in search.unended]
        yield from _rounds(compiled, replays, [circle for circle in rounds if circle is not None])
        yield from _limits(program, search, open_=None in rounds)
    all_played = all(search.all_played for search in searches)
    yield from _not_reached(program, searches, all_played=all_played)
    yield from _open_loops(program, all_played=all_played)


# ---------------------------------------------------------------- faults


def _faults(
    compiled: Compiled, player: Player, replays: Replays, searches: Sequence[ScenarioSearch]
) -> Iterator[Diagnostic]:
    """One finding for each cause, with the shortest game of any scenario that reaches it."""
    courses: dict[Signature, list[Course]] = {}
    for search in searches:
        for signature, course in search.shortest.items():
            courses.setdefault(signature, []).append(course)
    for alike in courses.values():
        course = min(alike, key=lambda course: len(course.answers))
        for played in (shrink(player, course), course):
            shown = replays.of(played)
            if shown is not None:
                finding = _fault(shown[1], shown[0], played, [course.scenario for course in alike])
                yield replace(finding, example=_example(compiled, replays, played, *shown))
                break
        else:
            yield _not_replayed(course)


def _example(compiled: Compiled, replays: Replays, course: Course, replay: Replay, fault: Fault) -> str:
    """The game as an example, if that holds."""
    what = f"comes to {fault.name}" if fault.name != "broken-invariant" else f"breaks {promise_of(fault)}"
    title = f"{replays.program.entry} {what}"
    return verified_example(compiled.rule_set, title, example_lines(replays.game, course, replay, fault))


def _fault(fault: Fault, witness: Replay, course: Course, scenarios: Sequence[str | None]) -> Diagnostic:
    number = len(course.answers)
    after = "before any answer" if not number else f"after {number} answer{'s' if number > 1 else ''}"
    others = [f"`{name}`" for name in scenarios if name and name != course.scenario]
    also = f"; in {', '.join(others)} too" if others else ""
    site = fault.site
    span = Span("", 1, 1, 1, 1) if site is None else site.span
    key = (f"play {'' if site is None else site.owner}",)
    hint = "`--write-replays FOLDER` saves this game, `rulekit play SET --agents FILE` plays it again"
    message = f"{fault.message}; {after}{also}"
    return Diagnostic(KINDS[fault.name], message, span, hint=hint, key=key, replay=witness)


def _not_replayed(course: Course) -> Diagnostic:
    """Our own mistake: two builds of one program that disagree."""
    assert course.fault is not None
    message = f"fault could not be reproduced: {course.fault}"
    return Diagnostic(kinds.SEARCH_BOUND, message, _place(course.fault.site), key=("play", "not-replayed"))


# ---------------------------------------------------------------- how far


def _rounds(compiled: Compiled, replays: Replays, rounds: Sequence[Round]) -> Iterator[Diagnostic]:
    """A finding for each set of choices that lead back to the same position, with the shortest game."""
    program = replays.program
    reported: set[tuple[str, ...]] = set()
    for circle in sorted(rounds, key=lambda circle: (circle.answers, len(circle.course.answers))):
        names = tuple(sorted(set(choices_of(program, circle))))
        replay = replays.going_on(circle.course)
        if names in reported or replay is None:
            continue
        reported.add(names)
        listed = ", ".join(f"`{name}`" for name in names)
        begun = len(circle.course.answers) - circle.answers
        one = circle.answers == 1
        lead = f"{circle.answers} answer{'' if one else 's'} to {listed} lead{'s' if one else ''} back"
        message = f"a game can go on forever: {lead} to the same position; for example, after answer {begun}"
        first = program.choices[circle.course.answers[begun].key[0]]
        span, key = program.sites[first.site].span, ("play", *names)
        hint = "change something that ends the game, or do not ask again after a refusal"
        lines = example_lines(replays.game, circle.course, replay, first.name)
        example = verified_example(compiled.rule_set, f"{program.entry} leads back to {first.name}", lines)
        yield Diagnostic(
            kinds.ENDLESS_PLAY, message, span, hint=hint, key=key, example=example, replay=replay
        )


def _limits(program: ir.Program, search: ScenarioSearch, *, open_: bool) -> Iterator[Diagnostic]:
    """The reason why a search ended early; `open_`: games were stopped for no known reason."""
    of = f"scenario `{search.scenario}`" if search.scenario else "the game"
    message, hint = "", None
    if search.wanting:
        message = f"{of} was not played to its end: {search.wanting}"
        hint = "`--data FILE` brings the owner's numbers"
    elif search.tired:
        message = f"{search.games} games of {of} were played and no more: they take too long"
    elif open_:
        message = (
            f"{search.left} of {search.games} games of {of} were stopped after {MOST_ANSWERS:,} answers:"
            " could not decide whether they end without a fault"
        )
    if message:
        key = ("play", search.scenario or "")
        yield Diagnostic(kinds.SEARCH_BOUND, message, _entry(program), hint=hint, key=key)


def _not_reached(
    program: ir.Program, searches: Sequence[ScenarioSearch], *, all_played: bool
) -> Iterator[Diagnostic]:
    """A note of how much games reached, and of the parts that they did not."""
    reached = set[int]().union(*(search.sites for search in searches))
    games = sum(search.games for search in searches)
    parts = list(_parts(program))
    missed = [(name, site) for name, site in parts if site not in reached]
    how = "every course of the game was played" if all_played else f"{games} games were played"
    if not missed:
        message = f"{how}: they reached all {len(parts)} choices, rolls, procedures and steps"
        yield Diagnostic(kinds.NOT_REACHED, message, _entry(program), key=("play",))
        return
    names = ", ".join(name for name, _ in missed[:MOST_NAMED])
    more = f" and {len(missed) - MOST_NAMED} more" if len(missed) > MOST_NAMED else ""
    message = f"{how}: of {len(parts)} choices, rolls, procedures and steps they never reached {names}{more}"
    labels = tuple(Label(program.sites[site].span, "never") for _, site in missed[:MOST_NAMED])
    hint = "play more games, or write examples that reach them"
    yield Diagnostic(kinds.NOT_REACHED, message, _entry(program), labels, hint, key=("play",))


def _open_loops(program: ir.Program, *, all_played: bool) -> Iterator[Diagnostic]:
    """A note of the loops that are not proved to end; none if all games were played."""
    endings = Endings(program)
    loops = list(endings.loops())
    left = [] if all_played else [(name, loop) for name, loop in loops if not endings.ends(loop)]
    if not left:
        return
    verb = "is" if len(left) == 1 else "are"
    message = f"of {len(loops)} loops with a condition {len(left)} {verb} not proved to end"
    labels = tuple(Label(program.sites[loop.site].span, f"in `{name}`") for name, loop in left[:MOST_NAMED])
    hint = "a counter that rises in every round would prove it, or `repeat N times`"
    yield Diagnostic(kinds.OPEN_LOOP, message, _entry(program), labels, hint, key=("play", "loops"))


def _parts(program: ir.Program) -> Iterator[tuple[str, int]]:
    """The choices, rolls, procedures and steps, each with its site."""
    for procedure in program.procedures:
        if procedure.body and procedure.name != program.entry:
            first = procedure.body[0]
            yield f"procedure `{procedure.name}`", first.site
        for stmt in statements(procedure.body):
            if isinstance(stmt, ir.Choose | ir.ChooseEach):
                yield f"choice `{stmt.choice}`", stmt.site
            elif isinstance(stmt, ir.Roll):
                yield f"roll `{stmt.point}`", stmt.site
            elif isinstance(stmt, ir.Step) and stmt.body:
                yield f"{stmt.word} `{stmt.name}`", stmt.body[0].site


def _entry(program: ir.Program) -> Span:
    return program.sites[program.by_name.procedures[program.entry].site].span


def _place(site: ir.Site | None) -> Span:
    return Span("ruleset.yaml", 1, 1, 1, 1) if site is None else site.span
