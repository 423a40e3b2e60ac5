"""`rulekit diff SET --with OPTION [--against OPTION]`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulekit.base.files import UnreadableFile, read_named
from rulekit.cli import shared, terminal
from rulekit.cli.show import Gutter, shown_of
from rulekit.diagnostics import RulesError

if TYPE_CHECKING:
    from rulekit.analysis.options.changed_situations import Effect
    from rulekit.reports.show import ItemChange, RuleLine

MOST_EFFECTS = 20
"""Effects that are shown; JSON has all of them."""

WORDS = {
    "Population": "kind of piece or space",
    "KindUnion": "kind",
    "StateDecl": "state",
    "Promise": "promise",
    "ExternTable": "table",
    "Define": "definition",
    "EventDecl": "event",
}
"""Words for classes of items whose own name means nothing to readers."""


@click.command("diff")
@shared.with_rule_set
@shared.option(
    "--against others",
    "OPTION",
    "Compare with this option, variant or preset instead of the base.",
    multiple=True,
)
@shared.option(
    "--odds questions",
    "FILE",
    "Compare chances instead: those that the claims and examples in FILE ask for.",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@shared.with_format("full", "json")
def command(
    rules: shared.ChosenRules,
    others: tuple[str, ...],
    questions: Path | None,
    output_format: str,
) -> None:
    """Compare the rules with and without options.

    Shows which tables, steps, permissions and numbers differ when the options of --with are on, compared with
    the base or with the options of --against. Lines starting with `+` are added and lines starting with `-`
    removed. Each shows its location, its rule number and, if there are several, the option that changes it.

    Below, it shows the effect on rolls, definitions and tables: in how many situations their results differ,
    and the largest difference. Pieces are where the first scenario puts them. Of choices and procedures, it
    shows in how many situations of games played at random other answers are offered or other states change.
    With --odds, it shows instead how the chances of questions differ.
    """
    if not rules.options and not others:
        raise click.UsageError("choose what to compare: `--with OPTION`")
    if questions is not None:
        _compare_odds(rules, others, questions, output_format)
        return
    from rulekit.analysis.options.changed_play import effects_in_play
    from rulekit.analysis.options.changed_situations import Pair, effects
    from rulekit.reports.show import changes

    with shared.elapsed("comparing"):
        now = rules.compile(output_format)
        before = replace(rules, options=others).compile(output_format)
        differences = tuple(changes(shown_of(before), shown_of(now)))
        pair = Pair(before.program, now.program, now.rule_set.manifest.prefix)
        results = (*effects(pair), *effects_in_play(pair))
    if output_format == "json":
        shown = [_plain(change) for change in differences]
        terminal.echo_json({"format": 1, "changes": shown, "effects": list(map(asdict, results))}, indent=2)
        return
    rows = [row for change in differences for row in (change.head, *change.gone, *change.come)]
    places = Gutter(rows)
    if len({row.by for row in rows if row.by}) < 2:
        differences = tuple(map(_without_origin, differences))
    for change in differences:
        terminal.echo(terminal.style(f"{change.word} {_word(change)}", "head"))
        for text in places.lines(_rows_of(change)):
            terminal.echo(text)
        terminal.echo()
    terminal.echo(_count(differences))
    for effect in results[:MOST_EFFECTS]:
        terminal.echo(shared.fold_line(_effect_line(effect)))
    if len(results) > MOST_EFFECTS:
        terminal.echo(f"and {len(results) - MOST_EFFECTS} more effects; `--output-format json` has all")


def _effect_line(effect: Effect) -> str:
    """How often a result differs, and where most."""
    what = f"{effect.kind} {effect.name}: "
    if effect.games and not effect.cases:
        return f"{what}does not come up in {effect.games} games"
    if effect.cases == 1 and effect.changed:
        return f"{what}{effect.before} → {effect.after}"
    tried = f"{effect.cases:,} situations" + (" drawn at random" if effect.drawn else "")
    if effect.games:
        tried += f" of {effect.games} games"
        over = f": {', '.join(effect.over)}" if effect.over else ""
    else:
        over = f" ({' × '.join(effect.over)})" if effect.over else ""
    if not effect.changed:
        return f"{what}no change in {tried}{over}"
    example = "for example" if effect.games else "largest"
    change = f"{effect.changed:,} of {tried} change{over}"
    return f"{what}{change}; {example}: {effect.where}: {effect.before} → {effect.after}"


def _compare_odds(
    rules: shared.ChosenRules, others: tuple[str, ...], questions: Path, output_format: str
) -> None:
    """Print by how much the options shift the answers to the questions in a file."""
    from rulekit.cli.files import MOST_LINES
    from rulekit.reports.odds.shifts import BadQuestions, shifts_in, table_of

    folder, overlays = rules.folder, rules.overlays
    try:
        text = read_named(questions, MOST_LINES).decode("utf-8-sig")
        shifts = shifts_in(text, folder, options=rules.options, against=others, overlays=overlays)
    except UnreadableFile as error:
        raise shared.Failure(f"`{questions}` {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise shared.Failure(f"`{questions}` cannot be read: it is not UTF-8 text") from error
    except BadQuestions as error:
        place = f"{questions}:{error.line}: " if error.line else ""
        raise shared.Failure(f"{place}{error}") from error
    except RulesError as error:
        shared.stop_with(error.diagnostics, folder, output_format)
    if not shifts:
        raise shared.Failure(f"`{questions}` asks for no chances: add claims with `chance` or `mean` lines")
    if output_format == "json":
        terminal.echo_json([shift.json() for shift in shifts], indent=2)
        return
    for row in table_of(shifts):
        terminal.echo(row)


def _rows_of(change: ItemChange) -> Iterator[tuple[RuleLine, str, str]]:
    """The rows of a change, each with its mark and style."""
    yield change.head, "  ", ""
    yield from ((row, "- ", "removed") for row in change.gone)
    yield from ((row, "+ ", "added") for row in change.come)


def _without_origin(change: ItemChange) -> ItemChange:
    """Return a change without the option at the end of its lines, which is the same in all."""
    head, *others = (replace(row, by="") for row in (change.head, *change.gone, *change.come))
    gone = len(change.gone)
    return replace(change, head=head, gone=tuple(others[:gone]), come=tuple(others[gone:]))


def _word(change: ItemChange) -> str:
    name = type(change.item).__name__
    return WORDS.get(name, name.lower())


def _count(found: Sequence[ItemChange]) -> str:
    if not found:
        return "no differences"
    counted = Counter((change.word, _word(change)) for change in found)
    parts = []
    for word in ("changed", "added", "removed"):
        kinds = [f"{n} {kind}{'s' if n > 1 else ''}" for (w, kind), n in sorted(counted.items()) if w == word]
        if kinds:
            parts.append(f"{word}: {', '.join(kinds)}")
    return "; ".join(parts)


def _plain(change: ItemChange) -> dict[str, Any]:
    from rulekit.compiler.names import name_of

    def rows(which: Sequence[RuleLine]) -> list[dict[str, Any]]:
        return [{"text": row.text, "file": row.file, "line": row.line, "by": row.by} for row in which]

    return {
        "change": change.word,
        "kind": _word(change),
        "name": name_of(change.item),
        "head": rows((change.head,))[0],
        "gone": rows(change.gone),
        "come": rows(change.come),
    }
