"""Rule sets with one fault each, and their correct twins: what a check finds of them.

A case is a file `KIND/what-is-wrong.rules` in this folder.  Its first line says what is wrong; a line `---`
parts the faulty set from its twin.  A line `#= PATH` begins another file of the set at hand, and
`#= with NAME, NAME` chooses options.  Where rules have a `sequence play`, the manifest names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulekit.diagnostics import Diagnostic, Severity, all_kinds
from rulekit.testing import RULES, compile_text, manifest

HERE = Path(__file__).parent
MANIFEST = "ruleset.yaml"


@dataclass(frozen=True, slots=True)
class Set:
    """A rule set: its rules, its other files, the options chosen."""

    text: str
    files: dict[str, str]
    options: tuple[str, ...]

    def found(self) -> tuple[Diagnostic, ...]:
        """What a check tells of it."""
        return compile_text(self.text, self.files, options=self.options).findings


@dataclass(frozen=True, slots=True)
class Case:
    """A fault of some kind, and the same rules without it."""

    kind: str
    name: str
    wrong: str
    faulty: Set
    twin: Set


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: whether its fault was found, and what was told besides and of the twin.

    Notes that are not of the kind expected are no alarms.
    """

    case: Case
    found: bool
    beside: tuple[Diagnostic, ...]
    alarms: tuple[Diagnostic, ...]


def cases() -> list[Case]:
    """Every case there is, by kind and name."""
    return [_case(path) for path in sorted(HERE.glob("RK*/*.rules"))]


def outcome(case: Case) -> Outcome:
    """Check a case and its twin."""
    found = case.faulty.found()
    codes = {each.kind.code for each in found}
    beside = tuple(_weighty(found, but=case.kind))
    alarms = tuple(each for each in case.twin.found() if _tells(each, case.kind))
    return Outcome(case, case.kind in codes, beside, alarms)


def _weighty(found: tuple[Diagnostic, ...], *, but: str) -> Iterator[Diagnostic]:
    return (each for each in found if each.kind.severity is not Severity.NOTE and each.kind.code != but)


def _tells(found: Diagnostic, kind: str) -> bool:
    return found.kind.severity is not Severity.NOTE or found.kind.code == kind


def known() -> frozenset[str]:
    """The codes of all kinds."""
    return frozenset(kind.code for kind in all_kinds())


def _case(path: Path) -> Case:
    first, _, rest = path.read_text(encoding="utf-8").partition("\n")
    faulty, parted, twin = rest.partition("\n---\n")
    if not first.startswith("# ") or not parted:
        raise ValueError(f"{path.relative_to(HERE)} needs a first line that says what is wrong, and a twin")
    return Case(path.parent.name, path.stem, first[2:], _set(faulty), _set(twin))


def _set(text: str) -> Set:
    files: dict[str, list[str]] = {RULES: []}
    at, options = RULES, ()
    for line in text.split("\n"):
        said = line.removeprefix("#= ") if line.startswith("#= ") else ""
        if said.startswith("with "):
            options = tuple(name.strip() for name in said.removeprefix("with ").split(","))
        elif said:
            at = said.strip()
            files[at] = []
        else:
            files[at].append(line)
    made = {name: "\n".join(lines) + "\n" for name, lines in files.items()}
    rules = made.pop(RULES)
    named = "sequence: play\n" if "sequence play:" in rules else ""
    made.setdefault(MANIFEST, manifest(made) + named)
    return Set(rules, made, options)
