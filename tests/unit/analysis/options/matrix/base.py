"""A game of three turns with every sort of thing that can be amended, all of it seen in the log of play."""

from __future__ import annotations

from typing import Final

MANIFEST: Final = 'id: matrix\ntitle: Matrix\nlanguage: "0.2"\nsequence: play\nsides: Side\n'
RULES: Final = """enum Side: Red, Blue
enum Mood: calm, wild
space Area:
    members North, South, East
    wind: 0..9 = (3 when it is North otherwise 5)
piece Ship:
    members Alpha, Beta
    guns: 0..9 = 3
    state damage: 0..99
piece Boat from "data/boats.yaml":
    speed: 0..9
kind Unit is Ship or Boat
group Fleet, at most 1:
    ships: set of Ship
state turn: 1..9 = 1
state store_left: 0..9 = 6
state heard(mood: Mood): 0..9
state notes_of: list of 0..1999, at most 999
calendar today from Jan 1942 to Sep 1942: Dec 1941 + turn
value bonus: 1
define callee -> 0..200: 2
define rate(n: 0..9) -> 0..200:
    when n < 2: 1                                       [30.1]
    when n < 3: 4                                       [30.2]
    otherwise: callee + 5                               [30.3]
table effect(roll: -9..99, side) -> (hits: 0..90, lost: 0..90):
    | roll | side | hits | lost |
    | ..3  | Red  | 1    | 2    |
    | 4..  | Red  | 3*   | 4    |                       [40.1]
    | -    | Blue | 5    | 6    |
    note *: 7 when turn = 2
table losses(place: Area) -> 0..90:
    | place | n |
    | North | 1 |
    | South | 2 |
    | East  | 3 |
extern table weather(day: 1..9) -> 0..90:
    file "data/boats.yaml"
roll fire: d6
    stack support: highest                              [50.1]
modifier left on roll fire: +1 stacks as support
    when turn < 9                                       [50.2]
modifier right on roll fire: +3 stacks as support
    when turn > 1
modifier free on roll fire: +1
    unless turn = 3                                     [50.3]
choice havens(side) by side:
    pick any area from ports
    let open = Area
    let ports = open
    forbid closed: area is East
        when turn < 3                                   [60.1]
choice pace by Red:                                     [61]
    number from 1 to 6
    forbid slow: answer = 1
    default 6
procedure ask:
    choose pace as n
    add n to notes_of
procedure visit:
    for each side in Side, Red first:
        choose havens(side) as where_to
        for each area in where_to: add 100 + losses(area) to notes_of
procedure helper:
    add 20 to notes_of                                  [12.1]
procedure shoot:
    roll fire as shot
    add 200 + shot to notes_of
    add effect(shot, Red).hits + effect(turn, Red).lost to notes_of
    add 50 + effect(shot, Blue).lost to notes_of        [13.1]
procedure work:
    step aim: add 1 to notes_of
    step outer:
        add 2 to notes_of                               [10.1]
        step inner: add 3 to notes_of
        when turn < 9:                                  [10.2]
            add 4 to notes_of                           [10.3]
            do helper                                   [10.4]
procedure greet(ship):
    add 310 to notes_of
procedure count_up:
    do greet(Alpha)
    for each ship in Ship: add 300 + ship.guns to notes_of
    for each boat in Boat: add 320 + boat.speed to notes_of
    for each area in Area: add 340 + area.wind to notes_of
    for each mood in Mood: add 360 + number_of(mood) to notes_of
    add 400 + store_left to notes_of
    add 420 + rate(turn) + bonus to notes_of
    add weather(turn) to notes_of
    add 500 + steps_of_month to notes_of
define steps_of_month -> 0..99: today - Jan 1942
event alarm as soon as turn = 2:
    add 600 to notes_of                                 [70.1]
    step ring:
        add 601 to notes_of                             [70.2]
invariant small_store: store_left < 8
sequence play:
    repeat 3 times:
        phase early:
            step first_work: do work
            step shooting: do shoot
        phase late:
            step asking: do ask
            step visiting: do visit
        phase ends: do count_up
        add 1 to turn
    finish turn
"""
DATA: Final = """format: 1
about: boats and the owner's table
source: {TEST: made up for a test}
confidence: reconstructed
populations:
  Boat:
    columns: [name, speed]
    rows:
      - [Dory, 1]
      - [Punt, 2]
tables:
  weather:
    columns: [day, result]
    rows:
      - [1..5, 60]
      - [6..9, 70]
"""
