"""Output for people: amended rules, reference sheets, lists of options, pages of documentation."""
