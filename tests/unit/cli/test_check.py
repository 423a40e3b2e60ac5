"""How `check` speaks: acceptances, baselines, selection, and the exit codes that follow from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rulekit.analysis import check
from rulekit.analysis.acceptance import Checked
from rulekit.base import resources
from rulekit.base.source import Span
from rulekit.cli.check import files as check_files
from rulekit.diagnostics import Diagnostic, Kind, Severity
from tests.unit.analysis.check.sets import BROKEN, DOUBTFUL, LEAST, doubtful, write
from tests.unit.cli.running import Ran, rulekit

ACCEPT = LEAST + 'accept: [{finding: "RK411:claim four_of_it", reason: "it is printed so"}]\n'


def codes(ran: Ran) -> list[str]:
    """The codes of what was told in the concise format, in order."""
    return [line.split(": ")[1].split()[0] for line in ran.out.splitlines()]


def concise(folder: Path, *arguments: str | Path) -> Ran:
    """A check in the concise format."""
    return rulekit("check", folder, "--output-format", "concise", *arguments)


# ---------------------------------------------------------------- acceptances


def test_what_is_accepted_is_left_out_and_counted(tmp_path: Path) -> None:
    """Its reason is told only to who asks; from the cache as well."""
    folder = doubtful(tmp_path, ACCEPT)

    for _ in range(2):
        ran = concise(folder)
        assert (1, ["RK410", "RK410", "RK113"]) == (ran.code, codes(ran))
        assert "3 warnings; 1 accepted\n" == ran.err
    shown = concise(folder, "--show-accepted")
    assert ["RK410", "RK410", "RK411", "RK113"] == codes(shown)
    assert "[RK411:claim four_of_it] (accepted: it is printed so)" in shown.out
    full = rulekit("check", folder, "--show-accepted").out
    assert "accepted[RK411 broken-claim]" in full and "= reason  it is printed so" in full
    plain = json.loads(rulekit("check", folder, "--show-accepted", "--output-format", "json").out)
    assert [None, None, "it is printed so", None] == [each["accepted"] for each in plain["findings"]]
    Draft202012Validator(resources.schema("diagnostics")).validate(plain)


def test_a_set_that_accepts_all_is_clean(tmp_path: Path) -> None:
    """Exit code 0; when what was accepted is mended, the acceptance is told."""
    accepted = LEAST + 'accept: [{finding: "RK410:TEXT.9.9", reason: it is a note of the editor}]\n'
    folder = doubtful(tmp_path, accepted, items=[DOUBTFUL[0], DOUBTFUL[2]])

    assert (0, "no findings; 1 accepted\n") == ((ran := concise(folder)).code, ran.err)

    doubtful(tmp_path, accepted, items=DOUBTFUL[:1])
    ran = concise(folder)
    assert (1, ["RK420"]) == (ran.code, codes(ran))
    assert f"{folder}/ruleset.yaml:4:20: RK420" in ran.out


def test_formats_for_code_hosts(tmp_path: Path) -> None:
    """SARIF tells what is accepted as suppressed; GitHub's commands leave it out."""
    folder = doubtful(tmp_path, ACCEPT)

    sarif = rulekit("check", folder, "--output-format", "sarif")
    github = rulekit("check", folder, "--output-format", "github")

    results = json.loads(sarif.out)["runs"][0]["results"]
    assert (1, "", 4) == (sarif.code, sarif.err, len(results))
    assert 1 == sum("suppressions" in each for each in results)
    assert (1, 3) == (github.code, len(github.out.splitlines()))
    assert "3 warnings; 1 accepted\n" == github.err


