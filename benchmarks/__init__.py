"""Measurements of rulekit against plain Python; see README.md here."""
