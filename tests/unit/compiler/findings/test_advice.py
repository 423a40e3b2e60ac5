"""Where the parser refuses a word, the hint says what to write."""

from __future__ import annotations

import re

import pytest

from rulekit.base.source import Source
from rulekit.diagnostics import Diagnostic, Report
from rulekit.syntax.parse import parse
from tests.unit.compiler.findings.cases import Case

ADVICE = (
    Case(
        "a filter inside a condition",
        """
        procedure p:
            when some s in Ship where s is sunk: say "x"        #! RK101 "unexpected `where`"
            when count of near(Red) where it is sunk > 3: say "x"       #! RK101 "`where`"
            let none_left = Ship where it is sunk is empty      #! RK101 "`is`"
        """,
        (
            "`(Ship where ..)`",
            "`(near(Red) where ..)`",
            "add parentheses around the set: `(Ship where ..) is`",
        ),
    ),
    Case(
        "a reach that is compared",
        """
        define near -> flag: Area linked to home by borders is empty    #! RK101 "`is`"
        """,
        ("`(Area linked ..) is`",),
    ),
    Case(
        "odds of two numbers",
        """
        define odds(a: Ship, d: Ship) -> ratio: (a.guns:d.guns)        #! RK101 "`:`"
        """,
        ("write `ratio(a.guns, d.guns)`",),
    ),
    Case(
        "a dash in a note of a table",
        """
        table loss(roll: d6) -> 0..3:
            | roll | loss |
            | 1..6 | 2*   |
            note *: -                                           #! RK101
        table losses(roll: d6) -> 0..3:
            | roll | loss |
            | 1..6 | 2*   |
            note *: - when roll > 3                             #! RK101
        table lost(roll: d6) -> 0..3:
            | roll | loss |
            | 1..6 | 2*   |
            note *: —                                           #! RK101
        """,
        ("write the value that the mark gives: `0`",) * 3,
    ),
    Case(
        "what an entry of errata plays, and who decides it",
        """
        errata hill:
            printed "a unit on a hill"
            play as "the defender's hill"                       #! RK101
            by "House rules"                                      #! RK101
        """,
        ('write `play "the defender\'s hill"`', "an author is a name: `by 'House rules'`"),
    ),
    Case(
        "a choice that nobody makes",
        """
        choice target(side: Side):                              #! RK101
            decide
        """,
        ("name the decider: `by SIDE` before the `:`",),
    ),
    Case(
        "a range with a dash",
        """
        table t(roll: 1..6) -> 0..9:
            | roll  | a |
            | 1..6  | 1 |
        state fuel: 0-9                                         #! RK101
        state days: 0 to 9                                      #! RK101
        """,
        ("`0..9`", "`0..9`"),
    ),
    Case(
        "chance and choices as values",
        """
        procedure p:
            let shot = roll fire(Alpha, target(Beta))           [4.1] #! RK101
            set fuel to choose amount                           #! RK101
            when do burn: say "x"                               #! RK101
            let chit = draw 1 by lot from cup                   [4.2] #! RK101
        """,
        (
            "`roll fire(Alpha, target(Beta)) as shot`",
            "`choose amount as wanted`",
            "`do burn as made`",
            "`draw 1 by lot from cup as chit`",
        ),
    ),
    Case(
        "a loop that says neither how often nor how long",
        """
        procedure p:
            repeat 3:                                           #! RK101
                say "x"
            repeat fuel > 3:                                    #! RK101
                say "x"
        """,
        ("write `repeat 3 times:`", "`repeat while ..:` or `repeat until ..:`"),
    ),
    Case(
        "a statement without the word between its parts",
        """
        procedure p:
            add 1 fuel                                          #! RK101
            take 2 fuel                                         #! RK101
            set fuel = 4                                        [4.1] #! RK101
            mark Alpha sunk                                     #! RK101
            move Alpha North                                    #! RK101
        procedure q:
            draw 1 bag                                          #! RK101
            form Fleet fleet                                    #! RK101
        """,
        (
            "`add 1 to fuel`",
            "`take 2 from fuel`",
            "`set fuel to 4`",
            "`mark Alpha as sunk`",
            "`move Alpha to North`",
            "`draw 1 from bag as drawn`",
            "`form Fleet as fleet`",
        ),
    ),
    Case(
        "assignments",
        """
        procedure p:
            fuel = 3                                            [4.1] #! RK109 "cannot start with `fuel`"
            lead += 2                                           #! RK109 "cannot start with `lead`"
            Alpha.damage -= 1                                   #! RK109
            held(North) = Red                                   #! RK109
        """,
        (
            "write `set fuel to 3`",
            "`add 2 to lead`",
            "`take 1 from Alpha.damage`",
            "`set held(North) to Red`",
        ),
    ),
    Case(
        "words of other languages",
        """
        procedure p:
            print "x"                                           #! RK109
            if fuel > 3: say "x"                                #! RK109
            return 3                                            #! RK101
            set fuel to (3 == 4)                                #! RK101
        """,
        ('write `say "..."`', "use `when`", "write `result` before a value", "write one `=`"),
    ),
    Case(
        "a misspelt word has its nearest",
        """
        procedure p:
            sya "x"                                             #! RK109
        define f(n: 0..9):
            whn n > 3: 4                                        #! RK109
        """,
        ("did you mean `say`?", "did you mean `when`?"),
    ),
    Case(
        "a single expression under a definition's head",
        """
        define f(n: 0..9):
            n + 1                                               #! RK109
        define g(n: 0..9):
            result n + 1                                        #! RK109
        """,
        ("write a single expression on the first line", "start with `when`, `otherwise`"),
    ),
    Case(
        "a value that is not on the line of its case",
        """
        define f(n: 0..9) -> 0..9:
            when n > 3:                                         #! RK101 "end of line"
                4
            otherwise:                                          #! RK101 "end of line"
                2
        define g(n: 0..9) -> 0..9:
            when n > 3:                                         #! RK101 "end of line"
                when n > 6: 4
                otherwise: 3
            otherwise: 2
        define h(n: 0..9) -> 0..9: when n > 3: 4                #! RK101 "`n`"
        define i(n: 0..9) -> 0..9: 4 when n > 3:                #! RK101 "`when`"
        define j(n: 0..9) -> 0..9:
            otherwise: 4 when n > 3                             #! RK101 "`when`"
        """,
        (
            "write the value on this line, after the `:`",
            "write the value on this line, after the `:`",
            "join the conditions of nested cases with `and`",
            "begin a new line, indented, before `when`",
            "write `when n > 3: 4` as a line of its own",
            "write `when n > 3: 4` as a line of its own",
        ),
    ),
    Case(
        "a condition or an alternative without parentheses",
        """
        value base: 3 when 2 > 1 otherwise 4                    #! RK101 "`when`"
        define f(n: 0..9) -> 0..9: n + 1 otherwise 2 [1.2]      #! RK101 "`otherwise`"
        define g(n: 0..9) -> 0..9:
            when n > 3: 4 when n < 6 otherwise 2                #! RK101 "`when`"
            otherwise: best(n) otherwise 2                      #! RK101 "`otherwise`"
        procedure p:
            let most = 4 otherwise 5                            #! RK101 "`otherwise`"
            set base to 4 when most > 3 otherwise 5             #! RK101 "`when`"
            result 4 otherwise 5                                #! RK101 "`otherwise`"
        """,
        (
            "add parentheses: `(3 when 2 > 1 otherwise 4)`",
            "add parentheses: `(n + 1 otherwise 2)`",
            "add parentheses: `(4 when n < 6 otherwise 2)`",
            "add parentheses: `(best(n) otherwise 2)`",
            "add parentheses: `(4 otherwise 5)`",
            "add parentheses: `(4 when most > 3 otherwise 5)`",
            "add parentheses: `(4 otherwise 5)`",
        ),
    ),
    Case(
        "an amendment that does not say what it amends",
        """
        exception a:
            set v to 4                                          #! RK101
            remove night                                        #! RK101
            redefine range: 3                                   #! RK101
            insert before landing: say "x"                      #! RK101
        """,
        (
            "say what `v` is: `set value v`",
            "`remove modifier night`",
            "`redefine define range`",
            "`insert before step landing`",
        ),
    ),
    Case(
        "citations in the wrong place",
        """
        procedure p:
            say "x"  [4.2] [4.3, 4.4]                           #! RK112
            [4.5]                                               #! RK112
            [4.6] say "x"                                       #! RK112
        """,
        (
            "combine both: `[4.2, 4.3, 4.4]`",
            "to the end of the line it refers to",
            "to the end of the line",
        ),
    ),
    Case(
        "a word of the language as a name",
        """
        state of: 0..9                                          #! RK101 "`of`"
        """,
        ("`'of'`",),
    ),
)