def test_a_finding_is_explained_by_its_id(tmp_path: Path) -> None:
    """The page of its kind; with the set, the finding before it, accepted or not."""
    folder, page = doubtful(tmp_path, ACCEPT), rulekit("explain", "RK411").out

    assert (0, page) == ((ran := rulekit("explain", "RK411:claim four_of_it")).code, ran.out)
    accepted = rulekit("explain", "RK411:claim four_of_it", folder).out
    assert accepted.startswith("accepted[RK411 broken-claim]: ") and accepted.endswith(f"\n\n{page}")
    assert rulekit("explain", "RK410:TEXT.9.9", folder).out.startswith("warning[RK410 unknown-citation]: ")
    wrong = rulekit("explain", "RK410:TEXT.9.8", folder)
    assert (2, "") == (wrong.code, wrong.out)
    assert f"`RK410:TEXT.9.8` is not a finding of `{folder}`; did you mean `RK410:TEXT." in wrong.err
    assert "unknown code `RK999:x`" in rulekit("explain", "RK999:x").err


# ---------------------------------------------------------------- baselines


def test_only_what_is_new_fails(tmp_path: Path) -> None:
    """A baseline is written once; what it knows is counted, what is gone is said."""
    folder, known = doubtful(tmp_path / "set"), tmp_path / "known.json"

    written = rulekit("check", folder, "--write-baseline", known)
    assert (0, "", f"rulekit: saved 4 findings to `{known}`\n") == (written.code, written.out, written.err)
    Draft202012Validator(resources.schema("baseline")).validate(json.loads(known.read_text()))

    same = concise(folder, "--baseline", known)
    assert (0, "", "no findings; 4 known\n") == (same.code, same.out, same.err)

    more = "procedure more:\n    add 2 to fuel                       [9.8]\n"
    doubtful(folder, items=[more, *reversed(DOUBTFUL[:-1])])
    ran = concise(folder, "--baseline", known)
    assert (1, ["RK410"]) == (ran.code, codes(ran))
    assert "1 warning; 3 known\n" in ran.err
    assert "`RK113:define near:[4.2]` no longer occurs in `text`" in ran.err


def test_a_baseline_counts(tmp_path: Path) -> None:
    """Another finding with a known id is new."""
    twice = "define near -> 0..9: fuel + 0 # half of it [4.2]\n"
    more = "define near -> 0..9: fuel\n    + 0 # half of it [4.2]\n    + 0 # half of it [4.2]\n"
    folder, known = doubtful(tmp_path / "set", items=[DOUBTFUL[0], twice]), tmp_path / "known.json"
    assert 0 == rulekit("check", folder, "--write-baseline", known).code

    doubtful(folder, items=[DOUBTFUL[0], more])

    assert len(codes(concise(folder))) == 1 + len(codes(concise(folder, "--baseline", known)))


def test_a_baseline_is_of_all_sets(tmp_path: Path) -> None:
    """By their ids; two editions with one id know the findings of both."""
    other = LEAST.replace("id: text", "id: other")
    sets = (
        doubtful(tmp_path / "a"),
        doubtful(tmp_path / "b", items=[*DOUBTFUL[:1], DOUBTFUL[2]]),
        doubtful(tmp_path / "c", other, items=DOUBTFUL[:2]),
    )
    known = tmp_path / "known.json"

    written = rulekit("check", *sets, "--write-baseline", known)

    assert (0, {"other": 2, "text": 4}) == (
        written.code,
        {name: sum(ids.values()) for name, ids in json.loads(known.read_text())["sets"].items()},
    )
    assert (0, "no findings; 7 known") == (
        (ran := rulekit("check", *sets, "--baseline", known)).code,
        ran.err.splitlines()[0],
    )


def test_errors_are_never_known(tmp_path: Path) -> None:
    """No baseline is written over them, and an older one stays."""
    folder, known = write(tmp_path / "set", {"text.rules": "\n".join(BROKEN)}), tmp_path / "known.json"
    known.write_text('{"format": 1, "sets": {"text": {"RK210:speed": 1}}}')

    written = rulekit("check", folder, "--write-baseline", known)
    beside = concise(folder, "--baseline", known)

    assert 1 == written.code and "not written: fix the errors first" in written.err
    assert '{"format": 1, "sets": {"text": {"RK210:speed": 1}}}' == known.read_text()
    assert (1, ["RK210", "RK210", "RK401"]) == (beside.code, codes(beside))


