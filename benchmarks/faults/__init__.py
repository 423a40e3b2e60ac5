"""Rule sets with one fault each, and their correct twins: what a check finds of them.

A case is a file `KIND/what-is-wrong.rules` in this folder.  Its first line says what is wrong; a line `---`
parts the faulty set from its twin.  Lines that begin with `#=` are for the runner:

#= PATH             another file of the set begins, such as `options/storms.rules` or `data/map.yaml`
#= with NAME, NAME  these options are chosen; without it the set is checked as it stands, its options too
#= as printed       no errata settle anything
#= missed REASON    nobody finds this fault yet

Where rules have a `sequence play`, the manifest names it.  Faults of play (`RK7xx`) are looked for by a check
that plays `GAMES` games, all others by a check.  Cases in `other/` are of no kind that there is:
anything told of them finds them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rulekit.analysis.check import check
from rulekit.diagnostics import Diagnostic, Severity, all_kinds
from rulekit.testing import RULES, manifest

HERE = Path(__file__).parent
MANIFEST = "ruleset.yaml"
OTHER = "other"
GAMES = 25


@dataclass(frozen=True, slots=True)
class Told:
    """Something found: the code of its kind, whether it is more than a note, and a sentence."""

    code: str
    weighty: bool
    message: str


@dataclass(frozen=True, slots=True)
class Set:
    """A rule set: its files, the options chosen, and how it is read."""

    files: dict[str, str]
    options: tuple[str, ...] = ()
    as_printed: bool = False

    def found(self, *, play: int = 0) -> tuple[Told, ...]:
        """What a check tells of it, which plays so many games."""
        with tempfile.TemporaryDirectory(prefix="rulekit-") as name:
            self.write(Path(name))
            made = check(
                Path(name), options=self.options, as_printed=self.as_printed, play=play, remember=False
            )
        return tuple(_told(each) for each in made.diagnostics)

    def write(self, folder: Path) -> None:
        """Its files, in a folder."""
        for path, content in self.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Case:
    """A fault of some kind, and the same rules without it; `missed` tells why nobody finds it yet."""

    kind: str
    name: str
    wrong: str
    faulty: Set
    twin: Set
    missed: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a case: whether its fault was found, other findings beside it, and findings of the twin.

    Notes that are not of the expected kind are not alarms.  `findings` has all findings of both.
    """

    case: Case
    found: bool
    beside: tuple[Told, ...]
    alarms: tuple[Told, ...]
    findings: tuple[Told, ...]


def cases() -> list[Case]:
    """Every case there is, by kind and name."""
    return [_case(path) for path in sorted(HERE.glob("*/*.rules"))]


def outcome(case: Case) -> Outcome:
    """Check a case and its twin; where play is at fault, play them."""
    games = GAMES if case.kind.startswith("RK7") else 0
    faulty, twin = case.faulty.found(play=games), case.twin.found(play=games)
    if case.kind == OTHER:
        meant = tuple(each for each in faulty if each.weighty)
    else:
        meant = tuple(each for each in faulty if each.code == case.kind)
    beside = tuple(each for each in faulty if each.weighty and each not in meant)
    alarms = tuple(each for each in twin if each.weighty or each.code == case.kind)
    return Outcome(case, bool(meant), beside, alarms, (*faulty, *twin))


def known() -> frozenset[str]:
    """The codes of all kinds."""
    return frozenset(kind.code for kind in all_kinds())


def _told(found: Diagnostic) -> Told:
    return Told(found.kind.code, found.kind.severity is not Severity.NOTE, found.message)


def _case(path: Path) -> Case:
    first, _, rest = path.read_text(encoding="utf-8").partition("\n")
    missed = ""
    if rest.startswith("#= missed "):
        missed, _, rest = rest.removeprefix("#= missed ").partition("\n")
    faulty, parted, twin = rest.partition("\n---\n")
    if not first.startswith("# ") or not parted:
        raise ValueError(f"{path.relative_to(HERE)} needs a first line that says what is wrong, and a twin")
    return Case(path.parent.name, path.stem, first[2:], _set(faulty), _set(twin), missed)


def _set(text: str) -> Set:
    files: dict[str, list[str]] = {RULES: []}
    at, made = RULES, Set({})
    for line in text.split("\n"):
        said = line.removeprefix("#= ").strip() if line.startswith("#= ") else ""
        if said.startswith("with "):
            made = replace(made, options=tuple(_names(said.removeprefix("with "))))
        elif said == "as printed":
            made = replace(made, as_printed=True)
        elif said:
            at = said
            files[at] = []
        else:
            files[at].append(line)
    whole = {name: "\n".join(lines) + "\n" for name, lines in files.items()}
    named = "sequence: play\n" if "sequence play:" in whole[RULES] else ""
    whole.setdefault(MANIFEST, manifest(whole) + named)
    return replace(made, files=whole)


def _names(listed: str) -> Iterator[str]:
    return (name.strip() for name in listed.split(","))
