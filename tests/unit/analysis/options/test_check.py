"""A check looks at options that nobody chose: text, relations, presets, and what comes of them together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulekit.analysis.check import check
from rulekit.analysis.options import groups
from rulekit.analysis.options.group_cache import GroupScope
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from tests.unit.analysis.options.sets import BASE, checked, made
from tests.unit.cli.running import ROOT

HARBOUR = ROOT / "tests" / "sets" / "harbour"
SHARE = """table share(side) -> 0..9:
    | side | n |
    | Red  | 1 |
    | Blue | 2 |
"""
SMALL = "option {}:\n    set value hand to {}\n"


def told(folder: Path, *more: str) -> list[tuple[str, str]]:
    """Codes and messages."""
    return [(each["code"], each["message"]) for each in checked(folder, *more)]


def labels(finding: dict[str, Any]) -> list[tuple[str, int, str]]:
    """Where else a finding points: file, line, word."""
    return [
        (Path(each["place"]["file"]).name, each["place"]["line"], each["text"]) for each in finding["labels"]
    ]


def test_a_sound_set_is_clean(tmp_path: Path) -> None:
    """Options that fit, in either way of looking."""
    for folder in (HARBOUR, made(tmp_path, {"calm": SMALL.format("calm", 3)})):
        assert [] == told(folder)
        assert check(folder).diagnostics == check(folder, each_option=True).diagnostics


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("option calm:\n\tset value hand to 3\n", "RK102", "tab"),
        ("option calm\n    set value hand to 3\n", "RK108", ""),
        ("option calm:\n    set value hnad to 3\n", "RK230", "`hnad`"),
        ("option calm:\n    set state turn to Red\n", "RK310", ""),
        ("option calm:\n    set value hand to limti\n", "RK210", "`limti`"),
        ("option calm:\n    needs fgo\n", "RK230", "`fgo`"),
        ("option calm:\n    over fgo\n", "RK230", "`fgo`"),
        ("option calm:\n    over calm\n", "RK234", "`calm` is over itself"),
        ("option calm:\n    needs calm\n", "RK237", "`calm` needs itself"),
        ("option calm:\n    excludes calm\n", "RK237", "`calm` excludes itself"),
    ],
)
def test_an_option_is_checked_while_it_is_off(tmp_path: Path, text: str, code: str, said: str) -> None:
    """Its text, its names, its types, its relations; once."""
    folder = made(tmp_path, {"calm": text})

    (finding,) = checked(folder)

    assert (code, "calm.rules") == (finding["code"], Path(finding["place"]["file"]).name)
    assert said in finding["message"]


def test_a_listed_option_without_a_file(tmp_path: Path) -> None:
    """Where the manifest lists it."""
    folder = made(tmp_path, {"calm": SMALL.format("calm", 3)})
    (folder / "options" / "calm.rules").unlink()

    (finding,) = checked(folder)

    assert ("RK290", "ruleset.yaml") == (finding["code"], Path(finding["place"]["file"]).name)


def test_options_in_a_circle(tmp_path: Path) -> None:
    """Over files, and with a way that is told."""
    folder = made(
        tmp_path,
        {
            "a": "option a:\n    needs b\n    over c\n",
            "b": "option b:\n    needs c\n    over a\n",
            "c": "option c:\n    needs a\n    over b\n",
        },
    )

    assert [
        ("RK237", "`a` needs `b`, which needs `c`, which needs `a`"),
        ("RK234", "`a` is over `c`, which is over `b`, which is over `a`"),
    ] == told(folder)


def test_an_option_that_needs_what_excludes_it(tmp_path: Path) -> None:
    """By way of another; told at the first line of the way, with all other lines of it."""
    folder = made(
        tmp_path,
        {
            "a": "option a:\n    needs b\n",
            "b": "option b:\n    needs c\n",
            "c": 'option c:\n    reason "quiet"\n    excludes a\n',
        },
    )

    (finding,) = checked(folder)

    assert ("RK237", "`a` needs `b`, which needs `c`, which excludes `a`") == (
        finding["code"],
        finding["message"],
    )
    assert [("b.rules", 2, "needs `c`"), ("c.rules", 3, "excludes `a`")] == labels(finding)


def test_two_that_clash_are_found_and_the_presets_that_have_both(tmp_path: Path) -> None:
    """Nobody chose either; one finding, with both options and each preset."""
    folder = made(
        tmp_path,
        {"a": SMALL.format("a", 3), "b": SMALL.format("b", 4), "c": "option c:\n    set value limit to 4\n"},
        "{both: [a, c, b], one: [a, c]}",
    )

    (finding,) = checked(folder)

    assert ("RK234", "b.rules") == (finding["code"], Path(finding["place"]["file"]).name)
    assert [("a.rules", 2, "replaced here by `a`"), ("ruleset.yaml", 7, "preset `both` has both")] == labels(
        finding
    )


def test_a_third_that_meets_neither_hides_no_clash(tmp_path: Path) -> None:
    """One acts where the other two never do; these are compared all the same."""
    acts = "option {}:\n    in force while {}\n    set value hand to {}\n"
    folder = made(
        tmp_path,
        {
            "a": acts.format("a", "turn < 3", 3),
            "b": acts.format("b", "turn > 3", 4),
            "c": acts.format("c", "turn > 5", 5),
        },
    )

    assert ["`b` and `c` both replace `hand`; for example, when turn = 6"] == [m for _, m in told(folder)]


def test_two_that_exclude_each_other_do_not_clash(tmp_path: Path) -> None:
    """And each of them is tried with the third, which clashes with one."""
    first = "option a:\n    excludes b\n    set value hand to 3\n"
    folder = made(
        tmp_path,
        {"a": first, "b": SMALL.format("b", 4), "c": SMALL.format("c", 4), "d": SMALL.format("d", 3)},
    )

    assert [
        "`a` and `c` both replace `hand`",
        "`b` and `d` both replace `hand`",
        "`c` and `d` both replace `hand`",
    ] == [message for _, message in told(folder)]


def test_what_an_option_lacks_when_it_is_alone(tmp_path: Path) -> None:
    """It uses what another declares and does not say that it needs it: together they would be sound."""
    folder = made(
        tmp_path,
        {
            "a": "option a:\n    set value hand to guns\n",
            "b": 'option b:\n    reason "more"\nvalue guns: 3\n',
        },
    )

    assert [("RK210", "unknown name `guns`")] == told(folder)
    (folder / "options" / "a.rules").write_text("option a:\n    needs b\n    set value hand to guns\n")
    assert [] == told(folder)


def test_what_an_option_does_to_the_base_is_told_with_it(tmp_path: Path) -> None:
    """A table of the base has a gap once there is a third side: whose doing that is, is a label."""
    base = BASE + SHARE
    folder = made(
        tmp_path,
        {"a": SMALL.format("a", 3), "b": "option b:\n    add to enum Side: Green\n", "c": "value more: 3\n"},
        base=base,
    )

    (finding,) = checked(folder)

    assert ("RK401", "game.rules") == (finding["code"], Path(finding["place"]["file"]).name)
    assert [("b.rules", 1, "with this option")] == labels(finding)


def test_what_two_do_together_is_told_with_both(tmp_path: Path) -> None:
    """The one's table has a gap where the other adds a side."""
    table = f'option a:\n    reason "x"\n{SHARE}'
    folder = made(
        tmp_path,
        {
            "a": table,
            "b": "option b:\n    add to enum Side: Green\n",
            "c": "value more: 3\n",
            "d": "value less: 3\n",
        },
    )

    (finding,) = checked(folder)

    assert ("RK401", "a.rules") == (finding["code"], Path(finding["place"]["file"]).name)
    assert [("b.rules", 1, "with this option")] == labels(finding)


