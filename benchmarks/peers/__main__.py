"""What other systems say of the seeded faults: a table of counts, and one of words.

python -m benchmarks.peers [--markdown]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping

from benchmarks.faults import cases, outcome
from benchmarks.peers import PEERS, Answer, heard, installed, speak
from benchmarks.peers.said import Heard
from benchmarks.peers.tables import tables

HEAD = ("system", "tried", "found at once", "found on its input", "never found", "false alarms", "not tried")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers", description="Seeded faults elsewhere."
    )
    parser.add_argument(
        "--markdown", action="store_true", help="tables as the docs have them, with all words"
    )
    parser.add_argument("--speak", metavar="PEER", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.speak:
        speak(wanted.speak)
        return
    answers = {peer: heard(peer) for peer in PEERS if installed(peer)}
    for line in _counts(answers, markdown=wanted.markdown):
        print(line)
    print()
    for line in _words(answers, markdown=wanted.markdown):
        print(line)


def _counts(answers: Mapping[str, Mapping[str, Answer]], *, markdown: bool) -> Iterable[str]:
    """A line a system: of all faults of the corpus how many it can say, and what it told of them."""
    outcomes = [outcome(case) for case in cases()]
    found = sum(each.found for each in outcomes)
    alarms = sum(bool(each.alarms) for each in outcomes)
    total = len(outcomes)
    rows = [HEAD, ("rulekit", total, found, 0, total - found, alarms, 0)]
    for peer in PEERS:
        if peer not in answers:
            rows.append((peer, *("not installed", *[""] * (len(HEAD) - 2))))
            continue
        said = answers[peer].values()
        when = [sum(each.faulty.heard is at for each in said) for at in Heard]
        wrong = sum(each.twin.heard is not Heard.NEVER for each in said)
        rows.append((f"{peer} ({installed(peer)})", len(said), *when, wrong, total - len(said)))
    for number, row in enumerate(rows):
        if markdown:
            yield f"| {' | '.join(map(str, row))} |"
            if number == 0:
                yield "|" + " --- |" * len(row)
        else:
            yield f"{row[0]:38}" + "".join(f"{cell!s:>18}" for cell in row[1:])


def _words(answers: Mapping[str, Mapping[str, Answer]], *, markdown: bool) -> Iterable[str]:
    """What each said, a line a case; in markdown of tables with one answer of all the first."""
    if markdown:
        yield "| fault | system | found | in its words |\n| --- | --- | --- | --- |"
    shown = set()
    for case in sorted({case for said in answers.values() for case in said}):
        told_by = tuple(said[case].faulty.heard if case in said else None for said in answers.values())
        if markdown and case in tables() and (case[:5], told_by) in shown:
            continue
        shown.add((case[:5], told_by))
        for peer, said in answers.items():
            if case in said:
                told = said[case].faulty
                words = told.words.replace("|", "\\|")
                if markdown:
                    yield f"| `{case}` | {peer} | {told.heard.value} | {words} |"
                else:
                    yield f"{case:52} {peer:12} {told.heard.value:12} {words}"


if __name__ == "__main__":
    main()
