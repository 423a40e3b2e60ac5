"""The options of a rule set: what they say of one another, and which may be on together."""