def test_several_options_with_mistakes(tmp_path: Path) -> None:
    """One mistake that stops a stage hides none of another option's."""
    folder = made(
        tmp_path,
        {
            "a": "option a:\n    set value hnad to 3\n",
            "b": "option b:\n    set state turn to Red\n",
            "c": "option c\n",
            "d": "option d:\n    needs c\n    set state turn to 4\n",
        },
    )

    assert ["RK230", "RK310", "RK108"] == [code for code, _ in told(folder)]


@pytest.mark.parametrize(
    ("presets", "code", "said"),
    [
        ("{bad: [a]}", "RK226", "preset `bad` has `a`, which needs `b`"),
        ("{bad: [b, c]}", "RK226", "preset `bad` has `c`, which excludes `b`, but includes that too"),
        ("{bad: [b, b]}", "RK632", "`b` is given twice"),
        ("{bad: [bb]}", "RK646", "preset `bad` has `bb`, which `options` does not list"),
        ("{b: [a, b]}", "RK632", "`b` is given twice"),
    ],
)
def test_a_preset_that_cannot_be_played(tmp_path: Path, presets: str, code: str, said: str) -> None:
    """At its line of the manifest, whether it is chosen or not."""
    folder = made(
        tmp_path,
        {
            "a": "option a:\n    needs b\n",
            "b": "option b:\n    set value hand to 3\n",
            "c": "option c:\n    excludes b\n    set value limit to 3\n",
        },
        presets,
    )

    (finding,) = checked(folder)

    assert (code, said, 7) == (finding["code"], finding["message"], finding["place"]["line"])
    assert "ruleset.yaml" == Path(finding["place"]["file"]).name


