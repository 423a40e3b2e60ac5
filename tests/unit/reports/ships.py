"""Rules for tests of odds: ships that are aimed and shot at."""

SHIPS = """enum Side: Red, Blue
piece Ship:
    members Alpha, Beta
    state damage: 0..9
roll fire: d6
choice aim(side) by side:                               [7.7]
    pick one ship from Ship
procedure shoot(target: Ship):                          [7.5]
    roll fire as shot
    when shot > 4: add shot to target.damage
procedure aimed:                                        [7.71]
    choose aim(Red) as ship
    do shoot(ship)
"""
