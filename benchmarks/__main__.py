"""All benchmarks, one table.

python -m benchmarks [--quick]
"""

from __future__ import annotations

import argparse

from benchmarks import (
    assignments,
    atp_action,
    checking,
    decisions,
    fcn_battle,
    fcn_campaign,
    options,
    pacwar_month,
    pacwar_night,
    sessions,
    sheets,
    tables,
    vitp_action,
    vitp_game,
)

QUICK = 5


def main() -> None:
    """Run and print everything."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time rulekit on its sets.")
    parser.add_argument("--quick", action="store_true", help="few repetitions: shows that all of it runs")
    quick = parser.parse_args().quick
    for name, ratios in vitp_action.measure(*([QUICK] if quick else [])).items():
        _section(f"one combat action, by {name}: time over plain Python's (quartiles), and of one action")
        for ratio in ratios:
            print(ratio.line())
    _section("one whole random game: time over plain Python's (quartiles), and of one game")
    for ratio in vitp_game.measure(*([QUICK] if quick else [])):
        print(ratio.line())
    _section("one battle turn of FCN: time over plain Python's (quartiles), and of one turn")
    for ratio in fcn_battle.measure(*([QUICK] if quick else [])):
        print(ratio.line())
    for name, ratios in atp_action.measure(*([QUICK] if quick else [])).items():
        _section(f"one {name} of ATP: time over plain Python's (quartiles), and of one action")
        for ratio in ratios:
            print(ratio.line())
    _section("three cycles at sea of Pacific War: time over plain Python's (quartiles), and of one operation")
    for ratio in pacwar_night.measure(*([QUICK] if quick else []))["night"]:
        print(ratio.line())
    for name, ratios in pacwar_month.measure(*([2] if quick else [])).items():
        _section(f"an operation up to its battles, {name}: time over plain Python's (quartiles), and of one")
        for ratio in ratios:
            print(ratio.line())
    _section("whole random campaigns of FCN: games a second, and the time of one (quartiles)")
    for rate in fcn_campaign.measure(*([2] if quick else [])):
        print(rate.line())
    _section("sessions in the middle of a game: time of one operation (quartiles)")
    for cost in sessions.measure():
        print(cost.line())
    _section("choices of many pieces at 1,536 hexes: CPU time of one decision, goal 50 ms")
    for spent in assignments.measure(*([1] if quick else [])):
        print(spent.line())
    _section("decisions of ATP: CPU time until the next question is there")
    for make in (decisions.sampler, decisions.full_map):
        for text in decisions.report(make, 1 if quick else 3, 1):
            print(text)
    _section("options: time over what is said of each line (quartiles)")
    for ratio in options.measure(*([QUICK] if quick else [])):
        print(ratio.line())
    _section("gaps and overlaps of one table: median milliseconds, goal 10 ms for 200 rows")
    for sweep in tables.measure(*([2] if quick else [])):
        print(sweep.line())
    _section("reference sheets: median seconds")
    for run in sheets.measure(*([1] if quick else [])):
        print(run.line())
    _section("processes: median seconds")
    for run in checking.measure(*([2] if quick else [])):
        print(run.line())


def _section(title: str) -> None:
    print(f"\n{title}", flush=True)


if __name__ == "__main__":
    main()
