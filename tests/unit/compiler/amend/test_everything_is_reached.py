"""Whatever has a name or a printed number can be amended, in the base and in another option."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from rulekit.testing import compile_text
from tests.language.running import failures

BASE = """
enum Side: Red, Blue
state turn: 1..9 = 1
state log_of: list of 0..99, at most 20
piece Buoy:
    members Bell
space Sea:
    members Open, Closed, Deep
"""


@dataclass(frozen=True)
class Thing:
    """Something that can be amended.

    Attributes:
        item: Its text, where it is declared for itself.
        whole: What is in the base in any case, for a part that is brought by an amendment.
        part: The part where the base has it, to stand in `whole` at the mark.
        brings: The amendment that brings the part.
    """

    item: str = ""
    whole: str = ""
    part: str = ""
    brings: str = ""

    def base(self) -> str:
        """The base, with the thing."""
        return BASE + self.item + self.whole.replace("@", self.part)

    def without(self) -> str:
        """The base, without it."""
        return BASE + self.whole.replace("@", "")

    def option(self) -> str:
        """An option that brings it."""
        brings = f"    {self.brings}\n" if self.brings else '    reason "there is more"\n'
        return f"option apple:\n{brings}{self.item}"


ENUM = Thing("enum Colour: White, Black\n")
KIND = Thing("kind Float is Buoy\npiece Cork:\n    members Cork_1\n")
PIECE = Thing("piece Ship:\n    members Alpha\n    armor: 0..3 = 3\n    state hurt: 0..3\n")
SPACE = Thing("space Port:\n    members Quay\n")
GROUP = Thing("group Fleet, at most 1:\n    state size: 0..3\n")
STATE = Thing("state mood: 0..3 = 1\n")
TRACK = Thing("track lead: -3..3\n")
DEFINE = Thing("define reach(n: 0..3) -> 0..6: n + n                [2.1]\n")
VALUE = Thing("value limit -> 0..6: 2\n")
LINES = Thing("define left(n: 0..9) -> 0..9:\n    when n > 3: 0    [3.4]\n    otherwise: 2\n")
TABLE = Thing(
    "table odds(n: 1..2) -> 0..3:\n    | n | result |\n    | 1 | 1      |\n    | 2 | 2      | [6.2]\n"
)
EXTERN = Thing('extern table luck(n: 1..2) -> 0..3:\n    file "owner/luck.yaml"\n')
COLUMNS = Thing(
    "table both(n: 1..2) -> (low: 0..3, high: 0..3):\n    | n | low | high |\n    | 1..2 | 1 | 2 |\n"
)
ROLL = Thing(
    "roll fire(n: 0..3): d6\nmodifier guns on roll fire: +1\n    when n > 0   [7.53]\n"
    "procedure shoot(n: 0..3) -> 0..30:\n    roll fire(n) as shot\n    result shot\n"
)
CLASSES = Thing(
    "roll aim: d6\n    stack guns: highest, at most 3      [7.6]\n"
    "modifier big on roll aim: +2 stacks as guns\n"
    "modifier small on roll aim: +1 stacks as guns\n"
    "procedure shoot -> 0..30:\n    roll aim as shot\n    result shot\n"
)
CALENDAR = Thing("calendar today from Jan 1942 to Sep 1942: Dec 1941 + turn\n")
CHOICE = Thing(
    "choice go(side) by side:\n    pick one sea from all\n    let all = Sea\n"
    "    forbid shut: sea is Closed      [8.1]\n        when turn < 3   [8.2]\n"
)
CLASS = Thing(
    whole="roll aim: d6\n    favours Red\n@modifier big on roll aim: +2\nmodifier small on roll aim: +1\n"
    "procedure shoot -> 0..30:\n    roll aim as shot\n    result shot\n",
    part="    stack guns: highest         [7.6]\n",
    brings="add to roll aim:\n        stack guns: highest     [7.6]",
)
PROCEDURE = Thing(
    "procedure act(n: 0..3) -> 0..3:\n    step first_step: add 2 to log_of [5.1]\n    result n\n"
)
SEQUENCE = Thing("sequence rounds:\n    add 2 to log_of\n")
SCENARIO = Thing("scenario early:\n    set turn to 2\n")
EVENT = Thing("event bell as soon as turn > 1: add 3 to log_of\nprocedure tick:\n    add 1 to turn\n")
INVARIANT = Thing("invariant calm: turn < 2\nprocedure tick:\n    add 1 to turn\n")

NORM = Thing(
    whole="choice stay by Red:\n    pick one sea from Sea\n@",
    part="    forbid shut: sea is Closed    [8.1]\n        when turn < 3     [8.2]\n",
    brings="add to choice stay:\n        forbid shut: sea is Closed  [8.1]\n            when turn < 3  [8.2]",
)
ROW = Thing(
    whole="table rows(n: 1..3) -> 0..9:\n    | n | result |\n    | otherwise | 1 |\n@",
    part="    | 3 | 3 |       [6.3]\n",
    brings="add to table rows:\n        | 3 | 3 |     [6.3]",
)
STEP = Thing(
    whole="procedure march:\n    step outer:\n        add 1 to log_of\n@",
    part="    step inner: add 2 to log_of       [5.4]\n",
    brings="insert after step outer:\n        step inner: add 2 to log_of  [5.4]",
)
CASE = Thing(
    whole="define lines(n: 0..9) -> 0..9:\n@    otherwise: 2\n",
    part="    when n > 3: 4     [3.5]\n",
    brings="redefine define lines:\n        when n > 3: 4    [3.5]\n        otherwise: original(n)",
)


def aimed(shot: int) -> str:
    """An example that rolls one, and what comes of it."""
    return f"when do shoot as x\n    dice aim: 1\n    then x = {shot}"


CASES = [
    ("enum add", ENUM, "add to enum Colour: Red_one", "then count of Colour = 3"),
    ("kind add", KIND, "add to kind Float: Cork", "then count of Float = 2"),
    ("piece add member", PIECE, "add to piece Ship: Beta", "then count of Ship = 2"),
    ("piece add field", PIECE, "add to piece Ship:\n        field speed: 0..9 = 4", "then Alpha.speed = 4"),
    ("field widen", PIECE, "widen field hurt of piece Ship to 0..9", "given Alpha.hurt = 9\n    then true"),
    ("space add", SPACE, "add to space Port: Mole", "then count of Port = 2"),
    ("group add", GROUP, "add to group Fleet:\n        state tired: flag",
     "when form Fleet as f\n    then not f.tired"),
    ("group widen", GROUP, "widen group Fleet to at most 2",
     "when form Fleet as f\n    when form Fleet as g\n    then true"),
    ("state set", STATE, "set state mood to 2", "then mood = 2"),
    ("state widen", STATE, "widen state mood to 0..9", "given mood = 9\n    then true"),
    ("track set", TRACK, "set track lead to 2", "then lead = 2"),
    ("track widen", TRACK, "widen track lead to -9..9", "given lead = 9\n    then true"),
    ("define redefine", DEFINE, "redefine define reach: original(n) - n", "then reach(2) = 2"),
    ("define by number", DEFINE, "redefine [2.1]: 5", "then reach(2) = 5"),
    ("define parameter", DEFINE, "widen parameter n of define reach to 0..9\n    redefine define reach: 6",
     "then reach(9) = 6"),
    ("define result", DEFINE, "widen result of define reach to 0..9\n    redefine define reach: 9",
     "then reach(1) = 9"),
    ("value set", VALUE, "set value limit to 3", "then limit = 3"),
    ("case set", LINES, "set [3.4] to 9", "then left(4) = 9"),
    ("case remove", LINES, "remove [3.4]", "then left(4) = 2"),
    ("table add", TABLE, "widen parameter n of table odds to 1..3\n    add to table odds:\n        | 3 | 3 |",
     "then odds(3) = 3"),
    ("table replace", TABLE, "replace table odds:\n        | n | result |\n        | 1..2 | 3 |",
     "then odds(1) = 3"),
    ("table result", TABLE,
     "widen result of table odds to 0..9\n    set cell result of row 1 of table odds to 9",
     "then odds(1) = 9"),
    ("extern replace", EXTERN, "replace table luck:\n        | n | result |\n        | 1..2 | 3 |",
     "then luck(1) = 3"),
    ("row replace", TABLE, "replace row 1 of table odds:\n        | 1 | 3 |", "then odds(1) = 3"),
    ("row by number", TABLE, "replace [6.2]:\n        | 2 | 3 |", "then odds(2) = 3"),
    ("row remove", TABLE,
     "remove row 1 of table odds\n    replace row 2 of table odds:\n        | 1..2 | 0 |",
     "then odds(1) = 0"),
    ("cell set", TABLE, "set cell result of row 2 of table odds to 0", "then odds(2) = 0"),
    ("column widen", COLUMNS, "widen column high of table both to 0..9\n"
     "    set cell high of row 1..2 of table both to 9", "then both(1).high = 9"),
    ("roll set", ROLL, "set roll fire to 2d6", "when do shoot(0) as x\n    dice fire: 6, 6\n    then x = 12"),
    ("roll parameter", ROLL, "widen parameter n of roll fire to 0..9", "when do shoot(0) as x\n"
     "    dice fire: 6\n    then x = 6"),
    ("modifier set", ROLL, "set modifier guns to 2",
     "when do shoot(1) as x\n    dice fire: 1\n    then x = 3"),
    ("modifier remove", ROLL, "remove modifier guns",
     "when do shoot(1) as x\n    dice fire: 1\n    then x = 1"),
    ("clause set", ROLL, "set [7.53] to n > 2", "when do shoot(1) as x\n    dice fire: 1\n    then x = 1"),
    ("clause remove", ROLL, "remove [7.53]", "when do shoot(0) as x\n    dice fire: 1\n    then x = 2"),
    ("roll add", CLASSES, "add to roll aim:\n        stack more: sum, at most 1", aimed(3)),
    ("stack set", CLASSES, "set stack guns of roll aim to sum", aimed(4)),
    ("stack limit", CLASSES, "set stack guns of roll aim to highest, at most 1", aimed(2)),
    ("stack remove", CLASSES, "remove stack guns of roll aim", aimed(4)),
    ("stack by number", CLASSES, "set [7.6] to lowest, at least 0", aimed(2)),
    ("added stack", CLASS, "set stack guns of roll aim to sum, at most 1", aimed(4)),
    ("added stack by number", CLASS, "remove stack [7.6]", aimed(4)),
    ("calendar ends", CALENDAR, "set calendar today from Dec 1941 to Dec 1942\n"
     "    set calendar today to Nov 1941 + turn", "then today = Dec 1941"),
    ("calendar now", CALENDAR, "set calendar today to May 1942", "then today = May 1942"),
    ("choice add", CHOICE, "add to choice go:\n        forbid sea is Open  [9.9]",
     "given turn = 4\n    when choose go(Red) as x\n    answers go: Open\n    then refused by [9.9]"),
    ("choice replace", CHOICE, "replace choice go:\n        pick one sea from {Closed}",
     "when choose go(Red) as x\n    then x is Closed"),
    ("decider set", CHOICE, "set decider of choice go to Blue", "given turn = 4\n"
     "    when choose go(Red) as x\n    answers go: Closed\n    then x is Closed"),
    ("verb replace", CHOICE, "replace verb of choice go:\n        pick one sea from all - {Closed}",
     "given turn = 4\n    when choose go(Red) as x\n    answers go: Open\n    then x is Open"),
    ("let set", CHOICE, "set let all of choice go to {Closed, Deep}",
     "given turn = 4\n    when choose go(Red) as x\n    answers go: Deep\n    then x is Deep"),
    ("norm of a choice", CHOICE, "remove norm shut of choice go", "when choose go(Red) as x\n"
     "    answers go: Closed\n    then x is Closed"),
    ("norm replace", NORM, "replace norm shut of choice stay:  [9.9]\n        forbid sea is Open",
     "when choose stay as x\n    answers stay: Open\n    then refused by [9.9]"),
    ("norm remove", NORM, "remove norm shut of choice stay", "when choose stay as x\n"
     "    answers stay: Closed\n    then x is Closed"),
    ("norm by number", NORM, "remove [8.1]", "when choose stay as x\n"
     "    answers stay: Closed\n    then x is Closed"),
    ("clause of a norm", NORM, "set [8.2] to turn > 3", "when choose stay as x\n"
     "    answers stay: Closed\n    then x is Closed"),
    ("added row", ROW, "replace row 3 of table rows:\n        | 3 | 9 |", "then rows(3) = 9"),
    ("added row by number", ROW, "replace [6.3]:\n        | 3 | 9 |", "then rows(3) = 9"),
    ("cell of an added row", ROW, "set cell result of row 3 of table rows to 9", "then rows(3) = 9"),
    ("procedure replace", PROCEDURE, "replace procedure act:\n        do original(n) as x\n        result 3",
     "when do act(1) as x\n    then x = 3 and log_of = {2}"),
    ("procedure parameter", PROCEDURE, "widen parameter n of procedure act to 0..9\n"
     "    widen result of procedure act to 0..9", "when do act(9) as x\n    then x = 9"),
    ("step before", PROCEDURE, "insert before step first_step: add 7 to log_of",
     "when do act(1) as x\n    then log_of = {7, 2}"),
    ("step after", PROCEDURE, "insert after [5.1]: add 7 to log_of", "when do act(1) as x\n"
     "    then log_of = {2, 7}"),
    ("step replace", STEP, "replace step inner:\n        add 7 to log_of", "when do march\n"
     "    then log_of = {1, 7}"),
    ("step remove", STEP, "remove step inner", "when do march\n    then log_of = {1}"),
    ("statement by number", STEP, "insert before [5.4]: add 7 to log_of", "when do march\n"
     "    then log_of = {1, 7, 2}"),
    ("added case", CASE, "set [3.5] to 9", "then lines(4) = 9 and lines(1) = 2"),
    ("added case remove", CASE, "remove [3.5]", "then lines(4) = 2"),
    ("sequence replace", SEQUENCE, "replace sequence rounds:\n        do original()\n        add 7 to log_of",
     "when do rounds\n    then log_of = {2, 7}"),
    ("scenario replace", SCENARIO, "replace scenario early:\n        set turn to 3",
     "given scenario early\n    then turn = 3"),
    ("event replace", EVENT, "replace event bell:\n        add 7 to log_of", "when do tick\n"
     "    then log_of = {7}"),
    ("event remove", EVENT, "remove event bell", "when do tick\n    then log_of is empty"),
    ("invariant set", INVARIANT, "set invariant calm to turn < 9", "when do tick\n    then turn = 2"),
    ("invariant remove", INVARIANT, "remove invariant calm", "when do tick\n    then turn = 2"),
]  # fmt: skip


def own(amendment: str, example: str) -> str:
    """An option that amends, and shows it."""
    shown = f'example "shown":\n    given with apple\n    {example}\n'
    return f"option own:\n    over apple\n    {amendment}\n{shown}"


def told(text: str, files: dict[str, str], options: tuple[str, ...]) -> list[str]:
    """What is found, and what fails, with some options."""
    made = compile_text(text, files, options=options)
    return [found.message for found in made.findings] + (failures(made.program) if made.program else [])


@pytest.mark.parametrize(("thing", "amendment", "example"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
class TestEverything:
    """Each thing with each amendment that it can take."""

    def test_in_the_base(self, thing: Thing, amendment: str, example: str) -> None:
        """Of the base."""
        text = own(amendment, example).replace("    over apple\n", "").replace("    given with apple\n", "")

        assert [] == told(thing.base(), {"options/own.rules": text}, ("own",))

    def test_in_another_option(self, thing: Thing, amendment: str, example: str) -> None:
        """Of what another option brings; whatever that one is called."""
        for name in ("apple", "zebra"):
            files = {
                "options/own.rules": own(amendment, example).replace("apple", name),
                f"options/{name}.rules": thing.option().replace("apple", name),
            }

            assert [] == told(thing.without(), files, ("own", name))

    def test_where_that_is_not_chosen(self, thing: Thing, amendment: str, example: str) -> None:
        """The amendment rests, and nothing is found."""
        files = {"options/own.rules": own(amendment, example), "options/apple.rules": thing.option()}

        assert [] == told(thing.without(), files, ("own",))