@pytest.mark.parametrize("page_of", ["RK226-impossible-preset", "RK227-unlisted-option"])
def test_a_page_of_whole_sets_says_what_is_so(tmp_path: Path, page_of: str) -> None:
    """Its Avoid gets the finding, its Prefer does not."""
    page = (ROOT / "docs" / "diagnostics" / f"{page_of}.md").read_text(encoding="utf-8")
    for part, expected in (("Avoid", [page_of[:5]]), ("Prefer", [])):
        blocks = page.partition(f"## {part}\n")[2].partition("\n## ")[0].split("```")[1::2]
        folder = tmp_path / part
        for block in blocks:
            head, _, text = block.partition("\n")[2].partition("\n")
            path = folder / head.removeprefix("# file: ")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

        assert expected == [code for code, _ in told(folder)]


@pytest.mark.parametrize("listed", [True, False])
def test_a_file_that_no_option_has(tmp_path: Path, listed: bool) -> None:
    """Told at its top, with the nearest that is listed; whether there are options or not."""
    folder = made(tmp_path, {"fog": "option fog:\n    set value hand to 3\n"} if listed else {})
    (folder / "options" / "fogg.rules").write_text("option fogg:\n    set value hand to 4\n")

    (finding,) = checked(folder)

    assert ("RK227", "RK227:option fogg") == (finding["code"], finding["id"])
    assert "`options/fogg.rules` does not belong to any option" in finding["message"]
    assert listed == ("did you mean `options/fog.rules`?" in finding["hint"])


def test_every_option_alone(tmp_path: Path) -> None:
    """Who looks at each of them finds what others would mend, and nothing else in what is sound."""
    folder = made(
        tmp_path, {"a": SMALL.format("a", 3), "b": "option b:\n    over a\n    set value hand to 4\n"}
    )

    assert [] == told(folder, "--all-options")


def test_files_of_options_that_are_off_change_nothing(tmp_path: Path) -> None:
    """The program without options is the same, node for node, whether `options/` is there or not."""
    options = {path.stem: path.read_text() for path in (HARBOUR / "options").glob("*.rules")}
    base = (HARBOUR / "harbour.rules").read_text()
    one = made(tmp_path / "with", options, base=base)
    other = made(tmp_path / "without", {}, base=base)

    assert compile_rule_set(other, Report()).program == compile_rule_set(one, Report()).program


CALM = "option calm:\n    set value hand to {}\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("define half(share: 0..9) -> 0..9: share\n" + CALM.format("half(2)"), None),
        (CALM.format("share(Red)"), "RK210"),
        ("define mine(share: 0..9) -> 0..9: share + share(Red)\n" + CALM.format("mine(2)"), "RK210"),
    ],
)
def test_what_is_borrowed_is_told_from_what_is_named_there(
    tmp_path: Path, text: str, code: str | None
) -> None:
    """A parameter named as what another option declares is none of that; a call is."""
    lend = "define share(side) -> 0..9: 1\noption lend:\n    set value limit to share(Red)\n"
    found = told(made(tmp_path, {"calm": text, "lend": lend}))
    assert [code] * (code is not None) == [each[: len(code or "")] for each, _ in found]


