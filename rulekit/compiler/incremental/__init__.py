"""What one compile of a rule set leaves for the next."""
