"""The options of a rule set in a check: the groups, what is new in each, results of earlier checks."""