@pytest.mark.parametrize(
    "text, said",
    [
        (None, "not found"),
        ("x", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is not a baseline"),
        ('{"format": 2, "sets": {}}', "is not a baseline"),
        ('{"format": 1, "sets": {"a": {"b": 0}}}', "is not a baseline"),
        ('{"format": 1, "sets": {"a": {"b": true}}}', "is not a baseline"),
    ],
)
def test_a_file_that_is_no_baseline(tmp_path: Path, text: str | None, said: str) -> None:
    """It cannot be done, and the way out is said."""
    folder, known = doubtful(tmp_path / "set"), tmp_path / "known.json"
    if text is not None:
        known.write_text(text)

    ran = rulekit("check", folder, "--baseline", known)

    assert (2, "") == (ran.code, ran.out)
    assert said in ran.err and f"--write-baseline {known}" in ran.err


# ---------------------------------------------------------------- selection


@pytest.mark.parametrize(
    "arguments, expected, code",
    [
        (("--select", "RK411"), ["RK411"], 1),
        (("--select", "RK41", "--ignore", "unknown-citation"), ["RK411"], 1),
        (("--ignore", "RK41,RK113"), [], 0),
        (("--level", "RK4=note", "--level", "RK113=note"), ["RK410", "RK410", "RK411", "RK113"], 0),
        (("--level", "RK4=note", "--ignore", "RK113", "--no-notes"), [], 0),
        (("--select", "broken-claim", "--level", "broken-claim=error"), ["RK411"], 1),
    ],
)
def test_kinds_are_selected(
    tmp_path: Path, arguments: tuple[str, ...], expected: list[str], code: int
) -> None:
    """The exit code follows from what is told, and what it weighs."""
    ran = concise(doubtful(tmp_path), *arguments)

    assert (code, expected) == (ran.code, codes(ran))


def test_the_manifest_wishes_and_the_command_line_prevails(tmp_path: Path) -> None:
    """The set's own `check`, then what is said of a kind at the command line; errors whatever is said."""
    wish = LEAST + "check:\n  ignore: [RK410, RK113]\n  level: {RK411: error}\n"
    folder = doubtful(tmp_path / "set", wish)

    assert "error[RK411" in (ran := rulekit("check", folder)).out and "1 error\n" == ran.err
    assert ["RK410", "RK410", "RK411"] == codes(concise(folder, "--select", "RK4"))
    assert "warning[RK411" in rulekit("check", folder, "--level", "RK411=warning").out

    broken = write(tmp_path / "broken", {"text.rules": "\n".join(BROKEN)}, LEAST + "check: {ignore: [RK]}\n")
    assert ["RK210", "RK210", "RK401"] == codes(concise(broken, "--select", "RK411"))


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("--select", "RK4022"), "unknown code `RK4022`; did you mean `RK402`?"),
        (("--ignore", "brokn-claim"), "did you mean `broken-claim`?"),
        (("--ignore", ""), "unknown code ``"),
        (("--level", "RK402"), "expected CODE=LEVEL"),
        (("--level", "RK402=grave"), "`error`, `warning`, `note`"),
        (("--level", "RK4022=note"), "did you mean `RK402`?"),
        (("--baseline", "a", "--write-baseline", "b"), "use either `--baseline` or"),
    ],
)
def test_what_cannot_be_wished(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    """Exit code 2, with what is near."""
    ran = rulekit("check", doubtful(tmp_path), *arguments)

    assert (2, "") == (ran.code, ran.out)
    assert said in ran.err


# ---------------------------------------------------------------- what is undecided

OPEN = Kind("RK599", "made-up-question", "a question made up for tests", Severity.UNDECIDED, "0.1.0")
WRONG = Kind("RK598", "made-up-answer", "an answer made up for tests", Severity.WARNING, "0.1.0")


@pytest.mark.parametrize(
    "kinds, arguments, code",
    [
        ((OPEN,), (), 3),
        ((OPEN,), ("--require-proof",), 1),
        ((OPEN, WRONG), (), 1),
        ((OPEN,), ("--level", "RK5=note"), 0),
        ((WRONG,), ("--require-proof",), 1),
    ],
)
def test_undecided(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kinds: tuple[Kind, ...],
    arguments: tuple[str, ...],
    code: int,
) -> None:
    """Exit code 3 where nothing worse was found; `--require-proof` makes it a failure."""
    folder = write(tmp_path, {"text.rules": DOUBTFUL[0]})
    found = tuple(Diagnostic(kind, "in doubt", Span("text.rules", 1, 1, 1, 6)) for kind in kinds)
    monkeypatch.setattr(check, "check", lambda *_, **__: Checked(found, False))

    ran = rulekit("check", folder, *arguments)

    assert code == ran.code
    if arguments == () and kinds == (OPEN,):
        assert ("undecided[RK599 made-up-question]" in ran.out, "1 undecided\n") == (True, ran.err)


# ---------------------------------------------------------------- fixes

SLIPS = {
    "text.rules": "state fuel: 0..9\nprocedure burn\n\ttake 1 from fule\n",
    "more.rules": "procedure refuel:\n    add 1 to fuel\n    add 1 to speed",
}
MENDED = "state fuel: 0..9\nprocedure burn:\n    take 1 from fuel\n"


def test_fixes_are_written_and_the_rest_is_told(tmp_path: Path) -> None:
    """The files are mended in place, with their mode; what is left is checked again."""
    folder = write(tmp_path / "set", SLIPS)
    (folder / "text.rules").chmod(0o640)

    ran = concise(folder, "--fix")

    assert (1, ["RK210"]) == (ran.code, codes(ran))
    assert "rulekit: fixed 3 findings in 1 file\n1 error\n" == ran.err
    assert (MENDED, SLIPS["more.rules"]) == tuple((folder / name).read_text() for name in SLIPS)
    assert 0o640 == (folder / "text.rules").stat().st_mode & 0o777
    assert ["more.rules", "ruleset.yaml", "text.rules"] == sorted(path.name for path in folder.iterdir())
    assert (1, "1 error\n") == ((again := concise(folder, "--fix")).code, again.err)


def test_fixes_are_shown_and_nothing_is_written(tmp_path: Path) -> None:
    """A unified diff on standard output, which `patch` takes."""
    folder = write(tmp_path / "set", SLIPS)
    text = folder / "text.rules"

    ran = rulekit("check", folder, "--diff")

    expected = f"""\
--- {text}
+++ {text}
@@ -1,3 +1,3 @@
 state fuel: 0..9
-procedure burn
-\ttake 1 from fule
+procedure burn:
+    take 1 from fuel
"""
    assert (1, expected, "rulekit: would fix 3 findings in 1 file\n") == (ran.code, ran.out, ran.err)
    assert list(SLIPS.values()) == [(folder / name).read_text() for name in SLIPS]
    assert 0 == rulekit("check", doubtful(tmp_path / "other"), "--diff").code


def test_programs_are_told_of_fixes(tmp_path: Path) -> None:
    """JSON and SARIF name the edits, at the places that the user knows."""
    folder = write(
        tmp_path / "set", {"text.rules": "state fuel: 0..9\nprocedure burn\n    take 1 from fuel\n"}
    )

    plain = json.loads(rulekit("check", folder, "--output-format", "json").out)
    sarif = json.loads(rulekit("check", folder, "--output-format", "sarif").out)

    Draft202012Validator(resources.schema("diagnostics")).validate(plain)
    (edit,) = plain["findings"][0]["fix"]["edits"]
    assert (f"{folder}/text.rules", 2, 15, 15, ":") == (
        *(edit["place"][name] for name in ("file", "line", "column", "end_column")),
        edit["text"],
    )
    (change,) = sarif["runs"][0]["results"][0]["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"]["uri"].endswith("/set/text.rules")


def test_a_fix_of_what_is_not_told_is_not_made(tmp_path: Path) -> None:
    """Who leaves a kind out leaves its fixes out; a line without an end has a mark in the diff."""
    data = (
        "format: 1\nconfidence: printed\nsource: {BOOK: it}\npopulations:\n"
        "  Boat: {columns: [name, load], rows: [[Heron, 1]], source: BOKK}"
    )
    rules = 'piece Boat from "data/boats.yaml":\n    load: 0..9\n'
    folder = write(tmp_path, {"text.rules": rules, "data/boats.yaml": data})

    ran = rulekit("check", folder, "--diff")

    assert "source: BOOK}\n\\ No newline at end of file\n" in ran.out
    assert (0, "") == ((ran := rulekit("check", folder, "--diff", "--ignore", "RK642")).code, ran.out)


def test_what_came_with_rulekit_is_not_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only sets of the user's own are written."""
    folder = write(tmp_path / "rulekit" / "_share" / "rules" / "set", SLIPS)
    monkeypatch.setattr("rulekit.__file__", str(tmp_path / "rulekit" / "__init__.py"))

    ran = rulekit("check", folder, "--fix")

    assert (2, "") == (ran.code, ran.out)
    assert "is bundled with rulekit and cannot be changed" in ran.err
    assert list(SLIPS.values()) == [(folder / name).read_text() for name in SLIPS]


def test_a_file_that_changes_meanwhile_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody has saved since is not overwritten."""
    folder = write(tmp_path, SLIPS)
    text = folder / "text.rules"
    whole = check_files.apply_fixes

    def slow(*arguments: object) -> object:
        made = whole(*arguments)  # type: ignore[arg-type]
        text.write_text("state other: 0..9\n")
        return made

    monkeypatch.setattr(check_files, "apply_fixes", slow)
    ran = rulekit("check", folder, "--fix")

    assert (2, "state other: 0..9\n") == (ran.code, text.read_text())
    assert "changed during the fix" in ran.err


# ---------------------------------------------------------------- situations as examples


FLEET = """enum Side: Red, Blue
piece Ship:
    members Alpha, Beta
    state hits: 0..9
"""
DUTY = """choice target by Red:
    pick one ship from Ship
    forbid wreck: ship.hits > 5
"""


def test_situations_are_written_as_examples(tmp_path: Path) -> None:
    """Each under what was found; laid beside the rules they hold, until the rules are mended."""
    folder = write(
        tmp_path / "set", {"set.rules": "\n".join((FLEET, DUTY, DUTY.replace("target", "second")))}
    )
    written = tmp_path / "found.rules"
    ran = rulekit("check", folder, "--select", "RK510", "--write-examples", written)

    assert "saved 2 examples to" in ran.err
    text = written.read_text(encoding="utf-8")
    assert text.startswith("# RK510:choice ")
    (folder / "found.rules").write_text(text, encoding="utf-8")
    assert 0 == rulekit("test", folder).code


def test_without_a_situation_nothing_is_written(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", {"set.rules": FLEET})
    ran = rulekit("check", folder, "--write-examples", tmp_path / "found.rules")

    assert "not written: no finding has a situation" in ran.err
    assert not (tmp_path / "found.rules").exists()


@pytest.mark.parametrize("output_format", ["full", "concise", "json", "sarif", "github"])
def test_many_findings_of_a_kind_are_counted(tmp_path: Path, output_format: str) -> None:
    """In every format; `--all-findings` shows them, and the exit code is the same."""
    rules = "".join(f"define f{n} -> 0..9: unknown_{n}\n" for n in range(150))
    folder = write(tmp_path, {"a.rules": rules})

    some = rulekit("check", folder, "--output-format", output_format)
    all_of_them = rulekit("check", folder, "--output-format", output_format, "--all-findings")

    assert 1 == some.code == all_of_them.code
    assert 1 == some.out.count("50 more findings are not shown: RK210 unknown-name")
    assert "unknown_149" not in some.out and "unknown_149" in all_of_them.out
    if output_format not in ("json", "sarif"):
        assert "150 errors\n" == some.err
