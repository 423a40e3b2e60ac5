"""Odds by text: questions as rules write them, compiled with a rule set and followed."""
