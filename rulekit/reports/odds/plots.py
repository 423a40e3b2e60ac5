"""Distributions as pictures, in the style of the sheets, by Matplotlib (an extra)."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib import import_module
from typing import Any, Final

from rulekit.reports.odds.cases import Cases, values_of
from rulekit.reports.odds.table import middle_of, statistics
from rulekit.reports.sheet.render.theme import FONTS
from rulekit.runtime.odds.distribution import (
    Distribution,
    Estimate,
    Interval,
    Number,
    is_number,
    text_of,
)

INK, MUTED, HAIR, BAR = "#16181d", "#63676f", "#b9bdc4", "#1d3551"
"""The colours of the sheet's theme `colour`."""

SERIES: Final = ("#1d3551", "#a3231d", "#1f5a3a", "#6a4a00", "#63676f", "#7c5aa0", "#b9bdc4")
"""Colours of several series beside each other."""

WIDTH: Final = 6.4
"""Inches."""

MOST_NAMES: Final = 24
"""Values that are not numbers, beyond which the likeliest are drawn."""

SMALLEST: Final = 0.0005
"""The least chance of a number at an end that is drawn."""

KINDS: Final = ("svg", "png")
"""Kinds of pictures, which are the ends of their files' names."""

_FACES = ("IBMPlexSansCondensed-Regular.ttf", "IBMPlexSansCondensed-SemiBold.ttf")


class NoPlots(RuntimeError):
    """Matplotlib is not installed."""

    def __init__(self) -> None:
        super().__init__("plots need Matplotlib: pip install 'rulekit[plots]'")


def picture(parts: Sequence[Distribution | Cases], kind: str) -> bytes:
    """Return a picture of distributions, one below the other, those of several cases in one plot.

    Args:
        kind: `svg` or `png`.

    Raises:
        NoPlots: Matplotlib is not installed.
        ValueError: There are more cases than colours.
    """
    if any(len(part) > len(SERIES) for part in parts if not isinstance(part, Distribution)):
        raise ValueError(f"a plot has room for {len(SERIES)} cases")
    with style() as figure_class:
        heights = [
            height_of(part) if isinstance(part, Distribution) else _height_of_cases(part) for part in parts
        ]
        figure = figure_class(figsize=(WIDTH, sum(heights)), layout="constrained")
        axes = figure.subplots(len(parts), 1, squeeze=False, height_ratios=heights)
        for part, (axis,) in zip(parts, axes, strict=True):
            if isinstance(part, Distribution):
                draw(axis, part)
            else:
                draw_cases(axis, part)
        return to_bytes(figure, kind)


@contextmanager
def style() -> Iterator[Any]:
    """Give the class of figures, with the style of the sheets set.

    Raises:
        NoPlots: Matplotlib is not installed.
    """
    try:
        matplotlib: Any = import_module("matplotlib")
        fonts: Any = import_module("matplotlib.font_manager")
        figure_class = import_module("matplotlib.figure").Figure
    except ImportError as missing:
        raise NoPlots from missing
    for face in _FACES:
        fonts.fontManager.addfont(FONTS / face)
    settings = {
        "font.family": ["IBM Plex Sans Condensed", "DejaVu Sans"],
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.edgecolor": HAIR,
        "axes.labelcolor": MUTED,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "text.color": INK,
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "grid.color": HAIR,
        "grid.linewidth": 0.4,
        "legend.frameon": False,
        "hatch.linewidth": 0.5,
        "svg.hashsalt": "rulekit",
        "svg.fonttype": "path",
    }
    log = logging.getLogger("matplotlib.font_manager")
    before = log.level
    log.setLevel(logging.ERROR)  # a face without the weight that is asked for gives its nearest
    try:
        with matplotlib.rc_context(settings):
            yield figure_class
    finally:
        log.setLevel(before)


def to_bytes(figure: Any, kind: str) -> bytes:
    """A figure as the bytes of a file, the same for the same figure."""
    out = io.BytesIO()
    figure.savefig(out, format=kind, dpi=160, metadata={"Date": None} if kind == "svg" else None)
    return out.getvalue()


def draw(axis: Any, part: Distribution) -> None:
    """Draw one distribution: numbers as columns, names as bars."""
    numbers = statistics(part)
    axis.set_title(", ".join(part.names) + (f"   {numbers}" if numbers else ""))
    rows = part.rows()
    if rows and all(is_number(value) for value, _ in rows):
        _columns(axis, rows)
    else:
        _bars(axis, rows)


