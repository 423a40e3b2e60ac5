"""A balance report: a page with plots and tables of a simulation, which needs no other file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from rulekit.reports.odds import plots
from rulekit.reports.odds.table import number_text, statistics
from rulekit.reports.simulation.table import differences, in_ranges, points, summary
from rulekit.runtime.odds.distribution import Distribution, Estimate, is_number, text_of
from rulekit.runtime.simulation.results import Simulation

MOST_PLACES = 60
"""Values of a measure by which the results are drawn."""

STYLE = """
body { font: 15px/1.5 "IBM Plex Sans Condensed", system-ui, sans-serif; color: #16181d; background: #fff;
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .2rem; color: #1d3551; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .4rem; border-bottom: 1px solid #b9bdc4; }
p.about { color: #4d5157; margin: 0 0 1rem; }
figure { margin: .8rem 0; } figure svg { width: 100%; height: auto; }
table { border-collapse: collapse; margin: .4rem 0 1rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid #eef1f5; }
th { font-weight: 600; color: #4d5157; } th:first-child, td:first-child { text-align: left; }
details { margin: .3rem 0; } summary { cursor: pointer; color: #1f5291; }
@media print { details { display: none; } body { margin: 0; max-width: none; } }
"""


def page(simulation: Simulation, by: str = "") -> str:
    """The report as HTML.

    Args:
        by: A measure by whose values all others are drawn; empty for none.

    Raises:
        NoPlots: Matplotlib is not installed.
    """
    program = simulation.plan.rules[0].program
    title = f"{program.title}: {simulation.games:,} games"
    about = [summary(simulation), _rules_text(simulation)]
    parts = "".join(_sections(simulation)) + (_all_by(simulation, by) if by else "")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n"
        + "".join(f'<p class="about">{escape(line)}</p>\n' for line in about if line)
        + f"{parts}</main>\n</body>\n</html>\n"
    )


def _rules_text(simulation: Simulation) -> str:
    """The rules that were played, and those that they are compared with."""
    played = ", ".join(simulation.options) or "the rules without options"
    words = [f"scenario {simulation.scenario}"] if simulation.scenario else []
    words.append(played)
    if simulation.against is not None:
        words.append(f"compared with {', '.join(simulation.against) or 'the rules without options'}")
    return " · ".join(words)


def _sections(simulation: Simulation) -> Iterator[str]:
    for name in simulation.names:
        chances = simulation.distribution(name)
        numbers = statistics(chances)
        yield f"<h2>{escape(name)}</h2>\n"
        if numbers:
            yield f'<p class="about">{escape(numbers)}</p>\n'
        drawn = in_ranges(chances)
        yield _figure(_drawing_of(drawn), plots.height_of(drawn), f"How often each value of {name} occurred")
        if simulation.against is not None:
            yield _differences(simulation, name)
        by = simulation.together(name, "result") if "result" in simulation.names else {}
        if name != "result" and 1 < len(by) <= MOST_PLACES and all(map(is_number, by)):
            yield _figure(_drawing_by(by, name), 2.6, f"The result by {name}")
        yield _table(chances)
    if simulation.faults:
        yield "<h2>Faults</h2>\n<ul>\n"
        for fault, entry in simulation.faults.items():
            yield f"<li>{escape(f'{fault}: {fault.message}')} ({entry.count:,}; game {entry.first})</li>\n"
        yield "</ul>\n"


def _all_by(simulation: Simulation, by: str) -> str:
    """The results, losses and other numbers by the values of one measure."""
    places = list(simulation.together(by, by))
    drawn = [f"<h2>By {escape(by)}</h2>\n", *_losses(simulation, by)]
    if not 1 < len(places) <= MOST_PLACES:
        why = (
            "All games end with the same value" if len(places) < 2 else f"{len(places):,} values are too many"
        )
        return "".join((*drawn, f'<p class="about">{why}: nothing is drawn by it.</p>\n'))
    if all(map(is_number, places)):
        places.sort()
    if "result" in simulation.names:
        counts = simulation.together(by, "result")
        drawn.append(_figure(_drawing_by(counts, by), 2.6, f"The result by {by}"))
    others = [name for name in simulation.names if name not in (by, "result")]
    lost = [name for name in others if name.startswith("lost ")]
    for names in (lost, *([name] for name in others if name not in lost)):
        series = {name: means for name in names if (means := simulation.means_by(name, by))}
        if series:
            about = f"The mean of {', '.join(series)} by {by}"
            drawn.append(_figure(_drawing_of_means(series, places, by), 2.6, about))
    return "".join(drawn)


def _losses(simulation: Simulation, by: str) -> Iterator[str]:
    """The losses by the end of each value of the clock, if it has gone on."""
    losses = simulation.losses()
    places = list(next(iter(losses.values()), {}))
    if 1 < len(places) <= MOST_PLACES:
        series = {f"lost {side}": means for side, means in losses.items()}
        about = f"Mean losses of each side up to each value of {by}"
        yield f'<p class="about">{escape(about)}, in the games that reach it:</p>\n'
        yield _figure(_drawing_of_means(series, places, by), 2.6, about)
        heads = "".join(f"<th>{escape(name)}</th>" for name in series)
        rows = "".join(
            f"<tr><td>{escape(text_of(place))}</td>"
            + "".join(f"<td>{means[place].value:.2f}</td>" for means in series.values())
            + "</tr>\n"
            for place in places
        )
        yield _all_values(f"<tr><th>{escape(by)}</th>{heads}</tr>\n", rows)


def _drawing_of_means(
    series: Mapping[str, Mapping[Any, Estimate]], places: Sequence[Any], by: str
) -> Callable[[Any], None]:
    return lambda axis: plots.means(axis, series, places, by)


def _drawing_of(chances: Distribution) -> Callable[[Any], None]:
    return lambda axis: plots.draw(axis, chances)


def _drawing_by(by: Mapping[Any, Mapping[Any, int]], name: str) -> Callable[[Any], None]:
    return lambda axis: plots.stack_columns(axis, by, f"result by {name}", name)


def _figure(draw: Callable[[Any], None], height: float, about: str) -> str:
    """A drawing in the page, with words for those who do not see it."""
    with plots.style() as figure_class:
        figure = figure_class(figsize=(plots.WIDTH, height), layout="constrained")
        draw(figure.subplots())
        drawn = plots.to_bytes(figure, "svg").decode()
    drawn = drawn[drawn.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{escape(about)}"', 1)
    return f"<figure>\n{drawn}</figure>\n"


def _differences(simulation: Simulation, name: str) -> str:
    compared = differences(simulation, name)
    rows = [(text_of(row.value), row.shift) for row in compared]
    height = 0.9 + 0.24 * len(rows)
    drawing = _figure(
        lambda axis: plots.shifts(axis, rows, "difference from the rules compared with"),
        height,
        f"How {name} differs",
    )
    lines = "".join(
        f"<tr><td>{escape(text_of(row.value))}</td><td>{number_text(row.one)}</td>"
        f"<td>{number_text(row.other)}</td><td>{points(row.shift)}</td></tr>\n"
        for row in compared
    )
    heads = "<tr><th></th><th>with</th><th>against</th><th>difference</th></tr>\n"
    return f"{drawing}<table>\n{heads}{lines}</table>\n"


def _table(chances: Distribution) -> str:
    lines = "".join(
        f"<tr><td>{escape(text_of(value))}</td><td>{number_text(number)}</td></tr>\n"
        for value, number in chances.rows()
    )
    return _all_values("<tr><th>value</th><th>games</th></tr>\n", lines)


def _all_values(heads: str, rows: str) -> str:
    """A table that readers unfold."""
    return f"<details><summary>all values</summary>\n<table>\n{heads}{rows}</table>\n</details>\n"
