"""Many games of one set of rules, and how often each outcome occurs in them.

Each game has a number, which with the seed of the simulation determines its dice and answers.  So the totals
are the same for any number of processes and machines, and a simulation can be resumed.
"""