def draw_cases(axis: Any, cases: Cases) -> None:
    """Draw the distributions of one thing in several cases: a colour for each case."""
    values = values_of(cases)
    numbers = all(map(is_number, values))
    if not numbers and len(values) > MOST_NAMES:
        likeliest = sorted(values, key=lambda v: -max(middle_of(part.chance(v)) for part in cases.values()))
        values = [value for value in values if value in likeliest[:MOST_NAMES]]
    axis.set_title(", ".join(next(iter(cases.values())).names))
    if numbers:
        seen = [
            n for n, v in enumerate(values) if any(middle_of(c.chance(v)) >= SMALLEST for c in cases.values())
        ]
        values = values[seen[0] : seen[-1] + 1] if seen else values
    places = [float(value) for value in values] if numbers else [float(n) for n in range(len(values))]
    gaps = [after - before for before, after in zip(places, places[1:], strict=False)]
    width = 0.84 * min(gaps, default=1.0) / len(cases)
    bars = axis.bar if numbers else axis.barh
    for number, ((case, part), colour) in enumerate(zip(cases.items(), SERIES, strict=False)):
        chances = [part.chance(value) for value in values]
        shifted = [place + (number - (len(cases) - 1) / 2) * width for place in places]
        certain = [100 * _certain(chance) for chance in chances]
        bars(shifted, certain, width, color=colour, label=case)
        _uncertain(bars, shifted, list(zip(values, chances, strict=True)), certain, width)
    if numbers:
        axis.set_ylabel("%")
        if len(values) <= 20 and all(place == int(place) for place in places):
            axis.set_xticks(places)
    else:
        axis.set_yticks(places, [text_of(value) for value in values])
        axis.invert_yaxis()
        axis.set_xlabel("%")
    axis.grid(visible=True, axis="y" if numbers else "x")
    axis.set_axisbelow(True)
    axis.legend(ncols=3, loc="upper left", bbox_to_anchor=(0, -0.14 if numbers else -0.3))


def _height_of_cases(cases: Cases) -> float:
    """The height in inches that the drawing of several cases needs."""
    values = values_of(cases)
    if all(map(is_number, values)):
        return 2.9
    return 1.4 + 0.14 * (1 + len(cases)) * min(len(values), MOST_NAMES)


def height_of(part: Distribution) -> float:
    """The height in inches that the drawing of a distribution needs."""
    return 2.2 if all(map(is_number, part)) else 0.8 + 0.26 * min(len(part), MOST_NAMES)


def _columns(axis: Any, rows: Sequence[tuple[Any, Number]]) -> None:
    seen = [n for n, (_, number) in enumerate(rows) if middle_of(number) >= SMALLEST]
    rows = rows[seen[0] : seen[-1] + 1] if seen else rows
    values = [float(value) for value, _ in rows]
    gaps = [after - before for before, after in zip(values, values[1:], strict=False)]
    width = 0.8 * min(gaps, default=1.0)
    certain = [100 * _certain(number) for _, number in rows]
    axis.bar(values, certain, width, color=BAR)
    _uncertain(axis.bar, values, rows, certain, width)
    if len(values) <= 20 and all(value == int(value) for value in values):
        axis.set_xticks(values)
    axis.set_ylabel("%")
    axis.set_ylim(0, 105 * max(_end(number) for _, number in rows))
    axis.grid(visible=True, axis="y")
    axis.set_axisbelow(True)
    if len(rows) <= 60:
        for value, (_, number) in zip(values, rows, strict=True):
            if isinstance(number, Estimate):
                axis.plot([value, value], [100 * number.low, 100 * number.high], color=MUTED, linewidth=0.8)


def _bars(axis: Any, rows: Sequence[tuple[Any, Number]]) -> None:
    if len(rows) > MOST_NAMES:
        likeliest = sorted(range(len(rows)), key=lambda n: -middle_of(rows[n][1]))[:MOST_NAMES]
        rows = [rows[n] for n in sorted(likeliest)]
    places = list(range(len(rows)))
    certain = [100 * _certain(number) for _, number in rows]
    axis.barh(places, certain, 0.7, color=BAR)
    _uncertain(axis.barh, places, rows, certain, 0.7)
    axis.set_yticks(places, [text_of(value) for value, _ in rows])
    axis.invert_yaxis()
    axis.set_xlabel("%")
    most = max((_end(number) for _, number in rows), default=1.0)
    axis.set_xlim(0, 100 * min(1.15 * most, 1.12))
    axis.grid(visible=True, axis="x")
    axis.set_axisbelow(True)
    for place, (_, number) in zip(places, rows, strict=True):
        if isinstance(number, Estimate):
            axis.plot([100 * number.low, 100 * number.high], [place, place], color=MUTED, linewidth=0.8)
        share, end = 100 * middle_of(number), 100 * _end(number)
        axis.annotate(f"{share:.1f}", (end, place), (4, 0), textcoords="offset points", va="center")


