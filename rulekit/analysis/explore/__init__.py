"""Looking for faults by playing: many games, seldom played answers, dice that fall badly.

`looking` plays, `shrinking` makes what went wrong short, `replays` plays that again on another build and
writes it down, `finding` tells it; `promised` asks the same for one claim.  Nothing here is
decided by chance: everything follows from the program and the seed.
"""