CLAIMED = """option calm:
    set value hand to 3
claim hand_of_three: hand = 3
claim hand_of_five: hand = 5                             [2.1]
claim both_at_once needs storm: limit + hand = 12
claim neither needs storm: limit = hand
errata small_hands:
    printed "five"
    printed "three"
    settles hand_of_four
    play hand = 3
claim hand_of_four: hand = 4
"""
STORM = "option storm:\n    set value limit to 9 + 0\n"


def test_claims_of_an_option_are_tried_with_it_if_each_is_looked_at(tmp_path: Path) -> None:
    """With the option, and what a claim needs, and no more; those that errata settle are not told."""
    folder = made(tmp_path, {"calm": CLAIMED, "storm": STORM.replace("9 + 0", "8")})

    assert [] == [each for each in told(folder) if each[0].startswith("RK41")]
    found = {each["id"]: each for each in checked(folder, "--all-options") if each["code"] == "RK411"}
    assert {"RK411:claim hand_of_five", "RK411:claim both_at_once", "RK411:claim neither"} == set(found)
    assert "`hand` is 3, not 5" in found["RK411:claim hand_of_five"]["message"]
    assert ("storm.rules", 1, "with this option") in labels(found["RK411:claim neither"])


def test_a_claim_of_the_base_that_needs_options_is_tried_with_them(tmp_path: Path) -> None:
    """And not in company: another option may have changed what it speaks of."""
    claims = "claim small needs calm: hand = 3\nclaim large needs calm, storm: hand = 5\n"
    options = {"calm": SMALL.format("calm", 3), "storm": "option storm:\n    set value limit to 8\n"}
    folder = made(tmp_path, options, base=BASE + claims)

    assert [] == told(folder)
    assert ["RK411:claim large"] == [each["id"] for each in checked(folder, "--all-options")]


def test_claims_are_tried_again_when_their_option_changes(tmp_path: Path) -> None:
    """What is kept of a group looked at with its claims is not that of one without."""
    folder = made(tmp_path, {"calm": SMALL.format("calm", 3) + "claim three: hand = 3\n"})
    assert [] == told(folder) == told(folder, "--all-options")

    text = SMALL.format("calm", 4) + "claim three: hand = 3\n"
    (folder / "options" / "calm.rules").write_text(text)
    assert [] == told(folder)
    assert ["RK411"] == [code for code, _ in told(folder, "--all-options")]
    assert [] == told(folder)


CHOICE = """enum Side: Red, Blue
state pace_now: 0..9 = 0
define wet -> flag: pace_now < 5
define d -> 0..9: 1
choice pace by Red:
    number from 1 to 5
procedure ask:
    choose pace as n
    set pace_now to n
procedure fast:
    set pace_now to 9
sequence play:
    CALL
    finish pace_now + d
"""
BIG = "option big:\n    add to choice pace:\n        forbid large: answer > 2\n"
THREE = "option three:\n    add to choice pace:\n        require full: answer = 3\n"


@pytest.mark.parametrize(("call", "code"), [("do ask", "RK513"), ("do fast", "RK510")])
def test_norms_of_two_that_leave_no_answer(tmp_path: Path, call: str, code: str) -> None:
    """A warning where play asks the choice, else a note."""
    folder = made(tmp_path, {"big": BIG, "three": THREE}, base=CHOICE.replace("CALL", call))

    assert code in {finding.kind.code for finding in check(folder).diagnostics}
    assert ("RK513" in {code for code, _ in told(folder)}) == (code == "RK513")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (
            {
                "big": BIG,
                "three": THREE,
                "ease": "option ease:\n    over big\n    remove norm large of choice pace\n",
            },
            "RK513",
        ),
        (
            {
                "ann": "option ann:\n    redefine define d: 2\n",
                "bob": "option bob:\n    over cid\n    redefine define d: 3\n",
                "cid": "option cid:\n    over ann\n",
            },
            "RK234",
        ),
        (
            {
                "ann": "option ann:\n    in force while wet\n    redefine define d: 2\n",
                "bob": "option bob:\n    in force while not wet\n    redefine define d: 3\n",
                "cid": "option cid:\n    redefine define wet: pace_now < 3\n",
            },
            "",
        ),
        (
            {
                "ann": "option ann:\n    in force while wet\n    redefine define d: 2\n",
                "bob": "option bob:\n    in force while pace_now < 4\n    redefine define d: 3\n",
                "cid": "option cid:\n    redefine define wet: pace_now > 6\n",
            },
            "RK234",
        ),
    ],
    ids=["healed", "ordered", "negated", "acquitted"],
)
def test_a_third_hides_nothing_of_two(tmp_path: Path, options: dict[str, str], code: str) -> None:
    """What two do to each other is found although a third heals, orders or parts them."""
    folder = made(tmp_path, options, base=CHOICE.replace("CALL", "do ask"))

    assert ([code] if code else []) == [one for one, _ in told(folder) if one != "RK440"]


