"""The ways of amending the game of `base`, by family.

A way begins with `# NAME`; indented lines below it stand in the variant, others beside it in the option's
file.  `{n}` is 1 or 2, another for each of two options that amend in the same way.
"""

from __future__ import annotations

from typing import Final

from rulekit.base.frozen import frozen


@frozen
class Way:
    """One way of amending.

    Attributes:
        family: The sort of what it amends.
        text: Its amendments, indented, and items of its own.
    """

    name: str
    family: str
    text: str

    def option(self, name: str, copy: int, *relations: str) -> str:
        """Return the text of the file of an option that amends in this way.

        Args:
            copy: 1 or 2: which of two options that may amend in this way.
            relations: Lines such as `over bob`.
        """
        text = self.text.replace("{n}", str(copy))
        lines = text.splitlines(keepends=True)
        inside = "".join(line for line in lines if line.startswith(" "))
        beside = "".join(line for line in lines if not line.startswith(" "))
        beside = beside.replace("\t", "    ")
        head = "".join(f"    {line}\n" for line in relations)
        return f'option {name} by {name.capitalize()}:\n    reason "{self.name}"\n{head}{inside}{beside}'


_TEXTS: Final = {
    "procedures": """
# replace procedure
    replace procedure work:
        add 91{n} to notes_of
# replace procedure with original
    replace procedure work:
        do original
        add 92{n} to notes_of
# replace procedure, steps of the same names
    replace procedure work:
        step aim: add 93{n} to notes_of
        step outer:
            step inner: add 94{n} to notes_of
# replace step
    replace step aim:
        add 95{n} to notes_of
# remove step
    remove step aim
# insert before step
    insert before step aim: add 96{n} to notes_of
# insert after step
    insert after step aim: add 97{n} to notes_of
# replace outer step
    replace step outer:
        add 98{n} to notes_of
# remove outer step
    remove step outer
# insert before outer step
    insert before step outer: add 99{n} to notes_of
# replace inner step
    replace step inner:
        add 81{n} to notes_of
# replace numbered when
    replace [10.2]:
        add 82{n} to notes_of
# remove numbered when
    remove [10.2]
# remove numbered when at times
    remove [10.2] when turn = 2
# replace numbered statement
    replace [10.3]:
        add 83{n} to notes_of
# remove numbered statement
    remove [10.3]
# insert before numbered statement
    insert before [10.3]: add 84{n} to notes_of
# insert after numbered statement
    insert after [10.3]: add 85{n} to notes_of
# replace callee
    replace procedure helper:
        add 86{n} to notes_of
# replace callee with original
    replace procedure helper:
        do original
        add 87{n} to notes_of
# replace statement in callee
    replace [12.1]:
        add 88{n} to notes_of
# insert before call
    insert before [10.4]: add 89{n} to notes_of
# remove call
    remove [10.4]
# replace phase
    replace phase early:
        add 71{n} to notes_of
# remove phase
    remove phase early
# replace step of phase
    replace step shooting:
        add 72{n} to notes_of
# insert before step of phase
    insert before step shooting: add 73{n} to notes_of
# replace sequence
    replace sequence play:
        add 74{n} to notes_of
# insert before phase
    insert before phase late: add 75{n} to notes_of
""",
    "definitions": """
# redefine
    redefine define rate: 1{n}
# redefine with original
    redefine define rate: original(n) + 1{n}
# redefine with original twice
    redefine define rate: 2 * original(n) + {n}
# redefine by cases
    redefine define rate:
        when n = 1: 2{n}
        otherwise: 3{n}
# set case
    set [30.1] to 1{n}
# remove case
    remove [30.2]
# set otherwise case
    set [30.3] to 2{n}
# set case to a call
    set [30.2] to callee + 1{n}
# redefine what is called
    redefine define callee: 3{n}
# set value
    set value bonus to 1{n}
# modifier on define
    reason "more"
modifier keen_{n} on define rate: +{n}
# modifier becomes on define
    reason "fixed"
modifier fixed_{n} on define rate: becomes 3{n}
# modifier on value
    reason "more"
modifier rich_{n} on value bonus: +{n}
""",
    "tables": """
# replace table
    replace table effect:
        | roll | side | hits | lost |
        | -    | -    | 1{n} | 2{n} |
# replace table with a note
    replace table effect:
        | roll | side | hits | lost |
        | -    | Red  | 1{n}* | 2 |
        | -    | Blue | 5    | 6    |
        note *: 7{n} when turn = 3
# replace row
    replace row ..3 of table effect:
        | ..3 | Red | 2{n} | 5 |
# replace numbered row
    replace [40.1]:
        | 4.. | Red | 3{n} | 5 |
# replace numbered row by two
    replace [40.1]:
        | 4..6 | Red | 3{n} | 5 |
        | 7..  | Red | 4{n} | 5 |
# set cell
    set cell hits of row 4.. of table effect to 5{n}
# set another cell
    set cell lost of row - of table effect to 6{n}
# add note
    add to table effect:
        note *: 7{n} when turn < 3
# replace keyed table
    replace table losses:
        | place | n |
        | - | 1{n} |
# replace keyed row
    replace row South of table losses:
        | South | 3{n} |
# remove keyed row
    remove row South of table losses
    add to table losses:
        | South | 4{n} |
# set keyed cell
    set cell n of row South of table losses to 5{n}
# rows for an extern table
    replace table weather:
        | day | result |
        | 1..2 | 6{n} |
        | 3.. | 7{n} |
# other rows for an extern table
    replace table weather:
        | day | result |
        | 1.. | 8{n} |
""",
    "rolls": """
# set dice
    set roll fire to 2d{n}0
# set modifier
    set modifier left to 5 + {n}
# set another modifier
    set modifier right to 4 + {n}
# remove modifier
    remove modifier left
# remove winning modifier
    remove modifier right
# set clause of modifier
    set [50.2] to turn > {n}
# remove clause of modifier
    remove [50.3]
# set clause of free modifier
    set [50.3] to turn > {n}
# set class
    set stack support of roll fire to sum, at most 2{n}
# set numbered class
    set [50.1] to lowest, at least {n}
# remove class
    remove stack support of roll fire
# add class
    add to roll fire:
        stack crew_{n}: sum
modifier mate_{n} on roll fire: +1{n} stacks as crew_{n}
# new modifier in class
    reason "more"
modifier many_{n} on roll fire: +{n} stacks as support
# new modifier
    reason "more"
modifier more_{n} on roll fire: +{n}
# new modifier becomes
    reason "more"
modifier fixed_{n} on roll fire: becomes {n}
# new modifier times
    reason "more"
modifier twice_{n} on roll fire: times 1 + {n}
# new modifier at least
    reason "more"
modifier least_{n} on roll fire: at least 5 + {n}
# new modifier at most
    reason "more"
modifier most_{n} on roll fire: at most 2 + {n}
""",
    "choices": """
# forbid
    add to choice havens:
        forbid wet_{n}: area is South
# require
    add to choice havens:
        require dry_{n}: area is South
# permit
    add to choice havens:
        permit far_{n}: area is East
# forbid by state
    add to choice havens:
        forbid late_{n}: area is North when turn > {n}
# replace norm
    replace norm closed of choice havens:
        forbid closed: area is North when turn > {n}
# remove norm
    remove norm closed of choice havens
# remove norm at times
    remove norm closed of choice havens when turn = 2
# set clause of norm
    set [60.1] to turn > 1 + {n}
# remove clause of norm
    remove [60.1]
# set decider
    set decider of choice havens to (Blue when turn > {n} otherwise Red)
# set let used by verb
    set let ports of choice havens to Area - ({North} when turn = {n} otherwise {South})
# set let used by let
    set let open of choice havens to Area - ({South} when turn = {n} otherwise {North})
# replace verb
    replace verb of choice havens:
        pick any area from open - ({North} when turn = {n} otherwise {South})
# replace verb and let
    replace verb of choice havens:
        pick any area from ports
        let ports = Area - ({North} when turn = {n} otherwise {South})
# replace choice
    replace choice havens:
        pick any area from Area - ({North} when turn = {n} otherwise {South})
        forbid closed: area is East
            when turn > {n}
# replace choice with let
    replace choice havens:
        pick any area from quiet
        let quiet = Area - ({North} when turn = {n} otherwise {East})
        secret
""",
    "numbers": """
# require number
    add to choice pace:
        require three_{n}: answer = 2 + {n}
# forbid number
    add to choice pace:
        forbid big_{n}: answer > 2 + {n}
# forbid low number
    add to choice pace:
        forbid low_{n}: answer < 2 + {n}
# forbid by state number
    add to choice pace:
        forbid odd_{n}: answer = 6 when turn = {n}
# replace number verb
    replace verb of choice pace:
        number from 2 + {n} to 6
# replace verb at times
    in force while turn = 2
    replace verb of choice pace:
        number from 2 + {n} to 6
# replace number norm
    replace norm slow of choice pace:
        forbid slow: answer > 3 + {n}
# remove number norm
    remove norm slow of choice pace
# set number decider
    set decider of choice pace to Blue
# replace number choice
    replace choice pace:
        number from 3 to 3 + {n}
# replace number choice with default
    replace choice pace:
        number from 3 to 4 + {n}
        default 3
""",
    "events": """
# replace event
    replace event alarm:
        add 65{n} to notes_of
# remove event
    remove event alarm
# replace step of event
    replace step ring:
        add 66{n} to notes_of
# insert in event
    insert before step ring: add 67{n} to notes_of
# replace statement of event
    replace [70.1]:
        add 68{n} to notes_of
# insert after statement of event
    insert after [70.2]: add 69{n} to notes_of
# new event
    reason "more"
event bell_{n} as soon as turn = 2:
\tadd 61{n} to notes_of
""",
    "invariants": """
# set invariant
    set invariant small_store to store_left < 6 + {n}
# remove invariant
    remove invariant small_store
# new invariant
    reason "more"
invariant smaller_{n}: store_left < 8 + {n}
# exceed the invariant
    set state store_left to 7 + {n}
""",
    "things": """
# add enum member
    add to enum Mood: tense_{n}
# add piece member
    add to piece Ship: Gamma_{n}
# add space member
    add to space Area: West_{n}
    add to table losses:
        | West_{n} | 8{n} |
# add kind member
    add to kind Unit: Raft_{n}
    insert after step visiting: add 70{n} + count of Unit to notes_of
piece Raft_{n}:
	members 3
# add field
    add to piece Ship:
        field speed_{n}: 0..9 = {n}
    insert after step first_work: add 66{n} + Alpha.speed_{n} to notes_of
# add a field of one name
    add to piece Ship:
        field crew: 0..9 = {n}
    insert before step first_work: add 67{n} + Alpha.crew to notes_of
# add field to space
    add to space Area:
        field depth_{n}: 0..9 = {n}
    insert after step visiting: add 68{n} + North.depth_{n} to notes_of
# add a state of one name
    add to space Area:
        state fog: 0..9 = {n}
    insert before step visiting: add 68{n} + North.fog to notes_of
# add field to group
    add to group Fleet:
        state size_{n}: 0..9
# add field to kind
    add to kind Unit:
        field rank_{n}: 0..9 = {n}
    insert after step aim: add 58{n} + Alpha.rank_{n} to notes_of
# add field to boat
    add to piece Boat:
        field oars: 0..9 = {n}
    insert before step outer: add 58{n} + total oars in Boat to notes_of
# set state
    set state store_left to 3 + {n}
# widen state
    widen state store_left to 0..1{n}
# widen and set state
    widen state store_left to 0..30
    set state store_left to 5 + {n}
# widen group
    widen group Fleet to at most 1{n}
# widen procedure
    widen procedure helper to at most {n}0 deep
    insert after [12.1]:
        when dug_{n} < 2:
            add 1 to dug_{n}
            add 60{n} to notes_of
            do helper
state dug_{n}: 0..9
# widen parameter
    widen parameter n of define rate to 0..1{n}
# widen parameter to another type
    widen parameter ship of procedure greet to Unit
# widen field
    widen field guns of piece Ship to 0..1{n}
# widen column
    widen column hits of table effect to 0..9{n}
# widen result
    widen result of define rate to 0..30{n}
# new state
    insert after step visiting: set own_{n} to {n}
state own_{n}: 0..9
# new state of one name
    insert before step asking: add 69{n} + own to notes_of
state own: 0..9 = {n}
# calendar month
    set calendar today to Dec 1941 + smaller(turn + {n}, 9)
# calendar ends
    set calendar today from Jan 1942 to Dec 195{n}
""",
    "crossing": """
# shoot without a roll
    replace procedure shoot:
        add 55{n} to notes_of
# visit without a choice
    replace procedure visit:
        add 56{n} to notes_of
# ask without a choice
    replace procedure ask:
        add 57{n} to notes_of
# no late phase
    remove phase late
# no asking step
    remove step asking
# no marked row
    replace [40.1]:
        | 4.. | Red | 2{n} | 4 |
# count nothing up
    replace procedure count_up:
        add 54{n} to notes_of
# no shot
    replace [13.1]:
        add 53{n} to notes_of
""",
}

WAYS: Final = tuple(
    Way(head.strip(), family, f"{text.rstrip()}\n".lstrip("\n"))
    for family, texts in _TEXTS.items()
    for head, _, text in (part.partition("\n") for part in texts.split("\n# ")[1:])
)
WAY: Final = {way.name: way for way in WAYS}
FAMILIES: Final = tuple(_TEXTS)
CROSSING: Final = {
    "shoot without a roll": ("rolls", "tables"),
    "visit without a choice": ("choices", "tables"),
    "ask without a choice": ("numbers",),
    "no late phase": ("choices", "numbers", "procedures"),
    "no asking step": ("numbers",),
    "no marked row": ("tables", "rolls"),
    "count nothing up": ("definitions", "tables", "things"),
    "no shot": ("tables", "procedures"),
}
"""Families with which the ways of the last family are paired, for they take away what uses these things."""