def _uncertain(
    bars: Any,
    places: Sequence[float],
    rows: Sequence[tuple[Any, Number]],
    certain: Sequence[float],
    width: float,
) -> None:
    """Hatch the chances that may be or not, of a bounded distribution."""
    more = [100 * float(n.high - n.low) if isinstance(n, Interval) else 0.0 for _, n in rows]
    if any(more):
        begin = {"left" if bars.__name__ == "barh" else "bottom": certain}
        bars(places, more, width, facecolor="none", edgecolor=MUTED, hatch="////", linewidth=0.4, **begin)


def _end(number: Number) -> float:
    """Where the drawing of a chance ends."""
    return float(number) if isinstance(number, Fraction) else float(number.high)


def _certain(number: Number) -> float:
    return float(number.low) if isinstance(number, Interval) else middle_of(number)


def stack_columns(axis: Any, counts: Mapping[Any, Mapping[Any, int]], title: str, label: str) -> None:
    """Draw how often each value of one measure occurred with each value of another, as stacked columns.

    Args:
        counts: For each place on the axis, how often each of the other's values occurred.
        label: The words below the axis.
    """
    places = sorted(counts, key=lambda value: (not is_number(value), value if is_number(value) else 0))
    series = sorted({value for part in counts.values() for value in part}, key=text_of)[: len(SERIES)]
    bottom = [0.0] * len(places)
    total = sum(sum(part.values()) for part in counts.values())
    for value, colour in zip(series, SERIES, strict=False):
        heights = [100 * counts[place].get(value, 0) / total for place in places]
        axis.bar(range(len(places)), heights, 0.8, bottom=bottom, color=colour, label=text_of(value))
        bottom = [low + high for low, high in zip(bottom, heights, strict=True)]
    axis.set_title(title)
    axis.set_ylabel("% of games")
    _describe_places(axis, places, label)


def means(axis: Any, series: Mapping[str, Mapping[Any, Estimate]], places: Sequence[Any], label: str) -> None:
    """Draw means with their intervals at some places, a line for each of several things.

    Args:
        label: The words below the axis.
    """
    at = {place: number for number, place in enumerate(places)}
    for (name, by), colour in zip(series.items(), SERIES, strict=False):
        numbers = [(at[place], mean) for place, mean in by.items()]
        numbers.sort(key=lambda pair: pair[0])
        axis.plot(
            [x for x, _ in numbers],
            [m.value for _, m in numbers],
            "o-",
            color=colour,
            markersize=3,
            label=name,
        )
        for x, mean in numbers:
            axis.plot([x, x], [mean.low, mean.high], color=colour, linewidth=0.8)
    if all(mean.value >= 0 for by in series.values() for mean in by.values()):
        axis.set_ylim(bottom=0)
    axis.set_ylabel("mean")
    _describe_places(axis, places, label)


def _describe_places(axis: Any, places: Sequence[Any], label: str) -> None:
    """Add ticks of some of the places, the words below the axis, a grid and the legend."""
    step = -(-len(places) // 16)
    axis.set_xticks(range(0, len(places), step), [text_of(place) for place in places[::step]])
    axis.set_xlabel(label)
    axis.grid(visible=True, axis="y")
    axis.set_axisbelow(True)
    axis.legend(ncols=4, loc="upper left", bbox_to_anchor=(0, -0.22))


def shifts(axis: Any, rows: Sequence[tuple[str, Estimate]], title: str) -> None:
    """Draw differences in points with their intervals."""
    places = list(range(len(rows)))
    for place, (_, shift) in zip(places, rows, strict=True):
        sure = shift.low > 0 or shift.high < 0
        colour = SERIES[1] if sure else MUTED
        axis.plot([100 * shift.low, 100 * shift.high], [place, place], color=colour, linewidth=1.4)
        axis.plot([100 * shift.value], [place], "o", color=colour, markersize=4)
    axis.axvline(0, color=INK, linewidth=0.6)
    axis.set_yticks(places, [name for name, _ in rows])
    axis.invert_yaxis()
    axis.set_title(title)
    axis.set_xlabel("points of a hundred, with the interval of 95 %")
    axis.grid(visible=True, axis="x")
