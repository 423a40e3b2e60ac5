"""What a check finds of rule sets with one fault each, and what it tells of their correct twins.

python -m benchmarks.faults [KIND ...]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from benchmarks.faults import Outcome, cases, outcome


def main() -> None:
    """Print a line a kind, and what was missed or told without need."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults", description="Seeded faults: found, missed."
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="only these, such as `RK401`, or `RK4`")
    wanted = tuple(parser.parse_args().kinds) or ("",)
    outcomes = [outcome(case) for case in cases() if case.kind.startswith(wanted)]
    print(f"{'kind':8} {'cases':>6} {'found':>6} {'missed':>7} {'false alarms':>13}")
    for kind in dict.fromkeys(each.case.kind for each in outcomes):
        print(_line(kind, [each for each in outcomes if each.case.kind == kind]))
    print(_line("all", outcomes))
    for each in outcomes:
        name = f"{each.case.kind}/{each.case.name}"
        if not each.found:
            why = f" ({each.case.missed})" if each.case.missed else ""
            print(f"\nmissed {name}: {each.case.wrong}{why}")
        for where, told in (("besides", each.beside), ("of the twin", each.alarms)):
            for found in told:
                print(f"\ntold {where} {name}: {found.code} {found.message}")


def _line(name: str, outcomes: Iterable[Outcome]) -> str:
    made = list(outcomes)
    found = sum(each.found for each in made)
    alarms = sum(bool(each.alarms) for each in made)
    return f"{name:8} {len(made):6} {found:6} {len(made) - found:7} {alarms:13}"


if __name__ == "__main__":
    main()