def dedented(case: Case) -> Case:
    """The case with its text at the left edge."""
    lines = case.text.strip("\n").split("\n")
    text = "\n".join(line.removeprefix(" " * 8) for line in lines)
    return Case(case.name, text.rstrip() + "\n", case.hints, case.files, case.options)


@pytest.mark.parametrize("case", ADVICE, ids=lambda case: case.name)
def test_refused_word(case: Case) -> None:
    """One finding a mistake, at the word that is refused, with the hint that mends it."""
    dedented(case).holds()


SOUND = """\
procedure battle(area: Area, side) -> 0..9:                     [7.1]
    let here = Ship at area where it is not sunk
    for each s in here, by lowest its armor:
        when s.armor > 3 and (some t in here where t is Red):
            roll fire(s) as shot                                [7.2]
            when unmodified shot in 1..3: add shot to s.damage  # a hit
            otherwise: mark s as fired
    repeat until here is empty, at most 3 times: set lead to -(3 + 2) / 2 rounded down
    choose target(side) for each side in Side as wanted
    draw 1 by lot from here as lost
    result (lead when lead > 0 otherwise 0)
table effect(roll: 1..6, date: month) -> (order: Order, ships: 0..9):
    | roll | date                 | order | ships |
    | 1..3 | Aug 1942 to Oct 1942 | Hold  | 6*    |             [4.2, 4.3]
    | 4..  | from Nov 1942        | -     | 0     |
    note *: 2 when lead > 3
exception first_turn "The first turn" by House, change:
    in force while turn = 1
    replace norm closed of choice course: forbid area is North unless lead > 3
    set value range to 4
    reason "as printed"
example "an example":
    given scenario dec_1941, Alpha, Beta at North, lead = 3
    when do battle(North, Red) as made
    dice fire: 1, 2
    answers target: Alpha -> Beta, done
    then made = 3 or refused
"""


def findings(text: str) -> list[Diagnostic]:
    """What the parser alone finds."""
    report = Report()
    parse(Source("a.rules", text), report)
    return list(report)


@pytest.mark.parametrize("what", ["without", "twice", "instead of the next"])
def test_any_word_may_be_refused(what: str) -> None:
    """Whatever word is missing, doubled or changed, every finding has a place in the text."""
    words = [found.span() for found in re.finditer(r"\w+|[^\w\s]+", SOUND)]
    texts = set()
    for (start, end), (after, behind) in zip(words, words[1:], strict=False):
        word, then = SOUND[start:end], SOUND[after:behind]
        put = {"without": "", "twice": f"{word} {word}", "instead of the next": f"{then} {word}"}[what]
        rest = behind if what == "instead of the next" else end
        texts.add(SOUND[:start] + put + SOUND[rest:])

    for text in texts:
        lines = text.count("\n") + 1
        assert all(1 <= found.span.line <= lines and found.message for found in findings(text)), text