@pytest.mark.parametrize(
    ("one", "other", "beside"),
    [
        ("replace procedure ask: set pace_now to 1", "add to choice pace: forbid answer = 1", "`pace`"),
        ("redefine define wet: d = 2", "redefine define d: 3", ""),
        ("replace procedure ask:\n        do original", "add to choice pace: forbid answer = 1", ""),
    ],
    ids=["not-asked", "still-read", "original"],
)
def test_what_another_no_longer_uses(tmp_path: Path, one: str, other: str, beside: str) -> None:
    """A note that names both, only where nothing uses it any more."""
    one, other = (
        line.replace(": forbid", ":\n        forbid").replace(": set", ":\n        set")
        for line in (one, other)
    )
    options = {"ann": f"option ann:\n    {one}\n", "bob": f"option bob:\n    {other}\n"}
    folder = made(tmp_path, options, base=CHOICE.replace("CALL", "do ask"))

    messages = [finding.message for finding in check(folder).diagnostics if finding.kind.code == "RK240"]

    start = f"`bob` changes {beside}, which `ann` no longer uses"
    assert [start] * bool(beside) == [message.partition(":")[0] for message in messages]


COMPARE = BASE.replace(
    "sequence play:\n",
    """state bid(side): 0..5, known to side
state lead: flag
value cut: 5
procedure compare:
    when turn > 3 or bid(Red) > cut: set lead to true
sequence play:
    do compare
""",
)
"""Blue sees `lead`, which depends on a bid of Red once an option changes the cut."""


def test_the_process_that_meets_a_warning_looks_in_the_smaller_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several processes report what one does, and nothing is left to check when all have ended."""
    monkeypatch.setattr(groups, "PER_ITEM", 1)
    options = {
        "a": SMALL.format("a", 3),
        "b": "option b:\n    replace procedure compare:\n        when bid(Red) > 2: set lead to true\n",
        "c": "value more: 3\n",
    }
    folder = made(tmp_path, options, base=COMPARE)
    ended: list[list[frozenset[str]]] = []
    here: list[frozenset[str]] = []
    work, share = groups.GroupChecker._check, groups.share_work

    def counted(self: groups.GroupChecker, group: frozenset[str], scope: GroupScope) -> groups.GroupResult:
        here.append(group)
        return work(self, group, scope)

    def shared(*arguments: Any) -> Any:
        results = share(*arguments)
        ended.append(list(here))
        return results

    monkeypatch.setattr(groups.GroupChecker, "_check", counted)
    monkeypatch.setattr(groups, "share_work", shared)

    several = check(folder, jobs=2, remember=False)
    assert [here] == ended
    alone = check(folder, remember=False)

    assert several.diagnostics == alone.diagnostics
    assert "RK530" in [finding.kind.code for finding in alone.diagnostics]


def test_an_accepted_warning_is_not_looked_for_with_fewer_options(tmp_path: Path) -> None:
    """Whoever accepts it knows with which options it is met: no smaller group is compiled for it."""
    options = {
        "a": SMALL.format("a", 3),
        "b": "option b:\n    set value cut to 2\n",
        "c": "value more: 3\n",
    }
    loud = made(tmp_path / "loud", options, base=COMPARE)
    finding = next(each for each in checked(loud) if each["code"] == "RK530")
    accept = f'accept:\n  - finding: "{finding["id"]}"\n    reason: Printed so.\n    with: [b]\n'
    accepting = made(tmp_path / "accepting", options, base=COMPARE, more=accept)

    assert [("b.rules", 1, "with this option")] == labels(finding)
    assert [] == told(accepting)
    assert [()] == [one.labels for one in check(accepting).accepted]
