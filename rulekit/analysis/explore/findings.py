"""What a search tells: faults with their replays, what no game came to, and how far it went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulekit import ir
from rulekit.analysis.example_witness import verified_example
from rulekit.analysis.explore.course import Course, Player
from rulekit.analysis.explore.replays import Replays, example_lines
from rulekit.analysis.explore.rounds import Round, choices_of, round_of
from rulekit.analysis.explore.search import MOST_ANSWERS, ScenarioSearch, scenarios, search_scenario
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
    """What is found by playing so many games of each scenario."""
    program = for_play(compiled.program)
    if not program.entry:
        message = "nothing can be played: the manifest names no `sequence`"
        hint = "name one in `ruleset.yaml`"
        yield Diagnostic(kinds.SEARCH_BOUND, message, _place(None), hint=hint, key=("play",))
        return
    prefix = compiled.rule_set.manifest.prefix
    try:
        player, replays = Player(program, MOST_ANSWERS), Replays(program, prefix)
    except TooLarge as error:
        yield Diagnostic(kinds.SEARCH_BOUND, f"nothing was played: {error}", _entry(program), key=("play",))
        return
    looks = [search_scenario(player, name, games, seed) for name in scenarios(program)]
    yield from _faults(compiled, player, replays, looks)
    for seen in looks:
        rounds = [round_of(replays.game, course) for course in seen.unended]
        yield from _rounds(compiled, replays, [one for one in rounds if one is not None])
        yield from _limits(program, seen, open_=None in rounds)
    yield from _not_reached(program, looks)
    yield from _open_loops(program, all_played=all(seen.all_played for seen in looks))


# ---------------------------------------------------------------- faults


def _faults(
    compiled: Compiled, player: Player, replays: Replays, looks: Sequence[ScenarioSearch]
) -> Iterator[Diagnostic]:
    """One finding a cause: the shortest game of any scenario that comes to it."""
    shortest: dict[tuple[str, str], Course] = {}
    where: dict[tuple[str, str], list[str]] = {}
    for seen in looks:
        for signature, course in seen.shortest.items():
            where.setdefault(signature, []).append(seen.scenario or "")
            best = shortest.get(signature)
            if best is None or len(course.answers) < len(best.answers):
                shortest[signature] = course
    for signature, course in shortest.items():
        for played in (shrink(player, course), course):
            shown = replays.of(played)
            if shown is not None:
                finding = _fault(shown[1], shown[0], played, where[signature])
                yield replace(finding, example=_example(compiled, replays, played, *shown))
                break
        else:
            yield _not_replayed(course)


def _example(compiled: Compiled, replays: Replays, course: Course, replay: Replay, fault: Fault) -> str:
    """The game as an example, where one can say it and holds."""
    what = f"comes to {fault.name}" if fault.name != "broken-invariant" else f"breaks {promise_of(fault)}"
    title = f"{replays.program.entry} {what}"
    return verified_example(compiled.rule_set, title, example_lines(replays.game, course, replay, fault))


def _fault(fault: Fault, witness: Replay, course: Course, where: Sequence[str]) -> Diagnostic:
    number = len(course.answers)
    after = "before any answer" if not number else f"after {number} answer{'s' if number > 1 else ''}"
    others = [f"`{name}`" for name in where if name and name != course.scenario]
    also = f"; in {', '.join(others)} too" if others else ""
    site = fault.site
    span = Span("", 1, 1, 1, 1) if site is None else site.span
    owner = "" if site is None else site.owner
    hint = "`--write-replays FOLDER` saves this game, `rulekit play SET --agents FILE` plays it again"
    message = f"{fault.message}; {after}{also}"
    kind = KINDS[fault.name]
    return Diagnostic(kind, message, span, hint=hint, key=(f"play {owner}",), replay=witness)


def _not_replayed(course: Course) -> Diagnostic:
    """Our own mistake: two builds of one program that disagree."""
    assert course.fault is not None
    message = f"fault could not be reproduced: {course.fault}"
    return Diagnostic(kinds.SEARCH_BOUND, message, _place(course.fault.site), key=("play", "not-replayed"))


# ---------------------------------------------------------------- how far


def _rounds(compiled: Compiled, replays: Replays, rounds: Sequence[Round]) -> Iterator[Diagnostic]:
    """A finding for each set of choices that lead back to where they began: the shortest game."""
    program = replays.program
    reported: set[tuple[str, ...]] = set()
    for circle in sorted(rounds, key=lambda circle: (circle.answers, len(circle.course.answers))):
        names = tuple(sorted(choices_of(program, circle)))
        replay = replays.going_on(circle.course)
        if names in reported or replay is None:
            continue
        reported.add(names)
        asked = ", ".join(f"`{name}`" for name in names)
        begun = len(circle.course.answers) - circle.answers
        one = circle.answers == 1
        lead = f"{circle.answers} answer{'' if one else 's'} to {asked} lead{'s' if one else ''} back"
        message = f"a game can go on forever: {lead} to the same position; for example, after answer {begun}"
        first = program.choices[circle.course.answers[begun].key[0]]
        span, key = _place(program.sites[first.site]), ("play", *names)
        hint = "change something that ends the game, or do not ask again after a refusal"
        lines = example_lines(replays.game, circle.course, replay, first.name)
        example = verified_example(compiled.rule_set, f"{program.entry} leads back to {first.name}", lines)
        yield Diagnostic(
            kinds.ENDLESS_PLAY, message, span, hint=hint, key=key, example=example, replay=replay
        )


def _limits(program: ir.Program, seen: ScenarioSearch, *, open_: bool) -> Iterator[Diagnostic]:
    """What has ended the search; `open_`: games were left of which nobody knows why they did not end."""
    of = f"scenario `{seen.scenario}`" if seen.scenario else "the game"
    key = ("play", seen.scenario or "")
    if seen.wanting:
        message = f"{of} was not played to its end: {seen.wanting}"
        hint = "`--data FILE` brings the owner's numbers"
        yield Diagnostic(kinds.SEARCH_BOUND, message, _entry(program), hint=hint, key=key)
    elif seen.tired:
        message = f"{seen.games} games of {of} were played and no more: they take too long"
        yield Diagnostic(kinds.SEARCH_BOUND, message, _entry(program), key=key)
    elif open_:
        message = (
            f"{seen.left} of {seen.games} games of {of} were stopped after {MOST_ANSWERS:,} answers:"
            " could not decide whether they end without a fault"
        )
        yield Diagnostic(kinds.SEARCH_BOUND, message, _entry(program), key=key)


def _not_reached(program: ir.Program, looks: Sequence[ScenarioSearch]) -> Iterator[Diagnostic]:
    """A note of how much was reached, and of what nobody came to."""
    reached = set[int]().union(*(seen.sites for seen in looks))
    games = sum(seen.games for seen in looks)
    parts = list(_parts(program))
    missed = [(name, site) for name, site in parts if site not in reached]
    all_played = all(seen.all_played for seen in looks)
    how = "every course of the game was played" if all_played else f"{games} games were played"
    if not missed:
        message = f"{how}: they reached all {len(parts)} choices, rolls, procedures and steps"
        yield Diagnostic(kinds.NOT_REACHED, message, _entry(program), key=("play",))
        return
    names = ", ".join(name for name, _ in missed[:MOST_NAMED])
    more = f" and {len(missed) - MOST_NAMED} more" if len(missed) > MOST_NAMED else ""
    message = f"{how}: of {len(parts)} choices, rolls, procedures and steps they never reached {names}{more}"
    labels = tuple(Label(_place(program.sites[site]), "never") for _, site in missed[:MOST_NAMED])
    hint = "play more games, or write examples that reach them"
    yield Diagnostic(kinds.NOT_REACHED, message, _entry(program), labels, hint, key=("play",))


def _open_loops(program: ir.Program, *, all_played: bool) -> Iterator[Diagnostic]:
    """A note of the loops that nothing proves to end; where all was played, that has proved it."""
    endings = Endings(program)
    loops = list(endings.loops())
    left = [] if all_played else [(name, loop) for name, loop in loops if not endings.ends(loop)]
    if not left:
        return
    verb = "is" if len(left) == 1 else "are"
    message = f"of {len(loops)} loops with a condition {len(left)} {verb} not proved to end"
    labels = tuple(
        Label(_place(program.sites[loop.site]), f"in `{name}`") for name, loop in left[:MOST_NAMED]
    )
    hint = "a counter that rises in every round would prove it, or `repeat N times`"
    yield Diagnostic(kinds.OPEN_LOOP, message, _entry(program), labels, hint, key=("play", "loops"))


def _parts(program: ir.Program) -> Iterator[tuple[str, int]]:
    """Where something is asked, rolled, done or stepped into, with the words for it."""
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
    return _place(program.sites[program.by_name.procedures[program.entry].site])


def _place(site: ir.Site | None) -> Span:
    return Span("ruleset.yaml", 1, 1, 1, 1) if site is None else site.span
